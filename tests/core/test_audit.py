"""Audit statistics: reference limits, coverage, verdicts, power, conversions, and attacks whose mu is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from core import audit, calibration, deniability, gdp
from core.audit import Audit, Claim

MU = calibration.get_mu(0.1)
REFERENCE = [
    ((1257, 743, 949, 1051), 0.29743, 0.34050),
    ((1113, 887, 765, 1235), 0.34663, 0.38969),
    ((1000, 1000, 1000, 1000), 0.0, 0.0),
    ((2000, 0, 0, 2000), 5.93681, 6.69706),
    ((0, 2000, 2000, 0), 0.0, 0.0),
]
COUNTS = st.integers(0, 400)
TABLES = st.tuples(COUNTS, COUNTS, COUNTS, COUNTS).filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0)


@pytest.mark.parametrize("table, clopper_pearson, jeffreys", REFERENCE)
def test_reference_limits(table, clopper_pearson, jeffreys):
    assert gdp.get_mu_low_clopper_pearson(*table) == pytest.approx(clopper_pearson, abs=5e-6)
    assert gdp.get_mu_low_jeffreys(*table) == pytest.approx(jeffreys, abs=5e-6)


@pytest.mark.parametrize("table", [(1257, 743, 949, 1051), (30, 0, 2, 5000), (8, 2, 1, 9), (900, 100, 0, 40)])
def test_jeffreys_limit_against_another_integration(table):
    """At the limit the posterior keeps exactly alpha, integrated here over FNR by adaptive quadrature."""
    tp, fn, fp, tn = table
    mu = gdp.get_mu_low_jeffreys(*table, 0.1)
    assert mu > 0
    fpr, fnr = stats.beta(fp + 0.5, tn + 0.5), stats.beta(fn + 0.5, tp + 0.5)

    def mass(u):
        return fpr.sf(ndtr(-mu - ndtri(fnr.isf(u))))

    assert quad(mass, 0, 1, limit=200, epsabs=1e-10)[0] == pytest.approx(0.1, abs=1e-6)


@settings(max_examples=40)
@given(TABLES, st.sampled_from([0.01, 0.1, 0.3]), st.floats(0, 3))
def test_limits_and_tail_agree(table, alpha, mu):
    low = gdp.get_mu_low_jeffreys(*table, alpha)
    tail = float(gdp.get_jeffreys_tail(mu, *table))
    assert 0 <= tail <= 1 + 1e-12
    if abs(mu - low) > 1e-6:
        assert (tail >= alpha) == (mu >= low)
    assert gdp.get_mu_low_clopper_pearson(*table, alpha) <= low + 1e-9 or low == 0


def test_point_estimate_at_the_ends():
    fpr, fnr = [0.0, 0.0, 1.0, 1.0, 0.0, 0.3, 0.3, 0.5], [0.0, 1.0, 0.0, 1.0, 0.4, 0.0, 1.0, 0.5]
    inf = np.inf
    assert gdp.get_mu_hat(fpr, fnr).tolist() == [inf, 0, 0, -inf, inf, inf, -inf, 0]
    assert gdp.get_mu_hat(0.02, 0.88) == pytest.approx(0.879, abs=5e-4)
    with pytest.raises(ValueError, match="between 0 and 1"):
        gdp.get_mu_hat(-0.1, 0.5)


@pytest.mark.parametrize("mu", [0.0, 0.1, 0.25, 0.45])
def test_coverage(mu):
    """A limit exceeds the true mu in at most a share alpha of audits; Jeffreys in just that share."""
    alpha, runs, audits = 0.1, 2000, 1000
    generator = np.random.default_rng([3, int(100 * mu)])
    fp, fn = generator.binomial(runs, ndtr(-mu / 2), (2, audits))
    table = (runs - fn, fn, fp, runs - fp)
    error = np.sqrt(alpha * (1 - alpha) / audits)
    low = gdp.get_mu_low_clopper_pearson(*table, alpha)
    assert (low <= mu).mean() >= 1 - alpha - 3 * error
    covered = (gdp.get_jeffreys_tail(mu, *table) >= alpha).mean()
    assert abs(covered - (1 - alpha)) <= 3 * error
    # the point estimate is no limit: it is above the truth half of the time
    assert (gdp.get_mu_hat(fp / runs, fn / runs) <= mu).mean() < 0.6


def test_null_scores_give_nothing():
    generator = np.random.default_rng(5)
    flagged = 0
    for seed in range(200):
        found = audit.audit_scores(*generator.standard_normal((2, 300)), Claim(0.0, 0.0), seed=seed)
        flagged += found.verdict == "violation"
        assert found.mu_low_clopper_pearson < 0.5
    assert flagged / 200 <= 0.1 + 3 * np.sqrt(0.09 / 200)
    constant = audit.audit_scores(np.zeros(100), np.zeros(100), Claim(0.0, 0.0))
    assert (constant.mu_hat, constant.mu_low_clopper_pearson, constant.mu_low_jeffreys) == (0, 0, 0)
    assert constant.verdict == "no violation found"


def test_scores_that_tell_the_worlds_apart():
    column = np.linspace(1, 2, 101)
    apart = audit.audit_scores(column, -column, Claim(0.9))
    assert (apart.tpr, apart.fpr, apart.mu_hat, apart.threshold) == (1, 0, np.inf, pytest.approx(0, abs=0.05))
    wrong = audit.audit_scores(-column, column, Claim(0.0))
    assert wrong.mu_low_jeffreys == 0 and wrong.verdict == "no violation found"
    infinite = audit.audit_scores([np.inf, 0] * 50, [-np.inf, 0] * 50, Claim(0.1))
    assert infinite.fpr < infinite.tpr


def test_sorted_columns_do_no_harm():
    generator = np.random.default_rng(2)
    with_, without = generator.standard_normal((2, 20_000)) + np.array([[1.0], [0.0]])
    found = audit.audit_scores(np.sort(with_), np.sort(without), Claim())
    assert found.mu_hat == pytest.approx(1.0, abs=4 * gdp.get_mu_se(1.0, 10_000))


@pytest.mark.parametrize("bad", [[1, np.nan, 2], [1.0], ["x", "y"], [[1, 2], [3, 4]]])
def test_bad_scores_are_refused(bad):
    with pytest.raises(ValueError, match="scores with the report must be"):
        audit.audit_scores(bad, [1, 2, 3], Claim())


@settings(max_examples=40)
@given(TABLES, st.none() | st.floats(0, 1), st.none() | st.floats(0, 5))
def test_the_verdict_is_one_sided(table, delta, mu):
    found = Audit(*table, 0.1, Claim(delta, mu))
    above = (mu is not None and found.mu_low_clopper_pearson > mu) or (
        delta is not None and found.advantage_low > delta
    )
    assert found.verdict == ("violation" if above else "no violation found")
    assert found.mu_low_clopper_pearson >= 0 and found.mu_low_jeffreys >= 0
    if found.advantage <= 0:
        assert found.mu_low_clopper_pearson == 0 and found.advantage_low <= 0


def test_verdicts_of_the_references():
    assert Audit(1257, 743, 949, 1051, 0.1, Claim(None, 0.45)).verdict == "no violation found"
    assert Audit(1257, 743, 949, 1051, 0.1, Claim(None, 0.29)).verdict == "violation"
    assert Audit(2000, 0, 0, 2000, 0.1, Claim()).verdict == "no violation found"


def test_randomised_response_is_judged_by_delta_alone():
    """FPR .02 and TPR .12 keep delta = .1 exactly, at a point mu of .879."""
    table = (12_000, 88_000, 2_000, 98_000)
    found = Audit(*table, 0.1, Claim(0.1))
    assert found.mu_hat == pytest.approx(0.879, abs=5e-4)
    assert found.mu_low_clopper_pearson > 3 * MU
    assert found.verdict == "no violation found"
    assert Audit(*table, 0.1, Claim(0.09)).verdict == "violation"


@pytest.mark.parametrize("bad", [(-1, 2, 3, 4), (0, 0, 1, 1), (1, 1, 0, 0), (1.5, 1, 1, 1)])
def test_impossible_tables_are_refused(bad):
    with pytest.raises(ValueError, match="must be"):
        Audit(*bad, 0.1)
    with pytest.raises(ValueError, match="alpha"):
        Audit(1, 1, 1, 1, 0.0)


def test_standard_error():
    assert gdp.get_mu_se(0.2513, 2000) == pytest.approx(0.0398, abs=1e-4)
    assert gdp.get_mu_se(0.2513, 20_000) == pytest.approx(0.0126, abs=5e-5)
    fp, fn = np.random.default_rng(1).binomial(2000, ndtr(-0.2), (2, 4000)) / 2000
    assert gdp.get_mu_hat(fp, fn).std() == pytest.approx(gdp.get_mu_se(0.4, 2000), rel=4 / np.sqrt(8000))


@pytest.mark.parametrize("claim", [Claim(0.1, MU), Claim(None, MU), Claim(0.1)])
@pytest.mark.parametrize("fpr, fnr", [(0.45, 0.38), (0.02, 0.8), (0.0, 1.0), (0.4, 0.4)])
def test_power_is_exact(claim, fpr, fnr):
    """Against the sum over every table of a small audit."""
    runs = 60
    k = np.arange(runs + 1)
    fp, fn = np.meshgrid(k, k, indexing="ij")
    up = [gdp.get_upper_rate(errors, runs, 0.05) for errors in (fp, fn)]
    flagged = np.zeros(fp.shape, dtype=bool)
    if claim.mu is not None:
        flagged |= gdp.get_mu_low_clopper_pearson(runs - fn, fn, fp, runs - fp) > claim.mu
    if claim.delta is not None:
        flagged |= 1 - up[0] - up[1] > claim.delta
    chance = stats.binom.pmf(fp, runs, fpr) * stats.binom.pmf(fn, runs, fnr)
    assert audit.get_power(claim, fpr, fnr, runs) == pytest.approx((chance * flagged).sum(), abs=1e-9)


def test_power_of_honest_and_broken_mechanisms():
    claim = Claim(0.1, MU)
    judged = audit.RUNS // 2
    assert audit.get_mu_power(claim, MU, judged) <= 0.1
    assert audit.get_mu_power(claim, 2 * MU, judged) > 0.99
    needed = audit.get_runs_for_power(claim, 2 * MU)
    assert audit.get_mu_power(claim, 2 * MU, needed) >= 0.9 > audit.get_mu_power(claim, 2 * MU, int(0.95 * needed))
    with pytest.raises(ValueError, match="too close"):
        audit.get_runs_for_power(claim, MU)


@pytest.mark.parametrize(
    "epsilon, delta, zcdp, dual",
    [
        (1, 1e-2, 0.4547809, 0.5325166),
        (1, 1e-5, 0.2472108, 0.2680511),
        (0.5, 1e-2, 0.2654369, 0.3177717),
        (4, 1e-2, 1.3297155, 1.4946760),
    ],
)
def test_converter_references(epsilon, delta, zcdp, dual):
    assert gdp.get_mu_from_epsilon_delta(epsilon, delta, "zcdp") == pytest.approx(zcdp, abs=6e-8)
    assert gdp.get_mu_from_epsilon_delta(epsilon, delta, "dual") == pytest.approx(dual, abs=6e-8)


def test_converter_by_hand():
    assert gdp.get_mu_from_epsilon_delta(1, 1e-2, "zcdp") ** 2 / 2 == pytest.approx(0.1034128, abs=5e-8)
    assert gdp.get_mu_from_epsilon_delta(1, 1e-2, "simple") == pytest.approx(0.3133304, abs=5e-8)
    assert gdp.get_mu_from_epsilon_delta(0, 0.1) == pytest.approx(MU, rel=1e-12)
    for epsilon, delta, route in (
        (-1, 0.1, "dual"),
        (np.inf, 0.1, "dual"),
        (1, 0, "zcdp"),
        (1, 1, "zcdp"),
        (1, 0.1, ""),
    ):
        with pytest.raises(ValueError, match="must"):
            gdp.get_mu_from_epsilon_delta(epsilon, delta, route)


@settings(max_examples=40)
@given(st.floats(0, 20), st.floats(1e-12, 0.999))
def test_routes_are_ordered(epsilon, delta):
    simple, zcdp, dual = (gdp.get_mu_from_epsilon_delta(epsilon, delta, route) for route in ("simple", "zcdp", "dual"))
    assert simple <= zcdp + 1e-12 <= dual + 2e-12
    assert float(deniability.get_delta_profile(epsilon, dual)) == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize(
    "targets, advantage, mu", [(2, 0.0705254, 0.1777120), (5, 0.0633267, None), (50, 0.0143420, 0.2332565)]
)
def test_first_decision(targets, advantage, mu):
    fpr, tpr = audit.get_first_decision(0.1, targets)
    assert tpr - fpr == pytest.approx(advantage, abs=6e-8)
    if mu is not None:
        assert float(gdp.get_mu_hat(fpr, 1 - tpr)) == pytest.approx(mu, abs=6e-8)
    assert float(gdp.get_mu_hat(fpr, 1 - tpr)) < MU


def test_toy_reaches_its_mu():
    mu = gdp.get_mu_from_epsilon_delta(1, 1e-2, "zcdp")
    found = audit.audit_scores(*audit.run_toy(mu, 40_000, 1), Claim(None, mu))
    assert found.mu_hat == pytest.approx(mu, abs=4 * gdp.get_mu_se(mu, 20_000))
    assert found.verdict == "no violation found"
    louder = audit.audit_scores(*audit.run_toy(1.3 * mu, 40_000, 1), Claim(None, mu))
    assert louder.verdict == "violation"
