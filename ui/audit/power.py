"""How many runs an audit needs before it would notice."""

from __future__ import annotations

import streamlit as st

from core.audit import RUNS
from core.calibration import get_mu
from core.gdp import get_mu_se
from core.parameters import Parameters
from ui import controls, frame
from ui.audit import one, work
from ui.audit.names import TURNS
from ui.audit.work import LADDER, Power
from ui.charts import audit as charts
from ui.frame import chart
from ui.words import _, number, percent

WANTED = 0.9
SMALL = 0.05
"""A delta at which the default runs are too few."""


def show(p: Parameters) -> None:
    """The view."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        words = st.container()
        controls.control("delta")
    settings = one.ask_settings()
    judged = settings.runs // 2
    with left:
        status = st.empty()
        status.caption(_("Computing the chance of being caught"))
        powers = work.get_powers(p.delta, settings.horizon, judged, settings.alpha)
        small = work.get_powers(SMALL, settings.horizon, RUNS // 2, settings.alpha)
        status.empty()
        lines = {fault: (_(TURNS[fault].title), TURNS[fault].look, found.chance) for fault, found in powers.items()}
        chart(
            charts.power(LADDER, lines, judged, WANTED),
            key="audit-power",
            alt=_("Chance to be caught against the number of judged runs. Runs needed: {list}.").format(
                list="; ".join(f"{_(TURNS[fault].title)} {_needed(found)}" for fault, found in powers.items())
            ),
            table=lambda: charts.table_of_power(LADDER, lines),
            name="power-of-the-audit",
            axes=_(
                "Across: judged runs in each world, logarithmic; as many again choose the threshold. Up: chance of the "
                "verdict “violation”, exact, for a white box."
            ),
        )
    with words:
        frame.sentence(headline(powers, judged), key="power")
        st.markdown(markdown(powers))
        st.markdown(told_of_small(small))
    mu = get_mu(p.delta)
    frame.what_to_notice(
        [
            _(
                "The error of the measured mu shrinks with the square root of the runs: {now} with {judged} judged "
                "runs a world, {ten} with ten times as many."
            ).format(
                now=number(get_mu_se(mu, judged), 2), judged=number(judged), ten=number(get_mu_se(mu, 10 * judged), 2)
            ),
            _(
                "The smaller delta, the dearer the audit: half of delta needs about four times the runs. A strong "
                "promise is hard to check from outside."
            ),
            _(
                "These numbers are for a white box. In our trial with the default settings the black box caught "
                "none of the three faults: what it sees is far from what the promise allows."
            ),
        ]
    )
    frame.how_computed(
        _(
            "Chance to be caught: all confusion tables of {judged} runs a world that give the verdict “violation”, "
            "weighted by their chance at a threshold halfway, $FPR = FNR = \\Phi(-\\mu/2)$. Standard error of "
            "$\\hat\\mu$: $\\sqrt{{2p(1-p)/n}}/\\varphi(\\mu/2)$ with $p = \\Phi(-\\mu/2)$: {se} at mu = {mu} and "
            "n = {judged} (delta method, ours)."
        ).format(judged=number(judged), se=number(get_mu_se(mu, judged), 2), mu=number(mu)),
        work.get_command(
            work.Question("tca", "half-noise", "white", settings.targets, settings.horizon, settings.runs),
            p,
            settings.alpha,
        ),
    )


def _chance(share: float) -> str:
    """A chance that is not quite 1 is not shown as if it were."""
    return _("over {share}").format(share=percent(0.999)) if share > 0.999 else percent(share)


def _needed(found: Power) -> str:
    return _("more than 10 million") if found.needed is None else number(found.needed)


def headline(powers: dict[str, Power], judged: int) -> str:
    """Whether the reader's runs are enough."""
    half, over = powers["half-noise"], powers["over-horizon"]
    return _(
        "With {judged} judged runs a world, half the noise is caught with a chance of **{half}**, noise past its "
        "horizon with **{over}**. For {wanted} it takes {half_needed} and {over_needed} judged runs."
    ).format(
        judged=number(judged), half=_chance(half.now), over=_chance(over.now), wanted=percent(WANTED),
        half_needed=_needed(half), over_needed=_needed(over),
    )  # fmt: skip


def told_of_small(small: dict[str, Power]) -> str:
    """What the default runs can do at a small delta."""
    half, over = small["half-noise"].now, small["over-horizon"].now
    said = _(
        "At delta = {delta} the default of {runs} runs catches half the noise with a chance of {half}, noise past its "
        "horizon with {over}: less than {wanted}."
    )
    if min(half, over) >= WANTED:
        said = _(
            "At delta = {delta} the default of {runs} runs catches half the noise with a chance of {half}, noise past "
            "its horizon with {over}."
        )
    return said.format(
        delta=number(SMALL), runs=number(RUNS), half=percent(half), over=percent(over), wanted=percent(WANTED)
    )  # fmt: skip


def markdown(powers: dict[str, Power]) -> str:
    """One row a fault."""
    head = [_("Fault"), _("true mu"), _("caught now"), _("judged runs for {wanted}").format(wanted=percent(WANTED))]
    rows = [
        [f"{TURNS[f].look.glyph} {_(TURNS[f].title)}", number(found.mu), _chance(found.now), _needed(found)]
        for f, found in powers.items()
    ]
    lines = [head, [":--", "--:", "--:", "--:"], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
