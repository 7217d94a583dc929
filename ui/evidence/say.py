"""Comparisons in words: sentences, the headline, and the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from html import escape
from typing import Any

import pandas as pd
from babel.dates import format_date
from babel.numbers import format_decimal

from core import claims as ledger
from core import evidence
from core.commands.evidence import COLUMNS
from core.comparisons import BASES, Comparison, Finding
from core.evidence import Item
from core.theory import COIN_RULES
from ui import claims, controls, marks
from ui.evidence.texts import OWN_LABELS, VALUES
from ui.words import _, language, number

SHOWN = 12
"""Comparisons in the table before the reader asks for all."""


class _Said(str):
    """A value as the reader sees it, whatever format its gap asks for."""

    def __format__(self, spec: str) -> str:
        return str(self)


def get_name(item: Item) -> str:
    """Where it stands in the paper, and its title."""
    return _("{source}: {title}").format(source=_(item.source), title=_(item.title))


def get_date(iso: str) -> str:
    """A day in the reader's language."""
    return format_date(date.fromisoformat(iso), "long", locale=language())


def _value(name: str, value: Any) -> str:
    if not isinstance(value, str):
        return number(value, 6)
    if value in VALUES:
        return _(value)
    if value == "rr-horizon-free":
        text = OWN_LABELS["Randomised response, horizon-free"]
        return _(text)
    if value in COIN_RULES:
        return controls.show("rr_calibration", value)
    return marks.plain(value) if value in marks.MARKS else value


def say(one: Comparison) -> str:
    """What was compared, in the reader's language."""
    tell = claims.get_argument if one.text in claims.TEXTS else _value
    names = [name for name in one.gaps if f"{{{name}" in one.text]
    return _(one.text).format(**{name: _Said(tell(name, one.gaps[name])) for name in names})


# --- the headline ----------------------------------------------------------------------------------------------------
def headline(item: Item, finding: Finding) -> str:
    """How well the numbers agree, the comparisons with chance in them first."""
    judged = [one for one in finding.comparisons if one.agrees is not None]
    off = sum(one.agrees is False for one in judged)
    sentences = []
    largest = evidence.get_largest([(item, finding)])
    if largest is not None:
        count = sum(bool(one.error) for one in judged)
        text = _(
            "Among **{count}** simulated numbers the farthest from its reference is **{errors} standard errors** off."
        )
        sentences.append(text.format(count=number(count), errors=number(largest[0], 2)))
    elif printed := [one for one in judged if one.basis == BASES["printed"]]:
        text = _("Of **{count}** numbers that the paper prints, the farthest from ours is **{difference}** away.")
        worst = max(one.excess for one in printed if one.excess is not None)
        sentences.append(text.format(count=number(len(printed)), difference=number(worst, 2)))
    if off:
        text = _(
            "**{off} of {count}** comparisons lie on the wrong side by more than {errors} standard errors and rounding."
        )
    elif largest is not None:
        text = _("None of **{count}** comparisons is off by more than {errors} standard errors and rounding.")
    elif judged:
        text = _("None of **{count}** comparisons, all without chance, is off by more than rounding explains.")
    else:
        text = _("Two readings stand side by side here, **{pairs}** times; neither has to agree with the other.")
    pairs = sum(one.relation == "reading" for one in finding.comparisons)
    sentences.append(
        text.format(off=number(off), count=number(len(judged)), errors=number(ledger.ERRORS), pairs=number(pairs))
    )
    return " ".join(sentences)


def get_summary(item: Item, finding: Finding) -> str:
    """What kinds of comparisons there are, and how many of each."""
    parts = []
    exact = [one for one in finding.comparisons if one.agrees is not None and not one.error]
    equal = [one.excess for one in exact if one.relation == "equal" and one.basis != BASES["printed"]]
    bounds = [one for one in exact if one.relation != "equal"]
    readings = [one for one in finding.comparisons if one.relation == "reading"]
    alone = [one for one in finding.comparisons if one.reference is None]
    if equal:
        text = _("Numbers without chance: {count}; they differ from their references by at most {difference}.")
        most = max(value for value in equal if value is not None)
        parts.append(text.format(count=number(len(equal)), difference=number(most, 2)))
    if bounds:
        crossed = sum(one.agrees is False for one in bounds)
        text = _("Bounds tried without chance: {count}; crossed: {crossed}.")
        parts.append(text.format(count=number(len(bounds)), crossed=number(crossed)))
    if readings:
        text = _("Pairs that are two readings of the paper, where neither has to agree with the other: {count}.")
        parts.append(text.format(count=number(len(readings))))
    if alone:
        text = _("Numbers that stand alone, because the paper gives none to hold them against: {count}.")
        parts.append(text.format(count=number(len(alone))))
    return " ".join(parts)


# --- the table -------------------------------------------------------------------------------------------------------
def get_order(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """What disagrees first, then printed numbers, two readings, and the largest differences in standard errors."""

    def rank(one: Comparison) -> tuple[int, float]:
        if one.agrees is False:
            return 0, 0.0
        if one.basis == BASES["printed"]:
            return 1, 0.0
        if one.relation == "reading":
            return 2, 0.0
        if one.error and one.excess is not None:
            return 3, -one.excess / one.error
        return 4, 0.0

    return sorted(comparisons, key=rank)


def _reference(one: Comparison) -> str:
    if one.reference is None:
        return "–"
    if one.basis == BASES["printed"]:
        digits = round(-math.log10(2.0 * one.tolerance))
        return format_decimal(one.reference, format="0." + "0" * digits, locale=language())
    text = {"at-most": _("at most {value}"), "at-least": _("at least {value}")}.get(one.relation, "{value}")
    return text.format(value=number(one.reference, 4 if one.error else 6))


def _allowed(one: Comparison) -> str:
    if one.reference is None:
        return _("nothing to hold it against")
    if one.relation == "reading":
        return _("two readings: nothing has to agree")
    if one.agrees is False:
        return _("more than chance and rounding explain")
    if one.error is None:
        return _("rounding explains {tolerance}").format(tolerance=number(one.tolerance, 1))
    return _("allowed: {most} standard errors").format(most=number(ledger.ERRORS))


def _error(one: Comparison) -> tuple[str, str]:
    if not one.error:
        return "–", _("no chance in it")
    if one.in_errors is None:
        return number(one.error, 2), ""
    return number(one.error, 2), _("difference: {errors} of them").format(errors=number(one.in_errors, 2))


def to_html(comparisons: Sequence[Comparison]) -> str:
    """The comparisons as a table that a narrow screen shows as cards.

    The roles are written out: laid out as cards, a table would lose them.
    """
    heads = [_("Compared"), _("Ours"), _("Held against"), _("Difference"), _("Standard error")]
    head = "".join(f'<th role="columnheader" scope="col">{escape(text)}</th>' for text in heads)
    label = escape(_("Numbers of ours and what they are held against"))
    return (
        f'<table class="claims" role="table" aria-label="{label}"><thead role="rowgroup"><tr role="row">{head}</tr>'
        f'</thead><tbody role="rowgroup">{"".join(_row(one, heads) for one in comparisons)}</tbody></table>'
    )


def _row(one: Comparison, heads: Sequence[str]) -> str:
    difference = "–" if one.difference is None else number(one.difference, 2)
    cells = [
        (number(one.ours, 4 if one.error else 6), ""),
        (_reference(one), _(one.basis) if one.basis else ""),
        (difference, _allowed(one)),
        _error(one),
    ]
    rest = "".join(
        f'<td role="cell" data-label="{escape(head)}"><div>{escape(cell)}{_note(note)}</div></td>'
        for head, (cell, note) in zip(heads[1:], cells, strict=True)
    )
    kind = ' class="differs"' if one.agrees is False else ""
    return f'<tr role="row"{kind}><th role="rowheader" scope="row">{escape(say(one))}</th>{rest}</tr>'


def _note(text: str) -> str:
    return f'<span class="note">{escape(text)}</span>' if text else ""


def to_table(item: Item, comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """The comparisons for a file, with the columns that `reproduce` writes; sentences in the reader's language."""
    rows = [
        (
            item.id, say(one), one.ours, one.reference, one.difference, one.error, one.in_errors, one.relation,
            _(one.basis) if one.basis else "", one.tolerance, one.agrees,
        )
        for one in comparisons
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(COLUMNS))
