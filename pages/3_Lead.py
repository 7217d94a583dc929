"""Lead: how far ahead must the worst organisation be before an auditor picks it?"""

import streamlit as st

from core.calibration import get_count_sd
from core.utility import (
    get_misselection,
    get_theorem_2_floor,
    get_uniform_misselection,
    get_union_bound,
    simulate_misselection,
)
from ui import frames, says
from ui.bet import Bet, answer, ask, offer
from ui.charts import lead
from ui.controls import choice, control, more_settings
from ui.frame import data_section, how_computed, toolbar, what_to_notice
from ui.live import live, parameter_slider
from ui.state import current, get_choice
from ui.words import _, number, percent

get_frames = st.cache_data(max_entries=64, show_spinner=False)(frames.get_lead_frames)
get_panels = st.cache_data(max_entries=2, show_spinner=False)(frames.get_panels)
simulate = st.cache_data(max_entries=256, show_spinner=False)(simulate_misselection)

BET = Bet(low=0, high=500, step=1, margin=1)

p = current()
toolbar("lead")


def settings() -> None:
    """The parameters that have no slider in the picture."""
    left, right = st.columns([1, 1], gap="large")
    with left:
        control("targets")
    with right:
        more_settings(["run_length", "horizon", "rr_calibration"])


def guess_first() -> None:
    """The question in place of the picture."""
    right = 1.0 - (frames.EVEN if p.targets > 2 else frames.SURE)
    ask(
        BET,
        _(
            "{targets} organisations, a delta of {delta}: **by how many open reports must one organisation lead, so "
            "that the noisy tally audits it {right} of the time?** Drawing lots is right {lots} of the time."
        ).format(
            targets=number(p.targets),
            delta=number(p.delta),
            right=percent(right),
            lots=percent(1.0 - get_uniform_misselection(p.targets)),
        ),
        _("Lead, in open reports"),
    )
    with st.columns(2, gap="large")[0]:
        control("delta")
    settings()


def picture() -> None:
    """The curves, and what they say."""
    delta, gap = parameter_slider("delta", p.delta), parameter_slider("gap", p.gap)
    shown = get_frames(
        tuple(delta.values), tuple(map(int, gap.values)), p.targets, p.horizon, p.run_length, p.rr_calibration, p.seed
    )  # fmt: skip
    needed = shown.even if p.targets > 2 else shown.sure
    answer(
        BET,
        float(needed[delta.index]),
        _("With {targets} organisations and a delta of {delta} a lead of **{lead}** is needed.").format(
            targets=number(p.targets), delta=number(p.delta), lead=number(int(needed[delta.index]))
        ),
    )
    live(
        "lead",
        title=_("How large must the lead be?"),
        alt=_(
            "Chance to audit the wrong organisation against the lead of the worst one. The noisy tally falls with the "
            "lead, the coin flip stays near drawing lots."
        ),
        sliders=[gap, delta],
        plot=lead.picture(shown),
        layout="wide",
        parts=[*lead.sentences(shown), *lead.gauges(shown)],
        caption=says.scenario_lead(p),
        file="lead",
    )
    count_sd = get_count_sd(p.delta, p.horizon, p.run_length)
    exact = float(get_misselection(p.gap, p.targets, count_sd))
    bound = float(get_union_bound(p.gap, p.targets, count_sd))
    drawn = simulate(p.gap, p.targets, count_sd, frames.MC_RUNS, p.seed)
    st.markdown(
        _("**With a lead of {gap} and delta {delta}**, the chance to audit the wrong one three ways:").format(
            gap=number(p.gap), delta=number(p.delta)
        )
    )
    with st.container(horizontal=True, gap="large"):
        for name, share in ((_("Exact"), exact), (_("Upper bound"), bound), (_("Simulated"), drawn.share)):
            st.metric(name, percent(share), width="content")
    st.caption(says.agreement(exact, bound, drawn, p.seed))
    settings()
    what_to_notice(says.notice_lead(p, count_sd, get_theorem_2_floor(p.targets, p.delta)))
    how_computed(says.method_lead(p, exact, bound, count_sd), says.command_gap(p))

    data_section(
        [
            (
                _("Chance to audit the wrong one"),
                lambda: lead.table(shown, delta.index, get_misselection(shown.gaps, p.targets, count_sd)),
                "lead",
            )
        ],
        key="lead",
    )


def panels(kind: str) -> None:
    """The paper's figures."""
    fold = st.expander(
        _("Other numbers of organisations (the paper's Figures 2a and 3 to 5)"),
        icon=":material/grid_view:", expanded=kind != "age", key="panels_fold", on_change="rerun",
    )  # fmt: skip
    if fold.open:
        with fold:
            choice(
                "panels",
                _("How long the counter is built to last"),
                {"age": _("as long as the count is old"), "fixed": _("1,000 audits")},
                "age",
                help=_("The paper takes one number for both. A counter built for 1,000 audits is noisier at age 100."),
            )
            found = get_panels(None if kind == "age" else 1000)
            for column, targets in zip(st.columns(len(frames.PANEL_TARGETS)), frames.PANEL_TARGETS, strict=True):
                column.markdown(_("**{targets} organisations**").format(targets=number(targets)))
                column.plotly_chart(
                    lead.panels([panel for panel in found if panel.targets == targets]),
                    key=f"lead-panel-{targets}",
                    alt=_("Chance to audit the wrong one against the lead with {targets} organisations.").format(
                        targets=number(targets)
                    ),
                    config={"displaylogo": False},
                )
            st.caption(_("Across: the lead. Up: the chance to audit the wrong organisation. Blue: the noisy tally."))
            data_section([(_("All panels"), lambda: lead.table_of_panels(found), "lead-panels")], key="lead-panels")


kind = get_choice("panels", ["age", "fixed"], "age")
if offer(BET):
    guess_first()
else:
    picture()
    panels(kind)
