"""Be the organisation: the answer stays on the server, scores are the core's, a link gives everyone the same set."""

import dataclasses
import io
import json
from itertools import cycle

import numpy as np
import pandas as pd
import pytest
from charts import array, figure
from views import open_view

from core import calibration, deniability, game
from core.game import Answer
from core.utility import get_share
from ui.adversary import game_score
from ui.adversary.game_score import HIDDEN, Rounds, Said
from ui.words import LANGUAGES


@pytest.fixture
def play(new_app):
    return lambda **query: open_view(new_app, "game", **query)


def picture(at):
    return json.loads(at.get_by_key("game_picture").proto.json)


def texts(at):
    return " ".join(one.value for one in at.markdown)


def answer(at, said, confidence=None):
    if confidence is not None:
        at.segmented_control(key="w_confidence").set_value(confidence).run()
    at.button(key="said_yes" if said else "said_no").click().run()
    assert not at.exception


def test_the_record_is_the_cores(play):
    at = play(delta=0.2, seed=7, game="rr", round=4)
    played = game.make_round(4, 0.2, 7, "rr")
    data = picture(at)
    assert data["audits"] == (played.transcript.audits + 1).tolist()
    assert (data["step"], data["about"], data["others"]) == (game.STEP, game.TARGET + 1, None)
    assert "**Round 4.**" in texts(at)


@pytest.mark.parametrize("mechanism", [*game.NAMES, HIDDEN])
def test_the_answer_is_not_sent_before_it_is_given(play, monkeypatch, mechanism):
    """The page is the same, to the last byte, in the world with the report and in the world without it."""
    real = game.make_round

    def other_world(number, delta, seed, name=None):
        played = real(number, delta, seed, name)
        reports = played.transcript.reports.copy()
        reports[game.STEP - 1, game.TARGET] += 1 - 2 * int(played.reported)
        record = dataclasses.replace(played.transcript, reports=reports)
        name = "greedy" if mechanism == HIDDEN else played.mechanism
        return dataclasses.replace(played, reported=not played.reported, transcript=record, mechanism=name)

    def everything(at):
        sent = [one.proto.SerializeToString() for one in at.main if getattr(one, "proto", None) is not None]
        assert len(sent) > 20
        return sent, picture(at), texts(at)

    query = {"others": "on", "tell": "on", "seed": 3, "game": mechanism}
    before = everything(play(**query))
    monkeypatch.setattr(game, "make_round", other_world)
    assert everything(play(**query)) == before


def test_reports_by_others_leave_out_the_suspected_one(play):
    seed = next(seed for seed in range(50) if game.make_round(1, 0.1, seed, "tca").reported)
    others = picture(play(seed=seed, others="on"))["others"]
    sent = np.zeros((game.HORIZON, game.TARGETS), dtype=int)
    for step, row in enumerate(others):
        for target in row:
            sent[step, target - 1] += 1
    extra = game.make_round(1, 0.1, seed, "tca").transcript.reports - sent
    assert extra.sum() == extra[game.STEP - 1, game.TARGET] == 1


def test_ten_rounds_give_the_score(play):
    at = play(seed=5)
    said = []
    for number in range(1, 11):
        assert f"**Round {number}.**" in texts(at)
        with pytest.raises(KeyError):
            at.get_by_key("game_plane")
        said.append((number % 2 == 0, [0.5, 0.8, 1.0][number % 3]))
        answer(at, *said[-1])
        assert at.segmented_control(key="w_confidence").value == 0.5
    truth = [game.make_round(number, 0.1, 5, "tca").reported for number in range(1, 11)]
    mine = game.score([Answer(s, t, c) for (s, c), t in zip(said, truth, strict=True)])
    best = game.score([game.get_best_answer(game.make_round(n, 0.1, 5, "tca"), 0.1, 5) for n in range(1, 11)])
    *_curves, gaussian, theirs, you = figure(at, "game_plane")["data"]
    for point, rates in ((you, mine.rates), (theirs, best.rates)):
        assert (point["x"], point["y"]) == ([rates.fpr.share], [rates.tpr.share])
        assert point["error_y"]["array"] == [pytest.approx(rates.tpr.high - rates.tpr.share)]
        assert point["error_x"]["arrayminus"] == [pytest.approx(rates.fpr.share - rates.fpr.low)]
    mu = calibration.get_mu(0.1)
    assert array(gaussian["y"]) == pytest.approx(deniability.get_tpr_gaussian(game_score.GRID, mu))
    assert f"right **{100 * mine.right:.3g}%**" in texts(at) and "nobody gets above **55%**" in texts(at)
    assert f"advantage of {100 * mine.rates.advantage:.3g} percentage points" in texts(at)
    assert f"The best attacker expected {100 * best.confidence:.3g}%" in texts(at)
    levels = figure(at, "game_confidence")["data"][1]
    assert levels["x"] == [0.5, 0.8, 1.0]
    for level, share in zip(levels["x"], levels["y"], strict=True):
        rights = [s == t for (s, c), t in zip(said, truth, strict=True) if c == level]
        assert share == pytest.approx(np.mean(rights))


def test_answers_are_not_in_the_link_and_the_set_is(play):
    at = play(seed=5, game="greedy")
    answer(at, True)
    answer(at, False)
    query = {key: value[0] if isinstance(value, list) else value for key, value in at.query_params.items()}
    assert query == {"lang": "en", "seed": "5", "view": "game", "game": "greedy", "round": "3"}
    other = play(**{key: value for key, value in query.items() if key != "view"})
    assert picture(other)["audits"] == picture(at)["audits"]
    assert other.session_state["game"] == {(0.1, 5, "greedy"): {}}


def test_an_answer_stands(play):
    at = play(seed=5)
    answer(at, True, 0.7)
    at.button(key="game_back").click().run()
    assert "Round 1: you said “reported”, 70% sure." in texts(at)
    assert at.button(key="said_yes").disabled and at.button(key="said_no").disabled
    at.button(key="game_on").click().run()
    assert not at.button(key="said_yes").disabled and at.button(key="game_on").disabled


@pytest.mark.parametrize("said", [True, False])
def test_feedback_only_where_it_is_wanted(play, said):
    truth = game.make_round(1, 0.1, 5, "tca").reported
    at = play(seed=5)
    answer(at, said)
    assert "Right." not in texts(at) and "It was" not in texts(at)
    at.toggle(key="w_tell").set_value(True).run()
    expected = "Right." if said == truth else f"It was “{'reported' if truth else 'not reported'}”."
    assert expected in texts(at) and "Auditor: Noisy tally." in texts(at)
    assert at.query_params["tell"] in ("on", ["on"])


def test_each_set_keeps_its_own_answers(play):
    at = play(seed=5)
    for _round in range(3):
        answer(at, True)
    at.segmented_control(key="w_game").set_value("greedy").run()
    assert "**Round 1.**" in texts(at)
    answer(at, False)
    at.segmented_control(key="w_game").set_value("tca").run()
    assert "**Round 4.**" in texts(at)
    at.number_input(key="w_seed").set_value(6).run()
    assert "**Round 1.**" in texts(at)
    at.number_input(key="w_seed").set_value(5).run()
    at.button(key="game_reset").click().run()
    assert "**Round 1.**" in texts(at) and not at.button(key="said_yes").disabled
    assert at.session_state["game"][(0.1, 5, "tca")] == {} != at.session_state["game"][(0.1, 5, "greedy")]


def test_hidden_auditors_are_told_apart_in_the_score(play):
    at = play(seed=5, game=HIDDEN)
    for number in range(12):
        answer(at, number % 2 == 0)
    assert "so there is no limit" in texts(at)
    table = at.table[0].value
    played = [game.make_round(number, 0.1, 5) for number in range(1, 13)]
    assert sum(map(int, table["Rounds"])) == 12
    assert len(table) == len({one.mechanism for one in played})
    assert table["Promise"]["Follow the reports (greedy)"] == "none"


def test_one_kind_of_record_is_no_score():
    seed = 5
    quiet = [n for n in range(1, 60) if not game.make_round(n, 0.1, seed, "tca").reported][:10]
    rounds = Rounds("tca", 0.1, seed, {n: Said(True, 0.5) for n in quiet})
    assert game.score(rounds.answers()) is None


def test_table_of_rounds():
    rounds = Rounds("greedy", 0.2, 9, {2: Said(True, 0.9), 1: Said(False, 0.5)})
    got = pd.read_csv(io.StringIO(game_score.table(rounds).to_csv(index=False)))
    best = [game.get_best_answer(game.make_round(n, 0.2, 9, "greedy"), 0.2, 9) for n in (1, 2)]
    assert got["round"].tolist() == [1, 2] and got["mechanism"].tolist() == ["greedy", "greedy"]
    assert got["said"].tolist() == [False, True] and got["confidence"].tolist() == [0.5, 0.9]
    assert got["reported"].tolist() == [one.reported for one in best]
    assert got["best_attacker_said"].tolist() == [one.said for one in best]


def test_promises_of_the_sets():
    promises = {name: Rounds(name, 0.3, 1, {}).promise for name in (*game.NAMES, HIDDEN)}
    assert promises == {"tca": 0.3, "rr": 0.3, "uniform": 0.0, "greedy": None, HIDDEN: None}


@pytest.mark.parametrize(
    "tp, fp, promise, words",
    [
        (5, 5, 0.1, "cannot tell you from"),
        (95, 5, 0.1, "more than the promise allows"),
        (95, 5, None, "better than guessing"),
        (65, 40, 0.2, "better than guessing"),
        (5, 95, 0.1, "worse than guessing"),
    ],
)
def test_verdicts(tp, fp, promise, words):
    runs = 10 if tp == fp else 100
    answers = [Answer(i < tp, True) for i in range(runs)] + [Answer(i < fp, False) for i in range(runs)]
    assert words in game_score.verdict(game.score(answers), promise)


def test_self_knowledge():
    right = get_share(6, 10)
    assert "surer" in game_score.self_knowledge(0.95, right)
    assert "knew more" in game_score.self_knowledge(0.5, get_share(10, 10))
    assert "fits" in game_score.self_knowledge(0.6, right)


@pytest.mark.parametrize("auditor", ["tca", HIDDEN])
@pytest.mark.parametrize("query", [{"delta": 0.005, "C": 2, "T": 1, "L": 1}, {"delta": 0.95, "C": 500, "T": 10000}])
def test_extremes_in_every_language(play, auditor, query):
    """The language changes with every round; at last the score is read in each."""
    at = play(game=auditor, others="on", **query)
    for number, code in zip(range(13), cycle(LANGUAGES)):
        at.get_by_key("w_lang").set_value(code).run()
        assert at.query_params["lang"] == code and not at.exception
        if number < 10:
            answer(at, number % 2 == 0, 1.0)
        else:
            assert figure(at, "game_plane")["data"]


@pytest.mark.parametrize("query", [{"round": "x"}, {"round": "0"}, {"round": "201"}, {"game": "nobody"}, {"tell": "?"}])
def test_bad_links(play, query):
    at = play(**query)
    assert at.warning and len(picture(at)["audits"]) == game.HORIZON
