"""Every page at its defaults and at the ends of every range, in every language: no error, and something to see."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from ui.frame import PAGES
from ui.words import LANGUAGES

SETTINGS = {
    "defaults": {},
    "smallest": {"C": "2", "T": "1", "L": "1", "delta": "0.005", "gap": "0", "runs": "10", "people": "2"},
    "largest": {"C": "500", "T": "10000", "L": "10000", "delta": "0.95", "runs": "10", "people": "1000"},
    "ends of the test": {"fpr": "0.01", "people": "1000", "runs": "10"},
    "no lead": {"gap": "0", "runs": "10"},
    "largest lead": {"gap": "500", "runs": "10"},
    "no reports": {"lead": "0", "other": "0", "runs": "10"},
    "most reports": {"lead": "20", "other": "20", "runs": "10", "T": "200", "L": "200"},
    "burst": {"stream": "burst", "rr": "race", "runs": "10"},
}  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_page(new_app: Callable[..., AppTest], page, setting: str) -> None:
    for code in LANGUAGES:
        at = new_app(page.file, lang=code, **SETTINGS[setting])
        assert not at.error
        # a page may warn of what it shows; nothing of the link may have been mended
        assert [warning.value for warning in at.warning if warning.icon == ":material/info:"] == []
        assert len(at.title) == 1
        assert {"lang": code, **SETTINGS[setting]}.items() <= {**_defaults(), **dict(at.query_params)}.items()


def _defaults() -> dict[str, str]:
    from core.parameters import TABLE

    return {
        row.url: f"{row.default:g}" if isinstance(row.default, float) else str(row.default) for row in TABLE.values()
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_rerun_is_stable(new_app: Callable[..., AppTest], page) -> None:
    at = new_app(page.file)
    before = dict(at.query_params)
    at.run()
    assert not at.exception
    assert dict(at.query_params) == before
