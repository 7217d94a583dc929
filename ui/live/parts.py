"""What a live picture is made of: sliders, a plot and its series, sentences, gauges and rows of figures.

Everything is prepared for every stop of the sliders before it is sent. An array field may carry one leading axis for
each slider named in `by` (in that order), each as long as that slider has stops, followed by the field's own axis
(points of a line; none for a marker). An array without those leading axes is the same at every stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import ArrayLike

Style = Literal["number", "percent", "plain"]
Dash = Literal["", "dash", "dot"]


@dataclass(frozen=True)
class Slider:
    """A native range input over a list of stops.

    Attributes:
        name: parameter handed to `on_change` together with the chosen value.
        label: what stands above the slider, translated.
        values: the stops, ascending.
        index: the stop that holds now.
        texts: each stop as the reader sees and hears it, one for each value.
        ends: words under the left and the right end.
    """

    name: str
    label: str
    values: Sequence[float]
    index: int
    texts: Sequence[str]
    ends: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Axis:
    """A fixed axis: `low` to `high` in the coordinates of the arrays, with ticks (position, label) in the same ones.

    A logarithmic or other scale is made by transforming positions and arrays alike before they come here.
    """

    label: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Line:
    """A curve through `x`, `y` (n points each); `nan` breaks it."""

    x: ArrayLike
    y: ArrayLike
    color: str = "text"
    name: str = ""
    by: tuple[str, ...] = ()
    width: float = 2.5
    dash: Dash = ""
    symbol: str = ""
    kind: str = "line"


@dataclass(frozen=True)
class Area:
    """The area between `low` and `high` over `x` (n points each)."""

    x: ArrayLike
    low: ArrayLike
    high: ArrayLike
    color: str = "text"
    name: str = ""
    by: tuple[str, ...] = ()
    opacity: float = 0.14
    hatch: bool = False
    kind: str = "area"


Band = Area


@dataclass(frozen=True)
class Points:
    """Points at `x`, `y` (n each), with error bars from `low` to `high` where given."""

    x: ArrayLike
    y: ArrayLike
    color: str
    symbol: str
    name: str = ""
    by: tuple[str, ...] = ()
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    size: float = 9.0
    kind: str = "points"


@dataclass(frozen=True)
class Marker:
    """One large point that moves, with a mechanism's shape and colour; `drop` draws lines to the axes."""

    x: ArrayLike
    y: ArrayLike
    color: str
    symbol: str
    name: str = ""
    by: tuple[str, ...] = ()
    size: float = 15.0
    drop: bool = False
    kind: str = "marker"


@dataclass(frozen=True)
class Rule:
    """A straight line across the whole plot at `x` (upright) or at `y` (level), with a word beside it."""

    x: ArrayLike | None = None
    y: ArrayLike | None = None
    color: str = "muted"
    name: str = ""
    by: tuple[str, ...] = ()
    dash: Dash = "dash"
    label: str = ""
    kind: str = "rule"


@dataclass(frozen=True)
class Label:
    """Words inside the plot at `x`, `y`; `anchor` says which end of the words stands there."""

    text: str
    x: ArrayLike
    y: ArrayLike
    by: tuple[str, ...] = ()
    color: str = "muted"
    anchor: Literal["start", "middle", "end"] = "start"
    kind: str = "label"


Series = Line | Area | Points | Marker | Rule | Label


@dataclass(frozen=True)
class Plot:
    """Axes and series, drawn in the order given.

    Attributes:
        aspect: width divided by height of the plotting area on a wide screen.
        tallest: largest height in CSS pixels.
    """

    x: Axis
    y: Axis
    series: Sequence[Series]
    aspect: float = 1.6
    tallest: int = 460
    legend: bool = True


@dataclass(frozen=True)
class Slot:
    """A number inside a sentence that follows the sliders.

    `style`: "percent" writes a share as a percentage, "number" with thousands marks, both with `digits` significant
    digits in the language of the page.
    """

    values: ArrayLike
    by: tuple[str, ...] = ()
    style: Style = "number"
    digits: int = 3
    strong: bool = True


@dataclass(frozen=True)
class Text:
    """A sentence with slots in braces.

    Attributes:
        template: the translated sentence; or several, of which `which` picks one at each stop.
        size: "large" for the sentence of the page, "normal", or "small" for a remark.
        spoken: read out by screen readers when a value changes.
    """

    template: str | Sequence[str]
    slots: dict[str, Slot] | None = None
    which: ArrayLike | None = None
    by: tuple[str, ...] = ()
    size: Literal["large", "normal", "small"] = "normal"
    spoken: bool = True


@dataclass(frozen=True)
class Gauge:
    """A bar from 0 to `full` and its number, one for a mechanism; `note` is a second, smaller sentence."""

    name: str
    color: str
    symbol: str
    values: ArrayLike
    by: tuple[str, ...] = ()
    full: float = 1.0
    style: Style = "percent"
    digits: int = 3
    note: Text | None = None


@dataclass(frozen=True)
class Dots:
    """`of` small figures; the share in `shares` is filled, and of those the share `base` in the colour of the text."""

    label: str
    shares: ArrayLike
    by: tuple[str, ...] = ()
    base: ArrayLike | None = None
    of: int = 100
    color: str = "accent"


Part = Text | Gauge | Dots
Payload = dict[str, Any]
