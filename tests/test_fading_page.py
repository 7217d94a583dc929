"""The page Fading tally: its numbers are core's, its sentences also where it loses, extremes stay within patience."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.auditors import make_mechanism
from core.calibration import get_mu
from core.fading import Fading
from core.intervals import run_intervals
from core.league import RULES, SETTINGS
from core.parameters import PRESETS, TABLE, Parameters
from core.simulation import run_ensemble
from core.standings import PARTS, Row
from core.streams import make_stream
from core.traces import run_trace
from ui.charts import fading as charts
from ui.fading import jumps, league, outright, story, work
from ui.fading.names import Dot, get_name
from ui.marks import MARKS
from ui.words import number

PAGE = "pages/10_Fading.py"
Start = Callable[..., AppTest]
SMALL = replace(PRESETS["small-regulator"], horizon=120, run_length=120, runs=20)
QUERY = {"C": 5, "T": 120, "L": 120, "delta": 0.05, "runs": 20}
SHARED = {row.url for row in TABLE.values()} | {"lang"}


def open_view(new_app: Start, view: str, **query: Any) -> AppTest:
    at = new_app(**{key: value for key, value in query.items() if key in SHARED})
    local = {key: str(value) for key, value in query.items() if key not in SHARED}
    at.session_state["waiting"] = {"fading_view": view, **local}
    at.switch_page(PAGE).run()
    assert not at.exception, at.exception[0].message
    return at


def words(at: AppTest) -> str:
    return "\n".join(element.value for kind in (at.markdown, at.caption, at.warning) for element in kind)


# --- sizes and sentences ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "p", [Parameters(), SMALL, Parameters(targets=500, horizon=10_000), Parameters(targets=2, horizon=1, run_length=1)]
)
def test_size_keeps_to_the_budget(p: Parameters) -> None:
    size = work.get_size(p)
    assert size.runs * size.horizon * p.targets <= work.CELLS and 4 <= size.runs <= p.runs
    assert 1 <= size.horizon <= p.horizon
    assert ("take too long" in work.tell_size(p, size)) == (size.horizon < p.horizon)


def test_missed_reports_are_those_of_core() -> None:
    size = work.get_size(SMALL)
    for rule in work.STORY:
        runs = run_ensemble(make_mechanism(rule, SMALL), make_stream(SMALL), size.horizon, size.runs, SMALL.seed)
        dot = work.make_dot(rule, work.get_missed(rule, SMALL, size))
        assert (dot.value, dot.margin) == pytest.approx((runs.mean_deficit, 1.96 * (runs.mean_deficit_se or 0)), 1e-4)


def test_verdict_follows_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    def pretend(tally: float, rota: float) -> str:
        gaps = {"tca": Dot("fading", tally, 1.0), "rota": Dot("fading", rota, 1.0)}
        monkeypatch.setattr(work, "get_difference", lambda one, other, p, size: gaps[other])
        return story.verdict(SMALL, work.get_size(SMALL))

    assert "fewer reports than the noisy tally" in pretend(-2.0, -2.0) and "rota" not in pretend(-2.0, -2.0)
    assert "worse than the noisy tally" in pretend(2.0, 0.5)
    assert "cannot tell" in pretend(0.5, 2.0) and "A fixed rota misses fewer" in pretend(0.5, 2.0)
    assert story.verdict(replace(SMALL, lead_rate=0.0, other_rate=0.0), work.get_size(SMALL)) == ""


@pytest.mark.parametrize(("gap", "said"), [(-2.0, "even misses fewer"), (2.0, "not even help"), (0.5, "about as much")])
def test_judgement_of_outright(gap: float, said: str) -> None:
    assert said in outright.judge([Dot("outright", 3.0 + gap, 0.5), Dot("fading", 3.0, 0.5)])


def test_a_restart_leaves_part_of_the_promise_unused() -> None:
    assert story.get_spent(Parameters()) == pytest.approx(0.714, abs=0.02)
    assert story.get_spent(Parameters(targets=60, horizon=50, run_length=50)) == 1.0


# --- figures ---------------------------------------------------------------------------------------------------------
def test_dots_show_every_value_with_its_interval() -> None:
    found = [Dot("fading", 4.0, 0.1), Dot("tca", 12.0, 0.3), Dot("outright", 5.0, 0.0)]
    marks = [trace for trace in charts.dots(found, "x").data if trace.mode == "markers"]
    assert [(trace.x[0], trace.error_x.array[0]) for trace in marks] == [(12.0, 0.3), (5.0, 0.0), (4.0, 0.1)]
    assert marks[-1].marker.symbol == MARKS["fading"].symbol
    assert charts.table_of_dots(found, "v")["v"].tolist() == [4.0, 12.0, 5.0]


def test_the_curve_of_a_report_has_length_mu() -> None:
    rule = Fading(5, 0.05)
    column = rule.get_column(2000)
    drawn = charts.traces_of_a_report({"fading": column}).data[0].y
    assert np.linalg.norm(drawn) == pytest.approx(get_mu(0.05))


def test_outright_touches_its_limit_where_nobody_is_wrongly_accused() -> None:
    publish, noise, limit = charts.detections(0.1, get_mu(0.1)).data
    assert publish.y[0] == limit.y[0] == 0.1 and noise.y[0] == 0.0
    assert (np.asarray(publish.y) <= np.asarray(limit.y)).all() and (np.asarray(noise.y) <= limit.y).all()


def test_every_rule_of_the_league_has_a_name_of_its_own() -> None:
    names = [get_name(rule) for rule in (*RULES, "rr-race", "outright", "tca-costs")]
    assert len(set(names)) == len(names)


# --- the stored league -----------------------------------------------------------------------------------------------
def test_stored_league_is_complete_and_keeps_what_is_claimed() -> None:
    stored = league.get_stored()
    assert stored is not None and {row.part for row in stored.rows} == set(PARTS)
    assert stored.command.startswith("python -m core league") and len(stored.date) == 10
    for setting in SETTINGS:
        found = {row.rule: row for row in stored.get(setting, "missed")}
        assert set(RULES) - {"known-rates"} <= set(found)
        assert found["fading"].value <= found["tca"].value + found["tca"].error
        assert found["tca-interval"].value <= found["tca"].value
    experiment = {row.rule: row for row in stored.get("experiment-2", "missed")}
    assert experiment["fading"].value <= 4.1 and abs(experiment["tca"].value - 12.015) < 4 * experiment["tca"].error
    for row in stored.get("leaks", "release"):
        assert row.rule == "greedy" or row.value - 0.1 < 4 * max(row.error, 1e-9)
    delays = {row.rule: row for row in stored.get("jumps", "delay")}
    assert delays["tca"].value < delays["fading"].value
    lone = {row.rule: row for row in stored.get("lone-jump", "delay")}
    assert lone["tca"].value + 2 * lone["tca"].error < lone["fading-alert"].value < lone["fading"].value


def test_words_of_the_league_take_the_stored_numbers() -> None:
    stored = league.get_stored()
    assert stored is not None
    rows = stored.get("experiment-2", "missed")
    fading = next(row for row in rows if row.rule == "fading")
    assert number(fading.value) in league.headline(rows) and "7 of 7" in league.beaten(stored)
    assert "7 of 7" in league.beaten_by_rota(stored)
    assert number(fading.value) in jumps.limits(stored) and "**" not in jumps.limits(None)
    assert league.to_table(stored).shape == (len({row.rule for row in rows}), 1 + len(SETTINGS))


# --- page ------------------------------------------------------------------------------------------------------------
def test_story_tells_the_numbers_of_core(new_app: Start) -> None:
    at = open_view(new_app, "story", **QUERY)
    fading = work.get_missed("fading", SMALL, work.get_size(SMALL))
    marks = [trace for trace in figure(at, "fading-means")["data"] if trace.get("mode") == "markers"]
    assert len(marks) == 5
    assert any(float(array(trace["x"])[0]) == pytest.approx(fading.mean()) for trace in marks)
    assert f"misses **{number(float(fading.mean()))} ±" in words(at)
    assert at.code[0].value == work.command("fading", SMALL, work.get_size(SMALL))
    at.segmented_control(key="w_fading_step").set_value("filter").run()
    assert not at.exception
    trace = run_trace(Fading(5, 0.05), make_stream(SMALL), 120, 4, SMALL.seed)
    shown = figure(at, "fading-reading")["data"]
    np.testing.assert_allclose(array(shown[0]["y"]), trace.released[0, :, 0])
    at.segmented_control(key="w_fading_step").set_value("hidden").run()
    assert not at.exception and "Condition 2" in words(at) and at.query_params["fading_step"] in ("hidden", ["hidden"])


def test_story_survives_the_largest_and_warns_of_rates_at_the_top(new_app: Start, monkeypatch: Any) -> None:
    monkeypatch.setattr(work, "CELLS", 20_000)
    at = open_view(new_app, "story", C=500, T=2_000, delta=0.95, lead=20, other=0, runs=10)
    assert "above the highest rate" in words(at) and "take too long" in words(at)


def test_story_without_reports(new_app: Start) -> None:
    at = open_view(new_app, "story", **{**QUERY, "lead": 0, "other": 0, "T": 1, "L": 1})
    assert "nothing to miss" in words(at)


def test_jumps_and_the_switch(new_app: Start, monkeypatch: Any) -> None:
    monkeypatch.setattr(jumps, "CELLS", 10_000)
    at = open_view(new_app, "jumps", **QUERY)
    assert len([t for t in figure(at, "fading-delay")["data"] if t.get("mode") == "markers"]) == 2
    at.toggle(key="w_fading_alert").set_value(True).run()
    assert not at.exception and get_name("fading-alert") in words(at)


def test_deadlines_are_those_of_core(new_app: Start) -> None:
    at = open_view(new_app, "deadlines", **QUERY, fading_w=7)
    (row,) = run_intervals(SMALL, [7], 20, 120)
    assert "deadline of **7** steps" in words(at)
    assert f"misses **{number(row.mean_deficit)} ±" in words(at) and f"longer than **{row.longest}** steps" in words(at)
    assert at.code[0].value.endswith("--interval 7")


def test_unequal_view(new_app: Start) -> None:
    at = open_view(new_app, "unequal", **QUERY)
    assert len(array(figure(at, "fading-several")["data"][0]["x"])) == 3
    assert "Audits at each step: 3" in words(at)
    two = open_view(new_app, "unequal", **{**QUERY, "C": 2})
    assert "Audits at each step: 1" in words(two)


def test_outright_view(new_app: Start) -> None:
    at = open_view(new_app, "outright", **QUERY)
    assert "gives away 5% of all reporters" in words(at)


def test_league_view_and_a_setting_run_now(new_app: Start, monkeypatch: Any) -> None:
    monkeypatch.setattr(league, "CELLS", 1)
    asked = []

    def measure(part: str, runs: int, seed: int, progress: Any) -> list[Row]:
        asked.append((part, runs))
        return [Row(part, "fading", "missed", 1.25, 0.05, runs)]

    monkeypatch.setattr(work, "measure_part", measure)
    at = open_view(new_app, "league", fading_setting="small", seed=77)
    stored = league.get_stored()
    assert stored is not None
    assert f"Stored on {stored.date}" in words(at) and at.code[0].value == stored.command
    at.button(key="fading_again").click().run()
    assert not at.exception and asked == [("small", 2)] and "seed 77" in words(at)
