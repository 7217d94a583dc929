"""Fixtures of the browser tests. No browser, or a skipped test, is a failure: else nobody notices that none ran."""

from collections.abc import Callable, Generator, Iterator
from typing import Any, Literal

import pytest
from browser import Server, idle, launch, serving
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

Visit = Callable[..., Page]

# Two workers and a browser each on two cores: patience costs nothing where all is well.
expect.set_options(timeout=20_000)

# On a deep link Streamlit's client tries the path's own level before it finds its server at the root.
# the page's icon is set anew in each run; on a busy server a browser may ask for the one of the run before
EXPECTED = ("/_stcore/health", "/_stcore/host-config", "/media/")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
    report = yield
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: a browser test must not be skipped"
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, started as a user starts it."""
    with serving(tmp_path_factory.mktemp("server") / "server.log") as server:
        yield server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def get_context(chromium: Browser, server: Server) -> Iterator[Callable[..., BrowserContext]]:
    """A reader's browser, the same one for the same options: its first tab holds the server's process open.

    Not for longer than a file of tests: what closed pages leave behind in the process adds up.
    """
    contexts: dict[str, BrowserContext] = {}

    def get(**options: Any) -> BrowserContext:
        name = repr(sorted(options.items()))
        if name not in contexts:
            contexts[name] = chromium.new_context(**options)
            contexts[name].new_page().goto(server.url + "/_stcore/health")
        return contexts[name]

    yield get
    for context in contexts.values():
        context.close()


@pytest.fixture
def open_at(get_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Open an address; the test fails on page errors, console errors and requests that leave this machine."""
    contexts, wrong, forgiven = [], [], list(EXPECTED)

    def outside(request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
            wrong.append(f"request left the machine: {request.url}")

    def console(message: ConsoleMessage) -> None:
        text = f"{message.text} {message.location['url']}"
        if message.type == "error" and not any(known in text for known in forgiven):
            wrong.append(f"console: {text}")

    def open_(
        url: str,
        *,
        scheme: Literal["light", "dark"] = "light",
        motion: Literal["no-preference", "reduce"] = "no-preference",
        width: int = 1440,
        height: int = 900,
        forgive: str = "",
        **options: Any,
    ) -> Page:
        if forgive:
            forgiven.append(forgive)
        context = get_context(**{"locale": "en-US", **options})
        contexts.append(context)
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        page.on("pageerror", lambda error: wrong.append(f"page error: {error}"))
        page.on("request", outside)
        page.on("console", console)
        page.goto(url)
        idle(page)
        return page

    yield open_
    # The next reader starts anew.
    for context in contexts:
        first, *others = context.pages
        for page in others:
            page.close()
        context.set_offline(False)
        context.clear_cookies()
        first.evaluate("localStorage.clear()")
    assert not wrong


@pytest.fixture
def see(server: Server, open_at: Callable[..., Page]) -> Iterator[Visit]:
    """Open a path of the app in light colours; the server must not have printed an error."""
    before = len(server.log.read_text())
    yield lambda path="/", **options: open_at(server.url + path, **options)
    assert not server.tracebacks(since=before)


@pytest.fixture
def visit(see: Visit) -> Visit:
    """Open a path of the app in dark colours; `violations` looks at it in both."""
    return lambda path="/", **options: see(path, scheme="dark", **options)
