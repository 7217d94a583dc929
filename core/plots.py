"""Drawings of the evidence as SVG files: the same bytes for the same numbers, readable in black and white.

Matplotlib is loaded only when something is drawn. Its figures are made without pyplot, so that nothing is shared
between threads but the settings, which are constants.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .evidence import Item

INK = "#010203"
"""Stands for the colour of the text around it; becomes `currentColor` in the file."""
LOCK = Lock()
SETTINGS = {
    "svg.hashsalt": "deniability-lab",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10.0,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "legend.handlelength": 3.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 6.0,
}


@dataclass(frozen=True)
class Mark:
    """How one kind of line looks, everywhere: colour, marker shape and line style."""

    color: str
    shape: str
    line: Any


MARKS = {
    "tca": Mark("#2f83c5", "o", "-"),
    "tca-0.05": Mark("#2f83c5", "o", (0, (4, 2))),
    "tca-0.1": Mark("#2f83c5", "o", "-"),
    "tca-0.2": Mark("#2f83c5", "o", (0, (1, 1))),
    "rr": Mark("#9467c8", "^", (0, (6, 2))),
    "rr-horizon-free": Mark("#9467c8", "v", (0, (3, 2, 1, 2))),
    "rr-race": Mark("#9467c8", "<", (0, (1, 1))),
    "greedy": Mark("#d1570f", "s", (0, (1, 2))),
    "uniform": Mark("#75808c", "D", (0, (8, 3, 1, 3))),
    "rota": Mark("#1f9068", "P", (0, (4, 1, 1, 1, 1, 1))),
    "bound": Mark(INK, "_", (0, (2, 2))),
    "exact": Mark(INK, ".", "-"),
    "played": Mark(INK, "o", "-"),
}
"""The auditors' colours are those of the dashboard: mid tones that hold 3:1 on light and on dark."""


@dataclass(frozen=True)
class Line:
    """One column drawn against the chart's x.

    Attributes:
        column: of the table.
        label: in the legend.
        mark: key in `MARKS`.
        only: values that other columns must have.
        error: whether `<column>_se` gives bars of two standard errors; such a column is drawn as marks alone.
        thin: a mark every hundredth point only.
        hollow: marks with an empty face.
    """

    column: str
    label: str
    mark: str
    only: Mapping[str, Any]
    error: bool = False
    thin: bool = False
    hollow: bool = False


@dataclass(frozen=True)
class Chart:
    """How an item is drawn.

    Attributes:
        x: column of the horizontal axis.
        x_label, y_label: axis titles.
        lines: what is drawn in every panel.
        panels: column whose values each get a panel, with its label; None for a single one.
        x_scale, y_scale: linear, log, or symlog where 0 occurs.
    """

    x: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    panels: tuple[str, str] | None = None
    x_scale: str = "linear"
    y_scale: str = "linear"


def _line(column: str, label: str, mark: str, **more: Any) -> Line:
    flags = {name: more.pop(name) for name in ("error", "thin", "hollow") if name in more}
    return Line(column, label, mark, more, **flags)


GAP_CHART = Chart(
    "gap", "Lead of the most reported, in reports", "Chance to audit another",
    (
        *(_line("tca", f"Noisy tally, delta {delta:g}", f"tca-{delta:g}", delta=delta) for delta in (0.05, 0.1, 0.2)),
        _line("tca_measured", "Noisy tally, 1000 trials, delta 0.1", "played", delta=0.1, error=True, hollow=True),
        _line("rr", "Randomised response, delta 0.1", "rr", delta=0.1),
        _line("greedy", "Follow the reports", "greedy", delta=0.1),
        _line("uniform", "Draw lots", "uniform", delta=0.1),
    ),
    ("run_length", "{} steps"), "symlog",
)  # fmt: skip
CHARTS: dict[str, Chart] = {
    "table-3": Chart(
        "delta", "Deniability budget (delta)", "Noise scale (sigma), in reports",
        (_line("sigma", "Noisy tally", "tca"),), ("run_length", "{} steps"),
    ),
    **dict.fromkeys(("figure-2a", "figure-3", "figure-4", "figure-5"), GAP_CHART),
    "figure-2b": Chart(
        "step", "Audit", "Missed reports a step",
        (
            _line("tca", "Noisy tally", "tca", thin=True),
            _line("rr", "Randomised response", "rr", thin=True),
            _line("rr_horizon_free", "Randomised response, horizon-free", "rr-horizon-free", thin=True),
            _line("greedy", "Follow the reports", "greedy", thin=True),
            _line("uniform", "Draw lots", "uniform", thin=True),
            _line("rota", "Fixed rota", "rota", thin=True),
        ),
    ),
    "greedy": Chart(
        "horizon", "Audits", "Leak (total variation)",
        (_line("exact", "Worst stream, exact", "greedy"), _line("bound", "1 - 1/C", "bound")),
        ("targets", "{} organisations"),
    ),
    "proposition-14": Chart(
        "horizon", "Audits", "Leak (total variation)",
        (
            _line("exact", "Worst stream, exact", "exact", p_rand=0.9),
            _line("proposition_14", "Proposition 14", "rr", p_rand=0.9),
            _line("race", "Race bound (ours)", "rr-race", p_rand=0.9),
            _line("floor", "Theorem 2", "bound", p_rand=0.9),
        ),
        ("targets", "{} organisations"),
    ),
    "proposition-15": Chart(
        "p_rand", "Probability of drawing lots (p)", "Chance to miss",
        (
            _line("bound", "p (C-1)/C", "bound", leaders=1),
            _line("exact", "One leader, exact", "rr", leaders=1),
            _line("measured", "One leader, played", "played", leaders=1, error=True, hollow=True),
            _line("exact", "Two leaders, exact", "rr-race", leaders=2),
        ),
        ("targets", "{} organisations"),
    ),
    "proposition-16": Chart(
        "horizon", "Audits", "Leak without other reports",
        (
            _line("exact", "Exact", "rr-horizon-free", streams="silent"),
            _line("race", "Race bound (ours)", "rr-race", streams="silent"),
            _line("delta", "Proposition 16", "bound", streams="silent"),
        ),
        ("targets", "{} organisations"), "log",
    ),
    "theorem-1": Chart(
        "prior", "Suspicion beforehand", "Added chance of a right guess",
        (
            _line("bound", "Theorem 1", "bound"),
            _line("exact", "Best attack on the noisy counts", "tca"),
            _line("measured", "The same, played", "played", error=True, hollow=True),
        ),
        ("delta", "delta {}"),
    ),
    "theorem-2": Chart(
        "delta", "Deniability budget (delta)", "Chance to miss a single leader",
        (
            _line("uniform", "Draw lots", "uniform"),
            _line("error_paper_experiments", "Set by Proposition 14", "rr"),
            _line("error_horizon_free", "Set by Proposition 16", "rr-horizon-free"),
            _line("error_race", "Set by the race bound (ours)", "rr-race"),
            _line("floor", "Theorem 2", "bound"),
        ),
        ("targets", "{} organisations"),
    ),
    "theorem-6": Chart(
        "bound", "Mean of the bound given the history", "Chance to miss",
        (
            _line("bound", "Theorem 6", "bound"),
            _line("exact", "Exact given the history", "exact"),
            _line("measured", "Share of misses", "played", error=True, hollow=True),
        ),
        ("delta", "delta {}"),
    ),
    "remark-age-and-horizon": Chart(
        "gap", "Lead of the most reported, in reports", "Chance to audit another",
        (
            _line("tca_same", "Noise for 100 audits", "tca-0.1", delta=0.1),
            _line("tca_apart", "Noise for 1000 audits", "tca-0.05", delta=0.1),
        ),
        ("targets", "{} organisations"), "symlog",
    ),
    "remark-noise-of-the-count": Chart(
        "targets", "Organisations", "Lead at which half the audits miss",
        (
            _line("half_lead", "Exact", "exact"),
            _line("with_sigma", "sigma sqrt(2 ln C)", "tca-0.2"),
            _line("with_count_sd", "sigma M sqrt(2 ln C)", "tca-0.05"),
        ),
        ("run_length", "{} steps"), "log",
    ),
    "remark-past-noise": Chart(
        "gap", "Lead of the most reported, in reports", "Chance to audit another",
        (
            _line("exact", "Exact", "tca"),
            _line("without_past_noise", "Theorem 6 without past noise", "greedy"),
            _line("with_all_noise", "Union bound over all noise (ours)", "bound"),
        ),
        ("run_length", "{} steps"), "symlog",
    ),
    "remark-two-bounds": Chart(
        "horizon", "Audits", "Leak (total variation)",
        (
            _line("proposition_14", "Proposition 14", "rr"),
            _line("proposition_16", "Proposition 16", "rr-horizon-free"),
            _line("race", "Race bound (ours)", "rr-race"),
            _line("exact", "Exact", "exact"),
        ),
        None, "log",
    ),
    "remark-more-organisations": Chart(
        "gap", "Lead of the most reported, in reports", "Gain on randomised response",
        (
            _line("gain", "5 organisations", "tca-0.1", targets=5),
            _line("gain", "20 organisations", "rr", targets=20),
            _line("gain", "50 organisations", "greedy", targets=50),
            _line("gain", "200 organisations", "rota", targets=200),
        ),
        ("run_length", "{} steps"), "symlog",
    ),
    "remark-coin-calibrations": Chart(
        "targets", "Organisations", "Share of audits that follow the reports",
        (
            _line("follows", "Set by Proposition 14", "rr", rule="paper-experiments"),
            _line("follows", "Set by Proposition 16", "rr-horizon-free", rule="horizon-free"),
            _line("follows", "Set by the race bound (ours)", "rr-race", rule="race"),
        ),
        None, "log", "log",
    ),
}  # fmt: skip


def draw(item: Item, columns: Mapping[str, NDArray]) -> str:
    """The item's chart as SVG text: words stay words, ink follows the page, no date; the same bytes every time.

    The root has role="img" with a title and a description for screen readers.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    chart = CHARTS[item.id]
    panels = _get_panels(chart, columns)
    with LOCK, rc_context(_settings()):
        figure = Figure(figsize=(max(6.4, 3.2 * len(panels)), 4.8), layout="constrained")
        axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axis, panel in zip(axes, panels, strict=True):
            _draw_panel(axis, chart, columns, panel)
        axes[0].set_ylabel(chart.y_label)
        figure.supxlabel(chart.x_label, fontsize=10)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=min(len(labels), max(2, len(panels))))
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    return _finish(item, file.getvalue())


@cache
def _settings() -> Any:
    from matplotlib import rcParamsDefault

    # a person's own matplotlibrc must not change the file; the backend is nobody's business here
    return {name: value for name, value in rcParamsDefault.items() if not name.startswith("backend")} | SETTINGS


def _get_rows(chart: Chart, line: Line, columns: Mapping[str, NDArray], panel: Any) -> NDArray[np.intp]:
    """Rows of one line in one panel, from left to right."""
    chosen = np.isfinite(columns[line.column])
    if chart.panels is not None:
        chosen &= columns[chart.panels[0]] == panel
    for name, value in line.only.items():
        chosen &= columns[name] == value
    rows = np.flatnonzero(chosen)
    return rows[np.argsort(columns[chart.x][rows], kind="stable")]


def _get_panels(chart: Chart, columns: Mapping[str, NDArray]) -> list[Any]:
    """Values that each get a panel: those with more than one point to draw."""
    if chart.panels is None:
        return [None]
    values = np.unique(columns[chart.panels[0]])
    return [v for v in values if any(len(_get_rows(chart, line, columns, v)) > 1 for line in chart.lines)]


def _draw_panel(axis: Any, chart: Chart, columns: Mapping[str, NDArray], panel: Any) -> None:
    drawn: list[float] = []
    for number, line in enumerate(chart.lines):
        rows = _get_rows(chart, line, columns, panel)
        x, y = columns[chart.x][rows], columns[line.column][rows]
        drawn += x.tolist()
        mark = MARKS[line.mark]
        style = {
            "color": mark.color, "label": line.label, "marker": mark.shape,
            "markerfacecolor": "none" if line.hollow else mark.color,
            "markevery": (15 * number, 100) if line.thin else None,
        }  # fmt: skip
        if line.error:
            axis.errorbar(
                x, y, 2.0 * columns[f"{line.column}_se"][rows], linestyle="none", capsize=3, zorder=4, **style
            )
        else:
            axis.plot(x, y, linestyle=mark.line, linewidth=1.0 if line.thin else None, **style)
    _scale(axis, chart, sorted(set(drawn)))
    if chart.panels is not None:
        axis.set_title(chart.panels[1].format(f"{panel:,}" if isinstance(panel, np.integer) else panel), fontsize=10)
    axis.grid(alpha=0.25, color=INK, linewidth=0.6)


def _scale(axis: Any, chart: Chart, values: list[float]) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    few = FixedLocator(values if len(values) < 7 else values[::2])
    apart = min((b - a for a, b in pairwise(values)), default=1.0) > 0.1 * (values[-1] - values[0])
    if chart.x_scale != "linear":
        axis.set_xscale(chart.x_scale, **({"linthresh": 1, "linscale": 0.4} if chart.x_scale == "symlog" else {}))
        axis.xaxis.set_major_locator(few)
        axis.xaxis.set_minor_locator(NullLocator())
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    else:
        axis.xaxis.set_major_locator(few if apart else MaxNLocator(4))
    if chart.y_scale == "log":
        axis.set_yscale("log")


def _finish(item: Item, svg: str) -> str:
    """The drawing alone, ready to be put into a page: ink that follows the page, words for screen readers."""
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.S)
    name = f"{item.id}-title {item.id}-description"
    svg = svg.replace("<svg ", f'<svg role="img" aria-labelledby="{name}" color="#1c2733" ', 1)
    end = svg.index(">") + 1
    words = f'\n <title id="{item.id}-title">{escape(item.title)}</title>'
    words += f'\n <desc id="{item.id}-description">{escape(item.shows)}</desc>'
    return svg[:end] + words + svg[end:]
