"""Results of the simulated items as last computed, so that the page has them on arrival.

`python -m ui.evidence.stored` computes all of them with core's seed and writes `assets/evidence.json`; nobody edits
that file by hand.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core import evidence
from core.commands.evidence import get_date
from core.comparisons import Comparison, Finding
from core.evidence import Item

WRITER = "python -m ui.evidence.stored"
FILE = Path(__file__).parents[2] / "assets" / "evidence.json"


@dataclass(frozen=True)
class Stored:
    """One item's result as it was written.

    Attributes:
        date: day of the computation, ISO.
        seed: of the random numbers.
        command: terminal command that wrote it.
    """

    date: str
    seed: int
    command: str
    finding: Finding


def get_command(item: Item, seed: int) -> str:
    """The terminal command that computes the item."""
    return f"python -m core reproduce --out DIR --only {item.id}" + (f" --seed {seed}" if item.simulated else "")


@cache
def load() -> dict[str, Stored]:
    """All stored results by item id."""
    read = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: _unpack(about) for name, about in read.items()}


def _unpack(about: dict[str, Any]) -> Stored:
    columns = {
        name: np.array([math.nan if value is None else value for value in values])
        for name, values in about["columns"].items()
    }
    comparisons = tuple(Comparison(**one) for one in about["comparisons"])
    return Stored(about["date"], about["seed"], about["command"], Finding(columns, comparisons))


def pack(seed: int, finding: Finding) -> dict[str, Any]:
    """A result as plain JSON values, in full precision; what does not exist is null."""
    return {
        "date": get_date(),
        "seed": seed,
        "command": WRITER,
        "columns": {
            name: [None if value != value else value for value in column.tolist()]
            for name, column in finding.columns.items()
        },
        "comparisons": [asdict(one) for one in finding.comparisons],
    }


def to_text(results: dict[str, dict[str, Any]]) -> str:
    """The file: a line for each column and each comparison."""
    items = []
    for name, about in results.items():
        head = [f'  "{key}": {json.dumps(about[key])}' for key in ("date", "seed", "command")]
        columns = ",\n".join(f"   {json.dumps(key)}: {json.dumps(values)}" for key, values in about["columns"].items())
        held = ",\n".join(f"   {json.dumps(one)}" for one in about["comparisons"])
        parts = [*head, f'  "columns": {{\n{columns}\n  }}', f'  "comparisons": [\n{held}\n  ]']
        items.append(f' "{name}": {{\n' + ",\n".join(parts) + "\n }")
    return "{\n" + ",\n".join(items) + "\n}\n"


def write() -> None:
    """Compute every simulated item and write the file; what is at work is told on standard error."""
    results = {}
    for item in evidence.ITEMS.values():
        if item.simulated:
            print(item.id, file=sys.stderr, flush=True)
            results[item.id] = pack(evidence.SEED, evidence.compute(item))
    FILE.write_text(to_text(results), encoding="utf-8")


if __name__ == "__main__":
    write()
