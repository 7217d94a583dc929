"""Deliberately broken TCA, to see that an audit catches it. Never for use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .calibration import get_fast_noise_scale
from .counters import Array, HorizonError, NormalSource, SeededNormals, ToeplitzNoise, get_fast_sensitivity
from .mechanisms import Auditor, Audits, Mechanism, Tca
from .seeds import get_generators

FAULTS = ("half-noise", "noise-reuse", "over-horizon")
PLANNED = 1
"""Audits that the fault `over-horizon` was calibrated for."""


@dataclass(frozen=True)
class HalfNoise(Tca):
    """Half the noise that delta asks for: the true mu is twice the claimed one."""

    @property
    def noise_scale(self) -> float:
        """Half of `Tca.noise_scale`."""
        return super().noise_scale / 2.0


@dataclass(frozen=True)
class OverHorizon(Tca):
    """Calibrated for `PLANNED` audits, yet run for more: the true mu is M_T / M_planned times the claimed one."""

    @property
    def noise_scale(self) -> float:
        """`Tca.noise_scale` for a horizon of `PLANNED`."""
        return get_fast_noise_scale(self.delta, PLANNED)


class _RewindingAuditor(Auditor):
    def __init__(self, source: NormalSource, runs: int, targets: int, noise_scale: float, horizon: int) -> None:
        self._noise = ToeplitzNoise(source, runs, targets, noise_scale, horizon)
        self._tape = np.empty((horizon, runs, targets))
        self._ages = np.zeros((runs, targets), dtype=np.intp)
        self._rows = np.arange(runs)
        self._step = 0

    def choose(self, active: Array) -> Audits:
        self._tape[self._step] = self._noise.step()
        self._step += 1
        noise = np.take_along_axis(self._tape[: self._step], self._ages[None], axis=0)[0]
        self._ages += 1
        scores = active + noise
        if self.recording:
            self.noise, self.released = noise, scores
        audits = scores.argmax(axis=1)
        self._ages[self._rows, audits] = 0
        return audits


@dataclass(frozen=True)
class NoiseReuse(Tca):
    """A restart rewinds a counter's noise to its first draw, so that two lives of a counter differ by reports alone."""

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        if horizon > self.horizon:
            raise HorizonError(f"calibrated for {self.horizon:,} audits, asked for {horizon:,}")
        source = SeededNormals(get_generators(seed, "counter", runs))
        return _RewindingAuditor(source, len(runs), self.targets, self.noise_scale, horizon)


def make_faulty(fault: str, mechanism: Mechanism) -> tuple[Tca, Tca]:
    """What is claimed and what really runs: a plain TCA and its broken variant.

    Raises:
        ValueError: an unknown fault, or a mechanism that is not plain TCA.
    """
    if fault not in FAULTS:
        raise ValueError(f"fault must be one of {', '.join(FAULTS)}, got {fault!r}")
    if not isinstance(mechanism, Tca) or mechanism != Tca(mechanism.targets, mechanism.horizon, mechanism.delta):
        raise ValueError("the faulty variants are variants of tca: choose the mechanism tca")
    if fault == "over-horizon" and mechanism.horizon <= PLANNED:
        raise ValueError(f"over-horizon needs a horizon above {PLANNED}: that is what the noise is then planned for")
    kind = {"half-noise": HalfNoise, "noise-reuse": NoiseReuse, "over-horizon": OverHorizon}[fault]
    claimed = replace(mechanism, horizon=PLANNED) if fault == "over-horizon" else mechanism
    return claimed, kind(mechanism.targets, mechanism.horizon, mechanism.delta)


def get_true_mu(fault: str, mechanism: Tca) -> float:
    """The mu that an audit can find in the broken variant: infinite where reports can be read off exactly."""
    if fault == "noise-reuse":
        return float("inf")
    return get_fast_sensitivity(mechanism.horizon) / make_faulty(fault, mechanism)[1].noise_scale
