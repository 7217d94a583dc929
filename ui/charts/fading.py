"""Figures of the page Fading tally: numbers in, one Plotly figure out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.counters import Array
from core.deniability import get_tpr_delta_line, get_tpr_gaussian
from core.intervals import Interval
from core.traces import Trace
from ui.charts.longrun import FONT, ceiling, fade, separators
from ui.fading.names import Dot, get_look, get_name
from ui.frames import Z95
from ui.marks import MARKS
from ui.words import _, number, percent

GREY = "rgba(128,128,128,.9)"


def _layout(x_title: str, y_title: str, height: int) -> dict:
    return {
        "height": height,
        "font": FONT,
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT},
        "separators": separators(),
        "xaxis": {"title": {"text": x_title, "font": FONT}, "tickfont": FONT, "automargin": True},
        "yaxis": {
            "title": {"text": y_title, "font": FONT},
            "tickfont": FONT,
            "automargin": True,
            "rangemode": "tozero",
        },
    }


# --- one dot a rule --------------------------------------------------------------------------------------------------
def dots(found: Sequence[Dot], x_title: str, least: float = 0.0, most_first: bool = False) -> go.Figure:
    """One dot a rule with its 95% interval, the smallest on top unless `most_first`; the axis reaches to `least`."""
    ranked = sorted(found, key=lambda dot: dot.value, reverse=not most_first)
    top = ceiling(1.3 * max([least, *(dot.value + dot.margin for dot in ranked)]))
    traces = []
    for dot in ranked:
        color, symbol = get_look(dot.rule)
        name = _wrapped(get_name(dot.rule))
        traces += [
            go.Scatter(
                x=[0.0, dot.value], y=[name, name], mode="lines", line={"color": fade(color, 0.4), "width": 6},
                hoverinfo="skip", showlegend=False,
            ),
            go.Scatter(
                x=[dot.value], y=[name], mode="markers", cliponaxis=False,
                marker={"symbol": symbol, "color": color, "size": 13},
                error_x={"array": [dot.margin], "color": color, "thickness": 2, "width": 6},
                hovertemplate=f"{name}: {number(dot.value)} ± {number(dot.margin, 2)}<extra></extra>",
                showlegend=False,
            ),
            go.Scatter(
                x=[dot.value + dot.margin], y=[name], mode="text", text=[f"    {number(dot.value)}"],
                textposition="middle right", textfont={"size": 15}, cliponaxis=False, hoverinfo="skip",
                showlegend=False,
            ),
        ]  # fmt: skip
    layout = _layout(x_title, "", 64 + 40 * len(ranked))
    layout["xaxis"] |= {"range": [-0.03 * top, top], "nticks": 5, "zeroline": False}
    layout["yaxis"] |= {"ticks": "", "showgrid": False}
    return go.Figure(traces, layout)


def _wrapped(name: str, most: int = 18) -> str:
    """A long name on two lines: on a phone it would leave no room for the picture."""
    if len(name) <= most:
        return name
    spaces = [i for i, letter in enumerate(name) if letter == " "]
    if not spaces:
        return name
    at = min(spaces, key=lambda i: abs(i - len(name) / 2))
    return name[:at] + "<br>" + name[at + 1 :]


def table_of_dots(found: Sequence[Dot], value: str) -> pd.DataFrame:
    """One row a rule, full precision."""
    return pd.DataFrame(
        {
            _("auditor"): [get_name(dot.rule) for dot in found],
            value: [dot.value for dot in found],
            _("standard error"): [dot.margin / Z95 for dot in found],
        }
    )


# --- the story -------------------------------------------------------------------------------------------------------
def errors(found: Mapping[str, Array]) -> go.Figure:
    """How far off the tally is about an organisation, by steps since its audit."""
    traces = []
    for rule, values in found.items():
        color, symbol = get_look(rule)
        traces.append(
            go.Scatter(
                x=np.arange(1, len(values) + 1), y=values, name=get_name(rule), mode="lines+markers",
                line={"color": color, "width": 2.5}, marker={"symbol": symbol, "size": 9, "maxdisplayed": 8},
                hovertemplate="%{y:.3~g}",
            )
        )  # fmt: skip
    layout = _layout(_("steps since its last audit"), _("typical error, in reports"), 340)
    layout["hovermode"] = "x unified"
    top = ceiling(1.05 * max(float(np.nanmax(values, initial=0.0)) for values in found.values()))
    layout["yaxis"] |= {"range": [0, top]}
    return go.Figure(traces, layout)


def table_of_errors(found: Mapping[str, Array]) -> pd.DataFrame:
    """Error by age, a column for each tally."""
    steps = {_("steps since its last audit"): np.arange(1, len(next(iter(found.values()))) + 1)}
    return pd.DataFrame(steps | {get_name(rule): values for rule, values in found.items()})


def reading(trace: Trace, target: int, first: int, last: int) -> go.Figure:
    """What a filter reads: above what is released about one organisation, below what it makes of it.

    Steps `first` .. `last`, from 1, of the first run.
    """
    at = slice(first - 1, last)
    steps = np.arange(first, last + 1)
    released, active = trace.released[0, at, target], trace.active[0, at, target]
    estimate = trace.estimate[0, at, target]
    doubt = np.zeros_like(estimate) if trace.doubt is None else trace.doubt[0, at, target]
    audited = np.flatnonzero(trace.audits[0, at] == target)
    color = MARKS["fading"].color
    figure = make_subplots(2, 1, shared_xaxes=True, row_heights=[0.38, 0.62], vertical_spacing=0.07)
    dot = {"color": GREY, "size": 5}
    figure.add_trace(
        go.Scatter(x=steps, y=released, mode="markers", marker=dot, name=_("released"), hovertemplate="%{y:.3~g}"), 1, 1
    )
    band = np.concatenate([estimate + doubt, np.maximum(estimate - doubt, 0.0)[::-1]])
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([steps, steps[::-1]]), y=band, fill="toself", mode="none",
            fillcolor=fade(color, 0.2), name=_("give or take one standard deviation"), hoverinfo="skip",
        ), 2, 1,
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=steps, y=estimate, mode="lines", line={"color": color, "width": 2.5}, name=_("estimate"),
            hovertemplate="%{y:.3~g}",
        ), 2, 1,
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=steps, y=active, mode="lines", line={"color": GREY, "width": 2, "shape": "hv"},
            name=_("true open reports"), hovertemplate="%{y}",
        ), 2, 1,
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=steps[audited], y=active[audited], mode="markers", name=_("audited"),
            marker={"symbol": "star", "size": 13, "color": color, "line": {"color": "white", "width": 1}},
            hovertemplate="%{y}",
        ), 2, 1,
    )  # fmt: skip
    layout = _layout("", "", 460)
    layout |= {"xaxis": {"range": [first - 1, last + 1]}, "hovermode": "x unified"}
    layout["yaxis"] = {"title": {"text": _("released"), "font": FONT}, "range": _range(trace.released[0, :, target])}
    top = ceiling(1.05 * max(float(trace.active[0, :, target].max()), float((estimate + doubt).max())))
    layout["yaxis2"] = {"title": {"text": _("open reports"), "font": FONT}, "range": [0, top]}
    layout["xaxis2"] = {"title": {"text": _("audit number"), "font": FONT}, "range": [first - 1, last + 1]}
    return figure.update_layout(layout)


def _range(values: Array) -> list[float]:
    room = 0.05 * max(1.0, float(np.ptp(values)))
    return [float(values.min()) - room, float(values.max()) + room]


def table_of_reading(trace: Trace, target: int) -> pd.DataFrame:
    """Every step of the first run about one organisation."""
    columns: dict[str, object] = {
        "step": np.arange(1, trace.audits.shape[1] + 1),
        _("released"): trace.released[0, :, target],
        _("estimate"): trace.estimate[0, :, target],
        "open_reports": trace.active[0, :, target],
        "audited": trace.audits[0] == target,
    }
    if trace.doubt is not None:
        columns[_("standard deviation")] = trace.doubt[0, :, target]
    return pd.DataFrame(columns)


def traces_of_a_report(columns: Mapping[str, Array]) -> go.Figure:
    """What one report does to what is released, in standard deviations of the noise."""
    figures = []
    for rule, values in columns.items():
        color, symbol = get_look(rule)
        figures.append(
            go.Scatter(
                x=np.arange(len(values)), y=values, name=get_name(rule), mode="lines+markers", fill="tozeroy",
                fillcolor=fade(color, 0.12), line={"color": color, "width": 2.5},
                marker={"symbol": symbol, "size": 9, "maxdisplayed": 8}, hovertemplate="%{y:.3~g}",
            )
        )  # fmt: skip
    layout = _layout(_("steps after the report"), _("shift, in standard deviations of the noise"), 340)
    layout["hovermode"] = "x unified"
    return go.Figure(figures, layout)


def table_of_a_report(columns: Mapping[str, Array]) -> pd.DataFrame:
    """The same, a column for each tally."""
    steps = {_("steps after the report"): np.arange(max(len(values) for values in columns.values()))}
    return pd.DataFrame(steps | {get_name(rule): values for rule, values in columns.items()})


# --- deadlines -------------------------------------------------------------------------------------------------------
def sweep(found: Sequence[Interval], chosen: int, horizon: int) -> go.Figure:
    """Missed reports against the longest time between two audits; the last point has no such duty."""
    kept = [one for one in found if one.interval is not None]
    free = [one for one in found if one.interval is None]
    traces = []
    for rule, part in (("tca-interval", kept), ("tca", free)):
        color, symbol = get_look(rule)
        traces.append(
            go.Scatter(
                x=[one.interval or horizon for one in part], y=[one.mean_deficit for one in part],
                error_y={"array": [Z95 * one.error for one in part], "thickness": 1.5, "width": 4},
                name=get_name(rule), mode="lines+markers", line={"color": color, "width": 2},
                marker={"symbol": symbol, "size": 11, "color": color}, hovertemplate="%{y:.3~g}",
            )
        )  # fmt: skip
    layout = _layout(_("longest time between two audits (W), in steps"), _("missed reports a step"), 340)
    layout["xaxis"] |= _log_axis([one.interval or horizon for one in found])
    layout["yaxis"] |= {"range": [0, ceiling(1.1 * max(one.mean_deficit + Z95 * one.error for one in found))]}
    layout["shapes"] = [_line(x0=chosen, x1=chosen, yref="paper", y0=0, y1=1)]
    return go.Figure(traces, layout)


def waits(found: Sequence[Interval], horizon: int) -> go.Figure:
    """The longest time seen between two audits against the longest that is allowed."""
    traces = []
    for rule in ("tca-interval", "tca"):
        part = [one for one in found if (one.interval is None) == (rule == "tca")]
        color, symbol = get_look(rule)
        traces.append(
            go.Scatter(
                x=[one.interval or horizon for one in part], y=[one.longest for one in part], name=get_name(rule),
                mode="markers", marker={"symbol": symbol, "size": 12, "color": color}, hovertemplate="%{y}",
            )
        )  # fmt: skip
    ends = [min(one.interval or horizon for one in found), max(one.interval or horizon for one in found)]
    line = {"dash": "dot", "color": GREY, "width": 2}
    traces.append(go.Scatter(x=ends, y=ends, mode="lines", line=line, name=_("allowed"), hoverinfo="skip"))
    layout = _layout(_("longest time allowed (W), in steps"), _("longest time seen, in steps"), 340)
    layout["xaxis"] |= _log_axis([one.interval or horizon for one in found])
    layout["yaxis"] |= _log_axis(sorted({one.longest for one in found} | set(ends)))
    return go.Figure(traces, layout)


def _log_axis(values: Sequence[int]) -> dict:
    low, high = max(1, min(values)), max(values)
    marks = [m * 10**e for e in range(6) for m in (1, 2, 5) if low / 1.5 <= m * 10**e <= high * 1.5] or [low]
    around = [float(np.log10(low / 1.15)), float(np.log10(high * 1.15))]
    return {"type": "log", "tickvals": marks, "ticktext": [number(m) for m in marks], "range": around}


def _line(**where: object) -> dict:
    return {"type": "line", "line": {"dash": "dot", "width": 2, "color": GREY}, **where}


def table_of_sweep(found: Sequence[Interval]) -> pd.DataFrame:
    """One row an interval, full precision."""
    return pd.DataFrame(
        {
            _("longest time allowed (W), in steps"): [one.interval for one in found],
            _("missed reports a step"): [one.mean_deficit for one in found],
            _("standard error"): [one.error for one in found],
            _("longest time seen, in steps"): [one.longest for one in found],
            _("noise on a count after one round"): [one.count_sd for one in found],
        }
    )


# --- several audits, outright ----------------------------------------------------------------------------------------
def several(numbers: Sequence[int], found: Mapping[str, Sequence[Dot]]) -> go.Figure:
    """Missed reports against the audits a step, a line for each rule."""
    traces = []
    for rule, part in found.items():
        color, symbol = get_look(rule)
        traces.append(
            go.Scatter(
                x=list(numbers), y=[dot.value for dot in part], name=get_name(rule), mode="lines+markers",
                error_y={"array": [dot.margin for dot in part], "thickness": 1.5, "width": 4},
                line={"color": color, "width": 2}, marker={"symbol": symbol, "size": 11}, hovertemplate="%{y:.3~g}",
            )
        )  # fmt: skip
    layout = _layout(_("audits a step"), _("missed reports a step"), 340)
    layout["xaxis"] |= {"tickvals": list(numbers)}
    top = ceiling(1.1 * max(dot.value + dot.margin for part in found.values() for dot in part))
    layout["yaxis"] |= {"range": [0, top]}
    return go.Figure(traces, layout)


def table_of_several(numbers: Sequence[int], found: Mapping[str, Sequence[Dot]]) -> pd.DataFrame:
    """The same as columns."""
    columns: dict[str, object] = {_("audits a step"): list(numbers)}
    for rule, part in found.items():
        columns[get_name(rule)] = [dot.value for dot in part]
        columns[_("standard error of: {name}").format(name=get_name(rule))] = [dot.margin / Z95 for dot in part]
    return pd.DataFrame(columns)


FPR = np.concatenate([[0.0], np.geomspace(1e-4, 0.2, 200)])
"""False alarms drawn: those of an organisation that wants few."""


def detections(delta: float, mu: float) -> go.Figure:
    """What an organisation finds at few false alarms: publishing outright against Gaussian noise."""
    traces = []
    curves = {"outright": delta + (1.0 - delta) * FPR, "fading": get_tpr_gaussian(FPR, mu)}
    for rule, values in curves.items():
        color, symbol = get_look(rule)
        traces.append(
            go.Scatter(
                x=FPR, y=values, name=get_name(rule), mode="lines+markers", line={"color": color, "width": 2.5},
                marker={"symbol": symbol, "size": 9, "maxdisplayed": 6}, hovertemplate="%{y:.3~%}",
            )
        )  # fmt: skip
    line = {"dash": "dot", "color": GREY, "width": 2}
    limit = get_tpr_delta_line(FPR, delta)
    traces.append(go.Scatter(x=FPR, y=limit, mode="lines", line=line, name=_("limit by delta"), hoverinfo="skip"))
    layout = _layout(_("false alarms"), _("reporters found"), 340)
    layout["hovermode"] = "x unified"
    ticks = [0.0, 0.05, 0.1, 0.15, 0.2]
    layout["xaxis"] |= {"tickvals": ticks, "ticktext": [percent(tick) for tick in ticks], "range": [-0.005, 0.2]}
    layout["yaxis"] |= {"tickformat": ".0%", "range": [0, min(1.02, ceiling(float(limit.max()) * 1.05))]}
    return go.Figure(traces, layout)


def table_of_detections(delta: float, mu: float) -> pd.DataFrame:
    """Detections by false alarms."""
    return pd.DataFrame(
        {
            "false_alarm": FPR,
            get_name("outright"): delta + (1.0 - delta) * FPR,
            get_name("fading"): get_tpr_gaussian(FPR, mu),
            "detection_delta_line": get_tpr_delta_line(FPR, delta),
        }
    )
