"""Be the organisation: rounds of one record each, the reader's score, and an optimal attacker on the same records.

Everything follows from the seed, so that a class plays the same set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .attacks import Measured, get_first_audit_ratio, get_first_audits, get_record_log_ratio, judge, watch_target
from .auditors import make_mechanism
from .counters import Array
from .mechanisms import Mechanism, Tca
from .parameters import Parameters
from .seeds import get_generator
from .simulation import Transcript, run_transcript
from .streams import PoissonStream, WithReport

NAMES = ("tca", "rr", "greedy", "uniform")
TARGETS, HORIZON, STEP, TARGET, RATE = 8, 24, 9, 2, 0.1
"""The game's fixed small case: organisations, audits, step (from 1) and organisation (from 0) of the suspected report,
reports a step about each organisation by others."""
LEARNING_RUNS = 4000
"""Runs a world from which the attacker learns the time of TCA's first audit."""


@dataclass(frozen=True)
class Round:
    """One record to be judged.

    Attributes:
        number: from 1.
        mechanism: its name.
        transcript: the record and the reports behind it.
        reported: the truth, a fair coin.
    """

    number: int
    mechanism: str
    transcript: Transcript
    reported: bool


@dataclass(frozen=True)
class Answer:
    """A judgement: `said` "reported", the truth, and the confidence from 0.5 (guessed) to 1 (sure)."""

    said: bool
    reported: bool
    confidence: float = 0.5


@dataclass(frozen=True)
class Score:
    """A player's result.

    Attributes:
        rates: TPR, FPR and advantage with intervals.
        right: share of right answers.
        confidence: mean confidence; a player who knows what it knows has it near `right`.
    """

    rates: Measured
    right: float
    confidence: float


def make_game_mechanism(name: str, delta: float) -> Mechanism:
    """The mechanism of the game at budget `delta`."""
    return make_mechanism(name, Parameters(targets=TARGETS, horizon=HORIZON, run_length=1, delta=delta))


def make_round(number: int, delta: float, seed: int, mechanism: str | None = None) -> Round:
    """Round `number` (from 1): the same for everyone with the same seed; the mechanism is drawn unless given."""
    if number < 1:
        raise ValueError(f"number must be at least 1, got {number}")
    coins = get_generator(seed, "game", number)
    reported, drawn = bool(coins.integers(2)), NAMES[coins.integers(len(NAMES))]
    name = mechanism or drawn
    stream = PoissonStream(TARGETS, RATE, RATE)
    world = WithReport(stream, STEP, TARGET) if reported else stream
    return Round(number, name, run_transcript(make_game_mechanism(name, delta), world, HORIZON, seed, number), reported)


@lru_cache(maxsize=256)
def _learn(delta: float, seed: int) -> Array:
    """Log ratios of the first audit's time under TCA, learnt from runs that are never played."""
    mechanism, stream = make_game_mechanism("tca", delta), PoissonStream(TARGETS, RATE, RATE)
    watch = watch_target(mechanism, stream, HORIZON, STEP, TARGET, 2 * LEARNING_RUNS, seed + 1, until_audited=True)
    return get_first_audit_ratio(watch)


def get_best_ratio(played: Round, delta: float, seed: int) -> float:
    """The attacker's log likelihood ratio for a round: exact but for TCA, where the first audit's time is used."""
    mechanism = make_game_mechanism(played.mechanism, delta)
    if isinstance(mechanism, Tca):
        hits = (played.transcript.audits[STEP - 1 :] == TARGET)[None, :]
        return float(_learn(delta, seed)[get_first_audits(hits)[0]])
    return get_record_log_ratio(mechanism, played.transcript, STEP, TARGET, played.reported)


def get_best_answer(played: Round, delta: float, seed: int) -> Answer:
    """What an attacker who knows mechanism, delta and all other reports says, with its true confidence."""
    ratio = get_best_ratio(played, delta, seed)
    chance = 1.0 / (1.0 + np.exp(-ratio))
    return Answer(ratio > 0, played.reported, float(max(chance, 1.0 - chance)))


def score(answers: Sequence[Answer]) -> Score | None:
    """Rates and confidence of the answers; None until both worlds have been seen."""
    said = np.array([answer.said for answer in answers], dtype=bool)
    truth = np.array([answer.reported for answer in answers], dtype=bool)
    if not truth.any() or truth.all():
        return None
    right = float((said == truth).mean())
    return Score(judge(0.5, said[truth], said[~truth]), right, float(np.mean([a.confidence for a in answers])))
