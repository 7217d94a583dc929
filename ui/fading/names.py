"""Name, colour and marker of every rule of the league, also of those that no other page has."""

from __future__ import annotations

from dataclasses import dataclass

from core.standings import Z95, Row
from ui.marks import MARKS, plain
from ui.words import N_, _

_OWN = {
    "tca-interval-1.3": (N_("Noisy tally, deadlines of 1.3 rounds"), MARKS["tca-interval"].color, "hexagon2-open"),
    "tca-costs": (N_("Noisy tally with an eye to cost"), MARKS["tca"].color, "circle-open"),
    "rr-horizon-free": (N_("Coin flip, for any number of audits"), MARKS["rr"].color, "triangle-up"),
    "rr-race": (N_("Coin flip, by the race bound"), MARKS["rr"].color, "triangle-up-open"),
    "known-rates": (N_("Knows all rates, reads no report"), "#8a7a2f", "x"),
    "outright": (N_("Publish some outright"), "#a8602a", "hourglass"),
}


@dataclass(frozen=True)
class Dot:
    """One number of one rule with half its 95% interval."""

    rule: str
    value: float
    margin: float


def get_name(rule: str) -> str:
    """The plain name of a rule."""
    return _(_OWN[rule][0]) if rule in _OWN else plain(rule)


def get_look(rule: str) -> tuple[str, str]:
    """Colour and Plotly's marker."""
    return _OWN[rule][1:] if rule in _OWN else (MARKS[rule].color, MARKS[rule].symbol)


def to_dots(rows: list[Row]) -> list[Dot]:
    """Stored numbers as dots."""
    return [Dot(row.rule, row.value, Z95 * row.error) for row in rows]
