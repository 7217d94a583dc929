"""What the first picture asks of core: four groups of whistleblowers in a size a reader can wait for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from core.auditors import make_mechanism
from core.equity import Protection, Reporters, measure_protection
from core.parameters import Parameters
from core.streams import BLOCK
from core.utility import Share, get_share
from ui.frames import Store
from ui.words import _, ngettext, number

AUDITORS = ("tca", "rr", "greedy", "uniform")
"""Those with chance in them; a rota, which has none, is drawn as a line."""
CELLS = 150_000_000
"""Runs x steps x organisations of all worlds, and the reports in them: a few seconds on one core."""
RUNS, LEAST_RUNS = 1000, 20
LOOKS = (("circle", "●"), ("square", "■"), ("triangle-up", "▲"), ("diamond", "◆"))
SMALL, LARGE = "#2f83c5", "#a8730f"


@dataclass(frozen=True)
class Question:
    """What is simulated.

    Attributes:
        auditor: one of `AUDITORS`.
        crowd: k >= 2, reports of a crowd, all at the same step about the same organisation.
        window: w >= 1, steps within which an audit helps.
        step: of the reports, from 1.
    """

    auditor: str
    crowd: int
    window: int
    step: int

    @property
    def steps(self) -> int:
        """Steps to simulate."""
        return self.step + self.window - 1


def get_groups(p: Parameters, crowd: int) -> list[Reporters]:
    """Lone reporter and crowd in a small organisation, which nobody else reports, then in a large one.

    The large one draws as many other reports as the scenario's worst organisation; without any there is none.
    """
    backgrounds = dict.fromkeys((0.0, p.lead_rate))
    return [Reporters(_name(k, rate), k, rate) for rate in backgrounds for k in (1, crowd)]


def _name(k: int, rate: float) -> str:
    text = ngettext("{k} reporter, small", "{k} reporters, small", k)
    if rate > 0:
        text = ngettext("{k} reporter, large", "{k} reporters, large", k)
    return text.format(k=number(k))


def get_runs(p: Parameters, question: Question) -> int:
    """As many runs a world as the budget allows."""
    worlds = 10
    drawn = math.ceil(question.steps / BLOCK) * BLOCK
    cells = worlds * drawn * p.targets * (1.0 + p.other_rate)
    return max(LEAST_RUNS, min(RUNS, int(CELLS / cells)))


def get_benefit(one: Protection, runs: int) -> Share:
    """The benefit with its 95% interval, which a standard error of 0 would hide where no run or every run hits."""
    return get_share(round(one.benefit * runs), runs)


_FOUND: Store[list[Protection]] = Store(60)


def measure(p: Parameters, question: Question, progress: Callable[[float], None]) -> list[Protection]:
    """Benefit and exposure of each group, remembered for all sessions."""
    groups, runs = get_groups(p, question.crowd), get_runs(p, question)
    rule = p.rr_calibration if question.auditor == "rr" else None
    names = tuple(group.group for group in groups)
    key = (question, runs, p.delta, p.targets, p.horizon, p.lead_rate, p.other_rate, p.seed, rule, names)
    found = _FOUND.get(key)
    if found is None:
        mechanism = make_mechanism(question.auditor, p)
        found = measure_protection(
            mechanism, groups, question.window, runs, p.seed, question.step, p.other_rate, progress=progress
        )
        _FOUND.put(key, found)
    return found


def command(p: Parameters, question: Question) -> str:
    """The same groups from a terminal."""
    auditor = f"rr-{p.rr_calibration}" if question.auditor == "rr" else question.auditor
    name = auditor.removesuffix("-paper-experiments")
    rates = ",".join(f"{group.background:g}" for group in get_groups(p, question.crowd)[::2])
    return (
        f"python -m core equity --crowds 1,{question.crowd} --backgrounds {rates} --mechanism {name} "
        f"--targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} --window {question.window} "
        f"--step {question.step} --other-rate {p.other_rate:g} --runs {get_runs(p, question)} --seed {p.seed}"
    )


def tell_size(p: Parameters, question: Question) -> str:
    """What was simulated."""
    return _(
        "{runs} runs of each world, with and without the report, on the same random tapes; the reports come at step "
        "{step}; seed {seed}."
    ).format(runs=number(get_runs(p, question)), step=number(question.step), seed=p.seed)
