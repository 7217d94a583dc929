"""The counter lab: its numbers are core's; a reader's class is fenced, judged in words, and never lost."""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.counter_kinds import KINDS, get_growth, get_profile
from core.linear import Factorisation
from core.parameters import TABLE, Parameters
from core.reduction import CounterAudit
from core.simulation import run_ensemble
from core.streams import make_stream
from ui.counters import own, work
from ui.counters.apart import Fault, is_alone, measure_apart
from ui.counters.names import LOOKS, NAIVE, from_mask, to_mask
from ui.words import number

PAGE = "pages/11_Counters.py"
SMALL = {"C": 5, "T": 60, "delta": 0.2}
SHARED = {row.url for row in TABLE.values()} | {"lang"}
BLOCKS, WRONG = own.EXAMPLES["blocks"].text, own.EXAMPLES["wrong"].text


def open_lab(new_app: Callable[..., AppTest], **query: Any) -> AppTest:
    at = new_app(**{key: value for key, value in query.items() if key in SHARED})
    at.session_state["waiting"] = {key: str(value) for key, value in query.items() if key not in SHARED}
    at.switch_page(PAGE).run()
    assert not at.exception, at.exception[0].message
    return at


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def lines(at: AppTest, key: str) -> dict[str, np.ndarray]:
    return {trace["name"]: array(trace["y"]) for trace in figure(at, key)["data"]}


def test_looks_differ_in_colour_line_and_marker() -> None:
    assert set(LOOKS) == {*KINDS, NAIVE, "own"}
    for what in ("color", "dash", "symbol", "glyph", "short"):
        assert len({getattr(look, what) for look in LOOKS.values()}) == len(LOOKS), what


def test_choice_of_counters_survives_the_link() -> None:
    assert all(to_mask(from_mask(mask)) == mask for mask in range(1, 1 << len(KINDS)))
    assert from_mask(to_mask([])) == ["toeplitz"]


def test_default(new_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures, sentence and table say what core says at the default settings."""
    monkeypatch.setattr(work, "CELLS", 200_000)
    at = open_lab(new_app)
    p, text = Parameters(), words(at)
    sd = {kind: get_profile(kind, p.horizon).get_count_sd(p.delta) for kind in KINDS}
    assert f"**{number(sd['toeplitz'][-1])}** reports (standard deviation)" in text
    assert f"{number(sd['independent'][-1] / sd['toeplitz'][-1])} times as much" in text
    drawn = lines(at, "counters-noise")
    assert list(drawn) == ["Paper's", "Tree", "Each step", "Each count"]
    for name, kind in zip(drawn, ("toeplitz", "tree", "independent", "output"), strict=True):
        assert drawn[name][[0, -1]] == pytest.approx(sd[kind][[0, -1]], rel=1e-6)
    growth = get_growth(p.delta, work.HORIZONS)
    assert lines(at, "counters-growth")["Split budget"] == pytest.approx(growth["naive"], rel=1e-6)
    assert f"{number(growth['naive'][-1] / growth['naive'][-4])} times" in text
    for kind in KINDS:
        assert number(get_profile(kind, p.horizon).get_noise_scale(p.delta)) in text
    size = work.get_size(p)
    runs = run_ensemble(CounterAudit(50, 1000, 0.1, "output"), make_stream(p), size.horizon, size.runs, p.seed)
    assert f"fresh noise on each count **{number(runs.mean_deficit)}**" in text
    assert not at.text_area  # AppTest has no server.address: nobody may run code here
    assert "class BlockCounter" in at.code[0].value


def test_independent_and_output_noise_audit_differently() -> None:
    """The same noise at age T, and about 91 against 29 missed reports in the paper's experiment 2."""
    p = Parameters()
    one, other = (work.get_row(kind, p, by_run=work.get_missed(kind, p)) for kind in ("independent", "output"))
    assert one.sd[-1] == pytest.approx(other.sd[-1])
    assert abs(one.missed - 91.3) < 4 * one.missed_se and abs(other.missed - 29.1) < 4 * other.missed_se
    assert one.missed - other.missed > 10 * np.hypot(one.missed_se, other.missed_se)


def test_extremes(new_app: Callable[..., AppTest]) -> None:
    """The largest scenario is cut to what a reader can wait for, says so, and keeps its exact numbers."""
    at = open_lab(new_app, C=500, T=10_000, delta=0.005, lead=20, other=0, counter_own="blocks")
    size = work.get_size(at.session_state["scenario"])
    assert size.horizon < 10_000 and size.runs >= work.LEAST_RUNS
    assert any("All 10,000 audits would take too long here" in caption.value for caption in at.caption)
    assert any("up to 2,000 audits" in warning.value for warning in at.warning)
    at.button(key="counter_shorter").click().run()
    assert at.session_state["scenario"].horizon == 2000 and not at.exception


def test_one_audit_one_counter(new_app: Callable[..., AppTest]) -> None:
    at = open_lab(new_app, C=2, T=1, delta=0.95, lead=0, other=0, counters_shown=127)
    assert "With a single audit every counter is the same" in words(at)
    assert len(lines(at, "counters-noise")) == len(KINDS)


# --- a reader's own --------------------------------------------------------------------------------------------------
def test_bundled_examples_run_everywhere(new_app: Callable[..., AppTest]) -> None:
    at = open_lab(new_app, **SMALL)
    at.button(key="counter_run").click().run()
    assert "`BlockCounter` counts, is linear and claims what it needs: sensitivity 1.41" in at.success[0].value
    assert "BlockCounter" in lines(at, "counters-noise") and "★ `BlockCounter`" in words(at)
    assert at.query_params["counter_own"] in ("blocks", ["blocks"])
    at.segmented_control(key="w_counter_code").set_value("wrong").run()
    at.button(key="counter_run").click().run()
    claim = at.error[0].value
    found = work.get_own(WRONG, 60)
    assert isinstance(found, Factorisation)
    for shown in (number(1.0), number(np.sqrt(2)), number(found.get_true_delta(0.2)), number(0.2)):
        assert shown in claim
    assert "ForgetfulCounter" not in lines(at, "counters-noise")
    at.button(key="counter_stop").click().run()
    assert not at.error and "counter_own" not in at.query_params


def test_only_this_machine_may_edit(new_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed runs, is judged, and is never lost; where the server is open it does not run, whoever wrote it."""
    monkeypatch.setattr(own, "may_edit", lambda: True)
    at = open_lab(new_app, **SMALL)
    broken = BLOCKS.replace("self.step += 1", "self.step += 1 / 0")
    at.text_area(key="w_counter_text").set_value(broken).run()
    at.button(key="counter_run").click().run()
    line = 1 + BLOCKS[: BLOCKS.index("self.step += 1")].count("\n")
    assert f"Line {line}, at step 1: your code stops with `ZeroDivisionError`" in at.error[0].value
    assert "counter_own" not in at.query_params
    at.segmented_control(key="w_counter_code").set_value("wrong").run()
    assert at.text_area(key="w_counter_text").value == WRONG
    at.segmented_control(key="w_counter_code").set_value("blocks").run()
    assert at.text_area(key="w_counter_text").value == broken and not at.exception
    monkeypatch.setattr(own, "may_edit", lambda: False)
    monkeypatch.setattr(work, "get_own", lambda *_: pytest.fail("ran a visitor's code"))
    at.run()
    assert not at.text_area and not at.error and not at.exception


@pytest.mark.parametrize(
    ("address", "headers", "alone"),
    [
        ("localhost", {"Host": "localhost:8501"}, True),
        ("127.0.0.1", {"host": "127.0.0.1:8501"}, True),
        ("::1", {"Host": "[::1]:8501"}, True),
        (None, {"Host": "localhost:8501"}, False),
        ("", {"Host": "localhost"}, False),
        ("0.0.0.0", {"Host": "localhost:8501"}, False),
        ("localhost", {}, False),
        ("localhost", {"Host": "lab.example.org"}, False),
        ("localhost", {"Host": "localhost.example.org:8501"}, False),
        ("localhost", {"Host": "[bad"}, False),
        ("localhost", {"Host": "localhost:8501", "X-Forwarded-For": "203.0.113.7"}, False),
        ("127.0.0.1", {"Host": "127.0.0.1", "forwarded": "for=203.0.113.7"}, False),
    ],
)
def test_who_is_alone(address: str | None, headers: dict[str, str], alone: bool) -> None:
    assert is_alone(address, headers) == alone


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "class"),
        ("class Broken:\n  def encode(self, x) return x", "error"),
        pytest.param(
            BLOCKS.replace("self.step += 1", "self.step += 1; huge = [0] * 10**10"),
            "memory",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory"),
        ),
        ("import os\n" + BLOCKS.replace("self.step += 1", "os._exit(0)"), "gone"),
        (BLOCKS.replace("return [total]", "return [0 * total]"), "count"),
        (BLOCKS.replace("return [reports]", "return reports"), "answer"),
    ],
)
def test_faults_come_back_in_pieces(text: str, reason: str) -> None:
    found = measure_apart(text, 30)
    assert isinstance(found, Fault) and found.reason == reason, found
    assert own.tell_fault(found)


def test_an_endless_loop_is_ended() -> None:
    """Within its time; and it is not tried again at every change."""
    endless = BLOCKS.replace("self.step += 1", "while True: pass")
    start = time.monotonic()
    assert measure_apart(endless, 30, seconds=2) == Fault("time")
    assert time.monotonic() - start < 15
    calls = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "measure_apart", lambda *_: calls.append(1) or Fault("time"))
        for horizon in (30, 40, 50):
            assert work.get_own(endless, horizon).reason == "time"
        assert len(calls) == 1
        work.forget_endless(endless)
        work.get_own(endless, 30)
        assert len(calls) == 2


def test_the_child_measures_what_core_measures() -> None:
    found = measure_apart(BLOCKS, 40)
    assert isinstance(found, Factorisation) and found.name == "BlockCounter" and found.horizon == 40
    assert found.waste == pytest.approx(1.0) and found.decoder.shape == (40, 40)
