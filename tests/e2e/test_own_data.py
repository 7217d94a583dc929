"""Own data in two browsers at once: nobody sees another's table, large files are refused, and memory comes back."""

import http.client
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Server, idle, serving
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

MEGABYTE = 2**20
SIZE = 60
"""Megabytes of each upload: enough to tell them from what a session needs anyway."""
EACH = 8
"""Reports a day about each organisation."""


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A dashboard that forgets a session a second after its last page is closed, not two minutes."""
    log = tmp_path_factory.mktemp("own") / "server.log"
    with serving(log, "lab.py", "serve", "--server.disconnectedSessionTTL", "1") as server:
        yield server
        assert not server.tracebacks()


@pytest.fixture(scope="module")
def first(chromium: Browser) -> Iterator[BrowserContext]:
    """A reader who was there before: opening a page in a browser that knows the app takes a tenth of the time."""
    context = chromium.new_context(locale="en-US")
    yield context
    context.close()


def get_memory(server: Server) -> float:
    """Megabytes of the server's process."""
    port = server.url.rsplit(":", 1)[1].encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
            if b"lab.py" in arguments and port in arguments:
                return int(re.search(r"VmRSS:\s+(\d+)", (process / "status").read_text())[1]) / 1024  # type: ignore[index]
        except OSError:
            continue
    raise AssertionError("no server")


def write_table(path: Path, animals: tuple[str, ...], weeks: int) -> Path:
    """Reports about `animals`, and a long story in each row."""
    days = 7 * weeks
    story = "x" * (SIZE * MEGABYTE // (days * len(animals) * EACH))
    with path.open("w") as file:
        file.write("date,name,story\n")
        for day in range(days):
            when = time.strftime("%Y-%m-%d", time.gmtime(1_704_067_200 + 86_400 * day))
            file.writelines(EACH * f"{when},{animal},{story}\n" for animal in animals)
    return path


def open_page(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url)
    idle(page)
    return page


def upload(page: Page, path: Path) -> None:
    page.locator("[class*=st-key-own_upload] input[type=file]").set_input_files(path)


def test_two_uploads_stay_apart_and_memory_comes_back(
    forgetful: Server, chromium: Browser, first: BrowserContext, tmp_path: Path
) -> None:
    animals = [("Zebra", "Yak", "Xerus"), ("Walrus", "Vole", "Urial", "Tapir")]
    tables = [write_table(tmp_path / f"zoo{i}.csv", names, 9 + i) for i, names in enumerate(animals)]
    stranger = open_page(first, forgetful.url + "/own-data")
    expect(stranger.get_by_text("Synthetic example: no organisation in it exists")).to_be_visible()
    before = get_memory(forgetful)

    contexts = [chromium.new_context(locale="en-US") for _ in tables]
    pages = [open_page(context, forgetful.url + "/own-data") for context in contexts]
    for page, table in zip(pages, tables, strict=True):
        upload(page, table)
    for i, page in enumerate(pages):
        expect(page.get_by_text(f"organisations, {9 + i} weeks from")).to_be_visible()
        page.get_by_role("button", name="Use on the pages").click()
        expect(page.get_by_text("The pages run on this table:")).to_be_visible()
    assert get_memory(forgetful) > before + 1.8 * SIZE
    for page in pages:
        page.locator("[data-testid=stPageLink] a", has_text="Audit records").first.click()
    for i, page in enumerate(pages):
        expect(page.get_by_role("heading", level=1)).to_have_text("Same reports, different auditors")
        expect(page.get_by_text(f"{len(animals[i])} organisations, {9 + i} weeks from")).to_be_visible()
        expect(page).to_have_url(re.compile("own_data=on"))
        idle(page)
        assert f"zoo{i}.csv" in page.content() and f"zoo{1 - i}.csv" not in page.content()
        assert not any(name in page.url for name in (*animals[0], *animals[1], "zoo"))
    # the link opened elsewhere
    stranger.goto(pages[0].url)
    expect(stranger.get_by_text("Own data does not travel with a link")).to_be_visible()
    assert "zoo" not in stranger.content()

    for context in contexts:
        context.close()
    deadline = time.monotonic() + 40
    while get_memory(forgetful) > before + 0.5 * SIZE and time.monotonic() < deadline:
        # sessions that are over go when another one ends
        time.sleep(1.2)
        open_page(first, forgetful.url + "/about").close()
    assert get_memory(forgetful) < before + 0.5 * SIZE


def test_two_gigabytes_are_refused_before_they_are_read(
    forgetful: Server, first: BrowserContext, tmp_path: Path
) -> None:
    huge, small = tmp_path / "huge.csv", tmp_path / "small.csv"
    small.write_text("date,name\n2024-01-01,Zebra\n2024-01-02,Yak\n")
    with huge.open("wb") as file:
        file.truncate(2_000 * MEGABYTE)
    page = open_page(first, forgetful.url + "/own-data")
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "PUT" else None)
    upload(page, huge)
    expect(page.locator("[class*=st-key-own_upload]")).to_contain_text(re.compile("200.*MB or smaller"))
    assert not sent
    page.reload()
    idle(page)
    upload(page, small)
    expect(page.get_by_text("2 reports about")).to_be_visible()
    # whoever leaves out the page's own check is stopped by the first line of the request
    address = forgetful.url.removeprefix("http://")
    server = http.client.HTTPConnection(address, timeout=20)
    server.putrequest("PUT", sent[0].url.split(address)[1])
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in first.cookies())
    token = sent[0].all_headers().get("x-xsrftoken", "")
    for name, value in (("Content-Length", "2000000000"), ("Cookie", cookies), ("X-Xsrftoken", token),
                        ("Content-Type", "multipart/form-data; boundary=x"), ("Origin", forgetful.url)):  # fmt: skip
        server.putheader(name, value)
    server.endheaders()
    assert server.getresponse().status == 413
