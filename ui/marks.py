"""One colour and one marker shape per auditor, and its plain name before the technical one."""

from __future__ import annotations

from dataclasses import dataclass

from ui.words import N_, _


@dataclass(frozen=True)
class Mark:
    """How one auditor looks and is called everywhere.

    Attributes:
        color: mid tone, at least 3:1 on the light and on the dark background.
        symbol: Plotly's name of the marker.
        glyph: the same shape as a character.
        plain, technical: the two names, English; `line`: what it does in one line.
    """

    color: str
    symbol: str
    glyph: str
    plain: str
    technical: str
    line: str


MARKS: dict[str, Mark] = {
    "tca": Mark(
        "#2f83c5",
        "circle",
        "●",
        N_("Noisy tally"),
        N_("TCA"),
        N_("keeps a blurred count for every organisation and audits the largest"),
    ),
    "rr": Mark(
        "#9467c8",
        "triangle-up",
        "▲",
        N_("Coin flip"),
        N_("randomised response"),
        N_("mostly draws lots, rarely follows the reports"),
    ),
    "greedy": Mark(
        "#d1570f",
        "square",
        "■",
        N_("Follow the reports"),
        N_("greedy"),
        N_("always audits the most-reported organisation"),
    ),
    "uniform": Mark("#75808c", "diamond", "◆", N_("Draw lots"), N_("uniform"), N_("ignores the reports")),
    "rota": Mark("#1f9068", "cross", "✚", N_("Fixed rota"), N_("rota"), N_("takes turns, ignores the reports")),
    "fading": Mark(
        "#c2417f",
        "star",
        "★",
        N_("Fading tally"),
        N_("damped counts, filtered"),
        N_("keeps blurred counts that fade instead of starting anew, and estimates from them"),
    ),
    "fading-alert": Mark(
        "#b0529b",
        "star-diamond",
        "✦",
        N_("Fading tally with alert"),
        N_("two memories, filtered"),
        N_("a fading tally that also looks out for sudden jumps"),
    ),
    "tca-interval": Mark(
        "#5b74d6",
        "hexagon2",
        "⬢",
        N_("Noisy tally with deadlines"),
        N_("TCA, maximum interval"),
        N_("a noisy tally that audits everyone at least once in a fixed time"),
    ),
    "tca-bank": Mark(
        "#12858f",
        "pentagon",
        "⬟",
        N_("Noisy tally, filtered"),
        N_("restarted counter, filtered"),
        N_("the paper's counter, read by the filters of the fading tally"),
    ),
}


def plain(mechanism: str) -> str:
    """The plain name: Noisy tally."""
    return _(MARKS[mechanism].plain)


def full(mechanism: str) -> str:
    """Plain name, technical name after it: Noisy tally (TCA)."""
    mark = MARKS[mechanism]
    return _("{plain} ({technical})").format(plain=_(mark.plain), technical=_(mark.technical))


def line(mechanism: str) -> str:
    """What the auditor does, in one line."""
    return _(MARKS[mechanism].line)
