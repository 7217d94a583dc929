"""Bring a counter of your own: the text, whether it may run here, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.linear import LARGEST_HORIZON, LARGEST_WIDTH, CounterError, Factorisation, check_claim
from core.parameters import Parameters
from ui import state
from ui.controls import choice
from ui.counters import apart, work
from ui.counters.apart import Fault
from ui.counters.work import Row
from ui.words import N_, _, number, percent

FOLDER = Path(__file__).parents[2] / "assets" / "counters"
LONGEST_TEXT = 20_000
_TEXT = "w_counter_text"


@dataclass(frozen=True)
class Example:
    """One bundled class: file in assets/counters, class, label."""

    file: str
    name: str
    label: str

    @property
    def text(self) -> str:
        """The class as it is bundled."""
        return (FOLDER / self.file).read_text(encoding="utf-8")


EXAMPLES = {
    "blocks": Example("own_counter.py", "BlockCounter", N_("Blocks of steps")),
    "wrong": Example("wrong_counter.py", "ForgetfulCounter", N_("The same with a wrong claim")),
}


def may_edit() -> bool:
    """Whether this reader may run code of their own: only where nobody but this machine reaches the server."""
    return apart.is_alone(st.get_option("server.address"), st.context.headers)


def _drafts() -> dict[str, str]:
    """Edited texts by example, as long as the session lasts."""
    return st.session_state.setdefault("counter_drafts", {})


def get_running() -> str | None:
    """The text in the comparison: the reader's, or an example named in the link. A link never carries code."""
    which = state.get_choice("counter_own", ["off", *EXAMPLES], "off")
    if may_edit() and "counter_running" in st.session_state:
        return st.session_state["counter_running"]
    return None if which == "off" else EXAMPLES[which].text


def _run(which: str) -> None:
    text = _drafts().get(which, EXAMPLES[which].text)
    work.forget_endless(text)
    st.session_state.pop("counter_running", None)
    if text == EXAMPLES[which].text:
        state.set_choice("counter_own", which)
    else:
        st.session_state["counter_running"] = text
        state.set_choice("counter_own", "off")


def _stop() -> None:
    st.session_state.pop("counter_running", None)
    state.set_choice("counter_own", "off")


def _keep(which: str) -> None:
    _drafts()[which] = st.session_state[_TEXT]


def _forget(which: str) -> None:
    _drafts().pop(which, None)


def ask(running: str | None) -> DeltaGenerator:
    """The text and its buttons; returns the place for what is found."""
    st.header(_("Bring a counter of your own"), anchor=False)
    st.markdown(
        _(
            "A counter is a class of about twenty lines. `encode` takes the reports of a step and returns what is to "
            "be made noisy. The house adds the noise. `decode` gets the noisy values and returns the count. "
            "`sensitivity` is a claim: how far one report can move all that is published. The lab believes none of it. "
            "It feeds single reports and measures. This finds mistakes, not malice."
        )
    )
    labels = {key: _(example.label) for key, example in EXAMPLES.items()}
    which = choice("counter_code", _("Start from an example"), labels, "blocks")
    example, free = EXAMPLES[which], may_edit()
    text = _drafts().get(which, example.text) if free else example.text
    if free:
        state.show(_TEXT, text)
        st.text_area(
            _("Python, run on this machine with all your rights"), key=_TEXT, height=900, max_chars=LONGEST_TEXT,
            on_change=_keep, args=(which,),
        )  # fmt: skip
    else:
        st.code(text, language="python")
        st.caption(
            _(
                "Read-only here: this server answers other machines, and a visitor's Python could take it over. "
                "Start the lab on your own machine (`python3 lab.py start`) to edit, or use the terminal:"
            )
        )
        st.code(f"python -m core counters --counter assets/counters/{example.file}:{example.name}", language=None)
    with st.container(horizontal=True):
        st.button(
            _("Run it in the comparison"), key="counter_run", type="primary", icon=":material/play_arrow:",
            on_click=_run, args=(which,),
        )  # fmt: skip
        st.button(
            _("Take it out"), key="counter_stop", icon=":material/close:", disabled=running is None, on_click=_stop
        )
        if free and text != example.text:
            st.button(
                _("Back to the example"), key="counter_back", icon=":material/undo:",
                on_click=_forget, args=(which,),
            )  # fmt: skip
    if running is not None and running != text:
        st.caption(_("The comparison shows another text than this one: run it to compare this one."))
    return st.empty()


def judge(text: str, p: Parameters, place: DeltaGenerator) -> Factorisation | None:
    """Measure the class of a text and say in `place` what is wrong with it; None where it cannot be compared."""

    def tell(used: float) -> None:
        seconds = number(apart.SECONDS)
        place.progress(min(used, 1.0), _("Measuring your counter, {seconds} seconds at most").format(seconds=seconds))

    if p.horizon > LARGEST_HORIZON:
        with place.container():
            st.warning(
                _(
                    "A class is measured with matrices, up to {most} audits. Your {audits} are too many: it is left "
                    "out of the comparison."
                ).format(most=number(LARGEST_HORIZON), audits=number(p.horizon)),
                icon=":material/block:",
            )
            st.button(
                _("Cover {most} audits").format(most=number(LARGEST_HORIZON)), key="counter_shorter",
                on_click=lambda: state.change(horizon=LARGEST_HORIZON),
            )  # fmt: skip
        return None
    found = work.get_own(text, p.horizon, tell)
    place.empty()
    if isinstance(found, Fault):
        with place.container():
            st.error(tell_fault(found), icon=":material/error:")
            if found.message and found.reason in ("error", "answer", "count", "linear"):
                st.caption(_("As the terminal says it:"))
                st.code(found.message, language=None, wrap_lines=True)
        return None
    try:
        check_claim(found, p.delta)
    except CounterError as error:
        place.error(tell_claim(found, p.delta, error.step), icon=":material/gpp_bad:")
        return None
    return found


def tell_claim(found: Factorisation, delta: float, step: int | None) -> str:
    """Claimed, measured, and what the promise would really be."""
    return _(
        "**Refused: it claims too small a sensitivity.** `{name}` claims {claimed}, but one report of step "
        "{step} moves what it publishes by {measured}. With noise for the claim, delta would be {true} instead of the "
        "promised {delta}."
    ).format(
        name=found.name, claimed=number(found.claimed), step=number(step or 1), measured=number(found.measured),
        true=number(found.get_true_delta(delta)), delta=number(delta),
    )  # fmt: skip


def tell_fault(fault: Fault) -> str:
    """Why a text is no counter, in plain words."""
    if fault.reason == "error":
        return _tell_error(fault)
    if fault.reason == "size" and fault.step is None:
        return _("A class is measured over {most} audits at most.").format(most=number(LARGEST_HORIZON))
    text = {
        "class": _("There is no class in this text."),
        "time": _("Stopped: it took longer than {seconds} seconds. Does a loop never end? Mend it and run it again."),
        "memory": _("Stopped: it wanted more memory than it may have."),
        "gone": _("Your code ended the program that was measuring it, before there was a result."),
        "answer": _("Step {step}: `encode` must return a list, and every value must be a number for each report fed.")
        if fault.step
        else _("`sensitivity` must be a number above 0."),
        "finite": _("Step {step}: it returns a value that is no finite number."),
        "count": _("Step {step}: it does not count. Without any noise, `decode` must return all reports so far."),
        "linear": _(
            "Step {step}: it is not linear. Sums of reports must give sums of values, and `decode` may use nothing "
            "but the noisy values."
        ),
        "size": _("Step {step}: it makes too many values noisy; {width} a step are the most, and fewer over many."),
    }[fault.reason]
    return text.format(
        step=number(fault.step or 1), seconds=number(apart.SECONDS), width=number(LARGEST_WIDTH)
    )  # fmt: skip


def _tell_error(fault: Fault) -> str:
    where = {
        (True, True): _("Line {line}, at step {step}: your code stops with `{kind}`."),
        (True, False): _("Line {line}: your code stops with `{kind}`."),
        (False, True): _("At step {step} your code stops with `{kind}`."),
        (False, False): _("Your code stops with `{kind}`."),
    }[fault.line is not None, fault.step is not None]
    return where.format(line=number(fault.line or 0), step=number(fault.step or 0), kind=fault.kind)


def tell_result(found: Factorisation, rows: Mapping[str, Row], row: Row) -> str:
    """What was found about a class that is a counter."""
    text = _(
        "`{name}` counts, is linear and claims what it needs: sensitivity {claimed}. At age T its noise is **{noise}** "
        "reports; the paper's counter has {paper}."
    )
    if found.waste > 1.0 + 1e-9:
        text = _(
            "`{name}` counts and is linear. It claims a sensitivity of {claimed} where {measured} would do: {waste} "
            "more noise than needed. At age T its noise is **{noise}** reports; the paper's counter has {paper}."
        )
    text = text.format(
        name=found.name, claimed=number(found.claimed), measured=number(found.measured),
        waste=percent(found.waste - 1.0), noise=number(row.sd[-1]), paper=number(rows["toeplitz"].sd[-1]),
    )  # fmt: skip
    if row.by_run is None:
        return text
    return (
        text
        + " "
        + _("Its audits miss **{own}** open reports a step, those of the paper's counter {paper}.").format(
            own=number(row.missed), paper=number(rows["toeplitz"].missed)
        )
    )
