"""A bank of fixed-rate filters for each target, weighted by how well they explain what was released (ours).

Every filter of the bank believes in one report rate; what a target really draws is a mixture of them, with rare jumps
and a prior over the rates that is learnt from all targets of a run (empirical Bayes). All of it reads released numbers
alone: free post-processing, which costs no privacy whatever its assumptions are worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counters import Array

JUMP = 0.001
"""Chance that a target's rate changes at a step."""
PSEUDO_TARGETS = 2.0
"""Weight of the flat prior over the rates, in targets."""
CAUTION = 1.5
"""Posterior standard deviations added to a target's score: who is little known is worth a look."""
ROUNDS = 3
"""Longest time between two audits of a target, in rounds of all targets: a guard against starvation."""

SMALLEST = -600.0
"""Exponent above which a likelihood is far from the smallest number."""


@dataclass(frozen=True)
class Grid:
    """The rates that the filters believe in: `points` from `lowest` to `highest` reports a step, evenly in log.

    Targets that draw more than `highest` are read badly; the range is an argument for that reason.
    """

    lowest: float = 0.005
    highest: float = 20.0
    points: int = 32

    @property
    def rates(self) -> Array:
        """Reports a step, (G,)."""
        return np.geomspace(self.lowest, self.highest, self.points)


class Weights:
    """Posterior weights of the rates, shape (runs, targets, G), and the prior that each run learns.

    `mix`, `weigh` and `learn` follow one another at each step; `total` normalises what `weigh` left.
    """

    def __init__(self, runs: int, targets: int, grid: Grid) -> None:
        self.cells = np.full((runs, targets, grid.points), 1.0 / grid.points)
        self.prior = np.full((runs, 1, grid.points), 1.0 / grid.points)
        self.total = np.ones((runs, targets, 1))
        self._ones = np.ones((grid.points, 1))

    def mix(self, hazard: Array | float = 0.0, upward: Array | float = 0.0) -> None:
        """Let rates jump: to the prior with chance `JUMP`, to `upward`, (runs, 1, G), with chance `hazard`."""
        self.cells *= (1.0 - JUMP - hazard) / self.total
        self.cells += JUMP * self.prior + hazard * upward

    def weigh(self, exponent: Array, spread: Array) -> None:
        """Take in the likelihood exp(exponent) / spread of what was released; `exponent` <= 0 is used up."""
        if exponent[..., 0].min() < SMALLEST:
            # only a ratio of likelihoods counts: none may vanish because all of them are small
            exponent -= exponent.max(axis=2, keepdims=True)
        np.exp(exponent, out=exponent)
        self.cells *= exponent
        self.cells *= 1.0 / spread
        self.total = self.cells @ self._ones

    def learn(self) -> None:
        """Move the prior to the mean of all targets and re-weigh every target by the change."""
        _, targets, points = self.cells.shape
        seen = np.matmul((1.0 / self.total).transpose(0, 2, 1), self.cells)
        prior = (PSEUDO_TARGETS / points + seen) / (PSEUDO_TARGETS + targets)
        self.cells *= prior / self.prior
        self.total = self.cells @ self._ones
        self.prior = prior


def get_scores(weights: Weights, mean: Array, variance: Array, work: Array) -> tuple[Array, Array]:
    """Posterior mean and standard deviation of the reports since the last audit, (runs, targets) each.

    Args:
        mean, variance: of each filter, (runs, targets, G). work: scratch of that shape.
    """
    total = weights.total[..., 0]
    expected = np.einsum("rcg,rcg->rc", weights.cells, mean) / total
    np.multiply(mean, mean, out=work)
    work += variance
    square = np.einsum("rcg,rcg->rc", weights.cells, work) / total
    return expected, np.sqrt(np.maximum(square - expected**2, 0.0))


class NewReports:
    """New reports of each step from the active counts that an auditor is shown, shape (runs, targets)."""

    def __init__(self, runs: int, targets: int) -> None:
        self._left = np.zeros((runs, targets))
        self._rows = np.arange(runs)[:, None]

    def read(self, active: Array) -> Array:
        """Reports since the step before."""
        new = active - self._left
        np.copyto(self._left, active)
        return new

    def note(self, audits: NDArray[np.intp]) -> None:
        """The targets audited at this step: their active counts start anew."""
        self._left[self._rows, audits.reshape(len(self._rows), -1)] = 0.0
