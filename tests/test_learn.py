"""Lessons and the tour: what is shipped runs in every language, what is faulty is refused, nothing crashes."""

import base64
import re
import zlib
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.parameters import TABLE, Parameters
from ui import words
from ui.frame import PAGES
from ui.learn import charts, lessons, show, tour, values
from ui.learn.lesson import ChoiceQuestion
from ui.learn.lessons import LessonError
from ui.words import LANGUAGES

PAGE = "pages/8_Learn.py"
Start = Callable[..., AppTest]
TEMPLATE = lessons.TEMPLATE.read_text(encoding="utf-8")
SMALL = """id = "mine"
view = "noise"
[scenario]
delta = 0.1
[question]
answer = "sd"
minimum = 0
maximum = 100
step = 1
tolerance = 2
[en]
title = "Mine"
intro = "For {horizon} audits."
question = "How much noise?"
reveal = "It is {sd}."
"""
CHOICE = SMALL.replace(SMALL[SMALL.index("answer") : SMALL.index("[en]")], "right = 2\n")


def open_lesson(new_app: Start, query: dict[str, str], code: str = "en") -> AppTest:
    """The page as a link opens it."""
    return new_app(PAGE, lang=code, **query)


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button}


def words_of(at: AppTest) -> str:
    return "\n".join(str(one.value) for kind in (at.markdown, at.info, at.success, at.caption) for one in kind)


# --- what is shipped -------------------------------------------------------------------------------------------------
def test_nine_lessons_in_every_language() -> None:
    known = lessons.shipped()
    assert tuple(known) == lessons.ORDER
    assert all(set(one.texts) == set(LANGUAGES) for one in known.values())
    for one in known.values():
        assert len({tuple(sorted(text)) for text in one.texts.values()}) == 1
        fields = [set(re.findall(r"(?<!\{)\{([^{}]+)\}(?!\})", text["reveal"])) for text in one.texts.values()]
        assert fields[0] and all(found == fields[0] for found in fields)
        assert len(lessons.pack(one.source)) <= lessons.LARGEST_LINK


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_lesson_runs(new_app: Start, code: str) -> None:
    at = open_lesson(new_app, {}, code)
    for id_, one in lessons.shipped().items():
        at.button(key=f"open_{id_}").click().run()
        assert at.query_params["lesson"] == id_ and at.query_params["lang"] == code
        reveal = max(re.split(r"[{}$*\n]", one.texts[code]["reveal"]), key=len).strip()
        assert not at.get("plotly_chart") and reveal not in words_of(at)
        assert one.texts[code]["title"] in [header.value for header in at.header]
        choice = isinstance(one.question, ChoiceQuestion)
        at.button(key="answer_1" if choice else "commit").click().run()
        assert not at.exception, at.exception[0].message
        assert reveal in words_of(at)
        assert len(at.get("plotly_chart")) == 1 and len(at.info) + len(at.success) == 1
        assert not re.search(r"\bnan\b|None|\{[a-z]", re.sub(r"\$[^$]*\$", "", words_of(at)))
        at.button(key="lesson_back").click().run()
    assert sum(text.value.startswith("✓") for text in at.markdown) == len(lessons.ORDER)


@pytest.mark.parametrize(("id_", "truth"), [("coin", 97.99), ("delta", 41.04), ("lead", 41.74), ("horizon", 12.66)])
def test_truths(id_: str, truth: float) -> None:
    one = lessons.shipped()[id_]
    assert one.truth() == pytest.approx(truth, abs=0.01)
    assert one.judge(truth) == "correct"
    assert (one.judge(truth - 20), one.judge(truth + 20)) == ("too_low", "too_high")


def test_truth_of_the_choice_is_computed() -> None:
    one = lessons.shipped()["worth"]
    assert (one.truth(), one.judge(2), one.judge(0)) == (2, "correct", "wrong")
    many = Parameters(targets=50, horizon=1000, delta=0.1)
    assert isinstance(one.question, ChoiceQuestion) and one.question.get_right(many) == 0


def test_the_answer_is_answered_and_taken_back(new_app: Start) -> None:
    at = open_lesson(new_app, {"lesson": "lead"})
    at.select_slider[0].set_value(10.0).run()
    at.button(key="commit").click().run()
    assert at.info[0].value.startswith("**Too low.** You said 10%; it is 41.7%.")
    assert "41.7" not in str(dict(at.query_params))
    at.button(key="lesson_again").click().run()
    assert "commit" in keys(at) and not at.get("plotly_chart")


def test_playing_leaves_the_scenario_alone(new_app: Start) -> None:
    at = open_lesson(new_app, {"lesson": "lead"})
    at.button(key="commit").click().run()
    at.select_slider(key="w_my_gap").set_value("64").run()
    assert at.query_params["my_gap"] == "64" and "gap" not in at.query_params
    assert "With these settings the leader is missed 0.832% of the time." in words_of(at)
    at.button(key="lesson_next").click().run()
    assert at.query_params["lesson"] == "horizon" and "my_gap" not in at.query_params


@pytest.mark.parametrize("view", lessons.VIEWS)
def test_pictures_at_the_ends(view: str) -> None:
    for p in (Parameters(targets=2, horizon=1, run_length=1, delta=0.95, gap=0), Parameters(delta=0.005, gap=500)):
        drawn = charts.draw(view, p)
        assert drawn.alt and drawn.axes and len(drawn.table())


def test_numbers_at_the_ends() -> None:
    small = Parameters(targets=2, horizon=1, run_length=1, delta=0.95, gap=0, people=2)
    large = Parameters(targets=500, horizon=10_000, run_length=10_000, delta=0.005, runs=10)
    for name, value in values.VALUES.items():
        assert values.meaning(name)
        for p in (small,) if value.simulated else (small, large):
            assert re.search(r"\d", values.parse(name).write(p)), name


# --- writing one -----------------------------------------------------------------------------------------------------
def test_template_is_a_lesson_and_names_everything() -> None:
    assert lessons.read(TEMPLATE).id == "my-lesson"
    listed = TEMPLATE[TEMPLATE.index("# Names") : TEMPLATE.index("# The page Learn")]
    assert set(re.findall(r"\{(\w+)\}", listed)) == set(values.VALUES)
    assert all(name in TEMPLATE for name in (*TABLE, *lessons.VIEWS))


def test_smallest_lessons() -> None:
    one = lessons.read(SMALL.replace("\n", "\r\n").encode("utf-8-sig"))
    assert one.say("reveal") == "It is 13."
    two = lessons.read(CHOICE + 'options = ["a", "b"]\n')
    assert (two.judge(1), two.judge(0), two.options()) == ("correct", "wrong", ["a", "b"])
    assert lessons.read(SMALL.replace("[en]", "[fr]")).say("title") == "Mine"


def change(old: str, new: str, source: str = SMALL) -> str:
    assert old in source
    return source.replace(old, new)


FAULTS = {
    "no TOML": (change("delta = 0.1", "delta = "), 4, "not TOML"),
    "open text": (change('"It is {sd}."', '"It is {sd}.'), 15, "not TOML"),
    "open long text": (change('"It is {sd}."', '"""It is {sd}.'), 16, "not TOML"),
    "key twice": (change("delta = 0.1", "delta = 0.1\ndelta = 0.2"), 5, "not TOML"),
    "unknown key": (change("view =", "picture ="), 2, "Unknown key `picture`. Allowed here: id, view, controls"),
    "unknown text": (SMALL + 'hint = "x"\n', 16, "Unknown key `hint`. Allowed here: title, intro"),
    "unknown language": (SMALL + "[xx]\n", 16, "Unknown key `xx`"),
    "unknown parameter": (change("delta =", "epsilon ="), 4, "Unknown key `epsilon`. Allowed here: delta, targets"),
    "missing table": (change("[scenario]\ndelta = 0.1\n", ""), None, "`scenario` is missing"),
    "missing text": (change('reveal = "It is {sd}."\n', ""), 11, "`en.reveal` is missing"),
    "missing number": (change("step = 1\n", ""), 5, "`question.step` is missing"),
    "no language": (SMALL[: SMALL.index("[en]")], None, "one of: en, fr, ko"),
    "bad id": (change('"mine"', '"My Lesson"'), 1, "small letters"),
    "bad view": (change('"noise"', '"movie"'), 2, "`view` is `movie`. Allowed: misselection, missed"),
    "id no text": (change('"mine"', "7"), 1, "`id` must be a text"),
    "scenario no table": ("scenario = 1\n" + change("[scenario]\ndelta = 0.1\n", ""), 1, "must be a table"),
    "out of range": (change("delta = 0.1", "delta = 2"), 4, "`delta` cannot be 2. Allowed (step): 0.005 – 0.95"),
    "not a number": (change("delta = 0.1", "delta = [1]"), 4, "`delta` must be a number"),
    "huge number": (change("delta = 0.1", "delta = 0x" + "f" * 1900), 4, "`delta` must be a number"),
    "too long a run": (change("delta = 0.1", "horizon = 10\nrun_length = 50"), 5, "`run_length` cannot be 50"),
    "unknown control": (change("[scenario]", 'controls = ["speed"]\n[scenario]'), 3, "`controls` is `speed`"),
    "two kinds": (change('answer = "sd"', 'answer = "sd"\nright = 1'), 5, "exactly one of: answer, right"),
    "no kind": (change('answer = "sd"\n', ""), 5, "exactly one of"),
    "unknown answer": (change('"sd"', '"noise"'), 6, "Unknown number `{noise}`. Allowed: delta"),
    "upside down": (change("maximum = 100", "maximum = -1"), 9, "scale from `minimum` to `maximum`"),
    "too fine": (change("step = 1", "step = 0.001"), 9, "scale from"),
    "not finite": (change("step = 1", "step = nan"), 9, "`step` must be a number"),
    "negative": (change("tolerance = 2", "tolerance = -2"), 10, "must not be negative"),
    "unknown placeholder": (change("{sd}", "{sdd}"), 15, "Unknown number `{sdd}`. Allowed: delta, targets"),
    "attribute": (change("{sd}", "{sd.real}"), 15, "Unknown number"),
    "conversion": (change("{sd}", "{sd!r}"), 15, "Unknown number"),
    "format": (change("{sd}", "{sd:>9999}"), 15, "Unknown number"),
    "empty placeholder": (change("{sd}", "{}"), 15, "Unknown number"),
    "placeholder far below": (
        change('"It is {sd}."', '"""\nIt is\nnot {sd}\nbut {nothing}."""'), 18, "Unknown number `{nothing}`"
    ),
    "open brace": (change("{sd}", "{sd"), 15, "brace without its partner"),
    "changed nonsense": (change("{sd}", "{sd@speed=1}"), 15, "Unknown parameter `speed`"),
    "changed too far": (change("{sd}", "{sd@delta=7}"), 15, "`delta` cannot be 7"),
    "changed to nothing": (change("{sd}", "{sd@delta}"), 15, "`delta` cannot be"),
    "link": (change("It is", "[It](http://x.example) is"), 15, "Links and pictures"),
    "hidden link": (change("It is", "http&#58;//x.example is"), 15, "Links and pictures"),
    "picture": (change("It is", "![It][1] is"), 15, "Links and pictures"),
    "empty": (change('"Mine"', '" "'), 12, "`title` is empty"),
    "too long": (change('"Mine"', '"' + "x" * 121 + '"'), 12, "at most 120 signs"),
    "options of a number": (SMALL + 'options = ["a", "b"]\n', 16, "belong to a choice"),
    "no options": (CHOICE, 7, "`options` must list 2"),
    "one option": (CHOICE + 'options = ["a"]\n', 12, "2 to 6 answers"),
    "right out of range": (CHOICE.replace("= 2", "= 3") + 'options = ["a", "b"]\n', 6, "number of the right option"),
    "scale of a choice": (CHOICE.replace("= 2", "= 2\nstep = 1"), 7, "Unknown key `step`"),
    "names of a choice": (CHOICE.replace("right = 2", 'smallest = ["sd"]'), 6, "one number for each option"),
    "not as many names": (
        CHOICE.replace("right = 2", 'smallest = ["sd", "sd@delta=0.2"]') + 'options = ["a", "b", "c"]\n', 12, "list 2"
    ),
    "too many numbers": (
        change("{sd}", " ".join(f"{{tca_missed@seed={i}}}" for i in range(13))), None, "Too many different numbers"
    ),
    "deep": ("id = " + "[\n" * 20_000, None, "nested too deeply"),
    "long line": ("a." * 40_000 + "b = 1", 1, "line is too long"),
    "nothing": ("", None, "`id` is missing"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_told(fault: str) -> None:
    source, line, reason = FAULTS[fault]
    with pytest.raises(LessonError) as refused:
        lessons.read(source)
    told = refused.value.told()
    assert reason in told
    assert refused.value.line == line, told
    assert told.startswith(f"Line {line}: ") == (line is not None)


def test_other_files_are_refused() -> None:
    with pytest.raises(LessonError, match="too large"):
        lessons.read(b"#" * (lessons.LARGEST + 1))
    with pytest.raises(LessonError, match=r"line 2: .*UTF-8"):
        lessons.read(b"# one\n\xff")


PARTS = st.sampled_from([*SMALL.splitlines(), *CHOICE.splitlines(), "[", "]", "=", '"""', "{", "}", "{sd@", "1e999",
                         "[[en]]", "[en.title]", "1979-05-27", "true", "\x00", "é"])  # fmt: skip


@given(st.one_of(st.binary(max_size=200), st.lists(PARTS, max_size=25).map(lambda parts: "\n".join(parts).encode())))
@example(SMALL.encode("utf-16"))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        one = lessons.read(data)
    except LessonError as error:
        assert error.told() and str(error)
    else:
        assert one.texts


@given(st.text(max_size=300), st.integers(0, len(SMALL)))
def test_any_text_inside_a_lesson_is_read_or_refused(text: str, at: int) -> None:
    try:
        assert lessons.read(SMALL[:at] + text + SMALL[at:]).texts
    except LessonError as error:
        assert error.told() and str(error)


# --- links -----------------------------------------------------------------------------------------------------------
@given(st.text(max_size=400))
def test_any_link_is_unpacked_or_refused(value: str) -> None:
    try:
        lessons.unpack(value)
    except LessonError as error:
        assert error.told()


def test_links() -> None:
    packed = lessons.pack(SMALL)
    assert re.fullmatch(r"[\w-]+", packed) and lessons.unpack(packed) == SMALL
    for value, reason in (
        (packed[:-9], "damaged"),
        ("x" * (lessons.LARGEST_LINK + 1), "too long"),
        (base64.urlsafe_b64encode(zlib.compress(b"#" * 10**6)).decode().rstrip("="), "too large"),
    ):
        with pytest.raises(LessonError, match=reason):
            lessons.unpack(value)


def test_a_seventh_lesson_by_link(new_app: Start) -> None:
    at = open_lesson(new_app, {"lesson": show.OWN, "own": lessons.pack(TEMPLATE)}, "ko")
    assert at.header[0].value == "How far ahead is far enough?"
    at.button(key="commit").click().run()
    assert "80.3%" in words_of(at) or "It is **" in words_of(at)
    assert at.query_params["own"] == lessons.pack(TEMPLATE)
    at.button(key="lesson_back").click().run()
    assert "open_own" in keys(at)


@pytest.mark.parametrize("value", ["nonsense", lessons.pack(SMALL.replace("{sd}", "{sdd}"))])
def test_a_faulty_link_is_told(new_app: Start, value: str) -> None:
    at = open_lesson(new_app, {"lesson": show.OWN, "own": value})
    assert len(at.error) == 1 and "The lesson cannot be used." in at.error[0].value
    assert "open_greedy" in keys(at) and "open_own" not in keys(at)


def test_projector_mode_has_few_controls(new_app: Start) -> None:
    at = open_lesson(new_app, {"lesson": "coin", "big": "on"})
    at.button(key="commit").click().run()
    assert not at.expander and "lesson_scenario" not in keys(at)
    assert any("font-size: clamp" in str(html.value) for html in at.get("html"))


# --- the tour --------------------------------------------------------------------------------------------------------
def test_tour_names_what_exists() -> None:
    assert len(tour.steps()) == 8
    for step in tour.steps():
        assert step.page in {page.id for page in PAGES}
        assert set(step.texts) == set(words.LANGUAGES)
        assert re.fullmatch(r"[a-z_-]*", step.control)
        assert {*step.at_least, *filter(None, [step.changed])} <= set(TABLE)


def test_conditions() -> None:
    before, now = Parameters(), Parameters(delta=0.2, gap=40)
    changed = tour.Step("lead", changed="delta")
    assert changed.is_done("lead", before, now, {}) and not changed.is_done("lead", before, before, {})
    assert not changed.is_done("start", before, now, {})
    reached = tour.Step("lead", at_least={"gap": 32})
    assert reached.is_done("lead", before, now, {}) and not reached.is_done("lead", before, before, {})
    chosen = tour.Step("adversary", chosen={"view": "game"})
    assert chosen.is_done("adversary", before, now, {"view": "game"})
    assert not chosen.is_done("adversary", before, now, {"view": "limits"})
    anything = tour.Step("learn", chosen={"lesson": ""})
    assert anything.is_done("learn", before, now, {"lesson": "x"}) and not anything.is_done("learn", before, now, {})
    assert tour.Step("plan").is_done("plan", before, before, {})


def test_tour_notices_and_goes_on(new_app: Start) -> None:
    at = open_lesson(new_app, {})
    at.button(key="tour_start").click().run()
    assert at.query_params["tour"] == "1"
    assert at.button(key="tour_next").label == "Skip this step"
    at.button(key="tour_next").click().run()
    assert at.query_params["tour"] == "2"
    assert at.title[0].value == "Same reports, different auditors"
    at.switch_page("pages/2_Records.py").run()
    at.select_slider(key="w_targets").set_value(20).run()
    assert at.button(key="tour_next").label == "Next step" and "**Done.**" in words_of(at)
    at.select_slider(key="w_targets").set_value(50).run()
    assert "**Done.**" in words_of(at)
    at.button(key="tour_stop").click().run()
    assert "tour_next" not in keys(at) and "tour" not in at.query_params


@pytest.mark.parametrize("code", LANGUAGES)
def test_tour_ends(new_app: Start, code: str) -> None:
    at = new_app(lang=code, tour=8)
    assert tour.steps()[7].texts[code] in words_of(at)
    at.switch_page("pages/7_Plan.py").run()
    at.button(key="tour_next").click().run()
    assert "tour_next" not in keys(at)
