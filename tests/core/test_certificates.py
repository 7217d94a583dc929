"""Certified statements: closed forms, the frontier, and false statements counted in simulated records."""

import argparse
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import calibration, certificates
from core.commands.certify import COMMANDS
from core.mechanisms import Greedy, Tca
from core.simulation import run_transcript
from core.streams import PoissonStream, TableStream

deltas = st.floats(0.005, 0.95)
betas = st.floats(0.001, 0.5)


def test_frontier_reference():
    assert certificates.get_frontier([1, 5, 10], 0.1, 0.05) == pytest.approx([0.15, 0.55, 1.0])
    assert certificates.get_gaussian_emit_rate([1, 5, 10], 0.1, 0.05) == pytest.approx(
        [0.0817, 0.3489, 0.8074], abs=5e-5
    )


@given(st.integers(0, 500), deltas, betas)
def test_frontier_dominates_the_gaussian_and_starts_at_beta(k, delta, beta):
    frontier, gaussian = certificates.get_frontier(k, delta, beta), certificates.get_gaussian_emit_rate(k, delta, beta)
    assert gaussian <= frontier + 1e-12
    assert frontier <= 1
    for rate in (certificates.get_frontier(0, delta, beta), certificates.get_gaussian_emit_rate(0, delta, beta)):
        assert rate == pytest.approx(beta)


@pytest.mark.parametrize("n, tau", [(0, 1), (1, 1), (6, 4), (9, 12)])
def test_uniform_noise_reaches_the_frontier(n, tau):
    delta, beta, runs = 0.1, 0.05, 20_000
    noise = np.random.default_rng(5).uniform(-0.5 / delta, 0.5 / delta, runs)
    rate = np.mean(n + noise - certificates.get_uniform_margin(delta, beta) >= tau - 1)
    if n < tau:
        assert rate <= beta + 3 * np.sqrt(beta / runs)
    else:
        wanted = certificates.get_frontier(n - tau + 1, delta, beta)
        assert abs(rate - wanted) < 4 * np.sqrt(wanted / runs)


@given(st.integers(1, 60), st.integers(1, 40), betas, st.floats(0.1, 50), st.floats(0.01, 0.99))
def test_needed_reports_inverts_the_emission_rate(tau, n, beta, sd, chance):
    needed = certificates.get_needed_reports(tau, beta, sd, chance)
    assert certificates.get_emit_rate(needed, tau, beta, sd) == pytest.approx(chance, abs=1e-9)
    rates = certificates.get_emit_rate([n, n + 1], tau, beta, sd)
    assert rates[0] <= rates[1]
    assert certificates.get_emit_rate(tau - 1, tau, beta, sd) == pytest.approx(beta)


def test_needed_reports_reference():
    needed = [
        certificates.get_needed_reports(1, 0.05, calibration.get_count_sd(0.1, 1000, length))
        for length in (1, 10, 1000)
    ]
    assert needed == pytest.approx([11.8, 15.8, 21.4], abs=0.05)


@given(st.floats(-50, 50), st.floats(0.1, 20), betas, st.integers(1, 40))
def test_all_tau_share_one_bound(noisy, sd, beta, tau):
    lower = certificates.get_lower_bound(noisy, sd, beta)
    assert (certificates.get_certified(noisy, sd, beta) >= tau) == (lower >= tau - 1)


@pytest.mark.parametrize("n, tau", [(0, 1), (4, 3), (12, 3)])
def test_emission_rate_against_simulation(n, tau):
    """One decision on a fixed count: only target 0 has reports, and it is certified whatever is audited."""
    mechanism, runs, beta = Tca(3, 1, 0.2), 3000, 0.1
    table = np.zeros((1, 3))
    table[0, 0] = n
    _, beforehand = certificates.run_counts(mechanism, TableStream(table), 1, runs, 4)
    found = certificates.get_rate(beforehand.certify(beta).emitted_at(tau))[0]
    wanted = certificates.get_emit_rate(n, tau, beta, calibration.get_count_sd(0.2, 1, 1))
    assert abs(found - wanted) < 4 * np.sqrt(wanted * (1 - wanted) / runs)


def test_winners_curse_and_its_repair():
    """No reports at all, 50 targets, one decision: the audited target is certified falsely 92 times in a hundred."""
    runs = 1500
    assert certificates.get_winners_curse(0.05, 50) == pytest.approx(0.923, abs=5e-4)
    audited, beforehand = certificates.run_counts(Tca(50, 1, 0.1), TableStream(np.zeros((1, 50))), 1, runs, 2)
    cursed, repaired, fixed = (
        certificates.get_rate(counts.certify(beta).false)[0]
        for counts, beta in ((audited, 0.05), (audited, 0.05 / 50), (beforehand, 0.05))
    )
    error = np.sqrt(0.05 * 0.95 / runs)
    assert abs(cursed - certificates.get_winners_curse(0.05, 50)) < 4 * np.sqrt(0.923 * 0.077 / runs)
    assert abs(repaired - certificates.get_winners_curse(0.001, 50)) < 4 * error
    assert abs(fixed - 0.05) < 4 * error


@pytest.fixture(scope="module")
def small():
    """The reference of the proxy boundary, with the audit's own noise and with fresh noise."""
    mechanism, stream = Tca(5, 60, 0.2), PoissonStream(5, 1.0, 0.2)
    return [certificates.run_counts(mechanism, stream, 60, 300, 11, fresh) for fresh in (False, True)]


def test_false_statements_along_records(small):
    (audited, beforehand), (fresh, _) = small
    beta = 0.05
    rate, se = certificates.get_rate(audited.certify(beta).false)
    assert rate > beta + 3 * se  # the audited target was chosen by its noise
    rate, se = certificates.get_rate(audited.certify(certificates.get_repaired_beta(beta, 5)).false)
    assert rate <= beta + 3 * se
    rate, se = certificates.get_rate(beforehand.certify(beta).false)
    assert rate <= beta + 3 * se
    rate, se = certificates.get_rate(fresh.certify(beta).false)
    assert abs(rate - beta) < 4 * se  # fresh noise knows nothing of the choice
    whole = certificates.get_repaired_beta(beta, 5 * 60)
    rate, se = certificates.get_ever_rate(audited.certify(whole).false)
    assert rate <= beta + 3 * se
    assert certificates.get_ever_rate(audited.certify(beta).false)[0] > 0.9


def test_fresh_noise_leaves_the_audits_alone(small):
    shared, fresh = (pair[0] for pair in small)
    assert np.array_equal(shared.active, fresh.active) and np.array_equal(shared.run_length, fresh.run_length)
    noise = [(counts.noisy - counts.active).ravel() for counts in (shared, fresh)]
    assert noise[0].mean() > 1 and abs(np.corrcoef(noise)[0, 1]) < 0.05
    basic, gaussian = certificates.get_fresh_delta(0.1)
    assert basic == pytest.approx(0.2) and gaussian == pytest.approx(math.erf(0.12566134685507416))


def test_proxy_boundary(small):
    rate, se = certificates.get_rate(small[0][0].unsupported)
    assert abs(rate - 0.31) < 0.005 + 4 * se


@pytest.mark.parametrize("interval", [None, 9])
def test_one_record_is_a_run_of_many(interval):
    mechanism, stream = Tca(4, 40, 0.3, interval=interval), PoissonStream(4, 1.0, 0.3)
    audited, beforehand = certificates.run_counts(mechanism, stream, 40, 3, 8)
    record = run_transcript(mechanism, stream, 40, 8, run=2)
    counts = certificates.get_audited_counts(record, mechanism)
    assert np.array_equal(counts.active, audited.active[2])
    assert np.array_equal(counts.run_length, audited.run_length[2])
    assert counts.noisy == pytest.approx(audited.noisy[2])
    assert np.array_equal(beforehand.active[2], record.active[:, 0])
    assert np.array_equal(counts.certify(0.1).certified, audited.certify(0.1).certified[2])
    assert (beforehand.run_length[2] == 1).sum() == 1 + (record.audits[:-1] == 0).sum()


def test_statements_by_hand():
    sds = np.array([1.0, 2.0])
    z = 1.6448536269514722
    counts = certificates.NoisyCounts(np.array([z - 0.1, z + 0.1, z + 2.5, 2 * z + 1.5]), np.array([5, 0, 3, 1]),
                                      np.array([1, 1, 1, 2]), sds)  # fmt: skip
    found = counts.certify(0.05)
    assert found.certified.tolist() == [0, 1, 3, 2]
    assert found.emitted.tolist() == [False, True, True, True]
    assert found.false.tolist() == [False, True, False, True]
    assert found.false_at(1).tolist() == [False, True, False, False]
    assert found.false_at(2).tolist() == [False, False, False, True]
    assert counts.unsupported.tolist() == [False, True, False, False]


def test_refusals():
    record = run_transcript(Greedy(3), PoissonStream(3, 1.0, 0.2), 5, 1)
    with pytest.raises(ValueError, match="noisy counters"):
        certificates.get_audited_counts(record, Tca(3, 5, 0.1))
    with pytest.raises(ValueError, match="one audit a step"):
        certificates.run_counts(Tca(3, 5, 0.1, audits=2), PoissonStream(3, 1.0, 0.2), 5, 2, 1)
    with pytest.raises(ValueError, match="runs fit"):
        certificates.run_counts(Tca(3, 1000, 0.1), PoissonStream(3, 1.0, 0.2), 1000, 10_000, 1)
    for call in (
        lambda: certificates.get_frontier(-1, 0.1, 0.05),
        lambda: certificates.get_emit_rate(1, 0, 0.05, 1.0),
        lambda: certificates.get_winners_curse(0.0, 5),
        lambda: certificates.get_repaired_beta(0.05, 0),
        lambda: certificates.get_needed_reports(1, 0.05, 1.0, 1.0),
    ):
        with pytest.raises(ValueError, match="must"):
            call()


def test_command():
    parser = argparse.ArgumentParser()
    COMMANDS["certify"].arguments(parser)
    line = "--targets 5 --horizon 20 --delta .2 --beta .05 --tau 2 --lead-rate 1 --other-rate .2 --runs 30 --seed 3"
    got = COMMANDS["certify"].run(parser.parse_args(line.split()))
    assert list(got["needed_reports"]) == ["run_length_1", "run_length_10", "run_length_20"]
    assert got["total_delta"]["fresh_noise"] == pytest.approx(0.4)
    assert got["audited_repaired"]["beta"] == pytest.approx(0.01)
    assert 0 <= got["audited_repaired"]["emitted"] <= got["audited"]["emitted"] <= 1
    assert got["audited"]["false"] <= got["audited"]["emitted"]
    with pytest.raises(SystemExit):
        parser.parse_args(["--beta", "0"])
