"""Sentences of the page Audit records, made from the records shown, also when it is bad news."""

from __future__ import annotations

from collections.abc import Mapping

from core.fading import Fading
from core.parameters import Parameters
from ui.marks import MARKS, full
from ui.records import Inside, Lane, leak
from ui.words import _, number, percent

ALIKE = 0.05
"""Two means of one record closer than this share of the larger one are called about the same."""


def comparison(parameters: Parameters, lanes: Mapping[str, Lane]) -> str:
    """Who missed how much in this record, and whether the noisy tally helped."""
    if parameters.lead_rate == parameters.other_rate == 0:
        return _("Nobody reports anything here, so there is nothing to miss.")
    tca, rr, uniform = (lanes[name].missed for name in ("tca", "rr", "uniform"))
    said = [
        _(
            "In this record the noisy tally misses **{tca}** open reports a step, the coin flip **{rr}** and drawing "
            "lots **{uniform}**."
        ).format(tca=number(tca), rr=number(rr), uniform=number(uniform)),
        _verdict(lanes["tca"], tca, uniform),
    ]
    if "rota" in lanes:
        rota = lanes["rota"].missed
        text = _("A fixed rota misses **{rota}** and leaks nothing.")
        if rota < tca:
            text = _("A fixed rota does better still: it misses **{rota}** and leaks nothing.")
            if tca > uniform:
                text = _("A fixed rota misses **{rota}**, fewer than the noisy tally, and leaks nothing.")
        said.append(text.format(rota=number(rota)))
    if "fading" in lanes:
        fading = lanes["fading"].missed
        text = _("The fading tally, with the noisy tally's delta, misses **{fading}**.")
        if abs(fading - tca) > ALIKE * max(fading, tca):
            text = (
                _("The fading tally misses only **{fading}** with the noisy tally's delta.")
                if fading < tca
                else _("The fading tally does worse here than the noisy tally: it misses **{fading}**.")
            )
        said.append(text.format(fading=number(fading)))
    return " ".join(said)


def _verdict(lane: Lane, tca: float, uniform: float) -> str:
    hits = percent(lane.hits, 2)
    if abs(tca - uniform) <= ALIKE * max(tca, uniform):
        return _("That is about the same: here the noise hides what the reports say.")
    if tca > uniform:
        return _("**Here the noisy tally does not help:** the noise outweighs the few reports.")
    if lane.hits < 0.5:
        return _(
            "It audits the very most reported organisation in only {hits} of the steps, but seldom leaves one waiting "
            "for long."
        ).format(hits=hits)
    return _("It audits the most reported organisation in {hits} of the steps.").format(hits=hits)


def points(parameters: Parameters, lanes: Mapping[str, Lane]) -> list[str]:
    """What to notice."""
    return [
        _(
            "Following the reports puts a filled mark at every step. That is why it gives everything away: one report "
            "can decide who is audited next."
        ),
        _(
            "The noisy tally has mostly hollow marks, yet the line below stays low: it often picks one of the next in "
            "line, not the first."
        )
        if lanes["tca"].missed < lanes["uniform"].missed
        else _(
            "The line below the noisy tally is no lower than below drawing lots: its noise is larger than the counts."
        ),
        _(
            "This is one record. Another seed gives another; the page Long run averages over many of them before it "
            "names a winner."
        ),
    ]


def summary(lanes: Mapping[str, Lane]) -> str:
    """The whole record in one table."""
    hits = _("Audits that hit the most reported")
    head = (_("Auditor"), _("Missed reports a step"), hits, _("What one report gives away"))
    rows = [head, ("---", "---:", "---:", "---")]
    for name, lane in lanes.items():
        title = f"{MARKS[name].glyph} {full(name)}"
        rows.append((title, number(lane.missed), percent(lane.hits), leak(lane.guarantee)))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def seen(inside: Inside, step: int) -> str:
    """Whom the noisy tally audited at `step` (from 1), and what it saw."""
    t = step - 1
    audited, leader = int(inside.audits[t]), int(inside.leader[t])
    values = {
        "step": number(step),
        "audited": number(audited + 1),
        "active": number(int(inside.active[t, audited])),
        "noisy": number(float(inside.noisy[t, audited])),
        "leader": number(leader + 1),
        "leading": number(int(inside.active[t, leader])),
        "leading_noisy": number(float(inside.noisy[t, leader])),
    }
    if inside.hit[t]:
        return _(
            "At step {step} it audited no. {audited}, one of the most reported: {active} open reports, {noisy} with "
            "the noise."
        ).format(**values)
    return _(
        "At step {step} it audited no. {audited}: {active} open reports, but {noisy} with the noise. The most reported "
        "was no. {leader}: {leading} open, {leading_noisy} with the noise."
    ).format(**values)


def seen_alt(inside: Inside, step: int) -> str:
    """The chart in words."""
    return _("True and noisy counts of {targets} organisations at step {step}. {seen}").format(
        targets=number(inside.active.shape[1]), step=number(step), seen=seen(inside, step)
    )


def theorem_6(inside: Inside, step: int) -> str:
    """The bound at `step` beside what happened, and its mean over the record beside the share of misses."""
    bound = float(inside.bound[step - 1])
    now = _(
        "Theorem 6, given all earlier noise: the chance to miss the most reported at this step was at most **{bound}**."
    )
    if bound >= 1:
        now = _("Theorem 6 says nothing about this step: its bound, given all earlier noise, reaches **{bound}**.")
    happened = _("It was hit.") if inside.hit[step - 1] else _("It was missed.")
    whole = _(
        "Over the whole record the mean of these bounds is **{mean}**; **{missed}** of the audits missed. Over many "
        "records the misses stay below the bound; in a single one chance may lift them above."
    ).format(mean=percent(float(inside.bound.mean())), missed=percent(float(1 - inside.hit.mean())))
    return f"{now.format(bound=percent(bound))} {happened} {whole}"


def formula(parameters: Parameters, lanes: Mapping[str, Lane], noise_scale: float, p_rand: float) -> str:
    """How the record is computed, with the live values put in."""
    open_reports = _(
        "All auditors get the same reports. {n} counts the reports about organisation {c} since its last audit; {a} is "
        "the organisation audited at step {t}. Missed reports (deficit) at a step, and the noisy tally's mean over "
        "{steps} steps:"
    ).format(n="$n_{t,c}$", c="$c$", a="$a_t$", t="$t$", steps=number(parameters.horizon))
    tally = _(
        "**{tca}** audits the largest {noisy}. Each {z} is a fresh normal with standard deviation {sigma}; the sum "
        "runs back to the last audit of {c} (paper, section 6; Proposition 3)."
    ).format(
        tca=full("tca"), noisy=r"$n_{t,c} + \sum_k f_k z_{t-k,c}$", z="$z$", c="$c$",
        sigma=rf"$\sigma = M_T / (2\kappa_\delta) = \text{{{number(noise_scale)}}}$",
    )  # fmt: skip
    coin = _(
        "**{rr}** draws lots with probability {p}, else it follows the reports (Proposition 14 or 16, or the race "
        "bound, as chosen)."
    ).format(rr=full("rr"), p=number(p_rand, 6))
    filled = _("A mark is filled where {zero}: the audit went to one of the most reported.").format(zero="$d_t = 0$")
    theorem = _(
        "Theorem 6 at each step: {bound}, at most 1. The lead {lead} over organisation {c} counts open reports and the "
        "noise of earlier steps."
    ).format(
        bound=r"$\sum_c \Phi(-\tilde\Delta_c / (\sqrt2\,\sigma))$", lead=r"$\tilde\Delta_c$", c="$c$"
    )  # fmt: skip
    mean = rf"\frac1T \sum_t d_t = \text{{{number(lanes['tca'].missed)}}}"
    deficit = rf"$$d_t = \max_c n_{{t,c}} - n_{{t,a_t}}, \qquad {mean}$$"
    text = f"{open_reports}\n\n{deficit}\n\n- {tally}\n- {coin}\n- {filled}\n- {theorem}"
    if "fading" in lanes:
        mechanism = Fading(parameters.targets, parameters.delta)
        fading = _(
            "**{fading}** (ours) releases {sum} with fresh normals of standard deviation {noise}, never set to zero, "
            "and audits where it estimates the most open reports, with a margin for doubt. Its estimate of how often "
            "an organisation is reported remembers audited reports; the paper's rule is that they no longer count."
        ).format(
            fading=full("fading"), noise=f"$\\text{{{number(mechanism.noise_scale)}}}$",
            sum=rf"$s_{{t,c}} = \text{{{number(mechanism.damping, 4)}}}\,s_{{t-1,c}} + r_{{t,c}}$",
        )  # fmt: skip
        text += f"\n- {fading}"
    return text
