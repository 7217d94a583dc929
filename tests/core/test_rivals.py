"""The map against the same ensembles run one by one, and its verdicts."""

import numpy as np
import pytest

from core.mechanisms import Rota, Tca
from core.planning import Plan
from core.rivals import Map, simulate_map
from core.simulation import run_ensemble
from core.streams import PoissonStream


def test_cells_are_paired_differences():
    plan = Plan(6, 52, 1, 26, 5)
    told = []
    found = simulate_map([plan, Plan(6, 52, 1, 100, 5)], [26, 100], [0.05, 0.4], 52, 8, 30, 3, told.append)
    assert told[-1] == 1.0 and told == sorted(told)
    stream = PoissonStream(6, *plan.rates)
    tally, rota = (run_ensemble(m, stream, 30, 8, 3).deficit.mean(axis=1) for m in (Tca(6, 52, 0.4), Rota(6)))
    assert found.difference["rota"][0, 1] == pytest.approx((tally - rota).mean())
    assert found.se["rota"][0, 1] == pytest.approx((tally - rota).std(ddof=1) / np.sqrt(8))
    assert all(values.shape == (2, 2) for values in (*found.difference.values(), *found.se.values()))


def test_verdicts():
    difference = {"uniform": np.array([[-2.0, 1.0]]), "rota": np.array([[-1.0, -3.0]])}
    se = {"uniform": np.array([[0.1, 0.1]]), "rota": np.array([[0.9, 0.1]])}
    found = Map((0.1, 0.2), (5,), difference, se, 8, 30)
    assert found.verdict("uniform").tolist() == [[-1, 1]]
    assert found.verdict("rota").tolist() == [[0, -1]]
    assert found.verdict("all").tolist() == [[0, 1]]
    assert [values.tolist() for values in found.against("all")] == [[[-1.0, 1.0]], [[0.9, 0.1]]]
