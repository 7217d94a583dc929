"""Attacks: what somebody who watches the audits gets in practice, beside what the promise allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core import calibration, deniability
from core.fading import Fading
from core.parameters import Parameters
from ui import frame
from ui.adversary import attack_rows, measured, suspect_controls
from ui.adversary.measured import NAMES, TALLIES, Bar, Timing, get_fading_pairs, get_right
from ui.adversary.repeats import several_reports
from ui.charts import attacks as charts
from ui.controls import choice, whole
from ui.marks import MARKS, full, plain
from ui.own import terminal
from ui.own.use import OwnParameters
from ui.words import _, number, percent

GRID = (1.0 - np.cos(np.linspace(0.0, np.pi, 121))) / 2.0
WIDE = 0.4
"""An interval of the advantage wider than this says nothing worth a headline."""


def show(p: Parameters) -> None:
    """The view: one plane, advantage by window, one row of numbers for each auditor, repeat reports."""
    st.header(_("How well do real attacks do?"), anchor=False)
    words = st.container()
    status, picture = st.empty(), st.empty()
    step, target = suspect_controls(p)
    attack, who, quiet = _choices()
    window = _window(p, step) if attack == "count" else 1
    pairs = measured.get_pairs(p)
    names, shown = _get_names(p, who)
    few = measured.get_levels(p)[0]
    if few < pairs:
        with picture.container():
            found = _measure(NAMES, p, quiet, step, target, few, Bar(status, len(NAMES), few, p))
            preview = charts.by_window(
                [found[name] for name in shown if name in found] or [found["tca"]], p.delta, None
            )
            st.plotly_chart(preview, key="attacks-preview", config={"displayModeBar": False})
    bar = Bar(status, 2 * len(names) + len(shown), pairs, p)
    found = _measure(names, p, quiet, step, target, pairs, bar)
    exact = {name: measured.get_exact(name, p, quiet, step, target, pairs, bar.job(name)) for name in names}
    drawn = _drawn(p, quiet, step, target, pairs, window, attack, shown, found, bar)
    bar.close()
    with words:
        frame.sentence(_headline(p, found), key="attacks")
    with picture.container():
        _pictures(p, attack, window, drawn, [found[name] for name in shown])
    status.caption(_scenario(p, quiet, pairs, who))
    measured.more_exactly(p)
    seen = [name for name in TALLIES if attack == "best" and name in shown]
    counts = {name: measured.get_best(name, p, quiet, step, target, found[name].pairs) for name in seen}
    attack_rows.rows(p, attack, found, exact, drawn, counts, quiet)
    attack_rows.fails(p, names)
    several_reports(p, quiet, step, target, pairs)
    frame.what_to_notice(_notice(p, found))
    _computed(p, quiet, step, target, pairs, who, found)


# --- the attacks -----------------------------------------------------------------------------------------------------
def _choices() -> tuple[str, str, bool]:
    left, right = st.columns(2)
    with left:
        attack = choice(
            "attack", _("Attack"),
            {"timing": _("how soon"), "count": _("how often"), "best": _("the best possible")}, "timing",
            help=_(
                "How soon: audited within w steps of the suspected report. How often: audited at least k times in a "
                "window. The best possible: weighs everything the record says."
            ),
        )  # fmt: skip
        others = choice(
            "others", _("Reports by everyone else"),
            {"scenario": _("as in the scenario"), "quiet": _("nobody else reports")}, "scenario",
            help=_("Silence all around is the attacker's easiest case."),
        )  # fmt: skip
    with right:
        single = {name: f"{MARKS[name].glyph} {plain(name)}" for name in (*NAMES, "fading")}
        names = {"all": _("all four"), "five": _("all five"), **single}
        who = choice("who", _("Auditors in the picture"), names, "all")
    return attack, who, others == "quiet"


def _window(p: Parameters, step: int) -> int:
    most = p.horizon - step + 1
    return whole("within", _("Window of the count attack, in audits"), min(2 * p.targets, most), 1, most)


def _get_names(p: Parameters, who: str) -> tuple[list[str], list[str]]:
    """The auditors measured and those in the picture."""
    if who not in ("five", "fading"):
        return list(NAMES), list(NAMES) if who == "all" else [who]
    if not get_fading_pairs(p, measured.MOST):
        return list(NAMES), list(NAMES)
    names = [*NAMES, "fading"]
    return names, names if who == "five" else [who]


def _measure(
    names: Sequence[str], p: Parameters, quiet: bool, step: int, target: int, pairs: int, bar: Bar
) -> dict[str, Timing]:
    sizes = {name: get_fading_pairs(p, pairs) if name == "fading" else pairs for name in names}
    return {
        name: measured.get_timing(name, p, quiet, step, target, size, progress=bar.job(name, size))
        for name, size in sizes.items()
    }


def _drawn(
    p: Parameters,
    quiet: bool,
    step: int,
    target: int,
    pairs: int,
    window: int,
    attack: str,
    shown: Sequence[str],
    found: dict[str, Timing],
    bar: Bar,
) -> list[charts.Drawn]:
    """The curves of the chosen attack for the auditors shown."""
    curves = []
    for name in shown:
        tell = bar.job(name)
        if attack == "timing":
            curves.append(charts.Drawn(name, plain(name), found[name].plane, found[name].best))
        elif attack == "count":
            counted = measured.get_counted(name, p, quiet, step, target, found[name].pairs, window, tell)
            curves.append(charts.Drawn(name, plain(name), counted.curve, counted.measured))
        else:
            best = measured.get_best(name, p, quiet, step, target, found[name].pairs, tell)
            if name in TALLIES:
                first = found[name]
                text = _("{name}, from the record (first audit)").format(name=plain(name))
                curves.append(charts.Drawn(name, text, first.first_audit, first.first_audit_best))
            text = {"tca": _("{name}, from the noisy counts"), "fading": _("{name}, from the released sums")}.get(
                name, "{name}"
            )
            dash = "dash" if name in TALLIES else "solid"
            curves.append(charts.Drawn(name, text.format(name=plain(name)), best.curve, best.measured, dash))
    return curves


def _pictures(p: Parameters, attack: str, window: int, drawn: Sequence[charts.Drawn], found: Sequence[Timing]) -> None:
    mu = calibration.get_mu(p.delta)
    own = p.false_alarm, float(deniability.get_tpr_gaussian(p.false_alarm, mu))
    line, gaussian = deniability.get_tpr_delta_line(GRID, p.delta), deniability.get_tpr_gaussian(GRID, mu)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{_explain(attack, window)}**")
        frame.chart(
            charts.plane(GRID, line, gaussian, drawn, own),
            key="attack-plane",
            alt=_("False alarms against detections of measured attacks: {list}.").format(
                list="; ".join(f"{one.name} {number(one.measured.advantage)}" for one in drawn if one.measured)
            ),
            table=lambda: charts.table_of_plane(drawn),
            name="attacks",
            axes=_(
                "Steps: every setting of the attack. Bands: 95% intervals of both rates. Shapes: the best setting, "
                "chosen on one half of the pairs and judged on the other. Six-pointed star: your false alarms, on the "
                "bound."
            ),
        )
    with right:
        st.markdown(_("**Audited within w steps: which w is best?**"))
        allowed = None
        if found[0].mechanism in TALLIES:
            curve = found[0].by_window
            fpr = curve.fpr[curve.at]
            allowed = deniability.get_tpr_gaussian(fpr, mu) - fpr
        frame.chart(
            charts.by_window(found, p.delta, allowed),
            key="attack-window",
            alt=_("Advantage of the timing attack for every window; best windows: {list}.").format(
                list="; ".join(f"{plain(one.mechanism)} {number(int(one.best.threshold))}" for one in found)
            ),
            table=lambda: charts.table_by_window(found),
            name="advantage-by-window",
            axes=_(
                "Across: the window w on a scale of powers. Up: detections minus false alarms. Bands and bars: 95% "
                "intervals. Shapes: the best window, judged on fresh pairs."
            ),
        )


def _explain(attack: str, window: int) -> str:
    return {
        "timing": _("The rule: audited soon after the suspected report? Then it was reported."),
        "count": _("The rule: audited often in the {window} audits that follow? Then it was reported.").format(
            window=number(window)
        ),
        "best": _("The best rule there is, for somebody who knows all other reports."),
    }[attack]


def _headline(p: Parameters, found: dict[str, Timing]) -> str:
    tca, greedy = found["tca"].best, found["greedy"].best
    if tca.high - tca.low > WIDE:
        return _(
            "So few pairs measure little. The promise needs no measurement: with the noisy tally whoever watches all "
            "audits guesses right at most **{limit}** of the time, by any rule. Guessing blindly: {even}."
        ).format(limit=get_right(p.delta), even=percent(0.5))
    text = _(
        "Whoever watches how soon the audit comes guesses right **{tca}** of the time with the noisy tally (95% "
        "interval {low} to {high}); more than {limit} is impossible. With an auditor who follows the reports: "
        "**{greedy}**. Guessing blindly: {even}."
    ).format(
        tca=get_right(tca.advantage),
        low=get_right(tca.low),
        high=get_right(tca.high),
        limit=get_right(p.delta),
        greedy=get_right(greedy.advantage),
        even=percent(0.5),
    )
    if "fading" in found:
        one = found["fading"].best
        text += " " + _("With the fading tally, whose limit is the same: **{right}** ({low} to {high}).").format(
            right=get_right(one.advantage), low=get_right(one.low), high=get_right(one.high)
        )
    return text


def _scenario(p: Parameters, quiet: bool, pairs: int, who: str) -> str:
    text = _("{pairs} pairs of independent records, with and without the report; seed {seed}.").format(
        pairs=number(pairs), seed=p.seed
    )
    if quiet:
        text += " " + _("Nobody else reports.")
    if who in ("five", "fading"):
        few = get_fading_pairs(p, pairs)
        if not few:
            text += " " + _("The fading tally is left out: at this size it would take minutes.")
        elif few < pairs:
            text += " " + _("The fading tally: {pairs} pairs, for each takes far longer.").format(pairs=number(few))
    if pairs < 100:
        text += " " + _("Few pairs, since this scenario is large: the intervals are wide.")
    return text


# --- words -----------------------------------------------------------------------------------------------------------
def _notice(p: Parameters, found: dict[str, Timing]) -> list[str]:
    tca = found["tca"].best
    values = {"window": number(int(tca.threshold)), "advantage": number(tca.advantage), "delta": number(p.delta)}
    if tca.high > p.delta:
        first = _(
            "So few pairs cannot tell how much of the allowed {delta} the timing attack finds: measure more exactly. "
            "The promise itself needs no measurement."
        )
    else:
        first = _(
            "The best window for the noisy tally here is {window} audits. It finds {advantage} of the {delta} that the "
            "promise allows: an observer of audits does not see the counts."
        )
    points = [
        first.format(**values),
        _(
            "The time of the first audit is nearly all there is to see. At that audit the count starts afresh: from "
            "then on both worlds look the same."
        ),
        _(
            "Somebody who saw the noisy counts themselves would get closer to delta, and closest where the count runs "
            "long. The promise covers even that."
        ),
    ]
    if "fading" in found:
        points.append(
            _(
                "No audit starts the fading tally's sums afresh. Whoever saw the released sums would come as close to "
                "delta as the steps that are left allow, wherever the audits go. Audits alone show far less."
            )
        )
    return points


def _computed(
    p: Parameters, quiet: bool, step: int, target: int, pairs: int, who: str, found: dict[str, Timing]
) -> None:
    name = who if who in found else "tca"
    pairs = found[name].pairs
    one = found[name].best
    lines = [
        _("Timing attack on {name}, best window w = {window}, judged on {runs} fresh records of each kind:").format(
            name=full(name), window=number(int(one.threshold)), runs=number(one.tpr.runs)
        ),
        rf"$$\mathrm{{TPR}} - \mathrm{{FPR}} = {one.tpr.share:.4g} - {one.fpr.share:.4g} = {one.advantage:.4g}, \qquad"
        rf" 95\,\%:\ {one.low:.4g} \ldots {one.high:.4g}$$",
        _(
            "Intervals: Wilson for each rate, Newcombe for the difference. Bounds: delta (Theorem 1), and for the "
            "noisy tally the Gaussian curve (ours)."
        ),
        r"$$\mathrm{TPR} \le \Phi(\Phi^{-1}(\mathrm{FPR}) + \mu), \qquad"
        rf" \mu = {calibration.get_mu(p.delta):.4g}$$",
        _(
            "Best possible attack: for the coin flip, follow-the-reports and lots the likelihood ratio of the whole "
            "record is exact. For the noisy tally only that of the first audit's time is known, estimated on the even "
            "pairs: a lower bound on the best attack. Little is left after that audit. The attack on the noisy counts "
            "is exact; it reaches the bound where the count of the organisation runs to the last audit."
        ),
    ]
    if "fading" in found:
        lines.append(
            _(
                "The fading tally keeps the same bounds with the same {mu}, for ever (ours). Its best attack on the "
                "audits is not known in closed form either. On its released sums it is: a report at step {step} shifts "
                "them by {norm} standard deviations in all up to the last audit, so that the best attack reaches "
                "{advantage} there, and delta as the audits go on."
            ).format(
                mu=r"$\mu$", step=number(step), norm=number(get_seen_mu(p, step), 4),
                advantage=number(calibration.get_delta(get_seen_mu(p, step)), 4),
            )
        )  # fmt: skip
    frame.how_computed("\n\n".join(lines), command(p, quiet, step, target, pairs, name))


def get_seen_mu(p: Parameters, step: int) -> float:
    """By how many standard deviations a report at `step` shifts the fading tally's released sums up to the end."""
    return float(np.linalg.norm(Fading(p.targets, p.delta).get_column(p.horizon - step + 1)))


def command(p: Parameters, quiet: bool, step: int, target: int, pairs: int, name: str) -> str:
    """The same numbers from a terminal."""
    if isinstance(p, OwnParameters) and not quiet:
        told = f"make_mechanism({name!r}, p), s, {p.horizon}, {step}, {target}, {pairs}, {p.seed}, 1, True"
        result = f"measure_timing(watch_target({told})).advantage"
        return terminal.command(p, "from core.attacks import measure_timing, watch_target", result, (step, target))
    if name == "rr" and p.rr_calibration != "paper-experiments":
        name = f"rr-{p.rr_calibration}"
    rate = "" if quiet else f" --lead-rate {p.lead_rate:g} --other-rate {p.other_rate:g} --stream {p.stream}"
    return (
        f"python -m core attack --mechanism {name} --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} "
        f"--step {step} --target {target} --runs {pairs} --seed {p.seed}{rate}"
    )
