"""The ledger of claims in words: one row a claim, with its number, its reference and the test that checks it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st
from babel.numbers import format_decimal

from core import claims
from core.claims import Claim, Result
from core.parameters import to_query
from ui import marks, state
from ui.words import N_, _, language, number, percent

KINDS = {
    "theorem": N_("theorem"),
    "table": N_("table"),
    "figure": N_("figure"),
    "own": N_("our own result"),
}

# The sentences of core/claims.toml, here for the tools that collect what is to be translated; a test compares them.
TEXTS = (
    N_(
        "For delta {delta} over {horizon} audits, each fresh normal number of the noisy tally has this standard "
        "deviation."
    ),
    N_(
        "For delta {delta} over {horizon} audits, the coin flip of the paper's experiments draws lots with this "
        "probability."
    ),
    N_("Over {terms} audits the longest column of the encoder has this length."),
    N_("Over {terms} audits the length of the encoder's column follows the square root of a logarithm."),
    N_("A normal number drawn {lag} steps ago enters the noise with this weight."),
    N_(
        "With delta {delta} over {horizon} audits, a count that started {run_length} steps ago carries noise of "
        "this standard deviation."
    ),
    N_(
        "With delta {delta} and a suspicion of {prior} beforehand, a guess from all audits is right at most this often."
    ),
    N_("To keep a person with {reports} reports below an advantage of {advantage}, plan with this delta."),
    N_(
        "With delta {delta}, {reports} reports by one person change the chance of any audit record by at most "
        "this much."
    ),
    N_(
        "At delta {delta} the whole audit record of the noisy tally is one normal number shifted by this many "
        "standard deviations."
    ),
    N_("At delta {delta}, a test that accuses {fpr} of the innocent misses at least this share of those who reported."),
    N_(
        "At delta {delta} the noisy tally's curve touches the line of the bare promise at this false alarm rate, "
        "and nowhere else."
    ),
    N_("At delta {delta}, a factor of e to the {epsilon} covers the noisy tally's audit records but for this rest."),
    N_(
        "At delta {delta}, {reports} reports by one person about the same organisation change the chance of any "
        "audit record by at most this much."
    ),
    N_(
        "At delta {delta}, {reports} reports by one person about as many organisations change the chance of any "
        "audit record by at most this much."
    ),
    N_(
        "At delta {delta}, an event as rare as {false_alarm} by chance lifts a suspicion of {prior} to at most "
        "this, under the noisy tally."
    ),
    N_(
        "At delta {delta}, an event as rare as {false_alarm} by chance lifts a suspicion of {prior} to at most "
        "this, under any auditor that keeps to delta."
    ),
    N_("A noisy tally planned with delta {delta} for {horizon} audits but run for {audits} keeps only this delta."),
    N_(
        "With {targets} organisations and delta {delta}, no coin flip of this privacy misses the worst "
        "organisation less often than this."
    ),
    N_(
        "With {targets} organisations, delta {delta} and {horizon} audits, the coin flip misses the worst "
        "organisation this often, however large its lead."
    ),
    N_(
        "A coin flip that draws lots with probability {p_rand} keeps this delta over {horizon} audits of "
        "{targets} organisations."
    ),
    N_(
        "A coin flip that draws lots with probability {p_rand} keeps this delta over any number of audits of "
        "{targets} organisations."
    ),
    N_(
        "Seen as a race, a coin flip that draws lots with probability {p_rand} keeps this smaller delta over "
        "{horizon} audits of {targets} organisations."
    ),
    N_(
        "Where nobody else reports, the audit records of a coin flip that draws lots with probability {p_rand} "
        "tell this much over {horizon} audits of {targets} organisations."
    ),
    N_(
        "Where nobody else reports, the best attack on {horizon} audit decisions of the coin flip, set as in the "
        "paper's experiments for delta {delta}, gains this much with {targets} organisations."
    ),
    N_(
        "Where nobody else reports, the best attack on {horizon} audit decisions of the coin flip, set for any "
        "number of audits and delta {delta}, gains this much with {targets} organisations."
    ),
    N_(
        "With {targets} organisations, {horizon} audits and delta {delta}, the coin flip set for any number of "
        "audits follows the reports this many times as often as the one of the paper's experiments."
    ),
    N_(
        "With {targets} organisations, following the reports gives a reporter away: one report where nobody else "
        "reports changes the next audit by this much."
    ),
    N_(
        "With {targets} organisations, delta {delta} and {run_length} steps, a lead of {gap} reports leaves this "
        "chance that the noisy tally audits another."
    ),
    N_(
        "With {targets} organisations, delta {delta} and {run_length} steps, the worst organisation needs this "
        "lead to be missed only {error} of the time."
    ),
    N_(
        "Where nobody else reports and only one audit takes place, an audit of the reported one among {targets} "
        "organisations tells this much at delta {delta}."
    ),
    N_("In the paper's second experiment the auditor “{mechanism}” misses this many reports a step."),
    N_("In the paper's second experiment the coin flip set for any number of audits misses this many reports a step."),
    N_(
        "In the paper's second experiment a fixed rota, which ignores the reports, misses this many reports a "
        "step: fewer than the coin flip."
    ),
    N_(
        "In the paper's second experiment the auditor “{mechanism}” passes the most-reported organisation by in "
        "this share of the audits."
    ),
    N_(
        "With {targets} organisations, {horizon} audits and delta {delta}, the auditor “{mechanism}” misses this "
        "many reports a step."
    ),
    N_(
        "With {targets} organisations, {horizon} audits and delta {delta}, the noisy tally misses this many "
        "reports a step more than drawing lots does."
    ),
    N_(
        "Two worlds that differ in one report among {targets} organisations, paired as closely as they can be, "
        "have different records of {horizon} audits in at most the share delta = {delta} of the pairs."
    ),
    N_(
        "The fading tally for {targets} organisations and delta {delta} adds noise of this standard deviation to every "
        "released sum."
    ),
    N_(
        "A report that counts {weight} where the noise protects reports of weight {largest} with delta {delta} has "
        "this delta."
    ),
    N_("After a jump of one organisation's reports the auditor “{mechanism}” first comes there this many steps later."),
    N_(
        "After {tp} detections, {fn} misses, {fp} false alarms and {tn} correct all-clears, mu is at least this, "
        "90% sure (Clopper-Pearson)."
    ),
    N_(
        "After {tp} detections, {fn} misses, {fp} false alarms and {tn} correct all-clears, mu is at least this, "
        "90% sure (joint Jeffreys posterior)."
    ),
    N_("A promise of epsilon {epsilon} and delta {delta}, taken by the route “{route}”, stands for this mu."),
    N_(
        "Where {reports} reports about one of {targets} organisations are all there is, the noisy tally with "
        "delta {delta} goes there first with this chance."
    ),
    N_(
        "Of {reports} reports about one of {targets} organisations the last one moves the chance of the first "
        "audit by this much (delta {delta})."
    ),
    N_(
        "At delta {delta} and with at most {beta} false, a statement that {reports} reports support comes out "
        "this often, with normal noise."
    ),
    N_(
        "At delta {delta} and an age of {run_length} steps, “at least one report” needs this many open reports to "
        "come out half of the time (at most {beta} false)."
    ),
    N_(
        "Speaking at level {beta} about whichever of {targets} organisations came out highest is wrong this often "
        "where all are alike."
    ),
    N_(
        "With {targets} organisations, {horizon} audits and delta {delta}, statements at level {beta} that read "
        "fresh noise say too much at this share of the audits."
    ),
)

SOURCES = (
    N_("Paper, Table 3"),
    N_("Paper, section 6"),
    N_("Ours, closed form for many audits"),
    N_("Paper, Appendix G.1, with age and number of audits taken apart"),
    N_("Paper, Theorem 1"),
    N_("Paper, section 3"),
    N_("Paper, Corollary 9"),
    N_("Ours, Gaussian differential privacy"),
    N_("Ours, tighter than Corollary 9 for the noisy tally"),
    N_("Ours, Bayes on the trade-off curve"),
    N_("Ours, the longer column of the encoder"),
    N_("Paper, Theorem 2"),
    N_("Paper, Proposition 15"),
    N_("Paper, Proposition 14"),
    N_("Paper, Proposition 16"),
    N_("Ours, below both propositions"),
    N_("Ours, exact"),
    N_("Ours, from Propositions 14 and 16"),
    N_("Paper, Figure 2a"),
    N_("Paper, Figures 3 to 5"),
    N_("Ours, exact inversion"),
    N_("Paper, Figure 2b"),
    N_("Ours, Proposition 16 in the paper's second experiment"),
    N_("Ours, a baseline the paper does not have"),
    N_("Ours, in the paper's second experiment"),
    N_("Ours, where the noisy tally is not worth it"),
    N_("Ours, the best pairing of the paper's Proposition 3"),
    N_("Ours, norm of a damped report"),
    N_("Ours, beyond the paper"),
    N_("Ours, limits of both rates"),
    N_("Published privacy audit, computed again"),
    N_("Ours, fresh noise does not know which organisation was picked"),
)

BASES = (
    N_("arithmetic with 40 digits"),
    N_("exact fraction"),
    N_("by hand"),
    N_("another privacy library"),
    N_("trying every small stream of reports"),
    N_("numerical integration with 20 digits"),
    N_("an independent simulation"),
    N_("delta itself"),
    N_("arithmetic with 30 digits"),
    N_("beta itself"),
)

NOTES = (
    N_("The closed form leaves out terms that fade with the number of audits; hence the wider tolerance."),
    N_("The paper uses one number for the age of a count and for the number of audits covered."),
    N_(
        "The library's own calibration stopped at mu = 1/3.9789544871212486, which is 1.6e-6 below the closed "
        "form; hence a tolerance of 2e-7."
    ),
    N_("Our reference notes gave this value as that of Proposition 16."),
    N_("No stream with up to two reports a step and organisation tells more than silence does."),
    N_("What counts is that the share stays below the reference."),
    N_("Here the fading tally is the slower one, though it misses fewer reports."),
)
_SHARES = ("prior", "fpr", "false_alarm", "error")


# --- numbers ---------------------------------------------------------------------------------------------------------
@st.cache_data(max_entries=256, show_spinner=False)
def _compute(name: str) -> Result:
    """A claim without chance, by its id."""
    return claims.compute(_by_id(name))


def _by_id(name: str) -> Claim:
    return next(claim for claim in claims.load() if claim.id == name)


@st.cache_resource(show_spinner=False)
def _simulated() -> dict[str, Result]:
    """Simulations run since the server started, for everybody: with a fixed seed they say the same to all."""
    return {}


def get_result(claim: Claim) -> Result:
    """The number now; of a simulation the one last computed."""
    if claim.simulated:
        return _simulated().get(claim.id) or claims.last(claim)
    return _compute(claim.id)


def is_fresh(claim: Claim) -> bool:
    """Whether the number was computed by this server and not read from the file."""
    return not claim.simulated or claim.id in _simulated()


def simulate(shown: Sequence[Claim]) -> None:
    """Run the simulations among the claims that this server has not run yet, with progress."""
    waiting = [claim for claim in shown if not is_fresh(claim)]
    bar = st.progress(0.0)
    for done, claim in enumerate(waiting):
        text = _("Simulation {number} of {count}").format(number=number(done + 1), count=number(len(waiting)))

        def tell(share: float, done: int = done, text: str = text) -> None:
            bar.progress(min(1.0, (done + share) / len(waiting)), text)
            time.sleep(0)

        tell(0.0)
        _simulated()[claim.id] = claims.compute(claim, tell)
    bar.empty()


# --- words -----------------------------------------------------------------------------------------------------------
def get_argument(name: str, value: Any) -> str:
    """An argument of a claim as its sentence shows it."""
    if name == "mechanism":
        return marks.plain(value)
    if isinstance(value, str):
        return value
    return percent(value) if name in _SHARES else number(value)


def say(claim: Claim) -> str:
    """The claim as a sentence in the reader's language."""
    return _(claim.text).format(**{name: get_argument(name, claim.arguments[name]) for name in claim.gaps})


def say_value(result: Result) -> str:
    """The number now, with its standard error where chance has a part in it."""
    if result.error is None:
        return number(result.value, 6)
    text = _("{value}, standard error {error}")
    return text.format(value=number(result.value, 4), error=number(result.error, 2))


def say_reference(claim: Claim) -> str:
    """The reference: as printed in the paper, and as computed apart."""
    if claim.printed is not None:
        digits = len(claim.printed.partition(".")[2])
        return _("{value}, printed as {printed}").format(
            value=number(claim.reference, 6), printed=_fixed(float(claim.printed), digits)
        )
    if claim.simulated and claim.error:
        text = _("{value}, standard error {error}")
        return text.format(value=number(claim.reference, 4), error=number(claim.error, 2))
    if claim.relation == "at-most":
        return _("at most {value}").format(value=number(claim.reference))
    return number(claim.reference, 6)


def _fixed(value: float, digits: int) -> str:
    return format_decimal(value, format="0." + "0" * digits, locale=language())


def say_difference(result: Result) -> tuple[str, str]:
    """By how much the two differ, and what is allowed; in words where that is more than allowed."""
    claim, difference = result.claim, number(result.difference, 2)
    if result.error is None:
        assert claim.tolerance is not None
        text = _("allowed: {tolerance}") if result.holds else _("more than the allowed {tolerance}")
        return difference, text.format(tolerance=number(claim.tolerance, 1))
    if result.in_errors is not None:
        text = _("{difference} = {errors} standard errors")
        difference = text.format(difference=difference, errors=number(result.in_errors, 2))
    if not result.holds:
        text = _("more than the allowed {most} standard errors")
    elif claim.relation == "at-most":
        text = _("allowed: anything below, and {most} standard errors above")
    else:
        text = _("allowed: {most} standard errors")
    return difference, text.format(most=number(claims.ERRORS))


def headline(results: Sequence[Result]) -> str:
    """How many claims there are and how many of them agree."""
    exact = sum(not result.claim.simulated for result in results)
    agree = sum(result.holds for result in results)
    text = _(
        "**{agree}** of **{count}** claims agree with their reference: {exact} numbers without chance, computed just "
        "now, and {simulated} simulated ones, as last computed."
    )
    return text.format(
        agree=number(agree), count=number(len(results)), exact=number(exact), simulated=number(len(results) - exact)
    )


def to_table(results: Sequence[Result]) -> pd.DataFrame:
    """The ledger for a file, in full precision; sentences in the reader's language."""
    return pd.DataFrame([claims.to_row(result, say(result.claim)) for result in results])


# --- the table -------------------------------------------------------------------------------------------------------
def to_html(results: Sequence[Result], titles: dict[str, str]) -> str:
    """The ledger as a table that a narrow screen shows as cards; `titles` are the names of the pages.

    The roles are written out: laid out as cards, a table would lose them.
    """
    heads = [_("Claim"), _("Now"), _("Reference"), _("Difference"), _("Checked by")]
    head = "".join(f'<th role="columnheader" scope="col">{escape(text)}</th>' for text in heads)
    rows = "".join(_row(result, heads, titles) for result in results)
    label = escape(_("Claims with their numbers"))
    return (
        f'<table class="claims" role="table" aria-label="{label}"><thead role="rowgroup"><tr role="row">{head}</tr>'
        f'</thead><tbody role="rowgroup">{rows}</tbody></table>'
    )


def _breakable(test: str) -> str:
    """A test's name that may break after a folder, the file and each word."""
    file, _, name = escape(test).partition("::")
    return f"{file.replace('/', '/<wbr>')}::<wbr>{name.replace('_', '_<wbr>')}"


def _row(result: Result, heads: Sequence[str], titles: dict[str, str]) -> str:
    claim = result.claim
    path = "." if claim.page == "start" else claim.page
    query = urlencode({"lang": language(), **to_query(state.current())})
    link = f'<a href="{escape(f"{path}?{query}")}" target="_self">{escape(titles[claim.page])}</a>'
    small = " · ".join([escape(_(KINDS[claim.kind])), escape(_(claim.source)), link])
    note = f'<span class="note">{escape(_(claim.note))}</span>' if claim.note else ""
    stored = "" if is_fresh(claim) else _("as stored; the button runs it anew")
    age = f'<span class="note">{escape(stored)}</span>' if stored else ""
    difference, allowed = say_difference(result)
    basis = f'<span class="note">{escape(_(claim.basis))}</span>'
    cells = [
        escape(say_value(result)) + age,
        escape(say_reference(claim)) + basis,
        f'{escape(difference)}<span class="note">{escape(allowed)}</span>',
        f"<code>{_breakable(claim.test)}</code>",
    ]
    rest = "".join(
        f'<td role="cell" data-label="{escape(head)}"><div>{cell}</div></td>'
        for head, cell in zip(heads[1:], cells, strict=True)
    )
    kind = "" if result.holds else ' class="differs"'
    return (
        f'<tr role="row" id="claim-{escape(claim.id)}"{kind}><th role="rowheader" scope="row">{escape(say(claim))}'
        f'<span class="note">{small}</span>{note}</th>{rest}</tr>'
    )
