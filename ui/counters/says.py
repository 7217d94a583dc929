"""Sentences of the page, with the numbers of the moment."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.calibration import get_mu
from core.counters import Array
from core.parameters import TABLE, Parameters
from core.simulation import standard_error
from ui.counters.names import LOOKS, NAIVE, OWN, get_full, get_plain
from ui.counters.work import HORIZONS, MAP_STEPS, Row, Size
from ui.frames import Z95
from ui.words import N_, _, number, percent

Rows = Mapping[str, Row]

SEED_NOTE = N_("Whoever knows the seed can draw the noise again: a seed is for demonstrations only.")


def headline(rows: Rows, p: Parameters) -> str:
    """Noise at age T: the paper's counter against the plainest one."""
    paper, plain = rows["toeplitz"].sd[-1], rows["independent"].sd[-1]
    if p.horizon == 1:
        return _(
            "With a single audit every counter is the same: one draw of noise with a standard deviation of **{noise}** "
            "reports."
        ).format(noise=number(paper))
    return _(
        "{age} steps after its last audit, an organisation's count is off by **{paper}** reports (standard deviation) "
        "with the paper's counter. With noise on each step it would be **{plain}**, {factor} times as much, for the "
        "same promise (delta {delta})."
    ).format(
        age=number(p.horizon), paper=number(paper), plain=number(plain), factor=number(plain / paper),
        delta=number(p.delta),
    )  # fmt: skip


def missed(rows: Rows) -> str:
    """The same noise at age T, other audits: what the correlation of the noise does; once simulated."""
    each, count, paper = rows["independent"], rows["output"], rows["toeplitz"]
    assert each.by_run is not None and count.by_run is not None
    gaps = each.by_run - count.by_run
    clear = abs(gaps.mean()) > Z95 * (standard_error(gaps) or np.inf)
    text = _(
        "Audits by the paper's counter miss **{paper}** open reports a step. Noise on each step misses **{each}**, "
        "fresh noise on each count **{count}**, although both have the same noise at age T."
    ).format(paper=number(paper.missed), each=number(each.missed), count=number(count.missed))
    if not clear:
        return text + " " + _("With these few runs the difference between the two is within chance.")
    if gaps.mean() < 0:
        return text + " " + _("Here it helps that the noise on a young count is small, when each step has its own.")
    return (
        text + " " + _("What differs is how long the noise stays: with fresh noise, bad luck is over at the next step.")
    )


def simulated(p: Parameters, size: Size, own: bool) -> str:
    """What was simulated, and what the columns mean."""
    text = _(
        "Noise: standard deviation, in reports. Wrong audits: exact, all counts at age T, one organisation ahead of "
        "all others by your lead. ± is half a 95% interval from {runs} runs of {audits} audits, the same reports for "
        "every counter; seed {seed}."
    ).format(runs=number(size.runs), audits=number(size.horizon), seed=p.seed)
    if size.horizon < p.horizon:
        text += " " + _("All {audits} audits would take too long here: these are the first of them.").format(
            audits=number(p.horizon)
        )
    elif size.runs < p.runs:
        text += " " + _("All {runs} runs would take too long here.").format(runs=number(p.runs))
    if own:
        text += " " + _("Memory and cost of your counter are those of its matrices; your class may do with far less.")
    return text + " " + _(SEED_NOTE)


def kinds() -> str:
    """What each counter does, in one line."""
    return "\n".join(f"- {get_full(kind)}: {_(look.does)}." for kind, look in LOOKS.items() if kind != OWN)


_GROWS = {
    "toeplitz": (r"$\sqrt{\log T}$", r"$\log T$"),
    "buffered-5": (r"$\approx\sqrt{\log T}$", r"$\approx\log T$"),
    "buffered-4": (r"$\approx\sqrt{\log T}$", r"$\approx\log T$"),
    "buffered-3": (r"$\approx\sqrt{\log T}$", r"$\approx\log T$"),
    "tree": (r"$\sqrt{\log T}$", r"$\log T$"),
    "independent": ("1", r"$\sqrt T$"),
    "output": (r"$\sqrt T$", r"$\sqrt T$"),
    NAIVE: ("–", "$T$"),
}
FROM, TO = HORIZONS.index(1000), HORIZONS.index(10_000)


def markdown_of_growth(found: Mapping[str, Array]) -> str:
    """What grows like what, and by how much from 1,000 to 10,000 audits."""
    head = [
        _("Counter"), _("Sensitivity grows like"), _("Noise grows like"),
        _("From {few} to {many} audits").format(few=number(HORIZONS[FROM]), many=number(HORIZONS[TO])),
    ]  # fmt: skip
    lines = [head, [":--", "--:", "--:", "--:"]]
    for kind, values in found.items():
        lines.append(
            [get_plain(kind), *_GROWS[kind], _("{factor} times").format(factor=number(values[TO] / values[FROM]))]
        )
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def growth(delta: float, found: Mapping[str, Array]) -> str:
    """What ten times as many audits cost."""
    naive = found[NAIVE][TO]
    return _(
        "Splitting the budget means to promise delta / T for each count and to add up. That is sound, and wasteful: at "
        "{many} audits and delta {delta} the noise is **{naive}** reports. The same fresh noise on every count, judged "
        "as one Gaussian release, needs {root}: it grows like the square root of T. Counters that share their noise "
        "among steps grow like the logarithm."
    ).format(
        many=number(HORIZONS[TO]), delta=number(delta), naive=number(naive),
        root=number(HORIZONS[TO] ** 0.5 / get_mu(delta)),
    )  # fmt: skip


def correlation(maps: Mapping[str, Array]) -> str:
    """How much of the noise is still there, in words."""
    last, before = MAP_STEPS - 1, MAP_STEPS - 9
    lines = [
        "- "
        + _("{counter}: from age {before} to age {last} the correlation is {value}.").format(
            counter=get_plain(kind), before=before + 1, last=last + 1, value=number(float(values[before, last]), 2)
        )
        for kind, values in maps.items()
    ]
    return (
        _(
            "An audit goes to the largest noisy count. Where noise stays, an organisation that drew a low number "
            "remains out of sight for many steps, while its reports pile up. Fresh noise gives it a new chance at the "
            "next step. The standard deviation does not show this; the squares do."
        )
        + "\n\n"
        + "\n".join(lines)
    )


def notice(rows: Rows) -> list[str]:
    """What a reader should take away."""
    paper, three, tree, count = rows["toeplitz"], rows["buffered-3"], rows["tree"], rows["output"]
    return [
        _(
            "All counters keep the same promise. They differ in where the noise goes in, and so in how much of it "
            "arrives at a count. Any private counter makes a private auditor (Proposition 3)."
        ),
        _(
            "Simple can be nearly as good: three running sums keep {kept} numbers for each organisation and need "
            "{more} more noise than the paper's counter at age T."
        ).format(kept=number(three.profile.memory), more=percent(max(0.0, three.sd[-1] / paper.sd[-1] - 1), 2)),
        _(
            "The tree of blocks is the classic: cheap, and its noise jumps with the age. At its worst it has {tree} "
            "reports of noise, the paper's counter {paper}."
        ).format(tree=number(tree.sd.max()), paper=number(paper.sd.max())),
        _(
            "A wrong audit at one moment says little about the long run: noise of {count} reports on every count can "
            "be better than the same noise that stays."
        ).format(count=number(count.sd[-1])),
    ]


def method(rows: Rows, p: Parameters) -> str:
    """Formulas with the values of the page."""
    paper = rows["toeplitz"]
    formulas = _(
        "A counter is two linear maps, $B E = A$ with $A$ the prefix sums; showing $B(E x + \\sigma z)$ (section 6.1). "
        "One report moves $E x$ by at most the largest column norm of $E$, its sensitivity. With $\\mu = "
        "2\\,\\Phi^{{-1}}((1+\\delta)/2) = {mu}$ the noise scale is $\\sigma$ = sensitivity / $\\mu$; for the paper's "
        "counter {sensitivity} / {mu} = {scale}. The noise on a count of age $L$ has the standard deviation $\\sigma$ "
        "times the norm of row $L$ of $B$: {first} at age 1, {last} at age {age}."
    ).format(
        mu=number(get_mu(p.delta)), sensitivity=number(paper.profile.sensitivity), scale=number(paper.noise_scale),
        first=number(paper.sd[0]), last=number(paper.sd[-1]), age=number(p.horizon),
    )  # fmt: skip
    audits = _(
        "The audit is Algorithm 1 with that counter: one counter for each organisation, the largest noisy count is "
        "audited, its counter starts anew. The running sums are those of Dvijotham and others (2024), fitted here by "
        "least squares (ours) and calibrated on their own sensitivity, so that the promise is exact."
    )
    return formulas + "\n\n" + audits


def command(p: Parameters, size: Size) -> str:
    """The same numbers from a terminal."""
    return (
        f"python -m core counters --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} --gap {p.gap} "
        f"--runs {size.runs} --seed {p.seed}"
    )


def other_stream(p: Parameters) -> str:
    """Where the terminal's reports are not the reader's."""
    same = all(getattr(p, name) == TABLE[name].default for name in ("lead_rate", "other_rate", "stream"))
    return "" if same else "\n\n" + _("The terminal measures missed reports with the reports of the default scenario.")
