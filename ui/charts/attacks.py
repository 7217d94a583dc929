"""Figures of measured attacks: arrays in, one Plotly figure out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.attacks import Measured
from ui.adversary.measured import Curve, Timing
from ui.charts.longrun import FONT, ceiling, fade, separators
from ui.frames import Array
from ui.marks import MARKS, plain
from ui.words import _, number, percent

GREY = "#75808c"
FEW = 30


@dataclass(frozen=True)
class Drawn:
    """One curve in the plane: its auditor, its name, and the point judged on fresh runs."""

    mechanism: str
    name: str
    curve: Curve
    measured: Measured | None = None
    dash: str = "solid"


def _corners(fpr: Array, tpr: Array) -> tuple[Array, Array]:
    """Only the points at which a step curve moves."""
    moved = np.concatenate([[True], (np.diff(fpr) != 0) | (np.diff(tpr) != 0)])
    return fpr[moved].astype(np.float32), tpr[moved].astype(np.float32)


def _band(one: Drawn, alpha: float) -> go.Scatter:
    c = one.curve
    return go.Scatter(
        x=np.concatenate([c.fpr_low, c.fpr_high[::-1]]).astype(np.float32),
        y=np.concatenate([c.tpr_high, c.tpr_low[::-1]]).astype(np.float32),
        fill="toself", fillcolor=fade(MARKS[one.mechanism].color, alpha), mode="none", legendgroup=one.name,
        showlegend=False, hoverinfo="skip",
    )  # fmt: skip


def _steps(one: Drawn) -> go.Scatter:
    mark = MARKS[one.mechanism]
    x, y = _corners(one.curve.fpr, one.curve.tpr)
    return go.Scatter(
        # where the attack has few settings, each is shown: a rule lies on a corner, nothing lies between
        x=x, y=y, mode="lines+markers" if len(x) <= FEW else "lines", marker={"symbol": mark.symbol, "size": 7},
        name=f"{mark.glyph} {one.name}", legendgroup=one.name,
        line={"color": mark.color, "width": 2.5, "shape": "hv", "dash": one.dash},
        hovertemplate="%{x:.1%}, %{y:.1%}",
    )  # fmt: skip


def _judged(one: Drawn) -> go.Scatter:
    mark, m = MARKS[one.mechanism], one.measured
    assert m is not None
    open_ = "" if one.dash == "solid" else "-open"
    return go.Scatter(
        x=[m.fpr.share], y=[m.tpr.share], mode="markers", legendgroup=one.name, showlegend=False,
        marker={"symbol": mark.symbol + open_, "size": 13, "color": mark.color, "line": {"width": 2}},
        error_x=_bars(m.fpr.share, m.fpr.low, m.fpr.high, mark.color),
        error_y=_bars(m.tpr.share, m.tpr.low, m.tpr.high, mark.color),
        hovertemplate=f"{one.name}: %{{x:.1%}}, %{{y:.1%}}<extra></extra>",
    )  # fmt: skip


def _bars(value: float, low: float, high: float, color: str) -> dict:
    return {
        "type": "data", "symmetric": False, "array": [high - value], "arrayminus": [value - low], "color": color,
        "thickness": 1.5, "width": 5,
    }  # fmt: skip


def _bound_name(mechanisms: Sequence[str]) -> str:
    """Whose Gaussian curve it is: noisy tally and fading tally have the same at the same delta."""
    if "fading" not in mechanisms:
        return _("bound of the noisy tally")
    return _("bound of both tallies") if "tca" in mechanisms else _("bound of the fading tally")


def plane(
    grid: Array, line: Array, gaussian: Array, curves: Sequence[Drawn], point: tuple[float, float], tall: int = 600
) -> go.Figure:
    """The square of false alarms and detections: bounds on `grid`, measured step curves, the reader's point."""
    tca = MARKS["tca"]
    lines = [
        go.Scatter(
            x=grid, y=grid, mode="lines", name=_("pure guessing"), hoverinfo="skip",
            line={"color": GREY, "dash": "dot", "width": 1.5},
        ),
        go.Scatter(
            x=grid, y=line, mode="lines", name=_("delta line"), hovertemplate="%{x:.0%}, %{y:.1%}",
            line={"color": GREY, "dash": "dash", "width": 2},
        ),
        go.Scatter(
            x=grid, y=gaussian, mode="lines", name=_bound_name([one.mechanism for one in curves]),
            hovertemplate="%{x:.0%}, %{y:.1%}", line={"color": tca.color, "width": 1.5},
        ),
    ]  # fmt: skip
    own = go.Scatter(
        x=[point[0]], y=[point[1]], mode="markers", name=_("your point"), hovertemplate="%{x:.0%}, %{y:.1%}",
        marker={"symbol": "hexagram", "size": 15, "color": tca.color, "line": {"width": 1, "color": GREY}},
    )  # fmt: skip
    alpha = 0.14 if len(curves) < 3 else 0.08
    traces = [_band(c, alpha) for c in curves] + lines + [_steps(c) for c in curves]
    traces += [_judged(c) for c in curves if c.measured is not None] + [own]
    ticks = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    axis = {
        "range": [0, 1], "tickvals": ticks, "ticktext": [percent(t) for t in ticks], "tickfont": FONT,
        "constrain": "domain", "automargin": True, "zeroline": False,
    }  # fmt: skip
    return go.Figure(
        traces,
        {
            "height": tall, "font": FONT, "margin": {"l": 8, "r": 28, "t": 16, "b": 8}, "hovermode": "closest",
            "separators": separators(),
            "legend": {"orientation": "h", "y": -0.16, "yanchor": "top", "x": 0, "font": FONT},
            "xaxis": axis | {"title": {"text": _("false alarms"), "font": FONT}},
            "yaxis": axis | {"title": {"text": _("detections"), "font": FONT}, "scaleanchor": "x"},
        },
    )  # fmt: skip


def by_window(found: Sequence[Timing], delta: float, allowed: Array | None, tall: int = 500) -> go.Figure:
    """Advantage of "audited within w steps" against w; `allowed` is the Gaussian bound at the first one's windows."""
    traces = []
    for one in found:
        mark, c = MARKS[one.mechanism], one.by_window
        x = one.windows
        traces += [
            go.Scatter(
                x=np.concatenate([x, x[::-1]]), y=np.concatenate([c.advantage_high, c.advantage_low[::-1]]),
                fill="toself", fillcolor=fade(mark.color, 0.14 if len(found) < 3 else 0.08), mode="none",
                legendgroup=one.mechanism, showlegend=False, hoverinfo="skip",
            ),
            go.Scatter(
                x=x, y=c.advantage, mode="lines", name=f"{mark.glyph} {plain(one.mechanism)}",
                legendgroup=one.mechanism, line={"color": mark.color, "width": 2, "shape": "hv"},
                hovertemplate="%{x}: %{y:.3f}",
            ),
        ]  # fmt: skip
    for one in found:
        mark, m = MARKS[one.mechanism], one.best
        traces.append(
            go.Scatter(
                x=[m.threshold], y=[m.advantage], mode="markers", legendgroup=one.mechanism, showlegend=False,
                marker={"symbol": mark.symbol, "size": 13, "color": mark.color},
                error_y=_bars(m.advantage, m.low, m.high, mark.color),
                hovertemplate="%{x}: %{y:.3f}<extra></extra>",
            )
        )  # fmt: skip
    last = found[0].width
    ends = [1, max(last, 2)]
    traces.append(
        go.Scatter(
            x=ends, y=[delta, delta], mode="lines", name=_("delta"), hoverinfo="skip",
            line={"color": GREY, "dash": "dash", "width": 2},
        )
    )  # fmt: skip
    if allowed is not None:
        traces.append(
            go.Scatter(
                x=found[0].windows, y=allowed, mode="lines", name=_bound_name([found[0].mechanism]),
                line={"color": MARKS["tca"].color, "width": 1.5, "dash": "dot"}, hovertemplate="%{y:.3f}",
            )
        )  # fmt: skip
    top = min(1.0, ceiling(max(0.3, 3.0 * delta)))
    highest = max(float(one.by_window.advantage.max()) for one in found)
    ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000) if t <= max(last, 2)]
    notes = []
    if highest > top:
        leader = max(found, key=lambda one: float(one.by_window.advantage.max()))
        notes.append(
            {
                "text": _("{name} goes up to {value}").format(name=plain(leader.mechanism), value=number(highest, 2)),
                "xref": "paper", "yref": "paper", "x": 0.98, "y": 0.98, "xanchor": "right", "yanchor": "top",
                "showarrow": False, "font": {"size": 14, "color": MARKS[leader.mechanism].color},
            }
        )  # fmt: skip
    return go.Figure(
        traces,
        {
            "height": tall, "font": FONT, "margin": {"l": 8, "r": 28, "t": 16, "b": 8}, "hovermode": "closest",
            "separators": separators(), "annotations": notes,
            "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "font": FONT},
            "xaxis": {
                "type": "log", "range": [0, float(np.log10(max(last, 2)))], "tickvals": ticks,
                "ticktext": [number(t) for t in ticks], "tickfont": FONT, "automargin": True,
                "title": {"text": _("window, in audits after the suspected report"), "font": FONT},
            },
            "yaxis": {
                "range": [-max(0.1, top / 3.0), top], "tickfont": FONT, "automargin": True,
                "title": {"text": _("advantage: detections minus false alarms"), "font": FONT},
            },
        },
    )  # fmt: skip


def repeats(
    counts: NDArray[np.intp],
    any_auditor: Array,
    same: Array,
    different: Array,
    spread: Array,
    measured: Measured,
    k: int,
) -> go.Figure:
    """Bounds for k reports by one person (n each) and the measured attack at the chosen k."""
    tca = MARKS["tca"]
    rows = (
        (any_auditor, _("any auditor with this delta: k delta"), GREY, "dash", "x"),
        (same, _("noisy tally: one organisation, one day"), tca.color, "solid", "circle"),
        (spread, _("noisy tally: one organisation, spread"), "#1f9068", "solid", "triangle-up"),
        (different, _("noisy tally: different organisations"), "#9467c8", "solid", "diamond"),
    )
    traces = [
        go.Scatter(
            x=counts, y=y, name=name, mode="lines+markers", line={"color": color, "dash": dash, "width": 2},
            marker={"symbol": symbol, "size": 8, "maxdisplayed": 8}, hovertemplate="%{x}: %{y:.3f}",
        )
        for y, name, color, dash, symbol in rows
    ]  # fmt: skip
    traces.append(
        go.Scatter(
            x=[k], y=[measured.advantage], mode="markers", name=_("measured"),
            marker={"symbol": "star", "size": 15, "color": "#d1570f"},
            error_y=_bars(measured.advantage, measured.low, measured.high, "#d1570f"),
            hovertemplate="%{x}: %{y:.3f}",
        )
    )  # fmt: skip
    return go.Figure(
        traces,
        {
            "height": 400, "font": FONT, "margin": {"l": 8, "r": 28, "t": 16, "b": 8}, "hovermode": "closest",
            "separators": separators(),
            "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "font": FONT},
            "xaxis": {
                "range": [0, 31], "tickvals": [1, 5, 10, 15, 20, 25, 30], "tickfont": FONT, "automargin": True,
                "title": {"text": _("reports by one person"), "font": FONT},
            },
            "yaxis": {
                "range": [-0.1, 1.03], "tickfont": FONT, "automargin": True,
                "title": {"text": _("advantage"), "font": FONT},
            },
        },
    )  # fmt: skip


def table_of_plane(curves: Sequence[Drawn]) -> pd.DataFrame:
    """The points of the drawn curves that have intervals, full precision."""
    frames = [
        pd.DataFrame(
            {
                _("auditor"): plain(one.mechanism), _("attack"): one.name,
                "false_alarm": one.curve.fpr[one.curve.at], "false_alarm_low": one.curve.fpr_low,
                "false_alarm_high": one.curve.fpr_high, "detection": one.curve.tpr[one.curve.at],
                "detection_low": one.curve.tpr_low, "detection_high": one.curve.tpr_high,
                "advantage": one.curve.advantage, "advantage_low": one.curve.advantage_low,
                "advantage_high": one.curve.advantage_high,
            }
        )
        for one in curves
    ]  # fmt: skip
    return pd.concat(frames, ignore_index=True)


def table_by_window(found: Sequence[Timing]) -> pd.DataFrame:
    """The timing attack at every drawn window, full precision."""
    frames = [
        pd.DataFrame(
            {
                _("auditor"): plain(one.mechanism), "window": one.windows,
                "false_alarm": one.by_window.fpr[one.by_window.at], "detection": one.by_window.tpr[one.by_window.at],
                "advantage": one.by_window.advantage, "advantage_low": one.by_window.advantage_low,
                "advantage_high": one.by_window.advantage_high,
            }
        )
        for one in found
    ]  # fmt: skip
    return pd.concat(frames, ignore_index=True)
