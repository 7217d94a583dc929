"""Private continual counters: coefficients, sensitivity, streaming noise and restart (paper, section 6).

| here | paper | meaning |
|---|---|---|
| `coefficients` | f_k | first column of the Toeplitz square root of the prefix-sum matrix |
| `sensitivity` | M_T | largest column norm of the encoder |
| `noise_scale` | sigma | standard deviation of each fresh normal z |

A counter's output at run length L (steps since its restart, L >= 1) is the count plus sum_{k<L} f_k z_{L-k}. One
stream of normals a target, over global time, is enough: after a restart at step tau only normals later than tau are
read, and those were never used before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
BLOCK = 16
"""Steps whose noise is made with one matrix product: small enough to stay in the processor's cache."""


class HorizonError(ValueError):
    """A counter was asked for more steps than its noise was calibrated for."""


def get_coefficients(terms: int) -> Array:
    """The Toeplitz square-root coefficients f_0 .. f_{terms-1}, shape (terms,).

    f_k = C(2k, k) / 4^k, so that conv(f, f) = 1, 1, 1, ... (Fichtenberger et al. 2023, Lemma 1; paper, section 6.2).
    The running product is accurate to 2e-15; the log-gamma form loses three digits.
    """
    if terms < 1:
        raise ValueError(f"terms must be at least 1, got {terms}")
    k = np.arange(1, terms)
    return np.concatenate([[1.0], np.cumprod(1.0 - 1.0 / (2.0 * k))])


def get_sensitivity(terms: int) -> float:
    """M_T = sqrt(sum_{k<T} f_k^2), the largest column norm of the Toeplitz encoder (paper, Lemma in section 6.2)."""
    return float(np.linalg.norm(get_coefficients(terms)))


@cache
def _tables() -> list[dict[str, list[float]]]:
    return json.loads((Path(__file__).parent / "exponentials.json").read_text())["tables"]


@cache
def get_exponentials(terms: int) -> tuple[Array, Array]:
    """Decay factors and weights, shape (d,) each, with f_k ~ sum_j weight_j * factor_j^k for 1 <= k < `terms`.

    From f_k = (1/pi) * integral_0^1 x^k / sqrt(x (1-x)) dx: a positive sum of exponentials. Relative error below 1e-6.

    Raises:
        HorizonError: more terms than the longest fitted table.
    """
    for table in _tables():
        if terms <= table["terms"]:  # type: ignore[operator]
            return np.exp(-np.asarray(table["rate"])), np.asarray(table["weight"])
    raise HorizonError(f"the exponential tables reach {_tables()[-1]['terms']:,} steps, asked for {terms:,}")


def get_fast_coefficients(terms: int) -> Array:
    """The coefficients that the fast counter really uses, shape (terms,): f_0 = 1, then the sum of exponentials."""
    if terms < 1:
        raise ValueError(f"terms must be at least 1, got {terms}")
    factors, weights = get_exponentials(terms)
    return np.concatenate([[1.0], np.power.outer(factors, np.arange(1, terms)).T @ weights])


def get_encoder(decoder: Array) -> Array:
    """First column of the encoder B^-1 A for a lower-triangular Toeplitz decoder B with first column `decoder`.

    A is the prefix-sum matrix. Solved by forward substitution; shapes (terms,) -> (terms,). Raises ValueError where
    the decoder starts with 0.
    """
    if decoder[0] == 0:
        raise ValueError("the decoder's first coefficient must not be 0")
    encoder = np.empty_like(decoder)
    reverse = decoder[::-1]
    for k in range(len(decoder)):
        encoder[k] = (1.0 - encoder[:k] @ reverse[len(decoder) - 1 - k : len(decoder) - 1]) / decoder[0]
    return encoder


@cache
def get_fast_sensitivity(terms: int) -> float:
    """Largest column norm of the encoder that belongs to `get_fast_coefficients`: what privacy is calibrated on.

    Ours: an approximation is made exactly private by its own sensitivity, here within 1e-7 of M_T.
    """
    return float(np.linalg.norm(get_encoder(get_fast_coefficients(terms))))


class NormalSource(Protocol):
    """Where a counter's standard normals come from."""

    def fill(self, out: Array) -> None:
        """Fill `out`, shape (runs, steps, targets), with the next `steps` of every run."""


class SeededNormals:
    """One generator a run: run r's normals do not depend on how many other runs there are, nor on block sizes."""

    def __init__(self, generators: Sequence[np.random.Generator]) -> None:
        self._generators = generators

    def fill(self, out: Array) -> None:
        """See `NormalSource`."""
        for generator, rows in zip(self._generators, out, strict=True):
            if rows.flags.c_contiguous:
                generator.standard_normal(out=rows)
            else:
                rows[:] = generator.standard_normal(rows.shape)


class ToeplitzNoise:
    """Noise of runs x targets Toeplitz counters, a step at a time, by sums of exponentials.

    Each counter keeps d running sums instead of its whole past, so that a step costs O(d) whatever its age; steps are
    made in blocks with one matrix product. What it computes is exactly a Toeplitz counter with the coefficients
    `get_fast_coefficients`, and `sensitivity` is that counter's own.

    Args:
        source: the standard normals.
        runs, targets: shape of the bank.
        noise_scale: sigma, standard deviation of each normal, >= 0.
        horizon: number of steps; one more raises `HorizonError`.
        block: steps made at once; changes speed, never a number beyond rounding.
        longest: steps that one instance may live where the caller restarts it in time, else the horizon.
    """

    def __init__(
        self,
        source: NormalSource,
        runs: int,
        targets: int,
        noise_scale: float,
        horizon: int,
        block: int = BLOCK,
        longest: int | None = None,
    ) -> None:
        self._source = source
        self._horizon = horizon
        self._block = block
        self._scale = noise_scale
        self._step = 0
        self._row = block
        self._runs = np.arange(runs)
        factors, weights = get_exponentials(max(longest or horizon, 1))
        self._depth = len(factors)
        ages = np.arange(1, block + 1)
        lower = np.tril_indices(block)
        coefficients = get_fast_coefficients(block)
        read = np.zeros((block, self._depth + block))
        read[:, : self._depth] = np.power.outer(factors, ages).T * weights
        read[lower[0], self._depth + lower[1]] = coefficients[lower[0] - lower[1]]
        self._read = read * noise_scale
        self._keep = np.zeros((self._depth, self._depth + block))
        self._keep[:, : self._depth] = np.diag(factors**block)
        self._keep[:, self._depth :] = np.power.outer(factors, np.arange(block)[::-1])
        # the sums stand above the block's normals, so that one product reads both
        self._memory = np.zeros((runs, self._depth + block, targets))
        self._noise = np.empty((runs, block, targets))

    @property
    def noise(self) -> Array:
        """Noise on every count at the newest step, shape (runs, targets)."""
        return self._noise[:, self._row]

    @property
    def fresh(self) -> Array:
        """The part of `noise` that the newest normals add, shape (runs, targets)."""
        return self._memory[:, self._depth + self._row] * self._scale

    def step(self) -> Array:
        """Go one step on and return the noise, shape (runs, targets); the array is reused by later steps.

        Raises:
            HorizonError: past the horizon, where the guarantee would no longer hold.
        """
        if self._step >= self._horizon:
            raise HorizonError(
                f"the counter was calibrated for {self._horizon:,} steps and refuses step {self._step + 1:,}"
            )
        self._step += 1
        self._row += 1
        if self._row >= self._block:
            self._fill()
        return self._noise[:, self._row]

    def restart(self, audited: NDArray[np.intp]) -> None:
        """Restart the counter of target `audited[r]` in every run r, after the newest step."""
        used = self._depth + self._row + 1
        later = self._row + 1
        if len(self._runs) == 1:
            target = audited[0]
            column = self._memory[0, :, target]
            column[:used] = 0.0
            self._noise[0, later:, target] = self._read[later:, used:] @ column[used:]
            return
        self._memory[self._runs, :used, audited] = 0.0
        unused = self._memory[self._runs, used:, audited]
        self._noise[self._runs, later:, audited] = unused @ self._read[later:, used:].T

    def _fill(self) -> None:
        if self._step > 1:
            self._memory[:, : self._depth] = self._keep @ self._memory
        self._row = 0
        left = min(self._block, self._horizon - self._step + 1)
        self._source.fill(self._memory[:, self._depth : self._depth + left])
        np.matmul(self._read, self._memory, out=self._noise)


class ExactToeplitzNoise:
    """The same noise by plain convolution with f over every counter's whole past: the reference for `ToeplitzNoise`.

    Costs O(age) a step and keeps every normal, so it is for short horizons and for tests.
    """

    def __init__(
        self,
        source: NormalSource,
        runs: int,
        targets: int,
        noise_scale: float,
        horizon: int,
        block: int = BLOCK,
        longest: int | None = None,
    ) -> None:
        self._source = source
        self._horizon = horizon
        self._scale = noise_scale
        self._coefficients = get_coefficients(max(horizon, 1))
        self._past = np.zeros((runs, horizon, targets))
        self._runs = np.arange(runs)
        self._step = 0

    @property
    def fresh(self) -> Array:
        """See `ToeplitzNoise.fresh`."""
        return self._past[:, self._step - 1] * self._scale

    def step(self) -> Array:
        """See `ToeplitzNoise.step`."""
        if self._step >= self._horizon:
            raise HorizonError(
                f"the counter was calibrated for {self._horizon:,} steps and refuses step {self._step + 1:,}"
            )
        self._step += 1
        self._source.fill(self._past[:, self._step - 1 : self._step])
        self.noise = self._scale * np.tensordot(
            self._coefficients[: self._step][::-1], self._past[:, : self._step], (0, 1)
        )
        return self.noise

    def restart(self, audited: NDArray[np.intp]) -> None:
        """See `ToeplitzNoise.restart`."""
        self._past[self._runs, : self._step, audited] = 0.0


class ToeplitzCounter:
    """One private counter fed a report count at a time, as the paper defines it: exact, O(age) a step.

    Args:
        noise_scale: sigma of each normal, >= 0; see `core.calibration.get_noise_scale`.
        horizon: steps an instance may live.
        generator: source of its normals.
    """

    def __init__(self, noise_scale: float, horizon: int, generator: np.random.Generator) -> None:
        self._scale = noise_scale
        self._generator = generator
        self._coefficients = get_coefficients(horizon)
        self.restart()

    def restart(self) -> None:
        """Start a new instance: count 0, age 0, no normal of the past is read again."""
        self._normals: list[float] = []
        self._count = 0

    def step(self, reports: int) -> float:
        """Add `reports` and return the noisy count. Raises `HorizonError` past the horizon."""
        age = len(self._normals)
        if age >= len(self._coefficients):
            raise HorizonError(f"the counter was calibrated for {age:,} steps and refuses step {age + 1:,}")
        self._normals.append(float(self._generator.standard_normal()))
        self._count += reports
        return self._count + self._scale * float(self._coefficients[: age + 1][::-1] @ np.asarray(self._normals))
