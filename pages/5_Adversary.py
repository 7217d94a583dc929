"""What can the organisation find out?"""

import numpy as np
import pandas as pd
import streamlit as st

from core import calibration, deniability
from core.parameters import TABLE, Parameters
from ui import bet, frame, state
from ui.adversary import attacks, game, limits, suspicion, twins
from ui.charts import adversary as charts
from ui.controls import choice, control
from ui.live import Dots, Part, Slot, Text, live, parameter_slider
from ui.own import banner, use
from ui.own.use import OwnParameters
from ui.words import N_, _, number, percent

FALSE_ALARMS = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
PEOPLE = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100, 200, 500, 1000)
DELTAS = tuple(stop for stop in TABLE["delta"].stops if stop <= 0.2 or round(100 * stop) % 2 == 0 or stop > 0.5)
VIEWS = {
    "twins": (N_("Twin worlds"), twins.show),
    "attacks": (N_("Attacks, measured"), attacks.show),
    "suspicion": (N_("From rates to suspicion"), suspicion.show),
    "game": (N_("Be the organisation"), game.show),
    "limits": (N_("When the promise breaks"), limits.show),
}
BET = bet.Bet(low=50, high=100, step=1, margin=1, relative=0.0, show=lambda points: percent(points / 100.0))
GRID = (1.0 - np.cos(np.linspace(0.0, np.pi, 81))) / 2.0


@st.cache_data(max_entries=64, show_spinner=False)
def frames(deltas: tuple[float, ...], alarms: tuple[float, ...], people: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Everything the picture shows, at every stop of its three sliders (D, F, N)."""
    delta, fpr, prior = np.array(deltas), np.array(alarms), 1.0 / np.array(people)
    mu = np.array([calibration.get_mu(one) for one in deltas])
    cube = prior[None, None, :], fpr[None, :, None], delta[:, None, None], mu[:, None, None]
    tpr = deniability.get_tpr_gaussian(fpr[None, :], mu[:, None])
    return {
        "line": deniability.get_tpr_delta_line(GRID[None, :], delta[:, None]),
        "gaussian": deniability.get_tpr_gaussian(GRID[None, :], mu[:, None]),
        "fpr": fpr,
        "tpr": tpr,
        "prior": prior,
        "success": deniability.get_success(delta, 0.5),
        "points": 100.0 * deniability.get_advantage(delta[:, None], prior[None, :]),
        "suspicion": deniability.get_suspicion(*cube),
        "alarms": np.round(1000.0 * fpr),
        # rounded up: the sentence says "at most"
        "caught": np.ceil(1000.0 * tpr - 1e-6),
    }


def square(p: Parameters) -> None:
    """The square of false alarms against detections, with what it means for one person."""
    delta = parameter_slider("delta", p.delta, DELTAS)
    alarm = parameter_slider("false_alarm", p.false_alarm, FALSE_ALARMS)
    people = parameter_slider("people", p.people, PEOPLE)
    f = frames(tuple(delta.values), tuple(alarm.values), tuple(int(n) for n in people.values))
    every = ("delta", "false_alarm", "people")
    parts: list[Part] = [
        Text(
            _(
                "No audit record can raise the suspicion of you from {before} to more than {after}, unless it would "
                "turn up by chance less than {alarm} of the time."
            ),
            {
                "before": Slot(f["prior"], ("people",), "percent"),
                "after": Slot(f["suspicion"], every, "percent"),
                "alarm": Slot(f["fpr"], ("false_alarm",), "percent"),
            },
            size="large",
        ),
        Dots(_("Suspicion before"), f["prior"], ("people",), color="text"),
        Dots(_("Suspicion after, at most"), f["suspicion"], every, base=f["prior"][None, None, :]),
        Text(
            _(
                "Whoever watches all {horizon} audits can guess whether you reported with at most {success} success "
                "instead of {even}. With {people} people in question, watching adds at most {points} percentage "
                "points to the chance of a right guess."
            ),
            {
                "horizon": Slot(p.horizon, digits=6, strong=False),
                "success": Slot(f["success"], ("delta",), "percent"),
                "even": Slot(0.5, style="percent", strong=False),
                "people": Slot(np.array(people.values), ("people",), digits=6, strong=False),
                "points": Slot(f["points"], ("delta", "people")),
            },
        ),
        Text(
            _(
                "Of 1,000 people who did not report, {alarms} are suspected all the same. Of 1,000 who did, at most "
                "{caught} are caught."
            ),
            {
                "alarms": Slot(f["alarms"], ("false_alarm",), digits=4),
                "caught": Slot(f["caught"], ("delta", "false_alarm"), digits=4),
            },
            size="small",
        ),
    ]
    live(
        "adversary",
        title=_("What can the organisation find out?"),
        alt=_(
            "Square of false alarms against detections. The upper left is impossible at this delta. The curve of the "
            "noisy tally bulges above the diagonal of pure guessing and touches the delta line once."
        ),
        sliders=[delta, alarm, people],
        plot=charts.make_square(GRID, f["line"], f["gaussian"], f["fpr"][None, :], f["tpr"]),
        parts=parts,
        caption=_("Holds for everything that {horizon} audits show together; one report.").format(
            horizon=number(p.horizon)
        ),
        file="adversary",
    )
    st.caption(
        _(
            "Across: how often the organisation suspects someone who did not report. Up: how often it suspects someone "
            "who did. Left and up is bad for the person who reports; no rule of suspicion gets above the curve."
        )
    )


def curve_table(p: Parameters) -> pd.DataFrame:
    """The curves of the square at the delta of the page, in full precision."""
    fpr = np.round(np.linspace(0.01, 0.99, 99), 2)
    mu = calibration.get_mu(p.delta)
    return pd.DataFrame(
        {
            "false_alarm": fpr,
            "detection_delta_line": deniability.get_tpr_delta_line(fpr, p.delta),
            "detection_noisy_tally": deniability.get_tpr_gaussian(fpr, mu),
            "suspicion_after_at_most": deniability.get_suspicion(1.0 / p.people, fpr, p.delta, mu),
        }
    )


def notice(p: Parameters) -> None:
    """What a reader should take away."""
    touching = deniability.get_touching_fpr(calibration.get_mu(p.delta))
    frame.what_to_notice(
        [
            _(
                "The whole curve holds for every rule the organisation could think of, with all audits and unlimited "
                "computing power. It knows who works there and how the auditor decides, but not the noise."
            ),
            _(
                "The curve touches the delta line once, at {touching} false alarms. For an organisation that wants few "
                "false alarms it stays well below."
            ).format(touching=percent(touching)),
            _(
                "The same number limits influence: one report changes the chance of any audit by at most {points} "
                "percentage points. Only many reports together move the audits."
            ).format(points=number(100.0 * p.delta)),
        ]
    )


def computed(p: Parameters) -> None:
    """The formulas with the values of the page."""
    mu, prior, q = calibration.get_mu(p.delta), 1.0 / p.people, p.false_alarm
    tpr = float(deniability.get_tpr_gaussian(q, mu))
    advantage = float(deniability.get_advantage(p.delta, prior))
    suspicion = float(deniability.get_suspicion(prior, q, p.delta, mu))
    most = min(q + p.delta, tpr)
    lines = [
        _("Advantage (Theorem 1), with the suspicion before written as pi:"),
        rf"$$\mathrm{{adv}} \le \min(\pi, 1-\pi)\,\delta = \min({prior:.4g}, {1 - prior:.4g})\cdot {p.delta:g}"
        rf" = {advantage:.4g}$$",
        _("Gaussian trade-off curve (ours, from the noise of the counter):"),
        rf"$$\mu = 2\,\Phi^{{-1}}\!\left(\tfrac{{1+\delta}}{{2}}\right) = {mu:.4g}, \qquad"
        rf" \mathrm{{TPR}} \le \Phi\!\left(\Phi^{{-1}}({q:g}) + \mu\right) = {tpr:.4g}$$",
        _("It touches the line TPR = FPR + delta where"),
        rf"$$\mathrm{{FPR}} = \Phi(-\mu/2) = {deniability.get_touching_fpr(mu):.4g}$$",
        _("Suspicion after an event that has probability q without the report (Bayes on the curve):"),
        rf"$$\frac{{\pi G}}{{\pi G + (1-\pi) q}} = {suspicion:.4g}, \qquad"
        rf" G = \min(q + \delta,\ \Phi(\Phi^{{-1}}(q) + \mu)) = {most:.4g}$$",
        _("k reports: k delta in general; for the noisy tally, about one organisation and about k different ones:"),
        r"$$2\,\Phi(k\,\mu/2) - 1, \qquad 2\,\Phi(\sqrt{k}\,\mu/2) - 1$$",
    ]
    frame.how_computed("\n\n".join(lines), f"python -m core tradeoff --delta {p.delta:g} --fpr {q:g}")


def views(p: Parameters) -> None:
    """The ways to sit in the organisation's chair, one at a time."""
    shown = choice("view", _("Look closer"), {view: _(name) for view, (name, _show) in VIEWS.items()}, "twins")
    if isinstance(p, OwnParameters):
        if shown == "game":
            st.caption(_("The game has a scenario and reports of its own, not those of the table."))
        else:
            banner.sizes()
    VIEWS[shown][1](p)


def guess_first(p: Parameters) -> None:
    """The question in place of the picture."""
    state.get_choice("view", list(VIEWS), "twins")
    bet.ask(
        BET,
        _(
            "Somebody watches all {horizon} audits and must say whether you reported. A coin is right {even} of the "
            "time. **With a delta of {delta}, how often is the watcher right at most?**"
        ).format(horizon=number(p.horizon), even=percent(0.5), delta=number(p.delta)),
        _("Right guesses, in percent"),
    )
    with st.columns(2, gap="large")[0]:
        control("delta")


def answer(p: Parameters) -> None:
    """The true number beside the guess."""
    success = float(deniability.get_success(p.delta, 0.5))
    bet.answer(
        BET,
        100.0 * success,
        _("With a delta of {delta} the watcher is right at most **{success}** of the time.").format(
            delta=number(p.delta), success=percent(success)
        ),
    )


frame.toolbar("adversary")
banner.show()
scenario = use.current()
if bet.offer(BET):
    guess_first(scenario)
else:
    answer(scenario)
    square(scenario)
    frame.data_section([(_("False alarms and detections"), lambda: curve_table(scenario), "tradeoff")], key="square")
    notice(scenario)
    computed(scenario)
    views(scenario)
