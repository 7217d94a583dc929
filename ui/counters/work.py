"""What the page asks of core, in sizes a reader can wait for, kept for all sessions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from core.counter_kinds import Profile, get_covariance, get_factorisation, get_growth, get_profile
from core.counters import Array
from core.linear import LARGEST_HORIZON, Factorisation
from core.parameters import Parameters
from core.reduction import CounterAudit
from core.simulation import run_ensemble, standard_error
from core.streams import make_stream
from core.utility import get_misselection
from ui.counters.apart import Fault, measure_apart
from ui.frames import Store

CELLS = 800_000
"""Runs x steps x organisations of one counter: about half a second on one core."""
LEAST_RUNS = 4
LONGEST = 4_000
"""Steps that are simulated at most: few organisations make each of them cheap, but never free."""
HORIZONS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Where the growth with T is computed; the buffers are fitted anew for each, so that every point costs a while."""
MAP_STEPS = 48
"""Ages on the maps of correlation."""

Progress = Callable[[float], None] | None


@dataclass(frozen=True)
class Size:
    """How much of the scenario is simulated; the counters are always made for all its audits."""

    runs: int
    horizon: int


def get_size(p: Parameters) -> Size:
    """As many runs (4 at least) and steps of the scenario as `CELLS` allow."""
    horizon = max(1, min(p.horizon, LONGEST, CELLS // (LEAST_RUNS * p.targets)))
    return Size(min(p.runs, max(LEAST_RUNS, CELLS // (horizon * p.targets))), horizon)


@dataclass(frozen=True, eq=False)
class Row:
    """One counter at the reader's settings.

    Attributes:
        kind: of `core.counter_kinds.KINDS`, or `own`. name: for tables.
        profile: what it needs and gives. noise_scale: sigma. sd: noise on the count at ages 1 .. T, (T,), in reports.
        misselection: exact, all counts at age T, at the reader's lead.
        by_run: missed reports a step of each run, (runs,); None until simulated.
    """

    kind: str
    profile: Profile
    noise_scale: float
    sd: Array
    misselection: float
    by_run: Array | None = None

    @property
    def missed(self) -> float:
        """Missed reports a step, mean over the runs."""
        return np.nan if self.by_run is None else float(self.by_run.mean())

    @property
    def missed_se(self) -> float:
        """Standard error of `missed`."""
        return np.nan if self.by_run is None else standard_error(self.by_run) or np.nan


def get_row(kind: str, p: Parameters, own: Factorisation | None = None, by_run: Array | None = None) -> Row:
    """What is exact about a counter, and what was simulated of it."""
    profile = get_profile(own or kind, p.horizon)
    sd = profile.get_count_sd(p.delta)
    wrong = float(get_misselection(p.gap, p.targets, sd[-1]))
    return Row(kind, profile, profile.get_noise_scale(p.delta), sd, wrong, by_run)


_MISSED: Store[Array] = Store(200)


def get_missed(
    kind: str,
    p: Parameters,
    own: Factorisation | None = None,
    text: str = "",
    before: Callable[[], object] = lambda: None,
) -> Array:
    """Missed reports a step of each run, (runs,); run i of every counter sees the same reports.

    Args:
        text: of the reader's class, which `own` was measured from.
        before: called where it has to be simulated now.
    """
    size = get_size(p)
    scenario = (p.delta, p.targets, p.horizon, p.lead_rate, p.other_rate, p.stream, p.seed)
    key: Hashable = (kind, text, scenario, size)
    found = _MISSED.get(key)
    if found is None:
        before()
        audit = CounterAudit(p.targets, p.horizon, p.delta, own or kind)
        runs = run_ensemble(audit, make_stream(p), size.horizon, size.runs, p.seed)
        found = _MISSED.put(key, runs.deficit.mean(axis=1))
    return found


# --- a reader's own --------------------------------------------------------------------------------------------------
_OWN: Store[Factorisation | Fault] = Store(3)
_ENDLESS: Store[Fault] = Store(50)


def forget_endless(text: str) -> None:
    """Give a class that took too long another chance."""
    _ENDLESS.put(text, Fault(""))


def get_own(text: str, horizon: int, progress: Progress = None) -> Factorisation | Fault:
    """Measure the class of a text, apart from this process; one that took too long is not tried at every change."""
    endless = _ENDLESS.get(text)
    if endless is not None and endless.reason:
        return endless
    if horizon > LARGEST_HORIZON:
        return Fault("size")
    found = _OWN.get((text, horizon))
    if found is None:
        found = measure_apart(text, horizon, progress)
        if isinstance(found, Fault) and found.reason == "time":
            return _ENDLESS.put(text, found)
        _OWN.put((text, horizon), found)
    return found


def get_growths(delta: float, kinds: Sequence[str], progress: Progress = None) -> dict[str, Array]:
    """See `core.counter_kinds.get_growth`, at `HORIZONS`; core remembers what does not depend on delta."""
    parts = []
    for i, horizon in enumerate(HORIZONS):
        parts.append(get_growth(delta, [horizon], kinds))
        if progress:
            progress((i + 1) / len(HORIZONS))
    return {kind: np.concatenate([part[kind] for part in parts]) for kind in parts[0]}


def get_correlation(kind: str) -> Array:
    """Correlation of the noise at every two ages up to `MAP_STEPS`, (steps, steps); the same for every delta."""
    covariance = get_covariance(get_factorisation(kind, MAP_STEPS), 0.5)
    sd = np.sqrt(np.diag(covariance))
    return covariance / np.outer(sd, sd)
