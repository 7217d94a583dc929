"""What the reader of files has to say, in the language of the page; the kinds are core's (`core.intake.notices`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from core.intake.notices import Fault, Note, TableError
from ui.words import N_, _, number

LONGEST = 200

NOTES = {
    "encoding": N_("The text was read as {encoding}."),
    "title-lines": N_("Lines above the column names that were skipped: {rows:,}."),
    "no-header": N_("The first row holds no column names; the columns are numbered."),
    "blank-rows": N_("Empty rows that were skipped: {rows:,}."),
    "duplicates-kept": N_("Rows that repeat an earlier row in every column, kept: {rows:,}."),
    "duplicates-dropped": N_("Rows that repeat an earlier row in every column, left out: {rows:,}."),
    "day-first": N_("Dates such as {value} were read with the day first, as {proof} shows. Rows: {rows:,}."),
    "month-first": N_("Dates such as {value} were read with the month first, as {proof} shows. Rows: {rows:,}."),
    "day-first-guessed": N_("Dates such as {value} go either way; read with the day first. Rows: {rows:,}."),
    "month-first-guessed": N_("Dates such as {value} go either way; read with the month first. Rows: {rows:,}."),
    "mixed-dates": N_("Dates are written in several ways: {value}."),
    "two-digit-years": N_("Years of two digits, 69-99 read as 1969-1999 and 00-68 as 2000-2068. Rows: {rows:,}."),
    "spreadsheet-days": N_("Day numbers of a spreadsheet (such as {value}) were read as dates. Rows: {rows:,}."),
    "time-zones": N_("Times with a time zone, converted to UTC: {rows:,}; moved to another day by that: {moved:,}."),
    "decimal-comma": N_("Numbers were read with a decimal comma."),
    "thousands": N_("Counts with thousands separators (such as {value}). Rows: {rows:,}."),
    "spellings": N_("Organisations written in several ways, put together: {groups:,} (as {value}). Rows: {rows:,}."),
    "rows-dropped": N_("Rows that cannot be read, left out: {rows:,}."),
    "outside": N_("Rows before the first or after the last day asked for, left out: {rows:,}."),
    "added-up": N_("Rows about the same organisation and period, added up: {rows:,}."),
    "smaller-targets": N_(
        "Organisations left out because only the chosen ones are kept: {targets:,}, reports: {rows:,}."
    ),
    "empty-periods": N_("Periods without any report, filled with zeros: {rows:,} of {total:,}."),
}

FAULTS = {
    "missing": (N_("is empty"), N_("a value in every row")),
    "fields": (N_("has {value} fields"), N_("as many fields as there are column names")),
    "not-a-date": (N_("{value!r} is not a date"), N_("dates such as 2024-03-05, 5/3/2024 or 5 March 2024")),
    "no-such-day": (N_("{value!r} is no day of the calendar"), N_("days that exist")),
    "date-order": (N_("{value!r} does not fit the order of day and month"), N_("the same order in every row")),
    "year": (N_("{value!r} lies outside the years allowed"), N_("years from 1900 to 2100")),
    "time-zone": (
        N_("{value!r} has a time zone of unknown meaning"), N_("Z, UTC, GMT or an offset such as +02:00"),
    ),
    "not-a-step": (N_("{value!r} is not a step number"), N_("whole numbers from 0 to 999,999,999")),
    "not-a-number": (N_("{value!r} is not a number"), N_("whole numbers from 0 to 1,000,000")),
    "fraction": (N_("{value!r} is not whole"), N_("whole numbers from 0 to 1,000,000")),
    "negative": (N_("{value!r} is negative"), N_("whole numbers from 0 to 1,000,000")),
    "too-many": (N_("{value!r} is too large"), N_("whole numbers from 0 to 1,000,000")),
}  # fmt: skip

REFUSALS = {
    "empty": N_("the file is empty"),
    "no-rows": N_("the file has column names but no rows; at least one report is needed"),
    "too-large": N_("the file has {size:,} bytes; at most {limit:,} are allowed"),
    "too-many-rows": N_("the file has {rows:,} rows; at most {limit:,} are allowed"),
    "too-many-columns": N_("the file has {columns:,} columns; at most {limit:,} are allowed"),
    "not-a-table": N_("this is {what}; a CSV text or a Parquet file is allowed"),
    "encrypted": N_("this Parquet file is encrypted; a file without a password is allowed"),
    "damaged": N_("this Parquet file cannot be read ({why}); it is damaged or uses an unknown feature"),
    "binary": N_("this is not a text; a CSV text (UTF-8, UTF-16, Windows-1252 or CP949) or a Parquet file is allowed"),
    "encoding": N_("the text is not {encoding} throughout; save it as UTF-8"),
    "one-column": N_(
        "only one column was found; at least a date (or step) and an organisation are needed, "
        "separated by comma, semicolon, tab or |"
    ),
    "open-quote": N_("row {row:,} cannot be read ({why}); is a quotation mark left open there?"),
    "no-column": N_("there is no column {name!r}; the file has {columns}"),
    "same-column": N_("date, organisation and count must be different columns, got {name!r} twice"),
    "no-roles": N_("no column looks like a {role}; say which one it is (the file has {columns})"),
    "column-type": N_("column {name!r} holds {type}; texts, numbers and dates are allowed"),
    "faults": N_("{first} (rows refused: {rows:,})"),
    "no-reports": N_("no reports are left in the chosen rows"),
    "too-long": N_(
        "{steps:,} periods are too many, at most {limit:,} are allowed; choose longer periods or a first and last day"
    ),
    "too-few-targets": N_("{targets} organisation is left; at least 2 are needed"),
    "no-such-target": N_("no reports about {name!r}; choose from the organisations of the file"),
    "too-many-reports": N_("{reports:,} reports are too many; at most {limit:,} are allowed"),
}

PARTS = {
    "what": (
        N_("a zip archive or a spreadsheet file (xlsx, ods)"), N_("an empty zip archive"),
        N_("an old or password-protected office file"), N_("a gzip archive"), N_("a 7z archive"), N_("a PDF"),
        N_("a database"), N_("a picture"), N_("a word processor's file"),
    ),
    "role": (N_("date or step"), N_("organisation")),
}  # fmt: skip
"""Values of gaps that are words of ours, not of the file."""


def quote(text: str) -> str:
    """Foreign text, of bearable length and without power over the page."""
    safe = "".join(sign if sign.isprintable() and sign != "`" else "?" for sign in text).strip()
    return f"`{safe if len(safe) <= LONGEST else safe[: LONGEST - 1] + '…'}`" if safe else "` `"


class _Gaps(Formatter):
    """Fills core's sentences: numbers as the language writes them, whatever core's own format says."""

    def __init__(self, markdown: bool) -> None:
        self._markdown = markdown

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return value

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, int):
            return number(value)
        return quote(str(value)) if self._markdown else f"“{str(value)[:LONGEST]}”"


def _fill(text: str, values: Mapping[str, Any], ready: Mapping[str, str] | None = None, markdown: bool = True) -> str:
    """`ready`: gaps that are filled as they are."""
    for name, words in (ready or {}).items():
        text = text.replace("{" + name + "}", words.replace("{", "{{").replace("}", "}}"))
    return _Gaps(markdown).vformat(text, (), values)


def tell_note(note: Note) -> str:
    """The sentence of a note."""
    return _fill(_(NOTES[note.kind]), {"rows": note.rows, **note.values})


def tell_fault(fault: Fault, markdown: bool = True) -> tuple[str, str]:
    """What is wrong with a row, and what is allowed."""
    reason, allowed = FAULTS[fault.kind]
    return _fill(_(reason), {"value": fault.value}, markdown=markdown), _(allowed)


def tell_row(fault: Fault) -> str:
    """One sentence about a row that cannot be used."""
    reason, allowed = tell_fault(fault)
    if not fault.column:
        return _("row {row} {reason}; allowed: {allowed}").format(row=number(fault.row), reason=reason, allowed=allowed)
    return _("row {row}, column {column}: {reason}; allowed: {allowed}").format(
        row=number(fault.row), column=quote(fault.column), reason=reason, allowed=allowed
    )


def tell_refusal(error: TableError) -> str:
    """Why a file is refused."""
    ready: dict[str, str] = {}
    for name, words in PARTS.items():
        if error.values.get(name) in words:
            ready[name] = _(error.values[name])
    if error.kind == "faults":
        ready["first"] = tell_row(error.faults[0])
    return _fill(_(REFUSALS[error.kind]), error.values, ready)


def rows_of_faults(faults: Sequence[Fault]) -> list[dict[str, object]]:
    """A line for each row that cannot be used."""
    lines = []
    for fault in faults:
        reason, allowed = tell_fault(fault, markdown=False)
        lines.append(
            {_("row"): fault.row, _("column"): fault.column, _("what is wrong"): reason, _("allowed"): allowed}
        )
    return lines
