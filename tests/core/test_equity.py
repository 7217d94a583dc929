"""PCER: reference values, honest statuses, tables, and whistleblowers against exact chances and bounds."""

import argparse

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import attacks, equity
from core.commands.equity import COMMANDS
from core.equity import GroupRates, Reporters
from core.mechanisms import RandomisedResponse, Tca, Uniform
from core.streams import PoissonStream

REFERENCE = [
    (GroupRates("a", 0.45, 0.82, 0.74, 1000, 500), "informative", 5.625),
    (GroupRates("b", 0.30, 0.90, 0.78, 1000, 500), "informative", 2.5),
    (GroupRates("c", 0.45, 0.70, 0.72, 1000, 500), "floor", None),
    (GroupRates("d", 0.45, 0.72, 0.70, 1000, 500), "noise", None),
]
FOUND = {rates.group: equity.get_equity(rates) for rates, _, _ in REFERENCE}
share = st.floats(0, 1)
count = st.integers(10, 100_000)
groups = st.builds(GroupRates, st.just("x"), share, share, share, count, count)


@pytest.mark.parametrize("rates, status, pcer", REFERENCE)
def test_reference(rates, status, pcer):
    found = equity.get_equity(rates)
    assert found.status == status
    assert found.pcer == (None if pcer is None else pytest.approx(pcer, rel=1e-12))
    assert found.verdict == ("informative" if pcer else "uninformative")
    variance = sum(a * (1 - a) / n for a, n in ((rates.train, rates.n_train), (rates.test, rates.n_test)))
    assert found.lower == pytest.approx(rates.rate / (max(0, rates.train - rates.test) + 1.645 * variance**0.5))


def test_disparity():
    pair = equity.compare(FOUND["a"], FOUND["b"])
    assert pair.ratio == pytest.approx(2.25)
    assert pair.parity_gap == pytest.approx(0.15)
    assert pair.double_disadvantage == "b" == equity.compare(FOUND["b"], FOUND["a"]).double_disadvantage
    assert not pair.clear  # .04 apart with a standard error of .031
    many = [equity.get_equity(GroupRates("a", 0.45, 0.82, 0.74, 10**5, 10**5)) for _ in range(2)]
    assert equity.compare(many[0], FOUND["b"]).double_disadvantage == "b"
    assert equity.compare(*many).double_disadvantage is None
    for hidden in "cd":
        pair = equity.compare(FOUND["b"], FOUND[hidden])
        assert pair.ratio is None and pair.double_disadvantage is None
        assert pair.parity_gap == pytest.approx(-0.15)  # shown all the same


@given(groups, st.floats(0, 0.5))
def test_pcer_is_printed_only_where_it_means_something(rates, floor):
    found = equity.get_equity(rates, floor)
    assert (found.pcer is not None) == (found.status == "informative")
    assert np.isfinite(found.lower) and found.gap_se > 0
    if found.gap <= 0:
        assert found.status == "floor"
    if found.pcer is not None:
        assert found.gap > max(floor, 1.645 * found.gap_se) and found.lower <= found.pcer
        assert found.pcer <= rates.rate / found.gap * (1 + 1e-12)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(1e-6, 1), st.floats(1e-6, 1), st.floats(0, 0.1))
def test_statuses_are_monotone(gap, other, se, other_se, floor):
    def rank(*arguments):
        return equity.STATUSES.index(equity.get_status(*arguments))

    low, high = sorted((gap, other))
    small, large = sorted((se, other_se))
    assert rank(low, se, floor) <= rank(high, se, floor)
    assert rank(gap, large, floor) <= rank(gap, small, floor)
    assert rank(gap, se, floor) <= rank(gap, se, 0.0)


def test_a_group_without_a_gap_is_almost_never_informative():
    """Null group: same true accuracy on both splits. One-sided 95 %, so about one in twenty, not more."""
    generator = np.random.default_rng(1)
    train, test = (generator.binomial(n, 0.8, 4000) / n for n in (1000, 500))
    names = [equity.get_equity(GroupRates("x", 0.4, a, b, 1000, 500)).status for a, b in zip(train, test, strict=True)]
    wrong = np.mean([name == "informative" for name in names])
    assert abs(wrong - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)


def test_one_answer_is_no_certainty():
    lucky = equity.get_equity(GroupRates("x", 0.5, 1.0, 0.0, 1, 1))
    assert lucky.status == "noise" and lucky.gap_se > 0.5
    assert equity.get_equity(GroupRates("x", 0.5, 1.0, 0.0, 1000, 1000)).status == "informative"


@pytest.mark.parametrize("change", [{"rate": 1.1}, {"train": float("nan")}, {"test": -0.1}, {"n_test": 0}])
def test_bad_rates(change):
    values = {"rate": 0.5, "train": 0.5, "test": 0.5, "n_train": 10, "n_test": 10}
    with pytest.raises(ValueError, match=next(iter(change))):
        GroupRates("x", **{**values, **change})


def make_table():
    rows = [("a", "train", 1, 1.0), ("a", "train", 0, 0.0), ("a", "Test ", 1, 1.0), ("a", "test", 1, 0.0)]
    rows += [("b", "train", 0, 1.0), ("b", "test", 0, 0.0), ("b", "test", 0, 0.0), ("b", "test", 1, 1.0)]
    return pd.DataFrame(rows, columns=["Group", "split", "label", "prediction"])


@pytest.mark.parametrize("benefit", [1, "1", "1.0"])
def test_table_gives_rates(benefit):
    """Answers count as equal however a number is written; the rate is that of the test rows."""
    assert equity.get_group_rates(make_table(), benefit) == [
        GroupRates("a", 0.5, 1.0, 0.5, 2, 2),
        GroupRates("b", 1 / 3, 0.0, 1.0, 1, 3),
    ]


def test_bad_tables():
    table = make_table()
    for broken, words in (
        (table.drop(columns="label"), "missing: label"),
        (table.iloc[:0], "no rows"),
        (table.replace({"split": {"train": "tune"}}), "train or test"),
        (table[:6].replace({"b": np.nan}), "empty at row 5, column group"),
        (table[:5], "both splits"),
        (pd.concat([table, table[["label"]]], axis=1), "once"),
    ):
        with pytest.raises(ValueError, match=words):
            equity.get_group_rates(broken, 1)
    with pytest.raises(ValueError, match=r"one of the predictions \(0, 1\)"):
        equity.get_group_rates(table, "yes")


def test_exact_chances_of_crowds():
    chance = equity.get_first_audit_chance(range(9), 5, 0.1)
    assert chance[[0, 1, 3, 8]] == pytest.approx([0.2, 0.2633, 0.4137, 0.7903], abs=5e-5)
    exposure = np.diff(chance)
    assert exposure[[0, 3, 7]] == pytest.approx([0.0633, 0.0817, 0.0633], abs=5e-5)
    assert exposure[3] > max(exposure[0], exposure[7])  # one more report is not ever less, nor ever more


@pytest.fixture(scope="module")
def first_decision():
    crowds = [Reporters(str(k), k) for k in (1, 4, 8)]
    return equity.measure_protection(Tca(5, 1, 0.1), crowds, 1, 2500, 3)


def test_first_decision_against_exact_values(first_decision):
    chance = equity.get_first_audit_chance(range(9), 5, 0.1)
    for found in first_decision:
        k = found.reporters.reports
        assert abs(found.benefit - chance[k]) < 4 * found.benefit_se
        assert abs(found.alone.gap - (chance[k] - chance[k - 1])) < 4 * found.alone.gap_se
        assert abs(found.together.gap - (chance[k] - chance[0])) < 4 * found.together.gap_se
        assert found.alone.gap_se < 0.01 and found.alone.status == "informative"
        assert found.lift == pytest.approx(found.benefit - 0.2) and found.rota == found.lots
    one, _, eight = first_decision
    assert one.alone.gap == one.together.gap
    assert eight.together_bounds == pytest.approx((0.8, 0.6852), abs=5e-5)


def test_shared_tapes_agree_with_independent_worlds():
    """The same chances from the attack's own worlds, at a reference with background (.120 within 3 steps)."""
    mechanism, runs = Tca(5, 50, 0.2), 1500
    found = equity.measure_protection(mechanism, [Reporters("x", 1, 0.2)], 3, runs, 5, 10, 0.2)[0]
    watch = attacks.watch_target(mechanism, PoissonStream(5, 0.2, 0.2), 12, 10, 0, runs, 6, until_audited=True)
    tpr, fpr = attacks.get_timing_curve(watch)
    assert abs(found.benefit - tpr[2]) < 4 * np.sqrt(2) * found.benefit_se
    assert abs(found.alone.gap - 0.120) < 4 * found.alone.gap_se
    assert abs(found.alone.gap - (tpr[2] - fpr[2])) < 4 * np.sqrt(0.5 / runs)
    assert abs(found.alone.gap - 0.2) > 4 * found.alone.gap_se


@pytest.mark.parametrize("window, background", [(1, 0.05), (6, 1.0)])
def test_exposure_stays_below_its_bounds(window, background):
    crowds = [Reporters("x", k, background) for k in (1, 3)]
    for mechanism in (Tca(4, 20, 0.3), RandomisedResponse(4, 20, 0.3, "race")):
        for found in equity.measure_protection(mechanism, crowds, window, 300, 7, 4, 0.3):
            for one, bounds in ((found.alone, found.alone_bounds), (found.together, found.together_bounds)):
                for bound in bounds:
                    assert bound is None or one.gap <= bound + 4 * one.gap_se


def test_blind_auditing_is_uninformative_whatever_the_window():
    found = equity.measure_protection(Uniform(5), [Reporters("x", 3, 0.5)], 4, 1000, 1)[0]
    assert found.alone.status == found.together.status == "floor"
    assert found.alone.pcer is None and np.isfinite(found.alone.lower)
    assert found.lots == pytest.approx(1 - 0.8**4) and found.rota == pytest.approx(0.8)
    assert abs(found.lift) < 4 * found.benefit_se


def run(line):
    parser = argparse.ArgumentParser()
    COMMANDS["equity"].arguments(parser)
    return COMMANDS["equity"].run(parser.parse_args(line.split()))


def test_command_with_rates_and_table(tmp_path):
    rows = run("--rates a=.45,.82,.74,1000,500 --rates .30,.90,.78,1000,500 --rates .45,.72,.70,1000,500")
    assert [row["group"] for row in rows] == ["a", "2", "3"]
    assert [row["pcer"] for row in rows] == [pytest.approx(5.625), pytest.approx(2.5), None]
    assert [row["disparity"] for row in rows] == [None, pytest.approx(2.25), None]
    assert rows[1]["double_disadvantage"] == "2" and rows[2]["verdict"] == "uninformative"
    path = tmp_path / "people.csv"
    make_table().to_csv(path, index=False)
    typed = run("--rates a=.5,1,.5,2,2 --rates b=.3333333333333333,0,1,1,3")
    assert run(f"--table {path} --benefit 1") == [pytest.approx(row) for row in typed]
    assert run("--rates a=.45,.82,.74,1000,500 --floor .1")[0]["status"] == "floor"


def test_command_with_crowds():
    rows = run("--crowds 1,3 --backgrounds .1,1 --targets 5 --horizon 9 --delta .2 --window 3 --runs 50 --seed 1")
    assert [(row["reports"], row["background"]) for row in rows] == [(1, 0.1), (3, 0.1), (1, 1.0), (3, 1.0)]
    assert rows[0]["blind_lots"] == pytest.approx(1 - 0.8**3) and rows[0]["exposure_bound"] == 0.2
    assert rows[1]["crowd_delta_bound"] == pytest.approx(0.6) and 0.5 < rows[1]["crowd_gaussian_bound"] < 0.6


@pytest.mark.parametrize(
    "line, words",
    [
        ("--table people.csv", "--benefit"),
        ("--table nowhere.csv --benefit 1", "not a readable CSV"),
        ("--rates a=.5,.5,.5,9,9 --rates a=.5,.5,.5,9,9", "name of its own"),
        ("--rates 2,.5,.5,9,9", "between 0 and 1"),
        ("--rates .5,.5,.5,9.5,9", "whole number"),
        ("--crowds 1 --targets 5 --horizon 3 --window 4", r"horizon \(3\)"),
        ("--crowds 1,1", "name of its own"),
        ("--crowds 1,2 --window 1000 --runs 2000", "2 groups: at most 1,666 runs fit"),
    ],
)
def test_command_refuses(line, words):
    with pytest.raises(ValueError, match=words):
        run(line)
