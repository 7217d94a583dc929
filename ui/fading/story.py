"""How the fading tally works, step by step, on the scenario of the sliders."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.calibration import get_count_sd, get_mu
from core.counters import Array, get_fast_coefficients, get_sensitivity
from core.fading import get_memory
from core.parameters import Parameters
from core.traces import get_errors_by_age
from ui.charts import fading as charts
from ui.controls import choice, control, more_settings, whole
from ui.fading import work
from ui.fading.names import Dot
from ui.frame import chart, how_computed, sentence, what_to_notice
from ui.words import N_, _, number, percent

STEPS = {
    "restarts": N_("1. Never start anew"),
    "filter": N_("2. Read by filters"),
    "hidden": N_("3. What stays hidden"),
}
LONGEST_PICTURE = 200
WINDOW = 120


def show(p: Parameters) -> None:
    """The answer first, then how."""
    size = work.get_size(p)
    left, right = st.columns([3, 2], gap="large")
    status, picture, words = left.empty(), left.container(), right.container()
    with st.container():
        for column, name in zip(st.columns(3, gap="large"), ("delta", "targets", "lead_rate"), strict=True):
            with column:
                control(name)
        more_settings(("other_rate", "horizon", "stream", "runs"))
    below = st.container()
    dots = work.compare(work.STORY, p, size, status)
    with picture:
        chart(
            charts.dots(dots, _("missed reports a step")),
            key="fading-means",
            alt=_("Missed reports a step of five auditors at the same delta, with 95% intervals."),
            table=lambda: charts.table_of_dots(dots, _("missed reports a step")),
            name="missed-reports-same-delta",
            axes=_("Across: missed reports a step, mean over all steps and runs, with its 95% interval."),
        )
    with words:
        sentence(headline(p, dots), key="fading")
        st.markdown(verdict(p, size))
        work.warn_of_grid(work.get_highest_rate(p))
        st.caption(work.tell_size(p, size))
    with below:
        st.header(_("How does it do that?"), anchor=False)
        steps = {name: _(title) for name, title in STEPS.items()}
        step = choice("fading_step", _("Step of the story"), steps, "restarts")
        {"restarts": _restarts, "filter": _filter, "hidden": _hidden}[step](p)
    _notice(p)
    _method(p, size)


def _pm(dot: Dot) -> str:
    return _("{value} ± {margin}").format(value=number(dot.value), margin=number(dot.margin, 2))


def headline(p: Parameters, dots: list[Dot]) -> str:
    """Who misses how much."""
    if work.get_quiet(p):
        return _("Nobody reports anything here, so there is nothing to miss.")
    found = {dot.rule: dot for dot in dots}
    return _(
        "At the same delta of {delta} the fading tally misses **{fading}** open reports a step, the noisy tally "
        "**{tca}** and with deadlines **{interval}**. A fixed rota misses **{rota}** and lots **{uniform}**; these two "
        "leak nothing."
    ).format(
        delta=number(p.delta),
        fading=_pm(found["fading"]),
        tca=_pm(found["tca"]),
        interval=_pm(found["tca-interval"]),
        rota=_pm(found["rota"]),
        uniform=_pm(found["uniform"]),
    )


def verdict(p: Parameters, size: work.Size) -> str:
    """Better or worse than the noisy tally and the rota, as far as the runs can tell."""
    if work.get_quiet(p):
        return ""
    tally, rota = (work.get_difference("fading", other, p, size) for other in ("tca", "rota"))
    missed = float(work.get_missed("tca", p, size).mean())
    if tally.value < -tally.margin:
        text = _("**It misses {share} fewer reports than the noisy tally**, with the same promise.").format(
            share=percent(-tally.value / missed, 2)
        )
    elif tally.value > tally.margin:
        text = _("**It does worse than the noisy tally here.**")
    else:
        text = _("These runs cannot tell it from the noisy tally.")
    if rota.value > rota.margin:
        text += " " + _("**A fixed rota misses fewer here, and leaks nothing.**")
    return text


# --- step 1 ----------------------------------------------------------------------------------------------------------
def get_spent(p: Parameters) -> float:
    """Share of mu squared that a report of the noisy tally can have spent when its organisation is audited a round
    after it: what the noise is built for, and the restart throws away, is the rest."""
    return (get_sensitivity(min(p.targets, p.horizon)) / get_sensitivity(p.horizon)) ** 2


def _restarts(p: Parameters) -> None:
    with st.spinner(_("Looking into both tallies")):
        fading = work.get_trace("fading", p)
    steps = fading.audits.shape[1]
    longest = max(1, min(2 * p.targets, steps, LONGEST_PICTURE))
    ages = np.arange(1, longest + 1)
    errors: dict[str, Array] = {
        "fading": get_errors_by_age(fading, longest),
        "tca": np.array([get_count_sd(p.delta, p.horizon, int(age)) for age in ages]),
    }
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(
            charts.errors(errors),
            key="fading-errors",
            alt=_("Typical error of both tallies about an organisation, by steps since its last audit."),
            table=lambda: charts.table_of_errors(errors),
            name="error-by-age",
            axes=_(
                "Across: steps since the organisation was audited. Up: standard deviation of the tally's error about "
                "its open reports: the noise on the noisy tally's count, exact, and what was measured for the fading "
                "tally."
            ),
        )
    with right:
        young = errors["fading"][0]
        st.markdown(
            _(
                "One step after an audit hardly any report can be open. The noisy tally starts anew all the same, with "
                "fresh noise of **{tca}** reports, and has forgotten who draws many reports. The fading tally is off "
                "by **{fading}**."
            ).format(tca=number(errors["tca"][0]), fading=number(float(young)))
        )
        st.markdown(
            _(
                "The restart also wastes promise. The noise could hide a report over {horizon} audits, but with the "
                "next audit its traces end: after one round **{spent}** of that (in squared shift) has been used, and "
                "the rest never is."
            ).format(horizon=number(p.horizon), spent=percent(get_spent(p), 2))
        )
        st.markdown(
            _(
                "So the fading tally never restarts: its sum keeps {left} of itself from step to step, as if it "
                "remembered {memory} steps."
            ).format(left=percent(work.get_fading(p).damping, 3), memory=number(get_memory(p.delta, p.targets)))
        )


# --- step 2 ----------------------------------------------------------------------------------------------------------
def _filter(p: Parameters) -> None:
    with st.spinner(_("Looking into both tallies")):
        trace = work.get_trace("fading", p)
    steps = trace.audits.shape[1]
    one, two = st.columns(2, gap="large")
    with one:
        target = whole("fading_about", _("Organisation looked at"), 1, 1, p.targets) - 1
    with two:
        until = whole("fading_until", _("Up to step"), min(steps, 2 * WINDOW), 1, steps)
    first = max(1, until - WINDOW + 1)
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(
            charts.reading(trace, target, first, until),
            key="fading-reading",
            alt=_("Released numbers of one organisation, and below them its open reports, true and estimated."),
            table=lambda: charts.table_of_reading(trace, target),
            name="what-a-filter-reads",
            axes=_(
                "Above: the numbers released about organisation {target}. Below: its true open reports, and the "
                "estimate made from the released numbers alone. Star: audited."
            ).format(target=number(target + 1)),
        )
    with right:
        now = trace.estimate[0, until - 1, target]
        doubt = 0.0 if trace.doubt is None else trace.doubt[0, until - 1, target]
        st.markdown(
            _(
                "At step {step} the tally believes in **{estimate} ± {doubt}** open reports about organisation "
                "{target}. In truth there are **{true}**."
            ).format(
                step=number(until),
                estimate=number(float(now)),
                doubt=number(float(doubt)),
                target=number(target + 1),
                true=number(int(trace.active[0, until - 1, target])),
            )
        )
        error = float(np.sqrt(((trace.estimate - trace.active) ** 2).mean()))
        st.markdown(
            _(
                "{filters} filters read each organisation; each believes in one rate of reports. Those that explain "
                "the released numbers well gain weight. The noise in the upper picture is {noise} reports; the "
                "estimate is typically off by {error}."
            ).format(
                filters=number(work.get_fading(p).grid.points),
                noise=number(work.get_fading(p).noise_scale),
                error=number(error),
            )
        )
        st.markdown(_("Audited is whoever has the largest estimate plus one and a half times its doubt."))


# --- step 3 ----------------------------------------------------------------------------------------------------------
def _hidden(p: Parameters) -> None:
    rule = work.get_fading(p)
    steps = min(p.horizon, max(10, round(4 * get_memory(p.delta, p.targets))), LONGEST_PICTURE)
    tally = get_fast_coefficients(steps) * get_mu(p.delta) / get_sensitivity(p.horizon)
    columns = {"fading": rule.get_column(steps), "tca": tally}
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(
            charts.traces_of_a_report(columns),
            key="fading-report",
            alt=_("What one report does to the released numbers of the steps after it, for both tallies."),
            table=lambda: charts.table_of_a_report(columns),
            name="effect-of-one-report",
            axes=_(
                "Across: steps after the report. Up: by how many standard deviations of the noise it moves what is "
                "released; for the noisy tally as long as its organisation is not audited."
            ),
        )
    with right:
        norm = float(np.linalg.norm(rule.get_column(10 * p.targets + 5000)))
        st.markdown(
            _(
                "**Two lines of proof.** A report adds $1, \\lambda, \\lambda^2$ and so on to the released sums, "
                "whoever is audited. In standard deviations of the noise this curve has length **{norm}**, so nobody "
                "can tell with and without apart by more than delta = **{delta}**."
            ).format(norm=number(norm), delta=number(p.delta))
        )
        st.latex(
            r"\Big(\sum_{k\ge 0}\lambda^{2k}\Big)^{1/2}\frac{1}{\sigma}=\frac{1}{\sigma\sqrt{1-\lambda^2}}=\mu,"
            r"\qquad 2\,\Phi(\mu/2)-1=\delta"
        )
        st.markdown(
            _(
                "Audits are made from the released sums alone: they reveal nothing more. No number of audits enters, "
                "so the promise holds for ever, also if reports react to audits."
            )
        )
        st.markdown(
            _(
                "**What is relaxed.** In the paper an audited report no longer counts (Condition 2). Here the audit is "
                "decided by reports since the last audit, but the estimated rate still remembers older ones."
            )
        )


def _notice(p: Parameters) -> None:
    what_to_notice(
        [
            _("The promise to one reporter is the same, down to the whole curve of false alarms and detections."),
            _("It is better at counting, not quicker to notice a sudden jump: see the view on jumps."),
            _(
                "Among raw counts the paper's counter has the smallest error. With a filter that reads it, it matters "
                "where a counter puts its signal, and a restart throws away what was already paid for."
            ),
        ]
    )


def _method(p: Parameters, size: work.Size) -> None:
    rule, mu = work.get_fading(p), get_mu(p.delta)
    memory = get_memory(p.delta, p.targets)
    lines = [
        _("Released for every organisation at every step (ours; standard normals z):"),
        r"$$s \leftarrow \lambda s + \text{new reports}, \qquad y = s + \sigma z$$",
        rf"$$s_1 = \frac{{1}}{{\mu}} = {1 / mu:.4g}, \quad L = \max(1.2,\ C\,\mathrm{{clip}}(s_1/8, 1/4, 1)) = "
        rf"{memory:.4g}, \quad \lambda = 1 - 1/L = {rule.damping:.4g}, \quad "
        rf"\sigma = \frac{{s_1}}{{\sqrt{{1-\lambda^2}}}} = {rule.noise_scale:.4g}$$",
        _(
            "Read by {filters} Kalman filters at fixed rates from {low} to {high} reports a step, weighted by their "
            "likelihood, with rare jumps of the rate and a prior learnt from all organisations. Nobody waits longer "
            "than {rounds} rounds."
        ).format(
            filters=number(rule.grid.points),
            low=number(rule.grid.lowest),
            high=number(rule.grid.highest),
            rounds=number(3),
        ),
        _("± is half a 95% interval over the runs."),
    ]
    how_computed("\n\n".join(lines), work.command("fading", p, size))
