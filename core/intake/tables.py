"""Real reports: a file's bytes become a table of steps x organisations that any auditor can be run on.

sniff -> preview -> read_columns -> dates, names, counts -> periods -> chosen organisations -> `ReportTable`. What was
changed on the way is told as notes, what cannot be used as faults; see `notices`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..counters import Array
from ..parameters import TABLE
from ..streams import TableStream
from .dates import MISSING, get_label, get_period, read_days
from .notices import Fault, Note, TableError
from .sheets import Column, Preview, preview, read_columns
from .sniffing import LARGEST_FILE, Format, sniff
from .spellings import normalise, read_names

PERIODS = ("day", "week", "month", "step")
LARGEST_STEPS = int(TABLE["horizon"].maximum or 0)
MOST_TARGETS = int(TABLE["targets"].maximum or 0)
LARGEST_COUNT = 1_000_000
"""Most reports of one row."""
MOST_REPORTS = 1_000_000_000
"""Most reports of a table: missed reports, which add up over steps, must fit 32 bits."""
FAULTS_KEPT = 100
"""Faults described one by one; all are counted."""

_STEP = re.compile(r"(\d{1,9})(\.0*)?", re.ASCII)
_COUNT = re.compile(r"([+-]?)(\d{1,18})(?:\.(\d*))?", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:(,)\d{3})+(?:\.\d*)?", re.ASCII)
_GAPS = str.maketrans("", "", " \u00a0\u202f'’")


@dataclass(frozen=True)
class Choice:
    """How a file is to be read.

    Attributes:
        time, target: names of the columns with date (or step) and organisation.
        count: name of the column with the number of reports; None: each row is one report.
        period: one of `PERIODS`; `step` where `time` holds step numbers.
        targets: how many organisations to keep, the most reported first, or which, in this order.
        day_first: order of day and month; None: decided by the whole column.
        group: put spellings of one organisation together.
        drop_repeats: leave out rows that repeat an earlier one in every column.
        drop_faulty: leave out rows that cannot be read instead of refusing the file.
        first, last: days before and after are left out (dates only).
    """

    time: str
    target: str
    count: str | None = None
    period: str = "week"
    targets: int | tuple[str, ...] = 20
    day_first: bool | None = None
    group: bool = True
    drop_repeats: bool = False
    drop_faulty: bool = False
    first: date | None = None
    last: date | None = None

    def __post_init__(self) -> None:
        if self.period not in PERIODS:
            raise ValueError(f"period must be one of {', '.join(PERIODS)}, got {self.period!r}")
        number = self.targets if isinstance(self.targets, int) else len(self.targets)
        if not 2 <= number <= MOST_TARGETS:
            raise ValueError(f"targets must be from 2 to {MOST_TARGETS:,} organisations, got {number:,}")
        if self.period == "step" and (self.first or self.last):
            raise ValueError("a first or last day needs dates, but the period is step")


@dataclass(frozen=True)
class ReportTable:
    """Reports by step and organisation, made of real data.

    Attributes:
        counts: whole numbers, (T, C).
        targets: names of the organisations, (C,); stripped, each once.
        steps: first day of each period, its month, or its number, (T,).
        period: one of `PERIODS`.
        notes, faults: what was changed, and (the first `FAULTS_KEPT` of) the rows that were left out.
        spellings: organisation -> all its spellings, where there are several.
    """

    counts: NDArray[np.int64]
    targets: tuple[str, ...]
    steps: tuple[str, ...]
    period: str
    notes: tuple[Note, ...] = ()
    faults: tuple[Fault, ...] = ()
    spellings: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def stream(self) -> TableStream:
        """The stream of these reports."""
        return TableStream(self.counts)

    @property
    def choice(self) -> Choice:
        """How to read this table's own export so that it comes back equal."""
        return Choice("step", "target", "count", self.period, self.targets, group=False)


def suggest(first: Preview, targets: int = 20) -> Choice:
    """The choice a first look suggests; weeks for dates.

    Raises:
        TableError: no column looks like a date or step, or none like an organisation.
    """
    for role, found in (("date or step", first.time), ("organisation", first.target)):
        if found is None:
            raise TableError("no-roles", role=role, columns=", ".join(first.columns))
    assert first.time is not None and first.target is not None
    place = first.columns.index(first.time)
    values = [row[place].strip() for row in first.rows if place < len(row) and row[place].strip()]
    dates = len(values) - len(read_days(values, np.ones(len(values), dtype=np.int64)).faults)
    return Choice(first.time, first.target, first.count, "week" if 2 * dates > len(values) else "step", targets)


# --- columns ---------------------------------------------------------------------------------------------------------
Parsed = tuple[NDArray[np.int64], dict[int, str], tuple[Note, ...]]
"""Numbers of a column's distinct texts, index -> kind of fault, notes."""


def read_steps(texts: Sequence[str]) -> Parsed:
    """Step numbers."""
    steps, faults = np.zeros(len(texts), dtype=np.int64), {}
    for i, text in enumerate(texts):
        if found := _STEP.fullmatch(text):
            steps[i] = int(found[1])
        else:
            faults[i] = "missing" if text.lower() in MISSING else "not-a-step"
    return steps, faults, ()


def read_counts(texts: Sequence[str], rows: NDArray[np.int64], decimal: str = ".") -> Parsed:
    """Numbers of reports; the sign that is not `decimal` (and spaces) may separate thousands."""
    counts, faults, grouped = np.zeros(len(texts), dtype=np.int64), {}, []
    comma = False
    for i, text in enumerate(texts):
        plain = text.translate(_GAPS)
        if decimal == ",":
            comma |= "," in plain
            plain = plain.translate(str.maketrans(",.", ".,"))
        if _GROUPED.fullmatch(plain):
            plain = plain.replace(",", "")
            grouped.append(i)
        found = _COUNT.fullmatch(plain)
        if not found:
            faults[i] = "missing" if text.lower() in MISSING else "not-a-number"
        elif (found[3] or "").strip("0"):
            faults[i] = "negative" if found[1] == "-" else "fraction"
        elif found[1] == "-" and int(found[2]):
            faults[i] = "negative"
        elif int(found[2]) > LARGEST_COUNT:
            faults[i] = "too-many"
        else:
            counts[i] = int(found[2])
    notes = [Note("decimal-comma")] if comma else []
    if grouped:
        notes.append(Note("thousands", int(rows[grouped].sum()), {"value": texts[grouped[0]]}))
    return counts, faults, tuple(notes)


class _Rows:
    """Rows of a sheet that are still in, and the faults of those that are not."""

    def __init__(self, numbers: NDArray[np.int64], faults: Sequence[Fault]) -> None:
        self.kept = np.ones(len(numbers), dtype=bool)
        self.faults = list(faults)
        self.refused = len(faults)
        self._numbers = numbers

    def refuse(self, column: Column, kinds: dict[int, str]) -> None:
        """Take out the rows whose text in `column` has a fault; a row's first fault counts."""
        if not kinds:
            return
        wrong = np.zeros(len(column.texts), dtype=bool)
        wrong[list(kinds)] = True
        where = np.flatnonzero(wrong[column.codes] & self.kept)
        self.kept[where] = False
        self.refused += len(where)
        for row in where[:FAULTS_KEPT]:
            code = int(column.codes[row])
            self.faults.append(Fault(int(self._numbers[row]), column.name, kinds[code], column.texts[code][:200]))

    def described(self) -> tuple[Fault, ...]:
        """The first faults, in the order of rows."""
        return tuple(sorted(self.faults, key=lambda fault: fault.row)[:FAULTS_KEPT])


# --- the table -------------------------------------------------------------------------------------------------------
def read_table(
    data: bytes, choice: Choice | None = None, form: Format | None = None, limit: int = LARGEST_FILE
) -> ReportTable:
    """Read a file of real reports; without a choice or format, as the first look suggests.

    Raises:
        TableError: the file is refused: kind, sentence, and rows where rows are the reason.
    """
    found = sniff(data, limit)
    form = form or found
    choice = choice or suggest(preview(data, form))
    names = [choice.time, choice.target] + ([choice.count] if choice.count else [])
    sheet = read_columns(data, form, names)
    notes = list(sheet.notes)
    rows = _Rows(sheet.numbers, sheet.faults)
    if repeats := int(sheet.repeats.sum()):
        notes.append(Note("duplicates-dropped" if choice.drop_repeats else "duplicates-kept", repeats))
        rows.kept &= ~(sheet.repeats & choice.drop_repeats)

    time, target = sheet.columns[:2]
    weights = [_count_rows(column, rows.kept) for column in sheet.columns]
    if choice.period == "step":
        times, faults, more = read_steps(time.texts)
    else:
        days = read_days(time.texts, weights[0], choice.day_first)
        times, faults, more = days.days, days.faults, days.notes
    rows.refuse(time, faults)
    organisations = read_names(target.texts, weights[1], choice.group)
    rows.refuse(target, {int(i): "missing" for i in np.flatnonzero(organisations.groups < 0)})
    notes += [*more, *organisations.notes]
    reports = np.ones(len(rows.kept), dtype=np.int64)
    if choice.count:
        counts, faults, more = read_counts(sheet.columns[2].texts, weights[2], form.decimal)
        rows.refuse(sheet.columns[2], faults)
        notes += more
        reports = counts[sheet.columns[2].codes]

    described = rows.described()
    if rows.refused:
        if not choice.drop_faulty:
            raise TableError("faults", described, first=described[0].text, rows=rows.refused)
        notes.append(Note("rows-dropped", rows.refused))
    if choice.first or choice.last:
        low = np.datetime64(choice.first or "0001-01-01", "D").astype(np.int64)
        high = np.datetime64(choice.last or "9999-12-31", "D").astype(np.int64)
        outside = rows.kept & ((times < low) | (times > high))[time.codes]
        rows.kept &= ~outside
        notes.append(Note("outside", int(outside.sum())))
    if not rows.kept.any():
        raise TableError("no-reports", described)
    return _make_table(
        times[time.codes[rows.kept]],
        organisations.groups[target.codes[rows.kept]],
        reports[rows.kept],
        organisations.labels,
        choice,
        notes,
        described,
        organisations.spellings,
    )


def _count_rows(column: Column, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.bincount(column.codes[kept], minlength=len(column.texts)).astype(np.int64)


def _make_table(
    times: NDArray[np.int64],
    groups: NDArray[np.int64],
    reports: NDArray[np.int64],
    labels: tuple[str, ...],
    choice: Choice,
    notes: list[Note],
    faults: tuple[Fault, ...],
    spellings: dict[str, tuple[str, ...]],
) -> ReportTable:
    """Periods and organisations of single rows, (n,) each, as a table without gaps."""
    numbers = times if choice.period == "step" else get_period(times, choice.period)
    first = int(numbers.min())
    length = int(numbers.max()) - first + 1
    if length > LARGEST_STEPS:
        raise TableError("too-long", steps=length, limit=LARGEST_STEPS)
    chosen = _choose(
        np.bincount(groups, reports, len(labels)).astype(float),
        np.bincount(groups, minlength=len(labels)),
        labels,
        choice,
    )
    place = np.full(len(labels), -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    inside = place[groups] >= 0
    if left := len(np.unique(groups[~inside])):
        notes.append(Note("smaller-targets", int(reports[~inside].sum()), {"targets": left}))
    cells = (numbers[inside] - first) * len(chosen) + place[groups[inside]]
    if choice.count and (more := len(cells) - len(np.unique(cells))):
        notes.append(Note("added-up", more))
    total = int(reports[inside].sum())
    if total > MOST_REPORTS:
        raise TableError("too-many-reports", reports=total, limit=MOST_REPORTS)
    # sums of whole numbers below 2^53 are exact in floating point
    counts = np.bincount(cells, reports[inside], length * len(chosen)).astype(np.int64).reshape(length, -1)
    if empty := int((np.bincount(numbers - first, minlength=length) == 0).sum()):
        notes.append(Note("empty-periods", empty, {"total": length}))
    steps = range(first, first + length)
    written = tuple(str(step) if choice.period == "step" else get_label(step, choice.period) for step in steps)
    return ReportTable(
        counts, tuple(labels[i] for i in chosen), written, choice.period, tuple(notes), faults, spellings
    )


def _choose(reports: Array, rows: NDArray[np.int64], labels: tuple[str, ...], choice: Choice) -> list[int]:
    """Places of the organisations to keep."""
    present = np.flatnonzero(rows)
    if isinstance(choice.targets, int):
        if len(present) < 2:
            raise TableError("too-few-targets", targets=len(present))
        return sorted((int(i) for i in present), key=lambda i: (-reports[i], labels[i]))[: choice.targets]

    def key(name: str) -> str:
        return normalise(name) if choice.group else name

    places = {key(labels[i]): int(i) for i in present}
    for name in choice.targets:
        if key(name) not in places:
            raise TableError("no-such-target", name=name)
    chosen = list(dict.fromkeys(places[key(name)] for name in choice.targets))
    if len(chosen) < 2:
        raise TableError("too-few-targets", targets=len(chosen))
    return chosen


# --- export ----------------------------------------------------------------------------------------------------------
def _to_columns(table: ReportTable) -> dict[str, list[str] | list[int]]:
    """A row for each cell with reports; zeros only where a step or an organisation would vanish without them."""
    written = table.counts > 0
    written[0] = True
    written[:, 0] = True
    steps, targets = np.nonzero(written)
    return {
        "step": [table.steps[i] for i in steps],
        "target": [table.targets[i] for i in targets],
        "count": table.counts[steps, targets].tolist(),
    }


def write_csv(table: ReportTable) -> bytes:
    """The table as CSV (UTF-8): step, target, count. `read_table(bytes, table.choice)` reads it back equal."""
    columns = _to_columns(table)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def write_parquet(table: ReportTable) -> bytes:
    """The table as Parquet: step, target, count. `read_table(bytes, table.choice)` reads it back equal."""
    sink = io.BytesIO()
    pq.write_table(pa.table(_to_columns(table)), sink)
    return sink.getvalue()
