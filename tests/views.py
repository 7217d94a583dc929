"""Open a view of the Adversary page by its link, under AppTest."""

from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from core.parameters import TABLE

PAGE = "pages/5_Adversary.py"
SHARED = {row.url for row in TABLE.values()} | {"lang"}


def open_view(new_app: Callable[..., AppTest], view: str, **query: Any) -> AppTest:
    """The view as a deep link opens it: AppTest always starts on another page, which must not use up the link."""
    at = new_app(**{key: value for key, value in query.items() if key in SHARED})
    local = {key: str(value) for key, value in query.items() if key not in SHARED}
    at.session_state["waiting"] = {"view": view, **local}
    at.switch_page(PAGE).run()
    assert not at.exception, at.exception[0].message
    return at
