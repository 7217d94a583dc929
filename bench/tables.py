"""A million real reports: from bytes to a table, against the time the csv module alone needs."""

from __future__ import annotations

import csv
import io
from random import Random

import pyarrow.csv
import pyarrow.parquet

from core.intake.tables import read_table

from .timing import best_time, show

ROWS = 1_000_000
HEADER = (
    "Date received,Product,Sub-product,Issue,Sub-issue,Consumer complaint narrative,Company public response,Company,"
    "State,ZIP code,Tags,Submitted via,Date sent to company,Company response to consumer,Timely response?,Complaint ID"
)


def make_file(rows: int = ROWS) -> bytes:
    """A complaint export of 16 columns: half the dates with times, 2,000 companies, quoted commas, some narratives."""
    draw = Random(1).random
    lines = [HEADER]
    for i in range(rows):
        day = f"20{int(draw() * 10) + 14}-{int(draw() * 12) + 1:02}-{int(draw() * 28) + 1:02}"
        when = f"{day}T{int(draw() * 24):02}:{int(draw() * 60):02}:{int(draw() * 60):02}.000Z" if draw() < 0.5 else day
        company = int(2000 * draw() ** 3)
        name = f"Company {company}, Inc." if draw() < 0.8 else f"COMPANY {company} INC"
        story = '"It says ""no"".\nI said yes, twice."' if draw() < 0.2 else ""
        lines.append(
            f'{when},"Credit reporting, repair",Credit reporting,Wrong report,,{story},,"{name}",VA,220XX,,Web,{day},'
            f"Closed with explanation,Yes,{i}"
        )
    return "\n".join(lines).encode()


def parse(data: bytes) -> None:
    """Only take the records apart."""
    for _ in csv.reader(io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")):
        pass


def main() -> None:
    """Print every figure."""
    data = make_file()
    seconds = best_time(lambda: read_table(data), 2)
    show("a million complaints (16 columns, CSV) to a table", seconds, 10, " s")
    show("the same against the csv module alone", seconds / best_time(lambda: parse(data), 2), 4)
    options = pyarrow.csv.ParseOptions(newlines_in_values=True)
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(io.BytesIO(data), parse_options=options), sink)
    show("the same as Parquet", best_time(lambda: read_table(sink.getvalue()), 2), 10, " s")


if __name__ == "__main__":
    main()
