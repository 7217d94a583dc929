"""A button that copies the page's address: the one thing about links that needs the browser itself."""

import streamlit as st

from ui.words import _

_HTML = """
<div class="copy">
  <button type="button">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1"/><path d="M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1"/>
    </svg>
    <span class="text"></span>
  </button>
  <input readonly hidden>
  <span class="told" role="status"></span>
</div>
"""

_CSS = """
.copy { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; font: 400 0.875rem var(--st-font); }
button {
  display: inline-flex; gap: 0.5rem; align-items: center; min-height: 2.5rem; padding: 0 0.75rem; cursor: pointer;
  font: inherit; color: var(--st-text-color); background: var(--st-background-color); white-space: nowrap;
  border: 1px solid var(--st-widget-border-color, var(--st-border-color)); border-radius: var(--st-button-radius);
}
svg { width: 1.125rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
button:hover { border-color: var(--st-primary-color); color: var(--st-primary-color); }
button:focus-visible, input:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
input {
  font: inherit; min-width: 8rem; flex: 1; min-height: 2.25rem; color: var(--st-text-color);
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
}
.told:empty { display: none; }
@media (max-width: 640px) { svg { display: none; } }
"""

_JS = """
export default function ({ data, parentElement }) {
  const find = name => parentElement.querySelector(name)
  const button = find("button"), field = find("input"), told = find(".told"), text = find(".text")
  text.textContent = data.copy
  field.setAttribute("aria-label", data.address)
  button.onclick = async () => {
    const address = window.location.href
    try {
      await navigator.clipboard.writeText(address)
      field.hidden = true
      text.textContent = data.copied
      told.textContent = ""
    } catch {
      // No permission, or no secure address: leave the link selected for the reader's own copy key.
      field.hidden = false
      field.value = address
      field.focus()
      field.select()
      told.textContent = data.by_hand
      return
    }
    clearTimeout(button.timer)
    button.timer = setTimeout(() => { text.textContent = data.copy }, 3000)
  }
  button.setAttribute("aria-live", "polite")
  return () => clearTimeout(button.timer)
}
"""

_component = st.components.v2.component("copy_link", html=_HTML, css=_CSS, js=_JS)


def copy_link(key: str) -> None:
    """Draw the button; it copies the address as it stands when pressed."""
    words = {
        "copy": _("Copy link"),
        "copied": _("Link copied"),
        "address": _("Address of this page"),
        "by_hand": _("Press Ctrl+C (or Cmd+C) to copy."),
    }
    _component(key=key, data=words, width="content")
