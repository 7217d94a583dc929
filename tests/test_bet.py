"""Guess first: nothing of the picture leaves the server before the reader has committed a value."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.parameters import Parameters
from core.utility import get_theorem_2_floor
from ui import frames
from ui.bet import Bet
from ui.words import LANGUAGES, percent

NewApp = Callable[..., AppTest]
SMALL = {"T": 50, "L": 50, "C": 10, "runs": 10}
PAGES = {"pages/3_Lead.py": "lead", "pages/4_Long_run.py": "longrun-time", "pages/5_Adversary.py": "adversary"}


def open_page(new_app: NewApp, page: str, bet: str, **query: Any) -> AppTest:
    return new_app(page, bet=bet, **query)


def drawn(at: AppTest, key: str) -> bool:
    try:
        return bool(at.get_by_key(key))
    except KeyError:
        return False


def everything(at: AppTest) -> str:
    """All that the browser was sent."""
    return "\n".join(str(element.proto) for element in at.main if hasattr(element, "proto"))


def said(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


@pytest.mark.parametrize(("page", "picture"), PAGES.items())
def test_nothing_is_sent_before_the_guess(new_app: NewApp, page: str, picture: str) -> None:
    at = open_page(new_app, page, "open", level="proof", **SMALL)
    assert not drawn(at, picture)
    assert not at.metric and not at.expander[1:] and "displaystyle" not in said(at)
    assert drawn(at, "w_bet")
    assert at.query_params["bet"] == "open"


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("page", "picture"), PAGES.items())
def test_guess_commit_again_stop(new_app: NewApp, page: str, picture: str, code: str) -> None:
    at = new_app(page, lang=code, **SMALL)
    assert drawn(at, picture) and "bet" not in at.query_params
    at.button(key="bet_toggle").click().run()
    assert not drawn(at, picture) and at.query_params["bet"] == "open"
    at.button(key="bet_commit").click().run()
    assert not drawn(at, picture), "shown without a guess"
    at.number_input(key="w_bet").set_value(60)
    at.button(key="bet_commit").click().run()
    assert drawn(at, picture) and at.query_params["bet"] == "60"
    at.button(key="bet_again").click().run()
    assert not drawn(at, picture) and at.query_params["bet"] == "open"
    at.button(key="bet_toggle").click().run()
    assert drawn(at, picture) and "bet" not in at.query_params
    assert not at.exception


def test_a_bet_stays_on_its_page(new_app: NewApp) -> None:
    at = open_page(new_app, "pages/3_Lead.py", "open")
    at.switch_page("pages/5_Adversary.py").run()
    assert drawn(at, "adversary") and "bet" not in at.query_params
    at.switch_page("pages/3_Lead.py").run()
    assert drawn(at, "lead")


def test_reset_ends_the_bet(new_app: NewApp) -> None:
    at = open_page(new_app, "pages/3_Lead.py", "12")
    at.button(key="reset").click().run()
    assert "bet" not in at.query_params


@pytest.mark.parametrize("given", ["much", "-1", "1e9", "nan", "inf"])
def test_bad_guesses_are_told(new_app: NewApp, given: str) -> None:
    at = open_page(new_app, "pages/3_Lead.py", given)
    assert drawn(at, "lead") and given in at.warning[0].value


def test_lead_is_answered(new_app: NewApp) -> None:
    shown = "a lead of **30** is needed"
    for guess, verdict in (("10", "too low"), ("29", "close"), ("100", "too high")):
        text = said(open_page(new_app, "pages/3_Lead.py", guess))
        assert f"**{verdict}**" in text and shown in text


def test_two_organisations_get_another_question(new_app: NewApp) -> None:
    assert get_theorem_2_floor(2, 0.1) > 0
    text = said(open_page(new_app, "pages/3_Lead.py", "open", C=2))
    assert f"{percent(1 - frames.SURE)} of the time" in text and "50%" in text


def test_long_run_is_answered_with_its_own_mean(new_app: NewApp) -> None:
    p = Parameters(targets=10, horizon=50, run_length=50, runs=10)
    truth = frames.course("tca", p, 10).mean_deficit
    at = open_page(new_app, "pages/4_Long_run.py", f"{truth:.1f}", **SMALL)
    assert "**close**" in said(at)
    assert "**too high**" in said(open_page(new_app, "pages/4_Long_run.py", "5000", **SMALL))


def test_lots_are_named_in_the_question_and_the_tally_is_not_run(new_app: NewApp, monkeypatch) -> None:
    asked = []
    real = frames.course
    monkeypatch.setattr(frames, "course", lambda name, *rest: asked.append(name) or real(name, *rest))
    open_page(new_app, "pages/4_Long_run.py", "open", seed=4, **SMALL)
    assert asked == ["uniform"]


def test_adversary_is_answered(new_app: NewApp) -> None:
    text = said(open_page(new_app, "pages/5_Adversary.py", "80", delta=0.2))
    assert "**too high**" in text and "**60%**" in text


def test_judge() -> None:
    bet = Bet(0, 500, 1, margin=1)
    assert [bet.judge(guess, 30) for guess in (26, 27, 33, 34)] == ["low", "close", "close", "high"]
    assert bet.judge(1, 0) == "close"
    assert bet.read("501") is None and bet.read("x") is None and bet.read("12.5") == 12.5
