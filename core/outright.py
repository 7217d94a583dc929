"""The worst promise that keeps the letter of delta: every report is published outright with probability delta (ours).

Otherwise nothing at all depends on it, so the total variation is delta, for ever. Nobody else can be told from a person
who stayed silent, but a published report is given away for certain: Gaussian noise never does that, and the bare
statement (0, delta) does not forbid it. Kept for comparison, not for use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import gammaln

from .bank import Grid, get_scores
from .counters import Array
from .fading import BankAuditor, Normals
from .mechanisms import Auditor, Audits, Guarantee, Mechanism, check_audits
from .seeds import get_generators


class _Silence:
    def fill(self, out: Array) -> None:
        out[:] = 0.0


class _OutrightAuditor(BankAuditor):
    """Filters over what was published: the unpublished reports are Poisson as well, and independent of it."""

    def __init__(self, mechanism: Outright, seed: int, runs: Sequence[int], horizon: int) -> None:
        silence = Normals(_Silence(), len(runs), mechanism.targets, horizon)
        super().__init__(mechanism.targets, mechanism.grid, mechanism.audits, 0.0, silence, len(runs))
        self._share = mechanism.delta
        self._generators = get_generators(seed, "bank", runs)
        self._seen = np.zeros((len(runs), mechanism.targets))

    def encode(self, new: Array) -> Array:
        rows = zip(self._generators, new.astype(np.int64), strict=True)
        return np.stack([generator.binomial(row, self._share) for generator, row in rows]).astype(float)

    def read(self, released: Array) -> tuple[Array, Array]:
        self._seen += released
        published = self._share * self._rates
        self._weights.mix()
        exponent = released[..., None] * np.log(published) - published - gammaln(released + 1.0)[..., None]
        self._weights.weigh(exponent, np.ones_like(published))
        hidden = (1.0 - self._share) * self._rates * self._ages[..., None]
        return get_scores(self._weights, self._seen[..., None] + hidden, hidden, self._error)

    def restart(self, audits: Audits) -> None:
        super().restart(audits)
        self._seen[self._rows, audits] = 0.0


@dataclass(frozen=True)
class Outright(Mechanism):
    """Each report is published with probability delta, and what was published is read by the fading tally's filters.

    Attributes:
        grid, audits: see `core.fading.Fading`.
    """

    targets: int
    delta: float
    grid: Grid = field(default_factory=Grid)
    audits: int = 1

    def guarantee(self) -> Guarantee:
        """delta for ever, and no mu: some tests without any false alarm find a share delta of the reporters."""
        return Guarantee(self.delta, None, None, "a report is published with probability delta (ours)")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        check_audits(self.audits, self.targets)
        return _OutrightAuditor(self, seed, runs, horizon)
