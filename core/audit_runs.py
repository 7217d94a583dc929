"""Audits of our own mechanisms: two worlds that differ in one report at step 1, a score for each run, one verdict.

White box: the attacker sees what the mechanism really released about the target. Black box: only when the target was
first audited. Every other report is known to the attacker; `PAIRS` says what it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .attacks import Progress, get_first_audits, run_likelihood_attack, watch_target
from .audit import ALPHA, RUNS, Audit, audit_scores, get_claim
from .counters import Array
from .faults import make_faulty
from .mechanisms import Auditor, Audits, Guarantee, Mechanism, Rota
from .parameters import check_size
from .releases import Release, get_release, get_released_log_ratio
from .simulation import simulate
from .streams import Stream, TableStream, WithReport, check_report

BOXES = ("white", "black")
PAIRS = ("rush", "quiet", "restart")
"""The reports that both worlds share.

rush: every other target gets far more reports than the noise can hide at every step, so that the reported target is
    never audited and its counter lives to the horizon: the whole of mu is there to be seen.
quiet: none at all.
restart: such a rush about the reported target at step 2, so that its counter is certainly restarted; the score is the
    difference between the first outputs of its first two lives, where a true restart leaves fresh noise.
"""
RUSH = 10_000
"""Reports of a rush: above 20 standard deviations of TCA's noise for every delta and horizon the dashboard allows.

Where a counter is noisier the target may be audited all the same: the attack then sees less, never more."""


class _Tap(Mechanism):
    """A mechanism whose newest auditor is kept within reach, recording."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self.targets = mechanism.targets
        self.auditor: Auditor | None = None

    def guarantee(self) -> Guarantee:
        return self._mechanism.guarantee()

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        self.auditor = self._mechanism.start(seed, runs, horizon)
        self.auditor.recording = True
        return self.auditor


def run_released(
    mechanism: Mechanism,
    stream: Stream,
    horizon: int,
    target: int,
    runs: Sequence[int],
    seed: int,
    until_audited: bool,
    progress: Progress = None,
) -> tuple[Array, NDArray[np.bool_]]:
    """What the runs numbered `runs` released about `target` and when they audited it, both (T, S).

    With `until_audited` runs may end once all have audited it; the steps left out read 0 and "not audited".
    """
    tap = _Tap(mechanism)
    values = np.zeros((horizon, len(runs)))
    audited = np.zeros((horizon, len(runs)), dtype=bool)
    open_ = np.ones(len(runs), dtype=bool)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> bool:
        assert tap.auditor is not None
        released = tap.auditor.released
        if released is None:
            assert tap.auditor.noise is not None
            released = active + tap.auditor.noise
        values[t, where] = released[:, target]
        audited[t, where] = (audits.reshape(len(audits), -1) == target).any(axis=1)
        open_[where] &= ~audited[t, where]
        return until_audited and not open_[where].any()

    simulate(tap, stream, horizon, seed, runs, observe, progress, False)
    return values, audited


def _make_stream(pair: str, targets: int, horizon: int, target: int) -> TableStream:
    if pair == "quiet":
        return TableStream(np.zeros((1, targets)))
    if pair == "rush":
        table = np.full((horizon, targets), float(RUSH))
        table[:, target] = 0.0
        return TableStream(table)
    table = np.zeros((2, targets))
    table[1, target] = RUSH
    return TableStream(table)


def _get_restart_difference(values: Array, audited: NDArray[np.bool_]) -> Array:
    # a counter audited at step 1 begins its second life in the rush of step 2, any other at step 3
    return values[0] - np.where(audited[0], values[1] - RUSH, values[2])


def _run_white_box(
    mechanism: Mechanism,
    release: Release,
    horizon: int,
    target: int,
    runs: int,
    seed: int,
    pair: str,
    progress: Progress,
) -> tuple[Array, Array]:
    stream = _make_stream(pair, mechanism.targets, horizon, target)
    worlds = []
    for world, told in enumerate((WithReport(stream, 1, target), stream)):
        part = None if progress is None else lambda share, world=world: progress((world + share) / 2.0)
        numbers = range(world * runs, (world + 1) * runs)
        stop = release.restarts and pair == "quiet"
        values, audited = run_released(mechanism, told, horizon, target, numbers, seed, stop, part)
        worlds.append(
            _get_restart_difference(values, audited)
            if pair == "restart"
            else get_released_log_ratio(release, values, audited)
        )
    return worlds[0], worlds[1]


def run_scores(
    mechanism: Mechanism,
    horizon: int,
    runs: int = RUNS,
    seed: int = 0,
    box: str = "white",
    fault: str | None = None,
    pair: str | None = None,
    target: int = 0,
    progress: Progress = None,
) -> tuple[Array, Array]:
    """Scores of the attack in `runs` independent runs with one report about `target` at step 1, and without, (runs,).

    White box: the log likelihood ratio of what the mechanism released, as it claims to have made it; where it releases
    audits alone, of the record itself. Black box: minus the steps until the target's first audit, among no other
    reports. `pair` is the one of `PAIRS` that shows most unless given.

    Raises:
        ParameterError: too large. ValueError: words or sizes that do not go together.
    """
    check_report(1, target, horizon, mechanism.targets)
    check_size(mechanism.targets, horizon, 2 * runs)
    if box not in BOXES:
        raise ValueError(f"box must be one of {', '.join(BOXES)}, got {box!r}")
    claimed, actual = make_faulty(fault, mechanism) if fault else (mechanism, mechanism)
    release = get_release(claimed, horizon) if box == "white" else None
    pair = pair or _get_default_pair(release, fault)
    if pair not in PAIRS:
        raise ValueError(f"pair must be one of {', '.join(PAIRS)}, got {pair!r}")
    if release is None and pair != "quiet":
        raise ValueError(f"pair {pair} needs a white box and a mechanism that releases noisy counts; use quiet")
    if release is None:
        return _run_on_records(actual, horizon, runs, seed, box, target, progress)
    if pair == "restart":
        if not release.restarts or horizon < 3:
            raise ValueError("pair restart needs a mechanism that restarts its counters and a horizon of at least 3")
        horizon = 3
    return _run_white_box(actual, release, horizon, target, runs, seed, pair, progress)


def _get_default_pair(release: Release | None, fault: str | None) -> str:
    if release is None or not release.restarts:
        return "quiet"
    return "restart" if fault == "noise-reuse" else "rush"


def _run_on_records(
    mechanism: Mechanism, horizon: int, runs: int, seed: int, box: str, target: int, progress: Progress
) -> tuple[Array, Array]:
    stream = _make_stream("quiet", mechanism.targets, horizon, target)
    if box == "black":
        watch = watch_target(mechanism, stream, horizon, 1, target, runs, seed, 1, True, progress)
        with_, without = (-get_first_audits(hits).astype(float) for hits in (watch.with_report, watch.without_report))
        return with_, without
    if isinstance(mechanism, Rota):
        # its record is the same in both worlds
        return np.zeros(runs), np.zeros(runs)
    ratios = run_likelihood_attack(mechanism, stream, horizon, 1, target, runs, seed, 1, progress)
    return ratios.with_report, ratios.without_report


def run_audit(
    mechanism: Mechanism,
    horizon: int,
    delta: float,
    runs: int = RUNS,
    alpha: float = ALPHA,
    seed: int = 0,
    box: str = "white",
    fault: str | None = None,
    pair: str | None = None,
    target: int = 0,
    progress: Progress = None,
) -> Audit:
    """`run_scores`, judged against the mechanism's own guarantee (`delta` where it gives none): half the runs choose
    the threshold, half are judged."""
    scores = run_scores(mechanism, horizon, runs, seed, box, fault, pair, target, progress)
    return audit_scores(*scores, get_claim(mechanism.guarantee(), delta), alpha, seed)
