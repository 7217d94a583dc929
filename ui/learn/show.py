"""The page Learn: the list of lessons, one lesson at a time, and the corner where a lesson of one's own comes in."""

from __future__ import annotations

import zlib
from typing import Any

import pandas as pd
import streamlit as st

from core import calibration, deniability, utility
from core.parameters import TABLE, Parameters
from ui import controls, frame, says, state
from ui.adversary.switches import switch
from ui.learn import charts, lessons, tour, values
from ui.learn.lesson import ChoiceQuestion, Lesson, NumberQuestion
from ui.learn.lessons import LessonError
from ui.navigation import PAGES
from ui.words import _, number, percent

OWN = "own"
"""Id of the lesson that came by a file or a link, in the link."""
_PAGES = {
    "misselection": "lead", "missed": "long-run", "square": "adversary", "twins": "adversary", "noise": "lead",
    "delta": "start",
}  # fmt: skip
_STYLE = """<style>
[class*="st-key-answer_"] button, .st-key-commit button { min-height: 3.5rem; }
[class*="st-key-answer_"] button p, .st-key-commit button p { font-size: 1.125rem; }
@media (prefers-color-scheme: dark) { .stMain [data-testid="stBaseButton-primary"] { color: #0d1117; } }
%s</style>"""
_BIG = """
:root { font-size: clamp(18px, 1.6vw, 28px); }
.st-key-head h1 { font-size: 1.125rem; }
.stMainBlockContainer { max-width: none; }
.st-key-next_page, .st-key-tools, .st-key-level, .st-key-bet_place, [class*="st-key-under_"] { display: none; }
"""


class _Anything(tuple[str, ...]):
    """Every text, as the container that `state.get_choice` asks."""

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str)


def show() -> None:
    """The whole page."""
    known = lessons.shipped()
    own, refused = _own()
    chosen = state.get_choice("lesson", ["", *known, OWN], "")
    big = state.get_choice("big", ["off", "on"], "off") == "on"
    st.html(_STYLE % (_BIG if big else ""))
    frame.toolbar("learn")
    lesson = own if chosen == OWN else known.get(chosen)
    if refused and chosen in ("", OWN):
        st.error(_("The lesson cannot be used. {reason}").format(reason=refused.told()))
    if lesson:
        _lesson(lesson, chosen, big, [*known, *([OWN] if own else [])])
    else:
        _overview(known, own)


def _own() -> tuple[Lesson | None, LessonError | None]:
    """The reader's own lesson, from the link or, too long for one, from this session; or why there is none."""
    linked = state.get_choice("own", _Anything(), "")
    refused = st.session_state.get("learn_refused")
    try:
        text = lessons.unpack(linked) if linked else st.session_state.get("learn_own", "")
        return (lessons.read(text) if text else None), refused
    except LessonError as error:
        return None, refused or error


def _open(chosen: str) -> None:
    """Open a lesson as its author left it."""
    choices = st.session_state["choices"]
    for key in [key for key in choices if key.startswith("my_")]:
        del choices[key]
    st.session_state.pop("learn_refused", None)
    state.set_choice("lesson", chosen)


def _key(lesson: Lesson) -> tuple[str, int]:
    return lesson.id, zlib.crc32(lesson.source.encode())


def _answers() -> dict[tuple[str, int], float]:
    """What was answered in this session: never in the link, which a teacher hands on."""
    return st.session_state.setdefault("learn_answers", {})


# --- the list --------------------------------------------------------------------------------------------------------
def _overview(known: dict[str, Lesson], own: Lesson | None) -> None:
    frame.sentence(_("Short lessons. Each asks you first and answers afterwards, with numbers computed now."))
    cards = [*known.items(), *([(OWN, own)] if own else [])]
    for start in range(0, len(cards), 3):
        for column, (chosen, lesson) in zip(st.columns(3), cards[start : start + 3], strict=False):
            with column, st.container(key=f"card_{chosen}", border=True, height="stretch"):
                _card(chosen, lesson)
    left, right = st.columns(2, gap="large")
    with left:
        st.header(_("Guided tour"), anchor=False)
        st.markdown(
            _(
                "{count} small steps over the real pages. Each asks you to do one thing and notices when it is done. "
                "You can stop at any time."
            ).format(count=number(len(tour.steps())))
        )
        if st.button(_("Start the tour"), key="tour_start", icon=":material/tour:", type="primary"):
            tour.go(1)
    with right:
        _workshop()


def _card(chosen: str, lesson: Lesson) -> None:
    done = _key(lesson) in _answers()
    st.markdown(("✓ " if done else "") + _("**{title}**").format(title=_bare(lesson.raw("title"))))
    st.markdown(lesson.say("question"))
    label = _("Look at it again") if done else _("Open this lesson")
    st.button(label, key=f"open_{chosen}", on_click=_open, args=(chosen,), icon=":material/arrow_forward:")


def _bare(text: str) -> str:
    """A title shows as it is written."""
    return "".join("\\" + sign if sign in "\\`*_[]<>$#~:|" else sign for sign in text)


def _workshop() -> None:
    """Where a teacher's lesson comes in."""
    st.header(_("A lesson of your own"), anchor=False)
    st.markdown(
        _(
            "A lesson is one small text file. Take the template, change it in any editor, load it here. The link of "
            "this page then holds your lesson: copy it for your class."
        )
    )
    st.download_button(
        _("Template (TOML)"), lessons.TEMPLATE.read_bytes(), "lesson.toml", "text/plain", key="lesson_template",
        on_click="ignore", icon=":material/download:",
    )  # fmt: skip
    st.file_uploader(
        _("Your lesson file, at most {size} kB").format(size=number(lessons.LARGEST // 1000)),
        type=["toml", "txt"], key="lesson_file", on_change=_uploaded, max_upload_size=1,
    )  # fmt: skip
    fold = st.expander(
        _("Numbers a lesson may name"), icon=":material/list:", key="lesson_names", on_change="rerun"
    )  # fmt: skip
    if fold.open:
        with fold:
            st.dataframe(
                pd.DataFrame({
                    _("in the file"): ["{" + name + "}" for name in values.VALUES],
                    _("what it is"): [values.meaning(name) for name in values.VALUES],
                }),
                hide_index=True, alt=_("Numbers a lesson may name"),
            )  # fmt: skip


def _uploaded() -> None:
    """Take the file in, or keep why not."""
    file = st.session_state.get("lesson_file")
    if file is None:
        st.session_state.pop("learn_refused", None)
        return
    try:
        lesson = lessons.read(file.getvalue())
    except LessonError as error:
        st.session_state["learn_refused"] = error
        return
    take(lesson)


def take(lesson: Lesson) -> None:
    """Make a lesson the reader's own and open it; the link holds it where it fits."""
    packed = lessons.pack(lesson.source)
    st.session_state["learn_own"] = lesson.source
    fits = len(packed) <= lessons.LARGEST_LINK
    state.set_choice("own", packed if fits else "")
    _open(OWN)


# --- one lesson ------------------------------------------------------------------------------------------------------
def _lesson(lesson: Lesson, chosen: str, big: bool, order: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(_("All lessons"), key="lesson_back", on_click=_open, args=("",), icon=":material/arrow_back:")
        place = _("Lesson {at} of {all}").format(at=number(order.index(chosen) + 1), all=number(len(order)))
        st.markdown(place, width="content")
        switch("big", _("Projector mode"), help=_("Large type and few controls, for a room."))
    st.header(_bare(lesson.raw("title")), anchor=False)
    left, right = st.columns([2, 3], gap="large")
    answer = _answers().get(_key(lesson))
    with left:
        st.markdown(lesson.say("intro"))
        frame.sentence(lesson.say("question"), key="lesson")
        if answer is None:
            _ask(lesson)
        else:
            _verdict(lesson, answer)
            st.markdown(lesson.say("reveal"))
    with right:
        if answer is None:
            with st.container(border=True, key="lesson_hidden"):
                st.markdown(":material/visibility_off: " + _("The picture and the answer appear after your guess."))
        else:
            _reveal(lesson, big)
    with st.container(horizontal=True):
        following = order[(order.index(chosen) + 1) % len(order)]
        st.button(
            _("Next lesson"), key="lesson_next", on_click=_open, args=(following,), icon=":material/arrow_forward:",
            type="primary" if answer is not None else "secondary",
        )  # fmt: skip
        if answer is not None:
            st.button(_("Ask me again"), key="lesson_again", on_click=_forget, args=(lesson,), type="tertiary")
            if not big and st.button(_("Open this scenario on its page"), key="lesson_scenario", type="tertiary"):
                _to_page(lesson)
    if chosen == OWN and not big:
        _hand_on(lesson)
    if answer is not None and not big:
        frame.how_computed(*_computed(lesson))


def _ask(lesson: Lesson) -> None:
    q = lesson.question
    if isinstance(q, ChoiceQuestion):
        for i, option in enumerate(lesson.options()):
            st.button(option, key=f"answer_{i}", on_click=_commit, args=(lesson, float(i)), width="stretch")
        return
    key = f"guess_{lesson.id}_{_key(lesson)[1]}"
    scale = q.scale
    st.select_slider(_("Your guess"), scale, scale[len(scale) // 2], format_func=q.write, key=key)
    st.button(
        _("This is my guess"), key="commit", type="primary", on_click=_commit, args=(lesson, None, key), width="stretch"
    )


def _commit(lesson: Lesson, answer: float | None, key: str = "") -> None:
    _answers()[_key(lesson)] = float(st.session_state[key]) if answer is None else answer


def _forget(lesson: Lesson) -> None:
    _answers().pop(_key(lesson), None)


def _verdict(lesson: Lesson, answer: float) -> None:
    """What became of the guess."""
    judged = lesson.judge(answer)
    q = lesson.question
    if isinstance(q, NumberQuestion):
        said, truth = q.write(answer), q.write(float(f"{lesson.truth():.3g}"))
    else:
        options = lesson.options()
        said, truth = options[int(answer)], options[int(lesson.truth())]
    text = {
        "correct": _("**Right.** You said {said}; it is {truth}."),
        "too_low": _("**Too low.** You said {said}; it is {truth}."),
        "too_high": _("**Too high.** You said {said}; it is {truth}."),
        "wrong": _("**Not this time.** You said: {said}. It is: {truth}."),
    }[judged].format(said=said, truth=truth)
    more = lesson.say(judged)
    box, icon = (st.success, ":material/check:") if judged == "correct" else (st.info, ":material/lightbulb:")
    box(f"{text} {more}", icon=icon)


def _reveal(lesson: Lesson, big: bool) -> None:
    """The picture, and what may be changed in it."""
    p = _tried(lesson)
    place = st.container()
    if lesson.controls:
        columns = st.columns(len(lesson.controls))
        for column, name in zip(columns, lesson.controls, strict=True):
            with column:
                _control(lesson, name)
    with place:
        with st.spinner(_("Computing …")):
            drawn = charts.draw(lesson.view, p, 20 if big else 14)
        if big:
            config: dict[str, Any] = {"displayModeBar": False}
            st.plotly_chart(drawn.figure, key="lesson_chart_big", alt=drawn.alt, config=config)
        else:
            frame.chart(
                drawn.figure, key="lesson_chart", alt=drawn.alt, table=drawn.table, name=f"lesson-{lesson.view}",
                axes=drawn.axes,
            )  # fmt: skip
    if lesson.raw("now") and p != lesson.parameters:
        st.markdown(lesson.say("now", p))


def _offers(lesson: Lesson, name: str) -> dict[str, Any]:
    """The values of a parameter on offer, by their text in the link."""
    row = TABLE[name]
    own = getattr(lesson.parameters, name)
    offered = row.choices or sorted({*(row.stops or controls.stops(name)), own})
    return {f"{value:g}" if isinstance(value, float) else str(value): value for value in offered}


def _tried(lesson: Lesson) -> Parameters:
    """The scenario with what the reader changed after the reveal."""
    changes = {}
    for name in lesson.controls:
        offers = _offers(lesson, name)
        usual = next(text for text, value in offers.items() if value == getattr(lesson.parameters, name))
        changes[name] = offers[state.get_choice(f"my_{TABLE[name].url}", list(offers), usual)]
    return lesson.parameters.with_changes(**changes)[0]


def _control(lesson: Lesson, name: str) -> None:
    """A widget for one parameter of the lesson; the scenario of the other pages stays as it is."""
    offers = _offers(lesson, name)
    key, widget = f"my_{TABLE[name].url}", f"w_my_{name}"

    def commit() -> None:
        state.set_choice(key, st.session_state[widget])

    state.show(widget, next(text for text, value in offers.items() if value == getattr(_tried(lesson), name)))
    kind: Any = st.selectbox if TABLE[name].choices else st.select_slider
    kind(
        controls.label(name), list(offers), key=widget, on_change=commit, help=controls.help_text(name),
        format_func=lambda text: controls.show(name, offers[text]),
    )  # fmt: skip


def _to_page(lesson: Lesson) -> None:
    state.change(**{name: getattr(lesson.parameters, name) for name in TABLE})
    st.switch_page(next(page.file for page in PAGES if page.id == _PAGES[lesson.view]))


def _hand_on(lesson: Lesson) -> None:
    """How a lesson of one's own gets to a class."""
    size = len(lessons.pack(lesson.source))
    if size <= lessons.LARGEST_LINK:
        st.caption(_("The link of this page holds this lesson: copy it for your class."))
    else:
        st.caption(
            _("This lesson is too long for a link ({size} signs of at most {most}): hand on the file.").format(
                size=number(size), most=number(lessons.LARGEST_LINK)
            )
        )
    st.download_button(
        _("Lesson (TOML)"), lesson.source, f"{lesson.id}.toml", "text/plain", key="lesson_source", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def _computed(lesson: Lesson) -> tuple[str, str]:
    """Formula with the values of the lesson, and the terminal command."""
    p, view = lesson.parameters, lesson.view
    sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    exact = values.VALUES["tca_wrong"].compute(p)
    bound = float(utility.get_union_bound(p.gap, p.targets, sd))
    tradeoff = f"python -m core tradeoff --delta {p.delta:g} --fpr {p.false_alarm:g}"
    if view == "missed":
        return says.method_long_run(p, values.get_course("tca", p)), says.command_run("tca", p)
    if view == "twins":
        step, target = max(1, p.horizon // 3), min(3, p.targets) - 1
        text = _(
            "Each pair: one world with and one without a report about no. {target} at step {step}, drawn so that the "
            "records agree as often as they can."
        ).format(target=number(target + 1), step=number(step))
        return text, (
            f"python -m core twins --mechanism greedy --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} "
            f"--step {step} --target {target} --lead-rate {p.lead_rate:g} --other-rate {p.other_rate:g} "
            f"--stream {p.stream} --runs {values.get_twins('greedy', p).runs} --seed {p.seed}"
        )
    if view == "noise":
        text = _("Noise on a count, in reports; M is the sensitivity of the counter:")
        formula = r"$$s = \sigma M_L, \quad \sigma = \frac{M_T}{2\,\Phi^{-1}((1+\delta)/2)}, \quad s = "
        return f"{text}\n\n{formula}{sd:.4g}$$", says.command_gap(p)
    if view == "square":
        mu = calibration.get_mu(p.delta)
        caught = float(deniability.get_tpr_gaussian(p.false_alarm, mu))
        text = _("Caught at most, with {alarms} false alarms:").format(alarms=percent(p.false_alarm))
        formula = r"$$\mathrm{TPR} \le \Phi(\Phi^{-1}(\mathrm{FPR}) + \mu) = "
        return f"{text}\n\n{formula}{caught:.4g}$$", tradeoff
    return says.method_lead(p, exact, bound, sd), says.command_gap(p)
