"""The answers: computed at once from the wishes, and said in words."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from core.bank import ROUNDS
from core.fading import Fading
from core.mechanisms import Greedy, Tca
from core.planning import (
    Delays,
    Solution,
    Wishes,
    get_blind_chance,
    get_mean_wait,
    get_noise_for_plan,
    get_wait,
    round_delta,
    simulate_delays,
    solve,
)
from core.simulation import run_ensemble
from core.streams import PoissonStream
from core.utility import get_gap_for_error
from ui.charts.longrun import drawn
from ui.frames import Z95, Array, Difference
from ui.marks import MARKS, full
from ui.plan.inputs import one_in
from ui.words import _, number, percent

SHARES = (0.5, 0.8, 0.95)
ORDER = ("tca", "fading", "greedy", "rota", "uniform")
SIMULATED = ("tca", "fading", "greedy")
POINTS = 90
FADING_CELLS = 400_000
"""Runs x targets x steps of the fading tally's waits, and of its missed reports: a good part of a second."""
MISSED_STEPS = 200
"""Audits over which missed reports are compared; the noise is that of the whole plan."""


@dataclass(frozen=True)
class Answer:
    """What follows from the wishes.

    Attributes:
        sigma, count_sd: noise drawn at each step, and on a count that ran the whole time, in reports.
        delays: of the simulated auditors. chance: been audited by step 0 .. horizon, by auditor, (T + 1,).
        steps: where the picture is drawn, (n,). bands: 95% intervals there, of the simulated ones.
        missed: open reports missed an audit over the first `missed_steps` audits, by run, of the two tallies, (n,).
        leads: for each of `SHARES`, the lead with which an audit at the end of the plan hits at least so often.
    """

    wishes: Wishes
    solution: Solution
    sigma: float
    count_sd: float
    runs: int
    delays: dict[str, Delays] = field(repr=False)
    chance: dict[str, Array] = field(repr=False)
    steps: Array = field(repr=False)
    bands: dict[str, tuple[Array, Array]] = field(repr=False)
    leads: tuple[float, ...]
    missed: dict[str, Array] = field(repr=False)
    missed_steps: int

    @property
    def missed_difference(self) -> Difference:
        """Open reports the fading tally misses more an audit than the noisy tally, over the same reports."""
        gaps = self.missed["fading"] - self.missed["tca"]
        return Difference(float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(len(gaps))))

    @property
    def later(self) -> Difference:
        """Audits by which the fading tally's first audit of the problem comes later than the noisy tally's."""
        return Difference(*self.delays["fading"].later_than(self.delays["tca"]))

    def wait(self, name: str, share: float) -> int | None:
        """Audits until the problem organisation has been audited with chance `share`; None: not within the plan."""
        return get_wait(self.chance[name], share)

    def mean(self, name: str) -> float:
        """Mean wait in audits."""
        return get_mean_wait(self.chance[name])

    def margin(self, name: str) -> float:
        """Half a 95% interval of `mean`, in audits; 0 where it is exact."""
        return Z95 * self.delays[name].mean_se if name in SIMULATED else 0.0


def count_runs(targets: int, horizon: int) -> int:
    """As many runs (20 to 400) as the page can do without being felt."""
    return int(min(400, max(20, 20_000_000 // (targets * horizon))))


def count_fading_runs(targets: int, horizon: int) -> int:
    """Runs of the fading tally's waits, at least 10: nobody waits longer than its deadlines of `ROUNDS` rounds."""
    most = FADING_CELLS // (targets * min(horizon, ROUNDS * targets))
    return min(count_runs(targets, horizon), max(10, most))


def get_missed(wishes: Wishes, solution: Solution, steps: int, seed: int) -> dict[str, Array]:
    """Open reports missed an audit over `steps` audits by the two tallies, by run: 8 to 40 runs, (n,) each."""
    targets = wishes.plan.targets
    runs = min(40, max(8, FADING_CELLS // 2 // (targets * steps)))
    tallies = {"tca": Tca(targets, solution.horizon, solution.delta), "fading": Fading(targets, solution.delta)}
    stream = PoissonStream(targets, *wishes.plan.rates)
    return {name: run_ensemble(one, stream, steps, runs, seed).deficit.mean(axis=1) for name, one in tallies.items()}


@st.cache_data(max_entries=64, show_spinner=False)
def get_answer(wishes: Wishes, seed: int) -> Answer:
    """Solve and simulate."""
    solution = solve(wishes)
    plan, horizon = wishes.plan, solution.horizon
    runs = count_runs(plan.targets, horizon)
    stream = PoissonStream(plan.targets, *plan.rates)
    delays = {
        "tca": simulate_delays(Tca(plan.targets, horizon, solution.delta), stream, horizon, runs, seed),
        "fading": simulate_delays(
            Fading(plan.targets, solution.delta), stream, horizon, count_fading_runs(plan.targets, horizon), seed
        ),
        "greedy": simulate_delays(Greedy(plan.targets), stream, horizon, runs, seed),
    }
    chance = {name: delays[name].chance() for name in SIMULATED}
    chance |= {name: get_blind_chance(name, plan.targets, horizon) for name in ("rota", "uniform")}
    steps = drawn(min(horizon, max(10, 3 * plan.targets // 2)) + 1, POINTS)
    sigma, count_sd = get_noise_for_plan(solution.delta, horizon)
    most = (plan.targets - 1) / plan.targets
    leads = tuple(get_gap_for_error(min(1.0 - share, most), plan.targets, count_sd) for share in SHARES)
    bands = {name: delays[name].chance_band([int(step) for step in steps]) for name in SIMULATED}
    missed_steps = min(horizon, MISSED_STEPS)
    missed = get_missed(wishes, solution, missed_steps, seed)
    return Answer(
        wishes, solution, sigma, count_sd, runs, delays, chance, steps, bands, leads, missed, missed_steps
    )  # fmt: skip


# --- words -----------------------------------------------------------------------------------------------------------
def waited(answer: Answer, audits: float | None) -> str:
    """A number of audits as months."""
    if audits is None:
        return _("not within the plan")
    return number(answer.wishes.plan.months(audits), 2)


def mean_wait(answer: Answer, name: str) -> str:
    """Mean wait in months; marked where many wait beyond the plan, so that it is only a lower end."""
    text = waited(answer, answer.mean(name))
    return text if answer.chance[name][-1] >= 0.99 else f"≥ {text}"


def headline(answer: Answer) -> str:
    """The answer to what was asked."""
    w, s = answer.wishes, answer.solution
    values = {
        "people": number(w.people), "before": one_in(w.prior), "tolerated": one_in(w.tolerated),
        "after": one_in(s.suspicion), "delta": number(s.delta), "lead": number(int(np.ceil(s.lead))),
        "wanted": number(w.lead), "error": percent(w.error), "audits": number(s.horizon),
        "years": number(w.plan.months(s.horizon) / 12, 2), "reports": number(s.reports),
    }  # fmt: skip
    if s.obstacle in ("too-much", "no-horizon"):
        return _(
            "**This wish cannot be met.** With delta = {delta}, the lead that is passed over at most {error} of the "
            "time at any audit of the plan is **{lead}** (in reports)."
        ).format(**values)
    return {
        "delta": _(
            "One of {people} people who could have known: suspicion rises from {before} to at most **{tolerated}** "
            "with a budget of **delta = {delta}**."
        ),
        "error": _(
            "A lead of {wanted} reports is passed over at most {error} of the time with **delta = {delta}**. Suspicion "
            "of one person then rises from {before} to at most **{after}**."
        ),
        "lead": _(
            "With delta = {delta}, the lead that is passed over at most {error} of the time at any audit of the plan "
            "is **{lead}** (in reports)."
        ),
        "horizon": _(
            "With delta = {delta}, a lead of {wanted} reports is passed over at most {error} of the time for "
            "**{audits} audits**: {years} years."
        ),
        "reports": _(
            "With delta = {delta}, the number of reports one person may file about the organisation and stay at or "
            "below a suspicion of {tolerated} is **{reports}**."
        ),
    }[w.solve].format(**values)  # fmt: skip


def obstacle(answer: Answer) -> str:
    """Why the wish cannot be met as said and what is allowed; "" where it can."""
    w, s = answer.wishes, answer.solution
    text = {
        "": "",
        "any-budget": _(
            "What the organisation acts upon turns up by chance {alarm} of the time, so no budget can lift suspicion "
            "above {limit}. Any budget meets this wish; {delta} is used. For a tighter answer think of rarer false "
            "alarms."
        ),
        "lots-suffice": _(
            "Drawing lots passes over the worst organisation {limit} of the time, so it already meets a wanted error "
            "of {error}. Ask for less than {limit}."
        ),
        "smallest-budget": _("Less than the smallest budget offered would do; {limit} is used."),
        "too-much": _(
            "No budget below 0.95 catches a lead of {lead} reports so reliably at the end of the plan. Allowed: a lead "
            "of at least {limit} reports, a larger error or fewer audits. {delta} is used."
        ),
        "no-horizon": _(
            "Not even a single audit meets this wish with delta = {delta}. Allowed: a lead of at least {limit} "
            "reports, or more suspicion. Your number of years is used."
        ),
        "any-horizon": _("It holds for at least {limit} audits, the most this dashboard covers."),
        "no-reports": _(
            "With delta = {delta} even a single report goes beyond the tolerated suspicion. Allowed for one report: a "
            "budget of at most {limit}."
        ),
    }[s.obstacle]  # fmt: skip
    share = s.obstacle in ("any-budget", "lots-suffice")
    whole = s.obstacle in ("too-much", "no-horizon", "any-horizon")
    limit = percent(s.limit) if share else number(int(np.ceil(s.limit))) if whole else number(s.limit)
    return text.format(
        alarm=percent(w.false_alarm), limit=limit, delta=number(s.delta), error=percent(w.error), lead=number(w.lead)
    )


def warnings(answer: Answer) -> list[str]:
    """What a policy-maker should know before relying on the answer."""
    w, s = answer.wishes, answer.solution
    found = []
    if w.reports > 1 and w.solve != "reports":
        found.append(
            _(
                "The budget has to last for {reports} reports by one person about one organisation. That makes every "
                "count noisier: with a single report a far larger budget would do."
            ).format(reports=number(w.reports))
            if w.solve != "error" else
            _(
                "One person may file {reports} reports; suspicion of that person then reaches {after}, not what the "
                "budget says for one report."
            ).format(reports=number(w.reports), after=one_in(s.suspicion))
        )  # fmt: skip
    if w.plan.horizon > w.plan.covered:
        found.append(
            _(
                "{audits} audits are more than this dashboard covers; the answer is for the first {covered}. After "
                "that the promise has to be renewed: a new start is a new promise, and the two add up."
            ).format(audits=number(w.plan.horizon), covered=number(w.plan.covered))
        )
    if w.plan.targets <= 10:
        found.append(
            _(
                "With only {targets} organisations a fixed rota reaches everyone within {months} months and leaks "
                "nothing. Look at the price below before choosing the noisy tally."
            ).format(targets=number(w.plan.targets), months=waited(answer, w.plan.targets))
        )
    if w.plan.problem_reports <= w.plan.usual_reports:
        found.append(
            _("The problem organisation draws no more reports than any other: reports cannot point to it here.")
        )
    if round_delta(s.delta, w.solve == "error") is None:
        found.append(
            _(
                "The budget is below 0.005, the smallest the other pages offer. Tolerate a little more suspicion to "
                "see this plan there."
            )
        )
    return found


def changes(answer: Answer) -> dict[str, float | int] | None:
    """The scenario of all pages; delta rounded so that what was asked for still holds; None where it cannot."""
    w, s = answer.wishes, answer.solution
    delta = round_delta(s.delta, w.solve == "error")
    if delta is None:
        return None
    lead, other = w.plan.rates
    return {
        "targets": w.plan.targets, "horizon": s.horizon, "run_length": s.horizon, "delta": delta,
        "lead_rate": round(lead, 4), "other_rate": round(other, 4), "people": w.people,
    }  # fmt: skip


def markdown_of_waits(answer: Answer) -> str:
    """What the noisy tally needs, by how sure one wants to be."""
    head = [_("Chance of an audit"), _("Months (audits)"), _("Reports by then"), _("Lead that suffices")]
    rows = []
    for share, lead in zip(SHARES, answer.leads, strict=True):
        audits = answer.wait("tca", share)
        reports = answer.delays["tca"].within(share)[1]
        rows.append(
            [
                percent(share),
                waited(answer, audits) if audits is None else f"{waited(answer, audits)} ({number(audits)})",
                "–" if audits is None else number(int(np.ceil(reports))),
                number(int(np.ceil(lead))),
            ]
        )
    return _markdown(head, rows)


def markdown_of_price(answer: Answer) -> str:
    """All auditors of the plan."""
    head = [_("Auditor"), _("Mean wait, months"), _("95% sure after, months"), _("Leak (delta)")]
    rows = []
    for name in ORDER:
        mean = mean_wait(answer, name)
        if name in SIMULATED:
            mean += f" ± {waited(answer, answer.margin(name))}"
        delta = number(answer.solution.delta)
        leak = {"tca": delta, "fading": delta, "greedy": _("no promise")}.get(name, _("nothing"))
        rows.append([f"{MARKS[name].glyph} {full(name)}", mean, waited(answer, answer.wait(name, 0.95)), leak])
    return _markdown(head, rows)


def _markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def price(answer: Answer) -> str:
    """What deniability costs, and what the reports gain over a rota."""
    extra, se = answer.delays["tca"].later_than(answer.delays["greedy"])
    gain = answer.mean("rota") - answer.mean("tca")
    margin = answer.margin("tca")
    values = {
        "extra": waited(answer, extra), "margin": waited(answer, Z95 * se), "gain": waited(answer, abs(gain)),
        "error": waited(answer, margin),
    }  # fmt: skip
    cost = _(
        "**The price of deniability:** {extra} ± {margin} months later, on average, than an auditor who follows the "
        "reports openly."
    ).format(**values)
    if abs(gain) <= margin:
        rota = _(
            "**Against a fixed rota** these runs show no clear difference ({gain} ± {error} months), and the rota "
            "leaks nothing."
        )
    elif gain > 0:
        rota = _("**The gain over a fixed rota:** {gain} ± {error} months sooner.")
    else:
        rota = _("**A fixed rota is quicker here:** by {gain} ± {error} months, and it leaks nothing.")
    return cost + "\n\n" + rota.format(**values)


def fading(answer: Answer) -> str:
    """What the fading tally would do better with the same budget, and what not."""
    values = {
        "fading": number(float(answer.missed["fading"].mean())), "tca": number(float(answer.missed["tca"].mean())),
        "difference": number(abs(answer.missed_difference.value), 2), "audits": number(answer.missed_steps),
        "margin": number(Z95 * answer.missed_difference.se, 2), "guard": number(ROUNDS * answer.wishes.plan.targets),
        "by": waited(answer, abs(answer.later.value)), "error": waited(answer, Z95 * answer.later.se),
    }  # fmt: skip
    missed = {
        "fewer": _(
            "**The fading tally**, with the same delta, misses {fading} open reports an audit, the noisy tally {tca} "
            "(difference {difference} ± {margin}, first {audits} audits)."
        ),
        "more": _(
            "**The fading tally does not help here:** with the same delta it misses {fading} open reports an audit, "
            "the noisy tally {tca} (difference {difference} ± {margin}, first {audits} audits)."
        ),
        "same": _(
            "**The fading tally**, with the same delta, cannot be told from the noisy tally by the open reports it "
            "misses: {fading} and {tca} an audit (difference {difference} ± {margin}, first {audits} audits)."
        ),
    }[answer.missed_difference.verdict]
    first = {
        "fewer": _("Its first audit of the problem comes {by} ± {error} months sooner."),
        "more": _("Its first audit of the problem comes {by} ± {error} months later."),
        "same": _("In the time to the first audit these runs show no clear difference ({by} ± {error} months)."),
    }[answer.later.verdict]
    jump = _(
        "After a sudden jump of reports the noisy tally is usually the quicker one. The fading tally audits everyone "
        "at least once in {guard} audits, and its promise does not end with the plan."
    )
    return " ".join(text.format(**values) for text in (missed, first, jump))


def short(answer: Answer) -> str:
    """When the audit comes, in one sentence."""
    audits = answer.wait("tca", 0.8)
    mean, margin = waited(answer, answer.mean("tca")), waited(answer, answer.margin("tca"))
    if audits is None:
        return _(
            "Within the plan a problem organisation has been audited with a chance of {share}; the mean wait is at "
            "least {mean} months."
        ).format(share=percent(1.0 - answer.delays["tca"].never, 2), mean=mean)
    return _(
        "A problem organisation is audited within **{months} months** with a chance of {share}, after about {reports} "
        "reports; mean wait {audits} audits, or {mean} ± {margin} months."
    ).format(
        months=waited(answer, audits), share=percent(0.8), audits=number(answer.mean("tca"), 2), mean=mean,
        margin=margin, reports=number(int(np.ceil(answer.delays["tca"].within(0.8)[1]))),
    )  # fmt: skip
