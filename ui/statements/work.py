"""What the page asks of core, in sizes a reader can wait for, kept for all sessions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from core.calibration import get_count_sd
from core.certificates import (
    Certificates,
    NoisyCounts,
    get_audited_counts,
    get_fresh_delta,
    get_rate,
    get_repaired_beta,
    get_winners_curse,
    run_counts,
)
from core.mechanisms import Tca
from core.parameters import TABLE, Parameters
from core.simulation import run_transcript
from core.streams import Stream, TableStream
from core.utility import Share, get_share
from ui.frames import Store
from ui.words import N_, _, number

CELLS = 2_000_000
"""Runs x steps x organisations: about two seconds on one core, twice."""
LEAST_RUNS = 4
FIRST_RUNS = 1000
LEVELS = {
    "step": N_("one statement a step: beta / C"),
    "record": N_("a whole record: beta / (C · T)"),
    "raw": N_("none: beta"),
}
"""How beta is repaired for the choice of the audited organisation."""


@dataclass(frozen=True)
class Size:
    """How much is simulated."""

    runs: int
    horizon: int


@dataclass(frozen=True)
class Measured:
    """Simulated noisy counts, (runs, horizon) each, and one record.

    Attributes:
        audited, beforehand: of the audited organisation, and of organisation 0, chosen beforehand.
        fresh: of the audited one by counters of their own.
        audits: organisations audited in the record shown, from 0, (horizon,). record: its counts, (horizon,).
        first: false statements at the only audit, no reports at all: one row for each run, (runs, 1).
    """

    size: Size
    audited: NoisyCounts
    beforehand: NoisyCounts
    fresh: NoisyCounts
    audits: NDArray[np.intp]
    record: NoisyCounts
    first: NoisyCounts


def fit(p: Parameters, stream: Stream) -> Parameters:
    """The scenario with the organisations of the stream, and with the steps of a table.

    Raises:
        ParameterError: more organisations than the dashboard covers.
    """
    horizon = p.horizon
    if isinstance(stream, TableStream) and stream.table.any():
        horizon = min(len(stream.table), int(TABLE["horizon"].maximum or 0))
    runs = int(TABLE["runs"].minimum or 1)
    small = replace(p, runs=runs, targets=stream.targets, horizon=horizon, run_length=min(p.run_length, horizon))
    return small.with_changes(runs=p.runs)[0]


def get_size(p: Parameters) -> Size:
    """As many runs and steps of the scenario as `CELLS` allow."""
    horizon = max(1, min(p.horizon, CELLS // (LEAST_RUNS * p.targets)))
    return Size(min(p.runs, max(LEAST_RUNS, CELLS // (horizon * p.targets))), horizon)


def _key(stream: Stream) -> Hashable:
    if isinstance(stream, TableStream):
        return stream.table.shape, sha256(stream.table.tobytes()).digest()
    return stream


_FOUND: Store[Measured] = Store(12)


def measure(p: Parameters, stream: Stream, progress: Callable[[float], None]) -> Measured:
    """Everything simulated on the page; neither beta nor tau is needed for it."""
    size = get_size(p)
    key = (_key(stream), size, p.delta, p.targets, p.horizon, p.seed)
    kept = _FOUND.get(key)
    if kept is not None:
        return kept
    mechanism = Tca(p.targets, p.horizon, p.delta)
    transcript = run_transcript(mechanism, stream, size.horizon, p.seed)
    record = get_audited_counts(transcript, mechanism)
    audited, beforehand = run_counts(
        mechanism, stream, size.horizon, size.runs, p.seed, progress=lambda done: progress(0.45 * done)
    )
    fresh, _unused = run_counts(
        mechanism, stream, size.horizon, size.runs, p.seed, True, lambda done: progress(0.45 + 0.45 * done)
    )
    nobody = TableStream(np.zeros((1, p.targets)))
    first, _unused = run_counts(Tca(p.targets, 1, p.delta), nobody, 1, FIRST_RUNS, p.seed)
    return _FOUND.put(key, Measured(size, audited, beforehand, fresh, transcript.audits, record, first))


def get_level(level: str, beta: float, p: Parameters) -> float:
    """beta as the level repairs it."""
    return get_repaired_beta(beta, {"raw": 1, "step": p.targets, "record": p.targets * p.horizon}[level])


@dataclass(frozen=True)
class Rates:
    """Shares over the simulated records.

    Attributes:
        emitted, false: audits with a statement "at least tau", and with a false one; with their standard errors.
        any_false: audits with any false statement. ever: records with any at some audit, with its 95% interval.
        of_emitted: false among all statements "at least tau"; None where there was none.
    """

    name: str
    emitted: tuple[float, float]
    false: tuple[float, float]
    any_false: tuple[float, float]
    ever: Share
    of_emitted: float | None


def get_rates(name: str, counts: NoisyCounts, beta: float, tau: int) -> Rates:
    """The rates of statements at level beta."""
    found: Certificates = counts.certify(beta)
    emitted, false = found.emitted_at(tau), found.false_at(tau)
    share = float(false.sum() / emitted.sum()) if emitted.any() else None
    rates = [_pair(get_rate(events)) for events in (emitted, false, found.false)]
    ever = get_share(int(found.false.any(axis=1).sum()), len(found.false))
    return Rates(name, rates[0], rates[1], rates[2], ever, share)


def _pair(rate: tuple[float, float | None]) -> tuple[float, float]:
    return rate[0], rate[1] or 0.0


def get_all_rates(found: Measured, p: Parameters, beta: float, tau: int) -> dict[str, Rates]:
    """One row for each way to choose what is stated and at which level."""
    rows = {
        "beforehand": (_("chosen beforehand, beta"), found.beforehand, "raw"),
        "raw": (_("the audited one, beta"), found.audited, "raw"),
        "step": (_("the audited one, beta / C"), found.audited, "step"),
        "record": (_("the audited one, beta / (C · T)"), found.audited, "record"),
        "fresh": (_("the audited one, fresh noise, beta"), found.fresh, "raw"),
    }
    return {key: get_rates(name, counts, get_level(level, beta, p), tau) for key, (name, counts, level) in rows.items()}


@dataclass(frozen=True)
class Curse:
    """False statements at the only audit, no reports at all: by the formula and measured with its standard error."""

    exact: float
    measured: float
    measured_se: float


def get_curse(found: Measured, p: Parameters, beta: float) -> Curse:
    """1 - (1 - beta)^C beside what the simulation gives."""
    rate, se = _pair(get_rate(found.first.certify(beta).false))
    return Curse(get_winners_curse(beta, p.targets), rate, se)


def get_lengths(p: Parameters) -> list[int]:
    """Run lengths worth naming: right after an audit, ten steps later, never audited."""
    return sorted({1, min(10, p.horizon), p.horizon})


def get_sds(p: Parameters) -> dict[int, float]:
    """Noise on a count at those run lengths."""
    return {length: float(get_count_sd(p.delta, p.horizon, length)) for length in get_lengths(p)}


def get_costs(p: Parameters) -> tuple[float, float, float]:
    """delta of audits and statements together: same noise, fresh noise by addition, fresh noise Gaussian."""
    return (p.delta, *get_fresh_delta(p.delta))


def tell_size(p: Parameters, size: Size) -> str:
    """What was simulated."""
    text = _("{runs} simulated records of {audits} audits; the picture shows the first; seed {seed}.").format(
        runs=number(size.runs), audits=number(size.horizon), seed=p.seed
    )
    if size.horizon < p.horizon:
        text += " " + _("All {audits} audits would take too long here: these are the first of them.").format(
            audits=number(p.horizon)
        )
    return text


def command(p: Parameters, beta: float, tau: int, size: Size) -> str:
    """The same rates from a terminal."""
    return (
        f"python -m core certify --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g} --beta {beta:g} "
        f"--tau {tau} --lead-rate {p.lead_rate:g} --other-rate {p.other_rate:g} --runs {size.runs} --seed {p.seed}"
    )
