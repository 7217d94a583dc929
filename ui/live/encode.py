"""Parts of a live picture -> the data its JavaScript reads; arrays travel once each, as base64 of typed arrays."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ui.live.parts import Axis, Dots, Gauge, Payload, Plot, Series, Slider, Slot, Text

POINTS = {"line": ("x", "y"), "area": ("x", "low", "high"), "points": ("x", "y", "low", "high")}
SINGLE = {"marker": ("x", "y"), "rule": ("x", "y"), "label": ("x", "y")}


class Encoder:
    """Collects arrays, each distinct one once, and hands out their numbers.

    Raises (all methods):
        ValueError: an array whose axes do not match the sliders in `by`.
    """

    def __init__(self, sliders: Sequence[Slider]) -> None:
        self.stops = {slider.name: len(slider.values) for slider in sliders}
        self.arrays: list[Payload] = []
        self._known: dict[tuple[str, str, tuple[int, ...], tuple[str, ...]], int] = {}

    def array(self, values: ArrayLike, by: tuple[str, ...], own_axes: int = 0, whole: bool = False) -> int:
        """The number of an array with `own_axes` axes behind those of the sliders in `by`."""
        array = np.asarray(values)
        if array.ndim == own_axes:
            by = ()
        unknown = [name for name in by if name not in self.stops]
        if unknown:
            raise ValueError(f"by names no slider: {unknown}; sliders are {list(self.stops)}")
        if array.ndim != own_axes + len(by):
            raise ValueError(f"an array by {by} needs {own_axes + len(by)} axes, got shape {array.shape}")
        for axis, name in enumerate(by):
            if array.shape[axis] not in (1, self.stops[name]):
                raise ValueError(f"an array by {by}: {name} has {self.stops[name]} stops, got shape {array.shape}")
        # An axis of one, or one made by broadcasting, says the same at every stop and need not travel.
        same = [axis for axis in range(len(by)) if array.shape[axis] == 1 or array.strides[axis] == 0]
        array = array[tuple(0 if axis in same else slice(None) for axis in range(array.ndim))]
        by = tuple(name for axis, name in enumerate(by) if axis not in same)
        kind = "u2" if whole else "f4"
        raw = np.ascontiguousarray(array, dtype="<" + kind).tobytes()
        text = base64.b64encode(raw).decode()
        key = (text, kind, array.shape, by)
        if key not in self._known:
            self._known[key] = len(self.arrays)
            self.arrays.append({"data": text, "type": kind, "shape": list(array.shape), "by": list(by)})
        return self._known[key]

    def series(self, one: Series) -> Payload:
        """One series of a plot."""
        out: Payload = {row.name: getattr(one, row.name) for row in fields(one) if row.name != "by"}
        own_axes = 1 if one.kind in POINTS else 0
        for name in POINTS.get(one.kind, ()) + SINGLE.get(one.kind, ()):
            if out[name] is not None:
                out[name] = self.array(out[name], one.by, own_axes)
        return out

    def plot(self, plot: Plot | None) -> Payload | None:
        """Axes and all series of a plot."""
        if plot is None:
            return None
        return {
            "x": _axis(plot.x),
            "y": _axis(plot.y),
            "aspect": plot.aspect,
            "tallest": plot.tallest,
            "legend": plot.legend,
            "series": [self.series(one) for one in plot.series],
        }

    def text(self, text: Text) -> Payload:
        """A sentence with its slots."""
        templates = [text.template] if isinstance(text.template, str) else list(text.template)
        return {
            "kind": "text",
            "templates": templates,
            "which": None if text.which is None else self.array(text.which, text.by, whole=True),
            "slots": {name: self.slot(slot) for name, slot in (text.slots or {}).items()},
            "size": text.size,
            "spoken": text.spoken,
        }

    def slot(self, slot: Slot) -> Payload:
        """A number inside a sentence."""
        return {
            "values": self.array(slot.values, slot.by),
            "style": slot.style,
            "digits": slot.digits,
            "strong": slot.strong,
        }

    def part(self, part: Text | Gauge | Dots) -> Payload:
        """A sentence, a gauge or a row of figures."""
        if isinstance(part, Text):
            return self.text(part)
        if isinstance(part, Gauge):
            return {
                "kind": "gauge",
                "name": part.name,
                "color": part.color,
                "symbol": part.symbol,
                "full": part.full,
                "slot": self.slot(Slot(part.values, part.by, part.style, part.digits)),
                "note": None if part.note is None else self.text(part.note),
            }
        return {
            "kind": "dots",
            "label": part.label,
            "shares": self.array(part.shares, part.by),
            "base": None if part.base is None else self.array(part.base, part.by),
            "of": part.of,
            "color": part.color,
        }


def sliders(all_sliders: Sequence[Slider]) -> list[Payload]:
    """What the browser needs of each slider.

    Raises:
        ValueError: a slider without stops, an index outside them or texts that do not match them.
    """
    out: list[dict[str, Any]] = []
    for slider in all_sliders:
        if len(slider.texts) != len(slider.values) or not 0 <= slider.index < len(slider.values):
            raise ValueError(f"slider {slider.name}: {len(slider.values)} stops, {len(slider.texts)} texts")
        out.append(
            {
                "name": slider.name,
                "label": slider.label,
                "values": [value.item() if isinstance(value, np.generic) else value for value in slider.values],
                "index": slider.index,
                "texts": list(slider.texts),
                "ends": list(slider.ends),
            }
        )
    return out


def _axis(axis: Axis) -> Payload:
    ticks = [[float(position), label] for position, label in axis.ticks]
    return {"label": axis.label, "low": float(axis.low), "high": float(axis.high), "ticks": ticks}
