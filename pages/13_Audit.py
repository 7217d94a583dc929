"""Privacy audit: would an auditor that leaks too much be caught?"""

import streamlit as st

from ui.audit import broken, convert, one, own, power
from ui.audit.foot import foot
from ui.controls import choice
from ui.frame import toolbar
from ui.state import current
from ui.words import N_, _

VIEWS = {
    "one": (N_("Audit one"), one.show),
    "broken": (N_("Catch the broken one"), broken.show),
    "power": (N_("How many runs?"), power.show),
    "own": (N_("Your own attack"), own.show),
    "convert": (N_("From epsilon to mu"), convert.show),
}

toolbar("audit")
view = choice("audit_view", _("View"), {name: _(title) for name, (title, _show) in VIEWS.items()}, "one")
VIEWS[view][1](current())
st.caption(foot())
