"""The session's own table as the reports that Audit records, Long run and Adversary run on.

Whoever shows reports asks `current` for the scenario and `get_stream` for its reports. What is computed from an own
table is kept in the session: `get_store` and `apart` see to it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.intake.tables import Choice, ReportTable
from core.parameters import TABLE, Parameters
from core.streams import Stream, TableStream, make_stream
from ui import state
from ui.store import Store

LEAST_KEPT = 24
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class OwnParameters(Parameters):
    """A scenario whose reports are a table of this session.

    Targets and horizon are the table's; the rates are its means a step (most reported organisation, mean of the
    others) as far as the range of rates goes, and drive nothing.

    Attributes:
        token: names the table; a new one each time a table is taken into use, so that no other's results are found.
        table: the reports.
    """

    token: str = field(kw_only=True)
    table: ReportTable = field(kw_only=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        Parameters(**{name: getattr(self, name) for name in TABLE})


@dataclass(frozen=True, eq=False)
class Own:
    """A table in use: how it is called, how it was read, and whether it is the synthetic example."""

    name: str
    choice: Choice
    table: ReportTable
    synthetic: bool
    token: str


def in_use() -> Own | None:
    """The table in use, if there is one."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    return st.session_state.get("own_in_use")


def take(name: str, choice: Choice, table: ReportTable, synthetic: bool, report: tuple[int, int]) -> None:
    """Let the pages run on this table, with `report` (step from 1, target from 0) as the report in question."""
    put_away()
    st.session_state["own_in_use"] = Own(name, choice, table, synthetic, secrets.token_hex(16))
    st.session_state["own_report"] = report


def put_away() -> None:
    """Back to simulated reports: nothing computed from the table stays."""
    for key in ("own_in_use", "own_report", "own_kept"):
        st.session_state.pop(key, None)
    st.session_state["choices"].pop("own_data", None)


def current() -> Parameters:
    """The scenario the page shows: with the table's size and reports where a table is in use."""
    own, p = in_use(), state.current()
    if own is None:
        return p
    steps, targets = own.table.counts.shape
    lead, other = _get_means(own.table)
    most = float(TABLE["lead_rate"].maximum or 0)
    fitted, _told = p.with_changes(targets=targets, horizon=steps)
    values = {name: getattr(fitted, name) for name in TABLE}
    values |= {"lead_rate": min(lead, most), "other_rate": min(other, most), "stream": TABLE["stream"].default}
    return OwnParameters(**values, token=own.token, table=own.table)


def _get_means(table: ReportTable) -> tuple[float, float]:
    steps, targets = table.counts.shape
    totals = table.counts.sum(axis=0)
    return float(totals.max()) / steps, float(totals.sum() - totals.max()) / (steps * (targets - 1))


# --- reports ---------------------------------------------------------------------------------------------------------
def get_rates(p: Parameters) -> tuple[float, float]:
    """Mean reports a step about the most reported organisation, and about another one."""
    return _get_means(p.table) if isinstance(p, OwnParameters) else (p.lead_rate, p.other_rate)


def get_stream(p: Parameters, report: tuple[int, int] | None = None) -> Stream:
    """The reports of a scenario; of an own table without the one `report` (step from 1, target from 0) it may hold.

    Adding that report then gives the table itself: the two worlds differ in a report that really is in it.
    """
    if not isinstance(p, OwnParameters):
        return make_stream(p)
    if report is None or not has_report(p, *report):
        return p.table.stream
    counts = p.table.counts.copy()
    counts[report[0] - 1, report[1]] -= 1
    return TableStream(counts)


def has_report(p: OwnParameters, step: int, target: int) -> bool:
    """Whether the table holds a report about `target` (from 0) at `step` (from 1)."""
    return bool(p.table.counts[step - 1, target])


def usual_report(table: ReportTable) -> tuple[int, int]:
    """A report to begin with (step from 1, target from 0): about the most reported, a third of the way through."""
    target = int(table.counts.sum(axis=0).argmax())
    steps = np.flatnonzero(table.counts[:, target])
    if not len(steps):
        return 1, target
    later = steps[steps >= len(table.counts) // 3]
    return int(later[0] if len(later) else steps[-1]) + 1, target


def get_report() -> tuple[int, int]:
    """The report in question, step from 1 and target from 0. Kept in the session: a link must not tell."""
    own = in_use()
    assert own is not None
    return st.session_state.get("own_report") or usual_report(own.table)


def set_report(step: int, target: int) -> None:
    """Make another report the one in question."""
    st.session_state["own_report"] = step, target


# --- what is computed from them --------------------------------------------------------------------------------------
def get_key(p: Parameters) -> str:
    """What tells the results of one table from those of another and of simulated reports ("")."""
    return p.token if isinstance(p, OwnParameters) else ""


def get_store(p: Parameters, shared: Store[T]) -> Store[T]:
    """Where results of this scenario are kept: for all sessions, or, of an own table, in this session alone."""
    if not isinstance(p, OwnParameters):
        return shared
    return _get_own(f"store {id(shared)}", max(LEAST_KEPT, shared.largest // 4))


def _get_own(name: str, largest: int) -> Store[Any]:
    kept: dict[str, Store[Any]] = st.session_state.setdefault("own_kept", {})
    return kept.setdefault(name, Store(largest))


def apart(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function cached by Streamlit for all sessions: results of own tables are kept in the session alone.

    Args:
        most: results of own tables that are kept.
    """

    def decorate(cached: Callable[P, T]) -> Callable[P, T]:
        plain = cast("Callable[P, T]", cached.__wrapped__)  # type: ignore[attr-defined]

        @wraps(plain)
        def call(*args: P.args, **options: P.kwargs) -> T:
            if not any(isinstance(value, OwnParameters) for value in (*args, *options.values())):
                return cached(*args, **options)
            store: Store[tuple[T]] = _get_own(f"{plain.__module__}.{plain.__qualname__}", most)
            key = (*args, *sorted(options.items()))
            found = store.get(key) or store.put(key, (plain(*args, **options),))
            return found[0]

        return call

    return decorate
