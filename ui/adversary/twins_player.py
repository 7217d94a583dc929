"""Twin worlds: pairs of records measured and arranged for the player that draws, plays and searches them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.adversary import get_meeting, run_audits, run_twins
from core.auditors import make_mechanism
from core.mechanisms import Guarantee
from core.parameters import TABLE, Parameters, replace
from core.streams import WithReport, get_reports
from core.utility import Share, get_share
from ui import marks
from ui.frames import FADING_CELLS, FADING_MOST
from ui.own import use
from ui.records import leak, pack, to_page
from ui.store import Store
from ui.words import _, language, number, percent

SOURCES = Path(__file__).resolve().parents[2] / "assets" / "components"
WORK = 12_000_000
"""Pairs x steps x organisations measured unasked: two seconds or so."""
PAIRS = (200, 100, 50, 20, 10)
MOST_PAIRS = 1000
CHUNK = 2_500_000
"""Pairs x steps x organisations between two signs of life."""

HTML = """<section class="player twins">
<div class="bar"><div class="pairs"><button class="pback" type="button">‹</button><span class="pair"></span><button
class="pnext" type="button">›</button></div>
<button class="play" type="button"><i aria-hidden="true"></i><span></span></button>
<button class="back" type="button">‹</button><button class="next" type="button">›</button>
<input class="slider" type="range" min="1" value="1"><span class="now"></span>
<button class="differ" type="button"></button></div>
<div class="lanes"></div><div class="axis" aria-hidden="true"></div>
<div class="tools"><label><span></span><select class="speed"></select></label>
<label><span></span><select class="span"></select></label>
<label class="wide"><span></span><input class="from" type="range" min="1" value="1"></label>
<button class="png" type="button"></button></div>
<p class="legend"></p><p class="news sr" aria-live="polite"></p>
<template><article class="lane"><div class="head"><div class="title"><span class="glyph" aria-hidden="true"></span><span
class="name"></span></div><div class="leak"></div></div>
<div class="plot"><canvas class="canvas" tabindex="0" role="application"></canvas><p class="line"></p><p
class="story"></p></div>
<div class="card"><div class="count"></div><div class="gauge" role="img"><span class="fill"></span><span
class="range"></span><span class="limit"></span></div><small class="allowed"></small>
<button class="other" type="button"></button></div></article></template>
</section>
"""


def _read(*names: str) -> str:
    return "\n".join((SOURCES / name).read_text(encoding="utf-8") for name in names)


JS, CSS = _read("records_draw.js", "twins.js"), _read("records.css", "twins.css")
_component = st.components.v2.component("deniability_twins", html=HTML, css=CSS, js=JS)


# --- pairs of records ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Report:
    """The report in question: its step, from 1, and its organisation, from 0."""

    step: int
    target: int


@dataclass(frozen=True)
class Count:
    """In how many pairs of one auditor anything differs.

    Attributes:
        mechanism: its id.
        guarantee: what it promises.
        differs: whether the records of a pair differ anywhere, (S,).
    """

    mechanism: str
    guarantee: Guarantee
    differs: NDArray[np.bool_]

    @property
    def found(self) -> int:
        """Number of pairs that differ."""
        return int(self.differs.sum())

    @property
    def share(self) -> Share:
        """Their share with its interval."""
        return get_share(self.found, len(self.differs))


@dataclass(frozen=True)
class Pair:
    """One pair of records, T steps. Steps are from 1; 0 stands for never.

    Attributes:
        with_report, without_report: audited organisation, from 0, (T,).
        first: first step that differs.
        found: number of steps that differ.
        next_with, next_without: next audit of the reported organisation, the step of the report included.
        meet: the step after which both worlds are in the same state.
    """

    mechanism: str
    with_report: NDArray[Any]
    without_report: NDArray[Any]
    first: int
    found: int
    next_with: int
    next_without: int
    meet: int


_KEPT = ("targets", "horizon", "lead_rate", "other_rate", "stream", "seed")
_OWN = {"tca": ("delta",), "rr": ("delta", "rr_calibration"), "fading": ("delta",)}


def _needed(mechanism: str, p: Parameters) -> Parameters:
    """The scenario with all that cannot change these pairs at its default, so that finished work is found again."""
    names = {*_KEPT, *_OWN.get(mechanism, ())}
    lean: dict[str, Any] = {name: row.default for name, row in TABLE.items() if name not in names}
    lean |= {"run_length": 1, "runs": int(TABLE["runs"].minimum or 1)}
    return replace(p, **lean)


def usual_pairs(p: Parameters) -> int:
    """How many pairs are measured unasked: fewer where one takes long."""
    return next((pairs for pairs in PAIRS if pairs * p.horizon * p.targets <= WORK), PAIRS[-1])


def fading_pairs(p: Parameters, pairs: int) -> int:
    """The fading tally's part of `pairs`, for it takes far longer; 0 where ten of them would take too long."""
    cells = p.horizon * p.targets
    return 0 if 10 * cells > FADING_MOST else min(pairs, max(10, pairs // 4, FADING_CELLS // cells))


_MEASURED: Store[NDArray[np.bool_]] = Store(20_000)


def measure(
    names: Sequence[str],
    p: Parameters,
    report: Report,
    pairs: int,
    same_noise: bool = False,
    progress: Callable[[int, float], None] | None = None,
) -> dict[str, Count]:
    """Count the pairs that differ, a piece at a time; finished pieces are kept for every session.

    Args:
        same_noise: pair the worlds by merely the same noise instead of the best coupling.
        progress: called between pieces with the number of pairs finished by all and the share of the work done.
    """
    work = p.horizon * p.targets * (8 if "fading" in names else 1)
    size = max(1, min(50, CHUNK // work))
    starts = range(0, pairs, size)
    found: dict[str, list[NDArray[np.bool_]]] = {name: [] for name in names}
    for i, start in enumerate(starts):
        for j, name in enumerate(names):
            scenario = _needed(name, p)
            # Always whole pieces: asking for more pairs later then finds all of them.
            key = (name, scenario, report, start, size, same_noise)
            flags = use.get_store(p, _MEASURED).get(key)
            if flags is None:
                if progress:
                    progress(start, (i + j / len(names)) / len(starts))
                flags = _differs(name, scenario, report, range(start, start + size), same_noise)
                use.get_store(p, _MEASURED).put(key, flags)
                # Let another session's thread have its turn.
                time.sleep(0)
            found[name].append(flags)
    return {
        name: Count(name, make_mechanism(name, p).guarantee(), np.concatenate(flags)[:pairs])
        for name, flags in found.items()
    }


def _differs(name: str, p: Parameters, report: Report, runs: Sequence[int], same_noise: bool) -> NDArray[np.bool_]:
    mechanism, stream = make_mechanism(name, p), use.get_stream(p, (report.step, report.target))
    if not same_noise:
        return run_twins(mechanism, stream, p.horizon, report.step, report.target, runs, p.seed).differs
    other = run_audits(mechanism, WithReport(stream, report.step, report.target), p.horizon, runs, p.seed)
    return (run_audits(mechanism, stream, p.horizon, runs, p.seed) != other).any(axis=1)


def get_pair(mechanism: str, p: Parameters, report: Report, pair: int) -> Pair:
    """Pair number `pair`, from 0."""
    return _pair(mechanism, _needed(mechanism, p), report, pair)


@use.apart(24)
@st.cache_data(max_entries=32, show_spinner=False)
def _pair(mechanism: str, p: Parameters, report: Report, pair: int) -> Pair:
    stream = use.get_stream(p, (report.step, report.target))
    twins = run_twins(make_mechanism(mechanism, p), stream, p.horizon, report.step, report.target, [pair], p.seed)
    with_report, without_report = twins.with_report[0], twins.without_report[0]
    steps = np.flatnonzero(with_report != without_report) + 1
    next_with, next_without = _next(with_report, report), _next(without_report, report)
    # An audit sets nothing of the fading tally's sums to zero: what is left of the report only fades.
    meet = 0 if mechanism == "fading" else next_with
    if len(steps):
        meet = 0
        # A noisy pair that differs goes on with noise of its own: equal counts are not the same state.
        if mechanism not in ("tca", "fading"):
            meet = get_meeting(
                with_report, without_report, get_reports(stream, p.horizon, p.seed, pair), report.step, report.target
            )
    return Pair(
        mechanism, with_report.astype(np.uint16), without_report.astype(np.uint16),
        int(steps[0]) if len(steps) else 0, len(steps), next_with, next_without, meet,
    )  # fmt: skip


def _next(record: NDArray[Any], report: Report) -> int:
    hits = np.flatnonzero(record[report.step - 1 :] == report.target)
    return report.step + int(hits[0]) if len(hits) else 0


# --- what travels ----------------------------------------------------------------------------------------------------
def player_data(p: Parameters, report: Report, counts: Mapping[str, Count], pair: int) -> dict[str, Any]:
    """Everything the player needs in the reader's language, but for the view; `pair` from 1."""
    pairs = len(next(iter(counts.values())).differs)
    return {
        "language": language(),
        "steps": p.horizon,
        "targets": p.targets,
        "scale": 1,
        "at": report.step,
        "about": report.target + 1,
        "pair": pair,
        "pairs": pairs,
        "lanes": [_lane(p, report, count, pair) for count in counts.values()],
        "words": _words(p, report),
    }


def _lane(p: Parameters, report: Report, count: Count, pair: int) -> dict[str, Any]:
    shown = get_pair(count.mechanism, p, report, pair - 1)
    mark, share = marks.MARKS[count.mechanism], count.share
    allowed = count.guarantee.delta
    alt = _(
        "{name}, pair {pair}: {story} Left and right: step. Up and down: organisation. Enter puts the report there."
    )
    gauge = _("{found} of {pairs} pairs differ, {share}; 95% interval {low} to {high}. Mark at {delta}.")
    return {
        "name": marks.plain(count.mechanism),
        "leak": leak(count.guarantee),
        "color": mark.color,
        "symbol": mark.symbol,
        "glyph": mark.glyph,
        "with": pack(shown.with_report),
        "without": pack(shown.without_report) if shown.first else None,
        "first": shown.first,
        "nextWith": shown.next_with,
        "nextWithout": shown.next_without,
        "meet": shown.meet,
        "story": story(shown, report),
        "alt": alt.format(name=marks.full(count.mechanism), pair=number(pair), story=story(shown, report)),
        "differ": pack(np.flatnonzero(count.differs) + 1),
        "count": _("{found} of {pairs}").format(found=number(count.found), pairs=number(len(count.differs))),
        "share": share.share,
        "low": share.low,
        "high": share.high,
        "delta": allowed,
        "holds": count.guarantee.holds,
        "allowed": allowance(count.guarantee),
        "gauge": gauge.format(
            found=number(count.found), pairs=number(len(count.differs)), share=percent(share.share),
            low=percent(share.low), high=percent(share.high), delta=percent(allowed),
        ),
    }  # fmt: skip


def allowance(guarantee: Guarantee) -> str:
    """How many pairs may differ, in a few words."""
    delta = number(100.0 * guarantee.delta)
    if not guarantee.holds:
        return _("pairs differ; no promise: at worst, {delta} in 100 or more").format(delta=delta)
    if guarantee.delta == 0:
        return _("pairs differ; none may")
    return _("pairs differ; at most {delta} in 100 may").format(delta=delta)


def story(pair: Pair, report: Report) -> str:
    """What happened in this pair."""
    target = number(report.target + 1)
    if not pair.first:
        if pair.mechanism == "fading":
            return _(
                "The same record in both worlds: the same numbers are released. What is left of the report in the sum "
                "of no. {target} fades, whatever is audited."
            ).format(target=target)
        if not pair.next_with:
            return _("The same record in both worlds. No. {target} is not audited again.").format(target=target)
        return _(
            "The same record in both worlds. After the next audit of no. {target}, at step {step}: the same state from "
            "here on."
        ).format(target=target, step=number(pair.next_with))
    said = [
        _("First difference: step {first}. Steps that differ: {found}.").format(
            first=number(pair.first), found=number(pair.found)
        ),
        _("Next audit of no. {target}: {with_report} with the report, {without} without it.").format(
            target=target, with_report=_when(pair.next_with), without=_when(pair.next_without)
        ),
    ]
    if pair.meet:
        said.append(_("After step {step}: the same state from here on.").format(step=number(pair.meet)))
    elif pair.mechanism in ("tca", "fading"):
        said.append(_("From there each world goes its own way, with noise of its own."))
    else:
        said.append(_("The two worlds do not meet again."))
    return " ".join(said)


def _when(step: int) -> str:
    return _("step {step}").format(step=number(step)) if step else _("never")


def _words(p: Parameters, report: Report) -> dict[str, str]:
    legend = _(
        "Colour: a step that differs; filled, the organisation audited with the report, hollow, the one audited "
        "without it. Faint grey: the same audit in both worlds. Ring and dashed line: the report about no. {about} at "
        "step {at}. Solid line: first difference. Bar below: the two worlds are in different states; the marks on it "
        "are the next audits of no. {about}. Bottom row: organisation no. 1, top row: no. {targets}."
    ).format(about=number(report.target + 1), at=number(report.step), targets=number(p.targets))
    return {
        "legend": legend,
        "player": _("Twin worlds"),
        "play": _("Play"),
        "pause": _("Pause"),
        "back": _("One step back"),
        "next": _("One step on"),
        "step": _("Step"),
        "place": _("step {step} of {steps}"),
        "here": _("report no. {target} at step {step}"),
        "speed": _("Speed"),
        "rate": _("{n} steps a second"),
        "window": _("Steps shown"),
        "all": _("whole record"),
        "steps": _("{n} steps"),
        "from": _("First step shown"),
        "shown": _("steps {from} to {to}"),
        "png": _("Picture (PNG)"),
        "pair": _("pair {pair} of {pairs}"),
        "pback": _("Previous pair"),
        "pnext": _("Next pair"),
        "other": _("Next one that differs"),
        "otherLabel": _("Next pair in which this auditor's records differ: {name}"),
        "differ": _("Next difference"),
        "none": _("No step differs in this pair."),
        "same": _("No. {a} audited in both worlds."),
        "unlike": _("No. {a} audited with the report, no. {b} without it."),
        "moving": _("Drawing the worlds with the report at step {step} about no. {target} ..."),
    }


# --- the player ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class View:
    """What of the pair is in view: the step in hand, first step shown, steps shown."""

    step: int
    first: int
    length: int


def player(
    data: Mapping[str, Any],
    view: View,
    *,
    key: str,
    on_view: Callable[[View, int], None],
    on_report: Callable[[Report], None],
) -> None:
    """Draw the player; it tells where the reader came to rest (view and pair) and where the report shall be.

    A view is sent down only when somebody else than the player changed it; see `ui.records.player`.
    """
    state = st.session_state
    memory = state.setdefault(f"{key}_memory", {"id": 0, "sent": view, "shown": None, "heard": 0})
    if memory["shown"] != view or key not in state:
        memory.update(id=memory["id"] + 1, sent=view, shown=view)

    def moved() -> None:
        told = state[key].get("view")
        if isinstance(told, Mapping):
            heard = View(*(int(told[name]) for name in ("step", "first", "length")))
            memory["shown"] = heard
            on_view(heard, int(told["pair"]))

    def filed() -> None:
        told = state[key].get("report")
        # A report that was told before must not come back when only the view changed.
        if isinstance(told, Mapping) and told["n"] != memory["heard"]:
            memory["heard"] = told["n"]
            on_report(Report(int(told["at"]), int(told["about"]) - 1))

    sent: View = memory["sent"]
    pushed = {"id": memory["id"], "step": sent.step, "first": sent.first, "length": sent.length}
    _component(key=key, data={**data, "pushed": pushed}, on_view_change=moved, on_report_change=filed)


def to_html(data: Mapping[str, Any], view: View, title: str) -> bytes:
    """The pair in the picture as one page that needs no network."""
    pushed = {"id": 1, "step": view.step, "first": view.first, "length": view.length}
    return to_page(data, pushed, title, HTML, CSS, JS)
