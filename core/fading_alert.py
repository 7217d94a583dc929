"""The fading tally that reacts to jumps: two damped sums in one release, and filters that expect upward jumps (ours).

Release. s_j <- l_j s_j + new reports for a short and a long memory, released as one number y = w_1 s_1 + w_2 s_2 +
s z with w_j in proportion to sqrt(1 - l_j^2) and scaled so that one report's whole effect has norm 1: with
s = 1 / mu the same two lines as for the fading tally give delta for ever.

It finds a jump as soon as the paper's counter where jumps recur, for a small price in missed reports. One jump after a
long calm it finds later, since the chance of a jump is learnt.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .bank import JUMP, ROUNDS, Grid, get_scores
from .calibration import get_mu
from .counters import Array
from .fading import BankAuditor, BankMechanism, Normals, get_damping, get_memory
from .mechanisms import Auditor, Guarantee

UPWARD = (3.0, 30.0)
"""An upward jump leads to a rate between these multiples of the mean rate."""
HAZARD = (0.0001, 0.005)
"""Least and greatest chance of an upward jump that is learnt."""
PRIOR_STEPS, PRIOR_JUMPS, PACE = 5000.0, 0.2, 5.0
"""The learnt chance is PACE (jumps + PRIOR_JUMPS) / (PRIOR_STEPS + targets x steps)."""
CONFIRMED, REARMED = 0.95, 0.5
"""Posterior probability at which a jump is counted, and below which the next one may be."""


class _PairTables:
    """Covariances of the two sums and the reports since the audit, by age and rate; see `fading.AgeTables`."""

    def __init__(self, rates: Array, dampings: Array, weights: Array, noise: float, longest: int) -> None:
        self._rates, self._dampings, self._weights, self._noise = rates, dampings, weights, noise
        self.spread = np.zeros((2, 2, len(rates)))
        self.cross = np.zeros((2, longest + 1, len(rates)))
        self.variance = np.zeros((longest + 1, len(rates)))
        self.total = np.zeros(len(rates))
        self._settled = 0

    def step(self) -> None:
        """Predict and update; leaves the gains and the variance of the next release, `total`, (G,)."""
        if self._settled > len(self.variance):
            return
        d, w, g = self._dampings, self._weights, self._rates
        spread = d[:, None, None] * d[:, None] * self.spread + g
        both = np.tensordot(w, spread, 1)
        total = w @ both + self._noise**2
        self._settled = self._settled + 1 if np.allclose(total, self.total, rtol=1e-14, atol=0.0) else 0
        self.total = total
        self.cross[:, 1:] = d[:, None, None] * self.cross[:, :-1] + g
        self.variance[1:] = self.variance[:-1] + g
        self.cross[:, 0] = self.variance[0] = 0.0
        read = np.tensordot(w, self.cross, 1)
        self.gain = both / total
        self.cross_gain = read / total
        self.variance -= self.cross_gain * read
        self.cross -= read * self.gain[:, None]
        self.spread = spread - both[:, None] * self.gain


class _AlertAuditor(BankAuditor):
    def __init__(self, mechanism: FadingAlert, normals: Normals, runs: int) -> None:
        super().__init__(mechanism.targets, mechanism.grid, mechanism.audits, mechanism.noise_scale, normals, runs)
        self._dampings, self._pair = mechanism.dampings, mechanism.weights
        longest = ROUNDS * mechanism.targets
        self._tables = _PairTables(self._rates, self._dampings, self._pair, self._noise, longest)
        self._sums = np.zeros((2, runs, mechanism.targets))
        self._mean_sums = np.zeros((2, *self._mean.shape))
        self._upward = np.zeros_like(self._mean)
        self._jumps = np.zeros(runs)
        self._armed = np.ones((runs, mechanism.targets), dtype=bool)
        self._step = 0

    def encode(self, new: Array) -> Array:
        self._sums *= self._dampings[:, None, None]
        self._sums += new
        return np.tensordot(self._pair, self._sums, 1)

    def _mix(self) -> None:
        """Let rates jump, with the means of every filter mixed as its weight is; covariances stay shared."""
        weights = self._weights
        mean_rate = weights.prior @ self._rates[:, None]
        window = (self._rates >= UPWARD[0] * mean_rate) & (self._rates <= UPWARD[1] * mean_rate)
        size = window.sum(axis=2, keepdims=True)
        learnt = PACE * (self._jumps + PRIOR_JUMPS) / (PRIOR_STEPS + weights.cells.shape[1] * self._step)
        hazard = np.where(size > 0, np.clip(learnt, *HAZARD)[:, None, None], 0.0)
        upward = window / np.maximum(size, 1)
        keep, old = self._picked, self._error
        np.divide(weights.cells, weights.total, out=old)
        np.multiply(old, 1.0 - JUMP - hazard, out=keep)
        arrived = hazard * upward + JUMP * weights.prior * window
        weights.mix(hazard, upward)
        weights.total = np.ones_like(weights.total)
        keep /= weights.cells
        for means in (*self._mean_sums, self._mean):
            middle = np.einsum("rcg,rcg->rc", old, means)[..., None]
            means -= middle
            means *= keep
            means += middle
        self._upward *= keep
        np.divide(arrived, weights.cells, out=self._work)
        self._upward += self._work

    def read(self, released: Array) -> tuple[Array, Array]:
        weights, tables, error, work = self._weights, self._tables, self._error, self._work
        self._mix()
        self._step += 1
        tables.step()
        self._mean_sums *= self._dampings[:, None, None, None]
        self._mean_sums += self._rates
        np.multiply(self._mean_sums[0], -self._pair[0], out=error)
        np.multiply(self._mean_sums[1], self._pair[1], out=work)
        error -= work
        error += released[..., None]
        np.multiply(error, error, out=work)
        work *= -0.5 / tables.total
        weights.weigh(work, np.sqrt(tables.total))
        self._count_jumps()
        np.take(tables.cross_gain, self._ages, axis=0, out=self._picked, mode="clip")
        self._picked *= error
        self._picked += self._rates
        self._mean += self._picked
        for means, gain in zip(self._mean_sums, tables.gain, strict=True):
            np.multiply(error, gain, out=work)
            means += work
        np.take(tables.variance, self._ages, axis=0, out=self._picked, mode="clip")
        return get_scores(weights, self._mean, self._picked, work)

    def _count_jumps(self) -> None:
        jumped = np.einsum("rcg,rcg->rc", self._weights.cells, self._upward) / self._weights.total[..., 0]
        confirmed = self._armed & (jumped > CONFIRMED)
        self._jumps += confirmed.sum(axis=1)
        self._armed &= ~confirmed
        self._armed |= jumped < REARMED


@dataclass(frozen=True)
class FadingAlert(BankMechanism):
    """The fading tally with a short and a long memory and an eye for upward jumps.

    Attributes:
        grid, audits: see `core.fading.Fading`.
    """

    role = "fading"
    targets: int
    delta: float
    grid: Grid = field(default_factory=Grid)
    audits: int = 1

    @property
    def dampings(self) -> Array:
        """l_1, l_2: what is left of a report one step later in the short and the long memory, (2,)."""
        long = get_memory(self.delta, self.targets)
        return np.array([get_damping(min(max(long / 5.0, 2.0), long)), get_damping(long)])

    @property
    def weights(self) -> Array:
        """w_1, w_2 of the two sums in the release, such that one report moves it by a vector of norm 1, (2,)."""
        damp = self.dampings
        parts = np.sqrt(1.0 - damp**2)
        return parts / np.sqrt((np.outer(parts, parts) / (1.0 - np.outer(damp, damp))).sum())

    @property
    def noise_scale(self) -> float:
        """Standard deviation of the noise on every released number, in units of one report's effect."""
        return 1.0 / get_mu(self.delta)

    def get_column(self, steps: int) -> Array:
        """By how many noise scales one report moves the released numbers of its step and the following, (steps,)."""
        return self.weights @ np.power.outer(self.dampings, np.arange(steps)) / self.noise_scale

    def guarantee(self) -> Guarantee:
        """delta for ever: one plain Gaussian release (see the module)."""
        return Guarantee(self.delta, None, get_mu(self.delta), "norm of a damped report (ours)")

    def make_auditor(self, normals: Normals, runs: int) -> Auditor:
        """See `BankMechanism.make_auditor`."""
        return _AlertAuditor(self, normals, runs)
