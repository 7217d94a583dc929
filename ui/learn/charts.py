"""The small picture of a lesson's reveal: one for each view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core import calibration, deniability, utility
from core.auditors import MECHANISMS
from core.parameters import TABLE, Parameters
from ui.charts import longrun
from ui.charts.longrun import FONT
from ui.frames import scale
from ui.learn.values import get_course, get_twins
from ui.marks import MARKS, plain
from ui.words import _, number, percent

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
LEADS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 500)
DELTAS = np.array([stop for stop in TABLE["delta"].stops if stop <= 0.95])
HORIZONS = np.unique(np.geomspace(1, 10_000, 41).round().astype(int))
GREY = "rgba(128,128,128,.9)"


@dataclass(frozen=True)
class Drawn:
    """A figure with everything `ui.frame.chart` wants to know about it."""

    figure: go.Figure
    table: Callable[[], pd.DataFrame]
    alt: str
    axes: str


def draw(view: str, p: Parameters, letters: int = 14) -> Drawn:
    """The picture of a view for a scenario, with signs of `letters` pixels."""
    return _VIEWS[view](p, {**FONT, "size": letters})


def _shape(x: dict, y: dict, font: dict, height: int = 340) -> dict:
    return {
        "height": height + 8 * (font["size"] - 14),
        "font": font,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "separators": longrun.separators(),
        "xaxis": {"automargin": True, "tickangle": 0, "zeroline": False, **x},
        "yaxis": {"automargin": True, "rangemode": "tozero", **y},
    }


def _shares(title: str) -> dict:
    ticks = {"tickvals": SHARES, "ticktext": [percent(share) for share in SHARES]}
    return {"title": {"text": title}, "range": [0, 1.14], **ticks}


def _line(x: np.ndarray, y: np.ndarray, name: str, color: str, dash: str = "solid") -> go.Scatter:
    return go.Scatter(x=x, y=y, name=name, mode="lines", line={"color": color, "width": 3, "dash": dash})


def _dot(x: float, y: float, mark: str, text: str, side: str = "top right") -> go.Scatter:
    return go.Scatter(
        x=[x], y=[y], mode="markers+text", text=[text], textposition=side,
        cliponaxis=False, showlegend=False,
        marker={"symbol": MARKS[mark].symbol, "size": 14, "color": MARKS[mark].color},
    )  # fmt: skip


def _misselection(p: Parameters, font: dict) -> Drawn:
    gaps = np.unique(np.concatenate([np.arange(0, 129), np.geomspace(128, 500, 30).round()]))
    sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    coin = calibration.get_p_rand(p.rr_calibration, p.delta, p.targets, p.horizon)
    curves = {
        "tca": utility.get_misselection(gaps, p.targets, sd),
        "rr": utility.get_rr_misselection(gaps, p.targets, coin),
        "uniform": np.full(len(gaps), utility.get_uniform_misselection(p.targets)),
        "greedy": utility.get_greedy_misselection(gaps, p.targets),
    }
    dashes = {"uniform": "dash", "greedy": "dot"}
    traces = [
        _line(scale(gaps), y, plain(name), MARKS[name].color, dashes.get(name, "solid")) for name, y in curves.items()
    ]
    at = {
        "tca": float(utility.get_misselection(p.gap, p.targets, sd)),
        "rr": float(utility.get_rr_misselection(p.gap, p.targets, coin)),
    }
    sides = {"tca": "bottom left" if at["tca"] > 0.1 else "top right", "rr": "top center"}
    traces += [_dot(float(scale(p.gap)), y, name, percent(y), sides[name]) for name, y in at.items()]
    x = {
        "title": {"text": _("lead: open reports ahead of every other organisation")},
        "range": [-0.1, float(scale(500)) + 0.1],
        "tickvals": scale(LEADS).tolist(),
        "ticktext": [number(lead) for lead in LEADS],
    }
    return Drawn(
        go.Figure(traces, _shape(x, _shares(_("chance to audit the wrong one")), font)),
        lambda: pd.DataFrame({_("lead"): gaps.astype(int), **{plain(name): y for name, y in curves.items()}}),
        _("Chance to audit the wrong organisation against the lead: at a lead of {gap} {tca} and {coin}.").format(
            gap=number(p.gap), tca=f"{plain('tca')} {percent(at['tca'])}", coin=f"{plain('rr')} {percent(at['rr'])}"
        ),
        _("Across: the lead. Up: the chance to audit the wrong organisation. The marks stand at your lead."),
    )


def _missed(p: Parameters, font: dict) -> Drawn:
    courses = [get_course(name, p) for name in MECHANISMS]
    figure = longrun.means(courses)
    figure.update_layout({"font": font})
    listed = "; ".join(f"{plain(c.mechanism)} {number(c.mean_deficit)}" for c in courses)
    return Drawn(
        figure,
        lambda: longrun.table_of_means(courses),
        _("Missed reports a step, mean over all runs: {list}.").format(list=listed),
        _("Across: missed reports a step, mean over all steps and runs, with its 95% interval."),
    )


def _square(p: Parameters, font: dict) -> Drawn:
    fpr = (1.0 - np.cos(np.linspace(0.0, np.pi, 81))) / 2.0
    mu = calibration.get_mu(p.delta)
    line, curve = deniability.get_tpr_delta_line(fpr, p.delta), deniability.get_tpr_gaussian(fpr, mu)
    caught = float(deniability.get_tpr_gaussian(p.false_alarm, mu))
    traces = [
        _line(fpr, fpr, _("pure guessing"), GREY, "dot"),
        _line(fpr, line, _("limit set by delta"), MARKS["greedy"].color, "dash"),
        _line(fpr, curve, plain("tca"), MARKS["tca"].color),
        _dot(p.false_alarm, caught, "tca", percent(caught)),
    ]
    x = {**_shares(_("share of the innocent who are suspected")), "range": [-0.02, 1.04]}
    return Drawn(
        go.Figure(traces, _shape(x, _shares(_("share of those who reported who are caught")), font)),
        lambda: pd.DataFrame({
            _("false alarms"): fpr, _("caught at most, by delta"): line, _("caught at most, noisy tally"): curve
        }),
        _("With {alarms} false alarms at most {caught} of those who reported are caught.").format(
            alarms=percent(p.false_alarm), caught=percent(caught)
        ),
        _("Across: false alarms. Up: those caught. The higher the curve above the dotted line, the less deniability."),
    )  # fmt: skip


def _twins(p: Parameters, font: dict) -> Drawn:
    found = {name: get_twins(name, p) for name in ("uniform", "rr", "tca", "greedy")}
    traces = []
    for name, share in found.items():
        color = MARKS[name].color
        traces += [
            go.Scatter(x=[0, share.share], y=[plain(name)] * 2, mode="lines", showlegend=False, hoverinfo="skip",
                       line={"color": longrun.fade(color, 0.4), "width": 8}),
            go.Scatter(
                x=[share.share], y=[plain(name)], mode="markers", showlegend=False, cliponaxis=False,
                marker={"symbol": MARKS[name].symbol, "size": 15, "color": color},
                error_x={"array": [share.high - share.share], "arrayminus": [share.share - share.low], "color": color},
            ),
            go.Scatter(
                x=[share.high], y=[plain(name)], mode="text", text=[f"   {percent(share.share)}"], showlegend=False,
                textposition="middle right" if share.high < 0.85 else "top left", cliponaxis=False, hoverinfo="skip",
            ),
        ]  # fmt: skip
    shape = _shape(
        _shares(_("share of twin records that differ")) | {"range": [-0.02, 1.06]}, {"showgrid": False}, font, 260
    )
    shape["shapes"] = [{"type": "line", "x0": p.delta, "x1": p.delta, "yref": "paper", "y0": 0, "y1": 1,
                        "line": {"dash": "dot", "width": 2, "color": GREY}}]  # fmt: skip
    listed = "; ".join(f"{plain(name)} {percent(share.share)}" for name, share in found.items())
    pairs = next(iter(found.values())).runs
    return Drawn(
        go.Figure(traces, shape),
        lambda: pd.DataFrame({
            _("auditor"): [plain(name) for name in found],
            _("share of twin records that differ"): [share.share for share in found.values()],
            _("95% interval from"): [share.low for share in found.values()],
            _("95% interval to"): [share.high for share in found.values()],
        }),
        _("Share of twin records that differ: {list}.").format(list=listed),
        _(
            "Across: in how many of {pairs} pairs of worlds, with and without one report, the audit records differ "
            "(95% interval). Dotted: delta, the most that is allowed."
        ).format(pairs=number(pairs)),
    )  # fmt: skip


def _noise(p: Parameters, font: dict) -> Drawn:
    horizons = HORIZONS[p.run_length <= HORIZONS] if p.run_length < HORIZONS[-1] else HORIZONS[-1:]
    sds = np.array([calibration.get_count_sd(p.delta, int(t), p.run_length) for t in horizons])
    here = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    x = {
        "title": {"text": _("number of audits covered")},
        "type": "log",
        "range": [-0.1, 4.1],
        "tickvals": [1, 10, 100, 1000, 10_000],
        "ticktext": [number(tick) for tick in (1, 10, 100, 1000, 10_000)],
    }
    y = {"title": {"text": _("noise on a count, in reports")}, "range": [0, longrun.ceiling(1.15 * float(sds[-1]))]}
    traces = [
        _line(horizons, sds, plain("tca"), MARKS["tca"].color),
        _dot(p.horizon, here, "tca", number(here), "bottom center"),
    ]
    return Drawn(
        go.Figure(traces, _shape(x, y, font) | {"showlegend": False}),
        lambda: pd.DataFrame({_("number of audits covered"): horizons, _("noise on a count, in reports"): sds}),
        _("Noise on a count against the number of audits covered; for {audits} audits it is {sd} reports.").format(
            audits=number(p.horizon), sd=number(here)
        ),
        _(
            "Across: how many audits the promise covers; each line is ten times more. Up: the noise (standard "
            "deviation) on a count that is {length} steps old."
        ).format(length=number(p.run_length)),
    )


def _delta(p: Parameters, font: dict) -> Drawn:
    wrong = np.array([
        float(utility.get_misselection(p.gap, p.targets, calibration.get_count_sd(d, p.horizon, p.run_length)))
        for d in DELTAS.tolist()
    ])  # fmt: skip
    guess = deniability.get_success(DELTAS, 0.5)
    at = int(np.abs(DELTAS - p.delta).argmin())
    names = _("the noisy tally audits the wrong one"), _("somebody guesses right whether you reported, at most")
    traces = [
        _line(DELTAS, wrong, names[0], MARKS["tca"].color),
        _line(DELTAS, guess, names[1], MARKS["greedy"].color, "dash"),
        _dot(p.delta, float(wrong[at]), "tca", percent(float(wrong[at]))),
        _dot(p.delta, float(guess[at]), "greedy", percent(float(guess[at]))),
    ]
    ticks = (0.0, 0.2, 0.4, 0.6, 0.8)
    x = {"title": {"text": _("deniability budget (delta)")}, "range": [0, 0.97], "tickvals": ticks,
         "ticktext": [number(tick) for tick in ticks]}  # fmt: skip
    return Drawn(
        go.Figure(traces, _shape(x, _shares(_("chance")), font)),
        lambda: pd.DataFrame({_("deniability budget (delta)"): DELTAS, names[0]: wrong, names[1]: guess}),
        _("Two chances against delta. At delta {delta}: wrong audit {wrong}, right guess at most {guess}.").format(
            delta=number(p.delta), wrong=percent(float(wrong[at])), guess=percent(float(guess[at]))
        ),
        _("Across: delta. Up: two chances. Going right, audits get better and deniability gets weaker."),
    )


_VIEWS: dict[str, Callable[[Parameters, dict], Drawn]] = {
    "misselection": _misselection,
    "missed": _missed,
    "square": _square,
    "twins": _twins,
    "noise": _noise,
    "delta": _delta,
}
