"""What the reader chooses on the page Evidence: the item, the panel, the numbers and how many rows."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core import evidence, plots
from core.evidence import Item
from ui import state
from ui.charts.evidence import ERRORS
from ui.controls import choice, seed
from ui.evidence import say, work
from ui.evidence.work import Numbers
from ui.words import _, number

DEFAULT = "figure-2a"
ORIGINS = ("stored", "simulated")


def ask_item() -> Item:
    """Which item is shown; a box, for there are too many for buttons."""
    names = {name: say.get_name(item) for name, item in evidence.ITEMS.items()}
    value = state.get_choice("evidence_item", list(names), DEFAULT)

    def commit() -> None:
        state.set_choice("evidence_item", st.session_state["w_evidence_item"])

    state.show("w_evidence_item", value)
    st.selectbox(
        _("Item of the paper"), list(names), format_func=names.__getitem__, key="w_evidence_item", on_change=commit
    )
    return evidence.ITEMS[value]


def get_panel(panels: Mapping[str, str]) -> str:
    """The panel shown: the one chosen where this item has it, else its first."""
    first = next(iter(panels))
    chosen = st.session_state["choices"].get("evidence_panel")
    if chosen is not None and chosen not in panels:
        # another item's panel is no mistake of the reader's
        st.session_state["choices"].pop("evidence_panel")
    return state.get_choice("evidence_panel", list(panels), first)


def _get_runs(item: Item) -> tuple[str, dict[str, str]]:
    counts = {str(tenths): number(work.get_runs(item, tenths)) for tenths in work.TENTHS}
    return state.get_choice("evidence_tenths", list(counts), "1"), counts


def get_numbers(item: Item) -> Numbers:
    """The stored numbers, or those simulated on request where the reader asked and this server still has them."""
    origin = state.get_choice("evidence_numbers", ORIGINS, "stored")
    if item.simulated and origin == "simulated":
        runs = work.get_runs(item, int(_get_runs(item)[0]))
        return work.get_simulated(item, state.current().seed, runs) or work.get_stored(item)
    return work.get_stored(item)


def tell_bars(item: Item) -> str:
    """What the bars in the picture are, where it has some."""
    if not any(line.error for line in plots.CHARTS[item.id].lines):
        return ""
    return " " + _("Bars: {errors} standard errors to each side.").format(errors=number(ERRORS))


def tell_origin(item: Item, numbers: Numbers) -> None:
    """Since when these numbers stand, and how they came about."""
    if not item.simulated:
        st.caption(_("No chance in it: computed by this server, not read from a file."))
        return
    if numbers.date:
        text = _("Stored result of {date}: {runs} runs, seed {seed}, written by `{command}`.")
    else:
        text = _(
            "Simulated by this server on request: {runs} runs, seed {seed}. The stored result has {full} runs; fewer "
            "runs mean larger standard errors."
        )
    # a caption would grey the command below what can be read
    st.markdown(
        text.format(
            date=say.get_date(numbers.date) if numbers.date else "", runs=number(numbers.runs), seed=numbers.seed,
            command=numbers.command, full=number(work.RUNS[item.id]),
        )
    )  # fmt: skip


def tell_other_runs(item: Item, numbers: Numbers) -> str:
    """That the terminal's numbers are others, where fewer runs are shown than it takes."""
    if not item.simulated or numbers.runs == work.RUNS[item.id]:
        return ""
    text = _("It always takes {full} runs, so that its numbers differ from those of the {runs} runs shown here.")
    return " " + text.format(full=number(work.RUNS[item.id]), runs=number(numbers.runs))


def ask_simulation(item: Item, numbers: Numbers) -> None:
    """How many runs and which seed; a button that simulates now, and one that goes back to the stored result."""
    with st.expander(_("Simulate it now"), icon=":material/play_arrow:", expanded=not numbers.date):
        tenths, counts = _get_runs(item)
        choice("evidence_tenths", _("Runs"), counts, "1")
        seed()
        pressed = st.button(_("Simulate now"), key="evidence_simulate", icon=":material/play_arrow:")
        if not numbers.date:
            st.button(
                _("Back to the stored result"), key="evidence_back", icon=":material/history:",
                on_click=state.set_choice, args=("evidence_numbers", "stored"),
            )  # fmt: skip
        if pressed:
            runs = work.get_runs(item, int(tenths))
            text = _("Simulating {runs} runs").format(runs=number(runs))
            work.simulate(item, state.current().seed, runs, text)
            state.set_choice("evidence_numbers", "simulated")
            st.rerun()


def ask_rows(count: int) -> str:
    """Whether all comparisons are listed: "all", or "few"."""
    options = {
        "few": _("the first {count}").format(count=number(say.SHOWN)),
        "all": _("all {count}").format(count=number(count)),
    }
    return choice("evidence_rows", _("Comparisons"), options, "few")
