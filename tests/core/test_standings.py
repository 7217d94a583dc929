"""Core of the page Fading tally: publishing outright, the league as rows, what a tally sees, deadlines kept."""

import argparse
from pathlib import Path

import numpy as np
import pytest

from core.calibration import get_count_sd
from core.commands import league as command
from core.fading import Fading
from core.intervals import get_intervals, measure_longest, run_intervals
from core.league import SETTINGS, Setting, make_rule
from core.mechanisms import Rota, Tca, Uniform
from core.outright import Outright
from core.parameters import Parameters
from core.simulation import run_ensemble, run_transcript
from core.standings import League, Row, measure_part, read, write
from core.streams import PoissonStream, TableStream, WithReport, make_stream
from core.traces import get_errors_by_age, run_trace

SPARSE = SETTINGS["sparse"]


# --- publish outright ------------------------------------------------------------------------------------------------
def test_a_report_is_published_with_probability_delta():
    reports = TableStream(np.full((40, 4), 5.0))
    trace = run_trace(Outright(4, 0.2), reports, 40, 50, 1)
    assert set(np.unique(trace.released)) <= set(range(6))
    error = np.sqrt(0.2 * 0.8 / (5 * trace.released.size))
    assert trace.released.mean() / 5 == pytest.approx(0.2, abs=4 * error)
    assert trace.released.var() / 5 == pytest.approx(0.16, rel=0.05)


def test_a_report_that_is_not_published_changes_nothing():
    quiet = PoissonStream(5, 0.3, 0.3)
    worlds = [run_trace(Outright(5, 0.1), told, 30, 300, 3) for told in (WithReport(quiet, 30, 2), quiet)]
    same = (worlds[0].released[:, -1] == worlds[1].released[:, -1]).all(axis=1)
    assert (worlds[0].audits[same] == worlds[1].audits[same]).all()
    assert 0.0 < np.mean(~same) < 0.2


def test_outright_does_well_where_reports_are_rare():
    found = run_ensemble(Outright(SPARSE.targets, SPARSE.delta), SPARSE.stream, SPARSE.horizon, 40, 2026)
    assert found.mean_deficit == pytest.approx(1.215, abs=4 * (found.mean_deficit_se or 0.0))
    lots = run_ensemble(Uniform(SPARSE.targets), SPARSE.stream, SPARSE.horizon, 20, 2026)
    assert found.mean_deficit < lots.mean_deficit / 2


# --- the league ------------------------------------------------------------------------------------------------------
def test_rows_are_those_of_the_league_and_come_back_from_the_file(tmp_path: Path):
    rows = measure_part("small", 3, 5)
    s = SETTINGS["small"]
    mechanism = make_rule("fading", s)
    assert mechanism is not None
    expected = run_ensemble(mechanism, s.stream, s.horizon, 3, 5)
    fading = next(row for row in rows if row.rule == "fading")
    assert fading.value == pytest.approx(expected.mean_deficit)
    assert fading.error == pytest.approx(expected.mean_deficit_se)
    assert {"rr-race", "outright", "known-rates"} <= {row.rule for row in rows}
    league = League("2026-01-01", 5, "a command", tuple(rows))
    write(league, tmp_path / "league.json")
    assert read(tmp_path / "league.json") == league
    assert league.get("small", "missed") == rows and league.get("large", "missed") == []


def test_command_stores_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "league.json"
    printed = command.run(argparse.Namespace(setting="small", runs=2, seed=1, out=out))
    stored = read(out)
    assert [Row(**row) for row in printed] == list(stored.rows)
    assert stored.command == f"python -m core league --setting small --runs 2 --seed 1 --out {out.as_posix()}"


def test_rules_that_read_no_report_leak_exactly_nothing_and_greedy_nearly_all():
    rows = {(row.rule, row.measure): row for row in measure_part("leaks", 200)}
    assert rows["rota", "release"].value == rows["uniform", "timing"].value == 0.0
    assert rows["greedy", "timing"].value == pytest.approx(0.8, abs=4 * rows["greedy", "timing"].error)
    assert rows["outright", "release"].value == 0.1
    for rule in ("fading", "fading-alert", "tca"):
        assert abs(rows[rule, "release"].value - 0.1) < 4 * rows[rule, "release"].error


@pytest.mark.parametrize(("part", "runs"), [("nowhere", 2), ("small", 1), ("leaks", 3)])
def test_bad_league_is_refused(part: str, runs: int):
    with pytest.raises(ValueError, match="must be"):
        measure_part(part, runs)


# --- traces ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mechanism", [Fading(6, 0.1), Tca(6, 60, 0.1)])
def test_trace_is_the_same_run(mechanism: Fading | Tca):
    stream = PoissonStream(6, 1.0, 0.2)
    trace = run_trace(mechanism, stream, 60, 3, 8)
    record = run_transcript(mechanism, stream, 60, 8, run=2)
    np.testing.assert_array_equal(trace.audits[2], record.audits)
    np.testing.assert_array_equal(trace.active[2], record.active)
    if record.noise is not None:
        np.testing.assert_allclose(trace.estimate[2], record.active + record.noise)


def test_errors_by_age_are_the_noise_of_the_count():
    p = Parameters(targets=5, horizon=200, run_length=200)
    trace = run_trace(Tca(5, 200, 0.1), make_stream(p), 200, 200, 1)
    # a count is audited because it is large, so only counts of age 1 are unselected
    assert get_errors_by_age(trace, 3)[0] == pytest.approx(get_count_sd(0.1, 200, 1), rel=0.02)
    assert trace.ages[:, 0].max() == 1 and trace.ages.min() == 1


def test_doubt_of_the_fading_tally_is_honest():
    s = Setting(20, 300, 0.1, PoissonStream(20, 1.0, 0.2), 8)
    trace = run_trace(Fading(s.targets, s.delta), s.stream, s.horizon, 8, 4)
    assert trace.doubt is not None
    squares = ((trace.estimate - trace.active) ** 2).mean()
    assert squares == pytest.approx((trace.doubt**2).mean(), rel=0.2)


def test_a_rule_without_released_numbers_has_no_trace():
    with pytest.raises(ValueError, match="releases nothing"):
        run_trace(Rota(3), PoissonStream(3, 1.0, 1.0), 5, 2, 1)


# --- deadlines -------------------------------------------------------------------------------------------------------
def test_rota_waits_exactly_one_round():
    assert measure_longest(Rota(7), PoissonStream(7, 1.0, 1.0), 100, 2, 1)[1] == 7


def test_waits_are_counted_at_both_ends():
    # the auditor follows the reports about 0 alone: 1 waits from the start to the end
    crowd = np.zeros((50, 3))
    crowd[:, 0] = 10_000
    assert measure_longest(Tca(3, 50, 0.5), TableStream(crowd), 50, 2, 1)[1] == 50


@pytest.mark.parametrize("targets", [2, 5, 9])
def test_no_deadline_is_missed(targets: int):
    p = Parameters(targets=targets, horizon=150, run_length=150, lead_rate=5.0)
    rows = run_intervals(p, get_intervals(targets, 150), 10, 150)
    assert all(row.longest <= row.interval for row in rows if row.interval is not None)
    assert rows[0].longest == rows[0].interval == targets and rows[-1].interval is None
    assert rows[-1].longest > 3 * targets


@pytest.mark.parametrize(("targets", "horizon"), [(50, 1), (50, 50), (2, 3)])
def test_intervals_of_a_short_horizon(targets: int, horizon: int):
    found = get_intervals(targets, horizon)
    assert found[-1] is None and all(targets <= w < horizon for w in found[:-1] if w is not None)
