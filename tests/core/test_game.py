"""The game: the same set for everyone, scores by hand, and an optimal attacker within the bounds."""

import numpy as np
import pytest

from core import game
from core.game import Answer


def test_rounds_follow_from_the_seed():
    one, two, other = (game.make_round(3, 0.1, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.transcript.audits, two.transcript.audits) and one.reported == two.reported
    assert not np.array_equal(one.transcript.audits, other.transcript.audits)
    with pytest.raises(ValueError, match="at least 1"):
        game.make_round(0, 0.1, 1)


def test_truth_is_a_fair_coin_and_every_auditor_turns_up():
    rounds = [game.make_round(number, 0.1, 1) for number in range(1, 401)]
    assert abs(np.mean([r.reported for r in rounds]) - 0.5) < 4 * np.sqrt(0.25 / 400)
    assert {r.mechanism for r in rounds} == set(game.NAMES)


def test_the_report_is_the_only_difference():
    played = next(r for r in (game.make_round(n, 0.1, 1) for n in range(1, 20)) if r.reported)
    plain = game.run_transcript(
        game.make_game_mechanism(played.mechanism, 0.1),
        game.PoissonStream(game.TARGETS, game.RATE, game.RATE),
        game.HORIZON,
        1,
        played.number,
    )
    more = played.transcript.reports - plain.reports
    assert more.sum() == more[game.STEP - 1, game.TARGET] == 1


def test_score_by_hand():
    answers = [Answer(True, True, 0.9), Answer(False, True, 0.6), Answer(True, False, 0.7), Answer(False, False, 0.8)]
    result = game.score(answers)
    assert (result.rates.tpr.share, result.rates.fpr.share, result.rates.advantage) == (0.5, 0.5, 0.0)
    assert (result.right, result.confidence) == (0.5, pytest.approx(0.75))
    assert game.score([]) is None and game.score([Answer(True, True)]) is None


@pytest.mark.parametrize("name, least, most", [("greedy", 0.5, 1.0), ("uniform", 0.0, 0.0), ("tca", -0.05, 0.3)])
def test_the_optimal_attacker(name, least, most):
    rounds = [game.make_round(number, 0.2, 5, name) for number in range(1, 601)]
    result = game.score([game.get_best_answer(played, 0.2, 5) for played in rounds])
    error = (result.rates.high - result.rates.low) / 3.92
    assert least - 4 * error <= result.rates.advantage <= most + 4 * error
    # a ratio of exactly 1 is a pure guess and said to be one
    assert name != "uniform" or result.confidence == 0.5
    assert abs(result.right - result.confidence) < 4 * np.sqrt(0.25 / 600)
