"""Counter lab: other counters in the same auditor, and one of the reader's own."""

from dataclasses import replace

import streamlit as st

from core.counter_kinds import KINDS
from ui.charts import counters as charts
from ui.controls import control, more_settings
from ui.counters import own, picks, says, work
from ui.counters.names import OWN
from ui.frame import ASSETS, chart, data_section, how_computed, sentence, toolbar, what_to_notice
from ui.state import current
from ui.words import _, number

toolbar("counters")
st.html(ASSETS / "styles" / "counters.css")
p = current()
size = work.get_size(p)

left, right = st.columns([3, 2], gap="large")
numbers, growing, staying, bring = (st.container() for _place in range(4))

with bring:
    running = own.get_running()
    verdict = own.ask(running)
mine = own.judge(running, p, verdict) if running else None

rows = {kind: work.get_row(kind, p) for kind in KINDS}
if mine is not None:
    rows[OWN] = work.get_row(OWN, p, mine)

with left:
    picture = st.container()
    shown = picks.ask()
    drawn = [rows[kind] for kind in (*shown, OWN) if kind in rows]
with picture:
    chart(
        charts.noise(drawn),
        key="counters-noise",
        alt=_("Noise on a count against its age for {count} counters. At the last age: {list}.").format(
            count=number(len(drawn)),
            list="; ".join(f"{charts.get_name(row)} {number(row.sd[-1])}" for row in drawn),
        ),
        table=lambda: charts.table_of_noise(drawn),
        name="noise-by-age",
        axes=_(
            "Across: steps since the organisation was last audited. Up: standard deviation of the noise on its count, "
            "in reports. Both axes are logarithmic; every counter keeps the same delta."
        ),
    )
with right:
    sentence(says.headline(rows, p))
    missed = st.empty()
    for name in ("delta", "horizon", "gap"):
        control(name)
    more_settings(("targets", "lead_rate", "other_rate", "stream", "runs"))

with numbers:
    st.header(_("All in numbers"), anchor=False)
    one, two = st.container(key="counters_tables").columns(2, gap="large")
    one.markdown(charts.markdown_of_noise(list(rows.values())))
    use = two.empty()
    st.caption(says.simulated(p, size, mine is not None))
    tables = st.container()
    with st.expander(_("What these counters do"), icon=":material/info:"):
        st.markdown(says.kinds())

with growing:
    st.header(_("What more audits cost"), anchor=False)
    one, two = st.columns([3, 2], gap="large")
    with one:
        bar = st.empty()

        def tell(done: float) -> None:
            bar.progress(done, _("Computing the growth with T"))

        found = work.get_growths(p.delta, shown, tell)
        bar.empty()
        chart(
            charts.growth(found),
            key="counters-growth",
            alt=_("Largest noise on a count against the number of audits covered, {count} counters.").format(
                count=number(len(found))
            ),
            table=lambda: charts.table_of_growth(found),
            name="noise-by-horizon",
            axes=_(
                "Across: number of audits that the promise covers. Up: largest standard deviation at any age, in "
                "reports. Both axes are logarithmic: a straight line is a power of T."
            ),
        )
    with two:
        st.markdown(says.markdown_of_growth(found))
        st.markdown(says.growth(p.delta, found))

with staying:
    st.header(_("Does the noise stay?"), anchor=False)
    one, two = st.columns([3, 2], gap="large")
    maps = {kind: work.get_correlation(kind) for kind in shown}
    with one:
        chart(
            charts.correlations(maps),
            key="counters-correlation",
            alt=_(
                "How alike the noise on one count is at every two ages, one square for each of {count} counters."
            ).format(count=number(len(maps))),
            table=lambda: charts.table_of_correlations(maps),
            name="correlation-of-noise",
            axes=_(
                "Across and down: two ages of the same count. Colour: correlation of the noise on it, from 0 (nothing "
                "in common) to 1 (the same)."
            ),
        )
    two.markdown(says.correlation(maps))

what_to_notice(says.notice(rows))
how_computed(says.method(rows, p) + says.other_stream(p), says.command(p, size))

use.markdown(charts.markdown_of_use(list(rows.values()), p.gap))
for i, kind in enumerate(rows):

    def show(i: int = i, name: str = charts.get_name(rows[kind])) -> None:
        missed.progress(i / len(rows), _("Simulating: {name}").format(name=name))

    by_run = work.get_missed(kind, p, mine if kind == OWN else None, running or "", show)
    rows[kind] = replace(rows[kind], by_run=by_run)
use.markdown(charts.markdown_of_use(list(rows.values()), p.gap))
missed.markdown(says.missed(rows))
if mine is not None:
    verdict.success(own.tell_result(mine, rows, rows[OWN]), icon=":material/check_circle:")
with tables:
    data_section(
        [(_("All counters"), lambda: charts.table_of_counters(list(rows.values())), "counters")], key="counters"
    )
