"""Figures and tables of the page Privacy audit: audits in, one Plotly figure out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.audit import Audit, Claim
from core.counters import Array
from core.deniability import get_tpr_delta_line, get_tpr_gaussian
from core.gdp import ROUTES
from ui.audit.names import Look
from ui.charts.longrun import FONT, ceiling, fade, separators
from ui.words import N_, _, number, percent

GREY, BLUE, RED = "#75808c", "#2f83c5", "#d1570f"
GRID = (1.0 - np.cos(np.linspace(0.0, np.pi, 161))) / 2.0
HIGHEST = 40.0
"""A mu above this draws as if it were infinite."""
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
ROUTE_NAMES = {"zcdp": N_("by tight zCDP"), "dual": N_("exact for Gaussian noise"), "simple": N_("by simple zCDP")}
assert set(ROUTE_NAMES) == set(ROUTES)
_ROUTE_LOOKS = {"dual": ("dash", "triangle-up"), "zcdp": ("solid", "circle"), "simple": ("dot", "square")}


@dataclass(frozen=True)
class Drawn:
    """One audit in a picture; `curve`: FPR and TPR of all thresholds, where they are known."""

    name: str
    look: Look
    audit: Audit
    curve: tuple[Array, Array] | None = None


def get_gaussian(mu: float) -> Array:
    """TPR of a mu-Gaussian promise on `GRID`; mu may be infinite."""
    return get_tpr_gaussian(GRID, min(mu, HIGHEST))


def _line(y: Array, name: str, color: str, dash: str, width: float = 2.0) -> go.Scatter:
    return go.Scatter(
        x=GRID, y=y, mode="lines", name=name, hoverinfo="skip", line={"color": color, "dash": dash, "width": width}
    )


def get_promises(claim: Claim) -> list[go.Scatter]:
    """What is promised: curve and line."""
    lines = []
    if claim.delta is not None:
        lines.append(_line(get_tpr_delta_line(GRID, claim.delta), _("promised: delta line"), GREY, "dash"))
    if claim.mu is not None:
        lines.append(_line(get_gaussian(claim.mu), _("promised: Gaussian curve"), BLUE, "solid", 2.5))
    return lines


def _region(one: Drawn, filled: bool) -> go.Scatter:
    fpr, fnr = one.audit.upper_rates
    return go.Scatter(
        x=[0, fpr, fpr, 0, 0], y=[1, 1, 1 - fnr, 1 - fnr, 1], mode="lines",
        fill="toself" if filled else "none", hoverinfo="skip",
        name=_("where the true rates may lie"), legendgroup="region", line={"color": one.look.color, "width": 1.5},
        fillcolor=fade(one.look.color, 0.12),
    )  # fmt: skip


def _point(one: Drawn) -> go.Scatter:
    return go.Scatter(
        x=[one.audit.fpr], y=[one.audit.tpr], mode="markers", name=one.name, cliponaxis=False,
        marker={"symbol": one.look.symbol, "size": 13, "color": one.look.color, "line": {"width": 1, "color": "white"}},
        hovertemplate=f"{one.name}: %{{x:.1%}}, %{{y:.1%}}<extra></extra>",
    )  # fmt: skip


def get_close(one: Audit) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ranges of both axes around the measured point: as wide as high, the region's corner well inside."""
    fpr, fnr = one.upper_rates
    half = min(0.5, max(0.05, 3.0 * (fpr - one.fpr), 3.0 * (one.tpr - 1.0 + fnr)))
    x, y = (min(max(rate, half), 1.0 - half) for rate in (one.fpr, one.tpr))
    return (x - half, x + half), (y - half, y + half)


def plane(drawn: Sequence[Drawn], claim: Claim, close: bool = False, tall: int = 590) -> go.Figure:
    """False alarms against detections: the promise, measured points with their regions, and for a single audit the
    curves of its mu and of its lower limit."""
    traces = [_line(GRID, _("pure guessing"), GREY, "dot", 1.5), *get_promises(claim)]
    single = len(drawn) == 1
    traces += [_region(one, single).update(showlegend=i == 0) for i, one in enumerate(drawn)]
    if single:
        one = drawn[0]
        if one.curve is not None:
            traces.append(
                go.Scatter(
                    x=one.curve[0].astype(np.float32), y=one.curve[1].astype(np.float32), mode="lines",
                    name=_("every threshold"), line={"color": one.look.color, "width": 1, "shape": "hv"},
                    opacity=0.6, hoverinfo="skip",
                )
            )  # fmt: skip
        if claim.mu is not None:
            low, hat = one.audit.mu_low_clopper_pearson, one.audit.mu_hat
            traces.append(_line(get_gaussian(low), _("mu at least"), RED, "longdash"))
            if hat > 0:
                traces.append(_line(get_gaussian(hat), _("mu measured"), RED, "dot"))
    traces += [_point(one).update(showlegend=single) for one in drawn]
    ranges = get_close(drawn[0].audit) if close and drawn else ((0.0, 1.0), (0.0, 1.0))
    axis = {"tickfont": FONT, "constrain": "domain", "automargin": True, "zeroline": False}
    if not close:
        axis |= {"tickvals": TICKS, "ticktext": [percent(tick) for tick in TICKS]}
    else:
        axis |= {"tickformat": ".0%", "nticks": 6}
    return go.Figure(
        traces,
        {
            "height": tall, "font": FONT, "margin": {"l": 8, "r": 24, "t": 12, "b": 8}, "hovermode": "closest",
            "separators": separators(),
            "legend": {
                "orientation": "h", "y": -0.15 if len(drawn) < 2 else -0.22, "yanchor": "top", "x": 0, "font": FONT,
            },
            "xaxis": axis | {"range": ranges[0], "title": {"text": _("false alarms"), "font": FONT}},
            "yaxis": axis
            | {"range": ranges[1], "title": {"text": _("detections"), "font": FONT}, "scaleanchor": "x"},
        },
    )  # fmt: skip


def limits(drawn: Sequence[Drawn], claim: Claim, tall: int = 330) -> go.Figure:
    """mu of several audits of one Gaussian promise: measured, at least, and what is promised."""
    assert claim.mu is not None
    hats = [one.audit.mu_hat for one in drawn]
    lows = [one.audit.mu_low_clopper_pearson for one in drawn]
    top = ceiling(1.15 * max(2.0 * claim.mu, *(hat for hat in hats if hat < 5.0 * claim.mu)))
    traces, notes = [], []
    for i, (one, hat, low) in enumerate(zip(drawn, hats, lows, strict=True)):
        y = len(drawn) - 1 - i
        if low > top:
            notes.append(
                {
                    "x": top, "y": y, "xanchor": "right", "yanchor": "middle", "showarrow": False, "font": FONT,
                    "text": _("{glyph} at least {low} →").format(glyph=one.look.glyph, low=number(low)),
                }
            )  # fmt: skip
            continue
        end = min(max(hat, 0.0), top)
        traces += [
            go.Scatter(
                x=[low, end], y=[y, y], mode="lines", showlegend=False, hoverinfo="skip",
                line={"color": one.look.color, "width": 3},
            ),
            go.Scatter(
                x=[low], y=[y], mode="markers", showlegend=False, hovertemplate="%{x:.3f}<extra></extra>",
                marker={"symbol": "line-ns", "size": 16, "line": {"width": 3, "color": one.look.color}},
            ),
            go.Scatter(
                x=[end], y=[y], mode="markers", showlegend=False, hovertemplate="%{x:.3f}<extra></extra>",
                marker={"symbol": one.look.symbol, "size": 13, "color": one.look.color},
            ),
        ]  # fmt: skip
    traces.append(
        go.Scatter(
            x=[claim.mu, claim.mu], y=[-0.5, len(drawn) - 0.5], mode="lines", name=_("promised"), hoverinfo="skip",
            line={"color": BLUE, "dash": "dash", "width": 2.5},
        )
    )  # fmt: skip
    return go.Figure(
        traces,
        {
            "height": tall, "font": FONT, "margin": {"l": 8, "r": 16, "t": 8, "b": 8}, "annotations": notes,
            "separators": separators(), "hovermode": "closest", "showlegend": True,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT},
            "xaxis": {
                "range": [-0.02 * top, top], "tickfont": FONT, "automargin": True, "zeroline": False,
                "title": {"text": _("mu: how much is leaked"), "font": FONT},
            },
            "yaxis": {
                "range": [-0.5, len(drawn) - 0.5], "tickvals": list(range(len(drawn))), "automargin": True,
                "ticktext": [one.name for one in reversed(drawn)], "tickfont": FONT, "showgrid": False,
                "zeroline": False,
            },
        },
    )  # fmt: skip


def _curves(traces: list[go.Scatter], x: dict, y: dict, tall: int = 430, notes: Sequence[dict] = ()) -> go.Figure:
    title = {"tickfont": FONT, "automargin": True, "zeroline": False}
    return go.Figure(
        traces,
        {
            "height": tall, "font": FONT, "margin": {"l": 8, "r": 16, "t": 8, "b": 8}, "hovermode": "closest",
            "separators": separators(), "annotations": list(notes),
            "legend": {"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0, "font": FONT},
            "xaxis": title | x, "yaxis": title | y,
        },
    )  # fmt: skip


def _log(first: int, last: int, title: str, ticks: Sequence[int]) -> dict:
    return {
        "type": "log", "range": [np.log10(first), np.log10(last)], "tickvals": list(ticks),
        "ticktext": [number(tick) for tick in ticks], "title": {"text": title, "font": FONT},
    }  # fmt: skip


def power(ladder: Array, chances: Mapping[str, tuple[str, Look, Array]], judged: int, wanted: float) -> go.Figure:
    """Chance to be caught against the judged runs, one line a fault."""
    traces = [
        go.Scatter(
            x=ladder, y=chance, name=f"{look.glyph} {name}", mode="lines+markers",
            line={"color": look.color, "width": 2.5},
            marker={"symbol": look.symbol, "size": 9, "color": look.color, "maxdisplayed": 9},
            hovertemplate=f"{name}: %{{x}}, %{{y:.1%}}<extra></extra>",
        )
        for name, look, chance in chances.values()
    ]  # fmt: skip
    ends = [int(ladder[0]), int(ladder[-1])]
    for x, y, name, dash in (
        (ends, [wanted, wanted], _("wanted"), "dash"),
        ([judged, judged], [0, 1], _("judged now"), "dot"),
    ):
        traces.append(
            go.Scatter(
                x=x, y=y, mode="lines", name=name, hoverinfo="skip", line={"color": GREY, "dash": dash, "width": 2}
            )
        )  # fmt: skip
    return _curves(
        traces,
        _log(ends[0], ends[1], _("judged runs in each world"), (100, 1000, 10_000, 100_000)),
        {
            "range": [0, 1.03], "tickvals": TICKS, "ticktext": [percent(tick) for tick in TICKS],
            "title": {"text": _("chance to be caught"), "font": FONT},
        },
    )  # fmt: skip


def routes(epsilons: Array, found: Mapping[str, Array], epsilon: float, reported: float | None) -> go.Figure:
    """mu against epsilon by every route, the reader's epsilon, and the published measurement where it belongs."""
    traces = [
        go.Scatter(
            x=epsilons, y=found[route], name=_(ROUTE_NAMES[route]), mode="lines+markers",
            line={"color": BLUE, "dash": dash, "width": 2.5},
            marker={"symbol": symbol, "size": 9, "color": BLUE, "maxdisplayed": 7},
            hovertemplate="%{x:.3~g}: %{y:.3f}",
        )
        for route, (dash, symbol) in _ROUTE_LOOKS.items()
    ]  # fmt: skip
    top = float(max(values.max() for values in found.values()))
    traces.append(
        go.Scatter(
            x=[epsilon, epsilon], y=[0, top], mode="lines", name=_("your epsilon"), hoverinfo="skip",
            line={"color": GREY, "dash": "dot", "width": 2},
        )
    )  # fmt: skip
    if reported is not None:
        traces.append(
            go.Scatter(
                x=[1.0], y=[reported], mode="markers", name=_("as reported"), hovertemplate="%{y}",
                marker={"symbol": "star", "size": 15, "color": RED},
            )
        )  # fmt: skip
    return _curves(
        traces,
        {"range": [0, float(epsilons[-1])], "title": {"text": _("epsilon"), "font": FONT}},
        {"range": [0, 1.05 * top], "title": {"text": _("mu"), "font": FONT}},
    )


def first_decision(targets: Sequence[int], mus: Array, promised: float) -> go.Figure:
    """mu of a single decision against the number of organisations."""
    ends = [int(targets[0]), int(targets[-1])]
    traces = [
        go.Scatter(
            x=list(targets), y=mus, mode="lines+markers", name=_("what one audit gives away"),
            line={"color": RED, "width": 2.5}, marker={"symbol": "square", "size": 9, "color": RED},
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        ),
        go.Scatter(
            x=ends, y=[promised, promised], mode="lines", name=_("promised"), hoverinfo="skip",
            line={"color": BLUE, "dash": "dash", "width": 2.5},
        ),
    ]  # fmt: skip
    return _curves(
        traces,
        _log(ends[0], ends[1], _("organisations"), (2, 5, 10, 20, 50, 100, 200, 500)),
        {"range": [0, 1.15 * promised], "title": {"text": _("mu"), "font": FONT}},
        380,
    )


# --- tables ----------------------------------------------------------------------------------------------------------
def table_of_audits(drawn: Sequence[Drawn]) -> pd.DataFrame:
    """One row an audit, full precision, with the terminal's names."""
    rows = []
    for one in drawn:
        a = one.audit
        rows.append(
            {
                _("audited"): one.name, "tp": a.tp, "fn": a.fn, "fp": a.fp, "tn": a.tn, "alpha": a.alpha,
                "tpr": a.tpr, "fpr": a.fpr, "mu_hat": a.mu_hat, "mu_low_clopper_pearson": a.mu_low_clopper_pearson,
                "mu_low_jeffreys": a.mu_low_jeffreys, "advantage": a.advantage, "advantage_low": a.advantage_low,
                "claimed_mu": a.claim.mu, "claimed_delta": a.claim.delta, "verdict": a.verdict,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def table_of_power(ladder: Array, chances: Mapping[str, tuple[str, Look, Array]]) -> pd.DataFrame:
    """Chance to be caught, one column a fault."""
    return pd.DataFrame({_("judged runs"): ladder} | {name: chance for name, _look, chance in chances.values()})


def table_of_routes(epsilons: Array, found: Mapping[str, Array]) -> pd.DataFrame:
    """mu by every route."""
    return pd.DataFrame({"epsilon": epsilons} | {_(ROUTE_NAMES[route]): values for route, values in found.items()})


def table_of_first(targets: Sequence[int], gains: Array, mus: Array) -> pd.DataFrame:
    """What a single audit gives away, exact."""
    return pd.DataFrame({"targets": targets, "advantage": gains, "mu": mus})
