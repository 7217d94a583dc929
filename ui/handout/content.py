"""What a hand-out says: the words and numbers of one scenario, in the language of the session that asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import plotly.graph_objects as go
from babel.dates import format_date

from core import audit, calibration, certificates, deniability, equity, utility
from core.parameters import Parameters
from ui import controls, frames, says, words
from ui.charts import adversary, lead, longrun
from ui.handout import draw
from ui.live import Line, Plot, Points
from ui.marks import MARKS, full, plain
from ui.words import N_, _, number, percent

PAPER = "https://arxiv.org/abs/2607.13928"
SETTING = (
    "targets", "horizon", "run_length", "delta", "people", "false_alarm", "gap", "lead_rate", "other_rate", "stream",
    "rr_calibration", "runs", "seed",
)  # fmt: skip
GRID = (1.0 - np.cos(np.linspace(0.0, np.pi, 81))) / 2.0
SEVERAL = 3
"""Reports of one person in the example of what is not covered."""

PROMISED = (
    N_(
        "One report changes the chance of any audit record, and so of whatever may be read from it, by at most "
        "{points} percentage points."
    ),
    N_(
        "{people} people could have reported. Suspicion of you before any audit: {before}. After the most telling "
        "record that turns up by chance {alarm} of the time: at most {after}."
    ),
    N_("It holds at every moment on the way, not only at the end, and even if reports react to audits."),
    N_("The same promise in other words: nobody can steer an audit with a single invented report."),
)

NOT_COVERED = (
    N_(
        "**More than one report.** {reports} reports about the same organisation change the chance of an audit record "
        "by up to {more} percentage points."
    ),
    N_("**The auditor itself.** It knows every report; a leaked log file or a talkative office undoes everything."),
    N_("**What was known before.** Whoever was suspected anyway stays suspected."),
    N_("**What an audit reveals while it takes place.** Its questions and the rooms visited may point to a source."),
    N_("**More than {horizon} audits.** After that the noise has to be set anew."),
    N_("**Real data.** Reports here are drawn at random. Seeds are for demonstrations: whoever knows one can replay."),
)
FALSE_STATEMENTS = 0.05
"""Share of public statements that may be false."""


@dataclass(frozen=True)
class Number:
    """A row of the table of numbers: what, how much, and by which theorem or simulation; `brief`: also in the brief."""

    name: str
    value: str
    source: str
    brief: bool = False


@dataclass(frozen=True)
class Bar:
    """One auditor's missed reports a step; `share` is the length of its bar, 0 to 1."""

    name: str
    glyph: str
    color: str
    value: str
    share: float


@dataclass(frozen=True)
class Picture:
    """A figure with its heading, its description and one sentence about its axes.

    Attributes:
        figure: for the page.
        small: the same with fewer series, to be drawn as SVG for the brief; None where the brief has bars instead.
    """

    id: str
    title: str
    alt: str
    axes: str
    figure: go.Figure
    small: Plot | None = None


@dataclass(frozen=True)
class Content:
    """Everything a hand-out shows, ready to be put into a template; `**` in a text marks what is set in bold."""

    language: str
    title: str
    answer: str
    date: str
    setting: list[tuple[str, str]]
    promised: list[str]
    costs: list[str]
    not_covered: list[str]
    pictures: list[Picture]
    bars: list[Bar]
    runs: str
    numbers: list[Number]
    commands: list[tuple[str, str]]
    link: str
    words: dict[str, str]


def make(asked: Parameters, courses: Mapping[str, frames.Course], link: str) -> Content:
    """The hand-out of a scenario.

    Args:
        asked: the scenario as the reader set it.
        courses: every auditor over the long run, with as many runs as the page Long run uses.
        link: what reopens the scenario.
    """
    p = replace(asked, runs=courses["tca"].runs)
    shown = frames.get_lead_frames((p.delta,), (p.gap,), p.targets, p.horizon, p.run_length, p.rr_calibration, p.seed)
    values = _values(p, shown)
    say = {name: _bold(value) for name, value in values.items()}
    differences = {rival: frames.compare(courses["tca"], courses[rival]) for rival in frames.RIVALS}
    fading = courses.get("fading")
    better = {rival: frames.compare(fading, courses[rival]) for rival in ("tca", *frames.RIVALS)} if fading else {}
    verdict = [says.compare_fading(p, fading.runs, better)] if fading else []
    verdict.append(says.verdict(p, p.runs, differences, better))
    runs = [says.scenario_long_run(p, asked.runs, p.horizon), says.fewer_runs(p, fading.runs) if fading else ""]
    return Content(
        language=words.language(),
        title=_("Can an auditor act on reports without giving people away?"),
        answer=_(
            "Whoever watches all {horizon} audits can guess whether you reported with at most {success} success "
            "instead of {even}."
        ).format(**{**values, "success": say["success"]}),
        date=format_date(date.today(), "long", locale=words.language()),
        setting=[(controls.label(name), _exactly(name, getattr(p, name))) for name in SETTING],
        promised=[_(text).format(**say) for text in PROMISED],
        costs=[
            _(
                "With a lead of {gap} the noisy tally audits the wrong one {wrong} of the time. It needs a lead of "
                "{even} for an even chance and of {sure} to be right {right} of the time."
            ).format(**{**say, "even": say["even_lead"]}),
            _(
                "The coin flip is wrong {coin} of the time, whatever the lead: no coin flip with this delta can go "
                "below {floor} (Theorem 2)."
            ).format(**values),
            says.long_run(dict(courses)),
            " ".join(filter(None, verdict)),
        ],
        not_covered=[_(text).format(**values) for text in NOT_COVERED],
        pictures=_pictures(p, shown, courses),
        bars=_bars(courses),
        runs=" ".join(filter(None, runs)),
        numbers=_numbers(p, values, courses),
        commands=_commands(p),
        link=link,
        words=_words(),
    )


def _exactly(name: str, value: float | str) -> str:
    """A setting with all its digits, so that whoever reads it can set it again."""
    exact = isinstance(value, float) and name != "false_alarm"
    return number(float(value), 6) if exact else controls.show(name, value)


def _bold(text: str) -> str:
    return f"**{text}**"


def _values(p: Parameters, shown: frames.LeadFrames) -> dict[str, str]:
    """Every number of the sentences and of the table, as it is shown."""
    mu, prior = calibration.get_mu(p.delta), 1.0 / p.people
    count_sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    return {
        "targets": number(p.targets),
        "horizon": number(p.horizon),
        "people": number(p.people),
        "gap": number(p.gap),
        "points": number(100 * p.delta),
        "success": percent(float(deniability.get_success(p.delta, 0.5))),
        "even": percent(0.5),
        "before": percent(prior),
        "after": percent(float(deniability.get_suspicion(prior, p.false_alarm, p.delta, mu))),
        "alarm": percent(p.false_alarm),
        "reports": number(SEVERAL),
        "more": number(100 * deniability.get_composed_delta(p.delta, SEVERAL)),
        "wrong": percent(float(utility.get_misselection(p.gap, p.targets, count_sd))),
        "bound": percent(float(utility.get_union_bound(p.gap, p.targets, count_sd))),
        "even_lead": number(int(shown.even[0])),
        "sure": number(int(shown.sure[0])),
        "right": percent(1.0 - frames.SURE),
        "coin": percent(float(shown.rr[0, -1])),
        "floor": percent(float(shown.floor[0])),
        "sigma": number(calibration.get_noise_scale(p.delta, p.horizon), 4),
        "count_sd": number(count_sd, 4),
        "detect": percent(float(deniability.get_tpr_gaussian(p.false_alarm, mu))),
    }


def _numbers(p: Parameters, v: Mapping[str, str], courses: Mapping[str, frames.Course]) -> list[Number]:
    """The numbers with where they come from."""
    bayes = _("ours: Bayes on the trade-off curve")
    exact = _("exact; paper, Appendix G.1")
    rows = [
        Number(_("Right guesses from the whole record, at most"), v["success"], _("Theorem 1"), True),
        Number(_("Suspicion before any audit"), v["before"], _("one in {people}").format(people=v["people"])),
        Number(_("Suspicion after, at most"), v["after"], bayes, True),
        Number(
            _("Detections at {alarm} false alarms, at most").format(**v),
            v["detect"],
            _("ours: Gaussian trade-off"),
            True,
        ),
        Number(_("Percentage points {reports} reports can add up to").format(**v), v["more"], _("Corollary 9"), True),
        Number(
            _("Standard deviation of each normal (sigma)"), v["sigma"], _("Proposition 3 and section 6 of the paper")
        ),
        Number(_("Standard deviation of the noise on a count"), v["count_sd"], _("sigma times M_L, section 6"), True),
        Number(_("Wrong audits with a lead of {gap}").format(**v), v["wrong"], exact, True),
        Number(_("the same, upper bound"), v["bound"], _("ours: union bound; Theorem 6 where L = 1")),
        Number(_("Lead for an even chance"), v["even_lead"], exact, True),
        Number(_("Lead to be right {right} of the time").format(**v), v["sure"], exact, True),
        Number(_("Wrong audits of the coin flip"), v["coin"], _("Proposition 15"), True),
        Number(_("Wrong audits of any coin flip, at least"), v["floor"], _("Theorem 2"), True),
    ]
    rows += _neighbours(p)
    for name, course in courses.items():
        title = _("Missed reports a step: {name}").format(name=full(name))
        simulated = _("simulated: {runs} runs, seed {seed}").format(runs=number(course.runs), seed=p.seed)
        rows.append(Number(title, _mean(course), simulated))
    return rows


def _neighbours(p: Parameters) -> list[Number]:
    """One number each from privacy audit, exposure and public statements."""
    mu = calibration.get_mu(p.delta)
    runs = audit.get_runs_for_power(audit.Claim(p.delta, mu), 2.0 * mu)
    before, after = equity.get_first_audit_chance([0, 1], p.targets, p.delta, p.horizon)
    count_sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    needed = certificates.get_needed_reports(1, FALSE_STATEMENTS, count_sd)
    return [
        Number(
            _("Runs with and without a report after which half the noise is caught nine times in ten"),
            number(runs),
            _("ours: privacy audit, exact power"),
        ),
        Number(
            _("What a lone report adds to the chance of the first audit"), percent(after - before), _("ours: exact")
        ),
        Number(
            _("Open reports at which “at least one report” may be said half of the time"),
            number(needed),
            _("ours: certified statement, at most {share} false").format(share=percent(FALSE_STATEMENTS)),
        ),
    ]


def _mean(course: frames.Course) -> str:
    margin = number(frames.Z95 * course.mean_deficit_se, 2)
    return _("{mean} ± {margin}").format(mean=number(course.mean_deficit), margin=margin)


def _bars(courses: Mapping[str, frames.Course]) -> list[Bar]:
    longest = max(course.mean_deficit for course in courses.values()) or 1.0
    ranked = sorted(courses.values(), key=lambda course: course.mean_deficit)
    return [
        Bar(plain(one.mechanism), MARKS[one.mechanism].glyph, MARKS[one.mechanism].color, _mean(one),
            one.mean_deficit / longest)
        for one in ranked
    ]  # fmt: skip


def _pictures(p: Parameters, shown: frames.LeadFrames, courses: Mapping[str, frames.Course]) -> list[Picture]:
    """The three figures, by the builders of their pages, at the settings of the scenario."""
    mu = calibration.get_mu(p.delta)
    fpr = np.array([[p.false_alarm]])
    square = adversary.make_square(
        GRID, deniability.get_tpr_delta_line(GRID, p.delta), deniability.get_tpr_gaussian(GRID, mu), fpr,
        deniability.get_tpr_gaussian(fpr, mu),
    )  # fmt: skip
    wide = lead.picture(shown)
    means = "; ".join(f"{plain(name)} {number(course.mean_deficit)}" for name, course in courses.items())
    return [
        Picture(
            "lead",
            _("How large must the lead be?"),
            _(
                "Chance to audit the wrong organisation against the lead of the worst one. The noisy tally falls with "
                "the lead, the coin flip stays near drawing lots."
            ),
            _("Across: the lead. Up: the chance to audit the wrong organisation. Blue: the noisy tally."),
            draw.make_figure(wide, lambda at: number(float(np.exp2(at)) - 1.0), percent),
            _thinned(wide),
        ),
        Picture(
            "means",
            _("Who misses fewer reports over time?"),
            _("Missed reports a step, mean over all runs: {list}.").format(list=means),
            _("Across: missed reports a step, mean over all steps and runs, with its 95% interval."),
            longrun.means(list(courses.values())),
        ),
        Picture(
            "square",
            _("What can the organisation find out?"),
            _(
                "Square of false alarms against detections. The upper left is impossible at this delta. The curve of "
                "the noisy tally bulges above the diagonal of pure guessing and touches the delta line once."
            ),
            _(
                "Across: how often the organisation suspects someone who did not report. Up: how often it suspects "
                "someone who did. Left and up is bad for the person who reports; no rule of suspicion gets above the "
                "curve."
            ),
            draw.make_figure(square, percent, percent),
            square,
        ),
    ]


def _thinned(plot: Plot) -> Plot:
    """Without the dots of the simulation and the bound: they would fill a small drawing without saying more."""
    return replace(
        plot,
        series=[
            one
            for one in plot.series
            if not (isinstance(one, Points) or (isinstance(one, Line) and one.dash == "dash"))
        ],
    )


def _commands(p: Parameters) -> list[tuple[str, str]]:
    size = f"--targets {p.targets} --horizon {p.horizon} --delta {p.delta:g}"
    return [
        (_("Noise"), f"python -m core calibrate {size}"),
        (_("Wrong audits"), says.command_gap(p)),
        (_("Missed reports"), says.command_run("tca", p)),
        (_("Detections"), f"python -m core tradeoff --delta {p.delta:g} --fpr {p.false_alarm:g}"),
        (_("Statements"), f"python -m core certify {size} --beta {FALSE_STATEMENTS:g} --tau 1 --runs 20"),
    ]


def _words() -> dict[str, str]:
    """Headings and remarks of the templates."""
    return {
        "setting": _("The setting"),
        "promised": _("What is promised"),
        "costs": _("What it costs"),
        "not_covered": _("What is not covered"),
        "numbers": _("The numbers"),
        "what": _("Number"),
        "value": _("Value"),
        "source": _("Where it comes from"),
        "commands": _("The same numbers from a terminal:"),
        "again": _("Open this scenario again:"),
        "missed": _("Missed reports a step"),
        "mechanism": _("The noisy tally keeps a blurred count for every organisation and audits the largest."),
        "paper": _("Method and theorems: Leo Richter and Matt J. Kusner, arXiv 2607.13928."),
        "hint": _(
            "Point at a curve for its values, drag to zoom in, double-click to go back, click on a name to hide it."
        ),
    }
