"""Twin worlds in a real browser: what lights up is what differs; pairs, steps and the report by pointer and keys."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from browser import idle, overflow, violations
from playwright.sync_api import Locator, Page, expect

from core.parameters import Parameters, mend
from ui.adversary.twins_player import Count, Report, get_pair, measure
from ui.records import AUDITORS

Visit = Callable[..., Page]
PATH = "/adversary?view=twins&C=8&T=120&L=120&delta=0.3"
SMALL = mend({"targets": 8, "horizon": 120, "run_length": 120, "delta": 0.3})[0]
REPORT = Report(40, 2)


def counts(p: Parameters = SMALL, report: Report = REPORT) -> dict[str, Count]:
    return measure(AUDITORS, p, report, 200)


def lane(page: Page, name: str) -> Locator:
    return page.locator(".twins .lane").nth(AUDITORS.index(name))


def ready(page: Page) -> Page:
    expect(page.locator(".twins .lane")).to_have_count(4, timeout=60_000)
    expect(page.locator(".twins")).to_have_attribute("data-busy", "no")
    return page


def drawn(page: Page) -> list[tuple[int, int]]:
    """Steps drawn and steps lit up, lane by lane."""
    return [
        (int(canvas.get_attribute("data-dots") or -1), int(canvas.get_attribute("data-differ") or -1))
        for canvas in page.locator(".twins canvas").all()
    ]


def lit(pair: int, first: int, length: int, report: Report = REPORT) -> list[tuple[int, int]]:
    seen = []
    for name in AUDITORS:
        shown = get_pair(name, SMALL, report, pair - 1)
        window = slice(first - 1, first - 1 + length)
        seen.append((length, int((shown.with_report != shown.without_report)[window].sum())))
    return seen


def test_only_what_differs_lights_up(see: Visit) -> None:
    page = ready(see(PATH + "&pair=3"))
    assert drawn(page) == lit(3, 20, 100)
    page.get_by_label("Steps shown").select_option("20")
    expect(page).to_have_url(re.compile("span=20"))
    first = int(page.locator(".twins .from").input_value())
    assert drawn(page) == lit(3, first, 20)
    page.get_by_label("Steps shown").select_option("120")
    assert drawn(page) == lit(3, 1, 120)
    for name, count in counts().items():
        expect(lane(page, name).locator(".count")).to_have_text(f"{count.found} of 200")
        expect(lane(page, name).locator(".gauge")).to_have_attribute("aria-label", re.compile(f"^{count.found} of 200"))


def test_differences_are_visited_in_turn(see: Visit) -> None:
    pair = int(np.flatnonzero(counts()["greedy"].differs)[0]) + 1
    page = ready(see(f"{PATH}&pair={pair}"))
    shown = [get_pair(name, SMALL, REPORT, pair - 1) for name in AUDITORS]
    steps = np.flatnonzero(np.any([one.with_report != one.without_report for one in shown], axis=0)) + 1
    wanted = [int(step) for step in steps if step > REPORT.step][:3]
    for step in wanted:
        page.get_by_role("button", name="Next difference").click()
        expect(page.locator(".twins .now")).to_have_text(f"step {step} of 120")
        for name, one in zip(AUDITORS, shown, strict=True):
            a, b = one.with_report[step - 1] + 1, one.without_report[step - 1] + 1
            text = f"No. {a} audited in both worlds." if a == b else f"No. {a} audited with the report, no. {b} without"
            expect(lane(page, name).locator(".line")).to_contain_text(text)
    expect(page).to_have_url(re.compile(f"when={wanted[-1]}"))
    expect(page.locator(".twins .news")).to_contain_text(f"step {wanted[-1]} of 120. Follow the reports: No.")


def test_pairs_are_fetched(see: Visit) -> None:
    found = counts()
    page = ready(see(f"{PATH}&pair=1"))
    expect(page.get_by_role("button", name="Previous pair")).to_be_disabled()
    for number in (2, 3, 4):
        page.get_by_role("button", name="Next pair", exact=True).click()
        expect(page.locator(".twins .pair")).to_have_text(f"pair {number} of 200")
    expect(page).to_have_url(re.compile("pair=4"))
    ready(page)
    assert drawn(page) == lit(4, 20, 100)
    following = next(int(number) + 1 for number in np.flatnonzero(found["tca"].differs) if number + 1 > 4)
    page.get_by_role("button", name=re.compile("Next pair in which .*: Noisy tally")).click()
    expect(page).to_have_url(re.compile(f"pair={following}"))
    expect(lane(page, "tca").locator(".story")).to_contain_text("First difference")
    ready(page)
    assert drawn(page) == lit(following, 20, 100)
    expect(page.get_by_role("button", name=re.compile("Next pair in which .*: Draw lots"))).to_be_disabled()
    page.reload()
    ready(page)
    expect(page.locator(".twins .pair")).to_have_text(f"pair {following} of 200")


def test_a_click_puts_the_report_elsewhere(see: Visit) -> None:
    page = ready(see(PATH))
    canvas = lane(page, "tca").locator("canvas")
    box = canvas.bounding_box()
    assert box is not None
    canvas.hover(position={"x": box["width"] * 0.505, "y": 20})
    expect(page.locator(".twins .now")).to_have_text(re.compile(r"report no. 7 at step 7\d"))
    canvas.click(position={"x": box["width"] * 0.505, "y": 20})
    expect(page).to_have_url(re.compile(r"at=7\d&about=7"), timeout=30_000)
    ready(page)
    idle(page)
    step = int(re.findall(r"at=(\d+)", page.evaluate("location.href"))[0])
    for name, count in counts(SMALL, Report(step, 6)).items():
        expect(lane(page, name).locator(".count")).to_have_text(f"{count.found} of 200")
    expect(page.get_by_text(f"somebody also reports no. 7 at step {step}")).to_be_visible()
    slider = page.locator(".st-key-w_at input[type=range]")
    expect(slider).to_have_value(str(step))
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(f"somebody also reports no. 7 at step {step + 1}")).to_be_visible()


def test_keys_put_the_report_elsewhere(see: Visit) -> None:
    page = ready(see(PATH))
    canvas = lane(page, "greedy").locator("canvas")
    canvas.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    expect(page.locator(".twins .now")).to_have_text("report no. 4 at step 41")
    expect(page.locator(".twins .news")).to_contain_text("report no. 4 at step 41")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"at=41&about=4"), timeout=30_000)
    ready(page)
    expect(canvas).to_be_focused()
    found = counts(SMALL, Report(41, 3))["greedy"].found
    expect(lane(page, "greedy").locator(".count")).to_have_text(f"{found} of 200")


def test_plays_and_stops(see: Visit) -> None:
    page = ready(see(PATH, motion="reduce"))
    expect(page.locator(".twins .now")).to_have_text("step 40 of 120")
    page.wait_for_timeout(500)
    expect(page.locator(".twins .now")).to_have_text("step 40 of 120")
    page.locator(".twins .speed").select_option("30")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".twins .now")).not_to_have_text("step 40 of 120")
    page.get_by_role("button", name="Pause").click()
    expect(page).to_have_url(re.compile(r"when=\d+"))
    page.locator(".twins .speed").select_option("150")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".twins .now")).to_have_text("step 120 of 120", timeout=20_000)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    slider = page.locator(".twins .slider")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "step 1 of 120")
    expect(page).to_have_url(re.compile(r"when=1(&|$)"))
    assert [steps for steps, _ in drawn(page)] == [100] * 4
    expect(page.locator(".twins .from")).to_have_value("1")


def test_same_noise_in_a_fold(see: Visit) -> None:
    page = ready(see(PATH))
    page.get_by_text("Why not simply the same noise?").click()
    expect(page.get_by_text("That is no leak")).to_be_visible(timeout=20_000)
    same = measure(["tca"], SMALL, REPORT, 200, same_noise=True)["tca"]
    expect(page.get_by_role("cell", name=f"{same.found} of 200", exact=True).first).to_be_visible()


def test_no_barrier(visit: Visit) -> None:
    page = ready(visit(PATH + "&pair=3"))
    idle(page)
    assert violations(page) == []
    small = page.locator(".twins").evaluate(
        """root => [...root.querySelectorAll("*")].filter(e => e.checkVisibility() && parseFloat(
            getComputedStyle(e).fontSize) < 13.9 && e.textContent.trim()).map(e => e.outerHTML.slice(0, 100))"""
    )
    assert small == []


def test_phone(see: Visit) -> None:
    page = ready(see(PATH, width=390, height=844, has_touch=True, is_mobile=True))
    assert overflow(page) <= 0
    for button in page.locator(".twins button, .twins select").all():
        box = button.bounding_box()
        assert box is not None and box["height"] >= 44 and box["width"] >= 44
    lane(page, "greedy").locator("canvas").tap(position={"x": 180, "y": 12})
    expect(page).to_have_url(re.compile(r"at=\d+&about=8"), timeout=30_000)


def test_taken_home(see: Visit) -> None:
    page = ready(see(PATH))
    with page.expect_download() as picture:
        page.locator(".twins").get_by_role("button", name="Picture (PNG)").click()
    assert picture.value.suggested_filename == "twin-worlds.png"
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")


def test_player_at_home_needs_no_network(see: Visit, tmp_path: Path) -> None:
    page = see("/adversary?view=twins&C=12&T=60&L=60&pairs=20")
    with page.expect_download() as download:
        page.get_by_role("button", name="Player (HTML)").click()
    path = tmp_path / "twins.html"
    download.value.save_as(path)
    context = page.context.browser.new_context(offline=True)
    home, errors = context.new_page(), []
    home.on("pageerror", lambda error: errors.append(str(error)))
    home.goto(path.as_uri())
    expect(home.get_by_role("heading", name="Twin worlds")).to_be_visible()
    expect(home.locator("canvas").first).to_be_visible()
    home.locator("input[type=range]").first.focus()
    home.keyboard.press("ArrowRight")
    assert not errors
    context.close()
