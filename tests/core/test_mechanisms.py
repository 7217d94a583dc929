"""Auditors: guarantees, determinism, independence of one another, and their laws by brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import calibration
from core.adversary import run_audits
from core.auditors import MECHANISMS, NAMES, make_mechanism
from core.counters import HorizonError
from core.mechanisms import Greedy, RandomisedResponse, Rota, Tca, Uniform
from core.parameters import Parameters
from core.simulation import run_ensemble, run_transcript
from core.streams import PoissonStream, TableStream, make_stream

SMALL = Parameters(targets=6, horizon=80, run_length=80, delta=0.2)


def law(reports, p_rand):
    """Exact distribution of the records of (p_rand 0) greedy, (1) uniform and randomised response, by enumeration."""
    horizon, targets = len(reports), len(reports[0])
    chances = {}
    for record in product(range(targets), repeat=horizon):
        counts, chance = np.zeros(targets), 1.0
        for t, audited in enumerate(record):
            counts = counts + reports[t]
            leaders = np.flatnonzero(counts == counts.max())
            chance *= p_rand / targets + (1 - p_rand) * (audited in leaders) / len(leaders)
            counts[audited] = 0
        chances[record] = chance
    return chances


def total_variation(one, other):
    return sum(abs(one[record] - other[record]) for record in one) / 2


def neighbours(horizon, targets, most=1):
    """All pairs of small streams that differ in one report."""
    for cells in product(range(most + 1), repeat=horizon * targets):
        table = np.reshape(cells, (horizon, targets))
        for cell in range(horizon * targets):
            more = table.copy()
            more[cell // targets, cell % targets] += 1
            yield table, more


def records_of(mechanism, table, runs, seed=0):
    return run_audits(mechanism, TableStream(table), len(table), range(runs), seed)


@pytest.mark.parametrize("name", NAMES)
def test_every_mechanism_states_its_guarantee(name):
    guarantee = make_mechanism(name, SMALL).guarantee()
    assert guarantee.theorem
    assert guarantee.holds == (name != "greedy")
    expected = {"greedy": 1 - 1 / 6, "uniform": 0.0, "rota": 0.0}.get(name, 0.2)
    assert guarantee.delta == pytest.approx(expected)
    assert guarantee.horizon == (80 if name in ("tca", "rr") else None)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="one of tca"):
        make_mechanism("best", SMALL)


@pytest.mark.parametrize("name", ["tca", "rr"])
def test_refuses_a_horizon_beyond_its_guarantee(name):
    with pytest.raises(HorizonError):
        make_mechanism(name, SMALL).start(0, [0], 81)


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_transcript_and_another_seed_another(name):
    mechanism, stream = make_mechanism(name, SMALL), make_stream(SMALL)
    one, two, other = (run_transcript(mechanism, stream, 80, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.audits, two.audits)
    assert name == "rota" or not np.array_equal(one.audits, other.audits)


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_is_a_run_of_the_ensemble(name):
    mechanism, stream = make_mechanism(name, SMALL), make_stream(SMALL)
    ensemble = run_ensemble(mechanism, stream, 80, 5, 9)
    for run in (0, 4):
        assert np.array_equal(ensemble.deficit[run], run_transcript(mechanism, stream, 80, 9, run).deficit)


def test_settings_of_one_mechanism_leave_the_others_alone():
    before = {name: run_transcript(make_mechanism(name, SMALL), make_stream(SMALL), 80, 3).audits for name in NAMES}
    changed = Parameters(targets=6, horizon=80, run_length=80, delta=0.5, rr_calibration="race")
    for name in ("greedy", "uniform", "rota"):
        after = run_transcript(make_mechanism(name, changed), make_stream(changed), 80, 3).audits
        assert np.array_equal(before[name], after)
    reports = [run_transcript(make_mechanism(name, SMALL), make_stream(SMALL), 80, 3).reports for name in NAMES]
    assert all(np.array_equal(reports[0], other) for other in reports)


def test_normals_are_drawn_once_and_rescaled():
    small, large = (run_transcript(Tca(6, 80, delta), TableStream(np.zeros((1, 6))), 80, 3) for delta in (0.1, 0.2))
    ratio = calibration.get_fast_noise_scale(0.1, 80) / calibration.get_fast_noise_scale(0.2, 80)
    assert small.noise == pytest.approx(large.noise * ratio)
    assert np.array_equal(small.audits, large.audits)


def test_coins_are_drawn_once_and_compared_with_p():
    stream = make_stream(SMALL)
    often, seldom = (run_transcript(RandomisedResponse(6, 80, d, "race"), stream, 80, 3).audits for d in (0.6, 0.005))
    lots = run_transcript(RandomisedResponse(6, 80, 1e-9, "race"), stream, 80, 3).audits
    assert (seldom == lots).mean() >= (often == lots).mean()
    assert (often != lots).any()


def test_fast_and_exact_counters_give_the_same_transcript():
    stream = PoissonStream(5, 1.0, 0.2)
    fast, exact = (run_transcript(Tca(5, 1000, 0.1, exact=flag), stream, 1000, 4) for flag in (False, True))
    assert np.array_equal(fast.audits, exact.audits)
    assert fast.noise == pytest.approx(exact.noise, abs=1e-4)


def test_tca_audits_the_largest_noisy_count():
    run = run_transcript(make_mechanism("tca", SMALL), make_stream(SMALL), 80, 3)
    assert np.array_equal((run.active + run.noise).argmax(axis=1), run.audits)


def test_rota_takes_turns_and_uniform_ignores_reports():
    assert run_transcript(Rota(4), TableStream(np.eye(4)), 9, 0).audits.tolist() == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    quiet, loud = (run_transcript(Uniform(4), TableStream(np.full((1, 4), n)), 50, 1).audits for n in (0, 9))
    assert np.array_equal(quiet, loud)


def test_greedy_follows_and_breaks_ties_evenly():
    assert run_transcript(Greedy(3), TableStream([[0, 2, 1], [0, 0, 0], [3, 0, 0]]), 3, 0).audits.tolist() == [1, 2, 0]
    first = records_of(Greedy(4), np.array([[1, 1, 0, 1]]), 6000)[:, 0]
    shares = np.bincount(first, minlength=4) / 6000
    assert shares[2] == 0
    assert np.abs(shares[[0, 1, 3]] - 1 / 3).max() < 4 * np.sqrt(2 / 9 / 6000)


@pytest.mark.parametrize(
    "mechanism, p_rand",
    [(Greedy(3), 0.0), (Uniform(3), 1.0), (RandomisedResponse(3, 3, 0.3, "race"), None)],
    ids=["greedy", "uniform", "rr"],
)
def test_records_follow_the_enumerated_law(mechanism, p_rand):
    p_rand = mechanism.p_rand if p_rand is None else p_rand
    table = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 2]])
    runs = 20_000
    exact = law(table, p_rand)
    codes = records_of(mechanism, table, runs) @ [9, 3, 1]
    seen = np.bincount(codes, minlength=27) / runs
    chances = np.array([exact[record] for record in product(range(3), repeat=3)])
    assert chances.sum() == pytest.approx(1)
    assert np.all(seen[chances == 0] == 0)
    assert np.all(np.abs(seen - chances) <= 4.5 * np.sqrt(chances * (1 - chances) / runs))


def test_brute_force_leak_of_randomised_response_stays_below_every_bound():
    worst = max(total_variation(law(a, 0.9), law(b, 0.9)) for a, b in neighbours(3, 2))
    bounds = calibration.get_rr_delta(0.9, 2, 3)
    assert bounds["floor"] <= worst <= bounds["race"] < min(bounds["proposition-14"], bounds["proposition-16"])


def test_brute_force_leak_at_the_reference_size():
    pairs = [(a, b) for a, b in neighbours(3, 3) if a.sum() <= 1]
    worst = max(total_variation(law(a, 0.9), law(b, 0.9)) for a, b in pairs)
    bounds = calibration.get_rr_delta(0.9, 3, 3)
    assert worst <= bounds["race"]
    assert (bounds["race"], bounds["proposition-14"]) == pytest.approx((0.196, 0.271))


def test_brute_force_leak_of_greedy_and_uniform():
    zero, one = np.zeros((2, 3)), np.array([[0, 1, 0], [0, 0, 0]])
    assert total_variation(law(zero, 0.0), law(one, 0.0)) >= 1 - 1 / 3
    assert total_variation(law(zero, 1.0), law(one, 1.0)) == 0


@given(st.sampled_from(MECHANISMS), st.integers(2, 12), st.integers(1, 60), st.integers(0, 2**31 - 1))
def test_any_size_runs(name, targets, horizon, seed):
    p = Parameters(targets=targets, horizon=horizon, run_length=1, seed=seed)
    run = run_transcript(make_mechanism(name, p), make_stream(p), horizon, seed)
    assert ((run.audits >= 0) & (run.audits < targets)).all()
    assert (run.deficit >= 0).all()
    assert run.audits.shape == run.deficit.shape == (horizon,)
