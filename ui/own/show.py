"""What the page Own data says and shows about a table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.calibration import get_count_sd
from core.intake.tables import Choice, ReportTable, write_csv, write_parquet
from core.parameters import TABLE
from ui import frame, state
from ui.charts import own as charts
from ui.navigation import PAGES
from ui.own import files, row, use
from ui.own.files import File
from ui.own.says import quote, rows_of_faults, tell_note, tell_refusal
from ui.own.terminal import FILE, wrap
from ui.words import N_, _, number, percent

_EACH = {
    "day": N_("{steps} days from {first} to {last}"),
    "week": N_("{steps} weeks from {first} to {last}"),
    "month": N_("{steps} months from {first} to {last}"),
    "step": N_("{steps} steps from {first} to {last}"),
}
PAGES_RUN = ("records", "long-run", "adversary")


# --- the table -------------------------------------------------------------------------------------------------------
def get_report(file: File, choice: Choice, table: ReportTable) -> tuple[int, int]:
    """The report marked on the page: that of the pages if they run on this very table."""
    if is_used(choice, table):
        return use.get_report()
    return st.session_state.get("own_row") or use.usual_report(table)


def set_report(step: int, target: int) -> None:
    """Mark another report, and let the pages have it if they run on the table shown."""
    st.session_state["own_row"] = step, target
    file, choice = files.get(), files.get_choice()
    table = files.read(file, choice)
    if isinstance(table, ReportTable) and is_used(choice, table):
        use.set_report(step, target)


def is_used(choice: Choice, table: ReportTable) -> bool:
    """Whether the pages run on this table."""
    own = use.in_use()
    return own is not None and own.table is table


def picture(file: File, table: ReportTable, report: tuple[int, int]) -> None:
    """The heat strip."""
    if file.synthetic:
        st.badge(_("Synthetic example: no organisation in it exists"), icon=":material/science:", color="orange")
    targets, steps = number(len(table.targets)), number(len(table.steps))
    text = _(
        "Up: organisations. Across: periods, named by their first day. The stronger the colour, the more reports; "
        "ring: the report in question."
    )
    frame.chart(
        charts.strip(table, report),
        key="own-strip",
        alt=_("Reports about {targets} organisations in {steps} periods, {reports} in all.").format(
            targets=targets, steps=steps, reports=number(int(table.counts.sum()))
        ),
        table=lambda: charts.table_of_strip(table),
        name="own-reports",
        title=_("Synthetic example") if file.synthetic else _("Your reports"),
        axes=f"{text} {charts.told(table)}",
    )


def span(table: ReportTable) -> str:
    """How long the table is, in words."""
    return _(_EACH[table.period]).format(steps=number(len(table.steps)), first=table.steps[0], last=table.steps[-1])


def sentence(file: File, table: ReportTable) -> str:
    """What is in the table."""
    total, first = int(table.counts.sum()), int(table.counts[:, table.counts.sum(axis=0).argmax()].sum())
    name = table.targets[int(table.counts.sum(axis=0).argmax())]
    text = _("**{reports}** reports about **{targets}** organisations, {span}. Most are about {name}: {share}.")
    if file.synthetic:
        text = _(
            "Invented: **{reports}** reports about **{targets}** organisations, {span}. Most are about {name}: {share}."
        )
    return text.format(
        reports=number(total), targets=number(len(table.targets)), span=span(table), name=quote(name),
        share=percent(first / total if total else 0.0),
    )  # fmt: skip


def get_odds(table: ReportTable, delta: float) -> tuple[int, float, float]:
    """One round of audits in steps, the noise between two counts then, and the lead the reports give in that time."""
    steps, targets = table.counts.shape
    age = min(targets, steps)
    totals = table.counts.sum(axis=0)
    lead = float(totals.max() - (totals.sum() - totals.max()) / (targets - 1)) * age / steps
    return age, 2.0**0.5 * float(get_count_sd(delta, steps, age)), lead


def odds(table: ReportTable, delta: float) -> str:
    """Whether the noise outweighs these reports."""
    age, noise, lead = get_odds(table, delta)
    text = _(
        "In {age} audits, one round, the most reported organisation gets {lead} reports more than another; the noise "
        "between two counts is {noise} (delta {delta}). The reports can be told from the noise."
    )
    if noise > lead:
        text = _(
            "In {age} audits, one round, the most reported organisation gets {lead} reports more than another; the "
            "noise between two counts is {noise} (delta {delta}). So few reports drown in the noise: see whether the "
            "noisy tally still helps."
        )
    return text.format(age=number(age), lead=number(lead, 2), noise=number(noise, 2), delta=number(delta))


# --- use -------------------------------------------------------------------------------------------------------------
def buttons(file: File, choice: Choice, table: ReportTable, report: tuple[int, int]) -> None:
    """Let the pages run on the table, or no longer."""
    own = use.in_use()
    with st.container(horizontal=True, vertical_alignment="center"):
        if not is_used(choice, table):
            st.button(
                _("Use on the pages"), key="own_use", type="primary", icon=":material/play_arrow:",
                on_click=use.take, args=(file.name, choice, table, file.synthetic, report),
            )  # fmt: skip
        if own is not None:
            st.button(
                _("Back to simulated reports"), key="own_back_here", icon=":material/undo:", on_click=use.put_away
            )
    if own is None:
        st.caption(_("Audit records, Long run and Adversary then run on this table instead of simulated reports."))
        return
    if not is_used(choice, table):
        st.warning(
            _("The pages still run on {name} as it was chosen before. Use it again to change that.").format(
                name=quote(own.name)
            )
        )
    else:
        st.success(_("The pages run on this table:"), icon=":material/check:")
    with st.container(horizontal=True):
        for page in PAGES:
            if page.id in PAGES_RUN:
                st.page_link(page.file, label=_(page.title), icon=f":material/{page.icon}:")


def which_report(file: File, choice: Choice, table: ReportTable, report: tuple[int, int]) -> None:
    """The row that is the report on the page Adversary."""
    st.header(_("Which row is the report in question?"), anchor=False)
    row.ask(table, report, "own_row", set_report)
    st.caption(
        _("On the page Adversary somebody tries to find out whether it was filed.") + " " + row.tell(table, report)
    )


# --- notes, faults, data ---------------------------------------------------------------------------------------------
def notes(table: ReportTable) -> None:
    """What was changed on the way, and which rows were left out."""
    st.header(_("How the file was understood"), anchor=False)
    lines = [tell_note(note) for note in table.notes] or [_("Every row was taken as it stands.")]
    st.markdown("\n".join(f"- {line}" for line in lines))
    faults(table.faults)
    if table.spellings:
        with st.expander(_("Spellings that were put together"), icon=":material/merge:"):
            st.dataframe(
                pd.DataFrame(
                    {
                        _("organisation"): list(table.spellings),
                        _("written as"): ["; ".join(written) for written in table.spellings.values()],
                    }
                ),
                hide_index=True, alt=_("Spellings that were put together"),
            )  # fmt: skip


def faults(found: tuple) -> None:
    """Rows that cannot be used, each with its reason."""
    if not found:
        return
    st.caption(_("Rows that cannot be read (the first {most}):").format(most=number(len(found))))
    st.dataframe(pd.DataFrame(rows_of_faults(found)), hide_index=True, alt=_("Rows that cannot be read"))


def refused(error: files.TableError) -> None:
    """In place of the picture: why there is none, and what to do."""
    st.error(_("Refused: {reason}.").format(reason=tell_refusal(error)), icon=":material/error:")
    if error.kind == "faults":
        st.markdown(_("Mend the file, or choose below to leave out rows that cannot be read."))
    faults(error.faults)


def first_rows(file: File) -> None:
    """The file as it stands."""
    with st.expander(_("First rows of the file"), icon=":material/table_rows:"):
        width = len(file.first.columns)
        lines = [(*line[:width], *[""] * (width - len(line))) for line in file.first.rows]
        st.dataframe(
            pd.DataFrame(lines, columns=list(file.first.columns)), hide_index=True, alt=_("First rows of the file")
        )


def exports(table: ReportTable) -> None:
    """The table of counts to take home; read back it gives the same table."""
    with st.container(horizontal=True):
        st.download_button(
            _("Counts (CSV)"), lambda: write_csv(table), FILE, "text/csv", key="own_csv",
            on_click="ignore", icon=":material/download:",
        )  # fmt: skip
        st.download_button(
            _("Counts (Parquet)"), lambda: write_parquet(table), "own-table.parquet", "application/octet-stream",
            key="own_parquet", on_click="ignore", icon=":material/download:",
        )  # fmt: skip
        example = files.get_example()
        st.download_button(
            _("Synthetic example (CSV)"), example.data, example.name, "text/csv", key="own_example",
            on_click="ignore", icon=":material/science:",
        )  # fmt: skip


# --- words -----------------------------------------------------------------------------------------------------------
def limits() -> str:
    """What sizes fit."""
    targets, horizon = TABLE["targets"], TABLE["horizon"]
    return _(
        "At most {size} MB, {rows} rows, {targets} organisations and {steps} periods are taken; where the pages would "
        "need minutes they run less often and say so."
    ).format(
        size=number(files.LARGEST), rows=number(5_000_000), targets=number(int(targets.maximum or 0)),
        steps=number(int(horizon.maximum or 0)),
    )  # fmt: skip


def points() -> list[str]:
    """What to notice."""
    return [
        _(
            "Complaints in a public database are no whistleblower reports. They stand in for them: how many come, how "
            "unevenly, and in what waves."
        ),
        _(
            "Each period gets one audit. Shorter periods mean more audits and fewer reports at each; the promise "
            "covers all of them together."
        ),
        _(
            "Every run sees the same reports: yours. Only noise and lots differ, so an interval says nothing about "
            "other reports than these."
        ),
        _(
            "The seed here is public. Whoever knows it can replay the noise: never decide about real audits with what "
            "this page shows."
        ),
    ]


def formula(file: File, choice: Choice, table: ReportTable) -> tuple[str, str]:
    """How the table is made, and the same number from a terminal."""
    age, noise, _lead = get_odds(table, state.current().delta)
    text = _(
        "$r_{{t,c}}$ counts the reports about organisation $c$ in period $t$: {steps} x {targets} cells that add up "
        "to {reports}. Dates lie in the period that holds their day (UTC where they name a time zone); weeks begin on "
        "Monday. The noise between two counts is $\\sqrt{{2}}\\,\\sigma M_L$ = {noise} with $L$ = {age} and $T$ = "
        "{steps} (Proposition 3)."
    ).format(
        steps=number(len(table.steps)), targets=number(len(table.targets)), reports=number(int(table.counts.sum())),
        noise=number(noise, 4), age=number(age),
    )  # fmt: skip
    code = (
        f"from core.intake.tables import *; print(read_table(open({file.name!r}, 'rb').read(), {choice!r})"
        ".counts.sum())"
    )
    code = code.replace("datetime.date", "__import__('datetime').date")
    return text, wrap(code)
