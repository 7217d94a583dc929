"""What can be audited, what can be broken, and how each is called and drawn."""

from __future__ import annotations

from dataclasses import dataclass

from core.auditors import NAMES
from core.counter_kinds import KINDS
from core.faults import FAULTS
from ui.counters.names import LOOKS
from ui.marks import MARKS
from ui.words import N_, _

NONE = "none"
"""No fault: the mechanism as it is."""
COUNTERS = {f"counter-{kind}": kind for kind in KINDS if kind != "toeplitz"}
"""Subjects that are the paper's reduction with another counter; with `toeplitz` it is the noisy tally itself."""
SUBJECTS = (*NAMES, *COUNTERS)
FILTERS = ("fading", "fading-alert")
"""Released sums that no audit restarts."""
RECORDS = ("rr", "rr-horizon-free", "rr-race", "greedy", "uniform", "rota")
"""Nothing is released but the audits."""
_COINS = {
    "rr": N_("{plain}, set as in the scenario"),
    "rr-horizon-free": N_("{plain}, for any number of audits"),
    "rr-race": N_("{plain}, for whichever comes first"),
}


@dataclass(frozen=True)
class Look:
    """Colour (mid tone), Plotly's marker and the same shape as a character."""

    color: str
    symbol: str
    glyph: str


@dataclass(frozen=True)
class Kind:
    """A fault: `title` after "noisy tally", `what` is broken in a sentence. English."""

    title: str
    what: str
    look: Look


_TALLY = MARKS["tca"]
TURNS: dict[str, Kind] = {
    NONE: Kind(
        N_("as promised"), N_("Noise as delta asks for, fresh after each audit."),
        Look(_TALLY.color, _TALLY.symbol, _TALLY.glyph),
    ),
    "half-noise": Kind(
        N_("half the noise"), N_("A factor of two is lost somewhere: every count gets half the noise."),
        Look("#d1570f", "square", "■"),
    ),
    "noise-reuse": Kind(
        N_("noise reused"), N_("After an audit the count starts afresh, but its noise is the old one again."),
        Look("#c2417f", "diamond", "◆"),
    ),
    "over-horizon": Kind(
        N_("past its horizon"), N_("Noise for a single audit, and the auditor simply goes on."),
        Look("#8a7a2f", "triangle-up", "▲"),
    ),
}  # fmt: skip
assert tuple(TURNS) == (NONE, *FAULTS)


def get_name(subject: str, fault: str = NONE) -> str:
    """Noisy tally, half the noise."""
    if subject in COUNTERS:
        return _("{plain}, other counter: {counter}").format(
            plain=_(MARKS["tca"].plain), counter=_(LOOKS[COUNTERS[subject]].short)
        )
    if subject in _COINS:
        return _(_COINS[subject]).format(plain=_(MARKS["rr"].plain))
    name = _(MARKS[subject].plain)
    return name if fault == NONE else _("{plain}, {fault}").format(plain=name, fault=_(TURNS[fault].title))


def get_look(subject: str, fault: str = NONE) -> Look:
    """The marks of the other pages; a fault has its own."""
    if fault != NONE:
        return TURNS[fault].look
    mark = LOOKS[COUNTERS[subject]] if subject in COUNTERS else MARKS["rr" if subject in _COINS else subject]
    return Look(mark.color, mark.symbol, mark.glyph)
