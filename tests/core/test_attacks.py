"""Attacks: reference advantages, exact likelihoods by enumeration, null worlds, bounds, and broken mechanisms."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from scipy.special import ndtr

from core import attacks, calibration, counters, deniability
from core.audit_runs import run_released
from core.auditors import make_mechanism
from core.fading import Fading
from core.mechanisms import Greedy, RandomisedResponse, Tca, Uniform
from core.parameters import Parameters
from core.releases import get_release, get_released_log_ratio
from core.streams import PoissonStream, TableStream, WithReport

QUIET = {targets: TableStream(np.zeros((1, targets))) for targets in (2, 3, 5, 20, 50)}


def watch(targets, horizon, delta, runs, step=1, stream=None, seed=1, **more):
    mechanism = Tca(targets, horizon, delta)
    return attacks.watch_target(mechanism, stream or QUIET[targets], horizon, step, 0, runs, seed, **more)


def error_of(measured):
    return (measured.high - measured.low) / (2 * 1.96)


@pytest.mark.parametrize("targets, value", [(2, 0.0705254), (5, 0.0633267), (50, 0.0143)])
def test_first_decision_alone(targets, value):
    measured = attacks.measure_timing(watch(targets, 1, 0.1, 8000))
    assert measured.threshold == 1
    assert abs(measured.advantage - value) < 4 * error_of(measured)
    assert abs(measured.advantage - 0.1) > 4 * error_of(measured) or targets < 50


@pytest.mark.parametrize("targets, low, high", [(2, 0.038, 0.060), (20, 0.040, 0.062)])
def test_first_audit_attack_takes_about_half_of_delta(targets, low, high):
    measured = attacks.measure_timing(watch(targets, 60, 0.1, 20_000, until_audited=True))
    assert low - 4 * error_of(measured) < measured.advantage < high + 4 * error_of(measured)
    assert measured.advantage < 0.1


def test_reference_with_background():
    stream = PoissonStream(5, 0.2, 0.2)
    watched = watch(5, 50, 0.2, 6000, step=10, stream=stream, until_audited=True)
    tpr, fpr = attacks.get_timing_curve(watched)
    error = np.sqrt(0.5 / 6000)
    assert abs(tpr[2] - fpr[2] - 0.120) < 4 * error
    assert abs(tpr[2] - fpr[2] - 0.2) > 4 * error


def test_stopping_at_the_first_audit_changes_no_time():
    whole, short = (watch(5, 30, 0.2, 60, until_audited=flag) for flag in (False, True))
    for name in ("with_report", "without_report"):
        times = [attacks.get_first_audits(getattr(w, name)) for w in (whole, short)]
        assert np.array_equal(*times)


def test_worlds_without_a_difference_give_nothing():
    """Null worlds: no report at all (0 reports), every attack's interval holds 0."""
    nothing = watch(5, 30, 0.2, 4000, reports=0)
    scores = attacks.get_first_audit_scores(nothing)
    for measured in (
        attacks.measure_timing(nothing),
        attacks.measure_counts(nothing, 20),
        attacks.judge(0.0, scores[0] > 0, scores[1] > 0),
    ):
        assert measured.low - 0.02 <= 0 <= measured.high + 0.02
    blind = attacks.watch_target(Uniform(5), QUIET[5], 30, 3, 0, 4000, 1)
    assert abs(attacks.measure_timing(blind).advantage) < 4 * error_of(attacks.measure_timing(blind))


@pytest.mark.parametrize("targets, horizon, delta", [(2, 10, 0.5), (5, 40, 0.2), (20, 40, 0.1)])
@pytest.mark.parametrize("background", [0.0, 0.3])
def test_no_window_beats_the_gaussian_bound(targets, horizon, delta, background):
    runs = 3000
    stream = PoissonStream(targets, background, background)
    watched = watch(targets, horizon, delta, runs, step=3, stream=stream, until_audited=True)
    tpr, fpr = attacks.get_timing_curve(watched)
    error = np.sqrt((tpr * (1 - tpr) + fpr * (1 - fpr)) / runs)
    bound = deniability.get_tpr_gaussian(fpr, calibration.get_mu(delta))
    assert np.all(tpr <= bound + 4 * error + 1e-9)
    assert np.all(tpr - fpr <= delta + 4 * error)


@pytest.mark.parametrize("k", [3])
def test_repeated_reports_leak_more_but_stay_below_their_bound(k):
    one, many = (attacks.measure_timing(watch(5, 20, 0.1, 6000, reports=n, until_audited=True)) for n in (1, k))
    assert many.advantage > one.advantage
    assert many.advantage < deniability.get_k_reports_delta(0.1, k) + 4 * error_of(many)


def enumerate_ratio(p_rand, table, step, target):
    """Log likelihood ratio of every record of a small stream, by the definition of the mechanism."""
    horizon, targets = table.shape
    more = table.copy()
    more[step - 1, target] += 1
    ratios = {}
    for record in product(range(targets), repeat=horizon):
        chances = []
        for reports in (more, table):
            counts, chance = np.zeros(targets), 1.0
            for t, audited in enumerate(record):
                counts = counts + reports[t]
                leaders = np.flatnonzero(counts == counts.max())
                chance *= p_rand / targets + (1 - p_rand) * (audited in leaders) / len(leaders)
                counts[audited] = 0
            chances.append(chance)
        ratios[record] = chances
    return ratios


@pytest.mark.parametrize("mechanism", [RandomisedResponse(3, 4, 0.5, "race"), Greedy(3), Uniform(3)])
def test_likelihood_ratios_against_enumeration(mechanism):
    table = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
    p_rand = attacks.get_lot_share(mechanism)
    chances = enumerate_ratio(p_rand, table, 2, 2)
    exact = sum(abs(a - b) for a, b in chances.values()) / 2
    runs = 8000
    ratios = attacks.run_likelihood_attack(mechanism, TableStream(table), 4, 2, 2, runs, 3)
    estimate, error = ratios.advantage
    assert abs(estimate - exact) <= 4 * error + 1e-12
    allowed = {round(np.log(a / b), 9) for a, b in chances.values() if a > 0 and b > 0}
    assert {round(x, 9) for x in ratios.with_report if np.isfinite(x)} <= allowed
    measured = attacks.measure_scores(ratios.with_report, ratios.without_report)
    assert abs(measured.advantage - exact) < 4 * error_of(measured)


@pytest.mark.parametrize("p_rand", [0.0, 0.7, 0.99, 1.0])
def test_quiet_advantage_against_enumeration(p_rand):
    chances = enumerate_ratio(p_rand, np.zeros((4, 3)), 2, 1)
    exact = sum(abs(a - b) for a, b in chances.values()) / 2
    assert attacks.get_quiet_advantage(p_rand, 3, 3) == pytest.approx(exact, abs=1e-12)


def test_tca_has_no_closed_form_likelihood():
    with pytest.raises(ValueError, match="no closed-form"):
        attacks.run_likelihood_attack(Tca(3, 5, 0.1), QUIET[3], 5, 1, 0, 5, 1)


def test_white_box_is_above_the_record_and_within_delta():
    mechanism = Tca(2, 40, 0.2)
    ratios = attacks.run_white_box(mechanism, QUIET[2], 40, 1, 0, 8000, 1)
    estimate, error = ratios.advantage
    record = attacks.measure_timing(watch(2, 40, 0.2, 8000, until_audited=True))
    assert record.advantage < estimate + 4 * error_of(record)
    assert estimate < 0.2 + 4 * error
    measured = attacks.measure_scores(ratios.with_report, ratios.without_report)
    assert abs(measured.advantage - estimate) < 4 * error_of(measured)


def test_white_box_reaches_delta_where_the_target_is_never_audited():
    """With one competitor far ahead at every step the target's counter lives to the horizon."""
    table = np.zeros((30, 2))
    table[:, 1] = 500
    ratios = attacks.run_white_box(Tca(2, 30, 0.2), TableStream(table), 30, 1, 0, 8000, 1)
    estimate, error = ratios.advantage
    assert abs(estimate - 0.2) < 4 * error


def test_white_box_of_the_fading_tally_is_that_of_its_own_releases():
    """Without a run of the auditor the same scores as from what a real one released; and delta for ever."""
    mechanism = Fading(3, 0.3)
    ratios = attacks.run_white_box(mechanism, QUIET[3], 80, 1, 2, 4000, 5)
    values, audited = run_released(mechanism, WithReport(QUIET[3], 1, 2), 80, 2, range(20), 5, False)
    scores = get_released_log_ratio(get_release(mechanism, 80), values, audited)
    assert ratios.with_report[:20] == pytest.approx(scores)
    estimate, error = ratios.advantage
    assert abs(estimate - 0.3) < 4 * error


@dataclass(frozen=True)
class HalfNoise(Tca):
    """Deliberately broken: half the noise the budget asks for."""

    @property
    def noise_scale(self):
        return super().noise_scale / 2


class _Reusing(counters.ToeplitzNoise):
    def restart(self, audited):
        pass


def whitened_attack(kind, scale, horizon, report_steps, runs=20_000):
    """Advantage of the likelihood-ratio attack on one counter's outputs whose count is 1 at `report_steps`."""
    f = counters.get_coefficients(horizon)
    decoder = np.array([[f[i - j] if i >= j else 0.0 for j in range(horizon)] for i in range(horizon)])
    shift = np.linalg.solve(decoder, np.isin(np.arange(1, horizon + 1), report_steps).astype(float)) / scale
    rates = []
    for world, told in enumerate((0.0, 1.0)):
        source = counters.SeededNormals([np.random.default_rng([7, world])])
        bank = kind(source, 1, runs, scale, horizon)
        noise = []
        for step in range(1, horizon + 1):
            noise.append(bank.step()[0].copy())
            if step == max(report_steps):
                bank.restart(np.array([0]))
        score = np.linalg.solve(decoder, np.array(noise)).T / scale @ shift + told * (shift @ shift)
        rates.append((score > shift @ shift / 2).mean())
    return rates[1] - rates[0], np.sqrt(sum(r * (1 - r) for r in rates) / runs)


def test_half_the_noise_is_detected():
    delta = 0.2
    ratios = attacks.run_white_box(HalfNoise(2, 30, delta), TableStream(np.tile([0, 500], (30, 1))), 30, 1, 0, 5000, 1)
    estimate, error = ratios.advantage
    assert estimate > delta + 4 * error


def test_noise_reused_after_a_restart_is_detected():
    """The count falls back to 0 at an audit while the old noise runs on: the fall itself is a second look."""
    delta, horizon = 0.2, 60
    scale = calibration.get_noise_scale(delta, horizon)
    advantage, error = whitened_attack(_Reusing, scale, horizon, np.arange(1, 31))
    assert advantage > delta + 4 * error


def test_a_horizon_overrun_is_detected():
    delta, planned, run = 0.2, 3, 300
    scale = calibration.get_noise_scale(delta, planned)
    advantage, error = whitened_attack(counters.ToeplitzNoise, scale, run, np.arange(1, run + 1), 10_000)
    exact = 2 * ndtr(counters.get_sensitivity(run) / scale / 2) - 1
    assert abs(advantage - exact) < 4 * error
    assert advantage > delta + 4 * error


def test_curves_and_judgement_by_hand():
    fpr, tpr = attacks.get_roc(np.array([3, 2, 2, 1]), np.array([1, 1, 2, 0]))
    assert fpr.tolist() == [0, 0, 0.25, 0.75, 1]
    assert tpr.tolist() == [0, 0.25, 0.75, 1, 1]
    measured = attacks.judge(2, np.array([True, True, False, True]), np.array([False, False, True, False]))
    assert (measured.tpr.share, measured.fpr.share, measured.advantage) == (0.75, 0.25, 0.5)
    assert measured.low < 0.5 < measured.high
    assert attacks.get_first_audits(np.array([[False, True], [False, False], [True, True]])).tolist() == [1, 2, 0]


def test_the_interval_covers():
    """Newcombe's interval holds the true difference in about 95 of 100 measurements, not in 80."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        alarms = [rng.random(150) < rate for rate in (0.3, 0.2)]
        measured = attacks.judge(0, *alarms)
        held += measured.low <= 0.1 <= measured.high
    assert 0.95 - 4 * np.sqrt(0.05 * 0.95 / 1000) < held / 1000 < 0.985


def test_runs_for_a_width():
    runs = attacks.get_runs_for_width(0.1, 0.01)
    measured = attacks.judge(0, np.arange(runs) < 0.55 * runs, np.arange(runs) < 0.45 * runs)
    assert error_of(measured) * 1.96 == pytest.approx(0.01, rel=0.05)


@pytest.mark.parametrize("step, target", [(0, 0), (6, 0), (1, 5)])
def test_impossible_reports_are_refused(step, target):
    for mechanism, call in ((Uniform(5), attacks.run_likelihood_attack), (Tca(5, 5, 0.1), attacks.run_white_box)):
        with pytest.raises(ValueError, match="must lie between"):
            call(mechanism, QUIET[5], 5, step, target, 5, 1)
    with pytest.raises(ValueError, match="must lie between"):
        attacks.watch_target(make_mechanism("rota", Parameters(targets=5)), QUIET[5], 5, step, target, 5, 1)
