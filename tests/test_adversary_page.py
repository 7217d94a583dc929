"""Adversary: every number on the page is the core's, at every stop of every slider, in every language."""

import numpy as np
import pytest
from pictures import Picture

from core import calibration, deniability
from ui.words import LANGUAGES

PAGE = "pages/5_Adversary.py"


@pytest.fixture
def picture(new_app):
    return Picture(new_app(PAGE, delta=0.2, people=8), "adversary")


def series(picture, kind):
    return [one for one in picture.data["plot"]["series"] if one["kind"] == kind]


def test_defaults(new_app):
    at = new_app(PAGE)
    assert at.title[0].value == "What can the organisation find out?"
    assert Picture(at, "adversary").slider("delta")["values"][Picture(at, "adversary").index["delta"]] == 0.1


def test_sentence_of_the_headline(picture):
    large, success, caught = picture.parts("text")
    numbers = picture.slots(large)
    mu = calibration.get_mu(0.2)
    assert numbers["before"] == pytest.approx(1 / 8)
    assert numbers["after"] == pytest.approx(float(deniability.get_suspicion(1 / 8, 0.1, 0.2, mu)), rel=1e-6)
    assert picture.slots(success)["success"] == pytest.approx(0.6)
    assert picture.slots(success)["points"] == pytest.approx(2.5)
    assert picture.slots(caught) == {"alarms": 100, "caught": np.ceil(1000 * deniability.get_tpr_gaussian(0.1, mu))}


@pytest.mark.parametrize(("delta", "alarm", "people"), [(0.005, 0.01, 2), (0.1, 0.1, 10), (0.95, 0.9, 1000)])
def test_every_stop_agrees_with_the_core(picture, delta, alarm, people):
    for name, value in (("delta", delta), ("false_alarm", alarm), ("people", people)):
        picture.move(name, value)
    mu = calibration.get_mu(delta)
    (marker,) = series(picture, "marker")
    tpr = float(deniability.get_tpr_gaussian(alarm, mu))
    assert float(picture.pick(marker["x"])) == pytest.approx(alarm)
    assert float(picture.pick(marker["y"])) == pytest.approx(tpr, rel=1e-6)
    suspicion = float(deniability.get_suspicion(1 / people, alarm, delta, mu))
    assert picture.slots(picture.parts("text")[0])["after"] == pytest.approx(suspicion, rel=1e-6)
    before, after = picture.parts("dots")
    assert float(picture.pick(after["shares"])) == pytest.approx(suspicion, rel=1e-6)
    assert float(picture.pick(after["base"])) == float(picture.pick(before["shares"])) == pytest.approx(1 / people)


def test_the_curve_stays_between_guessing_and_the_delta_line(picture):
    chance, line, gaussian = series(picture, "line")
    for stop in range(len(picture.slider("delta")["values"])):
        picture.index["delta"] = stop
        guess, most, curve = (picture.pick(one["y"]) for one in (chance, line, gaussian))
        assert (curve <= most + 1e-6).all() and (curve >= guess - 1e-6).all()
        assert (np.diff(curve) >= 0).all()


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    "query",
    [{"delta": 0.005, "fpr": 0.01, "people": 1000}, {"delta": 0.95, "fpr": 0.99, "people": 2}, {"delta": 0.137}],
)
def test_extremes_in_every_language(new_app, code, query):
    at = new_app(PAGE, lang=code, **query)
    picture = Picture(at, "adversary")
    assert picture.data["language"] == code
    for number in range(len(picture.data["arrays"])):
        assert np.isfinite(picture.pick(number)).all()


def test_bad_values_keep_the_defaults(new_app):
    at = new_app(PAGE, delta="much", fpr="-1", people="1e9")
    picture = Picture(at, "adversary")
    chosen = {one["name"]: one["values"][one["index"]] for one in picture.data["sliders"]}
    assert chosen == {"delta": 0.1, "false_alarm": 0.01, "people": 1000}
    assert at.warning


def test_payload_is_small(new_app):
    proto = new_app(PAGE).get_by_key("adversary").proto
    assert proto.ByteSize() < 250_000
