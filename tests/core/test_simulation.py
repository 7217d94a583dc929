"""Runs and ensembles: the reset, the sums, and the paper's Experiment 2 within its standard errors."""

import subprocess
import sys

import numpy as np
import pytest

from core.auditors import NAMES, make_mechanism
from core.parameters import ParameterError, Parameters
from core.simulation import Ensemble, run_ensemble, run_transcript, simulate, standard_error
from core.streams import make_stream

EXPERIMENT_2 = Parameters()
FEW = Parameters(targets=5, horizon=200, run_length=200, delta=0.05)


def ensemble(name, p, runs, seed=11):
    return run_ensemble(make_mechanism(name, p), make_stream(p), p.horizon, runs, seed)


@pytest.mark.parametrize("name", NAMES)
def test_active_counts_are_reports_since_the_last_audit(name):
    p = Parameters(targets=4, horizon=120, run_length=120)
    run = run_transcript(make_mechanism(name, p), make_stream(p), 120, 5)
    counts = np.zeros(4, dtype=int)
    for t in range(120):
        counts += run.reports[t]
        assert np.array_equal(run.active[t], counts)
        assert run.deficit[t] == counts.max() - counts[run.audits[t]]
        assert run.hit[t] == (counts[run.audits[t]] == counts.max())
        assert run.leader_active[t] == counts.max()
        counts[run.audits[t]] = 0


@pytest.mark.parametrize(
    "name, mean, error",
    [
        ("tca", 12.015, 0.027),
        ("rr", 51.5, 0.5),
        ("rr-horizon-free", 48.8, 0.4),
        ("uniform", 52.1, 0.5),
        ("greedy", 0, 0),
    ],
)
def test_experiment_2_mean_deficit(name, mean, error):
    measured = ensemble(name, EXPERIMENT_2, 150)
    spread = np.hypot(measured.mean_deficit_se, error)
    assert abs(measured.mean_deficit - mean) <= 4 * spread
    assert name == "greedy" or abs(measured.mean_deficit - 1.5 * mean) > 4 * spread


@pytest.mark.parametrize("name, share, error", [("tca", 0.9220, 0.0003), ("uniform", 0.9791, 0.0002)])
def test_experiment_2_misselection(name, share, error):
    measured = ensemble(name, EXPERIMENT_2, 150)
    assert abs(measured.misselection - share) <= 4 * np.hypot(measured.misselection_se, error)


def test_rota_in_experiment_2():
    measured = ensemble("rota", EXPERIMENT_2, 100)
    assert abs(measured.mean_deficit - 16.97) <= 4 * np.hypot(measured.mean_deficit_se, 0.05)


def test_tca_loses_with_few_targets_and_a_small_budget():
    tca, uniform = ensemble("tca", FEW, 1000), ensemble("uniform", FEW, 1000)
    assert abs(tca.mean_deficit - 4.01) <= 4 * np.hypot(tca.mean_deficit_se, 0.02)
    assert abs(uniform.mean_deficit - 3.88) <= 4 * np.hypot(uniform.mean_deficit_se, 0.02)
    assert tca.mean_deficit > uniform.mean_deficit


def test_summaries_of_a_small_ensemble_by_hand():
    small = Ensemble(np.array([[0, 2, 4], [2, 0, 1]], dtype=np.int32))
    assert small.mean_deficit == pytest.approx(1.5)
    assert small.mean_deficit_se == pytest.approx(0.5)
    assert small.misselection == pytest.approx(4 / 6)
    assert small.late_deficit == 2.5
    assert small.max_deficit == 4
    mean, low, high = small.by_step((0.0, 1.0))
    assert (mean.tolist(), low.tolist(), high.tolist()) == ([1, 1, 2.5], [0, 0, 1], [2, 2, 4])
    mean, low, high = small.cumulative_by_step((0.0, 1.0))
    assert (mean.tolist(), low.tolist(), high.tolist()) == ([1, 2, 4.5], [0, 2, 3], [2, 2, 6])


def test_one_run_has_no_standard_error():
    assert standard_error(np.array([3.0])) is None
    assert Ensemble(np.array([[1, 2]])).mean_deficit_se is None


def test_more_runs_keep_the_first_ones():
    few, many = (ensemble("tca", FEW, runs) for runs in (3, 7))
    assert np.array_equal(few.deficit, many.deficit[:3])


def test_chunks_do_not_change_the_numbers(monkeypatch):
    whole = ensemble("rr-race", FEW, 20).deficit
    monkeypatch.setattr("core.simulation.CELLS", 25)
    assert np.array_equal(whole, ensemble("rr-race", FEW, 20).deficit)


def test_progress_is_told_up_to_the_end():
    told = []
    p = Parameters(targets=500, horizon=10, run_length=10)
    run_ensemble(make_mechanism("uniform", p), make_stream(p), 10, 35, 1, told.append)
    assert told == pytest.approx([10 / 35, 20 / 35, 30 / 35, 1.0])


def test_observers_see_every_run_and_step():
    seen = np.zeros((3, 200), dtype=int)

    def observe(where, t, active, audits, deficit):
        seen[where, t] += 1

    simulate(make_mechanism("rota", FEW), make_stream(FEW), 200, 1, range(3), observe)
    assert (seen == 1).all()


def test_too_large_is_refused_before_anything_is_made():
    p = Parameters(targets=500, horizon=10_000, runs=10)
    with pytest.raises(ParameterError, match="at most 100 runs"):
        run_ensemble(make_mechanism("tca", p), make_stream(p), 10_000, 101, 1)


def test_the_simulation_needs_numpy_alone():
    code = (
        "import sys\n"
        "for name in ('scipy', 'pandas', 'streamlit', 'plotly'): sys.modules[name] = None\n"
        "from core.parameters import Parameters; from core.streams import make_stream\n"
        "from core.auditors import make_mechanism; from core.simulation import run_ensemble\n"
        "p = Parameters(horizon=20, run_length=20)\n"
        "print(run_ensemble(make_mechanism('tca', p), make_stream(p), 20, 2, 1).mean_deficit)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
