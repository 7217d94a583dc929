"""The auditors: TCA, randomised response, greedy, uniform and rota, behind one small interface.

A mechanism is a frozen description that can state its own guarantee; `start` gives an auditor that decides for
several runs at once. The auditor is told the active counts (reports since each target's last audit) and answers with
one target a run; resetting those counts is the caller's part, restarting a counter is the auditor's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .calibration import get_fast_noise_scale, get_mu, get_p_rand
from .counters import Array, ExactToeplitzNoise, HorizonError, NormalSource, SeededNormals, ToeplitzNoise
from .seeds import get_generators

Audits = NDArray[np.intp]
BLOCK = 64


@dataclass(frozen=True)
class Guarantee:
    """What a mechanism promises for one report.

    Attributes:
        delta: largest total variation between the transcripts with and without the report.
        horizon: number of audits the promise covers, None for ever.
        mu: Gaussian-DP parameter of the transcript where one is known, else None.
        theorem: where the promise (or its refusal) is proved.
        holds: False where the mechanism was not built to protect anyone; `delta` is then a lower bound on the leak.
    """

    delta: float
    horizon: int | None
    mu: float | None
    theorem: str
    holds: bool = True


class Auditor(ABC):
    """Decisions of several runs, a step at a time."""

    @abstractmethod
    def choose(self, active: Array) -> Audits:
        """The audited target of each run, shape (runs,), from active counts of shape (runs, targets)."""

    recording = False
    """Set it to have `noise` and `fresh` kept at every decision."""
    noise: Array | None = None
    """Noise added to each count at the newest decision, shape (runs, targets), where there is any."""
    fresh: Array | None = None
    """The part of `noise` drawn at that very step."""


class Mechanism(ABC):
    """A way to choose whom to audit."""

    targets: int

    @abstractmethod
    def guarantee(self) -> Guarantee:
        """What it promises, over which horizon, by which theorem."""

    @abstractmethod
    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """An auditor for the runs numbered `runs` and for `horizon` steps.

        A run's draws depend on `seed`, the mechanism's own roles and the run's number alone.

        Raises:
            HorizonError: a horizon longer than the guarantee's.
        """


class _Blocks:
    """Draws handed out a step at a time but made in blocks, one generator a run."""

    def __init__(self, seed: int, role: str, runs: Sequence[int], draw: Callable, block: int = BLOCK) -> None:
        self._generators = get_generators(seed, role, runs)
        self._draw = draw
        self._block = block
        self._row = block

    def step(self) -> NDArray:
        self._row += 1
        if self._row >= self._block:
            self._rows = np.stack([self._draw(generator, self._block) for generator in self._generators], axis=1)
            self._row = 0
        return self._rows[self._row]


def _tie_breakers(seed: int, role: str, runs: Sequence[int], targets: int) -> _Blocks:
    return _Blocks(seed, role, runs, lambda generator, steps: generator.random((steps, targets)))


class _TcaAuditor(Auditor):
    def __init__(self, counter: ToeplitzNoise | ExactToeplitzNoise) -> None:
        self._counter = counter

    def choose(self, active: Array) -> Audits:
        noise = self._counter.step()
        audits = (active + noise).argmax(axis=1)
        if self.recording:
            self.noise, self.fresh = noise, self._counter.fresh
        self._counter.restart(audits)
        return audits


@dataclass(frozen=True)
class Tca(Mechanism):
    """Toeplitz Continual Auditing: one private counter a target, audit the largest noisy count, restart that counter.

    Paper, Algorithm 1 with the counter of section 6.2. `exact` takes the slow reference counter instead of the fast
    one (same draws; outputs agree to 1e-6 of a noise scale).
    """

    targets: int
    horizon: int
    delta: float
    exact: bool = False

    @property
    def noise_scale(self) -> float:
        """sigma, in reports: standard deviation of each fresh normal."""
        return get_fast_noise_scale(self.delta, self.horizon)

    def guarantee(self) -> Guarantee:
        """See `Mechanism.guarantee`."""
        return Guarantee(self.delta, self.horizon, get_mu(self.delta), "Proposition 3 and section 6")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        return self.start_from(SeededNormals(get_generators(seed, "counter", runs)), len(runs), horizon)

    def start_from(self, source: NormalSource, runs: int, horizon: int) -> Auditor:
        """Like `start`, with the standard normals of `source`."""
        if horizon > self.horizon:
            raise HorizonError(
                f"the noise is calibrated for {self.horizon:,} audits; {horizon:,} would void the guarantee"
            )
        kind = ExactToeplitzNoise if self.exact else ToeplitzNoise
        return _TcaAuditor(kind(source, runs, self.targets, self.noise_scale, horizon))


class _GreedyAuditor(Auditor):
    def __init__(self, ties: _Blocks) -> None:
        self._ties = ties

    def choose(self, active: Array) -> Audits:
        # counts are whole numbers, so a uniform draw below 1 a target breaks ties evenly and nothing else; shared
        # between two worlds it is also their best coupling
        return (active + self._ties.step()).argmax(axis=1)


@dataclass(frozen=True)
class Greedy(Mechanism):
    """Always a target with the most active reports, ties broken evenly (paper, Algorithm 2). Not private."""

    targets: int

    def guarantee(self) -> Guarantee:
        """delta = 1 - 1/C is a lower bound on the leak: one report decides the audit (Appendix C.1)."""
        return Guarantee(1.0 - 1.0 / self.targets, None, None, "Appendix C.1", holds=False)

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        return _GreedyAuditor(_tie_breakers(seed, "greedy-ties", runs, self.targets))


class _RandomisedResponseAuditor(Auditor):
    def __init__(self, p_rand: float, targets: int, seed: int, runs: Sequence[int]) -> None:
        self._p_rand = p_rand
        self._coins = _Blocks(seed, "rr-coins", runs, lambda generator, steps: generator.random(steps))
        self._lots = _lots(seed, "rr-lots", runs, targets)
        self._ties = _tie_breakers(seed, "rr-ties", runs, targets)

    def choose(self, active: Array) -> Audits:
        audits = self._lots.step()
        ties = self._ties.step()
        follow = np.flatnonzero(self._coins.step() >= self._p_rand)
        if len(follow):
            audits = audits.copy()
            audits[follow] = (active[follow] + ties[follow]).argmax(axis=1)
        return audits


@dataclass(frozen=True)
class RandomisedResponse(Mechanism):
    """With probability p_rand a target by lot, else greedy (paper, Algorithm 4).

    `rule` says how p_rand follows from delta; see `core.calibration.get_p_rand`.
    """

    targets: int
    horizon: int
    delta: float
    rule: str = "paper-experiments"

    @property
    def p_rand(self) -> float:
        """Probability of drawing lots."""
        return get_p_rand(self.rule, self.delta, self.targets, self.horizon)

    def guarantee(self) -> Guarantee:
        """Over the horizon by Proposition 14, for ever by Proposition 16 or the race bound."""
        theorem = {"paper-experiments": "Proposition 14", "horizon-free": "Proposition 16", "race": "race bound (ours)"}
        forever = self.rule != "paper-experiments"
        return Guarantee(self.delta, None if forever else self.horizon, None, theorem[self.rule])

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        covered = self.guarantee().horizon
        if covered is not None and horizon > covered:
            raise HorizonError(f"p_rand is calibrated for {covered:,} audits; {horizon:,} would void the guarantee")
        return _RandomisedResponseAuditor(self.p_rand, self.targets, seed, runs)


def _lots(seed: int, role: str, runs: Sequence[int], targets: int) -> _Blocks:
    return _Blocks(seed, role, runs, lambda generator, steps: generator.integers(targets, size=steps))


class _UniformAuditor(Auditor):
    def __init__(self, lots: _Blocks) -> None:
        self._lots = lots

    def choose(self, active: Array) -> Audits:
        return self._lots.step()


@dataclass(frozen=True)
class Uniform(Mechanism):
    """A target by lot, whatever was reported (paper, Algorithm 3)."""

    targets: int

    def guarantee(self) -> Guarantee:
        """delta = 0 for ever: the transcript does not depend on the reports (Appendix C.2)."""
        return Guarantee(0.0, None, 0.0, "Appendix C.2")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        return _UniformAuditor(_lots(seed, "uniform-lots", runs, self.targets))


class _RotaAuditor(Auditor):
    def __init__(self, targets: int, runs: int) -> None:
        self._targets = targets
        self._next = np.zeros(runs, dtype=np.intp)

    def choose(self, active: Array) -> Audits:
        audits = self._next
        self._next = (audits + 1) % self._targets
        return audits


@dataclass(frozen=True)
class Rota(Mechanism):
    """Targets in turn, whatever was reported (ours: the honest zero-leak baseline)."""

    targets: int

    def guarantee(self) -> Guarantee:
        """delta = 0 for ever: the transcript is fixed beforehand."""
        return Guarantee(0.0, None, 0.0, "the order is fixed (ours)")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        return _RotaAuditor(self.targets, len(runs))
