"""Twin worlds: the same reports but for one, and how often the audit records differ at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.calibration import get_mu
from core.parameters import TABLE, Parameters
from ui import frame, state
from ui.adversary import suspect_controls, suspected
from ui.adversary import twins_player as player
from ui.adversary.switches import switch
from ui.adversary.twins_player import Count, Report, View
from ui.marks import full, plain
from ui.own import terminal, use
from ui.own.use import OwnParameters
from ui.records import AUDITORS
from ui.words import _, number, percent

LAST = int(TABLE["horizon"].maximum or 0)
SPAN = 100
"""Steps in view at first: few enough to tell one mark from the next."""


def show(p: Parameters) -> None:
    """The whole view."""
    _view()


@st.fragment(key="twins")
def _view() -> None:
    p = use.current()
    step, target = suspected(p)
    report = Report(step, target)
    pairs = state.get_int("pairs", player.usual_pairs(p), 1, player.MOST_PAIRS)
    # The progress stands where the words will, so that nothing below moves.
    place = st.empty()
    counts = {**_measured(place, AUDITORS, p, report, pairs)}
    with_fading = state.get_choice("twins_fading", ["off", "on"], "off") == "on"
    few = player.fading_pairs(p, pairs)
    if with_fading and few:
        counts |= _measured(place, ("fading",), p, report, few)
    place.markdown(
        _(
            "Two worlds with the same reports but for one: in the first, somebody also reports no. {target} at step "
            "{step}. Chance (lots and noise) is paired so that the two audit records differ as rarely as possible. "
            "Click a record to put the report elsewhere."
        ).format(target=number(target + 1), step=number(step))
    )
    pair = min(state.get_int("pair", usual_pair(counts), 1, player.MOST_PAIRS), pairs)
    st.session_state["twins_pair"] = pair
    data = player.player_data(p, report, counts, pair)
    player.player(data, _window(p, report), key="twins_player", on_view=_rest, on_report=_file)
    frame.sentence(said(counts["tca"]) + " " + said(counts["greedy"]), key="twins")
    st.markdown(" ".join(said(counts[name]) for name in ("rr", "uniform", "fading") if name in counts))
    suspect_controls(p)
    switch(
        "twins_fading", _("Show the fading tally as well"),
        help=_("It takes longer to compute, so fewer pairs are drawn for it where there are many."),
    )  # fmt: skip
    if with_fading and not few:
        st.caption(_("The fading tally is left out: at this size it would take minutes."))
    _more(p, pairs)
    _same_noise(p, report, pairs, counts["tca"])
    frame.what_to_notice(points(counts))
    frame.how_computed(formula(p, counts["tca"], "fading" in counts), command(p, report, pairs))
    title, shown = _("Twin worlds"), _window(p, report)
    st.download_button(
        _("Player (HTML)"), lambda: player.to_html(data, shown, title), "twin-worlds.html", "text/html",
        key="twins_html", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
    frame.data_section(
        [
            (_("Pairs that differ"), lambda: pairs_table(counts), "twin-pairs"),
            (
                _("The pair in the picture. Targets are numbered from 0, as in the terminal: no. 1 is target 0."),
                lambda: record_table(p, report, pair, list(counts)),
                "twin-records",
            ),
        ],
        key="twins",
    )
    state.write_url()


def usual_pair(counts: Mapping[str, Count]) -> int:
    """The first pair, from 1, of the commonest kind: which auditors' records differ, and which do not."""
    most = max(len(count.differs) for count in counts.values())
    kinds = np.stack([count.differs for count in counts.values() if len(count.differs) == most], axis=1)
    _, first, found = np.unique(kinds, axis=0, return_index=True, return_counts=True)
    return int(first[found.argmax()]) + 1


def _measured(
    place: DeltaGenerator, names: Sequence[str], p: Parameters, report: Report, pairs: int, same_noise: bool = False
) -> Mapping[str, Count]:
    """Counts of the auditors, with signs of life while they come."""

    def progress(done: int, share: float) -> None:
        text = _("Drawing pairs of worlds: {done} of {pairs}")
        place.progress(share, text.format(done=number(done), pairs=number(pairs)))

    return player.measure(names, p, report, pairs, same_noise, progress)


def _window(p: Parameters, report: Report) -> View:
    """What is in view: what the reader or the link chose, else some steps around the report."""
    choices = st.session_state["choices"]
    before = st.session_state.get("twins_report")
    st.session_state["twins_report"] = report
    length = min(state.get_int("span", SPAN, 1, LAST), p.horizon)
    usual = min(max(report.step - length // 5, 1), p.horizon - length + 1)
    first = min(state.get_int("from", usual, 1, LAST), p.horizon - length + 1)
    if before not in (None, report):
        # The picture goes where the report went, but does not jump under the reader's hand.
        choices.pop("when", None)
        if not first <= report.step < first + length:
            choices.pop("from", None)
            first = usual
    step = min(state.get_int("when", report.step, 1, LAST), p.horizon)
    return View(step, first, length)


def _rest(heard: View, pair: int) -> None:
    """The reader came to rest somewhere, or wants another pair."""
    for key, value in (("when", heard.step), ("from", heard.first), ("span", heard.length)):
        state.set_int(key, value)
    if pair != st.session_state["twins_pair"]:
        state.set_int("pair", pair)


def _file(report: Report) -> None:
    """The reader put the report elsewhere."""
    if use.in_use():
        use.set_report(report.step, report.target)
        return
    state.set_int("at", report.step)
    state.set_int("about", report.target + 1)


def _more(p: Parameters, pairs: int) -> None:
    usual = player.usual_pairs(p)
    if usual < player.PAIRS[0]:
        st.caption(
            _("One pair is long at this size: {usual} pairs are drawn at first instead of {most}.").format(
                usual=number(usual), most=number(player.PAIRS[0])
            )
        )
    wanted = min(pairs + usual, player.MOST_PAIRS)
    if wanted > pairs:
        label = _("{n} more pairs").format(n=number(wanted - pairs))
        st.button(label, key="twins_more", icon=":material/add:", on_click=state.set_int, args=("pairs", wanted))


def _same_noise(p: Parameters, report: Report, pairs: int, best: Count) -> None:
    """The fold about the pairing that looks natural and misleads."""
    label = _("Why not simply the same noise?")
    fold = st.expander(label, icon=":material/help:", key="twins_same", on_change="rerun")
    if not fold.open:
        return
    with fold:
        place = st.empty()
        same = _measured(place, ["tca"], p, report, pairs, True)["tca"]
        place.markdown(said_same_noise(p, best, same))


# --- what is said ----------------------------------------------------------------------------------------------------
def said(count: Count) -> str:
    """In how many pairs of one auditor anything differs, against what it promises."""
    guarantee = count.guarantee
    text = _(
        "{name}: **{found} of {pairs}** pairs differ anywhere (at most **{delta} in 100** are allowed on average)."
    )
    if not guarantee.holds:
        text = _(
            "{name}: **{found} of {pairs}** differ. It promises nothing: where it is worst, at least {delta} in 100 do."
        )
    elif guarantee.delta == 0:
        text = _("{name}: **{found} of {pairs}** differ. It never looks at the reports.")
    return text.format(
        name=plain(count.mechanism), found=number(count.found), pairs=number(len(count.differs)),
        delta=number(100.0 * guarantee.delta),
    )  # fmt: skip


def said_same_noise(p: Parameters, best: Count, same: Count) -> str:
    """What the same noise in both worlds shows, and why that is no leak."""
    head = (_("Pairing"), _("Pairs that differ"), _("Share"), _("95% interval"))
    rows: list[tuple[str, ...]] = [head, ("---", "---:", "---:", "---:")]
    for name, count in ((_("the same noise in both worlds"), same), (_("the best pairing"), best)):
        share = count.share
        found = _("{found} of {pairs}").format(found=number(count.found), pairs=number(share.runs))
        interval = _("{low} to {high}").format(low=percent(share.low), high=percent(share.high))
        rows.append((name, found, percent(share.share), interval))
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    told = _(
        "With merely the same noise in both worlds **{same} of {pairs}** pairs of the noisy tally differ; at most "
        "{delta} are allowed. That is no leak. Whoever watches sees one record and no noise: the same record can come "
        "from the other world with other noise about as likely. All there is to find out is how often each record "
        "turns up in either world. No pairing differs more rarely than that, and the best one keeps to {delta} at most."
    ).format(same=number(same.found), pairs=number(same.share.runs), delta=percent(p.delta))
    if same.found <= best.found:
        told += " " + _("Here the two pairings happen to differ about equally often.")
    return f"{told}\n\n{table}"


def points(counts: Mapping[str, Count]) -> list[str]:
    """What to notice."""
    tca = counts["tca"]
    pairs = len(tca.differs)
    told = [
        _(
            "In {same} of {pairs} pairs the noisy tally's records are identical to the last step, although it counted "
            "one report more in one of them. Whoever holds such a record cannot know which world it is."
        ).format(same=number(pairs - tca.found), pairs=number(pairs)),
        _(
            "Follow the reports is the obvious give-away: one report moves one audit, that one moves the next, and the "
            "trail stays visible until both worlds happen to meet."
        ),
        _(
            "An audit of the reported organisation uses the report up. Where the records are the same until then, both "
            "worlds hold the same open reports from there on: nothing of the report is left to find."
        ),
    ]
    if "fading" in counts:
        told.append(
            _(
                "Not so the fading tally: no audit sets its sum to zero, and the report only fades. Its promise counts "
                "all that is ever left of it, so it holds for any number of audits."
            )
        )
    return told


def formula(p: Parameters, tca: Count, fading: bool = False) -> str:
    """How the pairs are drawn, with the live values put in."""
    share = tca.share
    others = ", ".join(full(name) for name in ("greedy", "rr", "uniform"))
    lines = [
        _(
            "The most that any observer can tell is the total variation between the records of the two worlds. It "
            "equals the share of pairs that differ under the best pairing, and the promise keeps it at delta:"
        ),
        rf"$$\min_{{(a,\,a')}} \Pr[a \ne a'] = \mathrm{{TV}} \le \delta = {p.delta:g}$$",
        _(
            "**{tca}** (ours): the world with the report is drawn first, with normals {z}. Shifting the reported "
            "organisation's normals by {v}, from the report to its next audit, hides the report and gives the "
            "identical record; no pairing of the noisy counts keeps more pairs equal. It is kept with probability"
        ).format(tca=full("tca"), z="$z$", v=r"$v_t = f_{t-t^*}/\sigma$"),
        r"$$\min\left(1,\ e^{-v\cdot z - |v|^2/2}\right), \qquad |v| \le \mu ="
        rf" {get_mu(p.delta):.4g}, \qquad 2\,\Phi(\mu/2) - 1 = \delta$$",
        _(
            "Otherwise those normals are drawn anew from what the world without the report still lacks, so that each "
            "world alone has exactly its own distribution."
        ),
        _("**{others}**: the same coins, lots and tie breakers in both worlds, which is their best pairing.").format(
            others=others
        ),
        _("Measured for {tca}: {found} of {pairs}, {share} (95% Wilson interval {low} to {high}).").format(
            tca=full("tca"), found=number(tca.found), pairs=number(share.runs), share=percent(share.share),
            low=percent(share.low), high=percent(share.high),
        ),
    ]  # fmt: skip
    if fading:
        lines.insert(
            -2,
            _(
                "**{fading}** (ours): its releases do not depend on the audits, so the shift that hides the report is "
                "known beforehand, {v}, for ever. It is taken with the same probability; otherwise the normals are "
                "reflected along it. That is their best pairing."
            ).format(fading=full("fading"), v=r"$v_t = \lambda^{t-t^*}/\sigma$"),
        )
    return "\n\n".join(lines)


def command(p: Parameters, report: Report, pairs: int) -> str:
    """The number of pairs of the noisy tally that differ, from a terminal."""
    if isinstance(p, OwnParameters):
        run = f"run_twins(make_mechanism('tca', p), s, {p.horizon}, {report.step}, {report.target}, {pairs}, {p.seed})"
        return terminal.command(
            p, "from core.adversary import run_twins", f"{run}.differs.sum()", (report.step, report.target)
        )
    return (
        f"python -m core twins --mechanism tca --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} "
        f"--step {report.step} --target {report.target} --lead-rate {p.lead_rate:g} --other-rate {p.other_rate:g} "
        f"--stream {p.stream} --runs {pairs} --seed {p.seed}"
    )


# --- tables ----------------------------------------------------------------------------------------------------------
def pairs_table(counts: Mapping[str, Count]) -> pd.DataFrame:
    """A row per pair: in which auditors' records anything differs."""
    numbers = np.arange(len(counts["tca"].differs)) + 1
    # fewer pairs are drawn for the fading tally: the rest of its column is empty
    columns = {name: pd.Series(count.differs.astype(int), dtype="Int64") for name, count in counts.items()}
    return pd.DataFrame({"pair": numbers, **columns})


def record_table(p: Parameters, report: Report, pair: int, names: Sequence[str]) -> pd.DataFrame:
    """A row per auditor and step of one pair (from 1)."""
    parts = []
    for name in names:
        shown = player.get_pair(name, p, report, pair - 1)
        columns = {
            "mechanism": name,
            "pair": pair,
            "step": np.arange(1, p.horizon + 1),
            "with_report": shown.with_report,
            "without_report": shown.without_report,
            "differs": (shown.with_report != shown.without_report).astype(int),
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)
