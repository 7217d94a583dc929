"""Figures of the page Statements: numbers in, one Plotly figure out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.certificates import (
    Certificates,
    NoisyCounts,
    get_emit_rate,
    get_frontier,
    get_gaussian_emit_rate,
    get_needed_reports,
)
from core.counters import Array
from ui.charts.longrun import FONT, ceiling, separators
from ui.frames import Z95
from ui.marks import MARKS
from ui.statements.work import Curse, Rates
from ui.words import _, number, percent

GREY = "rgba(128,128,128,.9)"
BLUE, ORANGE, TEAL = MARKS["tca"].color, MARKS["greedy"].color, "#12858f"
LEVEL_LOOKS = {"raw": ("circle", BLUE), "step": ("square", TEAL), "record": ("diamond", "#9467c8")}


def _layout(height: int, x_title: str, y_title: str) -> dict:
    return {
        "height": height, "font": FONT, "margin": {"l": 8, "r": 16, "t": 8, "b": 8}, "separators": separators(),
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT},
        "xaxis": {"title": {"text": x_title, "font": FONT}, "tickfont": FONT, "automargin": True},
        "yaxis": {"title": {"text": y_title, "font": FONT}, "tickfont": FONT, "automargin": True},
    }  # fmt: skip


# --- one record ------------------------------------------------------------------------------------------------------
def timeline(
    audits: NDArray[np.intp], record: NoisyCounts, certified: Certificates, first: int, last: int
) -> go.Figure:
    """Steps `first` .. `last` (from 1): open reports of the audited organisation, and the number certified for it.

    The axis of counts holds for the whole record.
    """
    at = slice(first - 1, last)
    steps = np.arange(first, last + 1)
    active, told = certified.active[at], certified.certified[at]
    false, emitted = certified.false[at], certified.emitted[at]
    top = ceiling(1.05 * max(4.0, float(record.active.max()), float(certified.certified.max())))
    label = np.array([
        _("Audit {step}: organisation no. {target}, open reports {active}, stated {told}").format(
            step=number(int(step)), target=number(int(target) + 1), active=number(int(n)),
            told=number(int(c)) if c else _("nothing"),
        )
        for step, target, n, c in zip(steps, audits[at], active, told, strict=True)
    ])  # fmt: skip
    hover = {"hovertemplate": "%{text}<extra></extra>"}
    stems = np.stack([np.where(emitted, told, np.nan), np.where(emitted, active, np.nan)], axis=1)
    stems = np.concatenate([stems, np.full((len(steps), 1), np.nan)], axis=1).ravel()
    abstained = np.full(len(steps), -0.06 * top)
    traces = [
        go.Scatter(
            x=np.repeat(steps, 3), y=stems, mode="lines", line={"color": GREY, "width": 1}, hoverinfo="skip",
            showlegend=False,
        ),
        go.Scatter(
            x=steps, y=active, mode="markers", name=_("open reports"), text=label, **hover,
            marker={"symbol": "line-ew-open", "size": 9, "color": GREY, "line": {"width": 2}},
        ),
        go.Scatter(
            x=steps[emitted & ~false], y=told[emitted & ~false], mode="markers", name=_("stated, true"),
            text=label[emitted & ~false], marker={"symbol": "triangle-up", "size": 12, "color": BLUE}, **hover,
        ),
        go.Scatter(
            x=steps[false], y=told[false], mode="markers", name=_("stated, false"), text=label[false],
            marker={"symbol": "x", "size": 11, "color": ORANGE}, **hover,
        ),
        go.Scatter(
            x=steps[~emitted], y=abstained[~emitted], mode="markers", name=_("nothing stated"), text=label[~emitted],
            marker={"symbol": "circle-open", "size": 6, "color": GREY}, **hover,
        ),
    ]  # fmt: skip
    layout = _layout(400, _("audits, in order"), _("reports"))
    layout["xaxis"] |= {"range": [first - 1, last + 1]}
    layout["yaxis"] |= {"range": [-0.12 * top, top]}
    return go.Figure(traces, layout)


def table_of_record(audits: NDArray[np.intp], record: NoisyCounts, certified: Certificates) -> pd.DataFrame:
    """One row an audit of the record; organisation 1 is the terminal's target 0."""
    return pd.DataFrame(
        {
            "step": np.arange(1, len(audits) + 1),
            "organisation": audits + 1,
            "open_reports": record.active,
            "noisy_count": record.noisy,
            _("steps since its last audit"): record.run_length,
            _("at least so many stated"): certified.certified,
            _("stated, false"): certified.false,
        }
    )


# --- what is possible ------------------------------------------------------------------------------------------------
def _distances(delta: float, beta: float) -> Array:
    """k up to where the frontier has reached 1, at most some hundreds of points."""
    most = int(np.ceil(1.25 * (1.0 - beta) / delta)) + 1
    return np.unique(np.linspace(0, most, min(most + 1, 200)).round())


def frontier(delta: float, beta: float, count_sd: float) -> go.Figure:
    """Chance to state, by k = open reports beyond what would make the statement false."""
    k = _distances(delta, beta)
    curves = (
        (_("the most possible: uniform noise"), get_frontier(k, delta, beta), "square", TEAL, "solid"),
        (_("one count, Gaussian noise"), get_gaussian_emit_rate(k, delta, beta), "diamond", "#9467c8", "dash"),
        (_("the noisy tally, just after an audit"), get_emit_rate(k, 1, beta, count_sd), "circle", BLUE, "solid"),
    )
    traces = [
        go.Scatter(
            x=k, y=y, name=name, mode="lines+markers", line={"color": color, "width": 2.5, "dash": dash},
            marker={"symbol": symbol, "size": 8, "maxdisplayed": 8, "color": color}, hovertemplate="%{y:.3~%}",
        )
        for name, y, symbol, color, dash in curves
    ]  # fmt: skip
    layout = _layout(360, _("k: reports above what would make it false"), _("chance that it is stated"))
    layout["hovermode"] = "x unified"
    layout["xaxis"] |= {"range": [0, float(k[-1])]}
    layout["yaxis"] |= {"range": [0, 1.02], "tickformat": ".0%"}
    return go.Figure(traces, layout)


def table_of_frontier(delta: float, beta: float, count_sd: float) -> pd.DataFrame:
    """The curves of the picture."""
    k = _distances(delta, beta)
    return pd.DataFrame(
        {
            "k": k,
            _("the most possible: uniform noise"): get_frontier(k, delta, beta),
            _("one count, Gaussian noise"): get_gaussian_emit_rate(k, delta, beta),
            _("the noisy tally, just after an audit"): get_emit_rate(k, 1, beta, count_sd),
        }
    )


# --- the winner's curse ----------------------------------------------------------------------------------------------
def curse(rates: Mapping[str, Rates], exact: Curse, beta: float) -> go.Figure:
    """Share of audits, and of whole records, with a false statement; one row for each way to choose."""
    rows = list(rates.values())[::-1]
    names = [_broken(row.name) for row in rows]
    traces = []
    for name, symbol, color, triples in (
        (_("of all audits"), "circle", BLUE, [_interval(*row.any_false) for row in rows]),
        (_("of whole records"), "square-open", ORANGE, [(r.ever.share, r.ever.low, r.ever.high) for r in rows]),
    ):
        share, low, high = np.array(triples).T
        traces.append(
            go.Scatter(
                x=share, y=names, mode="markers", name=name, cliponaxis=False,
                marker={"symbol": symbol, "size": 12, "color": color},
                error_x={
                    "array": high - share, "arrayminus": share - low, "color": color, "thickness": 2, "width": 5,
                    "symmetric": False,
                },
                hovertemplate="%{y}: %{x:.3~%}<extra>" + name + "</extra>",
            )
        )  # fmt: skip
    traces.append(
        go.Scatter(
            x=[exact.exact], y=[_broken(rates["raw"].name)], mode="markers", name="1 − (1 − beta)^C", cliponaxis=False,
            marker={"symbol": "diamond-tall-open", "size": 14, "color": GREY, "line": {"width": 2}},
            hovertemplate="%{x:.3~%}<extra>1 − (1 − beta)^C</extra>",
        )
    )  # fmt: skip
    traces.append(
        go.Scatter(
            x=[beta, beta], y=[names[0], names[-1]], mode="lines", line={"dash": "dot", "color": GREY, "width": 2},
            name=_("beta = {beta}").format(beta=percent(beta)), hoverinfo="skip",
        )
    )  # fmt: skip
    layout = _layout(380, _("share with a false statement"), "")
    layout["xaxis"] |= {"range": [-0.02, 1.02], "tickformat": ".0%"}
    layout["yaxis"] |= {"categoryorder": "array", "categoryarray": names}
    return go.Figure(traces, layout)


def _interval(share: float, se: float) -> tuple[float, float, float]:
    return share, share - Z95 * se, share + Z95 * se


def _broken(name: str) -> str:
    """A row's name on two lines, broken at its first comma, so that a phone keeps room for the picture."""
    head, comma, rest = name.partition(", ")
    return f"{head}{comma.strip()}<br>{rest}" if rest else head


def table_of_rates(rates: Mapping[str, Rates]) -> pd.DataFrame:
    """One row for each way to choose, full precision."""
    rows = list(rates.values())
    columns: dict[str, Sequence] = {_("what is stated, at which level"): [row.name for row in rows]}
    for field, name in (
        ("emitted", _("stated")), ("false", _("stated, false")), ("any_false", _("any false statement")),
        ("ever", _("records with any false statement")),
    ):  # fmt: skip
        columns[name] = [getattr(row, field)[0] for row in rows]
        columns[_("{name}: standard error").format(name=name)] = [getattr(row, field)[1] for row in rows]
    columns[_("records with any false statement")] = [row.ever.share for row in rows]
    columns[_("false among what is stated")] = [row.of_emitted for row in rows]
    return pd.DataFrame(columns)


# --- what it takes ---------------------------------------------------------------------------------------------------
def needed(levels: Mapping[str, tuple[str, float]], tau: int, sds: Array) -> go.Figure:
    """Open reports for an even chance, by steps since the last audit; `sds` is the noise at 1, 2, .. steps."""
    lengths, values = _needed(levels, tau, sds)
    traces = []
    for level, (name, _beta) in levels.items():
        symbol, color = LEVEL_LOOKS[level]
        traces.append(
            go.Scatter(
                x=lengths, y=values[level], name=name, mode="lines+markers", line={"color": color, "width": 2.5},
                marker={"symbol": symbol, "size": 9, "maxdisplayed": 6}, hovertemplate="%{y:.3~g}",
            )
        )  # fmt: skip
    layout = _layout(360, _("steps since its last audit"), _("open reports needed"))
    layout["hovermode"] = "x unified"
    if len(lengths) > 1:
        layout["xaxis"] |= {"type": "log", "dtick": 1}
    layout["yaxis"] |= {"range": [0, ceiling(1.05 * max(float(v.max()) for v in values.values()))]}
    return go.Figure(traces, layout)


def _needed(levels: Mapping[str, tuple[str, float]], tau: int, sds: Array) -> tuple[Array, dict[str, Array]]:
    lengths = np.unique(np.geomspace(1, len(sds), 40).round().astype(int))
    values = {
        level: np.array([get_needed_reports(tau, beta, float(sds[length - 1])) for length in lengths])
        for level, (_name, beta) in levels.items()
    }
    return lengths, values


def table_of_needed(levels: Mapping[str, tuple[str, float]], tau: int, sds: Array) -> pd.DataFrame:
    """The curves of the picture."""
    lengths, values = _needed(levels, tau, sds)
    return pd.DataFrame(
        {_("steps since its last audit"): lengths} | {name: values[level] for level, (name, _beta) in levels.items()}
    )
