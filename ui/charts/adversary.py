"""Pictures of what the organisation can find out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.live import Area, Axis, Label, Line, Marker, Plot, Series
from ui.marks import MARKS, plain
from ui.words import _, number, percent

Array = NDArray[np.float64]


def make_square(
    fpr: Array, line: Array, gaussian: Array, point_fpr: Array, point_tpr: Array, extra: Sequence[Series] = ()
) -> Plot:
    """The square of false alarms (n) against detections at every delta (D, n), with the reader's point (D, F).

    `extra` holds further series, drawn on top.
    """
    tca = MARKS["tca"]
    ticks = [(share, percent(share)) for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    top = np.ones(len(fpr))
    series: list[Series] = [
        Area(fpr, line, top, name=_("impossible at this delta"), by=("delta",), opacity=0.07, hatch=True),
        Area(fpr, fpr, gaussian, tca.color, plain("tca"), ("delta",)),
        Line(fpr, fpr, "muted", _("pure guessing"), dash="dot", width=1.5),
        Line(fpr, line, "text", _("delta line: most that any auditor may leak"), ("delta",), 1.8, "dash"),
        Line(fpr, gaussian, tca.color, plain("tca"), ("delta",), 3.0, symbol=tca.symbol),
        Marker(point_fpr, point_tpr, tca.color, tca.symbol, plain("tca"), ("delta", "false_alarm"), drop=True),
        Label(_("impossible"), 0.03, 0.95, color="text"),
        *extra,
    ]
    x = Axis(_("false alarms: suspects you although you did not report"), 0.0, 1.0, ticks)
    y = Axis(_("detections: suspects you after you did report"), 0.0, 1.0, ticks)
    return Plot(x, y, series, aspect=1.0, tallest=400)


def make_profile(factors: Array, rest: Array, delta: float) -> go.Figure:
    """What is left over (n) when a record may become `factors` times likelier (n), beside the bare guarantee."""
    tca = MARKS["tca"]
    powers = [0, -1, -2, -3, -4, -5, -6]
    return go.Figure(
        [
            go.Scatter(
                x=factors, y=np.full(len(factors), delta), mode="lines", name=_("bare guarantee (0, delta)"),
                line={"color": "#75808c", "dash": "dash", "width": 2}, hovertemplate="%{x:.2f}: %{y:.3g}",
            ),
            go.Scatter(
                x=factors, y=np.where(rest > 1e-9, rest, np.nan), mode="lines+markers", name=plain("tca"),
                line={"color": tca.color, "width": 3}, hovertemplate="%{x:.2f}: %{y:.3g}",
                marker={"symbol": tca.symbol, "size": 9, "maxdisplayed": 12},
            ),
        ],
        {
            "height": 340,
            "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
            "font": {"size": 14},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "xaxis": {
                "title": {"text": _("times as likely with your report as without")}, "range": [1, 3],
                "tickvals": [1, 1.5, 2, 2.5, 3], "ticktext": [number(v) for v in (1, 1.5, 2, 2.5, 3)],
            },
            "yaxis": {
                "title": {"text": _("rest that is not covered")}, "type": "log", "range": [-6, 0],
                "tickvals": [10.0**p for p in powers],
                "ticktext": [_("1 in {count}").format(count=number(10**-p)) for p in powers],
            },
        },
    )  # fmt: skip
