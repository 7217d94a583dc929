"""The frame around the pages. Guards: with a folder called pages/, Streamlit may run a page's file without the app."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.source_util import page_icon_and_name
from streamlit.testing.v1 import AppTest

from core.parameters import PRESETS, TABLE
from ui import marks
from ui.navigation import PAGES
from ui.words import LANGUAGES, catalogue

NewApp = Callable[..., AppTest]
ROOT = Path(__file__).parent.parent


def test_addresses_differ_from_the_files_own() -> None:
    for page in PAGES:
        assert page.id != page_icon_and_name(Path(page.file))[1]
    assert {page.file for page in PAGES} == {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}


def test_frame_survives_reruns(app: AppTest) -> None:
    for _ in range(3):
        app.run()
        assert [title.value for title in app.title] == [PAGES[0].question]
        assert app.get_by_key("w_lang").value == "en"


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_titles(new_app: NewApp, page, code: str) -> None:
    at = new_app(page.file, lang=code)
    assert [title.value for title in at.title] == [catalogue(code).gettext(page.question)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_tools_are_on_every_page(new_app: NewApp, page) -> None:
    at = new_app(page.file)
    assert at.selectbox(key="w_preset").value == "experiment-2"
    assert at.button(key="reset").label == "Reset"
    assert at.get_by_key(f"copy_link_{page.id}")


def test_preset_then_reset(app: AppTest) -> None:
    app.selectbox(key="w_preset").set_value("school").run()
    assert (app.query_params["C"], app.query_params["T"]) == ("12", "26")
    assert app.selectbox(key="w_preset").value == "school"
    app.button(key="reset").click().run()
    assert dict(app.query_params) == {"lang": "en", "seed": str(TABLE["seed"].default)}
    assert app.selectbox(key="w_preset").value == "experiment-2"


def test_preset_keeps_the_seed(new_app: NewApp) -> None:
    at = new_app(seed=7)
    at.selectbox(key="w_preset").set_value("small-regulator").run()
    assert at.query_params["seed"] == "7"
    assert at.selectbox(key="w_preset").value == "small-regulator"


def test_every_preset_can_be_picked(app: AppTest) -> None:
    for name in PRESETS:
        app.selectbox(key="w_preset").set_value(name).run()
        assert app.selectbox(key="w_preset").value == name


def test_state_survives_navigation(new_app: NewApp) -> None:
    at = new_app(C=37, delta=0.2, lang="ko", seed=5)
    for page in (*PAGES[1:], PAGES[0]):
        at.switch_page(page.file).run()
        assert not at.exception
        assert {"C": "37", "delta": "0.2", "lang": "ko", "seed": "5"}.items() <= dict(at.query_params).items()


def test_slider_keeps_a_value_between_its_stops(new_app: NewApp) -> None:
    at = new_app("pages/4_Long_run.py", C=37, T=73, L=73, runs=10)
    slider = at.select_slider(key="w_targets")
    assert slider.value == 37
    slider.set_value(20).run()
    assert at.query_params["C"] == "20"
    assert at.select_slider(key="w_targets").value == 20
    assert "37" in at.select_slider(key="w_targets").options


def test_icon_is_local_and_set_before_the_navigation() -> None:
    text = (ROOT / "app.py").read_text()
    assert 0 < text.index("page_icon") < text.index("st.navigation")


def test_styles_and_scripts_ask_nobody() -> None:
    for path in (*(ROOT / "assets").rglob("*.css"), *(ROOT / "assets").rglob("*.js"), ROOT / ".streamlit/config.toml"):
        addresses = re.findall(r"https?://(?!www\.w3\.org)\S+|@import\s\S+", path.read_text())
        assert not addresses, path


def test_theme_gives_plotly_exactly_ten_colours() -> None:
    import tomllib

    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
    assert [len(part["chartCategoricalColors"]) for part in (theme, theme["dark"])] == [10, 10]


def _luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("background", ["#ffffff", "#0d1117"])
@pytest.mark.parametrize("name", marks.MARKS)
def test_marks_stand_out(name: str, background: str) -> None:
    high, low = sorted((_luminance(marks.MARKS[name].color), _luminance(background)), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 3


def test_marks_differ_in_colour_and_shape() -> None:
    for part in ("color", "symbol", "glyph", "plain"):
        assert len({getattr(mark, part) for mark in marks.MARKS.values()}) == len(marks.MARKS)
