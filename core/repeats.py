"""The attack on several reports by one person, about one organisation or about several, on one day or spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .attacks import Measured, judge, measure_scores
from .counters import Array
from .mechanisms import Audits, Mechanism
from .parameters import check_size
from .simulation import simulate
from .streams import Stream, WithReport, check_report

WINDOWS = 24
"""Window lengths tried, on a scale of powers."""


def measure_repeats(
    mechanism: Mechanism,
    stream: Stream,
    horizon: int,
    reports: Sequence[tuple[int, int]],
    runs: int,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> Measured:
    """How many of the `reports` (step from 1, target from 0) were followed by an audit within w steps, as an attack.

    w and the number that raises the alarm are chosen on the even runs and judged on the odd ones; `threshold` of the
    result is w. For one report this is the timing attack.

    Raises:
        ParameterError: too large. ValueError: a report that does not exist.
    """
    check_size(stream.targets, horizon, runs)
    filed = stream
    for step, target in reports:
        check_report(step, target, horizon, stream.targets)
        filed = WithReport(filed, step, target)
    waits = []
    for world, told in enumerate((filed, stream)):
        found = np.full((len(reports), runs), horizon, dtype=np.intp)

        def observe(
            where: slice, t: int, active: Array, audits: Audits, deficit: Array, found: NDArray[np.intp] = found
        ) -> None:
            for i, (step, target) in enumerate(reports):
                if t >= step - 1:
                    first = (audits == target) & (found[i, where] == horizon)
                    found[i, where][first] = t - step + 1

        def half(done: float, world: int = world) -> None:
            if progress:
                progress((world + done) / 2.0)

        simulate(mechanism, told, horizon, seed, range(world * runs, (world + 1) * runs), observe, half)
        waits.append(found)
    windows = np.unique(np.geomspace(1, horizon, WINDOWS).round().astype(int))
    counts = [[(one < window).sum(axis=0) for one in waits] for window in windows]
    # each even run twice, so that the split into halves sees the same runs on both sides: this only tunes
    tuned = [measure_scores(with_[::2].repeat(2), without[::2].repeat(2)) for with_, without in counts]
    best = int(np.argmax([one.advantage for one in tuned]))
    alarm = tuned[best].threshold
    with_, without = counts[best]
    return judge(float(windows[best]), with_[1::2] >= alarm, without[1::2] >= alarm)
