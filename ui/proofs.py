"""The argument of each theorem a page uses, in our own words, with the values of the scenario put in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from babel.numbers import get_decimal_symbol

from core import calibration, deniability, utility
from core.closed_forms import get_sensitivity_estimate
from core.counters import get_sensitivity
from core.parameters import Parameters
from ui.words import _, language, number, percent


@dataclass(frozen=True)
class Step:
    """One line of an argument: translated words, then perhaps a formula in LaTeX."""

    words: str
    formula: str = ""


@dataclass(frozen=True)
class Argument:
    """What is claimed, and why."""

    title: str
    steps: tuple[Step, ...]

    def markdown(self) -> str:
        """Numbered lines, formulas on lines of their own."""
        lines = []
        for place, step in enumerate(self.steps, start=1):
            lines.append(f"{place}. {step.words}")
            if step.formula:
                lines.append(rf"   $$\displaystyle {step.formula}$$")
        return "\n\n".join(lines)


def tex(value: float, digits: int = 4) -> str:
    """A number inside a formula, with the decimal sign of the language."""
    mantissa, _e, exponent = f"{value:.{digits}g}".partition("e")
    # Braces keep LaTeX from setting a space after a decimal comma.
    text = mantissa.replace(".", "{" + get_decimal_symbol(locale=language()) + "}")
    return rf"{text}\cdot 10^{{{int(exponent)}}}" if exponent else text


# --- Theorem 1 and the pairs of records ------------------------------------------------------------------------------
def theorem_1(p: Parameters) -> Argument:
    """Watching adds at most min(pi, 1 - pi) delta."""
    prior = 1.0 / p.people
    return Argument(
        _("Theorem 1: what watching adds to a guess"),
        (
            Step(
                _(
                    "Take any rule that reads the whole record and says \"reported\" or \"not\". Call detection the "
                    "chance that it says \"reported\" if you did, and false alarm the chance that it says so if you "
                    "did not. The promise covers every set of records, so also the set on which it says \"reported\":"
                ),
                rf"\mathrm{{TPR}} \le \mathrm{{FPR}} + \delta = \mathrm{{FPR}} + {tex(p.delta)}",
            ),
            Step(
                _("With a suspicion of $\\pi$ beforehand the rule is right with probability"),
                r"\pi\,\mathrm{TPR} + (1-\pi)\,(1-\mathrm{FPR})",
            ),
            Step(
                _(
                    "Without watching one names the likelier case. For $\\pi \\le 1/2$ that is \"not\", right with "
                    "probability $1-\\pi$. Watching adds the difference; the false alarms weigh at least as much as "
                    "the detections, so"
                ),
                r"\pi\,\mathrm{TPR} - (1-\pi)\,\mathrm{FPR} \le \pi\,(\mathrm{TPR}-\mathrm{FPR}) \le \pi\,\delta",
            ),
            Step(
                _("For $\\pi > 1/2$ exchange the two worlds: the same step gives $(1-\\pi)\\,\\delta$. Together, and "
                  "with {people} people who could have reported:").format(people=number(p.people)),
                rf"\mathrm{{adv}} \le \min(\pi, 1-\pi)\,\delta = \min({tex(prior)},\ {tex(1.0 - prior)})\cdot "
                rf"{tex(p.delta)} = {tex(float(deniability.get_advantage(p.delta, prior)))}",
            ),
            Step(
                _(
                    "A rule that tosses coins is a mixture of rules that do not, and no better than the best of them. "
                    "The worst case is an even suspicion:"
                ),
                rf"\tfrac12 + \tfrac12\,\delta = {tex(float(deniability.get_success(p.delta, 0.5)))}",
            ),
        ),
    )  # fmt: skip


def coupling(p: Parameters) -> Argument:
    """Why at most a share delta of the pairs of records differ."""
    return Argument(
        _("Why at most a share delta of the pairs of records differ"),
        (
            Step(
                _(
                    "Let $P$ and $Q$ be the distributions of the record with and without your report. Lay one over "
                    "the other: what they share is one minus their total variation."
                ),
                rf"\sum_a \min\{{P(a), Q(a)\}} = 1 - \mathrm{{TV}}(P,Q) \ge 1 - \delta = {tex(1.0 - p.delta)}",
            ),
            Step(
                _(
                    "Draw from the shared part as often as its size says and use that record in both worlds. "
                    "Otherwise draw each world's record from what sticks out on its own side. Each world alone still "
                    "follows its own distribution, and the two records differ with probability"
                ),
                r"\Pr[a \ne a'] = \mathrm{TV}(P,Q) \le \delta",
            ),
            Step(
                _("No way of pairing does better: a set $A$ can only tell the worlds apart where the pair differs."),
                r"P(A) - Q(A) \le \Pr[a \in A,\ a' \notin A] \le \Pr[a \ne a']",
            ),
            Step(
                _(
                    "For the noisy tally the pairing can be written down. Your report shifts the noise of one count by "
                    "at most $\\mu$ standard deviations. Where the densities overlap, take noise that hides the shift; "
                    "elsewhere mirror the noise along the shift. The two worlds then part at most this often:"
                ),
                rf"2\,\Phi(\mu/2) - 1 = 2\,\Phi({tex(calibration.get_kappa(p.delta))}) - 1 = {tex(p.delta)}",
            ),
        ),
    )


def proposition_3(p: Parameters) -> Argument:
    """Audits read off noisy counts tell no more than the counts."""
    sensitivity, sigma = get_sensitivity(p.horizon), calibration.get_noise_scale(p.delta, p.horizon)
    return Argument(
        _("Proposition 3: the record tells no more than the noisy counts"),
        (
            Step(
                _(
                    "Let the two worlds differ in one report. Up to its step all counts, audits and restarts are the "
                    "same. The report then enters one single count, and leaves it when that count restarts; all other "
                    "counts can use the same noise in both worlds."
                )
            ),
            Step(
                _(
                    "That one count is blurred. The report moves its encoded input by at most $M_T$, the normals have "
                    "a standard deviation of $\\sigma$, and so no set $S$ of noisy counts changes its chance by more "
                    "than delta:"
                ),
                rf"|\Pr[X \in S] - \Pr[X' \in S]| \le 2\,\Phi\!\left(\frac{{M_T}}{{2\sigma}}\right) - 1 = "
                rf"2\,\Phi\!\left(\frac{{{tex(sensitivity)}}}{{2 \cdot {tex(sigma)}}}\right) - 1 = {tex(p.delta)}",
            ),
            Step(
                _("Who is audited is read off the noisy counts, by a rule $g$ that never looks at the reports again:"),
                r"a_t = \arg\max_c \tilde n_{t,c}, \qquad a = g(X)",
            ),
            Step(
                _("A set $A$ of records stands for all noisy counts that lead into it. The same bound holds:"),
                r"\Pr[a \in A] = \Pr[X \in g^{-1}(A)] \le \Pr[X' \in g^{-1}(A)] + \delta = \Pr[a' \in A] + \delta",
            ),
            Step(
                _(
                    "Nothing was asked of $g$. Auditing the two largest, or everybody at the latest after a year, is "
                    "just as private, as long as only the noisy counts decide."
                )
            ),
        ),
    )  # fmt: skip


# --- Lead ------------------------------------------------------------------------------------------------------------
def theorem_2(p: Parameters) -> Argument:
    """No coin flip errs less than (C-1)/C - delta."""
    least = calibration.get_p_rand("theorem-2-floor", p.delta, p.targets, p.horizon)
    floor = utility.get_theorem_2_floor(p.targets, p.delta)
    return Argument(
        _("Theorem 2: what no coin flip can do"),
        (
            Step(
                _(
                    "The coin says \"draw lots\" with probability $p$ and \"follow the reports\" otherwise. Compare "
                    "two worlds at the first audit: nobody reported, or one report about one organisation $c$."
                )
            ),
            Step(
                _("Without any report all are tied. With the report $c$ leads alone, and is audited whenever the coin "
                  "follows the reports:"),
                r"Q(c) = \frac1C, \qquad P(c) = (1-p) + \frac pC",
            ),
            Step(
                _("These two chances may differ by at most delta. Solved for $p$:"),
                rf"P(c) - Q(c) = (1-p)\left(1-\tfrac1C\right) \le \delta \quad\Longrightarrow\quad p \ge "
                rf"\max\left(0,\ 1 - \frac{{\delta\,C}}{{C-1}}\right) = {tex(least)}",
            ),
            Step(
                _("With a lead of any size the coin errs when it draws lots and the lot falls on another one:"),
                rf"p\,\frac{{C-1}}{{C}} \ge \max\left(0,\ \frac{{C-1}}{{C}} - \delta\right) = {tex(floor)}",
            ),
            Step(
                _("The lead stands nowhere in this. To the coin a lead of 1 and a lead of {gap} are the same.").format(
                    gap=number(max(p.gap, 2))
                )
            ),
        ),
    )  # fmt: skip


def exact_error(p: Parameters) -> Argument:
    """The integral behind the curve of the noisy tally."""
    sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    wrong = float(utility.get_misselection(p.gap, p.targets, sd))
    return Argument(
        _("The curve of the noisy tally, exactly"),
        (
            Step(
                _("The noise on a count that is $L$ steps old is normal with standard deviation"),
                rf"s = \sigma\,M_L = {tex(calibration.get_noise_scale(p.delta, p.horizon))}\cdot "
                rf"{tex(get_sensitivity(p.run_length))} = {tex(sd)}",
            ),
            Step(
                _(
                    "Suppose the noise on the leader's count is $x$ standard deviations. A rival who is $\\Delta$ "
                    "reports behind stays below the leader with probability"
                ),
                r"\Phi\left(x + \Delta / s\right)",
            ),
            Step(
                _("The {rivals} rivals have independent noise, so all of them stay below with probability").format(
                    rivals=number(p.targets - 1)
                ),
                r"\Phi\left(x + \Delta / s\right)^{C-1}",
            ),
            Step(
                _("Average over the leader's noise. What is left of one is the chance to audit the wrong one:"),
                rf"1 - \int \varphi(x)\,\Phi\left(x + \tfrac{{{p.gap}}}{{{tex(sd)}}}\right)^{{{p.targets - 1}}} dx = "
                rf"{tex(wrong)}",
            ),
            Step(
                _("Check: without a lead, put $u = \\Phi(x)$. The noisy tally then draws lots:"),
                rf"1 - \int_0^1 u^{{C-1}}\,du = 1 - \tfrac1C = {tex(utility.get_uniform_misselection(p.targets))}",
            ),
        ),
    )


def union_bound(p: Parameters) -> Argument:
    """Theorem 6 and its form without a history."""
    sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    bound = float(utility.get_union_bound(p.gap, p.targets, sd))
    return Argument(
        _("Theorem 6 and the upper bound: why the error vanishes with the lead"),
        (
            Step(
                _(
                    "The wrong one is audited only if at least one rival's noisy count reaches the leader's. The "
                    "chance that any of several things happens is at most the sum of their chances."
                )
            ),
            Step(
                _(
                    "One rival: the difference of two independent noises is normal with standard deviation "
                    "$\\sqrt 2\\,s$, and has to make up for the whole lead. Summed over the rivals:"
                ),
                rf"(C-1)\,\Phi\left(-\frac{{\Delta}}{{\sqrt2\,s}}\right) = {p.targets - 1}\cdot\Phi\left("
                rf"-\frac{{{p.gap}}}{{\sqrt2\cdot {tex(sd)}}}\right), \qquad \min(1, \cdot) = {tex(bound)}",
            ),
            Step(
                _(
                    "Theorem 6 says this step by step, for somebody who knows all noisy counts so far. Only the newest "
                    "normal of each count is then unknown; older noise $G$ belongs to the lead:"
                ),
                r"\Pr[a_t \ne c^* \mid h] \le \sum_{c} \Phi\left(-\frac{\sqrt2\,\kappa\,\tilde\Delta_c}{M_T}\right), "
                r"\qquad \tilde\Delta_c = \Delta_c + G_{c^*} - G_c",
            ),
            Step(
                _("It is the same fraction, since the noise was set by delta:"),
                rf"\frac{{\tilde\Delta}}{{\sqrt2\,\sigma}} = \frac{{\sqrt2\,\kappa\,\tilde\Delta}}{{M_T}}, \qquad "
                rf"\kappa = {tex(calibration.get_kappa(p.delta))}, \quad M_T = {tex(get_sensitivity(p.horizon))}",
            ),
            Step(
                _(
                    "The tail of a normal falls faster than any power, and $M_T$ grows only with $\\sqrt{{\\log T}}$: "
                    "a lead well above $2 s \\sqrt{{\\ln C}}$ wins nearly always."
                ).format()
            ),
        ),
    )


# --- Long run --------------------------------------------------------------------------------------------------------
def reset(p: Parameters) -> Argument:
    """Why a leak does not add up over the audits."""
    return Argument(
        _("Why an audit ends the leak"),
        (
            Step(
                _(
                    "Let two worlds differ in one report about $c$, and let them toss the same coins and draw the same "
                    "lots. As long as their records agree, so do all restarts."
                )
            ),
            Step(
                _("The open reports then are the same everywhere, but for $c$, which has one more in one world:"),
                r"n_{t,c} = n'_{t,c} + 1, \qquad n_{t,b} = n'_{t,b} \quad (b \ne c)",
            ),
            Step(
                _("The next audit of $c$ settles its open reports in both worlds. From then on nothing differs:"),
                r"n_{t,c} = n'_{t,c} = 0",
            ),
            Step(
                _(
                    "So the worlds can part only between the report and the next audit of $c$, not at each of the "
                    "{audits} audits. If counts were never reset, the difference would stay for good."
                ).format(audits=number(p.horizon))
            ),
        ),
    )


def proposition_14(p: Parameters) -> Argument:
    """The paper's setting of the coin."""
    coin = calibration.get_p_rand("paper-experiments", p.delta, p.targets, p.horizon)
    return Argument(
        _("Proposition 14: the coin as in the paper's experiments"),
        (
            Step(
                _("If the coin says \"draw lots\" at every audit, no report was ever used and both worlds agree. "
                  "This happens with probability $p^T$."),
                r"P(A) = p^T\,U(A) + (1-p^T)\,P_1(A), \qquad Q(A) = p^T\,U(A) + (1-p^T)\,Q_1(A)",
            ),
            Step(
                _("The first parts cancel, and two chances never differ by more than one:"),
                r"P(A) - Q(A) \le 1 - p^T",
            ),
            Step(
                _("Set this to delta:"),
                rf"p = (1-\delta)^{{1/T}} = {tex(1.0 - p.delta)}^{{1/{p.horizon}}} = {tex(coin, 6)}",
            ),
            Step(
                _("The price: it follows the reports in only {share} of the audits, fewer the longer it runs.").format(
                    share=percent(1.0 - coin)
                )
            ),
        ),
    )  # fmt: skip


def race(p: Parameters) -> Argument:
    """Proposition 16, and the closer count of the same events."""
    free, ours = (calibration.get_p_rand(rule, p.delta, p.targets, p.horizon) for rule in ("horizon-free", "race"))
    chosen = calibration.get_p_rand(p.rr_calibration, p.delta, p.targets, p.horizon)
    found = calibration.get_rr_delta(chosen, p.targets, p.horizon)
    return Argument(
        _("Proposition 16 and the race: a coin for any number of audits"),
        (
            Step(
                _(
                    "Same coins, same lots. From the report on, each audit does one of three things: it follows the "
                    "reports, and at worst the worlds part; its lot falls on $c$, and they are equal for good; its lot "
                    "falls on another one, and nothing is decided."
                ),
                r"(1-p) \;+\; \frac pC \;+\; r = 1, \qquad r = p\left(1-\frac1C\right)",
            ),
            Step(
                _("Proposition 16 adds up the chance that they part for the first time at each step:"),
                r"\sum_{k\ge0} (1-p)\left(1-\frac pC\right)^k = \frac{C\,(1-p)}{p}",
            ),
            Step(
                _("Set to delta, for any number of audits:"),
                rf"p = \frac{{C}}{{C+\delta}} = {tex(free, 6)}",
            ),
            Step(
                _("The race (ours) notices that a matter still undecided has seen only lots on others:"),
                r"\sum_{k<T} (1-p)\,r^k = (1-p)\,\frac{1-r^T}{1-r} \;\le\; \frac{1-p}{1-p+p/C}",
            ),
            Step(
                _("Set to delta:"),
                rf"p = \frac{{C}}{{C+\delta/(1-\delta)}} = {tex(ours, 6)}",
            ),
            Step(
                _(
                    "The coin of this page draws lots with p = {coin}. These arguments show for it delta = "
                    "{fourteen} (Proposition 14), {sixteen} (Proposition 16) and {race} (race); none can show less "
                    "than {floor} (Theorem 2)."
                ).format(
                    coin=number(chosen, 6),
                    fourteen=number(found["proposition-14"]),
                    sixteen=number(found["proposition-16"]),
                    race=number(found["race"]),
                    floor=number(found["floor"]),
                )
            ),
        ),
    )


# --- Adversary -------------------------------------------------------------------------------------------------------
def gaussian(p: Parameters) -> Argument:
    """The curve of the noisy tally in the square."""
    mu, q = calibration.get_mu(p.delta), p.false_alarm
    tpr = float(deniability.get_tpr_gaussian(q, mu))
    touching = deniability.get_touching_fpr(mu)
    return Argument(
        _("The curve of the noisy tally"),
        (
            Step(
                _(
                    "Let the organisation see more than it does: the noisy counts themselves. With and without the "
                    "report they are the same normals, shifted by a vector $v$ no longer than $M_T$. In units of the "
                    "noise the shift is at most"
                ),
                rf"\mu = \frac{{M_T}}{{\sigma}} = 2\,\Phi^{{-1}}\left(\frac{{1+\delta}}{{2}}\right) = {tex(mu)}",
            ),
            Step(
                _(
                    "Among all tests with the same false alarms none detects more than the one that compares the two "
                    "likelihoods (Neyman and Pearson). For two shifted normals it looks at one number only, the "
                    "coordinate along $v$, and suspects above a threshold $b$:"
                ),
                r"\mathrm{FPR} = \Phi(-b), \qquad \mathrm{TPR} = \Phi(\mu - b)",
            ),
            Step(
                _("Take $b$ out, and put in the false alarms of this page:"),
                rf"\mathrm{{TPR}} \le \Phi\left(\Phi^{{-1}}(\mathrm{{FPR}}) + \mu\right) = "
                rf"\Phi\left(\Phi^{{-1}}({tex(q)}) + {tex(mu)}\right) = {tex(tpr)}",
            ),
            Step(
                _("Detections exceed false alarms most where the two densities cross, at $b = \\mu/2$. There the curve "
                  "touches the delta line:"),
                rf"\mathrm{{FPR}} = \Phi(-\mu/2) = {tex(touching)}, \qquad \mathrm{{TPR}} - \mathrm{{FPR}} = "
                rf"2\,\Phi(\mu/2) - 1 = {tex(p.delta)}",
            ),
            Step(_("The record is computed from the noisy counts, so a test on the record does no better.")),
        ),
    )  # fmt: skip


MANY = 3


def several(p: Parameters) -> Argument:
    """Several reports by one person."""
    same, other = (deniability.get_k_reports_delta(p.delta, MANY, kind) for kind in (True, False))
    mu_same, mu_other = (deniability.get_k_reports_mu(p.delta, MANY, kind) for kind in (True, False))
    return Argument(
        _("Several reports by one person"),
        (
            Step(
                _("For any auditor: take the reports back one at a time. Each time no chance changes by more than "
                  "delta, so {count} reports change it by at most").format(count=number(MANY)),
                rf"\min(1, k\,\delta) = {tex(deniability.get_composed_delta(p.delta, MANY))}",
            ),
            Step(
                _(
                    "The noisy tally does better. Reports about one organisation shift one count: the length of a sum "
                    "of vectors is at most the sum of the lengths."
                ),
                rf"\mu_k \le k\,\mu = {tex(mu_same)}, \qquad 2\,\Phi(k\,\mu/2) - 1 = {tex(same)}",
            ),
            Step(
                _(
                    "Reports about different organisations shift different counts with independent noise: the shifts "
                    "stand at right angles, and Pythagoras adds their squares."
                ),
                rf"\mu_k \le \sqrt k\,\mu = {tex(mu_other)}, \qquad 2\,\Phi(\sqrt k\,\mu/2) - 1 = {tex(other)}",
            ),
        ),
    )  # fmt: skip


def restarts(p: Parameters) -> Argument:
    """Why restarts, which depend on the noise, do not hurt."""
    sensitivity = get_sensitivity(p.horizon)
    return Argument(
        _("Why restarts do not hurt"),
        (
            Step(
                _(
                    "A report at step $t^*$ shifts the encoded input of its count by $f_0, f_1, f_2, \\dots$ until the "
                    "count restarts, and not at all afterwards. All these numbers are positive."
                ),
                r"v_t = f_{t-t^*}\ \ (t^* \le t \le \tau), \qquad v_t = 0 \ \ (t > \tau)",
            ),
            Step(
                _(
                    "The restart $\\tau$ depends on earlier noise, so the shift is chosen on the way. But at each step "
                    "it is fixed before the next normal is drawn, and whenever the restart comes,"
                ),
                rf"\sum_t v_t^2 \le \sum_{{k<T}} f_k^2 = M_T^2 = {tex(sensitivity)}^2",
            ),
            Step(
                _(
                    "Help the organisation: after the restart show it additional normals, shifted by just as much as "
                    "is missing. Now the squares add up to $M_T^2$ in every case."
                )
            ),
            Step(
                _(
                    "The logarithm of the likelihood ratio is built from the sum of $v_t z_t$. With a total of squares "
                    "that is the same in every case this sum is exactly normal, however the steps were chosen:"
                ),
                r"\mathbb E\, \exp\left(i\theta \sum_t v_t z_t\right) = \exp\left(-\tfrac12\theta^2\sigma^2 "
                r"M_T^2\right)",
            ),
            Step(
                _(
                    "So the best test has exactly the curve above, with the same $\\mu$. Without the help it can only "
                    "do worse."
                )
            ),
        ),
    )


# --- About -----------------------------------------------------------------------------------------------------------
def sensitivity(p: Parameters) -> Argument:
    """From one report to the noise."""
    longest, kappa = get_sensitivity(p.horizon), calibration.get_kappa(p.delta)
    return Argument(
        _("From one report to the noise"),
        (
            Step(
                _("A running sum is the same filter applied twice. Its weights are the series of"),
                r"\frac{1}{\sqrt{1-x}} = \sum_k f_k x^k, \qquad \left(\sum_k f_k x^k\right)^2 = \frac{1}{1-x} = "
                r"1 + x + x^2 + \dots",
            ),
            Step(
                _(
                    "The first filter encodes the reports, then noise is added, the second filter sums up. One report "
                    "moves the encoded input by a shifted copy of the weights; the longest copy is that of the first "
                    "step:"
                ),
                rf"M_T^2 = \sum_{{k=0}}^{{T-1}} f_k^2, \qquad M_{{{p.horizon}}} = {tex(longest)}",
            ),
            Step(
                _("Two normals at a distance of $\\mu$ standard deviations overlap in all but"),
                r"\mathrm{TV} = \Phi(\mu/2) - \Phi(-\mu/2) = 2\,\Phi(\mu/2) - 1",
            ),
            Step(
                _("Set this to delta with $\\mu = M_T/\\sigma$, and solve for the noise:"),
                rf"\sigma = \frac{{M_T}}{{2\,\Phi^{{-1}}\left(\frac{{1+\delta}}{{2}}\right)}} = "
                rf"\frac{{{tex(longest)}}}{{2\cdot {tex(kappa)}}} = "
                rf"{tex(calibration.get_noise_scale(p.delta, p.horizon))}",
            ),
        ),
    )


def square_root_of_log(p: Parameters) -> Argument:
    """Why the noise hardly grows with the number of audits."""
    longer = 10 * p.horizon
    return Argument(
        _("Why the noise grows only with the square root of a logarithm"),
        (
            Step(
                _("The weights are shares of a coin game: heads as often as tails in $2k$ tosses. By Stirling,"),
                r"f_k = \binom{2k}{k} 4^{-k}, \qquad \frac{1}{\pi\,(k+\frac12)} \le f_k^2 \le \frac{1}{\pi k}",
            ),
            Step(
                _("So the squares add up like one, a half, a third, and so on, divided by $\\pi$. With the constant:"),
                r"M_T^2 = \frac{\ln T + \gamma + 4\ln 2}{\pi} - \frac{1}{4\pi T} + \dots",
            ),
            Step(
                _("For {audits} audits the closed form and the exact sum are").format(audits=number(p.horizon)),
                rf"M_T \approx {tex(get_sensitivity_estimate(p.horizon), 6)}, \qquad M_T = "
                rf"{tex(get_sensitivity(p.horizon), 6)}",
            ),
            Step(
                _("Ten times as many audits raise it only to"),
                rf"M_{{{longer}}} = {tex(get_sensitivity(longer))}",
            ),
            Step(
                _(
                    "Fresh noise on each running sum would be far worse: one report then moves all later sums by one, "
                    "a shift of length $\\sqrt T$."
                )
            ),
        ),
    )


ARGUMENTS: dict[str, Callable[[Parameters], list[Argument]]] = {
    "start": lambda p: [theorem_1(p), coupling(p)],
    "records": lambda p: [proposition_3(p)],
    "lead": lambda p: [theorem_2(p), exact_error(p), union_bound(p)],
    "long-run": lambda p: [reset(p), proposition_14(p), race(p)],
    "adversary": lambda p: [theorem_1(p), gaussian(p), several(p), restarts(p)],
    "about": lambda p: [sensitivity(p), square_root_of_log(p)],
}
