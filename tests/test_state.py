"""The URL and the session: what goes out comes back, and what cannot be taken is told."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.parameters import TABLE, Parameters, from_query, mend, to_query

NewApp = Callable[..., AppTest]


def _values(name: str) -> st.SearchStrategy[Any]:
    row = TABLE[name]
    if row.choices:
        return st.sampled_from(row.choices)
    assert row.minimum is not None and row.maximum is not None and row.step is not None
    steps = round((row.maximum - row.minimum) / row.step)
    return st.integers(0, steps).map(lambda step: row.snap(row.minimum + step * row.step))


ANY_PARAMETERS = st.fixed_dictionaries({name: _values(name) for name in TABLE}).map(lambda values: mend(values)[0])


@given(ANY_PARAMETERS)
def test_link_round_trip(parameters: Parameters) -> None:
    assert from_query(to_query(parameters)) == (parameters, ())


@given(st.dictionaries(st.sampled_from([row.url for row in TABLE.values()]), st.text(max_size=12)))
def test_any_text_gives_parameters(query: dict[str, str]) -> None:
    parameters, told = from_query(query)
    assert isinstance(parameters, Parameters)
    for name, row in TABLE.items():
        taken = row.url in query and str(getattr(parameters, name)) == query[row.url]
        assert taken or row.url not in query or name in {one.name for one in told} or _same(query[row.url], name)


def _same(text: str, name: str) -> bool:
    """Another way to write the value that was taken."""
    return float(text) == getattr(from_query({TABLE[name].url: text})[0], name)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANY_PARAMETERS)
def test_page_writes_back_the_link_it_was_opened_with(new_app: NewApp, parameters: Parameters) -> None:
    at = new_app("pages/6_About.py", lang="fr", **to_query(parameters))
    assert not at.warning
    assert dict(at.query_params) == {"lang": "fr", **to_query(parameters)}


BAD = {
    "not a number": ("C", "abc", "50"),
    "empty": ("C", "", "50"),
    "too large": ("C", "9000", "500"),
    "too small": ("C", "-3", "2"),
    "zero": ("T", "0", "1"),
    "fraction": ("C", "4.4", "4"),
    "infinite": ("delta", "inf", "0.1"),
    "not a number by name": ("delta", "nan", "0.1"),
    "overflow": ("C", "1e999", "50"),
    "percent": ("delta", "10%", "0.1"),
    "decimal comma": ("delta", "0,2", "0.1"),
    "off the lattice": ("delta", "0.1234", "0.125"),
    "boolean": ("seed", "True", "2026"),
    "negative seed": ("seed", "-1", "0"),
    "unknown choice": ("rr", "best", "paper-experiments"),
    "markdown": ("C", "[x](http://a) **b** `c` <b>d</b> $e$", "50"),
    "control signs": ("C", "5\x00\x1b[31m", "50"),
    "long": ("C", "9" * 5000, "50"),
    "hangul": ("C", "오십", "50"),
    "unknown language": ("lang", "xx", "en"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_value_is_told(new_app: NewApp, case: str) -> None:
    key, given_, used = BAD[case]
    at = new_app("pages/6_About.py", **{key: given_})
    [notice] = at.warning
    row = next((row for row in TABLE.values() if row.url == key), None)
    default = str(row.default) if row else None
    assert at.query_params.get(key, default) == used
    assert "<b>" not in notice.value and "[x](" not in notice.value and "\x1b" not in notice.value
    assert len(notice.value) < 400
    assert not at.error


def test_good_spellings_are_taken_silently(new_app: NewApp) -> None:
    at = new_app("pages/6_About.py", C=" 37 ", delta="2e-1", T="873.0")
    assert not at.warning
    assert (at.query_params["C"], at.query_params["delta"], at.query_params["T"]) == ("37", "0.2", "873")


def test_contradictions_are_told(new_app: NewApp) -> None:
    at = new_app("pages/6_About.py", T=100, L=500)
    assert at.query_params["L"] == "100" and len(at.warning) == 1
    at = new_app("pages/6_About.py", C=500, T=10_000, runs=1000)
    assert (
        int(at.query_params.get("runs", TABLE["runs"].default)) * 500 * 10_000 <= 500_000_000 and len(at.warning) == 1
    )


def test_several_bad_values_make_one_notice(new_app: NewApp) -> None:
    at = new_app("pages/6_About.py", C="x", T="y", lang="zz")
    [notice] = at.warning
    assert notice.value.count("\n- ") == 2


def test_unknown_keys_are_told_once_and_mildly(new_app: NewApp) -> None:
    at = new_app(utm_source="mail", foo="1")
    assert not at.warning
    assert any("`foo`, `utm_source`" in caption.value for caption in at.caption)
    at.run()
    assert not any("`foo`" in caption.value for caption in at.caption)
    assert "foo" not in at.query_params


def test_notice_goes_with_the_next_change(new_app: NewApp) -> None:
    at = new_app("pages/6_About.py", C="abc")
    assert at.warning
    at.run()
    assert at.warning, "a rerun of its own must not take the notice away"
    at.selectbox(key="w_preset").set_value("school").run()
    assert not at.warning


PAGE_LOCAL = """
import streamlit as st
from ui import controls, state
state.load()
state.begin_page("here")
controls.choice("view", "View", {"a": "Eins", "b": "Zwei"}, "a")
controls.whole("step", "Step", 1, 1, 20)
left = state.end_page()
st.text([one.reason for one in state.notices()])
st.text(left)
st.text(state.link())
"""


def _local(**query: str) -> AppTest:
    at = AppTest.from_string(PAGE_LOCAL, default_timeout=20)
    at.query_params.update(query)
    at.run()
    assert not at.exception
    return at


def test_page_local_values_follow_the_link() -> None:
    at = _local(view="b", step="7")
    assert (at.get_by_key("w_view").value, at.slider(key="w_step").value) == ("b", 7)
    assert at.text[2].value == "?lang=en&seed=2026&view=b&step=7"
    at.slider(key="w_step").set_value(9).run()
    assert at.query_params["step"] == "9"
    at.slider(key="w_step").set_value(1).run()
    assert "step" not in at.query_params


@pytest.mark.parametrize(("key", "value", "reason"), [
    ("view", "c", "not-a-value"), ("step", "x", "not-a-value"), ("step", "99", "out-of-range"),
    ("step", "1.5", "not-a-value"), ("step", "", "not-a-value"),
])  # fmt: skip
def test_bad_page_local_values_are_told(key: str, value: str, reason: str) -> None:
    at = _local(**{key: value})
    assert at.text[0].value == str([reason])
    assert at.text[1].value == "[]"
