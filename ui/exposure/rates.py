"""Rates of a classifier's groups, typed by the reader and kept in the link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.equity import GroupRates
from ui import state
from ui.words import _, number

MOST_GROUPS = 20
LONGEST_NAME = 40
MOST_PEOPLE = 10**9
KEY = "exposure_rates"
NUMBERS = ("rate", "train", "test", "n_train", "n_test")
DEFAULT = (GroupRates("A", 0.45, 0.82, 0.74, 1000, 500), GroupRates("B", 0.30, 0.90, 0.78, 1000, 500))


def to_code(rates: Sequence[GroupRates]) -> str:
    """Rates as the link holds them: groups with ; and cells with , between."""
    return ";".join(
        ",".join([r.group, f"{r.rate:g}", f"{r.train:g}", f"{r.test:g}", str(int(r.n_train)), str(int(r.n_test))])
        for r in rates
    )


def from_code(code: str) -> tuple[GroupRates, ...] | None:
    """What `to_code` wrote, or None."""
    rates = []
    for part in code.split(";"):
        cells = part.split(",")
        try:
            values = [float(cell) for cell in cells[1:4]] + [int(cell) for cell in cells[4:]]
            rates.append(make(cells[0], *values))
        except (ValueError, TypeError):
            return None
    names = [r.group for r in rates]
    return tuple(rates) if len(set(names)) == len(names) <= MOST_GROUPS else None


def make(group: str, rate: float, train: float, test: float, n_train: float, n_test: float) -> GroupRates:
    """A row; ValueError for a name or a number that is not allowed."""
    name = group.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or set(name) & set(",;"):
        raise ValueError(f"bad name {group!r}")
    if max(n_train, n_test) > MOST_PEOPLE:
        raise ValueError(f"at most {MOST_PEOPLE} people")
    return GroupRates(name, rate, train, test, int(n_train), int(n_test))


class _Codes(tuple[str, ...]):
    """Every valid code, as the container that `state.get_choice` asks."""

    def __contains__(self, code: object) -> bool:
        return isinstance(code, str) and from_code(code) is not None


@dataclass
class _Sheet:
    """The table as it was last given to the editor, and what the editor made of it."""

    code: str
    base: pd.DataFrame
    edited: pd.DataFrame
    version: int


def to_table(rates: Sequence[GroupRates]) -> pd.DataFrame:
    """Rows for the editor."""
    return pd.DataFrame([{"group": r.group} | {name: getattr(r, name) for name in NUMBERS} for r in rates])


def read(table: pd.DataFrame) -> tuple[list[GroupRates], list[str]]:
    """Complete rows, and what is wrong with the others."""
    rates: list[GroupRates] = []
    wrong = []
    for i, row in enumerate(table.itertuples(index=False), 1):
        cells = list(row)
        empty = [pd.isna(cell) or cell == "" for cell in cells]
        if all(empty):
            continue
        if any(empty):
            wrong.append(_("Row {row} is not complete yet: all six cells are needed.").format(row=number(i)))
            continue
        try:
            found = make(str(cells[0]), *map(float, cells[1:]))
        except ValueError:
            wrong.append(
                _(
                    "Row {row} cannot be used. Allowed: a name of 1 to {longest} signs without , and ; then three "
                    "rates from 0 to 1 and two whole numbers of people from 1 to {people}."
                ).format(row=number(i), longest=number(LONGEST_NAME), people=number(MOST_PEOPLE))
            )
            continue
        if found.group in [r.group for r in rates]:
            wrong.append(_("Row {row} repeats the name of a group: each needs its own.").format(row=number(i)))
        elif len(rates) == MOST_GROUPS:
            wrong.append(_("Only the first {most} groups are used.").format(most=number(MOST_GROUPS)))
            break
        else:
            rates.append(found)
    return rates, wrong


def _give(sheet: _Sheet | None, code: str) -> _Sheet:
    """The table to edit: anew where the link says something else, or where the editor comes back to the screen."""
    if sheet is None or sheet.code != code:
        table = to_table(from_code(code) or DEFAULT)
        return _Sheet(code, table, table, 0 if sheet is None else sheet.version + 1)
    if st.session_state.get("arriving"):
        return _Sheet(code, sheet.edited, sheet.edited, sheet.version + 1)
    return sheet


def _share(name: str) -> Any:
    return st.column_config.NumberColumn(name, min_value=0.0, max_value=1.0, step=0.001, format="%.3g")


def _people(name: str) -> Any:
    return st.column_config.NumberColumn(name, min_value=1, max_value=MOST_PEOPLE, step=1)


def ask() -> tuple[list[GroupRates], list[str]]:
    """The editor; complete rows and what is wrong with the others."""
    code = state.get_choice(KEY, _Codes(), to_code(DEFAULT))
    sheet = _give(st.session_state.get("exposure_sheet"), code)
    sheet.edited = st.data_editor(
        sheet.base, num_rows="dynamic", hide_index=True, key=f"exposure_editor_{sheet.version}", width="stretch",
        column_config={
            "group": st.column_config.TextColumn(_("group"), max_chars=LONGEST_NAME),
            "rate": _share(_("share with the benefit")),
            "train": _share(_("accuracy, training")),
            "test": _share(_("accuracy, test")),
            "n_train": _people(_("people, training")),
            "n_test": _people(_("people, test")),
        },
    )  # fmt: skip
    rates, wrong = read(sheet.edited)
    if rates and to_code(rates) != code:
        sheet.code = to_code(rates)
        state.set_choice(KEY, sheet.code)
    st.session_state["exposure_sheet"] = sheet
    return rates, wrong
