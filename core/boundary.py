"""What breaks the promise, and what is left of it: a number where one can be computed, a plain word otherwise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .calibration import get_delta, get_mu, get_noise_scale
from .counters import get_coefficients, get_sensitivity

NO_NUMBER = ("true_counts_leaked", "channel_not_anonymous", "scope_names_reporter")


@dataclass(frozen=True)
class Practice:
    """How the auditor really works, against the plan.

    Attributes:
        reports: reports one person files about one organisation, >= 1 (planned: 1).
        audits: audits really run on one calibration, >= 1 (planned: the horizon).
        noise_reused: the old normals run on after a restart.
        noisy_counts_leaked: the noisy counts are published beside the audits.
        true_counts_leaked: the counts without noise get out.
        channel_not_anonymous: the channel itself shows who reported.
        scope_names_reporter: the audit looks so narrowly that it names its source.
    """

    reports: int = 1
    audits: int = 1
    noise_reused: bool = False
    noisy_counts_leaked: bool = False
    true_counts_leaked: bool = False
    channel_not_anonymous: bool = False
    scope_names_reporter: bool = False


@dataclass(frozen=True)
class Remainder:
    """What is left of the promise.

    Attributes:
        mu, delta: what now holds in the worst case, None where no number applies.
        broken_by: the fields of `Practice` that leave no number, or that moved it.
    """

    mu: float | None
    delta: float | None
    broken_by: tuple[str, ...]


def get_reused_sensitivity(horizon: int) -> float:
    """Largest norm of what one report shifts when old noise runs on after the restart that takes it out (ours).

    Without fresh noise the outputs rise by 1 at the report and fall back at the audit m steps later; undoing the
    decoder gives f minus f shifted by m, whose norm over `horizon` steps is taken at its largest m.
    """
    f = get_coefficients(horizon)
    squares = np.cumsum(f**2)
    spectrum = np.fft.rfft(f, 2 * horizon)
    together = np.fft.irfft(np.abs(spectrum) ** 2, 2 * horizon)[1:horizon]
    m = np.arange(1, horizon)
    # |f_{k+m} - f_k|^2 summed over k < horizon - m, by sums of squares and the autocorrelation
    rest = (squares[-1] - squares[m - 1]) + squares[horizon - 1 - m] - 2.0 * together
    return float(np.sqrt(max(squares[-1], (squares[m - 1] + rest).max(initial=0.0))))


def get_remainder(delta: float, horizon: int, practice: Practice) -> Remainder:
    """What a TCA planned for `delta` and `horizon` really promises (Theorem 1 and our Gaussian bound).

    Reports about one organisation add up; a counter that outlives its horizon has a longer column; noise that is not
    renewed shows the report twice. Published noisy counts change nothing: the bound is on them already.
    """
    moved = tuple(name for name in NO_NUMBER if getattr(practice, name))
    if moved:
        return Remainder(None, None, moved)
    steps = max(horizon, practice.audits)
    sensitivity = get_reused_sensitivity(steps) if practice.noise_reused else get_sensitivity(steps)
    changed = {
        "reports": practice.reports > 1,
        "audits": practice.audits > horizon,
        "noise_reused": practice.noise_reused,
    }
    mu = practice.reports * sensitivity / get_noise_scale(delta, horizon) if any(changed.values()) else get_mu(delta)
    return Remainder(mu, get_delta(mu), tuple(name for name, is_so in changed.items() if is_so))
