"""Live pictures: prepared frames that follow the thumb in the browser, without the server."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.parameters import TABLE
from ui import controls, state
from ui.live import component, encode
from ui.live.parts import (
    Area,
    Axis,
    Band,
    Dots,
    Gauge,
    Label,
    Line,
    Marker,
    Part,
    Payload,
    Plot,
    Points,
    Rule,
    Series,
    Slider,
    Slot,
    Text,
)
from ui.words import _, language, number, percent

__all__ = [
    "Area", "Axis", "Band", "Dots", "Gauge", "Label", "Line", "Marker", "Part", "Plot", "Points", "Rule", "Series",
    "Slider", "Slot", "Text", "live", "parameter_slider",
]  # fmt: skip

Change = Callable[[str, Any], None]


def _change(name: str, value: Any) -> None:
    state.change(**{name: value})


def parameter_slider(name: str, value: float, stops: Sequence[float] | None = None) -> Slider:
    """The slider of a parameter of the table; the value that holds now is always among its stops."""
    wanted = list(stops if stops is not None else TABLE[name].stops)
    if value not in wanted:
        bisect.insort(wanted, value)
    write = percent if name == "false_alarm" else number
    texts = [write(stop) for stop in wanted]
    return Slider(name, controls.label(name), wanted, wanted.index(value), texts, controls.ends(name))


def live(
    key: str,
    *,
    title: str,
    alt: str,
    sliders: Sequence[Slider],
    plot: Plot | None = None,
    parts: Sequence[Part] = (),
    layout: str = "beside",
    caption: str = "",
    file: str = "",
    on_change: Change = _change,
) -> None:
    """Draw a live picture.

    Args:
        key: key of the component on its page.
        title: title of the downloads.
        alt: what the picture shows, for those who do not see it.
        sliders: native range inputs; `by` in the other parts names them.
        plot: axes and series.
        parts: sentences, gauges and rows of figures, in order.
        layout: "beside" (picture left of sliders and words), "wide" (the same, larger picture) or "under".
        caption: scenario and source, written under the downloads.
        file: stem of the names of downloaded files; the key where empty.
        on_change: called with the name and the value of a slider that was let go; changes the scenario by default.

    Raises:
        ValueError: arrays that do not match the sliders.
    """
    encoder = encode.Encoder(sliders)
    data = {
        "plot": encoder.plot(plot),
        "parts": [encoder.part(part) for part in parts],
        "layout": layout,
    }
    show(component.LIVE, key, encoder, data, sliders, title, alt, caption, file, on_change)


def show(
    renderer: Any,
    key: str,
    encoder: encode.Encoder,
    data: Payload,
    sliders: Sequence[Slider],
    title: str,
    alt: str,
    caption: str,
    file: str,
    on_change: Change,
    also: Sequence[str] = (),
    words: Mapping[str, str] | None = None,
) -> None:
    """Send a picture to the browser and listen to its sliders, and to whatever else `also` names."""
    names = {slider.name for slider in sliders} | set(also)

    def committed() -> None:
        changes = _commit(key).get("changes")
        for name, value in changes.items() if isinstance(changes, dict) else ():
            if name in names and isinstance(value, int | float | str):
                on_change(name, value)

    heard = _commit(key).get("n", 0)
    renderer(
        key=key,
        data={
            **data,
            "arrays": encoder.arrays,
            "sliders": encode.sliders(sliders),
            "heard": heard if isinstance(heard, int) else 0,
            "language": language(),
            "percent": percent(0.5, 1).replace("50", "{n}"),
            "title": title,
            "alt": alt,
            "caption": caption,
            "file": file or key,
            "words": {
                "menu": _("Download the picture"),
                "svg": _("As drawing (SVG)"),
                "png": _("As image (PNG)"),
                "html": _("As page that works offline (HTML)"),
                "of": _("{count} of {total}"),
                "labelled": _("{label}: {value}"),
                **(words or {}),
            },
        },
        on_commit_change=committed,
    )


def _commit(key: str) -> dict[str, Any]:
    """What the browser sent last, or nothing."""
    found = st.session_state.get(key)
    commit = found.get("commit") if found is not None else None
    return commit if isinstance(commit, dict) else {}
