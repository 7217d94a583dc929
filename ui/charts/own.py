"""Figure of the page Own data: reports by organisation and period."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.intake.tables import ReportTable
from ui.charts.longrun import FONT, separators
from ui.marks import MARKS
from ui.words import _, number

MOST_COLUMNS, MOST_ROWS = 240, 30
LONGEST = 20


def get_width(table: ReportTable) -> int:
    """Periods in one cell of the picture."""
    return -(-len(table.steps) // MOST_COLUMNS)


def get_cells(table: ReportTable) -> NDArray[np.int64]:
    """What is drawn: reports of the first organisations, (rows, columns)."""
    width, counts = get_width(table), table.counts[:, :MOST_ROWS]
    starts = np.arange(0, len(counts), width)
    return np.add.reduceat(counts, starts, axis=0).T


def shorten(name: str) -> str:
    """A name that fits beside a row: its middle is left out, since names often begin alike."""
    if len(name) > LONGEST:
        name = f"{name[: LONGEST // 2]}…{name[1 - LONGEST // 2 :]}"
    return escape(name)


def strip(table: ReportTable, report: tuple[int, int] | None = None) -> go.Figure:
    """Reports by organisation (up, the first on top) and period (across), `report` (step, target) marked."""
    cells, width = get_cells(table), get_width(table)
    rows, columns = cells.shape
    starts = np.arange(columns) * width
    labels = np.array([table.steps[start] for start in starts])
    at = starts + (width + 1) / 2
    ticks = np.unique(np.linspace(0, columns - 1, min(columns, 3)).round().astype(int))
    dark = MARKS["tca"].color
    traces: list[go.Heatmap | go.Scatter] = [
        go.Heatmap(
            z=cells, x=at, y=np.arange(rows), customdata=np.broadcast_to(labels, cells.shape), zmin=0,
            zmax=max(1, int(cells.max(initial=0))), xgap=1 if columns <= 120 else 0, ygap=1,
            text=[[escape(name)] * columns for name in table.targets[:rows]],
            hovertemplate="%{text}<br>%{customdata}: %{z:,}<extra></extra>",
            colorscale=[[0.0, "rgba(128,128,128,0.10)"], [0.001, "rgba(86,180,233,0.25)"], [1.0, dark]],
            showscale=False,
        )
    ]  # fmt: skip
    if report and report[1] < rows:
        traces.append(
            go.Scatter(
                x=[at[(report[0] - 1) // width]],
                y=[report[1]],
                mode="markers",
                showlegend=False,
                hoverinfo="skip",
                marker={"symbol": "circle-open", "size": 16, "color": MARKS["greedy"].color, "line": {"width": 3}},
            )
        )
    return go.Figure(
        traces,
        {
            "height": max(260, 80 + 24 * rows), "font": FONT, "margin": {"l": 8, "r": 44, "t": 8, "b": 8},
            "separators": separators(),
            "xaxis": {
                "tickvals": at[ticks], "ticktext": labels[ticks], "tickfont": FONT, "automargin": True,
                "showgrid": False, "zeroline": False,
            },
            "yaxis": {
                "tickvals": np.arange(rows), "ticktext": [shorten(name) for name in table.targets[:rows]],
                "tickfont": FONT, "automargin": True, "autorange": "reversed", "showgrid": False, "zeroline": False,
            },
        },
    )  # fmt: skip


def told(table: ReportTable) -> str:
    """How dark is how many, and what the picture leaves out."""
    parts = [_("Strongest: {most} reports.").format(most=number(int(get_cells(table).max(initial=0))))]
    if (width := get_width(table)) > 1:
        parts.append(_("Each cell adds up {width} periods.").format(width=number(width)))
    if len(table.targets) > MOST_ROWS:
        parts.append(_("Drawn are the first {rows} organisations.").format(rows=number(MOST_ROWS)))
    return " ".join(parts)


def table_of_strip(table: ReportTable) -> pd.DataFrame:
    """A row per cell of the picture with reports."""
    cells, width = get_cells(table), get_width(table)
    targets, columns = np.nonzero(cells)
    return pd.DataFrame(
        {
            _("period from"): [table.steps[column * width] for column in columns],
            _("name"): [table.targets[target] for target in targets],
            _("number of reports"): cells[targets, columns],
        }
    )
