"""Statistics of an empirical privacy audit: mu from two error rates, its lower limits, and (epsilon, delta) as mu.

FPR is the share of alarms without the report, FNR the share of silence with it. Under mu-Gaussian-DP every test obeys
FNR >= Phi(Phi^-1(1 - FPR) - mu) (Dong, Roth and Su 2022), so one confusion table says how large mu is at least. A
limit is never made larger by a sign: an attack that is wrong more often than right proves nothing and gives 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import betaincc, betaincinv, log_ndtr, ndtr, ndtri

from .calibration import get_mu
from .counters import Array
from .deniability import get_delta_profile

ROUTES = ("zcdp", "dual", "simple")
"""Ways from (epsilon, delta) to mu, see `get_mu_from_epsilon_delta`."""
NODES = 128
"""Nodes of the trapezium rule over a posterior: it and its double agree to 1e-12."""
_TAIL = 1e-14


def get_mu_hat(fpr: ArrayLike, fnr: ArrayLike) -> Array:
    """Point estimate Phi^-1(1 - FPR) - Phi^-1(FNR), any shape; negative where the attack is worse than chance.

    Infinite where one rate is 0 (an error never seen; minus infinity where one is 1). Where one is 0 and the other 1
    the test always gives the same answer and tells the worlds apart not at all: 0.
    """
    x, y = (-ndtri(_rates(name, rate)) for name, rate in (("fpr", fpr), ("fnr", fnr)))
    constant = np.isinf(x) & np.isinf(y) & (x != y)
    with np.errstate(invalid="ignore"):
        return np.where(constant, 0.0, x + y) + 0.0


def _rates(name: str, value: ArrayLike) -> Array:
    rates = np.asarray(value, dtype=float)
    if not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")
    return rates


def check_table(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> tuple[Array, Array, Array, Array]:
    """The four counts as arrays; ValueError unless they are whole, at least 0 and each world has a run."""
    counts = [np.asarray(count, dtype=float) for count in (tp, fn, fp, tn)]
    for name, count in zip(("TP", "FN", "FP", "TN"), counts, strict=True):
        if not (np.isfinite(count) & (count >= 0) & (count == np.floor(count))).all():
            raise ValueError(f"{name} must be a whole number from 0")
    if ((counts[0] + counts[1] < 1) | (counts[2] + counts[3] < 1)).any():
        raise ValueError("both worlds need at least one run: TP + FN and FP + TN must be at least 1")
    return counts[0], counts[1], counts[2], counts[3]


def check_alpha(alpha: float) -> None:
    """Refuse an error probability outside 0 < alpha < 1 with a ValueError."""
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha must lie strictly between 0 and 1, got {alpha}")


def get_upper_rate(errors: ArrayLike, runs: ArrayLike, alpha: float) -> Array:
    """One-sided Clopper-Pearson limit: the true error rate lies above it in at most a share `alpha` of experiments.

    1 where every run was an error. Broadcasts `errors` out of `runs`.
    """
    errors, runs = np.asarray(errors, dtype=float), np.asarray(runs, dtype=float)
    right = runs - errors
    return np.where(right > 0, betaincinv(errors + 1.0, np.maximum(right, 1.0), 1.0 - alpha), 1.0)


def get_mu_low_clopper_pearson(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, alpha: float = 0.1) -> Array:
    """Lower limit of mu, >= 0: `get_mu_hat` at the upper limits of both rates, alpha / 2 each; arrays broadcast.

    It exceeds the true mu in at most a share `alpha` of experiments, whatever the mechanism (union bound).
    """
    check_alpha(alpha)
    tp, fn, fp, tn = check_table(tp, fn, fp, tn)
    fpr, fnr = get_upper_rate(fp, fp + tn, alpha / 2.0), get_upper_rate(fn, fn + tp, alpha / 2.0)
    return np.maximum(0.0, -ndtri(fpr) - ndtri(fnr))


def get_jeffreys_tail(mu: ArrayLike, tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Posterior probability that the two rates are possible at `mu`: P(FNR >= Phi(Phi^-1(1 - FPR) - mu)).

    FPR ~ Beta(FP + 1/2, TN + 1/2) and FNR ~ Beta(FN + 1/2, TP + 1/2), independent. The lower limit of mu lies at or
    below `mu` exactly where this is at least alpha. Integrated over the normal score of the better known rate, where
    the posterior is smooth and the trapezium rule is exact to rounding. Arguments broadcast.
    """
    tp, fn, fp, tn = check_table(tp, fn, fp, tn)
    mu, tp, fn, fp, tn = np.broadcast_arrays(np.asarray(mu, dtype=float), tp, fn, fp, tn)
    swap = tp + fn > fp + tn
    known = np.where(swap, fn, fp) + 0.5, np.where(swap, tp, tn) + 0.5
    other = np.where(swap, fp, fn) + 0.5, np.where(swap, tn, tp) + 0.5
    x, weights = _get_posterior_nodes(*known)
    above = betaincc(other[0][..., None], other[1][..., None], ndtr(-mu[..., None] - x))
    return (weights * above).sum(axis=-1)


def _get_posterior_nodes(a: Array, b: Array) -> tuple[Array, Array]:
    """Nodes Phi^-1(rate) and weights that sum to 1 for rate ~ Beta(a, b), shapes (..., NODES)."""
    low, high = ndtri(betaincinv(a, b, _TAIL)), -ndtri(betaincinv(b, a, _TAIL))
    x = low[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, NODES)
    log = (a[..., None] - 1.0) * log_ndtr(x) + (b[..., None] - 1.0) * log_ndtr(-x) - x * x / 2.0
    weights = np.exp(log - log.max(axis=-1, keepdims=True))
    return x, weights / weights.sum(axis=-1, keepdims=True)


def get_mu_low_jeffreys(tp: int, fn: int, fp: int, tn: int, alpha: float = 0.1) -> float:
    """Lower limit of mu from the joint Jeffreys posterior: the smallest mu >= 0 whose `get_jeffreys_tail` is alpha.

    Tighter than Clopper-Pearson; its error is alpha on average over mechanisms, not for each one.
    """
    check_alpha(alpha)
    check_table(tp, fn, fp, tn)

    def excess(mu: float) -> float:
        return float(get_jeffreys_tail(mu, tp, fn, fp, tn)) - alpha

    if excess(0.0) >= 0.0:
        return 0.0
    high = 1.0
    while excess(high) < 0.0:
        high *= 2.0
    return float(brentq(excess, 0.0, high, xtol=1e-12))


def get_mu_se(mu: float, runs: int) -> float:
    """Standard error of `get_mu_hat` with `runs` judged runs a world and the threshold halfway, at a true `mu`.

    sqrt(2 p (1 - p) / n) / phi(mu / 2), p = Phi(-mu / 2) (delta method, ours).
    """
    p = ndtr(-mu / 2.0)
    density = np.exp(-mu * mu / 8.0) / np.sqrt(2.0 * np.pi)
    return float(np.sqrt(2.0 * p * (1.0 - p) / runs) / density)


def get_mu_from_epsilon_delta(epsilon: float, delta: float, route: str = "dual") -> float:
    """The mu that an (epsilon, delta) guarantee stands for; epsilon >= 0, 0 < delta < 1.

    Routes:
        zcdp: the largest rho whose tight conversion gives delta at epsilon (Canonne, Kamath and Steinke 2020),
            mu = sqrt(2 rho).
        dual: the mu whose own privacy profile passes through (epsilon, delta) (Dong, Roth and Su 2022, Corollary 2.13).
        simple: rho + 2 sqrt(rho ln(1 / delta)) = epsilon (Bun and Steinke 2016), mu = sqrt(2 rho); 0 at epsilon 0.

    The same promise, three amounts of noise: `dual` is exact for Gaussian noise, the others leave some unused.
    """
    if not (np.isfinite(epsilon) and epsilon >= 0.0):
        raise ValueError(f"epsilon must be a finite number from 0, got {epsilon}")
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta must lie strictly between 0 and 1, got {delta}")
    if route == "simple":
        log = np.log(1.0 / delta)
        return float(np.sqrt(2.0) * epsilon / (np.sqrt(log + epsilon) + np.sqrt(log)))
    if route == "dual":
        if epsilon == 0.0:
            return get_mu(delta)
        return _solve(lambda mu: float(get_delta_profile(epsilon, mu)) - delta)
    if route == "zcdp":
        return _solve(lambda mu: _get_log_zcdp_delta(mu * mu / 2.0, epsilon) - np.log(delta))
    raise ValueError(f"route must be one of {', '.join(ROUTES)}, got {route!r}")


def _solve(rising: Callable[[float], float]) -> float:
    """The root above 0 of a rising function."""
    low = high = 1.0
    while rising(low) > 0.0:
        low /= 2.0
    while rising(high) < 0.0:
        high *= 2.0
    return low if low == high else float(brentq(rising, low, high, xtol=1e-13, rtol=1e-13))


def _get_log_zcdp_delta(rho: float, epsilon: float) -> float:
    """Log of min over a > 1 of exp((a - 1)(a rho - eps)) / (a - 1) (1 - 1 / a)^a; convex in a, so its slope has one
    root, sought in t = log(a - 1)."""

    def slope(t: float) -> float:
        return (1.0 + 2.0 * np.exp(t)) * rho - epsilon + t - np.log1p(np.exp(t))

    t = float(brentq(slope, -2.0 * (epsilon + rho) - 50.0, 50.0 + np.log1p(epsilon) - min(0.0, np.log(rho))))
    m = np.exp(t)
    return float(m * ((m + 1.0) * rho - epsilon) + m * (t - np.log1p(m)) - np.log1p(m))
