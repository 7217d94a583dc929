"""The commands of the terminal contract: calibrate, gap, run, transcript, tradeoff, and twins, attack, claims."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from .. import adversary, attacks, calibration, claims, deniability, utility
from ..auditors import NAMES, make_mechanism
from ..counter_kinds import KINDS
from ..parameters import STREAMS, TABLE, check_size
from ..simulation import run_ensemble, run_transcript
from ..streams import make_stream
from . import Command, Rows, add_report, add_size, get_scenario, numbers, option, to_rows, whole


def _add_mechanism(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mechanism", choices=NAMES, required=True)
    steps = whole("interval", 2, 10_000)
    parser.add_argument("--interval", type=steps, help="W of tca-interval, in steps, at least targets (default: 2 C)")


def _add_run(parser: argparse.ArgumentParser) -> None:
    _add_mechanism(parser)
    add_size(parser)
    parser.add_argument("--lead-rate", **option("lead_rate"))
    parser.add_argument("--other-rate", **option("other_rate"))
    parser.add_argument("--stream", choices=STREAMS, default="poisson")
    parser.add_argument("--seed", **option("seed"))


def _add_many_runs(parser: argparse.ArgumentParser) -> None:
    _add_run(parser)
    parser.add_argument("--runs", type=whole("runs", 1, 1_000_000), default=TABLE["runs"].default)
    audits = whole("audits-per-step", 1, 499)
    parser.add_argument("--audits-per-step", type=audits, default=1, help="targets audited at each step")
    parser.add_argument("--counter", choices=KINDS, default="toeplitz", help="of tca")


def _add_gap(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--targets", **option("targets"))
    parser.add_argument("--run-length", **option("run_length"))
    parser.add_argument("--horizon", **{**option("horizon"), "default": None})
    parser.add_argument("--delta", **option("delta"))
    parser.add_argument("--gaps", type=numbers("gaps", 0, 500), required=True)


def _add_tradeoff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--delta", **option("delta"))
    parser.add_argument("--reports", type=whole("reports", 1, 1000), default=1, help="reports about one target")
    parser.add_argument("--fpr", type=numbers("fpr", 0, 1), required=True)


def _add_twins(parser: argparse.ArgumentParser) -> None:
    _add_run(parser)
    add_report(parser)
    parser.add_argument("--runs", type=whole("runs", 1, 100_000), default=TABLE["runs"].default, help="pairs of runs")


def _add_attack(parser: argparse.ArgumentParser) -> None:
    _add_mechanism(parser)
    add_size(parser)
    add_report(parser)
    runs = whole("runs", 4, 1_000_000)
    parser.add_argument("--runs", type=runs, default=TABLE["runs"].default, help="pairs of runs")
    parser.add_argument("--seed", **option("seed"))
    parser.add_argument("--reports", type=whole("reports", 1, 1000), default=1, help="reports filed at that step")
    parser.add_argument("--lead-rate", **{**option("lead_rate"), "default": None, "help": "default: the other rate"})
    parser.add_argument("--other-rate", **{**option("other_rate"), "default": 0.0})
    parser.add_argument("--stream", choices=STREAMS, default="poisson")


def _add_claims(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", choices=claims.KINDS, default=None, help="only these (default: all)")


def twins(args: argparse.Namespace) -> dict[str, Any]:
    """In how many pairs the two records differ anywhere, with a 95 % interval, and what delta allows."""
    p = get_scenario(args)
    check_size(p.targets, p.horizon, args.runs)
    mechanism = make_mechanism(args.mechanism, p, args.interval)
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
    p = get_scenario(args)
    mechanism = make_mechanism(args.mechanism, p, args.interval)
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
    return to_rows(columns)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Summary of an ensemble."""
    p = get_scenario(args)
    check_size(p.targets, p.horizon, args.runs)
    mechanism = make_mechanism(args.mechanism, p, args.interval, args.audits_per_step, args.counter)
    ensemble = run_ensemble(mechanism, make_stream(p), p.horizon, args.runs, p.seed)
    names = ("mean_deficit", "mean_deficit_se", "misselection", "misselection_se", "late_deficit", "max_deficit")
    return {name: getattr(ensemble, name) for name in names}


def transcript(args: argparse.Namespace) -> Rows:
    """One record, a row per step."""
    p = get_scenario(args)
    record = run_transcript(make_mechanism(args.mechanism, p, args.interval), make_stream(p), p.horizon, p.seed)
    steps = np.arange(p.horizon)
    return to_rows(
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
    return to_rows(
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


COMMANDS = {
    "calibrate": Command("Noise scale, mu and p_rand for a delta.", add_size, calibrate),
    "gap": Command("Exact mis-selection against the lead, a row per gap.", _add_gap, gap),
    "run": Command("Many runs of one mechanism.", _add_many_runs, run),
    "transcript": Command("One run, a row per step.", _add_run, transcript),
    "tradeoff": Command("Largest detection rate for each false alarm rate.", _add_tradeoff, tradeoff),
    "twins": Command("Pairs of worlds that differ in one report, by the best coupling.", _add_twins, twins),
    "attack": Command("The timing attack, measured on pairs of independent runs.", _add_attack, attack),
    "claims": Command(
        "Every claim of the dashboard, computed now and held against its reference.", _add_claims, ledger
    ),
}
