"""The privacy of what is implemented: likelihood-ratio attacks reach delta, do not pass it, and catch half the noise.

The attacker knows everything but the noise: it reads the noisy counts, undoes the decoder and looks along the shift
that one report makes. The threshold is set by theory, so nothing is chosen on the runs that are judged.
"""

import numpy as np
import pytest
from scipy.linalg import solve_triangular
from scipy.special import ndtr

from core import counters
from core.mechanisms import Tca
from core.seeds import get_generators

RUNS = 40_000


def whitened(outputs):
    """What an attacker gets by undoing the paper's decoder, (runs, steps)."""
    f = counters.get_coefficients(outputs.shape[1])
    decoder = np.array([[f[i - j] if i >= j else 0.0 for j in range(len(f))] for i in range(len(f))])
    return solve_triangular(decoder, outputs.T, lower=True).T


def measured_advantage(delta, horizon, step, noise_factor=1.0, seed=1):
    """TPR - FPR of the likelihood-ratio attack on the outputs of the implemented counter, and its standard error."""
    scale = Tca(2, horizon, delta).noise_scale
    shift = np.concatenate([np.zeros(step - 1), counters.get_coefficients(horizon - step + 1)]) / scale
    rates = []
    for world, report in enumerate((0.0, 1.0)):
        source = counters.SeededNormals(get_generators(seed, "counter", [world]))
        bank = counters.ToeplitzNoise(source, 1, RUNS, noise_factor * scale, horizon)
        count = np.where(np.arange(1, horizon + 1) >= step, report, 0.0)
        outputs = np.array([bank.step()[0] + count[t] for t in range(horizon)]).T
        score = whitened(outputs) / scale @ shift
        rates.append((score > shift @ shift / 2).mean())
    error = np.sqrt(sum(rate * (1 - rate) for rate in rates) / RUNS)
    return rates[1] - rates[0], error


@pytest.mark.parametrize("delta, horizon", [(0.05, 30), (0.1, 30), (0.2, 60), (0.5, 10)])
def test_attack_on_the_first_step_reaches_delta_and_does_not_pass_it(delta, horizon):
    advantage, error = measured_advantage(delta, horizon, 1)
    assert abs(advantage - delta) < 4 * error


@pytest.mark.parametrize("factor", [0.5, 2 / 3])
def test_too_little_noise_is_caught(factor):
    advantage, error = measured_advantage(0.1, 30, 1, noise_factor=factor)
    assert advantage > 0.1 + 4 * error


def test_a_late_report_is_safer():
    advantage, error = measured_advantage(0.2, 60, 55)
    scale = Tca(2, 60, 0.2).noise_scale
    exact = 2 * ndtr(counters.get_sensitivity(6) / scale / 2) - 1
    assert abs(advantage - exact) < 4 * error
    assert advantage < 0.2 - 4 * error


def test_whole_records_with_restarts_do_not_pass_delta():
    """The attacker sees all noisy counts of both targets while audits restart them: an adaptive release."""
    delta, horizon, runs, targets = 0.2, 25, 20_000, 2
    mechanism = Tca(targets, horizon, delta)
    scale = mechanism.noise_scale
    column = counters.get_coefficients(horizon)
    shift = column / scale
    rates = []
    for world, report in enumerate((0.0, 1.0)):
        source = counters.SeededNormals(get_generators(3, "counter", range(world * runs, (world + 1) * runs)))
        auditor = mechanism.start_from(source, runs, horizon)
        auditor.recording = True
        active = np.zeros((runs, targets))
        active[:, 0] = report
        score = np.zeros(runs)
        watched = np.ones(runs, dtype=bool)
        energy = np.zeros(runs)
        rows = np.arange(runs)
        for t in range(horizon):
            audits = auditor.choose(active)
            # the normal that this output reveals, under the world without the report
            revealed = auditor.fresh[:, 0] / scale + (shift[t] if report else 0.0)
            score += np.where(watched, revealed * shift[t], 0.0)
            energy += np.where(watched, shift[t] ** 2, 0.0)
            watched &= audits != 0
            active[rows, audits] = 0.0
        rates.append((score > energy / 2).mean())
    advantage = rates[1] - rates[0]
    error = np.sqrt(sum(rate * (1 - rate) for rate in rates) / runs)
    assert 4 * error < advantage < delta + 4 * error
