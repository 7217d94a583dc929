"""On the pages that run on an own table: what they run on, the way back, and who is who."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ui import state
from ui.navigation import PAGES
from ui.own import use
from ui.own.says import quote
from ui.own.show import span
from ui.words import _, number

MARK = "own_data"
"""Key of the link that says a table was in use, and nothing about it."""


def show() -> None:
    """Whether the page runs on an own table; in a link opened elsewhere, that it does not."""
    own, marked = use.in_use(), state.get_choice(MARK, ["off", "on"], "off") == "on"
    if own is None:
        if marked:
            _missing()
        return
    if not marked:
        state.set_choice(MARK, "on")
    text = _("**Your own table**, {name}: {targets} organisations, {span}. Link and hand-out leave it out.")
    if own.synthetic:
        text = _("**The synthetic example**: {targets} organisations, {span}. Link and hand-out leave it out.")
    with st.container(horizontal=True, vertical_alignment="center", key="own_banner"):
        st.markdown(
            text.format(name=quote(own.name), targets=number(len(own.table.targets)), span=span(own.table)),
            width="stretch",
        )
        st.button(_("Back to simulated reports"), key="own_back", icon=":material/undo:", on_click=use.put_away)


def _missing() -> None:
    page = next(page for page in PAGES if page.id == "own-data")
    st.info(
        _(
            "This link was made while somebody's own table was in use. Own data does not travel with a link, and does "
            "not survive a reload: shown are simulated reports."
        ),
        icon=":material/link_off:",
    )
    with st.container(horizontal=True):
        st.page_link(page.file, label=_(page.title), icon=f":material/{page.icon}:")
        st.button(_("Go on with simulated reports"), key="own_go_on", on_click=state.set_choice, args=(MARK, "off"))


def sizes() -> None:
    """In place of the sliders for organisations, audits, rates and stream."""
    own = use.in_use()
    assert own is not None
    st.caption(
        _(
            "Organisations (C = {targets}), audits (T = {steps}) and reports are the table's: their sliders come back "
            "with simulated reports. Every run sees the same reports; only noise and lots differ."
        ).format(targets=number(len(own.table.targets)), steps=number(len(own.table.steps)))
    )
    with st.expander(_("Who is no. 1, who is no. 2?"), icon=":material/badge:"):
        st.dataframe(
            pd.DataFrame(
                {
                    _("no."): range(1, len(own.table.targets) + 1),
                    _("name"): own.table.targets,
                    _("number of reports"): own.table.counts.sum(axis=0),
                }
            ),
            hide_index=True, alt=_("Organisations of the table by number"),
        )  # fmt: skip
