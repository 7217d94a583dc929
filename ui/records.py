"""The record player: the same reports through several auditors, drawn, played and searched in the browser."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from core.auditors import make_mechanism
from core.mechanisms import Guarantee, Tca
from core.parameters import TABLE, Parameters, replace
from core.simulation import run_transcript
from core.streams import get_reports
from core.utility import get_theorem_6_bound
from ui import marks
from ui.own import use
from ui.words import _, language, number, percent

SOURCES = Path(__file__).parent.parent / "assets" / "components"
AUDITORS = ("greedy", "tca", "rr", "uniform")
GUESTS: dict[str, tuple[str, ...]] = {"four": (), "five": ("rota",), "fading": ("fading",), "six": ("rota", "fading")}
"""Who joins the paper's four, by the reader's choice."""
MOST_CELLS = 500_000
"""Organisations and steps with new reports that are still sent to the browser: about 1.3 MB."""

HTML = """<section class="player">
<div class="bar"><button class="play" type="button"><i aria-hidden="true"></i><span></span></button>
<button class="back" type="button">‹</button><button class="next" type="button">›</button>
<input class="slider" type="range" min="1" value="1"><span class="now"></span></div>
<div class="lanes"></div><div class="axis" aria-hidden="true"></div>
<div class="tools"><label><span></span><select class="speed"></select></label>
<label><span></span><select class="span"></select></label>
<label class="wide"><span></span><input class="from" type="range" min="1" value="1"></label>
<button class="png" type="button"></button></div>
<p class="legend"></p><p class="news sr" aria-live="polite"></p>
<template><article class="lane"><div class="head"><div class="title"><span class="glyph" aria-hidden="true"></span><span
class="name"></span></div><div class="leak"></div></div>
<div class="plot"><canvas class="canvas" role="img"></canvas><p class="line"></p></div>
<div class="card"><div class="mean"></div><small class="missed"></small><div class="hits"><small
class="before"></small><span class="share"></span><small class="after"></small></div></div></article></template>
</section>
"""


def _read(*names: str) -> str:
    return "\n".join((SOURCES / name).read_text(encoding="utf-8") for name in names)


JS = _read("records_draw.js", "records.js")
CSS = _read("records.css")
_component = st.components.v2.component("deniability_records", html=HTML, css=CSS, js=JS)


@dataclass(frozen=True)
class Lane:
    """One auditor's record, arranged for the player. T steps.

    Attributes:
        mechanism: its id.
        guarantee: what it promises.
        audits, leader: audited and most reported target of each step (the first of several), from 0, (T,).
        active, deficit: open reports of the audited target, and how many more the most reported one had, (T,).
        mean, share: missed reports a step and share of hits, over the steps so far, (T,).
        most_active: largest count of open reports anywhere.
        noisy: the noisy count of the audited target, (T,), where the auditor counts with noise.
    """

    mechanism: str
    guarantee: Guarantee
    audits: NDArray[Any]
    leader: NDArray[Any]
    active: NDArray[Any]
    deficit: NDArray[Any]
    mean: NDArray[Any]
    share: NDArray[Any]
    most_active: int
    noisy: NDArray[Any] | None = None

    @property
    def missed(self) -> float:
        """Missed reports a step over the whole record."""
        return float(self.mean[-1])

    @property
    def hits(self) -> float:
        """Share of audits that went to a most reported target."""
        return float(self.share[-1])


_KEPT = {
    "reports": ("targets", "horizon", "lead_rate", "other_rate", "stream", "seed"),
    "rr": ("delta", "rr_calibration"),
    "tca": ("delta",),
    "fading": ("delta",),
}


def _needed(mechanism: str, parameters: Parameters) -> Parameters:
    """The scenario with every parameter that cannot change this record at its default, so that records are found."""
    names = {*_KEPT["reports"], *_KEPT.get(mechanism, ())}
    lean: dict[str, Any] = {name: row.default for name, row in TABLE.items() if name not in names}
    lean |= {"run_length": 1, "runs": int(TABLE["runs"].minimum or 1)}
    return replace(parameters, **lean)


def get_lane(mechanism: str, parameters: Parameters) -> Lane:
    """The record of one auditor in this scenario."""
    return _lane(mechanism, _needed(mechanism, parameters))


@use.apart(24)
@st.cache_resource(max_entries=256, show_spinner=False)
def _lane(mechanism: str, parameters: Parameters) -> Lane:
    auditor = make_mechanism(mechanism, parameters)
    run = run_transcript(auditor, use.get_stream(parameters), parameters.horizon, parameters.seed)
    steps = np.arange(parameters.horizon)
    noisy = None
    if run.noise is not None:
        noisy = (run.active[steps, run.audits] + run.noise[steps, run.audits]).astype(np.float32)
    return Lane(
        mechanism, auditor.guarantee(), run.audits, run.active.argmax(axis=1), run.active[steps, run.audits],
        run.deficit, run.deficit.cumsum() / (steps + 1), run.hit.cumsum() / (steps + 1), int(run.active.max()), noisy,
    )  # fmt: skip


@dataclass(frozen=True)
class Inside:
    """What the noisy tally saw at each step. T steps, C targets.

    Attributes:
        active: true counts of open reports, (T, C).
        noisy: the counts it saw, (T, C).
        audits, leader: audited and most reported target of each step, from 0, (T,).
        bound: Theorem 6's bound on the chance of a miss, given all earlier noise, (T,).
        hit: whether the audit went to a most reported target, (T,).
    """

    active: NDArray[Any]
    noisy: NDArray[Any]
    audits: NDArray[Any]
    leader: NDArray[Any]
    bound: NDArray[Any]
    hit: NDArray[Any]

    @property
    def span(self) -> tuple[float, float]:
        """Smallest and largest count, true or noisy, of the whole record."""
        return float(min(self.noisy.min(), 0)), float(max(self.noisy.max(), self.active.max()))


def get_inside(parameters: Parameters) -> Inside:
    """The noisy tally's record with all its counts."""
    return _inside(_needed("tca", parameters))


# Few entries: at 500 organisations and 10,000 steps one holds 40 MB.
@use.apart(2)
@st.cache_resource(max_entries=4, show_spinner=False)
def _inside(parameters: Parameters) -> Inside:
    auditor = Tca(parameters.targets, parameters.horizon, parameters.delta)
    run = run_transcript(auditor, use.get_stream(parameters), parameters.horizon, parameters.seed)
    assert run.noise is not None
    return Inside(
        run.active.astype(np.int32), (run.active + run.noise).astype(np.float32), run.audits, run.active.argmax(axis=1),
        get_theorem_6_bound(run, auditor.noise_scale), run.hit,
    )  # fmt: skip


# --- what travels ----------------------------------------------------------------------------------------------------
def pack(values: NDArray[Any]) -> str:
    """An array as text: two letters for its type (the smallest that holds it), a colon, base64."""
    if values.dtype.kind == "f":
        kind = "f4"
    else:
        largest = int(values.max(initial=0))
        kind = "u1" if largest < 2**8 else "u2" if largest < 2**16 else "u4"
    return f"{kind}:{base64.b64encode(np.ascontiguousarray(values, dtype='<' + kind).tobytes()).decode()}"


@use.apart(2)
@st.cache_data(max_entries=32, show_spinner=False)
def _packed_reports(parameters: Parameters) -> list[str] | None:
    """Cells (step by step, target by target) skipped before each one with reports, and its count; None if too many."""
    cells = get_reports(use.get_stream(parameters), parameters.horizon, parameters.seed).ravel()
    filled = np.flatnonzero(cells)
    if len(filled) > MOST_CELLS:
        return None
    return [pack(np.diff(filled, prepend=-1) - 1), pack(cells[filled])]


@use.apart(24)
@st.cache_data(max_entries=128, show_spinner=False)
def _packed_lane(mechanism: str, parameters: Parameters) -> dict[str, str]:
    lane = _lane(mechanism, parameters)
    names = ("audits", "leader", "active", "deficit", "mean", "share", "noisy")
    return {name: pack(column) for name in names if (column := getattr(lane, name)) is not None}


def player_data(parameters: Parameters, mechanisms: Sequence[str]) -> dict[str, Any]:
    """Everything the player needs in the reader's language, but for the view."""
    lanes = [get_lane(mechanism, parameters) for mechanism in mechanisms]
    reports = _packed_reports(_needed("reports", parameters))
    scale = _round_up(max(int(lane.deficit.max()) for lane in lanes))
    darkest = max(lane.most_active for lane in lanes)
    return {
        "language": language(),
        "steps": parameters.horizon,
        "targets": parameters.targets,
        "reports": reports,
        "scale": scale,
        "darkest": max(darkest, 1),
        "lanes": [_lane_data(lane, parameters) for lane in lanes],
        "words": _words(parameters, scale, darkest, reports is not None),
    }


def _lane_data(lane: Lane, parameters: Parameters) -> dict[str, Any]:
    mark = marks.MARKS[lane.mechanism]
    alt = _(
        "{name}: the organisation audited at each of {steps} steps. {hits} of the audits went to the most reported "
        "organisation; {missed} reports missed a step."
    )
    return {
        "name": marks.plain(lane.mechanism),
        "leak": leak(lane.guarantee),
        "color": mark.color,
        "symbol": mark.symbol,
        "glyph": mark.glyph,
        "alt": alt.format(
            name=marks.full(lane.mechanism),
            steps=number(parameters.horizon),
            hits=percent(lane.hits),
            missed=number(lane.missed),
        ),
        **_packed_lane(lane.mechanism, _needed(lane.mechanism, parameters)),
    }


def leak(guarantee: Guarantee) -> str:
    """What one report can give away, in a few words."""
    delta = number(guarantee.delta)
    if not guarantee.holds:
        return _("gives everything away (delta at least {delta})").format(delta=delta)
    if guarantee.delta == 0:
        return _("leaks nothing (delta 0)")
    if guarantee.horizon is None:
        return _("delta {delta}, proved for ever").format(delta=delta)
    return _("delta {delta}, proved for {horizon} audits").format(delta=delta, horizon=number(guarantee.horizon))


def _words(parameters: Parameters, scale: int, darkest: int, shaded: bool) -> dict[str, str]:
    legend = _(
        "Each mark is one audit; filled: it went to the most reported organisation, hollow: to another. Bottom row: "
        "organisation no. 1, top row: no. {targets}. The line below each record: missed reports, 0 to {scale} in all."
    ).format(targets=number(parameters.targets), scale=number(scale))
    shade = _("The shade behind: open reports of each organisation, darkest at {darkest}.")
    if not shaded:
        shade = _("Too many reports to send: the shade of open reports is left out at this size.")
    return {
        "legend": f"{legend} {shade.format(darkest=number(darkest))}",
        "player": _("Record player"),
        "play": _("Play"),
        "pause": _("Pause"),
        "back": _("One step back"),
        "next": _("One step on"),
        "step": _("Step"),
        "place": _("step {step} of {steps}"),
        "speed": _("Speed"),
        "rate": _("{n} steps a second"),
        "window": _("Steps shown"),
        "all": _("whole record"),
        "steps": _("{n} steps"),
        "from": _("First step shown"),
        "shown": _("steps {from} to {to}"),
        "png": _("Picture (PNG)"),
        "missed": _("missed reports a step"),
        "sofar": _("missed a step so far"),
        "hits": _("{share} of audits hit the most reported"),
        "hit": _("No. {target} audited: the most reported, {active} open."),
        "miss": _(
            "No. {target} audited: {active} open. Most reported: no. {leader}, {leading} open. Missed: {missed}."
        ),
        "noisy": _("Noisy count seen: {noisy}."),
    }


def _round_up(value: int) -> int:
    """The next of 1, 2, 3, 4, 6, 8, 10, 20 ...: a scale that stays put while values wander."""
    size = 1
    while True:
        for factor in (1, 2, 3, 4, 6, 8):
            if value <= factor * size:
                return factor * size
        size *= 10


# --- the player ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class View:
    """What of the record is in view: the step in hand (0: the last), first step shown, steps shown (0: all)."""

    step: int = 0
    first: int = 1
    length: int = 0


def player(data: Mapping[str, Any], view: View, *, key: str, on_view: Callable[[View], None]) -> None:
    """Draw the player; `on_view` hears where the reader came to rest.

    A view is sent down only when somebody else than the player changed it: otherwise the message stays the same to
    the byte, Streamlit sends a reference instead of the record, and nothing jumps under the reader's hand.
    """
    state = st.session_state
    memory = state.setdefault(f"{key}_memory", {"id": 0, "sent": View(), "shown": None})
    if memory["shown"] != view or key not in state:
        memory.update(id=memory["id"] + 1, sent=view, shown=view)

    def commit() -> None:
        told = state[key].get("view")
        if isinstance(told, Mapping):
            heard = View(*(int(told[name]) for name in ("step", "first", "length")))
            memory["shown"] = heard
            on_view(heard)

    sent: View = memory["sent"]
    pushed = {"id": memory["id"], "step": sent.step, "first": sent.first, "length": sent.length}
    _component(key=key, data={**data, "pushed": pushed}, on_view_change=commit)


def to_html(data: Mapping[str, Any], title: str) -> bytes:
    """The player as one page that needs no network."""
    return to_page(data, {"id": 1, "step": 0, "first": 1, "length": 0}, title, HTML, CSS, JS)


def to_page(data: Mapping[str, Any], pushed: Mapping[str, int], title: str, html: str, css: str, js: str) -> bytes:
    """A player of ours as one page that needs no network, opened at the view `pushed`."""
    record = json.dumps({**data, "pushed": pushed}, ensure_ascii=False).replace("<", "\\u003c")
    program = js.replace("export default function", "function mount", 1)
    page = f"""<!DOCTYPE html>
<html lang="{escape(str(data["language"]))}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>
<style>
:root {{ color-scheme: light dark; --st-font: system-ui, sans-serif; --st-button-radius: 6px;
  --st-text-color: light-dark(#0f1216, #e6edf3); --st-background-color: light-dark(#ffffff, #0d1117);
  --st-secondary-background-color: light-dark(#f4f6f8, #161b22); --st-primary-color: light-dark(#0b5cad, #58a6ff);
  --st-border-color: light-dark(#d5dae0, #30363d); }}
body {{ margin: 1.5rem; background: var(--st-background-color); color: var(--st-text-color);
  font-family: var(--st-font); }}
{css}
</style></head>
<body><h1>{escape(title)}</h1>{html}
<script type="module">
{program}
mount({{ data: {record}, parentElement: document, setStateValue() {{}} }})
</script></body></html>
"""
    return page.encode()


def table(parameters: Parameters, mechanisms: Sequence[str]) -> pd.DataFrame:
    """A row per auditor and step; targets are numbered from 0 as in the terminal, no. 1 on the screen is target 0."""
    parts = []
    for mechanism in mechanisms:
        lane = get_lane(mechanism, parameters)
        columns = {
            "mechanism": mechanism,
            "step": np.arange(1, parameters.horizon + 1),
            "target": lane.audits,
            "active": lane.active,
            "leader_active": lane.active + lane.deficit,
            "deficit": lane.deficit,
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)
