"""The page Long run: its numbers against the paper's setting, its sentences also where the noisy tally loses."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.auditors import MECHANISMS, make_mechanism
from core.parameters import PRESETS, Parameters
from core.simulation import run_ensemble
from core.streams import make_stream
from ui import frames, says
from ui.charts import longrun
from ui.marks import MARKS

PAGE = "pages/4_Long_run.py"
Start = Callable[..., AppTest]
SMALL = PRESETS["small-regulator"]


@pytest.fixture(scope="module")
def courses() -> dict[str, frames.Course]:
    return {name: frames.course(name, Parameters(), 100) for name in MECHANISMS}


def differences(p: Parameters, runs: int) -> dict[str, frames.Difference]:
    tally = frames.course("tca", p, runs)
    return {rival: frames.compare(tally, frames.course(rival, p, runs)) for rival in frames.RIVALS}


def keys(at: AppTest) -> set[str]:
    return {key for element in at.main if (key := getattr(element, "key", None))}


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


# --- numbers ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "mean"), [("tca", 12.015), ("rr", 51.5), ("uniform", 52.1), ("rota", 17.0), ("greedy", 0.0)]
)
def test_means_of_experiment_2(courses: dict[str, frames.Course], name: str, mean: float) -> None:
    course = courses[name]
    assert abs(course.mean_deficit - mean) <= 4 * course.mean_deficit_se + 0.1
    assert course.mean.mean() == pytest.approx(course.mean_deficit)
    assert course.by_run.mean() == pytest.approx(course.mean_deficit)
    assert course.total[-1] == pytest.approx(course.mean_deficit * len(course.mean))


def test_misselection_of_experiment_2(courses: dict[str, frames.Course]) -> None:
    assert courses["tca"].misselection == pytest.approx(0.9220, abs=0.004)
    assert courses["uniform"].misselection == pytest.approx(0.9791, abs=0.003)


def test_pairing_by_run_sharpens_the_difference(courses: dict[str, frames.Course]) -> None:
    pair = frames.compare(courses["tca"], courses["rota"])
    assert pair.value == pytest.approx(courses["tca"].mean_deficit - courses["rota"].mean_deficit)
    assert pair.se == pytest.approx(np.std(courses["tca"].by_run - courses["rota"].by_run, ddof=1) / 10)


def test_tally_wins_in_experiment_2_and_loses_for_a_small_regulator() -> None:
    assert [d.verdict for d in differences(Parameters(), 100).values()] == ["fewer", "fewer"]
    lost = differences(replace(SMALL, delta=0.03), 200)
    assert [d.verdict for d in lost.values()] == ["more", "more"]


def test_reference_values_of_the_small_regulator() -> None:
    for name, mean in (("tca", 4.01), ("uniform", 3.88)):
        course = frames.course(name, SMALL, 400)
        assert abs(course.mean_deficit - mean) <= 3 * course.mean_deficit_se + 0.02


def test_contest_says_why() -> None:
    assert not frames.get_contest(Parameters()).noise_wins
    small = frames.get_contest(SMALL)
    assert small.noise_wins and small.lead == pytest.approx(4.0)


def test_moving_delta_leaves_the_others_as_they_are() -> None:
    one = frames.course("rota", Parameters(targets=7, horizon=50, run_length=50), 10)
    two = frames.course("rota", Parameters(targets=7, horizon=50, run_length=50, delta=0.3, gap=3), 10)
    assert one is two


def test_store_forgets_the_one_unused_for_longest() -> None:
    store: frames.Store[int] = frames.Store(2)
    store.put("a", 1)
    store.put("b", 2)
    assert store.get("a") == 1
    store.put("c", 3)
    assert (store.get("a"), store.get("b"), store.get("c")) == (1, None, 3)


def test_the_fading_tally_has_the_runs_of_the_core_and_tells_how_far_it_is() -> None:
    p = replace(SMALL, horizon=60, run_length=60)
    told: list[float] = []
    found = frames.get_course("fading", p, 4, told.append)
    direct = run_ensemble(make_mechanism("fading", p), make_stream(p), p.horizon, 4, p.seed)
    assert np.array_equal(found.by_run, direct.deficit.mean(axis=1))
    assert len(told) > 1 and told == sorted(told) and told[-1] <= 1.0
    tally = frames.course("tca", p, 9)
    assert frames.compare(found, tally).value == pytest.approx((found.by_run - tally.by_run[:4]).mean())
    assert frames.kept_course("fading", replace(p, delta=0.4), 4) is None


def test_the_fading_tally_is_left_out_where_it_would_take_minutes() -> None:
    huge = Parameters(targets=500, horizon=10_000, runs=10)
    assert frames.fading_runs(huge) == 0 and "left out" in says.fewer_runs(huge, 0)
    assert 10 <= frames.fading_runs(Parameters()) < frames.page_runs(Parameters())
    assert frames.fading_runs(SMALL) == SMALL.runs and says.fewer_runs(SMALL, SMALL.runs) == ""


def test_page_asks_for_what_a_reader_can_wait_for() -> None:
    assert frames.page_runs(Parameters()) == 100
    huge = Parameters(targets=500, horizon=10_000)
    assert frames.page_runs(huge) == 10
    assert "You asked for 100 runs" in says.scenario_long_run(replace(huge, runs=10), 100, 1000)


@pytest.mark.parametrize("p", [Parameters(), Parameters(targets=500, horizon=10_000, runs=10), SMALL])
def test_first_picture_is_cheap(p: Parameters) -> None:
    assert 2 <= frames.preview_runs(p) <= min(10, p.runs)


def test_progress_is_told_and_ends_at_one() -> None:
    told: list[float] = []
    frames.get_course("tca", Parameters(targets=500, horizon=20, run_length=20), 30, told.append)
    assert len(told) > 1 and told == sorted(told) and told[-1] == 1.0


def test_sweep_finds_where_it_flips() -> None:
    told: list[float] = []
    sweep = frames.get_sweep("delta", Parameters(), told.append)
    assert told[-1] == 1.0 and sweep.runs >= 4
    ((low, high),) = sweep.crossings("rota")
    assert 0.03 <= low < high <= 0.1
    assert np.all(np.diff(sweep.difference["rota"]) < 0)
    assert sweep.crossings("uniform") == [] and sweep.steady("uniform") == -1


def test_sweep_of_targets_for_a_small_regulator() -> None:
    sweep = frames.get_sweep("targets", SMALL)
    ((low, high),) = sweep.crossings("rota")
    assert 20 <= low < high <= 100


@pytest.mark.parametrize("value", [0.0, 1e-9, 0.4, 1.0, 37.2, 150.0, 1e6])
def test_axes_end_at_a_round_number_above(value: float) -> None:
    top = longrun.ceiling(value)
    assert value <= top <= max(1.0, 2.0 * value)


# --- figures ---------------------------------------------------------------------------------------------------------
def test_every_step_up_to_a_thousand_is_drawn(courses: dict[str, frames.Course]) -> None:
    picture = longrun.over_time(list(courses.values()))
    lines = {trace.name: trace for trace in picture.data if trace.mode == "lines+markers"}
    assert len(lines) == len(courses) and {len(line.x) for line in lines.values()} == {1000}
    tally = lines[MARKS["tca"].plain]
    np.testing.assert_allclose(tally.y, courses["tca"].mean, rtol=1e-6)
    assert {line.marker.symbol for line in lines.values()} == {MARKS[name].symbol for name in courses}


@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (1000, 1000), (1001, 1000), (10_000, 1000)])
def test_long_records_are_thinned_evenly(length: int, points: int) -> None:
    at = longrun.drawn(length)
    assert len(at) == points and at[0] == 0 and at[-1] == length - 1
    assert np.ptp(np.diff(at)) <= 1 if length > 1 else True


def test_tables_hold_every_number(courses: dict[str, frames.Course]) -> None:
    all_five = list(courses.values())
    assert longrun.table_by_step(all_five).shape == (1000, 1 + 5 * 4)
    assert longrun.table_of_totals(all_five).shape == (1000, 1 + 5 * 3)
    means = longrun.table_of_means(all_five)
    assert means.iloc[0, 1] == courses["tca"].mean_deficit and not means.isna().any().any()


# --- sentences -------------------------------------------------------------------------------------------------------
def difference(verdict: str) -> frames.Difference:
    return {
        "fewer": frames.Difference(-2.0, 0.1),
        "same": frames.Difference(0.1, 0.1),
        "more": frames.Difference(2.0, 0.1),
    }[verdict]


@pytest.mark.parametrize(
    ("lots", "rota", "expected"),
    [
        ("fewer", "fewer", "helps"),
        ("more", "more", "both miss fewer"),
        ("fewer", "more", "rota is the better choice"),
        ("same", "more", "does not help"),
        ("more", "fewer", "drawing lots misses fewer"),
        ("more", "same", "drawing lots misses fewer"),
        ("same", "fewer", "cannot tell the noisy tally from drawing lots"),
        ("fewer", "same", "cannot tell the noisy tally from a fixed rota"),
        ("same", "same", "cannot tell"),
    ],
)
def test_verdict_for_every_outcome(lots: str, rota: str, expected: str) -> None:
    outcome = {"uniform": difference(lots), "rota": difference(rota)}
    assert expected in says.verdict(Parameters(), 100, outcome)


@pytest.mark.parametrize(
    ("tally", "lots", "rota", "expected"),
    [
        ("fewer", "fewer", "fewer", "beats noisy tally, lots and rota"),
        ("fewer", "fewer", "more", "A fixed rota misses fewer still"),
        ("fewer", "more", "fewer", "Drawing lots misses fewer still"),
        ("fewer", "more", "more", "Lots and rota miss fewer still"),
        ("fewer", "fewer", "same", "cannot tell whether lots or rota"),
        ("same", "fewer", "fewer", "Too close to call"),
        ("more", "fewer", "fewer", "does not help here"),
    ],
)
def test_what_the_fading_tally_is_worth(tally: str, lots: str, rota: str, expected: str) -> None:
    outcome = {"tca": difference(tally), "uniform": difference(lots), "rota": difference(rota)}
    assert expected in says.compare_fading(Parameters(), 30, outcome)
    poor = {"uniform": difference("fewer"), "rota": difference("more")}
    praised = "rota is the better choice" in says.verdict(Parameters(), 100, poor, outcome)
    assert praised == (rota == "more"), "no better choice is named while a still better one stands beside it"


def test_verdict_without_reports() -> None:
    nothing = Parameters(lead_rate=0.0, other_rate=0.0)
    assert "nothing to miss" in says.verdict(nothing, 100, {name: difference("same") for name in frames.RIVALS})


def test_reason_blames_the_noise_only_where_it_wins() -> None:
    lost = {name: difference("more") for name in frames.RIVALS}
    won = {name: difference("fewer") for name in frames.RIVALS}
    assert "outweighs" in says.reason(frames.get_contest(SMALL), lost)
    assert "outweighs" not in says.reason(frames.get_contest(SMALL), won)
    assert "outweighs" not in says.reason(frames.get_contest(Parameters()), lost)


# --- page ------------------------------------------------------------------------------------------------------------
def test_default_page(new_app: Start) -> None:
    at = new_app(PAGE)
    lines = [trace for trace in figure(at, "longrun-time")["data"] if trace.get("mode") == "lines+markers"]
    assert len(lines) == 6 and all(len(array(line["y"])) == 1000 for line in lines)
    assert "The noisy tally helps" in words(at)
    told = next(caption.value for caption in at.caption if "100 runs of 1,000 audits" in caption.value)
    assert f"the first {frames.fading_runs(Parameters())} of them" in told
    assert "--mechanism tca --targets 50 --horizon 1000 --delta 0.1" in at.code[0].value


def test_terminal_command_gives_the_same_number() -> None:
    p = replace(SMALL, runs=20)
    command = says.command_run("tca", p).split()
    printed = subprocess.run([sys.executable, *command[1:]], capture_output=True, text=True, check=True).stdout
    found = json.loads(printed)
    assert found["mean_deficit"] == pytest.approx(frames.course("tca", p, 20).mean_deficit)


def test_page_says_so_where_the_tally_loses(new_app: Start) -> None:
    at = new_app(PAGE, C=5, T=200, L=200, delta=0.05, runs=400)
    assert "does not help here" in words(at) and "the noise outweighs the counts" in words(at)


def test_the_fading_tally_comes_and_goes(new_app: Start) -> None:
    at = new_app(PAGE, C=5, T=40, L=40, runs=20)
    found = frames.course("fading", replace(SMALL, horizon=40, run_length=40, delta=0.1), 20)
    assert f"The fading tally, with the noisy tally's delta, misses **{found.mean_deficit:.3g}**." in words(at)
    at.toggle(key="w_longrun_fading").set_value(False).run()
    assert at.query_params["longrun_fading"] in ("off", ["off"])
    lines = [trace for trace in figure(at, "longrun-time")["data"] if trace.get("mode") == "lines+markers"]
    assert not at.exception and len(lines) == 5 and "ading tally" not in words(at)


def test_axis_stays_while_delta_moves(new_app: Start) -> None:
    at = new_app(PAGE, C=10, T=100, L=100, runs=20)
    before = figure(at, "longrun-time")["layout"]["yaxis"]["range"]
    for delta in (0.05, 0.2, 0.5):
        at.select_slider(key="w_delta").set_value(delta).run()
        assert figure(at, "longrun-time")["layout"]["yaxis"]["range"] == before


def test_flip_button(new_app: Start) -> None:
    at = new_app(PAGE, C=10, T=100, L=100, runs=20)
    at.button(key="flip-targets").click().run()
    assert not at.exception and at.query_params["flip"] in ("targets", ["targets"])
    assert len(figure(at, "longrun-flip")["data"]) == 2
    assert "against a fixed rota" in words(at).lower()
    at.button(key="flip-targets").click().run()
    assert "flip" not in at.query_params or at.query_params["flip"] in ("off", ["off"])


@pytest.mark.parametrize("code", ["en", "fr", "ko"])
@pytest.mark.parametrize(
    ("flip", "query"),
    [
        ("off", {"C": 2, "T": 1, "L": 1, "runs": 10}),
        ("delta", {"C": 500, "T": 60, "L": 60, "runs": 10}),
        ("off", {"C": 3, "T": 3000, "L": 1, "runs": 10, "delta": 0.005}),
        ("targets", {"C": 4, "T": 40, "L": 40, "runs": 10, "delta": 0.95, "rr": "race"}),
        ("delta", {"C": 5, "T": 30, "L": 30, "runs": 10, "lead": 0, "other": 0}),
        ("off", {"C": 5, "T": 30, "L": 30, "runs": 10, "lead": 20, "other": 20, "stream": "burst"}),
    ],
)
def test_extremes_in_every_language(new_app: Start, code: str, flip: str, query: dict[str, object]) -> None:
    at = new_app(PAGE, lang=code, flip=flip, **query)
    assert ("longrun-flip" in keys(at)) == (flip != "off")
    for _ in range(2):
        text = words(at)
        assert not re.search(r"\bnan\b|[{}]|None", re.sub(r"\$[^$]*\$", "", text)), text
        assert len(at.title) == 1
        at.run()
        assert not at.exception


def test_the_window_draws_a_stretch_and_survives_other_changes(new_app):
    at = new_app(PAGE, T=100, L=100, runs=10)
    whole = figure(at, "longrun-time")["layout"]["yaxis"]["range"]
    at.slider(key="w_span").set_value((21, 40)).run()
    assert (at.query_params["since"], at.query_params["until"]) == ("21", "40")
    assert figure(at, "longrun-time")["layout"]["xaxis"]["range"] == [20, 40]
    assert figure(at, "longrun-time")["layout"]["yaxis"]["range"] == whole
    at.select_slider(key="w_delta").set_value(0.2).run()
    assert figure(at, "longrun-time")["layout"]["xaxis"]["range"] == [20, 40]
    assert array(figure(at, "longrun-time")["data"][-1]["x"]).tolist() == list(range(21, 41))
