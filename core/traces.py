"""What a tally sees while it decides: released numbers, estimates and their errors, beside the truth (ours)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counters import Array
from .mechanisms import Audits, Mechanism
from .parameters import check_size
from .streams import Stream


@dataclass(frozen=True)
class Trace:
    """Runs looked at from the inside: S runs, T steps, C targets.

    Attributes:
        active: true open reports at each decision, (S, T, C).
        released: the noisy numbers that the guarantee protects, (S, T, C).
        estimate: of the open reports, (S, T, C): the filters' where there are any, else what was released.
        doubt: the filters' own standard deviation of it, (S, T, C), or None.
        audits: audited target, (S, T).
    """

    active: Array
    released: Array
    estimate: Array
    doubt: Array | None
    audits: Audits

    @property
    def ages(self) -> NDArray[np.intp]:
        """Steps since each target's last audit (since the start before the first one), from 1, (S, T, C)."""
        runs, steps, targets = self.active.shape
        ages = np.empty((runs, steps, targets), dtype=np.intp)
        age = np.zeros((runs, targets), dtype=np.intp)
        rows = np.arange(runs)
        for t in range(steps):
            age += 1
            ages[:, t] = age
            age[rows, self.audits[:, t]] = 0
        return ages


def run_trace(mechanism: Mechanism, stream: Stream, horizon: int, runs: int, seed: int) -> Trace:
    """The runs numbered 0 .. `runs` - 1, the same as those of `core.simulation.run_ensemble`.

    Raises:
        ParameterError: more than fits. ValueError: a mechanism that releases nothing but its audits.
    """
    check_size(stream.targets, horizon, runs)
    feed = stream.start(seed, range(runs))
    auditor = mechanism.start(seed, range(runs), horizon)
    auditor.recording = True
    shape = (runs, horizon, stream.targets)
    active, released, estimate, doubt = (np.empty(shape) for _ in range(4))
    audits = np.empty((runs, horizon), dtype=np.intp)
    counts = np.zeros((runs, stream.targets))
    rows = np.arange(runs)
    for t in range(horizon):
        if not feed.silent:
            counts += feed.step()
        audits[:, t] = chosen = auditor.choose(counts)
        if auditor.released is None:
            raise ValueError(f"{type(mechanism).__name__} releases nothing but its audits")
        active[:, t], released[:, t] = counts, auditor.released
        estimate[:, t] = auditor.released if auditor.estimate is None else auditor.estimate
        if auditor.doubt is not None:
            doubt[:, t] = auditor.doubt
        counts[rows, chosen] = 0.0
    return Trace(active, released, estimate, None if auditor.doubt is None else doubt, audits)


def get_errors_by_age(trace: Trace, longest: int, least: int = 20) -> Array:
    """Root mean square error of the estimate of open reports 1 .. `longest` steps after an audit, (longest,).

    Not a number where fewer than `least` cases were seen.
    """
    ages = trace.ages.ravel()
    squares = ((trace.estimate - trace.active) ** 2).ravel()
    near = ages <= longest
    cases = np.bincount(ages[near], minlength=longest + 1)[1:]
    sums = np.bincount(ages[near], squares[near], minlength=longest + 1)[1:]
    return np.where(cases >= least, np.sqrt(sums / np.maximum(cases, 1)), np.nan)
