"""The report in question, chosen by its row: organisation and period."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from core.intake.tables import ReportTable
from ui import state
from ui.words import _, ngettext, number


def ask(table: ReportTable, report: tuple[int, int], key: str, commit: Callable[[int, int], None]) -> None:
    """Two boxes for a report (step from 1, target from 0): organisations, and the periods with reports about one."""
    step, target = report
    names = {i: f"{i + 1}  {name}" for i, name in enumerate(table.targets)}
    counts = table.counts[:, target]
    rows = np.union1d(np.flatnonzero(counts), [step - 1]).tolist()
    labels = {row + 1: _label(table.steps[row], int(counts[row])) for row in rows}
    # other options are another widget: the browser would still hold a label of the old ones
    about, at = f"w_{key}_about_{id(table)}", f"w_{key}_at_{id(table)}_{target}"

    def other() -> None:
        chosen = st.session_state[about]
        filed = np.flatnonzero(table.counts[:, chosen])
        # the report about the other organisation that is nearest in time
        near = int(filed[np.abs(filed - (step - 1)).argmin()]) + 1 if len(filed) else step
        commit(near, chosen)

    state.show(about, target)
    state.show(at, step)
    left, right = st.columns(2, gap="large")
    left.selectbox(_("The report is about"), list(names), format_func=names.__getitem__, key=about, on_change=other)
    right.selectbox(
        _("It was filed in"), list(labels), format_func=labels.__getitem__, key=at,
        on_change=lambda: commit(st.session_state[at], target),
    )  # fmt: skip


def _label(step: str, count: int) -> str:
    if not count:
        return _("{step}: no report; one more is tried").format(step=step)
    return ngettext("{step}: {count} report", "{step}: {count} reports", count).format(step=step, count=number(count))


def tell(table: ReportTable, report: tuple[int, int]) -> str:
    """What the two worlds are."""
    step, target = report
    if table.counts[step - 1, target]:
        return _(
            "The two worlds: the table as it is, and the table without one of the reports about no. {target} in "
            "period {step} ({label})."
        ).format(target=number(target + 1), step=number(step), label=table.steps[step - 1])
    return _(
        "The two worlds: the table with one report more about no. {target} in period {step} ({label}), where it holds "
        "none, and the table as it is."
    ).format(target=number(target + 1), step=number(step), label=table.steps[step - 1])
