"""Audit the auditor: what one confusion table, or two columns of scores, say against a claimed guarantee.

The verdict is one-sided: evidence can refute a claim, never confirm it. It stands on the Clopper-Pearson limits of the
two error rates, so that a mechanism that keeps its claim is accused in at most a share alpha of audits. Where the
claim is Gaussian, mu is compared; where it is not (randomised response, greedy), only TPR - FPR against delta:
a mechanism may keep delta exactly and still show a large mu at rare alarms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from . import gdp
from .attacks import get_roc
from .calibration import get_mu
from .counters import Array
from .mechanisms import Guarantee
from .seeds import get_generator
from .utility import get_misselection

VERDICTS = ("violation", "no violation found")
ALPHA = 0.1
"""Default chance of a false accusation: limits at 90 %, one-sided."""
RUNS = 5_000
"""Default runs a world, half of them to choose the threshold and half to judge."""


@dataclass(frozen=True)
class Claim:
    """What an audit holds a mechanism to; None where nothing is claimed.

    Attributes:
        delta: largest TPR - FPR of any test.
        mu: Gaussian-DP parameter.
    """

    delta: float | None = None
    mu: float | None = None


def get_claim(guarantee: Guarantee, delta: float) -> Claim:
    """The claim of a mechanism's own guarantee; where it gives none that holds (greedy), the wanted `delta`."""
    return Claim(guarantee.delta, guarantee.mu) if guarantee.holds else Claim(delta)


@dataclass(frozen=True)
class Audit:
    """One confusion table, judged.

    Attributes:
        tp, fn: alarms and silences with the report.
        fp, tn: alarms and silences without it.
        alpha: chance of a false accusation, at most.
        claim: what is held against it.
        threshold: alarms are scores at or above it; None for a table that came as it is.
    """

    tp: int
    fn: int
    fp: int
    tn: int
    alpha: float
    claim: Claim = Claim()
    threshold: float | None = None

    def __post_init__(self) -> None:
        gdp.check_alpha(self.alpha)
        gdp.check_table(self.tp, self.fn, self.fp, self.tn)

    @property
    def tpr(self) -> float:
        """Share of alarms with the report."""
        return self.tp / (self.tp + self.fn)

    @property
    def fpr(self) -> float:
        """Share of alarms without it."""
        return self.fp / (self.fp + self.tn)

    @property
    def upper_rates(self) -> tuple[float, float]:
        """Upper limits of FPR and FNR, alpha / 2 each."""
        half = self.alpha / 2.0
        return (
            float(gdp.get_upper_rate(self.fp, self.fp + self.tn, half)),
            float(gdp.get_upper_rate(self.fn, self.fn + self.tp, half)),
        )

    @property
    def mu_hat(self) -> float:
        """Point estimate of mu, maybe infinite; see `core.gdp.get_mu_hat`."""
        return float(gdp.get_mu_hat(self.fpr, self.fn / (self.tp + self.fn)))

    @property
    def mu_low_clopper_pearson(self) -> float:
        """Lower limit of mu that decides the verdict."""
        return float(gdp.get_mu_low_clopper_pearson(self.tp, self.fn, self.fp, self.tn, self.alpha))

    @cached_property
    def mu_low_jeffreys(self) -> float:
        """Lower limit of mu from the joint Jeffreys posterior: tighter, without a promise for each mechanism."""
        return gdp.get_mu_low_jeffreys(self.tp, self.fn, self.fp, self.tn, self.alpha)

    @property
    def advantage(self) -> float:
        """TPR - FPR."""
        return self.tpr - self.fpr

    @property
    def advantage_low(self) -> float:
        """Lower limit of TPR - FPR, from -1: 1 minus the upper limits of both error rates."""
        return 1.0 - sum(self.upper_rates)

    @property
    def verdict(self) -> str:
        """`violation` where a lower limit is above what is claimed, else `no violation found`; never more than that."""
        above = [
            self.claim.mu is not None and self.mu_low_clopper_pearson > self.claim.mu,
            self.claim.delta is not None and self.advantage_low > self.claim.delta,
        ]
        return VERDICTS[0] if any(above) else VERDICTS[1]


def audit_scores(
    with_report: ArrayLike, without_report: ArrayLike, claim: Claim, alpha: float = ALPHA, seed: int = 0
) -> Audit:
    """Audit any attack from its scores in the two worlds, (n,) and (m,): larger means "reported".

    A random half of each world chooses the threshold (largest TPR - FPR), the other half is judged, once. The halves
    are drawn by `seed`, so that columns which come sorted do no harm.

    Raises:
        ValueError: a column that is not numbers, holds "not a number" or is shorter than two.
    """
    generator = get_generator(seed, "audit")
    worlds = [
        generator.permutation(_check_scores(name, scores))
        for name, scores in (("with the report", with_report), ("without it", without_report))
    ]
    chosen = [scores[: len(scores) // 2] for scores in worlds]
    judged = [scores[len(scores) // 2 :] for scores in worlds]
    threshold = choose_threshold(*chosen)
    tp, fp = (int((scores >= threshold).sum()) for scores in judged)
    return Audit(tp, len(judged[0]) - tp, fp, len(judged[1]) - fp, alpha, claim, threshold)


def choose_threshold(with_report: Array, without_report: Array) -> float:
    """The threshold with the largest TPR - FPR of "score >= threshold", halfway to the next score below it.

    Halfway, so that scores which differ by rounding alone fall on one side.
    """
    fpr, tpr = get_roc(with_report, without_report)
    scores = np.unique(np.concatenate([with_report, without_report]))[::-1]
    best = int(np.argmax((tpr - fpr)[1:]))
    if best + 1 == len(scores) or not np.isfinite(scores[best : best + 2]).all():
        return float(scores[best])
    return float(scores[best : best + 2].mean())


def _check_scores(name: str, scores: ArrayLike) -> Array:
    try:
        column = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"the scores {name} must be numbers") from None
    if column.ndim != 1 or len(column) < 2 or np.isnan(column).any():
        raise ValueError(f"the scores {name} must be one column of at least two numbers, without gaps")
    return column


def get_power(claim: Claim, fpr: float, fnr: float, runs: int, alpha: float = ALPHA) -> float:
    """Chance that an attack with the true rates `fpr` and `fnr` gets the verdict "violation" from `runs` judged runs
    a world. Exact: all tables of any weight are summed."""
    gdp.check_alpha(alpha)
    if runs < 1:
        raise ValueError(f"runs must be at least 1, got {runs}")
    fp, fn = (np.arange(binom.ppf(1e-12, runs, rate), binom.isf(1e-12, runs, rate) + 1) for rate in (fpr, fnr))
    fpr_up = gdp.get_upper_rate(fp, runs, alpha / 2.0)
    # a table is flagged exactly where the upper limit of FNR stays below what the claim asks for at that of FPR
    needed = np.full(len(fp), -np.inf)
    if claim.mu is not None:
        needed = np.maximum(needed, np.where(fpr_up < 1.0, ndtr(-ndtri(fpr_up) - claim.mu), -np.inf))
    if claim.delta is not None:
        needed = np.maximum(needed, 1.0 - fpr_up - claim.delta)
    flagged = np.searchsorted(gdp.get_upper_rate(fn, runs, alpha / 2.0), needed, side="left")
    below = np.where(flagged > 0, binom.cdf(fn[0] + flagged - 1, runs, fnr), 0.0)
    return float(min(1.0, binom.pmf(fp, runs, fpr) @ below))


def get_mu_power(claim: Claim, mu: float, runs: int, alpha: float = ALPHA) -> float:
    """`get_power` of the attack on a mechanism whose true parameter is `mu`, with its threshold halfway."""
    return get_power(claim, float(ndtr(-mu / 2.0)), float(ndtr(-mu / 2.0)), runs, alpha)


def get_runs_for_power(claim: Claim, mu: float, power: float = 0.9, alpha: float = ALPHA) -> int:
    """Judged runs a world with which a mechanism of true parameter `mu` is flagged with chance `power`, within 1 %.

    Raises:
        ValueError: no number up to ten million does, as where `mu` keeps the claim.
    """
    if not 0.0 < power < 1.0:
        raise ValueError(f"power must lie strictly between 0 and 1, got {power}")
    low, high = 1, 2
    while get_mu_power(claim, mu, high, alpha) < power:
        low, high = high, 2 * high
        if high > 10_000_000:
            raise ValueError("no number of runs up to 10,000,000 is enough: the leak is too close to what is claimed")
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if get_mu_power(claim, mu, middle, alpha) >= power else (middle, high)
    return high


def get_first_decision(delta: float, targets: int) -> tuple[float, float]:
    """FPR and TPR of "the reported target is audited" where one report and one audit are all there is (T = 1).

    1 / C without the report; with it, the exact chance that its target's noisy count is the largest (sigma = 1 / mu).
    """
    return 1.0 / targets, 1.0 - float(get_misselection(1.0, targets, 1.0 / get_mu(delta)))


def run_toy(mu: float, runs: int, seed: int) -> tuple[Array, Array]:
    """Scores, (runs,) each, of the best attack on a toy of the published audit's object.

    Three binary marginals, each with a count of 1 in one world and 0 in the other, noise of sd sigma sqrt(3) on each,
    sigma = 1 / mu: the three together are mu-Gaussian-DP. The score is the log likelihood ratio.
    """
    if not mu > 0:
        raise ValueError(f"mu must be positive, got {mu}")
    sd = np.sqrt(3.0) / mu
    noise = sd * get_generator(seed, "audit", 1).standard_normal((2, runs, 3))
    with_, without = ((counts - 0.5).sum(axis=1) / sd**2 for counts in (1.0 + noise[0], noise[1]))
    return with_, without
