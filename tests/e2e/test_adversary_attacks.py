"""Attacks and Suspicion in a real browser: measured curves arrive, refine, and stay reachable for everyone."""

import re
from collections.abc import Callable

import pytest
from browser import idle, overflow, violations
from playwright.sync_api import Page, expect

Visit = Callable[..., Page]
FAST = "C=12&T=26&L=26"


def test_first_curve_at_the_defaults(see: Visit) -> None:
    page = see("/adversary?view=attacks")
    expect(page.get_by_role("figure", name="measured attacks")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("200 pairs of independent records")).to_be_visible()
    idle(page)
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_measure_more_exactly(see: Visit) -> None:
    page = see(f"/adversary?view=attacks&{FAST}")
    words = page.locator(".st-key-sentence_attacks")
    expect(words).to_be_visible(timeout=60_000)
    before = words.inner_text()
    button = page.locator(".st-key-more_pairs button")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2,500 pairs of independent records")).to_be_visible(timeout=60_000)
    expect(words).not_to_have_text(before)
    expect(page).to_have_url(re.compile(r"pairs=2500"))
    idle(page)


def test_choices_by_keyboard(see: Visit) -> None:
    page = see(f"/adversary?view=attacks&{FAST}")
    page.get_by_role("radio", name="the best possible").click()
    expect(page.get_by_text("its noisy counts themselves")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile(r"attack=best"))
    slider = page.locator(".st-key-w_k").get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("4 reports by one person")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile(r"k=4"))
    idle(page)


def test_suspicion_follows_the_event(see: Visit) -> None:
    page = see(f"/adversary?view=suspicion&{FAST}")
    words = page.locator(".st-key-sentence_suspicion")
    expect(words).to_contain_text("You are one of 10 people", timeout=60_000)
    slider = page.locator(".st-key-w_people").get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(words).to_contain_text("You are one of 9 people")
    expect(page).to_have_url(re.compile(r"people=9"))
    idle(page)


@pytest.mark.parametrize("view", ["attacks", "suspicion"])
def test_on_a_phone(see: Visit, view: str) -> None:
    page = see(f"/adversary?view={view}&{FAST}", width=390, height=844)
    expect(page.locator(f".st-key-sentence_{view}")).to_be_visible(timeout=60_000)
    idle(page)
    assert overflow(page) <= 0


@pytest.mark.parametrize("view", ["attacks&attack=best", "suspicion"])
def test_no_barrier(visit: Visit, view: str) -> None:
    page = visit(f"/adversary?view={view}&{FAST}")
    expect(page.get_by_role("heading", name="What to notice").last).to_be_visible(timeout=60_000)
    page.get_by_text("How this is computed").last.click()
    idle(page)
    assert violations(page) == []
