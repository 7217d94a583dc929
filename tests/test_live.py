"""Live pictures: what is sent to the browser fits the sliders, travels once and says what it holds."""

import base64
import re

import numpy as np
import pytest

from ui.live import Area, Axis, Dots, Line, Marker, Plot, Slider, Slot, Text, parameter_slider
from ui.live.component import SOURCES
from ui.live.encode import Encoder, sliders

DELTA = Slider("delta", "Delta", (0.1, 0.2, 0.3), 1, ("0.1", "0.2", "0.3"))
GAP = Slider("gap", "Gap", (0, 1, 2, 4), 0, ("0", "1", "2", "4"))


def decode(array):
    return np.frombuffer(base64.b64decode(array["data"]), "<" + array["type"]).reshape(array["shape"])


def test_array_by_two_sliders_comes_back():
    encoder = Encoder([DELTA, GAP])
    values = np.arange(60.0).reshape(3, 4, 5)
    encoder.array(values, ("delta", "gap"), own_axes=1)
    assert encoder.arrays[0]["by"] == ["delta", "gap"]
    assert np.array_equal(decode(encoder.arrays[0]), values)


def test_equal_arrays_travel_once():
    encoder = Encoder([DELTA])
    first = encoder.array(np.zeros((3, 2)), ("delta",), 1)
    assert encoder.array(np.zeros((3, 2)), ("delta",), 1) == first
    assert encoder.array(np.zeros(2), ("delta",), 1) != first
    assert len(encoder.arrays) == 2


def test_axis_that_says_nothing_does_not_travel():
    encoder = Encoder([DELTA, GAP])
    encoder.array(np.arange(4.0)[None, :], ("delta", "gap"))
    encoder.array(np.broadcast_to(np.arange(4.0), (3, 4)), ("delta", "gap"))
    assert [array["by"] for array in encoder.arrays] == [["gap"]]


@pytest.mark.parametrize(
    ("shape", "by", "words"),
    [((2, 5), ("delta",), "3 stops"), ((3, 5), ("colour",), "no slider"), ((3, 4, 5, 6), ("delta",), "axes")],
)
def test_array_that_does_not_fit_is_refused(shape, by, words):
    with pytest.raises(ValueError, match=words):
        Encoder([DELTA, GAP]).array(np.zeros(shape), by, 1)


def test_slider_needs_a_text_for_each_stop():
    with pytest.raises(ValueError, match="3 stops, 2 texts"):
        sliders([Slider("delta", "Delta", (0.1, 0.2, 0.3), 0, ("a", "b"))])
    with pytest.raises(ValueError, match="gap"):
        sliders([Slider("gap", "Gap", (0, 1), 2, ("a", "b"))])


def test_slider_values_keep_their_type():
    sent = sliders([Slider("gap", "Gap", np.array([0, 1]), 0, ("0", "1"))])[0]["values"]
    assert sent == [0, 1] and all(type(value) is int for value in sent)


def test_every_kind_of_series_and_part_is_sent():
    encoder = Encoder([DELTA])
    x, y = np.linspace(0, 1, 5), np.ones((3, 5))
    plot = Plot(
        Axis("x", 0, 1, [(0, "0")]),
        Axis("y", 0, 1, [(1, "1")]),
        [Area(x, 0 * x, y, by=("delta",)), Line(x, y, by=("delta",)), Marker(0.5, np.ones(3), "red", "circle")],
    )
    with pytest.raises(ValueError, match="axes"):
        encoder.plot(plot)
    marker = Marker(0.5, np.ones(3), "red", "circle", by=("delta",))
    sent = encoder.plot(Plot(plot.x, plot.y, [*plot.series[:2], marker]))
    assert [one["kind"] for one in sent["series"]] == ["area", "line", "marker"]
    text = encoder.part(Text(["a {n}", "b"], {"n": Slot(np.arange(3), ("delta",))}, which=[0, 1, 1], by=("delta",)))
    assert text["templates"] == ["a {n}", "b"] and encoder.arrays[text["which"]]["type"] == "u2"
    assert encoder.part(Dots("dots", 0.1))["of"] == 100


def test_value_that_holds_now_is_a_stop():
    slider = parameter_slider("delta", 0.137, (0.1, 0.2))
    assert slider.values == [0.1, 0.137, 0.2] and slider.index == 1 and len(slider.texts) == 3


def test_alarms_are_written_as_percentages():
    assert parameter_slider("false_alarm", 0.1, (0.1, 0.25)).texts == ["10%", "25%"]


@pytest.mark.parametrize("path", sorted(SOURCES.glob("*.js")), ids=lambda path: path.name)
def test_programs_ask_nobody_and_compute_no_model(path):
    text = path.read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://[\w./]+", text))
    assert hosts <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\bfetch\(|XMLHttpRequest|\bimport\b|Math\.(exp|log|erf)\b", text)
