"""Sweeps: every combination of a grid of settings, simulated on all cores or on a cluster, resumable at any time.

A finished cell is a small file named by what it depends on; a sweep that was stopped, or whose grid has changed,
computes only what is missing. A cell's random numbers follow from its own `seed` alone, so its row is the same for
any number of workers and any order, and equals the `run` command's with the same settings. Cells that share a seed
share their reports too: differences between mechanisms are differences on the same data.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .auditors import NAMES, make_mechanism
from .parameters import TABLE, Parameters
from .simulation import run_ensemble
from .streams import make_stream

SETTINGS = ("delta", "targets", "horizon", "lead_rate", "other_rate", "stream", "rr_calibration", "runs", "seed")
"""Parameters that a grid may vary beside `mechanism`: those that change a simulation."""
RESULTS = ("mean_deficit", "mean_deficit_se", "misselection", "misselection_se", "late_deficit", "max_deficit")
VERSION = 2
"""Raise it whenever a row gets other columns or the simulation other numbers: finished cells then no longer fit."""
MOST_CELLS = 100_000
PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer."""

Row = dict[str, Any]


class SweepError(ValueError):
    """A sweep that cannot start or did not finish; finished cells are kept."""


@dataclass(frozen=True)
class Cell:
    """One combination: a mechanism in a scenario.

    Attributes:
        steps: audits simulated, at most the horizon, for which the noise is made all the same.
    """

    mechanism: str
    parameters: Parameters
    steps: int

    @property
    def settings(self) -> Row:
        """What the cell's numbers depend on."""
        chosen = {name: getattr(self.parameters, name) for name in SETTINGS}
        return {"mechanism": self.mechanism, **chosen, "steps": self.steps}

    @property
    def key(self) -> str:
        """Name of the cell's file: a hash of its settings and `VERSION`."""
        text = json.dumps({"version": VERSION, **self.settings}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def make_cells(grid: Mapping[str, Any]) -> list[Cell]:
    """All combinations of a grid: name -> value or list of values; what is not named keeps its default.

    Beside `SETTINGS` and `mechanism` a grid may name `steps`, the audits simulated (default: the horizon).

    Raises:
        ValueError: an unknown name, no values, a value outside its range, or sizes too large for one request.
    """
    values: dict[str, list[Any]] = {"mechanism": ["tca"]}
    for name, given in grid.items():
        if name not in ("mechanism", "steps", *SETTINGS):
            raise SweepError(f"{name} cannot be swept; allowed are mechanism, steps, {', '.join(SETTINGS)}")
        listed = given if isinstance(given, list) else [given]
        if not listed:
            raise SweepError(f"{name} needs at least one value")
        if name == "mechanism":
            for value in listed:
                if value not in NAMES:
                    raise SweepError(f"mechanism must be one of {', '.join(NAMES)}, got {value!r}")
        else:
            listed = [TABLE["horizon" if name == "steps" else name].check(value) for value in listed]
        values[name] = list(dict.fromkeys(listed))
    count = 1
    for listed in values.values():
        count *= len(listed)
    if count > MOST_CELLS:
        raise SweepError(f"the grid has {count:,} combinations; at most {MOST_CELLS:,} are allowed")
    cells = []
    for combination in itertools.product(*values.values()):
        chosen = dict(zip(values, combination, strict=True))
        mechanism = chosen.pop("mechanism")
        horizon = chosen.get("horizon", TABLE["horizon"].default)
        steps = chosen.pop("steps", horizon)
        if steps > horizon:
            raise SweepError(f"steps must not exceed horizon ({horizon:,}), got {steps:,}")
        length = min(horizon, int(TABLE["run_length"].default))
        cells.append(Cell(mechanism, Parameters(**chosen, run_length=length), steps))
    return cells


def read_grid(path: Path) -> list[Cell]:
    """The cells of a TOML file; see `make_cells`.

    Raises:
        ValueError: no such file, not TOML, or a bad grid.
    """
    try:
        return make_cells(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SweepError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SweepError(f"{path} is not TOML: {error}") from None


def run_cell(cell: Cell) -> Row:
    """The row of one cell: its settings and results."""
    p = cell.parameters
    ensemble = run_ensemble(make_mechanism(cell.mechanism, p), make_stream(p), cell.steps, p.runs, p.seed)
    return {**cell.settings, **{name: getattr(ensemble, name) for name in RESULTS}}


# --- files -----------------------------------------------------------------------------------------------------------
def _write(rows: Sequence[Row], path: Path) -> None:
    """Write all or nothing: a reader, or a later sweep, never sees half a file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    part = path.with_name(f".{path.name}.{os.getpid()}")
    pq.write_table(pa.Table.from_pylist(list(rows)), part)
    part.replace(path)


def _read(path: Path, cell: Cell) -> Row | None:
    """A finished row; None where there is none that can be read or fits."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        row = pq.read_table(path).to_pylist()[0]
    except (OSError, pa.ArrowException, IndexError):
        return None
    return row if {name: row.get(name) for name in cell.settings} == cell.settings else None


# --- workers ---------------------------------------------------------------------------------------------------------
@contextmanager
def _connect(scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """A Dask client of the cluster at `scheduler`, or of one made here for the time being."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise SweepError("a sweep needs Dask, which is not installed: pip install -r requirements-sweep.txt") from None
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=PATIENCE)
        except (OSError, ValueError, TypeError) as error:
            raise SweepError(f"no Dask scheduler answers at {scheduler}: {error}") from None
        with client:
            yield client
        return
    count = workers or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
    with (
        LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        yield client


@dataclass(frozen=True)
class Sweep:
    """A finished sweep.

    Attributes:
        rows: in the order of the grid. computed, reused: how many of them were simulated now, and found finished.
        path: the file that holds them.
    """

    rows: list[Row]
    computed: int
    reused: int
    path: Path


def run_sweep(
    cells: Sequence[Cell],
    out: Path,
    scheduler: str | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Simulate what is not yet finished in `out`, then join all rows into `out/rows.parquet`.

    Args:
        scheduler: address of a Dask cluster whose workers can import this package; None: all cores of this machine.
        workers: processes on this machine instead of one a core.
        progress: called with cells finished and cells in all, first with those found.

    Raises:
        ValueError: no Dask, no cluster at that address, `out` cannot be written, or cells that failed (their files
            are missing, all others are kept).
    """
    folder = out / "cells"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SweepError(f"{out} cannot be written: {error.strerror}") from None
    found = {cell.key: _read(folder / f"{cell.key}.parquet", cell) for cell in cells}
    rows = {key: row for key, row in found.items() if row is not None}
    reused = len(rows)
    report = progress or (lambda done, total: None)
    report(reused, len(found))
    missing = {cell.key: cell for cell in cells if cell.key not in rows}
    failed = []
    if missing:
        with _connect(scheduler, workers) as client:
            from distributed import as_completed

            futures = {client.submit(run_cell, cell, key=key): cell for key, cell in missing.items()}
            for future in as_completed(futures):
                cell = futures.pop(future)
                if future.status != "finished":
                    failed.append(f"{cell.settings}: {future.exception()!r}")
                    continue
                rows[cell.key] = future.result()
                _write([rows[cell.key]], folder / f"{cell.key}.parquet")
                report(len(rows), len(found))
    if failed:
        raise SweepError(f"{len(failed):,} of {len(found):,} cells failed, the others are kept; first: {failed[0]}")
    path = out / "rows.parquet"
    joined = [rows[key] for key in found]
    _write(joined, path)
    return Sweep(joined, len(missing), reused, path)
