"""The picture of the page Evidence: core's description of an item's drawing as one Plotly figure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core import plots
from core.comparisons import BASES, Comparison, Finding
from core.evidence import Item
from core.plots import Chart, Line
from ui.charts.longrun import FONT, ceiling, separators
from ui.evidence.texts import OWN_LABELS
from ui.frames import scale
from ui.words import _, number

GREY = "#808080"
OCHRE = "#8a7a2f"
"""For what the drawings show in the ink of the page, which the chart cannot know."""
SYMBOLS = {
    "o": "circle", "^": "triangle-up", "v": "triangle-down", "<": "triangle-left", "s": "square", "D": "diamond",
    "P": "cross", "_": "line-ew-open", ".": "circle",
}  # fmt: skip
"""Matplotlib's marker -> Plotly's name of it."""
TOTALS = "figure-2b"
"""The item whose text leaves open whether its picture shows each step or the sum so far."""
ERRORS = 2.0
"""Standard errors in a bar, as in core's drawings."""


def _say(label: str) -> str:
    """Words of core's drawings as the dashboard says them, in the reader's language."""
    text = OWN_LABELS.get(label, label)
    return _(text)


def get_panels(item: Item, columns: Mapping[str, NDArray]) -> dict[str, str]:
    """Id -> name of the item's panels, one of which is shown at a time; a single one has the id "all"."""
    if item.id == TOTALS:
        return {"step": _("each audit"), "total": _("added up so far")}
    panels = plots.CHARTS[item.id].panels
    if panels is None:
        return {"all": ""}
    values = [v for v in np.unique(columns[panels[0]]) if _is_drawn(item, columns, v)]
    return {f"{v:g}": _say(panels[1]).format(value=number(v)) for v in values}


def _is_drawn(item: Item, columns: Mapping[str, NDArray], panel: Any) -> bool:
    chart = plots.CHARTS[item.id]
    return any(len(_get_rows(chart, line, columns, panel)) > 1 for line in chart.lines)


def _get_rows(chart: Chart, line: Line, columns: Mapping[str, NDArray], panel: Any) -> NDArray[np.intp]:
    """Rows of one line in one panel, from left to right."""
    chosen = np.isfinite(columns[line.column])
    if chart.panels is not None:
        chosen &= columns[chart.panels[0]] == panel
    for name, value in line.only.items():
        chosen &= columns[name] == value
    rows = np.flatnonzero(chosen)
    return rows[np.argsort(columns[chart.x][rows], kind="stable")]


def get_label(line: Line, runs: int = 0) -> str:
    """The line's name in the legend; `runs` fills the gap of what was simulated."""
    gaps = {name: value if isinstance(value, str) else number(value) for name, value in line.only.items()}
    return _say(line.label).format(**gaps, runs=number(runs))


def get_axes(item: Item, panel: str) -> tuple[str, str]:
    """The titles of the axes."""
    chart = plots.CHARTS[item.id]
    up = _("Missed reports so far") if (item.id, panel) == (TOTALS, "total") else _say(chart.y_label)
    return _say(chart.x_label), up


def get_looks(line: Line) -> dict[str, Any]:
    """Colour, dashes and marker of a line, those of core's drawings."""
    mark = plots.MARKS[line.mark]
    color = mark.color
    if color == plots.INK:
        color = OCHRE if line.mark == "played" else GREY
    # Matplotlib measures dashes in widths of the line
    dash = "solid" if mark.line == "-" else ",".join(f"{2 * part}px" for part in mark.line[1])
    symbol = SYMBOLS[mark.shape] + ("-open" if line.hollow else "")
    return {"color": color, "dash": dash, "symbol": symbol}


def picture(item: Item, finding: Finding, panel: str, runs: int = 0) -> go.Figure:
    """One panel of the item's chart; its vertical axis is the same in all panels."""
    chart, columns = plots.CHARTS[item.id], finding.columns
    value = None if chart.panels is None else float(panel)
    suffix = "_total" if (item.id, panel) == (TOTALS, "total") else ""
    traces: list[go.Scatter] = []
    places: set[float] = set()
    for line in chart.lines:
        rows = _get_rows(chart, line, columns, value)
        if not len(rows):
            continue
        x, y = columns[chart.x][rows], columns[line.column + suffix][rows]
        places |= set(x.tolist())
        error = columns[f"{line.column}_se"][rows] if line.error else None
        trace = _trace(chart, line, x, y, error, get_label(line, runs))
        # what lies close to drawing lots would vanish under it
        traces.insert(0 if line.mark == "uniform" else len(traces), trace)
    traces += _get_printed(item, finding.comparisons, value)
    across, up = get_axes(item, panel)
    layout = {
        "height": 470,
        "font": FONT,
        "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "font": FONT},
        "separators": separators(),
        "xaxis": {"title": {"text": across, "font": FONT}, "automargin": True, "zeroline": False}
        | _across(chart, sorted(places)),
        "yaxis": {"title": {"text": up, "font": FONT}, "automargin": True, "zeroline": False}
        | _up(chart, columns, suffix),
    }
    return go.Figure(traces, layout)


def _place(chart: Chart, x: NDArray) -> NDArray:
    return scale(x) if chart.x_scale == "symlog" else x


def _trace(chart: Chart, line: Line, x: NDArray, y: NDArray, error: NDArray | None, name: str) -> go.Scatter:
    looks = get_looks(line)
    bars = None
    if error is not None:
        bars = {"array": ERRORS * error, "color": looks["color"], "thickness": 1.5, "width": 4}
    return go.Scatter(
        x=_place(chart, x), y=y, name=name, mode="lines+markers" if error is None else "markers", error_y=bars,
        line={"color": looks["color"], "dash": looks["dash"], "width": 1.5 if line.thin else 2},
        marker={
            "symbol": looks["symbol"], "color": looks["color"], "size": 13 if line.mark in ("uniform", "played") else 9,
            "maxdisplayed": 9 if line.thin else 0,
            "line": {"color": looks["color"], "width": 2},
        },
        customdata=[number(value) for value in x.tolist()],
        hovertemplate=f"{name}<br>%{{customdata}}: %{{y:.4~g}}<extra></extra>",
    )  # fmt: skip


def _get_printed(item: Item, comparisons: Sequence[Comparison], panel: float | None) -> list[go.Scatter]:
    """What the paper prints, as crosses: it does so in Table 3 alone, where a panel is one run length."""
    if item.id != "table-3":
        return []
    text = comparisons[0].text
    printed = [
        one
        for one in comparisons
        if one.basis == BASES["printed"] and one.text == text and one.gaps["horizon"] == panel
    ]
    return [
        go.Scatter(
            x=[one.gaps["delta"] for one in printed], y=[one.reference for one in printed], mode="markers",
            name=_("Printed in the paper"),
            marker={"symbol": "x-thin-open", "color": OCHRE, "size": 14, "line": {"width": 3}},
            customdata=[number(one.gaps["delta"]) for one in printed],
            hovertemplate="%{customdata}: %{y}<extra></extra>",
        )
    ]  # fmt: skip


def _across(chart: Chart, values: list[float]) -> dict[str, Any]:
    """Range and ticks of the horizontal axis: the values themselves where they are few."""
    apart = min((b - a for a, b in pairwise(values)), default=1.0) > 0.1 * (values[-1] - values[0])
    if chart.x_scale == "linear" and not apart:
        return {"nticks": 6, "tickformat": ",~g"}
    few = values if len(values) < 10 else values[::2]
    ticks = {"tickvals": _place(chart, np.array(few)).tolist(), "ticktext": [number(_neat(v)) for v in few]}
    ticks |= {"tickangle": 0}
    return ticks | ({"type": "log"} if chart.x_scale == "log" else {})


def _neat(value: float) -> float:
    return int(value) if float(value).is_integer() else value


def _up(chart: Chart, columns: Mapping[str, NDArray], suffix: str) -> dict[str, Any]:
    values = np.concatenate([columns[line.column + suffix] for line in chart.lines]).astype(float)
    values = values[np.isfinite(values)]
    if chart.y_scale == "log":
        low, high = math.floor(math.log10(values[values > 0].min())), math.ceil(math.log10(values.max()))
        ticks = [10.0**k for k in range(low, high + 1)]
        return {
            "type": "log",
            "range": [low - 0.1, high],
            "tickvals": ticks,
            "ticktext": [number(tick) for tick in ticks],
        }
    most = float(values.max())
    top = 1.03 if 0.8 < most <= 1.0 else ceiling(1.05 * most)
    return {"range": [min(0.0, 1.05 * float(values.min())) - 0.02 * top, top], "tickformat": ",~g"}


def table(finding: Finding) -> pd.DataFrame:
    """The item's table as `reproduce` writes it, in full precision."""
    return pd.DataFrame(dict(finding.columns))
