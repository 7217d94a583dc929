"""Figures of the page Long run: arrays in, one Plotly figure out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ui.frames import Z95, Course, Sweep
from ui.marks import MARKS, full, plain
from ui.words import _, number, percent

LARGEST_POINTS = 1000
"""More steps than this are thinned: a screen has no pixels for them and a phone no patience."""
SMOOTH_POINTS = 250
"""Sums are smooth: fewer points draw the same curve."""
FONT = {"size": 14}


def drawn(length: int, most: int = LARGEST_POINTS) -> np.ndarray:
    """Indices of the steps to draw: all where they fit, else evenly spaced with the first and the last."""
    return np.unique(np.linspace(0, length - 1, min(length, most)).round().astype(np.int16))


def fade(color: str, alpha: float) -> str:
    """`#rrggbb` as a see-through colour."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha})"


def ceiling(value: float) -> float:
    """The next round number, so that an axis stays put while a slider moves."""
    if not value > 0:
        return 1.0
    scale = 10.0 ** math.floor(math.log10(value))
    return next(step * scale for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15) if step * scale >= value)


def separators() -> str:
    """Decimal and thousands marks as Plotly wants them."""
    return number(1.5)[1] + number(1234567)[1]


def _shape(x_title: str, y_title: str, height: int, **more: object) -> dict:
    return {
        "height": height,
        "font": FONT,
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "hovermode": "x unified",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT},
        "separators": separators(),
        "xaxis": {"title": {"text": x_title, "font": FONT}, "tickfont": FONT, "automargin": True},
        "yaxis": {"title": {"text": y_title, "font": FONT}, "tickfont": FONT, "automargin": True},
        **more,
    }


def _line(course: Course, steps: np.ndarray, values: np.ndarray) -> go.Scatter:
    mark = MARKS[course.mechanism]
    return go.Scatter(
        x=steps,
        y=values.astype(np.float32),
        name=plain(course.mechanism),
        legendgroup=course.mechanism,
        mode="lines+markers",
        line={"color": mark.color, "width": 2},
        # A shape every now and then, so that colour is never the only difference.
        marker={"symbol": mark.symbol, "size": 9, "color": mark.color, "maxdisplayed": 9},
        hovertemplate="%{y:.3~g}",
    )


def _band(course: Course, steps: np.ndarray, low: np.ndarray, high: np.ndarray) -> go.Scatter:
    return go.Scatter(
        x=np.concatenate([steps, steps[::-1]]),
        y=np.concatenate([high, low[::-1]]).astype(np.float32),
        fill="toself",
        fillcolor=fade(MARKS[course.mechanism].color, 0.14),
        mode="none",
        legendgroup=course.mechanism,
        showlegend=False,
        hoverinfo="skip",
    )


def over_time(courses: Sequence[Course], shown: tuple[int, int] | None = None) -> go.Figure:
    """Missed reports at each audit: mean over the runs, and the middle 80% of the runs as a band.

    `shown` is the first and the last audit drawn, all of them where it is missing; the scale up stays the same.
    """
    first, last = shown or (1, len(courses[0].mean))
    at = first - 1 + drawn(last - first + 1)
    bands = [_band(c, at + 1, c.low[at], c.high[at]) for c in courses if c.high.any()]
    lines = [_line(c, at + 1, c.mean[at]) for c in courses]
    top = ceiling(1.02 * max(float(c.high.max()) for c in courses))
    layout = _shape(_("audit number"), _("missed reports"), 400)
    layout["xaxis"] |= {"range": [first - 1, max(last, first + 1)]}
    layout["yaxis"] |= {"range": [0, top]}
    return go.Figure(bands + lines, layout)


def cumulative(courses: Sequence[Course]) -> go.Figure:
    """Missed reports summed up to each audit: mean over the runs, and the middle 80% of the runs as a band."""
    at = drawn(len(courses[0].mean), SMOOTH_POINTS)
    bands = [_band(c, at + 1, c.total_low[at], c.total_high[at]) for c in courses if c.total.any()]
    lines = [_line(c, at + 1, c.total[at]) for c in courses]
    top = ceiling(1.02 * max(float(c.total_high[-1]) for c in courses))
    layout = _shape(_("audit number"), _("missed reports so far"), 340)
    layout["xaxis"] |= {"range": [0, max(len(courses[0].mean), 2)]}
    layout["yaxis"] |= {"range": [0, top], "tickformat": ","}
    return go.Figure(bands + lines, layout)


def means(courses: Sequence[Course]) -> go.Figure:
    """One dot a mechanism: missed reports a step with its 95% interval, fewest on top."""
    ranked = sorted(courses, key=lambda c: c.mean_deficit, reverse=True)
    top = ceiling(1.25 * max(c.mean_deficit for c in ranked))
    traces = []
    for course in ranked:
        mark, name, margin = MARKS[course.mechanism], plain(course.mechanism), Z95 * course.mean_deficit_se
        traces += [
            go.Scatter(
                x=[0.0, course.mean_deficit],
                y=[name, name],
                mode="lines",
                line={"color": fade(mark.color, 0.4), "width": 6},
                hoverinfo="skip",
                showlegend=False,
            ),
            go.Scatter(
                x=[course.mean_deficit],
                y=[name],
                mode="markers+text",
                text=[f"   {number(course.mean_deficit)}"],
                textposition="middle right",
                textfont={"size": 16},
                cliponaxis=False,
                marker={"symbol": mark.symbol, "color": mark.color, "size": 14},
                error_x={"array": [margin], "color": mark.color, "thickness": 2, "width": 7},
                hovertemplate=f"{name}: {number(course.mean_deficit)} ± {number(margin, 2)}<extra></extra>",
                showlegend=False,
            ),
        ]
    layout = _shape(_("missed reports a step"), "", 60 + 38 * len(ranked), hovermode="closest")
    layout["xaxis"] |= {"range": [-0.03 * top, top], "nticks": 5, "zeroline": False}
    layout["yaxis"] |= {"ticks": "", "showgrid": False, "fixedrange": True}
    return go.Figure(traces, layout)


def sweep(result: Sweep, x_title: str, current: float) -> go.Figure:
    """How many more reports a step the noisy tally misses than each mechanism that leaks nothing."""
    traces = [
        go.Scatter(
            x=result.values,
            y=result.difference[other],
            error_y={"array": Z95 * result.difference_se[other], "thickness": 1.5, "width": 4},
            name=_("compared with: {name}").format(name=plain(other)),
            mode="lines+markers",
            line={"color": MARKS[other].color, "width": 2},
            marker={"symbol": MARKS[other].symbol, "size": 10, "color": MARKS[other].color},
            hovertemplate="%{y:+.3~g}",
        )
        for other in result.difference
    ]
    layout = _shape(x_title, _("difference, missed reports a step"), 340)
    layout["xaxis"] |= {"type": "log", "tickvals": list(result.values), "ticktext": [number(v) for v in result.values]}
    layout["yaxis"] |= {"zeroline": True, "zerolinewidth": 2, "zerolinecolor": "rgba(128,128,128,.9)"}
    note = {"xref": "paper", "yref": "paper", "showarrow": False, "font": FONT}
    layout["annotations"] = [
        note | {"text": _("up here it misses more"), "x": 1, "y": 1, "xanchor": "right", "yanchor": "top"},
        note | {"text": _("down here it misses fewer"), "x": 0, "y": 0, "xanchor": "left", "yanchor": "bottom"},
    ]
    layout["shapes"] = [
        {"type": "line", "x0": current, "x1": current, "yref": "paper", "y0": 0, "y1": 1,
         "line": {"dash": "dot", "width": 2, "color": "rgba(128,128,128,.9)"}},
    ]  # fmt: skip
    return go.Figure(traces, layout)


def table_by_step(courses: Sequence[Course]) -> pd.DataFrame:
    """Missed reports by step: mean, its standard error and the band of each mechanism."""
    columns: dict[str, object] = {_("audit number"): np.arange(1, len(courses[0].mean) + 1)}
    for course in courses:
        name = plain(course.mechanism)
        columns |= {
            _("{name}: mean").format(name=name): course.mean,
            _("{name}: standard error").format(name=name): course.se,
            _("{name}: 10% of runs below").format(name=name): course.low,
            _("{name}: 90% of runs below").format(name=name): course.high,
        }
    return pd.DataFrame(columns)


def table_of_totals(courses: Sequence[Course]) -> pd.DataFrame:
    """Missed reports summed up to each step: mean and band of each mechanism."""
    columns: dict[str, object] = {_("audit number"): np.arange(1, len(courses[0].mean) + 1)}
    for course in courses:
        name = plain(course.mechanism)
        columns |= {
            _("{name}: mean").format(name=name): course.total,
            _("{name}: 10% of runs below").format(name=name): course.total_low,
            _("{name}: 90% of runs below").format(name=name): course.total_high,
        }
    return pd.DataFrame(columns)


def table_of_means(courses: Sequence[Course]) -> pd.DataFrame:
    """One row a mechanism, full precision."""
    return pd.DataFrame(
        {
            _("auditor"): [plain(c.mechanism) for c in courses],
            _("missed reports a step"): [c.mean_deficit for c in courses],
            _("standard error"): [c.mean_deficit_se for c in courses],
            _("missed in the last tenth"): [c.late for c in courses],
            _("most missed in one step"): [c.largest for c in courses],
            _("audits not at a most-reported organisation"): [c.misselection for c in courses],
            _("standard error of that share"): [c.misselection_se for c in courses],
        }
    )


def table_of_sweep(result: Sweep, label: str) -> pd.DataFrame:
    """The small map: difference and standard error against each rival."""
    columns: dict[str, object] = {label: result.values}
    for rival in result.difference:
        columns |= {
            _("noisy tally minus: {name}").format(name=plain(rival)): result.difference[rival],
            _("standard error of minus: {name}").format(name=plain(rival)): result.difference_se[rival],
        }
    return pd.DataFrame(columns)


def markdown_of_means(courses: Sequence[Course]) -> str:
    """Missed reports of all mechanisms as a table for the page; narrow enough for a phone."""
    head = [_("Auditor"), _("Missed reports a step"), _("In the last tenth"), _("Most in one step")]
    rows = [
        [
            f"{MARKS[c.mechanism].glyph} {full(c.mechanism)}",
            f"{number(c.mean_deficit)} ± {number(Z95 * c.mean_deficit_se, 2)}",
            number(c.late),
            number(c.largest),
        ]
        for c in courses
    ]
    return _markdown(head, rows)


def markdown_of_misses(courses: Sequence[Course], leaks: dict[str, str]) -> str:
    """How often each mechanism goes elsewhere, and what that buys; `leaks` says what one report can change."""
    head = [_("Auditor"), _("Audits not at a most-reported organisation"), _("Leak (delta)")]
    rows = [
        [
            f"{MARKS[c.mechanism].glyph} {full(c.mechanism)}",
            f"{percent(c.misselection)} ± {percent(Z95 * c.misselection_se, 2)}",
            leaks[c.mechanism],
        ]
        for c in courses
    ]
    return _markdown(head, rows)


def _markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
