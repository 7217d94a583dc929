"""Which counters stand in the pictures, kept in the URL as one number."""

from __future__ import annotations

import streamlit as st

from core.counter_kinds import KINDS
from ui import state
from ui.counters.names import DEFAULT_SHOWN, from_mask, get_plain, to_mask
from ui.words import _

_KEY, _WIDGET = "counters_shown", "w_counters_shown"


def ask() -> list[str]:
    """The choice; at least the paper's counter."""

    def commit() -> None:
        state.set_int(_KEY, to_mask(st.session_state[_WIDGET]))

    shown = from_mask(state.get_int(_KEY, to_mask(DEFAULT_SHOWN), 1, (1 << len(KINDS)) - 1))
    state.show(_WIDGET, shown)
    names = {kind: get_plain(kind) for kind in KINDS}
    st.pills(
        _("Counters in the pictures"), list(names), selection_mode="multi", format_func=names.__getitem__,
        key=_WIDGET, on_change=commit, wrap=True,
    )  # fmt: skip
    return shown
