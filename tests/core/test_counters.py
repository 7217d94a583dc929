"""Identities of the Toeplitz counter: coefficients, encoder and decoder, impulse, restart, horizon."""

from fractions import Fraction
from math import comb, log, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import counters

FIRST = [1, 0.5, 0.375, 0.3125, 0.2734375, 0.24609375, 0.2255859375, 0.20947265625]


class Impulse:
    """Normals that are 1 for one run, step and target, and 0 otherwise."""

    def __init__(self, step, target):
        self.step, self.target, self.seen = step, target, 0

    def fill(self, out):
        out[:] = 0.0
        if self.seen < self.step <= self.seen + out.shape[1]:
            out[:, self.step - self.seen - 1, self.target] = 1.0
        self.seen += out.shape[1]


def seeded(runs=1, seed=0):
    return counters.SeededNormals([np.random.default_rng(seed + run) for run in range(runs)])


def lower_toeplitz(column):
    size = len(column)
    return np.array([[column[i - j] if i >= j else 0.0 for j in range(size)] for i in range(size)])


def test_first_coefficients_are_exact():
    assert counters.get_coefficients(8).tolist() == FIRST


@given(st.integers(0, 400))
def test_coefficients_are_central_binomials(k):
    exact = Fraction(comb(2 * k, k), 4**k)
    assert counters.get_coefficients(k + 1)[k] == pytest.approx(float(exact), rel=2e-15 * max(k, 1))


def test_coefficients_convolve_to_ones():
    f = counters.get_coefficients(1000)
    assert np.convolve(f, f)[:1000] == pytest.approx(np.ones(1000), abs=1e-12)


def test_encoder_times_decoder_is_the_prefix_sum():
    for decoder in (counters.get_coefficients(60), counters.get_fast_coefficients(60)):
        product = lower_toeplitz(decoder) @ lower_toeplitz(counters.get_encoder(decoder))
        assert product == pytest.approx(np.tril(np.ones((60, 60))), abs=1e-12)


def test_encoder_of_the_square_root_is_itself():
    f = counters.get_coefficients(200)
    assert counters.get_encoder(f) == pytest.approx(f, abs=1e-13)


@pytest.mark.parametrize("terms, value", [(1, 1.0), (100, 1.5910223482514534), (1000, 1.8069319524189147)])
def test_sensitivity_reference_values(terms, value):
    assert counters.get_sensitivity(terms) == pytest.approx(value, rel=1e-14)


def test_sensitivity_closed_form():
    terms = 1000
    square = (log(terms) + np.euler_gamma + 4 * log(2)) / pi - 1 / (4 * pi * terms)
    assert counters.get_sensitivity(terms) ** 2 == pytest.approx(square, rel=1e-8)


@pytest.mark.parametrize("terms", [2, 25, 1000, 1001, 10_000])
def test_fast_coefficients_and_their_own_sensitivity(terms):
    fast, exact = counters.get_fast_coefficients(terms), counters.get_coefficients(terms)
    assert np.max(np.abs(fast / exact - 1)) < 1e-6
    assert counters.get_fast_sensitivity(terms) == pytest.approx(counters.get_sensitivity(terms), rel=1e-7)


@pytest.mark.parametrize("kind", [counters.ToeplitzNoise, counters.ExactToeplitzNoise])
@pytest.mark.parametrize("block", [1, 7, counters.BLOCK])
@pytest.mark.parametrize("step", [1, 5, 30])
def test_unit_impulse_gives_the_coefficients(kind, block, step):
    bank = kind(Impulse(step, 2), 1, 4, 3.0, 60, block)
    noise = np.array([bank.step()[0].copy() for _ in range(60)])
    expected = np.zeros((60, 4))
    expected[step - 1 :, 2] = 3.0 * counters.get_coefficients(60 - step + 1)
    assert noise == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("kind", [counters.ToeplitzNoise, counters.ExactToeplitzNoise])
@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("restart", [10, 23, 24, 25, 48])
def test_impulse_is_forgotten_after_a_restart(kind, runs, restart):
    bank = kind(Impulse(10, 1), runs, 3, 1.0, 80)
    for step in range(1, 81):
        noise = bank.step()[:, 1].copy()
        if step > restart:
            assert noise == pytest.approx(np.zeros(runs), abs=1e-12)
        elif step >= 10:
            assert noise == pytest.approx(np.full(runs, counters.get_coefficients(80)[step - 10]), abs=1e-5)
        if step == restart:
            bank.restart(np.full(runs, 1))


@given(
    runs=st.integers(1, 3),
    targets=st.integers(2, 5),
    block=st.integers(1, 30),
    seed=st.integers(0, 2**31),
    audits=st.lists(st.integers(0, 4), min_size=40, max_size=40),
)
def test_fast_equals_exact_under_any_restarts(runs, targets, block, seed, audits):
    fast = counters.ToeplitzNoise(seeded(runs, seed), runs, targets, 2.0, 40, block)
    exact = counters.ExactToeplitzNoise(seeded(runs, seed), runs, targets, 2.0, 40)
    for audit in audits:
        assert fast.step() == pytest.approx(exact.step(), abs=2e-5)
        assert fast.fresh == pytest.approx(exact.fresh, abs=1e-12)
        audited = (audit + np.arange(runs)) % targets
        fast.restart(audited)
        exact.restart(audited)


def test_noise_spread_grows_as_sigma_m_l():
    runs, targets, horizon, scale = 100, 50, 60, 2.0
    bank = counters.ToeplitzNoise(seeded(runs), runs, targets, scale, horizon)
    for age in range(1, horizon + 1):
        noise = bank.step()
        if age in (1, 10, 60):
            values = noise.ravel()
            sd = scale * counters.get_sensitivity(age)
            error = sd / np.sqrt(2 * values.size)
            assert abs(values.std() - sd) < 4 * error
            # the check is sharp: two thirds and three halves of the scale are refused
            assert abs(values.std() - sd * 2 / 3) > 4 * error
            assert abs(values.std() - sd * 3 / 2) > 4 * error


def test_single_counter_counts_and_restarts():
    counter = counters.ToeplitzCounter(0.0, 5, np.random.default_rng(1))
    assert [counter.step(x) for x in (1, 0, 3)] == [1, 1, 4]
    counter.restart()
    assert counter.step(2) == 2


def test_single_counter_equals_the_bank():
    counter = counters.ToeplitzCounter(1.5, 50, np.random.default_rng(0))
    bank = counters.ToeplitzNoise(seeded(1), 1, 1, 1.5, 50)
    for _ in range(50):
        assert counter.step(0) == pytest.approx(bank.step()[0, 0], abs=2e-5)


@pytest.mark.parametrize("kind", [counters.ToeplitzNoise, counters.ExactToeplitzNoise])
def test_refuses_to_step_past_the_horizon(kind):
    bank = kind(seeded(), 1, 2, 1.0, 3)
    for _ in range(3):
        bank.step()
    with pytest.raises(counters.HorizonError, match="refuses step 4"):
        bank.step()
    counter = counters.ToeplitzCounter(1.0, 1, np.random.default_rng(0))
    counter.step(0)
    with pytest.raises(counters.HorizonError):
        counter.step(0)


def test_no_table_reaches_beyond_its_terms():
    with pytest.raises(counters.HorizonError):
        counters.get_exponentials(100_001)


@pytest.mark.parametrize("call", [counters.get_coefficients, counters.get_fast_coefficients])
def test_needs_at_least_one_term(call):
    with pytest.raises(ValueError, match="at least 1"):
        call(0)
    with pytest.raises(ValueError, match="must not be 0"):
        counters.get_encoder(np.zeros(3))
