"""Pictures of the page Lead: the live one with its sliders, and the paper's panels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.parameters import TABLE
from ui.charts.longrun import FONT
from ui.frames import MC_GAPS, MC_RUNS, SURE, LeadFrames, Panel, scale
from ui.live import Axis, Gauge, Line, Marker, Part, Plot, Points, Series, Slot, Text
from ui.marks import MARKS, full, plain
from ui.words import _, number, percent

TICKS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 500)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
BOTH = ("delta", "gap")
DASHES = {0.05: "dot", 0.1: "solid", 0.2: "dash"}


def picture(frames: LeadFrames) -> Plot:
    """Chance to audit the wrong one against the lead; curves follow delta, markers follow both sliders."""
    f, ends = frames, np.array([0.0, frames.x[-1]])
    at = scale(f.gaps)
    color = {name: mark.color for name, mark in MARKS.items()}
    flat = np.full(2, f.uniform)
    series: list[Series] = [
        Line(ends, flat, color["uniform"], plain("uniform"), width=2),
        Line(np.array([0.0, 0.0, ends[1]]), np.array([f.uniform, 0.0, 0.0]), color["greedy"], plain("greedy"), width=2),
        Line(ends, np.repeat(f.rr[:, -1:], 2, axis=1), color["rr"], plain("rr"), by=("delta",), width=2),
        Line(
            ends,
            np.repeat(f.floor[:, None], 2, axis=1),
            color["rr"],
            _("No coin flip can go below (Theorem 2)"),
            by=("delta",),
            width=2,
            dash="dot",
        ),
        Line(
            f.x, f.union_curve, color["tca"], _("Noisy tally, upper bound (union)"), by=("delta",), width=2, dash="dash"
        ),
        Line(f.x, f.tca_curve, color["tca"], _("Noisy tally, exact"), by=("delta",), width=3),
        Points(
            scale(MC_GAPS),
            f.simulated,
            color["tca"],
            "circle",
            _("Noisy tally, simulated (95% interval)"),
            by=("delta",),
            low=f.simulated_low,
            high=f.simulated_high,
            size=7,
        ),
        Marker(at, np.full(len(at), f.uniform), color["uniform"], MARKS["uniform"].symbol, by=("gap",), size=11),
        Marker(at, f.greedy, color["greedy"], MARKS["greedy"].symbol, by=("gap",), size=11),
        Marker(np.broadcast_to(at, f.rr.shape), f.rr, color["rr"], MARKS["rr"].symbol, by=BOTH, size=11),
        Marker(np.broadcast_to(at, f.tca.shape), f.tca, color["tca"], MARKS["tca"].symbol, by=BOTH, drop=True),
    ]
    return Plot(
        Axis(
            _("lead: open reports ahead of every other organisation"),
            0.0,
            float(scale(TABLE["gap"].maximum or 0)),
            [(float(scale(tick)), number(tick)) for tick in TICKS],
        ),
        Axis(_("chance to audit the wrong one"), 0.0, 1.0, [(share, percent(share)) for share in SHARES]),
        series,
    )


def gauges(frames: LeadFrames) -> list[Part]:
    """One bar for each auditor: the chance to audit the wrong one, at the markers."""
    values = {
        "tca": (frames.tca, BOTH),
        "rr": (frames.rr, BOTH),
        "greedy": (frames.greedy, ("gap",)),
        "uniform": (np.asarray(frames.uniform), ()),
    }
    return [Gauge(full(name), MARKS[name].color, MARKS[name].symbol, share, by) for name, (share, by) in values.items()]


def sentences(frames: LeadFrames) -> list[Part]:
    """What the markers say, for both sliders."""
    lead = Slot(frames.gaps, ("gap",), digits=6)
    return [
        Text(
            _(
                "With a lead of {gap} the noisy tally audits the wrong one {wrong} of the time. It needs a lead of "
                "{even} for an even chance and of {sure} to be right {right} of the time."
            ).replace("{right}", percent(1.0 - SURE)),
            {
                "gap": lead,
                "wrong": Slot(frames.tca, BOTH, "percent"),
                "even": Slot(frames.even, ("delta",), digits=6),
                "sure": Slot(frames.sure, ("delta",), digits=6),
            },
            size="large",
        ),
        Text(
            _(
                "The coin flip is wrong {coin} of the time, whatever the lead: no coin flip with this delta can go "
                "below {floor} (Theorem 2)."
            ),
            {
                "coin": Slot(frames.rr[:, -1], ("delta",), "percent", strong=False),
                "floor": Slot(frames.floor, ("delta",), "percent", strong=False),
            },
            spoken=False,
        ),
    ]


def table(frames: LeadFrames, index: int, exact: NDArray[np.float64]) -> pd.DataFrame:
    """All curves at one delta, by lead; `exact` is the noisy tally's chance in full precision, (G,)."""
    simulated = dict(zip(MC_GAPS, frames.simulated[index], strict=True))
    return pd.DataFrame(
        {
            _("lead"): frames.gaps.astype(int),
            full("tca"): exact,
            _("upper bound"): frames.union[index],
            _("simulated ({runs} draws)").format(runs=number(MC_RUNS)): [simulated.get(int(g)) for g in frames.gaps],
            full("rr"): frames.rr[index],
            full("greedy"): frames.greedy,
            full("uniform"): np.full(len(frames.gaps), frames.uniform),
        }
    )


def panels(two: Sequence[Panel]) -> go.Figure:
    """One number of organisations, one panel for each run length, one line for each delta."""
    domains = [(0.58, 1.0), (0.0, 0.42)]
    traces: list[go.Scatter] = []
    layout: dict = {
        "height": 520,
        "font": FONT,
        "margin": {"l": 8, "r": 12, "t": 30, "b": 8},
        "legend": {"orientation": "h", "y": -0.12, "yanchor": "top", "x": 0, "font": FONT},
        "annotations": [],
    }
    for i, panel in enumerate(two):
        axis = "" if i == 0 else str(i + 1)
        x = scale(panel.gaps)
        lines = [
            (f"δ = {number(delta)}", MARKS["tca"].color, DASHES[delta], values) for delta, values in panel.tca.items()
        ]
        lines.append((plain("rr"), MARKS["rr"].color, "solid", panel.rr[0.1]))
        lines.append((plain("uniform"), MARKS["uniform"].color, "dash", np.full(len(x), panel.uniform)))
        lines.append((plain("greedy"), MARKS["greedy"].color, "solid", np.where(panel.gaps > 0, 0.0, panel.uniform)))
        for name, color, dash, values in lines:
            traces.append(
                go.Scatter(
                    x=x.astype(np.float32),
                    y=values.astype(np.float32),
                    name=name,
                    legendgroup=name,
                    showlegend=i == 0,
                    mode="lines",
                    line={"color": color, "dash": dash, "width": 2},
                    xaxis="x" + axis,
                    yaxis="y" + axis,
                    customdata=panel.gaps,
                    hovertemplate="%{customdata:.0f}: %{y:.3~p}",
                )
            )
        ticks = [tick for tick in TICKS if tick <= panel.gaps[-1] + 1]
        layout["xaxis" + axis] = {
            "anchor": "y" + axis, "tickvals": scale(ticks).tolist(), "ticktext": [number(tick) for tick in ticks],
            "tickfont": FONT, "range": [0, float(x[-1])], "fixedrange": True, "tickangle": 0,
        }  # fmt: skip
        layout["yaxis" + axis] = {
            "anchor": "x" + axis, "domain": domains[i], "range": [0, 1.02], "tickvals": SHARES, "fixedrange": True,
            "ticktext": [percent(share) for share in SHARES], "tickfont": FONT, "automargin": True,
        }  # fmt: skip
        layout["annotations"].append(
            {"xref": "paper", "yref": "paper", "x": 0, "y": domains[i][1], "yanchor": "bottom", "xanchor": "left",
             "showarrow": False, "font": FONT, "text": _("age {age}, built for {horizon} audits").format(
                 age=number(panel.run_length), horizon=number(panel.horizon))}
        )  # fmt: skip
    return go.Figure(traces, layout)


def table_of_panels(panels: Sequence[Panel]) -> pd.DataFrame:
    """All panels in one long table."""
    rows = [
        pd.DataFrame(
            {
                _("organisations"): panel.targets,
                _("age of the count"): panel.run_length,
                _("audits covered"): panel.horizon,
                "delta": delta,
                _("lead"): panel.gaps,
                full("tca"): panel.tca[delta],
                full("rr"): panel.rr[delta],
                full("uniform"): panel.uniform,
            }
        )
        for panel in panels
        for delta in panel.tca
    ]
    return pd.concat(rows, ignore_index=True)
