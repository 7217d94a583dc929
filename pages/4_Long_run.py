"""Long run: who misses fewer reports over many audits."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.auditors import MECHANISMS
from core.parameters import replace
from ui import frames, says
from ui.adversary.switches import switch
from ui.bet import Bet, answer, ask, offer
from ui.charts import longrun
from ui.controls import control, label, more_settings, span
from ui.frame import chart, how_computed, sentence, toolbar, what_to_notice
from ui.marks import plain
from ui.own import banner, terminal, use
from ui.own.use import OwnParameters
from ui.state import current, get_choice, get_int, set_choice
from ui.words import _, number

MAIN = ("delta", "targets", "lead_rate")
MORE = ("horizon", "other_rate", "stream", "rr_calibration", "runs")
BET = Bet(low=0, high=100_000, step=0.5, margin=0.1, relative=0.15)

wanted = use.current()
p = replace(wanted, runs=frames.page_runs(wanted))
own = isinstance(p, OwnParameters)
main, more = (("delta",), ("rr_calibration", "runs")) if own else (MAIN, MORE)
toolbar("long-run")
banner.show()


def settings() -> None:
    """The parameters beside the picture."""
    for column, name in zip(st.columns(len(MAIN), gap="large"), main, strict=False):
        with column:
            control(name)


def simulate(
    names: Sequence[str], runs: int, status: DeltaGenerator, share: float, start: float
) -> dict[str, frames.Course]:
    """Mechanisms, `runs` times each, with the progress told from `start` on over `share` of the bar."""
    courses = {}
    for i, name in enumerate(names):
        text = _("Simulating {name}: {runs} runs of {audits} audits, {targets} organisations").format(
            name=plain(name), runs=number(runs), audits=number(p.horizon), targets=number(p.targets)
        )

        def tell(done: float, i: int = i, text: str = text) -> None:
            status.progress(start + share * (i + done) / len(names), text)

        courses[name] = frames.course(name, p, runs, tell)
    return courses


def guess_first() -> None:
    """The question in place of the pictures; only the lots are drawn before it is answered."""
    status = st.empty()
    lots = simulate(("uniform",), p.runs, status, 1.0, 0.0)["uniform"]
    status.empty()
    ask(
        BET,
        _(
            "{audits} audits, {targets} organisations, a delta of {delta}. Drawing lots misses **{lots}** open reports "
            "a step. **How many does the noisy tally miss?**"
        ).format(
            audits=number(p.horizon),
            targets=number(p.targets),
            delta=number(p.delta),
            lots=number(lots.mean_deficit),
        ),
        _("Missed reports a step"),
    )
    settings()
    more_settings(more)


def sketch(courses: Sequence[frames.Course], shown: tuple[int, int], place: DeltaGenerator, key: str) -> None:
    """Missed reports over time as far as they are known, while the rest is still being computed."""
    place.plotly_chart(longrun.over_time(courses, shown), key=key, config={"displayModeBar": False})


def show() -> None:
    """The pictures, and what they say."""
    reply = st.container()
    left, right = st.columns([3, 2], gap="large")
    status, picture = left.empty(), left.empty()
    words = right.empty()
    dots = right.empty()
    inputs = st.container()
    below = st.container()

    with inputs:
        settings()
        shown = span(_("Audits drawn in the picture"), p.horizon)
        switch(
            "longrun_fading", _("Show the fading tally as well"), default="on",
            help=_("The same delta as the noisy tally, other noise and a better estimate (ours). Slow to compute."),
        )  # fmt: skip
        more_settings(more)
        if own:
            banner.sizes()

    first = frames.preview_runs(p)
    if first < p.runs and any(frames.kept_course(name, p, p.runs) is None for name in MECHANISMS):
        sketch(list(simulate(MECHANISMS, first, status, 0.1, 0.0).values()), shown, picture, "longrun-preview")
    found = simulate(MECHANISMS, p.runs, status, 0.9 if not fading else 0.4, 0.1)
    if fading:
        if frames.kept_course("fading", p, fading) is None:
            sketch(list(found.values()), shown, picture, "longrun-five")
            words.markdown(says.long_run(found))
        found |= simulate(("fading",), fading, status, 0.5, 0.5)
    courses = list(found.values())
    told = [says.scenario_long_run(p, current().runs, longrun.LARGEST_POINTS)]
    told += [text for text in (says.fewer_runs(p, fading),) if text and with_fading]
    status.caption(" ".join(told))

    with picture.container():
        chart(
            longrun.over_time(courses, shown),
            key="longrun-time",
            alt=_("Missed reports at each audit for {auditors} auditors, mean and middle 80% of the runs.").format(
                auditors=number(len(courses))
            ),
            table=lambda: longrun.table_by_step(courses),
            name="missed-reports-over-time",
            axes=_(
                "Across: the audits, in order. Up: open reports of the worst organisation minus those of the one "
                "audited. "
                "Line: mean over the runs; band: the middle 80% of the runs."
            ),
        )
    differences = {rival: frames.compare(found["tca"], found[rival]) for rival in frames.RIVALS}
    better = {rival: frames.compare(found["fading"], found[rival]) for rival in ("tca", *frames.RIVALS) if fading}
    with reply:
        answer(
            BET,
            found["tca"].mean_deficit,
            _("The noisy tally misses **{tally}** open reports a step, drawing lots {lots}.").format(
                tally=number(found["tca"].mean_deficit), lots=number(found["uniform"].mean_deficit)
            ),
        )
    with words.container():
        sentence(says.long_run(found))
        if better and (said := says.compare_fading(p, fading, better)):
            st.markdown(said)
        st.markdown(
            says.verdict(p, p.runs, differences, better) + " " + says.reason(frames.get_contest(p), differences)
        )
    with dots.container():
        chart(
            longrun.means(courses),
            key="longrun-means",
            alt=_("Missed reports a step, mean over all runs: {list}.").format(
                list="; ".join(f"{plain(name)} {number(c.mean_deficit)}" for name, c in found.items())
            ),
            table=lambda: longrun.table_of_means(courses),
            name="missed-reports-a-step",
            axes=_("Across: missed reports a step, mean over all steps and runs, with its 95% interval."),
        )

    with below:
        st.subheader(_("Added up"))
        chart(
            longrun.cumulative(courses),
            key="longrun-total",
            alt=_("Missed reports summed up to each audit for {auditors} auditors.").format(
                auditors=number(len(courses))
            ),
            table=lambda: longrun.table_of_totals(courses),
            name="missed-reports-added-up",
            axes=_(
                "Across: the audits, in order. Up: missed reports of all audits so far, mean and middle 80% of the "
                "runs."
            ),
        )

        st.subheader(_("Where does this flip?"))
        st.markdown(_("The noisy tally does not always win. Ask along one setting, all others as above:"))
        for column, name in zip(st.columns([1, 1, 2]), axes, strict=False):
            chosen = axis == name
            column.button(
                label(name), key=f"flip-{name}", on_click=set_choice, args=("flip", "off" if chosen else name),
                type="primary" if chosen else "secondary", width="stretch",
            )  # fmt: skip
        if axis != "off":
            bar = st.empty()

            def tell_sweep(done: float) -> None:
                bar.progress(done, _("Simulating along {label}").format(label=label(axis)))

            result = frames.get_sweep(axis, p, tell_sweep)
            bar.empty()
            chart(
                longrun.sweep(result, label(axis), getattr(p, axis)),
                key="longrun-flip",
                alt=_(
                    "Noisy tally minus drawing lots and minus a fixed rota, missed reports a step, along {label}."
                ).format(label=label(axis)),
                table=lambda: longrun.table_of_sweep(result, label(axis)),
                name="where-it-flips",
                axes=_(
                    "Across: {label}. Up: missed reports a step of the noisy tally minus those of the other, {runs} "
                    "runs a "
                    "point, with 95% intervals. Dotted: your setting."
                ).format(label=label(axis), runs=number(result.runs)),
            )
            st.markdown("\n".join(f"- {line}" for line in says.flips(result, label(axis))))

        st.subheader(_("All in numbers"))
        for column, text in zip(
            st.columns(2, gap="large"),
            (longrun.markdown_of_means(courses), longrun.markdown_of_misses(courses, says.leaks(p))),
            strict=True,
        ):
            column.markdown(text)
        st.caption(
            _(
                "± is half a 95% interval over the runs. The last tenth of the audits shows whether misses still grow. "
                "An "
                "audit elsewhere is no waste: it answers other open reports."
            )
        )

    coin = frames.compare(found["rr"], found["uniform"])
    what_to_notice(says.notice_long_run(p, found, coin, frames.get_follow_share(p)))
    method, command = says.method_long_run(p, found["tca"], found.get("fading")), says.command_run("tca", p)
    if isinstance(p, OwnParameters):
        method += "\n\n" + _("Here every run sees the reports of the table, not those of Appendix G.2.")
        run = f"run_ensemble(make_mechanism('tca', p), s, {p.horizon}, {p.runs}, {p.seed}).mean_deficit"
        command = terminal.command(p, "from core.simulation import run_ensemble", run)
    how_computed(method, command)


# Read before the branch: while the picture is hidden its settings still belong to the link.
get_int("since", 1, 1, p.horizon), get_int("until", p.horizon, 1, p.horizon)
axes = ("delta",) if own else ("delta", "targets")
axis = get_choice("flip", ["off", "delta", "targets"], "off")
axis = axis if axis in axes else "off"
with_fading = get_choice("longrun_fading", ["off", "on"], "on") == "on"
fading = frames.fading_runs(p) if with_fading else 0
if offer(BET):
    guess_first()
else:
    show()
