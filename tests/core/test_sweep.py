"""Sweeps: the same rows for any number of workers, through killed workers, killed sweeps and changed grids."""

import argparse
import builtins
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core import sweep
from core.auditors import NAMES
from core.commands import sweep as command
from core.parameters import Parameters

GRID = """
mechanism = ["tca", "rota"]
delta = [0.1, 0.3]
targets = [3, 4]
horizon = 20
run_count = 1
"""
CELLS = sweep.make_cells(
    {"mechanism": ["tca", "rota"], "delta": [0.1, 0.3], "targets": [3, 4], "horizon": 20, "runs": 10}
)
ROWS = [sweep.run_cell(cell) for cell in CELLS]
"""What every sweep over `CELLS` must give."""


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as made:
        yield made


@pytest.fixture
def unconnected(monkeypatch):
    """Any attempt to compute fails."""

    def refuse(*args):
        raise AssertionError("a finished cell was computed again")

    monkeypatch.setattr(sweep, "_connect", refuse)


# --- grids -----------------------------------------------------------------------------------------------------------
def test_cells_are_the_cross_product_with_defaults_elsewhere():
    assert len(CELLS) == 8 and len({cell.key for cell in CELLS}) == 8
    assert [(c.mechanism, c.parameters.delta, c.parameters.targets) for c in CELLS[:3]] == [
        ("tca", 0.1, 3), ("tca", 0.1, 4), ("tca", 0.3, 3),
    ]  # fmt: skip
    default = Parameters()
    assert all(cell.parameters.seed == default.seed and cell.parameters.lead_rate == 1.0 for cell in CELLS)
    assert len(sweep.make_cells({"delta": [0.1, 0.10, "0.1"]})) == 1


def test_the_key_follows_the_settings_and_the_version_of_the_rows(monkeypatch):
    (one,) = sweep.make_cells({"targets": 3})
    (again,) = sweep.make_cells({"targets": [3.0], "mechanism": "tca"})
    (other,) = sweep.make_cells({"targets": 3, "seed": 1})
    assert one.key == again.key != other.key
    before = one.key
    monkeypatch.setattr(sweep, "VERSION", sweep.VERSION + 1)
    assert one.key != before


@pytest.mark.parametrize(
    ("grid", "says"),
    [
        ({"colour": [1]}, "colour cannot be swept; allowed are mechanism, steps, delta"),
        ({"gap": [1]}, "gap cannot be swept"),
        ({"delta": [0.1, 2]}, "delta must be a number from 0.005 to 0.95, got 2"),
        ({"targets": [2.5]}, "targets must be a whole number from 2 to 500, got 2.5"),
        ({"targets": [[3]]}, "targets must be a whole number"),
        ({"runs": True}, "runs must be a whole number"),
        ({"stream": ["poison"]}, "stream must be one of poisson, burst"),
        ({"mechanism": ["tca", "luck"]}, f"mechanism must be one of {', '.join(NAMES)}, got 'luck'"),
        ({"mechanism": [["tca"]]}, "mechanism must be one of"),
        ({"delta": []}, "delta needs at least one value"),
        ({"targets": 500, "horizon": 10_000, "runs": 1000}, "at most 100 runs fit"),
        ({"seed": list(range(1001)), "targets": list(range(2, 102))}, "100,100 combinations; at most 100,000"),
    ],
)
def test_bad_grids_are_refused_with_what_is_allowed(grid, says):
    with pytest.raises(ValueError) as caught:
        sweep.make_cells(grid)
    assert says in str(caught.value)


def test_bad_files_are_refused(tmp_path):
    path = tmp_path / "grid.toml"
    with pytest.raises(sweep.SweepError, match="cannot be read"):
        sweep.read_grid(path)
    for written in (b"delta = [0.1", b"\xff\xfe"):
        path.write_bytes(written)
        with pytest.raises(sweep.SweepError, match="is not TOML"):
            sweep.read_grid(path)
    path.write_text(GRID)
    with pytest.raises(sweep.SweepError, match="run_count cannot be swept"):
        sweep.read_grid(path)


# --- running ---------------------------------------------------------------------------------------------------------
def test_a_row_is_what_the_run_command_prints(capsys):
    from core.__main__ import main

    names = ("mechanism", "targets", "horizon", "delta", "runs", "seed")
    row = ROWS[1]
    assert main(["run", "--format", "csv", *(part for name in names for part in (f"--{name}", str(row[name])))]) == 0
    columns, values = (line.split(",") for line in capsys.readouterr().out.splitlines())
    assert {name: float(value) for name, value in zip(columns, values, strict=True)} == {
        name: row[name] for name in sweep.RESULTS
    }


def test_one_worker_then_two_and_a_changed_grid(cluster, tmp_path, capsys):
    path, out = tmp_path / "grid.toml", tmp_path / "out"
    path.write_text(GRID.replace("run_count = 1", "runs = 10"))
    first = sweep.run_sweep(CELLS[:3], out, workers=1)
    assert first.rows == ROWS[:3] and (first.computed, first.reused) == (3, 0)
    # half a file, as a full disk leaves it, and a stranger's row under a cell's name: neither is taken for a result
    files = [out / "cells" / f"{cell.key}.parquet" for cell in CELLS]
    files[0].write_bytes(files[0].read_bytes()[:100])
    files[1].write_bytes(files[2].read_bytes())
    args = argparse.ArgumentParser()
    command.COMMANDS["sweep"].arguments(args)
    given = args.parse_args(["--grid", str(path), "--out", str(out), "--scheduler", cluster.scheduler_address])
    assert command.COMMANDS["sweep"].run(given) == {
        "rows": str(out / "rows.parquet"), "cells": 8, "computed": 7, "reused": 1,
    }  # fmt: skip
    assert "8 of 8 cells\n" in capsys.readouterr().err
    assert pq.read_table(out / "rows.parquet").to_pylist() == ROWS
    assert not list(out.rglob(".*"))


def test_two_workers_one_of_them_killed_in_the_middle(cluster, tmp_path):
    from distributed import Client

    # cells long enough for both workers to be busy when one is killed
    cells = sweep.make_cells({"seed": [1, 2, 3, 4, 5, 6], "targets": 20, "runs": 40})
    with Client(cluster) as client:
        workers = client.run(os.getpid)
    left = []

    def kill(done, total):
        if done == 1:
            left.append(total - done)
            os.kill(next(iter(workers.values())), signal.SIGKILL)

    done = sweep.run_sweep(cells, tmp_path, cluster.scheduler_address, progress=kill)
    assert left == [5] and done.computed == 6
    assert done.rows == [sweep.run_cell(cell) for cell in cells]
    with Client(cluster) as client:
        assert set(client.run(os.getpid).values()) != set(workers.values())


def test_a_killed_sweep_is_resumed_where_it_stopped(cluster, tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from core import sweep\n"
        "cells = sweep.make_cells({'mechanism': ['tca', 'rota'], 'delta': [0.1, 0.3], 'targets': [3, 4],"
        " 'horizon': 20, 'runs': 10})\n"
        "wait = lambda done, total: time.sleep(60 if done == 3 else 0)\n"
        "sweep.run_sweep(cells, Path(sys.argv[1]), sys.argv[2], progress=wait)"
    )
    root = Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path), cluster.scheduler_address], cwd=root)
    try:
        for _ in range(600):
            if len(list((tmp_path / "cells").glob("[!.]*"))) >= 3:
                break
            time.sleep(0.1)
    finally:
        process.kill()
        process.wait()
    assert len(list((tmp_path / "cells").glob("[!.]*"))) == 3 and not (tmp_path / "rows.parquet").exists()
    done = sweep.run_sweep(CELLS, tmp_path, cluster.scheduler_address)
    assert (done.computed, done.reused) == (5, 3)
    assert done.rows == ROWS == pq.read_table(done.path).to_pylist()


def test_a_finished_sweep_computes_nothing(tmp_path, unconnected):
    (tmp_path / "cells").mkdir()
    for cell, row in zip(CELLS, ROWS, strict=True):
        sweep._write([row], tmp_path / "cells" / f"{cell.key}.parquet")
    done = sweep.run_sweep(CELLS[::-1], tmp_path)
    assert done.rows == ROWS[::-1] and (done.computed, done.reused) == (0, 8)


def test_a_failing_cell_keeps_the_others(cluster, tmp_path):
    bad = sweep.Cell("luck", CELLS[0].parameters, CELLS[0].steps)
    with pytest.raises(sweep.SweepError, match=r"1 of 3 cells failed.*luck"):
        sweep.run_sweep([CELLS[0], bad, CELLS[1]], tmp_path, cluster.scheduler_address)
    assert len(list((tmp_path / "cells").glob("[!.]*"))) == 2


def test_without_dask_or_a_scheduler_it_says_so(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(sweep, "PATIENCE", 0.5)
    with pytest.raises(sweep.SweepError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        sweep.run_sweep(CELLS, tmp_path, "tcp://127.0.0.1:9")
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "distributed":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(sweep.SweepError, match=r"pip install -r requirements-sweep\.txt"):
        sweep.run_sweep(CELLS, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(sweep.SweepError, match="cannot be written"):
        sweep.run_sweep(CELLS, tmp_path / "file")
