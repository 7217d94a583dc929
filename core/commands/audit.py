"""The command `audit`: a mechanism of ours, or a confusion table from anywhere, against what it claims."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

from .. import audit_runs, gdp
from ..audit import ALPHA, RUNS, Audit, Claim, get_mu_power
from ..auditors import NAMES, make_mechanism
from ..calibration import get_delta
from ..counter_kinds import KINDS
from ..faults import FAULTS
from ..parameters import TABLE
from . import Command, get_scenario, option, whole


def _table(text: str) -> tuple[int, int, int, int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() and int(part) <= 10**9 for part in parts):
        raise argparse.ArgumentTypeError(
            f"the table must be TP,FN,FP,TN: four whole numbers from 0 to 1,000,000,000, got {text!r}"
        )
    tp, fn, fp, tn = (int(part) for part in parts)
    return tp, fn, fp, tn


def _between(name: str, low: float, high: float) -> Callable[[str], float]:
    def check(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low < value < high:
            raise argparse.ArgumentTypeError(f"{name} must lie strictly between {low:g} and {high:g}, got {text!r}")
        return value

    return check


def _add_audit(parser: argparse.ArgumentParser) -> None:
    audited = parser.add_mutually_exclusive_group(required=True)
    audited.add_argument("--mechanism", choices=NAMES)
    audited.add_argument("--table", type=_table, help="TP,FN,FP,TN of an attack on any mechanism")
    steps = whole("interval", 2, 10_000)
    parser.add_argument("--interval", type=steps, help="W of tca-interval, in steps, at least targets (default: 2 C)")
    parser.add_argument("--counter", choices=KINDS, default="toeplitz", help="of tca")
    parser.add_argument("--targets", **option("targets"))
    parser.add_argument("--horizon", **option("horizon"))
    parser.add_argument(
        "--delta",
        type=_between("delta", 0.0, 1.0),
        help=f"claimed; default for a mechanism {TABLE['delta'].default}, for a table none",
    )
    parser.add_argument("--mu", type=_between("mu", 0.0, 100.0), help="with --table: claimed, where it is Gaussian")
    parser.add_argument("--alpha", type=_between("alpha", 0.0, 1.0), default=ALPHA, help="chance of a false accusation")
    parser.add_argument("--runs", type=whole("runs", 4, 1_000_000), default=RUNS, help="a world, half of them judged")
    parser.add_argument("--seed", **option("seed"))
    parser.add_argument(
        "--box", choices=audit_runs.BOXES, default="white", help="white: what is released; black: audits"
    )
    parser.add_argument("--fault", choices=FAULTS, help="audit a broken variant of tca instead")
    parser.add_argument("--pair", choices=audit_runs.PAIRS, help="other reports; default: those that show most")
    parser.add_argument("--target", type=whole("target", 0, 499), default=0, help="of the report, from 0")


def get_row(audit: Audit) -> dict[str, Any]:
    """One JSON object of an audit; None for what is infinite, unknown or not claimed."""
    judged = min(audit.tp + audit.fn, audit.fp + audit.tn)
    mu = audit.claim.mu
    found = {
        "tp": audit.tp,
        "fn": audit.fn,
        "fp": audit.fp,
        "tn": audit.tn,
        "alpha": audit.alpha,
        "tpr": audit.tpr,
        "fpr": audit.fpr,
        "mu_hat": audit.mu_hat,
        "mu_low_clopper_pearson": audit.mu_low_clopper_pearson,
        "mu_low_jeffreys": audit.mu_low_jeffreys,
        "advantage": audit.advantage,
        "advantage_low": audit.advantage_low,
        "claimed_mu": mu,
        "claimed_delta": audit.claim.delta,
        "mu_se": gdp.get_mu_se(mu, judged) if mu is not None else None,
        "power_at_twice_mu": get_mu_power(audit.claim, 2.0 * mu, judged, audit.alpha) if mu else None,
        "threshold": audit.threshold,
        "verdict": audit.verdict,
    }
    return {name: None if isinstance(v, float) and not math.isfinite(v) else v for name, v in found.items()}


def audit(args: argparse.Namespace) -> dict[str, Any]:
    """The judged confusion table. A table without a claim cannot violate one."""
    if args.table is not None:
        if args.fault or args.pair:
            raise ValueError("fault and pair are for audits of a mechanism, not of a table")
        delta = get_delta(args.mu) if args.delta is None and args.mu is not None else args.delta
        tp, fn, fp, tn = args.table
        return get_row(Audit(tp, fn, fp, tn, args.alpha, Claim(delta, args.mu)))
    if args.mu is not None:
        raise ValueError("mu is for a table; a mechanism states its own")
    args.delta = TABLE["delta"].default if args.delta is None else args.delta
    p = get_scenario(args)
    mechanism = make_mechanism(args.mechanism, p, args.interval, counter=args.counter)
    return get_row(
        audit_runs.run_audit(
            mechanism, p.horizon, p.delta, args.runs, args.alpha, p.seed, args.box, args.fault, args.pair, args.target
        )
    )


COMMANDS = {"audit": Command("Audit a mechanism, or any confusion table, against its claim.", _add_audit, audit)}
