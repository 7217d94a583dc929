"""Own data: read, shown, run on other pages, and kept from every other session."""

import functools
import gc
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.auditors import make_mechanism
from core.intake import notices, sniffing, tables
from core.intake.notices import TableError
from core.intake.tables import Choice, read_table, write_csv
from core.parameters import TABLE, Parameters, replace
from core.simulation import run_ensemble, run_transcript
from core.streams import TableStream
from ui.own import files, row, says, show, use
from ui.store import Store
from ui.words import number

PAGE = "pages/16_Own_data.py"
Start = Callable[..., AppTest]
ROWS = [(f"2024-{month:02}-{day:02}", name) for month in (1, 2, 3) for day in range(1, 29)
        for name in ("Zebra", "Zebra", "Yak", "Xerus")[: 1 + (day * month) % 4]]  # fmt: skip
DATA = "\n".join(["when;who", *(";".join(line) for line in ROWS)]).encode()


def words(at: AppTest) -> str:
    shown = [*at.markdown, *at.caption, *at.info, *at.error, *at.warning, *at.success]
    return "\n".join(element.value for element in shown)


def upload(at: AppTest, data: bytes = DATA, name: str = "zoo.csv") -> AppTest:
    return at.file_uploader[0].set_value((name, data, "text/csv")).run()


def make_own(counts: np.ndarray, **values: Any) -> use.OwnParameters:
    table = tables.ReportTable(counts, tuple("ABCDEFG"[: counts.shape[1]]), tuple(map(str, range(len(counts)))), "step")
    p = Parameters(targets=counts.shape[1], horizon=len(counts), run_length=1)
    return use.OwnParameters(**{name: getattr(p, name) for name in TABLE} | values, token="t", table=table)


# --- words -----------------------------------------------------------------------------------------------------------
def test_sentences_are_core_s() -> None:
    assert says.NOTES == notices.NOTES and says.FAULTS == notices.FAULTS and says.REFUSALS == notices.REFUSALS
    assert set(says.PARTS["what"]) == {what for _mark, what in sniffing._SIGNATURES}


def test_every_kind_of_fault_and_refusal_can_be_told() -> None:
    values = dict.fromkeys(("value", "proof", "encoding", "name", "type", "why", "what", "role"), "`$x$`{y}")
    numbers = dict.fromkeys(("rows", "moved", "groups", "targets", "total", "size", "limit", "row", "steps", "reports",
                             "columns"),
                            12_345)  # fmt: skip
    for kind in notices.NOTES:
        text = says.tell_note(notices.Note(kind, 12_345, {**values, **numbers}))
        assert "12345" not in text and "``" not in text
    faults = tuple(notices.Fault(12_345, "c`", kind, "`{v}") for kind in notices.FAULTS)
    assert all("row 12,345, column `c?`" in says.tell_row(fault) for fault in faults)
    for kind in notices.REFUSALS:
        sentence = says.tell_refusal(TableError(kind, faults, first="", **{**values, **numbers}))
        assert "12345" not in sentence and "``" not in sentence


# --- the reports a page gets -----------------------------------------------------------------------------------------
def test_the_report_is_a_row_of_the_table() -> None:
    p = make_own(np.array([[2, 0], [1, 3]]))
    assert isinstance(whole := use.get_stream(p), TableStream) and np.array_equal(whole.table, p.table.counts)
    without = use.get_stream(p, (2, 1))
    assert isinstance(without, TableStream) and np.array_equal(without.table, [[2, 0], [1, 2]])
    # where there is none, one more is tried
    assert use.get_stream(p, (1, 1)) is whole and "one report more" in row.tell(p.table, (1, 1))
    assert use.get_rates(p) == (1.5, 1.5) and use.usual_report(p.table) == (1, 0)


def test_no_result_of_an_own_table_is_found_by_another() -> None:
    one, other = (make_own(np.array([[1, 0]]), delta=0.2) for _ in range(2))
    object.__setattr__(other, "token", "u")
    assert (
        one != other
        and use.get_key(one) != use.get_key(other)
        and one != Parameters(targets=2, horizon=1, run_length=1)
    )
    assert use.get_store(Parameters(), shared := Store(3)) is shared and use.get_store(one, shared) is not shared


def test_caches_of_all_sessions_never_see_an_own_table() -> None:
    def plain(p: Parameters) -> object:
        return object()

    asked: list[Parameters] = []

    @functools.wraps(plain)
    def cached(p: Parameters) -> object:
        asked.append(p)
        return plain(p)

    get, own = use.apart(2)(cached), make_own(np.array([[3, 1]]))
    assert get(own) is get(own) and get(own) is not get(replace(own, delta=0.3)) and asked == []
    assert get(Parameters()) and asked == [Parameters()]


# --- the page --------------------------------------------------------------------------------------------------------
def test_synthetic_example_on_arrival(new_app: Start) -> None:
    at = new_app(PAGE)
    table = read_table(files.examples.PATH.read_bytes())
    said = words(at)
    assert "Synthetic example" in said and f"Invented: **{table.counts.sum()}** reports about **12**" in said
    assert "written nowhere" in said and "time zone" in said
    strip = figure(at, "own-strip")["data"]
    assert np.array_equal(array(strip[0]["z"]), table.counts.T)
    step, target = use.usual_report(table)
    assert (array(strip[1]["x"])[0], array(strip[1]["y"])[0]) == (step, target) and table.counts[step - 1, target]
    assert number(show.get_odds(table, 0.1)[1], 2) in said
    python, option, code = shlex.split(at.code[0].value)
    assert (python, option) == ("python", "-c") and "Date received" in code


def test_upload_choices_and_refusals(new_app: Start) -> None:
    at = upload(new_app(PAGE))
    assert f"**{len(ROWS)}** reports about **3** organisations, 13 weeks" in words(at)
    assert "Synthetic" not in words(at) and "zoo.csv" in words(at)
    at.segmented_control(key="w_own_period").set_value("month").run()
    at.number_input(key="w_own_number").set_value(2).run()
    table = read_table(DATA, Choice("when", "who", None, "month", 2))
    assert np.array_equal(array(figure(at, "own-strip")["data"][0]["z"]), table.counts.T)
    assert f"left out because only the chosen ones are kept: 1, reports: {len(ROWS) - table.counts.sum()}." in words(at)
    at.segmented_control(key="w_own_targets_by").set_value("listed").run()
    at.multiselect[0].set_value(["Xerus", "Zebra"]).run()
    assert [re.sub("<.*", "", text[0]) for text in figure(at, "own-strip")["data"][0]["text"]] == ["Zebra", "Xerus"]
    # a bad file changes nothing, and says why; a bad row is named
    upload(at, b"PK\x03\x04rest", "x.csv")
    assert "this is a zip archive" in words(at) and "`zoo.csv`" in words(at)
    upload(at, b"when;who\n2024-01-01;A\nyesterday;B\n2024-01-02;B\n", "bad.csv")
    assert "row 3, column `when`: `yesterday` is not a date; allowed: dates such as" in words(at)
    at.toggle(key="w_own_drop_faulty").set_value(True).run()
    assert "Rows that cannot be read, left out: 1." in words(at) and "**2** reports about **2**" in words(at)
    at.button(key="own_forget").click().run()
    assert "Synthetic example" in words(at)


def test_exports_come_back(new_app: Start) -> None:
    table = read_table(DATA, Choice("when", "who"))
    at = upload(new_app(PAGE), write_csv(table), "own-table.csv")
    assert next(box for box in at.selectbox if box.key.startswith("w_own_count")).value == "count"
    assert np.array_equal(array(figure(at, "own-strip")["data"][0]["z"]), table.counts.T)


# --- the other pages -------------------------------------------------------------------------------------------------
def get_shared() -> dict[int, int]:
    """Sizes of everything kept for all sessions."""
    return {id(one): len(one) for one in gc.get_objects() if isinstance(one, Store)}


def use_small(new_app: Start) -> tuple[AppTest, tables.ReportTable]:
    at = upload(new_app(PAGE, S=10))
    at.button(key="own_use").click().run()
    assert "The pages run on this table" in words(at)
    return at, at.session_state["own_in_use"].table


def go(at: AppTest, page: str, **choices: str) -> AppTest:
    for key, value in choices.items():
        at.session_state["choices"][key] = value
    at.switch_page(page).run()
    assert not at.exception, at.exception[0].message
    return at


def get_terminal(at: AppTest, what: str = "run_") -> float:
    """What the page's command with `what` in it prints."""
    command = next(code.value for code in at.code if what in code.value)
    said: list[Any] = []
    exec(shlex.split(command)[2], {"print": said.append})
    return float(said[0])


def test_pages_run_on_the_table_and_nobody_else_can_tell(
    new_app: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_app("pages/2_Records.py")
    shared = get_shared()
    at, table = use_small(new_app)
    steps, targets = table.counts.shape
    p = Parameters(targets=targets, horizon=steps, run_length=1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own-table.csv").write_bytes(write_csv(table))

    go(at, "pages/2_Records.py")
    run = run_transcript(make_mechanism("tca", p), table.stream, steps, p.seed)
    assert f"misses **{number(float(run.deficit.mean()))}** open reports" in words(at)
    assert "**Your own table**, `zoo.csv`" in words(at) and "Zebra" not in str(at.query_params)
    assert {"w_targets", "w_horizon", "w_lead_rate"}.isdisjoint(element.key for element in at.select_slider)
    assert get_terminal(at) == run.deficit.mean()
    assert at.query_params["own_data"] in ("on", ["on"])
    # hand-outs are made of this
    assert type(at.session_state["scenario"]) is Parameters

    go(at, "pages/4_Long_run.py", longrun_fading="off")
    ensemble = run_ensemble(make_mechanism("tca", p), table.stream, steps, 100, p.seed)
    assert f"the noisy tally misses **{number(ensemble.mean_deficit)}** open reports" in words(at)
    assert get_terminal(at) == ensemble.mean_deficit

    # the report is a row: both worlds hold the other reports, and one of them the table itself
    go(at, "pages/5_Adversary.py", pairs="20")
    step, target = at.session_state["own_report"]
    assert table.counts[step - 1, target] and f"about no. {target + 1} in period {step}" in words(at)
    assert f"**{int(get_terminal(at, 'run_twins'))} of 20** pairs differ anywhere" in words(at)
    next(box for box in at.selectbox if box.key.startswith("w_own_suspected_about")).set_value(1).run()
    assert at.session_state["own_report"][1] == 1 and "at" not in at.query_params

    # a stranger gets simulated reports, with a word about the link; nothing was kept for all sessions
    stranger = new_app("pages/2_Records.py", own_data="on")
    assert "Own data does not travel with a link" in words(stranger) and "zoo" not in words(stranger)
    assert {one: size for one, size in get_shared().items() if one in shared} == shared

    go(at, PAGE).button(key="own_back_here").click().run()
    go(at, "pages/2_Records.py")
    assert "own_data" not in at.query_params and "own_kept" not in at.session_state
    assert "own table" not in words(at)
