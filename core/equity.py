"""Who pays with exposure, and what they get for it: the privacy-cost equity ratio (PCER).

Built from a published abstract: PCER = a group's rate of positive predictions / its overfitting gap (accuracy on the
training data minus accuracy on test data). Constants, standard errors and the rules for printing nothing are ours.
A caveat belongs wherever a PCER is shown: the abstract calls the gap an upper bound on a group's vulnerability, but
the classical theorem makes it the advantage of one attack, so a lower bound on that of the best attack. (All answers
right, with confidence .99 on training and .90 on test data: the gap is 0, an attack on the confidence always wins.)

For whistleblowers the benefit is r_in, the chance that the report is followed by an audit of its target within w
steps; the exposure is r_in - r_out, the same without the report: exactly the advantage of the timing attack with that
window. PCER = r_in / (r_in - r_out) grows without limit as auditing becomes blind and useless, so the lift of r_in
over blind auditing belongs beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .calibration import get_count_sd
from .counters import Array
from .deniability import get_bounds
from .mechanisms import Audits, Mechanism
from .parameters import ParameterError, largest_runs
from .simulation import simulate
from .streams import PoissonStream, Stream, TableStream, WithReport
from .utility import get_misselection

if TYPE_CHECKING:
    import pandas as pd

FLOOR = 1e-3
"""Smallest gap that counts as one (editable; ours)."""
Z = 1.645
"""One-sided 95 %."""
COLUMNS = ("group", "split", "label", "prediction")
STATUSES = ("floor", "noise", "informative")
"""From no gap to a clear one."""
TARGET = 0
"""The target that whistleblowers report."""


@dataclass(frozen=True)
class GroupRates:
    """What is typed for one group.

    Attributes:
        group: its name.
        rate: share of its people who get the benefit (positive predictions), 0 .. 1.
        train, test: accuracy on training and on test data, 0 .. 1.
        n_train, n_test: people behind each accuracy, >= 1; the standard errors want some tens.

    Raises:
        ValueError: anything else.
    """

    group: str
    rate: float
    train: float
    test: float
    n_train: int
    n_test: int

    def __post_init__(self) -> None:
        for name in ("rate", "train", "test"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} of group {self.group} must lie between 0 and 1, got {getattr(self, name)}")
        for name in ("n_train", "n_test"):
            value = getattr(self, name)
            if not (value >= 1 and value == math.floor(value)):
                raise ValueError(f"{name} of group {self.group} must be a whole number from 1 on, got {value}")


@dataclass(frozen=True)
class Equity:
    """Benefit against exposure of one group.

    Attributes:
        group: its name.
        rate: the benefit, 0 .. 1.
        gap, gap_se: the exposure and its standard error.
        status: `floor` (no gap to speak of), `noise` (not told from chance) or `informative`.
        pcer: rate / gap where informative, else None: a rate over a floor would measure the floor.
        lower: one-sided 95 % lower limit rate / (max(gap, 0) + 1.645 se), whatever the status; takes the rate as known.
    """

    group: str
    rate: float
    gap: float
    gap_se: float
    status: str
    pcer: float | None
    lower: float

    @property
    def verdict(self) -> str:
        """`informative` or `uninformative`."""
        return "informative" if self.status == "informative" else "uninformative"


@dataclass(frozen=True)
class Disparity:
    """Two groups side by side, the first against the second.

    Attributes:
        ratio: PCER of the first / PCER of the second; None unless both are informative and the second gets anything.
        parity_gap: difference of the benefits (the demographic parity gap), first minus second.
        gap_difference, gap_difference_se: difference of the exposures of independent groups, first minus second.
        double_disadvantage: name of the group with more exposure and less benefit; None where there is none or where
            a gap is uninformative. It compares point estimates: say "may be chance" unless `clear`.
    """

    ratio: float | None
    parity_gap: float
    gap_difference: float
    gap_difference_se: float
    double_disadvantage: str | None

    @property
    def clear(self) -> bool:
        """Whether the exposures differ by more than 1.645 standard errors."""
        return abs(self.gap_difference) > Z * self.gap_difference_se


def get_gap_se(train: float, test: float, n_train: int, n_test: int) -> float:
    """Standard error of the overfitting gap: sqrt(a_tr (1 - a_tr) / n_tr + a_te (1 - a_te) / n_te).

    Where both accuracies are 0 or 1 that would be 0, and certainty from one answer; half an answer is then added on
    either side of each (ours).
    """
    pairs = [(train, n_train), (test, n_test)]
    if all(accuracy in (0.0, 1.0) for accuracy, _ in pairs):
        pairs = [((accuracy * n + 0.5) / (n + 1.0), n) for accuracy, n in pairs]
    return math.sqrt(sum(accuracy * (1.0 - accuracy) / n for accuracy, n in pairs))


def get_status(gap: float, se: float, floor: float = FLOOR) -> str:
    """`floor` if gap <= floor (gaps up to 0 always), `noise` if gap <= 1.645 se, else `informative`; floor >= 0."""
    if not floor >= 0:
        raise ValueError(f"floor must not be negative, got {floor}")
    if gap <= floor:
        return "floor"
    return "noise" if gap <= Z * se else "informative"


def assess(group: str, rate: float, gap: float, se: float, floor: float = FLOOR) -> Equity:
    """Status, PCER and lower limit from benefit, exposure and the exposure's standard error > 0."""
    status = get_status(gap, se, floor)
    pcer = rate / gap if status == "informative" else None
    return Equity(group, rate, gap, se, status, pcer, rate / (max(gap, 0.0) + Z * se))


def get_equity(rates: GroupRates, floor: float = FLOOR) -> Equity:
    """The PCER of one group of a classifier."""
    se = get_gap_se(rates.train, rates.test, rates.n_train, rates.n_test)
    # rounded, so that .701 - .700 is the .001 that was typed
    return assess(rates.group, rates.rate, round(rates.train - rates.test, 12), se, floor)


def compare(first: Equity, second: Equity) -> Disparity:
    """The disparity of two groups; see `Disparity` for what is not said."""
    ratio = worse = None
    if first.pcer is not None and second.pcer is not None:
        ratio = first.pcer / second.pcer if second.pcer > 0 else None
        if first.gap > second.gap and first.rate < second.rate:
            worse = first.group
        elif second.gap > first.gap and second.rate < first.rate:
            worse = second.group
    return Disparity(
        ratio, first.rate - second.rate, first.gap - second.gap, math.hypot(first.gap_se, second.gap_se), worse
    )


def _get_text(cells: pd.Series) -> list[str]:
    """Cells as text, whole numbers alike however they are written: 1, 1.0 and " 1" are the same answer."""

    def plain(cell: str) -> str:
        try:
            number = float(cell)
        except ValueError:
            return cell
        return str(int(number)) if number.is_integer() else repr(number)

    return [plain(cell) for cell in cells.astype(str).str.strip()]


def get_group_rates(table: pd.DataFrame, benefit: object) -> list[GroupRates]:
    """Rates of every group, in order of appearance, from a row per person and split.

    Args:
        table: columns group, split (train or test), label, prediction; others are ignored.
        benefit: the prediction that is the benefit. Its rate is taken on the test rows: what new people meet (ours).

    Raises:
        ValueError: a column, cell or split that is missing or unknown, or a benefit that nobody was ever given.
    """
    # most commands never see a table, and pandas takes a third of a second to load
    import pandas as pd

    data = table.rename(columns=lambda name: str(name).strip().lower())
    missing = [name for name in COLUMNS if name not in data.columns]
    if missing:
        raise ValueError(f"the table needs the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}")
    data = data.loc[:, list(COLUMNS)]
    if not data.columns.is_unique:
        raise ValueError(f"each of the columns {', '.join(COLUMNS)} must appear once")
    if data.empty:
        raise ValueError("the table has no rows")
    empty = data.isna() | data.astype(str).apply(lambda column: column.str.strip() == "")
    if empty.to_numpy().any():
        row, column = (int(i) for i in np.argwhere(empty.to_numpy())[0])
        raise ValueError(f"the table is empty at row {row + 1}, column {COLUMNS[column]}")
    data = pd.DataFrame({name: _get_text(data[name]) for name in COLUMNS})
    data["split"] = data["split"].str.lower()
    unknown = sorted(set(data["split"]) - {"train", "test"})
    if unknown:
        raise ValueError(f"split must be train or test, got {unknown[0]!r}")
    wanted = _get_text(pd.Series([str(benefit)]))[0]
    if wanted not in set(data["prediction"]):
        found = ", ".join(sorted(set(data["prediction"]))[:10])
        raise ValueError(f"benefit must be one of the predictions ({found}), got {wanted!r}")
    rates = []
    for group in data["group"].unique():
        rows = data[data["group"] == group]
        train, test = (rows[rows["split"] == split] for split in ("train", "test"))
        if train.empty or test.empty:
            raise ValueError(f"group {group} needs rows of both splits, train and test")
        accuracy = [float((part["label"] == part["prediction"]).mean()) for part in (train, test)]
        rate = float((test["prediction"] == wanted).mean())
        rates.append(GroupRates(str(group), rate, accuracy[0], accuracy[1], len(train), len(test)))
    return rates


@dataclass(frozen=True)
class Reporters:
    """A group of whistleblowers.

    Attributes:
        group: its name.
        reports: k >= 1, reports that the crowd files at the same step about the same target; 1 for a lone reporter.
        background: other reports a step about that target, >= 0: small for a small organisation.
    """

    group: str
    reports: int = 1
    background: float = 0.0

    def __post_init__(self) -> None:
        if self.reports < 1:
            raise ValueError(f"reports of group {self.group} must be at least 1, got {self.reports}")
        if not 0 <= self.background < math.inf:
            raise ValueError(f"background of group {self.group} must not be negative, got {self.background}")


@dataclass(frozen=True)
class Protection:
    """What reporting brings and costs one group of whistleblowers.

    Attributes:
        reporters: the group.
        benefit, benefit_se: r_in, chance of an audit of the target within w steps, with its standard error.
        lots, rota: the same chance under blind auditing: by lot 1 - (1 - 1/C)^w (1/C for one step), and in turn,
            from a random place in the turn, min(1, w/C).
        alone: one reporter's exposure: what withdrawing this one report of the k would change; at most delta.
        together: the crowd's exposure: what it would change had none of the k been filed.
        alone_bounds, together_bounds: (k delta, 2 Phi(k kappa) - 1) for 1 and for k reports; the second is None where
            the transcript is not Gaussian.
    """

    reporters: Reporters
    benefit: float
    benefit_se: float
    lots: float
    rota: float
    alone: Equity
    together: Equity
    alone_bounds: tuple[float, float | None]
    together_bounds: tuple[float, float | None]

    @property
    def lift(self) -> float:
        """r_in above auditing by lot."""
        return self.benefit - self.lots


def get_lots_benefit(targets: int, window: int) -> float:
    """1 - (1 - 1/C)^w: chance that a target is drawn within w audits by lot."""
    return -math.expm1(window * math.log1p(-1.0 / targets))


def get_rota_benefit(targets: int, window: int) -> float:
    """min(1, w/C): the same when targets take turns and the reporter cannot tell whose turn it is."""
    return min(1.0, window / targets)


def get_first_audit_chance(reports: ArrayLike, targets: int, delta: float, horizon: int = 1) -> Array:
    """Exact r_in of TCA's first decision when k reports about one target are all there is, shape of `reports`.

    The difference to k - 1 is the exact exposure of one more report; it is not monotone in k.
    """
    return 1.0 - get_misselection(reports, targets, get_count_sd(delta, horizon, 1))


def _is_audited(
    mechanism: Mechanism, stream: Stream, step: int, window: int, runs: Sequence[int], seed: int
) -> NDArray[np.bool_]:
    hits = np.zeros(len(runs), dtype=bool)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> bool:
        if t >= step - 1:
            hits[where] |= audits == TARGET
        return bool(hits[where].all())

    simulate(mechanism, stream, step + window - 1, seed, runs, observe, deficits=False)
    return hits


def _assess_worlds(group: str, with_: NDArray[np.bool_], without: NDArray[np.bool_], floor: float) -> Equity:
    runs = len(with_)
    moved = with_.astype(float) - without
    # where no run differs, half a run is added on either side, as for the classifier
    share = 0.5 / (runs + 1.0)
    se = float(moved.std(ddof=1) / math.sqrt(runs)) or math.sqrt(share * (1.0 - share) / runs)
    return assess(group, float(with_.mean()), float(moved.mean()), se, floor)


def measure_protection(
    mechanism: Mechanism,
    groups: Sequence[Reporters],
    window: int,
    runs: int,
    seed: int,
    step: int = 1,
    other_rate: float = 0.0,
    floor: float = FLOOR,
    progress: Callable[[float], None] | None = None,
) -> list[Protection]:
    """Benefit and exposure of each group, from `runs` >= 2 simulated runs a world; the reports come at `step`.

    The worlds of a group (k reports, one less, none) share their tapes: r_out is a chance in one world alone, so
    sharing biases nothing, and the standard error of the difference shrinks several times. That is not how often two
    whole records differ, which such pairs would overstate. Groups have runs of their own and are independent.

    Raises:
        ParameterError: too large. HorizonError: a window past the mechanism's guarantee. ValueError: a bad size.
    """
    if step < 1 or window < 1 or runs < 2 or not groups or not 0 <= other_rate < math.inf:
        raise ValueError(
            "needs a step and a window from 1 on, at least 2 runs and 1 group, and an other rate from 0 on, got "
            f"{step}, {window}, {runs}, {len(groups)} and {other_rate}"
        )
    targets, steps = mechanism.targets, step + window - 1
    most = largest_runs(targets, steps) // (3 * len(groups))
    if runs > most:
        raise ParameterError(
            "runs", f"three worlds for each of {len(groups)} groups: at most {most:,} runs fit, got {runs:,}"
        )
    guarantee = mechanism.guarantee()
    lots, rota = get_lots_benefit(targets, window), get_rota_benefit(targets, window)
    found = []
    for number, group in enumerate(groups):
        quiet = group.background == other_rate == 0
        stream = TableStream([[0] * targets]) if quiet else PoissonStream(targets, group.background, other_rate)
        numbers = range(number * runs, (number + 1) * runs)
        worlds = {
            count: _is_audited(mechanism, WithReport(stream, step, TARGET, count), step, window, numbers, seed)
            for count in {group.reports, group.reports - 1, 0}
        }
        alone, together = (
            _assess_worlds(group.group, worlds[group.reports], worlds[count], floor) for count in (group.reports - 1, 0)
        )
        se = math.sqrt(alone.rate * (1.0 - alone.rate) / runs)
        bounds = [get_bounds(guarantee, count) for count in (1, group.reports)]
        found.append(Protection(group, alone.rate, se, lots, rota, alone, together, bounds[0], bounds[1]))
        if progress:
            progress((number + 1) / len(groups))
    return found
