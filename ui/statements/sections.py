"""The page's sections, for any stream of reports: the scenario's, or a table of real ones."""

from __future__ import annotations

import streamlit as st

from core.certificates import get_count_sds, get_rate, get_uniform_margin
from core.mechanisms import Tca
from core.parameters import Parameters
from core.streams import PoissonStream, Stream
from ui.charts import statements as charts
from ui.controls import choice, control, more_settings, whole
from ui.frame import chart, how_computed, sentence, what_to_notice
from ui.statements import says, work
from ui.words import _, number, percent

SHOWN = 100
"""Audits in the picture."""


def show(scenario: Parameters, stream: Stream) -> None:
    """The whole page for `stream`; the scenario gives delta, runs and seed, and what the stream leaves open.

    A table of real reports comes in as `core.streams.TableStream(table)`, (steps, organisations).
    """
    p = work.fit(scenario, stream)
    size = work.get_size(p)
    left, right = st.columns([3, 2], gap="large")
    picture, status = left.container(), left.empty()
    words = right.container()
    columns = st.columns(3, gap="large")
    with columns[0]:
        control("delta")
    with columns[1]:
        beta = whole("statements_beta", _("Chance of a false statement (beta), in percent"), 5, 1, 50) / 100
    with columns[2]:
        tau = whole("statements_tau", _("At least this many reports (tau)"), 1, 1, 50)
    names = {level: _(name) for level, name in work.LEVELS.items()}
    level = choice("statements_level", _("Repair for having picked the largest count"), names, "step")
    first = whole("statements_from", _("Picture from audit"), 1, 1, max(1, size.horizon - SHOWN + 1))
    more_settings(("targets", "horizon", "lead_rate", "other_rate", "stream", "runs"))
    below = st.container()

    def tell(done: float) -> None:
        status.progress(done, _("Simulating audits and statements"))

    tell(0.0)
    found = work.measure(p, stream, tell)
    status.caption(work.tell_size(p, size))
    rates = work.get_all_rates(found, p, beta, tau)
    certified = found.record.certify(work.get_level(level, beta, p))
    last = min(size.horizon, first + SHOWN - 1)
    with picture:
        chart(
            charts.timeline(found.audits, found.record, certified, first, last),
            key="statements-record",
            alt=_(
                "Audits {first} to {last} of one simulated record: {emitted} statements, of which {false} false; at "
                "the others nothing is stated."
            ).format(
                first=number(first),
                last=number(last),
                emitted=number(int(certified.emitted[first - 1 : last].sum())),
                false=number(int(certified.false[first - 1 : last].sum())),
            ),
            table=lambda: charts.table_of_record(found.audits, found.record, certified),
            name="statements-of-one-record",
            axes=_(
                "Across: audits. Dash: open reports of the audited organisation. Triangle: “at least so many” is "
                "stated and true. Cross: stated and false. Ring below: nothing is stated."
            ),
        )
    with words:
        sentence(says.headline(p, rates, level, beta, tau), key="statements")
        st.markdown(says.table_of_needed(p, beta, tau))
        st.caption(_("Open reports needed for an even chance to state “at least {tau}”.").format(tau=number(tau)))
        st.markdown(
            _(
                "Statements read the same noisy counts that choose the audits. Nobody is exposed more by them: audits "
                "and statements together keep a delta of {delta}."
            ).format(delta=number(p.delta))
        )
    with below:
        _curse(p, found, rates, beta)
        _possible(p, beta, tau)
        _fresh_and_proxy(p, found, rates)
        _rest(p, beta, tau, size, same=isinstance(stream, PoissonStream) and size.horizon == p.horizon)


def _curse(p: Parameters, found: work.Measured, rates: dict[str, work.Rates], beta: float) -> None:
    exact = work.get_curse(found, p, beta)
    st.header(_("The winner's curse"), anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(
            charts.curse(rates, exact, beta),
            key="statements-curse",
            alt=_("Share of audits with a false statement: {list}.").format(
                list="; ".join(f"{row.name}: {percent(row.any_false[0])}" for row in rates.values())
            ),
            table=lambda: charts.table_of_rates(rates),
            name="winners-curse",
            axes=_(
                "Across: share of audits with a false statement (circle), share of whole records with at least one "
                "(square), with 95% intervals. Dotted: beta. Diamond: the formula for a single audit."
            ),
        )
    with right:
        sentence(says.curse(found, rates, beta), key="statements-curse")
        st.markdown(
            _(
                "The audited organisation was picked because its noisy count was the largest, so its noise is no "
                "ordinary noise. beta / C repairs one step, whatever was picked. Each step is another trial: beta / "
                "(C · T) repairs a whole record, and leaves less to say. An organisation "
                "chosen beforehand needs no repair: it errs below beta."
            )
        )
        st.markdown(says.closed_form(p, exact))


def _possible(p: Parameters, beta: float, tau: int) -> None:
    sds = get_count_sds(Tca(p.targets, p.horizon, p.delta), p.horizon)
    named = says.levels(p, beta)
    st.header(_("How much could be said at all?"), anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        chart(
            charts.frontier(p.delta, beta, float(sds[0])),
            key="statements-frontier",
            alt=_("Chance that a statement comes out, by its distance from being false, at a delta of {delta}.").format(
                delta=number(p.delta)
            ),
            table=lambda: charts.table_of_frontier(p.delta, beta, float(sds[0])),
            name="frontier",
            axes=_(
                "Across: open reports above tau − 1, where the statement would be false. Up: chance that it is "
                "stated, one organisation, chosen beforehand, level beta."
            ),
        )
        st.markdown(
            _(
                "No rule with this delta and beta can state more often than min(1, beta + k · delta). Uniform noise of "
                "width 1 / delta reaches it, with {margin} subtracted from the count, but sometimes gives a report "
                "away outright. Gaussian noise never does, and pays for it; counting over {audits} audits costs more."
            ).format(margin=number(get_uniform_margin(p.delta, beta)), audits=number(p.horizon))
        )
    with right:
        chart(
            charts.needed(named, tau, sds),
            key="statements-needed",
            alt=_("Open reports needed for an even chance, by steps since the organisation's last audit."),
            table=lambda: charts.table_of_needed(named, tau, sds),
            name="needed-reports",
            axes=_(
                "Across: steps since the last audit of the organisation, on a logarithmic scale. Up: open reports at "
                "which “at least {tau}” comes out half the time."
            ).format(tau=number(tau)),
        )
        st.markdown(
            _(
                "The noise on a count grows while nobody looks. Most statements need more open reports than there are "
                "as soon as delta is small: that is the price of hiding one report."
            )
        )


def _fresh_and_proxy(p: Parameters, found: work.Measured, rates: dict[str, work.Rates]) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.header(_("Fresh noise, and what it costs"), anchor=False)
        st.markdown(says.fresh(p, rates))
    with right:
        st.header(_("An audit is no evidence"), anchor=False)
        share, se = get_rate(found.audited.unsupported)
        st.markdown(says.proxy((share, se or 0.0)))


def _rest(p: Parameters, beta: float, tau: int, size: work.Size, same: bool) -> None:
    what_to_notice(
        [
            _("A statement is published only where the noise allows it. Silence says nothing, in either direction."),
            _("Beta is a promise about the statements, delta one about the people. The first is kept by silence."),
            _(
                "All tau of one organisation share one bound: they are right or wrong together. Picking the "
                "organisation is what has to be paid for."
            ),
        ]
    )
    st.caption(
        _(
            "Built from the published abstract of Takahashi and Hiraoka, Certifying Statement Support under "
            "Differential Privacy (PrivCert, arXiv 2609.38934); constants are ours. By the abstract, statements are "
            "proposed without the data and their support is tested privately; one is emitted only if a noisy lower "
            "confidence bound passes its threshold; unsupported ones come out with probability at most beta; and "
            "support in a private proxy does not certify support in the data. The repairs and the measured rates are "
            "ours."
        )
    )
    sds = work.get_sds(p)
    how_computed(
        _(
            "The auditor states the largest $\\tau$ with noisy count $- z_{{1-\\beta}}\\,\\sigma M_L \\ge \\tau - 1$. "
            "Counts are whole, so $\\tau - 1$ is the worst count at which the statement is false. With $n$ open "
            "reports “at least $\\tau$” comes out with probability $\\Phi((n - \\tau + 1)/(\\sigma M_L) - "
            "z_{{1-\\beta}})$; an even chance takes $n = \\tau - 1 + z_{{1-\\beta}}\\,\\sigma M_L$. Here $\\beta$ = "
            "{beta}, $\\tau$ = {tau}, $\\sigma M_1$ = {first}, $\\sigma M_T$ = {last}. Restarts only help: an "
            "organisation left alone for long is one whose noise was not high, so one chosen beforehand errs below "
            "beta (ours). $\\beta/C$ and $\\beta/(CT)$ are union bounds over the organisations, and over all steps."
        ).format(beta=number(beta), tau=number(tau), first=number(sds[1]), last=number(sds[max(sds)]))
        + ("" if same else " " + _("The terminal simulates a steady trickle, and all audits of the scenario.")),
        work.command(p, beta, tau, size),
    )
