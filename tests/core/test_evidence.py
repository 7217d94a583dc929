"""The evidence: reference numbers, exact identities, comparisons that notice what is wrong, and the files written."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.__main__
from core import enumeration, evidence, experiments, mechanisms, plots, readings, theory, utility
from core.commands import evidence as command
from core.comparisons import BASES, RELATIONS, Comparison, get_share_error
from core.mechanisms import Tca
from core.simulation import run_transcript
from core.streams import PoissonStream

FEW = {
    "figure-2a": 200, "figure-2b": 60, "figure-3": 40, "figure-4": 40, "figure-5": 10, "greedy": 200,
    "proposition-15": 20, "theorem-1": 1500, "theorem-6": 12,
}  # fmt: skip
"""Runs in these tests, by item."""


@cache
def few(name):
    item = evidence.ITEMS[name]
    return item.measure(3, None, FEW[name]) if name in FEW else evidence.compute(item, 3)


def rows(finding, **only):
    keep = np.all([finding.columns[name] == value for name, value in only.items()], axis=0)
    return {name: column[keep] for name, column in finding.columns.items()}


# --- reference numbers -----------------------------------------------------------------------------------------------
TABLE_3 = [
    (100, 0.05, 12.686207140895174, 0.999487198584), (100, 0.1, 6.3305956368842235, 0.998946949690),
    (100, 0.2, 3.1400050139879226, 0.997771052288), (1000, 0.05, 14.407788214339782, 0.999948708021),
    (1000, 0.1, 7.1896887851395541, 0.999894645035), (1000, 0.2, 3.5661192294164170, 0.999776881343),
]  # fmt: skip


def test_table_3():
    finding = few("table-3")
    got = zip(*(finding.columns[name].tolist() for name in ("run_length", "delta", "sigma", "p_rand")), strict=True)
    for row, expected in zip(got, TABLE_3, strict=True):
        assert row == pytest.approx(expected, rel=1e-12)
    printed = [c for c in finding.comparisons if c.basis == BASES["printed"]]
    assert len(printed) == 12
    assert all(abs(c.difference) <= 0.5 * 10 ** -len(str(c.reference).split(".")[1]) + 1e-12 for c in printed)


@pytest.mark.parametrize(
    "name, length, shares",
    [
        ("figure-2a", 100, [0.8, 0.776, 0.751, 0.696, 0.573, 0.321, 0.041, 0]),
        ("figure-4", 100, [0.98, 0.975, 0.969, 0.954, 0.906, 0.722, 0.197, 0]),
        ("figure-2a", 1000, [0.8, 0.78163, 0.76233, 0.72115, 0.63, 0.43095, 0.12058, 0.00095, 0]),
        ("figure-4", 1000, [0.98, 0.97627, 0.97199, 0.96147, 0.93097, 0.82002, 0.41736, 0.00832, 0]),
    ],
)
def test_misselection_rows(name, length, shares):
    digits = 5.1e-4 if length == 100 else 5.1e-6
    got = rows(few(name), run_length=length, delta=0.1)
    assert got["tca"][: len(shares)] == pytest.approx(shares, abs=digits)
    assert got["rr"][1] == pytest.approx(got["uniform"][0] * 0.9 ** (1 / length))
    assert np.all(got["tca"] <= got["union_bound"] + 1e-12)
    assert got["greedy"].tolist() == [got["uniform"][0]] + [0] * 8


@pytest.mark.parametrize(
    "column, mean, error",
    [
        ("tca", 12.015, 0.027),
        ("rr_horizon_free", 48.8, 0.4),
        ("uniform", 52.1, 0.5),
        ("rr", 51.5, 0.5),
        ("greedy", 0, 0),
    ],
)
def test_experiment_2(column, mean, error):
    finding = few("figure-2b")
    got = next(c for c in finding.comparisons if c.reference == mean and c.basis == "an independent simulation")
    assert got.ours == pytest.approx(finding.columns[column].mean(), abs=1e-9)
    assert abs(got.ours - mean) <= 4 * got.error and got.error >= error
    assert column == "greedy" or abs(got.ours - 1.5 * mean) > 4 * got.error
    assert finding.columns[f"{column}_total"][-1] == pytest.approx(1000 * got.ours)


def test_propositions_at_the_reference_size():
    got = rows(few("proposition-14"), targets=3, horizon=3, p_rand=0.9)
    numbers = [got[name][0] for name in ("exact", "race", "proposition_14", "proposition_16", "floor")]
    assert numbers == pytest.approx([0.0844444444444, 0.196, 0.271, 1 / 3, 1 / 15])
    free = few("proposition-16").columns
    assert free["proposition_16"] == pytest.approx(free["delta"])
    assert np.all(free["exact"] <= free["delta"])
    one = rows(few("proposition-15"), leaders=1)
    assert one["exact"] == pytest.approx(one["p_rand"] * (one["targets"] - 1) / one["targets"])


def test_theorems():
    floor = rows(few("theorem-2"), targets=50, delta=0.1)
    assert (floor["floor"][0], floor["leak_at_least_p_rand"][0]) == pytest.approx((0.88, 0.1))
    assert floor["error_horizon_free"][0] == pytest.approx(49 / 50.1)
    even = rows(few("theorem-1"), prior=0.5)
    assert even["bound"] == pytest.approx([0.025, 0.05, 0.1])
    assert even["exact"] == pytest.approx(even["bound"])
    assert np.all(np.abs(even["measured"] - even["exact"]) <= 4 * even["measured_se"])
    six = few("theorem-6").columns
    assert np.all(six["exact"] <= six["bound"] + 1e-9)


def test_readings():
    age = rows(few("remark-age-and-horizon"), targets=5, delta=0.1, gap=32)
    assert (age["sd_same"][0], age["sd_apart"][0]) == pytest.approx((10.072119136, 11.438955534))
    coin = rows(few("remark-coin-calibrations"), targets=50)
    follows = dict(zip(coin["rule"], coin["follows"], strict=True))
    assert follows["horizon-free"] / follows["paper-experiments"] == pytest.approx(18.9455520755)
    half = few("remark-noise-of-the-count").columns
    assert np.ptp(half["in_count_sd"].reshape(4, 2), axis=1) == pytest.approx(0, abs=1e-9)
    assert np.ptp(half["in_sigma"].reshape(4, 2), axis=1).min() > 0.2
    past = few("remark-past-noise").columns
    old = past["run_length"] > 1
    assert np.all(past["exact"] <= past["with_all_noise"] + 1e-12)
    assert np.any(past["exact"][old] > past["without_past_noise"][old])
    assert np.all(past["exact"][~old] <= past["without_past_noise"][~old] + 1e-12)


# --- enumeration -----------------------------------------------------------------------------------------------------
def law(stream, p_rand):
    """The definition in exact fractions, one record at a time."""
    horizon, targets = stream.shape
    chances = []
    for record in product(range(targets), repeat=horizon):
        counts, chance = [0] * targets, Fraction(1)
        for t, audited in enumerate(record):
            counts = [n + int(r) for n, r in zip(counts, stream[t], strict=True)]
            leaders = [c for c in range(targets) if counts[c] == max(counts)]
            chance *= p_rand / targets + (1 - p_rand) * Fraction(audited in leaders, len(leaders))
            counts[audited] = 0
        chances.append(chance)
    return chances


@pytest.mark.parametrize("targets, horizon", [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("p_rand", [Fraction(0), Fraction(9, 10)])
def test_the_worst_leak_in_exact_fractions(targets, horizon, p_rand):
    worst = Fraction(0)
    for stream in enumeration.get_streams(targets, horizon):
        without = law(stream, p_rand)
        for step, target in product(range(horizon), range(targets)):
            more = stream.copy()
            more[step, target] += 1
            worst = max(worst, sum(abs(a - b) for a, b in zip(law(more, p_rand), without, strict=True)) / 2)
    assert enumeration.get_worst_leak(targets, horizon, float(p_rand)).value == pytest.approx(float(worst), abs=1e-13)


@given(st.integers(2, 4), st.integers(1, 3), st.floats(0, 1), st.integers(0, 2**20))
def test_record_chances_are_chances(targets, horizon, p_rand, seed):
    streams = np.random.default_rng(seed).integers(3, size=(3, horizon, targets))
    chances = enumeration.get_record_chances(streams, p_rand)
    assert chances.shape == (3, targets**horizon)
    assert np.all(chances >= 0) and chances.sum(axis=1) == pytest.approx(1)
    # later decisions tell nothing about earlier ones
    first = chances.reshape(3, targets, -1).sum(axis=2)
    assert first == pytest.approx(enumeration.get_record_chances(streams[:, :1], p_rand))


def test_greedy_leaks_more_with_every_audit():
    got = rows(few("greedy"), targets=2)
    assert got["exact"] == pytest.approx(1 - 0.5 ** got["horizon"])


def test_too_large_a_case_is_refused():
    for targets, horizon in ((1, 2), (2, 0), (6, 5)):
        with pytest.raises(ValueError, match="cannot be enumerated"):
            enumeration.get_streams(targets, horizon)


def test_chance_given_the_history_with_two_targets_is_theorem_6_itself():
    mechanism = Tca(2, 40, 0.3)
    record = run_transcript(mechanism, PoissonStream(2, 1.0, 0.5), 40, 1)
    exact = theory.get_conditional_miss(record, mechanism.noise_scale)
    single = record.active[:, 0] != record.active[:, 1]
    bound = utility.get_theorem_6_bound(record, mechanism.noise_scale)
    assert exact[single] == pytest.approx(bound[single], abs=1e-9)
    assert exact[~single] == pytest.approx(0, abs=1e-9)


# --- comparisons -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", evidence.ITEMS)
def test_every_item_agrees_with_what_it_is_held_against(name):
    item, finding = evidence.ITEMS[name], few(name)
    assert item.id == name and item.kind in evidence.KINDS
    assert len({len(column) for column in finding.columns.values()}) == 1
    assert finding.comparisons
    for one in finding.comparisons:
        assert one.relation in RELATIONS and "{" not in one.what
        assert one.agrees in (True, None), (one.what, one.ours, one.reference, one.in_errors)
        assert one.reference is None or one.difference == one.ours - one.reference
    if item.kind == "remark":
        assert any(one.relation == "reading" for one in finding.comparisons)


@pytest.mark.parametrize("name", ["figure-2a", "figure-2b", "theorem-1"])
def test_half_the_noise_would_be_noticed(monkeypatch, name):
    whole = mechanisms.get_fast_noise_scale
    monkeypatch.setattr(mechanisms, "get_fast_noise_scale", lambda *arguments: whole(*arguments) / 2)
    finding = evidence.ITEMS[name].measure(3, None, FEW[name])
    off = [one for one in finding.comparisons if one.agrees is False]
    assert off and any(abs(one.in_errors) > 4 for one in off)


def test_a_wrong_digit_would_be_noticed(monkeypatch):
    whole = experiments.calibration.get_noise_scale
    monkeypatch.setattr(experiments.calibration, "get_noise_scale", lambda *arguments: whole(*arguments) + 1e-4)
    off = [one for one in experiments.measure_table_3(0).comparisons if one.agrees is False]
    assert len(off) == 12


def test_comparing_by_hand():
    equal = Comparison("{n} of them", 3.0, 1.0, error=0.5, gaps={"n": 2})
    assert (equal.what, equal.difference, equal.in_errors, equal.excess, equal.agrees) == ("2 of them", 2, 4, 2, True)
    assert not Comparison("", 3.1, 1.0, error=0.5).agrees
    assert Comparison("", 1.0, 3.0, error=0.1, relation="at-most").agrees
    assert not Comparison("", 1.0, 3.0, error=0.1, relation="at-least").agrees
    assert not Comparison("", float("nan"), 3.0).agrees
    assert Comparison("", 1.0, 3.0, relation="reading").agrees is None
    nothing = Comparison("", 1.0)
    assert (nothing.difference, nothing.in_errors, nothing.excess, nothing.agrees) == (None, None, None, None)
    assert Comparison("", 1.0, 1.0, error=0.0).in_errors is None


def test_a_share_of_nothing_is_not_certain():
    assert get_share_error(0.0, 100) > 0
    assert get_share_error(0.5, 100, 0.5) == pytest.approx(0.05)
    assert get_share_error(0.0, 100, 0.3) == pytest.approx(np.sqrt(0.21 / 100))


def test_noise_of_a_run_depends_on_its_number_alone():
    many = experiments.simulate_counts(3, 20, 8, 5, 0)
    assert np.array_equal(many[4:], experiments.simulate_counts(3, 20, 4, 5, 4))


def test_progress_goes_up_to_the_end():
    for measure, runs in ((experiments.measure_figure_2a, 5), (experiments.measure_figure_2b, 3)):
        told = []
        measure(1, told.append, runs)
        assert told == sorted(told) and told[-1] == pytest.approx(1, abs=1e-3)


def test_selecting():
    assert [item.id for item in evidence.select(["theorem-2", "table-3"])] == ["table-3", "theorem-2"]
    assert len(evidence.select()) == len(evidence.ITEMS)
    for wrong in (["figure-9"], []):
        with pytest.raises(ValueError, match="one of table-3"):
            evidence.select(wrong)


# --- drawings --------------------------------------------------------------------------------------------------------
def test_every_item_has_a_chart_of_columns_that_exist():
    assert plots.CHARTS.keys() == evidence.ITEMS.keys()
    for name, chart in plots.CHARTS.items():
        columns = few(name).columns
        for line in chart.lines:
            wanted = {chart.x, line.column, *line.only} | ({f"{line.column}_se"} if line.error else set())
            assert wanted <= columns.keys() and line.mark in plots.MARKS
        # without colour: no two lines of a chart look alike
        looks = [(plots.MARKS[x.mark].shape, str(plots.MARKS[x.mark].line), x.hollow) for x in chart.lines]
        assert len(set(looks)) == len(looks), name


def test_a_drawing_is_the_same_every_time_and_holds_words():
    item = evidence.ITEMS["remark-two-bounds"]
    svg = plots.draw(item, few(item.id).columns)
    assert svg == plots.draw(item, few(item.id).columns)
    assert svg.startswith("<svg ") and 'role="img"' in svg and "<desc" in svg
    assert "Proposition 14</text>" in svg and "currentColor" in svg and plots.INK not in svg
    assert "<metadata" not in svg and "<script" not in svg


def test_other_commands_do_not_load_the_drawing_library():
    code = "import sys, core.__main__, core.commands.evidence; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# --- the command -----------------------------------------------------------------------------------------------------
@pytest.fixture(autouse=True)
def hooked(monkeypatch):
    monkeypatch.setitem(core.__main__.COMMANDS, "reproduce", command.COMMANDS["reproduce"])


def reproduce(capsys, folder, only):
    assert core.__main__.main(["reproduce", "--out", str(folder), "--only", only, "--seed", "3"]) == 0
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err


def test_reproduce_writes_what_it_says_and_the_same_twice(capsys, tmp_path, monkeypatch):
    only = "table-3,figure-2a"
    told, progress = reproduce(capsys, tmp_path / "one" / "deep", only)
    names = [f"{item}.{kind}" for item in ("figure-2a", "table-3") for kind in ("csv", "html", "svg")]
    expected = sorted([*names, "comparisons.csv", "index.html"])
    first = {path.name: path.read_text() for path in (tmp_path / "one" / "deep").iterdir()}
    assert told["files"] == expected == sorted(first)
    assert progress == "1/2 table-3\n2/2 figure-2a\n"
    assert told["not_agreeing"] == [] and abs(told["largest_in_standard_errors"]) < 4

    monkeypatch.setattr(command, "get_date", lambda: "1999-12-31")
    reproduce(capsys, tmp_path / "two", only)
    for name, text in first.items():
        again = (tmp_path / "two" / name).read_text()
        assert re.sub("<time>.*?</time>", "", again) == re.sub("<time>.*?</time>", "", text), name
        assert ("1999-12-31" in again) == name.endswith(".html")

    table = list(csv.DictReader(io.StringIO(first["table-3.csv"])))
    assert [float(row["sigma"]) for row in table] == few("table-3").columns["sigma"].tolist()
    compared = list(csv.DictReader(io.StringIO(first["comparisons.csv"])))
    assert tuple(compared[0]) == command.COLUMNS and len(compared) == told["comparisons"]
    assert all(float(r["ours"]) - float(r["reference"]) == float(r["difference"]) for r in compared)
    for page in ("figure-2a.html", "index.html"):
        assert "reproduce --out DIR --seed 3 --only table-3,figure-2a" in first[page]
        assert not re.search(r"""(src|href)=["'](https?:)?//|<script|@import|url\((?!#)""", first[page])
    assert 'role="img"' in first["figure-2a.html"] and "prefers-color-scheme: dark" in first["figure-2a.html"]
    assert set(re.findall(r'href="([^"#]+)"', first["index.html"])) == {*expected} - {"index.html"}


def test_a_bar_in_a_terminal(monkeypatch):
    screen = io.StringIO()
    screen.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", screen)
    for number in (0, 1):
        bar = command._Bar("item", number, 2)
        for share in (0.5, 0.5, 1.0):
            bar(share)
    assert screen.getvalue().count("\r") == 6
    assert screen.getvalue().endswith("100% item                        \n")


@pytest.mark.parametrize("kind", ["file", "under a file", "closed", "unknown", "nothing"])
def test_what_cannot_be_done_is_refused_before_anything_is_computed(capsys, tmp_path, kind):
    file = tmp_path / "file"
    file.write_text("kept")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    # the superuser may write anywhere but where nobody can
    shut = "/proc/evidence" if os.access(closed, os.W_OK) else str(closed)
    folder = {"file": str(file), "under a file": str(file / "deep"), "closed": shut}.get(kind, str(tmp_path / "new"))
    only = {"unknown": "table-3,figure-9", "nothing": ""}.get(kind, "table-3")
    words = {"file": "is a file", "unknown": "figure-9", "nothing": "one of table-3"}.get(kind, "can be written to")
    assert core.__main__.main(["reproduce", "--out", folder, "--only", only]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1 and words in captured.err
    assert file.read_text() == "kept" and not (tmp_path / "new").exists()


def test_readings_need_no_seed():
    for item in evidence.ITEMS.values():
        if item.kind == "remark":
            assert not item.simulated and item.measure.__module__ == readings.__name__
