"""The commands of the terminal. Each module here has `COMMANDS`; this one holds what their arguments share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..parameters import TABLE, ParameterError, Parameters

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Command:
    """One command.

    Attributes:
        help: one line.
        arguments: adds the command's arguments to its parser.
        run: prints nothing; returns one JSON object or rows. A ValueError becomes exit code 2 and one line.
    """

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], dict[str, Any] | Rows]


def option(name: str) -> dict[str, Any]:
    """Keyword arguments for `add_argument`: the table's type check and help for parameter `name`."""
    row = TABLE[name]

    def check(text: str) -> Any:
        try:
            return row.check(text)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return {"type": check, "default": row.default, "help": f"{row.unit or row.symbol}, {row.allowed()}", "dest": name}


def numbers(name: str, low: float, high: float) -> Callable[[str], list[float]]:
    """An argument type: numbers from `low` to `high` with commas between."""

    def check(text: str) -> list[float]:
        try:
            values = [float(part) for part in text.split(",")]
        except ValueError:
            values = [float("nan")]
        if not all(low <= value <= high for value in values):
            raise argparse.ArgumentTypeError(f"{name} must be numbers from {low:g} to {high:g} with commas between")
        return values

    return check


def whole(name: str, low: int, high: int) -> Callable[[str], int]:
    """An argument type: a whole number from `low` to `high`."""

    def check(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{name} must be a whole number from {low:,} to {high:,}, got {text!r}")
        return int(text)

    return check


def add_size(parser: argparse.ArgumentParser) -> None:
    """Arguments `targets`, `horizon` and `delta`."""
    parser.add_argument("--targets", **option("targets"))
    parser.add_argument("--horizon", **option("horizon"))
    parser.add_argument("--delta", **option("delta"))


def add_report(parser: argparse.ArgumentParser) -> None:
    """Arguments `step` and `target` of one report."""
    parser.add_argument("--step", type=whole("step", 1, 10_000), required=True, help="of the report, from 1")
    parser.add_argument("--target", type=whole("target", 0, 499), required=True, help="reported target, from 0")


def get_scenario(args: argparse.Namespace) -> Parameters:
    """The scenario that the arguments describe."""
    names = ("targets", "horizon", "delta", "lead_rate", "other_rate", "stream", "seed")
    values = {name: getattr(args, name) for name in names if hasattr(args, name)}
    length = min(values["horizon"], int(TABLE["run_length"].default))
    return Parameters(**values, run_length=length, runs=int(TABLE["runs"].minimum or 1))


def to_rows(columns: dict[str, np.ndarray]) -> Rows:
    """Columns of one length as rows of plain numbers."""
    lists = [column.tolist() for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
