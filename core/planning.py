"""Planning backwards: from what a policy-maker can say to the budget, the noise, the lead and the horizon.

Every quantity can be the one solved for; the inversions are exact (closed forms, or bracketing on monotone functions).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

from .calibration import get_count_sd, get_kappa, get_mu, get_noise_scale
from .counters import Array, get_sensitivity
from .deniability import get_suspicion
from .mechanisms import Audits, Mechanism
from .parameters import TABLE, check_size
from .simulation import simulate
from .streams import Stream
from .utility import get_gap_for_error, get_share, get_uniform_misselection

SMALLEST, LARGEST = 1e-9, 1.0 - 1e-9
"""Ends between which a budget is sought."""


def get_delta_for_success(success: float, prior: float = 0.5) -> float:
    """The largest delta that keeps every guess right with at most `success`: the inverse of Theorem 1.

    Raises:
        ValueError: a success that needs no watching (at most max(prior, 1 - prior)) or above 1.
    """
    base, share = max(prior, 1.0 - prior), min(prior, 1.0 - prior)
    if not base < success <= base + share:
        raise ValueError(f"success must lie above {base:g} and at most {base + share:g}, got {success}")
    return (success - base) / share


def get_delta_for_suspicion(suspicion: float, prior: float, false_alarm: float, reports: int = 1) -> float:
    """The largest delta that keeps suspicion at most `suspicion` after every event at least as likely as `false_alarm`.

    For a person who files up to `reports` reports about one organisation under Gaussian noise.

    Raises:
        ValueError: a suspicion not above the prior, or one that no budget below 1 exceeds.
    """
    if not prior < suspicion < 1.0:
        raise ValueError(f"suspicion must lie above the prior {prior:g} and below 1, got {suspicion}")

    def excess(delta: float) -> float:
        mu = reports * get_mu(delta)
        return float(get_suspicion(prior, false_alarm, 2.0 * ndtr(mu / 2.0) - 1.0, mu)) - suspicion

    if excess(LARGEST) < 0:
        raise ValueError(
            f"no budget lets suspicion pass {suspicion:g}: an event with false alarm rate {false_alarm:g} cannot"
        )
    return float(brentq(excess, SMALLEST, LARGEST, xtol=1e-14))


def get_delta_for_error(error: float, gap: float, targets: int, horizon: int, run_length: int) -> float:
    """The smallest delta with which a lead of `gap` reports is missed with probability at most `error`.

    Closed form: the noise that `error` allows gives kappa = M_T M_L / (2 sd).
    """
    if not gap > 0:
        raise ValueError(f"gap must be positive, got {gap}")
    allowed = gap / get_gap_for_error(error, targets, 1.0)
    kappa = get_sensitivity(horizon) * get_sensitivity(run_length) / (2.0 * allowed)
    return float(2.0 * ndtr(kappa) - 1.0)


def get_horizon_for_error(error: float, gap: float, targets: int, delta: float) -> int:
    """The longest horizon at which a lead of `gap` at the end of a full-length run is missed with at most `error`.

    0 where not even one audit meets it; the largest horizon of the table where all do.
    """
    allowed = gap / get_gap_for_error(error, targets, 1.0) if gap > 0 else 0.0
    low, high = 0, int(TABLE["horizon"].maximum or 0)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if get_count_sd(delta, middle, middle) <= allowed else (low, middle - 1)
    return low


def get_reports_for_success(success: float, delta: float) -> int:
    """How many reports about one organisation a person may file with every guess right at most `success` (even prior).

    The Gaussian bound 2 Phi(k kappa) - 1; 0 where one report is already too much.
    """
    if not 0.5 <= success <= 1.0:
        raise ValueError(f"success must lie between 0.5 and 1, got {success}")
    budget = 2.0 * success - 1.0
    if budget >= LARGEST:
        raise ValueError("a success of 1 allows any number of reports")
    return int(np.floor(get_kappa(budget) / get_kappa(delta) + 1e-9)) if budget > 0 else 0


def get_reports_for_suspicion(suspicion: float, prior: float, false_alarm: float, delta: float) -> int:
    """How many reports about one organisation a person may file with suspicion at most `suspicion`; 0: not even one.

    The shifts of the reports add up, so the budget that one report may use is shared by all of them.

    Raises:
        ValueError: see `get_delta_for_suspicion`; where no budget exceeds `suspicion` any number is allowed.
    """
    return int(np.floor(get_mu(get_delta_for_suspicion(suspicion, prior, false_alarm)) / get_mu(delta) + 1e-9))


@dataclass(frozen=True)
class Plan:
    """What a policy-maker says, in the channel's own units.

    Attributes:
        targets: organisations.
        audits_a_year, years: audits a year and years covered.
        problem_reports, usual_reports: reports a year about an organisation with a real problem, and about any other.
    """

    targets: int
    audits_a_year: int
    years: float
    problem_reports: float
    usual_reports: float

    @property
    def horizon(self) -> int:
        """Number of audits covered."""
        return max(1, round(self.audits_a_year * self.years))

    @property
    def covered(self) -> int:
        """The horizon, or the longest one the parameter table allows."""
        return min(self.horizon, int(TABLE["horizon"].maximum or 1))

    def months(self, audits: float) -> float:
        """How long so many audits take, in months."""
        return 12.0 * audits / self.audits_a_year

    @property
    def rates(self) -> tuple[float, float]:
        """Reports a step about the problem organisation and about each other one."""
        return self.problem_reports / self.audits_a_year, self.usual_reports / self.audits_a_year


@dataclass(frozen=True)
class Delays:
    """How long a problem organisation waits: S runs.

    Attributes:
        steps: audits from the start until the problem organisation is audited, at least 1, (S,); horizon + 1: never.
        reports: reports about it that had arrived by then, (S,).
        horizon: number of audits simulated.
    """

    steps: NDArray[np.int64]
    reports: NDArray[np.int64]
    horizon: int

    def within(self, share: float) -> tuple[float, float]:
        """Audits and reports after which the problem organisation has been audited in `share` of the runs."""
        return float(np.quantile(self.steps, share)), float(np.quantile(self.reports, share))

    @property
    def mean(self) -> float:
        """Mean number of audits until the first one of the problem organisation (never counts as horizon + 1)."""
        return float(self.steps.mean())

    @property
    def mean_se(self) -> float:
        """Standard error of `mean`; at least 2 runs."""
        return float(self.steps.std(ddof=1) / np.sqrt(len(self.steps)))

    @property
    def never(self) -> float:
        """Share of the runs in which the problem organisation was not audited at all."""
        return float((self.steps > self.horizon).mean())

    def chance(self) -> Array:
        """Share of the runs in which it has been audited by step 0 .. horizon, (horizon + 1,)."""
        found = np.bincount(self.steps, minlength=self.horizon + 2)[: self.horizon + 1]
        return found.cumsum() / len(self.steps)

    def chance_band(self, steps: Sequence[int]) -> tuple[Array, Array]:
        """95% intervals of `chance` at `steps`, (n,) each."""
        chance, runs = self.chance(), len(self.steps)
        shares = [get_share(round(float(chance[step]) * runs), runs) for step in steps]
        return np.array([share.low for share in shares]), np.array([share.high for share in shares])

    def later_than(self, other: Delays) -> tuple[float, float]:
        """Mean difference to another auditor's delays over the same reports, and its standard error.

        Run i saw the same reports under both: the runs that both have are compared, at least 2.
        """
        runs = min(len(self.steps), len(other.steps))
        gaps = (self.steps[:runs] - other.steps[:runs]).astype(float)
        return float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(len(gaps)))


def simulate_delays(
    mechanism: Mechanism, stream: Stream, horizon: int, runs: int, seed: int, head_start: int = 0
) -> Delays:
    """Time of the first audit of target 0 after `head_start` steps, and the reports it took.

    With a head start the counts are already in their usual state when the clock starts, and reports are those open
    at that moment or later.
    """
    check_size(stream.targets, horizon, runs)
    steps = np.full(runs, horizon - head_start + 1)
    reports = np.zeros(runs, dtype=np.int64)
    open_ = np.ones(runs, dtype=bool)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> bool:
        if t < head_start:
            return False
        rows = where.start + np.flatnonzero(open_[where])
        local = rows - where.start
        reports[rows] = active[local, 0]
        found = audits[local] == 0
        steps[rows[found]] = t - head_start + 1
        open_[rows[found]] = False
        return not open_[where].any()

    simulate(mechanism, stream, horizon, seed, range(runs), observe)
    return Delays(steps, reports, horizon - head_start)


def get_noise_for_plan(delta: float, horizon: int) -> tuple[float, float]:
    """sigma of each normal, and the largest standard deviation of a count's noise, in reports."""
    return get_noise_scale(delta, horizon), get_count_sd(delta, horizon, horizon)


# --- a policy-maker's wishes -----------------------------------------------------------------------------------------
WAYS = ("delta", "error", "lead", "horizon", "reports")
"""What can be solved for: the budget, the budget for a wanted error, the lead, the horizon, one person's reports."""


@dataclass(frozen=True)
class Wishes:
    """Everything a policy-maker says.

    Attributes:
        people: how many could have known; each is equally suspect beforehand.
        factor: how many times the odds against one of them may rise, > 1.
        false_alarm: how often, at least, what the organisation acts upon turns up without a report.
        reports: reports one person may file about one organisation.
        error: wanted chance to miss a lead of `lead` reports. budget: delta where it is given and not sought.
        solve: one of `WAYS`.
    """

    plan: Plan
    people: int
    factor: float
    false_alarm: float
    reports: int
    error: float
    lead: float
    budget: float
    solve: str = "delta"

    @property
    def prior(self) -> float:
        """Suspicion of each beforehand."""
        return 1.0 / self.people

    @property
    def tolerated(self) -> float:
        """Suspicion of one of them that is still tolerated."""
        return self.factor / (self.factor + self.people - 1.0)


@dataclass(frozen=True)
class Solution:
    """The budget and what follows from it.

    Attributes:
        delta, horizon, reports: budget, audits covered, reports of one person.
        lead: reports a count must be ahead so that it is missed with at most the wanted error, at the last audit.
        suspicion: most suspicion of a person who files so many reports, after events not rarer than a false alarm.
        obstacle: why the wish cannot be met as said, "" where it can: `any-budget`, `lots-suffice`, `smallest-budget`,
            `too-much`, `no-horizon`, `any-horizon`, `no-reports`.
        limit: what is allowed instead, in the unit of the obstacle; NaN where there is nothing to say.
    """

    delta: float
    horizon: int
    reports: int
    lead: float
    suspicion: float
    obstacle: str = ""
    limit: float = float("nan")


def solve(wishes: Wishes) -> Solution:
    """Answer `wishes`; where one is impossible the nearest allowed value is used and told."""
    w, targets = wishes, wishes.plan.targets
    smallest, largest = float(TABLE["delta"].minimum or 0), float(TABLE["delta"].maximum or 0)
    horizon, reports, delta = w.plan.covered, w.reports, w.budget
    most = get_uniform_misselection(targets)
    obstacle, limit = "", float("nan")
    if w.solve in ("delta", "lead", "horizon"):
        try:
            delta = get_delta_for_suspicion(w.tolerated, w.prior, w.false_alarm, reports)
        except ValueError:
            delta, obstacle, limit = largest, "any-budget", w.tolerated
    if w.solve in ("error", "lead", "horizon") and w.error >= most:
        obstacle, limit = "lots-suffice", most
        delta = smallest if w.solve == "error" else delta
    elif w.solve == "error":
        found = get_delta_for_error(w.error, w.lead, targets, horizon, horizon)
        if found > largest:
            obstacle, limit = "too-much", get_gap_for_error(w.error, targets, get_count_sd(largest, horizon, horizon))
        elif found < smallest:
            obstacle, limit = "smallest-budget", smallest
        delta = min(max(found, smallest), largest)
    elif w.solve == "horizon":
        longest = get_horizon_for_error(w.error, w.lead, targets, delta)
        if longest == 0:
            obstacle, limit = "no-horizon", get_gap_for_error(w.error, targets, get_count_sd(delta, 1, 1))
        else:
            horizon = longest
            if longest == TABLE["horizon"].maximum:
                obstacle, limit = "any-horizon", float(longest)
    elif w.solve == "reports":
        try:
            reports = get_reports_for_suspicion(w.tolerated, w.prior, w.false_alarm, delta)
            if reports == 0:
                obstacle = "no-reports"
                limit = get_delta_for_suspicion(w.tolerated, w.prior, w.false_alarm)
        except ValueError:
            obstacle, limit = "any-budget", w.tolerated
    mu = max(1, reports) * get_mu(delta)
    suspicion = float(get_suspicion(w.prior, w.false_alarm, 2.0 * ndtr(mu / 2.0) - 1.0, mu))
    lead = get_gap_for_error(min(w.error, most), targets, get_count_sd(delta, horizon, horizon))
    return Solution(delta, horizon, reports, lead, suspicion, obstacle, limit)


def round_delta(delta: float, up: bool = False) -> float | None:
    """The nearest budget of the parameter table that is not above `delta` (`up`: not below); None where none is."""
    row = TABLE["delta"]
    assert row.minimum is not None and row.maximum is not None and row.step is not None
    steps = (delta - row.minimum) / row.step
    steps = np.ceil(steps - 1e-9) if up else np.floor(steps + 1e-9)
    found = round(row.minimum + max(steps, 0.0 if up else steps) * row.step, 10)
    if found > row.maximum:
        return None if up else float(row.maximum)
    return float(found) if found >= row.minimum else None


# --- waiting ---------------------------------------------------------------------------------------------------------
def get_blind_chance(name: str, targets: int, horizon: int) -> Array:
    """Chance that an auditor who ignores reports has been at one given target by step 0 .. horizon, (horizon + 1,).

    `uniform`: by lot at each step. `rota`: in turn, the target's place in the first round being a matter of luck.
    """
    steps = np.arange(horizon + 1.0)
    if name == "rota":
        return np.minimum(steps / targets, 1.0)
    if name == "uniform":
        return -np.expm1(steps * np.log1p(-1.0 / targets))
    raise ValueError(f"name must be uniform or rota, got {name!r}")


def get_mean_wait(chance: Array) -> float:
    """Mean number of steps until the first audit from its chance by step 0 .. T; never counts as T + 1."""
    return float((1.0 - np.asarray(chance)).sum())


def get_wait(chance: Array, share: float) -> int | None:
    """First step by which the chance is at least `share`; None where it never is."""
    reached = np.flatnonzero(np.asarray(chance) >= share - 1e-12)
    return int(reached[0]) if len(reached) else None
