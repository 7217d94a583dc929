"""Certified statements: "organisation c has at least tau active reports", published only where the noise allows it.

Built from a published abstract (statements proposed without the data, tested privately, emitted only if a lower
confidence bound passes the threshold); constants are ours. The candidates are a fixed grid of (c, tau). The bound is
the audit's own noisy count minus z_{1-beta} sd_L, with sd_L = sigma M_L the noise at run length L. Counts are whole, so
the worst unsupported count is tau - 1: emit iff the bound is at least tau - 1, else abstain.

Certificates read the noisy counts that choose the audits, so both together keep the same delta (post-processing).

For a target and step chosen beforehand an unsupported statement comes out with probability at most beta: restarts
only help, since a target not audited for long is one whose noise was not high (positive association of Toeplitz noise,
ours). All tau of a target share one bound, so they are right or wrong together and cost nothing more. But the audited
target is chosen by its noise: see `get_winners_curse`. And each step is a new trial: over a whole record errors add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from .calibration import get_mu
from .counters import Array, SeededNormals, ToeplitzNoise, get_coefficients
from .deniability import get_composed_delta, get_k_reports_delta
from .mechanisms import Auditor, Audits, Guarantee, Mechanism, Tca
from .parameters import ParameterError, largest_runs
from .seeds import get_generators
from .simulation import Transcript, simulate, standard_error
from .streams import Stream

CANDIDATE = 0
"""The target certified whatever is audited, for comparison."""


def _get_z(beta: float) -> float:
    if not 0.0 < beta < 1.0:
        raise ValueError(f"beta must lie strictly between 0 and 1, got {beta}")
    return -float(ndtri(beta))


def get_lower_bound(noisy: ArrayLike, count_sd: ArrayLike, beta: float) -> Array:
    """Lower confidence bound on a count, noisy - z_{1-beta} sd, shape of the arguments."""
    return np.asarray(noisy, dtype=float) - _get_z(beta) * np.asarray(count_sd, dtype=float)


def get_certified(noisy: ArrayLike, count_sd: ArrayLike, beta: float) -> NDArray[np.int64]:
    """The largest tau >= 1 that is emitted, 0 where even "at least one report" is not: abstained."""
    return np.maximum(0.0, np.floor(get_lower_bound(noisy, count_sd, beta)) + 1.0).astype(np.int64)


def get_emit_rate(reports: ArrayLike, tau: int, beta: float, count_sd: float) -> Array:
    """Phi((n - tau + 1) / sd - z_{1-beta}): chance that "at least tau" comes out with n active reports."""
    _check_tau(tau)
    return ndtr((np.asarray(reports, dtype=float) - tau + 1.0) / count_sd - _get_z(beta))


def get_needed_reports(tau: int, beta: float, count_sd: float, chance: float = 0.5) -> float:
    """Active reports at which "at least tau" comes out with the given chance, 0 < chance < 1 (a real number)."""
    _check_tau(tau)
    if not 0.0 < chance < 1.0:
        raise ValueError(f"chance must lie strictly between 0 and 1, got {chance}")
    return tau - 1.0 + (_get_z(beta) + float(ndtri(chance))) * count_sd


def _check_tau(tau: int) -> None:
    if tau < 1:
        raise ValueError(f"tau must be at least 1, got {tau}")


def get_frontier(k: ArrayLike, delta: float, beta: float) -> Array:
    """min(1, beta + k delta): the largest emission rate any (0, delta)-DP test reaches, k = n - tau + 1 >= 0.

    Reached by one count with uniform noise on [-1/(2 delta), 1/(2 delta)] and `get_uniform_margin`. That noise
    sometimes gives a report away outright, which Gaussian noise never does.
    """
    _get_z(beta)
    return np.minimum(1.0, beta + _distance(k) * delta)


def get_gaussian_emit_rate(k: ArrayLike, delta: float, beta: float) -> Array:
    """Phi(k mu - z_{1-beta}): emission rate of one count with Gaussian noise of the same delta, k >= 0."""
    return ndtr(_distance(k) * get_mu(delta) - _get_z(beta))


def _distance(k: ArrayLike) -> Array:
    distance = np.asarray(k, dtype=float)
    if (distance < 0).any():
        raise ValueError(f"k = n - tau + 1 must not be negative, got {k!r}")
    return distance


def get_uniform_margin(delta: float, beta: float) -> float:
    """(1/2 - beta) / delta: what is subtracted from a count with uniform noise, in place of z_{1-beta} sd."""
    _get_z(beta)
    return (0.5 - beta) / delta


def get_fresh_delta(delta: float) -> tuple[float, float]:
    """What audits and certificates cost together with fresh noise at the same scale: (2 delta, Gaussian).

    The second is 2 Phi(sqrt(2) kappa) - 1, for two Gaussian releases (ours, below 2 delta). In return such certificates
    know nothing of the choice, and the audited target needs no repair.
    """
    return get_composed_delta(delta, 2), get_k_reports_delta(delta, 2, same_target=False)


def get_winners_curse(beta: float, candidates: int) -> float:
    """1 - (1 - beta)^C: chance of a false statement when the largest of C noisy counts is certified at level beta.

    Exact when all C counts are equal and equally old; the candidates' errors are then independent and the winner errs
    as soon as one of them does.
    """
    _get_z(beta)
    return -math.expm1(candidates * math.log1p(-beta))


def get_repaired_beta(beta: float, candidates: int) -> float:
    """beta / C: whichever of C candidates is picked, and however, errs with probability at most beta (union bound).

    For a whole record of T steps, rather than one step, there are C T candidates.
    """
    _get_z(beta)
    if candidates < 1:
        raise ValueError(f"candidates must be at least 1, got {candidates}")
    return beta / candidates


@dataclass(frozen=True)
class Certificates:
    """What was published about a target at each step, arrays of one shape, (T,) or (S, T).

    Attributes:
        certified: largest certified tau, 0 where abstained.
        active: the true active reports at that moment.
    """

    certified: NDArray[np.int64]
    active: NDArray[np.int64]

    @property
    def emitted(self) -> NDArray[np.bool_]:
        """Whether at least "at least one report" came out."""
        return self.certified > 0

    @property
    def false(self) -> NDArray[np.bool_]:
        """Whether the largest certified tau exceeds the truth."""
        return self.certified > self.active

    def emitted_at(self, tau: int) -> NDArray[np.bool_]:
        """Whether "at least tau" came out."""
        _check_tau(tau)
        return self.certified >= tau

    def false_at(self, tau: int) -> NDArray[np.bool_]:
        """Whether "at least tau" came out although it was false."""
        return self.emitted_at(tau) & (self.active < tau)


@dataclass(frozen=True)
class NoisyCounts:
    """Noisy counts of one target a step, from which certificates at any level follow; shape (T,) or (S, T).

    Attributes:
        noisy: the count with noise at the moment of decision.
        active: the count.
        run_length: L, steps since the target's last audit, from 1.
        count_sds: standard deviation of the noise at L = 1, 2, .., (T,).
    """

    noisy: Array
    active: NDArray[np.int64]
    run_length: NDArray[np.int64]
    count_sds: Array

    def certify(self, beta: float) -> Certificates:
        """The certificates at level beta."""
        return Certificates(get_certified(self.noisy, self.count_sds[self.run_length - 1], beta), self.active)

    @property
    def unsupported(self) -> NDArray[np.bool_]:
        """Whether the target had no active report: as a choice for audit, a proxy that supports nothing."""
        return self.active == 0


def get_rate(events: NDArray[np.bool_]) -> tuple[float, float | None]:
    """Share of steps with the event and its standard error over runs, from (S, T); None for one run."""
    return float(events.mean()), standard_error(events.mean(axis=1))


def get_ever_rate(events: NDArray[np.bool_]) -> tuple[float, float | None]:
    """Share of runs with the event at any step and its standard error, from (S, T); None for one run."""
    return get_rate(events.max(axis=1, keepdims=True))


def get_count_sds(mechanism: Tca, steps: int) -> Array:
    """sigma M_L for L = 1 .. steps, (steps,)."""
    return mechanism.noise_scale * np.sqrt(np.cumsum(get_coefficients(steps) ** 2))


def get_audited_counts(transcript: Transcript, mechanism: Tca) -> NoisyCounts:
    """The audited target's noisy count at each step of one record, arrays (T,).

    Raises:
        ValueError: a transcript of a mechanism without counters.
    """
    if transcript.noise is None:
        raise ValueError("certificates read noisy counters; this transcript has none")
    steps = np.arange(len(transcript.audits))
    last = np.full(transcript.active.shape[1], -1)
    length = np.empty(len(steps), dtype=np.int64)
    for t, target in enumerate(transcript.audits):
        length[t] = t - last[target]
        last[target] = t
    active = transcript.active[steps, transcript.audits]
    noisy = active + transcript.noise[steps, transcript.audits]
    return NoisyCounts(noisy, active, length, get_count_sds(mechanism, len(steps)))


class _Listening(Mechanism):
    """A mechanism whose released counts an observer of `simulate` may read, or fresh counters beside it."""

    def __init__(self, mechanism: Tca, fresh: bool) -> None:
        self.targets = mechanism.targets
        self._mechanism = mechanism
        self._fresh = fresh

    def guarantee(self) -> Guarantee:
        return self._mechanism.guarantee()

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        self.auditor = self._mechanism.start(seed, runs, horizon)
        self.auditor.recording = not self._fresh
        self.length = np.ones((len(runs), self.targets), dtype=np.int64)
        if self._fresh:
            m = self._mechanism
            source = SeededNormals(get_generators(seed, "certificates", runs))
            self.counter = ToeplitzNoise(source, len(runs), m.targets, m.noise_scale, horizon, longest=m.interval)
        return self.auditor

    def read(self, active: Array, audits: Audits) -> Array:
        """Noisy counts of this step, (runs, targets)."""
        if not self._fresh:
            assert self.auditor.released is not None
            return self.auditor.released
        noisy = active + self.counter.step()
        self.counter.restart(audits)
        return noisy


def run_counts(
    mechanism: Tca,
    stream: Stream,
    horizon: int,
    runs: int,
    seed: int,
    fresh: bool = False,
    progress: Callable[[float], None] | None = None,
) -> tuple[NoisyCounts, NoisyCounts]:
    """Noisy counts of many runs, arrays (S, T): of the audited target, and of target 0, chosen beforehand.

    Run number r is the run r of `run_transcript` with the same seed.

    Args:
        fresh: read counters of their own at the same noise scale (restarted with the audits), not the audit's; see
            `get_fresh_delta` for what that costs.

    Raises:
        ParameterError: too large. HorizonError: a horizon longer than the guarantee. ValueError: several audits a step.
    """
    if mechanism.audits != 1:
        raise ValueError(f"certificates follow one audit a step, got {mechanism.audits}")
    most = largest_runs(stream.targets, horizon) // 8  # eight numbers are kept where an ensemble keeps one
    if runs > most:
        raise ParameterError("runs", f"with horizon {horizon:,} at most {most:,} runs fit, got {runs:,}")
    kept = [
        (np.empty((runs, horizon)), np.empty((runs, horizon), np.int64), np.empty((runs, horizon), np.int64))
        for _ in range(2)
    ]
    listening = _Listening(mechanism, fresh)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> None:
        rows = np.arange(len(audits))
        noisy = listening.read(active, audits)
        for (counts, truth, length), target in zip(kept, (audits, np.full_like(audits, CANDIDATE)), strict=True):
            counts[where, t] = noisy[rows, target]
            truth[where, t] = active[rows, target]
            length[where, t] = listening.length[rows, target]
        listening.length += 1
        listening.length[rows, audits] = 1

    simulate(listening, stream, horizon, seed, range(runs), observe, progress, deficits=False)
    sds = get_count_sds(mechanism, horizon)
    audited, candidate = (NoisyCounts(*arrays, sds) for arrays in kept)
    return audited, candidate
