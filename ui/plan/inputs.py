"""What a policy-maker says: one slider a wish, all of them in the URL, and all of them in one short code for pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from core.parameters import TABLE
from core.planning import WAYS, Plan, Wishes
from ui import state
from ui.controls import choice, control
from ui.words import N_, _, number, percent


def _stops(name: str, scale: int = 1) -> tuple[int, ...]:
    row = TABLE[name]
    return tuple(sorted({round(stop * scale) for stop in row.stops if stop > 0}))


@dataclass(frozen=True)
class Field:
    """One wish as a whole number: its name in the URL and what a slider offers."""

    key: str
    label: str
    help: str
    default: int
    stops: tuple[int, ...]


_YEARLY = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 26, 30, 40, 52, 75, 100, 150, 200, 300, 500, 1000)

FIELDS: dict[str, Field] = {
    field.key: field
    for field in (
        Field("orgs", N_("Organisations"), N_("How many organisations the auditor can choose from."),
              50, _stops("targets")),
        Field("ayear", N_("Audits a year"), N_("One organisation is audited each time."),
              52, (1, 2, 4, 6, 8, 10, 12, 18, 24, 26, 36, 52, 75, 104, 150, 200, 250, 365)),
        Field("years", N_("Years the promise must last"), N_("The promise covers all audits of these years together."),
              5, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50)),
        Field("problem", N_("Reports a year about an organisation with a real problem"),
              N_("How many people a year you expect to speak up where something is wrong."), 52, _YEARLY),
        Field("usual", N_("Reports a year about any other organisation"),
              N_("Complaints that turn up anywhere: mistakes, grudges, small matters."), 5, (0, *_YEARLY)),
        Field("crowd", N_("People who could have known"),
              N_("Among how many people the organisation looks for the one who reported."), 10, _stops("people")),
        Field("odds", N_("Suspicion of one of them that is still tolerable"),
              N_("How suspect one person may become in the eyes of the organisation, whoever it is and whether or not "
                 "that person reported."),
              18, (11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 30, 40, 60, 90, 150)),
        Field("again", N_("Reports one person may file about the organisation"),
              N_("Each further report by the same person uses up some of the promise."),
              1, (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)),
        Field("miss", N_("Chance to pass over the worst organisation"),
              N_("At one audit, when it is ahead by the lead you name."), 5, (1, 2, 5, 10, 20, 30, 40, 50, 60)),
        Field("ahead", N_("Lead of the worst organisation, in reports"),
              N_("How many more open reports it has than each of the others."), 32, _stops("gap")[1:]),
        Field("budget", N_("Deniability budget (delta)"),
              N_("How much likelier any pattern of audits may become through one report."),
              100, _stops("delta", 1000)),
    )
}  # fmt: skip

EXTRA = {"delta": (), "error": ("miss", "ahead"), "lead": ("miss",), "horizon": ("miss", "ahead"),
         "reports": ("budget",)}  # fmt: skip
"""Which further sliders each thing solved for needs."""


def ladder(key: str, show: Callable[[int], str]) -> int:
    """A page-local whole number on stops, kept in the URL; a linked value between two stops stays on offer."""
    field, widget = FIELDS[key], f"w_{key}"

    def commit() -> None:
        state.set_int(key, st.session_state[widget])

    value = state.get_int(key, field.default, field.stops[0], field.stops[-1])
    between = st.session_state.setdefault("plan_between", {}).setdefault(key, set())
    if value not in field.stops:
        between.add(value)
    names = {stop: show(stop) for stop in sorted({*field.stops, *between})}
    state.show(widget, value)
    st.select_slider(
        _(field.label), list(names), format_func=names.__getitem__, key=widget, help=_(field.help), on_change=commit
    )
    return value


def one_in(share: float) -> str:
    """A share as people say it: 1 in 6; more than half as a percentage."""
    if share > 0.5:
        return percent(share, 2)
    return _("1 in {count}").format(count=number(1.0 / share, 2))


def ways() -> dict[str, str]:
    """What can be solved for."""
    return {
        "delta": _("budget for this suspicion"),
        "error": _("budget for a wanted error"),
        "lead": _("lead for a wanted error"),
        "horizon": _("how many audits"),
        "reports": _("reports by one person"),
    }


def make_wishes(values: Mapping[str, int], solve: str) -> Wishes:
    """Whole numbers of the sliders in the units of `core.planning`; `alarm` is in percent."""
    plan = Plan(values["orgs"], values["ayear"], values["years"], values["problem"], values["usual"])
    return Wishes(
        plan, values["crowd"], values["odds"] / 10, values["alarm"] / 100, values["again"], values["miss"] / 100,
        values["ahead"], values["budget"] / 1000, solve,
    )  # fmt: skip


def ask() -> tuple[dict[str, int], str]:
    """Draw all controls; the values and what is solved for."""
    values: dict[str, int] = {}
    first, second, third = st.columns(3, gap="large")
    with first:
        st.subheader(_("The channel"), anchor=False)
        for key in ("orgs", "ayear", "years"):
            values[key] = ladder(key, number)
    with second:
        st.subheader(_("The reports"), anchor=False)
        for key in ("problem", "usual", "again"):
            values[key] = ladder(key, number)
    with third:
        st.subheader(_("The people"), anchor=False)
        values["crowd"] = ladder("crowd", number)
        values["odds"] = ladder("odds", lambda odds: _tolerated(values["crowd"], odds))
        values["alarm"] = round(100 * control("false_alarm"))
    solve = choice(
        "solve", _("What to solve for"), ways(), "delta",
        help=_("Everything else stays as you said; the answer stands beside the picture."),
    )  # fmt: skip
    shows: dict[str, Callable[[int], str]] = {
        "miss": lambda value: percent(value / 100),
        "ahead": number,
        "budget": lambda value: number(value / 1000),
    }
    for column, key in zip(st.columns(3, gap="large"), EXTRA[solve], strict=False):
        with column:
            values[key] = ladder(key, shows[key])
    return {key: values[key] if key in values else _kept(key) for key in DEFAULTS}, solve


def _kept(key: str) -> int:
    """A value whose slider is not shown now; it stays in the link."""
    field = FIELDS[key]
    return state.get_int(key, field.default, field.stops[0], field.stops[-1])


def _tolerated(crowd: int, odds: int) -> str:
    wishes = make_wishes(DEFAULTS | {"crowd": crowd, "odds": odds}, "delta")
    share = wishes.tolerated
    words, exact = one_in(share), percent(share, 2)
    return words if words == exact else _("{one_in} ({share})").format(one_in=words, share=exact)


DEFAULTS: dict[str, int] = {field.key: field.default for field in FIELDS.values()} | {"alarm": 10}


# --- the short code of a pinned plan ---------------------------------------------------------------------------------
def to_code(values: Mapping[str, int], solve: str) -> str:
    """All wishes in one word of a link."""
    return ".".join([solve, *(str(values[key]) for key in DEFAULTS)])


def from_code(code: str) -> tuple[dict[str, int], str] | None:
    """What `to_code` was given; None for anything else."""
    solve, *rest = code.split(".")
    if solve not in WAYS or len(rest) != len(DEFAULTS):
        return None
    if not all(part.isascii() and part.isdigit() and len(part) <= 6 for part in rest):
        return None
    values = dict(zip(DEFAULTS, map(int, rest), strict=True))
    ranges = {key: field.stops for key, field in FIELDS.items()} | {"alarm": (1, 99)}
    inside = all(ranges[key][0] <= value <= ranges[key][-1] for key, value in values.items())
    return (values, solve) if inside else None
