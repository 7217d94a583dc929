"""`certify`: what may be stated about an organisation's reports, and how often that would be false."""

from __future__ import annotations

import argparse
from typing import Any

from .. import certificates
from ..calibration import get_count_sd
from ..mechanisms import Tca
from ..streams import make_stream
from . import Command, add_size, get_scenario, option, whole


def _get_beta(text: str) -> float:
    try:
        beta = float(text)
    except ValueError:
        beta = float("nan")
    if not 0.0 < beta <= 0.5:
        raise argparse.ArgumentTypeError(f"beta must be a number above 0 and at most 0.5, got {text!r}")
    return beta


def _add(parser: argparse.ArgumentParser) -> None:
    add_size(parser)
    parser.add_argument("--beta", type=_get_beta, default=0.05, help="chance of a false statement, above 0 to 0.5")
    parser.add_argument("--tau", type=whole("tau", 1, 100_000), default=1, help='of "at least tau active reports"')
    parser.add_argument("--lead-rate", **option("lead_rate"))
    parser.add_argument("--other-rate", **option("other_rate"))
    parser.add_argument("--runs", type=whole("runs", 2, 100_000), default=200)
    parser.add_argument("--seed", **option("seed"))


def _tell(counts: certificates.NoisyCounts, beta: float, tau: int) -> dict[str, Any]:
    found = counts.certify(beta)
    emitted, false = found.emitted_at(tau), found.false_at(tau)
    names = ("emitted", "false", "false_any_tau")
    told: dict[str, Any] = {"beta": beta}
    for name, events in zip(names, (emitted, false, found.false), strict=True):
        told[name], told[f"{name}_se"] = certificates.get_rate(events)
    told["false_of_emitted"] = float(false.sum() / emitted.sum()) if emitted.any() else None
    told["ever_false_any_tau"], told["ever_false_any_tau_se"] = certificates.get_ever_rate(found.false)
    return told


def certify(args: argparse.Namespace) -> dict[str, Any]:
    """Active reports needed, the frontier, the winner's curse and measured rates of false statements.

    Measured shares are of steps: `audited` certifies whichever target is audited with beta, `audited_repaired` with
    beta / C (for one step) and `audited_repaired_for_record` with beta / (C T) (for the whole record), `beforehand`
    always target 0 with beta, `audited_fresh` the audited one with beta and fresh noise.
    """
    p = get_scenario(args)
    mechanism = Tca(p.targets, p.horizon, p.delta)
    lengths = sorted({1, min(10, p.horizon), p.horizon})
    repaired, record = (certificates.get_repaired_beta(args.beta, n) for n in (p.targets, p.targets * p.horizon))
    stream = make_stream(p)
    audited, beforehand = certificates.run_counts(mechanism, stream, p.horizon, args.runs, p.seed)
    fresh, _ = certificates.run_counts(mechanism, stream, p.horizon, args.runs, p.seed, fresh=True)
    proxy, proxy_se = certificates.get_rate(audited.unsupported)
    basic, gaussian = certificates.get_fresh_delta(p.delta)
    return {
        "needed_reports": {
            f"run_length_{length}": certificates.get_needed_reports(
                args.tau, args.beta, get_count_sd(p.delta, p.horizon, length)
            )
            for length in lengths
        },
        "frontier": {f"k_{k}": float(certificates.get_frontier(k, p.delta, args.beta)) for k in (1, 5, 10)},
        "gaussian": {f"k_{k}": float(certificates.get_gaussian_emit_rate(k, p.delta, args.beta)) for k in (1, 5, 10)},
        "total_delta": {"shared_noise": p.delta, "fresh_noise": basic, "fresh_noise_gaussian": gaussian},
        "winners_curse": certificates.get_winners_curse(args.beta, p.targets),
        "audited": _tell(audited, args.beta, args.tau),
        "audited_repaired": _tell(audited, repaired, args.tau),
        "audited_repaired_for_record": _tell(audited, record, args.tau),
        "beforehand": _tell(beforehand, args.beta, args.tau),
        "audited_fresh": _tell(fresh, args.beta, args.tau),
        "audits_without_support": proxy,
        "audits_without_support_se": proxy_se,
    }


COMMANDS = {
    "certify": Command("Statements about reports, and how often they would be false.", _add, certify),
}
