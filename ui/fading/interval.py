"""The maximum audit interval W as a duty: what it promises, what it gains, whether it was kept."""

from __future__ import annotations

import streamlit as st

from core.calibration import get_noise_scale
from core.counters import get_sensitivity
from core.intervals import Interval, get_intervals
from core.parameters import Parameters
from ui.charts import fading as charts
from ui.controls import control, more_settings, whole
from ui.fading import work
from ui.frame import chart, how_computed, sentence, what_to_notice
from ui.frames import Z95
from ui.words import _, number

CELLS = 600_000


def show(p: Parameters) -> None:
    """The sweep over W and the waits seen."""
    size = work.get_size(p, CELLS)
    left, right = st.columns([3, 2], gap="large")
    status, picture, words, second = left.empty(), left.container(), right.container(), right.container()
    one, two, three = st.columns(3, gap="large")
    with one:
        most = max(p.targets, p.horizon - 1)
        chosen = whole("fading_w", _("Longest time between two audits (W)"), min(2 * p.targets, most), p.targets, most)
    with two:
        control("delta")
    with three:
        control("targets")
    more_settings(("lead_rate", "other_rate", "horizon", "stream", "runs"))
    asked = get_intervals(p.targets, p.horizon)
    asked = [*sorted({w for w in asked if w is not None} | {chosen}), None]

    def tell(done: float) -> None:
        status.progress(
            min(1.0, done), _("Simulating the noisy tally under {count} deadlines").format(count=len(asked))
        )

    found = work.get_intervals(p, asked, size, tell)
    status.empty()
    with picture:
        chart(
            charts.sweep(found, chosen, p.horizon),
            key="fading-intervals",
            alt=_("Missed reports a step of the noisy tally against the longest time between two audits."),
            table=lambda: charts.table_of_sweep(found),
            name="deadlines",
            axes=_(
                "Across: longest time between two audits of one organisation. Up: missed reports a step with 95% "
                "intervals. Dotted: your choice. The single point is the noisy tally without deadlines."
            ),
        )
    with second:
        chart(
            charts.waits(found, p.horizon),
            key="fading-waits",
            alt=_("Longest time seen between two audits against the longest allowed."),
            table=lambda: charts.table_of_sweep(found),
            name="longest-waits",
            axes=_("Up: the longest time in any run that one organisation was left alone."),
        )
    free = next(row for row in found if row.interval is None)
    mine = next(row for row in found if row.interval == chosen)
    with words:
        sentence(headline(mine, free, chosen), key="fading")
        st.caption(work.tell_size(p, size))
    what_to_notice(
        [
            _(
                "Every organisation is audited at least once in W steps: a duty many regulators have. It needs W at "
                "least as large as the number of organisations; W = C is a fixed rota."
            ),
            _(
                "No count grows older than W, so less noise suffices, and the promise holds for ever instead of for T "
                "audits."
            ),
            _(
                "Shorter deadlines can be better still, but not where every organisation has a rate of its own. In the "
                "seven settings of the league W = 2C never misses more than no deadline at all."
            ),
        ]
    )
    w = chosen
    how_computed(
        _(
            "First deadlines are staggered: organisation c by step W − C + c, counted from 0; later ones W steps after "
            "the last audit. Whoever is due is audited, else the largest noisy count. Noise from the sensitivity "
            "$M_W$ instead of $M_T$:"
        )
        + rf" $$M_{{W}} = {get_sensitivity(w):.4g},\quad M_{{T}} = {get_sensitivity(p.horizon):.4g},\qquad"
        rf"\sigma = M_W/\mu = {get_noise_scale(p.delta, w):.4g}$$",
        work.command("tca-interval", p, size, f" --interval {w}"),
    )


def headline(mine: Interval, free: Interval, chosen: int) -> str:
    """What the deadline gains, and whether it was kept."""
    return _(
        "With a deadline of **{w}** steps the noisy tally misses **{mine} ± {mine_margin}** reports a step, without "
        "one **{free} ± {free_margin}**. Nobody was left alone longer than **{longest}** steps; without a deadline "
        "somebody waited {free_longest}."
    ).format(
        w=number(chosen),
        mine=number(mine.mean_deficit),
        mine_margin=number(Z95 * mine.error, 2),
        free=number(free.mean_deficit),
        free_margin=number(Z95 * free.error, 2),
        longest=number(mine.longest),
        free_longest=number(free.longest),
    )
