"""What an attacker gets in practice: attacks on the record, measured in independent worlds.

Worlds with and without the report are simulated with different run numbers, so that the rates are independent;
thresholds are chosen on the even runs and judged on the odd ones, so that no number is flattered by its own choice.
Nothing here exceeds `core.deniability`'s bounds except by chance, which the intervals tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from .counters import Array, get_coefficients
from .fading import Fading
from .mechanisms import Audits, Greedy, Mechanism, RandomisedResponse, Tca, Uniform
from .parameters import check_size
from .seeds import get_generators
from .simulation import Transcript, simulate, standard_error
from .streams import Stream, WithReport, check_report
from .utility import Share, get_share

Progress = Callable[[float], None] | None


@dataclass(frozen=True)
class Measured:
    """An attack judged on runs it was not tuned on.

    Attributes:
        threshold: the tuned setting: a window in steps, a count, or a score at or above which the attacker says
            "reported".
        tpr: share of alarms with the report.
        fpr: share of alarms without it.
        advantage: tpr - fpr.
        low, high: 95 % Newcombe interval of the advantage.
    """

    threshold: float
    tpr: Share
    fpr: Share
    advantage: float
    low: float
    high: float


def compare_shares(tpr: Share, fpr: Share) -> tuple[float, float, float]:
    """tpr - fpr of independent runs with Newcombe's interval from their Wilson intervals."""
    advantage = tpr.share - fpr.share
    low = advantage - np.hypot(tpr.share - tpr.low, fpr.high - fpr.share)
    high = advantage + np.hypot(tpr.high - tpr.share, fpr.share - fpr.low)
    return advantage, max(-1.0, float(low)), min(1.0, float(high))


def judge(threshold: float, alarms_with: NDArray[np.bool_], alarms_without: NDArray[np.bool_]) -> Measured:
    """Rates of one fixed attack from its alarms in the two worlds, (n,) each."""
    tpr = get_share(int(alarms_with.sum()), len(alarms_with))
    fpr = get_share(int(alarms_without.sum()), len(alarms_without))
    return Measured(threshold, tpr, fpr, *compare_shares(tpr, fpr))


@dataclass(frozen=True)
class Watch:
    """Audits of one target from the step of the suspected report on: S runs a world, W steps.

    Attributes:
        with_report, without_report: whether the target was audited at each step, (S, W).
        step, target: the report, step from 1 and target from 0.
    """

    with_report: NDArray[np.bool_]
    without_report: NDArray[np.bool_]
    step: int
    target: int


def watch_target(
    mechanism: Mechanism,
    stream: Stream,
    horizon: int,
    step: int,
    target: int,
    runs: int,
    seed: int,
    reports: int = 1,
    until_audited: bool = False,
    progress: Progress = None,
) -> Watch:
    """Watch `target` from `step` on in `runs` independent runs a world; `reports` reports are filed at `step`.

    With `until_audited` a run ends with the target's first audit (all later steps read "not audited"): several times
    faster where only that time is wanted.

    Raises:
        ParameterError: too large. ValueError: a step or target that does not exist.
    """
    check_report(step, target, horizon, stream.targets)
    check_size(stream.targets, horizon, runs)
    worlds = []
    for world, told in enumerate((WithReport(stream, step, target, reports), stream)):
        hits = np.zeros((horizon - step + 1, runs), dtype=bool)
        open_ = np.ones(runs, dtype=bool)

        def observe(
            where: slice,
            t: int,
            active: Array,
            audits: Audits,
            deficit: Array,
            hits: NDArray = hits,
            open_: NDArray = open_,
        ) -> bool:
            if t < step - 1:
                return False
            hits[t - step + 1, where] = audits == target
            if not until_audited:
                return False
            open_[where] &= audits != target
            return not open_[where].any()

        part = _half(progress, world)
        simulate(mechanism, told, horizon, seed, range(world * runs, (world + 1) * runs), observe, part, False)
        worlds.append(hits.T)
    return Watch(worlds[0], worlds[1], step, target)


def _half(progress: Progress, world: int) -> Progress:
    return None if progress is None else lambda share: progress((world + share) / 2)


def get_first_audits(hits: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Steps from the report to the first audit, (S,) from hits (S, W): 0 at once, W where it never comes."""
    return np.where(hits.any(axis=1), hits.argmax(axis=1), hits.shape[1])


def get_timing_curve(watch: Watch) -> tuple[Array, Array]:
    """TPR and FPR of "audited within w steps" for w = 1 .. W, shapes (W,), from all runs."""
    width = watch.with_report.shape[1]
    tpr, fpr = (
        np.bincount(get_first_audits(hits), minlength=width + 1)[:width].cumsum() / len(hits)
        for hits in (watch.with_report, watch.without_report)
    )
    return tpr, fpr


def measure_timing(watch: Watch, window: int | None = None) -> Measured:
    """The timing attack: "reported" if the target is audited within `window` steps, the best one unless given."""
    first = [get_first_audits(hits) for hits in (watch.with_report, watch.without_report)]
    if window is None:
        even = Watch(watch.with_report[::2], watch.without_report[::2], watch.step, watch.target)
        tpr, fpr = get_timing_curve(even)
        window = int(np.argmax(tpr - fpr)) + 1
    return judge(window, *(steps[1::2] < window for steps in first))


def measure_counts(watch: Watch, window: int) -> Measured:
    """The count attack: "reported" if the target is audited at least k times within `window` steps, the best k."""
    counts = [hits[:, :window].sum(axis=1) for hits in (watch.with_report, watch.without_report)]
    return measure_scores(counts[0], counts[1])


def get_roc(with_report: NDArray, without_report: NDArray) -> tuple[Array, Array]:
    """FPR and TPR of "score >= threshold" for every threshold, from (0, 0) to (1, 1): a step curve, never smoothed."""
    thresholds = np.unique(np.concatenate([with_report, without_report]))[::-1]
    rates = [
        1.0 - np.searchsorted(np.sort(scores), thresholds, side="left") / len(scores)
        for scores in (without_report, with_report)
    ]
    return np.concatenate([[0.0], rates[0]]), np.concatenate([[0.0], rates[1]])


def measure_scores(with_report: NDArray, without_report: NDArray) -> Measured:
    """An attack by any score: threshold chosen on the even runs, judged on the odd ones."""
    fpr, tpr = get_roc(with_report[::2], without_report[::2])
    thresholds = np.unique(np.concatenate([with_report[::2], without_report[::2]]))[::-1]
    best = int(np.argmax((tpr - fpr)[1:]))
    threshold = float(thresholds[best])
    return judge(threshold, with_report[1::2] >= threshold, without_report[1::2] >= threshold)


def get_first_audit_ratio(watch: Watch) -> Array:
    """Log likelihood ratio (with against without the report) of each time of the first audit, (W + 1,).

    Estimated on the even runs, half a run added to every time, so that none is infinite; the last entry is "never".
    """
    width = watch.with_report.shape[1]
    counts = [
        np.bincount(get_first_audits(hits[::2]), minlength=width + 1) + 0.5
        for hits in (watch.with_report, watch.without_report)
    ]
    return np.log(counts[0] / counts[0].sum()) - np.log(counts[1] / counts[1].sum())


def get_first_audit_scores(watch: Watch) -> tuple[Array, Array]:
    """`get_first_audit_ratio` of the odd runs in the two worlds, (S // 2,) each.

    A lower bound on the best attack on the record; little is left after that audit, since both worlds then have the
    same state.
    """
    ratio = get_first_audit_ratio(watch)
    with_, without = (ratio[get_first_audits(hits[1::2])] for hits in (watch.with_report, watch.without_report))
    return with_, without


@dataclass(frozen=True)
class LikelihoodRatios:
    """Exact log likelihood ratios (with against without the report) of whole records, S runs a world.

    Attributes:
        with_report, without_report: log ratio of each record, (S,); infinite where a record is impossible in one world.
    """

    with_report: Array
    without_report: Array

    @property
    def advantage(self) -> tuple[float, float]:
        """The total variation between the two worlds' records: the advantage of the best possible attack.

        Estimated as E_with[(1 - 1/ratio)+], which lies in [0, 1], with its standard error.
        """
        gain = np.maximum(0.0, 1.0 - np.exp(-self.with_report))
        return float(gain.mean()), standard_error(gain) or 0.0


def run_likelihood_attack(
    mechanism: Mechanism,
    stream: Stream,
    horizon: int,
    step: int,
    target: int,
    runs: int,
    seed: int,
    reports: int = 1,
    progress: Progress = None,
) -> LikelihoodRatios:
    """The optimal attack on randomised response, greedy or uniform: the exact likelihood ratio of the whole record.

    The attacker knows all other reports. Only the steps from the report to the target's next audit count: before and
    after them both worlds have the same state. Each step has probability p/C + (1-p) [leads] / (number of leaders).

    Raises:
        ValueError: a mechanism whose records have no closed-form likelihood (TCA), or an impossible report.
    """
    check_report(step, target, horizon, stream.targets)
    p_rand = get_lot_share(mechanism)
    worlds = []
    for world, told in enumerate((WithReport(stream, step, target, reports), stream)):
        scores = np.zeros(runs)
        open_ = np.ones(runs, dtype=bool)

        def observe(
            where: slice,
            t: int,
            active: Array,
            audits: Audits,
            deficit: Array,
            scores: Array = scores,
            open_: NDArray = open_,
            extra: int = reports * (1 - world),
        ) -> bool:
            if t < step - 1:
                return False
            rows = np.flatnonzero(open_[where])
            if not len(rows):
                return True
            chosen = audits[rows]
            without = active[rows]
            without[:, target] -= extra
            scores[where.start + rows] += _get_step_log_ratio(p_rand, without, chosen, target, reports)
            open_[where.start + rows] = chosen != target
            return False

        part = _half(progress, world)
        simulate(mechanism, told, horizon, seed, range(world * runs, (world + 1) * runs), observe, part, False)
        worlds.append(scores)
    return LikelihoodRatios(worlds[0], worlds[1])


def _get_step_log_ratio(p_rand: float, active: Array, chosen: Audits, target: int, reports: int) -> Array:
    """Log ratio of the chance of each choice, (n,), with `reports` more about `target` than in `active`, (n, C)."""
    chances = []
    for more in (reports, 0):
        counts = active.copy()
        counts[:, target] += more
        leads = counts == counts.max(axis=1, keepdims=True)
        follow = leads[np.arange(len(chosen)), chosen] / leads.sum(axis=1)
        chances.append(p_rand / active.shape[1] + (1.0 - p_rand) * follow)
    with np.errstate(divide="ignore"):
        return np.log(chances[0]) - np.log(chances[1])


def get_record_log_ratio(mechanism: Mechanism, transcript: Transcript, step: int, target: int, filed: bool) -> float:
    """The exact log likelihood ratio of one record, for an attacker who knows all other reports.

    Args:
        filed: whether the transcript's own reports hold the suspected one.
    """
    after = np.flatnonzero(transcript.audits[step - 1 :] == target)
    steps = slice(step - 1, step + after[0] if len(after) else None)
    active = transcript.active[steps].astype(float)
    active[:, target] -= float(filed)
    chosen = transcript.audits[steps]
    return float(_get_step_log_ratio(get_lot_share(mechanism), active, chosen, target, 1).sum())


def get_lot_share(mechanism: Mechanism) -> float:
    """Probability of drawing lots: p_rand, 0 for greedy, 1 for uniform; ValueError for other mechanisms."""
    if isinstance(mechanism, RandomisedResponse):
        return mechanism.p_rand
    if isinstance(mechanism, Greedy):
        return 0.0
    if isinstance(mechanism, Uniform):
        return 1.0
    raise ValueError(f"{type(mechanism).__name__} has no closed-form likelihood of its records")


def get_quiet_advantage(p_rand: float, targets: int, steps: int) -> float:
    """Exact total variation of randomised response (0: greedy, 1: uniform) when one report is all there ever is.

    Over the `steps` decisions from the report on. Until the target is audited, a step that passes it by has
    probability 1 - 1/C without and p (1 - 1/C) with the report; the audit then has 1/C and p/C + 1 - p (ours).
    """
    stay = 1.0 - 1.0 / targets
    wait = np.arange(steps)
    without = stay**wait / targets
    with_ = (p_rand * stay) ** wait * (p_rand / targets + 1.0 - p_rand)
    return float(np.maximum(0.0, with_ - without).sum() + max(0.0, (p_rand * stay) ** steps - stay**steps))


def run_white_box(
    mechanism: Tca | Fading,
    stream: Stream,
    horizon: int,
    step: int,
    target: int,
    runs: int,
    seed: int,
    progress: Progress = None,
) -> LikelihoodRatios:
    """The attack on the noisy counts themselves, which reaches the bound: log likelihood ratio of the released counts.

    The attacker sees every noisy count of the target and knows the reports of all others. Its ratio is a Gaussian one
    along the shift that the report makes until the target's next audit, and for ever with the fading tally, which no
    audit restarts: there no audit need be simulated.
    """
    check_report(step, target, horizon, stream.targets)
    if isinstance(mechanism, Fading):
        return _run_released_attack(mechanism, horizon, step, target, runs, seed, progress)
    shift = get_coefficients(horizon - step + 1) / mechanism.noise_scale
    worlds = []
    for world, told in enumerate((WithReport(stream, step, target), stream)):
        numbers: Sequence[int] = range(world * runs, (world + 1) * runs)
        source = get_generators(seed, "counter", numbers)
        scores = np.zeros(runs)
        open_ = np.ones(runs, dtype=bool)
        normals = np.array([g.standard_normal((horizon, stream.targets))[step - 1 :, target] for g in source]).T

        def observe(
            where: slice,
            t: int,
            active: Array,
            audits: Audits,
            deficit: Array,
            scores: Array = scores,
            open_: NDArray = open_,
            normals: Array = normals,
            sign: float = 1.0 - 2.0 * world,
        ) -> bool:
            if t < step - 1:
                return False
            v = shift[t - step + 1]
            watched = open_[where]
            scores[where] += watched * (v * normals[t - step + 1, where] + sign * v * v / 2.0)
            open_[where] = watched & (audits != target)
            return not open_[where].any()

        part = _half(progress, world)
        simulate(mechanism, told, horizon, seed, numbers, observe, part, False)
        worlds.append(scores)
    return LikelihoodRatios(worlds[0], worlds[1])


def _run_released_attack(
    mechanism: Fading, horizon: int, step: int, target: int, runs: int, seed: int, progress: Progress
) -> LikelihoodRatios:
    """Log likelihood ratio of the fading tally's released sums: a report adds its column to fresh normals."""
    shift = mechanism.get_column(horizon - step + 1)
    worlds = []
    for world, sign in enumerate((1.0, -1.0)):
        scores = np.empty(runs)
        for run, generator in enumerate(get_generators(seed, "fading", range(world * runs, (world + 1) * runs))):
            normals = generator.standard_normal((horizon, mechanism.targets))[step - 1 :, target]
            scores[run] = shift @ normals + sign * float(shift @ shift) / 2.0
            if progress:
                progress((world + (run + 1) / runs) / 2.0)
        worlds.append(scores)
    return LikelihoodRatios(worlds[0], worlds[1])


def get_runs_for_width(advantage: float, width: float, confidence: float = 0.95) -> int:
    """Runs a world for an interval of about +- `width` around an advantage (worst case, rates around one half)."""
    z = float(ndtri(0.5 + confidence / 2.0))
    rate = (1.0 + abs(advantage)) / 2.0
    return int(np.ceil(2.0 * rate * (1.0 - rate) * (z / width) ** 2))
