"""Open a view of the Adversary page by its link, under AppTest."""

from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

PAGE = "pages/5_Adversary.py"


def open_view(new_app: Callable[..., AppTest], view: str, **query: Any) -> AppTest:
    """The view as a deep link opens it."""
    return new_app(PAGE, view=view, **query)
