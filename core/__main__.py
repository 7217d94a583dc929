"""The numbers of the dashboard from a terminal: `python -m core COMMAND ...` prints JSON (or CSV) on standard output.

Messages go to standard error; bad input ends with exit code 2 and one line that says what is allowed.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from . import adversary, attacks, calibration, claims, deniability, utility
from .mechanisms import NAMES, make_mechanism
from .parameters import STREAMS, TABLE, ParameterError, Parameters, check_size
from .simulation import run_ensemble, run_transcript
from .streams import make_stream

Rows = list[dict[str, Any]]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _option(name: str) -> dict[str, Any]:
    """Keyword arguments for `add_argument`: the table's type check and help for parameter `name`."""
    row = TABLE[name]

    def check(text: str) -> Any:
        try:
            return row.check(text)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return {"type": check, "default": row.default, "help": f"{row.unit or row.symbol}, {row.allowed()}", "dest": name}


def _numbers(name: str, low: float, high: float) -> Callable[[str], list[float]]:
    def check(text: str) -> list[float]:
        try:
            values = [float(part) for part in text.split(",")]
        except ValueError:
            values = [float("nan")]
        if not all(low <= value <= high for value in values):
            raise argparse.ArgumentTypeError(f"{name} must be numbers from {low:g} to {high:g} with commas between")
        return values

    return check


def _whole(name: str, low: int, high: int) -> Callable[[str], int]:
    def check(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{name} must be a whole number from {low:,} to {high:,}, got {text!r}")
        return int(text)

    return check


def _parser() -> _Parser:
    parser = _Parser(prog="python -m core", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)

    def add(name: str, what: str) -> _Parser:
        command = commands.add_parser(name, help=what, description=what)
        command.add_argument("--format", choices=("json", "csv"), default="json")
        return command

    def add_size(command: _Parser) -> None:
        command.add_argument("--targets", **_option("targets"))
        command.add_argument("--horizon", **_option("horizon"))
        command.add_argument("--delta", **_option("delta"))

    def add_run(command: _Parser) -> None:
        command.add_argument("--mechanism", choices=NAMES, required=True)
        add_size(command)
        command.add_argument("--lead-rate", **_option("lead_rate"))
        command.add_argument("--other-rate", **_option("other_rate"))
        command.add_argument("--stream", choices=STREAMS, default="poisson")
        command.add_argument("--seed", **_option("seed"))

    def add_report(command: _Parser) -> None:
        command.add_argument("--step", type=_whole("step", 1, 10_000), required=True, help="of the report, from 1")
        command.add_argument("--target", type=_whole("target", 0, 499), required=True, help="reported target, from 0")

    calibrate = add("calibrate", "Noise scale, mu and p_rand for a delta.")
    add_size(calibrate)

    gap = add("gap", "Exact mis-selection against the lead, a row per gap.")
    gap.add_argument("--targets", **_option("targets"))
    gap.add_argument("--run-length", **_option("run_length"))
    gap.add_argument("--horizon", **{**_option("horizon"), "default": None})
    gap.add_argument("--delta", **_option("delta"))
    gap.add_argument("--gaps", type=_numbers("gaps", 0, 500), required=True)

    run = add("run", "Many runs of one mechanism.")
    add_run(run)
    run.add_argument("--runs", type=_whole("runs", 1, 1_000_000), default=TABLE["runs"].default)

    add_run(add("transcript", "One run, a row per step."))

    tradeoff = add("tradeoff", "Largest detection rate for each false alarm rate.")
    tradeoff.add_argument("--delta", **_option("delta"))
    tradeoff.add_argument("--reports", type=_whole("reports", 1, 1000), default=1, help="reports about one target")
    tradeoff.add_argument("--fpr", type=_numbers("fpr", 0, 1), required=True)

    twins = add("twins", "Pairs of worlds that differ in one report, by the best coupling.")
    add_run(twins)
    add_report(twins)
    twins.add_argument("--runs", type=_whole("runs", 1, 100_000), default=TABLE["runs"].default, help="pairs of runs")

    attack = add("attack", "The timing attack, measured on pairs of independent runs.")
    attack.add_argument("--mechanism", choices=NAMES, required=True)
    add_size(attack)
    add_report(attack)
    attack.add_argument(
        "--runs", type=_whole("runs", 4, 1_000_000), default=TABLE["runs"].default, help="pairs of runs"
    )
    attack.add_argument("--seed", **_option("seed"))
    attack.add_argument("--reports", type=_whole("reports", 1, 1000), default=1, help="reports filed at that step")
    attack.add_argument("--lead-rate", **{**_option("lead_rate"), "default": None, "help": "default: the other rate"})
    attack.add_argument("--other-rate", **{**_option("other_rate"), "default": 0.0})
    attack.add_argument("--stream", choices=STREAMS, default="poisson")

    ledger = add("claims", "Every claim of the dashboard, computed now and held against its reference.")
    ledger.add_argument("--kind", choices=claims.KINDS, default=None, help="only these (default: all)")
    return parser


def twins(args: argparse.Namespace) -> dict[str, Any]:
    """In how many pairs the two records differ anywhere, with a 95 % interval, and what delta allows."""
    p = _scenario(args)
    check_size(p.targets, p.horizon, args.runs)
    mechanism = make_mechanism(args.mechanism, p)
    pairs = adversary.run_twins(mechanism, make_stream(p), p.horizon, args.step, args.target, args.runs, p.seed)
    share = utility.get_share(int(pairs.differs.sum()), args.runs)
    return {
        "differing": int(pairs.differs.sum()),
        "share": share.share,
        "share_low": share.low,
        "share_high": share.high,
        "delta_bound": deniability.get_bounds(mechanism.guarantee())[0],
    }


def attack(args: argparse.Namespace) -> dict[str, Any]:
    """The best window, tuned on half the runs and judged on the other half, and what the theory allows."""
    args.lead_rate = args.other_rate if args.lead_rate is None else args.lead_rate
    p = _scenario(args)
    mechanism = make_mechanism(args.mechanism, p)
    watch = attacks.watch_target(
        mechanism, make_stream(p), p.horizon, args.step, args.target, args.runs, p.seed, args.reports, True
    )
    found = attacks.measure_timing(watch)
    delta_bound, gaussian_bound = deniability.get_bounds(mechanism.guarantee(), args.reports)
    return {
        "window": int(found.threshold),
        "tpr": found.tpr.share,
        "fpr": found.fpr.share,
        "advantage": found.advantage,
        "advantage_low": found.low,
        "advantage_high": found.high,
        "delta_bound": delta_bound,
        "gaussian_bound": gaussian_bound,
    }


def _scenario(args: argparse.Namespace) -> Parameters:
    names = ("targets", "horizon", "delta", "lead_rate", "other_rate", "stream", "seed")
    values = {name: getattr(args, name) for name in names if hasattr(args, name)}
    horizon = values["horizon"]
    length = min(horizon, int(TABLE["run_length"].default))
    return Parameters(**values, run_length=length, runs=int(TABLE["runs"].minimum or 1))


def calibrate(args: argparse.Namespace) -> dict[str, Any]:
    """Noise scale and its companions."""
    return {
        "sensitivity": calibration.get_sensitivity(args.horizon),
        "noise_scale": calibration.get_noise_scale(args.delta, args.horizon),
        "count_sd": calibration.get_count_sd(args.delta, args.horizon, args.horizon),
        "mu": calibration.get_mu(args.delta),
        "p_rand": {
            rule: calibration.get_p_rand(rule, args.delta, args.targets, args.horizon)
            for rule in calibration.P_RAND_RULES
        },
    }


def gap(args: argparse.Namespace) -> Rows:
    """Mis-selection of each mechanism at each gap."""
    horizon = args.run_length if args.horizon is None else args.horizon
    sd = calibration.get_count_sd(args.delta, horizon, args.run_length)
    p_rand = calibration.get_p_rand("paper-experiments", args.delta, args.targets, horizon)
    gaps = np.asarray(args.gaps)
    columns = {
        "gap": gaps,
        "tca": utility.get_misselection(gaps, args.targets, sd),
        "rr": utility.get_rr_misselection(gaps, args.targets, p_rand),
        "greedy": utility.get_greedy_misselection(gaps, args.targets),
        "uniform": np.full(len(gaps), utility.get_uniform_misselection(args.targets)),
        "union_bound": utility.get_union_bound(gaps, args.targets, sd),
    }
    return _rows(columns)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Summary of an ensemble."""
    p = _scenario(args)
    check_size(p.targets, p.horizon, args.runs)
    mechanism = make_mechanism(args.mechanism, p)
    ensemble = run_ensemble(mechanism, make_stream(p), p.horizon, args.runs, p.seed)
    names = ("mean_deficit", "mean_deficit_se", "misselection", "misselection_se", "late_deficit", "max_deficit")
    return {name: getattr(ensemble, name) for name in names}


def transcript(args: argparse.Namespace) -> Rows:
    """One record, a row per step."""
    p = _scenario(args)
    record = run_transcript(make_mechanism(args.mechanism, p), make_stream(p), p.horizon, p.seed)
    steps = np.arange(p.horizon)
    return _rows(
        {
            "step": steps + 1,
            "target": record.audits,
            "active": record.active[steps, record.audits],
            "leader_active": record.leader_active,
            "deficit": record.deficit,
        }
    )


def tradeoff(args: argparse.Namespace) -> Rows:
    """Detection rates allowed by the delta line and by Gaussian noise, for reports about one target."""
    fpr = np.asarray(args.fpr)
    delta = deniability.get_composed_delta(args.delta, args.reports)
    mu = deniability.get_k_reports_mu(args.delta, args.reports)
    return _rows(
        {
            "fpr": fpr,
            "tpr_delta_line": deniability.get_tpr_delta_line(fpr, delta),
            "tpr_gaussian": deniability.get_tpr_gaussian(fpr, mu),
        }
    )


def ledger(args: argparse.Namespace) -> Rows:
    """A row per claim; simulations run anew."""
    chosen = [claim for claim in claims.load() if args.kind in (None, claim.kind)]
    return [claims.to_row(claims.compute(claim)) for claim in chosen]


def _rows(columns: dict[str, np.ndarray]) -> Rows:
    lists = [column.tolist() for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def _flat(result: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in result.items():
        flat |= {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
    return flat


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = _parser()
    args = parser.parse_args(arguments)
    commands: dict[str, Callable[[argparse.Namespace], dict[str, Any] | Rows]]
    commands = {
        "calibrate": calibrate,
        "gap": gap,
        "run": run,
        "transcript": transcript,
        "tradeoff": tradeoff,
        "attack": attack,
        "twins": twins,
        "claims": ledger,
    }
    try:
        result = commands[args.command](args)
    except ValueError as error:
        print(f"{parser.prog} {args.command}: {error}", file=sys.stderr)
        return 2
    try:
        if args.format == "csv":
            rows = result if isinstance(result, list) else [_flat(result)]
            writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        else:
            json.dump(result, sys.stdout, indent=2)
            print()
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader (head, less) has seen enough; closing quietly is what it expects
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
