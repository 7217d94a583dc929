"""The `league` command: every rule at the same delta; the stored league of the dashboard is made by it."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from datetime import date
from pathlib import Path

from .. import standings
from . import Command, Rows, option, whole


def _add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--setting", choices=standings.PARTS, default=None, help="only this part (default: all)")
    parser.add_argument("--runs", type=whole("runs", 2, 1_000_000), default=None, help="default: each part's own")
    parser.add_argument("--seed", **option("seed"))
    parser.add_argument("--out", type=Path, default=None, help="also store the rows in this file")


def run(args: argparse.Namespace) -> Rows:
    """A row for each part, rule and measure."""
    rows: list[standings.Row] = []
    for part in standings.PARTS if args.setting is None else (args.setting,):
        print(part, file=sys.stderr, flush=True)
        rows += standings.measure_part(part, args.runs, args.seed)
    if args.out is not None:
        setting = "" if args.setting is None else f" --setting {args.setting}"
        runs = "" if args.runs is None else f" --runs {args.runs}"
        command = f"python -m core league{setting}{runs} --seed {args.seed} --out {args.out.as_posix()}"
        standings.write(standings.League(date.today().isoformat(), args.seed, command, tuple(rows)), args.out)
    return [asdict(row) for row in rows]


COMMANDS = {"league": Command("Every rule at the same delta over the settings of the league.", _add, run)}
