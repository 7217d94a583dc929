"""`equity`: benefit against exposure, for groups of a classifier's people or of whistleblowers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..auditors import NAMES, make_mechanism
from ..equity import FLOOR, Equity, GroupRates, Reporters, compare, get_equity, get_group_rates, measure_protection
from . import Command, Rows, add_size, get_scenario, numbers, option, whole

MOST_GROUPS = 20


def _typed(text: str) -> tuple[str, list[float]]:
    name, _, values = text.rpartition("=")
    try:
        cells = [float(value) for value in values.split(",")]
    except ValueError:
        cells = []
    if len(cells) != 5:
        raise argparse.ArgumentTypeError(f"rates must be [name=]rate,train,test,n_train,n_test, got {text!r}")
    return name, cells


def _crowds(text: str) -> list[int]:
    return [whole("crowds", 1, 1000)(part) for part in text.split(",")]


def _add(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--rates",
        type=_typed,
        action="append",
        metavar="[NAME=]RATE,TRAIN,TEST,N_TRAIN,N_TEST",
        help="a group: share with the benefit, accuracy on training and test data, people behind each; repeatable",
    )
    source.add_argument("--table", type=Path, help="CSV file with columns group, split, label, prediction")
    source.add_argument("--crowds", type=_crowds, help="whistleblowers: reports filed together, with commas between")
    parser.add_argument("--floor", type=_get_floor, default=FLOOR, help="smallest gap that counts, from 0 to 1")
    parser.add_argument("--benefit", help="with --table: the prediction that is the benefit")
    add_size(parser)
    parser.add_argument("--mechanism", choices=NAMES, default="tca")
    parser.add_argument(
        "--window", type=whole("window", 1, 10_000), default=1, help="steps within which an audit helps"
    )
    parser.add_argument("--step", type=whole("step", 1, 10_000), default=1, help="of the reports, from 1")
    background = numbers("backgrounds", 0, 20)
    parser.add_argument("--backgrounds", type=background, help="other reports a step about the reported target")
    parser.add_argument("--other-rate", **{**option("other_rate"), "default": 0.0})
    parser.add_argument("--runs", type=whole("runs", 2, 100_000), default=2000)
    parser.add_argument("--seed", **option("seed"))


def _get_floor(text: str) -> float:
    values = numbers("floor", 0, 1)(text)
    if len(values) != 1:
        raise argparse.ArgumentTypeError("floor must be one number from 0 to 1")
    return values[0]


def _tell(found: Equity, first: Equity) -> dict[str, Any]:
    row = {"status": found.status, "verdict": found.verdict, "pcer": found.pcer, "pcer_lower": found.lower}
    if found is first:
        return row | dict.fromkeys(("disparity", "parity_gap", "double_disadvantage", "exposure_order_clear"))
    pair = compare(first, found)
    return row | {
        "disparity": pair.ratio,
        "parity_gap": pair.parity_gap,
        "double_disadvantage": pair.double_disadvantage,
        "exposure_order_clear": pair.clear,
    }


def _read(path: Path, benefit: str | None) -> list[GroupRates]:
    if benefit is None:
        raise ValueError("--table needs --benefit, the prediction that is the benefit")
    import pandas as pd

    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} is not a readable CSV file: {str(error).strip().splitlines()[0]}") from None
    return get_group_rates(table, benefit)


def _classifier(groups: list[GroupRates], floor: float) -> Rows:
    found = [get_equity(group, floor) for group in groups]
    return [
        {"group": one.group, "rate": one.rate, "gap": one.gap, "gap_se": one.gap_se} | _tell(one, found[0])
        for one in found
    ]


def _whistleblowers(args: argparse.Namespace) -> Rows:
    p = get_scenario(args)
    backgrounds = [args.other_rate] if args.backgrounds is None else args.backgrounds
    groups = [
        Reporters(("alone" if k == 1 else f"crowd of {k}") + (f", background {rate:g}" if rate else ""), k, rate)
        for rate in backgrounds
        for k in args.crowds
    ]
    _check_groups([group.group for group in groups])
    if args.step + args.window - 1 > p.horizon:
        raise ValueError(
            f"step + window - 1 must not exceed horizon ({p.horizon:,}), got {args.step + args.window - 1:,}"
        )
    mechanism = make_mechanism(args.mechanism, p)
    found = measure_protection(
        mechanism, groups, args.window, args.runs, p.seed, args.step, args.other_rate, args.floor
    )
    return [
        {
            "group": one.reporters.group,
            "reports": one.reporters.reports,
            "background": one.reporters.background,
            "benefit": one.benefit,
            "benefit_se": one.benefit_se,
            "blind_lots": one.lots,
            "blind_rota": one.rota,
            "lift": one.lift,
            "exposure": one.alone.gap,
            "exposure_se": one.alone.gap_se,
            "exposure_bound": one.alone_bounds[0],
            **_tell(one.alone, found[0].alone),
            "crowd_exposure": one.together.gap,
            "crowd_exposure_se": one.together.gap_se,
            "crowd_delta_bound": one.together_bounds[0],
            "crowd_gaussian_bound": one.together_bounds[1],
            "crowd_status": one.together.status,
            "crowd_pcer": one.together.pcer,
            "crowd_pcer_lower": one.together.lower,
        }
        for one in found
    ]


def _check_groups(names: list[str]) -> None:
    if len(names) > MOST_GROUPS:
        raise ValueError(f"at most {MOST_GROUPS} groups, got {len(names)}")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"each group needs a name of its own, got {min(twice)!r} twice")


def equity(args: argparse.Namespace) -> Rows:
    """A row per group; disparity, parity gap and double disadvantage stand the first group against each other one."""
    if args.crowds is not None:
        return _whistleblowers(args)
    if args.table is not None:
        return _classifier(_read(args.table, args.benefit), args.floor)
    groups = [GroupRates(name or str(number), *cells) for number, (name, cells) in enumerate(args.rates, 1)]
    _check_groups([group.group for group in groups])
    return _classifier(groups, args.floor)


COMMANDS = {"equity": Command("Benefit against exposure (PCER), a row per group.", _add, equity)}
