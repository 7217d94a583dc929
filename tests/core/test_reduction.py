"""The generic reduction: what its auditors add to counts is sigma B z, fresh after a restart, and leaks delta at most.

Impulses in place of normals give exact covariances; seeded normals give measured ones, with their standard errors.
"""

import argparse
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import solve_triangular

from core import linear, utility
from core.calibration import get_mu
from core.commands import counters as command
from core.counter_kinds import KINDS, get_covariance, get_factorisation
from core.counters import HorizonError, SeededNormals
from core.mechanisms import Tca, Uniform
from core.reduction import CounterAudit, get_width
from core.seeds import get_generators
from core.simulation import run_ensemble, run_transcript
from core.streams import PoissonStream

ASSETS = Path(__file__).parents[2] / "assets" / "counters"
OWN = str(ASSETS / "own_counter.py")
WRONG = str(ASSETS / "wrong_counter.py")


class TwoValues:
    """Independent noise on halves: two noisy values at every other step, one at the others."""

    def __init__(self, horizon):
        self.sensitivity, self.step, self.total = 1.0, 0, 0.0

    def encode(self, reports):
        self.step += 1
        return [0.6 * reports, 0.8 * reports] if self.step % 2 else [reports]

    def decode(self, noisy):
        new = 0.6 * noisy[0] + 0.8 * noisy[1] if len(noisy) == 2 else noisy[0]
        self.total = self.total + new
        return self.total


def own(horizon):
    return linear.measure_counter(linear.load_counter(OWN, "BlockCounter"), horizon)


def make(name, horizon):
    """A counter for `CounterAudit`, and its matrices."""
    if name in KINDS:
        return name, get_factorisation(name, horizon)
    found = own(horizon) if name == "own" else linear.measure_counter(TwoValues, horizon)
    return found, found


class Impulses:
    """Run r gets the value 1 for normal number r of target 0, counted over steps, and 0 otherwise."""

    def __init__(self, width):
        self.width, self.seen = width, 0

    def fill(self, out):
        out[:] = 0.0
        runs, steps, _ = out.shape
        for r in range(runs):
            step = r // self.width - self.seen
            if 0 <= step < steps:
                out[r, step, r % self.width] = 1.0
        self.seen += steps


def get_impulse_noise(counter, horizon, restart_after=None):
    """Noise on target 0's count, (normals, T), in reports, and the mechanism."""
    mechanism = CounterAudit(2, horizon, 0.1, counter)
    width = get_width(counter)
    auditor = mechanism.start_from(Impulses(width), horizon * width, horizon)
    auditor.recording = True
    rows = []
    for step in range(1, horizon + 1):
        active = np.zeros((horizon * width, 2))
        active[:, 0 if step == restart_after else 1] = 1e9
        auditor.choose(active)
        rows.append(auditor.noise[:, 0].copy())
    return np.array(rows).T, mechanism


ALL = (*KINDS, "own", "two")


@pytest.mark.parametrize("name", ALL)
def test_noise_is_the_decoder_times_the_normals(name):
    counter, matrices = make(name, 37)
    noise, mechanism = get_impulse_noise(counter, 37)
    assert mechanism.noise_scale == pytest.approx(matrices.measured / get_mu(0.1), rel=1e-12)
    assert noise.T @ noise == pytest.approx(get_covariance(matrices, 0.1), rel=1e-10, abs=1e-9)
    used = noise[np.any(noise != 0, axis=1)]
    assert used == pytest.approx(mechanism.noise_scale * matrices.decoder.T, rel=1e-10, abs=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_after_a_restart_only_new_normals_are_read_and_age_starts_again(name):
    horizon, restart = 37, 21
    counter, matrices = make(name, horizon)
    noise, _ = get_impulse_noise(counter, horizon, restart)
    width = get_width(counter)
    assert (noise[: restart * width, restart:] == 0.0).all()
    later = noise[restart * width :, restart:]
    left = horizon - restart
    assert later.T @ later == pytest.approx(get_covariance(matrices, 0.1)[:left, :left], rel=1e-10, abs=1e-9)


def get_noise(mechanism, seed=5):
    """Noise on all but the last target's counts, never restarted, (T, C - 1)."""
    auditor = mechanism.start_from(SeededNormals(get_generators(seed, "lab", [0])), 1, mechanism.horizon)
    auditor.recording = True
    active = np.zeros((1, mechanism.targets))
    active[0, -1] = 1e9
    rows = []
    for _ in range(mechanism.horizon):
        auditor.choose(active)
        rows.append(auditor.noise[0, :-1].copy())
    return np.array(rows)


@pytest.mark.parametrize("name", ALL)
def test_measured_covariance_is_that_of_the_matrices(name):
    horizon, size = 12, 20_000
    counter, matrices = make(name, horizon)
    noise = get_noise(CounterAudit(size + 1, horizon, 0.1, counter))
    exact = get_covariance(matrices, 0.1)
    # variance of a product of two centred normals: S_ii S_jj + S_ij^2
    error = np.sqrt((np.outer(np.diag(exact), np.diag(exact)) + exact**2) / size)
    measured = noise @ noise.T / size
    assert (np.abs(measured - exact) < 5 * error).all()
    assert (np.abs(measured * 1.1 - exact) > 5 * error).any()


def attack(counter, matrices, delta, size=40_000):
    """Likelihood-ratio test on what the decoder lets out: TPR - FPR and standard error, with all the noise and half.

    The attacker undoes B and looks along the shift of the report that moves it most. All counters here have as many
    values as steps, so B has an inverse.
    """
    mechanism = CounterAudit(size + 1, matrices.horizon, delta, counter)
    column = matrices.encoder[:, np.linalg.norm(matrices.encoder, axis=0).argmax()]
    count = matrices.decoder @ column
    worlds = [get_noise(mechanism, seed) for seed in (0, 1)]
    for factor in (1.0, 0.5):
        rates = []
        for noise, report in zip(worlds, (0.0, 1.0), strict=True):
            released = factor * noise + report * count[:, None]
            score = column @ solve_triangular(matrices.decoder, released, lower=True)
            rates.append((score > column @ column / 2).mean())
        yield rates[1] - rates[0], np.sqrt(sum(rate * (1 - rate) for rate in rates) / size)


@pytest.mark.parametrize("name", [*KINDS, "own"])
def test_attack_reaches_delta_for_every_counter_and_catches_half_the_noise(name):
    delta = 0.2
    (advantage, error), (halved, halved_error) = attack(*make(name, 12), delta)
    assert abs(advantage - delta) < 4 * error
    assert halved > delta + 4 * halved_error


@pytest.mark.parametrize("kind", KINDS)
def test_fast_forms_are_the_matrix_form(kind):
    """The same normals, audits and restarts, by running sums or blocks and by the decoder's matrix."""
    horizon, stream = 120, PoissonStream(6, 1.0, 0.2)
    fast = run_transcript(CounterAudit(6, horizon, 0.3, kind), stream, horizon, 3)
    plain = run_transcript(CounterAudit(6, horizon, 0.3, get_factorisation(kind, horizon)), stream, horizon, 3)
    assert (fast.audits == plain.audits).all()
    assert fast.noise == pytest.approx(plain.noise, abs=1e-8)
    assert fast.fresh == pytest.approx(plain.fresh, abs=1e-8)


def test_toeplitz_is_tca():
    ours, theirs = CounterAudit(4, 90, 0.1), Tca(4, 90, 0.1)
    assert ours.noise_scale == theirs.noise_scale
    a, b = ours.guarantee(), theirs.guarantee()
    assert (a.delta, a.horizon, a.mu, a.holds) == (b.delta, b.horizon, b.mu, b.holds)
    runs = range(3)
    ours, theirs = (m.start_from(SeededNormals(get_generators(1, "counter", runs)), 3, 90) for m in (ours, theirs))
    ours.recording = theirs.recording = True
    for step in range(90):
        active = np.full((3, 4), step % 7.0)
        assert (ours.choose(active) == theirs.choose(active)).all()
        assert ours.noise == pytest.approx(theirs.noise, abs=1e-9)
        assert ours.fresh == pytest.approx(theirs.fresh, abs=1e-9)
        assert ours.released == pytest.approx(theirs.released, abs=1e-9)


@pytest.mark.parametrize("name", ["buffered-3", "tree", "own", "two"])
def test_a_run_does_not_depend_on_the_others(name):
    counter, _ = make(name, 40)
    mechanism, stream = CounterAudit(5, 40, 0.3, counter), PoissonStream(5, 1.0, 0.2)
    many = run_ensemble(mechanism, stream, 40, 4, 9)
    assert (run_transcript(mechanism, stream, 40, 9, run=2).deficit == many.deficit[2]).all()


def test_theorem_6_holds_for_any_counter_whose_newest_normal_counts_fully():
    stream, horizon = PoissonStream(5, 2.0, 0.2), 60
    for kind in ("tree", "buffered-4"):
        mechanism = CounterAudit(5, horizon, 0.5, kind)
        records = [run_transcript(mechanism, stream, horizon, 4, run) for run in range(40)]
        missed = np.array([(~record.hit).mean() for record in records])
        bound = np.array([utility.get_theorem_6_bound(record, mechanism.noise_scale).mean() for record in records])
        gap = missed - bound
        assert gap.mean() < 3 * gap.std(ddof=1) / np.sqrt(len(gap))


def test_noise_that_stays_is_worse_than_lots_and_few_buffers_are_as_good_as_the_square_root():
    """Paired over the same reports. Independent noise adds up to a random walk: an unlucky target is left for long."""
    horizon, targets, runs, stream = 200, 20, 60, PoissonStream(20, 1.0, 0.2)

    def missed(mechanism):
        return run_ensemble(mechanism, stream, horizon, runs, 2).deficit.mean(axis=1)

    def get_z(a, b):
        return (a - b).mean() / ((a - b).std(ddof=1) / np.sqrt(runs))

    independent, tree, four, root = (
        missed(CounterAudit(targets, horizon, 0.1, kind)) for kind in ("independent", "tree", "buffered-4", "toeplitz")
    )
    assert get_z(independent, missed(Uniform(targets))) > 3
    assert get_z(tree, root) > 3
    assert abs(get_z(four, root)) < 3


def test_promises_that_do_not_hold_cannot_be_made():
    wrong = linear.measure_counter(linear.load_counter(WRONG, "ForgetfulCounter"), 20)
    with pytest.raises(linear.CounterError, match="delta would be"):
        CounterAudit(3, 20, 0.1, wrong)
    with pytest.raises(ValueError, match="measured over 20 steps"):
        CounterAudit(3, 21, 0.1, own(20))
    with pytest.raises(ValueError, match="must be one of"):
        CounterAudit(3, 20, 0.1, "abacus")
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        CounterAudit(3, 20, 1.0, "tree")


def test_it_refuses_to_go_past_its_horizon():
    mechanism = CounterAudit(3, 20, 0.1, "tree")
    with pytest.raises(HorizonError, match="calibrated for 20 audits"):
        mechanism.start(0, [0], 21)
    auditor = mechanism.start(0, [0], 2)
    for _ in range(2):
        auditor.choose(np.zeros((1, 3)))
    with pytest.raises(HorizonError, match="refuse step 3"):
        auditor.choose(np.zeros((1, 3)))


def run_command(*arguments):
    parser = argparse.ArgumentParser()
    entry = command.COMMANDS["counters"]
    entry.arguments(parser)
    return entry.run(parser.parse_args([*arguments, "--targets", "5", "--delta", "0.1", "--runs", "4", "--gap", "20"]))


def test_the_command_has_a_row_for_each_counter():
    rows = run_command("--horizon", "30", "--counter", f"{OWN}:BlockCounter")
    assert [row["counter"] for row in rows] == [*KINDS, "BlockCounter"]
    for row in rows:
        assert row["sensitivity_measured"] == pytest.approx(row["sensitivity_claimed"], rel=1e-12)
        assert row["sd_first"] == pytest.approx(row["noise_scale"])
        assert row["misselection"] == pytest.approx(utility.get_misselection(20, 5, row["sd_last"]))
        assert 0 < row["mean_deficit_se"] < row["mean_deficit"] and row["remark"] == ""


def test_the_command_says_what_a_careless_claim_costs(tmp_path):
    careful = tmp_path / "careful.py"
    careful.write_text(Path(OWN).read_text().replace("math.sqrt(2)", "2"))
    assert (
        "claims 2 where 1.41421 would do: 41.4% more"
        in run_command("--horizon", "20", "--counter", f"{careful}:BlockCounter")[-1]["remark"]
    )


@pytest.mark.parametrize(
    "horizon, counter, text",
    [
        ("30", f"{WRONG}:ForgetfulCounter", "claims sensitivity 1, but .* 0.1411 instead of 0.1"),
        ("30", "own_counter.py", "must be FILE.py:CLASS"),
        ("3000", f"{OWN}:BlockCounter", "1 to 2,000 steps, got 3,000"),
    ],
)
def test_the_command_refuses(horizon, counter, text):
    with pytest.raises(ValueError, match=text):
        run_command("--horizon", horizon, "--counter", counter)
