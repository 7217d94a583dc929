"""Parquet bytes as texts: whatever a column holds is read as a person would write it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from .notices import TableError

BATCH = 65_536
LARGEST_UNPACKED = 2_000_000_000
"""Bytes a file may unpack to, by its own account."""

Texts = tuple[NDArray[np.int64], list[str]]
"""Rows of a column as codes, and the text of each code."""
Result = TypeVar("Result")


def _try(work: Callable[[], Result]) -> Result:
    """Do `work`; whatever a damaged file makes the library raise becomes one clear refusal."""
    try:
        return work()
    except TableError:
        raise
    except Exception as error:
        # the library's own errors, but also KeyError, OverflowError, MemoryError ... : a list would never be complete
        lines = str(error).split("\n")
        raise TableError("damaged", why=lines[0][:120] or type(error).__name__) from None


def _open(data: bytes) -> tuple[pq.ParquetFile, list[str]]:
    file = _try(lambda: pq.ParquetFile(io.BytesIO(data), pre_buffer=False))
    meta = file.metadata
    size = _try(lambda: sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups)))
    if size > LARGEST_UNPACKED:
        raise TableError("too-large", size=size, limit=LARGEST_UNPACKED)
    names = _try(lambda: [str(name) for name in file.schema_arrow.names])
    # a text of a million letters said a million times must not be unpacked a million times
    texts = [
        field.name
        for field in file.schema_arrow
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    ]
    return _try(lambda: pq.ParquetFile(io.BytesIO(data), read_dictionary=texts, pre_buffer=False)), names


def _to_texts(column: pa.Array) -> Texts | None:
    """A column as texts, empty where nothing stands; None for lists, records and raw bytes."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode() if not pa.types.is_nested(column.type) else column
    if not pa.types.is_dictionary(column.type):
        return None
    # a batch refers to the dictionary of its whole row group; only what it uses is worth unpacking
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    used, codes = np.unique(codes, return_inverse=True)
    try:
        values = pc.cast(column.dictionary.take(pa.array(used, mask=used < 0)), pa.large_string()).to_pylist()
    except pa.ArrowException:
        return None
    return codes.astype(np.int64), ["" if value is None else value for value in values]


def read_first(data: bytes, rows: int) -> tuple[list[str], list[tuple[str, ...]]]:
    """Names of the columns and the first rows as texts."""
    file, names = _open(data)
    batch = _try(lambda: next(file.iter_batches(rows, use_threads=False), None))
    if batch is None:
        return names, []
    columns = []
    for column in batch.columns:
        found = _try(lambda column=column: _to_texts(column))  # type: ignore[misc]
        texts = ["..."] * batch.num_rows if found is None else [found[1][code] for code in found[0]]
        columns.append(texts)
    return names, list(zip(*columns, strict=True))


def count_rows(data: bytes) -> int:
    """Number of rows, by the file's own account."""
    return int(_open(data)[0].metadata.num_rows)


def iter_texts(data: bytes, places: Sequence[int]) -> Iterator[tuple[list[Texts], NDArray[np.uint64]]]:
    """The columns at `places`, a batch of rows after another, and a mark of each row that equal rows share."""
    file, names = _open(data)
    batches: Any = _try(lambda: file.iter_batches(BATCH, use_threads=False))
    while (batch := _try(lambda: next(batches, None))) is not None:
        marks = np.zeros(batch.num_rows, dtype=np.uint64)
        chosen: dict[int, Texts] = {}
        for place, column in enumerate(batch.columns):
            found = _try(lambda column=column: _to_texts(column))  # type: ignore[misc]
            if found is None:
                if place in places:
                    raise TableError("column-type", name=names[place], type=str(column.type))
                continue
            codes, texts = found
            hashes = np.array([hash(text) for text in texts], dtype=np.int64).astype(np.uint64)
            marks = marks * np.uint64(1_000_003) ^ hashes[codes]
            if place in places:
                chosen[place] = found
        yield [chosen[place] for place in places], marks
