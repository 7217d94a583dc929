"""Exact mis-selection against reference values, Monte Carlo and bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from core import calibration, utility
from core.auditors import make_mechanism
from core.mechanisms import Tca, Uniform
from core.parameters import Parameters
from core.simulation import run_transcript
from core.streams import PoissonStream, make_static_gap_stream

GAPS_100 = [0, 1, 2, 4, 8, 16, 32, 64]
GAPS_1000 = [0, 1, 2, 4, 8, 16, 32, 64, 128]
REFERENCE = [
    (100, 5, GAPS_100, [0.8, 0.776, 0.751, 0.696, 0.573, 0.321, 0.041, 0.000], 5e-4),
    (100, 50, GAPS_100, [0.98, 0.975, 0.969, 0.954, 0.906, 0.722, 0.197, 0.000], 5.1e-4),
    (1000, 5, GAPS_1000, [0.8, 0.78163, 0.76233, 0.72115, 0.63000, 0.43095, 0.12058, 0.00095, 0], 5.1e-6),
    (1000, 50, GAPS_1000, [0.98, 0.97627, 0.97199, 0.96147, 0.93097, 0.82002, 0.41736, 0.00832, 0], 5.1e-6),
]
targets_s, sd_s, gap_s = st.integers(2, 500), st.floats(0.01, 1000), st.floats(0, 500)


@pytest.mark.parametrize("length, targets, gaps, values, tolerance", REFERENCE)
def test_reference_values(length, targets, gaps, values, tolerance):
    sd = calibration.get_count_sd(0.1, length, length)
    assert utility.get_misselection(gaps, targets, sd) == pytest.approx(values, abs=tolerance)


@given(targets_s, sd_s)
def test_without_a_lead_all_are_equal(targets, sd):
    assert utility.get_misselection(0, targets, sd) == pytest.approx((targets - 1) / targets, abs=1e-12)


@given(gap_s, sd_s)
def test_two_targets_have_a_closed_form(gap, sd):
    assert utility.get_misselection(gap, 2, sd) == pytest.approx(ndtr(-gap / sd / np.sqrt(2)), abs=1e-12)


@given(gap_s, targets_s, sd_s)
def test_exact_value_lies_under_the_union_bound_and_falls_with_the_gap(gap, targets, sd):
    exact = utility.get_misselection([gap, gap + 1], targets, sd)
    assert exact[1] <= exact[0] + 1e-12
    assert np.all(exact <= utility.get_union_bound([gap, gap + 1], targets, sd) + 1e-12)


@pytest.mark.parametrize("gap, targets, sd", [(0, 5, 3.0), (16, 50, 13.0), (30, 500, 8.0)])
def test_monte_carlo_agrees_and_would_notice_half_the_noise(gap, targets, sd):
    measured = utility.simulate_misselection(gap, targets, sd, 20_000, 3)
    exact = float(utility.get_misselection(gap, targets, sd))
    error = np.sqrt(exact * (1 - exact) / 20_000)
    assert abs(measured.share - exact) < 4 * error
    assert measured.low <= measured.share <= measured.high
    if gap:
        assert abs(measured.share - float(utility.get_misselection(gap, targets, sd / 2))) > 4 * error


@given(st.floats(1e-6, 0.49), targets_s, sd_s)
def test_gap_for_error_inverts(error, targets, sd):
    gap = utility.get_gap_for_error(error, targets, sd)
    assert utility.get_misselection(gap, targets, sd) == pytest.approx(error, rel=1e-6)


def test_gap_for_error_at_its_ends():
    assert utility.get_gap_for_error(0.8, 5, 3.0) == 0
    for error in (0, 0.81, 1e-300):
        with pytest.raises(ValueError, match="error must"):
            utility.get_gap_for_error(error, 5, 3.0)


def test_baselines():
    assert utility.get_greedy_misselection([0, 1], 5).tolist() == [0.8, 0]
    assert utility.get_rr_misselection([0, 1], 5, 0.5).tolist() == [0.8, 0.4]
    assert utility.get_uniform_misselection(4) == 0.75
    assert utility.get_theorem_2_floor(50, 0.1) == pytest.approx(0.98 - 0.1)
    assert utility.get_theorem_2_floor(2, 0.9) == 0
    with pytest.raises(ValueError, match="targets"):
        utility.get_misselection(1, 1, 1.0)
    with pytest.raises(ValueError, match="count_sd"):
        utility.get_union_bound(1, 2, 0.0)


@given(st.integers(0, 50), st.integers(1, 50))
def test_wilson_interval_holds_the_share(successes, more):
    share = utility.get_share(successes, successes + more)
    assert 0 <= share.low <= share.share + 1e-15 and share.share <= share.high + 1e-15 <= 1 + 2e-15


def test_wilson_interval_reference():
    share = utility.get_share(10, 100)
    assert (share.low, share.high) == pytest.approx((0.0552, 0.1744), abs=1e-4)


def test_theorem_6_at_run_length_1_is_the_union_bound():
    p = Parameters(targets=4, horizon=1, run_length=1, delta=0.3)
    mechanism = make_mechanism("tca", p)
    run = run_transcript(mechanism, make_static_gap_stream(4, 3), 1, 1)
    bound = utility.get_theorem_6_bound(run, mechanism.noise_scale)
    assert bound == pytest.approx([utility.get_union_bound(3, 4, mechanism.noise_scale)])


def test_misses_do_not_exceed_theorem_6_on_average():
    mechanism = Tca(10, 60, 0.6)
    stream = PoissonStream(10, 3.0, 0.1)
    runs = [run_transcript(mechanism, stream, 60, 7, run) for run in range(150)]
    margins = [utility.get_theorem_6_bound(r, mechanism.noise_scale).mean() - (~r.hit).mean() for r in runs]
    error = np.std(margins, ddof=1) / np.sqrt(len(margins))
    assert np.mean(margins) > -4 * error
    # with half the noise scale the same sum is no bound any more: the check can fail
    wrong = [utility.get_theorem_6_bound(r, mechanism.noise_scale / 20).mean() - (~r.hit).mean() for r in runs]
    assert np.mean(wrong) < np.mean(margins)


def test_theorem_6_needs_counters():
    run = run_transcript(Uniform(3), PoissonStream(3, 1, 1), 5, 1)
    with pytest.raises(ValueError, match="noisy counters"):
        utility.get_theorem_6_bound(run, 1.0)
