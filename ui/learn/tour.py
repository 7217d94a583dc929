"""The guided tour: a bar on top of the real pages that asks for one thing at a time and notices when it is done."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import streamlit as st

from core.parameters import Parameters
from ui import state
from ui.navigation import PAGES
from ui.words import _, language, number

FILE = Path(__file__).resolve().parents[2] / "assets" / "tour.toml"
_BAR = """<style>
.st-key-tour_row > .stElementContainer:first-child { flex: 1 1 20rem; width: auto; }
.st-key-tour_bar { background: var(--st-background-color, Canvas); }
@media (min-width: 900px) {
  .stLayoutWrapper:has(> .st-key-tour_bar) { position: sticky; top: 3.75rem; z-index: 1000; }
}
@media (prefers-color-scheme: dark) { .st-key-tour_next [data-testid="stBaseButton-primary"] { color: #0d1117; } }
</style>"""
_JS = """<script>/* STEP */ document.querySelector(".stMain")?.scrollTo(0, 0);</script>"""
_POINT = """<style>
.st-key-%(key)s { outline: 3px dashed #d1570f; outline-offset: 6px; border-radius: 0.4rem; }
.st-key-%(key)s::before { content: "%(sign)s"; display: block; font-weight: 700; }
</style>"""


@dataclass(frozen=True)
class Step:
    """One step of the tour.

    Attributes:
        page: id of the page it happens on.
        control: key of the part of the page to point at; empty where there is none.
        changed: parameter that must get another value than it had when the step began.
        at_least: parameters and the values they must reach.
        chosen: page-local values of the link and what they must be; an empty text stands for anything but the default.
            Without any of these three, being on the page is enough.
        texts: the instruction by language.
    """

    page: str
    control: str = ""
    changed: str = ""
    at_least: Mapping[str, float] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def is_done(self, page_id: str, before: Parameters, now: Parameters, choices: Mapping[str, str]) -> bool:
        """Whether the reader has done what the step asks for."""
        if page_id != self.page:
            return False
        if self.changed and getattr(before, self.changed) == getattr(now, self.changed):
            return False
        if any(getattr(now, name) < value for name, value in self.at_least.items()):
            return False
        return all(choices.get(key) == value if value else choices.get(key) for key, value in self.chosen.items())

    def text(self) -> str:
        """The instruction in the reader's language, else in English."""
        return self.texts.get(language(), self.texts["en"])


@cache
def steps() -> tuple[Step, ...]:
    """The steps of the file, in order."""
    known = set(Step.__dataclass_fields__) - {"texts"}
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["step"]
    return tuple(
        Step(
            **{key: value for key, value in row.items() if key in known},
            texts={key: value for key, value in row.items() if key not in known},
        )
        for row in rows
    )


def go(to: int) -> None:
    """Go to a step (from 1) and its page; 0, or one behind the last, ends the tour."""
    if not 1 <= to <= len(steps()):
        state.set_int("tour", 0)
        return
    state.set_int("tour", to)
    st.switch_page(next(page.file for page in PAGES if page.id == steps()[to - 1].page))


def _progress(page_id: str, at: int) -> bool:
    """Whether the step is done; once done it stays so."""
    kept = st.session_state.get("tour_kept")
    if kept is None or kept["at"] != at:
        kept = {"at": at, "before": state.current(), "done": False}
        st.session_state["tour_kept"] = kept
    step = steps()[at - 1]
    if step.is_done(page_id, kept["before"], state.current(), st.session_state["choices"]):
        kept["done"] = True
    return kept["done"]


def bar(page_id: str) -> None:
    """Draw the step of the tour that is on, if one is."""
    at = state.get_int("tour", 0, 0, len(steps()))
    if at == 0:
        st.session_state.pop("tour_kept", None)
        return
    step, done, last = steps()[at - 1], _progress(page_id, at), at == len(steps())
    if step.control and not done and page_id == step.page:
        sign = "▼ " + _("Here").replace('"', "").replace("\\", "")
        st.html(_POINT % {"key": step.control, "sign": sign})
    # A new step begins where its text is: a phone would stay where the last one ended.
    st.html(_BAR + _JS.replace("STEP", str(at)), unsafe_allow_javascript=True)
    with st.container(key="tour_bar", border=True, gap="small"):
        place = _("Tour, step {at} of {all}").format(at=number(at), all=number(len(steps())))
        st.progress(at / len(steps()), place)
        with st.container(horizontal=True, vertical_alignment="center", key="tour_row"):
            if done:
                st.markdown(":material/check_circle: " + _("**Done.** {text}").format(text=step.text()))
            else:
                st.markdown(step.text())
            _buttons(page_id, step, at, done, last)


def _buttons(page_id: str, step: Step, at: int, done: bool, last: bool) -> None:
    if page_id != step.page and not done:
        page = next(page for page in PAGES if page.id == step.page)
        label = _("Go to the page “{title}”").format(title=_(page.title))
        st.page_link(page.file, label=label, icon=":material/arrow_forward:")
    label = _("Finish the tour") if last else _("Next step") if done else _("Skip this step")
    if st.button(label, key="tour_next", type="primary" if done else "secondary"):
        go(at + 1)
        st.rerun()
    st.button(_("Stop the tour"), key="tour_stop", type="tertiary", on_click=state.set_int, args=("tour", 0))
