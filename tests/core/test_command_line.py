"""`python -m core`: the contract's columns, reference numbers, and one clear line for bad input."""

import csv
import io
import json
import subprocess
import sys

import pytest

from core.__main__ import main
from core.auditors import NAMES

SMALL = "--targets 6 --horizon 40 --delta .2 --seed 3".split()


def run(capsys, *arguments):
    assert main(arguments) == 0
    return json.loads(capsys.readouterr().out)


def test_calibrate(capsys):
    got = run(capsys, *"calibrate --targets 50 --horizon 1000 --delta .1".split())
    assert list(got) == ["sensitivity", "noise_scale", "count_sd", "mu", "p_rand"]
    assert list(got["p_rand"]) == ["paper-experiments", "horizon-free", "race", "theorem-2-floor"]
    assert got["noise_scale"] == pytest.approx(7.1896887851395541, rel=1e-12)
    assert got["count_sd"] == pytest.approx(got["noise_scale"] * got["sensitivity"])


def test_gap(capsys):
    rows = run(capsys, *"gap --targets 50 --run-length 1000 --delta .1 --gaps 0,16".split())
    assert list(rows[1]) == "gap tca rr greedy uniform union_bound".split()
    assert rows[1]["tca"] == pytest.approx(0.82002, abs=5e-6)
    assert rows[1]["rr"] == pytest.approx(0.98 * 0.999894645035)
    longer = run(capsys, *"gap --targets 50 --run-length 100 --horizon 1000 --delta .1 --gaps 16".split())
    same = run(capsys, *"gap --targets 50 --run-length 100 --delta .1 --gaps 16".split())
    assert longer[0]["tca"] > same[0]["tca"]


@pytest.mark.parametrize("name", NAMES)
def test_run(capsys, name):
    got = run(capsys, "run", "--mechanism", name, *SMALL, "--runs", "5")
    keys = ["mean_deficit", "mean_deficit_se", "misselection", "misselection_se", "late_deficit", "max_deficit"]
    assert list(got) == keys


def test_transcript(capsys):
    rows = run(capsys, "transcript", "--mechanism", "tca", *SMALL)
    assert list(rows[0]) == ["step", "target", "active", "leader_active", "deficit"]
    assert [row["step"] for row in rows] == list(range(1, 41))
    assert all(row["leader_active"] - row["active"] == row["deficit"] for row in rows)


def test_transcript_is_the_first_run(capsys):
    rows = run(capsys, "transcript", "--mechanism", "rr-race", *SMALL)
    summary = run(capsys, "run", "--mechanism", "rr-race", *SMALL, "--runs", "1")
    assert summary["mean_deficit"] == pytest.approx(sum(row["deficit"] for row in rows) / 40)
    assert summary["mean_deficit_se"] is None


def test_tradeoff(capsys):
    one = run(capsys, *"tradeoff --delta .1 --fpr 0.1,0.5".split())
    assert list(one[0]) == ["fpr", "tpr_delta_line", "tpr_gaussian"]
    assert one[0]["tpr_gaussian"] == pytest.approx(1 - 0.8485488, abs=2e-7)
    three = run(capsys, *"tradeoff --delta .1 --reports 3 --fpr 0.1".split())
    assert three[0]["tpr_delta_line"] == pytest.approx(0.4)
    assert three[0]["tpr_gaussian"] > one[0]["tpr_gaussian"]


def test_csv_holds_the_same_numbers(capsys):
    arguments = "gap --targets 5 --run-length 100 --delta .1 --gaps 0,8".split()
    rows = run(capsys, *arguments)
    assert main([*arguments, "--format", "csv"]) == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [{key: float(value) for key, value in row.items()} for row in table] == rows
    assert main("calibrate --format csv".split()) == 0
    assert "p_rand.race" in capsys.readouterr().out


@pytest.mark.parametrize(
    "line, words",
    [
        ("", "required"),
        ("fly", "invalid choice"),
        ("run", "--mechanism"),
        ("run --mechanism best", "choose from"),
        ("run --mechanism tca --targets 1", "from 2 to 500"),
        ("run --mechanism tca --targets many", "from 2 to 500"),
        ("run --mechanism tca --delta nan", "from 0.005 to 0.95"),
        ("run --mechanism tca --delta 1", "from 0.005 to 0.95"),
        ("run --mechanism tca --horizon 0", "from 1 to 10,000"),
        ("run --mechanism tca --runs 0", "from 1 to 1,000,000"),
        ("run --mechanism tca --runs 1000000", "at most 10,000 runs fit"),
        ("run --mechanism tca --seed -1", "seed"),
        ("gap --gaps 1,x", "commas"),
        ("gap --gaps -1", "gaps must be numbers"),
        ("gap --run-length 50 --horizon 20 --gaps 1", "between 1 and horizon (20)"),
        ("tradeoff --delta .1 --fpr 2", "from 0 to 1"),
        ("tradeoff --delta .1 --reports 0 --fpr .1", "from 1 to 1,000"),
        ("attack --mechanism tca --target 0", "--step"),
        ("attack --mechanism tca --step 0 --target 0", "from 1 to 10,000"),
        ("attack --mechanism tca --horizon 10 --step 11 --target 0", "between 1 and horizon (10)"),
        ("attack --mechanism tca --targets 5 --step 1 --target 5", "between 0 and 4"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(capsys, line, words):
    try:
        code = main(line.split())
    except SystemExit as stop:
        code = stop.code
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert captured.err.count("\n") == 1 and words in captured.err


def test_runs_as_a_module_and_keeps_quiet_for_a_closed_pipe():
    command = f"{sys.executable} -m core transcript --mechanism tca --format csv | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout == "step,target,active,leader_active,deficit\n"
    assert done.stderr == ""


ATTACK = "--targets 5 --horizon 20 --delta .2 --step 3 --target 1 --seed 1".split()


@pytest.mark.parametrize("name", NAMES)
def test_attack(capsys, name):
    got = run(capsys, "attack", "--mechanism", name, *ATTACK, "--runs", "200")
    keys = "window tpr fpr advantage advantage_low advantage_high delta_bound gaussian_bound".split()
    assert list(got) == keys
    assert got["advantage"] == pytest.approx(got["tpr"] - got["fpr"])
    assert got["advantage_low"] <= got["advantage"] <= got["advantage_high"]
    assert got["delta_bound"] == pytest.approx({"greedy": 1.0, "uniform": 0.0, "rota": 0.0}.get(name, 0.2))
    assert (got["gaussian_bound"] is None) == (name.startswith("rr") or name == "greedy")


def test_attack_with_repeated_reports(capsys):
    got = run(capsys, "attack", "--mechanism", "tca", *ATTACK, "--runs", "200", "--reports", "3", "--other-rate", ".2")
    assert got["delta_bound"] == pytest.approx(0.6)
    assert 0.2 < got["gaussian_bound"] < 0.6


def test_attack_on_greedy_sees_the_report_at_once(capsys):
    got = run(capsys, "attack", "--mechanism", "greedy", *ATTACK, "--runs", "2000")
    assert (got["window"], got["tpr"]) == (1, 1.0)
    assert got["advantage_low"] < 0.8 < got["advantage_high"]


def test_twins(capsys):
    got = run(capsys, "twins", "--mechanism", "tca", *ATTACK, "--runs", "100")
    assert list(got) == ["differing", "share", "share_low", "share_high", "delta_bound"]
    assert got["share_low"] <= got["share"] == got["differing"] / 100 <= got["share_high"]
    assert got["share_low"] <= got["delta_bound"] == pytest.approx(0.2)
