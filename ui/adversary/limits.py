"""When does the promise break? Switches for what breaks it, with the number that is left, if one is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from core import calibration, deniability
from core.auditors import make_mechanism
from core.boundary import NO_NUMBER, Practice, Remainder, get_remainder, get_reused_sensitivity
from core.counters import get_sensitivity
from core.parameters import Parameters
from ui import frame, marks
from ui.adversary.switches import switch
from ui.charts import limits as charts
from ui.controls import whole
from ui.words import N_, _, number, percent

MOST_REPORTS = 30
MOST_AUDITS = 10_000
"""Audits for which the cost of reused noise is still computed at once."""


@dataclass(frozen=True)
class Breach:
    """One way to break the promise: URL key, icon, and texts (English; translated where they are shown).

    Attributes:
        why, instead: what happens, and what to do instead.
    """

    key: str
    icon: str
    title: str
    why: str
    instead: str


BREACHES: dict[str, Breach] = {
    "reports": Breach(
        "filed",
        "stacks",
        N_("More reports than planned"),
        N_("Each further report by the same person about the same organisation shifts its count again."),
        N_("Plan for the most reports one person may file."),
    ),
    "audits": Breach(
        "ran",
        "update",
        N_("More audits than planned"),
        N_("A count that runs for more audits than its noise was made for shows a little more of each report."),
        N_("Plan for the real number of audits, or audit everyone at least once within the number planned."),
    ),
    "noise_reused": Breach(
        "reused",
        "replay",
        N_("Noise used again"),
        N_("After an audit the count starts afresh, but the old noise runs on: the report shows as it comes and goes."),
        N_("Draw new noise after each audit, from a seed that nobody knows."),
    ),
    "noisy_counts_leaked": Breach(
        "noisy",
        "blur_on",
        N_("Noisy counts published"),
        N_("Changes nothing: the promise covers the noisy counts, and the audits are read off from them."),
        N_("Publish them if you like."),
    ),
    "true_counts_leaked": Breach(
        "true",
        "lock_open",
        N_("True counts leaked"),
        N_("Whoever sees the counts without noise sees the report arrive. The record no longer matters."),
        N_("Keep the counts locked. If nobody can be trusted with them, blur each report where it is written."),
    ),
    "channel_not_anonymous": Breach(
        "channel",
        "contact_mail",
        N_("Report channel not anonymous"),
        N_("Access logs, e-mail or a visit show who reported. Noise in the audits cannot take that back."),
        N_("Take reports through a channel that does not know its senders."),
    ),
    "scope_names_reporter": Breach(
        "scope",
        "center_focus_strong",
        N_("Audit scope names the reporter"),
        N_("An audit that asks about what only three people knew points at three people."),
        N_("Audit the whole organisation by a fixed plan, whatever the report says."),
    ),
}

ROWS = (("reports", "audits"), ("noise_reused", "noisy_counts_leaked"), NO_NUMBER)


@st.cache_data(max_entries=32, show_spinner=False)
def remainder(delta: float, horizon: int, practice: Practice) -> Remainder:
    """What is left of the promise."""
    return get_remainder(delta, horizon, practice)


def success(left: Remainder) -> float | None:
    """Most right guesses at an even prior; None where no number applies."""
    return None if left.delta is None else float(deniability.get_success(left.delta, 0.5))


@st.cache_data(max_entries=32, show_spinner=False)
def sensitivity(steps: int, reused: bool) -> float:
    """How far one report shifts a count's noise in `steps` audits, if the noise is drawn anew or runs on."""
    return get_reused_sensitivity(steps) if reused else get_sensitivity(steps)


def changed(practice: Practice, name: str, value: int | bool) -> Practice:
    """`practice` with one of its fields changed."""
    field: dict[str, Any] = {name: value}
    return replace(practice, **field)


def show(p: Parameters) -> None:
    """Sentence, bars, switches."""
    top = st.container()
    practice = _switches(p)
    planned = float(deniability.get_success(p.delta, 0.5))
    left = remainder(p.delta, p.horizon, practice)
    now = success(left)
    with top:
        frame.sentence(headline(p, practice, left), key="limits")
        frame.chart(
            charts.make_success(planned, now),
            key="limits_success",
            alt=_("Right guesses, at most: {planned} as planned, in practice {practice}.").format(
                planned=percent(planned), practice=_("no number applies") if now is None else percent(now)
            ),
            table=lambda: pd.DataFrame(
                {
                    "case": ["planned", "practice"],
                    "delta": [p.delta, left.delta],
                    "mu": [calibration.get_mu(p.delta), left.mu],
                    "success_at_most": [planned, now],
                }
            ),
            name="promise-in-practice",
            title=_("Right guesses, at most"),
            axes=_("How often whoever watches all audits guesses right, at most; a pure guess is right half the time."),
        )
    _auditors(p)
    _notice(p)
    _computed(p, practice, left)


def headline(p: Parameters, practice: Practice, left: Remainder) -> str:
    """What the switches together mean."""
    planned = percent(float(deniability.get_success(p.delta, 0.5)))
    now = success(left)
    if now is None:
        names = ", ".join(_(BREACHES[name].title) for name in left.broken_by)
        record = success(remainder(p.delta, p.horizon, replace(practice, **dict.fromkeys(NO_NUMBER, False))))
        assert record is not None
        return _(
            "**No number applies any more** ({reasons}). From the audits alone a guess would be right at most {now}, "
            "but it is no longer the audits that give people away."
        ).format(reasons=names, now=percent(record))
    if not left.broken_by:
        text = _("**Everything runs as planned:** whoever watches all {audits} audits guesses right at most {planned}.")
        return text.format(audits=number(p.horizon), planned=planned)
    assert left.delta is not None
    return _(
        "**Not as promised:** whoever watches all {audits} audits may guess right up to **{now}** of the time instead "
        "of {planned}. The real budget (delta) is {delta} instead of {promised}."
    ).format(
        audits=number(practice.audits),
        now=percent(now),
        planned=planned,
        delta=number(left.delta),
        promised=number(p.delta),
    )


# --- the switches ----------------------------------------------------------------------------------------------------
def _switches(p: Parameters) -> Practice:
    """All cards, two in a row; returns how the auditor really works."""
    practice = Practice(audits=p.horizon)
    for names in ROWS:
        for column, name in zip(st.columns(len(names), gap="medium"), names, strict=True):
            with column, st.container(border=True, key=f"limit_{BREACHES[name].key}", height="stretch", gap="small"):
                practice = changed(practice, name, _card(p, name))
    return practice


def _card(p: Parameters, name: str) -> int | bool:
    """Switch or slider, why it breaks the promise, what to do instead, and what it costs on its own."""
    breach = BREACHES[name]
    title = f":material/{breach.icon}: **{_(breach.title)}**"
    value: int | bool
    if name == "reports":
        value = whole(breach.key, title, 1, 1, MOST_REPORTS)
    elif name == "audits":
        most = max(p.horizon, min(10 * p.horizon, MOST_AUDITS))
        value = whole(breach.key, title, p.horizon, p.horizon, most)
        if most == p.horizon:
            st.markdown(title)
    else:
        value = switch(breach.key, title)
    st.markdown(f"{_(breach.why)} *{_(breach.instead)}*")
    st.markdown(alone(p, name, value))
    return value


def alone(p: Parameters, name: str, value: int | bool) -> str:
    """What this departure costs on its own; for a switch that is off, what it would cost."""
    tried: int | bool = value
    if name == "reports":
        tried = max(2, int(value))
    elif name == "audits":
        tried = int(value) if value > p.horizon else min(2 * p.horizon, max(p.horizon, MOST_AUDITS))
        if tried == p.horizon:
            return _("More than {most} audits are not computed here.").format(most=number(MOST_AUDITS))
    else:
        tried = True
    left = remainder(p.delta, p.horizon, changed(Practice(audits=p.horizon), name, tried))
    now = success(left)
    if now is None:
        return _("**No number applies.**")
    values = {
        "planned": percent(float(deniability.get_success(p.delta, 0.5))),
        "now": percent(now),
        "value": number(int(tried)),
    }
    text = {
        "reports": _("With {value} reports alone: right guesses up to **{now}** instead of {planned}."),
        "audits": _("With {value} audits alone: right guesses up to **{now}** instead of {planned}."),
        "noise_reused": _("This alone: right guesses up to **{now}** instead of {planned}."),
        "noisy_counts_leaked": _("Right guesses stay at **{now}** at most."),
    }
    line = text[name].format(**values)
    if name == "reports":
        planned = deniability.get_delta_for_repeats(float(deniability.get_advantage(p.delta, 0.5)), int(tried))
        line += " " + _("Planned with delta {delta}, they would stay at {planned} at most.").format(
            delta=number(planned), planned=values["planned"]
        )
    return line


# --- below -----------------------------------------------------------------------------------------------------------
FAILS = {
    "tca": N_("when a count outlives the audits planned, when noise is used again, when true counts leak"),
    "rr": N_("when somebody learns how a coin fell, and past the audits planned, if the coin was set for a number"),
    "greedy": N_("always: on a quiet day a single report decides who is audited"),
    "uniform": N_("never through the record: it ignores the reports"),
    "rota": N_("never through the record: the order is fixed"),
    "fading": N_("when noise is used again, when true counts leak; never because the audits go on"),
}


def _auditors(p: Parameters) -> None:
    """What each auditor promises and when that fails."""
    st.header(_("What each auditor promises, and when that fails"), anchor=False)
    columns = [_("Auditor"), _("Right guesses"), _("Lasts for"), _("Fails")]
    rows = []
    for name in FAILS:
        promise = make_mechanism(name, p).guarantee()
        best = percent(float(deniability.get_success(promise.delta, 0.5)))
        text = _("at most {share}") if promise.holds else _("no limit; at least {share}")
        lasts = _("ever") if promise.horizon is None else _("{audits} audits").format(audits=number(promise.horizon))
        title = f"{marks.MARKS[name].glyph} {marks.full(name)}"
        rows.append([title, text.format(share=best), lasts if promise.holds else "–", _(FAILS[name])])
    st.table(pd.DataFrame(rows, columns=columns).set_index(columns[0]))


def _notice(p: Parameters) -> None:
    frame.what_to_notice(
        [
            _(
                "The promise is about the record of audits. It says nothing about gossip, access logs, an audit that "
                "asks too pointed a question, or revenge on a mere suspicion (paper, sections 9 and 11)."
            ),
            _(
                "Many reports by one person cost much; audits past the plan cost little, for the noise needed grows "
                "only with the root of the logarithm of their number."
            ),
            _(
                "An auditor who knows one person may file {k} reports divides delta by {k}. That costs accuracy, not "
                "trust."
            ).format(k=number(5)),
        ]
    )


def _computed(p: Parameters, practice: Practice, left: Remainder) -> None:
    sigma = calibration.get_noise_scale(p.delta, p.horizon)
    steps = max(p.horizon, practice.audits)
    lines = [
        _("As planned (section 6 of the paper), for one report and {audits} audits:").format(audits=number(p.horizon)),
        rf"$$\sigma = \frac{{M_T}}{{\mu}} = \frac{{{get_sensitivity(p.horizon):.4g}}}"
        rf"{{{calibration.get_mu(p.delta):.4g}}} = {sigma:.4g}, \qquad \delta = 2\,\Phi(\mu/2) - 1 = {p.delta:g}$$",
        _(
            "In practice k reports about one organisation add up, a count that runs for longer has a longer column, "
            "and noise that runs on after a restart shows the report twice (both ours, from the Gaussian noise):"
        ),
    ]
    if left.mu is None or left.delta is None:
        lines.append(_("With the switches as they are, no formula applies."))
    else:
        shift = sensitivity(steps, practice.noise_reused)
        letter = r"\widetilde{M}" if practice.noise_reused else "M"
        lines.append(
            rf"$$\mu' = \frac{{k\,{letter}_{{{steps}}}}}{{\sigma}} = \frac{{{practice.reports} \cdot {shift:.4g}}}"
            rf"{{{sigma:.4g}}} = {left.mu:.4g}, \qquad \delta' = 2\,\Phi(\mu'/2) - 1 = {left.delta:.4g}$$"
        )
    lines.append(
        _(
            "Without the Gaussian noise only k delta holds, at most 1 (Corollary 9). A right guess at even odds: half "
            "of one plus delta (Theorem 1)."
        )
    )
    set_ = [f"{name}={value!r}" for name, value in vars(practice).items() if value != getattr(Practice(), name)]
    frame.how_computed(
        "\n\n".join(lines),
        f'python -c "from core.boundary import *; '
        f'print(get_remainder({p.delta:g}, {p.horizon}, Practice({", ".join(set_)})))"',
    )
