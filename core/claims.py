"""The ledger of claims: every number the dashboard stands for, computed now and held against a reference.

`claims.toml` beside this module is the one source; the page, the terminal and the tests all read it through `load`.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from . import (
    adversary,
    attacks,
    boundary,
    calibration,
    certificates,
    counters,
    deniability,
    equity,
    gdp,
    league,
    unequal,
    utility,
)
from .auditors import make_mechanism
from .changing import JumpStream
from .fading import Fading
from .mechanisms import Tca
from .parameters import Parameters
from .simulation import Ensemble, run_ensemble, standard_error
from .streams import PoissonStream, make_stream

FILE = Path(__file__).with_name("claims.toml")
KINDS = ("theorem", "table", "figure", "own")
RELATIONS = ("equal", "at-most")
ERRORS = 4.0
"""Standard errors by which a simulated number may differ from its reference."""

Progress = Callable[[float], None] | None
Estimate = tuple[float, float]
"""A simulated number and its standard error."""


@dataclass(frozen=True)
class Claim:
    """One claim.

    Attributes:
        id: short name, unique.
        kind: theorem, table or figure of the paper, or own.
        text: English sentence with gaps for `arguments`.
        page: id of the page that shows it.
        source, basis, note: where it comes from, how the reference was obtained, what else to know.
        function, arguments: what computes the number, by its name in the registry.
        reference: the number it is held against.
        tolerance: largest difference allowed; None for a simulation.
        error: standard error of the reference, 0 where it is exact.
        relation: equal, or at-most where only an excess counts.
        printed: the reference as the paper prints it.
        stored: the simulated number as last written to the file, with its standard error.
        test: pytest node id of the test that checks it.
    """

    id: str
    kind: str
    text: str
    page: str
    source: str
    basis: str
    function: str
    arguments: dict[str, Any]
    reference: float
    test: str
    tolerance: float | None = None
    error: float = 0.0
    relation: str = "equal"
    printed: str | None = None
    stored: Estimate | None = None
    note: str = ""

    @property
    def simulated(self) -> bool:
        """Whether the number is drawn by chance."""
        return self.function in SIMULATIONS

    @property
    def gaps(self) -> tuple[str, ...]:
        """Names of the arguments that the sentence mentions."""
        return tuple(name for _, name, _, _ in string.Formatter().parse(self.text) if name)


@dataclass(frozen=True)
class Result:
    """A claim held against its reference.

    Attributes:
        value: the number now.
        error: its standard error, None where there is no chance in it.
        difference: value minus reference.
        in_errors: the difference in standard errors of both together; None without chance or without any spread.
        holds: whether it agrees.
    """

    claim: Claim
    value: float
    error: float | None
    difference: float
    in_errors: float | None
    holds: bool


# --- the file --------------------------------------------------------------------------------------------------------
@cache
def load() -> tuple[Claim, ...]:
    """All claims in the file's order.

    Raises:
        ValueError: a claim that is not complete, told with its id.
    """
    claims = []
    for family in tomllib.loads(FILE.read_text(encoding="utf-8"))["family"]:
        for case in family["cases"]:
            row = {key: value for key, value in (family | case).items() if key != "cases"}
            row["arguments"] = family.get("arguments", {}) | case.get("arguments", {})
            row["stored"] = tuple(row["stored"]) if "stored" in row else None
            claims.append(_check(Claim(**row)))
    if len({claim.id for claim in claims}) < len(claims):
        raise ValueError("two claims have the same id")
    return tuple(claims)


def _check(claim: Claim) -> Claim:
    wrong = {
        "kind": claim.kind not in KINDS,
        "relation": claim.relation not in RELATIONS,
        "function": claim.function not in FUNCTIONS | SIMULATIONS,
        "text": not set(claim.gaps) <= claim.arguments.keys(),
        "tolerance": claim.simulated == (claim.tolerance is not None),
        "stored": claim.simulated != (claim.stored is not None),
    }
    if any(wrong.values()):
        raise ValueError(f"claim {claim.id}: {', '.join(name for name, is_so in wrong.items() if is_so)} is wrong")
    return claim


# --- holding against the reference -----------------------------------------------------------------------------------
def compute(claim: Claim, progress: Progress = None) -> Result:
    """Compute the claim's number now and hold it against the reference."""
    if claim.simulated:
        return judge(claim, *SIMULATIONS[claim.function](**claim.arguments, progress=progress))
    return judge(claim, FUNCTIONS[claim.function](**claim.arguments))


def judge(claim: Claim, value: float, error: float | None = None) -> Result:
    """Hold a number, with its standard error where it has one, against the claim's reference."""
    difference = float(value) - claim.reference
    excess = difference if claim.relation == "at-most" else abs(difference)
    if error is None:
        assert claim.tolerance is not None
        return Result(claim, float(value), None, difference, None, bool(excess <= claim.tolerance))
    spread = float(np.hypot(error, claim.error))
    in_errors = difference / spread if spread > 0 else None
    return Result(claim, float(value), float(error), difference, in_errors, bool(excess <= ERRORS * spread))


def to_row(result: Result, sentence: str | None = None) -> dict[str, Any]:
    """The result in full precision, as files and the terminal show it; `sentence` replaces the English one."""
    claim = result.claim
    return {
        "id": claim.id,
        "kind": claim.kind,
        "claim": sentence or claim.text.format(**claim.arguments),
        "page": claim.page,
        "source": claim.source,
        "now": result.value,
        "standard_error": result.error,
        "reference": claim.reference,
        "reference_error": claim.error if claim.simulated else None,
        "printed": claim.printed,
        "difference": result.difference,
        "tolerance": claim.tolerance,
        "in_standard_errors": result.in_errors,
        "holds": result.holds,
        "test": claim.test,
    }


def last(claim: Claim) -> Result:
    """The simulated number as stored in the file."""
    assert claim.stored is not None
    return judge(claim, *claim.stored)


# --- what computes the numbers ---------------------------------------------------------------------------------------
def _mean(ensemble: Ensemble) -> Estimate:
    return ensemble.mean_deficit, ensemble.mean_deficit_se or 0.0


def _ensemble(
    mechanism: str, targets: int, horizon: int, delta: float, runs: int, seed: int, progress: Progress
) -> Ensemble:
    p = Parameters(targets=targets, horizon=horizon, run_length=horizon, delta=delta)
    return run_ensemble(make_mechanism(mechanism, p), make_stream(p), horizon, runs, seed, progress)


def _get_miss_share(progress: Progress = None, **arguments: Any) -> Estimate:
    ensemble = _ensemble(progress=progress, **arguments)
    return ensemble.misselection, ensemble.misselection_se or 0.0


def _get_loss_to_uniform(progress: Progress = None, **arguments: Any) -> Estimate:
    """Missed reports of TCA minus those of drawing lots, over the same reports."""
    tca, uniform = (_ensemble(name, **arguments, progress=progress).deficit.mean(axis=1) for name in ("tca", "uniform"))
    return float((tca - uniform).mean()), standard_error(tca - uniform) or 0.0


def _get_differing_twins(
    targets: int, horizon: int, delta: float, step: int, runs: int, seed: int, progress: Progress = None
) -> Estimate:
    """Share of TCA's pairs whose records differ; every organisation draws 0.2 reports a step."""
    stream = PoissonStream(targets, 0.2, 0.2)
    differs = adversary.run_twins(Tca(targets, horizon, delta), stream, horizon, step, 0, runs, seed).differs
    return float(differs.mean()), standard_error(differs.astype(float)) or 0.0


def _get_count_sd(delta: float, run_length: int) -> float:
    return calibration.get_count_sd(delta, run_length, run_length)


def _get_exploit_ratio(targets: int, horizon: int, delta: float) -> float:
    """How much more often the horizon-free coin follows the reports than the paper's does."""
    often, rarely = (
        1.0 - calibration.get_p_rand(rule, delta, targets, horizon) for rule in ("horizon-free", "paper-experiments")
    )
    return often / rarely


def _get_delay(mechanism: str, runs: int, seed: int, progress: Progress = None) -> Estimate:
    """Steps from a jump to the first audit, in the league's setting with bursts."""
    setting = league.SETTINGS["bursts"]
    rule = league.make_rule(mechanism, setting)
    assert rule is not None and isinstance(setting.stream, JumpStream)
    return league.measure_delay(rule, setting.stream, setting.horizon, runs, seed)


def _get_exposure(reports: int, targets: int, delta: float) -> float:
    """What the last of `reports` reports adds to the chance of TCA's first audit."""
    return float(np.diff(equity.get_first_audit_chance([reports - 1, reports], targets, delta))[0])


def _get_false_statements(
    targets: int, horizon: int, delta: float, beta: float, runs: int, seed: int, progress: Progress = None
) -> Estimate:
    """Share of audits at which a statement about the audited organisation, read from fresh noise, is too large."""
    p = Parameters(targets=targets, horizon=horizon, run_length=horizon, delta=delta)
    mechanism = Tca(targets, horizon, delta)
    audited, _ = certificates.run_counts(mechanism, make_stream(p), horizon, runs, seed, True, progress)
    share, error = certificates.get_rate(audited.certify(beta).false)
    return share, error or 0.0


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "noise_scale": calibration.get_noise_scale,
    "p_rand": calibration.get_p_rand,
    "mu": calibration.get_mu,
    "count_sd": calibration.get_count_sd,
    "sensitivity": counters.get_sensitivity,
    "coefficient": lambda lag: counters.get_coefficients(lag + 1)[lag],
    "success": deniability.get_success,
    "composed_delta": lambda delta, reports: deniability.get_composed_delta(delta, reports),
    "delta_for_repeats": lambda advantage, reports: deniability.get_delta_for_repeats(advantage, reports),
    "miss_rate": lambda fpr, delta: 1.0 - deniability.get_tpr_gaussian(fpr, calibration.get_mu(delta)),
    "touching_fpr": lambda delta: deniability.get_touching_fpr(calibration.get_mu(delta)),
    "profile": lambda epsilon, delta: deniability.get_delta_profile(epsilon, calibration.get_mu(delta)),
    "same_target_delta": lambda delta, reports: deniability.get_k_reports_delta(delta, reports),
    "different_targets_delta": lambda delta, reports: deniability.get_k_reports_delta(delta, reports, False),
    "suspicion_line": deniability.get_suspicion,
    "suspicion_gaussian": lambda delta, **more: deniability.get_suspicion(
        delta=delta, mu=calibration.get_mu(delta), **more
    ),
    "overrun_delta": lambda delta, horizon, audits: (
        boundary.get_remainder(delta, horizon, boundary.Practice(audits=audits)).delta
    ),
    "theorem_2_floor": utility.get_theorem_2_floor,
    "rr_misselection": lambda targets, delta, horizon: utility.get_rr_misselection(
        1, targets, calibration.get_p_rand("paper-experiments", delta, targets, horizon)
    ),
    "rr_delta": lambda bound, **more: calibration.get_rr_delta(**more)[bound],
    "quiet_advantage": lambda p_rand, targets, horizon: attacks.get_quiet_advantage(p_rand, targets, horizon),
    "rr_quiet_advantage": lambda rule, delta, targets, horizon: attacks.get_quiet_advantage(
        calibration.get_p_rand(rule, delta, targets, horizon), targets, horizon
    ),
    "exploit_ratio": _get_exploit_ratio,
    "misselection": lambda targets, delta, run_length, gap: utility.get_misselection(
        gap, targets, _get_count_sd(delta, run_length)
    ),
    "gap_for_error": lambda targets, delta, run_length, error: utility.get_gap_for_error(
        error, targets, _get_count_sd(delta, run_length)
    ),
    "fading_noise": lambda targets, delta: Fading(targets, delta).noise_scale,
    "weight_delta": unequal.get_weight_delta,
    "mu_low_clopper_pearson": gdp.get_mu_low_clopper_pearson,
    "mu_low_jeffreys": gdp.get_mu_low_jeffreys,
    "mu_from_epsilon_delta": gdp.get_mu_from_epsilon_delta,
    "first_audit": equity.get_first_audit_chance,
    "exposure": _get_exposure,
    "emit_rate": lambda reports, **more: certificates.get_gaussian_emit_rate(reports, **more),
    "needed_reports": lambda delta, beta, run_length, horizon: certificates.get_needed_reports(
        1, beta, calibration.get_count_sd(delta, horizon, run_length)
    ),
    "winners_curse": lambda beta, targets: certificates.get_winners_curse(beta, targets),
    "first_decision_advantage": lambda targets, delta: (
        1.0 - utility.get_misselection(1, targets, _get_count_sd(delta, 1)) - 1.0 / targets
    ),
}
"""Numbers without chance, by the name used in the file."""

SIMULATIONS: dict[str, Callable[..., Estimate]] = {
    "mean_deficit": lambda **arguments: _mean(_ensemble(**arguments)),
    "miss_share": _get_miss_share,
    "loss_to_uniform": _get_loss_to_uniform,
    "differing_twins": _get_differing_twins,
    "delay": _get_delay,
    "false_statements": _get_false_statements,
}
"""Simulated numbers with their standard errors; each takes `progress`."""
