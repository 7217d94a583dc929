"""Lead and Long run in a real browser: the picture follows the keys, the page follows the picture."""

import re
from collections.abc import Callable

from browser import idle, overflow, violations
from playwright.sync_api import Locator, Page, expect

Visit = Callable[..., Page]
FAST = "runs=10&T=100&L=100&C=10"


def slider(page: Page, name: str) -> Locator:
    return page.locator(f"input[type=range][data-name={name}]")


def marker(page: Page) -> str:
    """Where the large marker of the noisy tally stands."""
    return page.locator("path.marker").last.get_attribute("transform") or ""


def gauge(page: Page) -> Locator:
    return page.locator(".gauge .value").first


def test_lead_by_keyboard(see: Visit) -> None:
    page = see("/lead")
    expect(gauge(page)).to_have_text("82%")
    before = marker(page)
    slider(page, "gap").focus()
    page.keyboard.press("ArrowRight")
    expect(gauge(page)).not_to_have_text("82%")
    assert marker(page) != before
    expect(slider(page, "gap")).to_have_attribute("aria-valuetext", "17")
    expect(page).to_have_url(re.compile(r"gap=17"))
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("80.1%")
    idle(page)
    expect(slider(page, "gap")).to_be_focused()


def test_delta_moves_the_curve(see: Visit) -> None:
    page = see("/lead")
    curve = page.locator("path.curve[data-name='Noisy tally, exact']").first
    before = curve.get_attribute("d") or ""
    slider(page, "delta").focus()
    page.keyboard.press("ArrowLeft")
    expect(curve).not_to_have_attribute("d", before)
    expect(page).to_have_url(re.compile(r"delta=0\.095"))


def test_targets_change_the_live_picture(see: Visit) -> None:
    page = see("/lead?gap=32")
    expect(gauge(page)).to_have_text("41.7%")
    page.locator(".st-key-w_targets").get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(gauge(page)).not_to_have_text("41.7%")
    expect(page).to_have_url(re.compile(r"C=45"))


def test_lead_on_a_phone(see: Visit) -> None:
    page = see("/lead?panels=fixed", width=390, height=844)
    assert overflow(page) <= 0
    box = page.locator(".plot svg[role=img]").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 844
    sizes = slider(page, "gap").bounding_box()
    assert sizes is not None and sizes["height"] >= 24


def test_lead_unfolded_has_no_barrier(visit: Visit) -> None:
    page = visit("/lead?panels=fixed")
    expect(page.get_by_role("figure", name="with 200 organisations")).to_be_visible()
    page.get_by_text("How this is computed").click()
    expect(page.get_by_text("python -m core gap")).to_be_visible()
    assert violations(page) == []


def test_long_run_shows_progress_then_all_runs(see: Visit) -> None:
    page = see("/long-run?seed=7")
    expect(page.get_by_text("100 runs of 1,000 audits with the same")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_role("figure", name="mean and middle 80%")).to_be_visible()


def test_long_run_on_a_phone(see: Visit) -> None:
    page = see(f"/long-run?{FAST}&flip=delta", width=390, height=844)
    assert overflow(page) <= 0
    box = page.get_by_role("figure", name="mean and middle 80%").bounding_box()
    assert box is not None and box["y"] < 844 / 2


def test_flip_by_keyboard(see: Visit) -> None:
    page = see(f"/long-run?{FAST}")
    button = page.locator(".st-key-flip-targets button")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("figure", name="minus a fixed rota")).to_be_visible()
    expect(page).to_have_url(re.compile(r"flip=targets"))
    idle(page)
    page.reload()
    idle(page)
    expect(page.get_by_role("figure", name="minus a fixed rota")).to_be_visible()


def test_long_run_unfolded_has_no_barrier(visit: Visit) -> None:
    page = visit(f"/long-run?{FAST}&flip=delta")
    expect(page.get_by_role("figure", name="minus a fixed rota")).to_be_visible()
    page.get_by_text("More settings", exact=True).click()
    idle(page)
    assert violations(page) == []


def test_delta_changes_the_sentence(see: Visit) -> None:
    page = see(f"/long-run?{FAST}")
    words = page.locator(".st-key-sentence_sentence")
    before = words.inner_text()
    page.locator(".st-key-w_delta").get_by_role("slider").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(words).not_to_have_text(before)
    expect(page).to_have_url(re.compile(r"delta=0\.12"))
