"""The hand-out as a reader gets it: downloaded, opened without a network, printed."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from browser import violations
from handouts import EXTREME, SMALL, courses
from playwright.sync_api import Browser, BrowserContext, Page, expect

from ui import words
from ui.handout import content, render
from ui.words import LANGUAGES

Open = Callable[..., Page]
LINK = "http://127.0.0.1:8501/long-run?lang=fr&delta=0.95&C=500&T=10000&L=10000&gap=500&seed=2147483647&flip=targets"


@pytest.fixture(scope="session")
def without_network(chromium: Browser) -> BrowserContext:
    return chromium.new_context(offline=True, locale="en-US")


@pytest.fixture
def offline(without_network: BrowserContext) -> Iterator[Open]:
    """Open a file with the network off; it must ask for nothing and complain about nothing."""
    wrong = []

    def open_(path: Path, scheme: Literal["light", "dark"] = "light", width: int = 1440) -> Page:
        page = without_network.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: None if request.url == path.as_uri() else wrong.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_
    for page in without_network.pages:
        page.close()
    assert not wrong


def write(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch, p=SMALL) -> dict[str, Path]:
    """All files of a scenario in a language."""
    monkeypatch.setattr(words, "language", lambda: code)
    made = content.make(p, courses(p), LINK)
    files = {"page": render.page(made)} | {paper: render.brief(made, paper) for paper in render.PAPERS}
    paths = {name: folder / f"{name}.html" for name in files}
    for name, path in paths.items():
        path.write_bytes(files[name])
    return paths


@pytest.mark.parametrize("code", LANGUAGES)
def test_page_draws_its_charts_without_a_network(
    offline: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    path = write(tmp_path, code, monkeypatch)["page"]
    assert path.stat().st_size < 6_000_000
    page = offline(path, "dark" if code == "fr" else "light", 390 if code == "ko" else 1440)
    for chart in ("lead", "means", "square"):
        expect(page.locator(f"#{chart} .main-svg").first).to_be_visible()
        assert page.locator(f"#{chart} .scatterlayer .trace path").count() >= 4
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("() => document.querySelectorAll('script:not([src])').length") == 3
    assert violations(page) == []


def test_charts_answer_to_the_reader(offline: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = offline(write(tmp_path, "en", monkeypatch)["page"])
    plot = page.locator("#lead .nsewdrag").first
    box = plot.bounding_box()
    assert box is not None
    page.locator("#lead").scroll_into_view_if_needed()
    plot.hover(position={"x": box["width"] * 0.3, "y": 2})
    expect(page.locator("#lead .hoverlayer")).to_contain_text("→")
    ink = "() => document.querySelector('#lead .xtick text').style.fill"
    light = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"before => ({ink})() !== before", arg=light)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("p", [SMALL, *EXTREME], ids=["default", "largest", "smallest"])
def test_brief_is_one_sheet(offline: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, p) -> None:
    paths = write(tmp_path, code, monkeypatch, p)
    for paper, (width, height) in render.PAPERS.items():
        page = offline(paths[paper])
        pdf = page.pdf(prefer_css_page_size=True, print_background=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
        box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", pdf)
        assert box is not None
        assert [float(side) for side in box.groups()] == pytest.approx([width / 25.4 * 72, height / 25.4 * 72], abs=1.5)
        # Nothing is cut off at the foot, and the type stays readable.
        page.emulate_media(media="print")
        foot, sheet, size = page.evaluate(
            "() => [document.querySelector('footer'), document.querySelector('.sheet')]"
            ".map(box => box.getBoundingClientRect().bottom)"
            ".concat(parseFloat(getComputedStyle(document.documentElement).fontSize))"
        )
        assert foot <= sheet + 1
        assert size >= 9.5
        expect(page.locator("figure svg[role=img]")).to_have_count(2)


def test_brief_on_a_phone_has_no_barrier(offline: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = offline(write(tmp_path, "fr", monkeypatch)["A4"], "dark", 390)
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    assert violations(page) == []


@pytest.mark.parametrize("width", [1440, 390])
def test_taken_from_a_page(see: Open, offline: Open, tmp_path: Path, width: int) -> None:
    page = see("/about?lang=fr&runs=10&T=60&L=60&C=12", width=width, height=900)
    page.locator(".st-key-take_home_about button").click()
    offers = page.get_by_test_id("stDownloadButton").get_by_role("button")
    expect(offers).to_have_count(3)
    assert violations(page) == []
    with page.expect_download() as download:
        offers.nth(1).click()
    path = tmp_path / "brief.html"
    download.value.save_as(path)
    brief = offline(path)
    expect(brief.locator("html")).to_have_attribute("lang", "fr")
    link = brief.locator("footer a").get_attribute("href") or ""
    assert link == page.url
    assert page.url.startswith("http://127.0.0.1") and "C=12" in link
