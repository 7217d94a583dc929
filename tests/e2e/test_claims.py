"""The ledger in a real browser: no barrier, cards on a phone, links that lead to the pages, a file to take home."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

from browser import idle, overflow, violations
from playwright.sync_api import Page, expect

from core import claims
from ui.frame import PAGES

Visit = Callable[..., Page]
CLAIMS = claims.load()


def test_table(visit: Visit) -> None:
    page = visit("/claims")
    rows = page.get_by_role("table", name="Claims with their numbers").get_by_role("row")
    expect(rows).to_have_count(len(CLAIMS) + 1)
    expect(rows.nth(1).get_by_role("cell")).to_have_count(4)
    assert overflow(page) <= 0
    assert violations(page) == []


def test_cards_on_a_phone(see: Visit) -> None:
    page = see("/claims?ledger_page=start&lang=fr", width=390, height=844)
    cells = page.locator(".claims td")
    expect(cells).to_have_count(4 * sum(claim.page == "start" for claim in CLAIMS))
    assert overflow(page) <= 0
    assert violations(page) == []
    small = page.evaluate(
        "() => [...document.querySelectorAll('.claims *')].map(e => parseFloat(getComputedStyle(e).fontSize))"
        ".filter(size => size < 14)"
    )
    assert small == []
    box, card = cells.first.bounding_box(), page.locator(".claims tbody tr").first.bounding_box()
    assert box and card and box["width"] > 0.9 * card["width"]


def test_filter_simulate_download_and_follow(see: Visit) -> None:
    page = see("/claims?C=37")
    page.locator(".st-key-w_ledger_page").get_by_text("Long run", exact=True).click()
    mine = [claim for claim in CLAIMS if claim.page == "long-run"]
    expect(page.locator(".claims tbody tr")).to_have_count(len(mine))
    page.locator(".st-key-w_ledger_kind").get_by_text("figure", exact=True).click()
    expect(page.locator(".claims tbody tr")).to_have_count(4)
    expect(page.locator(".claims")).to_contain_text("as stored")
    page.locator(".st-key-ledger_simulate button").click()
    expect(page.locator(".st-key-ledger_simulate")).to_have_count(0, timeout=60_000)
    expect(page.locator(".claims")).not_to_contain_text("as stored")
    idle(page)
    with page.expect_download() as download:
        page.locator(".st-key-csv_claims button").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    assert [row["id"] for row in rows] == [claim.id for claim in mine if claim.kind == "figure"]
    assert all(row["holds"] == "True" for row in rows)
    page.locator(".claims a").first.click()
    expect(page).to_have_url(re.compile(r"/long-run\?lang=en&C=37"))
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES[3].question)
