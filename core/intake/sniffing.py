"""What kind of file the bytes are: encoding, separator, decimal sign, column names.

Nothing is trusted: any bytes give a `Format` or a `TableError`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .dates import read_days
from .notices import TableError

LARGEST_FILE = 200_000_000
"""Bytes of the largest file read unless the caller says otherwise."""
SEPARATORS = ",;\t|"
SAMPLE = 65_536
PARQUET = "parquet"

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet file (xlsx, ods)"), (b"PK\x05\x06", "an empty zip archive"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected office file"), (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"), (b"%PDF", "a PDF"), (b"SQLite format 3\0", "a database"),
    (b"\x89PNG", "a picture"), (b"\xff\xd8\xff", "a picture"), (b"{\\rtf", "a word processor's file"),
)  # fmt: skip
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*")
_COMMA_DECIMAL = re.compile(r"[+-]?\d+,(\d{1,2}|\d{4,})")
_SYLLABLE = re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1a")) + b"\x7f"


@dataclass(frozen=True)
class Format:
    """How a file is written.

    Attributes:
        encoding: of the text, or `parquet`.
        separator: between the fields.
        decimal: `.` or `,`.
        header: whether column names stand above the rows.
        skip: records above the header (titles, a `sep=` line, empty lines).
    """

    encoding: str
    separator: str = ","
    decimal: str = "."
    header: bool = True
    skip: int = 0


def get_encoding(data: bytes) -> str:
    """Encoding of a text: by its mark, by the zeros of UTF-16, as UTF-8, else as CP949, Windows-1252 or Latin-1.

    Raises:
        TableError: not a text.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    sample = data[:SAMPLE]
    pairs = max(1, len(sample) // 2)
    if sample[1::2].count(0) > 0.4 * pairs and sample[::2].count(0) < 0.05 * pairs:
        return "utf-16-le"
    if sample[::2].count(0) > 0.4 * pairs and sample[1::2].count(0) < 0.05 * pairs:
        return "utf-16-be"
    if b"\0" in data or len(sample) - len(sample.translate(None, _CONTROL)) > 0.01 * len(sample):
        raise TableError("binary")
    high = len(sample.translate(None, bytes(range(128))))
    # in Latin text accented letters stand alone, in Korean text every syllable is a pair of high bytes
    korean = 2 * len(_SYLLABLE.findall(sample)) > 0.8 * high
    for name in ("utf-8", *(["cp949"] if korean else []), "cp1252"):
        try:
            data.decode(name)
            return name
        except UnicodeDecodeError:
            continue
    return "latin-1"


def iter_records(data: bytes, encoding: str, separator: str) -> Iterator[list[str]]:
    """Records of a text; those beyond a damaged place raise `TableError`."""
    text = io.TextIOWrapper(io.BytesIO(data), encoding, newline="")
    number = 0
    try:
        for record in csv.reader(text, delimiter=separator, strict=True):
            number += 1
            yield record
    except csv.Error as error:
        raise TableError("open-quote", row=number + 1, why=str(error)) from None
    except UnicodeError:
        raise TableError("encoding", encoding=encoding) from None


def is_blank(record: Sequence[str]) -> bool:
    return not any(field and not field.isspace() for field in record)


def _is_value(text: str) -> bool:
    """True for a number or a date: what no column is called."""
    return bool(NUMBER.fullmatch(text)) or not read_days([text], np.ones(1, dtype=np.int64)).faults


def sniff(data: bytes, limit: int = LARGEST_FILE) -> Format:
    """How a file is written.

    Raises:
        TableError: empty, more than `limit` bytes, neither text nor Parquet, or a single column.
    """
    if len(data) > limit:
        raise TableError("too-large", size=len(data), limit=limit)
    if not data.strip(b"\0 \t\r\n\f\xef\xbb\xbf\xff\xfe"):
        raise TableError("empty")
    if data.startswith(b"PAR1"):
        return Format(PARQUET)
    if data.startswith(b"PARE"):
        raise TableError("encrypted")
    for signature, what in _SIGNATURES:
        if data.startswith(signature):
            raise TableError("not-a-table", what=what)
    encoding = get_encoding(data)
    # a sample may end in the middle of a record; its last one does not count
    sample = data[:SAMPLE]
    best: tuple[tuple[float, int], str, list[list[str]]] = ((0.0, 0), "", [])
    for separator in SEPARATORS:
        records = []
        try:
            for record in iter_records(sample, encoding, separator):
                records.append(record)
        except TableError as error:
            if len(sample) == len(data) and error.kind == "encoding":
                raise
        if len(sample) < len(data) and len(records) > 1:
            records.pop()
        widths = Counter(len(record) for record in records if not is_blank(record))
        usual, often = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        if usual > 1:
            best = max(best, ((often / widths.total(), usual), separator, records), key=lambda found: found[0])
    (_, usual), separator, records = best
    if not separator:
        raise TableError("one-column")
    skip = next(i for i, record in enumerate(records) if len(record) == usual and not is_blank(record))
    names, below = [field.strip() for field in records[skip]], records[skip + 1 :]
    header = not any(_is_value(name) for name in names if name)
    fields = [field.strip() for record in below for field in record]
    comma = separator != "," and any(_COMMA_DECIMAL.fullmatch(field) for field in fields)
    return Format(encoding, separator, "," if comma else ".", header, skip)
