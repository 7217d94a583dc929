"""Does the paper hold when it is computed again?"""

import streamlit as st

from core import evidence
from ui import frame
from ui.charts import evidence as charts
from ui.controls import choice
from ui.evidence import pick, remarks, say, stored
from ui.words import _, number

frame.toolbar("evidence")
left, right = st.columns([3, 2], gap="large")
with left:
    item = pick.ask_item()
    numbers = pick.get_numbers(item)
    finding = numbers.finding
    panels = charts.get_panels(item, finding.columns)
    panel = pick.get_panel(panels)
    across, up = charts.get_axes(item, panel)
    frame.chart(
        charts.picture(item, finding, panel, numbers.runs),
        key="evidence_picture",
        alt=_("{item}: {up} against {across}.").format(item=say.get_name(item), up=up, across=across),
        table=lambda: charts.table(finding),
        name=item.id,
        axes=_("Across: {across}. Up: {up}.").format(across=across, up=up) + pick.tell_bars(item),
    )
    if len(panels) > 1:
        choice("evidence_panel", _("Shown in the picture"), panels, next(iter(panels)))
with right:
    headline = say.headline(item, finding)
    frame.sentence(remarks.say(item.id) if item.id in remarks.TEXTS else headline, key="evidence")
    if item.id in remarks.TEXTS:
        st.markdown(headline)
    st.markdown(_("**The paper says:** {text}").format(text=_(item.says)))
    st.markdown(_("**Computed here:** {text}").format(text=_(item.shows)))
    pick.tell_origin(item, numbers)
    if item.simulated:
        pick.ask_simulation(item, numbers)

st.header(_("What was held against what"), anchor=False)
st.caption(say.get_summary(item, finding))
st.caption(
    _(
        "On top stands what disagrees, then printed numbers and pairs of readings, then the simulated numbers from the "
        "largest difference to the smallest, then the rest."
    )
)
ordered = say.get_order(finding.comparisons)
everything = len(ordered) <= say.SHOWN or pick.ask_rows(len(ordered)) == "all"
st.html(frame.ASSETS / "styles" / "claims.css")
st.html(say.to_html(ordered if everything else ordered[: say.SHOWN]))
frame.data_section(
    [(_("All comparisons"), lambda: say.to_table(item, finding.comparisons), f"{item.id}-comparisons")],
    key="evidence_comparisons",
)

st.header(_("Where the paper can be read in two ways"), anchor=False)
for name in remarks.TEXTS:
    remark = evidence.ITEMS[name]
    st.markdown(f"**{_(remark.title)}** ({_(remark.source)}). {remarks.say(name)}")

frame.what_to_notice(
    [
        _(
            "A simulated number is hardly ever exactly its reference. Among {count} a difference of two standard "
            "errors is nothing special; one of four would be. Where one set of noise serves many leads and budgets, as "
            "in Figures 2(a) and 3 to 5, their differences rise and fall together."
        ).format(count=number(50)),
        _(
            "A bound counts as kept only where the allowed side is not crossed; where the paper can be read in two "
            "ways, both numbers stand here and neither is called wrong."
        ),
        _(
            "The paper prints few numbers beside its pictures. The other references are closed forms, bounds, and "
            "values computed apart; the table names each."
        ),
    ]
)
frame.how_computed(
    _(
        "Difference = our number minus the one it is held against. Where chance has a part, it is divided by its "
        "standard error $s$; where both numbers are simulated, by $\\sqrt{s^2 + s_0^2}$. The command writes the table, "
        "the drawing, the comparisons and a page into a folder; without `--only` it does so for everything."
    )
    + pick.tell_other_runs(item, numbers),
    stored.get_command(item, numbers.seed),
)
