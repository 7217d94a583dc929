"""Report streams: who is reported when.

A stream is a description; `start` gives a feed that hands out the reports of one step after another for several
runs, shape (runs, targets), never the whole of runs x steps x targets. Targets are numbered from 0; the leader is 0.
Steps are numbered from 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .counters import Array
from .parameters import ParameterError, Parameters
from .seeds import get_generators

BLOCK = 96


class Feed(ABC):
    """Reports of several runs, a step at a time."""

    silent = False
    """True once no report will ever come again: `step` need not be called any more."""

    @abstractmethod
    def step(self) -> Array:
        """New reports of the next step, whole numbers, shape (runs, targets); reused by later steps."""


class Stream(ABC):
    """A report stream about `targets` organisations."""

    targets: int

    @abstractmethod
    def start(self, seed: int, runs: Sequence[int]) -> Feed:
        """A feed for the runs numbered `runs`: a run's reports depend on `seed` and its number alone."""


class _PoissonFeed(Feed):
    def __init__(self, stream: _Poisson, seed: int, runs: Sequence[int]) -> None:
        self._stream = stream
        self._others = get_generators(seed, "reports", runs)
        self._leader = get_generators(seed, "leader", runs)
        self._block = np.empty((len(runs), BLOCK, stream.targets))
        self._first = 1
        self._row = BLOCK

    def step(self) -> Array:
        self._row += 1
        if self._row >= BLOCK:
            rates = self._stream.leader_rates(self._first, BLOCK)
            cells = BLOCK * (self._stream.targets - 1)
            for run, rows in enumerate(self._block):
                # a field of Poisson counts is one Poisson total placed evenly: the same law at a third of the time;
                # the leader has a generator of its own, so that its rate does not move the others' draws
                total = self._others[run].poisson(self._stream.other_rate * cells)
                where = self._others[run].integers(cells, size=total)
                rows[:, 1:] = np.bincount(where, minlength=cells).reshape(BLOCK, -1)
                rows[:, 0] = self._leader[run].poisson(rates)
            self._first += BLOCK
            self._row = 0
        return self._block[:, self._row]


class _Poisson(Stream):
    other_rate: float

    @abstractmethod
    def leader_rates(self, first: int, steps: int) -> Array:
        """Expected reports about target 0 at the steps first .. first + steps - 1, shape (steps,)."""

    def start(self, seed: int, runs: Sequence[int]) -> Feed:
        """See `Stream.start`."""
        return _PoissonFeed(self, seed, runs)


@dataclass(frozen=True)
class PoissonStream(_Poisson):
    """Poisson reports, one organisation with real trouble among others (paper, Appendix G.2).

    Attributes:
        targets: number of organisations, >= 2.
        lead_rate, other_rate: reports a step about target 0 and about each other target, >= 0.
    """

    targets: int
    lead_rate: float
    other_rate: float

    def leader_rates(self, first: int, steps: int) -> Array:
        """See `_Poisson.leader_rates`."""
        return np.full(steps, self.lead_rate)


@dataclass(frozen=True)
class BurstStream(_Poisson):
    """All organisations alike, but for one burst of reports about target 0 from step `first` to step `last`."""

    targets: int
    burst_rate: float
    other_rate: float
    first: int
    last: int

    def leader_rates(self, first: int, steps: int) -> Array:
        """See `_Poisson.leader_rates`."""
        step = np.arange(first, first + steps)
        return np.where((step >= self.first) & (step <= self.last), self.burst_rate, self.other_rate)


class _TableFeed(Feed):
    def __init__(self, table: Array, runs: int) -> None:
        steps, targets = table.shape
        self._rows = np.broadcast_to(table[:, None], (steps, runs, targets))
        self._none = np.zeros((runs, targets))
        self._step = 0

    def step(self) -> Array:
        self._step += 1
        self.silent = self._step >= len(self._rows)
        return self._rows[self._step - 1] if self._step <= len(self._rows) else self._none


class TableStream(Stream):
    """An explicit table of reports, the same in every run; past its last step nobody reports.

    Args:
        table: whole numbers >= 0, shape (steps, targets), at least two targets.

    Raises:
        ParameterError: holes, fractions, negative counts or a wrong shape, with the first bad cell.
    """

    def __init__(self, table: ArrayLike) -> None:
        try:
            cells = np.asarray(table, dtype=float)
        except (TypeError, ValueError) as error:
            raise ParameterError("table", f"the report table must hold numbers only: {error}") from None
        if cells.ndim != 2 or cells.shape[1] < 2:
            raise ParameterError("table", f"the report table must be steps x targets (2 or more), got {cells.shape}")
        bad = ~np.isfinite(cells) | (cells < 0) | (cells != np.floor(cells))
        if bad.any():
            step, target = (int(i) for i in np.argwhere(bad)[0])
            value = cells[step, target]
            what = "is empty" if np.isnan(value) else f"holds {value:g}"
            raise ParameterError(
                "table",
                f"the report table {what} at step {step + 1}, target {target}; whole numbers from 0 are allowed",
            )
        self.table = cells
        self.targets = cells.shape[1]

    def start(self, seed: int, runs: Sequence[int]) -> Feed:
        """See `Stream.start`."""
        return _TableFeed(self.table, len(runs))


def make_static_gap_stream(targets: int, gap: int) -> TableStream:
    """`gap` reports about target 0 at step 1 and nothing else: the setting of the paper's Experiment 1."""
    table = np.zeros((1, targets))
    table[0, 0] = gap
    return TableStream(table)


class _ExtraFeed(Feed):
    def __init__(self, feed: Feed, step: int, target: int, count: int) -> None:
        self._feed = feed
        self._extra = (step, target, count)
        self._step = 0

    def step(self) -> Array:
        self._step += 1
        rows = self._feed.step()
        step, target, count = self._extra
        self.silent = self._feed.silent and self._step >= step
        if self._step != step:
            return rows
        rows = rows.copy()
        rows[:, target] += count
        return rows


@dataclass(frozen=True)
class WithReport(Stream):
    """Another stream plus `count` reports about `target` at `step` (from 1): the neighbouring world."""

    stream: Stream
    step: int
    target: int
    count: int = 1

    @property
    def targets(self) -> int:  # type: ignore[override]
        """Number of organisations."""
        return self.stream.targets

    def start(self, seed: int, runs: Sequence[int]) -> Feed:
        """See `Stream.start`."""
        return _ExtraFeed(self.stream.start(seed, runs), self.step, self.target, self.count)


def check_report(step: int, target: int, horizon: int, targets: int) -> None:
    """Refuse a report at a step or about a target that does not exist (ValueError says what is allowed)."""
    if not 1 <= step <= horizon:
        raise ValueError(f"step must lie between 1 and horizon ({horizon:,}), got {step}")
    if not 0 <= target < targets:
        raise ValueError(f"target must lie between 0 and {targets - 1}, got {target}")


def make_stream(parameters: Parameters) -> Stream:
    """The stream of a scenario: `poisson`, or `burst` about target 0 in the middle fifth of the horizon."""
    p = parameters
    if p.lead_rate == p.other_rate == 0:
        return TableStream(np.zeros((1, p.targets)))
    if p.stream == "burst":
        first = max(1, round(0.4 * p.horizon))
        return BurstStream(p.targets, p.lead_rate, p.other_rate, first, max(first, round(0.6 * p.horizon)))
    return PoissonStream(p.targets, p.lead_rate, p.other_rate)


def get_reports(stream: Stream, horizon: int, seed: int, run: int = 0) -> NDArray[np.int64]:
    """All reports of one run, shape (horizon, targets)."""
    feed = stream.start(seed, [run])
    reports = np.empty((horizon, stream.targets), dtype=np.int64)
    for row in reports:
        row[:] = feed.step()[0]
    return reports
