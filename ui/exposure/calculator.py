"""PCER of any classifier, from typed rates or from a table of predictions."""

from __future__ import annotations

import shlex

import streamlit as st

from core.equity import FLOOR, get_equity
from ui.charts import exposure as charts
from ui.controls import choice, whole
from ui.exposure import rates, says, upload
from ui.frame import chart, sentence
from ui.words import _, number

MOST_WARNINGS = 5


def show() -> str:
    """The calculator; returns the terminal command for the rates on the screen."""
    st.header(_("The same question about any classifier"), anchor=False)
    st.markdown(
        _(
            "Benefit: the share of a group that gets the good prediction. Exposure: the group's overfitting gap, its "
            "accuracy on training data minus that on test data. PCER = benefit / exposure."
        )
    )
    sources = {"typed": _("Type rates"), "table": _("Upload a table")}
    source = choice("exposure_source", _("Where the rates come from"), sources, "typed")
    left, right = st.columns([3, 2], gap="large")
    with left:
        if source == "typed":
            groups, wrong = rates.ask()
            for text in wrong:
                st.warning(text, icon=":material/edit:")
        else:
            groups = upload.ask()
        floor = whole(
            "exposure_floor", _("Smallest gap that counts, in thousandths"), round(1000 * FLOOR), 0, 100,
            help=_("A gap up to this is a floor, not an exposure: no PCER is printed for it."),
        ) / 1000  # fmt: skip
    if not groups:
        right.info(_("As soon as one group is complete, its PCER stands here."), icon=":material/balance:")
        return "python -m core equity --rates A=0.45,0.82,0.74,1000,500"
    found = [get_equity(group, floor) for group in groups]
    with right:
        chart(
            charts.plane(charts.make_classifier_dots(found), (), _("exposure: overfitting gap"), _("benefit")),
            key="exposure-classifier",
            alt=_("Benefit against overfitting gap for {count} groups, with 95% intervals.").format(
                count=number(len(found))
            ),
            table=lambda: charts.table_of_classifier(found),
            name="pcer-classifier",
            axes=_(
                "Across: accuracy on training minus accuracy on test data, with 95% intervals. Up: share with the "
                "benefit. Hollow: uninformative."
            ),
        )
        if len(found) > len(charts.SHAPES):
            st.caption(_("Drawn are the first {count} groups.").format(count=number(len(charts.SHAPES))))
    with left:
        sentence(says.classifier_headline(found), key="exposure-classifier")
        _warn(says.verdicts(found))
        st.markdown(says.classifier_table(found, charts.GLYPHS))
        if len(found) > 1:
            st.markdown(says.comparison_table(found, charts.GLYPHS))
        st.caption(
            _(
                "Disparity: PCER of the first group divided by that of the group in the row, printed only where both "
                "are informative. Demographic parity gap: difference of their benefits. ± is half a 95% interval; “at "
                "least” is a one-sided 95% limit and takes the benefit as known."
            )
        )
    typed = " ".join(
        "--rates " + shlex.quote(f"{g.group}={g.rate:.10g},{g.train:.10g},{g.test:.10g},{g.n_train},{g.n_test}")
        for g in groups
    )
    return f"python -m core equity {typed} --floor {floor:g}"


def _warn(texts: list[str]) -> None:
    """Double disadvantages, the clearest first; twenty groups have more pairs than anybody reads."""
    if not texts:
        return
    shown = [f"- {text}" for text in texts[:MOST_WARNINGS]]
    if len(texts) > MOST_WARNINGS:
        shown.append("- " + _("And {count} more pairs.").format(count=number(len(texts) - MOST_WARNINGS)))
    st.warning("\n".join(shown) if texts[1:] else texts[0], icon=":material/balance:")
