"""What stands around and between the pictures of every page, the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from core.parameters import PRESETS, TABLE, Correction, Parameters, replace
from ui import bet, columns, controls, export, handout, levels, state
from ui.copy_link import copy_link
from ui.learn import tour
from ui.navigation import PAGES, Page
from ui.words import LANGUAGE_LABEL, LANGUAGES, N_, _, language, number

ASSETS = Path(__file__).parent.parent / "assets"

_SCRIPT = (ASSETS / "frame.js").read_text()

Table = pd.DataFrame | Callable[[], pd.DataFrame]


_PRESETS = {
    "experiment-1": N_("Paper, experiment 1"),
    "experiment-2": N_("Paper, experiment 2"),
    "small-regulator": N_("Small regulator"),
    "school": N_("School exercise"),
}


# Streamlit's uploader speaks English only; what may be uploaded stands in its label.
_UPLOADER = """<style>
[data-testid="stFileUploaderDropzoneInstructions"] { display: none; }
[data-testid="stFileUploaderDropzone"] button p { font-size: 0; }
[data-testid="stFileUploaderDropzone"] button p::after { content: "%s"; font-size: 0.875rem; }
</style>"""


# --- around the page -------------------------------------------------------------------------------------------------
def open_frame() -> None:
    """Style, language and state: what must stand before the navigation is drawn."""
    st.html(ASSETS / "styles" / "frame.css")
    st.logo(ASSETS / "wordmark.svg", size="large")
    state.load()
    st.html(_UPLOADER % _("Choose a file").replace('"', ""))
    with st.container(key="language", gap=None):
        _language_switch()
        script = _SCRIPT.replace("%LANGUAGE%", language()).replace("%MORE%", _("more pages").replace('"', ""))
        st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)


def _language_switch() -> None:
    def commit() -> None:
        st.session_state["language"] = st.session_state["w_lang"]

    state.show("w_lang", language())
    st.segmented_control(
        LANGUAGE_LABEL, list(LANGUAGES), format_func=LANGUAGES.__getitem__, required=True,
        key="w_lang", label_visibility="collapsed", on_change=commit,
    )  # fmt: skip


def show_page(page: Page, run: Callable[[], None]) -> None:
    """Heading, notices and the page itself; then the URL is brought up to date."""

    state.begin_page(page.id)
    bet.begin()
    with st.container(key="head", horizontal=True, vertical_alignment="bottom"):
        st.title(_(page.question), anchor=False)
        st.session_state["toolbar"] = st.container(key="tools", horizontal=True, width="content")
        with st.container(key="level", width="content", gap=None):
            levels.switch()
        st.session_state["bet_place"] = st.container(key="bet_place", width="content", gap=None)
    tour.bar(page.id)
    box = st.container(key="notices")
    run()
    levels.under(page.id)
    unused = state.end_page()
    with box:
        notices_box(unused)
    _next_page(page)


def _next_page(page: Page) -> None:
    following = PAGES[(PAGES.index(page) + 1) % len(PAGES)]
    with st.container(key="next_page"):
        label = _("Next: {question}").format(question=_(following.question))
        st.page_link(following.file, label=label, icon=":material/arrow_forward:")


def notices_box(unused: Sequence[str] = ()) -> None:
    """What of the link or of a change was not taken as given, and what is used instead."""
    told = [_told(correction) for correction in state.notices()]
    if told:
        st.warning("\n".join(f"- {text}" for text in told) if told[1:] else told[0], icon=":material/info:")
    if unused:
        names = ", ".join(f"`{_quoted(key)}`" for key in unused)
        st.caption(_("Not used from the link: {names}.").format(names=names))


def _quoted(text: str) -> str:
    """Foreign text, short and without power over the page."""
    safe = "".join(sign if sign.isprintable() and sign not in "`$[]<>\\" else "?" for sign in text)
    return safe if len(safe) <= 40 else safe[:39] + "…"


def _told(correction: Correction) -> str:
    name, given = correction.name, _quoted(correction.given)
    row = TABLE.get(name)
    title = controls.label(name) if row else f"`{_quoted(name)}`"
    used = controls.show(name, correction.used) if row else str(correction.used)
    if name == "lang":
        title, used = _("Language"), LANGUAGES[str(correction.used)]
    allowed = _allowed(name)
    text = {
        "not-a-value": _("{name}: `{given}` cannot be used. Allowed: {allowed}. Used instead: {used}."),
        "out-of-range": _("{name}: `{given}` lies outside the range. Allowed: {allowed}. Used instead: {used}."),
        "off-step": _("{name}: `{given}` lies between two steps. Allowed: {allowed}. Used instead: {used}."),
        "over-horizon": _("{name}: `{given}` is more than the number of audits covered. Used instead: {used}."),
        "too-large": _("{name}: `{given}` would need too much time or memory. The most that fits is used: {used}."),
    }[correction.reason]
    if not allowed:
        text = _("{name}: `{given}` cannot be used. Used instead: {used}.")
    return text.format(name=title, given=given, allowed=allowed, used=used)


def _allowed(name: str) -> str:
    if name == "lang":
        return ", ".join(LANGUAGES)
    if name not in TABLE:
        return ""
    row = TABLE[name]
    if row.choices:
        return ", ".join(row.choices)
    assert row.minimum is not None and row.maximum is not None and row.step is not None
    text = _("{low} to {high} in steps of {step}")
    return text.format(low=number(row.minimum), high=number(row.maximum), step=number(row.step))


# --- at one place on every page --------------------------------------------------------------------------------------
def toolbar(page_id: str) -> None:
    """Presets, copy link, the hand-out, reset: at the same place on every page."""
    with st.session_state.get("toolbar") or st.container(horizontal=True):
        _presets()
        copy_link(f"copy_link_{page_id}")
        handout.button(page_id)
        st.button(_("Reset"), key="reset", icon=":material/restart_alt:", on_click=_reset)


def _presets() -> None:
    scenario = replace(state.current(), seed=Parameters().seed)
    shown = next((name for name, preset in PRESETS.items() if preset == scenario), "")

    def commit() -> None:
        name = st.session_state["w_preset"]
        # after a change of language the widget may hand back a label of the other one
        if name in PRESETS:
            values = {row: getattr(PRESETS[name], row) for row in TABLE if row != "seed"}
            state.change(**values)

    labels = {"": _("Own settings")} | {name: _(_PRESETS[name]) for name in PRESETS}
    state.show("w_preset", shown)
    st.selectbox(
        _("Scenario"), list(labels), key="w_preset", on_change=commit, label_visibility="collapsed", width=220,
        format_func=labels.__getitem__,
    )  # fmt: skip


def _reset() -> None:
    # How the page is read is no setting of the scenario, as little as the language.
    st.session_state["choices"] = {key: v for key, v in st.session_state["choices"].items() if key == "level"}
    state.change(**{name: row.default for name, row in TABLE.items()})


# --- between the pictures --------------------------------------------------------------------------------------------
def sentence(markdown: str, *, key: str = "sentence") -> None:
    """The sentence with live numbers, large."""
    with st.container(key=f"sentence_{key}"):
        st.markdown(markdown)


def what_to_notice(points: Sequence[str]) -> None:
    """Short points a reader should take away."""
    st.header(_("What to notice"), anchor=False)
    st.markdown("\n".join(f"- {point}" for point in points))


def how_computed(markdown: str, command: str) -> None:
    """Formula with the live values, theorem, and the terminal command that gives the same number."""
    with st.expander(_("How this is computed"), icon=":material/function:", expanded=levels.current() == "proof"):
        st.markdown(markdown)
        st.caption(_("The same number from a terminal:"))
        st.code(command, language=None, wrap_lines=True)


def chart(
    figure: go.Figure, *, key: str, alt: str, table: Table, name: str, axes: str, title: str | None = None
) -> None:
    """A figure with its description, one sentence about its axes, and its data to look at or take home.

    `table` may be a function: it is called only when the reader opens the fold. `name` is the stem of the files.
    """
    picture = st.session_state.get(f"picture_{key}", "svg")
    config = {
        "displaylogo": False,
        "modeBarButtonsToRemove": ["select2d", "lasso2d"],
        "toImageButtonOptions": {"format": picture, "filename": name, "scale": 2 if picture == "png" else 1},
    }
    st.plotly_chart(_readable(figure), key=key, alt=alt, config=config)
    st.caption(axes)
    fold = _data_fold(key)
    if not fold.open:
        return
    with fold:
        shown = _show_table(title or alt, table, name)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            downloads(name, shown)
            _html_download(figure, key=key, name=name, title=title or name, alt=alt, axes=axes)
            st.segmented_control(
                _("The camera in the chart's menu saves"), ["svg", "png"], format_func=str.upper, default=picture,
                required=True, key=f"picture_{key}", persist_state="session",
            )  # fmt: skip


def _readable(figure: go.Figure) -> go.Figure:
    """Streamlit's theme writes axes at 12 pixels; nobody should have to lean in.

    A zoom by mouse would be lost with the next change of a slider, and on a phone it would catch the finger that wants
    to scroll: axes stand still, and a page that needs a closer look has a control for it.
    """
    font = {"font": {"size": 14}, "dragmode": False}
    ticks = {"tickfont": {"size": 14}, "title": {"font": {"size": 14}}, "fixedrange": True}
    layout = figure.layout.to_plotly_json()
    axes = {name: ticks for name in layout if name.startswith(("xaxis", "yaxis"))} or {"xaxis": ticks, "yaxis": ticks}
    letters = {"font": font["font"]}
    return figure.update_layout({**font, "legend": letters, "hoverlabel": letters, **axes})


def data_section(tables: Sequence[tuple[str, Table, str]], *, key: str = "page") -> None:
    """The fold "Data" with tables (title, table, file stem) and their downloads, for pictures that are no charts."""
    fold = _data_fold(key)
    if not fold.open:
        return
    with fold:
        for title, table, name in tables:
            downloads(name, _show_table(title, table, name))


def _data_fold(key: str) -> ExpanderContainer:
    """Tables are made and sent only when somebody looks."""
    return st.expander(_("Data"), icon=":material/table:", key=f"data_{key}", on_change="rerun")


def _show_table(title: str, table: Table, name: str) -> pd.DataFrame:
    """Draw the table, made here in the reader's language, and return it."""
    frame = table() if callable(table) else table
    st.caption(title)
    st.dataframe(frame, hide_index=True, alt=title, key=f"table_{name}", column_config=columns.configure(frame))
    return frame


def downloads(name: str, table: Table) -> None:
    """The table as CSV in full precision."""
    st.download_button(
        _("Table (CSV)"), lambda: export.to_csv(table() if callable(table) else table), f"{name}.csv", "text/csv",
        key=f"csv_{name}", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _html_download(figure: go.Figure, *, key: str, name: str, title: str, alt: str, axes: str) -> None:
    # The file is made when the button is pressed, in a thread that knows no session.
    code = language()
    st.download_button(
        _("Figure (HTML)"), lambda: export.to_html(figure, title, alt, axes, code), f"{name}.html", "text/html",
        key=f"html_{key}", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
