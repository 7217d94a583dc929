"""Sudden jumps: where the fading tally is no faster, and the variant that reacts to them."""

from __future__ import annotations

import streamlit as st

from core.parameters import Parameters
from core.standings import League, Row
from ui.adversary.switches import switch
from ui.charts import fading as charts
from ui.controls import control, whole
from ui.fading import work
from ui.fading.league import get_stored
from ui.fading.names import get_name
from ui.frame import chart, how_computed, sentence, what_to_notice
from ui.words import _, number

CELLS = 1_000_000
LEAST_STEPS = 200


def show(p: Parameters) -> None:
    """Delay and missed reports where one organisation after another jumps."""
    wanted = work.get_size(p, CELLS)
    size = work.Size(wanted.runs, max(LEAST_STEPS, wanted.horizon))
    left, right = st.columns([3, 2], gap="large")
    status, pictures, words = left.empty(), left.container(), right.container()
    with right:
        alert = switch("fading_alert", _("React to jumps"))
    one, two, three = st.columns(3, gap="large")
    with one:
        factor = whole("fading_jump", _("A jump multiplies the rate by"), 10, 2, 30)
    with two:
        control("delta")
    with three:
        control("targets")
    stream = work.get_jump_stream(p, factor)
    rules = ("fading-alert", "fading", "tca") if alert else ("fading", "tca")
    found = {}
    for i, rule in enumerate(rules):
        status.progress(i / len(rules), _("Simulating: {name}").format(name=get_name(rule)))
        found[rule] = work.get_reaction(rule, p, stream, size)
    status.empty()
    delays, missed = [one.delay for one in found.values()], [one.missed for one in found.values()]
    with pictures:
        chart(
            charts.dots(delays, _("steps to the first audit")),
            key="fading-delay",
            alt=_("Steps from a jump to the first audit of the organisation concerned, with 95% intervals."),
            table=lambda: charts.table_of_dots(delays, _("steps to the first audit")),
            name="delay-after-a-jump",
            axes=_("Across: steps until the organisation that jumped is audited, mean with its 95% interval."),
        )
        chart(
            charts.dots(missed, _("missed reports a step")),
            key="fading-jump-missed",
            alt=_("Missed reports a step where one organisation after another jumps, with 95% intervals."),
            table=lambda: charts.table_of_dots(missed, _("missed reports a step")),
            name="missed-reports-with-jumps",
            axes=_("Across: missed reports a step in the same runs, mean with its 95% interval."),
        )
    with words:
        sentence(headline(found), key="fading")
        work.warn_of_grid(stream.burst_rate)
        st.caption(
            _(
                "Every {period} steps one organisation, by lot, draws {burst} instead of {calm} reports a step, for "
                "{length} steps. {runs} runs of {audits} audits; seed {seed}."
            ).format(
                period=number(2 * stream.length),
                burst=number(stream.burst_rate),
                calm=number(stream.rate),
                length=number(stream.length),
                runs=number(size.runs),
                audits=number(size.horizon),
                seed=p.seed,
            )
        )
    with right:
        st.markdown(limits(get_stored()))
    what_to_notice(
        [
            _("The first audit after a jump and the reports missed are two things. The fading tally gains the second."),
            _(
                "The noisy tally is quick because it adds every report to its score at full weight; it pays with "
                "audits of organisations that only look bad by noise."
            ),
            _("A variant that expects jumps takes chance for a jump now and then: where none come, it misses more."),
        ]
    )
    how_computed(
        _(
            "With the switch on, two damped sums with a short and a long memory are released as one number, scaled so "
            "that one report again shifts it by $\\mu$ in all. The filters expect jumps upwards, as often as they have "
            "seen them in the run (ours). A jump that no audit meets counts up to the next one."
        ),
        "python -m core league --setting jumps",
    )


def headline(found: dict[str, work.Reaction]) -> str:
    """Both numbers of each rule."""
    rows = [
        _(
            "{name}: first audit after **{delay} ± {delay_margin}** steps, **{missed} ± {missed_margin}** missed."
        ).format(
            name=get_name(rule),
            delay=number(one.delay.value),
            delay_margin=number(one.delay.margin, 2),
            missed=number(one.missed.value),
            missed_margin=number(one.missed.margin, 2),
        )
        for rule, one in found.items()
    ]
    return "\n\n".join(rows)


def limits(league: League | None) -> str:
    """What the switch does not give, from the stored league."""
    text = _("The switch costs: it misses somewhat more reports where rates stay the same.")
    if league is None:
        return text

    def get(part: str, measure: str, rule: str) -> Row:
        return next(row for row in league.get(part, measure) if row.rule == rule)

    calm = [get("experiment-2", "missed", rule) for rule in ("fading-alert", "fading")]
    lone = [get("lone-jump", "delay", rule) for rule in ("fading-alert", "fading", "tca")]
    return _(
        "**What the switch costs.** In the paper's experiment 2, without jumps, it misses {alert} ({alert_se}) instead "
        "of {plain} ({plain_se}) reports a step. A lone jump after 500 calm steps it finds after {lone} ({lone_se}) "
        "steps, later than the noisy tally with {fast} ({fast_se}): it has learnt that jumps are rare. The plain "
        "fading tally needs {slow} ({slow_se}). Standard errors in brackets."
    ).format(
        alert=number(calm[0].value),
        alert_se=number(calm[0].error, 1),
        plain=number(calm[1].value),
        plain_se=number(calm[1].error, 1),
        lone=number(lone[0].value),
        lone_se=number(lone[0].error, 1),
        slow=number(lone[1].value),
        slow_se=number(lone[1].error, 1),
        fast=number(lone[2].value),
        fast_se=number(lone[2].error, 1),
    )
