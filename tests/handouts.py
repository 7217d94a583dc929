"""Scenarios for the hand-out that are quick to simulate: one usual, two at the ends of the ranges."""

from core.auditors import MECHANISMS
from core.parameters import Parameters
from ui import frames

SMALL = Parameters(targets=12, horizon=60, run_length=60, runs=10)
EXTREME = (
    Parameters(
        targets=500, horizon=200, run_length=200, delta=0.95, gap=500, people=1000, runs=10, seed=2**31 - 1,
        lead_rate=20, other_rate=19.95, stream="burst", rr_calibration="race", false_alarm=0.01,
    ),
    Parameters(
        targets=2, horizon=1, run_length=1, delta=0.005, gap=0, people=2, runs=10, false_alarm=0.99, lead_rate=0.0,
        other_rate=0.0,
    ),
)  # fmt: skip


def courses(p: Parameters) -> dict[str, frames.Course]:
    """Every auditor over the long run, the dear one with fewer runs."""
    return {name: frames.course(name, p, p.runs) for name in MECHANISMS} | {"fading": frames.course("fading", p, 4)}
