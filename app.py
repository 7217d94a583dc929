"""Entry point: frame, language and navigation around the chosen page."""

from pathlib import Path

import ui.warm  # noqa: F401

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ui.frame import open_frame, show_page
from ui.navigation import PAGES
from ui.words import _

# The icon before the navigation: else the browser asks a remote server for a page's icon.
st.set_page_config(page_icon=str(Path(__file__).parent / "assets" / "icon.png"), layout="wide")
open_frame()
pages = {page: st.Page(page.file, title=_(page.title), url_path=page.id, default=page is PAGES[0]) for page in PAGES}
menus: dict[str, list[StreamlitPage]] = {}
for page, entry in pages.items():
    menus.setdefault(_(page.section) if page.section else "", []).append(entry)
chosen = st.navigation(menus, position="top")
page = next(page for page, entry in pages.items() if entry.url_path == chosen.url_path)
st.set_page_config(page_title=f"{chosen.title} · Deniability Lab")
show_page(page, chosen.run)
