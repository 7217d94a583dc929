"""Picture of what is left of the promise: success of a guess as planned and in practice."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from ui.marks import MARKS
from ui.words import _, percent

SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def make_success(planned: float, practice: float | None) -> go.Figure:
    """Two bars from a pure guess upwards; `practice` None where no number applies."""
    names = [_("in practice"), _("as planned")]
    blue, red = MARKS["tca"].color, MARKS["greedy"].color
    lengths = [1.0 if practice is None else practice, planned]
    if practice is None:
        color, texts = "rgba(209, 87, 15, 0.25)", ["", percent(planned)]
    else:
        color, texts = red if practice > planned + 1e-9 else blue, [percent(practice), percent(planned)]
    layout: dict[str, Any] = {
        "height": 190,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "showlegend": False,
        "xaxis": {
            "range": [0.5, 1.03], "tickvals": list(SHARES), "ticktext": [percent(share) for share in SHARES],
            "title": {"text": _("right guesses, at most")}, "fixedrange": True, "automargin": True,
        },
        "yaxis": {"fixedrange": True, "automargin": True},
    }  # fmt: skip
    if practice is None:
        # an annotation takes the colour of the theme; a bar's own text would guess from the bar
        layout["annotations"] = [
            {"x": 0.75, "y": names[0], "text": _("no number applies"), "showarrow": False, "font": {"size": 16}}
        ]
    bars = go.Bar(
        x=[length - 0.5 for length in lengths],
        y=names,
        base=[0.5, 0.5],
        orientation="h",
        width=0.55,
        text=texts,
        textposition=["inside" if length > 0.9 else "outside" for length in lengths],
        insidetextanchor="end",
        textfont={"size": 16},
        textangle=0,
        marker={
            "color": [color, blue],
            "pattern": {"shape": ["/" if practice is None else "", ""], "fgcolor": red, "fgopacity": 0.4},
        },
        hoverinfo="skip",
        cliponaxis=False,
    )
    return go.Figure([bars], layout)
