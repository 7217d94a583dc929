"""The maximum audit interval W: what keeping it costs or gains, and whether it was kept (ours)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .auditors import make_mechanism
from .calibration import get_count_sd
from .counters import Array
from .mechanisms import Audits, Mechanism
from .parameters import Parameters, check_size
from .simulation import simulate, standard_error
from .streams import Stream, make_stream

FACTORS = (1.0, 1.1, 1.3, 1.6, 2.0, 3.0, 5.0, 10.0, 20.0)
"""Intervals of a sweep, in rounds of all targets."""


@dataclass(frozen=True)
class Interval:
    """A rule's missed reports and how long it left an organisation alone.

    Attributes:
        interval: W in steps; None for no such duty.
        mean_deficit, error: missed reports a step, with its standard error over runs.
        longest: most steps between two audits of one target in any run, the time before its first audit and after
            its last one included.
        count_sd: standard deviation of the noise on a count C steps after its restart.
    """

    interval: int | None
    mean_deficit: float
    error: float
    longest: int
    count_sd: float


def measure_longest(mechanism: Mechanism, stream: Stream, horizon: int, runs: int, seed: int) -> tuple[Array, int]:
    """Missed reports a step of each run, (runs,), and the longest time between two audits of a target.

    A time of g steps: audited at step t and not again before t + g. Steps before the first audit count from 0, and a
    target not audited any more by the last step counts what it has waited so far.
    """
    check_size(stream.targets, horizon, runs)
    missed = np.zeros(runs)
    last = np.zeros((runs, stream.targets), dtype=np.intp)
    longest = np.zeros(runs, dtype=np.intp)
    rows = np.arange(runs)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> None:
        missed[where] += deficit
        here = rows[where]
        longest[where] = np.maximum(longest[where], t + 1 - last[here, audits])
        last[here, audits] = t + 1

    simulate(mechanism, stream, horizon, seed, range(runs), observe)
    return missed / horizon, int(max(longest.max(), (horizon - last).max()))


def get_intervals(targets: int, horizon: int) -> list[int | None]:
    """Intervals from C up to below T in steps, and None: no duty at all."""
    found = sorted({round(factor * targets) for factor in FACTORS})
    return [*(w for w in found if w < horizon), None]


def run_intervals(
    parameters: Parameters,
    intervals: list[int | None],
    runs: int,
    horizon: int,
    progress: Callable[[float], None] | None = None,
) -> list[Interval]:
    """The noisy tally under each interval, over the first `horizon` steps; `runs` (at least 2) see the same reports."""
    p = parameters
    found = []
    for i, interval in enumerate(intervals):
        name = "tca" if interval is None else "tca-interval"
        missed, longest = measure_longest(make_mechanism(name, p, interval), make_stream(p), horizon, runs, p.seed)
        if progress:
            progress((i + 1) / len(intervals))
        lives = p.horizon if interval is None else interval
        noise = get_count_sd(p.delta, lives, min(p.targets, lives))
        found.append(Interval(interval, float(missed.mean()), standard_error(missed) or 0.0, longest, noise))
    return found
