"""Figures of the page Exposure: numbers in, one Plotly figure out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.counters import Array
from core.equity import Equity, Protection
from ui.charts.longrun import FONT, ceiling, separators
from ui.exposure.work import LARGE, LOOKS, SMALL, get_benefit
from ui.frames import Z95
from ui.words import _, percent

GREY = "rgba(128,128,128,.9)"
SHAPES = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "star",
    "hexagon2",
    "pentagon",
    "triangle-down",
    "bowtie",
)
GLYPHS = "●■◆▲✚★⬢⬟▼⧓"


@dataclass(frozen=True)
class Dot:
    """A group in the plane of exposure and benefit.

    Attributes:
        known: whether the exposure is told from chance; a hollow marker where it is not.
        limits: exposure at most, by 2 Phi(k kappa) - 1 (or None) and by k delta; none for a classifier.
    """

    name: str
    symbol: str
    color: str
    exposure: float
    exposure_margin: float
    benefit: float
    benefit_low: float
    benefit_high: float
    known: bool
    limits: tuple[float | None, float] | None = None


def _layout(height: int, x_title: str, y_title: str) -> dict:
    return {
        "height": height, "font": FONT, "margin": {"l": 8, "r": 16, "t": 8, "b": 8}, "separators": separators(),
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": FONT},
        "xaxis": {"title": {"text": x_title, "font": FONT}, "tickfont": FONT, "automargin": True},
        "yaxis": {"title": {"text": y_title, "font": FONT}, "tickfont": FONT, "automargin": True},
    }  # fmt: skip


def make_dots(found: Sequence[Protection], whose: str, runs: int) -> list[Dot]:
    """The groups of whistleblowers with one person's `own` exposure or that of all `together`."""
    dots = []
    for (symbol, _glyph), one in zip(LOOKS, found, strict=False):
        part = one.alone if whose == "own" else one.together
        simple, gaussian = one.alone_bounds if whose == "own" else one.together_bounds
        share = get_benefit(one, runs)
        color = LARGE if one.reporters.background > 0 else SMALL
        known = part.status == "informative"
        dots.append(
            Dot(
                one.reporters.group, symbol, color, part.gap, Z95 * part.gap_se, share.share, share.low, share.high,
                known, (gaussian, simple),
            )
        )  # fmt: skip
    return dots


def plane(dots: Sequence[Dot], lines: Sequence[tuple[str, float]], x_title: str, y_title: str) -> go.Figure:
    """Exposure across, benefit up; `lines` are benefits of blind auditing with their names."""
    traces = []
    for dot in dots:
        traces.append(
            go.Scatter(
                x=[dot.exposure], y=[dot.benefit], mode="markers", name=dot.name, cliponaxis=False,
                marker={
                    "symbol": dot.symbol if dot.known else f"{dot.symbol}-open", "size": 14, "color": dot.color,
                    "line": {"width": 2, "color": dot.color},
                },
                error_x={"array": [dot.exposure_margin], "color": dot.color, "thickness": 2, "width": 5},
                error_y={
                    "array": [dot.benefit_high - dot.benefit], "arrayminus": [dot.benefit - dot.benefit_low],
                    "symmetric": False, "color": dot.color, "thickness": 2, "width": 5,
                },
                text=[dot.name],
                hovertemplate="%{text}: " + _("exposure {exposure}, benefit {benefit}").format(
                    exposure=percent(dot.exposure), benefit=percent(dot.benefit)
                ) + "<extra></extra>",
            )
        )  # fmt: skip
    traces += _limits(dots)
    highest = [dot.exposure + dot.exposure_margin for dot in dots] + [
        limit for dot in dots if dot.limits for limit in dot.limits if limit is not None
    ]
    lowest = min([0.0, *(dot.exposure - dot.exposure_margin for dot in dots)])
    top = min(1.0, ceiling(max([0.01, *highest])))
    layout = _layout(430, x_title, y_title)
    layout["xaxis"] |= {"range": [min(-0.03 * top, 1.05 * lowest), 1.04 * top], "tickformat": ".3~%", "zeroline": True}
    layout["yaxis"] |= {"range": [-0.03, 1.04], "tickformat": ".0%"}
    layout["shapes"] = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": {"dash": dash, "color": GREY}}
        for (_name, y), dash in zip(lines, ("dot", "dash"), strict=False)
    ]
    # the two baselines often lie close together: one is named above its line, the other below
    upper = max((y for _name, y in lines), default=0.0)
    layout["annotations"] = [
        {"xref": "paper", "x": 1, "y": y, "text": name, "showarrow": False, "xanchor": "right", "font": FONT,
         "yanchor": "bottom" if y == upper else "top"}
        for name, y in lines
    ]  # fmt: skip
    return go.Figure(traces, layout)


def _limits(dots: Sequence[Dot]) -> list[go.Scatter]:
    """What the promise allows each group, at its own height, joined to its marker by a thin line."""
    bounded = [(dot, dot.limits) for dot in dots if dot.limits]
    traces = []
    if bounded:
        ends = [[dot.exposure, max(limit for limit in limits if limit is not None), None] for dot, limits in bounded]
        traces.append(
            go.Scatter(
                x=[x for row in ends for x in row], y=np.repeat([dot.benefit for dot, _limits in bounded], 3),
                mode="lines", line={"dash": "dot", "width": 1, "color": GREY}, hoverinfo="skip", showlegend=False,
            )
        )  # fmt: skip
    for which, symbol, name in (
        (0, "line-ns-open", _("at most, 2Φ(kκ) − 1")),
        (1, "triangle-left-open", _("at most, k · delta")),
    ):
        there = [(dot, limits[which]) for dot, limits in bounded if limits[which] is not None]
        if there:
            traces.append(
                go.Scatter(
                    x=[limit for _dot, limit in there], y=[dot.benefit for dot, _limit in there], mode="markers",
                    name=name, marker={"symbol": symbol, "size": 13, "color": GREY, "line": {"width": 3}},
                    text=[dot.name for dot, _limit in there], cliponaxis=False,
                    hovertemplate="%{text}: %{x:.3~%}<extra>" + name + "</extra>",
                )
            )  # fmt: skip
    return traces


def table_of_groups(found: Sequence[Protection]) -> pd.DataFrame:
    """One row a group of whistleblowers, full precision."""
    return pd.DataFrame(
        {
            _("group"): [one.reporters.group for one in found],
            _("reports"): [one.reporters.reports for one in found],
            _("other reports a step"): [one.reporters.background for one in found],
            _("benefit"): [one.benefit for one in found],
            _("standard error of the benefit"): [one.benefit_se for one in found],
            _("benefit when lots are drawn"): [one.lots for one in found],
            _("benefit of a rota"): [one.rota for one in found],
            _("lift over lots"): [one.lift for one in found],
        }
        | _columns([one.alone for one in found], _("one person"))
        | {_("one person: at most"): [one.alone_bounds[0] for one in found]}
        | _columns([one.together for one in found], _("all together"))
        | {
            _("all together: at most, k delta"): [one.together_bounds[0] for one in found],
            _("all together: at most, Gaussian"): [one.together_bounds[1] for one in found],
        }
    )


def _columns(found: Sequence[Equity], who: str) -> dict[str, list]:
    return {
        _("{who}: exposure").format(who=who): [one.gap for one in found],
        _("{who}: standard error").format(who=who): [one.gap_se for one in found],
        _("{who}: status").format(who=who): [one.status for one in found],
        _("{who}: PCER").format(who=who): [one.pcer for one in found],
        _("{who}: PCER at least").format(who=who): [one.lower for one in found],
    }


# --- one more report, exactly ----------------------------------------------------------------------------------------
def one_more(benefit: Array, delta: float) -> go.Figure:
    """First audit: what k reports bring, and what one more of them exposes; `benefit` at 0, 1, .. reports."""
    k = np.arange(1, len(benefit))
    exposure = np.diff(benefit)
    traces = [
        go.Scatter(
            x=k, y=exposure, mode="lines+markers", name=_("exposure of one more report"),
            line={"color": SMALL, "width": 2}, marker={"symbol": "circle", "size": 7, "maxdisplayed": 40},
            hovertemplate="%{y:.3~%}",
        ),
        go.Scatter(
            x=k, y=np.full(len(k), delta), mode="lines", name=_("at most, delta"),
            line={"dash": "dot", "color": GREY, "width": 2}, hoverinfo="skip",
        ),
    ]  # fmt: skip
    layout = _layout(340, _("reports about the same organisation"), _("exposure of one more report"))
    layout["hovermode"] = "x unified"
    layout["xaxis"] |= {"range": [0.5, len(k) + 0.5]}
    layout["yaxis"] |= {"range": [0, 1.08 * delta], "tickformat": ".3~%"}
    return go.Figure(traces, layout)


def table_of_one_more(benefit: Array) -> pd.DataFrame:
    """The chances behind it, exact."""
    return pd.DataFrame(
        {
            _("reports"): np.arange(len(benefit)),
            _("chance of the first audit"): benefit,
            _("exposure of one more report"): np.append([np.nan], np.diff(benefit)),
        }
    )


# --- any classifier --------------------------------------------------------------------------------------------------
def make_classifier_dots(found: Sequence[Equity]) -> list[Dot]:
    """The groups of a classifier; only the first ten have a shape of their own, and no more are drawn."""
    return [
        Dot(
            one.group,
            symbol,
            "#12858f",
            one.gap,
            Z95 * one.gap_se,
            one.rate,
            one.rate,
            one.rate,
            one.status == "informative",
        )
        for one, symbol in zip(found, SHAPES, strict=False)
    ]


def table_of_classifier(found: Sequence[Equity]) -> pd.DataFrame:
    """One row a group, full precision."""
    return pd.DataFrame(
        {
            _("group"): [one.group for one in found],
            _("benefit"): [one.rate for one in found],
            _("overfitting gap"): [one.gap for one in found],
            _("standard error"): [one.gap_se for one in found],
            _("status"): [one.status for one in found],
            _("PCER"): [one.pcer for one in found],
            _("PCER at least"): [one.lower for one in found],
        }
    )


def get_peak(benefit: Array) -> tuple[int, float]:
    """Which report exposes most, and by how much."""
    exposure = np.diff(benefit)
    most = int(np.argmax(exposure))
    return most + 1, float(exposure[most])
