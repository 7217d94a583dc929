"""Audits of our own mechanisms: the released values really are read, broken variants are caught, honest ones pass."""

import argparse
import json
from functools import cache

import numpy as np
import pytest
from scipy import stats
from scipy.linalg import toeplitz
from scipy.special import ndtr

from core import audit, audit_runs, calibration, gdp, releases
from core.audit import Claim
from core.auditors import make_mechanism
from core.commands.audit import COMMANDS
from core.counters import get_coefficients
from core.faults import FAULTS, get_true_mu, make_faulty
from core.mechanisms import Greedy, RandomisedResponse, Rota, Tca, Uniform
from core.parameters import ParameterError, Parameters

AUDITS = 3
CLAIM = Claim(0.1, calibration.get_mu(0.1))


@cache
def get_pool(fault=None, pair=None, horizon=5, audits=AUDITS):
    """Scores of several audits of the default size, simulated at once."""
    mechanism = Tca(2, horizon, 0.1)
    return audit_runs.run_scores(mechanism, horizon, audits * audit.RUNS, 11, "white", fault, pair)


def get_audits(scores, alpha=audit.ALPHA):
    worlds = [column.reshape(-1, audit.RUNS) for column in scores]
    return [audit.audit_scores(a, b, CLAIM, alpha, seed) for seed, (a, b) in enumerate(zip(*worlds, strict=True))]


@pytest.mark.parametrize(
    "mechanism",
    [Tca(3, 30, 0.2), Tca(3, 30, 0.2, exact=True), Tca(3, 99, 0.2, interval=30)]
    + [make_mechanism(name, Parameters(targets=10, horizon=30, delta=0.2, run_length=5)) for name in ("fading-alert",)]
    + [make_mechanism("tca", Parameters(targets=3, horizon=30, delta=0.2, run_length=5), counter="tree")],
)
def test_the_whole_shift_is_mu(mechanism):
    steps = 30 if releases.get_release(mechanism, 30).restarts else 400
    shift = releases.get_release(mechanism, steps).shift
    # the tree hides a little in what its counts do not show
    least = 0.9 if "tree" in repr(mechanism) else 1 - 1e-6
    assert least * calibration.get_mu(0.2) <= np.linalg.norm(shift) <= (1 + 1e-6) * calibration.get_mu(0.2)


def test_whitening_undoes_the_decoder():
    steps, runs = 40, 7
    f = get_coefficients(steps)
    lower = toeplitz(f, np.zeros(steps))
    normals = np.random.default_rng(1).standard_normal((steps, runs))
    for decoder in (f, lower):
        release = releases.Release(np.ones(steps), decoder, 3.0, True)
        assert np.allclose(release.whiten(3.0 * lower @ normals), normals)
        assert np.allclose(release.shift, f / 3.0)


def test_log_ratio_by_density():
    """Against the two multivariate normal densities of what was released up to the first audit."""
    steps, scale = 6, 2.0
    lower = toeplitz(get_coefficients(steps), np.zeros(steps))
    release = releases.Release(np.ones(steps), get_coefficients(steps), scale, True)
    values = np.random.default_rng(4).standard_normal((steps, 2)) * 3
    audited = np.zeros((steps, 2), dtype=bool)
    audited[2:, 0] = True
    for column, last in ((0, 3), (1, 6)):
        covariance = scale**2 * (lower @ lower.T)[:last, :last]
        densities = [
            stats.multivariate_normal(np.full(last, m), covariance).logpdf(values[:last, column]) for m in (1, 0)
        ]
        found = releases.get_released_log_ratio(release, values, audited)[column]
        assert found == pytest.approx(densities[0] - densities[1], abs=1e-9)


def test_white_box_reaches_mu():
    """In a rush the log ratio is N(mu^2/2, mu^2) with the report and N(-mu^2/2, mu^2) without."""
    mu = CLAIM.mu
    for scores, mean in zip(get_pool(), (mu * mu / 2, -mu * mu / 2), strict=True):
        assert stats.kstest(scores, "norm", (mean, mu)).pvalue > 1e-3
        assert stats.kstest(scores, "norm", (mean, 0.9 * mu)).pvalue < 1e-6


def test_honest_tca_is_not_accused():
    found = get_audits(get_pool())
    flagged = sum(one.verdict == "violation" for one in found)
    assert flagged <= 0.1 * AUDITS + 3 * np.sqrt(0.09 * AUDITS)
    assert all(one.verdict == "no violation found" for one in get_audits(get_pool(pair="restart", audits=1)))
    assert all(one.verdict == "no violation found" for one in get_audits(get_pool(pair="quiet", audits=1)))


@pytest.mark.parametrize("fault, horizon, factor", [("half-noise", 5, 2.0), ("over-horizon", 100, 1.5910)])
def test_too_little_noise_is_caught(fault, horizon, factor):
    scores = get_pool(fault, horizon=horizon)
    found = get_audits(scores)
    fpr, fnr = (scores[1] >= found[0].threshold).mean(), (scores[0] < found[0].threshold).mean()
    true = get_true_mu(fault, Tca(2, horizon, 0.1))
    assert true == pytest.approx(factor * CLAIM.mu, rel=1e-4)
    assert float(gdp.get_mu_hat(fpr, fnr)) == pytest.approx(true, abs=4 * gdp.get_mu_se(true, len(scores[0])) + 0.01)
    assert audit.get_mu_power(CLAIM, true, audit.RUNS // 2) >= 0.9
    flagged = sum(one.verdict == "violation" for one in found)
    assert flagged >= 0.9 * AUDITS - 3 * np.sqrt(0.09 * AUDITS)


def test_reused_noise_is_caught():
    for one in get_audits(get_pool("noise-reuse", audits=1)):
        assert (one.advantage, one.mu_hat, one.verdict) == (1.0, np.inf, "violation")
    # at one life of each counter nothing is reused and nothing can be seen
    honest = get_audits(get_pool("noise-reuse", "rush", audits=1))[0]
    assert honest.verdict == "no violation found"


def test_audited_at_once_the_second_life_begins_in_the_rush():
    """Whichever step ends the first life, the difference is exactly the report."""
    with_, without = audit_runs.run_scores(Tca(2, 5, 0.5), 5, 200, 1, fault="noise-reuse")
    assert np.allclose(with_, 1.0) and np.allclose(without, 0.0)


@pytest.mark.parametrize("mechanism", [RandomisedResponse(5, 20, 0.1, "race"), Uniform(5), Rota(5), Greedy(5)])
@pytest.mark.parametrize("box", audit_runs.BOXES)
def test_mechanisms_without_counters(mechanism, box):
    found = audit_runs.run_audit(mechanism, 20, 0.1, 1000, box=box)
    assert found.verdict == ("violation" if isinstance(mechanism, Greedy) else "no violation found")
    assert (found.claim.mu is None) == isinstance(mechanism, Greedy | RandomisedResponse)
    assert found.claim.delta == (0.1 if isinstance(mechanism, Greedy | RandomisedResponse) else 0.0)


@pytest.mark.parametrize("targets", [2, 5])
def test_black_box_at_one_decision(targets):
    """The first decision has a closed form."""
    found = audit_runs.run_audit(Tca(targets, 1, 0.1), 1, 0.1, 4000, box="black")
    fpr, tpr = audit.get_first_decision(0.1, targets)
    error = 4 * np.sqrt(0.25 / 2000)
    assert abs(found.fpr - fpr) < error and abs(found.tpr - tpr) < error
    assert found.verdict == "no violation found"


@pytest.mark.parametrize("name", ["tca-interval", "tca-bank", "fading", "fading-alert", "tree"])
def test_every_release_is_read(name):
    """The white box finds about what the release gives away, and no more than is promised."""
    parameters = Parameters(targets=3, horizon=12, delta=0.5, run_length=5)
    mechanism = (
        make_mechanism("tca", parameters, counter="tree") if name == "tree" else make_mechanism(name, parameters)
    )
    scores = audit_runs.run_scores(mechanism, 12, 2000)
    mu = calibration.get_mu(0.5)
    found = audit.audit_scores(*scores, Claim(0.5, mu))
    assert 0.6 * mu < found.mu_hat < mu + 3 * gdp.get_mu_se(mu, 1000)
    assert found.verdict == "no violation found"
    # a likelihood ratio has mean 1 without the report, and so has its inverse with it
    for ratio in (np.exp(-scores[0]), np.exp(scores[1])):
        assert abs(ratio.mean() - 1.0) < 4 * np.sqrt((np.exp(mu * mu) - 1.0) / len(ratio))


def test_what_does_not_go_together_is_refused():
    tca = Tca(3, 20, 0.1)
    for fault in FAULTS:
        with pytest.raises(ValueError, match="choose the mechanism tca"):
            audit_runs.run_scores(Greedy(3), 20, 10, fault=fault)
        with pytest.raises(ValueError, match="choose the mechanism tca"):
            make_faulty(fault, Tca(3, 20, 0.1, interval=9))
    for words, message in (
        ({"fault": "x"}, "fault must be"), ({"box": "x"}, "box must be"), ({"pair": "x"}, "pair must be"),
        ({"pair": "rush", "box": "black"}, "use quiet"), ({"target": 3}, "target must lie"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            audit_runs.run_scores(tca, 20, 10, **words)
    with pytest.raises(ValueError, match="horizon above 1"):
        audit_runs.run_scores(Tca(3, 1, 0.1), 1, 10, fault="over-horizon")
    with pytest.raises(ValueError, match="at least 3"):
        audit_runs.run_scores(Tca(3, 2, 0.1), 2, 10, pair="restart")
    with pytest.raises(ParameterError, match="too large"):
        audit_runs.run_scores(tca, 20, 10_000_000)


def run_command(*words):
    command = COMMANDS["audit"]
    parser = argparse.ArgumentParser(exit_on_error=False)
    command.arguments(parser)
    return json.loads(json.dumps(command.run(parser.parse_args(words)), allow_nan=False))


def test_command_for_a_table():
    found = run_command("--table", "1257,743,949,1051", "--delta", "0.1", "--alpha", "0.1")
    assert (found["tpr"], found["fpr"], found["claimed_mu"], found["claimed_delta"]) == (0.6285, 0.4745, None, 0.1)
    assert found["mu_low_clopper_pearson"] == pytest.approx(0.29743, abs=5e-6)
    assert found["mu_low_jeffreys"] == pytest.approx(0.34050, abs=5e-6)
    assert found["verdict"] == "violation"
    assert run_command("--table", "1257,743,949,1051", "--mu", "0.45")["verdict"] == "no violation found"
    perfect = run_command("--table", "2000,0,0,2000")
    assert perfect["mu_hat"] is None and perfect["verdict"] == "no violation found"
    for bad in ("1,2,3", "1,2,3,x", "1,2,3,-4"):
        with pytest.raises(argparse.ArgumentError, match="four whole numbers"):
            run_command("--table", bad)
    with pytest.raises(ValueError, match="not of a table"):
        run_command("--table", "1,1,1,1", "--fault", "half-noise")


def test_command_for_a_mechanism():
    words = ("--mechanism", "tca", "--targets", "2", "--horizon", "20", "--delta", "0.2", "--runs", "2000")
    honest, broken = run_command(*words), run_command(*words, "--fault", "half-noise")
    assert (honest["verdict"], broken["verdict"]) == ("no violation found", "violation")
    assert honest["claimed_mu"] == pytest.approx(calibration.get_mu(0.2))
    assert broken["mu_hat"] == pytest.approx(2 * honest["claimed_mu"], abs=4 * honest["mu_se"])
    assert honest["power_at_twice_mu"] > 0.99
    assert honest["tp"] + honest["fn"] == 1000
    assert ndtr(honest["mu_hat"] / 2) * 2 - 1 == pytest.approx(honest["advantage"], abs=0.02)
