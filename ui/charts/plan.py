"""Figures of the page Plan: arrays in, one Plotly figure out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.rivals import Map
from ui.charts.longrun import FONT, fade, separators
from ui.marks import MARKS, plain
from ui.plan.answers import ORDER, SHARES, SIMULATED, Answer
from ui.words import _, number, percent

GREY = "rgba(128,128,128,.9)"


def _layout(height: int, x: dict, y: dict, **more: object) -> dict:
    return {
        "height": height, "font": FONT, "margin": {"l": 8, "r": 16, "t": 8, "b": 8}, "separators": separators(),
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT},
        "xaxis": {"automargin": True, "tickfont": FONT} | x, "yaxis": {"automargin": True, "tickfont": FONT} | y,
        **more,
    }  # fmt: skip


def waits(answer: Answer) -> go.Figure:
    """Chance that the problem organisation has been audited by each month, all auditors of the plan."""
    plan, steps = answer.wishes.plan, answer.steps.astype(int)
    months = np.array([plan.months(float(step)) for step in steps])
    traces = [
        go.Scatter(
            x=np.concatenate([months, months[::-1]]),
            y=np.concatenate([answer.bands[name][1], answer.bands[name][0][::-1]]),
            fill="toself", fillcolor=fade(MARKS[name].color, 0.16), mode="none", showlegend=False, hoverinfo="skip",
        )
        for name in SIMULATED
    ]  # fmt: skip
    for name in reversed(ORDER):
        mark = MARKS[name]
        traces.append(
            go.Scatter(
                x=months, y=answer.chance[name][steps], name=plain(name), mode="lines+markers",
                line={"color": mark.color, "width": 3 if name == "tca" else 2},
                marker={"symbol": mark.symbol, "size": 9, "color": mark.color, "maxdisplayed": 9},
                hovertemplate="%{y:.0%}",
            )
        )  # fmt: skip
    found = [(share, wait) for share in SHARES if (wait := answer.wait("tca", share)) is not None]
    traces.append(
        go.Scatter(
            x=[plan.months(wait) for _share, wait in found], y=[answer.chance["tca"][wait] for _share, wait in found],
            mode="markers",
            marker={"symbol": "circle-open", "size": 17, "color": MARKS["tca"].color, "line": {"width": 3}},
            name=_("50, 80 and 95%"), hoverinfo="skip",
        )
    )  # fmt: skip
    ticks = [0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 0.95]
    x = {"title": {"text": _("months since the channel opened"), "font": FONT}, "range": [0, float(months[-1])]}
    y = {
        "title": {"text": _("chance of an audit so far"), "font": FONT}, "range": [0, 1.02], "tickvals": ticks,
        "ticktext": [percent(tick) for tick in ticks],
    }  # fmt: skip
    return go.Figure(traces, _layout(400, x, y, hovermode="x unified"))


def table_of_waits(answer: Answer) -> pd.DataFrame:
    """The curves at every audit."""
    plan = answer.wishes.plan
    columns: dict[str, object] = {
        _("audits"): np.arange(answer.solution.horizon + 1),
        _("months"): [plan.months(step) for step in range(answer.solution.horizon + 1)],
    }
    for name in ORDER:
        columns[_("{name}: chance of an audit so far").format(name=plain(name))] = answer.chance[name]
    return pd.DataFrame(columns)


SIGNS = {-1: "✓", 0: "?", 1: "✗"}
"""The noisy tally misses fewer, cannot be told, misses more."""


def comparison(found: Map, rival: str, row_title: str, here: tuple[int, int], ink: str) -> go.Figure:
    """Cells: noisy tally minus a rival, missed reports a step; `here` is the plan's own (row, column).

    `ink` is the colour of the letters, which stand on coloured cells.
    """
    difference, _se = found.against(rival)
    verdict = found.verdict(rival)
    rows, columns = [number(value) for value in found.rows], [number(value) for value in found.deltas]
    text = [
        f"{SIGNS[int(sign)]}<br>{number(value, 2)}"
        for sign, value in zip(verdict.ravel(), difference.ravel(), strict=True)
    ]
    # three plain colours: the number in the cell tells how much, the sign tells which way without colour
    scale = [[0.0, fade(MARKS["tca"].color, 0.45)], [0.33, fade(MARKS["tca"].color, 0.45)],
             [0.33, "rgba(128,128,128,.12)"], [0.67, "rgba(128,128,128,.12)"],
             [0.67, fade(MARKS["greedy"].color, 0.45)], [1.0, fade(MARKS["greedy"].color, 0.45)]]  # fmt: skip
    trace = go.Heatmap(
        z=verdict, x=columns, y=rows, zmin=-1, zmax=1, colorscale=scale, showscale=False, xgap=2, ygap=2,
        hoverinfo="skip",
    )  # fmt: skip
    # a trace of its own: letters of a heatmap take the colour that fits a light page
    letters = go.Scatter(
        x=columns * len(rows), y=np.repeat(rows, len(columns)), text=text, mode="text", hoverinfo="skip",
        textfont=FONT | {"color": ink}, showlegend=False,
    )  # fmt: skip
    shapes = [
        *_hatching(verdict),
        {"type": "rect", "x0": here[1] - 0.48, "x1": here[1] + 0.48, "y0": here[0] - 0.48, "y1": here[0] + 0.48,
         "line": {"width": 3, "color": GREY}},
    ]  # fmt: skip
    x = {"title": {"text": _("deniability budget (delta)"), "font": FONT}, "type": "category", "showgrid": False}
    y = {"title": {"text": row_title, "font": FONT}, "type": "category", "showgrid": False}
    return go.Figure([trace, letters], _layout(420, x, y, shapes=shapes))


def _hatching(verdict: np.ndarray) -> list[dict]:
    """Slanted lines over the cells where nothing can be told."""
    line = {"width": 1, "color": "rgba(128,128,128,.55)"}
    return [
        {"type": "line", "x0": j - 0.48 + a, "y0": i - 0.48 + b, "x1": j + 0.48 - b, "y1": i + 0.48 - a, "line": line,
         "layer": "below"}
        for i, j in np.argwhere(verdict == 0)
        for a, b in ((0.0, 0.0), (0.32, 0.0), (0.64, 0.0), (0.0, 0.32), (0.0, 0.64))
    ]  # fmt: skip


def table_of_map(found: Map, row_title: str) -> pd.DataFrame:
    """One row a cell: difference and standard error against each rival."""
    cells: Sequence[tuple[int, int]] = list(np.ndindex(len(found.rows), len(found.deltas)))
    columns: dict[str, object] = {
        row_title: [found.rows[i] for i, _j in cells],
        _("deniability budget (delta)"): [found.deltas[j] for _i, j in cells],
    }
    for rival in found.difference:
        columns |= {
            _("noisy tally minus: {name}").format(name=plain(rival)): found.difference[rival].ravel(),
            _("standard error of minus: {name}").format(name=plain(rival)): found.se[rival].ravel(),
        }
    return pd.DataFrame(columns)
