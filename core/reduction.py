"""The paper's generic reduction (Algorithm 1, Proposition 3): any private counter makes a private auditor.

One counter a target; audit the largest noisy count; restart that counter. Only the noise differs between counters, so
the auditor keeps the true counts and adds B z, from any of three forms: running sums (all kinds but the tree), the
open blocks of the tree, and plain matrices (any counter, also a reader's own).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .calibration import get_mu
from .counter_kinds import Profile, get_profile, get_sums
from .counters import Array, HorizonError, NormalSource, SeededNormals
from .linear import Factorisation, check_claim
from .mechanisms import Auditor, Audits, Guarantee, Mechanism
from .seeds import get_generators

BLOCK = 16
"""Steps whose normals are drawn at once."""


class _Noise(Protocol):
    """Noise of runs x targets counters in units of sigma, each at its own age."""

    fresh: Array

    def step(self, normals: Array) -> Array:
        """Go one step on with new normals, (runs, targets, width); the noise on each count, (runs, targets)."""

    def restart(self, audited: Audits) -> None:
        """Age 0 for target `audited[r]` of every run r: nothing drawn so far will be read again."""


class _SumNoise:
    """Any counter whose decoder is 1 and a sum of exponentials."""

    def __init__(self, sums: tuple[Array, Array], runs: int, targets: int) -> None:
        self._factors, self._weights = sums
        self._past = np.zeros((len(self._factors), runs, targets))
        self._runs = np.arange(runs)

    def step(self, normals: Array) -> Array:
        self.fresh = normals[:, :, 0]
        noise = self.fresh + np.tensordot(self._weights, self._past, 1)
        self._past += self.fresh
        self._past *= self._factors[:, None, None]
        return noise

    def restart(self, audited: Audits) -> None:
        self._past[:, self._runs, audited] = 0.0


class _TreeNoise:
    """The binary tree: one normal for each block that the age, written in binary, names."""

    def __init__(self, horizon: int, runs: int, targets: int) -> None:
        self._levels = np.arange(horizon.bit_length())[:, None, None]
        self._blocks = np.zeros((horizon.bit_length(), runs, targets))
        self._age = np.zeros((runs, targets), dtype=np.int64)
        self._runs = np.arange(runs)

    def step(self, normals: Array) -> Array:
        self.fresh = normals[:, :, 0]
        self._age += 1
        level = np.bitwise_count((self._age & -self._age) - 1)
        self._blocks *= self._levels > level
        np.put_along_axis(self._blocks, level[None].astype(np.intp), self.fresh[None], axis=0)
        return self._blocks.sum(axis=0)

    def restart(self, audited: Audits) -> None:
        self._age[self._runs, audited] = 0
        self._blocks[:, self._runs, audited] = 0.0


class _MatrixNoise:
    """Any counter, by its decoder: a buffer of normals in the order of the current instance's age.

    Row L of B reads only values made up to age L, all of them drawn since the restart, so a restart only sets the age
    to 0. Costs O(N) a count and step.
    """

    def __init__(self, counter: Factorisation, runs: int, targets: int) -> None:
        self._starts = counter.starts
        self._width = width = get_width(counter)
        size = len(counter.encoder)
        self._decoder = counter.decoder
        self._new = np.arange(width)
        padded = np.pad(counter.decoder, ((0, 0), (0, width)))
        # what a step draws beyond its own values falls on columns that this row does not read
        self._own = np.take_along_axis(padded, counter.starts[:-1, None] + self._new, axis=1)
        self._normals = np.zeros((runs * targets, size + width))
        self._age = np.zeros(runs * targets, dtype=np.intp)
        self._first = np.arange(runs) * targets
        self._shape = (runs, targets)

    def step(self, normals: Array) -> Array:
        new = normals.reshape(len(self._age), self._width)
        np.put_along_axis(self._normals, self._starts[self._age][:, None] + self._new, new, axis=1)
        self.fresh = np.einsum("nw,nw->n", self._own[self._age], new).reshape(self._shape)
        noise = np.empty(len(self._age))
        # counters of like age together, so that the young ones do not pay for the oldest
        octave = np.frexp(self._age)[1]
        for one in np.unique(octave):
            cells = np.flatnonzero(octave == one)
            ages = self._age[cells]
            read = self._starts[ages.max() + 1]
            noise[cells] = np.einsum("nk,nk->n", self._decoder[ages, :read], self._normals[cells, :read])
        self._age += 1
        return noise.reshape(self._shape)

    def restart(self, audited: Audits) -> None:
        self._age[self._first + audited] = 0


def get_width(counter: str | Factorisation) -> int:
    """Normals that one counter draws at each step: the most values that it makes noisy in one step."""
    return 1 if isinstance(counter, str) else int(np.diff(counter.starts).max())


class _CounterAuditor(Auditor):
    def __init__(
        self, noise: _Noise, source: NormalSource, scale: float, shape: tuple[int, int, int], horizon: int
    ) -> None:
        runs, targets, width = self._shape = shape
        self._noise = noise
        self._source = source
        self._scale = scale
        self._block = np.empty((runs, BLOCK, targets * width))
        self._horizon = horizon
        self._step = 0

    def choose(self, active: Array) -> Audits:
        if self._step >= self._horizon:
            raise HorizonError(
                f"the counters were calibrated for {self._horizon:,} steps and refuse step {self._step + 1:,}"
            )
        row = self._step % BLOCK
        if row == 0:
            self._source.fill(self._block)
        self._step += 1
        noise = self._scale * self._noise.step(self._block[:, row].reshape(self._shape))
        scores = active + noise
        audits = scores.argmax(axis=1)
        if self.recording:
            self.noise, self.fresh, self.released = noise, self._scale * self._noise.fresh, scores
        self._noise.restart(audits)
        return audits


@dataclass(frozen=True)
class CounterAudit(Mechanism):
    """Algorithm 1 with any counter: a kind of `core.counter_kinds.KINDS`, or the matrices of a reader's own.

    `toeplitz` is the counter of `core.mechanisms.Tca`, with the same noise scale, guarantee and law.

    Raises:
        CounterError: matrices of a class that claims too small a sensitivity.
        ValueError: an unknown kind, or matrices for another horizon.
    """

    targets: int
    horizon: int
    delta: float
    counter: str | Factorisation = "toeplitz"

    def __post_init__(self) -> None:
        if isinstance(self.counter, Factorisation):
            check_claim(self.counter, self.delta)
        get_mu(self.delta)
        get_profile(self.counter, self.horizon)

    @property
    def profile(self) -> Profile:
        """What its counters need and give."""
        return get_profile(self.counter, self.horizon)

    @property
    def noise_scale(self) -> float:
        """sigma, in reports: sd of each normal, sensitivity / mu."""
        return self.profile.get_noise_scale(self.delta)

    def guarantee(self) -> Guarantee:
        """See `Mechanism.guarantee`. A claim larger than needed makes the true delta smaller than this one."""
        return Guarantee(self.delta, self.horizon, get_mu(self.delta), "Proposition 3 and section 6")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`. Counters that make one value a step read the same normals, so they compare well."""
        return self.start_from(SeededNormals(get_generators(seed, "lab", runs)), len(runs), horizon)

    def start_from(self, source: NormalSource, runs: int, horizon: int) -> Auditor:
        """Like `start`, with the standard normals of `source`: (runs, steps, targets x `get_width`)."""
        if horizon > self.horizon:
            raise HorizonError(
                f"the noise is calibrated for {self.horizon:,} audits; {horizon:,} would void the guarantee"
            )
        shape = (runs, self.targets, get_width(self.counter))
        return _CounterAuditor(self._get_noise(runs), source, self.noise_scale, shape, horizon)

    def _get_noise(self, runs: int) -> _Noise:
        if isinstance(self.counter, Factorisation):
            return _MatrixNoise(self.counter, runs, self.targets)
        if self.counter == "tree":
            return _TreeNoise(self.horizon, runs, self.targets)
        return _SumNoise(get_sums(self.counter, self.horizon), runs, self.targets)
