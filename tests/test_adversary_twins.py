"""Twin worlds: the pairs are the core's, what is said about them is true, and the view holds at its extremes."""

import base64
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.adversary import Twins, get_meeting, run_audits, run_twins
from core.auditors import make_mechanism
from core.parameters import Parameters, mend
from core.streams import WithReport, get_reports, make_stream
from core.utility import get_share
from ui.adversary import twins, twins_player
from ui.adversary.twins_player import Count, Pair, Report
from ui.records import AUDITORS

PAGE = "pages/5_Adversary.py"
ROOT = Path(__file__).parent.parent
SMALL = {"C": 8, "T": 60, "L": 60, "delta": 0.2}
NewApp = Callable[..., AppTest]


def scenario(**values: Any) -> Parameters:
    return mend({"targets": 8, "horizon": 60, "delta": 0.2, **values})[0]


def core_twins(name: str, p: Parameters, report: Report, runs: int) -> Twins:
    return run_twins(make_mechanism(name, p), make_stream(p), p.horizon, report.step, report.target, runs, p.seed)


def sent(at: AppTest) -> dict[str, Any]:
    return json.loads(at.get_by_key("twins_player").proto.json)


def unpack(text: str) -> np.ndarray:
    kind, data = text.split(":")
    return np.frombuffer(base64.b64decode(data), dtype="<" + kind)


def go(app: AppTest, /, **choices: Any) -> AppTest:
    app.session_state["choices"] = {key: str(value) for key, value in choices.items()}
    app.run()
    assert not app.exception, app.exception[0].message
    return app


# --- the pairs -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [*AUDITORS, "fading"])
def test_counts_and_pairs_are_the_cores(name: str) -> None:
    p, report = scenario(), Report(20, 2)
    whole = core_twins(name, p, report, 120)
    count = twins_player.measure([name], p, report, 120)[name]
    assert np.array_equal(count.differs, whole.differs)
    assert count.share == get_share(int(whole.differs.sum()), 120)
    for number in {0, 7, 119, *np.flatnonzero(whole.differs)[:3]}:
        pair = twins_player.get_pair(name, p, report, int(number))
        assert np.array_equal(pair.with_report, whole.with_report[number])
        assert np.array_equal(pair.without_report, whole.without_report[number])
        steps = np.flatnonzero(whole.with_report[number] != whole.without_report[number]) + 1
        assert (pair.first, pair.found) == ((int(steps[0]), len(steps)) if len(steps) else (0, 0))


def test_more_pairs_keep_the_first_ones() -> None:
    p, report = scenario(seed=5), Report(20, 2)
    few = twins_player.measure(AUDITORS, p, report, 30)
    calls: list[tuple[int, float]] = []
    many = twins_player.measure(AUDITORS, p, report, 130, progress=lambda *told: calls.append(told))
    assert all(np.array_equal(many[name].differs[:30], few[name].differs) for name in AUDITORS)
    assert calls and all(0 < share < 1 for _, share in calls), "the first piece is not computed again"
    calls.clear()
    twins_player.measure(AUDITORS, p, report, 120, progress=lambda *told: calls.append(told))
    assert not calls


def test_what_cannot_change_pairs_is_not_computed_again() -> None:
    p, report = scenario(seed=6), Report(20, 2)
    calls: list[Any] = []
    twins_player.measure(["greedy", "uniform"], p, report, 20)
    for change in ({"delta": 0.4}, {"people": 99}, {"gap": 3}, {"rr_calibration": "race"}):
        other = p.with_changes(**change)[0]
        twins_player.measure(["greedy", "uniform"], other, report, 20, progress=lambda *told: calls.append(told))
    assert not calls


def test_measured_shares_keep_the_promise() -> None:
    p, report = scenario(targets=12, horizon=26, delta=0.1, other_rate=0, lead_rate=0), Report(1, 2)
    best = twins_player.measure(AUDITORS, p, report, 400)
    same = twins_player.measure(["tca"], p, report, 400, same_noise=True)["tca"]
    for name in ("tca", "rr", "uniform"):
        assert best[name].share.low <= best[name].guarantee.delta
    share = best["greedy"].share
    assert share.low <= 11 / 12 <= share.high, "one report among none decides, but for a tie that went its way anyhow"
    assert not best["greedy"].guarantee.holds
    # With the same noise more pairs differ than delta would allow: 17 in 100 by simulation.
    assert same.share.low > p.delta > 0 and same.found > best["tca"].found
    mechanism, stream = make_mechanism("tca", p), make_stream(p)
    worlds = [run_audits(mechanism, one, p.horizon, range(400), p.seed) for one in (stream, WithReport(stream, 1, 2))]
    assert same.found == (worlds[0] != worlds[1]).any(axis=1).sum()


# --- where the worlds meet -------------------------------------------------------------------------------------------
def test_meeting_by_hand() -> None:
    reports = np.zeros((6, 3), dtype=int)
    reports[0] = [0, 2, 2]
    meet = get_meeting
    # With the report no. 1 (index 0) goes first; without it no. 2; each catches up one step later.
    assert meet(np.array([1, 0, 2, 1, 1, 1]), np.array([1, 2, 0, 1, 1, 1]), reports, 2, 0) == 3
    assert meet(np.array([1, 1, 1, 1, 1, 1]), np.array([1, 1, 1, 1, 1, 1]), reports, 2, 0) == 0
    assert meet(np.array([1, 2, 0, 1, 1, 1]), np.array([1, 2, 0, 1, 1, 1]), reports, 2, 0) == 3
    reports[3, 0] = 5
    assert meet(np.array([1, 2, 2, 2, 2, 0]), np.array([1, 2, 2, 2, 2, 0]), reports, 2, 0) == 6


@pytest.mark.parametrize("name", ["greedy", "rr", "uniform"])
def test_same_state_means_the_same_record_from_there_on(name: str) -> None:
    p, report = scenario(delta=0.6), Report(10, 3)
    met = 0
    for number in range(40):
        pair = twins_player.get_pair(name, p, report, number)
        reports = get_reports(make_stream(p), p.horizon, p.seed, number)
        assert pair.meet == get_meeting(pair.with_report, pair.without_report, reports, report.step, report.target)
        assert pair.meet == 0 or pair.meet >= report.step
        assert (pair.with_report[: report.step - 1] == pair.without_report[: report.step - 1]).all()
        if pair.meet:
            met += 1
            assert (pair.with_report[pair.meet :] == pair.without_report[pair.meet :]).all()
    assert met > 10


def test_a_noisy_pair_that_differs_claims_no_meeting() -> None:
    p, report = scenario(delta=0.5), Report(10, 3)
    count = twins_player.measure(["tca"], p, report, 60)["tca"]
    kinds = {bool(flag): int(number) for number, flag in enumerate(count.differs)}
    unlike, alike = (twins_player.get_pair("tca", p, report, kinds[flag]) for flag in (True, False))
    assert unlike.meet == 0 and "own way" in twins_player.story(unlike, report)
    assert alike.meet == alike.next_with == alike.next_without
    assert alike.meet == 0 or alike.with_report[alike.meet - 1] == report.target


def test_story_of_each_kind() -> None:
    none = np.zeros(1)
    report = Report(5, 2)

    def told(*numbers: int, name: str = "greedy") -> str:
        return twins_player.story(Pair(name, none, none, *numbers), report)

    assert told(0, 0, 9, 9, 9).endswith("audit of no. 3, at step 9: the same state from here on.")
    assert told(0, 0, 0, 0, 0).endswith("No. 3 is not audited again.")
    assert told(7, 2, 7, 0, 0) == (
        "First difference: step 7. Steps that differ: 2. Next audit of no. 3: step 7 with the report, never without "
        "it. The two worlds do not meet again."
    )
    assert "After step 12: the same state" in told(7, 2, 7, 9, 12)
    assert "meet" not in told(7, 2, 7, 9, 0, name="tca") + told(7, 2, 7, 9, 0, name="fading")
    assert "fades, whatever is audited" in told(0, 0, 9, 9, 0, name="fading")


# --- what is said ----------------------------------------------------------------------------------------------------
def count(name: str, found: int, pairs: int, p: Parameters) -> Count:
    return Count(name, make_mechanism(name, p).guarantee(), np.arange(pairs) < found)


def test_sentences_say_the_numbers_and_the_promise() -> None:
    p = Parameters()
    assert twins.said(count("tca", 17, 200, p)) == (
        "Noisy tally: **17 of 200** pairs differ anywhere (at most **10 in 100** are allowed on average)."
    )
    greedy = twins.said(count("greedy", 163, 200, p))
    assert "**163 of 200**" in greedy and "promises nothing" in greedy and "98 in 100" in greedy
    assert "never looks" in twins.said(count("uniform", 0, 200, p))
    told = twins.said_same_noise(p, count("tca", 17, 200, p), count("tca", 38, 200, p))
    assert "**38 of 200**" in told and "no leak" in told and "14.2% to 25%" in told
    assert "equally often" not in told
    assert "equally often" in twins.said_same_noise(p, count("tca", 3, 200, p), count("tca", 3, 200, p))


def test_the_first_pair_of_the_commonest_kind_is_shown() -> None:
    p = Parameters()
    counts = {name: count(name, 0, 5, p) for name in ("greedy", "tca")}
    flags = {"greedy": [False, True, True, True, False], "tca": [False, True, False, False, True]}
    counts = {name: Count(name, one.guarantee, np.array(flags[name])) for name, one in counts.items()}
    assert twins.usual_pair(counts) == 3


def test_command_prints_the_same_number() -> None:
    p, report = scenario(), Report(20, 2)
    words = twins.command(p, report, 40).split()
    assert words[:3] == ["python", "-m", "core"]
    done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, cwd=ROOT, check=True)
    assert json.loads(done.stdout)["differing"] == core_twins("tca", p, report, 40).differs.sum()


# --- the view --------------------------------------------------------------------------------------------------------
def test_defaults(new_app: NewApp) -> None:
    at = new_app(PAGE)
    data, p = sent(at), Parameters()
    report = Report(data["at"], data["about"] - 1)
    assert report == Report(333, 2)
    assert (data["pairs"], data["steps"], data["targets"]) == (200, 1000, 50)
    assert [lane["name"] for lane in data["lanes"]] == ["Follow the reports", "Noisy tally", "Coin flip", "Draw lots"]
    assert data["pushed"] | {"id": 0} == {"id": 0, "step": 333, "first": 313, "length": 100}
    assert "at" not in at.query_params and "pair" not in at.query_params
    for name, lane in zip(AUDITORS, data["lanes"], strict=True):
        shown = core_twins(name, p, report, data["pair"])
        assert np.array_equal(unpack(lane["with"]), shown.with_report[-1])
        without = unpack(lane["without"]) if lane["without"] else unpack(lane["with"])
        assert np.array_equal(without, shown.without_report[-1])
        assert f"{len(unpack(lane['differ']))} of 200" == lane["count"]
        assert lane["low"] <= lane["share"] <= lane["high"]
    assert any(f"**{data['lanes'][1]['count']}**" in text.value for text in at.markdown)
    assert len(json.dumps(data)) + len(twins_player.JS) + len(twins_player.HTML) < 60_000


@pytest.mark.parametrize("locale", ["en-US", "fr-FR", "ko-KR"])
@pytest.mark.parametrize(
    "query",
    [
        {"C": 2, "T": 1, "L": 1, "delta": 0.005},
        {"C": 500, "T": 100, "L": 100, "delta": 0.95},
        {"lead": 0, "other": 0, "T": 30, "L": 30, "C": 5},
        {"stream": "burst", "rr": "race", "T": 100, "L": 100, "C": 12},
    ],
    ids=str,
)
def test_extremes(new_app: NewApp, locale: str, query: dict[str, Any]) -> None:
    at = new_app(PAGE, locale=locale, **query)
    at.session_state["twins_same"] = True
    at.session_state["data_twins"] = True
    at.run()
    assert not at.exception
    data = sent(at)
    assert data["language"] == locale[:2]
    assert 1 <= data["pushed"]["first"] <= data["pushed"]["step"] <= data["steps"] == query["T"]
    assert [len(table.value) for table in at.dataframe] == [data["pairs"], 4 * data["steps"]]


def test_huge_sizes_draw_fewer_pairs_and_say_so(new_app: NewApp) -> None:
    assert twins_player.usual_pairs(Parameters()) == 200
    assert twins_player.usual_pairs(mend({"targets": 500, "horizon": 10_000, "runs": 10})[0]) == 10
    at = new_app(PAGE, C=500, T=1000, runs=10)
    assert sent(at)["pairs"] == 20
    assert any("20 pairs are drawn at first instead of 200" in text.value for text in at.caption)


def test_the_fading_tally_joins_with_fewer_pairs(new_app: NewApp) -> None:
    huge = mend({"targets": 500, "horizon": 10_000, "runs": 10})[0]
    assert [twins_player.fading_pairs(p, 200) for p in (scenario(), Parameters(), huge)] == [200, 50, 0]
    at = new_app(PAGE, twins_fading="on", pairs=600, **SMALL)
    data, p = sent(at), scenario()
    lane, pairs = data["lanes"][-1], twins_player.fading_pairs(p, 600)
    whole = core_twins("fading", p, Report(data["at"], data["about"] - 1), pairs)
    assert (lane["name"], lane["count"]) == ("Fading tally", f"{whole.differs.sum()} of {pairs}") and lane["meet"] == 0
    assert any("no audit sets its sum to zero" in text.value for text in at.markdown)
    at.toggle(key="w_twins_fading").set_value(False).run()
    assert len(sent(at)["lanes"]) == 4 and "twins_fading" not in at.query_params


def test_more_pairs_on_a_button(new_app: NewApp) -> None:
    at = new_app(PAGE, **SMALL)
    assert sent(at)["pairs"] == 200
    at.button(key="twins_more").click().run()
    assert sent(at)["pairs"] == 400 and at.query_params["pairs"] == "400"
    go(at, pairs=1000)
    assert not [button for button in at.button if button.key == "twins_more"]


def test_report_elsewhere_takes_the_view_along(new_app: NewApp) -> None:
    at = new_app(PAGE, C=20)
    first = sent(at)
    go(at, when=340, **{"from": 313})
    assert sent(at)["pushed"]["step"] == 340
    go(at, at=350, about=17, when=340, **{"from": 313})
    data = sent(at)
    assert (data["at"], data["about"]) == (350, 17)
    assert data["pushed"]["step"] == 350 and data["pushed"]["first"] == 313, "it was in view: nothing jumps"
    assert data["pushed"]["id"] > first["pushed"]["id"]
    assert "when" not in at.query_params
    go(at, at=900, about=17, **{"from": 313})
    assert sent(at)["pushed"] | {"id": 0} == {"id": 0, "step": 900, "first": 880, "length": 100}


def test_view_is_sent_only_when_somebody_else_changed_it(new_app: NewApp) -> None:
    at = new_app(PAGE, **SMALL)
    first = sent(at)
    at.run()
    assert sent(at) == first
    go(at, pair=5)
    assert sent(at)["pair"] == 5 and sent(at)["pushed"] == first["pushed"]
    go(at, when=7)
    assert sent(at)["pushed"]["id"] > first["pushed"]["id"]


@pytest.mark.parametrize("key", ["when", "from", "span", "pair", "pairs", "at", "about"])
def test_bad_values_in_the_link(new_app: NewApp, key: str) -> None:
    at = new_app(PAGE, **SMALL)
    for bad in ("abc", "-1", "1e9", "", "9999"):
        data = sent(go(at, **{key: bad}))
        pushed = data["pushed"]
        assert 1 <= pushed["first"] <= pushed["first"] + pushed["length"] - 1 <= data["steps"], bad
        assert 1 <= pushed["step"] <= data["steps"], bad
        assert 1 <= data["pair"] <= data["pairs"] <= twins_player.MOST_PAIRS, bad
