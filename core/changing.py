"""Report streams whose rates change or differ: recurring bursts, unequal organisations, reports of unequal weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counters import Array
from .seeds import get_generators
from .streams import Feed, PoissonStream, Stream

BLOCK = 50


class _RateFeed(Feed):
    """Poisson reports at rates that hold for a block of steps, (runs, targets)."""

    def __init__(self, generators: Sequence[np.random.Generator], rates: Array, steps: int = BLOCK) -> None:
        self._generators = generators
        self._rates = rates
        self._steps = steps
        self._row = steps

    def _next_rates(self) -> Array:
        return self._rates

    def step(self) -> Array:
        self._row += 1
        if self._row >= self._steps:
            rates = self._next_rates()
            shape = (self._steps, rates.shape[1])
            drawn = [generator.poisson(row, shape) for generator, row in zip(self._generators, rates, strict=True)]
            self._rows = np.stack(drawn, axis=1).astype(float)
            self._row = 0
        return self._rows[self._row]


class _JumpFeed(_RateFeed):
    def __init__(self, stream: JumpStream, seed: int, runs: Sequence[int]) -> None:
        calm = np.full((len(runs), stream.targets), stream.rate)
        super().__init__(get_generators(seed, "reports", runs), calm, stream.length)
        self._stream = stream
        self._where = get_generators(seed, "jumps", runs)
        self._period = 0

    def _next_rates(self) -> Array:
        rates = self._rates.copy()
        if self._period % 2:
            for row, generator in zip(rates, self._where, strict=True):
                row[generator.integers(self._stream.targets)] = self._stream.burst_rate
        self._period += 1
        return rates


@dataclass(frozen=True)
class JumpStream(Stream):
    """All organisations alike; again and again one of them, by lot, draws `burst_rate` for `length` steps.

    As long a calm comes before each burst: the first one lasts from step length + 1 to 2 length.

    Attributes:
        targets: number of organisations.
        rate, burst_rate: reports a step in calm and in a burst, >= 0.
        length: steps, >= 1.
    """

    targets: int
    rate: float
    burst_rate: float
    length: int = 50

    def start(self, seed: int, runs: Sequence[int]) -> Feed:
        """See `Stream.start`."""
        return _JumpFeed(self, seed, runs)

    def get_jumps(self, seed: int, runs: Sequence[int], horizon: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Where bursts begin: steps from 1, (B,), and the target of each run, (runs, B)."""
        steps = np.arange(self.length + 1, horizon + 1, 2 * self.length)
        generators = get_generators(seed, "jumps", runs)
        targets = [[int(generator.integers(self.targets)) for _ in steps] for generator in generators]
        return steps, np.array(targets, dtype=np.intp).reshape(len(runs), len(steps))


@dataclass(frozen=True)
class SpreadStream(Stream):
    """Every organisation has a rate of its own: `rate` times exp(spread z), z standard normal, anew in each run."""

    targets: int
    rate: float
    spread: float

    def start(self, seed: int, runs: Sequence[int]) -> Feed:
        """See `Stream.start`."""
        normals = np.stack([g.standard_normal(self.targets) for g in get_generators(seed, "jumps", runs)])
        return _RateFeed(get_generators(seed, "reports", runs), self.rate * np.exp(self.spread * normals))


class _SeverityFeed(Feed):
    def __init__(self, stream: SeverityStream, seed: int, runs: Sequence[int]) -> None:
        self._feed = stream.stream.start(seed, runs)
        self._generators = get_generators(seed, "severity", runs)
        self._share, self._extra = stream.share, stream.weight - 1

    def step(self) -> Array:
        reports = self._feed.step()
        severe = [
            g.binomial(row.astype(np.int64), self._share) for g, row in zip(self._generators, reports, strict=True)
        ]
        return reports + self._extra * np.stack(severe)


@dataclass(frozen=True)
class SeverityStream(Stream):
    """Reports of unequal severity: a share of them counts `weight` times.

    Attributes:
        stream: who is reported when.
        share: probability that a report is severe.
        weight: whole number >= 1; all others weigh 1.
    """

    stream: PoissonStream
    share: float
    weight: int

    @property
    def targets(self) -> int:  # type: ignore[override]
        """Number of organisations."""
        return self.stream.targets

    def start(self, seed: int, runs: Sequence[int]) -> Feed:
        """See `Stream.start`."""
        return _SeverityFeed(self, seed, runs)
