"""The page Audit records: what is sent to the player, what is said, and the page at its defaults and extremes."""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.auditors import make_mechanism
from core.calibration import get_fast_noise_scale
from core.parameters import Parameters, mend
from core.simulation import Transcript, run_transcript
from core.streams import make_stream
from core.utility import get_theorem_6_bound
from ui import records, says_records
from ui.charts.records import seen_table

PAGE = "pages/2_Records.py"
ALL = (*records.AUDITORS, *records.GUESTS["six"])
NewApp = Callable[..., AppTest]


def unpack(text: str) -> np.ndarray:
    kind, data = text.split(":")
    return np.frombuffer(base64.b64decode(data), dtype="<" + kind)


def run(name: str, p: Parameters) -> Transcript:
    return run_transcript(make_mechanism(name, p), make_stream(p), p.horizon, p.seed)


def sent(at: AppTest) -> dict[str, Any]:
    return json.loads(at.get_by_key("records_player").proto.json)


def scenario(**values: Any) -> Parameters:
    return mend(values)[0]


# --- what is sent ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("values", [[0], [255], [256, 0], [65536], []])
def test_pack_takes_the_smallest_type_that_holds(values: list[int]) -> None:
    text = records.pack(np.array(values, dtype=np.int64))
    assert text.startswith("u1" if max(values, default=0) < 256 else "u2" if max(values) < 65536 else "u4")
    assert unpack(text).tolist() == values


@pytest.mark.parametrize("name", ALL)
def test_lane_is_the_transcript(name: str) -> None:
    p = scenario(targets=7, horizon=60, delta=0.3, seed=3)
    lane, record = records.get_lane(name, p), run(name, p)
    assert np.array_equal(lane.audits, record.audits)
    assert np.array_equal(lane.deficit, record.deficit)
    assert np.array_equal(lane.active + lane.deficit, record.leader_active)
    assert lane.missed == pytest.approx(record.deficit.mean())
    assert lane.hits == pytest.approx(record.hit.mean())
    assert (lane.noisy is None) == (name != "tca")


def test_reports_survive_the_journey() -> None:
    p = scenario(targets=9, horizon=80)
    skipped, counts = map(unpack, records.player_data(p, records.AUDITORS)["reports"])
    cells = np.zeros(p.targets * p.horizon, dtype=int)
    cells[np.cumsum(skipped.astype(int) + 1) - 1] = counts
    assert np.array_equal(cells.reshape(p.horizon, p.targets), run("greedy", p).reports)


def test_what_cannot_change_a_record_is_not_computed_again() -> None:
    p = scenario()
    for change in ({"delta": 0.4}, {"gap": 3}, {"runs": 50}, {"rr_calibration": "race"}, {"people": 99}):
        other = p.with_changes(**change)[0]
        assert records.get_lane("uniform", p) is records.get_lane("uniform", other)
    assert records.get_lane("tca", p) is not records.get_lane("tca", p.with_changes(delta=0.4)[0])
    assert records.get_lane("uniform", p) is not records.get_lane("uniform", p.with_changes(seed=1)[0])


def test_payload_is_small() -> None:
    data = json.dumps(records.player_data(scenario(), ALL))
    assert len(data) + len(records.JS) + len(records.CSS) + len(records.HTML) < 200_000
    busy = json.dumps(records.player_data(scenario(lead_rate=20, other_rate=20), ALL))
    assert len(busy) < 300_000


def test_size_that_is_too_large_leaves_the_shade_out_and_says_so() -> None:
    data = records.player_data(scenario(targets=500, horizon=10_000, runs=10), ("uniform",))
    assert data["reports"] is None
    assert "left out" in data["words"]["legend"]
    assert len(json.dumps(data)) < 300_000
    assert "left out" not in records.player_data(scenario(), ("uniform",))["words"]["legend"]


def test_lanes_share_one_scale_that_no_value_passes() -> None:
    data = records.player_data(scenario(), ALL)
    deficits = [int(unpack(lane["deficit"]).max()) for lane in data["lanes"]]
    assert max(deficits) <= data["scale"] <= 2 * max(deficits)


def test_player_as_a_file_needs_nothing_else() -> None:
    data = records.player_data(scenario(horizon=30, targets=5), records.AUDITORS)
    page = records.to_html({**data, "words": {**data["words"], "play": "</script><b>"}}, "A <title>").decode()
    assert "http" not in page.replace("http-equiv", "")
    assert "export default" not in page
    assert page.count("</script>") == 1
    assert "A &lt;title&gt;" in page


def test_table_agrees_with_the_terminal() -> None:
    p = scenario(targets=6, horizon=40)
    table = records.table(p, ALL)
    assert list(table.columns) == ["mechanism", "step", "target", "active", "leader_active", "deficit"]
    assert len(table) == len(ALL) * p.horizon
    record = run("tca", p)
    rows = table[table.mechanism == "tca"]
    assert rows.target.tolist() == record.audits.tolist()
    assert rows.leader_active.tolist() == record.leader_active.tolist()
    assert rows.step.tolist() == list(range(1, p.horizon + 1))


# --- what is said ----------------------------------------------------------------------------------------------------
def said(**values: Any) -> str:
    p = scenario(**values)
    names = ALL if values.get("rota") else records.AUDITORS
    return says_records.comparison(p, {name: records.get_lane(name, p) for name in names})


def test_comparison_says_who_missed_how_much() -> None:
    text = said()
    p = scenario()
    for name in ("tca", "rr", "uniform"):
        assert f"**{run(name, p).deficit.mean():.3g}**" in text
    assert "does not help" not in text


def test_comparison_is_frank_when_the_noise_wins() -> None:
    texts = [said(targets=5, horizon=200, delta=0.05, seed=seed) for seed in range(20)]
    assert any("does not help" in text for text in texts)
    assert any("about the same" in text for text in texts)


def test_comparison_without_reports() -> None:
    assert "Nobody reports" in said(lead_rate=0, other_rate=0)


def test_comparison_names_the_rota_only_where_it_is_shown() -> None:
    assert "rota" not in said() and "fading" not in said()
    text = said(rota=True)
    assert "leaks nothing" in text and f"**{run('fading', scenario()).deficit.mean():.3g}**" in text


def test_leak_states_each_guarantee() -> None:
    p = scenario(targets=50, delta=0.1)
    leaks = {name: records.leak(records.get_lane(name, p).guarantee) for name in ALL}
    assert leaks["tca"] == "delta 0.1, proved for 1,000 audits"
    assert "at least 0.98" in leaks["greedy"]
    assert "nothing" in leaks["uniform"] and "nothing" in leaks["rota"]
    assert leaks["fading"] == "delta 0.1, proved for ever"
    free = p.with_changes(rr_calibration="horizon-free")[0]
    assert records.leak(records.get_lane("rr", free).guarantee) == "delta 0.1, proved for ever"


def test_inside_is_what_the_auditor_saw() -> None:
    p = scenario(targets=8, horizon=50, delta=0.3)
    inside, record = records.get_inside(p), run("tca", p)
    assert np.array_equal(inside.noisy.argmax(axis=1), record.audits)
    assert record.noise is not None
    assert np.allclose(inside.noisy - inside.active, record.noise, atol=1e-4)
    bound = get_theorem_6_bound(record, get_fast_noise_scale(p.delta, p.horizon))
    assert np.array_equal(inside.bound, bound)
    text = says_records.theorem_6(inside, 7)
    assert ("It was hit." in text) == bool(record.hit[6])
    assert seen_table(inside, 7).audited.sum() == 1


# --- the page --------------------------------------------------------------------------------------------------------
def test_defaults(new_app: NewApp) -> None:
    at = new_app(PAGE)
    data = sent(at)
    assert [lane["name"] for lane in data["lanes"]] == ["Follow the reports", "Noisy tally", "Coin flip", "Draw lots"]
    assert data["steps"] == len(unpack(data["lanes"][0]["audits"])) == 1000
    assert data["pushed"]["step"] == data["pushed"]["length"] == 0
    assert len(at.get("plotly_chart")) == 0, "a figure nobody looks at"
    assert any("misses **" in text.value for text in at.markdown)
    assert any("published seed" in text.value for text in at.caption)


@pytest.mark.parametrize("locale", ["en-US", "fr-FR", "ko-KR"])
@pytest.mark.parametrize(
    "query",
    [
        {"C": 2, "T": 1, "delta": 0.005},
        {"C": 500, "T": 1000, "delta": 0.95},
        {"C": 50, "T": 10_000},
        {"lead": 0, "other": 0, "T": 30},
        {"stream": "burst", "rr": "race", "T": 300, "L": 300, "auditors": "six"},
    ],
    ids=str,
)
def test_extremes(new_app: NewApp, locale: str, query: dict[str, Any]) -> None:
    at = new_app(PAGE, locale=locale, **query)
    at.session_state["records_fold"] = True
    at.run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == 1
    assert sent(at)["language"] == locale[:2]


def test_fold_shows_the_chosen_step(new_app: NewApp) -> None:
    at = new_app(PAGE)
    at.session_state["choices"] = {"step": "212"}
    at.session_state["records_fold"] = True
    at.run()
    assert at.query_params["step"] == "212"
    inside = records.get_inside(scenario())
    noisy = array(figure(at, "records_seen")["data"][2]["y"])
    assert np.allclose(noisy, inside.noisy[211])
    assert any(text.value.startswith("At step 212 ") for text in at.markdown)
    span = figure(at, "records_seen")["layout"]["yaxis"]["range"]
    at.session_state["choices"] = {"step": "3"}
    at.run()
    assert figure(at, "records_seen")["layout"]["yaxis"]["range"] == span


def test_step_behind_the_end_is_the_end(new_app: NewApp) -> None:
    at = new_app(PAGE)
    at.session_state["choices"] = {"step": "900", "first": "800", "shown": "100"}
    at.run()
    assert sent(at)["pushed"] | {"id": 0} == {"id": 0, "step": 900, "first": 800, "length": 100}
    at.select_slider(key="w_horizon").set_value(100).run()
    assert not at.exception
    assert sent(at)["pushed"] | {"id": 0} == {"id": 0, "step": 0, "first": 100, "length": 0}


def test_view_is_sent_only_when_somebody_else_changed_it(new_app: NewApp) -> None:
    at = new_app(PAGE)
    first = sent(at)
    at.run()
    assert sent(at) == first
    at.select_slider(key="w_delta").set_value(0.2).run()
    assert sent(at)["pushed"] == first["pushed"]
    at.session_state["choices"] = {"step": "5"}
    at.run()
    assert sent(at)["pushed"]["id"] > first["pushed"]["id"]
    at.button(key="reset").click().run()
    assert sent(at)["pushed"]["step"] == 0
    assert sent(at)["pushed"]["id"] > first["pushed"]["id"] + 1


@pytest.mark.parametrize("bad", ["abc", "-1", "1e9", ""])
def test_bad_step_in_the_link(new_app: NewApp, bad: str) -> None:
    at = new_app(PAGE)
    at.session_state["choices"] = {"step": bad}
    at.run()
    assert not at.exception
    assert 0 <= sent(at)["pushed"]["step"] <= 1000
