"""What the page asks of core, in sizes a reader can wait for, kept for all sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.auditors import make_mechanism
from core.bank import Grid
from core.changing import JumpStream
from core.counters import Array
from core.fading import Fading
from core.intervals import Interval, run_intervals
from core.league import measure_delay
from core.mechanisms import Mechanism
from core.outright import Outright
from core.parameters import Parameters
from core.simulation import run_ensemble, standard_error
from core.standings import Row, measure_part
from core.streams import make_stream
from core.traces import Trace, run_trace
from core.unequal import Bill, run_unequal
from ui.fading.names import Dot, get_name
from ui.frames import Z95, Store
from ui.words import _, number

CELLS = 2_000_000
"""Runs x steps x organisations of one rule: two seconds of a fading tally on one core."""
LEAST_RUNS = 4
STORY = ("fading", "tca", "tca-interval", "rota", "uniform")


@dataclass(frozen=True)
class Size:
    """How much of the scenario is simulated."""

    runs: int
    horizon: int


def get_size(p: Parameters, cells: int = CELLS) -> Size:
    """As many runs (4 at least) and steps of the scenario as `cells` allow."""
    horizon = max(1, min(p.horizon, cells // (LEAST_RUNS * p.targets)))
    return Size(min(p.runs, max(LEAST_RUNS, cells // (horizon * p.targets))), horizon)


def cut(p: Parameters, horizon: int) -> Parameters:
    """The scenario with another number of audits."""
    return replace(p, horizon=horizon, run_length=min(p.run_length, horizon))


def tell_size(p: Parameters, size: Size) -> str:
    """What was simulated."""
    text = _("{runs} runs of {audits} audits with the same reports for everyone; seed {seed}.").format(
        runs=number(size.runs), audits=number(size.horizon), seed=p.seed
    )
    if size.horizon < p.horizon:
        text += " " + _("All {audits} audits would take too long here: these are the first of them.").format(
            audits=number(p.horizon)
        )
    return text


def command(rule: str, p: Parameters, size: Size, more: str = "") -> str:
    """The same run from a terminal."""
    stream = "" if p.stream == "poisson" else f" --stream {p.stream}"
    return (
        f"python -m core run --mechanism {rule} --targets {p.targets} --horizon {size.horizon} --delta {p.delta:g} "
        f"--lead-rate {p.lead_rate:g} --other-rate {p.other_rate:g}{stream} --runs {size.runs} --seed {p.seed}{more}"
    )


def get_highest_rate(p: Parameters) -> float:
    """Most reports a step that any organisation draws on average."""
    return max(p.lead_rate, p.other_rate)


def warn_of_grid(rate: float) -> None:
    """Say so where the filters do not know such a rate."""
    highest = Grid().highest
    if rate >= highest:
        st.warning(
            _(
                "{rate} reports a step are at or above the highest rate that the filters know, {highest}: the fading "
                "tally reads such an organisation badly and may do worse than the noisy tally."
            ).format(rate=number(rate), highest=number(highest)),
            icon=":material/warning:",
        )


# --- missed reports --------------------------------------------------------------------------------------------------
_MISSED: Store[Array] = Store(400)
Progress = Callable[[float], None] | None


def _make(rule: str, p: Parameters, audits: int) -> Mechanism:
    return Outright(p.targets, p.delta) if rule == "outright" else make_mechanism(rule, p, audits=audits)


def get_missed(rule: str, p: Parameters, size: Size, audits: int = 1, progress: Progress = None) -> Array:
    """Missed reports a step of each run, (runs,)."""
    knows = None if rule in ("rota", "uniform", "greedy") else (p.delta, p.horizon)
    key = (rule, knows, p.targets, p.lead_rate, p.other_rate, p.stream, p.seed, p.horizon, size, audits)
    found = _MISSED.get(key)
    if found is None:
        runs = run_ensemble(_make(rule, p, audits), make_stream(p), size.horizon, size.runs, p.seed, progress)
        found = _MISSED.put(key, runs.deficit.mean(axis=1))
    return found


def compare(rules: Sequence[str], p: Parameters, size: Size, place: st.delta_generator.DeltaGenerator) -> list[Dot]:
    """Missed reports of several rules over the same reports; what is at work is told in `place`."""
    dots = []
    for i, rule in enumerate(rules):
        text = _("Simulating: {name}").format(name=get_name(rule))

        def tell(done: float, i: int = i, text: str = text) -> None:
            place.progress((i + done) / len(rules), text)

        dots.append(make_dot(rule, get_missed(rule, p, size, progress=tell)))
    place.empty()
    return dots


def make_dot(rule: str, values: Array) -> Dot:
    """Mean of independent runs with half its 95% interval."""
    return Dot(rule, float(values.mean()), Z95 * (standard_error(values) or 0.0))


def get_difference(one: str, other: str, p: Parameters, size: Size) -> Dot:
    """Missed reports of `one` minus those of `other`, paired by run."""
    return make_dot(one, get_missed(one, p, size) - get_missed(other, p, size))


# --- the rest --------------------------------------------------------------------------------------------------------
_OTHERS: Store[object] = Store(60)


def _kept(key: tuple, make: Callable) -> object:
    found = _OTHERS.get(key)
    return _OTHERS.put(key, make()) if found is None else found


def get_trace(rule: str, p: Parameters) -> Trace:
    """A few runs of the tally from the inside; the first is the one that the page draws."""
    size = get_size(p, 200_000)
    runs = min(size.runs, LEAST_RUNS)
    key = ("trace", rule, p.delta, p.targets, p.horizon, p.lead_rate, p.other_rate, p.stream, p.seed, size)
    made = _kept(key, lambda: run_trace(make_mechanism(rule, p), make_stream(p), size.horizon, runs, p.seed))
    assert isinstance(made, Trace)
    return made


def get_jump_stream(p: Parameters, factor: int) -> JumpStream:
    """Bursts of `factor` times the rate of the others; a twentieth of a report a step where these draw none."""
    calm = max(p.other_rate, 0.05)
    return JumpStream(p.targets, calm, factor * calm)


@dataclass(frozen=True)
class Reaction:
    """How a rule takes jumps: steps to the first audit, and missed reports a step."""

    delay: Dot
    missed: Dot


def get_reaction(rule: str, p: Parameters, stream: JumpStream, size: Size) -> Reaction:
    """Measured over `size`; the noisy tally is made for as many audits."""
    here = cut(p, size.horizon)

    def make() -> Reaction:
        mechanism = make_mechanism(rule, here)
        delay, error = measure_delay(mechanism, stream, size.horizon, size.runs, p.seed)
        missed = run_ensemble(mechanism, stream, size.horizon, size.runs, p.seed).deficit.mean(axis=1)
        return Reaction(Dot(rule, delay, Z95 * error), make_dot(rule, missed))

    made = _kept(("jump", rule, here.delta, stream, size, p.seed), make)
    assert isinstance(made, Reaction)
    return made


def get_intervals(p: Parameters, intervals: list[int | None], size: Size, progress: Progress) -> list[Interval]:
    """See `core.intervals.run_intervals`."""
    scenario = (p.delta, p.targets, p.horizon, p.lead_rate, p.other_rate, p.stream, p.seed)
    made = _kept(
        ("interval", scenario, tuple(intervals), size),
        lambda: run_intervals(p, intervals, size.runs, size.horizon, progress),
    )
    assert isinstance(made, list)
    return made


def get_bills(p: Parameters, share: float, weight: int, cost: float, size: Size) -> dict[str, Bill]:
    """See `core.unequal.run_unequal`."""
    here = cut(p, size.horizon)
    key = ("bill", here.delta, p.targets, p.lead_rate, p.other_rate, p.seed, share, weight, cost, size)
    made = _kept(key, lambda: run_unequal(here, share, weight, cost, size.runs))
    assert isinstance(made, dict)
    return made


def get_part(part: str, runs: int, seed: int, progress: Progress) -> list[Row]:
    """One part of the league, computed now."""
    made = _kept(("league", part, runs, seed), lambda: measure_part(part, runs, seed, progress))
    assert isinstance(made, list)
    return made


def kept_part(part: str, runs: int, seed: int) -> list[Row] | None:
    """The same where it was computed before."""
    found = _OTHERS.get(("league", part, runs, seed))
    assert found is None or isinstance(found, list)
    return found


def get_fading(p: Parameters) -> Fading:
    """The fading tally of the scenario."""
    return Fading(p.targets, p.delta)


def get_quiet(p: Parameters) -> bool:
    """Nobody reports anything."""
    return p.lead_rate == p.other_rate == 0
