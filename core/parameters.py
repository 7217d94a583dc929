"""The one table of parameters: what drives widgets, the URL, bounds, the command line and tests.

`TABLE` lists every parameter with its symbol, URL key, type, range, step, default and unit. A `Parameters` object
is validated once, when it is made, and frozen; every other module may rely on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

RR_CALIBRATIONS = ("paper-experiments", "horizon-free", "race")
STREAMS = ("poisson", "burst")

LARGEST_WORK = 500_000_000
"""Largest runs x horizon x targets one request may ask for (about 20 seconds on one core)."""
LARGEST_RECORD = 20_000_000
"""Largest runs x horizon kept in memory (missed reports per run and step, 4 bytes each)."""


class ParameterError(ValueError):
    """A value outside what is allowed; `name` says which parameter, the text says what is allowed."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True)
class Parameter:
    """One row of the table.

    Attributes:
        name: field of `Parameters`.
        symbol: the paper's symbol.
        url: key in the URL's query.
        default: value when nothing is said.
        minimum, maximum, step: range and lattice of a number (`None` for a choice).
        choices: the allowed words of a choice.
        unit: unit of the value, in English.
        stops: a finer or coarser list of values for sliders; any lattice value stays allowed.
    """

    name: str
    symbol: str
    url: str
    default: int | float | str
    minimum: int | float | None = None
    maximum: int | float | None = None
    step: int | float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""
    stops: tuple[int | float, ...] = ()

    @property
    def whole(self) -> bool:
        """True where only whole numbers are allowed."""
        return isinstance(self.default, int)

    def snap(self, value: float) -> int | float:
        """The nearest allowed value: clamped to the range and rounded to the step."""
        assert self.minimum is not None and self.maximum is not None and self.step is not None
        clamped = min(max(value, self.minimum), self.maximum)
        steps = round((clamped - self.minimum) / self.step)
        snapped = self.minimum + steps * self.step
        return int(snapped) if self.whole else min(round(snapped, 10), float(self.maximum))

    def allowed(self) -> str:
        """What is allowed, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.minimum:,} to {self.maximum:,}"

    def check(self, value: Any) -> Any:
        """Return `value` in its type, or raise `ParameterError` with what is allowed."""
        if self.choices:
            if value not in self.choices:
                raise ParameterError(self.name, f"{self.name} must be {self.allowed()}, got {value!r}")
            return value
        number = self.number(value)
        assert self.minimum is not None and self.maximum is not None
        if self.whole and number != int(number):
            raise ParameterError(self.name, f"{self.name} must be {self.allowed()}, got {value!r}")
        if not self.minimum <= number <= self.maximum:
            raise ParameterError(self.name, f"{self.name} must be {self.allowed()}, got {value!r}")
        return int(number) if self.whole else number

    def number(self, value: Any) -> float:
        """`value` as a finite float, or `ParameterError`."""
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number) or isinstance(value, bool):
            raise ParameterError(self.name, f"{self.name} must be {self.allowed()}, got {value!r}")
        return number


def _stops(*segments: tuple[float, float, float]) -> tuple[float, ...]:
    """Slider stops: `segments` of (first, last, step), joined, without repeats."""
    values: list[float] = []
    for first, last, step in segments:
        count = round((last - first) / step)
        for i in range(count + 1):
            value = round(first + i * step, 10)
            if not values or value > values[-1]:
                values.append(int(value) if isinstance(step, int) else value)
    return tuple(values)


TABLE: dict[str, Parameter] = {
    row.name: row
    for row in (
        Parameter("delta", "delta", "delta", 0.10, 0.005, 0.95, 0.005, unit="probability",
                  stops=_stops((0.005, 0.2, 0.005), (0.2, 0.5, 0.01), (0.5, 0.95, 0.05))),
        Parameter("targets", "C", "C", 50, 2, 500, 1, unit="organisations",
                  stops=_stops((2, 20, 1), (20, 100, 5), (100, 200, 10), (200, 500, 50))),
        Parameter("horizon", "T", "T", 1000, 1, 10_000, 1, unit="audits",
                  stops=_stops((1, 10, 1), (10, 30, 2), (30, 100, 10), (100, 300, 25), (300, 1000, 100),
                               (1000, 3000, 500), (3000, 10_000, 1000))),
        Parameter("gap", "Delta", "gap", 16, 0, 500, 1, unit="reports",
                  stops=_stops((0, 64, 1), (64, 128, 4), (128, 256, 8), (260, 500, 20))),
        Parameter("run_length", "L", "L", 1000, 1, 10_000, 1, unit="steps",
                  stops=_stops((1, 10, 1), (10, 30, 2), (30, 100, 10), (100, 300, 25), (300, 1000, 100),
                               (1000, 3000, 500), (3000, 10_000, 1000))),
        Parameter("lead_rate", "lambda_lead", "lead", 1.0, 0.0, 20.0, 0.05, unit="reports a step",
                  stops=_stops((0.0, 2.0, 0.05), (2.0, 5.0, 0.5), (5.0, 20.0, 1.0))),
        Parameter("other_rate", "lambda_other", "other", 0.2, 0.0, 20.0, 0.05, unit="reports a step",
                  stops=_stops((0.0, 2.0, 0.05), (2.0, 5.0, 0.5), (5.0, 20.0, 1.0))),
        Parameter("rr_calibration", "p_rand", "rr", "paper-experiments", choices=RR_CALIBRATIONS),
        Parameter("stream", "R", "stream", "poisson", choices=STREAMS),
        Parameter("runs", "S", "runs", 100, 10, 1000, 10, unit="runs",
                  stops=_stops((10, 100, 10), (100, 500, 50), (500, 1000, 100))),
        Parameter("people", "N", "people", 10, 2, 1000, 1, unit="people",
                  stops=_stops((2, 20, 1), (20, 100, 5), (100, 1000, 50))),
        Parameter("false_alarm", "FPR", "fpr", 0.10, 0.01, 0.99, 0.01, unit="probability"),
        Parameter("seed", "seed", "seed", 2026, 0, 2**31 - 1, 1),
    )
}  # fmt: skip


def _default(name: str) -> Any:
    return field(default=TABLE[name].default)


@dataclass(frozen=True)
class Parameters:
    """One scenario, validated when made.

    Attributes: see `TABLE`, which holds range, unit and default of each.

    Raises:
        ParameterError: a value outside its range, or values that contradict one another.
    """

    delta: float = _default("delta")
    targets: int = _default("targets")
    horizon: int = _default("horizon")
    gap: int = _default("gap")
    run_length: int = _default("run_length")
    lead_rate: float = _default("lead_rate")
    other_rate: float = _default("other_rate")
    rr_calibration: str = _default("rr_calibration")
    stream: str = _default("stream")
    runs: int = _default("runs")
    people: int = _default("people")
    false_alarm: float = _default("false_alarm")
    seed: int = _default("seed")

    def __post_init__(self) -> None:
        for row in fields(self):
            object.__setattr__(self, row.name, TABLE[row.name].check(getattr(self, row.name)))
        if self.run_length > self.horizon:
            raise ParameterError(
                "run_length",
                f"run_length must not exceed horizon ({self.horizon:,}): a counter is calibrated for at most "
                f"that many steps, got {self.run_length:,}",
            )
        check_size(self.targets, self.horizon, self.runs)

    def with_changes(self, **changes: Any) -> tuple[Parameters, tuple[Correction, ...]]:
        """A copy with `changes` applied and mended where they contradict one another; what was mended is told."""
        return mend({**{row.name: getattr(self, row.name) for row in fields(self)}, **changes})


@dataclass(frozen=True)
class Correction:
    """A value that was not taken as given.

    Attributes:
        name: the parameter, or the unknown key.
        given: what was given, as text.
        used: the value used instead.
        reason: `not-a-value` (default kept), `out-of-range`, `off-step`, `over-horizon` or `too-large`.
    """

    name: str
    given: str
    used: int | float | str
    reason: str


def largest_runs(targets: int, horizon: int) -> int:
    """The largest number of runs that fits the limits on time and memory; 0 where not even one does."""
    return min(LARGEST_WORK // (targets * horizon), LARGEST_RECORD // horizon)


def check_size(targets: int, horizon: int, runs: int) -> None:
    """Refuse sizes that would need too much time or memory, naming the largest that fits.

    Raises:
        ParameterError: more than `LARGEST_WORK` cells, or more than `LARGEST_RECORD` recorded steps.
    """
    most = largest_runs(targets, horizon)
    if runs > most:
        raise ParameterError(
            "runs",
            f"runs x horizon x targets is too large: with {targets:,} targets and horizon {horizon:,} "
            f"at most {most:,} runs fit, got {runs:,}",
        )


def mend(values: Mapping[str, Any]) -> tuple[Parameters, tuple[Correction, ...]]:
    """Make `Parameters` from values of any kind: bad ones are replaced, and each replacement is told.

    Numbers are clamped and snapped to their step; what is not a value keeps its default; a run length over the
    horizon and a size over the limits are cut to the largest that fits. Unknown names are ignored.
    """
    good: dict[str, Any] = {}
    told: list[Correction] = []
    for name, row in TABLE.items():
        if name not in values:
            continue
        given = values[name]
        try:
            if row.choices:
                good[name] = row.check(given)
                continue
            number = row.number(given)
        except ParameterError:
            told.append(Correction(name, str(given), row.default, "not-a-value"))
            continue
        good[name] = row.snap(number)
        if not math.isclose(good[name], number, rel_tol=1e-9, abs_tol=1e-12):
            assert row.minimum is not None and row.maximum is not None
            reason = "off-step" if row.minimum <= number <= row.maximum else "out-of-range"
            told.append(Correction(name, str(given), good[name], reason))
    horizon = good.get("horizon", TABLE["horizon"].default)
    length = good.get("run_length", TABLE["run_length"].default)
    if length > horizon:
        good["run_length"] = horizon
        if "run_length" in values and length != TABLE["run_length"].default:
            told.append(Correction("run_length", f"{length:,}", horizon, "over-horizon"))
    most = largest_runs(good.get("targets", TABLE["targets"].default), horizon)
    if good.get("runs", TABLE["runs"].default) > most:
        runs = max(int(TABLE["runs"].minimum or 1), most // 10 * 10)
        told.append(Correction("runs", f"{good.get('runs', TABLE['runs'].default):,}", runs, "too-large"))
        good["runs"] = runs
    return Parameters(**good), tuple(told)


def from_query(query: Mapping[str, str]) -> tuple[Parameters, tuple[Correction, ...]]:
    """Read a URL's query (`Parameter.url` keys); see `mend` for what happens to bad values."""
    return mend({row.name: query[row.url] for row in TABLE.values() if row.url in query})


def to_query(parameters: Parameters) -> dict[str, str]:
    """The query that `from_query` reads back: only what differs from the defaults, the seed always."""
    return {
        row.url: f"{value:g}" if isinstance(value, float) else str(value)
        for row in TABLE.values()
        if (value := getattr(parameters, row.name)) != row.default or row.name == "seed"
    }


PRESETS: dict[str, Parameters] = {
    "experiment-1": Parameters(targets=5),
    "experiment-2": Parameters(),
    "small-regulator": Parameters(targets=5, horizon=200, run_length=200, delta=0.05),
    "school": Parameters(targets=12, horizon=26, run_length=26, delta=0.10, lead_rate=1.0, other_rate=0.2, gap=8),
}
"""Named scenarios. Experiments 1 (its first figure, Figure 2a) and 2 are the paper's (Appendix G)."""

__all__ = [
    "PRESETS", "RR_CALIBRATIONS", "STREAMS", "TABLE", "Correction", "Parameter", "ParameterError", "Parameters",
    "check_size", "from_query", "largest_runs", "mend", "replace", "to_query",
]  # fmt: skip
