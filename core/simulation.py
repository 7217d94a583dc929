"""Runs: one run gives a `Transcript`, many runs an `Ensemble`. Everything streams; only audits and deficits are kept.

Condition 2 of the paper holds here: after an audit the target's earlier reports no longer count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counters import Array
from .mechanisms import Audits, Mechanism
from .parameters import check_size
from .streams import Stream, get_reports

CELLS = 5_000
"""Runs x targets simulated at once: small enough for the processor's cache, large enough to hide Python's overhead."""


@dataclass(frozen=True)
class Transcript:
    """One run. T steps, C targets.

    Attributes:
        audits: audited target of each step, (T,), from 0.
        reports: new reports, (T, C).
        active: reports since each target's last audit at the moment of decision, (T, C).
        deficit: active reports of the worst target minus those of the audited one, (T,).
        noise: noise on each count where the mechanism has counters, (T, C), else None.
        fresh: the part of `noise` drawn at that step, (T, C), else None.
    """

    audits: Audits
    reports: NDArray[np.int64]
    active: NDArray[np.int64]
    deficit: NDArray[np.int64]
    noise: Array | None = None
    fresh: Array | None = None

    @property
    def hit(self) -> NDArray[np.bool_]:
        """Whether the audited target was one of the most reported, (T,)."""
        return self.deficit == 0

    @property
    def leader_active(self) -> NDArray[np.int64]:
        """Active reports of the most reported target, (T,)."""
        return self.active.max(axis=1)


def run_transcript(mechanism: Mechanism, stream: Stream, horizon: int, seed: int, run: int = 0) -> Transcript:
    """Run one auditor once; run number `run` of `run_ensemble` with the same seed is the same run.

    Raises:
        HorizonError: a horizon longer than the mechanism's guarantee.
    """
    reports = get_reports(stream, horizon, seed, run)
    auditor = mechanism.start(seed, [run], horizon)
    auditor.recording = True
    counts = np.zeros((1, stream.targets))
    row = counts[0]
    active = np.empty((horizon, stream.targets))
    audits = np.empty(horizon, dtype=np.intp)
    noise = fresh = None
    for t in range(horizon):
        np.add(row, reports[t], out=row)
        active[t] = row
        audits[t] = audited = auditor.choose(counts)[0]
        if auditor.noise is not None and auditor.fresh is not None:
            if noise is None or fresh is None:
                noise, fresh = np.empty_like(active), np.empty_like(active)
            noise[t], fresh[t] = auditor.noise[0], auditor.fresh[0]
        row[audited] = 0.0
    deficit = get_missed(active, audits)
    return Transcript(audits, reports, active.astype(np.int64), deficit.astype(np.int64), noise, fresh)


@dataclass(frozen=True)
class Ensemble:
    """Many runs of one mechanism: S runs, T steps.

    Attributes:
        deficit: missed reports of each run and step, (S, T).
    """

    deficit: NDArray[np.int32]

    @property
    def mean_deficit(self) -> float:
        """Missed reports a step, mean over runs and steps."""
        return float(self.deficit.mean())

    @property
    def mean_deficit_se(self) -> float | None:
        """Standard error of `mean_deficit` over runs; None for one run."""
        return standard_error(self.deficit.mean(axis=1))

    @property
    def misselection(self) -> float:
        """Share of audits that did not go to a most reported target."""
        return float((self.deficit > 0).mean())

    @property
    def misselection_se(self) -> float | None:
        """Standard error of `misselection` over runs; None for one run."""
        return standard_error((self.deficit > 0).mean(axis=1))

    @property
    def late_deficit(self) -> float:
        """Missed reports a step over the last tenth of the horizon (at least one step), where a drift would show."""
        return float(self.deficit[:, -max(1, self.deficit.shape[1] // 10) :].mean())

    @property
    def max_deficit(self) -> int:
        """Most reports missed in one step of one run."""
        return int(self.deficit.max())

    def by_step(self, quantiles: tuple[float, float] = (0.1, 0.9)) -> tuple[Array, Array, Array]:
        """Mean and two quantiles over runs of the missed reports at each step, shapes (T,)."""
        low, high = np.quantile(self.deficit, quantiles, axis=0)
        return self.deficit.mean(axis=0), low, high

    def cumulative_by_step(self, quantiles: tuple[float, float] = (0.1, 0.9)) -> tuple[Array, Array, Array]:
        """Mean and two quantiles over runs of the missed reports summed up to each step, shapes (T,)."""
        total = self.deficit.cumsum(axis=1, dtype=np.int64)
        low, high = np.quantile(total, quantiles, axis=0)
        return total.mean(axis=0), low, high


def get_missed(active: Array, audits: Audits, rows: NDArray[np.intp] | None = None) -> Array:
    """Missed reports, (n,): the most reported targets' active reports minus those of the audited ones.

    As many targets are compared as are audited at once: the paper's active-count deficit for one audit a step.

    Args:
        active: (n, targets). audits: (n,) or (n, m). rows: 0 .. n - 1, where the caller has it at hand.
    """
    rows = np.arange(len(active)) if rows is None else rows
    if audits.ndim == 1:
        return active.max(axis=1) - active[rows, audits]
    most = -np.partition(-active, audits.shape[1] - 1, axis=1)[:, : audits.shape[1]]
    return most.sum(axis=1) - active[rows[:, None], audits].sum(axis=1)


def standard_error(values: Array) -> float | None:
    """Standard error of the mean of independent values, (n,); None for a single one."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None


Observe = Callable[[slice, int, Array, Audits, Array], object]
"""Called at each step: (runs of the ensemble, step index from 0, active counts before the reset, audits, deficits).

A true answer ends these runs early.
"""


def simulate(
    mechanism: Mechanism,
    stream: Stream,
    horizon: int,
    seed: int,
    runs: Sequence[int],
    observe: Observe,
    progress: Callable[[float], None] | None = None,
    deficits: bool = True,
) -> None:
    """Run the runs numbered `runs` in chunks that fit the cache and show every step to `observe`.

    Without `deficits` the observer gets zeros for them: attacks have no use for what they cost.

    Raises:
        HorizonError: a horizon longer than the mechanism's guarantee.
    """
    size = max(1, CELLS // stream.targets)
    for first in range(0, len(runs), size):
        chunk = runs[first : first + size]
        where = slice(first, first + len(chunk))
        rows = np.arange(len(chunk))
        feed = stream.start(seed, chunk)
        auditor = mechanism.start(seed, chunk, horizon)
        active = np.zeros((len(chunk), stream.targets))
        deficit = np.zeros(len(chunk))
        for t in range(horizon):
            if not feed.silent:
                active += feed.step()
            audits = auditor.choose(active)
            if deficits:
                deficit = get_missed(active, audits, rows)
            if observe(where, t, active, audits, deficit):
                break
            active[rows if audits.ndim == 1 else rows[:, None], audits] = 0.0
        if progress:
            progress((first + len(chunk)) / len(runs))


def run_ensemble(
    mechanism: Mechanism,
    stream: Stream,
    horizon: int,
    runs: int,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> Ensemble:
    """Run one mechanism `runs` times, vectorised over runs.

    Args:
        progress: called with the share done, several times.

    Raises:
        ParameterError: more than fits in time or memory.
        HorizonError: a horizon longer than the mechanism's guarantee.
    """
    check_size(stream.targets, horizon, runs)
    deficits = np.empty((horizon, runs), dtype=np.int32)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> None:
        deficits[t, where] = deficit

    simulate(mechanism, stream, horizon, seed, range(runs), observe, progress)
    return Ensemble(deficits.T)
