"""Two pinned plans, A and B, kept in the link and compared point by point."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.planning import Wishes
from ui import frame, state
from ui.plan.answers import Answer, get_answer, waited
from ui.plan.inputs import FIELDS, from_code, make_wishes, one_in, to_code, ways
from ui.words import _, number, percent

NONE = "none"


class _Codes(tuple[str, ...]):
    """Every valid code, as the container that `state.get_choice` asks."""

    def __contains__(self, code: object) -> bool:
        return isinstance(code, str) and from_code(code) is not None


def _pinned(name: str) -> str | None:
    code = state.get_choice(name, _Codes(), NONE)
    return None if code == NONE else code


def _load(code: str) -> None:
    """Bring a pinned plan back into the controls."""
    found = from_code(code)
    assert found is not None
    values, solve = found
    for key in FIELDS:
        state.set_choice(key, values[key])
    state.set_choice("solve", solve)
    state.change(false_alarm=values["alarm"] / 100)


def _forget() -> None:
    for name in ("A", "B"):
        state.set_choice(name, NONE)


def buttons(values: Mapping[str, int], solve: str) -> None:
    """Pin the plan on the screen, or forget what was pinned."""
    code = to_code(values, solve)
    pinned = {name: _pinned(name) for name in ("A", "B")}
    for name in ("A", "B"):
        st.button(
            _("Pin as A") if name == "A" else _("Pin as B"), key=f"pin-{name}",
            icon=":material/check:" if pinned[name] == code else ":material/keep:",
            on_click=state.set_choice, args=(name, code),
        )  # fmt: skip


def show(seed: int) -> None:
    """The table of A and B."""
    codes = {name: code for name in ("A", "B") if (code := _pinned(name))}
    st.header(_("Compare two plans"), anchor=False)
    if not codes:
        st.markdown(_("Pin this plan as A, change something, pin it as B: both stay in the link."))
        return
    with st.container(horizontal=True):
        for name, code in codes.items():
            st.button(_("Bring back {name}").format(name=name), key=f"load-{name}", on_click=_load, args=(code,))
        st.button(
            _("Unpin"), key="unpin", icon=":material/keep_off:",
            on_click=_forget,
        )  # fmt: skip
    if len(codes) == 1:
        st.markdown(_("One plan is pinned. Change something and pin the other."))
    answers = {name: get_answer(_wishes(code), seed) for name, code in codes.items()}
    table = compare(answers)
    lines = [[_("Point"), *answers], [":--", *["--:"] * len(answers)], *table.values.tolist()]
    st.markdown("\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines))
    frame.downloads("two-plans", table)


def _wishes(code: str) -> Wishes:
    found = from_code(code)
    assert found is not None
    return make_wishes(*found)


def compare(answers: Mapping[str, Answer]) -> pd.DataFrame:
    """One row a point, one column a plan; a star marks the points in which they differ."""
    columns = {name: _points(answer) for name, answer in answers.items()}
    first = next(iter(columns.values()))
    rows = []
    for point in first:
        values = [column[point] for column in columns.values()]
        differs = len(set(values)) > 1
        rows.append([f"{point} ★" if differs else point, *values])
    return pd.DataFrame(rows, columns=[_("Point"), *columns])


def _points(answer: Answer) -> dict[str, str]:
    w, s = answer.wishes, answer.solution
    points = {
        _("Organisations"): number(w.plan.targets),
        _("Audits a year"): number(w.plan.audits_a_year),
        _("Audits covered"): number(s.horizon),
        _("Reports a year, problem organisation"): number(w.plan.problem_reports),
        _("Reports a year, any other"): number(w.plan.usual_reports),
        _("People who could have known"): number(w.people),
        _("Suspicion before"): one_in(w.prior),
        _("Suspicion after, at most"): one_in(s.suspicion),
        _("False alarms the organisation accepts"): percent(w.false_alarm),
        _("Reports by one person"): number(s.reports),
        _("Solved for"): ways()[w.solve],
        _("Deniability budget (delta)"): number(s.delta),
        _("Noise on a count, reports"): number(answer.count_sd),
    }
    for share in (0.5, 0.8, 0.95):
        point = _("Months until {share} sure of an audit").format(share=percent(share))
        points[point] = waited(answer, answer.wait("tca", share))
    points[_("Mean wait, months")] = _("{mean} ± {margin}").format(
        mean=waited(answer, answer.mean("tca")), margin=waited(answer, answer.margin("tca"))
    )
    points[_("Mean wait if reports are followed openly")] = waited(answer, answer.mean("greedy"))
    points[_("Mean wait under a fixed rota")] = waited(answer, answer.mean("rota"))
    return points
