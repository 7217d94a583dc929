"""The game and the limits in a real browser: ten rounds by keyboard, the score, the results taken home, no barrier."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import idle, overflow, small_type, violations
from playwright.sync_api import Page, expect

from core import game

Visit = Callable[..., Page]
LINK = "/adversary?view=game&seed=5"


def record(page: Page) -> list[int]:
    return [int(tile) for tile in page.locator(".record .steps .tile").all_inner_texts()]


def at_round(page: Page, number: int) -> None:
    expect(page.locator(".st-key-sentence_game")).to_contain_text(f"Round {number}.")
    expect(page.locator(".record .spoken")).to_contain_text(f"Round {number}.")


def test_ten_rounds_by_keyboard(see: Visit) -> None:
    page = see(LINK)
    said = []
    yes, no = page.locator(".st-key-said_yes button"), page.locator(".st-key-said_no button")
    sure = page.locator(".st-key-w_confidence")
    for number in range(1, 11):
        at_round(page, number)
        assert record(page) == (game.make_round(number, 0.1, 5, "tca").transcript.audits + 1).tolist()
        confidence = 0.5
        if number % 3 == 0:
            sure.get_by_role("radio").first.focus()
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Space")
            expect(sure.get_by_role("radio", checked=True)).to_have_text("60%")
            confidence = 0.6
        if number % 2:
            said.append((True, confidence))
            yes.focus()
            page.keyboard.press("Enter")
            at_round(page, number + 1)
            expect(yes).to_be_focused()
        else:
            said.append((False, confidence))
            page.keyboard.press("2")
            at_round(page, number + 1)
    expect(no).to_be_enabled()
    expect(page.get_by_role("heading", name="Your score")).to_be_visible()
    expect(page.get_by_role("figure", name=re.compile("Square of false alarms"))).to_be_visible(timeout=30_000)
    idle(page)
    with page.expect_download() as download:
        page.locator(".st-key-csv_game-rounds button").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    assert [(row["said"] == "True", float(row["confidence"])) for row in rows] == said
    assert [row["reported"] == "True" for row in rows] == [
        game.make_round(number, 0.1, 5, "tca").reported for number in range(1, 11)
    ]
    expect(page).to_have_url(re.compile("round=11"))
    assert violations(page) == []


def test_the_same_link_is_the_same_set(see: Visit) -> None:
    page = see(LINK + "&game=hidden&round=7")
    at_round(page, 7)
    page.keyboard.press("1")
    at_round(page, 8)
    other = see("/adversary" + page.evaluate("location.search"))
    at_round(other, 8)
    assert record(other) == record(page)
    expect(other.locator(".st-key-game_told")).to_contain_text("Your score appears after 10 rounds")


def test_two_quick_clicks_are_one_answer(see: Visit) -> None:
    page = see(LINK)
    page.locator(".st-key-said_yes button").dblclick()
    at_round(page, 2)
    page.wait_for_timeout(1000)
    at_round(page, 2)


def test_a_number_typed_is_no_answer(see: Visit) -> None:
    page = see(LINK)
    page.get_by_text("Seed and reset").click()
    seed = page.locator(".st-key-w_seed input")
    seed.fill("12")
    seed.press("1")
    seed.press("Enter")
    expect(page).to_have_url(re.compile("seed=121"))
    at_round(page, 1)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("path", [LINK + "&others=on&tell=on", "/adversary?view=limits&filed=4&channel=on"])
def test_no_barrier(visit: Visit, path: str, width: int) -> None:
    page = visit(path, width=width)
    assert violations(page) == []
    assert overflow(page) <= 0
    assert small_type(page) == []


def test_a_switch_changes_the_sentence(see: Visit) -> None:
    page = see("/adversary?view=limits")
    sentence = page.locator(".st-key-sentence_limits")
    expect(sentence).to_contain_text("Everything runs as planned")
    page.locator(".st-key-w_filed input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text("59.9%")
    page.locator(".st-key-w_scope").get_by_text("Audit scope names the reporter").click()
    expect(sentence).to_contain_text("No number applies any more")
    expect(page).to_have_url(re.compile("scope=on"))
    idle(page)
