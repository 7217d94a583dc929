"""What is said about a table of real reports: notes (told), faults (a row refused), errors (a file refused).

Each has a `kind`, the key of its sentence in `NOTES`, `FAULTS` or `REFUSALS`, and the values that fill the sentence's
named gaps, so that a page can word it in any language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NOTES = {
    "encoding": "The text was read as {encoding}.",
    "title-lines": "Lines above the column names that were skipped: {rows:,}.",
    "no-header": "The first row holds no column names; the columns are numbered.",
    "blank-rows": "Empty rows that were skipped: {rows:,}.",
    "duplicates-kept": "Rows that repeat an earlier row in every column, kept: {rows:,}.",
    "duplicates-dropped": "Rows that repeat an earlier row in every column, left out: {rows:,}.",
    "day-first": "Dates such as {value} were read with the day first, as {proof} shows. Rows: {rows:,}.",
    "month-first": "Dates such as {value} were read with the month first, as {proof} shows. Rows: {rows:,}.",
    "day-first-guessed": "Dates such as {value} go either way; read with the day first. Rows: {rows:,}.",
    "month-first-guessed": "Dates such as {value} go either way; read with the month first. Rows: {rows:,}.",
    "mixed-dates": "Dates are written in several ways: {value}.",
    "two-digit-years": "Years of two digits, 69-99 read as 1969-1999 and 00-68 as 2000-2068. Rows: {rows:,}.",
    "spreadsheet-days": "Day numbers of a spreadsheet (such as {value}) were read as dates. Rows: {rows:,}.",
    "time-zones": "Times with a time zone, converted to UTC: {rows:,}; moved to another day by that: {moved:,}.",
    "decimal-comma": "Numbers were read with a decimal comma.",
    "thousands": "Counts with thousands separators (such as {value}). Rows: {rows:,}.",
    "spellings": "Organisations written in several ways, put together: {groups:,} (as {value}). Rows: {rows:,}.",
    "rows-dropped": "Rows that cannot be read, left out: {rows:,}.",
    "outside": "Rows before the first or after the last day asked for, left out: {rows:,}.",
    "added-up": "Rows about the same organisation and period, added up: {rows:,}.",
    "smaller-targets": "Organisations left out because only the chosen ones are kept: {targets:,}, reports: {rows:,}.",
    "empty-periods": "Periods without any report, filled with zeros: {rows:,} of {total:,}.",
}
"""Sentences of notes: what was changed on the way from the file to the table."""

FAULTS = {
    "missing": ("is empty", "a value in every row"),
    "fields": ("has {value} fields", "as many fields as there are column names"),
    "not-a-date": ("{value!r} is not a date", "dates such as 2024-03-05, 5/3/2024 or 5 March 2024"),
    "no-such-day": ("{value!r} is no day of the calendar", "days that exist"),
    "date-order": ("{value!r} does not fit the order of day and month", "the same order in every row"),
    "year": ("{value!r} lies outside the years allowed", "years from 1900 to 2100"),
    "time-zone": ("{value!r} has a time zone of unknown meaning", "Z, UTC, GMT or an offset such as +02:00"),
    "not-a-step": ("{value!r} is not a step number", "whole numbers from 0 to 999,999,999"),
    "not-a-number": ("{value!r} is not a number", "whole numbers from 0 to 1,000,000"),
    "fraction": ("{value!r} is not whole", "whole numbers from 0 to 1,000,000"),
    "negative": ("{value!r} is negative", "whole numbers from 0 to 1,000,000"),
    "too-many": ("{value!r} is too large", "whole numbers from 0 to 1,000,000"),
}
"""What is wrong with a row, and what is allowed."""

REFUSALS = {
    "empty": "the file is empty",
    "no-rows": "the file has column names but no rows; at least one report is needed",
    "too-large": "the file has {size:,} bytes; at most {limit:,} are allowed",
    "too-many-rows": "the file has {rows:,} rows; at most {limit:,} are allowed",
    "too-many-columns": "the file has {columns:,} columns; at most {limit:,} are allowed",
    "not-a-table": "this is {what}; a CSV text or a Parquet file is allowed",
    "encrypted": "this Parquet file is encrypted; a file without a password is allowed",
    "damaged": "this Parquet file cannot be read ({why}); it is damaged or uses an unknown feature",
    "binary": "this is not a text; a CSV text (UTF-8, UTF-16, Windows-1252 or CP949) or a Parquet file is allowed",
    "encoding": "the text is not {encoding} throughout; save it as UTF-8",
    "one-column": "only one column was found; at least a date (or step) and an organisation are needed, "
    "separated by comma, semicolon, tab or |",
    "open-quote": "row {row:,} cannot be read ({why}); is a quotation mark left open there?",
    "no-column": "there is no column {name!r}; the file has {columns}",
    "same-column": "date, organisation and count must be different columns, got {name!r} twice",
    "no-roles": "no column looks like a {role}; say which one it is (the file has {columns})",
    "column-type": "column {name!r} holds {type}; texts, numbers and dates are allowed",
    "faults": "{first} (rows refused: {rows:,})",
    "no-reports": "no reports are left in the chosen rows",
    "too-long": "{steps:,} periods are too many, at most {limit:,} are allowed; "
    "choose longer periods or a first and last day",
    "too-few-targets": "{targets} organisation is left; at least 2 are needed",
    "no-such-target": "no reports about {name!r}; choose from the organisations of the file",
    "too-many-reports": "{reports:,} reports are too many; at most {limit:,} are allowed",
}
"""Why a whole file is refused."""


@dataclass(frozen=True)
class Note:
    """Something changed between file and table.

    Attributes:
        kind: key of `NOTES`.
        rows: rows (or periods, reports: see the sentence) concerned; 0 where it does not count anything.
        values: what fills the sentence's other gaps.
    """

    kind: str
    rows: int = 0
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence, in English."""
        return NOTES[self.kind].format(rows=self.rows, **self.values)


@dataclass(frozen=True)
class Fault:
    """A row that cannot be used.

    Attributes:
        row: as a spreadsheet counts: the first row of a CSV file, its column names, is 1; a record with line breaks
            inside quotation marks is one row. In a Parquet file the first record is row 1.
        column: name of the column, "" for the whole row.
        kind: key of `FAULTS`.
        value: what stands there.
    """

    row: int
    column: str
    kind: str
    value: str = ""

    @property
    def reason(self) -> str:
        """What is wrong, in English."""
        return FAULTS[self.kind][0].format(value=self.value)

    @property
    def allowed(self) -> str:
        """What is allowed, in English."""
        return FAULTS[self.kind][1]

    @property
    def text(self) -> str:
        """One line, in English."""
        where = f"row {self.row:,}, column {self.column}" if self.column else f"row {self.row:,}"
        return f"{where}: {self.reason}; allowed: {self.allowed}"


class TableError(ValueError):
    """A file that is refused.

    Attributes:
        kind: key of `REFUSALS`.
        values: what fills the sentence's gaps.
        faults: the first refused rows where rows are the reason.
    """

    def __init__(self, kind: str, faults: tuple[Fault, ...] = (), **values: Any) -> None:
        super().__init__(REFUSALS[kind].format(**values))
        self.kind = kind
        self.values = values
        self.faults = faults
