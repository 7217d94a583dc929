"""The whole app under AppTest: always the entry point, never a page's file alone, so that the frame is tested too."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from streamlit.testing.v1 import AppTest

# The same cases every time, and no clock: a busy machine is no reason to fail.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

APP = Path(__file__).parent.parent / "app.py"


@pytest.fixture
def new_app() -> Callable[..., AppTest]:
    """Start the app with a page's file, a browser language and a URL query, and run it once."""

    def start(page: str | None = None, locale: str = "en-US", **query: Any) -> AppTest:
        at = AppTest.from_file(APP, default_timeout=120)
        at.context = {"locale": locale, "theme": "light"}
        for key, value in query.items():
            at.query_params[key] = str(value)
        at.run()
        if page is not None:
            at.switch_page(page).run()
        assert not at.exception, at.exception[0].message
        return at

    return start


@pytest.fixture
def app(new_app: Callable[..., AppTest]) -> AppTest:
    """The app as a first visitor sees it."""
    return new_app()
