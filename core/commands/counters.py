"""The command of the counter lab: counters side by side, a reader's own among them."""

from __future__ import annotations

import argparse
from typing import Any

from ..counter_kinds import KINDS, get_factorisation, get_profile
from ..linear import LARGEST_HORIZON, Factorisation, check_claim, load_counter, measure_counter
from ..parameters import TABLE, Parameters, check_size
from ..reduction import CounterAudit
from ..simulation import run_ensemble
from ..streams import make_stream
from ..utility import get_misselection
from . import Command, Rows, add_size, get_scenario, option, whole


def _add(parser: argparse.ArgumentParser) -> None:
    add_size(parser)
    parser.add_argument("--gap", **option("gap"))
    parser.add_argument("--runs", type=whole("runs", 2, 1_000_000), default=TABLE["runs"].default)
    parser.add_argument("--seed", **option("seed"))
    parser.add_argument(
        "--counter", metavar="FILE.py:CLASS", help="a class of your own as well; its code runs with all your rights"
    )


def _load(text: str, horizon: int) -> Factorisation:
    file, colon, name = text.rpartition(":")
    if not colon or not file or not name:
        raise ValueError(f"counter must be FILE.py:CLASS, got {text!r}")
    return measure_counter(load_counter(file, name), horizon, name)


def _remark(counter: Factorisation | None) -> str:
    if counter is None or counter.waste <= 1.0 + 1e-9:
        return ""
    return (
        f"claims {counter.claimed:.6g} where {counter.measured:.6g} would do: "
        f"{counter.waste - 1.0:.1%} more noise than needed"
    )


def counters(args: argparse.Namespace) -> Rows:
    """A row per counter, each calibrated to the same delta by its own sensitivity.

    `sensitivity_measured` is found by impulses, null where the horizon is too long for matrices; `sd_*` is the noise on
    a count at age 1, at age T and at its worst; `misselection` is exact, all counters at age T; `mean_deficit` is
    measured in audits of the default report stream.
    """
    p = get_scenario(args)
    check_size(p.targets, p.horizon, args.runs)
    chosen: list[str | Factorisation] = list(KINDS)
    if args.counter is not None:
        own = _load(args.counter, p.horizon)
        check_claim(own, p.delta)
        chosen.append(own)
    return [_row(counter, p, args) for counter in chosen]


def _row(counter: str | Factorisation, p: Parameters, args: argparse.Namespace) -> dict[str, Any]:
    measured: Factorisation | None = None
    if isinstance(counter, Factorisation):
        measured = counter
    elif p.horizon <= LARGEST_HORIZON:
        measured = get_factorisation(counter, p.horizon)
    profile = get_profile(counter, p.horizon)
    sd = profile.get_count_sd(p.delta)
    audits = run_ensemble(
        CounterAudit(p.targets, p.horizon, p.delta, counter), make_stream(p), p.horizon, args.runs, p.seed
    )
    return {
        "counter": profile.name,
        "sensitivity_claimed": profile.sensitivity,
        "sensitivity_measured": None if measured is None else measured.measured,
        "noise_scale": profile.get_noise_scale(p.delta),
        "sd_first": float(sd[0]),
        "sd_last": float(sd[-1]),
        "sd_largest": float(sd.max()),
        "memory": profile.memory,
        "cost": profile.cost,
        "misselection": float(get_misselection(args.gap, p.targets, sd[-1])),
        "mean_deficit": audits.mean_deficit,
        "mean_deficit_se": audits.mean_deficit_se,
        "remark": _remark(measured),
    }


COMMANDS = {
    "counters": Command("Counters at the same delta: noise, memory, cost, and how well each audits.", _add, counters)
}
