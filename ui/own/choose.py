"""How the file is to be read: columns, periods, organisations, and what to do about doubtful rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from core.intake.notices import TableError
from core.intake.tables import MOST_TARGETS, PERIODS, Choice
from ui import state
from ui.own import files
from ui.own.files import File
from ui.words import N_, _, number

_PERIODS = {"day": N_("day"), "week": N_("week"), "month": N_("month"), "step": N_("step numbers")}
_ORDERS = {"auto": N_("as the column shows"), "day": N_("day first"), "month": N_("month first")}
_FIRST = {"auto": None, "day": True, "month": False}


def ask(file: File) -> None:
    """All the widgets; what they say is `files.get_choice()`."""
    choice = files.get_choice()
    one, two, three = st.columns(3, gap="large")
    with one:
        columns = {name: name for name in file.first.columns}
        _select("time", _("Column with the date or step"), columns, choice.time)
        _select("target", _("Column with the organisation"), columns, choice.target)
        counts = {"": _("none: each row is one report"), **columns}
        _select("count", _("Column with the number of reports"), counts, choice.count or "", lambda name: name or None)
    with two:
        periods = {period: _(_PERIODS[period]) for period in PERIODS}
        _segments("period", _("One audit each"), periods, choice.period, _change_period)
        _targets(file, choice)
    with three:
        dates = choice.period != "step"
        orders = {key: _(name) for key, name in _ORDERS.items()}
        shown = next(key for key, value in _FIRST.items() if value is choice.day_first)
        if dates:
            _segments("day_first", _("Dates such as 3/4/2024"), orders, shown, _change_order)
        _toggle("group", _("Put spellings of one organisation together"), choice.group)
        _toggle("drop_repeats", _("Leave out rows that repeat an earlier one"), choice.drop_repeats)
        _toggle("drop_faulty", _("Leave out rows that cannot be read"), choice.drop_faulty)
        if dates:
            with st.expander(_("Only some of the days"), icon=":material/date_range:"):
                _date("first", _("First day"), choice)
                _date("last", _("Last day"), choice)


def _change(**updates: Any) -> None:
    files.set_choice(replace(files.get_choice(), **updates))


def _change_period(period: str) -> None:
    # steps know no days
    none = {"first": None, "last": None} if period == "step" else {}
    _change(period=period, **none)


def _change_order(order: str) -> None:
    _change(day_first=_FIRST[order])


def _select(
    name: str,
    label: str,
    options: Mapping[str, str],
    value: str,
    read: Callable[[str], str | None] = lambda name: name,
) -> None:
    # other columns are another widget: the browser would still hold one of the old ones
    widget = f"w_own_{name}_{files.get().token}"

    def commit() -> None:
        # names of organisations belong to their column
        targets = {"targets": _number()} if name == "target" else {}
        _change(**{name: read(st.session_state[widget])}, **targets)

    state.show(widget, value)
    st.selectbox(label, list(options), format_func=options.__getitem__, key=widget, on_change=commit)


def _segments(name: str, label: str, options: Mapping[str, str], value: str, commit: Callable[[str], None]) -> None:
    widget = f"w_own_{name}"
    state.show(widget, value)
    st.segmented_control(
        label, list(options), format_func=options.__getitem__, required=True, key=widget,
        on_change=lambda: commit(st.session_state[widget]),
    )  # fmt: skip


def _toggle(name: str, label: str, value: bool) -> None:
    widget = f"w_own_{name}"
    state.show(widget, value)
    st.toggle(label, key=widget, on_change=lambda: _change(**{name: st.session_state[widget]}))


def _date(name: str, label: str, choice: Choice) -> None:
    widget = f"w_own_{name}"
    state.show(widget, getattr(choice, name))
    st.date_input(
        label, None, min_value="1900-01-01", max_value="2100-12-31", key=widget, format="YYYY-MM-DD",
        on_change=lambda: _change(**{name: st.session_state[widget]}),
    )  # fmt: skip


# --- organisations ---------------------------------------------------------------------------------------------------
def _number() -> int:
    """How many of the most reported organisations the reader last wanted."""
    wanted = files.get_choice().targets
    return wanted if isinstance(wanted, int) else st.session_state.get("own_number", files.get().choice.targets)


def _targets(file: File, choice: Choice) -> None:
    listed = not isinstance(choice.targets, int) or st.session_state.get("own_listed", False)
    ways = {"largest": _("the most reported"), "listed": _("a list")}
    _segments("targets_by", _("Organisations"), ways, "listed" if listed else "largest", _change_way)
    if not listed:
        state.show("w_own_number", choice.targets)
        st.number_input(
            _("How many of them, {low} to {high}").format(low=number(2), high=number(MOST_TARGETS)), 2, MOST_TARGETS,
            step=1, key="w_own_number", on_change=lambda: _change(targets=st.session_state["w_own_number"]),
        )  # fmt: skip
        return
    everyone = files.read(file, replace(choice, targets=MOST_TARGETS))
    if isinstance(everyone, TableError):
        return
    chosen = choice.targets if isinstance(choice.targets, tuple) else everyone.targets[: choice.targets]
    widget = f"w_own_names_{file.token}_{choice.target}"
    state.show(widget, [name for name in chosen if name in everyone.targets])

    def commit() -> None:
        names = st.session_state[widget]
        if len(names) >= 2:
            # the most reported first, so that the order of picking changes nothing
            _change(targets=tuple(name for name in everyone.targets if name in names))

    st.multiselect(_("Which ones"), everyone.targets, key=widget, on_change=commit)
    if len(st.session_state[widget]) < 2:
        st.caption(_("At least two are needed: shown is the choice before."))
    if len(everyone.targets) == MOST_TARGETS:
        st.caption(_("On offer are the {most} most reported.").format(most=number(MOST_TARGETS)))


def _change_way(way: str) -> None:
    if way == "largest":
        number_ = _number()
        st.session_state.pop("own_listed", None)
        _change(targets=number_)
    else:
        st.session_state["own_number"] = _number()
        st.session_state["own_listed"] = True
