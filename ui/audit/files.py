"""Tables from the reader's computer: read in memory, never stored, never sent on."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.counters import Array
from core.intake.notices import TableError
from core.intake.sniffing import sniff
from ui.words import _, number

LARGEST = 5_000_000
MOST = 1_000_000_000
"""Largest count of a confusion table."""
COUNTS = ("tp", "fn", "fp", "tn")
MOST_COLUMNS = 100


class RefusedError(ValueError):
    """Why a file was not taken, in the reader's language."""


@dataclass(frozen=True, eq=False)
class File:
    """A good file: its name, its cells as texts, its decimal sign."""

    name: str
    rows: pd.DataFrame
    decimal: str = "."


def read(name: str, data: bytes) -> File:
    """The table in `data`; what its columns hold is not looked at yet.

    Raises:
        RefusedError: no table with column names, or too large a one.
    """
    if len(data) > LARGEST:
        raise RefusedError(_("The file is too large. Allowed: {most} MB.").format(most=number(LARGEST // 1_000_000)))
    try:
        form = sniff(data, LARGEST)
        rows = pd.read_csv(
            io.BytesIO(data), sep=form.separator, encoding=form.encoding, dtype=str, keep_default_na=False,
            skiprows=form.skip, skipinitialspace=True,
        )  # fmt: skip
    except (TableError, ValueError, LookupError):
        raise RefusedError(
            _("The file cannot be read as a table. Allowed: CSV with column names in the first row.")
        ) from None
    rows = rows.rename(columns=lambda column: " ".join(str(column).split()))
    if rows.empty:
        raise RefusedError(_("The table has no rows below the column names."))
    if len(rows.columns) > MOST_COLUMNS or not rows.columns.is_unique:
        raise RefusedError(
            _("Allowed: at most {most} columns, each name once.").format(most=number(MOST_COLUMNS))
        )  # fmt: skip
    return File(name, rows.astype(str), form.decimal)


def get_counts(file: File) -> tuple[int, int, int, int]:
    """TP, FN, FP and TN of a table with these columns and one row.

    Raises:
        RefusedError: a column is missing, or a cell is no count.
    """
    rows = file.rows.rename(columns=str.lower)
    if not set(COUNTS) <= set(rows.columns) or len(rows) != 1:
        raise RefusedError(
            _("The table has {columns} and {rows} rows. Needed: the columns TP, FN, FP, TN and one row.").format(
                columns=quote(", ".join(file.rows.columns)), rows=number(len(rows))
            )
        )
    counts = []
    for column in COUNTS:
        text = str(rows[column].iloc[0]).strip()
        if not (text.isascii() and text.isdigit() and int(text) <= MOST):
            raise RefusedError(
                _("{column} says {text}. Allowed: a whole number from 0 to {most}.").format(
                    column=column.upper(), text=quote(text), most=number(MOST)
                )
            )
        counts.append(int(text))
    return counts[0], counts[1], counts[2], counts[3]


def get_scores(file: File, column: str) -> Array:
    """One column as numbers, empty cells left out.

    Raises:
        RefusedError: a cell that is no number, or fewer than two numbers.
    """
    texts = file.rows[column].str.strip()
    filled = texts[texts != ""]
    plain = filled.str.replace(",", ".") if file.decimal == "," else filled
    values = pd.to_numeric(plain, errors="coerce").to_numpy(dtype=float)
    wrong = np.flatnonzero(np.isnan(values))
    if len(wrong):
        row = int(filled.index[wrong[0]]) + 1
        raise RefusedError(
            _(
                "Column {column}, row {row} below the names: {text} is no number. Allowed: numbers and empty cells."
            ).format(column=quote(column), row=number(row), text=quote(str(filled.iloc[wrong[0]])))
        )
    if len(values) < 2:
        raise RefusedError(_("Column {column} has fewer than two numbers.").format(column=quote(column)))
    return values


def make_file(name: str, columns: Sequence[str], scores: tuple[Array, Array]) -> File:
    """Scores of our own as if they had been uploaded."""
    return File(name, pd.DataFrame({c: [repr(float(x)) for x in s] for c, s in zip(columns, scores, strict=True)}))


def quote(text: str) -> str:
    """Foreign text, short and without power over the page."""
    safe = "".join(sign if sign.isprintable() and sign not in "`$[]<>\\*_" else "?" for sign in text)
    return f"`{safe if len(safe) <= 40 else safe[:39] + '…'}`" if safe else "` `"
