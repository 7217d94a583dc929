"""Twin worlds: at most delta of the pairs differ, and each world alone keeps its distribution."""

import numpy as np
import pytest

from core.adversary import run_audits, run_twins
from core.auditors import make_mechanism
from core.parameters import Parameters
from core.streams import PoissonStream, TableStream, WithReport

CASES = [(5, 50, 0.2, 10), (12, 26, 0.1, 8), (20, 60, 0.1, 10)]


def scenario(targets, horizon, delta):
    return Parameters(targets=targets, horizon=horizon, run_length=1, delta=delta, rr_calibration="race")


def first_audits(records, step, target):
    """Steps until `target` is first audited from `step` on; the horizon where it never is."""
    seen = records[:, step - 1 :] == target
    return np.where(seen.any(axis=1), seen.argmax(axis=1), records.shape[1])


@pytest.mark.parametrize("targets, horizon, delta, step", CASES)
@pytest.mark.parametrize("name", ["tca", "rr", "uniform", "rota"])
def test_at_most_delta_of_the_pairs_differ(name, targets, horizon, delta, step):
    mechanism = make_mechanism(name, scenario(targets, horizon, delta))
    twins = run_twins(mechanism, PoissonStream(targets, 0.2, 0.2), horizon, step, 3, 2000, 1)
    bound = mechanism.guarantee().delta
    assert twins.differs.mean() <= bound + 4 * np.sqrt(bound * (1 - bound) / 2000)
    assert np.array_equal(twins.with_report[:, : step - 1], twins.without_report[:, : step - 1])


def test_greedy_gives_itself_away():
    mechanism = make_mechanism("greedy", scenario(12, 26, 0.1))
    quiet = TableStream(np.zeros((1, 12)))
    twins = run_twins(mechanism, quiet, 26, 8, 3, 1000, 1)
    assert abs(twins.differs.mean() - (1 - 1 / 12)) < 4 * np.sqrt(1 / 12 * 11 / 12 / 1000)
    assert (twins.with_report[:, 7] == 3).all()


def test_merely_the_same_noise_differs_more_often_than_delta():
    targets, horizon, delta, step = CASES[1]
    mechanism = make_mechanism("tca", scenario(targets, horizon, delta))
    stream = PoissonStream(targets, 0.2, 0.2)
    one = run_audits(mechanism, WithReport(stream, step, 3), horizon, range(2000), 1)
    two = run_audits(mechanism, stream, horizon, range(2000), 1)
    assert (one != two).any(axis=1).mean() > delta + 4 * np.sqrt(delta / 2000)


@pytest.mark.parametrize("targets, horizon, delta, step", CASES[:2])
def test_each_world_alone_has_its_own_distribution(targets, horizon, delta, step):
    """The coupled world without the report against plain runs with other seeds, by the time of the next audit."""
    mechanism = make_mechanism("tca", scenario(targets, horizon, delta))
    stream, runs = PoissonStream(targets, 0.2, 0.2), 6000
    twins = run_twins(mechanism, stream, horizon, step, 3, runs, 1)
    plain = run_audits(mechanism, stream, horizon, range(runs), 999)
    coupled, alone, reported = (
        np.bincount(first_audits(records, step, 3), minlength=horizon + 1)[:8].cumsum() / runs
        for records in (twins.without_report, plain, twins.with_report)
    )
    error = np.sqrt(2 * alone * (1 - alone) / runs)
    assert np.all(np.abs(coupled - alone) < 4 * error)
    # the check tells the worlds apart: the reported world fails it
    assert np.any(np.abs(reported - alone) > 4 * error)
    share = [np.bincount(records[:, -1], minlength=targets) / runs for records in (twins.without_report, plain)]
    assert np.all(np.abs(share[0] - share[1]) < 4 * np.sqrt(2 * share[1] / runs))


def test_the_world_with_the_report_is_the_plain_run():
    mechanism = make_mechanism("tca", scenario(12, 26, 0.1))
    stream = PoissonStream(12, 0.2, 0.2)
    twins = run_twins(mechanism, stream, 26, 8, 3, 50, 4)
    assert np.array_equal(twins.with_report, run_audits(mechanism, WithReport(stream, 8, 3), 26, range(50), 4))


def test_pairs_depend_on_seed_and_run_number_alone(monkeypatch):
    mechanism = make_mechanism("tca", scenario(5, 50, 0.2))
    stream = PoissonStream(5, 0.2, 0.2)
    whole = run_twins(mechanism, stream, 50, 10, 3, 40, 6)
    monkeypatch.setattr("core.adversary.REPLAY_CELLS", 5 * 50 * 7)
    pieces = run_twins(mechanism, stream, 50, 10, 3, 40, 6)
    assert np.array_equal(whole.without_report, pieces.without_report)
    one = run_twins(mechanism, stream, 50, 10, 3, [17], 6)
    assert np.array_equal(one.without_report[0], whole.without_report[17])


@pytest.mark.parametrize("step, target", [(0, 0), (27, 0), (1, -1), (1, 12)])
def test_impossible_reports_are_refused(step, target):
    mechanism = make_mechanism("tca", scenario(12, 26, 0.1))
    with pytest.raises(ValueError, match="must lie between"):
        run_twins(mechanism, PoissonStream(12, 0.2, 0.2), 26, step, target, 5, 1)
