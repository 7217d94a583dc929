"""The view Attacks: its numbers against core, the terminal and hand-made cases; its words where the sample is small."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core import attacks, calibration, deniability
from core.auditors import make_mechanism
from core.parameters import PRESETS, Parameters
from core.streams import PoissonStream, get_reports
from core.utility import Share, get_share
from ui.adversary import attack_rows, measured, repeats
from ui.adversary import attacks as view
from ui.adversary.measured import NAMES

PAGE = "pages/5_Adversary.py"
Start = Callable[..., AppTest]
SCHOOL = PRESETS["school"]
SMALL = {"C": 12, "T": 26, "L": 26}


@pytest.fixture
def open_view(new_app: Start) -> Start:
    """The page with its local choices, as a link would set them."""

    return lambda local=None, **query: new_app(PAGE, view="attacks", **(local or {}), **query)


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def result(low: float, value: float, high: float) -> attacks.Measured:
    share = Share(0.5, 0.4, 0.6, 100)
    return attacks.Measured(1, share, share, value, low, high)


# --- numbers ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [*NAMES, "fading"])
def test_page_and_terminal_give_the_same_number(name: str) -> None:
    found = measured.get_timing(name, SCHOOL, True, 9, 2, 200)
    command = view.command(SCHOOL, True, 9, 2, 200, name).split()
    printed = json.loads(subprocess.run([sys.executable, *command[1:]], capture_output=True, check=True).stdout)
    assert printed["window"] == found.best.threshold
    assert printed["advantage"] == pytest.approx(found.best.advantage)
    assert (printed["advantage_low"], printed["advantage_high"]) == pytest.approx((found.best.low, found.best.high))
    delta, gaussian = deniability.get_bounds(measured.get_guarantee(name, SCHOOL))
    assert printed["delta_bound"] == pytest.approx(delta)
    assert printed["gaussian_bound"] == (None if gaussian is None else pytest.approx(gaussian))


@pytest.mark.parametrize("stream", ["poisson", "burst"])
def test_terminal_knows_the_scenario(stream: str) -> None:
    p = replace(SCHOOL, stream=stream)
    found = measured.get_timing("tca", p, False, 9, 2, 100)
    command = view.command(p, False, 9, 2, 100, "tca").split()
    printed = json.loads(subprocess.run([sys.executable, *command[1:]], capture_output=True, check=True).stdout)
    assert printed["advantage"] == pytest.approx(found.best.advantage)


@pytest.mark.parametrize("name", ["rr", "greedy", "uniform"])
def test_exact_value_without_other_reports(name: str) -> None:
    p = replace(SCHOOL, delta=0.5)
    exact = measured.get_exact(name, p, True, 9, 2, 2000)
    assert exact is not None and exact[1] == 0.0
    sampled = measured.get_best(name, p, True, 9, 2, 2000)
    assert abs(sampled.exact - exact[0]) <= 4 * sampled.exact_se + 1e-12
    timed = measured.get_timing(name, p, True, 9, 2, 4000).best
    assert timed.low - 0.03 <= exact[0] <= timed.high + 0.03


def test_the_tallies_have_no_exact_value() -> None:
    assert measured.get_exact("tca", SCHOOL, True, 9, 2, 100) is None
    assert measured.get_exact("fading", SCHOOL, True, 9, 2, 100) is None


def test_the_released_sums_of_the_fading_tally_reach_the_bound_of_the_steps_left() -> None:
    p = replace(SCHOOL, delta=0.3)
    best = measured.get_best("fading", p, False, 9, 2, 4000)
    reached = calibration.get_delta(view.get_seen_mu(p, 9))
    assert abs(best.exact - reached) <= 4 * best.exact_se and reached < 0.3
    timed = measured.get_timing("fading", p, False, 9, 2, 400).best
    assert timed.low < 0.3


@pytest.mark.parametrize(
    ("p", "pairs"), [(SCHOOL, 5000), (Parameters(), 160), (Parameters(targets=500, horizon=10_000, runs=10), 0)]
)
def test_pairs_of_the_fading_tally(p: Parameters, pairs: int) -> None:
    assert measured.get_fading_pairs(p, 5000) == pairs


@pytest.mark.parametrize("quiet", [True, False])
def test_no_measured_window_beats_the_bound(quiet: bool) -> None:
    p = replace(SCHOOL, delta=0.2)
    c = measured.get_timing("tca", p, quiet, 9, 2, 3000).by_window
    error = np.sqrt(0.5 / 3000)
    assert np.all(c.advantage <= 0.2 + 4 * error)
    fpr, tpr = c.fpr[c.at], c.tpr[c.at]
    assert np.all(tpr <= deniability.get_tpr_gaussian(fpr, calibration.get_mu(0.2)) + 4 * error)


def test_curve_intervals_are_the_cores() -> None:
    curve = measured.make_curve(np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0]), 20)
    middle = int(np.flatnonzero(curve.at == 1)[0])
    share, false = get_share(15, 20), get_share(5, 20)
    assert curve.tpr_low[middle] == share.low and curve.fpr_high[middle] == false.high
    expected = attacks.compare_shares(share, false)
    assert (curve.advantage[middle], curve.advantage_low[middle], curve.advantage_high[middle]) == expected


@pytest.mark.parametrize("name", NAMES)
def test_count_attack_stops_after_its_window(name: str) -> None:
    """Looking no further than the window changes nothing but the time it takes."""
    found = measured.get_counted(name, SCHOOL, False, 9, 2, 60, 7)
    stream = measured.get_stream(SCHOOL, False)
    watch = attacks.watch_target(make_mechanism(name, SCHOOL), stream, 26, 9, 2, 60, SCHOOL.seed)
    assert attacks.measure_counts(watch, 7).advantage == found.measured.advantage


def test_one_repeated_report_is_the_timing_attack() -> None:
    one = measured.get_repeats("tca", SCHOOL, True, [(9, 2)], 400)
    timed = measured.get_timing("tca", SCHOOL, True, 9, 2, 400).best
    assert (one.threshold, one.advantage) == (timed.threshold, timed.advantage)


@pytest.mark.parametrize("way", ["same", "spread", "different"])
def test_repeats_leak_more_than_one_and_less_than_their_bound(way: str) -> None:
    p, k, runs = replace(SCHOOL, delta=0.2), 5, 3000
    filed = {
        "same": [(9, 2)] * k,
        "spread": [(step, 2) for step in repeats.spread_steps(k, 9, 26)],
        "different": [(9, 2 + i) for i in range(k)],
    }[way]
    found = measured.get_repeats("tca", p, True, filed, runs)
    one = measured.get_timing("tca", p, True, 9, 2, runs).best
    error = (found.high - found.low) / (2 * 1.96)
    bounds = repeats.repeat_bounds(0.2, 26, 9)
    assert found.advantage <= bounds[way][k - 1] + 4 * error
    assert found.advantage > one.advantage


def test_repeat_bounds_are_ordered() -> None:
    bounds = repeats.repeat_bounds(0.1, 1000, 333)
    assert bounds["same"][[2, 4, 7, 9]] == pytest.approx([0.2938, 0.470, 0.6852, 0.791], abs=5e-4)
    assert bounds["different"][9] == pytest.approx(0.309, abs=5e-4)
    assert np.all(bounds["different"] <= bounds["same"]) and np.all(bounds["spread"] <= bounds["same"] + 1e-12)
    assert np.all(bounds["same"] <= bounds["any"] + 1e-12) and bounds["any"][-1] == 1.0


@pytest.mark.parametrize(("k", "step", "horizon"), [(1, 1, 1), (30, 1, 1), (30, 10_000, 10_000), (4, 1, 9)])
def test_spread_steps_exist(k: int, step: int, horizon: int) -> None:
    steps = repeats.spread_steps(k, step, horizon)
    assert len(steps) == k and steps[0] == step and max(steps) <= horizon


@pytest.mark.parametrize(
    ("p", "levels"),
    [
        (Parameters(), [200, 1000, 5000]),
        (Parameters(targets=2, horizon=1, run_length=1), [500, 2500, 5000]),
        (Parameters(targets=500, horizon=10_000, runs=10), [20, 50]),
    ],
)
def test_levels(p: Parameters, levels: list[int]) -> None:
    assert measured.get_levels(p) == levels


def test_moving_delta_leaves_lots_as_they_are() -> None:
    one = measured.get_timing("uniform", SCHOOL, False, 9, 2, 40)
    assert measured.get_timing("uniform", replace(SCHOOL, delta=0.3), False, 9, 2, 40) is one
    assert measured.get_timing("tca", replace(SCHOOL, delta=0.3), False, 9, 2, 40).best != one.best


def test_quiet_stream_is_silent() -> None:
    assert not get_reports(measured.get_stream(SCHOOL, True), SCHOOL.horizon, 1).any()
    assert measured.get_stream(SCHOOL, False) == PoissonStream(12, 1.0, 0.2)


# --- words -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("found", "bound", "exact", "expected"),
    [
        (result(0.2, 0.3, 0.4), 0.1, None, "above the bound"),
        (result(0.01, 0.05, 0.09), 0.1, None, "below the bound"),
        (result(0.01, 0.05, 0.15), 0.1, None, "lies in the interval"),
        (result(0.01, 0.05, 0.15), 0.2, (0.04, 0.0), "agrees"),
        (result(0.01, 0.05, 0.15), None, (0.7, 0.02), "below the best attack"),
        (result(0.1, 0.2, 0.3), None, (0.05, 0.0), "above the exact value"),
    ],
)
def test_agreement(found: attacks.Measured, bound: float | None, exact: tuple | None, expected: str) -> None:
    assert expected in attack_rows.agree(found, bound, exact)


# --- page ------------------------------------------------------------------------------------------------------------
def test_default_view_at_defaults(open_view: Start) -> None:
    at = open_view()
    plane = figure(at, "attack-plane")
    names = [trace.get("name") for trace in plane["data"]]
    for name in ("pure guessing", "delta line", "bound of the noisy tally", "● Noisy tally", "■ Follow the reports"):
        assert name in names
    assert plane["layout"]["xaxis"]["range"] == [0, 1] == plane["layout"]["yaxis"]["range"]
    steps = next(trace for trace in plane["data"] if trace.get("name") == "● Noisy tally")
    assert steps["line"]["shape"] == "hv"
    assert np.all(np.diff(array(steps["x"])) >= 0) and np.all(np.diff(array(steps["y"])) >= 0)
    assert "200 pairs" in " ".join(caption.value for caption in at.caption)
    assert "0.98" in words(at) and "give-away" in words(at)
    assert "python -m core attack --mechanism tca --targets 50 --horizon 1000" in at.code[-1].value


def test_the_fading_tally_under_attack(open_view: Start) -> None:
    at = open_view({"who": "five", "attack": "best"}, C=5, T=30, L=30)
    names = [trace.get("name", "") for trace in figure(at, "attack-plane")["data"]]
    assert "bound of both tallies" in names
    for seen in ("the record (first audit)", "the released sums"):
        assert f"★ Fading tally, from {seen}" in names
    assert "its released sums themselves" in words(at) and "whose limit is the same" in words(at)
    at.segmented_control(key="w_who").set_value("all").run()
    assert not at.exception and "★ **Fading tally" not in words(at)


def test_measuring_more_exactly_is_in_the_link(open_view: Start) -> None:
    at = open_view(C=2, T=2, L=2)
    at.button(key="more_pairs").click().run()
    assert not at.exception and at.query_params["pairs"] in ("2500", ["2500"])
    assert "2,500 pairs" in " ".join(caption.value for caption in at.caption)
    at.button(key="fewer_pairs").click().run()
    assert "pairs" not in at.query_params


def test_plane_stays_while_things_move(open_view: Start) -> None:
    at = open_view(**SMALL)
    before = figure(at, "attack-window")["layout"]["yaxis"]["range"]
    at.segmented_control(key="w_who").set_value("tca").run()
    at.segmented_control(key="w_attack").set_value("best").run()
    assert not at.exception
    layout = figure(at, "attack-plane")["layout"]
    assert layout["xaxis"]["range"] == [0, 1] and figure(at, "attack-window")["layout"]["yaxis"]["range"] == before
    names = [trace.get("name", "") for trace in figure(at, "attack-plane")["data"]]
    assert any("first audit" in name for name in names) and any("noisy counts" in name for name in names)
    assert "its noisy counts themselves" in words(at)


@pytest.mark.parametrize("code", ["en", "fr", "ko"])
@pytest.mark.parametrize(
    ("local", "query"),
    [
        ({}, {"C": 2, "T": 1, "L": 1}),
        ({"attack": "best", "others": "quiet", "k": 30, "way": "different"}, {"C": 2, "T": 1, "L": 1, "delta": 0.95}),
        ({"attack": "count", "within": 3, "k": 30, "way": "spread"}, {"C": 5, "T": 30, "L": 30, "delta": 0.005}),
        ({"attack": "best", "who": "greedy", "at": 30, "about": 5}, {"C": 5, "T": 30, "L": 30, "rr": "race"}),
        ({"pairs": "many", "who": "nobody", "at": -3, "about": 99}, {"C": 5, "T": 30, "L": 30, "stream": "burst"}),
    ],
)
def test_extremes_in_every_language(open_view: Start, code: str, local: dict, query: dict) -> None:
    at = open_view(local, lang=code, **query)
    assert "nan" not in words(at).lower().split() and "None" not in words(at)
    assert len(figure(at, "attack-repeats")["data"]) == 5
    at.run()
    assert not at.exception


def test_a_tiny_sample_makes_no_headline(open_view: Start) -> None:
    text = words(open_view({"pairs": 20}, **SMALL))
    assert "So few pairs measure little" in text and "at most **55%**" in text
