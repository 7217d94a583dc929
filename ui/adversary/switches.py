"""On/off switches of the views, kept in the URL."""

from __future__ import annotations

import streamlit as st

from ui import state


def switch(key: str, name: str, *, help: str | None = None, default: str = "off") -> bool:
    """A page-local switch, `default` unless the URL says otherwise under `key`."""
    widget = f"w_{key}"

    def commit() -> None:
        state.set_choice(key, "on" if st.session_state[widget] else "off")

    on = state.get_choice(key, ["off", "on"], default) == "on"
    state.show(widget, on)
    st.toggle(name, key=widget, help=help, on_change=commit)
    return on
