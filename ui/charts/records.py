"""Picture of the page Audit records: what the noisy tally saw at one step."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ui.marks import MARKS
from ui.records import Inside
from ui.words import _, number


def order(inside: Inside, step: int, by: str) -> np.ndarray:
    """Targets in the order drawn: by `number`, or by `open` reports, most first."""
    active = inside.active[step - 1]
    return np.argsort(-active, kind="stable") if by == "open" else np.arange(len(active))


def seen(inside: Inside, step: int, by: str) -> go.Figure:
    """True and noisy counts of all organisations at `step` (from 1); the axis of counts holds for all steps."""
    targets = order(inside, step, by)
    active, noisy = inside.active[step - 1][targets], inside.noisy[step - 1][targets]
    place = np.arange(1, len(targets) + 1)
    audited = int(np.flatnonzero(targets == inside.audits[step - 1])[0])
    leader = int(np.flatnonzero(targets == inside.leader[step - 1])[0])
    blue, grey = MARKS["tca"].color, MARKS["uniform"].color
    label = [_("no. {number}").format(number=number(int(target) + 1)) for target in targets]
    stems = np.stack([active, noisy, np.full(len(targets), np.nan)], axis=1).ravel()
    size = 9 if len(targets) <= 60 else 6
    low, high = inside.span
    margin = 0.08 * (high - low) or 1.0
    traces = [
        go.Scatter(
            x=np.repeat(place, 3), y=stems, mode="lines", name=_("noise"), line={"color": grey, "width": 1},
            hoverinfo="skip",
        ),
        go.Scatter(
            x=place, y=active, mode="markers", name=_("open reports"), text=label,
            marker={"symbol": "line-ew-open", "size": size + 3, "color": grey, "line": {"width": 3}},
            hovertemplate=_("%{text}: %{y} open reports") + "<extra></extra>",
        ),
        go.Scatter(
            x=place, y=noisy, mode="markers", name=_("noisy count, which the auditor sees"), text=label,
            marker={"symbol": "circle-open", "size": size, "color": blue, "line": {"width": 1.5}},
            hovertemplate=_("%{text}: noisy count %{y:.3g}") + "<extra></extra>",
        ),
        go.Scatter(
            x=place[[audited]], y=noisy[[audited]], mode="markers", name=_("audited: the largest noisy count"),
            marker={"symbol": "circle", "size": size + 5, "color": blue}, hoverinfo="skip",
        ),
        go.Scatter(
            x=place[[leader]], y=active[[leader]], mode="markers", name=_("most reported"),
            marker={"symbol": "star", "size": size + 6, "color": MARKS["greedy"].color}, hoverinfo="skip",
        ),
    ]  # fmt: skip
    title = _("Organisation") if by == "number" else _("Organisations, the most reported first")
    return go.Figure(
        traces,
        {
            "xaxis": {"title": {"text": title}, "range": [0, len(targets) + 1]},
            "yaxis": {"title": {"text": _("Reports")}, "range": [low - margin, high + margin]},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "margin": {"t": 10, "r": 10},
            "height": 420,
        },
    )


def seen_table(inside: Inside, step: int) -> pd.DataFrame:
    """A row per organisation: open reports, noisy count, audited, most reported; no. 1 is the terminal's target 0."""
    t = step - 1
    targets = np.arange(inside.active.shape[1])
    return pd.DataFrame(
        {
            "organisation": targets + 1,
            "open_reports": inside.active[t],
            "noisy_count": inside.noisy[t],
            "audited": targets == inside.audits[t],
            "most_reported": inside.active[t] == inside.active[t].max(),
        }
    )
