"""Several audits at once, audits of unequal cost, and reports of unequal severity."""

from __future__ import annotations

import streamlit as st

from core.parameters import Parameters
from core.unequal import Bill, get_weight_delta
from ui.charts import fading as charts
from ui.controls import control, whole
from ui.fading import work
from ui.fading.names import Dot, get_name
from ui.frame import chart, how_computed, sentence, what_to_notice
from ui.frames import Z95
from ui.words import _, number

CELLS = 400_000
AUDITS = (1, 2, 3, 5, 8)
RULES = ("fading", "tca", "rota")


def show(p: Parameters) -> None:
    """One small picture for each."""
    size = work.get_size(p, CELLS)
    left, right = st.columns(2, gap="large")
    status = st.empty()
    one, two, three, four = st.columns(4, gap="large")
    with one:
        control("delta")
    with two:
        share = whole("fading_share", _("Severe reports, in percent"), 20, 0, 100)
    with three:
        weight = whole("fading_weight", _("A severe report counts as"), 3, 1, 5)
    with four:
        cost = whole("fading_cost", _("An audit of the second half costs"), 4, 1, 10)
    counts = [m for m in AUDITS if m < p.targets]
    found: dict[str, list[Dot]] = {rule: [] for rule in RULES}
    for i, m in enumerate(counts):
        for rule in RULES:
            text = _("Simulating: {name}").format(name=get_name(rule))
            status.progress(i / (len(counts) + 1), text)
            found[rule].append(work.make_dot(rule, work.get_missed(rule, p, size, m)))
    status.progress(0.9, _("Simulating audits of unequal cost"))
    bills = work.get_bills(p, share / 100.0, weight, float(cost), size)
    status.empty()
    with left:
        st.subheader(_("Several audits a step"), anchor=False)
        chart(
            charts.several(counts, found),
            key="fading-several",
            alt=_("Missed reports a step against the number of audits a step, for three auditors."),
            table=lambda: charts.table_of_several(counts, found),
            name="several-audits",
            axes=_(
                "Across: audits at each step. Up: open reports of that many most-reported organisations minus those "
                "of the audited ones, with 95% intervals."
            ),
        )
        sentence(headline_several(counts, found), key="fading")
    gains = [Dot(rule, bill.found, Z95 * bill.found_se) for rule, bill in bills.items()]
    with right:
        st.subheader(_("Unequal costs, unequal reports"), anchor=False)
        chart(
            charts.dots(gains, _("answered reports per unit of cost"), most_first=True),
            key="fading-costs",
            alt=_("Weight of the reports that audits answer, per unit of cost, for five auditors."),
            table=lambda: charts.table_of_dots(gains, _("answered reports per unit of cost")),
            name="unequal-costs",
            axes=_("Across: weight of the open reports that audits answered, per unit of cost, with 95% intervals."),
        )
        sentence(headline_costs(p, bills, weight), key="fading-costs")
    st.caption(work.tell_size(p, size))
    what_to_notice(
        [
            _("Several audits a step are read off the same released numbers, so they cost no privacy."),
            _("So is any rule about costs: audit the largest noisy count per unit of cost."),
            _("Severe reports need more noise: the promise must hold for the one that moves the counts most."),
        ]
    )
    most = counts[-1]
    more = "" if most == 1 else f" --audits-per-step {most}"
    how_computed(
        _(
            "Severity {weight}: noise {weight} times as large, so that the most severe report is protected by delta; a "
            "report that counts 1 then has $2\\Phi(\\kappa/{weight}) - 1$ = {light}. The first half of the "
            "organisations, the worst one among them, costs 1 to audit, the second half {cost}."
        ).format(weight=weight, light=number(get_weight_delta(p.delta, 1, weight)), cost=cost),
        work.command("fading", p, size, more),
    )


def headline_several(counts: list[int], found: dict[str, list[Dot]]) -> str:
    """The most audits of the picture."""
    m, last = counts[-1], {rule: part[-1] for rule, part in found.items()}
    text = _(
        "Audits at each step: {m}. The fading tally misses **{fading}** reports a step, the noisy tally **{tca}**, a "
        "fixed rota **{rota}**, at the same delta."
    ).format(m=number(m), **{rule: number(dot.value) for rule, dot in last.items()})
    tally, rota = last["tca"], last["rota"]
    if tally.value - tally.margin > rota.value + rota.margin:
        text += " " + _("A rota beats the noisy tally here: with so many audits waiting one's turn is short.")
    return text


def headline_costs(p: Parameters, bills: dict[str, Bill], weight: int) -> str:
    """What looking at the cost is worth, and what a light report gains."""
    return _(
        "Per unit of cost the noisy tally answers **{plain}** of report weight, with an eye to cost **{costs}**. A "
        "report that counts 1 has a delta of {light} instead of {delta}."
    ).format(
        plain=number(bills["tca"].found),
        costs=number(bills["tca-costs"].found),
        light=number(get_weight_delta(p.delta, 1, weight)),
        delta=number(p.delta),
    )
