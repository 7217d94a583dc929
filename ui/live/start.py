"""The live picture of the start page: four records, with and without one report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ui.live import Change, Part, Slider, Text, show
from ui.live.component import START
from ui.live.encode import Encoder
from ui.words import _


@dataclass(frozen=True)
class Lane:
    """One auditor's records.

    Attributes:
        id, name, line, color, symbol: how the auditor is called and looks.
        records: audited organisation, from 1, by delta (where it matters), run and report (0 without, 1 with), then
            audit: (D, R, 2, T) or (R, 2, T).
        head, note: what the organisation learns, in few words, and why.
        now: what happened in the run on the screen.
    """

    id: str
    name: str
    line: str
    color: str
    symbol: str
    records: ArrayLike
    by: tuple[str, ...]
    head: Text
    note: Text
    now: Text


@dataclass(frozen=True)
class Demo:
    """The fixed small case: sizes, the step of the report and the reported organisation, both from 1."""

    targets: int
    steps: int
    report_step: int
    target: int
    runs: int


def hidden(demo: Demo) -> list[Slider]:
    """The two choices that have buttons instead of sliders: the run, and whether the report was filed."""
    return [
        Slider("run", "", list(range(demo.runs)), 0, [""] * demo.runs),
        Slider("report", "", [0, 1], 0, [""] * 2),
    ]


def start(
    key: str,
    *,
    demo: Demo,
    lanes: Sequence[Lane],
    sliders: Sequence[Slider],
    run: int,
    filed: bool,
    parts: Sequence[Part],
    title: str,
    alt: str,
    caption: str,
    on_change: Change,
) -> None:
    """Draw the start page's picture; `on_change` also hears of "run" (from 0) and "report" (0 or 1)."""
    encoder = Encoder([*sliders, *hidden(demo)])
    data = {
        "targets": demo.targets,
        "steps": demo.steps,
        "report_step": demo.report_step,
        "target": demo.target,
        "runs": demo.runs,
        "run": run,
        "report": int(filed),
        "lanes": [
            {
                "id": lane.id,
                "name": lane.name,
                "line": lane.line,
                "color": lane.color,
                "symbol": lane.symbol,
                "records": encoder.array(lane.records, lane.by, own_axes=1, whole=True),
                "head": encoder.text(lane.head),
                "note": encoder.text(lane.note),
                "now": encoder.text(lane.now),
            }
            for lane in lanes
        ],
        "parts": [encoder.part(part) for part in parts],
    }
    words = {
        "file": _("File the report"),
        "take_back": _("Take the report back"),
        "another": _("Another run"),
        "step": _("Audit {step} of {steps}"),
        "you": _("you"),
        "different": _("different in the other world"),
        "record": _("Organisation audited at each step."),
        "arrives": _("your report arrives."),
        "would_arrive": _("your report would arrive."),
        "without": _("filled: would be different without it."),
        "with": _("filled: would be different with it."),
    }
    show(START, key, encoder, data, sliders, title, alt, caption, "start", on_change, ("run", "report"), words)
