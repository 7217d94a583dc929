"""What the organisation can conclude (paper, section 3; Gaussian statements ours).

The transcript of a Gaussian counter is one Gaussian shift of norm at most mu, so every test on it obeys
TPR <= Phi(Phi^-1(FPR) + mu): a curve that touches the delta line TPR = FPR + delta at FPR = Phi(-mu/2) and stays
below it elsewhere. TPR is the chance to be caught when a report was filed, FPR the false alarm rate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtr, ndtri

from .calibration import get_delta, get_mu
from .counters import Array, get_coefficients
from .mechanisms import Guarantee


def _probability(name: str, value: ArrayLike) -> Array:
    values = np.asarray(value, dtype=float)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")
    return values


def get_advantage(delta: ArrayLike, prior: ArrayLike) -> Array:
    """min(prior, 1 - prior) * delta: what watching adds to the chance of a right guess, at most (Theorem 1)."""
    prior = _probability("prior", prior)
    return np.minimum(prior, 1.0 - prior) * _probability("delta", delta)


def get_success(delta: ArrayLike, prior: ArrayLike) -> Array:
    """Largest chance of a right guess after watching every audit: max(prior, 1 - prior) + advantage (Theorem 1)."""
    prior = _probability("prior", prior)
    return np.maximum(prior, 1.0 - prior) + get_advantage(delta, prior)


def get_tpr_delta_line(fpr: ArrayLike, delta: ArrayLike) -> Array:
    """min(1, FPR + delta): what (0, delta)-DP alone allows."""
    return np.minimum(1.0, _probability("fpr", fpr) + _probability("delta", delta))


def get_tpr_gaussian(fpr: ArrayLike, mu: ArrayLike) -> Array:
    """Phi(Phi^-1(FPR) + mu): what Gaussian noise allows, mu >= 0; 0 at FPR 0 and 1 at FPR 1."""
    return ndtr(ndtri(_probability("fpr", fpr)) + np.asarray(mu, dtype=float))


def get_touching_fpr(mu: float) -> float:
    """The FPR at which the Gaussian curve touches the delta line: Phi(-mu / 2)."""
    return float(ndtr(-mu / 2.0))


def get_delta_profile(epsilon: ArrayLike, mu: float) -> Array:
    """delta(eps) of a mu-Gaussian-DP transcript, eps >= 0: Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2).

    At mu = 0 nothing leaks and the profile is 0.
    """
    eps = np.asarray(epsilon, dtype=float)
    if (eps < 0).any() or mu < 0:
        raise ValueError(f"epsilon and mu must not be negative, got {epsilon!r} and {mu}")
    if mu == 0:
        return np.zeros_like(eps)
    return np.maximum(0.0, ndtr(-eps / mu + mu / 2.0) - np.exp(eps + log_ndtr(-eps / mu - mu / 2.0)))


def get_suspicion(prior: ArrayLike, false_alarm: ArrayLike, delta: ArrayLike, mu: ArrayLike | None = None) -> Array:
    """Largest suspicion after any event that turns up by chance with probability at least `false_alarm` > 0.

    prior G / (prior G + (1 - prior) q), G = min(q + delta, Phi(Phi^-1(q) + mu)); without `mu` only the delta line
    holds (ours, Bayes on the trade-off curve).
    """
    prior = _probability("prior", prior)
    q = _probability("false_alarm", false_alarm)
    if (q <= 0).any():
        raise ValueError("false_alarm must be above 0: an event that never happens by chance gives everything away")
    most = get_tpr_delta_line(q, delta)
    if mu is not None:
        most = np.minimum(most, get_tpr_gaussian(q, mu))
    return prior * most / (prior * most + (1.0 - prior) * q)


def get_suspicion_floor(prior: ArrayLike, false_alarm: ArrayLike, delta: ArrayLike, mu: ArrayLike) -> Array:
    """Smallest suspicion after any event with probability at least `false_alarm` > 0 without the report.

    The mirror of `get_suspicion`: TPR >= max(q - delta, Phi(Phi^-1(q) - mu)).
    """
    prior = _probability("prior", prior)
    q = _probability("false_alarm", false_alarm)
    if (q <= 0).any():
        raise ValueError("false_alarm must be above 0")
    least = np.maximum(np.maximum(0.0, q - np.asarray(delta)), ndtr(ndtri(q) - np.asarray(mu, dtype=float)))
    return prior * least / (prior * least + (1.0 - prior) * q)


def get_posterior(prior: ArrayLike, tpr: ArrayLike, fpr: ArrayLike) -> Array:
    """Suspicion after an event of probability `tpr` with, `fpr` without the report; the prior where both are 0."""
    prior, tpr, fpr = (_probability(name, v) for name, v in (("prior", prior), ("tpr", tpr), ("fpr", fpr)))
    total = prior * tpr + (1.0 - prior) * fpr
    return np.where(total > 0, prior * tpr / np.where(total > 0, total, 1.0), prior)


def get_gaussian_posterior_cdf(suspicion: ArrayLike, prior: float, mu: float, reported: bool) -> Array:
    """P(suspicion after seeing every noisy count <= `suspicion`), in the world with or without the report (ours).

    The worst case of Gaussian noise: one observation, N(mu, 1) with and N(0, 1) without the report; 0 < prior < 1.
    """
    y = _probability("suspicion", suspicion)
    with np.errstate(divide="ignore"):
        ratio = np.log(y) - np.log1p(-y) - (np.log(prior) - np.log1p(-prior))
    return ndtr((ratio + mu * mu / 2.0) / mu - (mu if reported else 0.0))


def get_outright_posterior(prior: float, delta: float) -> float:
    """Suspicion after silence of a mechanism that publishes each report outright with probability delta.

    Also (0, delta)-DP, yet with probability delta it takes suspicion of a reporter to 1: what (0, delta) alone allows.
    """
    return prior * (1.0 - delta) / (1.0 - prior * delta)


def get_k_reports_delta(delta: float, k: int, same_target: bool = True) -> float:
    """delta for a person who files `k` reports under Gaussian noise (ours, below the paper's k delta).

    2 Phi(k kappa) - 1 about one target (shifts add up), 2 Phi(sqrt(k) kappa) - 1 about k different targets.
    """
    return get_delta(get_k_reports_mu(delta, k, same_target))


def get_k_reports_mu(delta: float, k: int, same_target: bool = True) -> float:
    """mu for `k` >= 1 reports: k mu about one target, sqrt(k) mu about k different targets (ours)."""
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    return get_mu(delta) * (k if same_target else float(np.sqrt(k)))


def get_composed_delta(delta: float, k: int) -> float:
    """min(1, k delta): basic composition, holds for every mechanism (paper, Corollary 9)."""
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    return min(1.0, k * delta)


def get_bounds(guarantee: Guarantee, k: int = 1) -> tuple[float, float | None]:
    """What a mechanism's guarantee allows for `k` reports about one target: (delta bound, Gaussian bound).

    The delta bound is 1 where nothing is promised; the Gaussian bound is None where the transcript is not Gaussian.
    """
    delta = get_composed_delta(guarantee.delta, k) if guarantee.holds else 1.0
    return delta, None if guarantee.mu is None else get_delta(k * guarantee.mu)


def get_known_steps_mu(steps: ArrayLike, horizon: int, noise_scale: float) -> float:
    """mu for reports about one target filed at known `steps` (from 1), without a restart between them (ours).

    || sum_i column(t_i) || / sigma; restarts only make it smaller, since the coefficients are positive.
    """
    coefficients = get_coefficients(horizon)
    shift = np.zeros(horizon)
    for step in np.atleast_1d(np.asarray(steps, dtype=int)):
        if not 1 <= step <= horizon:
            raise ValueError(f"steps must lie between 1 and horizon ({horizon:,}), got {step}")
        shift[step - 1 :] += coefficients[: horizon - step + 1]
    return float(np.linalg.norm(shift)) / noise_scale


def get_delta_for_repeats(advantage: float, k: int) -> float:
    """delta = 2 alpha / k: keeps a person with up to `k` reports below an advantage of alpha (paper, section 3)."""
    return 2.0 * float(_probability("advantage", advantage)) / k
