"""From the deniability budget delta to noise and back (paper, section 6.1 and Appendix C.3).

| here | paper | meaning |
|---|---|---|
| `get_kappa` | kappa_delta | Phi^-1((1 + delta) / 2) |
| `get_mu` | | Gaussian-DP parameter of the whole transcript, 2 kappa |
| `get_noise_scale` | sigma | standard deviation of each fresh normal |
| `get_count_sd` | sigma M_L | standard deviation of the noise on a count at run length L |
| `get_p_rand` | p_rand | randomised response's probability of drawing lots |
"""

from __future__ import annotations

from statistics import NormalDist

from .counters import get_fast_sensitivity, get_sensitivity

P_RAND_RULES = ("paper-experiments", "horizon-free", "race", "theorem-2-floor")
_NORMAL = NormalDist()


def _check_delta(delta: float) -> None:
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta must lie strictly between 0 and 1, got {delta}")


def get_kappa(delta: float) -> float:
    """kappa = Phi^-1((1 + delta) / 2), for 0 < delta < 1."""
    _check_delta(delta)
    return _NORMAL.inv_cdf((1.0 + delta) / 2.0)


def get_mu(delta: float) -> float:
    """mu = 2 kappa: the transcript is mu-Gaussian-DP (ours: the release is one Gaussian shift of norm at most mu)."""
    return 2.0 * get_kappa(delta)


def get_delta(mu: float) -> float:
    """delta = 2 Phi(mu / 2) - 1, the inverse of `get_mu`, for mu >= 0."""
    if mu < 0:
        raise ValueError(f"mu must not be negative, got {mu}")
    return 2.0 * _NORMAL.cdf(mu / 2.0) - 1.0


def get_noise_scale(delta: float, horizon: int) -> float:
    """sigma = M_T / (2 kappa) for counters that live at most `horizon` steps (paper, section 6.1)."""
    return get_sensitivity(horizon) / get_mu(delta)


def get_fast_noise_scale(delta: float, horizon: int) -> float:
    """sigma for the fast counter, calibrated on the fast counter's own sensitivity (ours; within 1e-7 of sigma)."""
    return get_fast_sensitivity(horizon) / get_mu(delta)


def get_count_sd(delta: float, horizon: int, run_length: int) -> float:
    """Standard deviation, in reports, of the noise on a count `run_length` steps after its restart: sigma M_L.

    Raises:
        ValueError: a run length outside 1 .. horizon.
    """
    if not 1 <= run_length <= horizon:
        raise ValueError(f"run_length must lie between 1 and horizon ({horizon:,}), got {run_length:,}")
    return get_noise_scale(delta, horizon) * get_sensitivity(run_length)


def get_p_rand(rule: str, delta: float, targets: int, horizon: int) -> float:
    """Probability with which randomised response draws lots, so that it is (0, delta)-DP.

    Rules:
        paper-experiments: (1 - delta)^(1/T) (Proposition 14; what the paper's section 8 uses).
        horizon-free: C / (C + delta) (Proposition 16).
        race: C / (C + delta / (1 - delta)) (ours): two worlds part only at an exploit step before the first explore
            step that hits the reported target, and p / C against 1 - p is a race won with probability at most delta.
        theorem-2-floor: max(0, 1 - delta C / (C - 1)) (Theorem 2): no smaller value is (0, delta)-DP. A bound, not a
            calibration that is known to be private.
    """
    _check_delta(delta)
    if targets < 2 or horizon < 1:
        raise ValueError(f"needs at least 2 targets and 1 step, got {targets} and {horizon}")
    if rule == "paper-experiments":
        return (1.0 - delta) ** (1.0 / horizon)
    if rule == "horizon-free":
        return targets / (targets + delta)
    if rule == "race":
        return targets / (targets + delta / (1.0 - delta))
    if rule == "theorem-2-floor":
        return max(0.0, 1.0 - delta * targets / (targets - 1.0))
    raise ValueError(f"rule must be one of {', '.join(P_RAND_RULES)}, got {rule!r}")


def get_rr_delta(p_rand: float, targets: int, horizon: int) -> dict[str, float]:
    """The delta that each bound gives for randomised response with a given p_rand, capped at 1.

    Keys: `proposition-14` 1 - p^T; `proposition-16` C (1 - p) / p; `race` (1 - p)(1 - r^T) / (1 - r) with
    r = p (1 - 1/C) (ours); `floor` (1 - p)(C - 1) / C, which no analysis can go below (Theorem 2).
    """
    if not 0.0 <= p_rand <= 1.0:
        raise ValueError(f"p_rand must lie between 0 and 1, got {p_rand}")
    stay = p_rand * (1.0 - 1.0 / targets)
    sixteen = targets * (1.0 - p_rand) / p_rand if p_rand > 0 else 1.0
    return {
        "proposition-14": 1.0 - p_rand**horizon,
        "proposition-16": min(1.0, sixteen),
        "race": min(1.0, (1.0 - p_rand) * (1.0 - stay**horizon) / (1.0 - stay)),
        "floor": (1.0 - p_rand) * (targets - 1.0) / targets,
    }
