"""The views of the Adversary page: each module shows one way to sit in the organisation's chair."""

from __future__ import annotations

import streamlit as st

from core.parameters import Parameters
from ui.controls import whole
from ui.own import row, use
from ui.own.use import OwnParameters
from ui.state import get_int
from ui.words import _


def suspected(p: Parameters) -> tuple[int, int]:
    """Step (from 1) and organisation (from 0) of the report the organisation suspects.

    Both live in the URL, but for those of an own table: a link must not tell.
    """
    if isinstance(p, OwnParameters):
        return use.get_report()
    return get_int("at", max(1, p.horizon // 3), 1, p.horizon), get_int("about", min(3, p.targets), 1, p.targets) - 1


def suspect_controls(p: Parameters) -> tuple[int, int]:
    """Sliders for the suspected report, or its row in an own table; returns what `suspected` returns."""
    if isinstance(p, OwnParameters):
        report = use.get_report()
        row.ask(p.table, report, "own_suspected", use.set_report)
        st.caption(row.tell(p.table, report))
        return report
    left, right = st.columns(2)
    with left:
        step = whole("at", _("Step of the suspected report"), max(1, p.horizon // 3), 1, p.horizon)
    with right:
        target = whole("about", _("Organisation it is about"), min(3, p.targets), 1, p.targets)
    return step, target - 1
