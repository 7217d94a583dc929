"""The fading tally: a counter that never restarts, read by a bank of filters (ours).

Release. One damped sum for each target, s <- lam s + new reports, released as y = s + sigma z and never reset. A
report at step t adds lam^(u - t) to y at the steps u >= t, whatever is audited, so everything released moves by a
vector of Euclidean norm at most 1 / sqrt(1 - lam^2): with sigma = s_1 / sqrt(1 - lam^2) the total variation is at most
2 Phi(1 / (2 s_1)) - 1 = delta, for ever, and reaches it in the limit. Audits are a function of y alone. No restart, no
horizon, no approximation; reports that react to audits are covered too, since the encoder is lower triangular.

What it relaxes: under the paper's Condition 2 audited reports no longer count. The score counts only reports since the
last audit, but the estimate of a target's rate remembers older outputs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .bank import CAUTION, ROUNDS, Grid, NewReports, Weights, get_scores
from .calibration import get_mu
from .counters import BLOCK, Array, NormalSource, SeededNormals
from .mechanisms import Auditor, Audits, Deadlines, Guarantee, Mechanism, check_audits, get_largest
from .seeds import get_generators


def get_memory(delta: float, targets: int) -> float:
    """L, in steps: how far back the damped sum remembers (ours, tuned once over the league's settings)."""
    return max(1.2, targets * float(np.clip(1.0 / (8.0 * get_mu(delta)), 0.25, 1.0)))


def get_damping(memory: float) -> float:
    """lam = 1 - 1 / L, for a memory of L > 1 steps."""
    if memory <= 1.0:
        raise ValueError(f"memory must be more than 1 step, got {memory}")
    return 1.0 - 1.0 / memory


class Normals:
    """Standard normals of `horizon` steps, handed out a step at a time, (runs, targets)."""

    def __init__(self, source: NormalSource, runs: int, targets: int, horizon: int) -> None:
        self._source = source
        self._left = horizon
        self._block = np.empty((runs, BLOCK, targets))
        self._row = BLOCK

    def step(self) -> Array:
        """The next step's normals; reused by later steps."""
        self._row += 1
        if self._row >= BLOCK:
            self._source.fill(self._block[:, : min(BLOCK, self._left)])
            self._left -= BLOCK
            self._row = 0
        return self._block[:, self._row]


class AgeTables:
    """Covariances of one filter, which depend on a target's age (steps since its audit) but on no data.

    At each step, for each age and rate: Cov(N, s) as `cross`, Var(N) as `variance`, both (W + 1, G), and Var(s) as
    `spread`, (G,), shared by all; N is the true number of reports since the audit.
    """

    def __init__(self, rates: Array, damping: float, noise: float, longest: int) -> None:
        self._rates = rates
        self._damping = damping
        self._noise = noise
        self.spread = np.zeros_like(rates)
        self.cross = np.zeros((longest + 1, len(rates)))
        self.variance = np.zeros_like(self.cross)
        self.gain = np.zeros_like(rates)
        self.cross_gain = np.zeros_like(self.cross)
        self.total = np.zeros_like(rates)
        self._settled = 0

    def step(self) -> None:
        """Predict and update; leaves the gains and the variance of the next release, `total`, (G,)."""
        if self._settled > len(self.cross):
            # every row has been made from a spread that no longer changes: nothing here would
            return
        g = self._rates
        predicted = self._damping**2 * self.spread + g
        total = predicted + self._noise**2
        self._settled = self._settled + 1 if np.allclose(total, self.total, rtol=1e-14, atol=0.0) else 0
        self.total, self.spread = total, predicted
        # a target whose audit was a steps ago has age a + 1 at this decision
        self.cross[1:] = self._damping * self.cross[:-1] + g
        self.variance[1:] = self.variance[:-1] + g
        self.gain = self.spread / total
        np.divide(self.cross, total, out=self.cross_gain)
        self.variance[1:] -= self.cross_gain[1:] * self.cross[1:]
        self.cross[1:] *= 1.0 - self.gain
        self.spread = self.spread * (1.0 - self.gain)
        self.cross[0] = self.variance[0] = 0.0


class BankAuditor(Auditor):
    """Encode new reports, release them with noise, read the release with a bank of filters, audit the largest score.

    Args:
        targets, grid, audits: see `Fading`.
        noise: sigma of the release.
        normals: standard normals, a step at a time.
    """

    def __init__(self, targets: int, grid: Grid, audits: int, noise: float, normals: Normals, runs: int) -> None:
        self._rates = grid.rates
        self._audits = audits
        self._noise = noise
        self._normals = normals
        self._new = NewReports(runs, targets)
        self._deadlines = Deadlines(runs, targets, ROUNDS * targets)
        self._weights = Weights(runs, targets, grid)
        self._ages = np.zeros((runs, targets), dtype=np.intp)
        shape = (runs, targets, grid.points)
        self._mean = np.zeros(shape)
        self._error, self._work, self._picked = np.empty(shape), np.empty(shape), np.empty(shape)
        self._rows = np.arange(runs)[:, None]

    def choose(self, active: Array) -> Audits:
        """See `Auditor.choose`."""
        released = self.encode(self._new.read(active)) + self._noise * self._normals.step()
        if self.recording:
            self.released = released
        self._ages += 1
        expected, doubt = self.read(released)
        if self.recording:
            self.estimate, self.doubt = expected, doubt
        self._weights.learn()
        audits = get_largest(self._deadlines.force(expected + CAUTION * doubt), self._audits)
        self._deadlines.note(audits)
        self._new.note(audits)
        self.restart(audits.reshape(len(audits), -1))
        return audits

    @abstractmethod
    def encode(self, new: Array) -> Array:
        """What is released of the new reports, before noise, (runs, targets)."""

    @abstractmethod
    def read(self, released: Array) -> tuple[Array, Array]:
        """Posterior mean and sd of the reports since the last audit, (runs, targets), after one more release."""

    def restart(self, audits: Audits) -> None:
        """The targets audited at this step, (runs, m)."""
        self._mean[self._rows, audits] = 0.0
        self._ages[self._rows, audits] = 0


class BankMechanism(Mechanism):
    """A mechanism whose releases a bank of filters reads; `role` names its own normals."""

    role: ClassVar[str]
    audits: int

    @abstractmethod
    def make_auditor(self, normals: Normals, runs: int) -> Auditor:
        """An auditor that draws its noise from `normals`."""

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        return self.start_from(SeededNormals(get_generators(seed, self.role, runs)), len(runs), horizon)

    def start_from(self, source: NormalSource, runs: int, horizon: int) -> Auditor:
        """Like `start`, with the standard normals of `source`."""
        check_audits(self.audits, self.targets)
        return self.make_auditor(Normals(source, runs, self.targets, horizon), runs)


class _FadingAuditor(BankAuditor):
    def __init__(self, mechanism: Fading, normals: Normals, runs: int) -> None:
        super().__init__(mechanism.targets, mechanism.grid, mechanism.audits, mechanism.noise_scale, normals, runs)
        self._damping = mechanism.damping
        self._tables = AgeTables(self._rates, self._damping, self._noise, ROUNDS * mechanism.targets)
        self._sum = np.zeros((runs, mechanism.targets))
        self._mean_sum = np.zeros_like(self._mean)

    def encode(self, new: Array) -> Array:
        self._sum *= self._damping
        self._sum += new
        return self._sum

    def read(self, released: Array) -> tuple[Array, Array]:
        error, work, tables = self._error, self._work, self._tables
        self._weights.mix()
        tables.step()
        self._mean_sum *= self._damping
        self._mean_sum += self._rates
        np.subtract(released[..., None], self._mean_sum, out=error)
        np.multiply(error, error, out=work)
        work *= -0.5 / tables.total
        self._weights.weigh(work, np.sqrt(tables.total))
        np.take(tables.cross_gain, self._ages, axis=0, out=self._picked, mode="clip")
        self._picked *= error
        self._picked += self._rates
        self._mean += self._picked
        error *= tables.gain
        self._mean_sum += error
        np.take(tables.variance, self._ages, axis=0, out=self._picked, mode="clip")
        return get_scores(self._weights, self._mean, self._picked, work)


@dataclass(frozen=True)
class Fading(BankMechanism):
    """One damped sum a target, never reset, read by a bank of filters; audits the largest score.

    Attributes:
        memory: L in steps, > 1; `get_memory` where None.
        grid: rates of the filters.
        audits: targets audited at each step.
    """

    role = "fading"
    targets: int
    delta: float
    memory: float | None = None
    grid: Grid = field(default_factory=Grid)
    audits: int = 1

    @property
    def damping(self) -> float:
        """lam: what is left of a report one step later."""
        return get_damping(get_memory(self.delta, self.targets) if self.memory is None else self.memory)

    @property
    def noise_scale(self) -> float:
        """sigma, in reports: standard deviation of the noise on every released sum."""
        return 1.0 / (get_mu(self.delta) * float(np.sqrt(1.0 - self.damping**2)))

    def get_column(self, steps: int) -> Array:
        """By how many noise scales one report moves the released sums of its step and the following, (steps,)."""
        return np.power(self.damping, np.arange(float(steps))) / self.noise_scale

    def guarantee(self) -> Guarantee:
        """delta for ever: one plain Gaussian release (see the module)."""
        return Guarantee(self.delta, None, get_mu(self.delta), "norm of a damped report (ours)")

    def make_auditor(self, normals: Normals, runs: int) -> Auditor:
        """See `BankMechanism.make_auditor`."""
        return _FadingAuditor(self, normals, runs)
