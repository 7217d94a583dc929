"""The reading level and the bet in a real browser: by keyboard, on a phone, in the header beside nine pages."""

import re
from collections.abc import Callable

import pytest
from browser import idle, overflow, violations
from playwright.sync_api import Page, expect

from ui.words import LANGUAGES

Visit = Callable[..., Page]


APART = """() => {
    const shown = selector => [...document.querySelectorAll(selector)]
        .map(e => e.getBoundingClientRect()).filter(box => box.width && box.height)
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
    const [level] = shown(".st-key-level"), [language] = shown(".st-key-language")
    const pages = shown("[data-testid=stTopNavLink], [data-testid=stExpandSidebarButton]")
    return pages.length && !over(level, language) && !pages.some(box => over(box, level) || over(box, language))
}"""


@pytest.mark.parametrize("code", LANGUAGES)
def test_header_has_room_for_pages_level_and_language(see: Visit, code: str) -> None:
    page = see(f"/lead?lang={code}")
    for width in (1440, 1310, 1200, 1100, 900, 700, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for key in ("language", "level"):
            expect(page.locator(f".st-key-{key}")).to_be_in_viewport(ratio=1)
        expect(page.locator(".st-key-bet_toggle")).to_be_in_viewport(ratio=1)
        # The navigation needs a moment to put what does not fit into its menu.
        page.wait_for_function(APART)
        assert overflow(page) <= 0


def test_level_by_keyboard_survives_pages(see: Visit) -> None:
    page = see("/about")
    choice = page.locator(".st-key-level").get_by_role("radio", name="Proof")
    choice.focus()
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile(r"level=proof"))
    expect(page.get_by_role("heading", name="The arguments, with the values of this page")).to_be_visible()
    idle(page)
    assert violations(page) == []
    page.get_by_role("link", name="Lead", exact=True).click()
    expect(page).to_have_url(re.compile(r"/lead\?.*level=proof"))
    expect(page.locator(".st-key-proof .katex").first).to_be_visible()
    assert page.locator(".katex-error").count() == 0


@pytest.mark.parametrize("path", ["/long-run?runs=10&T=100&L=100", "/adversary", "/about"])
def test_formulas_can_be_read_on_a_phone(see: Visit, path: str) -> None:
    page = see(path + ("&" if "?" in path else "?") + "level=proof", width=390, height=844)
    expect(page.locator(".st-key-proof .katex").first).to_be_attached()
    assert page.locator(".katex-error").count() == 0
    assert overflow(page) <= 0


def test_bet_by_keyboard(see: Visit) -> None:
    page = see("/lead", scheme="dark")
    page.locator(".st-key-bet_toggle button").press("Enter")
    field = page.get_by_label("Lead, in open reports")
    expect(field).to_be_visible()
    idle(page)
    assert violations(page) == []
    field.focus()
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"bet=12(&|$)"))
    expect(page.locator(".st-key-bet_answer")).to_contain_text("You guessed 12: too low.")
    expect(page.locator(".st-key-lead")).to_be_visible()
    page.locator(".st-key-bet_again button").press("Enter")
    expect(field).to_be_visible()
    expect(page.locator(".st-key-lead")).to_have_count(0)


def test_hidden_picture_is_not_sent(see: Visit) -> None:
    """The frames of the socket hold the question, but neither the picture nor the numbers under it."""
    frames: list[bytes] = []
    blank = see("/about")
    page = blank.context.new_page()
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived", lambda data: frames.append(data if isinstance(data, bytes) else data.encode())
        ),
    )
    page.goto(blank.url.split("/about")[0] + "/lead?bet=open")
    expect(page.get_by_label("Lead, in open reports")).to_be_visible()
    idle(page)
    sent = b"".join(frames)
    assert b"Lead, in open reports" in sent
    for secret in (b"for an even chance", b"Noisy tally, exact", b"What to notice"):
        assert secret not in sent
