"""The synthetic example of a complaint export: made by a rule, so that anyone can make it again, letter by letter.

`python -m core.intake.examples` writes `assets/examples/synthetic-complaints.csv`. No organisation in it exists and
nobody ever complained about one: twelve invented banks over 40 weeks, one of them with trouble from week 15 on. Like
real exports it mixes plain dates with timestamps, spells some names in several ways, breaks lines inside quotation
marks, repeats a few rows and holds empty ones; all of this can be told and handled, none of it makes the file
unreadable.
"""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta
from pathlib import Path

from ..seeds import get_generator

PATH = Path(__file__).parents[2] / "assets" / "examples" / "synthetic-complaints.csv"
SEED = 2026
FIRST_DAY = date(2024, 1, 1)
WEEKS = 40
TROUBLE = 15
"""First week in which the first organisation has ten times the usual reports."""
COLUMNS = (
    "Complaint ID", "Date received", "Product", "Issue", "Consumer complaint narrative", "Company", "State",
    "Submitted via", "Timely response?", "Data",
)  # fmt: skip
_BANKS = (
    "SYNTHETIC BANK ALDER, N.A.", "Synthetic Bank Beech, Inc.", "Synthetic Bank Cedar", "SYNTHETIC CREDIT DOGWOOD CORP",
    "Synthetic Bank Elm", "Synthetic Lending Fir, LLC", "SYNTHETIC BANK GUM", "Synthetic Bank Hazel",
    "Synthetic Iris Bank", "Synthetic Bank Juniper", "SYNTHETIC BANK KATSURA", "Synthetic Bank Larch",
)  # fmt: skip
_VARIANTS = {
    0: ("Synthetic Bank Alder", "Synthetic Bank Alder NA"),
    3: ("Synthetic Credit Dogwood Corporation",),
    5: ("Synthetic Lending Fir L.L.C.",),
}
_STORIES = (
    "", "", "", "", "They charged me twice, and then said \"this is normal\".",
    "I called, wrote, and called again.\nNobody answered.", "The form never opened.",
)  # fmt: skip
_PRODUCTS = ("Credit card", "Mortgage", "Checking, savings, or similar account")


def make_synthetic_complaints() -> bytes:
    """The example file: CSV, UTF-8."""
    # uniform numbers alone: their sequence is part of the generator's definition, that of other laws is not
    draw = get_generator(SEED, "reports").random

    def pick(choices: tuple[str, ...]) -> str:
        return choices[int(draw() * len(choices))]

    rows: list[list[str]] = []
    for day in range(7 * WEEKS):
        when = FIRST_DAY + timedelta(days=day)
        for bank, name in enumerate(_BANKS):
            often = 0.9 if bank == 0 and day >= 7 * (TROUBLE - 1) else 0.09
            if draw() >= often:
                continue
            written = pick(_VARIANTS[bank]) if bank in _VARIANTS and draw() < 0.3 else name
            time = f"T{int(draw() * 24):02}:{int(draw() * 60):02}:{int(draw() * 60):02}.000Z" if draw() < 0.3 else ""
            number = str(900_000 + len(rows))
            story, product, state = pick(_STORIES), pick(_PRODUCTS), pick(("CA", "FL", "NY", "TX"))
            rows.append(
                [number, f"{when}{time}", product, "Invented issue", story, written, state, "Web", "Yes", "synthetic"]
            )
            if draw() < 0.01:
                rows.append(rows[-1])
            if draw() < 0.01:
                rows.append([])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return text.getvalue().encode()


if __name__ == "__main__":
    PATH.parent.mkdir(parents=True, exist_ok=True)
    PATH.write_bytes(make_synthetic_complaints())
