"""Figures and tables of the page Counter lab: arrays in, one Plotly figure out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.counters import Array
from ui.charts.longrun import FONT, separators
from ui.counters.names import LOOKS, OWN, get_full, get_plain, get_short
from ui.counters.work import HORIZONS, Row
from ui.frames import Z95
from ui.words import _, number, percent

POINTS = 240
"""Ages drawn of one counter, evenly spaced on the logarithmic axis."""
_LABEL = 20
"""Pixels between two names beside the lines."""
_LEAST, _MOST = 1e-3, 1e6


def get_drawn(length: int) -> np.ndarray:
    """Indices of the ages to draw: all of a short horizon, else thinned, with the first and the last."""
    return np.unique(np.geomspace(1, length, POINTS).round().astype(int)) - 1


def _ticks(low: float, high: float, most: float) -> list[float]:
    """1, 10, 100, ... within the range; 2 and 5 as well where the range is below `most`."""
    tens = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1,) if high / low >= most else (1, 2, 5)
    return [s * 10.0**k for k in tens for s in steps if low * 0.999 <= s * 10.0**k <= high * 1.001]


def _range(values: Array) -> tuple[float, float]:
    """A range of whole steps 1, 2, 5, 10, so that an axis seldom moves while a slider does."""
    steps = np.array([s * 10.0**k for k in range(-3, 7) for s in (1, 2, 5)])
    low, high = np.clip([values.min() * 0.98, values.max() * 1.02], _LEAST, _MOST)
    return float(steps[steps <= low][-1]), float(steps[min(np.searchsorted(steps, high), len(steps) - 1)])


def _axis(title: str, low: float, high: float, most: float) -> dict:
    ticks = _ticks(low, high, most)
    return {
        "type": "log", "range": [math.log10(low), math.log10(high)], "tickvals": ticks,
        "ticktext": [number(tick if tick < 1 else int(tick)) for tick in ticks],
        "title": {"text": title, "font": FONT}, "tickfont": FONT, "tickangle": 0, "automargin": True, "zeroline": False,
    }  # fmt: skip


def _labels(ends: Mapping[str, float], names: Mapping[str, str], low: float, high: float, height: int) -> list[dict]:
    """A name right of the end of each line, pushed apart where lines end together."""
    scale = height / math.log(high / low)
    kinds = sorted(ends, key=lambda kind: ends[kind])
    wanted = [math.log(max(ends[kind], low) / low) * scale for kind in kinds]
    placed: list[float] = []
    for place in wanted:
        placed.append(max(place, placed[-1] + _LABEL) if placed else place)
    # lines that end together keep their names around the end, not all above it
    shift = float(np.mean(np.array(placed) - wanted)) if placed else 0.0
    top = height - 6
    placed = [place - shift for place in placed]
    for i in range(len(placed) - 1, -1, -1):
        placed[i] = min(placed[i], top - _LABEL * (len(placed) - 1 - i))
    return [
        {
            "x": 1, "xref": "paper", "y": place / height, "yref": "paper", "xanchor": "left", "yanchor": "middle",
            "xshift": 8, "showarrow": False, "font": FONT, "align": "left",
            "text": f'<span style="color:{LOOKS[kind].color}">{LOOKS[kind].glyph}</span> {names[kind]}',
        }
        for kind, place in zip(kinds, placed, strict=True)
    ]  # fmt: skip


def _curves(
    x: Mapping[str, Array], y: Mapping[str, Array], names: Mapping[str, str], titles: tuple[str, str], height: int
) -> go.Figure:
    traces = [
        go.Scatter(
            x=x[kind], y=values.astype(np.float32), name=names[kind], mode="lines+markers",
            line={"color": LOOKS[kind].color, "dash": LOOKS[kind].dash, "width": 2},
            marker={"symbol": LOOKS[kind].symbol, "size": 9, "color": LOOKS[kind].color, "maxdisplayed": 8},
            hovertemplate=f"{names[kind]}: %{{y:.3~g}}<extra></extra>",
        )
        for kind, values in y.items()
    ]  # fmt: skip
    low, high = _range(np.concatenate(list(y.values())))
    last = float(max(max(values[-1] for values in x.values()), 2.0))
    layout = {
        "height": height, "font": FONT, "hovermode": "x", "showlegend": False, "separators": separators(),
        "margin": {"l": 8, "r": 12 + round(8.2 * max(len(name) + 3 for name in names.values())), "t": 12, "b": 8},
        "xaxis": _axis(titles[0], 0.9, last * 1.02, 60), "yaxis": _axis(titles[1], low, high, 3_000),
        "annotations": _labels({kind: float(v[-1]) for kind, v in y.items()}, names, low, high, height - 76),
    }  # fmt: skip
    return go.Figure(traces, layout)


def _names(rows: Sequence[Row]) -> dict[str, str]:
    return {row.kind: get_name(row) for row in rows}


def get_name(row: Row) -> str:
    """The short name of a counter; a reader's own goes by the name of its class."""
    own = row.profile.name
    return (own if len(own) <= 16 else own[:15] + "…") if row.kind == OWN else get_short(row.kind)


def noise(rows: Sequence[Row]) -> go.Figure:
    """Standard deviation of the noise on a count at every age, one line a counter."""
    at = get_drawn(len(rows[0].sd))
    x = {row.kind: at + 1 for row in rows}
    y = {row.kind: row.sd[at] for row in rows}
    return _curves(x, y, _names(rows), (_("steps since the last audit (age)"), _("noise, in reports")), 400)


def growth(found: Mapping[str, Array]) -> go.Figure:
    """Largest noise on a count against the number of audits covered, one line a counter."""
    x = {kind: np.array(HORIZONS) for kind in found}
    names = {kind: get_short(kind) for kind in found}
    titles = (_("number of audits covered (T)"), _("largest noise, in reports"))
    return _curves(x, found, names, titles, 380)


def correlations(maps: Mapping[str, Array]) -> go.Figure:
    """How alike the noise on one count is at every two ages: one square a counter, two beside each other."""
    across = min(2, len(maps))
    down = math.ceil(len(maps) / across)
    traces, notes, axes = [], [], {}
    for i, (kind, values) in enumerate(maps.items()):
        column, line = i % across, i // across
        suffix = "" if i == 0 else str(i + 1)
        ages = np.arange(1, len(values) + 1)
        traces.append(
            go.Heatmap(
                x=ages, y=ages, z=values.astype(np.float32), zmin=0, zmax=1, xaxis=f"x{suffix}", yaxis=f"y{suffix}",
                colorscale=[[0, "rgba(47,131,197,0)"], [1, "rgba(47,131,197,1)"]], showscale=i == 0,
                colorbar={"tickfont": FONT, "thickness": 12, "tickformat": ".1f"},
                hovertemplate=f"{get_short(kind)}: %{{x}}, %{{y}}: %{{z:.2f}}<extra></extra>",
            )
        )  # fmt: skip
        left, right = column / across + 0.03 * column, (column + 1) / across - 0.05 * (across - 1 - column)
        top = 1 - line / down
        bottom = 1 - (line + 1) / down
        height = top - bottom
        axes[f"xaxis{suffix}"] = {
            "domain": [left, right], "anchor": f"y{suffix}", "tickvals": [1, len(values) // 2, len(values)],
            "tickfont": FONT, "showgrid": False, "constrain": "domain",
        }  # fmt: skip
        axes[f"yaxis{suffix}"] = {
            "domain": [bottom + 0.09 * height, top - 0.16 * height], "anchor": f"x{suffix}", "tickfont": FONT,
            "tickvals": [1, len(values) // 2, len(values)], "showgrid": False, "autorange": "reversed",
            "showticklabels": column == 0,
        }  # fmt: skip
        notes.append(
            {
                "x": left, "y": top - 0.14 * height, "xref": "paper", "yref": "paper", "xanchor": "left",
                "yanchor": "bottom", "showarrow": False, "font": FONT,
                "text": f'<span style="color:{LOOKS[kind].color}">{LOOKS[kind].glyph}</span> {get_short(kind)}',
            }
        )  # fmt: skip
    layout = {
        "height": 40 + 230 * down, "font": FONT, "margin": {"l": 8, "r": 8, "t": 4, "b": 8}, "annotations": notes,
        "separators": separators(),
    }  # fmt: skip
    return go.Figure(traces, {**layout, **axes})


# --- tables ----------------------------------------------------------------------------------------------------------
def table_of_noise(rows: Sequence[Row]) -> pd.DataFrame:
    """Standard deviation of the noise at every age, full precision."""
    return pd.DataFrame({_("age"): np.arange(1, len(rows[0].sd) + 1)} | {get_name(row): row.sd for row in rows})


def table_of_growth(found: Mapping[str, Array]) -> pd.DataFrame:
    """Largest noise at each horizon."""
    return pd.DataFrame({_("audits covered"): HORIZONS} | {get_short(kind): v for kind, v in found.items()})


def table_of_correlations(maps: Mapping[str, Array]) -> pd.DataFrame:
    """One row for every two ages, the first at most the second."""
    size = len(next(iter(maps.values())))
    first, second = np.triu_indices(size)
    ages = {_("age"): first + 1, _("other age"): second + 1}
    return pd.DataFrame(ages | {get_short(kind): values[first, second] for kind, values in maps.items()})


def table_of_counters(rows: Sequence[Row]) -> pd.DataFrame:
    """One row a counter, full precision."""
    return pd.DataFrame(
        {
            _("counter"): [get_name(row) for row in rows],
            _("sensitivity"): [row.profile.sensitivity for row in rows],
            _("noise scale"): [row.noise_scale for row in rows],
            _("noise at age T"): [float(row.sd[-1]) for row in rows],
            _("largest noise"): [float(row.sd.max()) for row in rows],
            _("numbers kept"): [row.profile.memory for row in rows],
            _("multiplications a step"): [row.profile.cost for row in rows],
            _("wrong audits at your lead"): [row.misselection for row in rows],
            _("missed reports a step"): [row.missed for row in rows],
            _("standard error"): [row.missed_se for row in rows],
        }
    )


def _title(row: Row, name: Callable[[str], str]) -> str:
    return f"{LOOKS[OWN].glyph} `{get_name(row)}`" if row.kind == OWN else name(row.kind)


def markdown_of_noise(rows: Sequence[Row]) -> str:
    """Sensitivity and noise of all counters; narrow enough for a phone."""
    head = [_("Counter"), _("Sensitivity"), _("Noise scale"), _("Noise at age T"), _("Largest noise")]
    return _markdown(
        head,
        [
            [
                _title(row, get_full), number(row.profile.sensitivity), number(row.noise_scale), number(row.sd[-1]),
                number(row.sd.max()),
            ]
            for row in rows
        ],
    )  # fmt: skip


def markdown_of_use(rows: Sequence[Row], lead: int) -> str:
    """What all counters cost and how well they audit; missed reports are left open until simulated."""
    head = [
        _("Counter"), _("Numbers kept"), _("Multiplications a step"),
        _("Wrong audits at a lead of {lead}").format(lead=number(lead)), _("Missed reports a step"),
    ]  # fmt: skip
    return _markdown(
        head,
        [
            [
                _title(row, get_plain), number(row.profile.memory), number(row.profile.cost), percent(row.misselection),
                "…" if row.by_run is None else f"{number(row.missed)} ± {number(Z95 * row.missed_se, 2)}",
            ]
            for row in rows
        ],
    )  # fmt: skip


def _markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
