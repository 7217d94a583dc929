"""A real server, a real browser, and the questions every page is asked."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import axe_playwright_python
from playwright.sync_api import Browser, Page, Playwright, expect

ROOT = Path(__file__).parents[2]
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Pages of one server share a process, which then has the client's code compiled: half the work of opening a page.
    "--process-per-site",
]
PATHS = [
    "/", "/records", "/lead", "/long-run", "/adversary", "/plan", "/own-data", "/learn", "/fading", "/counters",
    "/audit", "/exposure", "/statements", "/evidence", "/claims", "/about",
]  # fmt: skip


@dataclass(frozen=True)
class Server:
    """A running dashboard and the file with what it prints."""

    url: str
    log: Path

    def tracebacks(self, since: int = 0) -> str:
        """What the server printed after the first `since` signs, if an error is in it; else nothing."""
        text = self.log.read_text()[since:]
        return text if "Traceback" in text or "Uncaught" in text else ""


@contextmanager
def serving(log: Path, *command: str) -> Iterator[Server]:
    """Run the dashboard on a free port until the block ends; `command` replaces `lab.py serve`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    url = f"http://127.0.0.1:{port}"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, *(command or ("lab.py", "serve")), *options], cwd=ROOT, stdout=out, stderr=out
        )
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(url + "/_stcore/health", timeout=1)
                    break
                except OSError:
                    assert process.poll() is None, log.read_text()
                    time.sleep(0.1)
            yield Server(url, log)
        finally:
            process.terminate()
            process.wait(20)


def launch(playwright: Playwright) -> Browser:
    """Start Chromium: $CHROMIUM, one on the PATH, or Playwright's own; an error where there is none."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    return playwright.chromium.launch(executable_path=path, args=QUIET)


def idle(page: Page) -> None:
    """Wait until the script has finished. After an action first expect what it changes: a rerun starts late."""
    app = page.locator(
        "[data-testid='stApp'][data-test-connection-state='CONNECTED'][data-test-script-state='notRunning']"
    )
    expect(app).to_be_attached(timeout=60_000)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=30_000)
    # The button's words are put in by its script.
    expect(page.locator(".copy .text").first).not_to_be_empty()


def violations(page: Page) -> list[tuple[str, str, str, str]]:
    """What axe finds serious or critical on the page as it stands, in light and in dark colours: colours, rule,
    impact, where. The page stays in the colours looked at last."""
    page.evaluate(AXE)
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = []
    for scheme in ("dark", "light") if dark else ("light", "dark"):
        _recolour(page, scheme)
        rules = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
        found += [
            (scheme, rule["id"], rule["impact"], node["html"][:200])
            for rule in rules
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]
    return found


def _recolour(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Let the reader's system prefer these colours, and wait until the page has them, at the end of all fading."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        """dark => {
            const paper = document.querySelector(".stApp") ?? document.documentElement
            const [r, g, b] = getComputedStyle(paper).backgroundColor.match(/[\\d.]+/g).map(Number)
            const fading = document.getAnimations().filter(one => one instanceof CSSTransition)
            fading.forEach(one => one.finish())
            return r + g + b < 384 === dark && !fading.length
        }""",
        arg=scheme == "dark",
        polling=100,
        timeout=60_000,
    )


def small_type(page: Page) -> list[str]:
    """Visible texts that are smaller than 14 pixels, inside shadow roots too; formulas and icons aside."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.stApp *')].flatMap(e => e.shadowRoot ? [e, ...e.shadowRoot
                .querySelectorAll('*')] : [e])
            .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
            .filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1)
            .filter(e => !e.closest('.katex, [data-testid="stIconMaterial"], style, script'))
            .map(e => [e, parseFloat(getComputedStyle(e).fontSize)])
            .filter(([e, size]) => size > 0 && size < 13.9)
            .map(([e, size]) => size + 'px ' + e.outerHTML.slice(0, 120))"""
    )


def overflow(page: Page) -> int:
    """By how many pixels the page can be scrolled sideways."""
    return page.evaluate(
        "() => Math.max(...[document.documentElement, document.querySelector('.stMain')]"
        ".map(box => box.scrollWidth - box.clientWidth))"
    )
