"""`reproduce`: everything the paper shows, computed from nothing and written as tables, drawings and pages."""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from .. import evidence, plots
from ..claims import ERRORS
from ..comparisons import Comparison, Finding
from ..evidence import Item
from . import Command, option

TEMPLATES = Path(__file__).parents[1] / "templates"
MOST_ROWS = 110
"""Rows of a table shown on a page; the CSV file has all."""
RELATIONS = {"equal": "equal", "at-most": "at most", "at-least": "at least", "reading": "two readings"}
VERDICTS = {True: "yes", False: "no", None: "–"}
COLUMNS = (
    "item", "what", "ours", "reference", "difference", "standard_error", "in_standard_errors", "relation", "basis",
    "tolerance", "agrees",
)  # fmt: skip


def _add_reproduce(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, help="folder to write to; made where missing")
    parser.add_argument("--seed", **option("seed"))
    parser.add_argument("--only", default=None, metavar="ID,ID", help=f"of {', '.join(evidence.ITEMS)} (default: all)")


def reproduce(args: argparse.Namespace) -> dict[str, Any]:
    """Write every item's files and tell how many, how long and how well the numbers agree."""
    items = evidence.select(None if args.only is None else [name.strip() for name in args.only.split(",")])
    _check_folder(args.out)
    start = time.perf_counter()
    command = f"python -m core reproduce --out DIR --seed {args.seed}"
    if args.only is not None:
        command += f" --only {','.join(item.id for item in items)}"
    about = {"date": get_date(), "seed": args.seed, "command": command}
    files: dict[str, str] = {}
    found: list[tuple[Item, Finding]] = []
    for number, item in enumerate(items):
        bar = _Bar(item.id, number, len(items))
        finding = evidence.compute(item, args.seed, bar)
        bar(1.0)
        found.append((item, finding))
        svg = plots.draw(item, finding.columns)
        files |= {
            f"{item.id}.csv": _to_csv(list(finding.columns), zip(*_lists(finding), strict=True)),
            f"{item.id}.svg": svg + "\n",
            f"{item.id}.html": get_item_page(item, finding, svg, about),
        }
    files["comparisons.csv"] = _to_csv(COLUMNS, (_row(item, one) for item, f in found for one in f.comparisons))
    files["index.html"] = get_index_page(found, about)
    try:
        for name, text in files.items():
            (args.out / name).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise ValueError(f"out: {error.strerror} while writing to {args.out}") from None
    largest = evidence.get_largest(found)
    return {
        "files": sorted(files),
        "seconds": round(time.perf_counter() - start, 1),
        "comparisons": sum(len(finding.comparisons) for _, finding in found),
        "largest_in_standard_errors": None if largest is None else largest[0],
        "largest": None if largest is None else f"{largest[1].id}: {largest[2].what}",
        "not_agreeing": [f"{item.id}: {one.what}" for item, f in found for one in f.comparisons if one.agrees is False],
    }


def get_date() -> str:
    """Today; no time of day, so that what is made twice on one day is the same file."""
    return datetime.now(UTC).date().isoformat()


def _check_folder(folder: Path) -> None:
    """Refuse a place that cannot be written to before anything is computed."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"out must be a folder, and {folder} is a file")
    probe = folder / ".reproduce"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ValueError(
            f"out must be a folder that can be written to, and {folder} cannot: {error.strerror}"
        ) from None


class _Bar:
    """Progress on standard error: a bar in a terminal, a line an item elsewhere."""

    def __init__(self, name: str, number: int, of: int) -> None:
        self._name, self._number, self._of = name, number, of
        self._shown = -1
        if not sys.stderr.isatty():
            print(f"{number + 1}/{of} {name}", file=sys.stderr, flush=True)
        self(0.0)

    def __call__(self, share: float) -> None:
        done = int(100 * (self._number + min(1.0, share)) / self._of)
        if sys.stderr.isatty() and done > self._shown:
            self._shown = done
            bar = "#" * (done // 4)
            end = "\n" if done == 100 else ""
            print(f"\r[{bar:<25}] {done:3d}% {self._name:<28}", end=end, file=sys.stderr, flush=True)


def _lists(finding: Finding) -> list[list[Any]]:
    return [column.tolist() for column in finding.columns.values()]


def _to_csv(names: Any, rows: Any) -> str:
    """A table as text, numbers in full precision, what does not exist empty."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([None if isinstance(v, float) and math.isnan(v) else v for v in row] for row in rows)
    return file.getvalue()


def _row(item: Item, one: Comparison) -> list[Any]:
    agrees = None if one.agrees is None else str(one.agrees).lower()
    return [
        item.id, one.what, one.ours, one.reference, one.difference, one.error, one.in_errors, one.relation, one.basis,
        one.tolerance, agrees,
    ]  # fmt: skip


# --- pages -----------------------------------------------------------------------------------------------------------
def _digits(value: Any, digits: int = 6) -> str:
    """A number with `digits` digits, a dash where there is none, words as they are."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def _render(template: str, **content: Any) -> str:
    pages = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    pages.filters["digits"] = _digits
    return (
        pages.get_template(template).render(**content, errors=f"{ERRORS:g}", relations=RELATIONS, verdicts=VERDICTS)
        + "\n"
    )


def get_item_page(item: Item, finding: Finding, svg: str, about: dict[str, Any]) -> str:
    """One item as a page that needs nothing else: `about` holds date, seed and command."""
    rows = len(next(iter(finding.columns.values())))
    every = math.ceil(rows / MOST_ROWS)
    table = list(zip(*(column[::every].tolist() for column in finding.columns.values()), strict=True))
    return _render(
        "item.html", item=item, svg=Markup(svg), comparisons=finding.comparisons, columns=list(finding.columns),
        table=table, rows=rows, shown=len(table), every=every, **about,
    )  # fmt: skip


def get_index_page(found: list[tuple[Item, Finding]], about: dict[str, Any]) -> str:
    """The page that links all others."""
    rows = []
    for item, finding in found:
        off = sum(one.agrees is False for one in finding.comparisons)
        rows.append(
            {"item": item, "count": len(finding.comparisons), "off": off, "largest": _largest([(item, finding)])}
        )
    return _render(
        "index.html", rows=rows, count=sum(row["count"] for row in rows), off=sum(row["off"] for row in rows),
        largest=_largest(found), **about,
    )  # fmt: skip


def _largest(found: list[tuple[Item, Finding]]) -> float | None:
    largest = evidence.get_largest(found)
    return None if largest is None else largest[0]


COMMANDS = {
    "reproduce": Command(
        "Everything the paper shows, computed anew: tables, drawings and pages in a folder.", _add_reproduce, reproduce
    ),
}
