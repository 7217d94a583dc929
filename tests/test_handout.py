"""The hand-out says what the pages say, in every language, and stands in one file that asks nobody for anything."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from handouts import EXTREME, SMALL, courses
from streamlit.testing.v1 import AppTest

from core.parameters import TABLE, Parameters
from core.utility import get_misselection
from ui import frames, handout, words
from ui.handout import content, draw, render
from ui.live import Axis, Line, Marker, Plot
from ui.words import LANGUAGES

NewApp = Callable[..., AppTest]
LINK = 'http://127.0.0.1:8501/lead?lang=en&delta=0.1&x="><script>alert(1)</script>'


def make(p: Parameters, link: str = LINK) -> content.Content:
    return content.make(p, courses(p), link)


@pytest.fixture(params=list(LANGUAGES))
def code(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(words, "language", lambda: request.param)
    return request.param


def test_numbers_are_those_of_the_core() -> None:
    made = make(SMALL)
    values = {row.name: row.value for row in made.numbers}
    assert values["Right guesses from the whole record, at most"] == "55%"
    assert values["Percentage points 3 reports can add up to"] == "30"
    tally = courses(SMALL)["tca"]
    assert values["Missed reports a step: Noisy tally (TCA)"].startswith(words.number(tally.mean_deficit))
    assert {row.source for row in made.numbers} >= {"Theorem 1", "Theorem 2", "Proposition 15", "Corollary 9"}
    assert f"simulated: {SMALL.runs} runs, seed {SMALL.seed}" in {row.source for row in made.numbers}
    assert dict(made.setting)["Seed of the random numbers"] == str(SMALL.seed)
    assert any(f"--seed {SMALL.seed}" in command for _, command in made.commands)


def test_the_number_of_runs_is_the_one_used() -> None:
    made = content.make(replace(SMALL, runs=1000), courses(SMALL), LINK)
    assert dict(made.setting)["Simulated runs (S)"] == "10"
    assert any("--runs 10" in command for _, command in made.commands)


def test_settings_can_be_set_again_from_paper() -> None:
    assert dict(make(EXTREME[0]).setting)["Reports about each other organisation, per step"] == "19.95"


@pytest.mark.parametrize("p", [SMALL, *EXTREME], ids=["default", "largest", "smallest"])
def test_every_text_is_filled_in(code: str, p: Parameters) -> None:
    made = make(p)
    texts = [made.answer, made.runs, *made.promised, *made.costs, *made.not_covered, *made.words.values()]
    texts += [text for row in made.numbers for text in (row.name, row.value, row.source)]
    assert not [text for text in texts if not text or re.search(r"[{}]|nan", text)]
    assert made.language == code


def test_page_is_one_file_with_one_plotly(code: str) -> None:
    html = render.page(make(SMALL)).decode()
    assert len(html.encode()) < 6_000_000
    assert html.startswith(f'<!DOCTYPE html>\n<html lang="{code}">')
    assert html.count("plotly.js v") == 1
    assert not re.search(r"""<(script|link|img|iframe)[^>]*\s(src|href)=""", html)
    data = re.search(r'<script type="application/json" id="figures">(.*?)</script>', html, re.DOTALL)
    assert data is not None and set(json.loads(data[1])) == {"lead", "means", "square"}


@pytest.mark.parametrize("paper", render.PAPERS)
def test_what_a_link_holds_is_text(paper: str) -> None:
    made = make(SMALL)
    for html in (render.page(made).decode(), render.brief(made, paper).decode()):
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert" in html


def test_bold_marks_are_all_that_is_marked_up() -> None:
    assert render.bold("**1 < 2** & <b>") == "<strong>1 &lt; 2</strong> &amp; &lt;b&gt;"


def test_figures_hold_the_exact_curve() -> None:
    made = make(SMALL)
    figure = next(picture.figure for picture in made.pictures if picture.id == "lead")
    curve = next(trace for trace in figure.data if trace.name == "Noisy tally, exact")
    sd = float(frames.get_count_sd(SMALL.delta, SMALL.horizon, SMALL.run_length))
    np.testing.assert_allclose(
        curve.y, get_misselection(np.exp2(np.asarray(curve.x)) - 1.0, SMALL.targets, sd), atol=1e-6
    )
    # what one points at is written as the page writes it
    assert curve.text[-1].split(" → ")[0] == "500"


def test_svg_puts_points_where_the_axes_say() -> None:
    axis = Axis("", 0.0, 1.0, [(0.0, "0"), (1.0, "1")])
    line = Line([0.0, 1.0], [0.0, 1.0], "#2f83c5", "<line>")
    marker = Marker(np.array([[1.0]]), np.array([[0.0]]), "#2f83c5", "circle")
    plot = Plot(axis, axis, [line, marker])
    svg = draw.make_svg(plot, "x", 'a "picture"', width=100.0, height=50.0)
    start, end = re.search(r'<path d="M([\d.]+ [\d.]+)L([\d.]+ [\d.]+)" stroke', svg).groups()  # type: ignore[union-attr]
    (x0, y0), (x1, y1) = (map(float, point.split()) for point in (start, end))
    assert x0 < x1 and y0 - y1 == pytest.approx(50.0, abs=0.11)
    assert f'<circle cx="{x1:.1f}" cy="{y0:.1f}"' in svg
    assert 'aria-label="a &quot;picture&quot;"' in svg
    assert [name for _, name in draw.legend(plot)] == ["<line>"]


def test_wrapping_keeps_every_word() -> None:
    text = "fausses alertes : vous soupçonne à tort 오경보: 신고하지 않은 당신을 의심"
    lines = draw.wrap(text, 120.0)
    assert " ".join(lines) == text
    assert all(draw.measure(line) <= 120.0 for line in lines)


def _open(at: AppTest, page_id: str) -> None:
    at.session_state[f"take_home_{page_id}"] = True
    at.run()
    assert not at.exception, at.exception[0].message


def test_nothing_is_made_before_it_is_asked_for(new_app: NewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "make", lambda *_: pytest.fail("made too early"))
    new_app(runs=10, T=60, L=60)


@pytest.mark.parametrize("code", LANGUAGES)
def test_popover_offers_what_is_on_the_page(new_app: NewApp, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    made: list[content.Content] = []
    real = content.make

    def spy(asked: Parameters, found: Mapping[str, frames.Course], link: str) -> content.Content:
        made.append(real(asked, found, link))
        return made[-1]

    monkeypatch.setattr(handout.content, "make", spy)
    at = new_app("pages/3_Lead.py", lang=code, C=12, T=26, L=26, runs=10, seed=5)
    at.session_state["choices"] = {"panels": "fixed"}
    at.run()
    _open(at, "lead")
    assert made[-1].language == code
    query = parse_qs(urlsplit(made[-1].link).query)
    assert query == {key: [value] for key, value in dict(at.query_params).items()}
    assert query["panels"] == ["fixed"] and query["C"] == ["12"]


def test_defaults_of_the_table_are_in_the_setting() -> None:
    assert set(content.SETTING) == set(TABLE)
