"""What is left of the promise when practice departs from the plan."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import calibration, counters, deniability
from core.boundary import NO_NUMBER, Practice, get_remainder, get_reused_sensitivity


def test_the_plan_keeps_its_promise():
    left = get_remainder(0.1, 100, Practice(audits=100, noisy_counts_leaked=True))
    assert (left.delta, left.broken_by) == (pytest.approx(0.1), ())


@given(st.integers(1, 20), st.floats(0.005, 0.95))
def test_more_reports_are_the_known_bound(k, delta):
    left = get_remainder(delta, 50, Practice(reports=k))
    assert left.delta == pytest.approx(deniability.get_k_reports_delta(delta, k))


def test_horizon_overrun():
    left = get_remainder(0.2, 3, Practice(audits=300))
    assert left.mu == pytest.approx(counters.get_sensitivity(300) / calibration.get_noise_scale(0.2, 3))
    assert left.delta > 0.2 and left.broken_by == ("audits",)


@pytest.mark.parametrize("horizon", [1, 2, 7, 40])
def test_reused_noise_by_the_matrix(horizon):
    f = counters.get_coefficients(horizon)
    decoder = np.array([[f[i - j] if i >= j else 0.0 for j in range(horizon)] for i in range(horizon)])
    boxes = [np.where(np.arange(horizon) < m, 1.0, 0.0) for m in range(1, horizon + 1)]
    largest = max(np.linalg.norm(np.linalg.solve(decoder, box)) for box in boxes)
    assert get_reused_sensitivity(horizon) == pytest.approx(largest)


def test_reused_noise_costs_more():
    left = get_remainder(0.1, 60, Practice(noise_reused=True))
    assert left.delta > 0.1 and left.broken_by == ("noise_reused",)


@pytest.mark.parametrize("name", NO_NUMBER)
def test_where_no_number_applies_none_is_given(name):
    left = get_remainder(0.1, 60, Practice(**{name: True}))
    assert (left.mu, left.delta, left.broken_by) == (None, None, (name,))
