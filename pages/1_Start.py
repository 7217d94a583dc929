"""Can they work out that you blew the whistle?"""

from typing import Any

import numpy as np
import streamlit as st

from core import calibration, deniability, utility
from core.parameters import Parameters
from ui import controls, frame, state
from ui.live import Dots, Part, Slot, Text, parameter_slider
from ui.live.demo import COVERED, DELTAS, DEMO, OTHERS, PAIRS, make_lanes, make_table
from ui.live.start import start
from ui.words import _, number, percent


def make_words(p: Parameters, deltas: list[float]) -> list[Part]:
    """The headline and the suspicion, for every delta."""
    delta, prior = np.array(deltas), 1.0 / p.people
    mu = np.array([calibration.get_mu(one) for one in deltas])
    after = deniability.get_suspicion(prior, p.false_alarm, delta, mu)
    return [
        Text(
            _(
                "Whoever watches all {horizon} audits can guess whether you reported with at most {success} success "
                "instead of {even}."
            ),
            {
                "horizon": Slot(p.horizon, digits=6, strong=False),
                "success": Slot(deniability.get_success(delta, 0.5), ("delta",), "percent"),
                "even": Slot(0.5, style="percent", strong=False),
            },
            size="large",
        ),
        Text(
            _(
                "{people} people could have reported. Suspicion of you before any audit: {before}. After the most "
                "telling record that turns up by chance {alarm} of the time: at most {after}."
            ),
            {
                "people": Slot(p.people, digits=6, strong=False),
                "before": Slot(prior, style="percent"),
                "alarm": Slot(p.false_alarm, style="percent", strong=False),
                "after": Slot(after, ("delta",), "percent"),
            },
        ),
        Dots(_("Suspicion after, at most"), after, ("delta",), base=prior),
    ]


def changed(name: str, value: Any) -> None:
    """What the picture's buttons and its slider change."""
    if name == "run":
        state.set_int("run", int(value) + 1)
    elif name == "report":
        state.set_choice("report", "filed" if value else "withheld")
    else:
        state.change(**{name: value})


def picture(p: Parameters) -> None:
    """Four auditors, one report, and what the record gives away."""
    run = state.get_int("run", 1, 1, DEMO.runs)
    filed = state.get_choice("report", ("filed", "withheld"), "filed") == "filed"
    delta = parameter_slider("delta", p.delta, DELTAS)
    deltas = [float(value) for value in delta.values]
    st.markdown(
        _(
            "You work at organisation {target} and report it to an auditor. Nobody outside sees your report. Everybody "
            "sees who gets audited, step by step."
        ).format(target=number(DEMO.target))
    )
    with st.spinner(_("Running {count} pairs of records with each auditor …").format(count=number(PAIRS))):
        lanes = make_lanes(deltas, p.seed)
    start(
        "start",
        demo=DEMO,
        lanes=lanes,
        sliders=[delta],
        run=run - 1,
        filed=filed,
        parts=make_words(p, deltas),
        title=_("Can they work out that you blew the whistle?"),
        alt=_("Twelve organisations as tiles; the audited ones are marked with the sign of the auditor."),
        caption=_(
            "{targets} organisations, the first {steps} of {covered} audits, {others} reports by other people; "
            "seed {seed}."
        ).format(
            targets=number(DEMO.targets),
            steps=number(DEMO.steps),
            covered=number(COVERED),
            others=number(len(OTHERS)),
            seed=p.seed,
        ),
        on_change=changed,
    )
    st.caption(
        _(
            "The demonstration is a fixed small case: {targets} organisations, the first {steps} of {covered} audits, "
            "{others} reports by other people, and yours about no. {target} at audit {step}. The shares are measured "
            "on {count} pairs of records and may be off by a few points."
        ).format(
            targets=number(DEMO.targets),
            steps=number(DEMO.steps),
            covered=number(COVERED),
            others=number(len(OTHERS)),
            target=number(DEMO.target),
            step=number(DEMO.report_step),
            count=number(PAIRS),
        )
    )


def more(p: Parameters) -> None:
    """The rest of the settings, and the records of the run on the screen as a table."""
    controls.more_settings(["people", "false_alarm", "horizon"])
    run = state.get_int("run", 1, 1, DEMO.runs) - 1
    frame.data_section([(_("Records of this run"), lambda: make_table(p.delta, p.seed, run), "start")], key="start")


def doors() -> None:
    """Where to go from here."""
    rooms = (
        ("pages/7_Plan.py", _("I write rules"), _("Choose a budget for a real channel; take home a one-page brief.")),
        ("pages/8_Learn.py", _("I teach"), _("Six lessons, a guided tour, links that hide what you want hidden.")),
        ("pages/3_Lead.py", _("I want the parameters"), _("All sliders, all curves, every number reproducible.")),
    )
    for column, (page, label, text) in zip(st.columns(3), rooms, strict=True):
        with column, st.container(border=True, gap=None):
            st.page_link(page, label=f"**{label}**", icon=":material/arrow_forward:")
            st.caption(text)


def notice(p: Parameters) -> None:
    """What a reader should take away."""
    sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    right = 1.0 - float(utility.get_misselection(p.gap, p.targets, sd))
    lots = 1.0 - float(utility.get_uniform_misselection(p.targets))
    frame.what_to_notice(
        [
            _(
                "A pair is two worlds that differ in your report alone, drawn so that their records agree as often as "
                "they can. Nobody outside sees two records; the share that differs is what one record can reveal."
            ),
            _(
                "At most {share} of the pairs of the noisy tally differ, because its noise is set by delta, not by the "
                "case at hand."
            ).format(share=percent(p.delta)),
            _(
                "One report moves the noisy tally little; many do. With {gap} open reports more than the others, one "
                "of {targets} organisations is audited next with a chance of {right} instead of {lots} by lot."
            ).format(gap=number(p.gap), targets=number(p.targets), right=percent(right), lots=percent(lots)),
        ]
    )


def computed(p: Parameters) -> None:
    """The formula behind the headline, with the values of the page."""
    text = _("Theorem 1, for an even suspicion before; p is the chance of a right guess:")
    success = float(deniability.get_success(p.delta, 0.5))
    bound = r"$$p \le \tfrac12 + \tfrac12\,\delta"
    formula = bound + rf" = \tfrac12 + \tfrac12\cdot {p.delta:g} = {success:.4g}$$"
    frame.how_computed(f"{text}\n\n{formula}", f"python -m core tradeoff --delta {p.delta:g} --fpr {p.false_alarm:g}")


frame.toolbar("start")
scenario = state.current()
picture(scenario)
doors()
notice(scenario)
computed(scenario)
more(scenario)
