"""Registers the components once and reads their sources from assets/components."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SOURCES = Path(__file__).resolve().parents[2] / "assets" / "components"
SHARED = ("base.js", "controls.js", "parts.js", "export.js")

# One function holds the whole program because the download as HTML writes that very function into the page it saves.
_FRAME = """function program() {
%s
return { mount }
}
const views = new WeakMap()
export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement.querySelector(".live")
  if (!views.has(host)) views.set(host, program().mount(host, program))
  views.get(host).update(data, (value) => setStateValue("commit", value))
  return () => {
    if (views.has(host)) views.get(host).destroy()
    views.delete(host)
  }
}
"""


def _read(*names: str) -> str:
    return "\n".join((SOURCES / name).read_text(encoding="utf-8") for name in names)


LIVE = st.components.v2.component(
    "deniability_live",
    html='<div class="live" data-kind="live"></div>',
    css=_read("base.css", "live.css"),
    js=_FRAME % _read(*SHARED, "plot.js", "live.js"),
)
START = st.components.v2.component(
    "deniability_start",
    html='<div class="live" data-kind="start"></div>',
    css=_read("base.css", "start.css"),
    js=_FRAME % _read(*SHARED, "start.js"),
)
