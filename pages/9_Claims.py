"""Is every number here checked?"""

import streamlit as st

from core.claims import ERRORS, KINDS, load
from ui import claims, frame
from ui.controls import choice
from ui.words import _, number

frame.toolbar("claims")
words = st.container()
titles = {page.id: _(page.title) for page in frame.PAGES}
everything = load()
pages = [name for name in titles if any(claim.page == name for claim in everything)]
left, right = st.columns(2)
with left:
    kinds = {"all": _("all kinds")} | {name: _(claims.KINDS[name]) for name in KINDS}
    kind = choice("ledger_kind", _("Kind of claim"), kinds, "all")
with right:
    names = {"all": _("all pages")} | {name: titles[name] for name in pages}
    where = choice("ledger_page", _("Shown on"), names, "all")
shown = [claim for claim in everything if kind in ("all", claim.kind) and where in ("all", claim.page)]
stored = [claim for claim in shown if not claims.is_fresh(claim)]
with st.container(horizontal=True, vertical_alignment="center", key="ledger_buttons"):
    pressed = bool(stored) and st.button(
        _("Run the stored simulations now ({count})").format(count=number(len(stored))),
        key="ledger_simulate", icon=":material/play_arrow:",
    )  # fmt: skip
    downloads = st.container(width="content")
if pressed:
    claims.simulate(stored)
    st.rerun()
results = [claims.get_result(claim) for claim in shown]
with downloads:
    frame.downloads("claims", claims.to_table(results))
with words:
    frame.sentence(claims.headline([claims.get_result(claim) for claim in everything]), key="claims")
st.html(frame.ASSETS / "styles" / "claims.css")
if results:
    st.html(claims.to_html(results, titles))
else:
    st.info(_("No claim of this kind is shown on this page."))
frame.what_to_notice(
    [
        _(
            "Numbers without chance must agree up to the rounding of the computer, or up to what the reference was "
            "written with. Simulated numbers may differ from theirs by {most} standard errors of both together."
        ).format(most=number(ERRORS)),
        _(
            "A reference never comes from the code it checks: it is printed in the paper, or was computed apart with "
            "more digits, by hand or by another program."
        ),
        _(
            "The automatic tests read the same list as this page, and make sure that a reference which is wrong by a "
            "factor of two would be noticed."
        ),
        _("What goes beyond the paper is marked as our own result; the paper's authors have not checked it."),
    ]
)
command = "python -m core claims" + ("" if kind == "all" else f" --kind {kind}")
frame.how_computed(
    _(
        "Each claim names a function of the dashboard's core and its arguments. Difference = number now minus "
        "reference; for simulations it is divided by $\\sqrt{s^2 + s_0^2}$, with the standard errors $s$ of the "
        "number now and $s_0$ of the reference. The terminal runs all simulations anew."
    ),
    command,
)
