"""The record player in a real browser: every step drawn, played, scrubbed by keyboard, zoomed, kept and taken home."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import overflow, violations
from playwright.sync_api import Browser, Locator, Page, expect

from core.auditors import make_mechanism
from core.parameters import Parameters, mend
from core.simulation import Transcript, run_transcript
from core.streams import make_stream
from ui import records

Visit = Callable[..., Page]
NAMES = records.AUDITORS
DRAW = (records.SOURCES / "records_draw.js").read_text()
REPLAY = f"""data => {{ {DRAW}
  const record = decode(data)
  return record.lanes.map(lane => [...replay(record, lane, data.from, data.to, data.columns, data.rows)]) }}"""


def run(name: str, p: Parameters) -> Transcript:
    return run_transcript(make_mechanism(name, p), make_stream(p), p.horizon, p.seed)


def lane(page: Page, name: str) -> Locator:
    return page.locator(".player .lane").nth(NAMES.index(name))


def drawn(page: Page) -> list[int]:
    return [int(canvas.get_attribute("data-dots") or 0) for canvas in page.locator(".player canvas").all()]


def frames(page: Page) -> int:
    return int(page.locator(".player").get_attribute("data-frames") or 0)


def at_rest(page: Page) -> None:
    """The drawing on arrival is over."""
    expect(page.locator(".player .lane").first).to_be_visible()
    before = -1
    while before != (before := frames(page)):
        page.wait_for_timeout(250)


def test_every_step_is_drawn(see: Visit) -> None:
    page = see("/records")
    at_rest(page)
    assert drawn(page) == [1000] * 4
    expect(page.locator(".player .now")).to_have_text("step 1,000 of 1,000")
    page = see("/records?T=10000&C=10&auditors=five", width=390, height=844)
    at_rest(page)
    assert drawn(page) == [10_000] * 5


@pytest.mark.parametrize("first", [1, 31])
def test_open_reports_are_replayed_exactly(see: Visit, first: int) -> None:
    p = mend({"targets": 9, "horizon": 80, "delta": 0.3, "other_rate": 0.5})[0]
    page = see("/records")
    view = {"from": first, "to": 80, "columns": 80 - first + 1, "rows": 9}
    boxes = page.evaluate(REPLAY, {**records.player_data(p, NAMES), **view})
    for name, got in zip(NAMES, boxes, strict=True):
        assert np.array_equal(np.reshape(got, (9, -1)).T, run(name, p).active[first - 1 :])
    narrow = page.evaluate(REPLAY, {**records.player_data(p, NAMES), **view, "from": 1, "columns": 20, "rows": 3})
    active = run("tca", p).active
    assert np.array_equal(np.reshape(narrow[1], (3, 20)).T, active.reshape(20, 4, 3, 3).max(axis=(1, 3)))


def test_keyboard_scrubs_and_the_words_follow(see: Visit) -> None:
    page = see("/records?step=212")
    slider = page.locator(".player .slider")
    expect(slider).to_have_attribute("aria-valuetext", "step 212 of 1,000")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"step=213"))
    expect(slider).to_be_focused()
    p = Parameters()
    for name in NAMES:
        record = run(name, p)
        line = lane(page, name).locator(".line")
        expect(line).to_contain_text(f"No. {record.audits[212] + 1} audited")
        if not record.hit[212]:
            expect(line).to_contain_text(f"Missed: {record.deficit[212]}.")
        expect(lane(page, name).locator(".mean")).to_have_text(f"{record.deficit[:213].mean():.3g}")
    expect(page.locator(".player .news")).to_contain_text("step 213 of 1,000. Follow the reports: No.")
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"step=1(&|$)"))
    page.keyboard.press("End")
    expect(page).not_to_have_url(re.compile(r"step="))
    page.get_by_role("button", name="One step back").press("Enter")
    expect(page).to_have_url(re.compile(r"step=999"))


def test_plays_pauses_and_plays_to_the_end(see: Visit) -> None:
    page = see("/records?step=1")
    play = page.get_by_role("button", name="Play", exact=True)
    play.click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    news = page.locator(".player .news").inner_text()
    before = frames(page)
    while frames(page) < before + 20:
        page.wait_for_timeout(50)
    assert page.locator(".player .news").inner_text() == news, "a screen reader must not be talked down while it plays"
    page.get_by_role("button", name="Pause").click()
    expect(page).to_have_url(re.compile(r"step=\d\d+"))
    page.locator(".player .speed").select_option("600")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".player .now")).to_have_text("step 1,000 of 1,000", timeout=20_000)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page).not_to_have_url(re.compile(r"step="))


def test_window_survives_a_change_of_delta(see: Visit) -> None:
    page = see("/records?step=212")
    page.get_by_label("Steps shown").select_option("100")
    expect(page).to_have_url(re.compile(r"first=162&shown=100"))
    assert drawn(page) == [100] * 4
    mean = lane(page, "tca").locator(".mean")
    before = mean.inner_text()
    page.locator(".st-key-w_delta input[type=range]").focus()
    for _press in range(6):
        page.keyboard.press("ArrowRight")
    expect(mean).not_to_have_text(before)
    expect(page).to_have_url(re.compile(r"delta=0\.13.*step=212&first=162&shown=100"))
    assert drawn(page) == [100] * 4
    expect(page.locator(".player .now")).to_have_text("step 212 of 1,000")
    page.reload()
    expect(page.locator(".player .from")).to_have_attribute("aria-valuetext", "steps 162 to 261")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".player .now")).to_have_text("step 1,000 of 1,000")
    expect(page).to_have_url(re.compile(r"\?lang=en&seed=2026$"))


def test_fold_follows_the_step_and_nothing_else_is_redone(see: Visit) -> None:
    page = see("/records?step=212")
    page.get_by_text("What did the noisy tally see").click()
    expect(page.get_by_text("At step 212 it audited")).to_be_visible()
    expect(page.get_by_role("figure", name=re.compile("True and noisy counts"))).to_be_visible()
    sentence = page.locator(".st-key-sentence_records p").element_handle()
    page.get_by_role("button", name="One step on").click()
    expect(page.get_by_text("At step 213 it audited")).to_be_visible()
    assert sentence is not None and sentence.is_visible()
    assert violations(page) == []


def test_pointer_shows_and_chooses(see: Visit) -> None:
    page = see("/records?step=500&first=401&shown=100")
    canvas = lane(page, "tca").locator("canvas")
    box = canvas.bounding_box()
    assert box is not None
    canvas.hover(position={"x": box["width"] * 0.25, "y": 30})
    expect(page.locator(".player .now")).to_have_text(re.compile(r"step 42[456] of"))
    expect(page.locator(".player .slider")).to_have_value("500")
    page.mouse.move(5, 5)
    expect(page.locator(".player .now")).to_have_text("step 500 of 1,000")
    canvas.click(position={"x": box["width"] * 0.25, "y": 30})
    expect(page).to_have_url(re.compile(r"step=42[456]&first=401&shown=100"))


def test_reduced_motion_draws_the_whole_record_at_once(see: Visit) -> None:
    page = see("/records", motion="reduce")
    expect(page.locator(".player .now")).to_have_text("step 1,000 of 1,000")
    first = frames(page)
    page.wait_for_timeout(500)
    assert frames(page) == first <= 5
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".player .now")).not_to_have_text("step 1,000 of 1,000")


def test_no_barrier_in_the_player(visit: Visit) -> None:
    page = visit("/records?step=212&first=162&shown=100&auditors=five")
    at_rest(page)
    assert violations(page) == []
    small = page.locator(".player").evaluate(
        """root => [...root.querySelectorAll("*")].filter(e => e.checkVisibility() && parseFloat(
            getComputedStyle(e).fontSize) < 13.9 && e.textContent.trim()).map(e => e.outerHTML.slice(0, 100))"""
    )
    assert small == []


def test_phone(see: Visit) -> None:
    page = see("/records", width=390, height=844, has_touch=True, is_mobile=True)
    at_rest(page)
    assert overflow(page) <= 0
    third = lane(page, "rr").locator("canvas").bounding_box()
    assert third is not None and third["y"] + third["height"] <= 844
    for button in page.locator(".player button, .player select").all():
        box = button.bounding_box()
        assert box is not None and box["height"] >= 44 and box["width"] >= 44
    canvas = lane(page, "greedy").locator("canvas")
    canvas.tap(position={"x": 180, "y": 20})
    expect(page).to_have_url(re.compile(r"step=(49|50)\d"))


def test_taken_home(see: Visit, chromium: Browser, tmp_path: Path) -> None:
    page = see("/records?T=60&L=60&C=8")
    at_rest(page)
    with page.expect_download() as picture:
        page.get_by_role("button", name="Picture (PNG)").click()
    assert picture.value.suggested_filename == "audit-records.png"
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as player:
        page.get_by_role("button", name="Player (HTML)").click()
    file = tmp_path / "player.html"
    player.value.save_as(file)
    context = chromium.new_context(offline=True)
    wrong: list[Any] = []
    alone = context.new_page()
    alone.on("pageerror", lambda error: wrong.append(error))
    alone.on("request", lambda request: request.url.startswith("file:") or wrong.append(request.url))
    alone.goto(file.as_uri())
    place = alone.locator(".player .now")
    expect(place).to_have_text("step 60 of 60", timeout=10_000)
    assert drawn(alone) == [60] * 4
    alone.locator(".player .slider").focus()
    alone.keyboard.press("ArrowLeft")
    expect(place).to_have_text("step 59 of 60")
    context.close()
    assert not wrong
