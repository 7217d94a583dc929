"""One mechanism, one fault, one attacker: the audit itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.audit import Audit, get_claim
from core.gdp import get_mu_hat
from core.parameters import Parameters
from ui import controls, frame, state
from ui.audit import report, work
from ui.audit.names import FILTERS, NONE, RECORDS, SUBJECTS, TURNS, get_look, get_name
from ui.audit.work import Question
from ui.charts import audit as charts
from ui.charts.audit import Drawn
from ui.controls import choice
from ui.words import _, number, percent

SIZES = (2, 5, 20, 50)
STEPS = (10, 30, 100, 300, 1000)
RUNS = (1_000, 5_000, 20_000)
ALPHAS = {"10": 0.1, "5": 0.05, "1": 0.01}


@dataclass(frozen=True)
class Settings:
    """The page's own settings: the audited copy, the runs, the chance of a false accusation."""

    targets: int
    horizon: int
    runs: int
    alpha: float


def ask_settings() -> Settings:
    """The fold "More settings"."""
    with st.expander(_("More settings"), icon=":material/tune:"):
        st.caption(
            _(
                "The audit is of a small copy. With noise as promised, how much a report leaks through a count depends "
                "neither on the number of organisations nor on that of audits, and a small copy allows many runs. "
                "Organisations and audits of the scenario are therefore not used here; its delta and seed are."
            )
        )
        targets = _pick("audit_c", _("Organisations in the copy"), SIZES, 5)
        horizon = _pick("audit_t", _("Audits in the copy"), STEPS, 100)
        runs = _pick("audit_runs", _("Runs in each world"), RUNS, 5_000)
        shares = {key: percent(share) for key, share in ALPHAS.items()}
        alpha = choice("audit_alpha", _("False accusations, at most"), shares, "10")
        controls.seed()
    return Settings(targets, horizon, runs, ALPHAS[alpha])


def _pick(key: str, name: str, values: tuple[int, ...], default: int) -> int:
    return int(choice(key, name, {str(value): number(value) for value in values}, str(default)))


def ask_box() -> str:
    """What the attacker sees."""
    return choice(
        "audit_box", _("The attacker sees (white or black box)"),
        {"white": _("all that is released"), "black": _("the audits alone")}, "white",
        help=_(
            "White box: the noisy counts behind the audits, which the promise covers as well. Black box: only when the "
            "reported organisation is first audited."
        ),
    )  # fmt: skip


def _ask_subject() -> tuple[str, str]:
    labels = {subject: f"{get_look(subject).glyph} {get_name(subject)}" for subject in SUBJECTS}
    subject = _select("audit_subject", _("Audited"), labels, "tca")
    if subject != "tca":
        st.caption(_("Faults can be built into the noisy tally alone."))
        return subject, NONE
    faults = {key: f"{turn.look.glyph} {_(turn.title)}" for key, turn in TURNS.items()}
    return subject, _select("audit_fault", _("Fault"), faults, NONE)


def _select(key: str, name: str, options: Mapping[str, str], default: str) -> str:
    """`ui.controls.choice` for more options than fit in a row on a phone."""
    widget = f"w_{key}"

    def commit() -> None:
        state.set_choice(key, st.session_state[widget])

    value = state.get_choice(key, list(options), default)
    state.show(widget, value)
    st.selectbox(name, list(options), format_func=options.__getitem__, key=widget, on_change=commit)
    return value


def show(p: Parameters) -> None:
    """The view."""
    left, right = st.columns([3, 2], gap="large")
    place, status = left.empty(), left.empty()
    words = right.container()
    with right:
        subject, fault = _ask_subject()
        box = ask_box()
        controls.control("delta")
        close = choice("audit_zoom", _("Picture"), {"all": _("whole square"), "close": _("close up")}, "all") == "close"
    settings = ask_settings()
    question = Question(subject, fault, box, settings.targets, settings.horizon, settings.runs)
    name = get_name(subject, fault)
    audit = run(question, p, settings.alpha, place, status)
    status.caption(work.tell_size(question, p, audit.fp + audit.tn))
    drawn = Drawn(name, get_look(subject, fault), audit, work.get_curve(work.get_scores(question, p)))
    with place.container():
        report.picture(drawn, "audit-plane", close)
    with words:
        frame.sentence(report.headline(audit), key="audit")
        st.markdown(f"{report.meaning(audit)} {_judged_by(subject)}")
        st.markdown(f"**{name}.** {explain(question)}")
    one, two = st.columns(2, gap="large")
    one.markdown(report.markdown_of_numbers(audit))
    two.markdown(report.markdown_of_table(audit))
    frame.what_to_notice(_notice())
    frame.how_computed(report.method(audit), work.get_command(question, p, settings.alpha))


def run(question: Question, p: Parameters, alpha: float, place: DeltaGenerator, status: DeltaGenerator) -> Audit:
    """The audit; while it runs, the promise is drawn and the work told."""
    if not work.is_kept(question, p):
        claim = get_claim(work.make(question, p).guarantee(), p.delta)
        place.plotly_chart(charts.plane([], claim), key="audit-preview", config={"displayModeBar": False})
    text = _("Auditing: {name}, {runs} runs in each world").format(
        name=get_name(question.subject, question.fault), runs=number(work.get_size(question).runs)
    )
    status.progress(0.0, text)

    def tell(done: float) -> None:
        status.progress(min(done, 1.0), text)

    return work.get_audit(question, p, alpha, tell)


def explain(question: Question) -> str:
    """The attack, in a sentence or two."""
    told = [_(TURNS[question.fault].what)] if question.fault != NONE else []
    if question.box == "black":
        told.append(
            _(
                "Nobody else reports. The attacker sees when the reported organisation is first audited, and takes an "
                "early audit for a report."
            )
        )
    elif question.subject in RECORDS:
        told.append(
            _(
                "It releases nothing but its audits. Nobody else reports; the attacker weighs the whole record by its "
                "likelihood with and without the report."
            )
        )
    elif question.subject in FILTERS:
        told.append(_("The attacker weighs the released sums of all steps, which no audit ever starts afresh."))
    elif question.fault == "noise-reuse":
        told.append(
            _(
                "A flood of reports makes sure that the count is started afresh; the attacker compares the first "
                "outputs of its two lives, which differ by new noise, or by the report alone."
            )
        )
    else:
        told.append(
            _(
                "All other organisations are flooded with reports, which the attacker knows. So the reported one is "
                "never audited, its count lives through all {audits} audits, and everything it can leak is there to be "
                "seen."
            ).format(audits=number(question.horizon))
        )
    return " ".join(told)


def _judged_by(subject: str) -> str:
    if subject == "greedy":
        return _("This auditor promises nothing; it is held against the delta you ask for.")
    if subject in RECORDS and subject.startswith("rr"):
        return _("Its promise is not Gaussian: only detections minus false alarms are judged, against delta.")
    return ""


def _notice() -> list[str]:
    fpr, tpr = 1.0 / 50.0, 1.0 / 50.0 + 0.1
    return [
        _(
            "An audit can refute a promise, never confirm it. It sees one attack in a limited number of runs. That is "
            "why the best verdict is “no violation found”."
        ),
        _(
            "Not every promise is Gaussian. A coin flip with {fpr} false alarms and {tpr} detections keeps delta = 0.1 "
            "exactly, yet its measured mu is {mu}. So coin flip and “follow the reports” are judged by detections "
            "minus false alarms alone."
        ).format(fpr=percent(fpr), tpr=percent(tpr), mu=number(float(get_mu_hat(fpr, 1.0 - tpr)))),
        _(
            "The attack decides what an audit can find. The white box reads what the promise covers; the black box "
            "sees the audits only, and in our trial with the default settings it caught none of the three faults."
        ),
    ]
