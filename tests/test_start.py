"""Start: the verdicts follow from paired records, the headline from delta, and the page keeps its state in the URL."""

import numpy as np
import pytest
from pictures import Picture

from core import calibration, deniability
from ui.live import demo
from ui.words import LANGUAGES

PAGE = "pages/1_Start.py"


class Start(Picture):
    """The start page's picture, with the run and the report that its buttons choose."""

    def __init__(self, at):
        super().__init__(at, "start")
        self.index |= {"run": self.data["run"], "report": self.data["report"]}

    def lane(self, name):
        return next(lane for lane in self.data["lanes"] if lane["id"] == name)

    def record(self, name, report):
        self.index["report"] = report
        return self.pick(self.lane(name)["records"])


@pytest.fixture
def picture(app):
    return Start(app)


def test_first_visit(app, picture):
    assert app.title[0].value == "Can they work out that you blew the whistle?"
    assert [lane["id"] for lane in picture.data["lanes"]] == ["greedy", "rr", "uniform", "tca"]
    large, suspicion = picture.parts("text")
    assert picture.slots(large) == pytest.approx({"horizon": 1000, "success": 0.55, "even": 0.5})
    expected = float(deniability.get_suspicion(0.1, 0.1, 0.1, calibration.get_mu(0.1)))
    assert picture.slots(suspicion)["after"] == pytest.approx(expected, rel=1e-6)


def test_records_are_audits_and_agree_until_the_report(picture):
    for stop in range(len(picture.slider("delta")["values"])):
        for run in range(picture.data["runs"]):
            picture.index |= {"delta": stop, "run": run}
            for lane in picture.data["lanes"]:
                without, with_report = (picture.record(lane["id"], report) for report in (0, 1))
                assert without.shape == (15,) and without.min() >= 1 and with_report.max() <= 12
                assert np.array_equal(without[:7], with_report[:7])


def test_greedy_audits_the_reported_one_at_once(picture):
    for run in range(picture.data["runs"]):
        picture.index["run"] = run
        assert picture.record("greedy", 1)[7] == 7
    lane = picture.lane("greedy")
    assert picture.template(lane["head"]) == "They know."
    assert picture.slots(lane["note"])["with_report"] == 1
    assert picture.slots(lane["note"])["without"] < 0.2


def test_lots_never_follow_the_report(picture):
    for run in range(picture.data["runs"]):
        picture.index["run"] = run
        assert np.array_equal(picture.record("uniform", 0), picture.record("uniform", 1))
    assert picture.template(picture.lane("uniform")["head"]) == "They learn nothing."


def test_noisy_tally_keeps_its_promise_at_every_delta(picture):
    lane = picture.lane("tca")
    for stop, delta in enumerate(picture.slider("delta")["values"]):
        picture.index["delta"] = stop
        found = demo.pairs("tca", delta, 2026)
        error = np.sqrt(delta * (1 - delta) / demo.PAIRS)
        assert found["share"] <= delta + 4 * error
        assert picture.slots(lane["note"])["least"] == pytest.approx(1 - delta, rel=1e-6)
        if found["share"] <= 0.5:
            assert picture.slots(lane["head"])["same"] == pytest.approx(1 - found["share"])
        else:
            assert picture.template(lane["head"]) == "They know."


def test_sentence_of_the_run_counts_what_the_lane_shows(picture):
    for run in range(picture.data["runs"]):
        picture.index["run"] = run
        for name in demo.LANES:
            different = int((picture.record(name, 0) != picture.record(name, 1)).sum())
            now = picture.lane(name)["now"]
            assert picture.slots(now)["count"] == different
            assert ("same record" in picture.template(now)) == (different == 0)


def test_same_draws_at_every_delta_where_delta_does_not_matter(picture):
    assert picture.data["arrays"][picture.lane("greedy")["records"]]["by"] == ["run", "report"]
    assert picture.data["arrays"][picture.lane("tca")["records"]]["by"] == ["delta", "run", "report"]


def test_run_and_report_come_from_the_link(new_app):
    at = new_app(run=3, report="withheld", delta=0.2)
    data = Start(at).data
    assert data["run"] == 2 and data["report"] == 0
    assert at.query_params["run"] == "3" and at.query_params["report"] == "withheld"


def test_bad_run_and_report_are_told(new_app):
    at = new_app(run="99", report="maybe")
    data = Start(at).data
    assert data["run"] == 11 and data["report"] == 1
    assert "maybe" in at.warning[0].value


def test_table_holds_the_records_on_the_screen(picture):
    picture.index["run"] = 2
    table = demo.make_table(0.1, 2026, 2)
    for name in demo.LANES:
        assert table[f"{name}_with_report"].tolist() == picture.record(name, 1).tolist()
        assert table[f"{name}_without_report"].tolist() == picture.record(name, 0).tolist()


def test_another_seed_gives_other_records(new_app):
    first, second = (Start(new_app(seed=seed)) for seed in (1, 2))
    assert not np.array_equal(first.record("tca", 0), second.record("tca", 0))


def test_three_doors_lead_on(app):
    labels = [link.proto.label for link in app.get("page_link")]
    assert {"**I write rules**", "**I teach**", "**I want the parameters**"} <= set(labels)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("query", [{"delta": 0.005, "people": 1000}, {"delta": 0.95, "T": 1, "people": 2, "fpr": 0.99}])
def test_extremes_in_every_language(new_app, code, query):
    picture = Start(new_app(lang=code, **query))
    assert picture.data["language"] == code


def test_payload_is_small(app):
    assert app.get_by_key("start").proto.ByteSize() < 150_000
