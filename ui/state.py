"""The one scenario of a session, and its copy in the URL.

The URL is read once, when a page is opened; from then on the session holds the values and the URL follows, so that a
copied link always reproduces what is on the screen. Values that cannot be taken are replaced, and each one is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from core.parameters import TABLE, Correction, Parameters, from_query, to_query
from ui.words import DEFAULT, LANGUAGES

_RESERVED = {row.url for row in TABLE.values()} | {"lang"}


def load() -> None:
    """Read the URL, once per session."""
    state = st.session_state
    if "scenario" in state:
        return
    query = st.query_params.to_dict()
    parameters, told = from_query(query)
    notices = list(told)
    wanted = query.get("lang")
    if wanted is not None and wanted not in LANGUAGES:
        notices.append(Correction("lang", wanted, _browser_language(), "not-a-value"))
    state["language"] = wanted if wanted in LANGUAGES else _browser_language()
    state["scenario"] = parameters
    state["notices"] = notices
    state["waiting"] = {key: value for key, value in query.items() if key not in _RESERVED}
    state["choices"] = {}
    state["on_page"] = set()


def _browser_language() -> str:
    code = (st.context.locale or DEFAULT).replace("_", "-").split("-")[0]
    return code if code in LANGUAGES else DEFAULT


def current() -> Parameters:
    """The scenario every page shows."""
    return st.session_state.get("scenario", Parameters())


def change(**updates: Any) -> None:
    """Change parameters of the scenario; what had to be mended is told on the page."""
    parameters, told = current().with_changes(**updates)
    st.session_state["scenario"] = parameters
    st.session_state["notices"] = list(told)
    write_url()


def notices() -> list[Correction]:
    """What was not taken as given, until the next change."""
    return st.session_state.get("notices", [])


def _local(key: str) -> str | None:
    """The stored or linked text of a page-local value; from now on it is part of this page's link."""
    assert key not in _RESERVED, f"{key} is the URL key of a parameter"
    st.session_state["on_page"].add(key)
    waiting = st.session_state["waiting"]
    if key in waiting:
        st.session_state["choices"][key] = waiting.pop(key)
    return st.session_state["choices"].get(key)


def _tell(key: str, given: str, used: str | int, reason: str) -> None:
    st.session_state["choices"].pop(key, None)
    st.session_state["notices"].append(Correction(key, given, used, reason))


def get_choice(key: str, options: Sequence[str], default: str) -> str:
    """A page-local choice kept in the URL under `key`, by option id."""
    given = _local(key)
    if given is None or given == default:
        st.session_state["choices"].pop(key, None)
        return default
    if given not in options:
        _tell(key, given, default, "not-a-value")
        return default
    return given


def set_choice(key: str, value: str | int) -> None:
    """Keep a page-local value under `key` of the URL."""
    st.session_state["choices"][key] = str(value)
    write_url()


def get_int(key: str, default: int, minimum: int, maximum: int) -> int:
    """A page-local whole number kept in the URL under `key`, clamped to the range."""
    given = _local(key)
    if given is None:
        return default
    try:
        value = int(given)
    except ValueError:
        _tell(key, given, default, "not-a-value")
        return default
    used = min(max(value, minimum), maximum)
    if used != value:
        _tell(key, given, used, "out-of-range")
    if used == default:
        st.session_state["choices"].pop(key, None)
    else:
        st.session_state["choices"][key] = str(used)
    return used


set_int = set_choice


def query() -> dict[str, str]:
    """What the URL says: language, the parameters that differ from their defaults, the seed, this page's choices."""
    local = {key: value for key, value in st.session_state["choices"].items() if key in st.session_state["on_page"]}
    return {"lang": st.session_state["language"], **to_query(current()), **local}


def link() -> str:
    """The query string that reproduces this page."""
    return "?" + urlencode(query())


def write_url() -> None:
    """Bring the URL up to date."""
    wanted = query()
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def show(key: str, value: Any) -> None:
    """Let the widget `key` show `value`; call it before the widget is made.

    A widget that already shows the value is left alone, so that quick key presses are never undone. On arrival on
    another page a widget of the same key is a new one to the browser, whatever the session still remembers.
    """
    if st.session_state.get("arriving") or st.session_state.get(key) != value:
        st.session_state[key] = value


def begin_page(page_id: str) -> None:
    """Forget which page-local values the last page had; a page names its own as it runs."""
    st.session_state["arriving"] = page_id != st.session_state.get("page")
    st.session_state["page"] = page_id
    st.session_state["on_page"] = set()


def end_page() -> list[str]:
    """Bring the URL up to date and return the keys of the opened link that nothing uses, once."""
    write_url()
    st.session_state["arriving"] = False
    unused = sorted(st.session_state["waiting"])
    st.session_state["waiting"] = {}
    return unused
