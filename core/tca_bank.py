"""The paper's counter, restarted at every audit, read by the fading tally's bank of filters (ours).

The counter is a Toeplitz one whose coefficients are a short sum of exponentials, so that each filter of the bank is
exact with a handful of sums; calibrated by its own sensitivity over the maximum audit interval, it is private for ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from .bank import ROUNDS, Grid, get_scores
from .calibration import get_mu
from .counter_kinds import get_buffers
from .counters import Array
from .fading import BankAuditor, BankMechanism, Normals
from .mechanisms import Auditor, Audits, Guarantee

BUFFERS = 5
"""Exponentials in the counter's coefficients."""


@dataclass(frozen=True)
class _Tables:
    """Gains and variances of every filter by age of the instance, (W + 1, G) each; `gain`: (d, W + 1, G)."""

    exponent: Array
    scale: Array
    gain: Array
    count_gain: Array
    variance: Array


@cache
def _get_tables(targets: int, noise: float, grid: Grid) -> _Tables:
    longest = ROUNDS * targets
    factors, weights = get_buffers(BUFFERS, longest)
    g = grid.rates
    # the newest reports and the count itself stand beside the exponentials: factors 0 and 1
    factors = np.concatenate([factors, [0.0, 1.0]])
    read = np.concatenate([weights, [1.0 - weights.sum(), 0.0]])
    size = len(factors)
    spread = np.zeros((size, size, len(g)))
    total, gains, variance = [np.ones_like(g)], [np.zeros((size, len(g)))], [np.zeros_like(g)]
    for _ in range(longest):
        spread = np.outer(factors, factors)[..., None] * spread + g
        both = np.tensordot(read, spread, 1)
        total.append(read @ both + noise**2)
        gains.append(both / total[-1])
        spread = spread - both[:, None] * gains[-1]
        variance.append(spread[-1, -1])
    totals, gain = np.stack(total), np.stack(gains, axis=1)
    return _Tables(-0.5 / totals, np.sqrt(totals), gain[:-2].copy(), gain[-1].copy(), np.stack(variance))


class _BankedAuditor(BankAuditor):
    def __init__(self, mechanism: TcaBank, normals: Normals, runs: int) -> None:
        targets = mechanism.targets
        super().__init__(targets, mechanism.grid, mechanism.audits, mechanism.noise_scale, normals, runs)
        self._factors, self._read = get_buffers(BUFFERS, ROUNDS * targets)
        self._tables = _get_tables(targets, self._noise, mechanism.grid)
        self._sums = np.zeros((len(self._factors), runs, targets))
        self._mean_sums = np.zeros((len(self._factors), *self._mean.shape))

    def encode(self, new: Array) -> Array:
        self._sums *= self._factors[:, None, None]
        self._sums += new
        return np.tensordot(self._read, self._sums, 1) + (1.0 - self._read.sum()) * new

    def read(self, released: Array) -> tuple[Array, Array]:
        error, work, picked, tables = self._error, self._work, self._picked, self._tables
        self._weights.mix()
        np.subtract(released[..., None], (1.0 - self._read.sum()) * self._rates, out=error)
        for means, factor, weight in zip(self._mean_sums, self._factors, self._read, strict=True):
            means *= factor
            means += self._rates
            np.multiply(means, weight, out=work)
            error -= work
        np.multiply(error, error, out=work)
        work *= np.take(tables.exponent, self._ages, axis=0, out=picked, mode="clip")
        self._weights.weigh(work, np.take(tables.scale, self._ages, axis=0, out=picked, mode="clip"))
        for means, gain in zip(self._mean_sums, tables.gain, strict=True):
            np.take(gain, self._ages, axis=0, out=picked, mode="clip")
            picked *= error
            means += picked
        np.take(tables.count_gain, self._ages, axis=0, out=picked, mode="clip")
        picked *= error
        picked += self._rates
        self._mean += picked
        np.take(tables.variance, self._ages, axis=0, out=picked, mode="clip")
        return get_scores(self._weights, self._mean, picked, work)

    def restart(self, audits: Audits) -> None:
        super().restart(audits)
        self._sums[:, self._rows, audits] = 0.0
        self._mean_sums[:, self._rows, audits] = 0.0


@dataclass(frozen=True)
class TcaBank(BankMechanism):
    """Restarted Toeplitz counters of at most W = 3 C steps, read by a bank of filters; audits the largest score.

    Attributes:
        grid, audits: see `core.fading.Fading`.
    """

    role = "bank"
    targets: int
    delta: float
    grid: Grid = field(default_factory=Grid)
    audits: int = 1

    @property
    def coefficients(self) -> Array:
        """What one report adds to the released numbers of its step and the following ones, (W,)."""
        factors, weights = get_buffers(BUFFERS, ROUNDS * self.targets)
        later = np.power.outer(factors, np.arange(1, ROUNDS * self.targets)).T @ weights
        return np.concatenate([[1.0], later])

    @property
    def noise_scale(self) -> float:
        """sigma, in reports: standard deviation of the noise on every released number."""
        return float(np.linalg.norm(self.coefficients)) / get_mu(self.delta)

    def guarantee(self) -> Guarantee:
        """delta for ever: no counter lives longer than W steps."""
        return Guarantee(self.delta, None, get_mu(self.delta), "Proposition 3 for counters of at most W steps (ours)")

    def make_auditor(self, normals: Normals, runs: int) -> Auditor:
        """See `BankMechanism.make_auditor`."""
        return _BankedAuditor(self, normals, runs)
