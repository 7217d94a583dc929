"""The page that computes the paper anew: core's words and numbers, the stored results, simulations on request."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core import evidence, plots
from core.comparisons import BASES, Comparison, Finding
from ui import claims, marks
from ui.charts import evidence as charts
from ui.evidence import remarks, say, stored, texts, work

PAGE = "pages/12_Evidence.py"
FEW = {"figure-2a": 5, "figure-2b": 3, "figure-3": 3, "figure-4": 3, "figure-5": 2, "theorem-6": 2}
"""Runs that are enough to see which comparisons there are."""


@pytest.fixture(autouse=True)
def nothing_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_SIMULATED", work.Store(5))


def measure(name: str) -> Finding:
    item = evidence.ITEMS[name]
    function: Callable[..., Finding] = item.measure
    return function(1, None, FEW.get(name, 10)) if item.simulated else work.get_exact(item)


@pytest.fixture(scope="module")
def findings() -> dict[str, Finding]:
    return {name: measure(name) for name in evidence.ITEMS}


def rows(at: AppTest) -> list[str]:
    body = next(html.proto.body for html in at.get("html") if 'class="claims"' in html.proto.body)
    return re.findall(r"<tr role=\"row\".*?</tr>", body.partition("<tbody")[2], re.S)


def prose(at: AppTest) -> str:
    return " ".join(text.value for text in (*at.caption, *at.markdown))


# --- words -----------------------------------------------------------------------------------------------------------
def test_the_words_are_cores(findings: dict[str, Finding]) -> None:
    """What the translators' tools find in ui/evidence/texts.py is what stands in core."""
    items = [text for i in evidence.ITEMS.values() for text in (i.title, i.source, i.says, i.shows)]
    assert list(texts.ITEMS) == list(dict.fromkeys(items))
    found = [one for finding in findings.values() for one in finding.comparisons]
    own = dict.fromkeys(one.text for one in found if one.text not in claims.TEXTS)
    assert list(texts.COMPARISONS) == list(own)
    assert list(texts.BASES) == list(BASES.values())
    assert {one.basis for one in found} <= {*texts.BASES, *claims.BASES, ""}
    drawn = [
        text
        for chart in plots.CHARTS.values()
        for text in (chart.x_label, chart.y_label, *(line.label for line in chart.lines), *(chart.panels or ())[1:])
    ]
    assert {*texts.LABELS, *texts.OWN_LABELS} == set(drawn)
    assert [name for name, item in evidence.ITEMS.items() if item.kind == "remark"] == list(remarks.TEXTS)


def test_every_comparison_can_be_said(findings: dict[str, Finding]) -> None:
    for finding in findings.values():
        for one in finding.comparisons:
            text = say.say(one)
            assert text and "{" not in text
            # identifiers are for files
            assert not re.search(r"\b(tca|rr|rr-horizon-free|paper-experiments)\b", text), text


def test_one_look_for_drawings_and_dashboard() -> None:
    for name, mark in marks.MARKS.items():
        if name in plots.MARKS:
            assert plots.MARKS[name].color == mark.color
            assert charts.SYMBOLS[plots.MARKS[name].shape] == mark.symbol
    assert {"tca", "rr", "greedy", "uniform", "rota"} <= marks.MARKS.keys() & plots.MARKS.keys()
    known = {mark.color for mark in marks.MARKS.values()} | {plots.INK}
    assert {mark.color for mark in plots.MARKS.values()} <= known


# --- numbers ---------------------------------------------------------------------------------------------------------
def test_stored_results_are_of_todays_items(findings: dict[str, Finding]) -> None:
    """Run `python -m ui.evidence.stored` when this fails."""
    read = stored.load()
    assert list(read) == [name for name, item in evidence.ITEMS.items() if item.simulated] == list(work.RUNS)
    for name, about in read.items():
        assert about.seed == evidence.SEED and about.command == stored.WRITER
        assert about.finding.columns.keys() == findings[name].columns.keys()
        told = [[(c.text, c.gaps, c.relation) for c in f.comparisons] for f in (about.finding, findings[name])]
        assert told[0] == told[1]


def test_a_stored_result_is_what_core_computes() -> None:
    for name in ("greedy", "proposition-15"):
        now, then = evidence.compute(evidence.ITEMS[name]), stored.load()[name].finding
        for column in now.columns:
            np.testing.assert_allclose(then.columns[column], now.columns[column], rtol=1e-9, atol=1e-12)
        assert [c.ours for c in then.comparisons] == pytest.approx([c.ours for c in now.comparisons], rel=1e-9)


def test_the_file_says_what_was_packed() -> None:
    item = evidence.ITEMS["proposition-15"]
    packed = stored.pack(7, measure(item.id))
    text = stored.to_text({item.id: packed, "again": packed})
    assert "NaN" not in text and json.loads(text) == {item.id: packed, "again": packed}
    unpacked = stored._unpack(json.loads(text)["again"])
    assert unpacked.finding.comparisons == measure(item.id).comparisons
    assert np.isnan(unpacked.finding.columns["measured"]).any()


def test_default_runs_are_cores() -> None:
    for name, runs in work.RUNS.items():
        assert evidence.ITEMS[name].measure.__defaults__ == (None, runs)


def test_a_disagreement_is_told_and_first(findings: dict[str, Finding]) -> None:
    item, finding = evidence.ITEMS["table-3"], findings["table-3"]
    wrong = replace(finding.comparisons[5], ours=2.0)
    spoilt = Finding(finding.columns, (*finding.comparisons[:5], wrong, *finding.comparisons[6:]))
    assert "**1 of 24** comparisons lie on the wrong side" in say.headline(item, spoilt)
    assert say.get_order(spoilt.comparisons)[0] is wrong
    assert say.to_html([wrong]).count('class="differs"') == 1
    assert 'class="differs"' not in say.to_html(finding.comparisons)
    alone = Comparison("x", 1.0, error=0.5)
    assert "nothing to hold it against" in say.to_html([alone])


# --- the page --------------------------------------------------------------------------------------------------------
def test_figure_2a_on_arrival(new_app: Callable[..., AppTest]) -> None:
    at = new_app(PAGE)
    finding = stored.load()["figure-2a"].finding
    largest = evidence.get_largest([(evidence.ITEMS["figure-2a"], finding)])
    assert largest is not None
    sentence = at.markdown[0].value
    assert "**54**" in sentence and f"**{largest[0]:.2g} standard errors**" in sentence
    first = rows(at)[0]
    assert len(rows(at)) == say.SHOWN and f"difference: {largest[2].in_errors:.2g} of them" in first
    about = stored.load()["figure-2a"]
    assert say.get_date(about.date) in prose(at) and f"seed {about.seed}" in prose(at)
    assert stored.WRITER in prose(at)
    data = {trace["name"]: trace for trace in figure(at, "evidence_picture")["data"]}
    keep = (finding.columns["run_length"] == 100) & (finding.columns["delta"] == 0.1)
    assert array(data["Noisy tally, delta 0.1"]["y"]) == pytest.approx(finding.columns["tca"][keep])
    played = data["Noisy tally, 1,000 trials, delta 0.1"]
    assert array(played["error_y"]["array"]) == pytest.approx(2 * finding.columns["tca_measured_se"][keep])
    assert at.code[0].value == "python -m core reproduce --out DIR --only figure-2a --seed 2026"

    at.segmented_control(key="w_evidence_panel").set_value("1000").run()
    data = {trace["name"]: trace for trace in figure(at, "evidence_picture")["data"]}
    keep = (finding.columns["run_length"] == 1000) & (finding.columns["delta"] == 0.1)
    assert array(data["Noisy tally, delta 0.1"]["y"]) == pytest.approx(finding.columns["tca"][keep])
    at.segmented_control(key="w_evidence_rows").set_value("all").run()
    assert len(rows(at)) == len(finding.comparisons)

    at.selectbox(key="w_evidence_item").set_value("table-3").run()
    assert not at.exception
    query = dict(at.query_params)
    assert query["evidence_item"] == "table-3" and "1000" in query["evidence_panel"]
    printed = [unescape(row) for row in rows(at) if BASES["printed"] in row]
    assert len(printed) == 12 and any("12.6862" in row for row in printed)
    crosses = next(t for t in figure(at, "evidence_picture")["data"] if t["name"] == "Printed in the paper")
    assert array(crosses["y"]).tolist() == [14.4078, 7.1897, 3.5661]
    assert "not read from a file" in prose(at)
    at.selectbox(key="w_evidence_item").set_value("theorem-1").run()
    assert not at.exception and "evidence_panel" not in at.query_params


def test_simulating_on_request(new_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    whole = evidence.ITEMS["theorem-6"].measure

    def counted(seed: int, progress: Any = None, runs: int = 0) -> Finding:
        asked.append((seed, runs))
        function: Callable[..., Finding] = whole
        return function(seed, progress, 2)

    item = replace(evidence.ITEMS["theorem-6"], measure=counted)
    monkeypatch.setitem(evidence.ITEMS, "theorem-6", item)
    at = new_app(PAGE, evidence_item="theorem-6", seed=7)
    assert asked == [] and "Stored result" in prose(at)
    at.button(key="evidence_simulate").click().run()
    assert not at.exception and asked == [(7, 12)]
    assert "on request: 12 runs, seed 7" in prose(at) and "has 120 runs" in prose(at)
    assert at.query_params["evidence_numbers"] in ("simulated", ["simulated"])
    assert at.code[0].value.endswith("--only theorem-6 --seed 7")
    assert "It always takes 120 runs" in prose(at)
    again = new_app(PAGE, evidence_item="theorem-6", seed=7, evidence_numbers="simulated")
    assert "on request" in prose(again) and len(asked) == 1
    again.button(key="evidence_back").click().run()
    assert "Stored result" in prose(again) and "evidence_numbers" not in again.query_params


@pytest.mark.parametrize("name", ["figure-2b", "proposition-16", "remark-more-organisations"])
def test_other_items(new_app: Callable[..., AppTest], name: str) -> None:
    at = new_app(PAGE, evidence_item=name, evidence_numbers="simulated")
    item = evidence.ITEMS[name]
    assert item.simulated == any(button.key == "evidence_simulate" for button in at.button)
    assert rows(at) and "{" not in " ".join(unescape(row) for row in rows(at))
    if name in remarks.TEXTS:
        assert at.markdown[0].value == remarks.say(name)
    text = " ".join(markdown.value for markdown in at.markdown)
    assert all(remarks.say(remark) in text for remark in remarks.TEXTS)
    assert item.says in text and item.shows in text


def test_every_panel_can_be_drawn(findings: dict[str, Finding]) -> None:
    for name, finding in findings.items():
        item = evidence.ITEMS[name]
        for panel in charts.get_panels(item, finding.columns):
            drawn = charts.picture(item, finding, panel, 10)
            assert len(drawn.data) >= 2 or name == "table-3"
            looks = [(t.marker.symbol, t.line.dash) for t in drawn.data]
            assert len(set(looks)) == len(looks), name
            assert all("{" not in t.name for t in drawn.data)


def test_the_totals_of_figure_2b_are_what_reproduce_writes() -> None:
    item, finding = evidence.ITEMS["figure-2b"], stored.load()["figure-2b"].finding
    drawn = {trace.name: trace for trace in charts.picture(item, finding, "total").data}
    assert drawn["Noisy tally"].y[-1] == finding.columns["tca_total"][-1] == pytest.approx(12_000, rel=0.01)
    assert charts.table(finding).columns.tolist() == list(finding.columns)
    table = say.to_table(item, finding.comparisons)
    assert table["ours"].tolist() == [one.ours for one in finding.comparisons]
