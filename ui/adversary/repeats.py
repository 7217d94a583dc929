"""Repeat reports: how the promise fades for a person who reports again and again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core import calibration, deniability
from core.attacks import Measured
from core.parameters import Parameters
from ui import frame
from ui.adversary import measured
from ui.adversary.measured import Bar, get_right
from ui.charts import attacks as charts
from ui.controls import choice, whole
from ui.frames import Array
from ui.words import _, number, percent

LARGEST_K = 30


@st.cache_data(max_entries=32, show_spinner=False)
def repeat_bounds(delta: float, horizon: int, step: int) -> dict[str, Array]:
    """What k = 1 .. 30 reports by one person can leak at most, by how they are filed."""
    counts = range(1, LARGEST_K + 1)
    sigma = calibration.get_noise_scale(delta, horizon)
    spread = [deniability.get_known_steps_mu(spread_steps(k, step, horizon), horizon, sigma) for k in counts]
    return {
        "any": np.array([deniability.get_composed_delta(delta, k) for k in counts]),
        "same": np.array([deniability.get_k_reports_delta(delta, k) for k in counts]),
        "different": np.array([deniability.get_k_reports_delta(delta, k, same_target=False) for k in counts]),
        "spread": np.array([calibration.get_delta(mu) for mu in spread]),
    }


def spread_steps(k: int, step: int, horizon: int) -> list[int]:
    """Steps (from 1) of `k` reports spread evenly from `step` to the last audit."""
    return np.linspace(step, horizon, k + 1)[:-1].round().astype(int).tolist()


def several_reports(p: Parameters, quiet: bool, step: int, target: int, pairs: int) -> None:
    """How the promise fades for a person who reports again and again."""
    st.header(_("And if you report more than once?"), anchor=False)
    words, status, picture = st.container(), st.empty(), st.empty()
    left, right = st.columns(2)
    with left:
        k = whole("k", _("Reports by one person"), 3, 1, LARGEST_K)
    with right:
        way = choice(
            "way", _("How they are filed"),
            {
                "same": _("one organisation, one day"),
                "spread": _("one organisation, spread"),
                "different": _("different organisations"),
            },
            "same",
        )  # fmt: skip
    bounds = repeat_bounds(p.delta, p.horizon, step)
    bar = Bar(status, 1, pairs, p)
    if way == "same":
        result = measured.get_timing("tca", p, quiet, step, target, pairs, k, bar.job("tca")).best
    else:
        filed = (
            [(at, target) for at in spread_steps(k, step, p.horizon)]
            if way == "spread"
            else [(step, (target + i) % p.targets) for i in range(min(k, p.targets))]
        )
        result = measured.get_repeats("tca", p, quiet, filed, pairs, bar.job("tca"))
    bar.close()
    limit = float(bounds[way][k - 1])
    with words:
        st.markdown(_many(p, k, limit, result))
    with picture.container():
        frame.chart(
            charts.repeats(
                np.arange(1, LARGEST_K + 1), bounds["any"], bounds["same"], bounds["different"], bounds["spread"],
                result, k,
            ),
            key="attack-repeats",
            alt=_("Largest advantage against the number of reports by one person, by how they are filed."),
            table=lambda: pd.DataFrame({"reports": np.arange(1, LARGEST_K + 1), **bounds}),
            name="repeat-reports",
            axes=_(
                "Across: reports by one person. Up: the largest advantage of anyone who watches all audits. Star: "
                "measured at your choice, with its 95% interval."
            ),
        )  # fmt: skip
    st.markdown(_which(p, k, way, step))


def _many(p: Parameters, k: int, limit: float, result: Measured) -> str:
    return _(
        "The budget is for one report. {k} reports by one person: a guess about that person is right at most "
        "**{limit}** of the time instead of {even} (noisy tally). The attack we tried: {right} (advantage {advantage}, "
        "95% interval {low} to {high})."
    ).format(
        k=number(k),
        limit=get_right(limit),
        even=percent(0.5),
        right=get_right(result.advantage),
        advantage=number(result.advantage),
        low=number(result.low),
        high=number(result.high),
    )


def _which(p: Parameters, k: int, way: str, step: int) -> str:
    """Which bound applies to the way the reports are filed."""
    text = {
        "same": _(
            "**Which bound applies?** Reports about one organisation add up in one count. For the noisy tally the "
            "circles hold, on whatever days they are filed."
        ),
        "spread": _(
            "**Which bound applies?** The days are known here: {days}. Then the triangles hold for the noisy tally. "
            "Where the days are not known beforehand, the circles do."
        ),
        "different": _(
            "**Which bound applies?** Each report goes into another count with noise of its own. For the noisy tally "
            "the diamonds hold: ten reports cost little more than three times as much as one."
        ),
    }[way]
    steps = spread_steps(k, step, p.horizon)
    days = ", ".join(number(at) for at in steps[:6]) + (" …" if len(steps) > 6 else "")
    lines = [text.format(days=days), _("For any other auditor with this delta only k times delta is known (dashed).")]
    lines.append(_("For the fading tally alone the circles and the diamonds hold as well."))
    if way == "different" and k > p.targets:
        lines.append(_("There are only {targets} organisations: no more were tried.").format(targets=number(p.targets)))
    return " ".join(lines)
