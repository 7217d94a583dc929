"""The table of parameters: validation, mending of bad input, and the URL."""

from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import parameters as pm

NUMBERS = [row for row in pm.TABLE.values() if not row.choices]
anything = st.one_of(st.text(max_size=20), st.floats(), st.integers(), st.none(), st.booleans())


def valid(row):
    if row.choices:
        return st.sampled_from(row.choices)
    steps = round((row.maximum - row.minimum) / row.step)
    return st.integers(0, steps).map(lambda i: row.snap(row.minimum + i * row.step))


def test_table_and_dataclass_name_the_same_parameters():
    assert set(pm.TABLE) == {row.name for row in fields(pm.Parameters)}
    assert len({row.url for row in pm.TABLE.values()}) == len(pm.TABLE)


@pytest.mark.parametrize(
    "name, low, high, default",
    [
        ("targets", 2, 500, 50),
        ("horizon", 1, 10_000, 1000),
        ("delta", 0.005, 0.95, 0.10),
        ("gap", 0, 500, 16),
    ],
)
def test_ranges(name, low, high, default):
    row = pm.TABLE[name]
    assert (row.minimum, row.maximum, row.default) == (low, high, default)


@pytest.mark.parametrize("row", NUMBERS, ids=lambda row: row.name)
def test_stops_are_allowed_values_and_reach_the_ends(row):
    for stop in row.stops:
        assert row.snap(stop) == pytest.approx(stop)
    if row.stops:
        assert (row.stops[0], row.stops[-1]) == (row.minimum, row.maximum)
        assert row.default in row.stops
        assert list(row.stops) == sorted(set(row.stops))


def test_frozen():
    with pytest.raises(FrozenInstanceError):
        pm.Parameters().delta = 0.5  # type: ignore[misc]


@pytest.mark.parametrize(
    "changes, name",
    [
        ({"delta": 0}, "delta"),
        ({"delta": 1}, "delta"),
        ({"delta": float("nan")}, "delta"),
        ({"delta": True}, "delta"),
        ({"targets": 1}, "targets"),
        ({"targets": 2.5}, "targets"),
        ({"targets": "many"}, "targets"),
        ({"horizon": 10**400}, "horizon"),
        ({"rr_calibration": "best"}, "rr_calibration"),
        ({"horizon": 10, "run_length": 11}, "run_length"),
        ({"targets": 500, "horizon": 10_000, "runs": 1000}, "runs"),
    ],
)
def test_bad_values_are_refused_with_what_is_allowed(changes, name):
    with pytest.raises(pm.ParameterError) as caught:
        pm.Parameters(**changes)
    assert caught.value.name == name
    assert any(word in str(caught.value) for word in ("from", "one of", "must not exceed", "at most"))


@given(st.dictionaries(st.sampled_from([*pm.TABLE, "unknown"]), anything))
def test_mending_never_fails_and_tells_what_it_changed(values):
    mended, told = pm.mend(values)
    by_name = {correction.name for correction in told}
    for name, given_value in values.items():
        if name in pm.TABLE and name not in by_name and name not in ("run_length", "runs"):
            row = pm.TABLE[name]
            got = getattr(mended, name)
            assert got == given_value if row.choices else got == pytest.approx(float(given_value), abs=1e-9)


@given(st.fixed_dictionaries({name: valid(row) for name, row in pm.TABLE.items()}))
def test_query_round_trip(values):
    mended, _ = pm.mend(values)
    query = pm.to_query(mended)
    assert all(isinstance(value, str) for value in query.values())
    assert pm.from_query(query) == (mended, ())


@pytest.mark.parametrize(
    "query, name, used, reason",
    [
        ({"delta": "abc"}, "delta", 0.1, "not-a-value"),
        ({"delta": ""}, "delta", 0.1, "not-a-value"),
        ({"delta": "inf"}, "delta", 0.1, "not-a-value"),
        ({"delta": "900"}, "delta", 0.95, "out-of-range"),
        ({"delta": "-1"}, "delta", 0.005, "out-of-range"),
        ({"delta": "0.1234"}, "delta", 0.125, "off-step"),
        ({"C": "3.7"}, "targets", 4, "off-step"),
        ({"rr": "best"}, "rr_calibration", "paper-experiments", "not-a-value"),
        ({"T": "50", "L": "100"}, "run_length", 50, "over-horizon"),
        ({"C": "500", "T": "10000", "runs": "500"}, "runs", 100, "too-large"),
    ],
)
def test_bad_query_values_are_replaced_and_told(query, name, used, reason):
    mended, told = pm.from_query(query)
    assert getattr(mended, name) == used
    assert [(c.name, c.used, c.reason) for c in told] == [(name, used, reason)]


def test_a_change_that_contradicts_is_mended():
    changed, told = pm.Parameters(run_length=800).with_changes(horizon=200)
    assert (changed.horizon, changed.run_length) == (200, 200)
    assert told[0].reason == "over-horizon"


def test_largest_runs_is_the_largest_that_fits():
    for targets, horizon in ((2, 1), (50, 1000), (500, 10_000)):
        most = pm.largest_runs(targets, horizon)
        pm.check_size(targets, horizon, most)
        with pytest.raises(pm.ParameterError, match=f"at most {most:,} runs"):
            pm.check_size(targets, horizon, most + 1)


def test_presets_are_the_papers_experiments():
    one, two = pm.PRESETS["experiment-1"], pm.PRESETS["experiment-2"]
    assert (one.targets, one.run_length, one.delta, one.gap) == (5, 1000, 0.1, 16)
    assert (two.targets, two.horizon, two.delta, two.lead_rate, two.other_rate) == (50, 1000, 0.1, 1.0, 0.2)
    assert len(set(pm.PRESETS.values())) == len(pm.PRESETS)
