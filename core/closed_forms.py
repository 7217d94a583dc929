"""Closed forms that only explain: what an exact value grows like."""

from __future__ import annotations

import numpy as np


def get_sensitivity_estimate(terms: int) -> float:
    """M_T from M_T^2 = (ln T + gamma + 4 ln 2) / pi - 1 / (4 pi T), T >= 1; relative error 2.5e-9 at T = 1000."""
    if terms < 1:
        raise ValueError(f"terms must be at least 1, got {terms}")
    square = (np.log(terms) + np.euler_gamma + 4.0 * np.log(2.0)) / np.pi - 1.0 / (4.0 * np.pi * terms)
    return float(np.sqrt(square))
