"""Exact privacy of the coin flip on small cases: every stream of reports, every record, no chance and no bound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .counters import Array

MOST = 5_000_000
"""Largest streams x records x targets tried at once."""


@dataclass(frozen=True)
class Leak:
    """The pair of neighbouring streams whose records differ most.

    Attributes:
        value: total variation between the records, which is the advantage of the best possible attack.
        reports: the stream without the extra report, (T, C).
        step: of the extra report about target 0, from 1.
    """

    value: float
    reports: NDArray[np.int64]
    step: int


def get_streams(targets: int, horizon: int) -> NDArray[np.int64]:
    """All streams with at most one report a step and target, (2^(T C), T, C); the silent one comes first.

    Raises:
        ValueError: more than fits in memory.
    """
    cells = targets * horizon
    if targets < 2 or horizon < 1 or 2**cells * targets ** (horizon + 1) > MOST:
        raise ValueError(f"{targets} targets and {horizon} steps cannot be enumerated: at least 2 and 1, and small")
    return (np.arange(2**cells)[:, None] >> np.arange(cells) & 1).reshape(-1, horizon, targets)


def get_record_chances(streams: NDArray, p_rand: float) -> Array:
    """Chance of every record, (N, C^T) from streams (N, T, C); p_rand 0 is greedy, 1 draws lots.

    The definition itself (paper, Algorithm 4): lots with probability p_rand, else one of the leaders; the audited
    target's count goes back to 0. Records are ordered as numbers with the first audit as the leading digit.
    """
    count, horizon, targets = streams.shape
    chances = np.ones((count, 1))
    active = np.zeros((count, 1, targets))
    audited = np.arange(targets)
    for t in range(horizon):
        active = active + streams[:, t, None]
        leads = active == active.max(axis=2, keepdims=True)
        follow = leads / leads.sum(axis=2, keepdims=True)
        chances = (chances[:, :, None] * (p_rand / targets + (1.0 - p_rand) * follow)).reshape(count, -1)
        active = np.repeat(active[:, :, None], targets, axis=2)
        active[:, :, audited, audited] = 0.0
        active = active.reshape(count, -1, targets)
    return chances


@cache
def get_worst_leak(targets: int, horizon: int, p_rand: float) -> Leak:
    """The largest total variation that one report makes, over all streams of `get_streams` and all steps.

    The targets are alike, so a report about target 0 stands for all.
    """
    streams = get_streams(targets, horizon)
    without = get_record_chances(streams, p_rand)
    worst = Leak(-1.0, streams[0], 1)
    for step in range(horizon):
        more = streams.copy()
        more[:, step, 0] += 1
        leaks = np.abs(get_record_chances(more, p_rand) - without).sum(axis=1) / 2.0
        # a later pair has to be worse by more than rounding, so that the simplest one is told
        best = int(np.flatnonzero(leaks >= leaks.max() - 1e-12)[0])
        if leaks[best] > worst.value + 1e-12:
            worst = Leak(float(leaks[best]), streams[best], step + 1)
    return worst


def get_miss_chances(targets: int, p_rand: float) -> tuple[NDArray[np.int64], Array]:
    """Number of leaders and chance to audit none of them, for each 0/1 count of one decision, (2^C,) each."""
    streams = get_streams(targets, 1)
    leads = streams[:, 0] == streams[:, 0].max(axis=1, keepdims=True)
    return leads.sum(axis=1), (get_record_chances(streams, p_rand) * ~leads).sum(axis=1)
