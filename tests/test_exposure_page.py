"""The page Exposure: the groups at the reader's scenario, what is never printed, typed and uploaded rates."""

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.auditors import make_mechanism
from core.equity import GroupRates, get_equity, get_first_audit_chance, measure_protection
from core.parameters import Parameters
from ui.charts.exposure import get_peak
from ui.exposure import rates, upload, work
from ui.exposure.work import Question
from ui.words import number, percent

PAGE = "pages/14_Exposure.py"
Start = Callable[..., AppTest]
SMALL = {"C": 5, "T": 20, "L": 20, "delta": 0.2, "exposure_window": 3, "exposure_crowd": 4}
TABLE = "Group,split,label,prediction,age\n" + "".join(
    f"{group},{split},{label},{said},30\n"
    for group, split, label, said, count in (
        ("a", "train", "yes", "yes", 60), ("a", "test", "yes", "yes", 30), ("a", "test", "yes", "no", 20),
        ("b", "train", "no", "no", 50), ("b", "Test", "no", "no", 39), ("b", "test", "no", "yes", 1),
    )
    for _ in range(count)
)  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "RUNS", 150)


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def told(at: AppTest) -> str:
    return "\n".join(element.value for element in [*at.warning, *at.error])


def test_numbers_are_core_s(new_app: Start) -> None:
    at = new_app(PAGE, **SMALL)
    p = Parameters(targets=5, horizon=20, run_length=20, delta=0.2)
    groups = work.get_groups(p, 4)
    assert [(g.reports, g.background) for g in groups] == [(1, 0.0), (4, 0.0), (1, 1.0), (4, 1.0)]
    found = measure_protection(make_mechanism("tca", p), groups, 3, 150, p.seed, 1, p.other_rate)
    said = words(at)
    for one in found[:2]:
        assert f"**{percent(one.benefit)}**" in said and percent(one.together.gap) in said
    data = figure(at, "exposure-groups")["data"]
    assert [array(trace["x"])[0] for trace in data[:4]] == [one.together.gap for one in found]
    assert len({trace["marker"]["symbol"] for trace in data[:4]}) == 4
    gaussian, simple = (next(t for t in data if t.get("name") == f"at most, {n}") for n in ("2Φ(kκ) − 1", "k · delta"))
    assert np.allclose(array(gaussian["x"]), [one.together_bounds[1] for one in found])
    assert np.allclose(array(simple["x"]), [one.together_bounds[0] for one in found])
    assert "--crowds 1,4 --backgrounds 0,1 --mechanism tca --targets 5 --horizon 20" in at.code[0].value


def test_blind_auditing_is_uninformative(new_app: Start) -> None:
    at = new_app(PAGE, exposure_auditor="uniform", **SMALL)
    rows = [line for line in words(at).splitlines() if "reporter" in line and line.startswith("| ")]
    assert len(rows) == 4 and all("uninformative" in row and "at least" in row for row in rows)
    symbols = [trace["marker"]["symbol"] for trace in figure(at, "exposure-groups")["data"][:4]]
    assert all(symbol.endswith("-open") for symbol in symbols)


def test_extremes_and_languages(new_app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "LEAST_RUNS", 4)
    monkeypatch.setattr(work, "CELLS", 1)
    far = {"C": 500, "T": 10_000, "runs": 10, "delta": 0.005, "lead": 20, "other": 0, "exposure_window": 30}
    for query in (far, {"T": 1, "L": 1, "C": 2, "delta": 0.95, "lead": 0, "lang": "fr"}):
        at = new_app(PAGE, **query)
        assert not re.search(r"\bnan\b|[{}]|None", re.sub(r"\$[^$]*\$", "", words(at)))
    assert len([t for t in figure(at, "exposure-groups")["data"] if t.get("error_x")]) == 2


# --- typed rates -----------------------------------------------------------------------------------------------------
def test_typed_rates_live_in_the_link(new_app: Start) -> None:
    code = "north,0.45,0.7,0.72,1000,500;south,0.3,0.9,0.78,1000,500"
    at = new_app(PAGE, exposure_rates=code, **SMALL)
    said = words(at)
    assert at.query_params["exposure_rates"] in (code, [code])
    assert (
        "No disparity is printed for **north** and **south**" in said
        and "uninformative: no exposure" in said
        and "not printed" in said
    )
    lower = get_equity(GroupRates("north", 0.45, 0.7, 0.72, 1000, 500)).lower
    assert f"at least {number(lower)}" in said and "450" not in said


def test_reference_and_double_disadvantage(new_app: Start) -> None:
    at = new_app(PAGE, **SMALL)
    assert "PCER 5.62 against 2.5" in words(at) and "**2.25** times" in words(at)
    assert "**B** bears more exposure than **A**" in told(at) and "may be chance" in told(at)


@pytest.mark.parametrize("code", ["", "a,1", "a,2,.9,.8,10,10", "a,.5,.9,.8,10,0", "a,.5,.9,.8,1e3,10",
                                  "a,nan,.9,.8,10,10", ",.5,.9,.8,10,10", "a,.5,.9,.8,1,1;a,.5,.9,.8,1,1",
                                  "a,.5,.9,.8,10,10,10"])  # fmt: skip
def test_bad_codes_are_refused(code: str) -> None:
    assert rates.from_code(code) is None


def test_codes_come_back() -> None:
    assert rates.from_code(rates.to_code(rates.DEFAULT)) == rates.DEFAULT


def test_unfinished_rows_are_told_and_the_others_kept() -> None:
    table = pd.concat([rates.to_table(rates.DEFAULT), pd.DataFrame([{"group": "C", "rate": 0.5}])], ignore_index=True)
    table.loc[3] = ["A", 0.1, 0.2, 0.3, 4, 5]
    table.loc[4] = [None] * 6
    good, wrong = rates.read(table)
    assert tuple(good) == rates.DEFAULT
    assert [re.search(r"Row (\d)", text)[1] for text in wrong] == ["3", "4"]  # type: ignore[index]


# --- an uploaded table -----------------------------------------------------------------------------------------------
def test_upload_and_a_bad_one_after_it(new_app: Start) -> None:
    at = new_app(PAGE, exposure_source="table", **SMALL)
    assert "memory of this session" in "\n".join(c.value for c in at.caption)
    at.file_uploader(key="exposure_file").set_value(("people.csv", TABLE.encode(), "text/csv")).run()
    assert at.selectbox(key="exposure_benefit").options == ["no", "yes"]
    assert "| ● a | 60% | 0.4 ±" in words(at) and "| ■ b | 2.5% | 0.025 ±" in words(at)
    at.selectbox(key="exposure_benefit").set_value("no").run()
    assert "| ● a | 40% |" in words(at)
    at.file_uploader(key="exposure_file").set_value(("bad.csv", b"group,label\na,1\n", "text/csv")).run()
    assert "no column named split, prediction" in told(at) and "people.csv from before" in told(at)
    assert "| ● a | 40% |" in words(at)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read as a table"),
        ("PK\x03\x04rest", "cannot be read as a table"),
        ("group,split,label\na,train,1\n", "no column named prediction"),
        ("group,group,split,label,prediction\na,a,train,1,1\n", "appears twice"),
        ("group,split,label,prediction\na,train,1,1\na,test,,1\n", "column label is empty in row 2"),
        ("group,split,label,prediction\na,train,1,1\na,dev,1,1\n", "split says dev in row 2"),
        ("group,split,label,prediction\na,train,1,1\n", "group a has rows of one split only"),
        ("group;split;label;prediction\n", "no rows"),
    ],
)
def test_bad_tables_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(upload.RefusedError, match=message):
        upload.read("x.csv", text.encode())


def test_table_with_semicolons_is_read() -> None:
    table = upload.read("x.csv", TABLE.replace(",", ";").encode())
    assert table.predictions == ("no", "yes") and len(table.rows) == 200


def test_steps_of_a_question() -> None:
    assert Question("tca", 2, 10, 3).steps == 12


def test_most_exposed_report_is_neither_the_first_nor_the_last() -> None:
    k, peak = get_peak(get_first_audit_chance(np.arange(61), 5, 0.1))
    assert k in (4, 5) and abs(peak - 0.0817) < 1e-3
