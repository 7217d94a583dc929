"""Maximum interval, several audits a step, streams that change, unequal costs and severities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.auditors import NAMES, make_mechanism
from core.calibration import get_mu
from core.changing import JumpStream, SeverityStream, SpreadStream
from core.counters import get_sensitivity
from core.mechanisms import Deadlines, Greedy, Tca
from core.parameters import Parameters
from core.simulation import get_missed, run_ensemble
from core.streams import PoissonStream, get_reports
from core.unequal import get_weight_delta, run_unequal


def scenario(targets=5, horizon=60, **more):
    return Parameters(targets=targets, horizon=horizon, run_length=1, **more)


# --- maximum interval ------------------------------------------------------------------------------------------------
@settings(max_examples=40)
@given(st.integers(2, 9), st.integers(0, 12), st.integers(1, 3), st.integers(0, 1000))
def test_deadlines_are_met_whatever_the_scores(targets, slack, audits, seed):
    interval, audits = targets + slack, min(audits, targets - 1)
    deadlines = Deadlines(2, targets, interval)
    rng = np.random.default_rng(seed)
    last = np.full((2, targets), -1)
    for t in range(5 * interval):
        scores = deadlines.force(rng.normal(size=(2, targets)) + 100 * (np.arange(targets) == 0))
        assert (np.isinf(scores).sum(axis=1) <= audits).all(), "more deadlines than audits"
        chosen = np.argsort(-scores, axis=1, kind="stable")[:, :audits]
        deadlines.note(chosen if audits > 1 else chosen[:, 0])
        last[np.arange(2)[:, None], chosen] = t
        assert (t - last).max() < interval


def test_interval_calibrates_for_its_own_length_and_for_ever():
    mechanism = make_mechanism("tca-interval", scenario(50, 1000))
    assert mechanism.longest == 100 and mechanism.guarantee().horizon is None
    assert mechanism.noise_scale == pytest.approx(get_sensitivity(100) / get_mu(0.1), rel=1e-8)
    mechanism.start(1, [0], 5000)
    with pytest.raises(ValueError, match="at least targets"):
        make_mechanism("tca-interval", scenario(50), interval=49).start(1, [0], 10)


def test_the_shortest_interval_is_a_rota():
    mechanism = make_mechanism("tca-interval", scenario(4, 40), interval=4)
    audits = [mechanism.start(1, [0], 1)]
    active = np.zeros((1, 4))
    auditor = mechanism.start(1, [0], 20)
    audits = [int(auditor.choose(active)[0]) for _ in range(20)]
    assert audits == [0, 1, 2, 3] * 5


@pytest.mark.parametrize(("interval", "expected"), [(100, 8.64), (65, 6.66)])
def test_experiment_2_with_an_interval(interval, expected):
    ensemble = run_ensemble(Tca(50, 1000, 0.1, interval=interval), PoissonStream(50, 1.0, 0.2), 1000, 20, 3)
    assert abs(ensemble.mean_deficit - expected) < 4 * np.hypot(ensemble.mean_deficit_se, 0.03)


# --- several audits a step -------------------------------------------------------------------------------------------
@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=5), st.integers(1, 3))
def test_missed_reports_of_several_audits(active, audits):
    active = np.array(active, dtype=float)
    chosen = np.tile(np.arange(audits), (len(active), 1))
    best = -np.sort(-active, axis=1)[:, :audits].sum(axis=1)
    missed = get_missed(active, chosen if audits > 1 else chosen[:, 0])
    assert missed == pytest.approx(best - active[:, :audits].sum(axis=1))


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("rr")])
def test_more_audits_leave_fewer_open(name):
    p = scenario(6, 80, delta=0.3)
    stream = PoissonStream(6, 1.0, 0.3)
    auditor = make_mechanism(name, p, audits=3).start(2, range(4), 80)
    active = np.zeros((4, 6))
    for _ in range(12):
        active += 1.0
        chosen = auditor.choose(active)
        assert chosen.shape == (4, 3) and all(len(set(row)) == 3 for row in chosen.tolist())
        active[np.arange(4)[:, None], chosen] = 0.0
    assert run_ensemble(make_mechanism(name, p, audits=3), stream, 80, 4, 1).deficit.min() >= 0
    assert make_mechanism(name, p, audits=3).guarantee() == make_mechanism(name, p).guarantee()


def test_options_that_do_not_fit_are_refused():
    for name, options, message in (
        ("rr", {"audits": 2}, "one audit a step"),
        ("tca", {"interval": 9}, "tca-interval alone"),
        ("tca", {"audits": 5}, "between 1 and 4"),
        ("fading", {"counter": "tree"}, "goes with tca"),
        ("tca", {"counter": "tree", "audits": 2}, "one audit a step"),
        ("nobody", {}, "must be one of"),
    ):
        with pytest.raises(ValueError, match=message):
            make_mechanism(name, scenario(), **options)


def test_greedy_with_several_audits_misses_nothing():
    assert run_ensemble(Greedy(6, audits=2), PoissonStream(6, 1.0, 0.5), 50, 3, 1).deficit.max() == 0


# --- streams ---------------------------------------------------------------------------------------------------------
def test_jumps_are_where_they_are_said_to_be():
    stream = JumpStream(4, 0.1, 5.0, length=20)
    steps, targets = stream.get_jumps(7, [0, 3], 200)
    assert steps.tolist() == [21, 61, 101, 141, 181]
    for run, row in zip((0, 3), targets, strict=True):
        reports = get_reports(stream, 200, 7, run)
        for step, target in zip(steps, row, strict=True):
            assert reports[step - 1 : step + 19, target].mean() > 3.0
            assert reports[step - 21 : step - 1].mean() < 0.5
    total = np.mean([get_reports(stream, 40, 7, run)[:20].mean() for run in range(60)])
    assert abs(total - 0.1) < 4 * np.sqrt(0.1 / (60 * 20 * 4))


def test_spread_rates_have_their_mean():
    stream = SpreadStream(50, 0.2, 0.8)
    means = np.array([get_reports(stream, 50, 1, run).mean() for run in range(40)])
    assert abs(means.mean() - 0.2 * np.exp(0.32)) < 4 * means.std(ddof=1) / np.sqrt(40)


# --- unequal ---------------------------------------------------------------------------------------------------------
def test_weight_delta():
    assert get_weight_delta(0.1, 5, 5) == pytest.approx(0.1)
    assert get_weight_delta(0.1, 1, 5) == pytest.approx(0.0200505, abs=1e-6)
    assert Tca(5, 60, 0.1, weight=5).noise_scale == pytest.approx(5 * Tca(5, 60, 0.1).noise_scale)
    with pytest.raises(ValueError, match="not above the largest"):
        get_weight_delta(0.1, 6, 5)


def test_severe_reports_have_their_share_and_weight():
    reports = get_reports(SeverityStream(PoissonStream(8, 1.0, 1.0), 0.25, 4), 400, 2)
    assert abs(reports.mean() - (0.75 + 0.25 * 4)) < 4 * np.sqrt((0.75 + 0.25 * 16) / reports.size)
    plain = get_reports(PoissonStream(8, 1.0, 1.0), 400, 2)
    assert ((reports - plain) % 3 == 0).all() and (reports >= plain).all()


def test_an_eye_to_cost_answers_more_per_cost():
    bills = run_unequal(scenario(10, 150, delta=0.3), 0.1, 3, 4.0, 40)
    assert bills["greedy"].missed == 0
    assert bills["rota"].cost == pytest.approx(2.5)
    assert bills["tca-costs"].cost < bills["tca"].cost - 4 * bills["tca"].cost_se
    gain = bills["tca-costs"].found - bills["tca"].found
    assert gain > 4 * np.hypot(bills["tca-costs"].found_se, bills["tca"].found_se)
