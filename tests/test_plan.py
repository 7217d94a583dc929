"""The page Plan: answers, impossible wishes, warnings, pins, the map, and the way to all other pages."""

import re
import tomllib
from collections.abc import Callable

import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core import sweep
from ui.plan import answers, map, pins
from ui.plan.inputs import DEFAULTS, EXTRA, from_code, make_wishes, to_code

PAGE = "pages/7_Plan.py"
Start = Callable[..., AppTest]
SMALL = {"orgs": 6, "ayear": 12, "years": 2, "problem": 26, "usual": 3}
CODE = "delta.6.12.2.26.3.10.18.1.5.32.100.10"


def open_plan(new_app: Start, **query: object) -> AppTest:
    return new_app(PAGE, **query)


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def told(at: AppTest) -> str:
    return "\n".join(element.value for element in at.warning)


def test_arrival(new_app: Start) -> None:
    at = open_plan(new_app)
    assert "delta = 0.145" in words(at) and "1 in 6" in words(at)
    lines = [trace for trace in figure(at, "plan-waits")["data"] if trace.get("mode") == "lines+markers"]
    assert len(lines) == 5 and all(array(line["y"])[0] == 0 for line in lines)
    assert not at.warning


def test_the_fading_tally_is_quoted_with_its_numbers(new_app: Start) -> None:
    at = open_plan(new_app, **SMALL)
    answer = answers.get_answer(make_wishes(DEFAULTS | SMALL, "delta"), at.session_state["scenario"].seed)
    fading, tally = (answer.missed[name] for name in ("fading", "tca"))
    assert f"misses {fading.mean():.3g} open reports an audit" in words(at)
    assert answer.missed_difference.value == pytest.approx((fading - tally).mean())
    assert answer.delays["fading"].steps.max() <= 3 * 6, "its deadlines"
    assert "usually the quicker one" in words(at) and "Fading tally (damped counts, filtered) |" in words(at)


@pytest.mark.parametrize(("targets", "horizon"), [(2, 1), (50, 260), (500, 10_000)])
def test_the_fading_tally_has_a_bounded_share_of_the_work(targets: int, horizon: int) -> None:
    runs = answers.count_fading_runs(targets, horizon)
    assert 10 <= runs <= answers.count_runs(targets, horizon)
    assert runs * targets * min(horizon, 3 * targets) <= 7_500_000


def test_more_tolerance_means_more_budget(new_app: Start) -> None:
    at = open_plan(new_app, **SMALL)
    before = answers.changes(answers.get_answer(make_wishes(DEFAULTS | SMALL, "delta"), 1))
    at.select_slider(key="w_odds").set_value(30).run()
    after = answers.changes(answers.get_answer(make_wishes(DEFAULTS | SMALL | {"odds": 30}, "delta"), 1))
    assert before and after and before["delta"] < after["delta"]
    assert at.query_params["odds"] in ("30", ["30"]) and "1 in 4" in words(at)


@pytest.mark.parametrize("way", EXTRA)
@pytest.mark.parametrize("code", ["en", "fr", "ko"])
def test_everything_can_be_solved_for(new_app: Start, way: str, code: str) -> None:
    at = open_plan(new_app, lang=code, solve=way, A=CODE, **SMALL)
    assert not re.search(r"\bnan\b|[{}]|None", re.sub(r"\$[^$]*\$", "", words(at) + told(at)))
    shown = {key for key in ("miss", "ahead", "budget") if key in str([s.key for s in at.select_slider])}
    assert shown == set(EXTRA[way])


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"fpr": 0.9}, "no budget can lift suspicion above 16.7%"),
        ({"solve": "lead", "orgs": 2, "miss": 50}, "Ask for less than 50%"),
        ({"solve": "error", "ahead": 2, "miss": 1}, "Allowed: a lead of at least"),
        ({"solve": "horizon", "ahead": 2}, "Not even a single audit"),
        ({"solve": "horizon", "ahead": 500}, "at least 10,000 audits"),
        ({"solve": "reports", "budget": 500}, "a budget of at most 0.145"),
        ({"again": 3}, "has to last for 3 reports"),
        ({"again": 3, "solve": "error"}, "suspicion of that person then reaches"),
        ({"ayear": 365, "years": 50, "orgs": 2}, "18,250 audits are more than this dashboard covers"),
        ({}, "With only 6 organisations"),
        ({"usual": 30}, "draws no more reports than any other"),
        ({"again": 30, "odds": 11}, "below 0.005"),
    ],
)
def test_obstacles_and_warnings(new_app: Start, query: dict, text: str) -> None:
    at = open_plan(new_app, **{**SMALL, **query})
    assert text in told(at)
    assert ("cannot be met" in words(at)) == ("reports so reliably" in told(at) or "Not even" in text)
    assert at.button(key="use").disabled == (text == "below 0.005")


def test_use_in_all_pages(new_app: Start) -> None:
    at = open_plan(new_app, **{**SMALL, "problem": 12, "usual": 6})
    at.button(key="use").click().run()
    assert not at.warning or "organisations" in told(at)
    given = {key: value if isinstance(value, str) else value[0] for key, value in dict(at.query_params).items()}
    assert {"C": "6", "T": "24", "L": "24", "delta": "0.145", "other": "0.5"}.items() <= given.items()
    assert any("All pages show this plan now" in caption.value for caption in at.caption)


# --- pins ------------------------------------------------------------------------------------------------------------
def test_code_comes_back() -> None:
    assert from_code(to_code(DEFAULTS, "lead")) == (DEFAULTS, "lead")


@pytest.mark.parametrize("code", ["", "x", CODE + ".1", CODE.replace("delta", "nothing"), CODE.replace("26", "²"),
                                  CODE.replace("26", "-3"), CODE.replace("26", "999999"), CODE[:-2] + "0"])  # fmt: skip
def test_bad_codes_are_refused(code: str) -> None:
    assert from_code(code) is None


def test_pins_live_in_the_link(new_app: Start) -> None:
    at = open_plan(new_app, **SMALL)
    at.button(key="pin-A").click().run()
    at.select_slider(key="w_crowd").set_value(20).run()
    at.button(key="pin-B").click().run()
    assert CODE in at.query_params["A"] and CODE.replace("3.10.18", "3.20.18") in at.query_params["B"]
    assert "People who could have known ★ | 10 | 20" in words(at)
    at.button(key="load-A").click().run()
    assert at.select_slider(key="w_crowd").value == 10
    at.button(key="unpin").click().run()
    assert "A" not in dict(at.query_params) and "Pin this plan as A" in words(at)


def test_bad_pin_is_told(new_app: Start) -> None:
    at = open_plan(new_app, A="delta.1.2", B=CODE, **SMALL)
    assert "delta.1.2" in told(at) and "Point | B" in words(at)


def test_comparison_marks_what_differs() -> None:
    one, two = (answers.get_answer(make_wishes(DEFAULTS | SMALL | {"years": y}, "delta"), 1) for y in (2, 3))
    table = pins.compare({"A": one, "B": two})
    rows = dict(zip(table.iloc[:, 0], table.iloc[:, 1:].values.tolist(), strict=True))
    assert rows["Audits covered ★"] == ["24", "36"] and rows["Organisations"] == ["6", "6"]


# --- map -------------------------------------------------------------------------------------------------------------
@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map, "LARGEST_STEPS", 6)
    monkeypatch.setattr(map, "CELLS", 1)


@pytest.mark.parametrize(("axis", "rows"), [("rate", 26.0), ("targets", 6)])
def test_map_holds_the_plan_itself(quick: None, axis: str, rows: float) -> None:
    answer = answers.get_answer(make_wishes(DEFAULTS | SMALL, "delta"), 1)
    found, (row, column) = map.compute(answer, axis, 1)
    assert found.rows[row] == rows and found.deltas[column] == answer.solution.delta
    assert found.difference["rota"].shape == (6, 6) and list(found.deltas) == sorted(found.deltas)
    assert map.compute(answer, axis, 1)[0] is found


@pytest.mark.parametrize("axis", ["rate", "targets"])
def test_a_sweep_gives_the_map(quick: None, axis: str) -> None:
    """The grid that the page offers, run as a sweep: differences of its rows are the cells."""
    answer = answers.get_answer(make_wishes(DEFAULTS | SMALL, "delta"), 1)
    found, _ = map.compute(answer, axis, 1)
    cells = sweep.make_cells(tomllib.loads(map.make_sweep(found, answer, axis, 1)))
    assert len(cells) == 4 * len(found.rows) * len(found.deltas)
    row, column = 1, 2
    wanted = [
        cell
        for cell in cells
        if cell.parameters.delta == found.deltas[column]
        and (cell.parameters.targets == found.rows[row] or axis == "rate")
        and (cell.parameters.lead_rate == pytest.approx(found.rows[row] / 12) or axis == "targets")
    ]
    missed = {cell.mechanism: sweep.run_cell(cell)["mean_deficit"] for cell in wanted}
    assert len(missed) == len(wanted) == 4
    for rival, difference in found.difference.items():
        assert missed["tca"] - missed[rival] == pytest.approx(difference[row, column])


def test_map_on_the_page(new_app: Start, quick: None) -> None:
    at = open_plan(new_app, map="targets", rival="rota", **SMALL)
    cells = figure(at, "plan-map")["data"]
    assert cells[0]["type"] == "heatmap" and len(cells[1]["text"]) == 36
    signs = {text[0] for text in cells[1]["text"]}
    assert signs <= set("✓?✗") and "Of 36 cells" in words(at)
    hatched = [shape for shape in figure(at, "plan-map")["layout"]["shapes"] if shape["type"] == "line"]
    assert len(hatched) == 5 * sum(text.startswith("?") for text in cells[1]["text"])
