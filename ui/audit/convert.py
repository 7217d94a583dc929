"""(epsilon, delta) as mu by three routes, the published example, a toy of it, and what a single audit gives away."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.audit import Audit, Claim, audit_scores, get_first_decision, run_toy
from core.calibration import get_delta, get_mu
from core.counters import Array
from core.gdp import ROUTES, get_mu_from_epsilon_delta, get_mu_hat
from core.parameters import Parameters
from ui import controls, frame, state
from ui.audit import report
from ui.audit.foot import REPORTED
from ui.audit.names import Look
from ui.charts import audit as charts
from ui.charts.audit import ROUTE_NAMES, Drawn
from ui.controls import choice
from ui.frame import chart
from ui.frames import Store
from ui.words import _, number

UNIT = 1000
"""Epsilon is kept in the link in thousandths."""
LARGEST_EPSILON = 20
DELTAS = ("0.1", "0.01", "0.001", "1e-05", "1e-07")
PUBLISHED = (1.0, 0.01)
TOY_RUNS = 100_000
TARGETS = (2, 3, 5, 8, 10, 20, 35, 50, 100, 200, 500)
LOOK = Look("#12858f", "pentagon", "⬟")

_CURVES: Store[dict[str, Array]] = Store(30)
_TOYS: Store[tuple[Array, Array]] = Store(4)


def get_grid(epsilon: float) -> Array:
    """Epsilons of the picture, (41,), from 0 to a round number above the reader's."""
    return np.linspace(0.0, next(top for top in (2, 5, 10, LARGEST_EPSILON) if epsilon <= top), 41)


def get_routes(epsilons: Array, delta: float) -> dict[str, Array]:
    """mu by every route; kept."""
    key = (float(epsilons[-1]), delta)
    found = _CURVES.get(key)
    if found is None:
        found = {r: np.array([get_mu_from_epsilon_delta(float(e), delta, r) for e in epsilons]) for r in ROUTES}
        _CURVES.put(key, found)
    return found


def show(p: Parameters) -> None:
    """The view."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        words = st.container()
        epsilon, delta = _ask()
    mus = {route: get_mu_from_epsilon_delta(epsilon, delta, route) for route in ROUTES}
    epsilons = get_grid(epsilon)
    found = get_routes(epsilons, delta)
    with left:
        chart(
            charts.routes(epsilons, found, epsilon, REPORTED if delta == PUBLISHED[1] else None),
            key="audit-routes",
            alt=_("mu against epsilon at delta {delta} by three routes; at your epsilon: {list}.").format(
                delta=number(delta), list="; ".join(f"{_(ROUTE_NAMES[r])} {number(mu)}" for r, mu in mus.items())
            ),
            table=lambda: charts.table_of_routes(epsilons, found),
            name="epsilon-to-mu",
            axes=_("Across: epsilon, at delta = {delta}. Up: mu of the Gaussian noise that each route allows.").format(
                delta=number(delta)
            ),
        )  # fmt: skip
    with words:
        frame.sentence(
            _(
                "A promise of (epsilon, delta) = ({epsilon}, {delta}) allows Gaussian noise with mu = **{dual}**. By "
                "tight zCDP it would be **{zcdp}**, by simple zCDP {simple}."
            ).format(
                epsilon=number(epsilon), delta=number(delta), dual=number(mus["dual"]), zcdp=number(mus["zcdp"]),
                simple=number(mus["simple"]),
            ),
            key="routes",
        )  # fmt: skip
        st.markdown(published())
    _toy(mus["zcdp"], p.seed)
    _first(p.delta)
    frame.what_to_notice(
        [
            _("The same promise, three amounts of noise: the more exact the conversion, the less noise is needed."),
            _(
                "An audit can be tight against one route and loose against another. What it measures is mu; which mu "
                "was promised depends on the conversion."
            ),
            _(
                "A single audit gives away less than the noisy counts behind it: the audit record is a coarse picture "
                "of them."
            ),
        ]
    )
    frame.how_computed(
        _(
            "Exact: the mu with $\\delta = \\Phi(-\\varepsilon/\\mu + \\mu/2) - e^\\varepsilon "
            "\\Phi(-\\varepsilon/\\mu - \\mu/2)$ (Dong, Roth and Su 2022). Tight zCDP: the largest $\\rho$ whose "
            "conversion by Canonne, Kamath and Steinke (2020) gives delta at epsilon; simple: $\\rho + 2\\sqrt{{\\rho "
            "\\ln(1/\\delta)}} = \\varepsilon$ (Bun and Steinke 2016); both with $\\mu = \\sqrt{{2\\rho}}$. Here "
            "mu = {zcdp} by tight zCDP. The command judges a table against it."
        ).format(zcdp=number(mus["zcdp"])),
        f"python -m core audit --table 1257,743,949,1051 --mu {mus['zcdp']:.7g}",
    )


def _ask() -> tuple[float, float]:
    def commit() -> None:
        state.set_int("audit_eps", round(st.session_state["w_audit_eps"] * UNIT))

    epsilon = state.get_int("audit_eps", UNIT, 0, LARGEST_EPSILON * UNIT) / UNIT
    state.show("w_audit_eps", epsilon)
    st.number_input(
        _("Epsilon"), 0.0, float(LARGEST_EPSILON), step=0.1, format="%.3f", key="w_audit_eps", on_change=commit
    )
    labels = {delta: number(float(delta)) for delta in DELTAS}
    return epsilon, float(choice("audit_pair_delta", _("Delta of the pair"), labels, "0.01"))


def published() -> str:
    """The published example."""
    epsilon, delta = PUBLISHED
    return _(
        "The published example: ({epsilon}, {delta}) implies mu = {implied} by tight zCDP, which the abstract rounds "
        "to 0.45. Its audit of MST and AIM measured {reported} (as reported): almost all that was allowed. Against the "
        "exact conversion, {dual}, the gap is wider."
    ).format(
        epsilon=number(epsilon), delta=number(delta), reported=number(REPORTED),
        implied=number(get_mu_from_epsilon_delta(epsilon, delta, "zcdp"), 4),
        dual=number(get_mu_from_epsilon_delta(epsilon, delta, "dual"), 4),
    )  # fmt: skip


def audit_toy(mu: float, seed: int) -> tuple[Audit, tuple[Array, Array]]:
    """The toy at `mu`, judged against it, and its scores; kept."""
    key = (mu, seed)
    scores = _TOYS.get(key) or _TOYS.put(key, run_toy(mu, TOY_RUNS, seed))
    return audit_scores(*scores, Claim(get_delta(mu), mu), seed=seed), scores


def _toy(mu: float, seed: int) -> None:
    st.header(_("A toy of the published audit"), anchor=False)
    audit, _scores = audit_toy(mu, seed)
    left, right = st.columns([3, 2], gap="large")
    with left:
        report.picture(Drawn(_("the toy"), LOOK, audit), "audit-toy", tall=500)
    with right:
        frame.sentence(report.headline(audit), key="toy")
        st.markdown(
            _(
                "Three yes-or-no tables of counts. One person adds 1 to a cell of each. Every cell gets noise of "
                "{sd} = $\\sqrt{{3}}$/mu, so that the three together keep mu = {mu}. The best attack adds the three "
                "cells up. {judged} judged runs a world: nearly all that is allowed can be measured."
            ).format(sd=number(float(np.sqrt(3.0)) / mu), mu=number(mu), judged=number(audit.tp + audit.fn))
        )
        st.markdown(report.markdown_of_numbers(audit))


def get_first_mus(delta: float) -> tuple[Array, Array]:
    """Advantage and mu of a single audit for each of `TARGETS`, exact."""
    rates = np.array([get_first_decision(delta, targets) for targets in TARGETS])
    return rates[:, 1] - rates[:, 0], get_mu_hat(rates[:, 0], 1.0 - rates[:, 1])


def _first(delta: float) -> None:
    st.header(_("What a single audit gives away"), anchor=False)
    gains, mus = get_first_mus(delta)
    promised = get_mu(delta)
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(
            charts.first_decision(TARGETS, mus, promised),
            key="audit-first",
            alt=_("mu of a single audit by the number of organisations, from {low} to {high}; promised {mu}.").format(
                low=number(float(mus.min())), high=number(float(mus.max())), mu=number(promised)
            ),
            table=lambda: charts.table_of_first(TARGETS, gains, mus),
            name="single-audit",
            axes=_(
                "Across: organisations, logarithmic. Up: mu of the attack “the reported one is audited” where one "
                "report and one audit are all there is; exact."
            ),
        )  # fmt: skip
    with right:
        fifty = TARGETS.index(50)
        frame.sentence(
            _(
                "With one audit and {targets} organisations, a report makes an audit of its organisation likelier by "
                "{gain} percentage points: mu = **{mu}**, promised {promised}."
            ).format(
                targets=number(50), gain=number(100.0 * float(gains[fifty])), mu=number(float(mus[fifty])),
                promised=number(promised),
            ),
            key="first",
        )  # fmt: skip
        st.markdown(
            _(
                "No simulation is needed here: the chance that the reported organisation has the largest noisy count "
                "is known exactly. The fewer false alarms, the closer a single audit comes to the promise."
            )
        )
        controls.control("delta")
