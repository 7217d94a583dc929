"""The ledger: every claim against its reference, every reference against being wrong, every test that it names."""

import ast
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core import claims
from core.__main__ import main
from core.parameters import PRESETS

ROOT = Path(__file__).parents[2]
CLAIMS = claims.load()
EXACT = [claim for claim in CLAIMS if not claim.simulated]
SIMULATED = [claim for claim in CLAIMS if claim.simulated]

by_id = {"ids": lambda claim: claim.id}
computed = cache(lambda name: claims.compute(next(claim for claim in CLAIMS if claim.id == name)))


@pytest.mark.parametrize("claim", CLAIMS, **by_id)
def test_claim_agrees_and_a_wrong_reference_would_not(claim):
    now = computed(claim.id)
    assert now.holds, (now.value, claim.reference, now.difference, now.in_errors)
    assert now.difference == now.value - claim.reference
    wrong = [2.0 * claim.reference] if claim.relation == "equal" else [0.5 * claim.reference]
    if claim.reference == 0:
        wrong = [1.0]
    if claim.tolerance is not None:
        wrong += [claim.reference - 20.0 * claim.tolerance, claim.reference + 20.0 * claim.tolerance]
    for reference in wrong:
        assert not claims.judge(replace(claim, reference=reference), now.value, now.error).holds, reference


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim.printed], **by_id)
def test_the_paper_prints_the_same_number(claim):
    digits = len(claim.printed.partition(".")[2])
    assert f"{computed(claim.id).value:.{digits}f}" == claim.printed


@pytest.mark.parametrize("claim", SIMULATED, **by_id)
def test_the_stored_number_is_the_one_computed(claim):
    """The same seed gives the same runs; another processor may at most decide a near tie the other way."""
    now, stored = computed(claim.id), claims.last(claim)
    assert abs(now.value - stored.value) <= 0.5 * now.error + 1e-12
    assert stored.error == pytest.approx(now.error, rel=0.1)
    assert stored.holds


def test_a_tolerance_is_no_excuse():
    """Narrow against the number itself, so that no claim holds by its width."""
    assert [claim.id for claim in EXACT if claim.tolerance > 1e-6 * abs(claim.reference)] == []


@pytest.mark.parametrize("node", sorted({claim.test for claim in CLAIMS}))
def test_every_named_test_exists(node):
    file, _, name = node.partition("::")
    defined = {n.name for n in ast.parse((ROOT / file).read_text()).body if isinstance(n, ast.FunctionDef)}
    assert name.startswith("test_") and name in defined


def test_there_are_claims_of_every_kind_and_each_computes_its_own_number():
    assert {claim.kind for claim in CLAIMS} == set(claims.KINDS)
    assert len([claim for claim in CLAIMS if claim.printed]) == 12
    assert {claim.function for claim in CLAIMS} == claims.FUNCTIONS.keys() | claims.SIMULATIONS.keys()
    # every argument that is no setting of the simulation stands in the sentence, or belongs to the whole family
    assert len({(claim.text, *map(str, claim.arguments.values())) for claim in CLAIMS}) == len(CLAIMS)


def test_experiment_2_is_the_papers():
    paper = PRESETS["experiment-2"]
    for claim in CLAIMS:
        if "second experiment" in claim.text:
            setting = [claim.arguments[name] for name in ("targets", "horizon", "delta")]
            assert setting == [paper.targets, paper.horizon, paper.delta]
    assert (paper.lead_rate, paper.other_rate) == (1.0, 0.2)


@pytest.mark.parametrize(
    "line, wrong",
    [
        ("kind = 'guess'", "kind"),
        ("relation = 'near'", "relation"),
        ("function = 'magic'", "function"),
        ("text = '{nothing}'", "text"),
        ("stored = [1.0, 0.1]", "stored"),
        ("tolerance", "tolerance"),
    ],
)
def test_an_incomplete_claim_is_refused(tmp_path, monkeypatch, line, wrong):
    family = {
        "kind": "'own'", "page": "'start'", "text": "'{delta}'", "source": "''", "basis": "''", "function": "'mu'",
        "tolerance": "1e-9", "test": "''",
    }  # fmt: skip
    name, _, value = line.partition(" = ")
    family[name] = value
    text = "[[family]]\n" + "\n".join(f"{key} = {value}" for key, value in family.items() if value)
    monkeypatch.setattr(claims, "FILE", tmp_path / "claims.toml")
    case = "{ id = 'one', arguments = { delta = 0.1 }, reference = 0.25 }"
    claims.FILE.write_text(f"{text}\ncases = [{case}]\n")
    with pytest.raises(ValueError, match=f"claim one: .*{wrong}"):
        claims.load.__wrapped__()
    if wrong == "kind":
        claims.FILE.write_text(f"{text.replace('guess', 'own')}\ncases = [{case}, {case}]\n")
        with pytest.raises(ValueError, match="same id"):
            claims.load.__wrapped__()


def test_judging_by_hand():
    exact = replace(EXACT[0], reference=1.0, tolerance=0.1)
    assert claims.judge(exact, 1.05).holds and claims.judge(exact, 0.95).holds
    assert not claims.judge(exact, 1.2).holds and not claims.judge(exact, 0.8).holds
    measured = replace(SIMULATED[0], reference=1.0, error=3.0, relation="equal")
    near = claims.judge(measured, 11.0, 4.0)
    assert (near.in_errors, near.holds) == (2.0, True)
    assert not claims.judge(measured, 22.0, 4.0).holds
    assert claims.judge(replace(measured, relation="at-most"), -90.0, 4.0).holds
    assert not claims.judge(replace(measured, relation="at-most"), 22.0, 4.0).holds
    assert claims.judge(replace(measured, error=0.0), 1.0, 0.0).in_errors is None
    assert not claims.judge(replace(measured, error=0.0), 1.1, 0.0).holds
    assert not claims.judge(exact, np.nan).holds


def test_in_a_terminal(capsys):
    assert main(["claims", "--kind", "table"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in rows] == [claim.id for claim in CLAIMS if claim.kind == "table"]
    assert all(row["holds"] and row["now"] - row["reference"] == row["difference"] for row in rows)
    assert not any("{" in row["claim"] for row in rows)
    assert main(["claims", "--kind", "theorem", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("id,kind,claim,") and len(lines) == 1 + sum(c.kind == "theorem" for c in CLAIMS)
