"""The `sweep` command: a grid of settings on all cores or a cluster, with a progress bar on standard error."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from .. import sweep
from . import Command

WIDTH = 40


def _add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--grid", type=Path, required=True, help="TOML file: a value or a list for each parameter")
    parser.add_argument("--out", type=Path, required=True, help="folder of the rows; finished cells there are kept")
    parser.add_argument("--scheduler", default=None, help="address of a Dask cluster (default: all local cores)")


def _show(done: int, total: int) -> None:
    bar = "#" * (WIDTH * done // total)
    print(
        f"\r[{bar:<{WIDTH}}] {done:,} of {total:,} cells",
        end="\n" if done == total else "",
        file=sys.stderr,
        flush=True,
    )


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Where the rows are, and how many were simulated and reused."""
    done = sweep.run_sweep(sweep.read_grid(args.grid), args.out, args.scheduler, progress=_show)
    return {"rows": str(done.path), "cells": len(done.rows), "computed": done.computed, "reused": done.reused}


COMMANDS = {"sweep": Command("Every combination of a grid of settings; can be stopped and resumed.", _add, run)}
