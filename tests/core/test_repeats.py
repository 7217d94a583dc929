"""Several reports by one person: the measured attack grows with them and stays within the bounds."""

import pytest

from core import deniability
from core.mechanisms import Greedy, Tca, Uniform
from core.repeats import measure_repeats
from core.streams import PoissonStream

QUIET = PoissonStream(5, 0.0, 0.0)


def error_of(measured):
    return (measured.high - measured.low) / 3.92


def test_more_reports_are_seen_more_easily_within_the_bounds():
    tca = Tca(5, 20, 0.1)
    one = measure_repeats(tca, QUIET, 20, [(3, 1)], 4000, 1)
    day = measure_repeats(tca, QUIET, 20, [(3, 1)] * 5, 4000, 1)
    apart = measure_repeats(tca, QUIET, 20, [(3, target) for target in range(5)], 4000, 1)
    assert day.advantage > one.advantage + 2 * error_of(one)
    assert day.advantage < deniability.get_k_reports_delta(0.1, 5) + 4 * error_of(day)
    assert apart.advantage < deniability.get_k_reports_delta(0.1, 5, same_target=False) + 4 * error_of(apart)
    assert one.advantage < 0.1 + 4 * error_of(one)


def test_baselines():
    blind = measure_repeats(Uniform(5), QUIET, 20, [(3, 1)] * 3, 2000, 1)
    assert abs(blind.advantage) < 4 * error_of(blind)
    greedy = measure_repeats(Greedy(5), QUIET, 20, [(3, 1), (9, 1)], 1000, 1)
    assert greedy.advantage > 0.7


def test_impossible_reports_are_refused():
    with pytest.raises(ValueError, match="step must lie"):
        measure_repeats(Uniform(5), QUIET, 20, [(21, 1)], 10, 1)
