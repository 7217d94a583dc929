"""From bytes to columns of text: what the columns are called, the chosen ones row by row.

Nothing is written to disk, nothing is trusted: any bytes give a result or a `TableError`.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from . import parquets
from .dates import read_days
from .notices import Fault, Note, TableError
from .sniffing import NUMBER, PARQUET, Format, is_blank, iter_records

LARGEST_ROWS = 5_000_000
MOST_COLUMNS = 1_000
SHOWN = 20
"""Rows of a preview."""
_CONTROLS = dict.fromkeys((*range(32), 127), " ")


@dataclass(frozen=True)
class Preview:
    """A first look at a file.

    Attributes:
        format: how it is written.
        columns: names, each once.
        rows: the first rows, as texts.
        time, target, count: the columns that look like a date or step, an organisation and a number of reports; None
            where none does (a file without `count` has a row for each report).
    """

    format: Format
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    time: str | None
    target: str | None
    count: str | None


@dataclass(frozen=True)
class Column:
    """One column: row i holds `texts[codes[i]]`. codes: (rows,); texts: each once, on one line, single spaces."""

    name: str
    codes: NDArray[np.int64]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """Chosen columns of a file.

    Attributes:
        numbers: number of each row in the file, see `Fault.row`, (rows,).
        columns: in the order asked for.
        repeats: rows that equal an earlier row in every column of the file, (rows,).
        faults: rows of a wrong length, not among the above. notes: what was skipped.
    """

    numbers: NDArray[np.int64]
    columns: tuple[Column, ...]
    repeats: NDArray[np.bool_]
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]


def _name(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once, empty ones numbered."""
    if len(names) > MOST_COLUMNS:
        raise TableError("too-many-columns", columns=len(names), limit=MOST_COLUMNS)
    given: dict[str, None] = {}
    for i, name in enumerate(names, 1):
        plain = " ".join(str(name).split()) or f"column {i}"
        unique, copy = plain, 2
        while unique in given:
            unique, copy = f"{plain} ({copy})", copy + 1
        given[unique] = None
    return tuple(given)


# --- what is in it ---------------------------------------------------------------------------------------------------
_WORDS = {
    "time": "date received|date|received|day|step|time|week|month|created|datum|jour|étape|semaine|mois|"
    "날짜|일자|접수|단계",
    "target": "company|organisation|organization|target|employer|institution|business|firm|agency|entity|respondent|"
    "name|entreprise|société|cible|employeur|établissement|기관|회사|조직|업체|대상",
    "count": "count|counts|reports|complaints|number|total|cases|nombre|signalements|plaintes|건수|신고|개수|수",
}  # fmt: skip


def _guess(role: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str | None:
    """The column that by its values may be, and by its name most looks like, what is sought."""
    words = _WORDS[role].split("|")
    found: list[tuple[float, int]] = []
    for i, column in enumerate(columns):
        values = [row[i].strip() for row in rows if i < len(row) and row[i].strip()]
        if not values:
            continue
        name = column.casefold()
        rank = next((1 - place / 100 for place, word in enumerate(words) if name == word), 0.0)
        rank = rank or 0.5 * any(word in re.split(r"[^\w]+", name) for word in words)
        numbers = sum(bool(NUMBER.fullmatch(value)) for value in values) / len(values)
        ones = np.ones(len(values), dtype=np.int64)
        dates = 1 - len(read_days(values, ones).faults) / len(values)
        if role == "count":
            if rank and numbers > 0.5:
                found.append((rank, -i))
        elif role == "target":
            # an identifier is not taken for an organisation unless it is called one
            if dates < 0.5 and (rank >= 0.5 or numbers < 0.5):
                found.append((rank + len(values) / len(rows) / 10 - sum(map(len, values)) / len(values) / 1e3, -i))
        elif (dates > 0.5 and (rank or not all(value.isdigit() for value in values))) or (rank and numbers > 0.5):
            found.append((rank + dates / 10, -i))
    return columns[-max(found)[1]] if found else None


def preview(data: bytes, form: Format) -> Preview:
    """Columns, first rows and guessed roles.

    Raises:
        TableError: a file that cannot be read, has no rows, or a single column.
    """
    if form.encoding == PARQUET:
        names, first_rows = parquets.read_first(data, SHOWN)
        columns, rows = _name(names), tuple(first_rows)
    else:
        columns, records = _start(data, form)
        rows = tuple(tuple(row) for row in islice((row for row in records if not is_blank(row)), SHOWN))
    if len(columns) < 2:
        raise TableError("one-column")
    if not rows:
        raise TableError("no-rows")
    time = _guess("time", columns, rows)
    left = [column for column in columns if column != time]
    part = [[row[i] for i, column in enumerate(columns) if column != time and i < len(row)] for row in rows]
    count = _guess("count", left, part)
    keep = [i for i, column in enumerate(left) if column != count]
    target = _guess("target", [left[i] for i in keep], [[row[i] for i in keep if i < len(row)] for row in part])
    return Preview(form, columns, rows, time, target, count)


# --- reading ---------------------------------------------------------------------------------------------------------
class _Gatherer:
    """A column while it is read: each distinct text once."""

    def __init__(self) -> None:
        self.index: defaultdict[str, int] = defaultdict()
        self.index.default_factory = self.index.__len__
        self.codes = array("q")

    def add_batch(self, codes: NDArray[np.int64], texts: Sequence[str]) -> None:
        places = np.array([self.index[text] for text in texts], dtype=np.int64)
        self.codes.frombytes(places[codes].tobytes())

    def finish(self, name: str) -> Column:
        codes = np.array(self.codes, dtype=np.int64)
        plain = [text if text.isprintable() else text.translate(_CONTROLS) for text in self.index]
        texts = [" ".join(text.split()) for text in plain]
        place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        return Column(name, np.array([place[text] for text in texts], dtype=np.int64)[codes], tuple(place))


def _start(data: bytes, form: Format) -> tuple[tuple[str, ...], Iterator[list[str]]]:
    """Names of the columns and the records below them."""
    records = islice(iter_records(data, form.encoding, form.separator), form.skip, None)
    first = next(records, [])
    return _name(first if form.header else [""] * len(first)), records if form.header else chain([first], records)


def _find(columns: Sequence[str], names: Sequence[str]) -> list[int]:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise TableError("same-column", name=name)
        if name not in columns:
            raise TableError("no-column", name=name, columns=", ".join(columns))
    return [columns.index(name) for name in names]


def _read_parquet(data: bytes, names: Sequence[str]) -> Sheet:
    rows = parquets.count_rows(data)
    if rows > LARGEST_ROWS:
        raise TableError("too-many-rows", rows=rows, limit=LARGEST_ROWS)
    places = _find(_name(parquets.read_first(data, 1)[0]), names)
    gathered = [_Gatherer() for _ in places]
    marks = [np.zeros(0, dtype=np.uint64)]
    for columns, mark in parquets.iter_texts(data, places):
        marks.append(mark)
        for gatherer, (codes, texts) in zip(gathered, columns, strict=True):
            gatherer.add_batch(codes, texts)
    all_marks = np.concatenate(marks)
    if not len(all_marks):
        raise TableError("no-rows")
    repeats = np.ones(len(all_marks), dtype=bool)
    repeats[np.unique(all_marks, return_index=True)[1]] = False
    done = tuple(column.finish(name) for name, column in zip(names, gathered, strict=True))
    return Sheet(np.arange(1, len(all_marks) + 1), done, repeats, (), ())


def read_columns(data: bytes, form: Format, names: Sequence[str]) -> Sheet:
    """The columns called `names`, every row.

    Raises:
        TableError: no such column, a damaged file, no rows, too many rows.
    """
    if form.encoding == PARQUET:
        return _read_parquet(data, names)
    columns, records = _start(data, form)
    places = _find(columns, names)
    gathered = [_Gatherer() for _ in places]
    # the loop below runs a million times: everything it needs is at hand
    steps = [(place, column.index, column.codes.append) for place, column in zip(places, gathered, strict=True)]
    wanted, date = len(columns), places[0]
    numbers, repeats = array("q"), array("b")
    seen: set[int] = set()
    faults: list[Fault] = []
    blank = 0
    for number, record in enumerate(records, form.skip + (2 if form.header else 1)):
        if len(record) != wanted:
            # separators at the end of a row are harmless, fields are not
            width = max((i for i, field in enumerate(record, 1) if field.strip()), default=0)
            if not width:
                blank += 1
                continue
            if len(record) < wanted or width > wanted:
                faults.append(Fault(number, "", "fields", str(len(record))))
                continue
        elif not record[date] and is_blank(record):
            blank += 1
            continue
        numbers.append(number)
        for place, index, append in steps:
            append(index[record[place]])
        mark = hash(tuple(record))
        repeats.append(mark in seen)
        seen.add(mark)
        if number > LARGEST_ROWS:
            raise TableError("too-many-rows", rows=number, limit=LARGEST_ROWS)
    if not numbers and not faults:
        raise TableError("no-rows")
    notes = [] if form.encoding in ("utf-8", "utf-8-sig") else [Note("encoding", 0, {"encoding": form.encoding})]
    notes += [Note("title-lines", form.skip)] if form.skip else []
    notes += [] if form.header else [Note("no-header")]
    notes += [Note("blank-rows", blank)] if blank else []
    done = tuple(column.finish(name) for name, column in zip(names, gathered, strict=True))
    same = np.array(repeats, dtype=np.int8).astype(bool)
    return Sheet(np.array(numbers, dtype=np.int64), done, same, tuple(faults), tuple(notes))
