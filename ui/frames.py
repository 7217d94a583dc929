"""Prepared numbers for the pages Lead and Long run: core's results, arranged for pictures that move in the browser."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import CubicSpline

from core.auditors import MECHANISMS, make_mechanism
from core.calibration import get_count_sd, get_p_rand
from core.mechanisms import Audits, Mechanism
from core.parameters import TABLE, Parameters
from core.seeds import get_generator
from core.simulation import Ensemble, run_ensemble, simulate
from core.streams import Stream
from core.utility import (
    get_gap_for_error,
    get_greedy_misselection,
    get_misselection,
    get_rr_misselection,
    get_share,
    get_theorem_2_floor,
    get_uniform_misselection,
    get_union_bound,
)
from ui.own import use
from ui.store import Store

Array = NDArray[np.float64]
Progress = Callable[[float], None]
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Course:
    """One mechanism over the long run; arrays by step have shape (T,), `by_run` (S,); unit: missed reports.

    Attributes:
        mean, se, low, high: mean over the runs, its standard error, 10% and 90% quantiles of the runs.
        total, total_low, total_high: mean and quantiles of what was missed up to each step.
        by_run: each run's mean over its steps; run i of every mechanism saw the same reports.
        late: mean over the last tenth of the steps. misselection: share of audits that missed a most-reported target.
    """

    mechanism: str
    runs: int
    mean: Array = field(repr=False)
    se: Array = field(repr=False)
    low: Array = field(repr=False)
    high: Array = field(repr=False)
    total: Array = field(repr=False)
    total_low: Array = field(repr=False)
    total_high: Array = field(repr=False)
    by_run: Array = field(repr=False)
    mean_deficit: float
    mean_deficit_se: float
    misselection: float
    misselection_se: float
    late: float
    largest: int


def get_course(name: str, parameters: Parameters, runs: int, progress: Progress | None = None) -> Course:
    """Run one mechanism `runs` (at least 2) times and keep what the page shows."""
    p = parameters
    run = _run_fading if name == "fading" else run_ensemble
    ensemble = run(make_mechanism(name, p), use.get_stream(p), p.horizon, runs, p.seed, progress)
    se = ensemble.deficit.std(axis=0, ddof=1) / np.sqrt(runs)
    mean_se, misselection_se = ensemble.mean_deficit_se, ensemble.misselection_se
    assert mean_se is not None and misselection_se is not None
    mean, low, high = ensemble.by_step()
    return Course(
        name, runs, mean, se, low, high, *ensemble.cumulative_by_step(), ensemble.deficit.mean(axis=1),
        ensemble.mean_deficit, mean_se, ensemble.misselection, misselection_se,
        ensemble.late_deficit, ensemble.max_deficit,
    )  # fmt: skip


def _run_fading(
    mechanism: Mechanism, stream: Stream, horizon: int, runs: int, seed: int, progress: Progress | None
) -> Ensemble:
    """`run_ensemble` with more signs of life: between two of them no slider can interrupt."""
    deficits = np.empty((horizon, runs), dtype=np.int32)

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> None:
        deficits[t, where] = deficit
        if progress and t % 25 == 24:
            progress((where.start + (t + 1) / horizon * (min(where.stop, runs) - where.start)) / runs)

    simulate(mechanism, stream, horizon, seed, range(runs), observe)
    return Ensemble(deficits.T)


_COURSES: Store[Course] = Store(96)


def _course_key(name: str, p: Parameters, runs: int) -> Hashable:
    """What the runs of a mechanism depend on: lots and rota do not know delta, so moving delta leaves them be."""
    delta = p.delta if name in ("tca", "rr", "fading") else None
    rule = p.rr_calibration if name == "rr" else None
    return (name, delta, rule, p.targets, p.horizon, p.lead_rate, p.other_rate, p.stream, runs, p.seed, use.get_key(p))


def kept_course(name: str, parameters: Parameters, runs: int) -> Course | None:
    """The finished course, if it was computed before."""
    return use.get_store(parameters, _COURSES).get(_course_key(name, parameters, runs))


def course(name: str, parameters: Parameters, runs: int, progress: Progress | None = None) -> Course:
    """`get_course`, remembered."""
    key, kept = _course_key(name, parameters, runs), use.get_store(parameters, _COURSES)
    return kept.get(key) or kept.put(key, get_course(name, parameters, runs, progress))


LARGEST_PAGE = 250_000_000
"""Most runs x horizon x targets of all mechanisms together that a page asks for: about 10 seconds on one core."""


def page_runs(parameters: Parameters) -> int:
    """The runs asked for, or the most (at least 10) that a reader can wait for."""
    p = parameters
    return min(p.runs, max(10, LARGEST_PAGE // (len(MECHANISMS) * p.targets * p.horizon)))


FADING_CELLS, FADING_MOST = 1_500_000, 12_000_000
"""Runs x horizon x targets of the fading tally: a second or two, and the most for its ten runs."""


def fading_runs(parameters: Parameters) -> int:
    """Runs of the fading tally, each as dear as fifteen of the noisy tally's; 0 where ten would take too long."""
    cells = parameters.targets * parameters.horizon
    if 10 * cells > FADING_MOST:
        return 0
    return min(page_runs(parameters), max(10, FADING_CELLS // cells))


def preview_runs(parameters: Parameters, cells: int = 1_000_000) -> int:
    """How many runs give a first picture within a blink; never more than were asked for."""
    return min(page_runs(parameters), max(2, min(10, cells // (parameters.targets * parameters.horizon))))


@dataclass(frozen=True)
class Difference:
    """Missed reports a step of one mechanism minus another's, over the same reports."""

    value: float
    se: float

    @property
    def verdict(self) -> str:
        """`fewer`, `more`, or `same` where the 95% interval holds zero."""
        if abs(self.value) <= Z95 * self.se or self.value == 0.0:
            return "same"
        return "fewer" if self.value < 0 else "more"


def compare(one: Course, other: Course) -> Difference:
    """Paired by run, since run i saw the same reports under both: the shared luck cancels."""
    runs = min(one.runs, other.runs)
    gaps = one.by_run[:runs] - other.by_run[:runs]
    return Difference(float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(len(gaps))))


@dataclass(frozen=True)
class Contest:
    """What a count of the noisy tally is made of, one round after its restart.

    Attributes:
        age: steps in a round, one audit for each organisation, at most the horizon.
        noise: standard deviation of the difference between two noisy counts, in reports.
        lead: by how many reports the most-reported organisation is ahead of another, expected.
    """

    age: int
    noise: float
    lead: float

    @property
    def noise_wins(self) -> bool:
        """The noise outweighs what the counts could tell."""
        return self.noise > self.lead


def get_contest(parameters: Parameters) -> Contest:
    """Noise against counts after one round."""
    p = parameters
    age = min(p.targets, p.horizon)
    noise = float(np.sqrt(2.0) * get_count_sd(p.delta, p.horizon, age))
    lead, other = use.get_rates(p)
    return Contest(age, noise, abs(lead - other) * age)


def get_follow_share(parameters: Parameters) -> float:
    """Share of its audits in which randomised response follows the reports."""
    p = parameters
    return 1.0 - get_p_rand(p.rr_calibration, p.delta, p.targets, p.horizon)


SWEEPS: dict[str, tuple[float, ...]] = {
    "delta": (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5),
    "targets": (2, 3, 5, 8, 12, 20, 35, 50, 100, 200),
}
RIVALS = ("uniform", "rota")


@dataclass(frozen=True)
class Sweep:
    """TCA against each mechanism that leaks nothing, at several values of one parameter; arrays (values,)."""

    name: str
    runs: int
    values: Array
    difference: dict[str, Array]
    difference_se: dict[str, Array]

    def clear(self, rival: str) -> NDArray[np.bool_]:
        """Where the 95% interval of the difference leaves out zero, (values,)."""
        return np.abs(self.difference[rival]) > Z95 * self.difference_se[rival]

    def crossings(self, rival: str) -> list[tuple[float, float]]:
        """Pairs of values between which a clear difference changes its sign."""
        clear = self.clear(rival)
        values, signs = self.values[clear], np.sign(self.difference[rival][clear])
        return [(float(values[i]), float(values[i + 1])) for i in np.flatnonzero(signs[1:] != signs[:-1])]

    def steady(self, rival: str) -> int:
        """Sign of the clear differences where they never change it; 0 where none is clear."""
        return int(np.sign(self.difference[rival][self.clear(rival)].sum()))


def get_sweep(name: str, parameters: Parameters, progress: Progress | None = None, cells: int = 20_000_000) -> Sweep:
    """A small map along one parameter: as many runs (4 to 40) as the budget of cells allows."""
    p = parameters
    values = SWEEPS[name]
    sizes = [(int(v) if name == "targets" else p.targets) * p.horizon for v in values]
    runs = int(min(40, max(4, cells // sum(sizes))))
    found: dict[str, list[Difference]] = {rival: [] for rival in RIVALS}
    for i, value in enumerate(values):
        here = replace(p, runs=10, **{name: int(value) if name == "targets" else value})  # type: ignore[arg-type]
        tca = course("tca", here, runs)
        for rival in RIVALS:
            found[rival].append(compare(tca, course(rival, here, runs)))
        if progress:
            progress(sum(sizes[: i + 1]) / sum(sizes))
    return Sweep(
        name,
        runs,
        np.array(values, dtype=float),
        {rival: np.array([d.value for d in ds]) for rival, ds in found.items()},
        {rival: np.array([d.se for d in ds]) for rival, ds in found.items()},
    )


MC_GAPS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)
MC_RUNS = 1000
"""Draws behind each simulated point, as in the paper's Experiment 1."""
EVEN, SURE = 0.5, 0.05


def scale(gap: ArrayLike) -> Array:
    """Position on the axis of leads: log2(1 + gap), which shows 0 and 500 alike."""
    return np.log2(1.0 + np.asarray(gap, dtype=float))


@dataclass(frozen=True)
class LeadFrames:
    """Chance to audit the wrong organisation at every stop: D deltas, G gaps, X points of a curve, K simulated gaps.

    Attributes:
        x: positions of the curves, (X,). tca_curve, union_curve: (D, X).
        tca, union, rr: at the stops, (D, G). greedy: (G,). uniform: one number. floor: Theorem 2, (D,).
        simulated, simulated_low, simulated_high: TCA by drawing the noise, same draws at every stop, (D, K).
        count_sd: noise on a count, (D,). even, sure: whole leads for a wrong audit in at most 50 and 5%, (D,).
    """

    deltas: Array
    gaps: Array
    x: Array
    tca_curve: Array
    union_curve: Array
    tca: Array
    union: Array
    rr: Array
    greedy: Array
    uniform: float
    floor: Array
    simulated: Array
    simulated_low: Array
    simulated_high: Array
    count_sd: Array
    even: Array
    sure: Array


def interpolate_misselection(leads: Array, targets: int) -> Array:
    """`get_misselection` at many leads (in noise sds) by a cubic spline through 601 exact values.

    Within 1e-7 of the exact value for any number of targets of the table, and 20 times faster.
    """
    far = 2.0 * (np.sqrt(2.0 * np.log(targets)) + 8.0)
    knots = np.linspace(0.0, far, 601)
    spline = CubicSpline(knots, get_misselection(knots, targets, 1.0))
    return np.clip(spline(np.minimum(leads, far)), 0.0, 1.0)


def get_lead_frames(
    deltas: Sequence[float], gaps: Sequence[int], targets: int, horizon: int, run_length: int, rule: str, seed: int
) -> LeadFrames:
    """All stops of both sliders; mis-selection depends on gap / count_sd alone, so one call covers every delta."""
    sd = np.array([get_count_sd(delta, horizon, run_length) for delta in deltas])[:, None]
    x = np.linspace(0.0, float(scale(TABLE["gap"].maximum or 0)), 91)
    along = np.exp2(x) - 1.0
    stops = np.asarray(gaps, dtype=float)
    simulated = simulate_leads(np.asarray(MC_GAPS) / sd, targets, seed)
    p_rand = [get_p_rand(rule, delta, targets, horizon) for delta in deltas]
    return LeadFrames(
        deltas=np.asarray(deltas),
        gaps=stops,
        x=x,
        tca_curve=interpolate_misselection(along / sd, targets),
        union_curve=get_union_bound(along / sd, targets, 1.0),
        tca=interpolate_misselection(stops / sd, targets),
        union=get_union_bound(stops / sd, targets, 1.0),
        rr=np.array([get_rr_misselection(stops, targets, p) for p in p_rand]),
        greedy=get_greedy_misselection(stops, targets),
        uniform=get_uniform_misselection(targets),
        floor=np.array([get_theorem_2_floor(targets, delta) for delta in deltas]),
        simulated=simulated[0],
        simulated_low=simulated[1],
        simulated_high=simulated[2],
        count_sd=sd[:, 0],
        even=np.ceil(sd[:, 0] * get_gap_for_error(EVEN, targets, 1.0)),
        sure=np.ceil(sd[:, 0] * get_gap_for_error(SURE, targets, 1.0)),
    )


def simulate_leads(leads: Array, targets: int, seed: int) -> tuple[Array, Array, Array]:
    """`core.utility.simulate_misselection` at many leads (in noise sds) with one set of draws: share, low, high."""
    noise = get_generator(seed, "monte-carlo").standard_normal((MC_RUNS, targets))
    margins = np.sort(noise[:, 1:].max(axis=1) - noise[:, 0])
    wrong = MC_RUNS - np.searchsorted(margins, leads, side="right")
    counts, where = np.unique(wrong, return_inverse=True)
    shares = [get_share(int(count), MC_RUNS) for count in counts]
    table = np.array([(s.share, s.low, s.high) for s in shares])[where.reshape(leads.shape)]
    return table[..., 0], table[..., 1], table[..., 2]


PANEL_TARGETS = (5, 20, 50, 200)
PANEL_LENGTHS = (100, 1000)
PANEL_DELTAS = (0.05, 0.1, 0.2)


@dataclass(frozen=True)
class Panel:
    """One picture of the paper's Figures 2a and 3-5: targets C at run length L; curves along `gaps` (X,)."""

    targets: int
    run_length: int
    horizon: int
    gaps: Array
    tca: dict[float, Array]
    rr: dict[float, Array]
    uniform: float


def get_panels(fixed_horizon: int | None) -> list[Panel]:
    """The paper's panels: L as age and horizon at once, or age L under a counter built for `fixed_horizon` audits."""
    gaps = np.exp2(np.linspace(0.0, 8.0, 65)) - 1.0
    panels = []
    for targets in PANEL_TARGETS:
        for length in PANEL_LENGTHS:
            horizon = fixed_horizon or length
            tca = {d: get_misselection(gaps, targets, get_count_sd(d, horizon, length)) for d in PANEL_DELTAS}
            rr = {
                d: get_rr_misselection(gaps, targets, get_p_rand("paper-experiments", d, targets, horizon))
                for d in PANEL_DELTAS
            }
            panels.append(Panel(targets, length, horizon, gaps, tca, rr, get_uniform_misselection(targets)))
    return panels
