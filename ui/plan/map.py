"""A map of where the noisy tally beats the other private auditors, around the reader's own plan."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import replace

import numpy as np
import streamlit as st

from core.planning import Plan
from core.rivals import RIVALS, Map, simulate_map
from ui import frame
from ui.charts import plan as charts
from ui.controls import choice
from ui.frames import Store
from ui.marks import plain
from ui.plan.answers import Answer
from ui.words import _, number

DELTAS = (0.02, 0.05, 0.1, 0.15, 0.25, 0.5)
TARGETS = (3, 5, 10, 20, 50, 100)
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
LARGEST_STEPS = 200
"""Audits simulated for each cell; the noise is that of the whole plan."""
CELLS = 25_000_000

INK = {"light": "#1a2230", "dark": "#f2f5f9"}

_MAPS: Store[Map] = Store(32)


def with_own(values: tuple[float, ...], own: float) -> tuple[tuple[float, ...], int]:
    """`values` with the nearest one replaced by the plan's own, and where that stands."""
    place = int(np.abs(np.log(np.array(values)) - np.log(own)).argmin())
    return tuple(own if i == place else value for i, value in enumerate(values)), place


def get_grid(answer: Answer, axis: str) -> tuple[list[Plan], tuple[float, ...], tuple[float, ...], tuple[int, int]]:
    """Plans of the rows, their values, the budgets of the columns, and the cell of the plan itself."""
    plan = answer.wishes.plan
    deltas, column = with_own(DELTAS, answer.solution.delta)
    if axis == "targets":
        sizes, row = with_own(tuple(map(float, TARGETS)), plan.targets)
        return [replace(plan, targets=int(size)) for size in sizes], sizes, deltas, (row, column)
    rates = tuple(plan.problem_reports * factor for factor in FACTORS)
    return [replace(plan, problem_reports=rate) for rate in rates], rates, deltas, (FACTORS.index(1.0), column)


def compute(answer: Answer, axis: str, seed: int, progress: object = None) -> tuple[Map, tuple[int, int]]:
    """The map, remembered, and the cell of the plan itself."""
    plans, rows, deltas, here = get_grid(answer, axis)
    horizon = answer.solution.horizon
    steps = min(horizon, LARGEST_STEPS)
    cells = sum(plan.targets for plan in plans) * steps * (2 * len(deltas) + 2)
    runs = int(min(32, max(10, CELLS // cells)))
    key: Hashable = (tuple(plans), deltas, horizon, steps, runs, seed)
    found = _MAPS.get(key) or _MAPS.put(
        key,
        simulate_map(plans, rows, deltas, horizon, runs, steps, seed, progress),  # type: ignore[arg-type]
    )
    return found, here


def show(answer: Answer, seed: int) -> None:
    """The buttons, the map and what it says."""
    st.header(_("Where is the noisy tally worth it?"), anchor=False)
    st.markdown(_("It does not always win. Ask around your plan, everything else as you said:"))
    titles = {
        "rate": _("reports a year about the problem organisation"),
        "targets": _("organisations"),
    }
    names = {"rate": _("Budget and reports"), "targets": _("Budget and organisations")}
    axis = choice("map", _("Draw a map"), {"off": _("none")} | names, "off")
    if axis == "off":
        return
    bar = st.empty()

    def tell(done: float) -> None:
        bar.progress(done, _("Simulating the map"))

    found, here = compute(answer, axis, seed, tell)
    bar.empty()
    rivals = {"all": _("the best of the three")} | {name: plain(name) for name in RIVALS}
    rival = choice("rival", _("Compared with"), rivals, "all")
    frame.sentence(summary(found, rival, here), key="map")
    frame.chart(
        charts.comparison(found, rival, titles[axis], here, INK.get(st.context.theme.type or "", INK["light"])),
        key="plan-map",
        alt=_("Map of missed reports a step, noisy tally minus {name}, over {rows} and the budget.").format(
            name=rivals[rival], rows=titles[axis]
        ),
        table=lambda: charts.table_of_map(found, titles[axis]),
        name="where-the-noisy-tally-is-worth-it",
        axes=_(
            "Across: delta. Up: {rows}. In each cell: missed reports a step of the noisy tally minus those of the "
            "other auditor. ✓ it misses fewer, ✗ it misses more, ? and hatched: the 95% interval holds 0. Framed: your "
            "plan. {runs} runs of {steps} audits a cell; noise for {horizon} audits; seed {seed}."
        ).format(
            rows=titles[axis], runs=number(found.runs), steps=number(found.steps),
            horizon=number(answer.solution.horizon), seed=seed,
        ),
    )  # fmt: skip
    st.caption(
        _(
            "The same map from a terminal, with more runs on more cores if you like: `{command}`. Differences of its "
            "rows are the numbers of the cells."
        ).format(command="python -m core sweep --grid map.toml --out map")
    )
    st.download_button(
        _("Grid of this map"), make_sweep(found, answer, axis, seed), "map.toml", "application/toml", key="map_grid",
        on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def make_sweep(found: Map, answer: Answer, axis: str, seed: int) -> str:
    """The map as a grid for `python -m core sweep`: differences of its rows are the numbers of the cells."""
    plan = answer.wishes.plan
    lead, other = plan.rates
    leads = [value / plan.audits_a_year for value in found.rows] if axis == "rate" else [lead]
    targets = [int(value) for value in found.rows] if axis == "targets" else [plan.targets]
    lines = {
        "mechanism": ["tca", *RIVALS],
        "delta": list(found.deltas),
        "targets": targets,
        "lead_rate": leads,
        "other_rate": other,
        "horizon": answer.solution.horizon,
        "steps": found.steps,
        "runs": found.runs,
        "seed": seed,
    }
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in lines.items())


def summary(found: Map, rival: str, here: tuple[int, int]) -> str:
    """How many cells go which way, and the plan's own."""
    verdict = found.verdict(rival)
    count = {sign: int((verdict == sign).sum()) for sign in (-1, 0, 1)}
    own = {
        -1: _("In your plan the noisy tally **misses fewer** reports."),
        0: _("In your plan these runs **cannot tell** them apart."),
        1: _("In your plan the noisy tally **misses more** reports."),
    }[int(verdict[here])]
    return (
        own
        + " "
        + _("Of {cells} cells it wins {wins}, loses {losses}, and {open} are open.").format(
            cells=number(verdict.size), wins=number(count[-1]), losses=number(count[1]), open=number(count[0])
        )
    )
