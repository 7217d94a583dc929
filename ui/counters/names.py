"""Name, colour, line and marker of every counter, the same in all pictures of the page."""

from __future__ import annotations

from dataclasses import dataclass

from core.counter_kinds import KINDS
from ui.marks import MARKS
from ui.words import N_, _

OWN, NAIVE = "own", "naive"


@dataclass(frozen=True)
class Look:
    """How one counter looks and is called.

    Attributes:
        color: mid tone, at least 3:1 on the light and on the dark background.
        dash: Plotly's name of the line style.
        symbol, glyph: Plotly's name of the marker, and the same shape as a character.
        short: beside a line. plain, technical: the two names. does: in one line. All English.
    """

    color: str
    dash: str
    symbol: str
    glyph: str
    short: str
    plain: str
    technical: str
    does: str


LOOKS: dict[str, Look] = {
    "toeplitz": Look(
        MARKS["tca"].color, "solid", "circle", "●", N_("Paper's"), N_("Paper's counter"), N_("Toeplitz square root"),
        N_("noise on a slowly fading mix of all reports so far"),
    ),
    "buffered-5": Look(
        "#12858f", "dot", "pentagon", "⬟", N_("Five sums"), N_("Five running sums"), N_("buffered Toeplitz, 5"),
        N_("the paper's mix made of five running sums"),
    ),
    "buffered-4": Look(
        "#8a7a2f", "dashdot", "hexagon2", "⬢", N_("Four sums"), N_("Four running sums"), N_("buffered Toeplitz, 4"),
        N_("the paper's mix made of four running sums"),
    ),
    "buffered-3": Look(
        "#9467c8", "longdash", "triangle-down", "▼", N_("Three sums"), N_("Three running sums"),
        N_("buffered Toeplitz, 3"), N_("the paper's mix made of three running sums"),
    ),
    "tree": Look(
        "#2e8b57", "3px 2px", "triangle-up", "▲", N_("Tree"), N_("Tree of blocks"), N_("binary tree"),
        N_("noise on blocks of 1, 2, 4, ... steps, which are then added up"),
    ),
    "independent": Look(
        "#d1570f", "dash", "square", "■", N_("Each step"), N_("Noise on each step"), N_("independent noise"),
        N_("noise on the reports of each step; a count adds up all of it"),
    ),
    "output": Look(
        "#75808c", "longdashdot", "diamond", "◆", N_("Each count"), N_("Noise on each count"),
        N_("output perturbation"), N_("fresh noise on every count that is shown"),
    ),
    NAIVE: Look(
        "#b04a4a", "12px 3px 2px 3px 2px 3px", "x", "✖", N_("Split budget"), N_("Budget split up"),
        N_("delta / T for each count"), N_("fresh noise on every count, each with an equal share of the budget"),
    ),
    OWN: Look(
        "#c2417f", "9px 3px", "star", "★", N_("Your own"), N_("Your counter"), N_("your class"),
        N_("the class at the end of the page"),
    ),
}  # fmt: skip
"""The kinds of core, accounting by splitting the budget, and the reader's class."""

DEFAULT_SHOWN = ("toeplitz", "tree", "independent", "output")


def get_short(kind: str) -> str:
    """The name beside a line."""
    return _(LOOKS[kind].short)


def get_full(kind: str) -> str:
    """Marker, plain name, technical name."""
    look = LOOKS[kind]
    return _("{glyph} {plain} ({technical})").format(glyph=look.glyph, plain=_(look.plain), technical=_(look.technical))


def get_plain(kind: str) -> str:
    """Marker and plain name."""
    return f"{LOOKS[kind].glyph} {_(LOOKS[kind].plain)}"


def to_mask(kinds: list[str] | tuple[str, ...]) -> int:
    """Which kinds are shown as one whole number for the URL, never none."""
    return sum(1 << i for i, kind in enumerate(KINDS) if kind in kinds) or 1


def from_mask(mask: int) -> list[str]:
    """The kinds of a number, in the order of core."""
    return [kind for i, kind in enumerate(KINDS) if mask >> i & 1]
