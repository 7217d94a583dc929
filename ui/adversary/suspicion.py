"""From rates to suspicion: what an event does to the chance that it was you."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core import calibration, deniability
from core.auditors import make_mechanism
from core.parameters import Parameters
from core.simulation import run_transcript
from core.streams import WithReport
from core.utility import Share
from ui import frame
from ui.adversary import measured, suspect_controls
from ui.adversary.measured import Bar
from ui.charts import suspicion as charts
from ui.controls import choice, control, whole
from ui.frames import Array
from ui.live import Dots, Slot, Text, live
from ui.own import use
from ui.words import _, number, percent

KINDS = ("within", "at", "not")
RATES = np.round(np.linspace(0.01, 0.99, 99), 2)
EDGES = np.linspace(0.0, 1.0, 51)
FACTORS = np.linspace(1.0, 3.0, 101)


@dataclass(frozen=True)
class Event:
    """An event, how often it turns up in the two worlds, and what it does to the suspicion.

    Attributes:
        tpr, fpr: share of the records with it, with and without the report.
        before, after: suspicion; low, high: what the intervals of both rates and the promise leave open.
    """

    kind: str
    steps: int
    tpr: Share
    fpr: Share
    before: float
    after: float
    low: float
    high: float


@use.apart(24)
@st.cache_data(max_entries=32, show_spinner=False)
def get_wait(p: Parameters, step: int, target: int) -> int | None:
    """Steps from the report to the target's first audit in the page's record; None where it never comes."""
    stream = WithReport(use.get_stream(p, (step, target)), step, target)
    audits = run_transcript(make_mechanism("tca", p), stream, p.horizon, p.seed).audits[step - 1 :]
    found = np.flatnonzero(audits == target)
    return int(found[0]) if len(found) else None


def get_event(p: Parameters, step: int, target: int, kind: str, steps: int, pairs: int, bar: Bar) -> Event:
    """Measure an event under the noisy tally and turn it into suspicion."""
    found = measured.get_timing("tca", p, False, step, target, pairs, progress=bar.job("tca"))
    tpr, fpr = measured.get_event(found, kind, steps)
    prior = 1.0 / p.people
    after, low, high = (
        float(deniability.get_posterior(prior, t, f))
        for t, f in ((tpr.share, fpr.share), (tpr.low, fpr.high), (tpr.high, fpr.low))
    )
    if fpr.low > 0:
        # no event is worth more than the promise allows, whatever a small sample says
        mu = calibration.get_mu(p.delta)
        low = max(low, float(deniability.get_suspicion_floor(prior, fpr.low, p.delta, mu)))
        high = min(high, float(deniability.get_suspicion(prior, fpr.low, p.delta, mu)))
    return Event(kind, steps, tpr, fpr, prior, min(max(after, low), high), low, high)


def show(p: Parameters) -> None:
    """The view: before and after an event, the range over all events, and what (0, delta) alone would allow."""
    st.header(_("From an audit to a suspicion"), anchor=False)
    words, figures, status = st.container(), st.container(), st.empty()
    pairs = measured.get_pairs(p)
    step, target = suspect_controls(p)
    wait = get_wait(p, step, target)
    most = p.horizon - step
    left, right = st.columns(2)
    with left:
        control("people")
    with right:
        names = {
            "within": _("audited by then"),
            "at": _("first audited just then"),
            "not": _("not audited by then"),
        }
        kind = choice("event", _("What the organisation saw"), names, "not" if wait is None else "within")
        steps = whole("after", _("Audits after the suspected report"), most if wait is None else wait, 0, most)
    st.markdown(_seen(step, target, wait, p.seed))
    bar = Bar(status, 1, pairs, p)
    event = get_event(p, step, target, kind, steps, pairs, bar)
    bar.close()
    with words:
        frame.sentence(_headline(p, event), key="suspicion")
    with figures:
        _figures(p, event)
    status.caption(
        _("Noisy tally: {pairs} pairs of independent records, with and without the report; seed {seed}.").format(
            pairs=number(pairs), seed=p.seed
        )
    )
    measured.more_exactly(p)
    all_events(p, event)
    outright(p)
    profile(p)
    influence(p)
    frame.what_to_notice(_notice(p, event))
    _computed(p, event)


# --- one event -------------------------------------------------------------------------------------------------------
def _seen(step: int, target: int, wait: int | None, seed: int) -> str:
    values = {"target": number(target + 1), "step": number(step), "seed": seed}
    if wait is None:
        text = _(
            "In this record of the noisy tally (seed {seed}, the report filed) organisation {target} is not audited "
            "again after step {step}."
        )
        return text.format(**values)
    if wait == 0:
        text = _(
            "In this record of the noisy tally (seed {seed}, the report filed) organisation {target} is audited in the "
            "very step of the report, {step}."
        )
        return text.format(**values)
    text = _(
        "In this record of the noisy tally (seed {seed}, the report filed) organisation {target} is first audited "
        "{wait} audits after step {step}."
    )
    return text.format(wait=number(wait), **values)


def _headline(p: Parameters, event: Event) -> str:
    return _(
        "You are one of {people} people who could have known: suspicion **{before}**. After “{event}” it is "
        "**{after}** (95% interval {low} to {high})."
    ).format(
        people=number(p.people),
        before=percent(event.before),
        after=percent(event.after),
        low=percent(event.low),
        high=percent(event.high),
        event=_words(event),
    )


def _words(event: Event) -> str:
    if event.steps == 0:
        return _("not audited in that very step") if event.kind == "not" else _("audited in that very step")
    steps = number(event.steps)
    return {
        "within": _("audited at most {steps} audits later").format(steps=steps),
        "at": _("first audited {steps} audits later").format(steps=steps),
        "not": _("not audited up to {steps} audits later").format(steps=steps),
    }[event.kind]


def get_cases(event: Event, people: int) -> dict[str, float]:
    """Natural frequencies: people in this position, 1,000 of whom reported, and who of each kind sees the event."""
    cases = 1000.0 * people
    reported = cases * event.before
    rest = cases - reported
    return {
        "cases": cases, "reported": reported, "rest": rest,
        "caught": reported * event.tpr.share, "alarmed": rest * event.fpr.share,
    }  # fmt: skip


def _figures(p: Parameters, event: Event) -> None:
    c = get_cases(event, p.people)
    after = {
        "not": _("Of 100 whose organisation was left alone like that: who reported"),
    }.get(event.kind, _("Of 100 whose organisation was audited like that: who reported"))
    live(
        "suspicion-dots",
        title=_("Suspicion before and after"),
        alt=_("Two rows of 100 small figures: before, {before} are marked; after, {after}.").format(
            before=percent(event.before), after=percent(event.after)
        ),
        sliders=[],
        parts=[
            Dots(_("Of 100 colleagues like you, before: who reported"), event.before, color="text"),
            Dots(after, event.after, base=event.before),
            Text(
                _(
                    "Think of {cases} people in your position. {reported} of them reported, {rest} did not. Of those "
                    "who did, {caught} see this event; of those who did not, {alarmed} see it as well. So most of what "
                    "the organisation sees has nothing to do with a report."
                )
                if c["alarmed"] > c["caught"] else
                _(
                    "Think of {cases} people in your position. {reported} of them reported, {rest} did not. Of those "
                    "who did, {caught} see this event; of those who did not, {alarmed} see it as well."
                ),
                {name: Slot(float(np.round(value)), digits=7) for name, value in c.items()},
            ),
        ],
        layout="under",
        file="suspicion",
    )  # fmt: skip


# --- all events ------------------------------------------------------------------------------------------------------
@st.cache_data(max_entries=32, show_spinner=False)
def ranges(prior: float, delta: float) -> tuple[Array, Array]:
    """Least and most suspicion after events of each rate in `RATES`."""
    mu = calibration.get_mu(delta)
    return (
        deniability.get_suspicion_floor(prior, RATES, delta, mu),
        deniability.get_suspicion(prior, RATES, delta, mu),
    )


def all_events(p: Parameters, event: Event) -> None:
    """The range of suspicion over all events that are not rarer than the reader's false-alarm rate."""
    st.header(_("Whatever it sees: how far can suspicion go?"), anchor=False)
    mu, q = calibration.get_mu(p.delta), p.false_alarm
    low = float(deniability.get_suspicion_floor(event.before, q, p.delta, mu))
    high = float(deniability.get_suspicion(event.before, q, p.delta, mu))
    st.markdown(
        _(
            "Take any event that turns up in at least {rate} of the records without your report. It can bring the "
            "suspicion from {before} to anything between **{low}** and **{high}**, never further."
        ).format(rate=percent(q), before=percent(event.before), low=percent(low), high=percent(high))
    )
    least, most = ranges(event.before, p.delta)
    point = event.fpr.share, event.after, event.low, event.high
    frame.chart(
        charts.allowed(RATES, least, most, event.before, q, point),
        key="suspicion-range",
        alt=_(
            "Suspicion after an event against how often the event turns up by chance: a band around the line before."
        ),
        table=lambda: pd.DataFrame({"false_alarm": RATES, "suspicion_at_least": least, "suspicion_at_most": most}),
        name="suspicion",
        axes=_(
            "Across: how often the event turns up without your report. Up: suspicion after it. Only rare events can "
            "say much, and they are rare. The measured point has a wide bar where few records show the event."
        ),
    )
    control("false_alarm")


# --- what (0, delta) alone would allow -------------------------------------------------------------------------------
@st.cache_data(max_entries=32, show_spinner=False)
def get_spread(prior: float, delta: float) -> tuple[Array, float, float]:
    """Shares of the suspicion's bins after a report under Gaussian noise, its chance to pass one half, and the other.

    The other: suspicion after silence of a mechanism that publishes each report with probability delta.
    """
    mu = calibration.get_mu(delta)
    below = deniability.get_gaussian_posterior_cdf(np.append(EDGES, 0.5), prior, mu, True)
    return np.diff(below[:-1]), float(1.0 - below[-1]), deniability.get_outright_posterior(prior, delta)


def outright(p: Parameters) -> None:
    """Two mechanisms with the same delta: blurred counts, and one that leaks outright with probability delta."""
    st.header(_("Same delta, two very different fates"), anchor=False)
    prior = 1.0 / p.people
    shares, beyond, silence = get_spread(prior, p.delta)
    st.markdown(
        _(
            "The bare promise (0, delta) bounds how well others can guess. It does not say how. An auditor who "
            "publishes your name with a chance of {delta} and is silent otherwise keeps it, too. Blurred counts keep "
            "the same delta without such a draw: they shift every suspicion a little."
        ).format(delta=percent(p.delta))
    )
    blurred, leaked = charts.spread(EDGES, shares, np.array([silence, 1.0]), np.array([1.0 - p.delta, p.delta]), prior)
    left, right = st.columns(2, gap="large")
    axes = _("Across: suspicion after everything is seen. Up: how often, when you did report. Dotted: before.")
    with left:
        st.markdown(_("**Blurred counts (Gaussian noise), all of them seen**"))
        frame.chart(
            blurred,
            key="spread-gaussian",
            alt=_("Suspicion after a report under Gaussian noise: one hump near the suspicion before."),
            table=lambda: pd.DataFrame({"from": EDGES[:-1], "to": EDGES[1:], "share": shares}),
            name="suspicion-gaussian",
            axes=axes,
        )
        st.markdown(
            _("Suspicion passes {half} in {beyond} of the cases.").format(half=percent(0.5), beyond=_rare(beyond))
        )
    with right:
        st.markdown(_("**An outright leak with a chance of delta**"))
        frame.chart(
            leaked,
            key="spread-outright",
            alt=_("Suspicion after a report where names leak outright: one spike just below before, one at certainty."),
            table=lambda: pd.DataFrame({"suspicion": [silence, 1.0], "share": [1.0 - p.delta, p.delta]}),
            name="suspicion-outright",
            axes=axes,
        )
        st.markdown(
            _("In {delta} of the cases you are known for certain; else suspicion falls to {silence}.").format(
                delta=percent(p.delta), silence=percent(silence)
            )
        )


def _rare(share: float) -> str:
    return percent(share) if share > 1e-9 else _("fewer than one in a billion")


def profile(p: Parameters) -> None:
    """The privacy profile: how much a record may give away, and how rarely."""
    st.subheader(_("Can one record give you away?"), anchor=False)
    mu = calibration.get_mu(p.delta)
    half_again = float(deniability.get_delta_profile(np.log(1.5), mu))
    st.markdown(
        _(
            "With the noisy tally no set of audit records becomes more than {factor} times as likely because of your "
            "report, but for a rest of {rest}. The bare promise alone would allow a record that gives you away "
            "entirely, with a chance of {delta}; blurred counts do not do that."
        ).format(factor=number(1.5), rest=percent(half_again), delta=percent(p.delta))
    )
    rest = deniability.get_delta_profile(np.log(FACTORS), mu)
    frame.chart(
        charts.make_profile(FACTORS, rest, p.delta),
        key="profile",
        alt=_("Privacy profile: the rest falls steeply for the noisy tally and stays level for the bare guarantee."),
        table=pd.DataFrame({"factor": FACTORS, "epsilon": np.log(FACTORS), "rest": rest}),
        name="privacy-profile",
        title=_("Privacy profile"),
        axes=_(
            "Across: how much likelier a record becomes through your report (the exponential of epsilon). Up: the "
            "chance that is not covered, on a scale where each line is ten times the one below."
        ),
    )


def influence(p: Parameters) -> None:
    """The same delta as a limit on influence."""
    st.header(_("The other side of the same number"), anchor=False)
    ten = deniability.get_k_reports_delta(p.delta, 10)
    st.markdown(
        _(
            "One report cannot change the chance of any audit by more than **{points} percentage points**. That "
            "protects the person who reports. It also means that a single report, true or false, moves little: nobody "
            "can order an audit. Ten reports together can move it by up to {ten} points (noisy tally). Only "
            "accumulated reports move audits."
        ).format(points=number(100.0 * p.delta), ten=number(100.0 * ten))
    )


# --- words -----------------------------------------------------------------------------------------------------------
def _notice(p: Parameters, event: Event) -> list[str]:
    return [
        _(
            "The event turns up in {tpr} of the records with the report and in {fpr} without it. Suspicion moves by "
            "the ratio of the two, not by either alone."
        ).format(tpr=percent(event.tpr.share), fpr=percent(event.fpr.share)),
        _(
            "An organisation that is not audited is evidence, too: it lowers the suspicion a little. Silence is never "
            "a full alibi."
        ),
        _(
            "The more people could have known, the less any audit says about one of them. Delta does not depend on "
            "that number; the danger does."
        ),
    ]


def _computed(p: Parameters, event: Event) -> None:
    mu, q = calibration.get_mu(p.delta), p.false_alarm
    prior, tpr, fpr = event.before, event.tpr.share, event.fpr.share
    low = float(deniability.get_suspicion_floor(prior, q, p.delta, mu))
    high = float(deniability.get_suspicion(prior, q, p.delta, mu))
    lines = [
        _("Bayes, with the suspicion before written as pi and the measured rates of the event:"),
        rf"$$\frac{{\pi\,\mathrm{{TPR}}}}{{\pi\,\mathrm{{TPR}} + (1-\pi)\,\mathrm{{FPR}}}} ="
        rf" \frac{{{prior:.4g}\cdot {tpr:.4g}}}{{{prior:.4g}\cdot {tpr:.4g} + {1 - prior:.4g}\cdot {fpr:.4g}}} ="
        rf" {event.after:.4g}$$",
        _(
            "The interval takes both Wilson intervals at their ends, cut to what the promise allows. The range over "
            "all events of rate q or more (ours):"
        ),
        rf"$$\mathrm{{TPR}} \le \min(q+\delta,\ \Phi(\Phi^{{-1}}(q)+\mu)), \quad"
        rf" \mathrm{{TPR}} \ge \max(q-\delta,\ \Phi(\Phi^{{-1}}(q)-\mu)): \qquad {low:.4g} \ldots {high:.4g}"
        rf" \ (q = {q:g},\ \mu = {mu:.4g})$$",
        _(
            "The bars under Gaussian noise are differences of the exact distribution of the suspicion, for somebody "
            "who sees every noisy count; who sees only the audits learns less. Privacy profile:"
        ),
        r"$$\delta(\varepsilon) = \Phi(-\varepsilon/\mu + \mu/2) - e^{\varepsilon}\,\Phi(-\varepsilon/\mu - \mu/2)$$",
    ]
    frame.how_computed("\n\n".join(lines), f"python -m core tradeoff --delta {p.delta:g} --fpr {q:g}")
