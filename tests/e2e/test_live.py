"""Live pictures in a real browser: they follow the thumb, by mouse and by keyboard, before the server knows."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import idle, violations
from playwright.sync_api import Locator, Page, expect

Visit = Callable[..., Page]

WATCH = """element => {
    window.drawn = []
    const host = element.getRootNode().querySelector(".live")
    new MutationObserver(() => window.drawn.push(performance.now()))
        .observe(host, { attributes: true, attributeFilter: ["data-drawn"] })
}"""


def slider(page: Page, name: str = "delta") -> Locator:
    """The slider of a parameter inside a live picture."""
    return page.locator(f".live input[data-name={name}]")


def drag(page: Page, thumb: Locator, moves: int) -> int:
    """Hold the thumb and move it across and back; how many pictures were drawn."""
    thumb.evaluate(WATCH)
    box = thumb.bounding_box()
    assert box is not None
    stop, most = int(thumb.input_value()), int(thumb.get_attribute("max") or 0)
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 12 + stop / most * (box["width"] - 24), y)
    page.mouse.down()
    for i in range(moves):
        page.mouse.move(box["x"] + 12 + (i % 60) / 60 * (box["width"] - 24), y)
    return page.evaluate("window.drawn.length")


@pytest.mark.parametrize("path", ["/", "/lead", "/adversary"])
def test_picture_follows_the_thumb(see: Visit, path: str) -> None:
    page = see(path)
    thumb = slider(page)
    before = page.url
    assert drag(page, thumb, 60) >= 10, "the picture must change while the thumb is held"
    assert page.evaluate("location.href") == before, "the server must not hear of a thumb that is still held"
    page.mouse.up()
    shown = thumb.get_attribute("aria-valuetext")
    expect(page).to_have_url(re.compile(rf"delta={re.escape(shown or '')}(&|$)"))
    idle(page)
    assert thumb.get_attribute("aria-valuetext") == shown


def test_keys_change_sentence_and_curve_before_the_server(see: Visit) -> None:
    page = see("/adversary")
    thumb = slider(page)
    sentence = page.locator(".live .text.large")
    curve = page.locator(".live .curve[data-name='Noisy tally']").first
    words, line = sentence.inner_text(), curve.get_attribute("d")
    page.context.set_offline(True)
    thumb.focus()
    page.keyboard.press("ArrowRight")
    expect(sentence).not_to_have_text(words)
    expect(curve).not_to_have_attribute("d", line or "")
    expect(thumb).to_have_attribute("aria-valuetext", "0.105")
    page.context.set_offline(False)


def test_keys_reach_the_address_and_keep_the_focus(see: Visit) -> None:
    page = see("/adversary")
    thumb = slider(page)
    thumb.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"delta=0\.15&"))
    idle(page)
    expect(thumb).to_be_focused()
    expect(thumb).to_have_attribute("aria-valuetext", "0.15")
    slider(page, "people").focus()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(r"people=1000"))
    expect(thumb).to_have_attribute("aria-valuetext", "0.15")


def test_a_rerun_does_not_move_a_held_thumb(see: Visit) -> None:
    page = see("/adversary")
    people, delta = slider(page, "people"), slider(page)
    people.focus()
    page.keyboard.press("ArrowRight")
    drag(page, delta, 31)
    held = delta.input_value()
    expect(page).to_have_url(re.compile(r"people=12"))
    idle(page)
    assert delta.input_value() == held
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"delta=.*people=12"))


def test_a_value_set_elsewhere_wins(see: Visit) -> None:
    page = see("/adversary?delta=0.2&people=8")
    thumb = slider(page)
    expect(thumb).to_have_attribute("aria-valuetext", "0.2")
    thumb.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"delta=0\.22"))
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(thumb).to_have_attribute("aria-valuetext", "0.1")
    expect(slider(page, "people")).to_have_attribute("aria-valuetext", "10")


def test_sentence_is_spoken_once_it_rests(see: Visit) -> None:
    page = see("/adversary")
    spoken = page.locator(".live [aria-live=polite]")
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    expect(spoken).to_contain_text("No audit record can raise the suspicion of you from 10% to more than 14.")


@pytest.mark.parametrize("path", ["/", "/lead", "/adversary"])
def test_downloads_work_offline(see: Visit, chromium, tmp_path: Path, path: str) -> None:
    page = see(path)
    saved = {}
    for kind in ("svg", "png", "html"):
        page.locator(".live .menu summary").click()
        with page.expect_download() as waiting:
            page.locator(f".live button[data-save={kind}]").click()
        saved[kind] = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved[kind])
    assert saved["png"].read_bytes().startswith(b"\x89PNG") and saved["png"].stat().st_size > 10_000
    drawing = saved["svg"].read_text()
    assert "<title>" in drawing and "var(" not in drawing and "color-mix" not in drawing
    context = chromium.new_context(offline=True)
    try:
        copy = context.new_page()
        wrong: list[str] = []
        copy.on("pageerror", lambda error: wrong.append(str(error)))
        copy.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        copy.goto(saved["html"].as_uri())
        sentence = copy.locator(".live .text").first if path != "/" else copy.locator(".live .text.large")
        words = sentence.inner_text()
        slider(copy).focus()
        copy.keyboard.press("End")
        expect(sentence).not_to_have_text(words)
        copy.goto(saved["svg"].as_uri())
        assert not wrong
    finally:
        context.close()


def test_start_plays_and_takes_the_report_back(see: Visit) -> None:
    page = see("/")
    greedy = page.locator(".lane[data-lane=greedy] .cell")
    expect(greedy.nth(14)).not_to_have_text("", timeout=10_000)
    expect(greedy.nth(7)).to_have_text("7")
    page.get_by_role("button", name="Take the report back").click()
    expect(page).to_have_url(re.compile("report=withheld"))
    expect(page.get_by_role("button", name="File the report")).to_be_visible()
    expect(greedy.nth(14)).not_to_have_text("", timeout=10_000)
    page.get_by_role("button", name="Another run").click()
    expect(page).to_have_url(re.compile("run=2"))
    expect(page).to_have_url(re.compile("report=withheld"))
    link = page.evaluate("location.search")
    record = page.locator(".lane[data-lane=tca] .strip")
    expect(record.locator(".cell").nth(14)).not_to_have_text("", timeout=10_000)
    other = see("/" + link)
    same = other.locator(".lane[data-lane=tca] .strip")
    expect(same.locator(".cell").nth(14)).not_to_have_text("", timeout=10_000)
    assert same.inner_text() == record.inner_text()


def test_nothing_moves_where_the_system_asks_for_rest(see: Visit) -> None:
    page = see("/", motion="reduce")
    last = page.locator(".lane[data-lane=tca] .cell").nth(14)
    expect(last).not_to_have_text("", timeout=300)


def test_two_buttons_in_a_row_both_arrive(see: Visit) -> None:
    page = see("/")
    page.get_by_role("button", name="Take the report back").click(no_wait_after=True)
    page.get_by_role("button", name="Another run").click(no_wait_after=True)
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    for part in ("report=withheld", "run=2", r"delta=0\.12"):
        expect(page).to_have_url(re.compile(part))


@pytest.mark.parametrize("path", ["/", "/adversary?delta=0.95&people=2"])
@pytest.mark.parametrize("width", [390, 1440])
def test_no_barrier_inside_the_picture(visit: Visit, path: str, width: int) -> None:
    page = visit(path, width=width)
    page.locator(".live .menu summary").click()
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/", "/adversary"])
def test_touch_targets_and_type(see: Visit, path: str) -> None:
    page = see(path, width=390, height=844)
    page.locator(".live .menu summary").click()
    for target in page.locator(".live :is(button, summary, input)").all():
        box = target.bounding_box()
        assert box is not None and box["height"] >= 44, target.evaluate("e => e.outerHTML")
    small = page.locator(".live").evaluate(
        """host => [...host.querySelectorAll("*")]
            .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && e.checkVisibility())
            .filter(e => parseFloat(getComputedStyle(e).fontSize) < 13.9)
            .map(e => e.outerHTML.slice(0, 100))"""
    )
    assert small == []


@pytest.mark.parametrize("path", ["/?lang=fr", "/adversary?lang=fr", "/?lang=ko", "/adversary?lang=ko"])
def test_numbers_are_written_as_in_the_rest_of_the_page(see: Visit, path: str) -> None:
    page = see(path)
    number = re.compile(r"\d[\u202f\u00a0]%" if "lang=fr" in path else r"\d%")
    expect(page.locator(".live .text.large")).to_contain_text(number)
