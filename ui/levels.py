"""Three reading levels over the same numbers: what stands under a page for policy, for a class, for a proof."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ui import bet, proofs, proofs_beyond, state
from ui.own import use
from ui.words import N_, _

LEVELS = {"policy": N_("Policy"), "class": N_("Class"), "proof": N_("Proof")}
DEFAULT = "policy"


@dataclass(frozen=True)
class Hint:
    """What a teacher may say about a page: one comparison, and questions to ask."""

    analogy: str
    questions: tuple[str, ...]


HINTS: dict[str, Hint] = {
    "start": Hint(
        N_("In a humming crowd nobody can say whether one more person joined in. The noise of the tally is the hum."),
        (
            N_("Move the budget to its smallest, then to its largest value. What changes for you and for the auditor?"),
            N_("Whose marks give you away when the auditor simply follows the reports? In which run first?"),
        ),
    ),
    "records": Hint(
        N_("Four referees watch the same match. The crowd hears their whistles, but not why they blew."),
        (
            N_("Hide the names: can you tell from the marks alone which auditor follows the reports?"),
            N_("Why does a fixed rota tell nothing about anybody, and who pays for that?"),
        ),
    ),
    "lead": Hint(
        N_("A stopwatch held by a shaky hand still names the right winner, if the winner is far enough ahead."),
        (
            N_("With twice as many organisations, is twice the lead needed? Guess, then try."),
            N_("Why does the coin flip not care how large the lead is?"),
        ),
    ),
    "long-run": Hint(
        N_("Letterboxes fill up at different speeds, and you may empty one a day. Which rule leaves the least mail?"),
        (
            N_("Lots and rota both ignore the reports. Why does the rota miss fewer all the same?"),
            N_("Find settings with which the noisy tally loses. What is too small there?"),
        ),
    ),
    "adversary": Hint(
        N_("A smoke alarm that never misses a fire also goes off for toast. Suspicion has the same two errors."),
        (
            N_("Ten people could have known. How sure can the organisation be at most? And with a hundred people?"),
            N_("Suppose it suspects the right person. Why is that still no proof?"),
        ),
    ),
    "plan": Hint(
        N_("A dam is built for the flood that is still tolerable: first the risk is chosen, then the height follows."),
        (
            N_("Which of your numbers are guesses? Change one of them: how far does the answer move?"),
        ),
    ),
    "own-data": Hint(
        N_("A map of one's own town is read more closely than any other. Try reports the class has counted itself."),
        (N_("Which row would you file as your report, and does the record change where you expected it?"),),
    ),
    "learn": Hint(
        N_("Scales are tested with a weight you know. Test your feeling for chance with a guess you wrote down."),
        (N_("Whose guess was furthest off, and what picture did they have in mind?"),),
    ),
    "fading": Hint(
        N_("Footprints on a beach fade with every wave. Nobody wipes the sand; who knows the waves still reads it."),
        (
            N_("The paper's tally starts anew after each audit. What does it throw away by doing so?"),
            N_("Why is the fading tally not the first at the place of a sudden jump?"),
        ),
    ),
    "counters": Hint(
        N_("Keep a diary with one blot a day, or blot out every total: after a year, which total can still be read?"),
        (N_("Two counters have the same noise in the end, yet one misses far more reports. What is different?"),),
    ),
    "audit": Hint(
        N_("A bank counts its own money every night. A stranger counts again, without asking how the bank did it."),
        (
            N_("The audit finds nothing. What may you conclude, and what not?"),
            N_("Which of the broken ones would you have noticed from the audits alone?"),
        ),
    ),
    "exposure": Hint(
        N_("Voting on paper hides you in a large village. In a hamlet of three, one more vote is seen."),
        (N_("Who gains most from reporting here, and who pays most for it? Are they the same people?"),),
    ),
    "statements": Hint(
        N_("A doctor who names an illness only when sure is often silent, and rarely wrong."),
        (N_("Why is it a mistake to speak only about the organisation that came out highest?"),),
    ),
    "evidence": Hint(
        N_("A recipe is proved in another kitchen, with other pots, by somebody who wants to eat."),
        (N_("Find the largest difference, counted in standard errors. Is it large for so many comparisons?"),),
    ),
    "claims": Hint(
        N_("A good bill lists every item, so that anyone may add it up again."),
        (N_("Pick one claim and find its number on another page. Which test would fail if it were wrong?"),),
    ),
    "about": Hint(
        N_("A good lock protects the door. It does nothing about an open window."),
        (
            N_("Name one way to be exposed that the promise does not cover."),
            N_("Whom does everyone still have to trust?"),
        ),
    ),
}  # fmt: skip


ARGUMENTS = proofs.ARGUMENTS | {"fading": lambda p: [proofs_beyond.damped(p), proofs_beyond.deadlines(p)]}
"""The arguments under each page that has some."""


ON_OWN_DATA = ("records", "long-run", "adversary")
"""Pages that run on a table of the reader's own where one is in use."""


def current() -> str:
    """The reader's level; from now on part of this page's link."""
    return state.get_choice("level", list(LEVELS), DEFAULT)


def switch() -> None:
    """The choice between the levels, the same on every page."""

    def commit() -> None:
        state.set_choice("level", st.session_state["w_level"])

    names = {level: _(name) for level, name in LEVELS.items()}
    state.show("w_level", current())
    st.segmented_control(
        _("Reading level"), list(names), format_func=names.__getitem__, required=True, key="w_level",
        label_visibility="collapsed", on_change=commit,
    )  # fmt: skip


def under(page_id: str) -> None:
    """What the reader's level adds under a page."""
    level = current()
    if level == "class" and page_id in HINTS:
        _in_class(HINTS[page_id])
    elif level == "proof" and page_id in ARGUMENTS and not bet.hides():
        _proof(ARGUMENTS[page_id](use.current() if page_id in ON_OWN_DATA else state.current()))


def _in_class(hint: Hint) -> None:
    with st.container(border=True, key="in_class"):
        st.header(_("In class"), anchor=False)
        st.markdown(_(hint.analogy))
        st.markdown("\n".join(f"- {_(question)}" for question in hint.questions))


def _proof(arguments: list[proofs.Argument]) -> None:
    st.header(_("The arguments, with the values of this page"), anchor=False)
    with st.container(key="proof"):
        for argument in arguments:
            st.subheader(argument.title, anchor=False)
            st.markdown(argument.markdown())
