"""Be the organisation: one record at a time, reported or not?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from core import game
from core.parameters import Parameters
from ui import controls, marks, state
from ui.adversary import game_score
from ui.adversary.game_score import HIDDEN, Rounds, Said
from ui.adversary.switches import switch
from ui.words import _, number, percent

MOST = 200
"""Rounds a set holds."""
CONFIDENCES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SOURCES = Path(__file__).resolve().parents[2] / "assets" / "components"
_HTML = """<section class="record"><div class="steps" role="img"></div><p class="legend"></p>
<p class="spoken" role="status"></p></section>"""

_RECORD = st.components.v2.component(
    "deniability_game",
    html=_HTML,
    css=(SOURCES / "game.css").read_text(encoding="utf-8"),
    js=(SOURCES / "game.js").read_text(encoding="utf-8"),
)


# --- the rounds of this session --------------------------------------------------------------------------------------
def _set() -> Rounds:
    """The set that is played: what was said so far lives in the session, never in the URL."""
    p = state.current()
    auditor = state.get_choice("game", [*game.NAMES, HIDDEN], game.NAMES[0])
    said = st.session_state.setdefault("game", {}).setdefault((p.delta, p.seed, auditor), {})
    return Rounds(auditor, p.delta, p.seed, said)


def _shown() -> int:
    return state.get_int("round", 1, 1, MOST)


def _open(rounds: Rounds, after: int) -> int:
    """The first round after number `after` that is not answered yet; the last one where none is."""
    return next((number for number in range(after + 1, MOST + 1) if number not in rounds.said), MOST)


def _answer(reported: bool, shown: int) -> None:
    rounds = _set()
    if shown in rounds.said:
        # a second click that came before the next record was on the screen
        return
    rounds.said[shown] = Said(reported, st.session_state["w_confidence"])
    st.session_state["w_confidence"] = CONFIDENCES[0]
    st.session_state["last_round"] = shown
    state.set_int("round", _open(rounds, shown))


def _go(to: int) -> None:
    state.set_int("round", to)


def _reset() -> None:
    _set().said.clear()
    state.set_int("round", 1)


# --- on the page -----------------------------------------------------------------------------------------------------
def show(p: Parameters) -> None:
    """The game, and after ten rounds the score."""
    _play()


@st.fragment(key="game")
def _play() -> None:
    """Only this part is redone after an answer."""
    rounds = _set()
    key = (rounds.delta, rounds.seed, rounds.auditor)
    if st.session_state.setdefault("game_set", key) != key:
        st.session_state["game_set"] = key
        st.session_state.pop("last_round", None)
        state.set_int("round", _open(rounds, 0))
    shown = _shown()
    _question(shown)
    with st.container(key="game_record"):
        _RECORD(key="game_picture", data=_picture(rounds, shown))
    _buttons(rounds, shown)
    st.caption(_known(rounds))
    _settings(rounds)
    game_score.show(rounds)
    state.write_url()


def _question(shown: int) -> None:
    text = _(
        "**Round {round}.** You are organisation {about} and suspect one of your people. Did they report you just "
        "before audit {step}?"
    )
    with st.container(key="sentence_game"):
        st.markdown(text.format(round=number(shown), about=number(game.TARGET + 1), step=number(game.STEP)))


def _known(rounds: Rounds) -> str:
    """What the organisation knows besides the record."""
    values = {
        "targets": number(game.TARGETS),
        "horizon": number(game.HORIZON),
        "rate": number(game.RATE),
        "delta": number(rounds.delta),
        "half": percent(0.5),
    }
    if rounds.auditor == HIDDEN:
        values["auditor"] = _("one of four, drawn anew for each round")
    else:
        values["auditor"] = marks.full(rounds.auditor)
    return _(
        "What you know: {targets} organisations, {horizon} audits, one a step. The auditor: {auditor}; deniability "
        "budget (delta) {delta}. Others report each organisation {rate} times a step on average. In {half} of the "
        "rounds the suspected person reported too."
    ).format(**values)


def _picture(rounds: Rounds, shown: int) -> dict[str, Any]:
    """What goes to the browser: the audits and, if wanted, the reports by others. Not the answer."""
    played = rounds.get(shown)
    transcript = played.transcript
    audits = [int(target) + 1 for target in transcript.audits]
    told = transcript.reports.copy()
    told[game.STEP - 1, game.TARGET] -= int(played.reported)
    others = None
    if state.get_choice("others", ["off", "on"], "off") == "on":
        others = [[target + 1 for target, n in enumerate(row) for _one in range(n)] for row in told.tolist()]
    about, step = number(game.TARGET + 1), number(game.STEP)
    listed = "; ".join(f"{place}: {audited}" for place, audited in enumerate(audits, 1))
    alt = _("Organisations audited, step by step: {listed}.").format(listed=listed)
    if others is not None:
        reported = "; ".join(f"{i}: {' '.join(map(str, row))}" for i, row in enumerate(others, 1) if row)
        alt += " " + _("Reports by others, step by step: {listed}.").format(listed=reported)
    words = {
        "alt": alt,
        "about": _("audit of organisation {about}: yours").format(about=about),
        "step": _("step {step}: the report would have come just before this audit").format(step=step),
        "others": _("below each audit: organisations that others reported at that step"),
        "spoken": _("Round {round}.").format(round=number(shown)) + " " + _last(rounds),
    }
    return {"audits": audits, "others": others, "step": game.STEP, "about": game.TARGET + 1, "words": words}


def _buttons(rounds: Rounds, shown: int) -> None:
    answered = shown in rounds.said
    state.show("w_confidence", st.session_state.get("w_confidence", CONFIDENCES[0]))
    # no slider: while one has the focus, the browser keeps the keys 1 and 2 to itself
    st.segmented_control(
        _("How sure are you? {half} is a guess, {all} certain.").format(half=percent(0.5), all=percent(1.0)),
        CONFIDENCES, format_func=percent, required=True, key="w_confidence", disabled=answered,
    )  # fmt: skip
    with st.container(key="game_answer", horizontal=True, gap="medium"):
        for key, label, reported, shortcut in (
            ("said_yes", _("Reported"), True, "1"),
            ("said_no", _("Not reported"), False, "2"),
        ):
            st.button(label, key=key, on_click=_answer, args=(reported, shown), shortcut=shortcut, disabled=answered)
    with st.container(key="game_told", horizontal=True, vertical_alignment="center"):
        st.markdown(_told(rounds, shown), width="stretch")
        back, on = max(1, shown - 1), min(shown + 1, MOST)
        st.button(
            _("Earlier round"), key="game_back", icon=":material/chevron_left:", on_click=_go, args=(back,),
            disabled=shown == 1,
        )  # fmt: skip
        st.button(
            _("Later round"), key="game_on", icon=":material/chevron_right:", on_click=_go, args=(on,),
            disabled=not answered or shown == MOST,
        )  # fmt: skip


def _told(rounds: Rounds, shown: int) -> str:
    """How far the reader is, and what came out where that is wanted."""
    left = game_score.LEAST - len(rounds.said)
    if shown in rounds.said:
        return _outcome(rounds, shown)
    if not rounds.said:
        return _("Your score appears after {least} rounds.").format(least=number(game_score.LEAST))
    parts = [_last(rounds)]
    if left > 0:
        parts.append(_("Rounds left until your score: {left}.").format(left=number(left)))
    return " ".join(part for part in parts if part)


def _last(rounds: Rounds) -> str:
    """What became of the answer just given."""
    last = st.session_state.get("last_round")
    return _outcome(rounds, last) if last in rounds.said else ""


def _outcome(rounds: Rounds, round_: int) -> str:
    said = rounds.said[round_]
    yes, no = _("reported"), _("not reported")
    values = {"round": number(round_), "said": yes if said.reported else no, "sure": percent(said.confidence)}
    if state.get_choice("tell", ["off", "on"], "off") == "off":
        return _("Round {round}: you said “{said}”, {sure} sure.").format(**values)
    played = rounds.get(round_)
    values["truth"] = yes if played.reported else no
    values["auditor"] = marks.plain(played.mechanism)
    if said.reported == played.reported:
        text = _("Round {round}: you said “{said}”, {sure} sure. Right. Auditor: {auditor}.")
    else:
        text = _("Round {round}: you said “{said}”, {sure} sure. It was “{truth}”. Auditor: {auditor}.")
    return text.format(**values)


def _settings(rounds: Rounds) -> None:
    auditors = {name: marks.plain(name) for name in game.NAMES}
    controls.choice("game", _("Auditor"), {**auditors, HIDDEN: _("hidden from you")}, game.NAMES[0])
    with st.container(horizontal=True, gap="medium"):
        switch("tell", _("Tell me after each round"))
        help_text = _("The strongest attacker knows all reports but the one in question.")
        switch("others", _("Show the reports by others"), help=help_text)
    with st.expander(_("Seed and reset"), icon=":material/tune:", key="game_more"):
        controls.seed()
        st.caption(
            _(
                "Everyone with this link plays the same records. What you said stays with you: it is not in the link. "
                "Whoever knows a seed can replay the noise: seeds are for games and demonstrations only."
            )
        )
        st.button(_("Forget my answers"), key="game_reset", icon=":material/delete:", on_click=_reset)
