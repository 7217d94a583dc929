"""Reading levels: one switch, kept everywhere; the arguments hold the numbers of the core."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from core import calibration, deniability, utility
from core.closed_forms import get_sensitivity_estimate
from core.counters import get_sensitivity
from core.parameters import PRESETS, Parameters
from ui import levels, proofs
from ui.frame import PAGES
from ui.words import LANGUAGES

NewApp = Callable[..., AppTest]
ENDS = [
    Parameters(),
    Parameters(targets=2, horizon=1, run_length=1, delta=0.005, gap=0, people=2),
    Parameters(targets=500, horizon=10_000, run_length=10_000, delta=0.95, gap=500, people=1000),
    PRESETS["small-regulator"],
]


def words(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


def argument(found: list[proofs.Argument]) -> str:
    return "\n".join(one.markdown() for one in found)


# --- the switch ------------------------------------------------------------------------------------------------------
def test_policy_is_as_before(app: AppTest) -> None:
    assert app.get_by_key("w_level").value == "policy"
    assert "level" not in app.query_params
    headers = {header.value for header in app.header}
    assert not headers & {"In class", "The arguments, with the values of this page"}


def test_level_survives_pages_language_and_reset(new_app: NewApp) -> None:
    at = new_app(level="class")
    assert "In class" in {header.value for header in at.header}
    for page in PAGES[1:]:
        at.switch_page(page.file).run()
        assert at.query_params["level"] == "class"
        assert "In class" in {header.value for header in at.header}, page.id
        assert levels.HINTS[page.id].questions[0] in words(at)
    at.button(key="reset").click().run()
    at.get_by_key("w_lang").set_value("fr").run()
    assert at.query_params["level"] == "class"
    at.get_by_key("w_level").set_value("policy").run()
    assert "level" not in at.query_params


def test_unknown_level_is_told(new_app: NewApp) -> None:
    at = new_app(level="doctor")
    assert at.get_by_key("w_level").value == "policy"
    assert "doctor" in at.warning[0].value


@pytest.mark.parametrize("code", LANGUAGES)
def test_proof_under_each_page_that_has_one(new_app: NewApp, code: str) -> None:
    at = new_app(lang=code, level="proof", T=100, L=100, runs=10)
    for page in PAGES:
        at.switch_page(page.file).run()
        assert not at.exception
        shown = words(at)
        for one in levels.ARGUMENTS[page.id](Parameters()) if page.id in levels.ARGUMENTS else ():
            assert len(one.steps) >= 3
        assert (r"\displaystyle" in shown) == (page.id in levels.ARGUMENTS), page.id


def test_numbers_are_the_same_on_every_level(new_app: NewApp) -> None:
    told = []
    for level in levels.LEVELS:
        at = new_app("pages/3_Lead.py", level=level, C=20, delta=0.2)
        told.append([metric.value for metric in at.metric])
    assert told[0] == told[1] == told[2] and len(told[0]) == 3


def test_method_is_open_only_on_the_level_proof(new_app: NewApp) -> None:
    for level, expanded in (("policy", False), ("class", False), ("proof", True)):
        at = new_app("pages/6_About.py", level=level)
        (fold,) = [one for one in at.expander if one.label == "How this is computed"]
        assert fold.proto.expanded is expanded


# --- the arguments ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("p", ENDS)
@pytest.mark.parametrize("page", proofs.ARGUMENTS)
def test_arguments_hold_at_the_ends(page: str, p: Parameters) -> None:
    text = argument(proofs.ARGUMENTS[page](p))
    assert not re.search(r"\bnan\b|\binf\b|None|\de[+-]?\d", text)
    for formula in re.findall(r"\$\$?(.+?)\$\$?", text):
        assert formula.count("{") == formula.count("}"), formula
        assert formula.count(r"\left") - formula.count(r"\leftarrow") == formula.count(r"\right") - formula.count(
            r"\rightarrow"
        ), formula


def test_values_of_the_lead() -> None:
    p = Parameters(targets=20, delta=0.2, gap=12)
    sd = calibration.get_count_sd(p.delta, p.horizon, p.run_length)
    text = argument(proofs.ARGUMENTS["lead"](p))
    for value in (
        utility.get_theorem_2_floor(20, 0.2),
        calibration.get_p_rand("theorem-2-floor", 0.2, 20, p.horizon),
        float(utility.get_misselection(12, 20, sd)),
        float(utility.get_union_bound(12, 20, sd)),
        sd,
    ):
        assert f"= {proofs.tex(value)}" in text


def test_values_of_the_adversary() -> None:
    p = Parameters(delta=0.2, people=8, false_alarm=0.05)
    mu = calibration.get_mu(0.2)
    text = argument(proofs.ARGUMENTS["adversary"](p))
    for value in (
        deniability.get_advantage(0.2, 1 / 8),
        deniability.get_tpr_gaussian(0.05, mu),
        deniability.get_touching_fpr(mu),
        deniability.get_k_reports_delta(0.2, 3),
        deniability.get_k_reports_delta(0.2, 3, same_target=False),
    ):
        assert proofs.tex(float(value)) in text


def test_values_of_the_long_run() -> None:
    p = Parameters()
    text = argument(proofs.ARGUMENTS["long-run"](p))
    for rule in ("paper-experiments", "horizon-free", "race"):
        assert proofs.tex(calibration.get_p_rand(rule, p.delta, p.targets, p.horizon), 6) in text


def test_numbers_in_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    assert proofs.tex(12.345678) == "12{.}35"
    assert proofs.tex(1.5e-7) == r"1{.}5\cdot 10^{-7}"
    monkeypatch.setattr(proofs, "language", lambda: "fr")
    assert proofs.tex(0.25) == "0{,}25"


@pytest.mark.parametrize("terms", [10, 1000, 100_000])
def test_closed_form_of_the_sensitivity(terms: int) -> None:
    assert get_sensitivity_estimate(terms) == pytest.approx(get_sensitivity(terms), rel=1e-3 / terms)


def test_closed_form_needs_a_step() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        get_sensitivity_estimate(0)
