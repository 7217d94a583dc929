"""Rows of the parameter table as widgets; their values live in the scenario, the widgets only show and change it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.parameters import TABLE, Parameter
from ui import state
from ui.words import N_, _, number, percent

_LABELS = {
    "delta": N_("Deniability budget (delta)"),
    "targets": N_("Organisations (C)"),
    "horizon": N_("Number of audits covered (T)"),
    "gap": N_("Lead of the worst organisation (gap)"),
    "run_length": N_("Longest time between two audits (L)"),
    "lead_rate": N_("Reports about the worst organisation, per step"),
    "other_rate": N_("Reports about each other organisation, per step"),
    "rr_calibration": N_("How the coin is set (randomised response)"),
    "stream": N_("How reports arrive"),
    "runs": N_("Simulated runs (S)"),
    "people": N_("People who could have reported"),
    "false_alarm": N_("False alarms the organisation accepts"),
    "seed": N_("Seed of the random numbers"),
}

_HELP = {
    "delta": N_(
        "No audit, and no pattern of audits, becomes more than delta likelier because one person reports. "
        "Small: hard to tell who reported. Large: audits react faster."
    ),
    "targets": N_("How many organisations the auditor can choose from at each step."),
    "horizon": N_("One organisation is audited at each step. The promise covers this many steps together."),
    "gap": N_("How many more open reports the worst organisation has than each of the others."),
    "run_length": N_(
        "The count of an organisation starts afresh when it is audited. This is the most steps one count may run."
    ),
    "lead_rate": N_("Mean number of new reports at each step about the organisation with real trouble."),
    "other_rate": N_("Mean number of new reports at each step about each of the others."),
    "rr_calibration": N_("Which rule sets how often the coin flip follows the reports. All of them keep to delta."),
    "stream": N_("A steady trickle at random moments, or a burst of reports about one organisation."),
    "runs": N_("More runs make the simulated numbers more exact and take longer."),
    "people": N_("Among how many people the organisation looks for the one who reported."),
    "false_alarm": N_("The share of people wrongly accused that the organisation puts up with."),
    "seed": N_("The same seed gives the same reports and the same noise again."),
}

_ENDS = {
    "delta": (N_("hard to tell who reported"), N_("audits react faster")),
    "targets": (N_("few organisations"), N_("many organisations")),
    "horizon": (N_("few audits"), N_("many audits")),
    "gap": (N_("nobody stands out"), N_("one stands out clearly")),
    "run_length": (N_("short"), N_("long")),
    "lead_rate": (N_("few reports"), N_("many reports")),
    "other_rate": (N_("few reports"), N_("many reports")),
    "runs": (N_("faster"), N_("more exact")),
    "people": (N_("few people"), N_("many people")),
    "false_alarm": (N_("accuses rarely"), N_("accuses readily")),
}

_OPTIONS = {
    "paper-experiments": N_("as in the paper's experiments"),
    "horizon-free": N_("for any number of audits"),
    "race": N_("for whichever comes first"),
    "poisson": N_("steady trickle"),
    "burst": N_("burst about one organisation"),
}


def label(name: str) -> str:
    """The parameter's name: plain words, then the symbol."""
    return _(_LABELS[name])


def help_text(name: str) -> str:
    """What the parameter means, in one or two sentences."""
    return _(_HELP[name])


def ends(name: str) -> tuple[str, str]:
    """What the low and the high end of the slider mean; empty where nothing is to say."""
    low, high = _ENDS.get(name, ("", ""))
    return (_(low) if low else "", _(high) if high else "")


def show(name: str, value: Any) -> str:
    """A value of the parameter as the reader sees it."""
    if value in _OPTIONS:
        return _(_OPTIONS[value])
    if name == "seed":
        return str(value)
    if name == "false_alarm":
        return percent(value)
    return number(value)


def stops(name: str) -> tuple[int | float, ...]:
    """The values a slider of the parameter offers: its stops, and the current value where it lies between two."""
    row = TABLE[name]
    values = set(row.stops) or _lattice(row)
    # A value once reached by a link stays on offer, so that the slider does not change under the reader's finger.
    between = st.session_state.setdefault("between", {}).setdefault(name, set())
    value = getattr(state.current(), name)
    if value not in values:
        between.add(value)
    return tuple(sorted(values | between))


def _lattice(row: Parameter) -> set[int | float]:
    assert row.minimum is not None and row.maximum is not None and row.step is not None
    steps = round((row.maximum - row.minimum) / row.step)
    return {row.snap(row.minimum + i * row.step) for i in range(steps + 1)}


def control(name: str, *, key: str | None = None) -> Any:
    """Draw the widget of a parameter and return the parameter's value."""
    key = key or f"w_{name}"
    value = getattr(state.current(), name)
    row = TABLE[name]

    def commit() -> None:
        state.change(**{name: st.session_state[key]})

    state.show(key, value)
    common: dict[str, Any] = {"key": key, "help": help_text(name), "on_change": commit}
    if row.choices:
        names = {option: show(name, option) for option in row.choices}
        st.segmented_control(label(name), row.choices, format_func=names.__getitem__, required=True, **common)
    elif name == "seed":
        st.number_input(label(name), int(row.minimum or 0), int(row.maximum or 0), step=1, format="%d", **common)
    else:
        with st.container(key=f"slider_{key}", gap=None):
            values = {stop: show(name, stop) for stop in stops(name)}
            st.select_slider(label(name), list(values), format_func=values.__getitem__, **common)
            low, high = ends(name)
            if low:
                with st.container(horizontal=True, horizontal_alignment="distribute"):
                    st.caption(low, width="content")
                    st.caption(high, width="content")
    return getattr(state.current(), name)


def more_settings(names: Sequence[str]) -> None:
    """A fold with the rest of a page's parameters, the seed last."""
    with st.expander(_("More settings"), icon=":material/tune:"):
        for name in names:
            control(name)
        if "seed" not in names:
            seed()


def seed() -> None:
    """The seed and a button that draws another."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        control("seed")
        st.button(_("Another seed"), key="another_seed", icon=":material/casino:", on_click=another_seed)


def another_seed() -> None:
    """Give the scenario a seed nobody chose."""
    state.change(seed=random.randrange(10_000))


def choice(key: str, name: str, options: Mapping[str, str], default: str, *, help: str | None = None) -> str:
    """A page-local choice (id -> translated label), kept in the URL under `key`; returns the id."""
    widget = f"w_{key}"

    def commit() -> None:
        state.set_choice(key, st.session_state[widget])

    value = state.get_choice(key, list(options), default)
    state.show(widget, value)
    st.segmented_control(
        name, list(options), format_func=options.__getitem__, required=True, key=widget, help=help,
        on_change=commit,
    )  # fmt: skip
    return value


def whole(key: str, name: str, default: int, minimum: int, maximum: int, *, help: str | None = None) -> int:
    """A page-local whole number as a slider, kept in the URL under `key`."""
    widget = f"w_{key}"

    def commit() -> None:
        state.set_int(key, st.session_state[widget])

    value = state.get_int(key, default, minimum, maximum)
    if minimum == maximum:
        return value
    state.show(widget, value)
    st.slider(name, minimum, maximum, key=widget, help=help, on_change=commit)
    return value


def span(name: str, maximum: int) -> tuple[int, int]:
    """A page-local stretch of whole numbers from 1 to `maximum` as a slider with two ends, kept in the URL."""

    def commit() -> None:
        for key, value in zip(("since", "until"), st.session_state["w_span"], strict=True):
            state.set_int(key, value)

    first = state.get_int("since", 1, 1, maximum)
    value = first, max(first, state.get_int("until", maximum, 1, maximum))
    if maximum == 1:
        return value
    state.show("w_span", value)
    st.slider(name, 1, maximum, key="w_span", on_change=commit)
    return value
