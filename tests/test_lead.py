"""The page Lead: its curves against exact reference values, its points against the simulation they stand for."""

import json
import re
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core.parameters import TABLE, Parameters
from core.utility import get_misselection, get_union_bound, simulate_misselection
from ui import frames, says
from ui.charts import lead
from ui.live import Line, Marker, Points

PAGE = "pages/3_Lead.py"
Start = Callable[..., AppTest]
EXACT = {
    (1000, 5): [0.8, 0.78163, 0.76233, 0.72115, 0.63000, 0.43095, 0.12058, 0.00095, 0.0],
    (1000, 50): [0.98, 0.97627, 0.97199, 0.96147, 0.93097, 0.82002, 0.41736, 0.00832, 0.0],
    (100, 5): [0.8, 0.776, 0.751, 0.696, 0.573, 0.321, 0.041, 0.0],
    (100, 50): [0.98, 0.975, 0.969, 0.954, 0.906, 0.722, 0.197, 0.0],
}
GAPS = [0, 1, 2, 4, 8, 16, 32, 64, 128]


def make(targets: int = 50, length: int = 1000, seed: int = 2026) -> frames.LeadFrames:
    return frames.get_lead_frames(
        TABLE["delta"].stops, TABLE["gap"].stops, targets, length, length, "paper-experiments", seed
    )


@pytest.fixture(scope="module")
def shown() -> frames.LeadFrames:
    return make()


def stop(values: np.ndarray, value: float) -> int:
    return int(np.flatnonzero(values == value)[0])


# --- numbers ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("length", "targets"), EXACT)
def test_exact_values(length: int, targets: int) -> None:
    f = make(targets, length)
    wanted = EXACT[length, targets]
    found = f.tca[stop(f.deltas, 0.1), [stop(f.gaps, gap) for gap in GAPS[: len(wanted)]]]
    np.testing.assert_allclose(found, wanted, atol=6e-6 if length == 1000 else 6e-4)


@pytest.mark.parametrize("targets", [2, 3, 5, 50, 500])
def test_interpolation_keeps_its_word(targets: int) -> None:
    leads = np.concatenate([np.random.default_rng(1).uniform(0, 30, 3000), [0.0, 1e-9, 2000.0]])
    error = np.abs(frames.interpolate_misselection(leads, targets) - get_misselection(leads, targets, 1.0))
    assert error.max() < 1e-7


def test_points_are_the_simulation(shown: frames.LeadFrames) -> None:
    for delta in (0.05, 0.1, 0.5):
        i = stop(shown.deltas, delta)
        for k, gap in enumerate(frames.MC_GAPS):
            one = simulate_misselection(gap, 50, shown.count_sd[i], frames.MC_RUNS, 2026)
            assert (shown.simulated[i, k], shown.simulated_low[i, k], shown.simulated_high[i, k]) == (
                one.share,
                one.low,
                one.high,
            )


def test_points_agree_with_the_curve(shown: frames.LeadFrames) -> None:
    exact = frames.interpolate_misselection(np.asarray(frames.MC_GAPS) / shown.count_sd[:, None], 50)
    inside = (shown.simulated_low <= exact + 1e-9) & (exact <= shown.simulated_high + 1e-9)
    assert inside.mean() > 0.9


def test_needed_leads_are_the_smallest_whole_ones(shown: frames.LeadFrames) -> None:
    for i in (0, stop(shown.deltas, 0.1), len(shown.deltas) - 1):
        sd = float(shown.count_sd[i])
        for needed, error in ((shown.even[i], 0.5), (shown.sure[i], 0.05)):
            assert get_misselection(needed, 50, sd) <= error < get_misselection(needed - 1, 50, sd)
    assert (shown.even[stop(shown.deltas, 0.1)], shown.sure[stop(shown.deltas, 0.1)]) == (30, 53)


def test_bound_floor_and_coin(shown: frames.LeadFrames) -> None:
    assert np.all(shown.union_curve >= shown.tca_curve - 1e-7)
    i = stop(shown.deltas, 0.1)
    assert shown.floor[i] == pytest.approx(0.98 - 0.1)
    assert shown.rr[i, 1] == pytest.approx(0.98 * 0.999894645035)
    assert shown.rr[i, 0] == pytest.approx(0.98) and shown.greedy[0] == pytest.approx(0.98)
    assert np.all(shown.greedy[1:] == 0) and np.all(shown.rr >= shown.floor[:, None] - 1e-12)


def test_age_and_horizon_apart() -> None:
    both = {(panel.targets, panel.run_length): panel for panel in frames.get_panels(None)}
    fixed = {(panel.targets, panel.run_length): panel for panel in frames.get_panels(1000)}
    assert len(both) == len(fixed) == 8
    at = stop(np.round(both[50, 100].gaps, 9), 15.0)
    for panel, sd in ((both[50, 100], 10.0721), (fixed[50, 100], 11.4389)):
        np.testing.assert_allclose(panel.tca[0.1][at], get_misselection(15.0, 50, sd), atol=1e-4)
    np.testing.assert_array_equal(both[50, 1000].tca[0.1], fixed[50, 1000].tca[0.1])


# --- pictures --------------------------------------------------------------------------------------------------------
def test_picture_holds_all_curves_and_one_marker_an_auditor(shown: frames.LeadFrames) -> None:
    plot = lead.picture(shown)
    markers = [one for one in plot.series if isinstance(one, Marker)]
    assert len({one.symbol for one in markers}) == len({one.color for one in markers}) == 4
    dashes = [one.dash for one in plot.series if isinstance(one, Line)]
    assert dashes.count("dash") == 1 and dashes.count("dot") == 1
    (points,) = [one for one in plot.series if isinstance(one, Points)]
    assert points.low is not None and np.shape(points.y) == (len(shown.deltas), len(frames.MC_GAPS))


def test_marker_stands_on_its_curve(shown: frames.LeadFrames) -> None:
    for i in (0, 20, 60):
        on_curve = np.interp(frames.scale(shown.gaps), shown.x, shown.tca_curve[i])
        np.testing.assert_allclose(shown.tca[i], on_curve, atol=5e-3)


def test_table_is_exact_to_its_last_digit_shown(shown: frames.LeadFrames) -> None:
    i = stop(shown.deltas, 0.1)
    exact = get_misselection(shown.gaps, 50, float(shown.count_sd[i]))
    table = lead.table(shown, i, exact)
    assert len(table) == len(shown.gaps) and table.iloc[16, 0] == 16
    assert table.iloc[16, 1] == pytest.approx(0.82002, abs=5e-6)
    assert table.iloc[64, 2] == pytest.approx(float(get_union_bound(64, 50, float(shown.count_sd[i]))), rel=1e-6)


# --- sentences -------------------------------------------------------------------------------------------------------
def test_agreement_admits_a_miss() -> None:
    drawn = simulate_misselection(16, 50, 12.99, 1000, 2026)
    assert "agrees" in says.agreement(0.82, 0.5, drawn, 2026)
    assert "leaves out" in says.agreement(0.5, 1.0, drawn, 2026)
    assert "says nothing yet" in says.agreement(0.5, 1.0, drawn, 2026)


def test_terminal_command_gives_the_same_number() -> None:
    p = Parameters(run_length=100, gap=16)
    printed = subprocess.run(
        [sys.executable, *says.command_gap(p).split()[1:]], capture_output=True, text=True, check=True
    ).stdout
    row = next(row for row in json.loads(printed) if row["gap"] == 16)
    assert row["tca"] == pytest.approx(float(get_misselection(16, 50, 11.4389)), abs=1e-4)


# --- page ------------------------------------------------------------------------------------------------------------
def test_default_page(new_app: Start) -> None:
    at = new_app(PAGE)
    assert [metric.value for metric in at.metric] == ["82%", "100%", "83%"]
    assert any("agrees" in caption.value for caption in at.caption)
    assert "--run-length 1000 --delta 0.1 --gaps 0,1,2,16" in at.code[0].value


def test_page_follows_the_link(new_app: Start) -> None:
    at = new_app(PAGE, C=5, gap=32)
    assert at.metric[0].value == "12.1%"


def test_panels_of_the_paper(new_app: Start) -> None:
    at = new_app(PAGE, panels="fixed")
    for targets in frames.PANEL_TARGETS:
        drawn = figure(at, f"lead-panel-{targets}")
        assert len(drawn["data"]) == 12
        assert array(drawn["data"][0]["y"])[0] == pytest.approx((targets - 1) / targets, abs=1e-6)
    at.segmented_control(key="w_panels").set_value("age").run()
    assert not at.exception


@pytest.mark.parametrize("code", ["en", "fr", "ko"])
@pytest.mark.parametrize(
    "query",
    [
        {"C": 2, "T": 1, "L": 1, "delta": 0.95, "gap": 500},
        {"C": 500, "T": 10000, "L": 10000, "runs": 10, "delta": 0.005, "gap": 0},
        {"C": 3, "T": 1000, "L": 1, "delta": 0.5, "gap": 1, "rr": "race"},
        {"C": 2, "T": 1000, "L": 500, "gap": 77, "rr": "horizon-free"},
    ],
)
def test_extremes_in_every_language(new_app: Start, code: str, query: dict[str, object]) -> None:
    at = new_app(PAGE, lang=code, **query)
    for _ in range(2):
        text = "\n".join(element.value for element in [*at.markdown, *at.caption, *at.metric])
        assert not re.search(r"\bnan\b|[{}]|None", re.sub(r"\$[^$]*\$", "", text)), text
        assert len(at.title) == 1
        at.run()
        assert not at.exception
