"""Pictures of the game: the reader's point in the allowed region, and confidence against what was right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.attacks import Measured
from core.utility import Share
from ui.marks import MARKS, plain
from ui.words import _, percent

Array = NDArray[np.float64]
YOU, BEST, GREY = "#c4408f", "#1f9068", "#75808c"
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SURE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _axis(title: str, ticks: Sequence[float], low: float, high: float) -> dict[str, Any]:
    return {
        "title": {"text": title}, "range": [low, high], "tickvals": list(ticks),
        "ticktext": [percent(tick) for tick in ticks], "fixedrange": True, "zeroline": False, "automargin": True,
    }  # fmt: skip


def _layout(x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    return {
        "height": 480,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "xaxis": x,
        "yaxis": y,
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0},
    }


def _point(rates: Measured, name: str, color: str, symbol: str) -> go.Scatter:
    """A point with its two intervals."""
    bars = [
        {"type": "data", "symmetric": False, "array": [one.high - one.share], "arrayminus": [one.share - one.low],
         "color": color, "thickness": 1.5, "width": 5}
        for one in (rates.fpr, rates.tpr)
    ]  # fmt: skip
    return go.Scatter(
        x=[rates.fpr.share], y=[rates.tpr.share], error_x=bars[0], error_y=bars[1], mode="markers", name=name,
        marker={"symbol": symbol, "size": 15, "color": color}, hovertemplate="%{x:.1%}, %{y:.1%}", cliponaxis=False,
    )  # fmt: skip


def make_plane(fpr: Array, line: Array, gaussian: Array | None, mine: Measured, best: Measured) -> go.Figure:
    """False alarms against detections (n): delta line, Gaussian curve where it holds, reader and best attacker.

    The lower half of the region mirrors the upper one: whoever says the opposite turns the square around.
    """
    tca = MARKS["tca"]
    edge = line if gaussian is None else gaussian
    traces = [
        go.Scatter(
            x=np.concatenate([fpr, 1.0 - fpr]), y=np.concatenate([edge, 1.0 - edge]), mode="lines", fill="toself",
            line={"width": 0}, fillcolor="rgba(47, 131, 197, 0.16)", name=_("allowed at this delta"),
            hoverinfo="skip",
        ),
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", name=_("pure guessing"), hoverinfo="skip",
            line={"color": GREY, "dash": "dot", "width": 1.5},
        ),
        go.Scatter(
            x=fpr, y=line, mode="lines", name=_("delta line"), line={"color": GREY, "dash": "dash", "width": 2},
            hovertemplate="%{x:.1%}, %{y:.1%}",
        ),
    ]  # fmt: skip
    if gaussian is not None:
        traces.append(
            go.Scatter(
                x=fpr, y=gaussian, mode="lines", name=plain("tca"), line={"color": tca.color, "width": 3},
                hovertemplate="%{x:.1%}, %{y:.1%}",
            )
        )  # fmt: skip
    traces += [
        _point(best, _("best attacker"), BEST, "x"),
        _point(mine, _("you"), YOU, "star"),
    ]
    return go.Figure(
        traces,
        _layout(
            _axis(_("false alarms"), SHARES, -0.02, 1.02),
            _axis(_("detections"), SHARES, -0.02, 1.02),
        ),
    )


def make_confidence(levels: Sequence[float], shares: Sequence[Share]) -> go.Figure:
    """Share of right answers (k) at each confidence (k)."""
    bars = {
        "type": "data", "symmetric": False, "array": [one.high - one.share for one in shares],
        "arrayminus": [one.share - one.low for one in shares], "color": YOU, "thickness": 1.5, "width": 5,
    }  # fmt: skip
    traces = [
        go.Scatter(
            x=[0.5, 1], y=[0.5, 1], mode="lines", name=_("as right as sure"), hoverinfo="skip",
            line={"color": GREY, "dash": "dot", "width": 1.5},
        ),
        go.Scatter(
            x=list(levels), y=[one.share for one in shares], error_y=bars, mode="markers+text", name=_("you"),
            marker={"symbol": "star", "size": 15, "color": YOU}, cliponaxis=False, textposition="middle right",
            text=[f"  n = {one.runs}" for one in shares], hovertemplate="%{x:.0%}: %{y:.1%}",
        ),
    ]  # fmt: skip
    return go.Figure(
        traces,
        _layout(
            _axis(_("how sure you said you were"), SURE, 0.47, 1.06),
            _axis(_("how often you were right"), SHARES, -0.02, 1.02),
        ),
    )
