"""Figures of suspicion before and after: arrays in, one Plotly figure out."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from ui.charts.adversary import make_profile
from ui.charts.longrun import FONT, ceiling, fade, separators
from ui.frames import Array
from ui.marks import MARKS
from ui.words import _, percent

__all__ = ["allowed", "make_profile", "spread"]

GREY = "#75808c"
RED = "#d1570f"
TICKS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]


def _share_axis(title: str) -> dict:
    return {
        "range": [0, 1], "tickvals": TICKS, "ticktext": [percent(t) for t in TICKS], "tickfont": FONT,
        "automargin": True, "zeroline": False, "title": {"text": title, "font": FONT},
    }  # fmt: skip


def _layout(height: int, x: dict, y: dict, **more: object) -> dict:
    return {
        "height": height, "font": FONT, "margin": {"l": 8, "r": 28, "t": 16, "b": 8}, "hovermode": "closest",
        "separators": separators(), "xaxis": x, "yaxis": y,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT}, **more,
    }  # fmt: skip


def allowed(
    rates: Array,
    low: Array,
    high: Array,
    prior: float,
    chosen: float,
    event: tuple[float, float, float, float],
) -> go.Figure:
    """Suspicion allowed after events of probability `rates` (n) without the report.

    `chosen` is the reader's false-alarm rate; `event` the seen one: rate, suspicion after it, and its interval.
    """
    mark = MARKS["tca"]
    rate, after, after_low, after_high = event
    traces = [
        go.Scatter(
            x=np.concatenate([rates, rates[::-1]]), y=np.concatenate([high, low[::-1]]), fill="toself", mode="none",
            fillcolor=fade(mark.color, 0.16), name=_("possible suspicion after"), hoverinfo="skip",
        ),
        go.Scatter(
            x=rates, y=high, mode="lines", name=_("at most"), line={"color": mark.color, "width": 2.5},
            hovertemplate="%{x:.0%}: %{y:.1%}",
        ),
        go.Scatter(
            x=rates, y=low, mode="lines", name=_("at least"), line={"color": mark.color, "width": 2.5, "dash": "dash"},
            hovertemplate="%{x:.0%}: %{y:.1%}",
        ),
        go.Scatter(
            x=[0, 1], y=[prior, prior], mode="lines", name=_("before"), hoverinfo="skip",
            line={"color": GREY, "dash": "dot", "width": 2},
        ),
        go.Scatter(
            x=[rate], y=[after], mode="markers", name=_("the event you chose, measured"),
            marker={"symbol": mark.symbol, "size": 14, "color": RED},
            error_y={
                "type": "data", "symmetric": False, "array": [after_high - after], "arrayminus": [after - after_low],
                "color": RED, "thickness": 2, "width": 6,
            },
            hovertemplate="%{x:.1%}: %{y:.1%}",
        ),
    ]  # fmt: skip
    line = {
        "type": "line", "x0": chosen, "x1": chosen, "yref": "paper", "y0": 0, "y1": 1,
        "line": {"dash": "dot", "width": 2, "color": GREY},
    }  # fmt: skip
    x = _share_axis(_("how often the event turns up without your report"))
    # the axis follows the scenario, not the event: it stays while the reader tries events
    top = min(1.0, ceiling(1.5 * float(high.max())))
    y = _share_axis(_("suspicion of you"))
    y["range"] = [0, top]
    if top < 1.0:
        ticks = [top * i / 4.0 for i in range(5)]
        y |= {"tickvals": ticks, "ticktext": [percent(t) for t in ticks]}
    return go.Figure(traces, _layout(380, x, y, shapes=[line]))


def spread(edges: Array, shares: Array, spikes: Array, heights: Array, prior: float) -> tuple[go.Figure, go.Figure]:
    """Suspicion after a report, as bars: Gaussian noise (n bins between n + 1 edges), and an outright leak (2 spikes).

    Both on the same axes, to be set side by side.
    """
    mark = MARKS["tca"]
    width = edges[1:] - edges[:-1]
    middle = (edges[1:] + edges[:-1]) / 2.0
    before = {
        "type": "line", "x0": prior, "x1": prior, "yref": "paper", "y0": 0, "y1": 1,
        "line": {"dash": "dot", "width": 2, "color": GREY},
    }  # fmt: skip

    def figure(x: Array, y: Array, wide: Array | float, color: str, pattern: str) -> go.Figure:
        bars = go.Bar(
            x=x, y=y, width=wide, marker={"color": color, "pattern": {"shape": pattern}},
            hovertemplate="%{x:.0%}: %{y:.3%}<extra></extra>",
        )  # fmt: skip
        across = _share_axis(_("suspicion after"))
        # room for the bar that stands at certainty
        across["range"] = [-0.02, 1.03]
        up = _share_axis(_("share of the cases in which you reported"))
        return go.Figure([bars], _layout(300, across, up, shapes=[before], showlegend=False))

    return figure(middle, shares, width, mark.color, ""), figure(spikes, heights, 0.02, RED, "/")
