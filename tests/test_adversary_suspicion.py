"""The view Suspicion: posteriors against Bayes by hand, ranges against core, both fates of one delta."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from charts import array, figure
from streamlit.testing.v1 import AppTest

from core import calibration, deniability
from core.auditors import make_mechanism
from core.parameters import PRESETS
from core.simulation import run_transcript
from core.streams import WithReport, make_stream
from ui.adversary import measured, suspicion
from ui.adversary.measured import Bar

PAGE = "pages/5_Adversary.py"
Start = Callable[..., AppTest]
SCHOOL = PRESETS["school"]
SMALL = {"C": 12, "T": 26, "L": 26}


class Nowhere:
    """A place for a progress bar that nobody sees."""

    def progress(self, share: float, text: str) -> None:
        assert 0.0 <= share <= 1.0 and text


@pytest.fixture
def open_view(new_app: Start) -> Start:
    return lambda local=None, **query: new_app(PAGE, view="suspicion", **(local or {}), **query)


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def event(kind: str, steps: int, p=SCHOOL, pairs: int = 500) -> suspicion.Event:
    return suspicion.get_event(p, 9, 2, kind, steps, pairs, Bar(Nowhere(), 1, pairs, p))


# --- numbers ---------------------------------------------------------------------------------------------------------
def test_wait_is_the_one_of_the_pages_record() -> None:
    told = WithReport(make_stream(SCHOOL), 9, 2)
    audits = run_transcript(make_mechanism("tca", SCHOOL), told, 26, SCHOOL.seed).audits
    wait = suspicion.get_wait(SCHOOL, 9, 2)
    later = audits[8:].tolist()
    assert wait == (later.index(2) if 2 in later else None)


@pytest.mark.parametrize("kind", suspicion.KINDS)
@pytest.mark.parametrize("steps", [0, 4, 17])
def test_posterior_is_bayes(kind: str, steps: int) -> None:
    found = event(kind, steps)
    tpr, fpr, prior = found.tpr.share, found.fpr.share, 1 / SCHOOL.people
    bayes = prior * tpr / (prior * tpr + (1 - prior) * fpr) if tpr + fpr else prior
    assert found.before == prior and found.low <= found.after <= found.high
    assert found.after == pytest.approx(bayes) or found.after in (found.low, found.high)


def test_events_add_up() -> None:
    within, at, before, rest = event("within", 4), event("at", 4), event("within", 3), event("not", 4)
    for world in ("tpr", "fpr"):
        shares = [getattr(one, world).share for one in (within, at, before, rest)]
        assert shares[0] == pytest.approx(shares[1] + shares[2]) and shares[0] + shares[3] == pytest.approx(1.0)


def test_interval_never_leaves_what_the_promise_allows() -> None:
    mu = calibration.get_mu(SCHOOL.delta)
    for steps in range(10):
        found = event("within", steps, pairs=60)
        if found.fpr.low > 0:
            assert found.high <= deniability.get_suspicion(0.1, found.fpr.low, SCHOOL.delta, mu) + 1e-12
            assert found.low >= deniability.get_suspicion_floor(0.1, found.fpr.low, SCHOOL.delta, mu) - 1e-12


@pytest.mark.parametrize("people", [2, 10, 1000])
def test_natural_frequencies(people: int) -> None:
    found = event("within", 4, replace(SCHOOL, people=people))
    cases = suspicion.get_cases(found, people)
    assert cases["reported"] == pytest.approx(1000) and cases["cases"] == 1000 * people
    assert cases["caught"] / (cases["caught"] + cases["alarmed"]) == pytest.approx(
        deniability.get_posterior(1 / people, found.tpr.share, found.fpr.share)
    )


@pytest.mark.parametrize("delta", [0.005, 0.1, 0.95])
def test_both_fates_are_distributions_with_the_same_delta(delta: float) -> None:
    shares, beyond, silence = suspicion.get_spread(0.1, delta)
    assert shares.sum() == pytest.approx(1.0) and (shares >= 0).all() and 0.0 <= beyond <= 1.0
    assert silence < 0.1
    # the outright leak, by hand: without the report silence is certain
    assert silence == pytest.approx(0.1 * (1 - delta) / (0.1 * (1 - delta) + 0.9))
    if delta == 0.1:
        assert beyond < 1e-9 and shares[-1] < 1e-12


def test_range_holds_the_prior_and_narrows() -> None:
    low, high = suspicion.ranges(0.1, 0.1)
    assert np.all(low <= 0.1) and np.all(high >= 0.1)
    assert np.all(np.diff(high) <= 1e-12) and np.all(np.diff(low) >= -1e-12)


def test_measured_events_lie_in_the_range() -> None:
    p = replace(SCHOOL, delta=0.2)
    mu = calibration.get_mu(0.2)
    for steps in (2, 5, 10):
        found = event("within", steps, p, 3000)
        assert found.low <= deniability.get_suspicion(0.1, found.fpr.share, 0.2, mu)
        assert found.high >= deniability.get_suspicion_floor(0.1, found.fpr.share, 0.2, mu)


# --- page ------------------------------------------------------------------------------------------------------------
def test_default_view(open_view: Start) -> None:
    at = open_view()
    text = words(at)
    assert "You are one of 10 people" in text and "10 percentage points" in text
    bars = figure(at, "spread-gaussian")["data"][0]
    assert array(bars["y"]).sum() == pytest.approx(1.0, abs=1e-6)
    spikes = figure(at, "spread-outright")["data"][0]
    assert array(spikes["y"]).tolist() == pytest.approx([0.9, 0.1])
    assert array(spikes["x"])[1] == 1.0


def test_profile_starts_at_delta_and_falls(open_view: Start) -> None:
    bare, tally = figure(open_view(delta=0.1, **SMALL), "profile")["data"]
    rest = array(tally["y"])
    assert rest[0] == pytest.approx(0.1) and array(bare["y"])[0] == pytest.approx(0.1)
    assert (np.diff(rest[np.isfinite(rest)]) < 0).all()


def test_event_is_in_the_link(open_view: Start) -> None:
    at = open_view(**SMALL)
    at.segmented_control(key="w_event").set_value("at").run()
    at.slider(key="w_after").set_value(5).run()
    assert not at.exception and "first audited 5 audits later" in words(at)
    assert at.query_params["event"] in ("at", ["at"]) and at.query_params["after"] in ("5", ["5"])


def test_axis_stays_while_events_are_tried(open_view: Start) -> None:
    at = open_view(**SMALL)
    before = figure(at, "suspicion-range")["layout"]["yaxis"]["range"]
    at.slider(key="w_after").set_value(12).run()
    assert figure(at, "suspicion-range")["layout"]["yaxis"]["range"] == before


@pytest.mark.parametrize("code", ["en", "fr", "ko"])
@pytest.mark.parametrize(
    ("local", "query"),
    [
        ({}, {"C": 2, "T": 1, "L": 1, "people": 2}),
        ({"event": "not", "after": 0}, {"C": 2, "T": 1, "L": 1, "people": 1000, "delta": 0.95}),
        ({"event": "at", "after": 40, "at": 1}, {"C": 500, "T": 60, "L": 60, "delta": 0.005, "fpr": 0.99}),
        ({"event": "never", "after": "soon"}, {"C": 5, "T": 30, "L": 30, "fpr": 0.01}),
    ],
)
def test_extremes_in_every_language(open_view: Start, code: str, local: dict, query: dict) -> None:
    at = open_view(local, lang=code, **query)
    assert "nan" not in words(at).lower().split() and "None" not in words(at)
    at.run()
    assert not at.exception


def test_first_audit_times_are_shared_with_the_attacks(open_view: Start) -> None:
    """Both views rest on the same runs: what was measured for one is there for the other."""
    kept = measured.get_timing("tca", SCHOOL, False, 9, 2, 500)
    assert measured.get_event(kept, "within", 3)[0] == event("within", 3).tpr
