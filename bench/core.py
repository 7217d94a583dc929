"""The core against the time NumPy needs for the same random numbers, and its growth."""

from __future__ import annotations

import numpy as np

from core.attacks import measure_timing, watch_target
from core.auditors import make_mechanism
from core.parameters import Parameters
from core.simulation import run_ensemble, run_transcript
from core.streams import make_stream

from .timing import best_time, peak_memory, show

DEFAULT = Parameters()
SETUP = """
import numpy
from core.attacks import measure_timing, watch_target
from core.auditors import make_mechanism
from core.parameters import Parameters
from core.simulation import run_ensemble
from core.streams import make_stream
p = Parameters()
"""
RUN = "run_ensemble(make_mechanism('tca', p), make_stream(p), p.horizon, 100, 1)"


def ensemble(targets: int = 50, horizon: int = 1000, runs: int = 100) -> object:
    """One TCA ensemble, reports included."""
    p = Parameters(targets=targets, horizon=horizon, run_length=1)
    return run_ensemble(make_mechanism("tca", p), make_stream(p), horizon, runs, 1)


def fading() -> object:
    """The same ensemble audited by the fading tally."""
    return run_ensemble(make_mechanism("fading", DEFAULT), make_stream(DEFAULT), DEFAULT.horizon, 100, 1)


def fading_transcript() -> None:
    """One record of the fading tally in the default scenario."""
    run_transcript(make_mechanism("fading", DEFAULT), make_stream(DEFAULT), DEFAULT.horizon, DEFAULT.seed)


def draw(targets: int = 50, horizon: int = 1000, runs: int = 100) -> None:
    """Only draw the normals and Poissons of that ensemble."""
    normals = np.empty((horizon, targets))
    for run in range(runs):
        generator = np.random.default_rng(run)
        generator.standard_normal(out=normals)
        generator.poisson(0.2, (horizon, targets - 1))
        generator.poisson(1.0, horizon)


def timing_attack(pairs: int) -> None:
    """The timing attack on TCA without background reports, every run to its last audit."""
    quiet = Parameters(lead_rate=0.0, other_rate=0.0)
    watch = watch_target(make_mechanism("tca", quiet), make_stream(quiet), quiet.horizon, 1, 2, pairs, 1)
    measure_timing(watch)


def draw_normals(pairs: int) -> None:
    """Only draw that attack's normals."""
    normals = np.empty((DEFAULT.horizon, DEFAULT.targets))
    for run in range(2 * pairs):
        np.random.default_rng(run).standard_normal(out=normals)


def additions() -> None:
    """A Python loop of 1,000 NumPy additions on 50 numbers."""
    one, two = np.zeros(50), np.ones(50)
    for _ in range(1000):
        one + two


def four_transcripts() -> None:
    """The four records of the default Audit records page."""
    stream = make_stream(DEFAULT)
    for name in ("greedy", "tca", "rr", "uniform"):
        run_transcript(make_mechanism(name, DEFAULT), stream, DEFAULT.horizon, DEFAULT.seed)


def main() -> None:
    """Print every figure."""
    base = best_time(ensemble)
    show("TCA ensemble (C=50, T=1,000, S=100) against drawing its random numbers", base / best_time(draw), 1.6)
    show("its memory above the interpreter's", peak_memory(SETUP + RUN) - peak_memory(SETUP), 100, " MB")
    show("T 10 times as long", best_time(lambda: ensemble(horizon=10_000), 2) / base, 12)
    show("C 10 times as many", best_time(lambda: ensemble(targets=500), 2) / base, 12)
    show("S 10 times as many", best_time(lambda: ensemble(runs=1000), 2) / base, 12)
    show("fading tally against the TCA ensemble", best_time(fading, 2) / base, 25)
    use = peak_memory(SETUP + RUN.replace("tca", "fading")) - peak_memory(SETUP)
    show("its memory above the interpreter's", use, 300, " MB")
    attack, drawing = best_time(lambda: timing_attack(10_000), 1), best_time(lambda: draw_normals(10_000), 1)
    show("timing attack (C=50, T=1,000, 10,000 pairs) against drawing its random numbers", attack / drawing, 2)
    show(
        "four single transcripts against 1,000 NumPy additions",
        best_time(four_transcripts) / best_time(additions, 20),
        100,
    )
