"""Audits of unequal cost and reports of unequal severity, at the same deniability for the most severe report (ours)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .calibration import get_delta, get_mu
from .changing import SeverityStream
from .counters import Array
from .mechanisms import Audits, Greedy, Mechanism, Rota, Tca, Uniform
from .parameters import Parameters, check_size
from .simulation import simulate, standard_error
from .streams import PoissonStream


def get_weight_delta(delta: float, weight: float, largest: float) -> float:
    """delta of a report that counts `weight` where the noise protects one that counts `largest` by `delta`.

    2 Phi(kappa weight / largest) - 1: a lighter report moves the same Gaussian release by less (ours).

    Raises:
        ValueError: a weight outside 0 < weight <= largest.
    """
    if not 0 < weight <= largest:
        raise ValueError(f"weight must lie above 0 and not above the largest ({largest:g}), got {weight:g}")
    return get_delta(get_mu(delta) * weight / largest)


@dataclass(frozen=True)
class Bill:
    """What a rule misses and spends, means a step with standard errors over S runs.

    Attributes:
        missed, missed_se: weight of open reports of the worst organisation minus that of the audited one.
        cost, cost_se: cost of the audits.
        found, found_se: weight of open reports that the audits answer, per unit of cost.
    """

    missed: float
    missed_se: float
    cost: float
    cost_se: float
    found: float
    found_se: float


def run_unequal(
    parameters: Parameters,
    share: float,
    weight: int,
    cost: float,
    runs: int,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Bill]:
    """The noisy tally with and without an eye to cost, and three others, where reports and audits are unequal.

    Args:
        parameters: targets, horizon, delta, rates and seed.
        share, weight: see `SeverityStream`.
        cost: of an audit of each target of the second half; those of the first half, the leader among them, cost 1.
        runs: at least 2.
    """
    p = parameters
    check_size(p.targets, p.horizon, 5 * runs)
    costs = np.where(np.arange(p.targets) < (p.targets + 1) // 2, 1.0, cost)
    stream = SeverityStream(PoissonStream(p.targets, p.lead_rate, p.other_rate), share, weight)
    tally = Tca(p.targets, p.horizon, p.delta, weight=weight)
    rules: dict[str, Mechanism] = {
        "tca": tally,
        "tca-costs": Tca(p.targets, p.horizon, p.delta, weight=weight, costs=tuple(costs.tolist())),
        "greedy": Greedy(p.targets),
        "uniform": Uniform(p.targets),
        "rota": Rota(p.targets),
    }
    bills = {}
    for i, (name, rule) in enumerate(rules.items()):
        missed, spent, found = np.zeros(runs), np.zeros(runs), np.zeros(runs)

        def observe(
            where: slice,
            t: int,
            active: Array,
            audits: Audits,
            deficit: Array,
            missed: Array = missed,
            spent: Array = spent,
            found: Array = found,
        ) -> None:
            missed[where] += deficit
            spent[where] += costs[audits]
            found[where] += active[np.arange(len(audits)), audits]

        tell = None if progress is None else (lambda done, i=i: progress((i + done) / len(rules)))
        simulate(rule, stream, p.horizon, p.seed, range(runs), observe, tell)
        bills[name] = Bill(*_mean(missed / p.horizon), *_mean(spent / p.horizon), *_mean(found / spent))
    return bills


def _mean(values: Array) -> tuple[float, float]:
    return float(values.mean()), standard_error(values) or 0.0
