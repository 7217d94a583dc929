"""Counters as two linear maps: what is made noisy (encode) and how counts are read from it (decode).

With E the encoder, B the decoder and A the prefix sums, a counter is B E = A, and what it shows is B (E x + sigma z)
for reports x and standard normals z (paper, section 6.1). One report moves E x by at most the largest column norm of E,
its sensitivity; with sigma = sensitivity / mu the release is (0, delta)-private, and so is every audit that reads it
(Proposition 3).

Anyone may write a counter: see `Counter` for the contract. `measure_counter` finds the two matrices by feeding
impulses, so that nothing has to be believed: not that the class counts, not that it is linear, not its sensitivity.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .calibration import get_delta, get_mu
from .counters import Array

LARGEST_HORIZON = 2_000
"""Longest horizon at which matrices are made."""
LARGEST_MATRIX = 10_000_000
"""Largest number of entries of one matrix (80 MB)."""
LARGEST_WIDTH = 100
"""Most values that a counter may make noisy in one step."""
TOLERANCE = 1e-8
_SCALES = (1.0, 30.0, 1000.0)


class Counter(Protocol):
    """What a counter class has to offer. About twenty lines are enough: see `assets/counters/own_counter.py`.

    The class is called with the horizon (steps an instance may live) and starts at count 0. Then, at every step,
    `encode` is called once and `decode` once. All arithmetic must work on NumPy arrays of any shape. The house adds
    the noise between the two calls, sigma * N(0, 1) on each value with sigma = sensitivity / mu; a counter draws none.

    Attributes:
        sensitivity: the claim: the largest Euclidean norm by which one report moves all values made noisy together.
    """

    sensitivity: float

    def encode(self, reports: Array) -> Sequence[ArrayLike]:
        """Take the new reports of this step; return the list of values to be made noisy now (may be empty)."""

    def decode(self, noisy: list[Array]) -> ArrayLike:
        """Take the same values with their noise; return the estimate of all reports so far."""


MakeCounter = Callable[[int], Counter]


class CounterError(ValueError):
    """A class that is no counter.

    Attributes:
        reason: `error` (its code failed), `answer` (wrong type or shape), `finite` (NaN or infinite), `count` (does not
            count), `linear`, `claim` (claims too small a sensitivity), `size` (too large to measure).
        step: the first step that shows it, from 1; None where no step is to blame.
    """

    def __init__(self, reason: str, message: str, step: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.step = step


@dataclass(frozen=True, eq=False)
class Factorisation:
    """The matrices of a counter over T steps that makes N noisy values.

    Attributes:
        name: for people.
        horizon: T.
        claimed: sensitivity that the class claims; the noise is calibrated on it.
        measured: largest column norm of the encoder.
        encoder: (N, T). decoder: (T, N).
        starts: number of values made before each step and in all, (T + 1,).
    """

    name: str
    horizon: int
    claimed: float
    measured: float
    encoder: Array
    decoder: Array
    starts: NDArray[np.intp]

    @property
    def waste(self) -> float:
        """How many times more noise than needed the claim costs; 1 for an exact claim, below 1 for a false one."""
        return self.claimed / self.measured

    def get_true_delta(self, delta: float) -> float:
        """What an attacker really gets where `delta` is promised on the claim: 2 Phi(mu measured / (2 claimed)) - 1."""
        return get_delta(get_mu(delta) / self.waste)


def check_claim(counter: Factorisation, delta: float) -> None:
    """Refuse a counter that claims less than it was measured to need.

    Raises:
        CounterError: with both sensitivities and the delta really given.
    """
    if counter.waste < 1.0 - 1e-9:
        worst = int(np.linalg.norm(counter.encoder, axis=0).argmax()) + 1
        raise CounterError(
            "claim",
            f"{counter.name} claims sensitivity {counter.claimed:.6g}, but one report of step {worst} moves what it "
            f"publishes by {counter.measured:.6g}: delta would be {counter.get_true_delta(delta):.4g} instead of "
            f"{delta:g}",
            worst,
        )


class _Probe:
    """One instance of a counter class whose answers are checked and copied; `shape` is that of each array fed."""

    def __init__(self, make: MakeCounter, horizon: int, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._step = 0
        self._counter = self._call("__init__", make, horizon)
        claim = self._call("sensitivity", lambda: float(self._counter.sensitivity))
        if not 0.0 < claim < np.inf:
            raise CounterError("answer", f"sensitivity must be a positive number, got {claim}")
        self.sensitivity = claim

    def encode(self, reports: Array) -> list[Array]:
        self._step += 1
        values = self._call("encode", lambda: self._counter.encode(reports.copy()))
        if not isinstance(values, list | tuple):
            raise self._error("answer", f"encode must return a list of values, got {type(values).__name__}")
        if len(values) > LARGEST_WIDTH:
            raise self._error("size", f"encode may return up to {LARGEST_WIDTH} values a step, got {len(values):,}")
        return [self._check("encode", value) for value in values]

    def decode(self, noisy: list[Array]) -> Array:
        return self._check("decode", self._call("decode", lambda: self._counter.decode([v.copy() for v in noisy])))

    def _call(self, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            with np.errstate(all="ignore"):
                return call(*arguments)
        except (Exception, SystemExit) as error:
            # the innermost line outside this file and outside the libraries is the reader's own
            frames = traceback.extract_tb(error.__traceback__)
            lines = [f.lineno for f in frames if f.filename != __file__ and "site-packages" not in f.filename]
            where = f" in line {lines[-1]}" if lines else ""
            raise self._error("error", f"{what} failed{where}: {type(error).__name__}: {error}") from error

    def _check(self, what: str, value: Any) -> Array:
        try:
            array = np.broadcast_to(np.asarray(value, dtype=float), self._shape).copy()
        except (TypeError, ValueError):
            shape = getattr(value, "shape", None)
            got = type(value).__name__ if shape is None else f"shape {shape}"
            raise self._error(
                "answer", f"{what} must give numbers in the shape of the reports {self._shape}, got {got}"
            ) from None
        if not np.isfinite(array).all():
            raise self._error("finite", f"{what} gives a value that is not a finite number")
        return array

    def _error(self, reason: str, message: str) -> CounterError:
        step = self._step or None
        return CounterError(reason, f"step {step}: {message}" if step else message, step)


def measure_counter(make: MakeCounter, horizon: int, name: str | None = None) -> Factorisation:
    """Find a counter's matrices and sensitivity, and that it counts and is linear.

    Three instances are run. One gets a report at a single step, for every step side by side: its values are the
    encoder, and read without noise they must count 1 from that step on. One gets no reports and an impulse in a single
    noisy value: its estimates are the decoder. One gets random reports and random noise and must do what the matrices
    say. This finds mistakes, not malice: a class that means to deceive knows when it is measured.

    Args:
        make: called with the horizon; see `Counter`.
        horizon: 1 .. `LARGEST_HORIZON`.
        name: default: the class's name.

    Raises:
        CounterError: not a counter; `check_claim` judges the sensitivity.
    """
    name = name or str(getattr(make, "__name__", "the counter"))
    if not 1 <= horizon <= LARGEST_HORIZON:
        raise CounterError("size", f"a counter is measured over 1 to {LARGEST_HORIZON:,} steps, got {horizon:,}")
    encoder, starts, claimed = _measure_encoder(make, horizon)
    decoder = _measure_decoder(make, horizon, starts)
    _check_linear(make, encoder, decoder, starts)
    measured = float(np.linalg.norm(encoder, axis=0).max())
    return Factorisation(name, horizon, claimed, measured, encoder, decoder, starts)


def _measure_encoder(make: MakeCounter, horizon: int) -> tuple[Array, NDArray[np.intp], float]:
    probe = _Probe(make, horizon, (horizon,))
    rows: list[Array] = []
    starts = [0]
    for t in range(horizon):
        impulse = np.zeros(horizon)
        impulse[t] = 1.0
        values = probe.encode(impulse)
        rows += values
        starts.append(len(rows))
        if len(rows) * horizon > LARGEST_MATRIX:
            most = LARGEST_MATRIX // horizon
            raise CounterError("size", f"step {t + 1}: more than {most:,} noisy values in all are too many", t + 1)
        count = probe.decode(values)
        wanted = np.arange(horizon) <= t
        wrong = np.abs(count - wanted) > TOLERANCE
        if wrong.any():
            j = int(wrong.argmax())
            raise CounterError(
                "count",
                f"step {t + 1}: does not count: without noise a report of step {j + 1} counts {count[j]:.6g} times "
                f"instead of {wanted[j]:d}",
                t + 1,
            )
    return np.array(rows), np.array(starts), probe.sensitivity


def _encode_again(probe: _Probe, reports: Array, t: int, starts: NDArray[np.intp]) -> list[Array]:
    values = probe.encode(reports)
    before = starts[t + 1] - starts[t]
    if len(values) != before:
        raise CounterError(
            "linear",
            f"step {t + 1}: the number of values must not depend on reports: {before}, then {len(values)}",
            t + 1,
        )
    return values


def _measure_decoder(make: MakeCounter, horizon: int, starts: NDArray[np.intp]) -> Array:
    size = int(starts[-1])
    probe = _Probe(make, horizon, (size,))
    decoder = np.empty((horizon, size))
    for t in range(horizon):
        _encode_again(probe, np.zeros(size), t, starts)
        new = np.arange(starts[t], starts[t + 1])
        impulses = np.zeros((len(new), size))
        impulses[np.arange(len(new)), new] = 1.0
        decoder[t] = probe.decode(list(impulses))
    return decoder


def _check_linear(make: MakeCounter, encoder: Array, decoder: Array, starts: NDArray[np.intp]) -> None:
    size, horizon = encoder.shape
    generator = np.random.default_rng(0)
    # several sizes, so that a cap or a rounding shows; whole numbers as in real life, too
    reports = np.stack(
        [scale * generator.standard_normal(horizon) for scale in _SCALES] + [generator.poisson(1.0, horizon)], axis=1
    )
    noise = generator.standard_normal((size, reports.shape[1])) * [*_SCALES, 1.0]
    values, noisy = encoder @ reports, encoder @ reports + noise
    counts = decoder @ noisy
    limits = TOLERANCE * (1.0 + np.maximum(np.abs(values).max(axis=0), np.abs(counts).max(axis=0)))
    probe = _Probe(make, horizon, reports.shape[1:])
    for t in range(horizon):
        new = slice(starts[t], starts[t + 1])
        found = np.array(_encode_again(probe, reports[t], t, starts)).reshape(-1, reports.shape[1])
        if (np.abs(found - values[new]) > limits).any():
            raise CounterError(
                "linear", f"step {t + 1}: encode is not linear: sums of reports must give sums of values", t + 1
            )
        if (np.abs(probe.decode(list(noisy[new])) - counts[t]) > limits).any():
            raise CounterError(
                "linear",
                f"step {t + 1}: decode is not linear, or it reads more than the noisy values: "
                "it may use nothing that encode saw",
                t + 1,
            )


def load_counter(source: str | Path, class_name: str) -> MakeCounter:
    """The class `class_name` of a Python file or of a Python text (a `str` with a line break is a text).

    This runs the code with all your rights and without any fence: only for your own code on your own machine, never
    for code that others send to a server.

    Raises:
        CounterError: unreadable, failing, or without that class.
    """
    if isinstance(source, str) and "\n" in source:
        text, file = source, "<counter>"
    else:
        file = str(source)
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CounterError("error", f"cannot read {file}: {error}") from error
    namespace: dict[str, Any] = {"__name__": "own_counter", "__file__": file}
    try:
        exec(compile(text, file, "exec"), namespace)
    except (Exception, SystemExit) as error:
        line = error.lineno if isinstance(error, SyntaxError) else traceback.extract_tb(error.__traceback__)[-1].lineno
        raise CounterError("error", f"{file} fails in line {line}: {type(error).__name__}: {error}") from error
    found = namespace.get(class_name)
    if not isinstance(found, type):
        classes = sorted(n for n, v in namespace.items() if isinstance(v, type) and v.__module__ == "own_counter")
        raise CounterError("error", f"{file} has no class {class_name}; it has: {', '.join(classes) or 'none'}")
    return found
