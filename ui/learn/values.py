"""The live numbers a lesson may name, all of them from core."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core import audit, calibration, certificates, deniability, equity, utility
from core.adversary import run_twins
from core.auditors import MECHANISMS, make_mechanism
from core.parameters import TABLE, Parameters
from core.streams import make_stream
from core.utility import Share, get_share
from ui import controls, frames
from ui.words import N_, _, number, percent

LARGEST_CELLS = 20_000_000
"""Most runs x horizon x targets simulated for one number: about a second."""
PAIRS = 400
BETA = 0.05
"""Chance of a false statement that the lesson on statements allows."""


@dataclass(frozen=True)
class Value:
    """One name of the list.

    Attributes:
        meaning: what it is, English; empty for a parameter, whose own label says it.
        share: shown as a percentage, else as a number.
        compute: from the scenario to the number.
        simulated: takes a moment.
    """

    meaning: str
    share: bool
    compute: Callable[[Parameters], float]
    simulated: bool = False


def get_course(name: str, p: Parameters) -> frames.Course:
    """The long run of one auditor, with as many of the scenario's runs as a reader can wait for."""
    return frames.course(name, p, get_runs(p))


def get_runs(p: Parameters) -> int:
    """How many runs a lesson's long run has."""
    return min(p.runs, max(10, LARGEST_CELLS // (p.targets * p.horizon)))


@st.cache_data(max_entries=64, show_spinner=False)
def get_twins(name: str, p: Parameters) -> Share:
    """In how many pairs of worlds, with and without one report about a quiet organisation, the records differ."""
    pairs = max(10, min(PAIRS, LARGEST_CELLS // (10 * p.targets * p.horizon)))
    step, target = max(1, p.horizon // 3), min(3, p.targets) - 1
    twins = run_twins(make_mechanism(name, p), make_stream(p), p.horizon, step, target, pairs, p.seed)
    return get_share(int(twins.differs.sum()), pairs)


def _count_sd(p: Parameters) -> float:
    return calibration.get_count_sd(p.delta, p.horizon, p.run_length)


def _p_rand(p: Parameters) -> float:
    return calibration.get_p_rand(p.rr_calibration, p.delta, p.targets, p.horizon)


def _suspicion(p: Parameters) -> float:
    return float(deniability.get_suspicion(1.0 / p.people, p.false_alarm, p.delta, calibration.get_mu(p.delta)))


def _lead(p: Parameters, error: float) -> int:
    return math.ceil(utility.get_gap_for_error(error, p.targets, _count_sd(p)))


def _missed(name: str) -> Callable[[Parameters], float]:
    return lambda p: get_course(name, p).mean_deficit


def _differs(name: str) -> Callable[[Parameters], float]:
    return lambda p: get_twins(name, p).share


def _half_noise(p: Parameters) -> float:
    return calibration.get_delta(2.0 * calibration.get_mu(p.delta))


def _runs_to_catch(p: Parameters) -> float:
    mu = calibration.get_mu(p.delta)
    return audit.get_runs_for_power(audit.Claim(p.delta, mu), 2.0 * mu)


def _chance(reports: int) -> Callable[[Parameters], float]:
    """Chance that the very first audit goes to an organisation with that many reports where nobody else has any."""
    return lambda p: float(equity.get_first_audit_chance(reports, p.targets, p.delta))


def _exposure(reports: int) -> Callable[[Parameters], float]:
    """What the last of these reports adds to that chance."""
    return lambda p: _chance(reports)(p) - _chance(reports - 1)(p)


def _parameter(name: str) -> Callable[[Parameters], float]:
    return lambda p: getattr(p, name)


_MISSED = {
    "tca": N_("missed reports a step, noisy tally"),
    "rr": N_("missed reports a step, coin flip"),
    "greedy": N_("missed reports a step, follow the reports"),
    "uniform": N_("missed reports a step, draw lots"),
    "rota": N_("missed reports a step, fixed rota"),
}
_TWINS = {
    "tca": N_("share of twin records that differ, noisy tally"),
    "rr": N_("share of twin records that differ, coin flip"),
    "greedy": N_("share of twin records that differ, follow the reports"),
    "uniform": N_("share of twin records that differ, draw lots"),
    "rota": N_("share of twin records that differ, fixed rota"),
}

VALUES: dict[str, Value] = {
    **{
        name: Value("", name == "false_alarm", _parameter(name))
        for name, row in TABLE.items() if not row.choices and name != "runs"
    },
    "runs": Value(N_("simulated runs behind the missed reports"), False, get_runs),
    "success": Value(
        N_("largest chance to guess right whether you reported, from an even start"),
        True, lambda p: float(deniability.get_success(p.delta, 0.5)),
    ),
    "points": Value(
        N_("percentage points by which one report can change the chance of any audit"), False, lambda p: 100 * p.delta
    ),
    "suspicion_before": Value(N_("suspicion of one person before any audit"), True, lambda p: 1.0 / p.people),
    "suspicion_after": Value(N_("largest suspicion after the audits"), True, _suspicion),
    "sd": Value(N_("noise on a count, in reports (standard deviation)"), False, _count_sd),
    "tca_wrong": Value(
        N_("chance to audit the wrong organisation, noisy tally"),
        True, lambda p: float(utility.get_misselection(p.gap, p.targets, _count_sd(p))),
    ),
    "rr_wrong": Value(
        N_("chance to audit the wrong organisation, coin flip"),
        True, lambda p: float(utility.get_rr_misselection(p.gap, p.targets, _p_rand(p))),
    ),
    "greedy_wrong": Value(
        N_("chance to audit the wrong organisation, follow the reports"),
        True, lambda p: float(utility.get_greedy_misselection(p.gap, p.targets)),
    ),
    "uniform_wrong": Value(
        N_("chance to audit the wrong organisation, draw lots"),
        True, lambda p: utility.get_uniform_misselection(p.targets),
    ),
    "rr_floor": Value(
        N_("smallest chance of a wrong audit that any coin flip can have (Theorem 2)"),
        True, lambda p: utility.get_theorem_2_floor(p.targets, p.delta),
    ),
    "rr_follow": Value(N_("share of audits in which the coin flip follows the reports"), True, frames.get_follow_share),
    "even_lead": Value(
        N_("lead at which the noisy tally is wrong half of the time"),
        False, lambda p: _lead(p, min(frames.EVEN, utility.get_uniform_misselection(p.targets))),
    ),
    "sure_lead": Value(
        N_("lead at which the noisy tally is wrong one time in twenty"),
        False, lambda p: _lead(p, frames.SURE),
    ),
    "age": Value(N_("audits in one round, one for each organisation"), False, lambda p: frames.get_contest(p).age),
    "round_noise": Value(
        N_("noise between two counts after one round, in reports"), False, lambda p: frames.get_contest(p).noise
    ),
    "round_lead": Value(
        N_("reports by which the worst organisation is ahead after one round"),
        False, lambda p: frames.get_contest(p).lead,
    ),
    "half_noise": Value(N_("delta really kept by a noisy tally with half its noise"), True, _half_noise),
    "runs_to_catch": Value(
        N_("runs a world after which an audit catches half the noise nine times in ten"), False, _runs_to_catch
    ),
    "alone_benefit": Value(N_("chance that one report leads to the first audit"), True, _chance(1)),
    "crowd_benefit": Value(N_("chance that four reports lead to the first audit"), True, _chance(4)),
    "alone_exposure": Value(N_("what a lone report adds to that chance"), True, _exposure(1)),
    "crowd_exposure": Value(N_("what the fourth report adds to that chance"), True, _exposure(4)),
    "statement_reports": Value(
        N_("open reports at which “at least one report” is published half of the time"),
        False, lambda p: certificates.get_needed_reports(1, BETA, _count_sd(p)),
    ),
    "winners_curse": Value(
        N_("chance of a false statement about the organisation just audited, without a correction, at the first audit"),
        True, lambda p: certificates.get_winners_curse(BETA, p.targets),
    ),
    **{f"{name}_missed": Value(_MISSED[name], False, _missed(name), True) for name in MECHANISMS},
    **{f"{name}_twins": Value(_TWINS[name], True, _differs(name), True) for name in MECHANISMS},
}  # fmt: skip


@dataclass(frozen=True)
class Name:
    """A name of the list, for the lesson's scenario with some parameters changed: `sd@horizon=100`."""

    name: str
    changes: tuple[tuple[str, str], ...] = ()

    @property
    def value(self) -> Value:
        """Its row of the list."""
        return VALUES[self.name]

    def at(self, p: Parameters) -> Parameters:
        """The scenario it speaks of."""
        return p.with_changes(**dict(self.changes))[0]

    def compute(self, p: Parameters) -> float:
        """The number."""
        return self.value.compute(self.at(p))

    def write(self, p: Parameters) -> str:
        """The number as the reader sees it."""
        found = self.compute(p)
        if self.name == "seed":
            return str(found)
        return percent(found) if self.value.share else number(found)


def parse(text: str) -> Name:
    """Take `name@parameter=value,parameter=value` apart, checking nothing."""
    name, _at, changes = text.partition("@")
    pairs = [part.partition("=") for part in changes.split(",")] if changes else []
    return Name(name.strip(), tuple((key.strip(), value.strip()) for key, _is, value in pairs))


def meaning(name: str) -> str:
    """What a name of the list stands for, in the reader's language."""
    row = VALUES[name]
    return _(row.meaning) if row.meaning else controls.label(name)
