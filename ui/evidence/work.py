"""Where an item's numbers come from: computed now, as stored, or simulated on request."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core import evidence, experiments, theory
from core.comparisons import Finding
from core.evidence import Item
from ui.evidence import stored
from ui.frames import Store

RUNS = {
    "figure-2a": experiments.GAP_RUNS,
    "figure-2b": experiments.RUNS,
    "figure-3": experiments.GAP_RUNS,
    "figure-4": experiments.GAP_RUNS,
    "figure-5": experiments.GAP_RUNS,
    "greedy": theory.FIRST_AUDITS,
    "proposition-15": theory.COIN_RUNS,
    "theorem-1": theory.ATTACK_RUNS,
    "theorem-6": theory.RECORDS,
}
"""Runs of each simulated item where nothing else is said."""
TENTHS = (1, 3, 10)
"""Tenths of the runs that a reader may ask for."""

_EXACT: Store[Finding] = Store(len(evidence.ITEMS))
_SIMULATED: Store[Finding] = Store(40)


@dataclass(frozen=True)
class Numbers:
    """An item's numbers and where they come from.

    Attributes:
        runs: simulated runs, 0 without chance.
        seed: of the random numbers.
        date, command: when and by what the stored result was written, empty where this server computed the numbers.
    """

    finding: Finding
    runs: int
    seed: int
    date: str = ""
    command: str = ""


def get_exact(item: Item) -> Finding:
    """The numbers of an item without chance, computed once by this server."""
    found = _EXACT.get(item.id)
    return _EXACT.put(item.id, evidence.compute(item)) if found is None else found


def get_stored(item: Item) -> Numbers:
    """The item's numbers, of a simulation those in the file."""
    if not item.simulated:
        return Numbers(get_exact(item), 0, evidence.SEED)
    about = stored.load()[item.id]
    return Numbers(about.finding, RUNS[item.id], about.seed, about.date, about.command)


def get_runs(item: Item, tenths: int) -> int:
    """So many tenths of the item's runs."""
    return tenths * RUNS[item.id] // 10


def get_simulated(item: Item, seed: int, runs: int) -> Numbers | None:
    """What `simulate` found, if this server still knows it."""
    found = _SIMULATED.get((item.id, seed, runs))
    return None if found is None else Numbers(found, runs, seed)


def simulate(item: Item, seed: int, runs: int, text: str) -> None:
    """Simulate the item and keep the numbers for all sessions; a bar with `text` shows the progress."""
    bar = st.progress(0.0, text)

    def tell(share: float) -> None:
        bar.progress(min(1.0, share), text)
        # lets the server send the bar, and stop the run where the reader went on
        time.sleep(0)

    measure: Callable[..., Finding] = item.measure
    _SIMULATED.put((item.id, seed, runs), measure(seed, tell, runs))
    bar.empty()
