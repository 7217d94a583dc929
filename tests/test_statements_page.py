"""The page Statements: its numbers are core's, silence and errors show by shape, repairs, and any stream of reports."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.calibration import get_count_sd
from core.certificates import get_ever_rate, get_needed_reports, get_rate, run_counts
from core.mechanisms import Tca
from core.parameters import ParameterError, Parameters
from core.streams import TableStream, make_stream
from ui.statements import work
from ui.words import number, percent

PAGE = "pages/15_Statements.py"
Start = Callable[..., AppTest]
SMALL = {"C": 5, "T": 60, "L": 60, "delta": 0.2, "runs": 30}
P = Parameters(targets=5, horizon=60, run_length=60, delta=0.2, runs=30)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "FIRST_RUNS", 200)


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def test_numbers_are_core_s(new_app: Start) -> None:
    at = new_app(PAGE, **SMALL)
    said = words(at)
    audited, beforehand = run_counts(Tca(5, 60, 0.2), make_stream(P), 60, 30, P.seed)
    shown = audited.certify(0.01)
    assert f"**{percent(get_rate(shown.emitted)[0])} ±" in said
    assert f"**{percent(get_rate(audited.certify(0.05).false)[0])} ±" in said
    assert f"errs at {percent(get_rate(beforehand.certify(0.05).false)[0])} ±" in said
    assert f"Of 30 whole records, {round(30 * get_ever_rate(shown.false)[0])} hold" in said
    assert f"**{percent(get_rate(audited.unsupported)[0])} ±" in said
    assert f"**{number(get_needed_reports(1, 0.01, get_count_sd(0.2, 60, 1)))}** open reports just after" in said
    assert "**0.4** by adding up, **0.28" in said
    assert "--targets 5 --horizon 60 --delta 0.2 --beta 0.05 --tau 1" in at.code[0].value


def test_record_shows_truth_silence_and_error(new_app: Start) -> None:
    at = new_app(PAGE, statements_level="raw", **SMALL)
    traces = {trace["name"]: trace for trace in figure(at, "statements-record")["data"] if trace.get("name")}
    audited, _unused = run_counts(Tca(5, 60, 0.2), make_stream(P), 60, 30, P.seed)
    certified = audited.certify(0.05)
    steps = np.arange(1, 61)
    told, false = certified.emitted[0], certified.false[0]
    assert false.any() and not told.all()
    assert (array(traces["stated, false"]["x"]) == steps[false]).all()
    assert (array(traces["stated, true"]["x"]) == steps[told & ~false]).all()
    assert (array(traces["nothing stated"]["x"]) == steps[~told]).all()
    assert (array(traces["open reports"]["y"]) == audited.active[0]).all()
    shapes = [trace["marker"]["symbol"] for trace in traces.values()]
    assert len(set(shapes)) == len(shapes) == 4


def test_strong_delta_is_silent_and_weak_one_speaks(new_app: Start) -> None:
    assert "mostly has to keep silent" in words(new_app(PAGE, **SMALL | {"delta": 0.05}))
    said = words(new_app(PAGE, **SMALL | {"delta": 0.95}))
    assert "can mostly say something" in said


def test_extremes_and_languages(new_app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "CELLS", 40_000)
    monkeypatch.setattr(work, "FIRST_RUNS", 5)
    far = {"C": 500, "T": 10_000, "runs": 10, "delta": 0.005, "lead": 20, "other": 20, "statements_beta": 50}
    at = new_app(PAGE, **far)
    assert any("All 10,000 audits would take too long" in caption.value for caption in at.caption)
    for query in ({}, {"T": 1, "L": 1, "C": 2, "delta": 0.95, "lead": 0, "other": 0, "runs": 10, "lang": "ko"}):
        at = new_app(PAGE, **query) if query else at
        assert not re.search(r"\bnan\b|[{}]|None", re.sub(r"\$[^$]*\$", "", words(at)))


def test_closed_form_is_the_first_audit_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "FIRST_RUNS", 2000)
    monkeypatch.setattr(work, "CELLS", 40)
    found = work.measure(P, make_stream(P), lambda _done: None)
    for beta in (0.01, 0.05, 0.3):
        curse = work.get_curse(found, P, beta)
        assert abs(curse.measured - curse.exact) < 4 * curse.measured_se
        assert abs(curse.measured - beta) > 4 * curse.measured_se


# --- a table of real reports -----------------------------------------------------------------------------------------
def test_table_sets_targets_and_horizon() -> None:
    table = np.zeros((7, 3))
    table[0, 1] = 50
    p = work.fit(P, TableStream(table))
    assert (p.targets, p.horizon, p.run_length, p.delta, p.runs) == (3, 7, 7, P.delta, P.runs)
    found = work.measure(p, TableStream(table), lambda _done: None)
    assert found.record.active[0] == 50 and found.audits[0] == 1
    assert work.measure(p, TableStream(table.copy()), lambda _done: None) is found
    assert work.measure(p, TableStream(table + 1), lambda _done: None) is not found
    with pytest.raises(ParameterError, match="targets"):
        work.fit(P, TableStream(np.ones((2, 501))))


def _table_page() -> None:
    from core.parameters import Parameters
    from core.streams import TableStream
    from ui import state
    from ui.statements import sections

    state.load()
    state.begin_page("statements")
    sections.show(Parameters(), TableStream([[9, 0, 0]] + [[0, 1, 0]] * 19))


def test_page_takes_any_stream() -> None:
    at = AppTest.from_function(_table_page, default_timeout=60).run()
    assert not at.exception
    assert len(array(figure(at, "statements-record")["data"][1]["y"])) == 20
    assert "--targets 3 --horizon 20" in at.code[0].value
    assert "steady trickle" in words(at)
