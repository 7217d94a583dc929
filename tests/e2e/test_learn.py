"""Lessons and the tour in a real browser: a class by link, a teacher's file, a projector, and a walk over the pages."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import idle, overflow, violations
from playwright.sync_api import Locator, Page, expect

Visit = Callable[..., Page]
TEMPLATE = Path(__file__).parents[2] / "assets" / "lesson-template.toml"


def answer(page: Page) -> None:
    page.locator(".st-key-commit button, .st-key-answer_1 button").first.click()
    expect(page.locator("[class*='st-key-lesson_chart'] .main-svg").first).to_be_visible()
    idle(page)


def said(page: Page) -> Locator:
    """The verdict, or why a lesson is refused."""
    return page.get_by_test_id("stAlert")


def test_guess_by_keyboard(see: Visit) -> None:
    page = see("/learn?lesson=lead")
    expect(page.locator(".main-svg")).to_have_count(0)
    expect(page.get_by_text("41.7%")).to_have_count(0)
    slider = page.get_by_role("slider", name="Your guess")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.locator(".st-key-commit button").focus()
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("You said 44%; it is 41.7%")
    expect(said(page)).to_contain_text("Right.")
    # The link a teacher hands on holds the lesson, not the answer.
    other = see("/learn" + page.evaluate("location.search"))
    expect(other.locator(".st-key-commit button")).to_be_visible()


def test_a_teachers_file(see: Visit, tmp_path: Path) -> None:
    page = see("/learn")
    bad = tmp_path / "bad.toml"
    bad.write_text(TEMPLATE.read_text().replace("{tca_wrong@gap=32}", "{tca_wrongg}"))
    line = next(i for i, text in enumerate(bad.read_text().splitlines(), 1) if "tca_wrongg" in text)
    chooser = page.locator(".st-key-lesson_file input[type=file]")
    chooser.set_input_files(bad)
    expect(said(page)).to_contain_text(f"Line {line}: Unknown number {{tca_wrongg}}. Allowed: delta")
    # On a page of its own: Streamlit takes the old file away in a rerun that may overtake the new one.
    page = see("/learn")
    page.locator(".st-key-lesson_file input[type=file]").set_input_files(TEMPLATE)
    expect(page.get_by_role("heading", name="How far ahead is far enough?")).to_be_visible()
    expect(page).to_have_url(re.compile("own=[-_A-Za-z0-9]{100,}"))
    idle(page)
    other = see("/learn" + page.evaluate("location.search"))
    expect(other.get_by_role("heading", name="How far ahead is far enough?")).to_be_visible()
    answer(other)
    expect(said(other)).to_contain_text("You said")


def test_projector(see: Visit) -> None:
    page = see("/learn?lesson=worth&big=on")
    answer(page)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 20
    expect(page.locator(".st-key-tools")).to_be_hidden()
    assert overflow(page) <= 0
    page.locator(".st-key-w_big label").click()
    expect(page.locator(".st-key-tools")).to_be_visible()


def test_tour_over_the_pages(see: Visit) -> None:
    page = see("/learn")
    page.locator(".st-key-tour_start button").click()
    bar = page.locator(".st-key-tour_bar")
    expect(bar).to_contain_text("Tour, step 1 of 8")
    pointed = page.locator(".st-key-start")
    expect(pointed).to_have_css("outline-style", "dashed")
    slider = pointed.get_by_role("slider", name=re.compile("Deniability budget"))
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(bar).to_contain_text("Done.")
    expect(pointed).not_to_have_css("outline-style", "dashed")
    bar.get_by_role("button", name="Next step").click()
    expect(bar).to_contain_text("Tour, step 2 of 8")
    expect(page.get_by_role("heading", level=1)).to_have_text("Same reports, different auditors")
    expect(page).to_have_url(re.compile("tour=2"))
    idle(page)
    page.get_by_role("link", name="Learn", exact=True).first.click()
    expect(bar.get_by_role("link", name="Go to the page")).to_be_visible()
    bar.get_by_role("button", name="Stop the tour").click()
    expect(bar).to_have_count(0)
    idle(page)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("path", ["/learn", "/learn?lesson=greedy", "/lead?tour=3"])
def test_no_barrier(visit: Visit, path: str, width: int) -> None:
    page = visit(path, width=width)
    if "lesson" in path:
        answer(page)
    if "tour" in path:
        expect(page.locator(".st-key-lead")).to_have_css("outline-style", "dashed")
    assert violations(page) == []
    assert overflow(page) <= 0
