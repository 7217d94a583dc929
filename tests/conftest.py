"""The whole app under AppTest: always the entry point, never a page's file alone, so that the frame is tested too."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from ui.navigation import PAGES

# The same cases every time, and no clock: a busy machine is no reason to fail.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

# Every new AppTest reads the metadata of all installed packages in search of components, which takes five times as
# long as a page: what is installed does not change while the tests run.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

APP = Path(__file__).parent.parent / "app.py"


@pytest.fixture
def new_app() -> Callable[..., AppTest]:
    """Open a page (by its file) with a browser language and a URL query, as a deep link does."""

    def start(page: str = PAGES[0].file, locale: str = "en-US", **query: Any) -> AppTest:
        wanted = next(one for one in PAGES if one.file == page)
        at = AppTest.from_file(APP, default_timeout=600)
        at.context = {"locale": locale, "theme": "light"}
        for key, value in query.items():
            at.query_params[key] = str(value)
        if wanted is not PAGES[0]:
            # `switch_page` finds a page only after a run on another one.
            at._page_hash = calc_hash(wanted.id)
        at.run()
        assert not at.exception, at.exception[0].message
        assert at.session_state["page"] == wanted.id
        return at

    return start


@pytest.fixture
def app(new_app: Callable[..., AppTest]) -> AppTest:
    """The app as a first visitor sees it."""
    return new_app()
