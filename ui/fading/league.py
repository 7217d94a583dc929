"""The league: every rule at the same delta, stored with its date, seed and command; one setting can be run anew."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd
import streamlit as st

from core.league import SETTINGS
from core.parameters import Parameters
from core.standings import JUMPS, LEAK, League, Row, read
from ui.charts import fading as charts
from ui.controls import choice
from ui.fading import work
from ui.fading.names import get_name, to_dots
from ui.frame import chart, data_section, how_computed, sentence, what_to_notice
from ui.words import N_, _, number

STORED = Path(__file__).parents[2] / "assets" / "league.json"
CELLS = 1_000_000
TITLES = {
    "experiment-2": N_("Paper, experiment 2"),
    "small": N_("Few organisations"),
    "sparse": N_("Rare reports"),
    "bursts": N_("Bursts"),
    "long": N_("Ten times as long"),
    "large": N_("200 organisations"),
    "spread": N_("Rates all over"),
}
ABOUT = {
    "experiment-2": N_("50 organisations, 1,000 audits, delta 0.1; one draws 1 report a step, the others 0.2."),
    "small": N_("5 organisations, 200 audits, delta 0.05; one draws 1 report a step, the others 0.2."),
    "sparse": N_("20 organisations, 500 audits, delta 0.1; one draws 0.2 reports a step, the others 0.02."),
    "bursts": N_(
        "50 organisations, 1,000 audits, delta 0.1; all draw 0.2 reports a step, again and again one draws 2 for 50 "
        "steps. The rule that knows all rates knows the calm ones only."
    ),
    "long": N_("50 organisations, 10,000 audits, delta 0.1; one draws 1 report a step, the others 0.2."),
    "large": N_("200 organisations, 1,000 audits, delta 0.2; one draws 2 reports a step, the others 0.2."),
    "spread": N_("50 organisations, 1,000 audits, delta 0.1; every rate is drawn anew, spread widely around 0.2."),
}


@cache
def _read(changed: float) -> League:
    return read(STORED)


def get_stored() -> League | None:
    """The stored league; None where the file is missing."""
    return _read(STORED.stat().st_mtime) if STORED.exists() else None


def show(p: Parameters) -> None:
    """Standings of one setting, delays, leaks, and all settings as a table."""
    league = get_stored()
    titles = {name: _(title) for name, title in TITLES.items()}
    if league is None:
        st.info(_("No league is stored. The command below makes one."))
        how_computed(_("Every rule at the same delta."), "python -m core league --out assets/league.json")
        return
    setting = choice("fading_setting", _("Setting"), titles, "experiment-2")
    left, right = st.columns([3, 2], gap="large")
    rows = league.get(setting, "missed")
    dots = to_dots(rows)
    with left:
        chart(
            charts.dots(dots, _("missed reports a step")),
            key="fading-league",
            alt=_("Missed reports a step of every rule at the same delta, with 95% intervals."),
            table=lambda: charts.table_of_dots(dots, _("missed reports a step")),
            name=f"league-{setting}",
            axes=_("Across: missed reports a step, mean with its 95% interval. Follow the reports keeps no promise."),
        )
    with right:
        sentence(headline(rows), key="fading")
        st.markdown(_(ABOUT[setting]))
        st.markdown(notes(rows))
        st.caption(
            _("Stored on {date} with seed {seed}; {runs} runs of each rule here.").format(
                date=league.date, seed=league.seed, runs=number(max(row.runs for row in rows))
            )
        )
        _again(setting, rows, p.seed)
    _delays_and_leaks(league)
    st.header(_("All seven settings"), anchor=False)
    table = to_table(league)
    st.dataframe(
        table, hide_index=True, height="content", alt=_("Missed reports a step of every rule in seven settings.")
    )
    st.caption(_("Missed reports a step, standard errors in brackets. A dash: the rule does not exist there."))
    data_section([(_("All rows of the league"), lambda: pd.DataFrame(league.rows), "league")], key="fading-rows")
    what_to_notice(
        [
            beaten(league),
            beaten_by_rota(league),
            _("The coin flip gains nothing by a sharper proof (race bound): it hardly ever follows the reports."),
        ]
    )
    how_computed(
        _(
            "Every rule sees the same reports and keeps to the same delta in every setting; standard errors are over "
            "runs. *{known}* goes by the true rates alone: what a perfect knowledge of the rates is worth."
        ).format(known=get_name("known-rates")),
        league.command,
    )


def headline(rows: list[Row]) -> str:
    """The fading tally against the noisy tally and the rota."""
    found = {row.rule: row for row in rows}
    return _(
        "The fading tally misses **{fading} ({fading_se})** reports a step, the noisy tally **{tca} ({tca_se})**, a "
        "fixed rota **{rota} ({rota_se})**. Standard errors in brackets."
    ).format(
        **{rule: number(found[rule].value) for rule in ("fading", "tca", "rota")},
        **{f"{rule}_se": number(found[rule].error, 1) for rule in ("fading", "tca", "rota")},
    )


def notes(rows: list[Row]) -> str:
    """The rota as a baseline, and what the race bound is worth."""
    found = {row.rule: row for row in rows}
    return _(
        "The rota leaks nothing: a rule that misses more than its {rota} is no help. The coin flip misses {free} when "
        "set for any number of audits, {race} by the race bound; lots {uniform}."
    ).format(
        rota=number(found["rota"].value),
        free=number(found["rr-horizon-free"].value),
        race=number(found["rr-race"].value),
        uniform=number(found["uniform"].value),
    )


def beaten(league: League) -> str:
    """In how many settings the fading tally misses clearly fewer than the noisy tally."""
    fewer = 0
    for setting in SETTINGS:
        found = {row.rule: row for row in league.get(setting, "missed")}
        one, other = found["fading"], found["tca"]
        fewer += one.value + 2.0 * (one.error**2 + other.error**2) ** 0.5 < other.value
    return _("The fading tally misses clearly fewer reports than the noisy tally in {fewer} of {all} settings.").format(
        fewer=number(fewer), all=number(len(SETTINGS))
    )


def beaten_by_rota(league: League) -> str:
    """In how many settings the rota misses fewer than the coin flip and lots."""
    fewer = 0
    for setting in SETTINGS:
        found = {row.rule: row.value for row in league.get(setting, "missed")}
        fewer += found["rota"] < min(found["rr-horizon-free"], found["rr-race"], found["uniform"])
    return _(
        "A fixed rota reads no report and still misses fewer than lots and the coin flip in {fewer} of {all} settings."
    ).format(fewer=number(fewer), all=number(len(SETTINGS)))


def to_table(league: League) -> pd.DataFrame:
    """Rules down, settings across."""
    rules = list(dict.fromkeys(row.rule for row in league.rows if row.measure == "missed"))
    columns: dict[str, list[str]] = {_("auditor"): [get_name(rule) for rule in rules]}
    for setting, title in TITLES.items():
        found = {row.rule: row for row in league.get(setting, "missed")}
        columns[_(title)] = [
            f"{number(found[rule].value)} ({number(found[rule].error, 1)})" if rule in found else "–" for rule in rules
        ]
    return pd.DataFrame(columns)


def _again(setting: str, stored: list[Row], seed: int) -> None:
    s = SETTINGS[setting]
    runs = min(s.runs, max(2, CELLS // (s.targets * s.horizon)))
    pressed = st.button(
        _("Run this setting now ({runs} runs a rule)").format(runs=number(runs)),
        key="fading_again", icon=":material/play_arrow:",
    )  # fmt: skip
    found = work.kept_part(setting, runs, seed)
    if pressed and found is None:
        bar = st.empty()
        text = _("Running every rule in this setting")
        bar.progress(0.0, text)

        def tell(done: float) -> None:
            bar.progress(done, text)

        found = work.get_part(setting, runs, seed, tell)
        bar.empty()
    if found is not None:
        before = {row.rule: row for row in stored}
        st.dataframe(
            pd.DataFrame(
                {
                    _("auditor"): [get_name(row.rule) for row in found],
                    _("now"): [f"{number(row.value)} ({number(row.error, 1)})" for row in found],
                    _("stored"): [
                        f"{number(before[row.rule].value)} ({number(before[row.rule].error, 1)})" for row in found
                    ],
                }
            ),
            hide_index=True,
            alt=_("Numbers of this setting run now beside the stored ones."),
        )
        st.caption(_("Run now with {runs} runs and seed {seed}.").format(runs=number(runs), seed=seed))


def _delays_and_leaks(league: League) -> None:
    delays, lone = to_dots(league.get("jumps", "delay")), to_dots(league.get("lone-jump", "delay"))
    timing, release = to_dots(league.get("leaks", "timing")), to_dots(league.get("leaks", "release"))
    label = _("steps to the first audit")
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(_("How soon after a jump?"), anchor=False)
        chart(
            charts.dots(delays, label),
            key="fading-league-delays",
            alt=_("Steps from a jump to the first audit, every rule, jumps that recur."),
            table=lambda: pd.concat(
                [
                    charts.table_of_dots(part, label).assign(**{_("jumps"): name})
                    for part, name in ((delays, _("again and again")), (lone, _("one after a long calm")))
                ]
            ),
            name="league-delays",
            axes=_("From {calm} to {burst} reports a step, every {period} steps; {runs} runs.").format(
                calm=number(0.2), burst=number(2), period=number(100), runs=number(JUMPS["jumps"].runs)
            ),
        )
        found = {dot.rule: dot for dot in delays}
        st.markdown(
            _(
                "The fading tally is **not** the first to come: {fading} steps against {tca} of the noisy tally. The "
                "variant that reacts to jumps needs {alert}."
            ).format(
                fading=number(found["fading"].value),
                tca=number(found["tca"].value),
                alert=number(found["fading-alert"].value),
            )
        )
    with right:
        st.subheader(_("What do attacks get?"), anchor=False)
        label = _("advantage of the attack")
        shown = [dot for dot in release if dot.rule != "greedy"]
        chart(
            charts.dots(shown, label, LEAK.delta),
            key="fading-league-leaks",
            alt=_("Advantage of the best attack on what each rule releases, with 95% intervals."),
            table=lambda: pd.concat(
                [
                    charts.table_of_dots(part, label).assign(**{_("attack"): name})
                    for part, name in ((timing, _("first audit")), (release, _("everything released")))
                ]
            ),
            name="league-leaks",
            axes=_(
                "Best attack on what is released, {targets} organisations, {audits} audits, delta {delta}; {runs} runs "
                "with and without one report. Follow the reports leaks {greedy}: left out."
            ).format(
                targets=number(LEAK.targets),
                audits=number(LEAK.horizon),
                delta=number(LEAK.delta),
                runs=number(max(row.runs for row in league.get("leaks", "timing"))),
                greedy=number(next(dot.value for dot in release if dot.rule == "greedy"), 2),
            ),
        )
        at = {dot.rule: dot for dot in timing}
        st.markdown(
            _(
                "Nothing gets above delta but by chance. Whoever sees only when the organisation is audited gets less: "
                "{fading} ± {fading_margin} for the fading tally, {tca} ± {tca_margin} for the noisy tally."
            ).format(
                fading=number(at["fading"].value, 2),
                fading_margin=number(at["fading"].margin, 2),
                tca=number(at["tca"].value, 2),
                tca_margin=number(at["tca"].margin, 2),
            )
        )
