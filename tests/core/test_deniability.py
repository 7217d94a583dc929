"""Trade-off curves, suspicion, repeated reports: reference values, libraries and limits."""

import numpy as np
import pytest
import riskcal.analysis
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from core import calibration, deniability
from core.mechanisms import Greedy, RandomisedResponse, Tca, Uniform

deltas, priors, rates = st.floats(0.005, 0.95), st.floats(0.001, 0.999), st.floats(0.001, 1.0)
MU = calibration.get_mu(0.1)


def test_theorem_1():
    assert deniability.get_advantage(0.1, 0.5) == pytest.approx(0.05)
    assert deniability.get_success(0.1, 0.5) == pytest.approx(0.55)
    assert deniability.get_success(0.1, 0.1) == pytest.approx(0.91)


@given(deltas, priors)
def test_no_test_on_the_gaussian_curve_beats_theorem_1(delta, prior):
    fpr = np.linspace(0, 1, 501)
    tpr = deniability.get_tpr_gaussian(fpr, calibration.get_mu(delta))
    success = prior * tpr + (1 - prior) * (1 - fpr)
    assert success.max() <= deniability.get_success(delta, prior) + 1e-9


def test_false_negative_rates_at_delta_one_tenth():
    reference = [0.98100792, 0.91827041, 0.8485488, 0.60760345, 0.40078247]
    rates = [0.01, 0.05, 0.1, 0.3, 0.5]
    # the reference was taken at a library's calibrated mu, 1.6e-6 below the closed form
    assert 1 - deniability.get_tpr_gaussian(rates, 1 / 3.9789544871212486) == pytest.approx(reference, abs=6e-9)
    assert 1 - deniability.get_tpr_gaussian(rates, MU) == pytest.approx(reference, abs=2e-7)


@given(deltas)
def test_the_curve_touches_the_delta_line_once(delta):
    mu = calibration.get_mu(delta)
    touch = deniability.get_touching_fpr(mu)
    assert deniability.get_tpr_gaussian(touch, mu) - touch == pytest.approx(delta, rel=1e-9)
    fpr = np.linspace(0, 1, 400)
    assert np.all(deniability.get_tpr_gaussian(fpr, mu) <= deniability.get_tpr_delta_line(fpr, delta) + 1e-9)


@given(rates, deltas)
def test_gaussian_curve_agrees_with_riskcal(fpr, delta):
    mu = calibration.get_mu(delta)
    assert 1 - deniability.get_tpr_gaussian(fpr, mu) == pytest.approx(
        riskcal.analysis.get_beta_from_gdp(mu, fpr), abs=1e-9
    )


def test_profile_reference_values():
    profile = deniability.get_delta_profile([0, 0.1, 0.25, 0.5, 1], MU)
    assert profile == pytest.approx([0.1, 0.0608455, 0.0238463, 0.0028008, 3.226e-6], rel=2e-4)


@given(st.floats(0, 3), deltas)
def test_profile_agrees_with_dp_accounting(epsilon, delta):
    mu = calibration.get_mu(delta)
    expected = GaussianPrivacyLoss(1 / mu).get_delta_for_epsilon(epsilon)
    assert deniability.get_delta_profile(epsilon, mu) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_profile_without_a_leak_and_far_out():
    assert deniability.get_delta_profile([0, 1], 0.0).tolist() == [0, 0]
    assert deniability.get_delta_profile(500.0, MU) == 0


@pytest.mark.parametrize("k, same", [(3, 0.2938), (5, 0.470), (8, 0.6852), (10, 0.791)])
def test_repeated_reports_about_one_target(k, same):
    assert deniability.get_k_reports_delta(0.1, k) == pytest.approx(same, abs=5e-4)


def test_repeated_reports_about_different_targets():
    assert deniability.get_k_reports_delta(0.1, 10, same_target=False) == pytest.approx(0.309, abs=5e-4)


@given(deltas, st.integers(1, 50))
def test_gaussian_bounds_for_repeats_are_ordered(delta, k):
    different = deniability.get_k_reports_delta(delta, k, same_target=False)
    same = deniability.get_k_reports_delta(delta, k)
    assert delta - 1e-12 <= different <= same + 1e-12 <= deniability.get_composed_delta(delta, k) + 2e-12


def test_known_filing_steps():
    scale = calibration.get_noise_scale(0.1, 50)
    assert deniability.get_known_steps_mu([1], 50, scale) == pytest.approx(MU)
    assert deniability.get_known_steps_mu([1, 1, 1], 50, scale) == pytest.approx(3 * MU)
    spread = deniability.get_known_steps_mu([1, 20, 40], 50, scale)
    assert MU < spread < 3 * MU
    with pytest.raises(ValueError, match="between 1 and horizon"):
        deniability.get_known_steps_mu([0], 50, scale)


@given(priors, rates, deltas)
def test_suspicion_rises_but_stays_within_bounds(prior, rate, delta):
    mu = calibration.get_mu(delta)
    line, gaussian = (deniability.get_suspicion(prior, rate, delta, m) for m in (None, mu))
    assert prior - 1e-12 <= gaussian <= line + 1e-12 <= 1 + 2e-12


def test_suspicion_by_hand():
    expected = 0.1 * 0.15145119 / (0.1 * 0.15145119 + 0.9 * 0.1)
    assert deniability.get_suspicion(0.1, 0.1, 0.1, MU) == pytest.approx(expected, rel=1e-5)
    assert deniability.get_suspicion(0.1, 0.1, 0.1) == pytest.approx(0.02 / 0.11)


def test_planning_for_repeats():
    assert deniability.get_delta_for_repeats(0.05, 2) == pytest.approx(0.05)


@pytest.mark.parametrize(
    "call",
    [
        lambda: deniability.get_advantage(0.1, 1.5),
        lambda: deniability.get_tpr_gaussian(-0.1, 1.0),
        lambda: deniability.get_delta_profile(-1, 1.0),
        lambda: deniability.get_suspicion(0.1, 0.0, 0.1),
        lambda: deniability.get_k_reports_mu(0.1, 0),
        lambda: deniability.get_composed_delta(0.1, 0),
    ],
)
def test_impossible_arguments_are_refused(call):
    with pytest.raises(ValueError, match="must"):
        call()


def test_gaussian_curve_at_its_ends():
    assert deniability.get_tpr_gaussian([0, 1], 0.3).tolist() == [0, 1]
    assert deniability.get_tpr_gaussian(0.3, 0.0) == pytest.approx(0.3)
    assert deniability.get_touching_fpr(MU) == pytest.approx(ndtr(-MU / 2))


@given(priors, rates, deltas)
def test_suspicion_floor_mirrors_the_ceiling(prior, rate, delta):
    mu = calibration.get_mu(delta)
    least = deniability.get_suspicion_floor(prior, rate, delta, mu)
    assert 0 <= least <= prior + 1e-12
    # an event and its opposite are judged by the same curve
    if rate < 1:
        fpr = 1 - rate
        miss = 1 - np.minimum(fpr + delta, deniability.get_tpr_gaussian(fpr, mu))
        assert least == pytest.approx(prior * miss / (prior * miss + (1 - prior) * rate), abs=1e-9)


def test_posterior_by_hand():
    assert deniability.get_posterior(0.1, 0.5, 0.1) == pytest.approx(0.05 / 0.14)
    assert deniability.get_posterior(0.1, 0.0, 0.0) == pytest.approx(0.1)
    assert deniability.get_posterior(0.1, 1.0, 0.0) == 1


@pytest.mark.parametrize("reported", [True, False])
def test_gaussian_posterior_against_drawing_it(reported):
    prior, mu = 0.2, 0.5
    x = np.random.default_rng(1).standard_normal(40_000) + (mu if reported else 0.0)
    likelihood = np.exp(mu * x - mu * mu / 2)
    suspicion = prior * likelihood / (prior * likelihood + 1 - prior)
    for y in (0.1, 0.2, 0.35):
        exact = deniability.get_gaussian_posterior_cdf(y, prior, mu, reported)
        assert abs((suspicion <= y).mean() - exact) < 4 * np.sqrt(exact * (1 - exact) / 40_000)
    assert deniability.get_gaussian_posterior_cdf([0, 1], prior, mu, reported).tolist() == [0, 1]


def test_outright_leak_has_the_same_delta_and_the_prior_on_average():
    prior, delta = 0.2, 0.1
    silent = deniability.get_outright_posterior(prior, delta)
    assert silent < prior
    assert prior * delta * 1 + (1 - prior * delta) * silent == pytest.approx(prior)


def test_bounds_of_a_guarantee():
    assert deniability.get_bounds(Tca(5, 10, 0.1).guarantee()) == pytest.approx((0.1, 0.1))
    assert deniability.get_bounds(Tca(5, 10, 0.1).guarantee(), 3) == pytest.approx((0.3, 0.2938), abs=1e-4)
    assert deniability.get_bounds(RandomisedResponse(5, 10, 0.1).guarantee(), 3) == (pytest.approx(0.3), None)
    assert deniability.get_bounds(Greedy(5).guarantee()) == (1.0, None)
    assert deniability.get_bounds(Uniform(5).guarantee(), 7) == (0.0, 0.0)
