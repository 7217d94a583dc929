"""The same delta, kept to the letter only: publish each report with probability delta."""

from __future__ import annotations

import streamlit as st

from core.calibration import get_mu
from core.deniability import get_outright_posterior, get_tpr_gaussian
from core.parameters import Parameters
from ui.charts import fading as charts
from ui.controls import control, more_settings
from ui.fading import work
from ui.fading.names import Dot
from ui.frame import chart, how_computed, sentence, what_to_notice
from ui.words import _, number, percent

CELLS = 600_000
RARE = 0.001


def show(p: Parameters) -> None:
    """Who is given away, and how well the auditor does."""
    size = work.get_size(p, CELLS)
    mu = get_mu(p.delta)
    left, right = st.columns([3, 2], gap="large")
    picture, words = left.container(), right.container()
    status, second = right.empty(), right.container()
    for column, name in zip(st.columns(3, gap="large"), ("delta", "lead_rate", "other_rate"), strict=True):
        with column:
            control(name)
    more_settings(("targets", "horizon", "stream", "runs"))
    with picture:
        chart(
            charts.detections(p.delta, mu),
            key="fading-outright",
            alt=_("Reporters found against false alarms: publishing outright against the fading tally."),
            table=lambda: charts.table_of_detections(p.delta, mu),
            name="outright-against-noise",
            axes=_(
                "Across: how often somebody who did not report is accused. Up: how often somebody who did is. Both "
                "rules keep to the dotted limit."
            ),
        )
    dots = work.compare(("outright", "fading", "tca", "rota"), p, size, status)
    with words:
        sentence(
            _(
                "A rule that publishes each report with probability {delta} keeps the letter of delta, and **gives "
                "away {share} of all reporters for certain**. The fading tally, at one false alarm in 1,000, lets "
                "at most **{found}** be found."
            ).format(
                delta=number(p.delta),
                share=percent(p.delta),
                found=percent(float(get_tpr_gaussian(RARE, mu))),
            ),
            key="fading",
        )
    with second:
        chart(
            charts.dots(dots, _("missed reports a step")),
            key="fading-outright-means",
            alt=_("Missed reports a step of publishing outright and three others, with 95% intervals."),
            table=lambda: charts.table_of_dots(dots, _("missed reports a step")),
            name="outright-missed",
            axes=_("Across: missed reports a step, with 95% intervals."),
        )
        st.markdown(judge(dots))
        st.caption(work.tell_size(p, size))
    what_to_notice(
        [
            _("The bare delta allows either a little doubt about everybody or certainty about a few."),
            _("Noise on counts never gives certainty: that is more than delta alone says."),
            _("When you choose a rule, ask for the whole curve, not for delta only."),
        ]
    )
    prior = 1.0 / p.people
    how_computed(
        _(
            "A published report is certain, an unpublished one changes nothing: total variation delta, for ever. "
            "Detections $\\delta + (1-\\delta)\\,$FPR against $\\Phi(\\Phi^{{-1}}(\\mathrm{{FPR}}) + \\mu)$ with "
            "$\\mu$ = {mu}. Whoever is not published is less suspect than before: {after} instead of {before} among "
            "{people} people. The auditor reads what is published with the filters of the fading tally (ours)."
        ).format(
            mu=number(mu),
            after=percent(get_outright_posterior(prior, p.delta)),
            before=percent(prior),
            people=number(p.people),
        ),
        "python -m core league --setting sparse",
    )


def judge(dots: list[Dot]) -> str:
    """Whether giving reporters away would even help the auditor."""
    found = {dot.rule: dot for dot in dots}
    gap = found["outright"].value - found["fading"].value
    room = found["outright"].margin + found["fading"].margin
    if gap < -room:
        return _("The auditor even misses fewer reports with it: usefulness alone is no reason to trust a rule.")
    if gap > room:
        return _("It does not even help the auditor here: the fading tally misses fewer.")
    return _("The auditor misses about as much with it as with the fading tally.")
