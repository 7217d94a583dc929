"""The fixed small case of the start page: four auditors, one report, records paired by the best coupling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core import calibration
from core.adversary import run_twins
from core.mechanisms import Greedy, Mechanism, RandomisedResponse, Tca, Uniform
from core.streams import TableStream
from ui.live import Slot, Text
from ui.live.start import Demo, Lane
from ui.marks import MARKS, line, plain
from ui.words import _

DELTAS = (
    0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6,
    0.7, 0.8, 0.9, 0.95,
)  # fmt: skip
PAIRS = 200
COVERED = 1000
"""Audits the promise covers; the demonstration shows the first of them."""
DEMO = Demo(targets=12, steps=15, report_step=8, target=7, runs=12)
OTHERS = ((1, 10), (2, 4), (3, 4), (4, 2), (6, 6), (10, 10), (11, 12), (13, 3))
"""Step and organisation of the other people's reports, from 1."""
LANES = ("greedy", "rr", "uniform", "tca")


def make_lanes(deltas: Sequence[float], seed: int) -> list[Lane]:
    """The four auditors, records and verdicts at every delta."""
    return [make_lane(name, list(deltas), seed) for name in LANES]


def make_table(delta: float, seed: int, run: int) -> pd.DataFrame:
    """The records of one run, a row per audit, with and without the report."""
    columns: dict[str, Any] = {"audit": np.arange(1, DEMO.steps + 1)}
    for name in LANES:
        without, with_report = pairs(name, delta if name in ("tca", "rr") else DELTAS[0], seed)["records"][run]
        columns |= {f"{name}_without_report": without, f"{name}_with_report": with_report}
    return pd.DataFrame(columns)


def make_stream() -> TableStream:
    """The other people's reports of the demonstration."""
    table = np.zeros((DEMO.steps, DEMO.targets))
    for step, target in OTHERS:
        table[step - 1, target - 1] += 1.0
    return TableStream(table)


def make_auditor(name: str, delta: float) -> Mechanism:
    """An auditor of the demonstration."""
    if name == "tca":
        return Tca(DEMO.targets, COVERED, delta)
    if name == "rr":
        return RandomisedResponse(DEMO.targets, COVERED, delta)
    return Greedy(DEMO.targets) if name == "greedy" else Uniform(DEMO.targets)


@st.cache_data(max_entries=256, show_spinner=False)
def pairs(name: str, delta: float, seed: int) -> dict[str, Any]:
    """Records with and without the report, paired by the best coupling, and what they have in common."""
    twins = run_twins(
        make_auditor(name, delta), make_stream(), DEMO.steps, DEMO.report_step, DEMO.target - 1, PAIRS, seed
    )
    worlds = np.stack([twins.without_report, twins.with_report], axis=1)
    at_once = (worlds[:, :, DEMO.report_step - 1] == DEMO.target - 1).mean(axis=0)
    return {
        "records": (worlds[: DEMO.runs] + 1).astype(np.uint16),
        "different": (worlds[: DEMO.runs, 0] != worlds[: DEMO.runs, 1]).sum(axis=1),
        "share": float(twins.differs.mean()),
        "without_at_once": float(at_once[0]),
        "with_at_once": float(at_once[1]),
    }


def make_lane(name: str, deltas: list[float], seed: int) -> Lane:
    """One auditor's records at every delta, and the verdict that follows from them."""
    by_delta = name in ("tca", "rr")
    found = [pairs(name, delta if by_delta else DELTAS[0], seed) for delta in (deltas if by_delta else deltas[:1])]
    records = np.stack([one["records"] for one in found])
    different = np.stack([one["different"] for one in found])
    share = np.array([one["share"] for one in found])
    if not by_delta:
        records, different, share = records[0], different[0], share[0]
    by = ("delta",) if by_delta else ()
    head = Text(
        [_("They know."), _("Same record in {same} of all pairs."), _("They learn nothing.")],
        {"same": Slot(1.0 - share, by, "percent")},
        which=np.where(share > 0.5, 0, np.where(share > 0, 1, 2 if name == "uniform" else 1)),
        by=by,
    )
    now = Text(
        [
            _("This run: the same record."),
            _("This run: {count} of {steps} audits differ."),
        ],
        {"count": Slot(different, (*by, "run")), "steps": Slot(DEMO.steps, strong=False)},
        which=np.minimum(different, 1),
        by=(*by, "run"),
        spoken=False,
    )
    mark = MARKS[name]
    return Lane(
        name, plain(name), line(name), mark.color, mark.symbol, records, (*by, "run", "report"), head,
        make_note(name, deltas, found[0]), now,
    )  # fmt: skip


def make_note(name: str, deltas: list[float], found: dict[str, Any]) -> Text:
    """Why the organisation learns that much."""
    if name == "greedy":
        return Text(
            _("Audits you at once in {with_report} of all runs, without your report in {without}."),
            {
                "with_report": Slot(found["with_at_once"], style="percent"),
                "without": Slot(found["without_at_once"], style="percent"),
            },
            spoken=False,
        )
    if name == "rr":
        rules = [calibration.get_p_rand("paper-experiments", delta, DEMO.targets, COVERED) for delta in deltas]
        return Text(
            _("But only {share} of its audits follow the reports."),
            {"share": Slot(1.0 - np.array(rules), ("delta",), "percent", 2)},
            spoken=False,
        )
    if name == "uniform":
        return Text(_("Nor does the auditor: reports are never used."), spoken=False)
    return Text(
        _("Guaranteed: at least {least}, whatever the others report."),
        {"least": Slot(1.0 - np.array(deltas), ("delta",), "percent")},
        spoken=False,
    )
