"""What only a browser shows: pictures a second while a thumb is held, by key, and while a record plays."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.e2e.browser import idle, launch, serving

from .timing import show_least

DRAG = """input => new Promise(done => {
    const host = input.getRootNode().querySelector(".live"), last = Number(input.max)
    const start = performance.now(), first = Number(host.dataset.drawn)
    let moved = 0
    const step = () => {
        input.value = moved++ % (last + 1)
        input.dispatchEvent(new Event("input", { bubbles: true }))
        if (moved < 120) return requestAnimationFrame(step)
        requestAnimationFrame(() => done((Number(host.dataset.drawn) - first) / (performance.now() - start) * 1000))
    }
    requestAnimationFrame(step)
})"""


def keys(page: Page, name: str) -> float:
    """Pictures a second while an arrow key is pressed again and again."""
    thumb = page.locator(f".live input[data-name={name}]")
    thumb.focus()
    count = "input => [Number(input.getRootNode().querySelector('.live').dataset.drawn), performance.now()]"
    first, start = thumb.evaluate(count)
    for i in range(80):
        page.keyboard.press("ArrowRight" if i % 40 < 20 else "ArrowLeft")
    last, end = thumb.evaluate(count)
    return (last - first) / (end - start) * 1000


def play(page: Page) -> float:
    """Pictures a second while the record plays."""
    page.get_by_role("button", name="Play", exact=True).click()
    player = page.locator(".player")
    count = "player => [Number(player.dataset.frames), performance.now()]"
    first, start = player.evaluate(count)
    page.wait_for_timeout(3000)
    last, end = player.evaluate(count)
    return (last - first) / (end - start) * 1000


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        with serving(Path(folder) / "server.log") as server:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            for path, names in (("/", ["delta"]), ("/lead", ["gap", "delta"]), ("/adversary", ["delta"])):
                for name in names:
                    page.goto(server.url + path)
                    idle(page)
                    rate = page.locator(f".live input[data-name={name}]").evaluate(DRAG)
                    show_least(f"pictures a second, {path} {name} dragged", rate, 20)
                    show_least(f"pictures a second, {path} {name} by key", keys(page, name), 20)
            page.goto(server.url + "/records?step=1")
            idle(page)
            show_least("pictures a second, /records played", play(page), 30)
        browser.close()
