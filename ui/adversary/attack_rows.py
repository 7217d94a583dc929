"""Attacks, a row for each auditor: bound, exact value and measurement; and when each promise fails."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import deniability
from core.attacks import Measured
from core.parameters import Parameters
from ui.adversary import measured
from ui.adversary.measured import Best, Timing, get_right
from ui.charts import attacks as charts
from ui.marks import MARKS, full, plain
from ui.words import N_, _, number

_FAILS = {
    "tca": N_(
        "Promises delta for {audits} audits and one report a person. It fails past the last audit, for a person with "
        "more reports, or if somebody learns the noise: a published seed gives it away."
    ),
    "rr": N_("Promises delta for {audits} audits. It fails past the last audit, or if somebody sees the coins."),
    "rr-forever": N_("Promises delta for any number of audits. It fails if somebody sees the coins."),
    "greedy": N_(
        "Promises nothing, and fails at once: where nobody else reports, one report decides the next audit. It leaks "
        "at least 1 - 1/C = {leak}: the obvious give-away."
    ),
    "uniform": N_("Cannot fail: it ignores the reports. That is also why it helps nobody."),
    "fading": N_(
        "Promises delta for any number of audits and one report a person. It fails for a person with more reports, or "
        "if somebody learns the noise: a published seed gives it away."
    ),
}


def agree(result: Measured, bound: float | None, exact: tuple[float, float] | None) -> str:
    """Whether bound, exact value and measurement fit together, in words."""
    if bound is not None and result.low > bound:
        return _("above the bound: by chance once in 40, else a fault")
    if exact is None:
        return (
            _("below the bound") if bound is not None and result.high <= bound else _("the bound lies in the interval")
        )
    value, margin = exact[0], 2.0 * exact[1]
    if result.low - margin <= value <= result.high + margin:
        return _("agrees with the exact value")
    return _("below the best attack, as it must be") if result.high < value else _("above the exact value: chance")


def rows(
    p: Parameters,
    attack: str,
    found: dict[str, Timing],
    exact: dict[str, tuple[float, float] | None],
    drawn: Sequence[charts.Drawn],
    counts: dict[str, Best],
    quiet: bool,
) -> None:
    """Bound, exact value and measurement of each auditor in one row."""
    st.subheader(_("Bound, exact value, measurement"), anchor=False)
    own = {one.mechanism: one.measured for one in reversed(drawn) if one.measured is not None}
    head = [
        _("Auditor"),
        _("Bound: delta, Gaussian"),
        _("Best attack, exact"),
        _("Measured (95% interval) and agreement"),
    ]
    cells = []
    for name in found:
        result = own.get(name) or found[name].best
        cells.append(
            _row(p, name, f"{MARKS[name].glyph} {plain(name)}", result, exact[name], quiet or name == "uniform")
        )
        if name in counts:
            best = counts[name]
            text = _("its noisy counts themselves") if name == "tca" else _("its released sums themselves")
            cells.append(_row(p, name, f"◌ {text}", best.measured, (best.exact, best.exact_se), False))
    lines = [head, [":--"] * len(head), *cells]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
    text = _(
        "Advantage: detections minus false alarms; 0 is guessing, 1 is certainty. Half of the {pairs} pairs chose the "
        "setting, the other half judged it. An advantage of 0.1 makes a guess right {right} of the time."
    ).format(pairs=number(found["tca"].pairs), right=get_right(0.1))
    if attack != "timing" and len(own) < len(found):
        text += " " + _("Auditors that are not in the picture stand here with the timing attack.")
    st.caption(text)


def _row(
    p: Parameters, name: str, title: str, result: Measured, exact: tuple[float, float] | None, formula: bool
) -> list[str]:
    promise = measured.get_guarantee(name, p)
    bound, gaussian = deniability.get_bounds(promise)
    if promise.holds:
        allowed = f"{number(bound)}, {'–' if gaussian is None else number(gaussian)}"
    else:
        allowed = _("none; {leak} or more can leak").format(leak=number(promise.delta))
    return [
        title,
        allowed,
        _exact(exact, formula),
        _("{value} ({low} to {high}): {agreement}").format(
            value=f"**{number(result.advantage)}**",
            low=number(result.low),
            high=number(result.high),
            agreement=agree(result, bound if promise.holds else None, exact),
        ),
    ]


def _exact(value: tuple[float, float] | None, formula: bool) -> str:
    if value is None:
        return _("no formula")
    if formula:
        return number(value[0])
    if value[1] == 0.0:
        return _("{value} in this sample").format(value=number(value[0]))
    return f"{number(value[0])} ± {number(1.96 * value[1], 2)}"


def fails(p: Parameters, names: Sequence[str]) -> None:
    """What each promise covers and what breaks it."""
    st.subheader(_("When does each promise fail?"), anchor=False)
    lines = []
    for name in names:
        promise = measured.get_guarantee(name, p)
        text = _FAILS["rr-forever" if name == "rr" and promise.horizon is None else name]
        words = _(text).format(audits=number(promise.horizon or p.horizon), leak=number(promise.delta))
        lines.append("- " + MARKS[name].glyph + " " + _("**{label}**: {value}").format(label=full(name), value=words))
    st.markdown("\n".join(lines))
