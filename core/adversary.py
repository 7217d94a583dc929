"""Twin worlds: the same reports with and without one report, paired so that as few records differ as possible.

An observer sees one record and no random tape. With merely the same noise in both worlds more records differ than an
observer could ever notice; the honest picture pairs the worlds by the best coupling, in which the share of differing
pairs equals the total variation of what is released and so is at most delta (ours).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .counters import Array, get_encoder, get_fast_coefficients
from .fading import Fading
from .fading_alert import FadingAlert
from .mechanisms import Audits, Greedy, Mechanism, RandomisedResponse, Rota, Tca, Uniform
from .seeds import get_generator, get_generators
from .simulation import simulate
from .streams import Stream, WithReport, check_report

REPLAY_CELLS = 4_000_000
"""Runs x steps x targets held in memory while rejected pairs are drawn anew."""
CANDIDATES = 8
"""Candidates drawn at once for each rejected pair."""


@dataclass(frozen=True)
class Twins:
    """Pairs of records, S pairs of T steps.

    Attributes:
        with_report, without_report: audited target of each step in the two worlds, (S, T).
        step: the step of the report, from 1.
        target: the reported target, from 0.
    """

    with_report: Audits
    without_report: Audits
    step: int
    target: int

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Whether the two records of a pair differ anywhere, (S,)."""
        return (self.with_report != self.without_report).any(axis=1)


def run_twins(
    mechanism: Mechanism, stream: Stream, horizon: int, step: int, target: int, runs: int | Sequence[int], seed: int
) -> Twins:
    """Run pairs of worlds that differ in one report about `target` at `step` (from 1).

    Randomised response, greedy, uniform and rota: the same coins, lots and tie breakers in both worlds, which is
    their best coupling, since one report makes one set of leaders part of the other. TCA: see `_run_tca_twins`; fading
    tally: see `_run_fading_twins`.
    `without_report` and, for itself, `with_report` have exactly the distribution of a single run.

    Args:
        runs: number of pairs, or the run numbers themselves.

    Raises:
        ValueError: a step or target that does not exist, or a mechanism whose best coupling is not known here.
    """
    check_report(step, target, horizon, stream.targets)
    numbers = range(runs) if isinstance(runs, int) else runs
    if isinstance(mechanism, Fading | FadingAlert):
        return _run_fading_twins(mechanism, stream, horizon, step, target, numbers, seed)
    if isinstance(mechanism, Tca) and mechanism.interval is None and mechanism.audits == 1:
        return _run_tca_twins(mechanism, stream, horizon, step, target, numbers, seed)
    if not isinstance(mechanism, RandomisedResponse | Greedy | Uniform | Rota):
        raise ValueError("twin worlds are there for tca, rr, greedy, uniform, rota, fading and fading-alert alone")
    with_report = run_audits(mechanism, WithReport(stream, step, target), horizon, numbers, seed)
    without_report = run_audits(mechanism, stream, horizon, numbers, seed)
    return Twins(with_report, without_report, step, target)


def run_audits(mechanism: Mechanism, stream: Stream, horizon: int, runs: Sequence[int], seed: int) -> Audits:
    """The records alone of the runs numbered `runs`, shape (len(runs), horizon)."""
    records = np.empty((horizon, len(runs)), dtype=np.intp)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> None:
        records[t, where] = audits

    simulate(mechanism, stream, horizon, seed, runs, observe)
    return records.T


def get_meeting(with_report: Audits, without_report: Audits, reports: NDArray[np.int64], step: int, target: int) -> int:
    """The first step after which both worlds hold the same active counts, 0 for never.

    Without counters (randomised response, greedy, uniform) and with the same lots and tie breakers the two records
    are the same from then on.

    Args:
        with_report, without_report: one pair of records, (T,).
        reports: the reports without the extra one, (T, C).
        step, target: the extra report, step from 1 and target from 0.
    """
    worlds = np.zeros((2, reports.shape[1]), dtype=np.int64)
    rows = np.arange(2)
    for t, audits in enumerate(zip(with_report, without_report, strict=True)):
        worlds += reports[t]
        worlds[0, target] += t == step - 1
        worlds[rows, audits] = 0
        if t >= step - 1 and (worlds[0] == worlds[1]).all():
            return t + 1
    return 0


class _Replay:
    """Normals (or reports) kept in an array, handed out in order."""

    def __init__(self, cells: Array) -> None:
        self._cells = cells
        self._step = 0

    def fill(self, out: Array) -> None:
        out[:] = self._cells[:, self._step : self._step + out.shape[1]]
        self._step += out.shape[1]


def _decide(mechanism: Tca | Fading | FadingAlert, normals: Array, reports: Array) -> Audits:
    """Records of a mechanism fed with given normals and reports, (S, T, C) each."""
    runs, horizon, targets = normals.shape
    auditor = mechanism.start_from(_Replay(normals), runs, horizon)
    active = np.zeros((runs, targets))
    rows = np.arange(runs)
    records = np.empty((runs, horizon), dtype=np.intp)
    for t in range(horizon):
        active += reports[:, t]
        records[:, t] = audits = auditor.choose(active)
        active[rows, audits] = 0.0
    return records


def _hide(mechanism: Tca, waits: NDArray[np.intp], steps: int) -> Array:
    """Shifts of the target's normals that hide one report audited after `waits` further steps, shape (n, steps).

    The encoder's column of the report over sigma; after the audit the report is gone and nothing is shifted.
    """
    column = get_encoder(get_fast_coefficients(steps)) / mechanism.noise_scale
    return np.where(np.arange(steps) <= waits[:, None], column, 0.0)


def _draw_worlds(
    role: str, stream: Stream, horizon: int, first: int, target: int, chunk: Sequence[int], seed: int
) -> tuple[Array, Array, Array]:
    """Normals of the counters, reports without and with the extra one, (S, T, C) each."""
    normals = np.stack([g.standard_normal((horizon, stream.targets)) for g in get_generators(seed, role, chunk)])
    feed = stream.start(seed, chunk)
    reports = np.stack([feed.step().copy() for _ in range(horizon)], axis=1)
    extra = reports.copy()
    extra[:, first, target] += 1.0
    return normals, reports, extra


def _run_fading_twins(
    mechanism: Fading | FadingAlert,
    stream: Stream,
    horizon: int,
    step: int,
    target: int,
    numbers: Sequence[int],
    seed: int,
) -> Twins:
    """The best coupling of the fading tally's two worlds: one Gaussian release, shifted by a vector v known beforehand.

    The world with the report is drawn first, with normals z. The normals z + v release the same numbers without it,
    so the same record; they are taken with probability min(1, phi(z + v) / phi(z)), else z is reflected along v.
    """
    first = step - 1
    shift = mechanism.get_column(horizon - first)
    unit = shift / np.linalg.norm(shift)
    with_report = np.empty((len(numbers), horizon), dtype=np.intp)
    without_report = np.empty_like(with_report)
    size = max(1, REPLAY_CELLS // (horizon * stream.targets))
    for start in range(0, len(numbers), size):
        chunk = numbers[start : start + size]
        where = slice(start, start + len(chunk))
        normals, reports, extra = _draw_worlds("fading", stream, horizon, first, target, chunk, seed)
        with_report[where] = without_report[where] = _decide(mechanism, normals, extra)
        along = normals[:, first:, target] @ unit
        log_ratio = -along * np.linalg.norm(shift) - (shift**2).sum() / 2.0
        coins = [get_generator(seed, "coupling", run) for run in chunk]
        rejected = np.flatnonzero(np.log([coin.random() for coin in coins]) >= log_ratio)
        if len(rejected):
            reflected = normals[rejected]
            reflected[:, first:, target] -= 2.0 * along[rejected, None] * unit
            without_report[start + rejected] = _decide(mechanism, reflected, reports[rejected])
    return Twins(with_report, without_report, step, target)


def _run_tca_twins(
    mechanism: Tca, stream: Stream, horizon: int, step: int, target: int, numbers: Sequence[int], seed: int
) -> Twins:
    """The best coupling of TCA's two worlds.

    The world with the report is drawn first, with normals z. Shifting the target's normals by v (`_hide`) gives a
    world without the report and the identical record; it is taken with probability min(1, phi(z + v) / phi(z)).
    Otherwise the target's normals from the report on are drawn anew from what the world without the report still
    lacks, (phi(z') - phi(z' - v))+, by rejection: so that world has exactly its own distribution, whatever the
    (random) time of the next audit. Reflecting z along v instead is exact only where that time is fixed.
    """
    first = step - 1
    steps = horizon - first
    with_report = np.empty((len(numbers), horizon), dtype=np.intp)
    without_report = np.empty_like(with_report)
    size = max(1, REPLAY_CELLS // (horizon * stream.targets))
    for start in range(0, len(numbers), size):
        chunk = numbers[start : start + size]
        where = slice(start, start + len(chunk))
        normals, reports, extra = _draw_worlds("counter", stream, horizon, first, target, chunk, seed)
        records = with_report[where] = without_report[where] = _decide(mechanism, normals, extra)
        hits = records[:, first:] == target
        shift = _hide(mechanism, np.where(hits.any(axis=1), hits.argmax(axis=1), steps), steps)
        log_ratio = -(shift * normals[:, first:, target]).sum(axis=1) - (shift**2).sum(axis=1) / 2.0
        coins = [get_generator(seed, "coupling", run) for run in chunk]
        rejected = np.flatnonzero(np.log([coin.random() for coin in coins]) >= log_ratio)
        if len(rejected):
            lacking = normals[rejected]
            lacking[:, first:, target] = _draw_lacking(
                mechanism, lacking, reports[rejected], first, target, [coins[i] for i in rejected]
            )
            without_report[start + rejected] = _decide(mechanism, lacking, reports[rejected])
    return Twins(with_report, without_report, step, target)


def _draw_lacking(
    mechanism: Tca, normals: Array, reports: Array, first: int, target: int, coins: list[np.random.Generator]
) -> Array:
    """The target's normals from step index `first` on, by rejection from (phi(z') - phi(z' - v))+, (S, T - first).

    Until the target is audited the other targets do not depend on its noise: one replay in which it is barred tells
    the score it has to beat at each step, and candidates need no simulation of their own.
    """
    runs, horizon, _ = normals.shape
    steps = horizon - first
    normals = normals.copy()
    normals[:, first:, target] = 0.0
    auditor = mechanism.start_from(_Replay(normals), runs, horizon)
    auditor.recording = True
    active = np.zeros((runs, mechanism.targets))
    rows = np.arange(runs)
    to_beat, own = np.empty((runs, steps)), np.empty((runs, steps))
    for t in range(horizon):
        active += reports[:, t]
        barred = active.copy()
        if t >= first:
            barred[:, target] = -np.inf
        audits = auditor.choose(barred)
        if t >= first:
            assert auditor.noise is not None
            to_beat[:, t - first] = (barred + auditor.noise).max(axis=1)
            own[:, t - first] = active[:, target] + auditor.noise[:, target]
        active[rows, audits] = 0.0
    size = 2 * steps
    spectrum = np.fft.rfft(mechanism.noise_scale * get_fast_coefficients(steps), size)
    found = np.empty((runs, steps))
    open_ = rows
    while len(open_):
        fresh = np.stack([coins[i].standard_normal((CANDIDATES, steps)) for i in open_.tolist()])
        noise = np.fft.irfft(np.fft.rfft(fresh, size) * spectrum, size)[..., :steps]
        wins = own[open_, None] + noise > to_beat[open_, None]
        waits = np.where(wins.any(axis=2), wins.argmax(axis=2), steps)
        shift = _hide(mechanism, waits.ravel(), steps).reshape(fresh.shape)
        log_ratio = (shift**2).sum(axis=2) / 2.0 - (shift * fresh).sum(axis=2)
        chance = -np.expm1(-np.maximum(log_ratio, 0.0))
        taken = np.stack([coins[i].random(CANDIDATES) for i in open_.tolist()]) < chance
        done = taken.any(axis=1)
        found[open_[done]] = fresh[done, taken[done].argmax(axis=1)]
        open_ = open_[~done]
    return found
