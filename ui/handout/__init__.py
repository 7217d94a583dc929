"""One popover on every page: the scenario as a page that works offline, and as a one-page brief to print."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from core.auditors import MECHANISMS
from core.parameters import Parameters, replace
from ui import frames, state
from ui.handout import content, render
from ui.marks import plain
from ui.words import _, number

STYLE = Path(__file__).resolve().parents[2] / "assets" / "handout" / "button.css"


def button(page_id: str) -> None:
    """Draw the popover "Take it home"; opening it reruns nothing but itself."""
    st.html(STYLE)
    _popover(page_id)


@st.fragment
def _popover(page_id: str) -> None:
    # Numbers and words are made while the popover is open, in the session and so in its language; what is left for
    # the download itself, which runs in a thread without one, is to put prepared texts into the template.
    box = st.popover(
        _("Take it home"), icon=":material/print:", key=f"take_home_{page_id}", on_change="rerun", width="content"
    )  # fmt: skip
    if not box.open:
        return
    with box:
        asked = state.current()
        made = content.make(asked, _courses(replace(asked, runs=frames.page_runs(asked))), address())
        st.markdown(_("This scenario, in this language, with its numbers, its limits and the link that reopens it:"))
        _offer(page_id, _("Interactive page (HTML)"), "page", partial(render.page, made))
        for paper in render.PAPERS:
            label = _("One-page brief ({paper})").format(paper=paper)
            _offer(page_id, label, f"brief-{paper.lower()}", partial(render.brief, made, paper))
        st.caption(_("Both work without a network. Open the brief in a browser, then print it or save it as PDF."))


def _offer(page_id: str, label: str, stem: str, make: Callable[[], bytes]) -> None:
    st.download_button(
        label, make, f"deniability-lab-{stem}.html", "text/html", key=f"take_{stem}_{page_id}", on_click="ignore",
        icon=":material/download:", width="stretch",
    )  # fmt: skip


def _courses(p: Parameters) -> dict[str, frames.Course]:
    """All auditors over the long run, the same runs as on the page Long run."""
    bar, courses = st.empty(), {}
    runs = dict.fromkeys(MECHANISMS, p.runs)
    if fading := frames.fading_runs(p):
        runs["fading"] = fading
    for i, (name, wanted) in enumerate(runs.items()):
        found = frames.kept_course(name, p, wanted)
        if found is None:
            text = _("Simulating {name}: {runs} runs of {audits} audits, {targets} organisations").format(
                name=plain(name), runs=number(wanted), audits=number(p.horizon), targets=number(p.targets)
            )

            def tell(done: float, i: int = i, text: str = text) -> None:
                bar.progress((i + done) / len(runs), text)

            found = frames.course(name, p, wanted, tell)
        courses[name] = found
    bar.empty()
    return courses


def address() -> str:
    """The link that reopens this page: in full where the server knows its own name, else from the question mark on."""
    query = state.query()
    # A page names its own values while it runs; above it, only the URL still tells which of them belong to it.
    shown, choices = st.query_params.to_dict(), st.session_state["choices"]
    query |= {key: value for key, value in choices.items() if key in shown}
    base = urlsplit(st.context.url or "")
    return urlunsplit((base.scheme, base.netloc, base.path, urlencode(query), ""))
