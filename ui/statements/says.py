"""Words of the page Statements, with live numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.certificates import get_needed_reports
from core.parameters import Parameters
from ui.frames import Z95
from ui.statements.work import LEVELS, Curse, Measured, Rates, get_costs, get_level, get_sds
from ui.words import _, ngettext, number, percent


def _share(rate: tuple[float, float]) -> str:
    share, se = rate
    if se == 0.0:
        return percent(share)
    return _("{value} ± {margin}").format(value=percent(share), margin=percent(Z95 * se, 2))


def headline(p: Parameters, rates: Mapping[str, Rates], level: str, beta: float, tau: int) -> str:
    """What comes out, how much of it is false, and what an even chance takes."""
    shown = rates[level]
    told = ngettext(
        "“At least {tau} open report about the audited organisation” comes out at **{emitted}** of the audits, and at "
        "**{false}** of the audits it is false.",
        "“At least {tau} open reports about the audited organisation” comes out at **{emitted}** of the audits, and at "
        "**{false}** of the audits it is false.",
        tau,
    ).format(tau=number(tau), emitted=_share(shown.emitted), false=_share(shown.false))
    if shown.of_emitted is not None:
        told += " " + _("Of what is stated, {share} is false.").format(share=percent(shown.of_emitted))
    at = get_level(level, beta, p)
    sds = get_sds(p)
    lengths = list(sds)
    needed = [number(get_needed_reports(tau, at, sds[length])) for length in lengths]
    if len(lengths) == 1:
        text = _("An even chance takes **{first}** open reports.").format(first=needed[0])
    else:
        text = _(
            "An even chance takes **{first}** open reports just after an audit and **{last}** after {steps} steps."
        ).format(first=needed[0], last=needed[-1], steps=number(lengths[-1]))
    return told + " " + text + " " + _mood(shown, p)


def _mood(shown: Rates, p: Parameters) -> str:
    if shown.emitted[0] < 0.5:
        text = _("At a delta of {delta} the auditor mostly has to keep silent.")
    else:
        text = _("At a delta of {delta} the auditor can mostly say something.")
    return text.format(delta=number(p.delta))


def table_of_needed(p: Parameters, beta: float, tau: int) -> str:
    """Open reports for an even chance at each level and run length, as Markdown."""
    sds = get_sds(p)
    head = [_("Steps since its last audit"), *(_(name) for name in LEVELS.values())]
    rows = [
        [number(length), *(number(get_needed_reports(tau, get_level(level, beta, p), sd)) for level in LEVELS)]
        for length, sd in sds.items()
    ]
    return _markdown(head, rows)


def _records(rates: Rates, found: Measured) -> int:
    return round(rates.ever.share * found.size.runs)


def curse(found: Measured, rates: Mapping[str, Rates], beta: float) -> str:
    """How dishonest it is to certify the winner as if it had been chosen beforehand."""
    return _(
        "Certify whichever organisation was audited at beta = {beta}, and **{raw}** of the audits come with a false "
        "statement; beta / C makes that **{step}**, beta / (C · T) **{record}**. An organisation chosen beforehand "
        "errs at {beforehand}. Of {runs} whole records, {ever} hold some false statement with beta / C, {ever_record} "
        "with beta / (C · T)."
    ).format(
        beta=percent(beta),
        raw=_share(rates["raw"].any_false),
        step=_share(rates["step"].any_false),
        record=_share(rates["record"].any_false),
        beforehand=_share(rates["beforehand"].any_false),
        ever=number(_records(rates["step"], found)),
        ever_record=number(_records(rates["record"], found)),
        runs=number(found.size.runs),
    )


def closed_form(p: Parameters, exact: Curse) -> str:
    """Where the closed form holds, with a check."""
    return _(
        "The formula 1 − (1 − beta)^C gives {exact}. It is exact for a single audit (T = 1) of {targets} organisations "
        "that are equally reported: simulated without any report, {measured}. Later the counts differ in age and in "
        "reports, and the share is what the circles say."
    ).format(
        exact=percent(exact.exact), targets=number(p.targets), measured=_share((exact.measured, exact.measured_se))
    )


def fresh(p: Parameters, rates: Mapping[str, Rates]) -> str:
    """Noise of their own for the statements, and what it costs."""
    shared, basic, gaussian = get_costs(p)
    return _(
        "Draw fresh noise for the statements, and they know nothing of the choice: no repair is needed. At the same "
        "beta they come out at {emitted} of the audits and are false at {false}. The price: audits and statements "
        "together have a delta of **{basic}** by adding up, **{gaussian}** by the exact formula for Gaussian noise, "
        "2Φ(√2 κ) − 1, instead of {shared}."
    ).format(
        emitted=_share(rates["fresh"].emitted),
        false=_share(rates["fresh"].any_false),
        basic=number(basic),
        gaussian=number(gaussian),
        shared=number(shared),
    )


def proxy(rate: tuple[float, float]) -> str:
    """Being audited is no evidence of a report."""
    return _(
        "**{share}** of the audits hit an organisation without a single open report. So “it was audited” supports "
        "nothing: the choice is a noisy stand-in for the reports, and what holds for it need not hold for them."
    ).format(share=_share(rate))


def levels(p: Parameters, beta: float) -> dict[str, tuple[str, float]]:
    """Name and level of each repair."""
    return {level: (_(name), get_level(level, beta, p)) for level, name in LEVELS.items()}


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
