"""What the page asks of core, in sizes a reader can wait for, kept for all sessions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from core import audit_runs
from core.attacks import get_roc
from core.audit import Audit, Claim, audit_scores, get_claim, get_mu_power, get_runs_for_power
from core.auditors import make_mechanism
from core.counters import Array
from core.faults import FAULTS, get_true_mu
from core.mechanisms import Mechanism, Tca
from core.parameters import Parameters, replace
from core.reduction import CounterAudit
from ui.audit.names import COUNTERS, NONE
from ui.frames import Store
from ui.words import _, number

CELLS = 24_000_000
"""Runs x steps x organisations of both worlds together: about four seconds of a noisy tally on one core."""
COSTS = {"fading": 7, "fading-alert": 14, "tca-bank": 16}
"""White box: how many times a noisy tally's time is needed (measured)."""
LEAST_RUNS = 200
POINTS = 400
"""Corners drawn of a step curve."""
LADDER = np.unique(np.geomspace(20, 200_000, 45).round().astype(int))
"""Judged runs at which power is drawn."""

Progress = Callable[[float], None] | None
Scores = tuple[Array, Array]


@dataclass(frozen=True)
class Question:
    """What is audited.

    Attributes:
        subject: of `names.SUBJECTS`. fault: of `names.TURNS`. box: `white` or `black`.
        targets, horizon: C and T of the audited copy. runs: wanted in each world.
    """

    subject: str = "tca"
    fault: str = NONE
    box: str = "white"
    targets: int = 5
    horizon: int = 100
    runs: int = audit_runs.RUNS


@dataclass(frozen=True)
class Size:
    """How much of a question is simulated."""

    runs: int
    horizon: int


def get_size(question: Question) -> Size:
    """As many runs (`LEAST_RUNS` at least) and steps as `CELLS` allow.

    Only the filtered tallies are ever cut in steps, and their promise knows no horizon.
    """
    cost = COSTS.get(question.subject, 1)
    cells = CELLS // (2 * question.targets * (min(cost, 2) if question.box == "black" else cost))
    horizon = max(3, min(question.horizon, cells // LEAST_RUNS))
    return Size(min(question.runs, max(LEAST_RUNS, cells // horizon)), horizon)


def make(question: Question, p: Parameters) -> Mechanism:
    """The mechanism that the claim is about."""
    if question.subject in COUNTERS:
        return CounterAudit(question.targets, question.horizon, p.delta, COUNTERS[question.subject])
    small = replace(p, targets=question.targets, horizon=question.horizon, run_length=1, runs=10)
    return make_mechanism(question.subject, small)


_SCORES: Store[Scores] = Store(40)


def _key(question: Question, p: Parameters) -> Hashable:
    return question, p.delta, p.seed, p.rr_calibration if question.subject == "rr" else None


def is_kept(question: Question, p: Parameters) -> bool:
    """Whether the runs are there already."""
    return _SCORES.get(_key(question, p)) is not None


def get_scores(question: Question, p: Parameters, progress: Progress = None) -> Scores:
    """See `core.audit_runs.run_scores`; kept."""
    size, key = get_size(question), _key(question, p)
    found = _SCORES.get(key)
    if found is None:
        fault = None if question.fault == NONE else question.fault
        found = audit_runs.run_scores(
            make(question, p), size.horizon, size.runs, p.seed, question.box, fault, progress=progress
        )
        _SCORES.put(key, found)
    return found


def get_audit(question: Question, p: Parameters, alpha: float, progress: Progress = None) -> Audit:
    """The confusion table of the judged half, against the mechanism's own promise."""
    claim = get_claim(make(question, p).guarantee(), p.delta)
    return audit_scores(*get_scores(question, p, progress), claim, alpha, p.seed)


def get_curve(scores: Scores) -> tuple[Array, Array]:
    """FPR and TPR of every threshold over all runs, thinned to about `POINTS` corners."""
    fpr, tpr = get_roc(*scores)
    at = np.unique(np.linspace(0, len(fpr) - 1, min(len(fpr), POINTS)).round().astype(int))
    return fpr[at], tpr[at]


def tell_size(question: Question, p: Parameters, judged: int) -> str:
    """What was simulated."""
    size = get_size(question)
    text = _(
        "A small copy with {targets} organisations and {audits} audits; {runs} runs with the report and as many "
        "without. Half of them choose the threshold, {judged} a world are judged. Seed {seed}."
    ).format(
        targets=number(question.targets), audits=number(question.horizon), runs=number(size.runs),
        judged=number(judged), seed=p.seed,
    )  # fmt: skip
    if size.runs < question.runs:
        text += " " + _("{wanted} runs would take too long here.").format(wanted=number(question.runs))
    if size.horizon < question.horizon:
        text += " " + _("Only the first {audits} audits are simulated: all would take too long.").format(
            audits=number(size.horizon)
        )
    return text


def get_command(question: Question, p: Parameters, alpha: float) -> str:
    """The same audit from a terminal."""
    size, name, more = get_size(question), question.subject, ""
    if name in COUNTERS:
        name, more = "tca", f" --counter {COUNTERS[name]}"
    if name == "rr" and p.rr_calibration != "paper-experiments":
        name = f"rr-{p.rr_calibration}"
    if question.fault != NONE:
        more += f" --fault {question.fault}"
    return (
        f"python -m core audit --mechanism {name}{more} --targets {question.targets} --horizon {size.horizon} "
        f"--delta {p.delta:g} --runs {size.runs} --alpha {alpha:g} --box {question.box} --seed {p.seed}"
    )


# --- power -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Power:
    """How easily one fault is caught by a white box.

    Attributes:
        mu: what really leaks, infinite for reused noise.
        chance: of "violation" at `LADDER` judged runs. now: at the reader's.
        needed: judged runs for a chance of .9; None where ten million are not enough.
    """

    mu: float
    chance: Array
    now: float
    needed: int | None


_POWER: Store[dict[str, Power]] = Store(200)


def get_powers(delta: float, horizon: int, judged: int, alpha: float) -> dict[str, Power]:
    """Of every fault; exact, no simulation."""
    key = (delta, horizon, judged, alpha)
    return _POWER.get(key) or _POWER.put(key, {fault: _get_power(fault, *key) for fault in FAULTS})


def _get_power(fault: str, delta: float, horizon: int, judged: int, alpha: float) -> Power:
    honest = Tca(2, horizon, delta)
    claim, mu = get_claim(honest.guarantee(), delta), get_true_mu(fault, honest)
    chance = np.array([get_mu_power(claim, mu, int(runs), alpha) for runs in LADDER])
    return Power(mu, chance, get_mu_power(claim, mu, judged, alpha), get_needed(claim, mu, alpha))


def get_needed(claim: Claim, mu: float, alpha: float) -> int | None:
    """`core.audit.get_runs_for_power` at .9, None where it gives up."""
    try:
        return get_runs_for_power(claim, mu, 0.9, alpha)
    except ValueError:
        return None
