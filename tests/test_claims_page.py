"""The page with the ledger: the file's sentences in every language, live numbers, filters, simulations on request."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from core import claims
from ui import claims as view
from ui import words
from ui.navigation import PAGES

PAGE = "pages/9_Claims.py"
CLAIMS = claims.load()


@pytest.fixture(autouse=True)
def nothing_simulated() -> None:
    view._simulated().clear()


def open_ledger(new_app: Callable[..., AppTest], lang: str = "en", **local: str) -> AppTest:
    return new_app(PAGE, lang=lang, **local)


def ledger(at: AppTest) -> str:
    return next((html.proto.body for html in at.get("html") if 'class="claims"' in html.proto.body), "")


def shown(at: AppTest) -> list[str]:
    return re.findall(r'id="claim-([^"]+)"', ledger(at))


def test_the_words_are_the_files() -> None:
    """What the translators' tools find in ui/claims.py is what stands in core/claims.toml."""
    assert list(view.TEXTS) == list(dict.fromkeys(claim.text for claim in CLAIMS))
    assert list(view.SOURCES) == list(dict.fromkeys(claim.source for claim in CLAIMS))
    assert list(view.BASES) == list(dict.fromkeys(claim.basis for claim in CLAIMS))
    assert list(view.NOTES) == list(dict.fromkeys(claim.note for claim in CLAIMS if claim.note))
    assert tuple(view.KINDS) == claims.KINDS


def test_every_page_exists() -> None:
    assert {claim.page for claim in CLAIMS} <= {page.id for page in PAGES}


@pytest.mark.parametrize("code", words.LANGUAGES)
def test_every_claim_is_there_with_its_numbers(new_app: Callable[..., AppTest], code: str) -> None:
    at = open_ledger(new_app, code)
    assert shown(at) == [claim.id for claim in CLAIMS]
    text = unescape(ledger(at)).replace("<wbr>", "")
    assert "{" not in text
    for claim in CLAIMS:
        assert claim.test in text
    assert 'class="differs"' not in text
    sentence = at.markdown[0].value
    assert sentence.count(f"**{len(CLAIMS)}") == 2


def test_filters_are_in_the_link(new_app: Callable[..., AppTest]) -> None:
    at = open_ledger(new_app, ledger_kind="own", ledger_page="plan")
    assert shown(at) == ["lead-for-error"]
    at.segmented_control(key="w_ledger_page").set_value("lead").run()
    assert shown(at) == [claim.id for claim in CLAIMS if (claim.kind, claim.page) == ("own", "lead")]
    assert {"ledger_kind": "own", "ledger_page": "lead"}.items() <= dict(at.query_params).items()
    at.segmented_control(key="w_ledger_kind").set_value("figure").run()
    at.segmented_control(key="w_ledger_page").set_value("start").run()
    assert shown(at) == [] and len(at.info) == 1


def test_simulations_run_on_request_and_once(new_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def quick(claim: claims.Claim, progress: claims.Progress = None) -> claims.Result:
        if not claim.simulated:
            return claims.judge(claim, claim.reference)
        asked.append(claim.id)
        if progress:
            progress(0.5)
        return claims.judge(claim, claim.reference + 0.03125, 0.0625)

    monkeypatch.setattr(claims, "compute", quick)
    at = open_ledger(new_app, ledger_page="long-run", ledger_kind="figure")
    assert asked == [] and ledger(at).count("as stored") == 4
    assert "12.1, standard error 0.056" in ledger(at)
    at.button(key="ledger_simulate").click().run()
    assert not at.exception
    assert asked == [claim.id for claim in CLAIMS if claim.page == "long-run" and claim.kind == "figure"]
    assert "as stored" not in ledger(at) and "12.05, standard error 0.062" in ledger(at)
    assert not any(button.key == "ledger_simulate" for button in at.button)
    again = open_ledger(new_app, ledger_page="long-run")
    assert ledger(again).count("as stored") == sum(
        c.page == "long-run" and c.kind != "figure" for c in CLAIMS if c.simulated
    )
    assert len(asked) == 4


def test_a_claim_that_fails_is_said_in_words(new_app: Callable[..., AppTest]) -> None:
    claim = next(claim for claim in CLAIMS if claim.simulated)
    view._simulated()[claim.id] = claims.judge(claim, 2 * claim.reference, 0.01)
    at = open_ledger(new_app)
    assert ledger(at).count('class="differs"') == 1
    assert f"**{len(CLAIMS) - 1}** of **{len(CLAIMS)}**" in at.markdown[0].value
    exact = next(claim for claim in CLAIMS if not claim.simulated)
    for result in (claims.judge(replace(exact, reference=1.0), 2.0), view.get_result(claim)):
        assert "more than the allowed" in view.say_difference(result)[1]


def test_the_file_has_full_precision() -> None:
    table = view.to_table([claims.judge(claim, claim.reference / 3) for claim in CLAIMS if not claim.simulated])
    assert table["now"].tolist() == [claim.reference / 3 for claim in CLAIMS if not claim.simulated]
    assert not table["holds"].any()
    assert table["claim"].str.contains("{", regex=False).sum() == 0
