"""When the promise breaks: every number is the core's, and where there is none, none is shown."""

import pytest
from charts import figure
from views import open_view

from core import boundary, deniability
from core.boundary import NO_NUMBER, Practice
from ui.adversary import limits
from ui.adversary.limits import BREACHES
from ui.words import LANGUAGES


@pytest.fixture
def look(new_app):
    return lambda **query: open_view(new_app, "limits", **query)


def texts(at):
    return " ".join(one.value for one in at.markdown)


def bar(at):
    """Upper end of the bar "in practice", and its label."""
    (bars,) = figure(at, "limits_success")["data"]
    return bars["base"][0] + bars["x"][0], bars["text"][0]


def test_as_planned(look):
    at = look()
    assert "**Everything runs as planned:** whoever watches all 1,000 audits guesses right at most 55%." in texts(at)
    assert bar(at) == (pytest.approx(0.55), "55%")


@pytest.mark.parametrize(
    "query, practice",
    [
        ({"filed": 5}, Practice(reports=5, audits=1000)),
        ({"ran": 4000}, Practice(audits=4000)),
        ({"reused": "on"}, Practice(audits=1000, noise_reused=True)),
        ({"filed": 3, "ran": 2000, "reused": "on"}, Practice(3, 2000, True)),
    ],
)
def test_what_is_left_is_the_cores(look, query, practice):
    at = look(delta=0.2, **query)
    left = boundary.get_remainder(0.2, 1000, practice)
    now = float(deniability.get_success(left.delta, 0.5))
    assert bar(at)[0] == pytest.approx(now)
    assert f"right up to **{100 * now:.3g}%** of the time instead of 60%" in texts(at)
    assert f"{left.mu:.4g}" in texts(at), "the formula carries the number of the sentence"


def test_noisy_counts_change_nothing(look):
    at = look(noisy="on")
    assert "**Everything runs as planned:**" in texts(at) and bar(at)[0] == pytest.approx(0.55)


@pytest.mark.parametrize("name", NO_NUMBER)
def test_where_no_number_applies(look, name):
    at = look(**{BREACHES[name].key: "on", "filed": 4})
    assert f"**No number applies any more** ({BREACHES[name].title})" in texts(at)
    assert "right at most 69.2%" in texts(at), "the record alone, with four reports"
    spec = figure(at, "limits_success")
    assert spec["data"][0]["text"][0] == "" and spec["layout"]["annotations"][0]["text"] == "no number applies"


def test_switches_by_hand(look):
    at = look()
    at.toggle(key="w_reused").set_value(True).run()
    assert "**Not as promised:**" in texts(at) and at.query_params["reused"] in ("on", ["on"])
    at.toggle(key="w_channel").set_value(True).run()
    assert "No number applies any more" in texts(at)
    at.toggle(key="w_channel").set_value(False).run()
    at.toggle(key="w_reused").set_value(False).run()
    at.slider(key="w_filed").set_value(10).run()
    assert bar(at)[0] == pytest.approx((1 + deniability.get_k_reports_delta(0.1, 10)) / 2)
    at.slider(key="w_filed").set_value(1).run()
    assert "**Everything runs as planned:**" in texts(at)
    assert "filed" not in at.query_params and "reused" not in at.query_params


def test_each_departure_alone(look):
    text = texts(look(delta=0.1))
    two, twice, reused = (
        float(deniability.get_success(boundary.get_remainder(0.1, 1000, practice).delta, 0.5))
        for practice in (Practice(2, 1000), Practice(1, 2000), Practice(1, 1000, True))
    )
    assert f"With 2 reports alone: right guesses up to **{100 * two:.3g}%**" in text
    assert f"With 2,000 audits alone: right guesses up to **{100 * twice:.3g}%**" in text
    assert f"This alone: right guesses up to **{100 * reused:.3g}%**" in text
    assert "Planned with delta 0.05" in text
    assert text.count("**No number applies.**") == len(NO_NUMBER)


def test_auditors(look):
    table = look(delta=0.1, C=50).table[-1].value
    assert list(table["Right guesses"]) == [
        "at most 55%", "at most 55%", "no limit; at least 99%", "at most 50%", "at most 50%", "at most 55%",
    ]  # fmt: skip
    assert list(table["Lasts for"]) == ["1,000 audits", "1,000 audits", "–", "ever", "ever", "ever"]
    forever = look(rr="race").table[-1].value
    assert forever["Lasts for"].iloc[1] == "ever"


def test_every_field_has_its_switch():
    assert set(BREACHES) == set(vars(Practice())) == {name for row in limits.ROWS for name in row}
    assert len({breach.key for breach in BREACHES.values()}) == len(BREACHES)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    "query",
    [
        {"C": 2, "T": 1, "L": 1, "delta": 0.005, "filed": 30, "ran": 10, "reused": "on"},
        {"C": 500, "T": 10000, "L": 10000, "delta": 0.95, "filed": 30, "reused": "on", "runs": 10},
    ],
)
def test_extremes_in_every_language(look, code, query):
    at = look(lang=code, **query)
    assert 0.5 < bar(at)[0] <= 1.0


@pytest.mark.parametrize("query", [{"filed": "0"}, {"filed": "many"}, {"ran": "1"}, {"reused": "perhaps"}])
def test_bad_links(look, query):
    at = look(**query)
    assert at.warning and "Everything runs as planned" in texts(at)
