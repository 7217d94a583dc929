"""Takes the picture in the README, so that it always shows the page as it is."""

from collections.abc import Callable

from browser import ROOT
from playwright.sync_api import Page


def test_readme_shows_start(see: Callable[..., Page]) -> None:
    page = see("/", width=1440, height=900, motion="reduce")
    page.wait_for_function("document.fonts.status === 'loaded'")
    path = ROOT / "assets" / "screenshot.png"
    picture = page.screenshot(animations="disabled")
    # Pixels differ a little from machine to machine: only a changed page is worth a changed file.
    if not path.exists() or abs(len(path.read_bytes()) / len(picture) - 1) > 0.02:
        path.write_bytes(picture)
    assert f"]({path.relative_to(ROOT)})" in (ROOT / "README.md").read_text()
