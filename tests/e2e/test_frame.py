"""The frame in a real browser: every page for everybody, by keyboard, in three languages, from a copied link."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import PATHS, idle, overflow, serving, small_type, violations
from playwright.sync_api import Page, expect

from ui.frame import PAGES
from ui.words import LANGUAGES, catalogue

Visit = Callable[..., Page]


@pytest.mark.parametrize("path", PATHS)
def test_no_barrier(visit: Visit, path: str) -> None:
    page = visit(path)
    assert small_type(page) == []
    assert violations(page) == []


@pytest.mark.parametrize("path", PATHS)
def test_phone(see: Visit, path: str) -> None:
    page = see(path, width=390, height=844)
    assert overflow(page) <= 0
    for name in LANGUAGES.values():
        expect(page.locator(".st-key-language").get_by_text(name)).to_be_in_viewport(ratio=1)
    expect(page.locator(".st-key-reset")).to_be_in_viewport(ratio=1)
    assert violations(page) == []


def test_pages_on_a_phone(see: Visit) -> None:
    page = see("/about", width=390, height=844)
    page.get_by_test_id("stExpandSidebarButton").click()
    lead = page.get_by_test_id("stSidebarNavLink").filter(has_text="Lead")
    lead.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES[2].question)
    expect(lead).not_to_be_in_viewport()


def test_language_by_click(see: Visit) -> None:
    page = see("/long-run?C=37")
    page.get_by_text("Français", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page).to_have_url(re.compile(r"/long-run\?lang=fr&C=37"))
    expect(page.get_by_role("heading", level=1)).to_have_text(catalogue("fr").gettext(PAGES[3].question))


def test_browser_language_and_link(see: Visit) -> None:
    french = see("/about", locale="fr-CA")
    expect(french.locator("html")).to_have_attribute("lang", "fr")
    korean = see("/about?lang=ko", locale="fr-CA")
    expect(korean.locator("html")).to_have_attribute("lang", "ko")


def test_link_survives_navigation_and_reload(see: Visit) -> None:
    page = see("/lead?C=37&delta=0.2&seed=5")
    page.get_by_role("button", name="more pages").click()
    page.get_by_role("menuitem", name="About", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES[-1].question)
    expect(page).to_have_url(re.compile(r"/about\?lang=en&delta=0.2&C=37&seed=5"))
    page.reload()
    idle(page)
    expect(page).to_have_url(re.compile(r"/about\?lang=en&delta=0.2&C=37&seed=5"))
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES[2].question)
    expect(page).to_have_url(re.compile(r"/lead\?.*C=37"))


def test_slider_by_keyboard(see: Visit) -> None:
    page = see("/long-run?runs=10&T=50&L=50&C=10")
    slider = page.locator(".st-key-w_delta input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"delta=0\.105"))
    idle(page)
    expect(slider).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"delta=0\.12(&|$)"))


def test_copy_link_by_keyboard(see: Visit) -> None:
    page = see("/about?C=37", permissions=["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy link")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.evaluate("location.href")


def test_copy_link_without_clipboard(see: Visit) -> None:
    page = see("/about?C=37")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')) }")
    page.get_by_role("button", name="Copy link").press("Enter")
    field = page.get_by_label("Address of this page")
    expect(field).to_be_focused()
    assert field.evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)") == page.evaluate("location.href")


def test_preset_and_reset(see: Visit) -> None:
    page = see("/about")
    page.locator(".st-key-w_preset").get_by_role("combobox").click()
    page.get_by_role("option", name="School exercise").click()
    expect(page).to_have_url(re.compile(r"C=12&T=26"))
    idle(page)
    page.locator(".st-key-reset button").click()
    expect(page).to_have_url(re.compile(r"\?lang=en&seed=2026$"))


def test_korean_is_drawn(see: Visit) -> None:
    page = see("/about?lang=ko")
    different = page.evaluate(
        """() => {
            const font = getComputedStyle(document.querySelector("h1")).fontFamily
            const ink = text => {
                const canvas = document.createElement("canvas")
                canvas.width = canvas.height = 64
                const pen = canvas.getContext("2d")
                pen.font = "48px " + font
                pen.fillText(text, 4, 52)
                return [...pen.getImageData(0, 0, 64, 64).data].join()
            }
            const signs = [..."감사신고잡음", "\\uE83A"]
            return new Set(signs.map(ink)).size === signs.length
        }"""
    )
    assert different, "a syllable looks like another or like the box of a missing glyph"


@pytest.mark.parametrize("command", [(), ("-m", "streamlit", "run", "app.py")], ids=["lab.py", "streamlit run"])
def test_fresh_deep_link(tmp_path: Path, open_at: Callable[..., Page], command: tuple[str, ...]) -> None:
    """The trap of a folder called pages: the first visitor of a server must get the page with its frame."""
    with serving(tmp_path / "log", *command) as server:
        page = open_at(server.url + "/lead?lang=fr&C=37", forgive="does not seem to exist" if command else "never")
        expect(page.get_by_role("heading", level=1)).to_have_text(catalogue("fr").gettext(PAGES[2].question))
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page).to_have_url(re.compile(r"/lead\?lang=fr&C=37"))
        if not command:
            expect(page.get_by_role("dialog")).to_have_count(0)
        assert not server.tracebacks()


def test_chart_can_be_read_and_taken_home(see: Visit, open_at: Callable[..., Page], tmp_path: Path) -> None:
    page = see("/long-run?runs=10&T=50&L=50&C=10&lang=fr", accept_downloads=True)
    fold = page.locator("[class*=st-key-data_]").first
    fold.locator("summary").press("Enter")
    expect(fold.get_by_test_id("stDataFrame").first).to_be_visible()
    idle(page)
    assert violations(page) == []

    with page.expect_download() as table:
        fold.locator("[class*=st-key-csv_] button").click()
    rows = Path(table.value.path()).read_text("utf-8-sig").splitlines()
    assert len(rows) == 51 and max(len(cell) for cell in rows[-1].split(",")) > 12, "rounded"

    with page.expect_download() as figure:
        fold.locator("[class*=st-key-html_] button").click()
    copy = tmp_path / "figure.html"
    figure.value.save_as(copy)
    home = page.context.browser.new_page()
    asked: list[str] = []
    home.on("request", lambda request: asked.append(request.url))
    home.goto(copy.as_uri())
    expect(home.locator(".main-svg").first).to_be_visible()
    assert {url.split(":")[0] for url in asked} <= {"file", "data", "blob"}
    assert home.locator("html").get_attribute("lang") == "fr"
    home.close()

    with page.expect_download() as picture:
        page.get_by_test_id("stPlotlyChart").first.hover()
        page.locator(".modebar-btn[data-title*=ownload]").first.click()
    assert Path(picture.value.path()).read_text().startswith("<svg") and picture.value.suggested_filename.endswith(
        ".svg"
    )
