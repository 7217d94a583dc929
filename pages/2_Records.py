"""Audit records: the same reports through several auditors, step by step."""

import streamlit as st

from core.calibration import get_p_rand
from core.mechanisms import Tca
from core.parameters import TABLE
from ui import records, says_records
from ui.charts import records as charts
from ui.controls import choice, control, more_settings
from ui.frame import chart, data_section, how_computed, sentence, toolbar, what_to_notice
from ui.own import banner, terminal, use
from ui.own.use import OwnParameters
from ui.state import get_choice, get_int, set_int, write_url
from ui.words import _, language

LAST = int(TABLE["horizon"].maximum or 0)
VIEW = {"step": 0, "first": 1, "shown": 0}

p = use.current()
own = isinstance(p, OwnParameters)
toolbar("records")
banner.show()


def view() -> records.View:
    """What of the record the link or the reader chose; a step behind the end is the end."""
    step, first, shown = (get_int(key, default, default, LAST) for key, default in VIEW.items())
    horizon = use.current().horizon
    return records.View(step if step < horizon else 0, min(first, horizon), shown if shown < horizon else 0)


def rest(heard: records.View) -> None:
    """The reader came to rest somewhere: keep it, and bring only the fold up to date."""
    for key, value in zip(VIEW, (heard.step, heard.first, heard.length), strict=True):
        set_int(key, value)
    st.rerun("records_inside")


names = records.AUDITORS + records.GUESTS[get_choice("auditors", list(records.GUESTS), "four")]
with st.spinner(_("Letting every auditor decide")):
    lanes = {name: records.get_lane(name, p) for name in names}
data = records.player_data(p, names)
records.player(data, view(), key="records_player", on_view=rest)
sentence(says_records.comparison(p, lanes), key="records")

shown = ("delta",) if own else ("delta", "targets", "horizon")
*columns, last = st.columns(len(shown) + 1, gap="large")
for column, name in zip(columns, shown, strict=True):
    with column:
        control(name)
with last:
    guests = {"four": _("four"), "five": _("+ rota"), "fading": _("+ fading"), "six": _("+ both")}
    choice(
        "auditors",
        _("Auditors"),
        guests,
        "four",
        help=_("The paper's four; a fixed rota and the fading tally may join."),
    )
more_settings(["rr_calibration"] if own else ["lead_rate", "other_rate", "rr_calibration", "stream"])
if own:
    banner.sizes()
st.caption(_("A published seed lets the organisation replay the noise: seeds are for demonstrations."))


@st.fragment(key="records_inside")
def look_inside() -> None:
    """The fold that shows the noisy counts at the chosen step; only it is redone when the step changes."""
    p = use.current()
    step = view().step or p.horizon
    by = get_choice("order", ["number", "open"], "number")
    write_url()
    # The label stays the same whatever the step: another label is another fold to Streamlit, and that one is closed.
    label = _("What did the noisy tally see at the chosen step?")
    fold = st.expander(label, icon=":material/visibility:", key="records_fold", on_change="rerun")
    if not fold.open:
        return
    with fold:
        inside = records.get_inside(p)
        st.markdown(says_records.seen(inside, step))
        choice(
            "order",
            _("Order of the organisations"),
            {"number": _("by number"), "open": _("most reported first")},
            "number",
        )
        chart(
            charts.seen(inside, step, by),
            key="records_seen",
            alt=says_records.seen_alt(inside, step),
            table=lambda: charts.seen_table(inside, step),
            name=f"noisy-counts-step-{step}",
            axes=_(
                "Across: organisations. Up: reports; a dash is the true count of open reports, a circle the noisy "
                "count the auditor sees, the thin line between them the noise. The scale holds for all steps."
            ),
        )
        st.markdown(says_records.theorem_6(inside, step))


look_inside()
command = (
    f"python -m core transcript --mechanism tca --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} "
    f"--lead-rate {p.lead_rate:g} --other-rate {p.other_rate:g} --stream {p.stream} --seed {p.seed} --format csv"
)
if isinstance(p, OwnParameters):
    run = f"run_transcript(make_mechanism('tca', p), s, {p.horizon}, {p.seed})"
    command = terminal.command(p, "from core.simulation import run_transcript", f"{run}.deficit.mean()")
what_to_notice(says_records.points(p, lanes))
st.markdown(says_records.summary(lanes))
how_computed(
    says_records.formula(p, lanes, Tca(p.targets, p.horizon, p.delta).noise_scale,
                         get_p_rand(p.rr_calibration, p.delta, p.targets, p.horizon)),
    command,
)  # fmt: skip
code, title = language(), _("Same reports, different auditors")
st.download_button(
    _("Player (HTML)"), lambda: records.to_html(data, title), "audit-records.html", "text/html",
    key="records_html", on_click="ignore", icon=":material/download:",
)  # fmt: skip
rows = _(
    "A row for each auditor and step. Targets are numbered from 0, as in the terminal: no. 1 of the picture is target "
    "0."
)
data_section([(rows, lambda: records.table(p, names), "audit-records")], key="records")
