// Streamlit always says the page is English; a screen reader must not.
document.documentElement.lang = "%LANGUAGE%"

// Streamlit adds a step to the history for every change of the query, so that Back would undo sliders one by one and
// never leave. On the same page the address is replaced instead.
if (!window.labHistory) {
  window.labHistory = true
  const push = history.pushState.bind(history)
  history.pushState = (state, title, url) => {
    const same = new URL(url, location.href).pathname === location.pathname
    if (same) return history.replaceState(state, title, url)
    push(state, title, url)
    // On a phone the list of pages lies over the page: whoever chose one wants to see it.
    const close = document.querySelector('[data-testid="stSidebarCollapseButton"] button')
    if (close && window.innerWidth < 768) close.click()
  }
}

// Where the pages do not fit, Streamlit gathers the rest under "8 more", in English for everybody.
window.labMore = "%MORE%"
if (!window.labMenu) {
  const translate = () => {
    for (const label of document.querySelectorAll('[data-testid="stTopNavSection"] p')) {
      if (/^\d+ more$/.test(label.textContent)) label.firstChild.nodeValue = window.labMore
    }
    // On a phone it puts headings between the items of its list of pages, which is then no list to a screen reader.
    for (const item of document.querySelectorAll('ul[data-testid="stSidebarNavItems"]:not([role]), [data-testid="stSidebarNavItems"] li:not([role])')) {
      item.setAttribute("role", "presentation")
    }
  }
  window.labMenu = new MutationObserver(translate)
  window.labMenu.observe(document.body, { childList: true, subtree: true, characterData: true })
  translate()
}
