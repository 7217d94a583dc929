"""Plan: from what a policy-maker can say to the budget, the noise and the wait."""

import streamlit as st

from ui.charts import plan as charts
from ui.frame import chart, how_computed, sentence, toolbar, what_to_notice
from ui.plan import answers, inputs, map, pins, says
from ui.state import change, current
from ui.words import _, number

toolbar("plan")
seed = current().seed

left, right = st.columns([3, 2], gap="large")
controls, below = st.container(), st.container()
with controls:
    values, solve = inputs.ask()
answer = answers.get_answer(inputs.make_wishes(values, solve), seed)
few = len(answer.delays["fading"].steps)

with left:
    chart(
        charts.waits(answer),
        key="plan-waits",
        alt=says.alt(answer),
        table=lambda: charts.table_of_waits(answer),
        name="months-until-an-audit",
        axes=_(
            "Across: months since the channel opened, with a problem from the first day. Up: chance that the problem "
            "organisation has been audited. Bands: 95% intervals from {runs} runs (fading tally: {few}). Rings: 50, 80 "
            "and 95% of the noisy tally."
        ).format(runs=number(answer.runs), few=number(few)),
    )
with right:
    sentence(answers.headline(answer))
    st.markdown(answers.short(answer))
    hindrance = answers.obstacle(answer)
    if hindrance:
        st.warning(hindrance, icon=":material/block:")
    for text in answers.warnings(answer):
        st.warning(text, icon=":material/warning:")
    wanted = answers.changes(answer)
    with st.container(horizontal=True):
        st.button(
            _("Use this in all pages"), key="use", icon=":material/publish:", disabled=wanted is None,
            on_click=lambda: change(**wanted) if wanted else None,
            help=_("Sets organisations, audits, budget, reports and people of every page to this plan."),
        )  # fmt: skip
        pins.buttons(values, solve)
    if wanted and current() == current().with_changes(**wanted)[0]:
        st.caption(_("All pages show this plan now; budget and rates are rounded to the steps of their sliders."))
    st.markdown(answers.markdown_of_waits(answer))
    st.caption(
        _(
            "Noise on a count: {noise} reports (standard deviation) at the most, {sigma} drawn at each audit. The lead "
            "is what suffices at any single audit, even the last."
        ).format(noise=number(answer.count_sd), sigma=number(answer.sigma))
    )

with below:
    st.header(_("What it costs, what it gains"), anchor=False)
    one, two = st.columns([3, 2], gap="large")
    with one:
        st.markdown(answers.markdown_of_price(answer))
        st.caption(
            _(
                "± is half a 95% interval from {runs} runs (fading tally: {few}), seed {seed}; rota and lots are exact."
            ).format(runs=number(answer.runs), few=number(few), seed=seed)
        )
    two.markdown(answers.price(answer) + "\n\n" + answers.fading(answer))
    pins.show(seed)
    map.show(answer, seed)
    st.header(_("To quote"), anchor=False)
    st.markdown("\n".join(f"> {text}\n" for text in says.quotes(answer)))

what_to_notice(says.notice(answer))
how_computed(says.method(answer, seed), says.command(answer))
