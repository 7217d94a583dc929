"""Attacks measured for the views of the Adversary page: core's results, kept for all sessions, few pairs first."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core import attacks
from core.attacks import LikelihoodRatios, Measured
from core.auditors import make_mechanism
from core.deniability import get_success
from core.fading import Fading
from core.mechanisms import Guarantee, Tca
from core.parameters import Parameters, largest_runs
from core.repeats import measure_repeats
from core.streams import Stream, make_stream
from core.utility import Share, get_share
from ui.frames import Array, Progress
from ui.marks import plain
from ui.own import use
from ui.state import get_int, set_int
from ui.store import Store
from ui.words import _, number, percent

NAMES = ("tca", "rr", "greedy", "uniform")
"""The auditors under attack; the fading tally joins them where the reader wants it."""
TALLIES = ("tca", "fading")
"""Auditors whose records have no likelihood in closed form, while what they release has one."""
FADING_CELLS = 8_000_000
"""Pairs x steps x targets of the fading tally: seconds."""
FIRST_CELLS, MOST_CELLS = 10_000_000, 250_000_000
"""Pairs x steps x targets of the first picture (seconds) and of the most exact one (a minute or two)."""
FEWEST, PLENTY, MOST = 20, 500, 5000
BAND_POINTS = 60
WINDOWS = 80


@dataclass(frozen=True)
class Curve:
    """Rates of a family of attacks, n points, with 95% intervals at some of them, m points.

    Attributes:
        fpr, tpr: false alarms and detections, (n,).
        at: indices of the points with intervals, (m,); the other fields hold their intervals, (m,).
    """

    fpr: Array = field(repr=False)
    tpr: Array = field(repr=False)
    at: NDArray[np.intp] = field(repr=False)
    fpr_low: Array = field(repr=False)
    fpr_high: Array = field(repr=False)
    tpr_low: Array = field(repr=False)
    tpr_high: Array = field(repr=False)
    advantage: Array = field(repr=False)
    advantage_low: Array = field(repr=False)
    advantage_high: Array = field(repr=False)


@lru_cache(100_000)
def _share(successes: int, runs: int) -> Share:
    return get_share(successes, runs)


def make_curve(fpr: Array, tpr: Array, runs: int, at: NDArray[np.intp] | None = None) -> Curve:
    """A curve from its rates in `runs` runs a world; intervals at `at`, else spread evenly along the curve."""
    if at is None:
        along = np.searchsorted(fpr + tpr, np.linspace(0.0, fpr[-1] + tpr[-1], BAND_POINTS))
        at = np.unique(np.minimum(along, len(fpr) - 1))
    false, true = ([_share(round(float(r) * runs), runs) for r in rates[at]] for rates in (fpr, tpr))
    gains = np.array([attacks.compare_shares(t, f) for t, f in zip(true, false, strict=True)]).reshape(-1, 3)
    columns = [[getattr(s, name) for s in shares] for shares in (false, true) for name in ("low", "high")]
    return Curve(fpr, tpr, at, *(np.array(column) for column in columns), *gains.T)


@dataclass(frozen=True)
class Timing:
    """The timing attack on one auditor: "reported" if the target is audited within w steps.

    Attributes:
        waits_with, waits_without: steps from the report to the first audit, (S,); `width` where it never comes.
        width: steps from the report to the end.
        windows: w at some lengths, (m,); `by_window` has its intervals there.
        plane: the same rates from (0, 0) on.
        best: the best w, chosen on one half and judged on the other.
        first_audit, first_audit_best: the likelihood ratio of the time of the first audit.
    """

    mechanism: str
    pairs: int
    waits_with: NDArray[np.intp] = field(repr=False)
    waits_without: NDArray[np.intp] = field(repr=False)
    width: int
    windows: NDArray[np.intp] = field(repr=False)
    by_window: Curve = field(repr=False)
    plane: Curve = field(repr=False)
    best: Measured
    first_audit: Curve = field(repr=False)
    first_audit_best: Measured


@dataclass(frozen=True)
class Best:
    """An attack by likelihood ratios.

    Attributes:
        exact, exact_se: the advantage of the best attack on what is seen: exact but for the sample of worlds.
        curve: its rates. measured: threshold chosen on one half, judged on the other.
    """

    mechanism: str
    pairs: int
    exact: float
    exact_se: float
    curve: Curve = field(repr=False)
    measured: Measured


@dataclass(frozen=True)
class Counted:
    """The count attack: "reported" if the target is audited at least k times in the window; `measured` has k."""

    mechanism: str
    pairs: int
    window: int
    curve: Curve = field(repr=False)
    measured: Measured


_KEPT: Store = Store(96)


def _key(kind: str, name: str, p: Parameters, quiet: bool, pairs: int, *more: object) -> tuple[object, ...]:
    """What the runs depend on: lots and follow-the-reports do not know delta, so moving delta leaves them be."""
    delta = p.delta if name in ("tca", "rr", "fading") else None
    rule = p.rr_calibration if name == "rr" else None
    rates = (0.0, 0.0) if quiet else (p.lead_rate, p.other_rate)
    return (kind, name, delta, rule, p.targets, p.horizon, *rates, p.stream, p.seed, pairs, use.get_key(p), *more)


def get_stream(p: Parameters, quiet: bool, report: tuple[int, int] | None = None) -> Stream:
    """The reports of everyone else: the scenario's, or none at all; of an own table, all but the `report` suspected."""
    if quiet:
        return make_stream(replace(p, lead_rate=0.0, other_rate=0.0))
    return use.get_stream(p, report)


def get_timing(
    name: str,
    p: Parameters,
    quiet: bool,
    step: int,
    target: int,
    pairs: int,
    reports: int = 1,
    progress: Progress | None = None,
) -> Timing:
    """The timing attack on `reports` reports filed at `step` (from 1) about `target` (from 0), remembered."""
    key = _key("timing", name, p, quiet, pairs, step, target, reports)
    store = use.get_store(p, _KEPT)
    kept = store.get(key)
    if kept is not None:
        return kept
    stream = get_stream(p, quiet, (step, target))
    watch = attacks.watch_target(
        make_mechanism(name, p), stream, p.horizon, step, target, pairs, p.seed, reports, True, progress
    )
    tpr, fpr = attacks.get_timing_curve(watch)
    width = len(tpr)
    at = np.unique(np.geomspace(1, width, WINDOWS).round().astype(np.intp)) - 1
    scores = attacks.get_first_audit_scores(watch)
    rates = attacks.get_roc(*scores)
    found = Timing(
        mechanism=name,
        pairs=pairs,
        waits_with=attacks.get_first_audits(watch.with_report),
        waits_without=attacks.get_first_audits(watch.without_report),
        width=width,
        windows=at + 1,
        by_window=make_curve(fpr, tpr, pairs, at),
        plane=make_curve(np.concatenate([[0.0], fpr]), np.concatenate([[0.0], tpr]), pairs),
        best=attacks.measure_timing(watch),
        first_audit=make_curve(*rates, len(scores[0])),
        first_audit_best=attacks.judge(0.0, scores[0] > 0, scores[1] > 0),
    )
    return store.put(key, found)


def get_best(
    name: str, p: Parameters, quiet: bool, step: int, target: int, pairs: int, progress: Progress | None = None
) -> Best:
    """The best attack on an auditor's whole record by its likelihood, or on what a tally releases; remembered."""
    key = _key("best", name, p, quiet, pairs, step, target)
    store = use.get_store(p, _KEPT)
    kept = store.get(key)
    if kept is not None:
        return kept
    mechanism, stream = make_mechanism(name, p), get_stream(p, quiet, (step, target))
    if name == "uniform":
        # lots do not know the reports: every record is as likely in both worlds, and no run is needed to see it
        ratios = LikelihoodRatios(np.zeros(pairs), np.zeros(pairs))
    elif isinstance(mechanism, Tca | Fading):
        ratios = attacks.run_white_box(mechanism, stream, p.horizon, step, target, pairs, p.seed, progress)
    else:
        ratios = attacks.run_likelihood_attack(
            mechanism, stream, p.horizon, step, target, pairs, p.seed, progress=progress
        )
    fpr, tpr = attacks.get_roc(ratios.with_report, ratios.without_report)
    measured = attacks.measure_scores(ratios.with_report, ratios.without_report)
    return store.put(key, Best(name, pairs, *ratios.advantage, make_curve(fpr, tpr, pairs), measured))


def get_counted(
    name: str,
    p: Parameters,
    quiet: bool,
    step: int,
    target: int,
    pairs: int,
    window: int,
    progress: Progress | None = None,
) -> Counted:
    """The count attack with a window of `window` steps, remembered."""
    key = _key("counted", name, p, quiet, pairs, step, target, window)
    store = use.get_store(p, _KEPT)
    kept = store.get(key)
    if kept is not None:
        return kept
    # nothing after the window is looked at
    last = step - 1 + window
    mechanism = make_mechanism(name, p)
    stream = get_stream(p, quiet, (step, target))
    watch = attacks.watch_target(mechanism, stream, last, step, target, pairs, p.seed, progress=progress)
    counts = [hits.sum(axis=1) for hits in (watch.with_report, watch.without_report)]
    curve = make_curve(*attacks.get_roc(*counts), pairs)
    return store.put(key, Counted(name, pairs, window, curve, attacks.measure_counts(watch, window)))


def get_repeats(
    name: str,
    p: Parameters,
    quiet: bool,
    reports: Sequence[tuple[int, int]],
    pairs: int,
    progress: Progress | None = None,
) -> Measured:
    """The attack on several reports (step from 1, target from 0), remembered."""
    key = _key("repeats", name, p, quiet, pairs, *reports)
    store = use.get_store(p, _KEPT)
    kept = store.get(key)
    if kept is not None:
        return kept
    mechanism = make_mechanism(name, p)
    found = measure_repeats(mechanism, get_stream(p, quiet, reports[0]), p.horizon, reports, pairs, p.seed, progress)
    return store.put(key, found)


def get_exact(
    name: str, p: Parameters, quiet: bool, step: int, target: int, pairs: int, progress: Progress | None = None
) -> tuple[float, float] | None:
    """The best attack's advantage with its standard error (0: a formula), None for the tallies, which have none."""
    if name in TALLIES:
        return None
    if quiet:
        share = attacks.get_lot_share(make_mechanism(name, p))
        return attacks.get_quiet_advantage(share, p.targets, p.horizon - step + 1), 0.0
    found = get_best(name, p, quiet, step, target, pairs, progress)
    return found.exact, found.exact_se


def get_event(found: Timing, kind: str, steps: int) -> tuple[Share, Share]:
    """Shares of the runs with and without the report in which an event happened.

    Kinds: `within` audited at most `steps` steps after the report, `at` for the first time exactly then, `not`
    never until then.
    """
    test: dict[str, Callable[[NDArray[np.intp]], NDArray[np.bool_]]] = {
        "within": lambda waits: waits <= steps,
        "at": lambda waits: waits == steps,
        "not": lambda waits: waits > steps,
    }
    with_, without = (_share(int(test[kind](w).sum()), found.pairs) for w in (found.waits_with, found.waits_without))
    return with_, without


def get_right(advantage: float) -> str:
    """How often a guess is right at an advantage, one half before, as the reader sees it."""
    return percent(float(get_success(max(0.0, advantage), 0.5)))


def get_guarantee(name: str, p: Parameters) -> Guarantee:
    """What the auditor promises in this scenario."""
    return make_mechanism(name, p).guarantee()


# --- how many pairs --------------------------------------------------------------------------------------------------
def get_levels(p: Parameters) -> list[int]:
    """Numbers of pairs on offer, each about five times the one before; smaller where the scenario is large."""
    cells = p.targets * p.horizon
    first = min(PLENTY, max(FEWEST, FIRST_CELLS // cells))
    most = max(first, min(MOST, largest_runs(p.targets, p.horizon), MOST_CELLS // cells) // 2 * 2)
    levels = [first]
    while levels[-1] < most:
        levels.append(min(most, 5 * levels[-1]))
    return levels


def get_fading_pairs(p: Parameters, pairs: int) -> int:
    """The fading tally's part of `pairs`, for it takes far longer; 0 where even the fewest would take too long."""
    most = FADING_CELLS // (p.targets * p.horizon) // 2 * 2
    return min(pairs, most) if most >= FEWEST else 0


def get_pairs(p: Parameters) -> int:
    """The reader's choice among the levels (or a link's own number), kept in the URL."""
    levels = get_levels(p)
    return get_int("pairs", levels[0], FEWEST, levels[-1])


def more_exactly(p: Parameters) -> None:
    """Buttons for more and for fewer pairs."""
    levels, pairs = get_levels(p), get_pairs(p)
    more = [level for level in levels if level > pairs]
    with st.container(horizontal=True, vertical_alignment="center"):
        if more:
            text = _("Measure more exactly: {pairs} pairs").format(pairs=number(more[0]))
            st.button(text, key="more_pairs", icon=":material/query_stats:", on_click=set_int, args=("pairs", more[0]))
        if pairs > levels[0]:
            text = _("Back to {pairs} pairs (faster)").format(pairs=number(levels[0]))
            st.button(text, key="fewer_pairs", on_click=set_int, args=("pairs", levels[0]))
        if not more:
            st.caption(_("More pairs would take minutes at this size."))


class Bar:
    """A progress bar over several jobs, which gives way to other sessions between two strides."""

    def __init__(self, box: st.delta_generator.DeltaGenerator, jobs: int, pairs: int, p: Parameters) -> None:
        self._box, self._jobs, self._done = box, jobs, 0
        self._size = {"pairs": number(pairs), "audits": number(p.horizon)}

    def job(self, name: str, pairs: int | None = None) -> Progress:
        """The next job's callback; `pairs` where it has fewer."""
        start = self._done
        self._done += 1
        size = self._size if pairs is None else {**self._size, "pairs": number(pairs)}
        text = _("Measuring {name}: {pairs} pairs of records of {audits} audits").format(name=plain(name), **size)

        def tell(share: float) -> None:
            self._box.progress(min(1.0, (start + share) / self._jobs), text)
            time.sleep(0)

        return tell

    def close(self) -> None:
        """Take the bar away."""
        self._box.empty()
