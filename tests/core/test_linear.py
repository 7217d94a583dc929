"""Counters as matrices: what impulses find out about the house's counters, a good class, a false claim, broken ones."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import toeplitz
from scipy.stats import norm

from core import counters
from core.counter_kinds import (
    KINDS,
    get_counter,
    get_covariance,
    get_decoder_coefficients,
    get_factorisation,
    get_growth,
    get_naive_count_sd,
    get_profile,
    get_sensitivity,
)
from core.linear import CounterError, check_claim, load_counter, measure_counter

ASSETS = Path(__file__).parents[2] / "assets" / "counters"
BUFFERED = [kind for kind in KINDS if kind.startswith("buffered")]


class TextbookTree:
    """Every block of the binary tree that ends now is published, also those that no count reads."""

    def __init__(self, horizon):
        self.sensitivity = np.sqrt(horizon.bit_length())
        self.step, self.reports, self.blocks = 0, [], {}

    def _ending(self):
        return [level for level in range(self.step.bit_length()) if self.step % 2**level == 0]

    def encode(self, reports):
        self.step += 1
        self.reports.append(reports)
        return [sum(self.reports[-(2**level) :]) for level in self._ending()]

    def decode(self, noisy):
        self.blocks |= {(level, self.step): value for level, value in zip(self._ending(), noisy, strict=True)}
        total, end = 0, 0
        for level in reversed(range(self.step.bit_length())):
            if self.step >> level & 1:
                end += 2**level
                total = total + self.blocks[level, end]
        return total


def load(file, name, horizon):
    return measure_counter(load_counter(ASSETS / file, name), horizon)


@settings(max_examples=60)
@given(st.sampled_from(KINDS), st.integers(1, 40))
def test_decoder_times_encoder_is_the_prefix_sum(kind, horizon):
    found = get_factorisation(kind, horizon)
    assert found.decoder @ found.encoder == pytest.approx(np.tril(np.ones((horizon, horizon))), abs=1e-9)
    assert found.waste == pytest.approx(1.0, abs=1e-12)
    assert np.linalg.norm(found.decoder, axis=1) == pytest.approx(get_profile(kind, horizon).spread, rel=1e-12)


@pytest.mark.parametrize("horizon", [1, 2, 3, 4, 7, 8, 31, 32, 100])
def test_sensitivities_are_those_of_the_textbooks(horizon):
    measured = {kind: get_factorisation(kind, horizon).measured for kind in KINDS}
    assert measured["tree"] ** 2 == pytest.approx(np.floor(np.log2(horizon)) + 1, rel=1e-12)
    assert measured["independent"] == 1.0
    assert measured["output"] == pytest.approx(np.sqrt(horizon), rel=1e-12)
    assert measured["toeplitz"] == pytest.approx(counters.get_sensitivity(horizon), rel=1e-7)


def test_toeplitz_matrices_are_the_papers():
    horizon = 50
    found = get_factorisation("toeplitz", horizon)
    square_root = np.tril(toeplitz(counters.get_coefficients(horizon)))
    assert found.encoder == pytest.approx(square_root, abs=1e-6)
    assert found.decoder == pytest.approx(square_root, abs=1e-6)


def test_trivial_kinds_are_the_identity_on_one_side():
    one, prefix = np.eye(9), np.tril(np.ones((9, 9)))
    independent, output = get_factorisation("independent", 9), get_factorisation("output", 9)
    assert (independent.encoder == one).all() and (independent.decoder == prefix).all()
    assert (output.encoder == prefix).all() and (output.decoder == one).all()


@pytest.mark.parametrize("horizon", [1, 6, 21])
def test_the_tree_needs_no_more_noise_than_the_textbooks_tree(horizon):
    """Unread blocks cost nothing and give nothing: same sensitivity, same covariance of the counts."""
    book, ours = measure_counter(TextbookTree, horizon), get_factorisation("tree", horizon)
    assert len(book.encoder) >= horizon and book.measured == pytest.approx(ours.measured, rel=1e-12)
    assert get_covariance(book, 0.1) == pytest.approx(get_covariance(ours, 0.1), rel=1e-12)


@pytest.mark.parametrize("kind, worst, excess", [("buffered-3", 0.15, 3e-3), ("buffered-5", 0.01, 2e-5)])
def test_few_exponentials_are_close_to_the_best_and_pay_for_themselves(kind, worst, excess):
    horizon = 1000
    decoder, best = get_decoder_coefficients(kind, horizon), counters.get_coefficients(horizon)
    assert np.abs(decoder / best - 1).max() < worst
    product = get_sensitivity(kind, horizon) * np.linalg.norm(decoder)
    # no lower-triangular Toeplitz counter can be below the square root (paper, section 7.2)
    assert 1.0 <= product / counters.get_sensitivity(horizon) ** 2 < 1 + excess


@pytest.mark.parametrize("kind", BUFFERED)
def test_buffered_is_calibrated_on_its_own_sensitivity(kind):
    """Its encoder is B^-1 A for its own B, by solving and not by the recursion that the code uses."""
    decoder = np.tril(toeplitz(get_decoder_coefficients(kind, 200)))
    encoder = np.linalg.solve(decoder, np.tril(np.ones((200, 200))))
    assert get_sensitivity(kind, 200) == pytest.approx(np.linalg.norm(encoder, axis=0).max(), rel=1e-12)


def test_growth_over_long_horizons():
    horizons = [50, 500, 5000]
    growth = get_growth(0.1, horizons)
    assert growth["output"][1:] / growth["output"][:-1] == pytest.approx(np.sqrt([10, 10]), rel=1e-12)
    assert growth["independent"] == pytest.approx(growth["output"], rel=1e-12)
    assert growth["naive"][1:] / growth["naive"][:-1] == pytest.approx([10, 10], rel=1e-3)
    # M_T^2 / mu grows by ln(10) / pi for each factor of ten
    steps = np.diff(growth["toeplitz"]) / (np.log(10) / np.pi / (2 * norm.ppf(0.55)))
    assert steps == pytest.approx([1, 1], rel=2e-3)
    for kind in KINDS:
        assert growth[kind][0] == pytest.approx(
            np.sqrt(np.diag(get_covariance(get_factorisation(kind, 50), 0.1)).max())
        )


def test_naive_accounting_spends_the_budget_in_equal_parts():
    assert 2 * norm.cdf(0.5 / get_naive_count_sd(0.2, 40)) - 1 == pytest.approx(0.2 / 40, rel=1e-9)


def test_own_counter_passes():
    horizon = 30
    found = load("own_counter.py", "BlockCounter", horizon)
    check_claim(found, 0.1)
    closed, since = np.divmod(np.arange(1, horizon + 1), round(np.sqrt(horizon)))
    assert found.measured == pytest.approx(np.sqrt(2), rel=1e-12)
    assert get_profile(found, horizon).spread ** 2 == pytest.approx(closed + since, rel=1e-12)
    assert found.decoder @ found.encoder == pytest.approx(np.tril(np.ones((horizon, horizon))), abs=1e-9)


def test_a_wrong_claim_is_caught_with_both_numbers_and_the_delta_really_given():
    found = load("wrong_counter.py", "ForgetfulCounter", 30)
    given_away = 2 * norm.cdf(norm.ppf(0.55) * np.sqrt(2)) - 1
    assert found.get_true_delta(0.1) == pytest.approx(given_away, rel=1e-12)
    with pytest.raises(
        CounterError, match=rf"claims sensitivity 1, .* 1\.41421: delta would be {given_away:.4g} "
    ) as caught:
        check_claim(found, 0.1)
    assert caught.value.reason == "claim"


def test_too_large_a_claim_is_allowed_and_its_waste_known():
    class Careful(get_counter("tree")):
        def __init__(self, horizon):
            super().__init__(horizon)
            self.sensitivity *= 1.5

    found = measure_counter(Careful, 12)
    check_claim(found, 0.1)
    assert found.name == "Careful" and found.waste == pytest.approx(1.5)
    assert found.get_true_delta(0.1) < 0.1
    assert get_profile(found, 12).get_noise_scale(0.1) == pytest.approx(1.5 * 2 / (2 * norm.ppf(0.55)))


class Independent:
    """The simplest right counter, to be broken in one place."""

    def __init__(self, horizon):
        self.sensitivity, self.step, self.true, self.total = 1.0, 0, 0.0, 0.0

    def encode(self, reports):
        self.step += 1
        self.true = self.true + reports
        return [reports]

    def decode(self, noisy):
        self.total = self.total + noisy[0]
        return self.total


class Capped(Independent):
    def encode(self, reports):
        return [np.minimum(super().encode(reports)[0], 100.0)]


class Peeping(Independent):
    def decode(self, noisy):
        return self.true


class HalfPeeping(Independent):
    def decode(self, noisy):
        return (self.true + super().decode(noisy)) / 2


class Rounding(Independent):
    def decode(self, noisy):
        return np.round(super().decode(noisy))


class OwnNoise(Independent):
    def encode(self, reports):
        return [super().encode(reports)[0] + (1e-3 * np.random.standard_normal() if np.any(np.abs(reports) > 5) else 0)]


class Offset(Independent):
    def encode(self, reports):
        return [super().encode(reports)[0] + 1]


class Forgets(Independent):
    def decode(self, noisy):
        total = super().decode(noisy)
        return total if self.step < 4 else total - self.total / 2


class OnlyWhenReported(Independent):
    def encode(self, reports):
        return super().encode(reports) * (1 if np.any(reports) else 2)


class Quits(Independent):
    def __init__(self, horizon):
        raise SystemExit


class NoClaim(Independent):
    def __init__(self, horizon):
        super().__init__(horizon)
        del self.sensitivity


class ZeroClaim(Independent):
    def __init__(self, horizon):
        super().__init__(horizon)
        self.sensitivity = 0


class NotANumber(Independent):
    def decode(self, noisy):
        return super().decode(noisy) * np.float64(np.nan if self.step == 5 else 1)


class Infinite(Independent):
    def encode(self, reports):
        return [super().encode(reports)[0] / np.float64(self.step != 2)]


class BareArray(Independent):
    def encode(self, reports):
        return super().encode(reports)[0]


class WrongShape(Independent):
    def decode(self, noisy):
        return np.append(super().decode(noisy), 0)


class Words(Independent):
    def decode(self, noisy):
        return "many"


class Flood(Independent):
    def encode(self, reports):
        return super().encode(reports) * 101


@pytest.mark.parametrize(
    "broken, reason, step, text",
    [
        (Capped, "linear", None, "encode is not linear"),
        (OwnNoise, "linear", None, "encode is not linear"),
        (Peeping, "linear", 1, "reads more than the noisy values"),
        (HalfPeeping, "linear", 1, "reads more than the noisy values"),
        (Rounding, "linear", 1, "decode is not linear"),
        (OnlyWhenReported, "linear", 1, "number of values must not depend on reports: 1, then 2"),
        (Offset, "count", 1, "a report of step 1 counts 2 times instead of 1"),
        (Forgets, "count", 4, "a report of step 1 counts 0.5 times instead of 1"),
        (Quits, "error", None, "__init__ failed in line"),
        (NoClaim, "error", None, "no attribute 'sensitivity'"),
        (ZeroClaim, "answer", None, "must be a positive number, got 0"),
        (NotANumber, "finite", 5, "decode gives a value that is not a finite number"),
        (Infinite, "finite", 2, "encode gives a value that is not a finite number"),
        (BareArray, "answer", 1, "must return a list of values, got ndarray"),
        (WrongShape, "answer", 1, r"shape of the reports \(9,\), got shape \(10,\)"),
        (Words, "answer", 1, "got str"),
        (Flood, "size", 1, "up to 100 values a step, got 101"),
    ],
)
def test_broken_classes_get_one_clear_line(broken, reason, step, text):
    with pytest.raises(CounterError, match=text) as caught:
        measure_counter(broken, 9)
    assert caught.value.reason == reason and "\n" not in str(caught.value)
    if step:
        assert caught.value.step == step and str(caught.value).startswith(f"step {step}: ")


def test_errors_name_the_readers_line_and_step():
    text = """
class Slow:
    def __init__(self, horizon):
        self.sensitivity, self.step, self.n = 1, 0, 0
    def encode(self, reports):
        self.step += 1
        return [reports / (1 if self.step < 3 else [][0])]
    def decode(self, noisy):
        self.n = self.n + noisy[0]
        return self.n
"""
    with pytest.raises(CounterError, match=r"^step 3: encode failed in line 7: IndexError: "):
        measure_counter(load_counter(text, "Slow"), 5)
    assert measure_counter(load_counter(text, "Slow"), 2).measured == 1.0


def test_measuring_leaves_no_way_in_by_shared_arrays():
    class InPlace(Independent):
        """Changes in place what it was given."""

        def encode(self, reports):
            reports += 0.0
            return super().encode(reports)

        def decode(self, noisy):
            total = super().decode(noisy)
            noisy[0][:] = 7.0
            return total

    assert (measure_counter(InPlace, 6).decoder == np.tril(np.ones((6, 6)))).all()


@pytest.mark.parametrize(
    "source, name, text",
    [
        ("x = 1\nclass A: pass\n", "B", "has no class B; it has: A"),
        ("import math\n", "math", "it has: none"),
        ("a = 1\nb = = 2\n", "A", "fails in line 2: SyntaxError"),
        ("a = 1\nb = a / 0\n", "A", "fails in line 2: ZeroDivisionError"),
        ("nowhere.py", "A", "cannot read nowhere.py"),
    ],
)
def test_sources_without_a_counter(source, name, text):
    with pytest.raises(CounterError, match=text):
        load_counter(source, name)


@pytest.mark.parametrize("horizon", [0, 2001])
def test_horizons_that_cannot_be_measured(horizon):
    with pytest.raises(CounterError, match="1 to 2,000 steps"):
        measure_counter(Independent, horizon)


def test_unknown_kinds_and_foreign_horizons_are_refused():
    with pytest.raises(ValueError, match="must be one of toeplitz, "):
        get_profile("abacus", 10)
    with pytest.raises(ValueError, match="measured over 9 steps, not over 10"):
        get_profile(get_factorisation("tree", 9), 10)
