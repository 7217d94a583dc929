"""Inversions against forward computation, and delays against what must hold."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core import calibration, deniability, planning, utility
from core.mechanisms import Greedy, Rota, Tca, Uniform
from core.planning import Plan, Wishes
from core.streams import PoissonStream

deltas = st.floats(0.005, 0.95)


@given(deltas, st.floats(0.05, 0.95))
def test_success_inverts(delta, prior):
    success = float(deniability.get_success(delta, prior))
    assert planning.get_delta_for_success(success, prior) == pytest.approx(delta, rel=1e-6)


@given(st.floats(0.01, 0.6), st.floats(0.01, 0.9), st.floats(0.02, 0.9), st.integers(1, 5))
def test_suspicion_inverts(delta, prior, false_alarm, reports):
    bound = deniability.get_k_reports_delta(delta, reports)
    mu = deniability.get_k_reports_mu(delta, reports)
    assume(bound < 0.999)
    suspicion = float(deniability.get_suspicion(prior, false_alarm, bound, mu))
    assume(prior * 1.0001 < suspicion < prior / (prior + (1 - prior) * false_alarm) * 0.9999)
    found = planning.get_delta_for_suspicion(suspicion, prior, false_alarm, reports)
    assert found == pytest.approx(delta, rel=1e-4)


@given(st.floats(0.001, 0.45), st.floats(1, 300), st.integers(2, 500), st.integers(1, 2000), st.integers(1, 2000))
def test_delta_for_error_inverts(error, gap, targets, horizon, length):
    length = min(length, horizon)
    delta = planning.get_delta_for_error(error, gap, targets, horizon, length)
    assume(1e-6 < delta < 1 - 1e-6)
    sd = calibration.get_count_sd(delta, horizon, length)
    assert utility.get_misselection(gap, targets, sd) == pytest.approx(error, rel=1e-4)


@given(st.floats(0.01, 0.45), st.floats(1, 200), st.integers(2, 200), deltas)
def test_horizon_for_error_is_the_longest(error, gap, targets, delta):
    horizon = planning.get_horizon_for_error(error, gap, targets, delta)
    if horizon >= 1:
        sd = calibration.get_count_sd(delta, horizon, horizon)
        assert utility.get_misselection(gap, targets, sd) <= error + 1e-9
    if horizon < 10_000:
        sd = calibration.get_count_sd(delta, horizon + 1, horizon + 1)
        assert utility.get_misselection(gap, targets, sd) > error - 1e-9


@given(st.floats(0.5, 0.999), deltas)
def test_reports_for_success_is_the_largest(success, delta):
    k = planning.get_reports_for_success(success, delta)
    if k >= 1:
        assert deniability.get_k_reports_delta(delta, k) <= 2 * success - 1 + 1e-7
    assert deniability.get_k_reports_delta(delta, k + 1) > 2 * success - 1 - 1e-9


@pytest.mark.parametrize(
    "call",
    [
        lambda: planning.get_delta_for_success(0.5),
        lambda: planning.get_delta_for_success(1.1),
        lambda: planning.get_delta_for_suspicion(0.05, 0.1, 0.1),
        lambda: planning.get_delta_for_suspicion(0.9, 0.1, 0.5),
        lambda: planning.get_delta_for_error(0.1, 0, 5, 10, 10),
        lambda: planning.get_reports_for_success(0.4, 0.1),
        lambda: planning.get_reports_for_success(1.0, 0.1),
    ],
)
def test_impossible_wishes_are_refused(call):
    with pytest.raises(ValueError):
        call()


def test_plan_in_the_channels_units():
    plan = Plan(targets=20, audits_a_year=52, years=5, problem_reports=26, usual_reports=5.2)
    assert plan.horizon == 260
    assert plan.rates == (0.5, 0.1)


def test_delays_of_auditors_that_ignore_reports():
    stream = PoissonStream(5, 1.0, 0.2)
    rota = planning.simulate_delays(Rota(5), stream, 40, 200, 1, head_start=12)
    assert set(rota.steps.tolist()) == {4}
    lots = planning.simulate_delays(Uniform(5), stream, 200, 3000, 1)
    error = np.sqrt(20 / 3000)
    assert abs(lots.mean - 5) < 4 * error
    assert lots.within(0.5)[0] in (3, 4)


def test_greedy_finds_a_loud_organisation_sooner_than_the_noisy_tally():
    stream = PoissonStream(20, 2.0, 0.05)
    greedy = planning.simulate_delays(Greedy(20), stream, 300, 400, 1)
    tally = planning.simulate_delays(Tca(20, 300, 0.1), stream, 300, 400, 1)
    assert greedy.mean < tally.mean < planning.simulate_delays(Uniform(20), stream, 300, 400, 1).mean
    assert (tally.reports >= 0).all() and tally.within(0.95)[0] >= tally.within(0.5)[0]


def test_never_is_one_more_than_the_horizon():
    late = planning.simulate_delays(Uniform(50), PoissonStream(50, 0, 0), 3, 200, 1)
    assert late.steps.max() == 4


# --- a policy-maker's wishes -----------------------------------------------------------------------------------------
def wish(solve="delta", plan=None, **more):
    values = {"people": 10, "factor": 1.8, "false_alarm": 0.1, "reports": 1, "error": 0.05, "lead": 32.0, "budget": 0.1}
    return Wishes(plan or Plan(50, 52, 5, 52, 5), solve=solve, **{**values, **more})


@given(st.sampled_from(["delta", "lead", "horizon"]), st.integers(2, 300), st.floats(1.1, 5), st.integers(1, 8))
def test_budget_keeps_the_tolerated_suspicion(way, people, factor, reports):
    w = wish(way, people=people, factor=factor, reports=reports)
    s = planning.solve(w)
    assert w.prior < w.tolerated < 1
    assert s.suspicion == pytest.approx(w.tolerated, rel=1e-6)
    sd = calibration.get_count_sd(s.delta, s.horizon, s.horizon)
    assert utility.get_misselection(s.lead, 50, sd) == pytest.approx(w.error, rel=1e-4)


def test_one_in_ten_to_one_in_six():
    assert wish().tolerated == pytest.approx(1 / 6)
    s = planning.solve(wish())
    assert (s.horizon, s.obstacle) == (260, "") and s.delta == pytest.approx(0.14528, abs=1e-4)


def test_budget_for_an_error_inverts_the_lead():
    lead = planning.solve(wish("lead")).lead
    assert planning.solve(wish("error", lead=lead)).delta == pytest.approx(planning.solve(wish()).delta, rel=1e-6)


@given(st.floats(0.005, 0.9), st.floats(1.1, 9))
def test_reports_for_suspicion_is_the_largest(delta, factor):
    w = wish(factor=factor)
    k = planning.get_reports_for_suspicion(w.tolerated, w.prior, w.false_alarm, delta)
    for reports, within in ((k, True), (k + 1, False)):
        if reports:
            mu = reports * calibration.get_mu(delta)
            suspicion = float(deniability.get_suspicion(w.prior, w.false_alarm, calibration.get_delta(mu), mu))
            assert (suspicion <= w.tolerated + 1e-7) == within


@pytest.mark.parametrize(
    ("w", "obstacle", "limit"),
    [
        (wish(false_alarm=0.9), "any-budget", 1 / 6),
        (wish("reports", false_alarm=0.9), "any-budget", 1 / 6),
        (wish("error", error=0.5, plan=Plan(2, 52, 5, 52, 5)), "lots-suffice", 0.5),
        (wish("lead", error=0.99), "lots-suffice", 0.98),
        (wish("horizon", error=0.99), "lots-suffice", 0.98),
        (wish("error", lead=500.0, plan=Plan(2, 1, 1, 1, 1), error=0.4), "smallest-budget", 0.005),
        (wish("error", lead=1.0), "too-much", None),
        (wish("horizon", lead=1.0), "no-horizon", None),
        (wish("horizon", lead=300.0), "any-horizon", 10_000),
        (wish("reports", budget=0.5), "no-reports", 0.14528),
    ],
)
def test_impossible_wishes_say_what_is_allowed(w, obstacle, limit):
    s = planning.solve(w)
    assert s.obstacle == obstacle and 0.005 <= s.delta <= 0.95 and s.horizon >= 1
    if limit is not None:
        assert s.limit == pytest.approx(limit, abs=1e-4)
    if obstacle == "too-much":
        assert planning.solve(wish("error", lead=s.limit * 1.0001)).obstacle == ""
    if obstacle == "no-horizon":
        assert planning.solve(wish("horizon", lead=s.limit * 1.0001)).horizon == 1


def test_long_plans_are_cut():
    plan = Plan(50, 365, 50, 52, 5)
    assert (plan.horizon, plan.covered, planning.solve(wish(plan=plan)).horizon) == (18_250, 10_000, 10_000)
    assert plan.months(365) == 12


@pytest.mark.parametrize(
    ("delta", "down", "up"),
    [(0.1453, 0.145, 0.15), (0.1, 0.1, 0.1), (0.003, None, 0.005), (0.99, 0.95, None), (0.95, 0.95, 0.95)],
)
def test_budgets_are_rounded_to_the_table(delta, down, up):
    assert planning.round_delta(delta) == down and planning.round_delta(delta, up=True) == up


def test_chance_curves():
    rota, lots = (planning.get_blind_chance(name, 4, 8) for name in ("rota", "uniform"))
    np.testing.assert_allclose(rota, [0, 0.25, 0.5, 0.75, 1, 1, 1, 1, 1])
    np.testing.assert_allclose(lots, 1 - 0.75 ** np.arange(9))
    assert planning.get_mean_wait(rota) == 2.5
    assert (planning.get_wait(rota, 0.5), planning.get_wait(lots, 0.95)) == (2, None)
    with pytest.raises(ValueError):
        planning.get_blind_chance("greedy", 4, 8)


def test_simulated_chance_matches_the_exact_one():
    found = planning.simulate_delays(Uniform(5), PoissonStream(5, 1.0, 0.2), 30, 2000, 1)
    exact, chance = planning.get_blind_chance("uniform", 5, 30), found.chance()
    assert np.abs(chance - exact).max() < 4 * 0.5 / np.sqrt(2000)
    assert planning.get_mean_wait(chance) == pytest.approx(found.mean)
    low, high = found.chance_band([5, 10])
    assert (low < chance[[5, 10]]).all() and (chance[[5, 10]] < high).all()
    assert found.never == pytest.approx(1 - chance[-1]) and found.mean_se > 0
    assert found.later_than(found) == (0.0, 0.0)
