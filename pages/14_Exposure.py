"""Exposure: who bears the risk of being found out, and who gets something for it."""

import numpy as np
import streamlit as st

from core.equity import get_first_audit_chance
from ui.charts import exposure as charts
from ui.controls import choice, control, more_settings, whole
from ui.exposure import calculator, says, work
from ui.frame import chart, how_computed, sentence, toolbar, what_to_notice
from ui.marks import plain
from ui.state import current
from ui.words import _, number, percent

REPORTS = 60
"""Most reports in the picture of one more report."""

p = current()
toolbar("exposure")

left, right = st.columns([3, 2], gap="large")
picture, status = left.container(), left.empty()
words = right.container()
one, two, three = st.columns(3, gap="large")
with one:
    control("delta")
with two:
    window = whole(
        "exposure_window", _("Steps within which an audit helps"), min(10, p.horizon), 1, min(100, p.horizon),
        help=_("A report helped if its organisation is audited within this many steps."),
    )  # fmt: skip
with three:
    crowd = whole("exposure_crowd", _("Reporters in the crowd"), 10, 2, 100)
with st.container(horizontal=True, gap="large", key="exposure_switches"):
    exposures = {"together": _("all of them reported"), "own": _("one more person reported")}
    whose = choice("exposure_whose", _("Exposure: what is found out"), exposures, "together")
    auditors = {name: plain(name) for name in work.AUDITORS}
    auditor = choice("exposure_auditor", _("Auditor"), auditors, "tca")
step = whole("exposure_step", _("Step at which the reports come"), 1, 1, min(100, p.horizon - window + 1))
more_settings(("targets", "horizon", "lead_rate", "other_rate"))
below = st.container()

question = work.Question(auditor, crowd, window, step)


def tell(done: float) -> None:
    """Progress in the place of the caption."""
    status.progress(done, _("Simulating each group with and without its reports"))


tell(0.0)
found = work.measure(p, question, tell)
runs = work.get_runs(p, question)
status.caption(work.tell_size(p, question))

baselines = ((_("draw lots"), found[0].lots), (_("fixed rota"), found[0].rota))
across = _("exposure of the whole group") if whose == "together" else _("exposure of one person")
with picture:
    chart(
        charts.plane(charts.make_dots(found, whose, runs), baselines, across, _("benefit: an audit in time")),
        key="exposure-groups",
        alt=_("Benefit against exposure for {list}.").format(
            list="; ".join(
                _("{name}: benefit {benefit}, exposure {exposure}").format(
                    name=group.reporters.group,
                    benefit=percent(group.benefit),
                    exposure=percent((group.together if whose == "together" else group.alone).gap),
                )
                for group in found
            )
        ),
        table=lambda: charts.table_of_groups(found),
        name="exposure-and-benefit",
        axes=_(
            "Across: by how much the chance of an audit in time changes through the report or reports, which is what "
            "the timing attack gains. Up: chance of an audit in time. Crosses: 95% intervals. Grey: what is promised "
            "at most. Hollow: not told from chance. Small: nobody else reports that organisation; large: {rate} other "
            "reports a step."
        ).format(rate=number(p.lead_rate)),
    )
with words:
    sentence(says.headline(found, question), key="exposure")
    st.markdown(says.table(found, whose, runs))
    st.markdown(says.fairness(found))
    note = says.rota_note(found, runs)
    if note:
        st.markdown(note)

with below:
    st.header(_("Is there safety in numbers?"), anchor=False)
    benefit = get_first_audit_chance(np.arange(REPORTS + 1), p.targets, p.delta, p.horizon)
    k, peak = charts.get_peak(benefit)
    place, text = st.columns([3, 2], gap="large")
    with place:
        chart(
            charts.one_more(benefit, p.delta),
            key="exposure-one-more",
            alt=_("Exposure of one more report at the first audit, by the number of reports, largest at {k}.").format(
                k=number(k)
            ),
            table=lambda: charts.table_of_one_more(benefit),
            name="exposure-of-one-more-report",
            axes=_(
                "Across: reports about one organisation, the only ones there are. Up: by how much the last of them "
                "changes the chance that the noisy tally's first audit goes there; exact."
            ),
        )
    with text:
        sentence(
            _(
                "At the first audit, report number **{k}** about an organisation is the most exposed one: **{peak}**, "
                "against {first} for the first. Delta allows {delta}."
            ).format(
                k=number(k), peak=percent(peak), first=percent(float(benefit[1] - benefit[0])), delta=percent(p.delta)
            ),
            key="exposure-more",
        )
        st.markdown(
            _(
                "More reporters do not simply hide one another. A report is most visible where it tips the balance, "
                "so the curve can rise and fall: who is worse off has to be computed each time."
            )
        )
    typed = calculator.show()

    what_to_notice(
        [
            _(
                "PCER grows without limit as auditing becomes blind: no exposure, no use. That is why the lift over "
                "drawing lots stands beside it."
            ),
            _(
                "Very strong privacy drives the exposure down to chance or to a floor. Then no ratio is printed, only "
                "the word “uninformative” and how large PCER is at least."
            ),
            _(
                "The delta protects each report alike. A crowd as a whole can be exposed up to k times as much: that "
                "somebody reported is then hardly a secret, while each single report keeps its delta."
            ),
        ]
    )
    st.markdown(
        _(
            "**A caveat about the gap.** The abstract calls the overfitting gap an upper bound on what attackers can "
            "find out. The classical theorem makes it the success of one attack, so a lower bound on the best one. "
            "Suppose every answer is right, with a confidence of .99 on people from the training data and .90 on all "
            "others: the gap is 0, and whoever looks at the confidence always knows who was in."
        )
    )
    st.caption(
        _(
            "Built from the published abstract on the Privacy-Cost Equity Ratio (PCER); constants are ours. The "
            "abstract reports that on COMPAS, PCER finds a group that bears both more exposure and worse outcomes, "
            "which the demographic parity gap misses; that has not been repeated here."
        )
    )
    lone = found[0]
    how_computed(
        _(
            "Benefit $r_{{in}}$: chance of an audit of the reported organisation within $w$ = {window} steps. Exposure "
            "$r_{{in}} - r_{{out}}$ = {exposure} for one reporter, $r_{{out}}$ being the same chance without the "
            "report; both worlds run on the same tapes, which changes no chance and makes the difference more exact. "
            "$PCER = r_{{in}} / (r_{{in}} - r_{{out}})$. Drawing lots: $1 - (1 - 1/C)^w$ = {lots}; a rota: "
            "$\\min(1, w/C)$ = {rota}. Limits for $k$ reports: $k\\delta$ and $2\\Phi(k\\kappa) - 1$ with $\\kappa = "
            "\\Phi^{{-1}}((1+\\delta)/2)$. An exposure is informative above both .001 and 1.645 standard errors. For a "
            "classifier the standard error of the gap is $\\sqrt{{a(1-a)/n + b(1-b)/m}}$, with the accuracies $a$, $b$ "
            "on $n$ training and $m$ test people. Classifier: `{typed}`"
        ).format(
            window=number(window),
            exposure=percent(lone.alone.gap),
            lots=percent(lone.lots),
            rota=percent(lone.rota),
            typed=typed.replace("`", "'"),
        ),
        work.command(p, question),
    )
