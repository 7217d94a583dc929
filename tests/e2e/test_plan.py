"""The page Plan in a real browser: keys, pins in the link, phone width, and axe in both colours."""

import re
from collections.abc import Callable

from browser import idle, overflow, violations
from playwright.sync_api import Page, expect

Visit = Callable[..., Page]
SMALL = "orgs=6&ayear=12&years=2&problem=26&usual=3"
CODE = "delta.6.12.2.26.3.10.18.1.5.32.100.10"


def test_a_wish_by_keyboard_and_pins(see: Visit) -> None:
    page = see(f"/plan?{SMALL}")
    words = page.locator(".st-key-sentence_sentence")
    expect(words).to_contain_text("delta = 0.145")
    page.get_by_role("button", name="Pin as A").click()
    expect(page).to_have_url(re.compile(r"A=" + re.escape(CODE)))
    page.locator(".st-key-w_odds").get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(words).not_to_contain_text("delta = 0.145")
    expect(page).to_have_url(re.compile(r"odds=20"))
    page.get_by_role("button", name="Pin as B").click()
    expect(page.get_by_role("columnheader", name="B", exact=True)).to_be_visible()
    page.reload()
    idle(page)
    expect(page.get_by_role("columnheader", name="B", exact=True)).to_be_visible()


def test_plan_on_a_phone(see: Visit) -> None:
    page = see(f"/plan?{SMALL}&A={CODE}&B={CODE}&solve=error", width=390, height=844)
    assert overflow(page) <= 0
    box = page.locator(".st-key-plan-waits .js-plotly-plot").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 844


def test_plan_is_accessible_with_a_map(visit: Visit) -> None:
    page = visit(f"/plan?{SMALL}&map=rate&A={CODE}")
    expect(page.locator(".st-key-plan-map .js-plotly-plot")).to_be_visible()
    assert violations(page) == []
