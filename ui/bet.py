"""Guess first: a page hides its picture until the reader has committed a value, then answers the guess.

The URL's `bet` is absent (off), `open` (the picture is hidden) or the committed number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ui import state
from ui.words import _, number

OFF, OPEN = "off", "open"


@dataclass(frozen=True)
class Bet:
    """What the reader may answer: `low` to `high` in `step`s, called right within `margin` or a tenth of the truth.

    Attributes:
        show: a value as the reader sees it.
        relative: share of the truth that still counts as close.
    """

    low: float
    high: float
    step: float
    margin: float
    relative: float = 0.1
    show: Callable[[float], str] = number

    def read(self, text: str) -> float | None:
        """The committed number, or None where `text` is none."""
        try:
            value = float(text)
        except ValueError:
            return None
        return value if self.low <= value <= self.high else None

    def judge(self, guess: float, truth: float) -> str:
        """`close`, `low` or `high`."""
        if abs(guess - truth) <= max(self.margin, self.relative * abs(truth)):
            return "close"
        return "low" if guess < truth else "high"


def begin() -> None:
    """A new page starts: a bet belongs to the page it was made on."""
    st.session_state["bet_hides"] = False
    if st.session_state.get("arriving"):
        st.session_state["choices"].pop("bet", None)


def hides() -> bool:
    """Whether this page keeps its picture back for now."""
    return bool(st.session_state.get("bet_hides"))


def offer(bet: Bet) -> bool:
    """Draw the button "Guess first" beside the page's tools; whether the picture must be kept back."""
    given = st.session_state["waiting"].get("bet") or st.session_state["choices"].get("bet", OFF)
    options = [OFF, OPEN] + ([given] if bet.read(given) is not None else [])
    value = state.get_choice("bet", options, OFF)
    st.session_state["bet_hides"] = value == OPEN
    with st.session_state["bet_place"]:
        st.button(
            _("Guess first") if value == OFF else _("Stop guessing"), key="bet_toggle",
            icon=":material/psychology_alt:" if value == OFF else ":material/close:",
            on_click=state.set_choice, args=("bet", OPEN if value == OFF else OFF),
        )  # fmt: skip
    return hides()


def ask(bet: Bet, question: str, label: str) -> None:
    """The question, and a field for the answer."""

    def commit() -> None:
        guess = st.session_state["w_bet"]
        if guess is not None:
            state.set_choice("bet", f"{guess:g}")

    with st.form("bet_form", enter_to_submit=True, width=640):
        st.markdown(question)
        whole = float(bet.step).is_integer()
        kind = int if whole else float
        st.number_input(
            label, kind(bet.low), kind(bet.high), value=None, step=kind(bet.step), format="%d" if whole else "%.1f",
            key="w_bet", placeholder=_("Your guess"),
        )  # fmt: skip
        if st.form_submit_button(_("Show the picture"), key="bet_commit", type="primary", on_click=commit):
            st.caption(_("Type a number first."))
    st.caption(_("Until you have committed yourself, the picture is not even sent to your browser."))


def answer(bet: Bet, truth: float, sentence: str) -> None:
    """Answer the committed guess, if there is one; `sentence` says the true number, translated."""
    guess = bet.read(st.session_state["choices"].get("bet", OFF))
    if guess is None:
        return
    verdict = bet.judge(guess, truth)
    told = {
        "close": _("You guessed {guess}: **close**."),
        "low": _("You guessed {guess}: **too low**."),
        "high": _("You guessed {guess}: **too high**."),
    }[verdict].format(guess=bet.show(guess))
    with st.container(key="bet_answer", horizontal=True, vertical_alignment="center", border=True):
        icon = {
            "close": ":material/check_circle:",
            "low": ":material/arrow_upward:",
            "high": ":material/arrow_downward:",
        }
        st.markdown(f"{icon[verdict]} {told} {sentence}", width="stretch")
        st.button(
            _("Guess again"), key="bet_again", icon=":material/replay:", on_click=state.set_choice, args=("bet", OPEN)
        )
