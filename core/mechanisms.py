"""The auditors: TCA, randomised response, greedy, uniform and rota, behind one small interface.

A mechanism is a frozen description that can state its own guarantee; `start` gives an auditor that decides for
several runs at once. The auditor is told the active counts (reports since each target's last audit) and answers with
one target a run, or several; resetting those counts is the caller's part, restarting a counter is the auditor's.
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
        """The audited target of each run from active counts of shape (runs, targets).

        Shape (runs,), or (runs, m) for an auditor with m audits a step.
        """

    recording = False
    """Set it to have what follows kept at every decision, where there is any."""
    released: Array | None = None
    """What the guarantee protects: the noisy numbers on which the newest decision stands, shape (runs, targets)."""
    estimate: Array | None = None
    """Posterior mean of the active counts, shape (runs, targets), and `doubt`, their standard deviation."""
    doubt: Array | None = None
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


def get_largest(scores: Array, audits: int = 1) -> Audits:
    """The target with the largest score in each run, (runs,), or the `audits` largest, (runs, audits)."""
    if audits == 1:
        return scores.argmax(axis=1)
    return np.argsort(-scores, axis=1, kind="stable")[:, :audits]


def check_audits(audits: int, targets: int) -> None:
    """Refuse a number of audits a step outside 1 .. targets - 1 with a ValueError."""
    if not 1 <= audits < targets:
        raise ValueError(f"audits per step must lie between 1 and {targets - 1} (one below targets), got {audits}")


class Deadlines:
    """A maximum audit interval: every target is audited at least once in `interval` steps, for ever (ours).

    The first deadlines are staggered (target c by step W - C + c, counted from 0); later ones are the last audit + W.
    As many targets share a deadline as were audited in one step, so a deadline can always be met, and no counter lives
    longer than W steps.
    """

    def __init__(self, runs: int, targets: int, interval: int) -> None:
        if interval < targets:
            raise ValueError(f"interval must be at least targets ({targets:,}): one audit a step, got {interval:,}")
        self._due = np.tile(np.arange(interval - targets, interval), (runs, 1))
        self._rows = np.arange(runs)[:, None]
        self._interval = interval
        self._step = -1

    def force(self, scores: Array) -> Array:
        """Go one step on: the scores, (runs, targets), with infinity for every target whose deadline is now."""
        self._step += 1
        return np.where(self._due == self._step, np.inf, scores)

    def note(self, audits: Audits) -> None:
        """The targets audited at this step, (runs,) or (runs, m)."""
        self._due[self._rows, audits.reshape(len(self._rows), -1)] = self._step + self._interval


class _TcaAuditor(Auditor):
    def __init__(
        self,
        counter: ToeplitzNoise | ExactToeplitzNoise,
        audits: int,
        deadlines: Deadlines | None,
        costs: Array | None,
    ) -> None:
        self._counter = counter
        self._audits = audits
        self._deadlines = deadlines
        self._costs = costs

    def choose(self, active: Array) -> Audits:
        noise = self._counter.step()
        scores = active + noise
        if self.recording:
            self.noise, self.fresh, self.released = noise, self._counter.fresh, scores
        if self._costs is not None:
            # per unit of cost; a count below zero must not gain by being expensive
            scores = np.where(scores > 0, scores / self._costs, scores * self._costs)
        if self._deadlines:
            scores = self._deadlines.force(scores)
        audits = get_largest(scores, self._audits)
        if self._deadlines:
            self._deadlines.note(audits)
        for column in audits.reshape(len(audits), -1).T:
            self._counter.restart(column)
        return audits


@dataclass(frozen=True)
class Tca(Mechanism):
    """Toeplitz Continual Auditing: one private counter a target, audit the largest noisy count, restart that counter.

    Paper, Algorithm 1 with the counter of section 6.2. `exact` takes the slow reference counter instead of the fast
    one (same draws; outputs agree to 1e-6 of a noise scale).

    Attributes:
        interval: W >= C, the longest time between two audits of a target; None for no such duty. No counter then
            lives longer than W, so the noise is that of W steps and the guarantee holds for ever (ours).
        audits: targets audited at each step, the largest noisy counts: a function of what is released, so it costs
            no privacy (ours).
        weight: what the most severe report counts, >= 1. The noise grows as it does, so that this report too is
            protected by delta (ours).
        costs: of an audit of each target, > 0, where they differ: the largest noisy count per unit of cost is audited,
            which again is a function of what is released (ours).
    """

    targets: int
    horizon: int
    delta: float
    exact: bool = False
    interval: int | None = None
    audits: int = 1
    weight: float = 1.0
    costs: tuple[float, ...] | None = None

    @property
    def longest(self) -> int:
        """Steps that a counter may live."""
        return self.horizon if self.interval is None else self.interval

    @property
    def noise_scale(self) -> float:
        """sigma, in reports: standard deviation of each fresh normal."""
        return self.weight * get_fast_noise_scale(self.delta, self.longest)

    def guarantee(self) -> Guarantee:
        """Over the horizon, or for ever with a maximum audit interval."""
        if self.interval is None:
            return Guarantee(self.delta, self.horizon, get_mu(self.delta), "Proposition 3 and section 6")
        return Guarantee(self.delta, None, get_mu(self.delta), "Proposition 3 for counters of at most W steps (ours)")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        return self.start_from(SeededNormals(get_generators(seed, "counter", runs)), len(runs), horizon)

    def start_from(self, source: NormalSource, runs: int, horizon: int) -> Auditor:
        """Like `start`, with the standard normals of `source`."""
        if self.interval is None and horizon > self.horizon:
            raise HorizonError(
                f"the noise is calibrated for {self.horizon:,} audits; {horizon:,} would void the guarantee"
            )
        check_audits(self.audits, self.targets)
        deadlines = Deadlines(runs, self.targets, self.interval) if self.interval is not None else None
        kind = ExactToeplitzNoise if self.exact else ToeplitzNoise
        counter = kind(source, runs, self.targets, self.noise_scale, horizon, longest=self.interval)
        costs = None if self.costs is None else np.asarray(self.costs)
        return _TcaAuditor(counter, self.audits, deadlines, costs)


class _GreedyAuditor(Auditor):
    def __init__(self, ties: _Blocks, audits: int) -> None:
        self._ties = ties
        self._audits = audits

    def choose(self, active: Array) -> Audits:
        # counts are whole numbers, so a uniform draw below 1 a target breaks ties evenly and nothing else; shared
        # between two worlds it is also their best coupling
        return get_largest(active + self._ties.step(), self._audits)


@dataclass(frozen=True)
class Greedy(Mechanism):
    """Always a target with the most active reports, ties broken evenly (paper, Algorithm 2). Not private."""

    targets: int
    audits: int = 1

    def guarantee(self) -> Guarantee:
        """delta = 1 - 1/C is a lower bound on the leak: one report decides the audit (Appendix C.1)."""
        return Guarantee(1.0 - 1.0 / self.targets, None, None, "Appendix C.1", holds=False)

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        check_audits(self.audits, self.targets)
        return _GreedyAuditor(_tie_breakers(seed, "greedy-ties", runs, self.targets), self.audits)


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
    def __init__(self, lots: _Blocks, audits: int) -> None:
        self._lots = lots
        self._audits = audits

    def choose(self, active: Array) -> Audits:
        lots = self._lots.step()
        return lots if self._audits == 1 else get_largest(lots, self._audits)


@dataclass(frozen=True)
class Uniform(Mechanism):
    """A target by lot, whatever was reported (paper, Algorithm 3); `audits` different ones at each step."""

    targets: int
    audits: int = 1

    def guarantee(self) -> Guarantee:
        """delta = 0 for ever: the transcript does not depend on the reports (Appendix C.2)."""
        return Guarantee(0.0, None, 0.0, "Appendix C.2")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        check_audits(self.audits, self.targets)
        draw = _lots if self.audits == 1 else _tie_breakers
        return _UniformAuditor(draw(seed, "uniform-lots", runs, self.targets), self.audits)


class _RotaAuditor(Auditor):
    def __init__(self, targets: int, runs: int, audits: int) -> None:
        self._targets = targets
        first = np.zeros(runs, dtype=np.intp)
        self._next = first if audits == 1 else first[:, None] + np.arange(audits)
        self._audits = audits

    def choose(self, active: Array) -> Audits:
        audits = self._next
        self._next = (audits + self._audits) % self._targets
        return audits


@dataclass(frozen=True)
class Rota(Mechanism):
    """Targets in turn, `audits` of them a step, whatever was reported (ours: the honest zero-leak baseline)."""

    targets: int
    audits: int = 1

    def guarantee(self) -> Guarantee:
        """delta = 0 for ever: the transcript is fixed beforehand."""
        return Guarantee(0.0, None, 0.0, "the order is fixed (ours)")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        check_audits(self.audits, self.targets)
        return _RotaAuditor(self.targets, len(runs), self.audits)
