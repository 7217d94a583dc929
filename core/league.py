"""The league: every rule at the same delta over seven settings, and how soon each sees a jump (ours)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .auditors import make_mechanism
from .changing import JumpStream, SpreadStream
from .counters import Array
from .mechanisms import Auditor, Audits, Guarantee, Mechanism
from .parameters import Parameters
from .simulation import run_ensemble, simulate, standard_error
from .streams import PoissonStream, Stream

Progress = Callable[[float], None] | None


@dataclass(frozen=True)
class Setting:
    """One setting of the league.

    Attributes:
        rates: expected reports a step about each target where they are constant, (C,), else None.
        runs: runs whose standard error is small beside the differences between rules.
    """

    targets: int
    horizon: int
    delta: float
    stream: Stream
    runs: int
    rates: tuple[float, ...] | None = None


def _constant(targets: int, horizon: int, delta: float, lead: float, other: float, runs: int) -> Setting:
    rates = (lead, *[other] * (targets - 1))
    return Setting(targets, horizon, delta, PoissonStream(targets, lead, other), runs, rates)


SETTINGS: dict[str, Setting] = {
    "experiment-2": _constant(50, 1000, 0.1, 1.0, 0.2, 60),
    "small": _constant(5, 200, 0.05, 1.0, 0.2, 400),
    "sparse": _constant(20, 500, 0.1, 0.2, 0.02, 200),
    "bursts": Setting(50, 1000, 0.1, JumpStream(50, 0.2, 2.0), 60, (0.2,) * 50),
    "long": _constant(50, 10_000, 0.1, 1.0, 0.2, 8),
    "large": _constant(200, 1000, 0.2, 2.0, 0.2, 16),
    "spread": Setting(50, 1000, 0.1, SpreadStream(50, 0.2, 0.8), 60),
}
RULES = (
    "fading", "fading-alert", "tca-bank", "tca-interval-1.3", "tca-interval", "tca", "rota", "rr-horizon-free",
    "uniform", "known-rates", "greedy",
)  # fmt: skip
"""`tca-interval` has W = 2 C, `tca-interval-1.3` W = 1.3 C; `known-rates` reads no report."""


class _KnownRatesAuditor(Auditor):
    def __init__(self, rates: Array, runs: int) -> None:
        self._rates = rates
        self._ages = np.zeros((runs, len(rates)))
        self._rows = np.arange(runs)

    def choose(self, active: Array) -> Audits:
        self._ages += 1.0
        audits = (self._rates * self._ages).argmax(axis=1)
        self._ages[self._rows, audits] = 0.0
        return audits


@dataclass(frozen=True)
class KnownRates(Mechanism):
    """An auditor who knows every true rate and reads no report: what an estimate of the rates alone could reach."""

    rates: tuple[float, ...]

    @property
    def targets(self) -> int:  # type: ignore[override]
        """Number of organisations."""
        return len(self.rates)

    def guarantee(self) -> Guarantee:
        """delta = 0 for ever: the transcript is fixed beforehand."""
        return Guarantee(0.0, None, 0.0, "the order is fixed (ours)")

    def start(self, seed: int, runs: Sequence[int], horizon: int) -> Auditor:
        """See `Mechanism.start`."""
        return _KnownRatesAuditor(np.asarray(self.rates), len(runs))


def make_rule(name: str, setting: Setting) -> Mechanism | None:
    """The rule called `name` (one of `RULES`) at the setting's delta; None where it does not exist there."""
    s = setting
    if name == "known-rates":
        return KnownRates(s.rates) if s.rates else None
    p = Parameters(targets=s.targets, horizon=s.horizon, run_length=1, delta=s.delta, runs=10)
    if name == "tca-interval-1.3":
        return make_mechanism("tca-interval", p, interval=round(1.3 * s.targets))
    return make_mechanism(name, p)


@dataclass(frozen=True)
class Standing:
    """A rule in a setting: missed reports a step with their standard error, over `runs` runs."""

    mean_deficit: float
    error: float
    runs: int


def run_setting(
    setting: str, rules: Sequence[str] = RULES, runs: int | None = None, seed: int = 2026, progress: Progress = None
) -> dict[str, Standing]:
    """Every rule on the same reports, `runs` times (the setting's own number unless given, at least 2)."""
    s = SETTINGS[setting]
    runs = runs or s.runs
    standings = {}
    for i, name in enumerate(rules):
        rule = make_rule(name, s)
        if rule is None:
            continue
        tell = None if progress is None else (lambda done, i=i: progress((i + done) / len(rules)))
        ensemble = run_ensemble(rule, s.stream, s.horizon, runs, seed, tell)
        standings[name] = Standing(ensemble.mean_deficit, ensemble.mean_deficit_se or 0.0, runs)
    return standings


def measure_delay(mechanism: Mechanism, stream: JumpStream, horizon: int, runs: int, seed: int) -> tuple[float, float]:
    """Mean steps from a jump to the first audit of the organisation concerned, with its standard error over runs.

    An audit at the step of the jump counts 0; a burst that no audit meets counts up to the next one.
    """
    steps, targets = stream.get_jumps(seed, range(runs), horizon)
    waited = np.full((runs, len(steps)), -1)
    rows = np.arange(runs)
    period = 2 * stream.length

    def observe(where: slice, t: int, active: Array, audits: Audits, deficit: Array) -> None:
        jump = (t - stream.length) // period
        if 0 <= jump < len(steps):
            first = (waited[where, jump] < 0) & (audits == targets[rows[where], jump])
            waited[where, jump][first] = t + 1 - steps[jump]

    simulate(mechanism, stream, horizon, seed, range(runs), observe, deficits=False)
    ends = np.append(steps[1:], horizon + 1)
    means = np.where(waited < 0, ends - steps, waited).mean(axis=1)
    return float(means.mean()), standard_error(means) or 0.0
