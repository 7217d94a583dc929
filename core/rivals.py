"""Where the noisy tally is worth its leak: maps of missed reports against auditors that are private as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counters import Array
from .mechanisms import Mechanism, RandomisedResponse, Rota, Tca, Uniform
from .planning import Plan
from .simulation import run_ensemble, standard_error
from .streams import PoissonStream, Stream

Z95 = 1.959963984540054
RIVALS = ("uniform", "rr", "rota")
"""Private auditors the noisy tally has to beat."""


@dataclass(frozen=True)
class Map:
    """Missed reports a step: the noisy tally minus each rival, rows (Y,) by columns (X,), same reports for everyone.

    Attributes:
        deltas: (X,). rows: targets or reports a year about the problem organisation, (Y,).
        difference, se: rival -> (Y, X), mean over the runs and its standard error.
        runs, steps: simulated runs and audits; the noise is that of the whole horizon.
    """

    deltas: tuple[float, ...]
    rows: tuple[float, ...]
    difference: dict[str, Array]
    se: dict[str, Array]
    runs: int
    steps: int

    def against(self, rival: str) -> tuple[Array, Array]:
        """Difference and standard error against one rival, or against the best of all (`all`), (Y, X) each."""
        if rival != "all":
            return self.difference[rival], self.se[rival]
        names = list(self.difference)
        stacked, errors = (np.stack([values[name] for name in names]) for values in (self.difference, self.se))
        best = stacked.argmax(axis=0)[None]
        return np.take_along_axis(stacked, best, 0)[0], np.take_along_axis(errors, best, 0)[0]

    def verdict(self, rival: str) -> NDArray[np.int64]:
        """-1 where the noisy tally misses fewer, 1 where it misses more, 0 where the 95% interval holds 0, (Y, X)."""
        difference, se = self.against(rival)
        return np.where(np.abs(difference) > Z95 * se, np.sign(difference), 0.0).astype(np.int64)


def simulate_map(
    plans: Sequence[Plan],
    rows: Sequence[float],
    deltas: Sequence[float],
    horizon: int,
    runs: int,
    steps: int,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> Map:
    """The noisy tally against its rivals for each plan (a row) and budget; at least 2 runs of `steps` <= horizon."""
    shape = (len(plans), len(deltas))
    difference = {rival: np.zeros(shape) for rival in RIVALS}
    se = {rival: np.zeros(shape) for rival in RIVALS}
    for i, plan in enumerate(plans):
        stream = PoissonStream(plan.targets, *plan.rates)

        def missed(mechanism: Mechanism, stream: Stream = stream) -> Array:
            return run_ensemble(mechanism, stream, steps, runs, seed).deficit.mean(axis=1)

        blind = {"uniform": missed(Uniform(plan.targets)), "rota": missed(Rota(plan.targets))}
        for j, delta in enumerate(deltas):
            tally = missed(Tca(plan.targets, horizon, delta))
            coin = missed(RandomisedResponse(plan.targets, horizon, delta))
            for rival, other in {**blind, "rr": coin}.items():
                gaps = tally - other
                difference[rival][i, j] = gaps.mean()
                se[rival][i, j] = standard_error(gaps)
            if progress:
                progress((i * len(deltas) + j + 1) / (len(plans) * len(deltas)))
    return Map(tuple(deltas), tuple(rows), difference, se, runs, steps)
