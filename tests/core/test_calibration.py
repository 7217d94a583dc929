"""Reference values of the paper's Table 3, ends of the range, and independent libraries."""

import math

import numpy as np
import pytest
import riskcal.analysis
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss
from hypothesis import given
from hypothesis import strategies as st

from core import calibration, counters

TABLE_3 = [
    (100, 0.05, 12.686207140895174, 0.999487198584),
    (100, 0.10, 6.3305956368842235, 0.998946949690),
    (100, 0.20, 3.1400050139879226, 0.997771052288),
    (1000, 0.05, 14.407788214339782, 0.999948708021),
    (1000, 0.10, 7.1896887851395541, 0.999894645035),
    (1000, 0.20, 3.5661192294164170, 0.999776881343),
]
deltas = st.floats(1e-6, 1 - 1e-6)


@pytest.mark.parametrize("horizon, delta, noise_scale, p_rand", TABLE_3)
def test_table_3(horizon, delta, noise_scale, p_rand):
    assert calibration.get_noise_scale(delta, horizon) == pytest.approx(noise_scale, rel=1e-12)
    assert calibration.get_p_rand("paper-experiments", delta, 50, horizon) == pytest.approx(p_rand, abs=1e-12)


@pytest.mark.parametrize(
    "delta, mu", [(0.05, 0.12541355588642757), (0.1, 0.25132269371014808), (0.2, 0.5066942062715996)]
)
def test_mu_reference_values(delta, mu):
    assert calibration.get_mu(delta) == pytest.approx(mu, rel=1e-13)


@given(deltas)
def test_delta_inverts_mu(delta):
    assert calibration.get_delta(calibration.get_mu(delta)) == pytest.approx(delta, rel=1e-9)


@given(deltas)
def test_mu_agrees_with_riskcal(delta):
    assert riskcal.analysis.get_advantage_from_gdp(calibration.get_mu(delta)) == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize("horizon", [1, 26, 1000])
@pytest.mark.parametrize("delta", [0.005, 0.1, 0.95])
def test_noise_scale_agrees_with_dp_accounting(horizon, delta):
    sensitivity = counters.get_sensitivity(horizon)
    loss = GaussianPrivacyLoss(calibration.get_noise_scale(delta, horizon), sensitivity=sensitivity)
    assert loss.get_delta_for_epsilon(0.0) == pytest.approx(delta, rel=1e-10)


@pytest.mark.parametrize("horizon", [1, 100, 1000, 10_000])
def test_fast_noise_scale_never_gives_away_more(horizon):
    exact, fast = calibration.get_noise_scale(0.1, horizon), calibration.get_fast_noise_scale(0.1, horizon)
    assert fast == pytest.approx(exact, rel=1e-7)
    column = np.linalg.norm(counters.get_encoder(counters.get_fast_coefficients(horizon))) / fast
    assert calibration.get_delta(float(column)) <= 0.1 * (1 + 1e-12)


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, 1.5, math.nan])
def test_ends_of_delta_are_refused(delta):
    for call in (calibration.get_kappa, calibration.get_mu, lambda d: calibration.get_noise_scale(d, 10)):
        with pytest.raises(ValueError, match="strictly between 0 and 1"):
            call(delta)


@given(deltas, st.integers(2, 500), st.integers(1, 10_000))
def test_every_rule_meets_its_own_bound_and_stays_above_the_floor(delta, targets, horizon):
    bound = {"paper-experiments": "proposition-14", "horizon-free": "proposition-16", "race": "race"}
    floor = calibration.get_p_rand("theorem-2-floor", delta, targets, horizon)
    for rule, name in bound.items():
        p_rand = calibration.get_p_rand(rule, delta, targets, horizon)
        assert calibration.get_rr_delta(p_rand, targets, horizon)[name] <= delta * (1 + 1e-6) + 1e-12
        assert floor - 1e-12 <= p_rand <= 1


@given(st.floats(0.01, 1.0), st.integers(2, 500), st.integers(1, 10_000))
def test_race_bound_is_below_both_of_the_papers(p_rand, targets, horizon):
    bounds = calibration.get_rr_delta(p_rand, targets, horizon)
    assert bounds["floor"] - 1e-12 <= bounds["race"]
    assert bounds["race"] <= min(bounds["proposition-14"], bounds["proposition-16"]) + 1e-12


def test_the_papers_calibration_is_the_weakest_at_its_own_setting():
    exploit = {r: 1 - calibration.get_p_rand(r, 0.1, 50, 1000) for r in ("paper-experiments", "horizon-free")}
    assert exploit["horizon-free"] / exploit["paper-experiments"] == pytest.approx(19, abs=0.1)
    short = {r: 1 - calibration.get_p_rand(r, 0.05, 200, 100) for r in ("paper-experiments", "horizon-free")}
    assert short["paper-experiments"] > short["horizon-free"]


def test_count_sd_takes_age_and_horizon_apart():
    assert calibration.get_count_sd(0.1, 1000, 100) == pytest.approx(11.44, abs=0.005)
    assert calibration.get_count_sd(0.1, 100, 100) == pytest.approx(10.07, abs=0.005)
    for length in (0, 101):
        with pytest.raises(ValueError, match="between 1 and horizon"):
            calibration.get_count_sd(0.1, 100, length)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="rule must be one of"):
        calibration.get_p_rand("none", 0.1, 5, 5)
    with pytest.raises(ValueError, match="at least 2 targets"):
        calibration.get_p_rand("race", 0.1, 1, 5)
    with pytest.raises(ValueError, match="p_rand"):
        calibration.get_rr_delta(1.5, 5, 5)
    with pytest.raises(ValueError, match="mu must not be negative"):
        calibration.get_delta(-1.0)
