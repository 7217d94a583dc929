"""How each mechanism's released values hide a report: the white box of an audit.

Every release here is Gaussian and linear, so the best attack on it is known: the likelihood ratio along the shift that
a report makes, computed from the released values themselves under the noise that the mechanism claims.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular
from scipy.signal import fftconvolve

from .counter_kinds import get_decoder_coefficients, get_factorisation
from .counters import Array, get_coefficients, get_encoder, get_fast_coefficients
from .fading import Fading
from .fading_alert import FadingAlert
from .mechanisms import Mechanism, Tca
from .reduction import CounterAudit
from .tca_bank import TcaBank

_COLUMNS = 500


@dataclass(frozen=True)
class Release:
    """How a mechanism's released values for one target hide a report: values = known + response + sigma B normals.

    Attributes:
        response: what one report at step 1 adds to the released values of each step, (T,).
        decoder: B, lower triangular: its first column (T,) where it is Toeplitz, else (T, T).
        noise_scale: sigma.
        restarts: whether an audit of the target ends all that its earlier reports do to the released values.
    """

    response: Array
    decoder: Array
    noise_scale: float
    restarts: bool

    def whiten(self, values: Array) -> Array:
        """B^-1 values / sigma, (T, S): independent normals again where `values` is the noise alone."""
        if self.decoder.ndim == 2:
            return solve_triangular(self.decoder, values, lower=True) / self.noise_scale
        inverse = np.diff(get_encoder(self.decoder), prepend=0.0)
        return fftconvolve(values, inverse[:, None], axes=0)[: len(values)] / self.noise_scale

    @property
    def shift(self) -> Array:
        """What the report adds to the whitened values, in standard deviations, (T,); its norm is the mu of T steps."""
        return self.whiten(self.response[:, None])[:, 0]


def get_release(mechanism: Mechanism, steps: int) -> Release | None:
    """How `mechanism` says it releases values over `steps` steps; None where it releases its audits alone.

    The one place that knows: a new mechanism that releases values adds its case here.
    """
    white = np.zeros(steps)
    white[0] = 1.0
    if isinstance(mechanism, Tca):
        coefficients = get_coefficients if mechanism.exact else get_fast_coefficients
        return Release(np.ones(steps), coefficients(steps), mechanism.noise_scale, True)
    if isinstance(mechanism, CounterAudit):
        return Release(np.ones(steps), _get_decoder(mechanism, steps), mechanism.noise_scale, True)
    if isinstance(mechanism, TcaBank):
        column = mechanism.coefficients[:steps]
        return Release(np.pad(column, (0, steps - len(column))), white, mechanism.noise_scale, True)
    if isinstance(mechanism, Fading | FadingAlert):
        scale = mechanism.noise_scale
        return Release(mechanism.get_column(steps) * scale, white, scale, False)
    return None


def _get_decoder(mechanism: CounterAudit, steps: int) -> Array:
    counter = mechanism.counter
    if isinstance(counter, str) and counter != "tree":
        return get_decoder_coefficients(counter, mechanism.horizon)[:steps]
    counter = get_factorisation(counter, mechanism.horizon) if isinstance(counter, str) else counter
    # the counts alone are released, so any square root of their covariance will do
    return np.linalg.cholesky((counter.decoder @ counter.decoder.T)[:steps, :steps]).astype(float)


def get_released_log_ratio(release: Release, values: Array, audited: NDArray[np.bool_]) -> Array:
    """Log likelihood ratio, (S,), of what was released up to the target's first audit (for ever without restarts).

    Args:
        values: released values less the known reports, (T, S).
        audited: whether the target was audited, (T, S).
    """
    shift = release.shift[:, None]
    over = np.zeros_like(audited)
    if release.restarts:
        over[1:] = np.logical_or.accumulate(audited)[:-1]
    scores = np.empty(values.shape[1])
    for first in range(0, len(scores), _COLUMNS):
        part = slice(first, first + _COLUMNS)
        terms = shift * release.whiten(values[:, part]) - shift**2 / 2.0
        scores[part] = np.where(over[:, part], 0.0, terms).sum(axis=0)
    return scores
