"""Dates as people write them, a whole column at a time: what order day and month have is decided by all rows together.

Everything works on the distinct texts of a column; the result is a day number for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .notices import Note

EPOCH = date(1970, 1, 1).toordinal()
YEARS = (1900, 2100)
LONGEST = 60
"""Letters of the longest text that may be a date; searching longer ones for a time would cost their square."""
MISSING = frozenset({"", "na", "n/a", "nan", "nat", "null", "none", "-", "?"})
"""Texts that stand for nothing, in small letters."""

_TIME = re.compile(
    r"[T ,]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|[A-Z]{2,5}|[+-]\d{2}(?::?\d{2})?)?$",
    re.ASCII | re.IGNORECASE,
)
_YEAR_FIRST = re.compile(r"(\d{4})([/.-])(\d{1,2})(?:\2(\d{1,2}))?", re.ASCII)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
_NUMERIC = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})", re.ASCII)
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|\.)?[\s-]+([^\W\d_]{3,9})\.?,?[\s-]+(\d{4})")
_MONTH_DAY = re.compile(r"([^\W\d_]{3,9})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})")
_KOREAN = re.compile(r"(\d{4})\s*년\s*(\d{1,2})\s*월\s*(\d{1,2})\s*일")
_SPREADSHEET = re.compile(r"([2-7]\d{4})(?:\.\d+)?", re.ASCII)
_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "jan january janv janvier", "feb february févr février fevrier", "mar march mars", "apr april avr avril",
            "may mai", "jun june juin", "jul july juil juillet", "aug august août aout", "sep sept september septembre",
            "oct october octobre", "nov november novembre", "dec december déc décembre decembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip


@dataclass(frozen=True)
class _Parts:
    """A date as written: its form and numbers; for `numeric` the order of first and second is open."""

    form: str
    year: int = 0
    first: int = 0
    second: int = 0
    mark: str = ""


def _take_apart(text: str) -> _Parts | None:
    if found := _YEAR_FIRST.fullmatch(text):
        return _Parts("year first", int(found[1]), int(found[3]), int(found[4] or 1))
    if found := _NUMERIC.fullmatch(text):
        year = int(found[4])
        if len(found[4]) == 2:
            return _Parts("short year", year + (1900 if year > 68 else 2000), int(found[1]), int(found[3]), found[2])
        return _Parts("numeric", year, int(found[1]), int(found[3]), found[2])
    if (found := _COMPACT.fullmatch(text)) or (found := _KOREAN.fullmatch(text)):
        return _Parts("year first", int(found[1]), int(found[2]), int(found[3]))
    if found := _SPREADSHEET.fullmatch(text):
        # day 1 is 1900-01-01, but the programs count a 29 February 1900 that never was
        return _Parts("spreadsheet", first=int(found[1]) + date(1899, 12, 30).toordinal())
    if (found := _DAY_MONTH.fullmatch(text)) and (month := _MONTHS.get(found[2].lower())):
        return _Parts("month name", int(found[3]), month, int(found[1]))
    if (found := _MONTH_DAY.fullmatch(text)) and (month := _MONTHS.get(found[1].lower())):
        return _Parts("month name", int(found[3]), month, int(found[2]))
    return None


def _split(
    text: str, take_apart: Callable[[str], _Parts | None] = _take_apart
) -> tuple[_Parts | None, tuple[int, bool] | str]:
    """A date's parts, and what its time says (see `_get_shift`)."""
    if len(text) > LONGEST:
        return None, (0, False)
    time = _TIME.search(text)
    return (take_apart(text[: time.start()].strip()), _get_shift(time)) if time else (take_apart(text), (0, False))


def _get_day(parts: _Parts, day_first: bool) -> int | str:
    """The day's ordinal, or the kind of fault."""
    if parts.form == "spreadsheet":
        return parts.first
    month, day = parts.first, parts.second
    if parts.mark:
        month, day = (day, month) if day_first else (month, day)
        if month > 12 and 1 <= day <= 12:
            return "date-order"
    if not YEARS[0] <= parts.year <= YEARS[1]:
        return "year"
    try:
        return date(parts.year, month, day).toordinal()
    except ValueError:
        return "no-such-day"


def _get_shift(found: re.Match[str]) -> tuple[int, bool] | str:
    """Days to add for time and zone, and whether there is a zone; or the kind of fault."""
    hour, minute, half, zone = int(found[1]), int(found[2]), (found[4] or "").lower(), found[5]
    second = int(found[3] or 0)
    if half:
        if not 1 <= hour <= 12:
            return "not-a-date"
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    if hour > 23 or minute > 59 or second > 60:
        return "not-a-date"
    if zone is None:
        return 0, False
    if zone[0] not in "+-":
        return (0, True) if zone.upper() in ("Z", "UTC", "GMT") else "time-zone"
    ahead = int(zone[1:3]) * 60 + int(zone[-2:] if len(zone) > 3 else 0)
    if ahead > 18 * 60:
        return "time-zone"
    return (hour * 60 + minute + (-ahead if zone[0] == "+" else ahead)) // 1440, True


@dataclass(frozen=True)
class Days:
    """The dates of n distinct texts.

    Attributes:
        days: days since 1970-01-01 in UTC, meaningless where there is a fault, (n,).
        faults: index of a text -> kind of its fault.
        notes: what was decided and changed, counted in rows.
    """

    days: NDArray[np.int64]
    faults: dict[int, str]
    notes: tuple[Note, ...]


def _decide(texts: Sequence[str], parts: Sequence[_Parts | None]) -> tuple[bool, str, str]:
    """Whether the day comes first, the kind of note, and the text that proves it.

    The side with more distinct texts that only fit one way wins; without any, a dot or dash between the numbers
    means day first (as where these are the custom), a stroke month first.
    """
    proofs: tuple[list[int], list[int]] = ([], [])
    marks = set()
    for i, part in enumerate(parts):
        if part is not None and part.mark:
            marks.add(part.mark)
            if part.first > 12 >= part.second:
                proofs[0].append(i)
            elif part.second > 12 >= part.first:
                proofs[1].append(i)
    if not marks:
        return False, "", ""
    if not any(proofs):
        day_first = "/" not in marks
        return day_first, "day-first-guessed" if day_first else "month-first-guessed", ""
    day_first = len(proofs[0]) >= len(proofs[1])
    return day_first, "day-first" if day_first else "month-first", texts[proofs[0 if day_first else 1][0]]


def read_days(texts: Sequence[str], rows: NDArray[np.int64], day_first: bool | None = None) -> Days:
    """Dates of the distinct `texts`, which stand in `rows` (n,) rows each.

    Day-month order is decided by the whole column unless `day_first` says it; rows that then do not fit are faults.
    Times with an offset are converted to UTC; times without one stay as they are.
    """
    # many times fall on one day; what is remembered goes with this call, since the texts are somebody's own
    take_apart = lru_cache(maxsize=65536)(_take_apart)
    read = [_split(text, take_apart) for text in texts]
    chosen, order, proof = _decide(texts, [part for part, _ in read])
    chosen = chosen if day_first is None else day_first
    days = np.zeros(len(texts), dtype=np.int64)
    faults: dict[int, str] = {}
    forms: dict[str, list[int]] = {}
    zoned, moved = [], []
    for i, (text, (part, shift)) in enumerate(zip(texts, read, strict=True)):
        if part is None:
            faults[i] = "missing" if text.lower() in MISSING else "not-a-date"
            continue
        day = _get_day(part, chosen)
        if isinstance(day, str) or isinstance(shift, str):
            faults[i] = day if isinstance(day, str) else str(shift)
            continue
        days[i] = day + shift[0] - EPOCH
        forms.setdefault(part.form, []).append(i)
        if shift[1]:
            zoned.append(i)
            if shift[0]:
                moved.append(i)

    def count(where: Sequence[int]) -> int:
        return int(rows[list(where)].sum())

    notes = []
    numeric = forms.get("numeric", []) + forms.get("short year", [])
    if numeric and day_first is None:
        values = {"value": texts[numeric[0]], **({"proof": proof} if proof else {})}
        notes.append(Note(order, count(numeric), values))
    if len(forms) > 1:
        notes.append(Note("mixed-dates", 0, {"value": ", ".join(texts[where[0]] for where in forms.values())}))
    if short := forms.get("short year"):
        notes.append(Note("two-digit-years", count(short)))
    if sheet := forms.get("spreadsheet"):
        notes.append(Note("spreadsheet-days", count(sheet), {"value": texts[sheet[0]]}))
    if zoned:
        notes.append(Note("time-zones", count(zoned), {"moved": count(moved)}))
    return Days(days, faults, tuple(notes))


def get_period(days: NDArray[np.int64], period: str) -> NDArray[np.int64]:
    """Number of the `day`, `week` (from Monday) or `month` that each day lies in; consecutive periods differ by 1."""
    if period == "day":
        return days
    if period == "week":
        return (days + 3) // 7
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def get_label(number: int, period: str) -> str:
    """The period's first day (a month: year and month), which `read_days` reads back into the same period."""
    if period == "month":
        return str(np.datetime64(number, "M"))
    return str(np.datetime64(number if period == "day" else 7 * number - 3, "D"))
