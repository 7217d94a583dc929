"""What the page Plan says about an answer: sentences to quote, points to notice, and the method."""

from __future__ import annotations

import numpy as np

from ui.marks import plain
from ui.plan.answers import ORDER, SHARES, Answer, mean_wait
from ui.plan.inputs import one_in
from ui.words import _, number, percent


def quotes(answer: Answer) -> list[str]:
    """Sentences that can be quoted as they stand."""
    w, s = answer.wishes, answer.solution
    values = {
        "people": number(w.people), "before": one_in(w.prior), "after": one_in(s.suspicion),
        "alarm": percent(w.false_alarm), "audits": number(s.horizon), "points": number(100 * s.delta),
        "reports": number(s.reports), "targets": number(w.plan.targets),
        "mean": mean_wait(answer, "tca"), "open": mean_wait(answer, "greedy"),
        "rota": mean_wait(answer, "rota"), "lots": mean_wait(answer, "uniform"),
    }  # fmt: skip
    # fmt: off
    promise = (
        _(
            "“If one of {people} people files a report, nothing that can be read from {audits} audits lifts suspicion "
            "of that person from {before} to more than {after}, unless it would turn up by chance less than {alarm} of "
            "the time.”"
        )
        if s.reports <= 1 else
        _(
            "“If one of {people} people files up to {reports} reports about one organisation, nothing that can be read "
            "from {audits} audits lifts suspicion of that person from {before} to more than {after}, unless it would "
            "turn up by chance less than {alarm} of the time.”"
        )
    )
    # fmt: on
    tallies = {
        "fewer": _(
            "“With the same promise a fading tally misses {fading} open reports an audit where the noisy tally misses "
            "{tca}; it is not built to be the first at a sudden problem.”"
        ),
        "same": _(
            "“With the same promise these runs cannot tell a fading tally from the noisy tally: {fading} and {tca} "
            "open reports missed an audit.”"
        ),
        "more": _(
            "“A fading tally would be no gain here: {fading} open reports missed an audit, against {tca} with the "
            "noisy tally.”"
        ),
    }[answer.missed_difference.verdict]
    return [
        promise.format(**values),
        _(
            "“One report changes the chance of any pattern of audits by at most {points} percentage points, whoever "
            "files it.”"
        ).format(**values),
        _(
            "“Among {targets} organisations one with a real problem waits {mean} months for its first audit on "
            "average; {open} if reports were followed openly, {rota} under a fixed rota, {lots} if lots were drawn.”"
        ).format(**values),
        tallies.format(**{name: number(float(missed.mean())) for name, missed in answer.missed.items()}),
        _("“The promise is about what the audits give away. It does not protect against a leak of the report itself.”"),
    ]


def notice(answer: Answer) -> list[str]:
    """Three points."""
    w, s = answer.wishes, answer.solution
    return [
        _(
            "The tolerated suspicion sets the noise: each count is blurred by up to {noise} reports (standard "
            "deviation). Tolerate more and audits come sooner."
        ).format(noise=number(answer.count_sd)),
        _(
            "A lead of {lead} reports is hit at any audit with a chance of {share}, however long the counts have run. "
            "Fewer are often enough: young counts carry less noise, and every audit is a new chance."
        ).format(lead=number(int(np.ceil(answer.leads[-1]))), share=percent(SHARES[-1])),
        _(
            "Rarer coincidences can look worse: for an event that turns up by chance less than {alarm} of the time "
            "suspicion may pass {after}. The budget, {delta}, holds for every event."
        ).format(alarm=percent(w.false_alarm), after=one_in(s.suspicion), delta=number(s.delta)),
    ]


def method(answer: Answer, seed: int) -> str:
    """Formulas with live values."""
    w, s = answer.wishes, answer.solution
    formula = (
        r"$\frac{\pi G}{\pi G + (1-\pi) q} \le s, \quad G = \Phi(\Phi^{-1}(q) + k\mu), \quad \mu = 2\kappa_\delta$"
    )
    text = _(
        "{formula}\n\n"
        "Prior {prior}, false alarms q = {alarm}, tolerated suspicion s = {tolerated}, k = {reports} reports: solved "
        "for the largest delta by bracketing (ours; Gaussian noise, section 6 of the paper). delta = {delta} over "
        "{audits} audits gives noise of sigma = {sigma} at each step and {noise} on a count that was never reset. "
        "Leads invert the exact chance of Appendix G.1 for {targets} organisations. Waits: {runs} runs, seed {seed}, "
        "all counts empty at the start, {lead} and {other} reports a step (Poisson); rota and lots are exact, the "
        "rota's order being a matter of luck."
    ).format(
        formula=formula, prior=percent(w.prior), alarm=percent(w.false_alarm), tolerated=percent(w.tolerated),
        reports=number(w.reports), delta=number(s.delta, 6), audits=number(s.horizon), sigma=number(answer.sigma, 4),
        noise=number(answer.count_sd, 4), targets=number(w.plan.targets), runs=number(answer.runs), seed=seed,
        lead=number(w.plan.rates[0]), other=number(w.plan.rates[1]),
    )  # fmt: skip
    fading = _(
        "Fading tally (ours; same delta, same bounds): {waits} runs for the waits, {missed} runs of {steps} audits for "
        "missed reports, paired with the noisy tally's over the same reports."
    ).format(
        waits=number(len(answer.delays["fading"].steps)), missed=number(len(answer.missed["fading"])),
        steps=number(answer.missed_steps),
    )  # fmt: skip
    return f"{text}\n\n{fading}"


def command(answer: Answer) -> str:
    """Noise from a terminal."""
    s = answer.solution
    return f"python -m core calibrate --delta {s.delta:.6g} --horizon {s.horizon}"


def alt(answer: Answer) -> str:
    """The picture for who cannot see it."""
    return _(
        "Chance that the problem organisation has been audited, month by month. Mean waits in months: {list}."
    ).format(list="; ".join(f"{plain(name)} {mean_wait(answer, name)}" for name in ORDER))
