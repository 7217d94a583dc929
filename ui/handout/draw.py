"""A live picture standing still: as a Plotly figure for the page, as SVG for the brief.

Both take a `Plot` whose sliders have one stop each. Colours "text" and "muted" stay names: the files follow the
reader's own choice of light or dark.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ui.live import Area, Label, Line, Plot, Points, Rule, Series

Show = Callable[[float], str]
Place = Callable[[float], float]
FONT = {"size": 14}
TYPE = 10.5
"""Size of the letters in the SVG, in its own units; about 8 points on paper."""
STANDING_FOR = {"text": "#010101", "muted": "#020202", "paper": "#030303"}
"""Plotly takes colours only, no names; page.js knows these three."""
DASHES = {"dash": "5 3.5", "dot": "1.2 3.2"}


def flat(values: ArrayLike) -> NDArray[np.float64]:
    """An array without the axes of its sliders."""
    return np.asarray(values, dtype=float).reshape(-1)


# --- Plotly ----------------------------------------------------------------------------------------------------------
def make_figure(plot: Plot, show_x: Show, show_y: Show) -> go.Figure:
    """The plot with hover texts written by `show_x` and `show_y`."""
    traces: list[go.Scatter] = []
    annotations: list[dict[str, Any]] = []
    named: set[str] = set()
    for one in plot.series:
        if isinstance(one, Label):
            x, y = flat(one.x)[0], flat(one.y)[0]
            annotations.append({"x": x, "y": y, "text": one.text, "showarrow": False, "xanchor": "left", "font": FONT})
            continue
        trace = _trace(one, show_x, show_y)
        trace.showlegend = bool(trace.name) and trace.name not in named and not isinstance(one, Area)
        if trace.showlegend:
            named.add(trace.name)
        traces.append(trace)
    axes = {
        key: {
            "title": {"text": axis.label, "font": FONT}, "tickfont": FONT, "automargin": True, "tickangle": 0,
            "range": [axis.low, axis.high], "tickvals": [at for at, _label in axis.ticks],
            "ticktext": [label for _at, label in axis.ticks], "zeroline": False, "ticklabeloverflow": "allow",
        }
        for key, axis in (("xaxis", plot.x), ("yaxis", plot.y))
    }  # fmt: skip
    layout = {
        "height": 560 if plot.aspect == 1.0 else 500,
        "margin": {"l": 8, "r": 28, "t": 8, "b": 8},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT},
        "hoverlabel": {"font": FONT},
        "hovermode": "closest",
        "annotations": annotations,
        **axes,
    }
    return go.Figure(traces, layout)


def _trace(one: Series, show_x: Show, show_y: Show) -> go.Scatter:
    assert not isinstance(one, Label | Rule), f"no hand-out draws a {one.kind} with Plotly"
    x = flat(one.x)
    color = _color(one.color)
    if isinstance(one, Area):
        low, high = flat(one.low), flat(one.high)
        fill: dict[str, Any] = {"fillcolor": color, "opacity": one.opacity}
        if one.hatch:
            pattern = {"shape": "/", "fgcolor": color, "size": 8, "solidity": 0.1, "fgopacity": 0.5}
            fill = {"fillcolor": "rgba(0,0,0,0)", "fillpattern": pattern}
        return go.Scatter(
            x=np.concatenate([x, x[::-1]]), y=np.concatenate([high, low[::-1]]), fill="toself", mode="none",
            hoverinfo="skip", name=one.name, **fill,
        )  # fmt: skip
    y = flat(one.y)
    common: dict[str, Any] = {
        "x": x, "y": y, "name": one.name, "hovertemplate": "%{text}",
        "text": [f"{show_x(a)} → {show_y(b)}" for a, b in zip(x, y, strict=True)],
    }  # fmt: skip
    if isinstance(one, Line):
        style = {"color": color, "width": one.width, "dash": one.dash or "solid"}
        return go.Scatter(mode="lines", line=style, **common)
    points: dict[str, Any] = {"symbol": one.symbol, "color": color, "size": one.size}
    if isinstance(one, Points) and one.low is not None and one.high is not None:
        up, down = flat(one.high) - y, y - flat(one.low)
        error = {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "color": color, "width": 0}
        return go.Scatter(mode="markers", marker=points, error_y=error, **common)
    return go.Scatter(mode="markers", marker=points | {"line": {"color": STANDING_FOR["paper"], "width": 2}}, **common)


def _color(name: str) -> str:
    """A colour, or the one that stands for a name until the page's script puts in what its style sheet says."""
    return name if name.startswith("#") else STANDING_FOR[name]


# --- SVG -------------------------------------------------------------------------------------------------------------
def make_svg(plot: Plot, id: str, alt: str, width: float = 340.0, height: float = 190.0) -> str:
    """The plot as SVG with axes; `height` is that of the plotting area, and the style sheet colours the classes."""
    left = 10.0 + max(measure(label) for _at, label in plot.y.ticks)
    x_words, y_words = wrap(plot.x.label, width - left), wrap(plot.y.label, width)
    line = TYPE * 1.3
    top, right = 6.0 + line * len(y_words), width - 2.0 - measure(plot.x.ticks[-1][1]) / 2
    bottom = top + height
    total = bottom + 18.0 + line * len(x_words)

    def to_x(value: float) -> float:
        return left + (value - plot.x.low) / (plot.x.high - plot.x.low) * (right - left)

    def to_y(value: float) -> float:
        return bottom - (value - plot.y.low) / (plot.y.high - plot.y.low) * height

    parts = [
        f'<svg viewBox="0 0 {width:g} {total:.1f}" role="img" aria-label="{escape(alt)}" font-size="{TYPE}">',
        f'<defs><clipPath id="{id}-in"><rect x="{left:.1f}" y="{top - 6:.1f}" width="{right - left + 6:.1f}" '
        f'height="{height + 12:.1f}"/></clipPath><pattern id="{id}-hatch" width="6" height="6" '
        'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" class="muted" '
        'stroke-width="1"/></pattern></defs>',
    ]
    free = -math.inf
    for at, label in plot.x.ticks:
        x, half = to_x(at), measure(label) / 2
        parts.append(f'<path class="grid" d="M{x:.1f} {top:.1f}V{bottom:.1f}"/>')
        if x - half >= free:
            free = x + half + 4.0
            parts.append(_text(x, bottom + 13.0, label, "middle"))
    for at, label in plot.y.ticks:
        parts.append(f'<path class="grid" d="M{left:.1f} {to_y(at):.1f}H{right:.1f}"/>')
        parts.append(_text(left - 5.0, to_y(at) + 3.5, label, "end"))
    parts += [_text(0.0, TYPE + line * i, words) for i, words in enumerate(y_words)]
    parts += [
        _text((left + right) / 2, bottom + 15.0 + line * (i + 1) - 2.0, words, "middle")
        for i, words in enumerate(x_words)
    ]
    for one in plot.series:
        parts.append(_shape(one, id, to_x, to_y))
    return "".join([*parts, "</svg>"])


def legend(plot: Plot) -> list[tuple[str, str]]:
    """(sample as SVG, name) for each named line of the plot, once."""
    entries = {}
    for one in plot.series:
        if isinstance(one, Line) and one.name and one.name not in entries:
            mark = _symbol(one.symbol, 12.0, 5.0, 7.0, one.color) if one.symbol else ""
            sample = f'<path d="M1 5H23" {_stroke(one)}/>{mark}'
            entries[one.name] = f'<svg viewBox="0 0 24 10" width="24" height="10" aria-hidden="true">{sample}</svg>'
    return [(sample, name) for name, sample in entries.items()]


def _shape(one: Series, id: str, to_x: Place, to_y: Place) -> str:
    assert not isinstance(one, Rule), "no hand-out draws a rule"
    x = [to_x(value) for value in flat(one.x)]
    if isinstance(one, Label):
        return _text(x[0], to_y(flat(one.y)[0]), one.text)
    inside = f'clip-path="url(#{id}-in)"'
    if isinstance(one, Area):
        low, high = ([to_y(value) for value in flat(edge)] for edge in (one.low, one.high))
        d = _path(x + x[::-1], high + low[::-1]) + "Z"
        paint = f'fill="url(#{id}-hatch)"' if one.hatch else f'fill="{one.color}" fill-opacity="{one.opacity:g}"'
        return f'<path d="{d}" {paint} {inside}/>'
    y = [to_y(value) for value in flat(one.y)]
    if isinstance(one, Line):
        return f'<path d="{_path(x, y)}" {_stroke(one)} {inside}/>'
    return "".join(_symbol(one.symbol, a, b, one.size * 0.75, one.color) for a, b in zip(x, y, strict=True))


def _stroke(one: Line) -> str:
    paint = f'stroke="{one.color}"' if one.color.startswith("#") else f'class="{one.color}"'
    dash = f' stroke-dasharray="{DASHES[one.dash]}"' if one.dash else ""
    return f'{paint} fill="none" stroke-width="{one.width * 0.75:g}"{dash}'


def _path(x: list[float], y: list[float]) -> str:
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))


def _symbol(symbol: str, x: float, y: float, size: float, color: str) -> str:
    """The shape of an auditor, `size` across."""
    r = size / 2
    paint = f'fill="{color}" class="point"'
    if symbol == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" {paint}/>'
    d = {
        "square": f"M{-r:g} {-r:g}H{r:g}V{r:g}H{-r:g}Z",
        "diamond": f"M0 {-1.25 * r:g}L{1.25 * r:g} 0L0 {1.25 * r:g}L{-1.25 * r:g} 0Z",
        "triangle-up": f"M0 {-1.2 * r:g}L{1.2 * r:g} {r:g}H{-1.2 * r:g}Z",
    }[symbol]
    return f'<path d="{d}" transform="translate({x:.1f} {y:.1f})" {paint}/>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def measure(text: str) -> float:
    """Rough width of a text in the SVG's units: nobody can ask the fonts of the machine it will be printed on."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return TYPE * (0.54 * (len(text) - wide) + 0.95 * wide)


def wrap(text: str, width: float) -> list[str]:
    """The text in lines no wider than `width`, broken between words."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and measure(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
