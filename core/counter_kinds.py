"""The counters of the house, written to the contract of `core.linear.Counter`, with what each costs.

| kind | what is made noisy | sensitivity | noise on the count at age L, in units of sigma |
|---|---|---|---|
| `toeplitz` | reports filtered by f | M_T | M_L |
| `buffered-3`, `-4`, `-5` | reports filtered by B^-1 A | its own, measured | norm of the first L coefficients |
| `tree` | sums over blocks of 1, 2, 4, ... steps | sqrt(floor(log2 T) + 1) | sqrt(ones in L written in binary) |
| `independent` | each step's reports | 1 | sqrt(L) |
| `output` | each published count | sqrt(T) | 1 |

Every kind draws one normal a step. All but the tree have a Toeplitz decoder whose coefficients are 1 and then a sum of
d exponentials: none for `output`, one that never fades for `independent`, 3 to 5 for `buffered` (Dvijotham et al.
2024), as many as it takes for `toeplitz`. So each keeps d running sums and costs O(d) a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from .calibration import get_kappa, get_mu
from .counters import Array, get_coefficients, get_encoder, get_exponentials, get_fast_sensitivity
from .linear import Factorisation, MakeCounter, measure_counter

KINDS = ("toeplitz", "buffered-5", "buffered-4", "buffered-3", "tree", "independent", "output")
"""All kinds, in the order in which they are shown."""
_POINTS = 60


def check_kind(kind: str) -> None:
    """Raises ValueError for what is not one of `KINDS`."""
    if kind not in KINDS:
        raise ValueError(f"counter must be one of {', '.join(KINDS)}, got {kind!r}")


@cache
def get_buffers(buffers: int, terms: int) -> tuple[Array, Array]:
    """Decay factors and weights, shape (buffers,) each, with f_k ~ sum_j weight_j factor_j^k for 1 <= k < `terms`.

    Least squares of the relative error at lags evenly spaced in log k, because f_k^2 ~ 1 / (pi k) gives every octave of
    lags the same share of M_T. Rates and weights are fitted as logarithms, so both stay positive. The start is the
    trapezium rule for f_k ~ (1/pi) integral sqrt(r) e^(-rk) d(log r). Deterministic.
    """
    # only this fit needs SciPy: a simulation runs on NumPy alone
    from scipy.optimize import least_squares

    lags = np.unique(np.geomspace(1, max(terms - 1, 1), _POINTS).round())
    wanted = get_coefficients(max(terms, 2))[lags.astype(int)]
    rates = np.geomspace(1.0 / max(terms, 4), 1.5, buffers)
    weights = np.sqrt(rates) * np.log(rates[1] / rates[0]) / np.pi

    def terms_of(logs: Array) -> Array:
        return np.exp(logs[buffers:] - np.outer(lags, np.exp(logs[:buffers]))) / wanted[:, None]

    def jacobian(logs: Array) -> Array:
        parts = terms_of(logs)
        return np.hstack([-np.outer(lags, np.exp(logs[:buffers])) * parts, parts])

    start = np.log(np.concatenate([rates, weights]))
    best = least_squares(lambda logs: terms_of(logs).sum(axis=1) - 1.0, start, jacobian, x_scale="jac", max_nfev=100).x
    return np.exp(-np.exp(best[:buffers])), np.exp(best[buffers:])


def get_sums(kind: str, horizon: int) -> tuple[Array, Array]:
    """Decay factors and weights, shape (d,) each, of the running sums of any kind but `tree`."""
    check_kind(kind)
    if kind == "toeplitz":
        return get_exponentials(horizon)
    if kind == "independent":
        return np.ones(1), np.ones(1)
    if kind == "output":
        return np.empty(0), np.empty(0)
    if kind == "tree":
        raise ValueError("the tree is no sum of exponentials")
    return get_buffers(int(kind.removeprefix("buffered-")), horizon)


def get_decoder_coefficients(kind: str, horizon: int) -> Array:
    """First column of the Toeplitz decoder of any kind but `tree`, shape (horizon,): 1, then the sum."""
    factors, weights = get_sums(kind, horizon)
    return np.concatenate([[1.0], np.power.outer(factors, np.arange(1, horizon)).T @ weights])


class SumCounter:
    """A Toeplitz counter whose decoder has the coefficients 1, then sum_j weight_j factor_j^k.

    Encoding undoes the decoder on the true counts: y_t = s_t - sum_{k>=1} b_k y_{t-k}.
    """

    def __init__(self, kind: str, horizon: int) -> None:
        self.sensitivity = get_sensitivity(kind, horizon)
        self._factors, self._weights = get_sums(kind, horizon)
        self._count: Array | float = 0.0
        self._past: Array | None = None
        self._noisy: Array | None = None

    def _mix(self, past: Array | None) -> Array | float:
        return 0.0 if past is None else np.tensordot(self._weights, past, 1)

    def _fade(self, past: Array | None, new: Array) -> Array:
        factors = self._factors.reshape((-1,) + (1,) * np.ndim(new))
        return factors * (new if past is None else past + new)

    def encode(self, reports: Array) -> Sequence[ArrayLike]:
        """See `Counter.encode`."""
        self._count = self._count + reports
        value = self._count - self._mix(self._past)
        self._past = self._fade(self._past, value)
        return [value]

    def decode(self, noisy: list[Array]) -> ArrayLike:
        """See `Counter.decode`."""
        count = noisy[0] + self._mix(self._noisy)
        self._noisy = self._fade(self._noisy, noisy[0])
        return count


class TreeCounter:
    """The binary tree: step t publishes the sum of the last 2^v steps, 2^v the largest power of 2 that divides t.

    A count is the sum of the blocks that the ones of t in binary name. Blocks that no count will ever read (right
    children) are not published, so a step makes one value; a report is in at most floor(log2 T) + 1 of them.
    """

    def __init__(self, horizon: int) -> None:
        self.sensitivity = get_sensitivity("tree", horizon)
        self._step = 0
        self._open: list[Array | float] = [0.0] * horizon.bit_length()
        self._noisy: list[Array | float] = [0.0] * horizon.bit_length()

    def encode(self, reports: Array) -> Sequence[ArrayLike]:
        """See `Counter.encode`."""
        self._step += 1
        self._level = (self._step & -self._step).bit_length() - 1
        block = reports + sum(self._open[: self._level])
        self._open[: self._level + 1] = [0.0] * self._level + [block]
        return [block]

    def decode(self, noisy: list[Array]) -> ArrayLike:
        """See `Counter.decode`."""
        self._noisy[: self._level + 1] = [0.0] * self._level + [noisy[0]]
        return sum(self._noisy, 0.0)


def get_counter(kind: str) -> MakeCounter:
    """The class of a kind, to be called with the horizon."""
    check_kind(kind)
    return TreeCounter if kind == "tree" else partial(SumCounter, kind)


@lru_cache(maxsize=16)
def get_factorisation(kind: str, horizon: int) -> Factorisation:
    """The matrices of a kind, measured by impulses as anyone's class; horizon up to `core.linear.LARGEST_HORIZON`."""
    return measure_counter(get_counter(kind), horizon, kind)


@cache
def get_sensitivity(kind: str, horizon: int) -> float:
    """Sensitivity of a kind over T steps, see the table above; no matrix is made.

    `toeplitz` and `buffered`: norm of the first column of B^-1 A, the later ones being cut-off copies of it.
    """
    check_kind(kind)
    if kind == "toeplitz":
        return get_fast_sensitivity(horizon)
    if kind == "tree":
        return float(np.sqrt(horizon.bit_length()))
    if kind in ("independent", "output"):
        return 1.0 if kind == "independent" else float(np.sqrt(horizon))
    return float(np.linalg.norm(get_encoder(get_decoder_coefficients(kind, horizon))))


@dataclass(frozen=True, eq=False)
class Profile:
    """What a counter needs and gives over T steps.

    Attributes:
        name: its kind, or the name of the reader's class.
        horizon: T.
        sensitivity: what its noise is calibrated on.
        spread: sd of the noise on the count at ages 1 .. T, in units of sigma, (T,).
        memory: numbers that one counter keeps from step to step: its count, and the noise that will be read again.
            Sums of exponentials 1 + d; tree 1 + floor(log2 T) + 1; a reader's class, in matrix form, 1 + N. (By plain
            convolution `toeplitz` would keep 1 + T; d = 15 to 27 sums are within 1e-6 of it.)
        cost: multiplications that make the noise on one count, once its normals are drawn: 1 by sigma, and 2 for each
            sum whose factor or weight is not 1 (`toeplitz`, `buffered`); the tree only adds. In matrix form: 1 and the
            longest row of the decoder.
    """

    name: str
    horizon: int
    sensitivity: float
    spread: Array
    memory: int
    cost: int

    def get_noise_scale(self, delta: float) -> float:
        """sigma = sensitivity / mu, in reports: sd of each normal."""
        return self.sensitivity / get_mu(delta)

    def get_count_sd(self, delta: float) -> Array:
        """sd of the noise on the count at ages 1 .. T, in reports, (T,)."""
        return self.get_noise_scale(delta) * self.spread


def get_profile(counter: str | Factorisation, horizon: int) -> Profile:
    """The profile of a kind, by formula, or of a reader's counter, from its matrices.

    Raises:
        ValueError: an unknown kind, a horizon below 1, or matrices for another horizon.
    """
    if isinstance(counter, str):
        if horizon < 1:
            raise ValueError(f"horizon must be at least 1, got {horizon}")
        return _get_kind_profile(counter, horizon)
    if counter.horizon != horizon:
        raise ValueError(f"{counter.name} was measured over {counter.horizon:,} steps, not over {horizon:,}")
    spread = np.linalg.norm(counter.decoder, axis=1)
    cost = int((counter.decoder != 0).sum(axis=1).max())
    return Profile(counter.name, horizon, counter.claimed, spread, 1 + len(counter.encoder), 1 + cost)


@cache
def _get_kind_profile(kind: str, horizon: int) -> Profile:
    sensitivity = get_sensitivity(kind, horizon)
    if kind == "tree":
        spread = np.sqrt(np.bitwise_count(np.arange(1, horizon + 1)).astype(float))
        return Profile(kind, horizon, sensitivity, spread, 1 + horizon.bit_length(), 1)
    spread = np.sqrt(np.cumsum(get_decoder_coefficients(kind, horizon) ** 2))
    sums = len(get_sums(kind, horizon)[0])
    return Profile(kind, horizon, sensitivity, spread, 1 + sums, 1 if sums < 2 else 1 + 2 * sums)


def get_covariance(counter: Factorisation, delta: float) -> Array:
    """Covariance of the noise on the counts of one instance, sigma^2 B B^T in reports squared, (T, T)."""
    scale = counter.claimed / get_mu(delta)
    return scale**2 * (counter.decoder @ counter.decoder.T)


def get_naive_count_sd(delta: float, horizon: int) -> float:
    """sd of fresh noise on each count where each of T publications gets delta / T: 1 / (2 kappa(delta / T)).

    Adding up deltas wastes most of them: this grows like T, while `output`, the same mechanism accounted as one
    Gaussian release, grows like sqrt(T).
    """
    return 1.0 / (2.0 * get_kappa(delta / horizon))


def get_growth(delta: float, horizons: Iterable[int], kinds: Sequence[str] = KINDS) -> dict[str, Array]:
    """Largest sd of the noise on a count at any age, in reports, for each kind and each T, shape (horizons,).

    With the further key `naive`, see `get_naive_count_sd`. No matrix is made: T may be 10,000.
    """
    steps = [int(horizon) for horizon in horizons]
    growth = {kind: np.array([get_profile(kind, T).get_count_sd(delta).max() for T in steps]) for kind in kinds}
    return {**growth, "naive": np.array([get_naive_count_sd(delta, T) for T in steps])}
