"""Independent random generators by role and run: changing one mechanism never changes another's draws.

A seed lets anyone replay the noise: seeds are for demonstrations, never for a real reporting channel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROLES = {
    "reports": 0, "leader": 1, "counter": 2, "rr-coins": 3, "rr-lots": 4, "rr-ties": 5, "greedy-ties": 6,
    "uniform-lots": 7, "coupling": 8, "monte-carlo": 9, "game": 10, "fading": 11, "bank": 12,
    "lab": 13, "audit": 14, "certificates": 15, "jumps": 16, "severity": 17,
}  # fmt: skip
"""Stable numbers: adding a role never moves another's draws."""


def get_generator(seed: int, role: str, run: int = 0) -> np.random.Generator:
    """The generator of one role in one run, a child of `seed` by its own spawn key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(ROLES[role], run))))


def get_generators(seed: int, role: str, runs: Sequence[int]) -> list[np.random.Generator]:
    """One generator for each run number in `runs`."""
    return [get_generator(seed, role, run) for run in runs]
