"""Catch the broken one: three faults and the honest mechanism side by side."""

from __future__ import annotations

import streamlit as st

from core.audit import get_claim
from core.parameters import Parameters
from ui import controls, frame
from ui.audit import one, report, work
from ui.audit.names import NONE, TURNS, get_look
from ui.audit.work import Question
from ui.charts import audit as charts
from ui.charts.audit import Drawn
from ui.frame import chart
from ui.words import _, number, percent


def show(p: Parameters) -> None:
    """The view."""
    left, right = st.columns([3, 2], gap="large")
    words, place, status = left.container(), left.empty(), left.empty()
    with right:
        plane = st.empty()
    cards, inputs = st.container(), st.container()
    with inputs:
        columns = st.columns(2, gap="large")
        with columns[0]:
            controls.control("delta")
        with columns[1]:
            box = one.ask_box()
        settings = one.ask_settings()
    questions = {
        fault: Question("tca", fault, box, settings.targets, settings.horizon, settings.runs) for fault in TURNS
    }
    claim = get_claim(work.make(questions[NONE], p).guarantee(), p.delta)
    drawn: dict[str, Drawn] = {}
    done_before = all(work.is_kept(question, p) for question in questions.values())
    for i, (fault, question) in enumerate(questions.items()):
        text = _("Auditing the noisy tally, {fault}: {runs} runs in each world").format(
            fault=_(TURNS[fault].title), runs=number(work.get_size(question).runs)
        )

        def tell(done: float, i: int = i, text: str = text) -> None:
            status.progress(min((i + done) / len(questions), 1.0), text)

        tell(0.0)
        audit = work.get_audit(question, p, settings.alpha, tell)
        drawn[fault] = Drawn(_(TURNS[fault].title), get_look("tca", fault), audit)
        if i + 1 < len(questions) and not done_before:
            place.plotly_chart(
                charts.limits(list(drawn.values()), claim), key=f"audit-some-{i}", config={"displayModeBar": False}
            )
    judged = drawn[NONE].audit
    status.caption(work.tell_size(questions[NONE], p, judged.fp + judged.tn))
    found = list(drawn.values())
    with words:
        frame.sentence(headline(drawn, box), key="broken")
    with place.container():
        chart(
            charts.limits(found, claim),
            key="audit-limits",
            alt="; ".join(f"{each.name}: {report.get_verdict(each.audit)}" for each in found),
            table=lambda: charts.table_of_audits(found),
            name="catch-the-broken-one",
            axes=_(
                "Line: from the least mu, {sure} sure (bar), to the measured one (shape). Dashed: what is promised. "
                "Caught where the whole line lies right of it."
            ).format(sure=percent(1.0 - settings.alpha)),
        )
    with plane.container():
        chart(
            charts.plane(found, claim, tall=520),
            key="audit-four",
            alt=_("False alarms and detections of the four audits, with the promise."),
            table=lambda: charts.table_of_audits(found),
            name="four-audits",
            axes=_(
                "Across: alarms without the report. Up: alarms with it. Frames: the true rates lie inside, {sure} "
                "sure; caught where a whole frame lies above a promise."
            ).format(sure=percent(1.0 - settings.alpha)),
        )
    _cards(cards, drawn)
    powers = work.get_powers(p.delta, settings.horizon, judged.fp + judged.tn, settings.alpha)
    frame.what_to_notice(
        [
            _(
                "Half the noise doubles mu: {mu} instead of {promised}. Noise past its horizon leaks {over}. Noise "
                "that comes again hides nothing at all: mu is infinite."
            ).format(
                mu=number(powers["half-noise"].mu), promised=number(claim.mu or 0.0),
                over=number(powers["over-horizon"].mu),
            ),
            _(
                "Switch to the black box: who sees the audits alone learns much less than the promise allows, and the "
                "broken ones look like the honest one. In our trial with the default settings it caught none."
            ),
            _(
                "Try another seed. The honest one is accused in at most {alpha} of all audits; a fault may slip "
                "through where runs are few. How many are needed stands in the next view."
            ).format(alpha=percent(settings.alpha)),
        ]
    )  # fmt: skip
    frame.how_computed(
        report.method(drawn["half-noise"].audit), work.get_command(questions["half-noise"], p, settings.alpha)
    )


def headline(drawn: dict[str, Drawn], box: str) -> str:
    """How many of the faults were caught, and whether the honest one passed."""
    caught = sum(report.is_violation(each.audit) for fault, each in drawn.items() if fault != NONE)
    text = _("**{caught} of {all} faults caught** by an attacker who sees all that is released.")
    if box == "black":
        text = _("**{caught} of {all} faults caught** by an attacker who sees the audits alone.")
    text = text.format(caught=number(caught), all=number(len(drawn) - 1))
    if report.is_violation(drawn[NONE].audit):
        return text + " " + _("The honest one is accused as well: a false alarm of the audit.")
    return text + " " + _("Against the honest one: no violation found.")


def _cards(place: st.delta_generator.DeltaGenerator, drawn: dict[str, Drawn]) -> None:
    for column, (fault, each) in zip(place.columns(len(drawn)), drawn.items(), strict=True):
        with column:
            st.subheader(f"{each.look.glyph} {each.name}", anchor=False)
            st.markdown(
                _("{what} **{verdict}**: mu at least {low}, measured {hat}.").format(
                    what=_(TURNS[fault].what), verdict=report.get_verdict(each.audit),
                    low=number(each.audit.mu_low_clopper_pearson), hat=number(each.audit.mu_hat),
                )
            )  # fmt: skip
