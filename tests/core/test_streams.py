"""Report streams: rates, independence of settings, tables with holes, the extra report."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import streams
from core.parameters import ParameterError, Parameters


@pytest.mark.parametrize("other", [0.0, 0.2, 3.0])
def test_poisson_rates_and_spread(other):
    stream = streams.PoissonStream(40, 1.0, other)
    reports = np.array([streams.get_reports(stream, 500, seed) for seed in range(20)])
    leader, others = reports[:, :, 0], reports[:, :, 1:]
    for values, rate in ((leader, 1.0), (others, other)):
        error = np.sqrt(rate / values.size)
        assert abs(values.mean() - rate) <= 4 * error
        if rate:
            # a Poisson count's variance is its mean; its sampling error follows from the fourth moment
            assert abs(values.var() - rate) <= 4 * np.sqrt((rate + 2 * rate**2) / values.size)
            assert abs(values.mean() - 1.1 * rate) > 4 * error


def test_poisson_counts_have_the_poisson_distribution():
    stream = streams.PoissonStream(50, 1.0, 0.7)
    cells = np.concatenate([streams.get_reports(stream, 480, seed)[:, 1:].ravel() for seed in range(4)])
    seen = np.bincount(cells, minlength=4)[:4] / cells.size
    law = np.exp(-0.7) * np.array([1, 0.7, 0.7**2 / 2, 0.7**3 / 6])
    assert np.all(np.abs(seen - law) < 4 * np.sqrt(law * (1 - law) / cells.size))


def test_a_runs_reports_depend_on_its_own_number_alone():
    stream = streams.PoissonStream(5, 1.0, 0.2)
    feed = stream.start(3, [7, 2])
    steps = np.array([feed.step().copy() for _ in range(150)])
    for place, run in enumerate((7, 2)):
        assert np.array_equal(steps[:, place], streams.get_reports(stream, 150, 3, run))
    assert not np.array_equal(steps[:, 0], steps[:, 1])


def test_a_longer_horizon_keeps_the_beginning():
    stream = streams.PoissonStream(5, 1.0, 0.2)
    assert np.array_equal(streams.get_reports(stream, 40, 1), streams.get_reports(stream, 300, 1)[:40])


def test_the_leaders_rate_does_not_move_the_others():
    slow, fast = (streams.get_reports(streams.PoissonStream(5, rate, 0.2), 200, 1) for rate in (0.5, 5.0))
    assert np.array_equal(slow[:, 1:], fast[:, 1:])
    assert fast[:, 0].sum() > slow[:, 0].sum()


def test_burst_is_where_it_should_be():
    stream = streams.BurstStream(4, 50.0, 0.0, 11, 20)
    leader = streams.get_reports(stream, 130, 1)[:, 0]
    assert (leader[10:20] > 0).all() and leader[:10].sum() == leader[20:].sum() == 0


def test_a_scenario_makes_its_stream():
    p = Parameters(targets=7, horizon=100, run_length=100)
    assert streams.make_stream(p) == streams.PoissonStream(7, 1.0, 0.2)
    burst = streams.make_stream(Parameters(targets=7, horizon=100, run_length=100, stream="burst"))
    assert burst == streams.BurstStream(7, 1.0, 0.2, 40, 60)
    assert streams.make_stream(Parameters(horizon=1, run_length=1, stream="burst")).start(0, [0]).step().shape == (
        1,
        50,
    )


def test_static_gap():
    reports = streams.get_reports(streams.make_static_gap_stream(3, 16), 4, 0)
    assert reports.tolist() == [[16, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_extra_report_is_the_only_difference():
    stream = streams.PoissonStream(4, 1.0, 0.2)
    more = streams.get_reports(streams.WithReport(stream, 30, 2), 60, 5) - streams.get_reports(stream, 60, 5)
    assert more.sum() == 1 and more[29, 2] == 1


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=8))
def test_table_round_trip(table):
    assert streams.get_reports(streams.TableStream(table), len(table), 0).tolist() == table


@pytest.mark.parametrize(
    "table, words",
    [
        ([[1, 2], [float("nan"), 1]], "is empty at step 2, target 0"),
        ([[1, -2]], "holds -2 at step 1, target 1"),
        ([[0.5, 1]], "holds 0.5"),
        ([[1, float("inf")]], "holds inf"),
        ([[1], [2]], "2 or more"),
        ([1, 2], "steps x targets"),
        ([["a", 2]], "numbers only"),
        ([[1, 2], [3]], "numbers only"),
    ],
)
def test_bad_tables_are_refused_with_the_cell(table, words):
    with pytest.raises(ParameterError, match=words):
        streams.TableStream(table)
