"""Sentences of the pages Lead and Long run, made from numbers and their uncertainty, also when it is bad news."""

from __future__ import annotations

from core.auditors import MECHANISMS, make_mechanism
from core.calibration import get_noise_scale, get_p_rand
from core.counters import get_sensitivity
from core.fading import Fading
from core.parameters import Parameters
from core.utility import Share
from ui.frames import RIVALS, Z95, Contest, Course, Difference, Sweep
from ui.words import _, number, percent


def long_run(courses: dict[str, Course]) -> str:
    """Who misses how much."""
    text = _(
        "At these settings the noisy tally misses **{tca}** open reports a step, drawing lots **{uniform}** and a "
        "fixed rota **{rota}**. Lots and rota leak nothing."
    ).format(**{name: number(courses[name].mean_deficit) for name in ("tca", *RIVALS)})
    if "fading" in courses:
        text += " " + _("The fading tally, with the noisy tally's delta, misses **{fading}**.").format(
            fading=number(courses["fading"].mean_deficit)
        )
    return text


def scenario_long_run(parameters: Parameters, wanted: int, most: int) -> str:
    """What was computed, whether fewer runs than `wanted`, and whether only `most` of the steps are drawn."""
    p = parameters
    text = _("{runs} runs of {audits} audits with the same reports for everyone; seed {seed}.").format(
        runs=number(p.runs), audits=number(p.horizon), seed=p.seed
    )
    if p.runs < wanted:
        text += " " + _("You asked for {wanted} runs; so many would take minutes at this size.").format(
            wanted=number(wanted)
        )
    if p.horizon > most:
        text += " " + _("{most} of the audits are drawn; the table holds all.").format(most=number(most))
    return text


def fewer_runs(parameters: Parameters, fading: int) -> str:
    """How many runs the fading tally has, "" where as many as the others; 0: it was left out."""
    if fading == 0:
        return _("The fading tally is left out: at this size it would take minutes.")
    if fading == parameters.runs:
        return ""
    return _("The fading tally: the first {runs} of them, for each takes far longer.").format(runs=number(fading))


def compare_fading(parameters: Parameters, runs: int, differences: dict[str, Difference]) -> str:
    """Who wins against the fading tally; `differences` are fading tally minus noisy tally, lots and rota."""
    if parameters.lead_rate == parameters.other_rate == 0:
        return ""
    tally = differences["tca"]
    values = {"runs": number(runs), "by": number(abs(tally.value)), "margin": number(Z95 * tally.se, 2)}
    if tally.verdict == "more":
        return _(
            "**The fading tally does not help here:** it misses {by} ± {margin} more than the noisy tally."
        ).format(**values)
    if tally.verdict == "same":
        return _(
            "**Too close to call:** {runs} runs cannot tell the fading tally from the noisy tally (difference {by} ± "
            "{margin})."
        ).format(**values)
    rivals = {name: differences[name].verdict for name in RIVALS}
    if all(found == "fewer" for found in rivals.values()):
        return _(
            "**The fading tally beats noisy tally, lots and rota:** it misses {by} ± {margin} fewer than the noisy "
            "tally, with the same delta and for any number of audits."
        ).format(**values)
    text = {
        ("more", "more"): _("Lots and rota miss fewer still."),
        ("more", "fewer"): _("Drawing lots misses fewer still."),
        ("fewer", "more"): _("A fixed rota misses fewer still."),
        ("more", "same"): _("Drawing lots misses fewer still."),
        ("same", "more"): _("A fixed rota misses fewer still."),
    }.get((rivals["uniform"], rivals["rota"]), _("These runs cannot tell whether lots or rota miss fewer still."))
    return (
        _("**The fading tally beats the noisy tally** with the same delta: {by} ± {margin} fewer.").format(**values)
        + " "
        + text
    )


def verdict(
    parameters: Parameters,
    runs: int,
    differences: dict[str, Difference],
    fading: dict[str, Difference] | None = None,
) -> str:
    """Whether the noisy tally is worth its leak here; `differences` are noisy tally minus lots and minus rota.

    `fading`: what `compare_fading` gets where the fading tally is shown as well, so that nothing said here denies it.
    """
    lots, rota = (differences[name].verdict for name in RIVALS)
    if parameters.lead_rate == parameters.other_rate == 0:
        return _("Nobody reports anything here, so there is nothing to miss.")
    if lots == rota == "fewer":
        return _(
            "**The noisy tally helps:** it misses fewer than both, and one report changes the chance of any audit by "
            "at most {points} percentage points."
        ).format(points=number(100 * parameters.delta))
    if lots == rota == "more":
        return _("**The noisy tally does not help here:** drawing lots and a fixed rota both miss fewer.")
    if lots == "more":
        return _("**The noisy tally does not help here:** drawing lots misses fewer.")
    if rota == "more" and lots == "fewer":
        if fading and fading["rota"].verdict != "more":
            return _("**A fixed rota beats the noisy tally here,** which only beats drawing lots.")
        return _("**A fixed rota is the better choice here.** The noisy tally only beats drawing lots.")
    if rota == "more":
        return _(
            "**The noisy tally does not help here:** a fixed rota misses fewer, and {runs} runs cannot tell the noisy "
            "tally from drawing lots."
        ).format(runs=number(runs))
    unsure = RIVALS[0] if lots == "same" else RIVALS[1]
    values = {
        "runs": number(runs),
        "difference": number(abs(differences[unsure].value), 2),
        "margin": number(Z95 * differences[unsure].se, 2),
    }
    if unsure == "uniform":
        return _(
            "**Too close to call:** {runs} runs cannot tell the noisy tally from drawing lots (difference "
            "{difference} ± {margin})."
        ).format(**values)
    return _(
        "**Too close to call:** {runs} runs cannot tell the noisy tally from a fixed rota (difference {difference} ± "
        "{margin})."
    ).format(**values)


def reason(contest: Contest, differences: dict[str, Difference]) -> str:
    """Why: the noise on two counts against the reports that come in during one round."""
    values = {"age": number(contest.age), "noise": number(contest.noise, 2), "lead": number(contest.lead, 2)}
    if contest.noise_wins and any(d.verdict != "fewer" for d in differences.values()):
        return _(
            "Why: one round is {age} audits. In that time the most-reported organisation gets only {lead} reports more "
            "than another, but the noise between their two counts is {noise} (standard deviation). Few organisations, "
            "few reports or a small delta: the noise outweighs the counts."
        ).format(**values)
    return _(
        "Why: one round is {age} audits. In that time the most-reported organisation gets {lead} reports more than "
        "another; the noise between their two counts is {noise} (standard deviation)."
    ).format(**values)


def flips(result: Sweep, label: str) -> list[str]:
    """Between which values the noisy tally starts or stops missing fewer than each rival."""
    lines = []
    for rival in RIVALS:
        crossings = result.crossings(rival)
        if crossings:
            where = ", ".join(
                _("between {low} and {high}").format(low=number(low), high=number(high)) for low, high in crossings
            )
            text = {
                "uniform": _("{label}: against drawing lots it flips {where}."),
                "rota": _("{label}: against a fixed rota it flips {where}."),
            }[rival]
            lines.append(text.format(where=where, label=label))
            continue
        steady = result.steady(rival)
        steady_text = {
            ("uniform", -1): _(
                "Against drawing lots it does not flip here: the noisy tally never clearly misses more."
            ),
            ("uniform", 0): _("Against drawing lots these runs are too few to tell."),
            ("uniform", 1): _(
                "Against drawing lots it does not flip here: the noisy tally never clearly misses fewer."
            ),
            ("rota", -1): _("Against a fixed rota it does not flip here: the noisy tally never clearly misses more."),
            ("rota", 0): _("Against a fixed rota these runs are too few to tell."),
            ("rota", 1): _("Against a fixed rota it does not flip here: the noisy tally never clearly misses fewer."),
        }
        lines.append(steady_text[rival, steady])
    return lines


def notice_long_run(parameters: Parameters, courses: dict[str, Course], coin: Difference, follow: float) -> list[str]:
    """Three points; `coin` is the coin flip minus drawing lots, `follow` how often it follows the reports."""
    values = {"audits": number(parameters.horizon), "share": percent(follow, 2)}
    if coin.verdict == "same":
        first = _(
            "The coin flip cannot be told from drawing lots here: to stay private over {audits} audits it follows the "
            "reports in only {share} of them."
        )
    else:
        first = _("To stay private over {audits} audits the coin flip follows the reports in {share} of them.")
    points = [
        first.format(**values),
        _(
            "The noisy tally audits a most-reported organisation in {hit} of the steps. The most it missed in one "
            "step: {tally} reports; drawing lots: {lots}."
        ).format(
            hit=percent(1.0 - courses["tca"].misselection, 2),
            tally=number(courses["tca"].largest),
            lots=number(courses["uniform"].largest),
        ),
        _(
            "A fixed rota leaks nothing, and nobody waits longer than {targets} audits. A fair comparison has to show "
            "it."
        ).format(targets=number(parameters.targets)),
    ]
    if "fading" in courses:
        points.append(
            _(
                "The fading tally never starts anew and estimates from all it has released. That pays over a long run; "
                "it is no faster to the first audit after a sudden jump of reports."
            )
        )
    return points


def leaks(parameters: Parameters) -> dict[str, str]:
    """What one report can change, by each mechanism's own guarantee."""
    found = {}
    for name in (*MECHANISMS, "fading"):
        promise = make_mechanism(name, parameters).guarantee()
        if not promise.holds:
            found[name] = _("at least {delta}").format(delta=number(promise.delta))
        elif promise.delta == 0:
            found[name] = _("nothing")
        else:
            found[name] = _("at most {delta}").format(delta=number(promise.delta))
    return found


def method_long_run(parameters: Parameters, tally: Course, fading: Course | None = None) -> str:
    """Formula and live values of the mean."""
    p = parameters
    formula = r"$d_t = \max_c n_{t,c} - n_{t,a_t}$ $\quad$ $\bar d = \frac{1}{S\,T}\sum_{s,t} d_{s,t}$"
    text = _(
        "{formula}\n\n"
        "n are the open reports at the moment of the decision, a the organisation audited; an audit sets its open "
        "reports to zero. For the noisy tally {runs} runs of {audits} audits give {mean} with a standard error of "
        "{se}, taken over the runs. Everyone sees the same reports in run number s, so differences between auditors "
        "are known better than the means themselves. The noise is drawn afresh at each step with a standard deviation "
        "of {sigma} (Proposition 3 and section 6 of the paper; setting of its Appendix G.2). The rota is ours."
    ).format(
        formula=formula,
        runs=number(p.runs),
        audits=number(p.horizon),
        mean=number(tally.mean_deficit, 4),
        se=number(tally.mean_deficit_se, 2),
        sigma=number(get_noise_scale(p.delta, p.horizon), 4),
    )
    if fading:
        mechanism = Fading(p.targets, p.delta)
        text += "\n\n" + _(
            "The fading tally (ours) keeps one sum for each organisation, {sum}, never set to zero; it releases the "
            "sum with fresh noise of {noise} and estimates from all releases. {runs} runs give {mean} with a standard "
            "error of {se}. It bends one rule of the paper: audited reports no longer count for whom to audit, but "
            "what is known of how often an organisation is reported remembers them."
        ).format(
            sum=rf"$s \leftarrow {mechanism.damping:.4g}\,s + \text{{new}}$",
            noise=number(mechanism.noise_scale, 4),
            runs=number(fading.runs),
            mean=number(fading.mean_deficit, 4),
            se=number(fading.mean_deficit_se, 2),
        )
    return text


def command_run(name: str, parameters: Parameters) -> str:
    """The same numbers from a terminal."""
    p = parameters
    stream = "" if p.stream == "poisson" else f" --stream {p.stream}"
    return (
        f"python -m core run --mechanism {name} --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} "
        f"--lead-rate {p.lead_rate:g} --other-rate {p.other_rate:g}{stream} --runs {p.runs} --seed {p.seed}"
    )


def scenario_lead(parameters: Parameters) -> str:
    """What the picture was computed for."""
    return _("{targets} organisations; count {age} steps old, built for {audits} audits; seed {seed}.").format(
        targets=number(parameters.targets),
        age=number(parameters.run_length),
        audits=number(parameters.horizon),
        seed=parameters.seed,
    )


def agreement(exact: float, bound: float, drawn: Share, seed: int) -> str:
    """Whether the simulation and the exact value agree, and how sure the simulation is."""
    text = _("Simulated: 95% interval {low} to {high} from {runs} draws, seed {seed}.").format(
        low=percent(drawn.low), high=percent(drawn.high), runs=number(drawn.runs), seed=seed
    )
    if drawn.low <= exact <= drawn.high:
        text += " " + _("It agrees: the interval holds the exact value.")
    else:
        text += " " + _("Here the interval leaves out the exact value, as one in twenty does: try another seed.")
    if bound >= 1.0:
        text += " " + _("At this lead the upper bound says nothing yet.")
    return text


def notice_lead(parameters: Parameters, count_sd: float, floor: float) -> list[str]:
    """Three points."""
    p = parameters
    return [
        _(
            "The coin flip lies flat near drawing lots. It tosses the same coin whether the lead is 1 or 500, and to "
            "hide one report that coin must say \"draw lots\" nearly always: at best it is wrong {floor} of the time "
            "(Theorem 2)."
        ).format(floor=percent(floor)),
        _(
            "The noisy tally blurs each count by about {noise} reports (standard deviation), however long the lead. A "
            "lead well above that wins."
        ).format(noise=number(count_sd)),
        _(
            "Without a lead nobody beats drawing lots, not even whoever follows the reports. More organisations need a "
            "little more lead, for there are more counts that the noise may lift; here there are {targets}."
        ).format(targets=number(p.targets)),
    ]  # fmt: skip


def method_lead(parameters: Parameters, exact: float, bound: float, count_sd: float) -> str:
    """Formulas with the live values put in."""
    p = parameters
    formula = r"$P = 1 - \int \varphi(x)\,\Phi(x + \Delta / s)^{C-1}\,dx$ $\quad$ $s = \sigma M_L$"
    union = r"$(C-1)\,\Phi\left(-\Delta / (\sqrt{2}\,s)\right)$"
    return _(
        "{formula}\n\n"
        "Here sigma = {sigma}, M_L = {growth} at L = {age}, so s = {noise}; with a lead of {gap} and C = {targets} the "
        "chance is {exact}. No simulation is needed for it (paper, Appendix G.1); the dots are drawn to check it. The "
        "upper bound {union} = {bound} adds up the chances of all rivals, at most 1; it is ours, and at L = 1 it is "
        "Theorem 6. The coin flip errs with p (C-1)/C (Proposition 15), p = {coin}; no coin flip can go below "
        "(C-1)/C - delta (Theorem 2). Following the reports never errs once there is a lead."
    ).format(
        formula=formula,
        union=union,
        sigma=number(get_noise_scale(p.delta, p.horizon), 4),
        growth=number(get_sensitivity(p.run_length), 4),
        age=number(p.run_length),
        noise=number(count_sd, 4),
        gap=number(p.gap),
        targets=number(p.targets),
        exact=percent(exact, 5),
        bound=percent(bound, 4),
        coin=number(get_p_rand(p.rr_calibration, p.delta, p.targets, p.horizon), 6),
    )


def command_gap(parameters: Parameters) -> str:
    """The same numbers from a terminal."""
    p = parameters
    horizon = "" if p.horizon == p.run_length else f" --horizon {p.horizon}"
    gaps = ",".join(str(gap) for gap in sorted({0, 1, 2, p.gap}))
    return (
        f"python -m core gap --targets {p.targets} --run-length {p.run_length}{horizon} --delta {p.delta:g} "
        f"--gaps {gaps}"
    )
