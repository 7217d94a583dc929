"""How well an auditor does: exact mis-selection, bounds, and their inverses (paper, sections 4, 7 and Appendix G).

`gap` is the lead in reports of the most reported target over all others; `count_sd` is the standard deviation of the
noise on each count (sigma M_L). Mis-selection is the probability of auditing a target that is not the most reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr
from scipy.stats import binomtest

from .calibration import get_p_rand
from .counters import Array
from .seeds import get_generator
from .simulation import Transcript

_NODES = np.arange(-9.0, 9.0, 0.05)
_WEIGHTS = np.exp(-(_NODES**2) / 2.0) * (0.05 / np.sqrt(2.0 * np.pi))


def _check(targets: int, count_sd: float) -> None:
    if targets < 2:
        raise ValueError(f"targets must be at least 2, got {targets}")
    if not count_sd > 0:
        raise ValueError(f"count_sd must be positive, got {count_sd}")


def get_misselection(gap: ArrayLike, targets: int, count_sd: float) -> Array:
    """Exact chance that the largest of `targets` noisy counts is not the leader's, shape of `gap`.

    1 - integral phi(x) Phi(x + gap/s)^(C-1) dx (paper, Appendix G.1, without its Monte Carlo). The trapezium rule is
    exact to rounding for such integrands; the complement is summed, so that tiny chances keep their digits.
    """
    _check(targets, count_sd)
    lead = np.asarray(gap, dtype=float)[..., None] / count_sd
    return -np.expm1((targets - 1) * log_ndtr(_NODES + lead)) @ _WEIGHTS


def get_gap_for_error(error: float, targets: int, count_sd: float) -> float:
    """The lead, in reports, at which `get_misselection` is `error`; 0 < error <= (C-1)/C.

    Exact inversion by bracketing; round up for whole reports.
    """
    _check(targets, count_sd)
    most = (targets - 1) / targets
    if not 0.0 < error <= most:
        raise ValueError(f"error must lie above 0 and at most (C-1)/C = {most:g}, got {error}")
    if error == most:
        return 0.0
    far = 2.0 * (np.sqrt(2.0 * np.log(targets)) + 8.0)
    if error < get_misselection(far, targets, 1.0):
        raise ValueError(f"error must be at least {get_misselection(far, targets, 1.0):.1e}, got {error}")
    return count_sd * float(brentq(lambda lead: float(get_misselection(lead, targets, 1.0)) - error, 0.0, far))


def get_union_bound(gap: ArrayLike, targets: int, count_sd: float) -> Array:
    """Upper bound (C-1) Phi(-gap / (sqrt(2) s)) on mis-selection, at most 1, shape of `gap`.

    Ours: the union bound over challengers with all noise counted; at run length 1 it is Theorem 6 (no past noise).
    """
    _check(targets, count_sd)
    return np.minimum(1.0, (targets - 1) * ndtr(-np.asarray(gap, dtype=float) / (np.sqrt(2.0) * count_sd)))


def get_uniform_misselection(targets: int) -> float:
    """(C-1)/C: drawing lots, whatever the lead (Appendix C.2)."""
    return (targets - 1) / targets


def get_greedy_misselection(gap: ArrayLike, targets: int) -> Array:
    """0 with a lead, (C-1)/C without one, shape of `gap` (Appendix G.1)."""
    return np.where(np.asarray(gap) > 0, 0.0, get_uniform_misselection(targets))


def get_rr_misselection(gap: ArrayLike, targets: int, p_rand: float) -> Array:
    """p_rand (C-1)/C with a lead (Proposition 15), (C-1)/C without one, shape of `gap`."""
    return np.where(np.asarray(gap) > 0, p_rand, 1.0) * get_uniform_misselection(targets)


def get_theorem_2_floor(targets: int, delta: float) -> float:
    """(C-1)/C - delta, at least 0: no (0, delta)-DP randomised response errs less often (Theorem 2)."""
    return get_p_rand("theorem-2-floor", delta, targets, 1) * get_uniform_misselection(targets)


@dataclass(frozen=True)
class Share:
    """A measured share with its 95 % Wilson interval.

    Attributes:
        share: successes / runs.
        low, high: the interval.
        runs: number of independent runs.
    """

    share: float
    low: float
    high: float
    runs: int


def get_share(successes: int, runs: int, confidence: float = 0.95) -> Share:
    """A share with its Wilson score interval (keeps its coverage near 0 and 1)."""
    interval = binomtest(successes, runs).proportion_ci(confidence, method="wilson")
    return Share(successes / runs, float(interval.low), float(interval.high), runs)


def simulate_misselection(gap: float, targets: int, count_sd: float, runs: int, seed: int) -> Share:
    """Mis-selection measured by drawing the noise of every count `runs` times (paper, Appendix G.1)."""
    _check(targets, count_sd)
    noise = get_generator(seed, "monte-carlo").standard_normal((runs, targets))
    noise[:, 0] += gap / count_sd
    return get_share(int((noise.argmax(axis=1) != 0).sum()), runs)


def get_theorem_6_bound(transcript: Transcript, noise_scale: float) -> Array:
    """Theorem 6 at each step of a record: bound on the chance of a miss given all earlier noise, shape (T,).

    sum over challengers of Phi(-(gap + past noise difference) / (sqrt(2) sigma)), at most 1. Where several targets
    lead, the first stands for them and none of them counts as a challenger.

    Raises:
        ValueError: a transcript of a mechanism without counters.
    """
    if transcript.noise is None or transcript.fresh is None:
        raise ValueError("Theorem 6 speaks of noisy counters; this transcript has none")
    past = transcript.active + transcript.noise - transcript.fresh
    steps = np.arange(len(past))
    lead = past[steps, transcript.active.argmax(axis=1)][:, None] - past
    challengers = transcript.active < transcript.leader_active[:, None]
    return np.minimum(1.0, np.where(challengers, ndtr(-lead / (np.sqrt(2.0) * noise_scale)), 0.0).sum(axis=1))
