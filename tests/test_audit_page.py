"""The page Privacy audit: verdicts and numbers are core's, every subject runs, bad files cost nothing."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.audit import Audit, Claim, get_first_decision
from core.audit_runs import run_audit
from core.auditors import NAMES, make_mechanism
from core.calibration import get_mu
from core.faults import FAULTS
from core.gdp import get_mu_from_epsilon_delta, get_mu_low_jeffreys
from core.mechanisms import Tca
from core.parameters import Parameters
from ui.audit import convert, files, foot, names, own, power, report, work
from ui.audit.files import RefusedError
from ui.audit.work import Question
from ui.charts import audit as charts
from ui.charts.audit import Drawn
from ui.words import number, percent

PAGE = "pages/13_Audit.py"
Start = Callable[..., AppTest]
P = Parameters()
LOOK = names.get_look("tca")


def open_view(new_app: Start, view: str = "one", **local: Any) -> AppTest:
    shared = {key: local.pop(key) for key in ("C", "T", "L", "delta", "runs", "seed") if key in local}
    return new_app(PAGE, audit_view=view, **shared, **local)


def words(at: AppTest) -> str:
    return "\n".join(element.value for kind in (at.markdown, at.caption, at.error, at.info) for element in kind)


# --- what is asked of core -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("subject", names.SUBJECTS)
def test_every_subject_is_audited_and_named(subject: str) -> None:
    for box in ("white", "black"):
        question = Question(subject, "none", box, 2, 10, 200)
        audit = work.get_audit(question, P, 0.1)
        assert audit.tp + audit.fn == audit.fp + audit.tn == 100
        assert report.is_violation(audit) == (subject == "greedy")
    assert work.is_kept(question, P)
    assert "--mechanism " + ("tca" if subject in names.COUNTERS else subject) in work.get_command(question, P, 0.1)
    assert len({names.get_name(one) for one in names.SUBJECTS}) == len(names.SUBJECTS) >= len(NAMES)


@pytest.mark.parametrize("subject", names.SUBJECTS)
@pytest.mark.parametrize("box", ["white", "black"])
def test_work_keeps_to_its_limit(subject: str, box: str) -> None:
    for targets, horizon, runs in ((5, 100, 5_000), (50, 1000, 20_000), (2, 10, 1_000)):
        question = Question(subject, "none", box, targets, horizon, runs)
        size = work.get_size(question)
        cost = work.COSTS.get(subject, 1) if box == "white" else 1
        assert 2 * size.runs * size.horizon * targets * cost <= work.CELLS
        assert work.LEAST_RUNS <= size.runs <= runs and 3 <= size.horizon <= horizon
        # a promise over T audits is never audited over fewer of them
        assert size.horizon == horizon or subject in work.COSTS
    assert work.get_size(Question()) == work.Size(5_000, 100)


def test_audits_are_those_of_core_and_of_the_terminal() -> None:
    question = Question("tca", "half-noise", "white", 3, 20, 600)
    wanted = run_audit(Tca(3, 20, P.delta), 20, P.delta, 600, 0.05, P.seed, "white", "half-noise")
    assert work.get_audit(question, P, 0.05) == wanted
    assert work.get_command(question, P, 0.05) == (
        "python -m core audit --mechanism tca --fault half-noise --targets 3 --horizon 20 --delta 0.1 --runs 600 "
        "--alpha 0.05 --box white --seed 2026"
    )
    race = Parameters(rr_calibration="race")
    assert "--mechanism rr-race " in work.get_command(Question("rr"), race, 0.1)
    small = Parameters(targets=5, horizon=100, run_length=1, rr_calibration="race")
    assert work.make(Question("rr"), race) == make_mechanism("rr-race", small)


def test_the_black_box_caught_none_at_the_default_settings() -> None:
    """The page says so."""
    for fault in FAULTS:
        assert not report.is_violation(work.get_audit(Question("tca", fault, "black"), P, 0.1))


def test_power_is_what_the_page_says_about_small_deltas() -> None:
    found = work.get_powers(power.SMALL, 100, 2_500, 0.1)
    assert found["half-noise"].now < power.WANTED > found["over-horizon"].now and found["noise-reuse"].mu == np.inf
    assert "less than 90%" in power.told_of_small(found)
    assert percent(found["half-noise"].now) in power.told_of_small(found)
    # four times the runs for half of delta
    half = work.get_powers(0.1, 100, 2_500, 0.1)["half-noise"].needed
    assert half and found["half-noise"].needed and found["half-noise"].needed / half == pytest.approx(4, rel=0.05)


# --- words and pictures ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("table", "claim", "verdict", "number_said"),
    [
        ((1257, 743, 949, 1051), Claim(None, 0.45), "No violation found", "0.297"),
        ((1257, 743, 949, 1051), Claim(None, 0.29), "Violation", "0.297"),
        ((12_000, 88_000, 2_000, 98_000), Claim(0.1), "No violation found", "promised at most **0.1**"),
        ((20_000, 0, 2_000, 18_000), Claim(0.1, 20.0), "Violation", "Detections minus false alarms"),
        ((5, 5, 5, 5), Claim(), "Nothing claimed", "at least **0**"),
    ],
)
def test_headline_gives_the_reason_of_the_verdict(
    table: tuple[int, int, int, int], claim: Claim, verdict: str, number_said: str
) -> None:
    said = report.headline(Audit(*table, 0.1, claim))
    assert said.startswith(f"**{verdict}.**") and number_said in said
    assert "verified" not in said + report.meaning(Audit(*table, 0.1, claim))


@pytest.mark.parametrize("claim", [Claim(0.1, get_mu(0.1)), Claim(0.1), Claim(0.3, 0.1), Claim(0.0, 0.0)])
def test_a_violation_is_a_region_above_the_promise(claim: Claim) -> None:
    for shift in (0, 40, 80, 120, 500):
        audit = Audit(500 + shift, 500 - shift, 450, 550, 0.1, claim)
        traces = {trace.name: trace for trace in charts.plane([Drawn("a", LOOK, audit)], claim).data}
        region = traces["where the true rates may lie"]
        corner = max(region.x), min(region.y)
        above = [
            corner[1] > np.interp(corner[0], charts.GRID, trace.y)
            for name, trace in traces.items() if name.startswith("promised")
        ]  # fmt: skip
        assert any(above) == report.is_violation(audit)


def test_infinite_mu_is_drawn_and_told() -> None:
    claim = Claim(0.1, get_mu(0.1))
    drawn = [Drawn("a", LOOK, Audit(*table, 0.1, claim)) for table in ((2500, 0, 0, 2500), (1500, 1000, 1300, 1200))]
    assert np.isfinite(np.concatenate([trace.y for trace in charts.plane(drawn[:1], claim).data])).all()
    shown = charts.limits(drawn, claim)
    (note,) = shown.layout.annotations
    assert number(drawn[0].audit.mu_low_clopper_pearson) in note.text
    assert any(list(t.x) == [pytest.approx(drawn[1].audit.mu_hat)] for t in shown.data)
    (low, high), _up = charts.get_close(drawn[0].audit)
    assert low == 0.0 < high < 0.5


def test_note_at_the_foot() -> None:
    assert get_mu_low_jeffreys(*foot.TABLE) == pytest.approx(0.3405, abs=5e-5)
    assert "0.426 as released and 0.3405 with" in foot.foot()


def test_converter_numbers() -> None:
    assert "0.4548" in convert.published() and "0.43 (as reported)" in convert.published()
    gains, mus = convert.get_first_mus(0.1)
    assert gains[convert.TARGETS.index(2)] == pytest.approx(0.0705254, abs=1e-7)
    assert mus[convert.TARGETS.index(50)] == pytest.approx(0.2332565, abs=1e-7)
    assert (mus < get_mu(0.1)).all() and get_first_decision(0.1, 5)[0] == 0.2
    audit, scores = convert.audit_toy(0.45, 1)
    assert len(scores[0]) == convert.TOY_RUNS and audit.mu_hat == pytest.approx(0.45, abs=4 * 0.008)
    grid = convert.get_grid(3.0)
    assert grid[-1] == 5 and (np.diff(convert.get_routes(grid, 0.01)["zcdp"]) > 0).all()


# --- files -----------------------------------------------------------------------------------------------------------
def test_good_files() -> None:
    file = files.read("a.csv", b"with;without;note\n1,5;0,25;x\n2,5;;y\n3;-1e-3;z\n")
    assert files.get_scores(file, "with").tolist() == [1.5, 2.5, 3.0]
    assert files.get_scores(file, "without").tolist() == [0.25, -0.001]
    assert files.get_counts(files.read("t.csv", b"FP,TN,tp,fn\n949,1051,1257,743\n")) == foot.TABLE
    nothing = own.get_example("nothing", 2026)
    made = files.make_file("n", ("with", "without"), nothing)
    assert np.array_equal(files.get_scores(made, "with"), nothing[0])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "cannot be read"), (b"\x00\xff\x00", "cannot be read"), (b"PK\x03\x04zip", "cannot be read"),
        (b"with,without\n", "no rows"), (b"a," * 200 + b"b\n" + b"1," * 200 + b"1\n", "at most 100 columns"),
        (b"x" * (files.LARGEST + 1), "too large"),
    ],
)  # fmt: skip
def test_bad_files(data: bytes, said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        files.read("bad.csv", data)


def test_bad_cells() -> None:
    file = files.read("a.csv", b"with,without\n1,2\n2,`x`\n3,nan\n")
    with pytest.raises(RefusedError, match=re.escape("row 2 below the names: `?x?` is no number")):
        files.get_scores(file, "without")
    with pytest.raises(RefusedError, match="TP, FN, FP, TN and one row"):
        files.get_counts(file)
    for cell in ("-1", "1.5", "x", "9999999999"):
        with pytest.raises(RefusedError, match="whole number from 0"):
            files.get_counts(files.read("t.csv", f"TP,FN,FP,TN\n1,2,3,{cell}\n".encode()))
    with pytest.raises(RefusedError, match="fewer than two"):
        files.get_scores(files.read("a.csv", b"a,b\n1,2\n2,\n"), "b")


# --- page ------------------------------------------------------------------------------------------------------------
def test_default_view_tells_the_numbers_of_core(new_app: Start) -> None:
    at = open_view(new_app)
    audit = work.get_audit(Question(), P, 0.1)
    assert report.headline(audit) in words(at) and "flooded" in words(at) and foot.foot() in words(at)
    point = next(trace for trace in figure(at, "audit-plane")["data"] if trace.get("mode") == "markers")
    assert (array(point["x"])[0], array(point["y"])[0]) == (audit.fpr, audit.tpr)
    at.selectbox(key="w_audit_fault").set_value("noise-reuse").run()
    assert not at.exception and "**Violation.**" in words(at) and "started afresh" in words(at)
    assert "--fault noise-reuse" in at.code[0].value
    at.selectbox(key="w_audit_subject").set_value("greedy").run()
    assert not at.exception and "**Violation.**" in words(at) and "promises nothing" in words(at)
    assert at.query_params["audit_subject"] in ("greedy", ["greedy"])


def test_extreme_sizes_are_cut_and_told(new_app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "CELLS", 300_000)
    at = open_view(
        new_app, C=500, T=10_000, delta=0.95, runs=10, audit_subject="fading", audit_c=5, audit_t=1000, audit_alpha=1
    )
    assert "Only the first" in words(at) and "99% sure" in words(at)


def test_catch_the_broken_one(new_app: Start) -> None:
    at = open_view(new_app, "broken", audit_c=2, audit_t=100)
    found = {f: work.get_audit(Question("tca", f, "white", 2, 100), P, 0.1) for f in names.TURNS}
    caught = sum(report.is_violation(found[fault]) for fault in FAULTS)
    assert report.is_violation(found["half-noise"]) and report.is_violation(found["noise-reuse"])
    assert f"**{caught} of 3 faults caught**" in words(at)
    for audit in found.values():
        assert f"mu at least {number(audit.mu_low_clopper_pearson)}, measured {number(audit.mu_hat)}" in words(at)


def test_power_view(new_app: Start) -> None:
    at = open_view(new_app, "power", delta=0.005)
    assert "At delta = 0.05 the default of 5,000 runs" in words(at) and "262,144" in words(at)


def test_own_table_and_refused_ones(new_app: Start) -> None:
    at = open_view(new_app, "own")
    assert "at least **0.297**" in words(at) and at.code[0].value.endswith("--mu 0.45 --alpha 0.1")
    at.file_uploader(key="audit_table_file").set_value(("bad.csv", b"TP,FN,FP,TN\n1,2,3,x\n", "text/csv")).run()
    assert not at.exception and "TN says `x`" in words(at) and "at least **0.297**" in words(at)
    at.file_uploader(key="audit_table_file").set_value(("ok.csv", b"TP,FN,FP,TN\n2000,0,0,2000\n", "text/csv")).run()
    assert not at.error and "at least **5.94**" in words(at) and "**Violation.**" in words(at)
    at.number_input(key="w_audit_tp").set_value(0).run()
    assert not at.exception and "Nothing to judge yet" in words(at)


def test_own_scores_keep_the_good_file(new_app: Start) -> None:
    at = open_view(new_app, "own", audit_way="scores")
    assert "In use: `scores of an attack with mu 0.45`" in words(at) and "memory of this session" in words(at)
    at.button(key="audit_example_nothing").click().run()
    assert not at.exception and "mu is at least **0**" in words(at)
    good = "a,b,c\n" + "".join(f"{i % 7},{i % 5},oops\n" for i in range(200))
    at.file_uploader(key="audit_file").set_value(("mine.csv", good.encode(), "text/csv")).run()
    assert not at.exception and "In use: `mine.csv`, 200 rows" in words(at)
    at.file_uploader(key="audit_file").set_value(("bad.csv", b"\x00\x01", "text/csv")).run()
    assert "cannot be read" in words(at) and "`mine.csv` from before is still in use" in words(at)
    at.selectbox(key="audit_without").set_value("c").run()
    assert not at.exception and "`oops` is no number" in words(at)


def test_converter_view(new_app: Start) -> None:
    at = open_view(new_app, "convert", audit_eps=500)
    assert number(get_mu_from_epsilon_delta(0.5, 0.01, "zcdp")) in words(at) and "0.43 (as reported)" in words(at)
    at.number_input(key="w_audit_eps").set_value(0.0).run()
    assert not at.exception and at.code[0].value.startswith("python -m core audit --table 1257,743,949,1051 --mu 0.0")
