"""One judged confusion table in words, numbers and a picture: the same for our mechanisms and for a reader's attack."""

from __future__ import annotations

import math

from core.audit import VERDICTS, Audit
from core.gdp import get_mu_se
from ui.charts import audit as charts
from ui.charts.audit import Drawn
from ui.frame import chart
from ui.words import _, number, percent


def is_violation(audit: Audit) -> bool:
    """Whether a claim is refuted."""
    return audit.verdict == VERDICTS[0]


def get_verdict(audit: Audit) -> str:
    """The verdict, never more than "no violation found"."""
    if audit.claim.mu is None and audit.claim.delta is None:
        return _("Nothing claimed")
    return _("Violation") if is_violation(audit) else _("No violation found")


def _by_mu(audit: Audit) -> bool:
    """Whether mu, rather than detections minus false alarms, tells the verdict."""
    if audit.claim.mu is None:
        return audit.claim.delta is None
    return audit.mu_low_clopper_pearson > audit.claim.mu or not is_violation(audit)


def headline(audit: Audit) -> str:
    """The verdict and the numbers it stands on."""
    text = _("**{verdict}.** An alarm in {tpr} of the runs with the report, in {fpr} of those without.").format(
        verdict=get_verdict(audit), tpr=percent(audit.tpr), fpr=percent(audit.fpr)
    )
    sure = percent(1.0 - audit.alpha)
    if _by_mu(audit):
        said = _("So mu is at least **{low}**, {sure} sure; measured {hat}.")
        if audit.claim.mu is not None:
            said = _("So mu is at least **{low}**, {sure} sure; measured {hat}, promised at most **{mu}**.")
        said = said.format(
            low=number(audit.mu_low_clopper_pearson), sure=sure, hat=number(audit.mu_hat),
            mu=number(audit.claim.mu or 0.0),
        )  # fmt: skip
    else:
        said = _(
            "Detections minus false alarms: at least **{low}**, {sure} sure; measured {value}, promised at most "
            "**{delta}**."
        ).format(
            low=number(audit.advantage_low), sure=sure, value=number(audit.advantage),
            delta=number(audit.claim.delta or 0.0),
        )  # fmt: skip
    return f"{text} {said}"


def meaning(audit: Audit) -> str:
    """What the verdict says, and what it does not."""
    if audit.claim.mu is None and audit.claim.delta is None:
        return _("Without a promise there is nothing to violate: say above what is promised.")
    if is_violation(audit):
        return _(
            "Chance alone would accuse a mechanism that keeps its promise in at most {alpha} of all audits."
        ).format(alpha=percent(audit.alpha))
    return _("That proves nothing about the promise: another attack, or more runs, may still find a leak.")


def markdown_of_numbers(audit: Audit) -> str:
    """Promise, point and limits of mu and of delta."""
    mu, delta = audit.claim.mu, audit.claim.delta
    none = "–"
    head = [" ", "mu", _("detections minus false alarms")]
    rows = [
        [_("promised, at most"), none if mu is None else number(mu), none if delta is None else number(delta)],
        [_("measured"), number(audit.mu_hat), number(audit.advantage)],
        [_("at least (Clopper-Pearson)"), number(audit.mu_low_clopper_pearson), number(audit.advantage_low)],
        [_("at least (Jeffreys)"), number(audit.mu_low_jeffreys), none],
    ]
    lines = [head, [":--", "--:", "--:"], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def markdown_of_table(audit: Audit) -> str:
    """The confusion table."""
    head = [" ", _("alarm"), _("no alarm")]
    rows = [
        [_("with the report"), f"{number(audit.tp)} (TP)", f"{number(audit.fn)} (FN)"],
        [_("without it"), f"{number(audit.fp)} (FP)", f"{number(audit.tn)} (TN)"],
    ]
    lines = [head, [":--", "--:", "--:"], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def picture(drawn: Drawn, key: str, close: bool = False, tall: int = 590) -> None:
    """The plane with its region and curves."""
    audit = drawn.audit
    chart(
        charts.plane([drawn], audit.claim, close, tall),
        key=key,
        alt=_("{name}: false alarms {fpr}, detections {tpr}. {verdict}.").format(
            name=drawn.name, fpr=percent(audit.fpr), tpr=percent(audit.tpr), verdict=get_verdict(audit)
        ),
        table=lambda: charts.table_of_audits([drawn]),
        name="privacy-audit",
        axes=_(
            "Across: alarms without the report. Up: alarms with it. Shaded: the true rates lie here, {sure} sure. It "
            "is a violation only where the whole shaded part lies above a promise."
        ).format(sure=percent(1.0 - audit.alpha)),
    )


def method(audit: Audit) -> str:
    """Formula with the live values put in."""
    fpr, fnr = audit.upper_rates
    text = _(
        "Measured: $\\hat\\mu = \\Phi^{{-1}}(1 - FPR) - \\Phi^{{-1}}(FNR)$ with FPR = {fpr} and FNR = {fnr}, which "
        "gives {hat}. Upper limits of both rates by Clopper and Pearson, one-sided, $\\alpha/2$ = {half} each: "
        "{fpr_up} and {fnr_up}. The same formula at the limits gives mu at least {low}, and $1 - FPR - FNR$ at the "
        "limits gives detections minus false alarms at least {advantage}. Under mu-Gaussian differential privacy every "
        "test has $FNR \\ge \\Phi(\\Phi^{{-1}}(1 - FPR) - \\mu)$ (Dong, Roth and Su 2022). Jeffreys: the smallest mu "
        "that independent Beta(errors + 1/2, rest + 1/2) rates find possible with probability $\\alpha$; tighter, but "
        "it decides nothing here."
    ).format(
        fpr=number(audit.fpr), fnr=number(1.0 - audit.tpr), hat=number(audit.mu_hat), half=number(audit.alpha / 2.0),
        fpr_up=number(fpr), fnr_up=number(fnr), low=number(audit.mu_low_clopper_pearson),
        advantage=number(audit.advantage_low),
    )  # fmt: skip
    judged = min(audit.tp + audit.fn, audit.fp + audit.tn)
    if math.isfinite(audit.mu_hat):
        text += " " + _(
            "With {judged} judged runs a world the standard error of the measured mu is about {se}."
        ).format(judged=number(judged), se=number(get_mu_se(abs(audit.mu_hat), judged), 2))
    return text
