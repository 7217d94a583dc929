"""Fading tally: better mechanisms at the same delta, and what they do not give."""

from ui.controls import choice
from ui.fading import interval, jumps, league, outright, story, unequal
from ui.frame import toolbar
from ui.state import current
from ui.words import N_, _

VIEWS = {
    "story": (N_("Story"), story.show),
    "jumps": (N_("Jumps"), jumps.show),
    "deadlines": (N_("Deadlines"), interval.show),
    "unequal": (N_("Audits and costs"), unequal.show),
    "outright": (N_("Delta alone"), outright.show),
    "league": (N_("League"), league.show),
}

toolbar("fading")
view = choice("fading_view", _("View"), {name: _(title) for name, (title, _show) in VIEWS.items()}, "story")
VIEWS[view][1](current())
