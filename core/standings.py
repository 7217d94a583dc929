"""The whole league as rows: missed reports in every setting, delay after a jump, what two attacks get (ours)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from .attacks import Measured, measure_scores
from .audit_runs import run_scores
from .changing import JumpStream
from .league import RULES, SETTINGS, Progress, Setting, make_rule, measure_delay
from .mechanisms import Mechanism
from .outright import Outright
from .simulation import run_ensemble, standard_error
from .streams import PoissonStream

EXTRA = ("rr-race", "outright")
"""Rules beside those of the league itself: randomised response by the race bound, and publishing outright."""
JUMPS: dict[str, Setting] = {
    "jumps": SETTINGS["bursts"],
    "lone-jump": Setting(50, 560, 0.1, JumpStream(50, 0.2, 2.0, 500), 1000),
}
"""Jumps that recur every 100 steps, and a single one after 500 calm steps."""
JUMP_RULES = {
    "jumps": ("fading", "fading-alert", "tca-bank", "tca-interval-1.3", "tca-interval", "tca", "rota", "uniform"),
    "lone-jump": ("fading", "fading-alert", "tca"),
}
LEAK = Setting(5, 40, 0.1, PoissonStream(5, 0.0, 0.0), 20_000)
"""Where the attacks are measured: small, so that many runs fit; one report at step 1."""
PARTS = (*SETTINGS, *JUMPS, "leaks")
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Row:
    """One number of the league.

    Attributes:
        part: one of `PARTS`.
        rule: name of the rule.
        measure: `missed` (reports a step), `delay` (steps from a jump to the first audit), `timing` or `release`
            (advantage of the attack on the time of the first audit, and of the best attack on what is released).
        value, error: with its standard error.
        runs: behind it (of each world for attacks); 0 where it is exact.
    """

    part: str
    rule: str
    measure: str
    value: float
    error: float
    runs: int


@dataclass(frozen=True)
class League:
    """A stored league: when, how, and its rows."""

    date: str
    seed: int
    command: str
    rows: tuple[Row, ...]

    def get(self, part: str, measure: str) -> list[Row]:
        """The rows of one part and measure."""
        return [row for row in self.rows if (row.part, row.measure) == (part, measure)]


def read(path: Path) -> League:
    """A stored league; FileNotFoundError where there is none."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return League(**stored | {"rows": tuple(Row(**row) for row in stored["rows"])})


def write(league: League, path: Path) -> None:
    """Store a league as JSON, a row a line."""
    head = {name: value for name, value in asdict(league).items() if name != "rows"}
    rows = ",\n".join("    " + json.dumps(asdict(row)) for row in league.rows)
    text = json.dumps(head, indent=2).removesuffix("\n}") + ',\n  "rows": [\n' + rows + "\n  ]\n}\n"
    path.write_text(text, encoding="utf-8")


def make_competitor(name: str, setting: Setting) -> Mechanism | None:
    """`core.league.make_rule`, and `outright`."""
    return Outright(setting.targets, setting.delta) if name == "outright" else make_rule(name, setting)


def measure_part(part: str, runs: int | None = None, seed: int = 2026, progress: Progress = None) -> list[Row]:
    """All rows of one part, `runs` (at least 2; the part's own number unless given) for each rule.

    Raises:
        ValueError: an unknown part, or too few runs.
    """
    if part not in PARTS:
        raise ValueError(f"setting must be one of {', '.join(PARTS)}, got {part!r}")
    least = 4 if part == "leaks" else 2
    if runs is not None and runs < least:
        raise ValueError(f"runs must be at least {least}, got {runs}")
    if part in SETTINGS:
        return _measure(part, (*RULES, *EXTRA), _missed, SETTINGS[part], runs, seed, progress)
    if part in JUMPS:
        return _measure(part, JUMP_RULES[part], _delay, JUMPS[part], runs, seed, progress)
    rules = tuple(rule for rule in (*RULES, *EXTRA) if rule != "known-rates")
    return _measure(part, rules, _leaks, LEAK, runs, seed, progress)


Numbers = dict[str, tuple[float, float, int]]
Measure = Callable[[Mechanism, Setting, int, int], Numbers]


def _measure(
    part: str,
    rules: Sequence[str],
    measure: Measure,
    setting: Setting,
    runs: int | None,
    seed: int,
    progress: Progress,
) -> list[Row]:
    rows: list[Row] = []
    for i, name in enumerate(rules):
        rule = make_competitor(name, setting)
        if rule is not None:
            found = measure(rule, setting, runs or setting.runs, seed)
            rows += [Row(part, name, what, *numbers) for what, numbers in found.items()]
        if progress:
            progress((i + 1) / len(rules))
    return rows


def _missed(rule: Mechanism, s: Setting, runs: int, seed: int) -> Numbers:
    means = run_ensemble(rule, s.stream, s.horizon, runs, seed).deficit.mean(axis=1)
    return {"missed": (float(means.mean()), standard_error(means) or 0.0, runs)}


def _delay(rule: Mechanism, s: Setting, runs: int, seed: int) -> Numbers:
    assert isinstance(s.stream, JumpStream)
    return {"delay": (*measure_delay(rule, s.stream, s.horizon, runs, seed), runs)}


def _leaks(rule: Mechanism, s: Setting, runs: int, seed: int) -> Numbers:
    if rule.guarantee().delta == 0.0:
        return {"timing": (0.0, 0.0, 0), "release": (0.0, 0.0, 0)}
    # the last target: where ties and first deadlines go by number, it has to wait longest
    target = s.targets - 1
    timing = measure_scores(*run_scores(rule, s.horizon, runs, seed, "black", target=target))
    if isinstance(rule, Outright):
        # a published report is certain, an unpublished one changes nothing
        return {"timing": _advantage(timing, runs), "release": (rule.delta, 0.0, 0)}
    release = measure_scores(*run_scores(rule, s.horizon, runs, seed, "white", target=target))
    return {"timing": _advantage(timing, runs), "release": _advantage(release, runs)}


def _advantage(measured: Measured, runs: int) -> tuple[float, float, int]:
    return measured.advantage, (measured.high - measured.low) / (2.0 * Z95), runs
