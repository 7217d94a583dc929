"""The paper's propositions and theorems, each tried where it can fail: by enumeration, exact integrals and attack."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import log_ndtr

from . import attacks, calibration, deniability, enumeration, utility
from .comparisons import BASES, Comparison, Finding, Progress, compare_to_claim, get_share_error, tell, to_columns
from .counters import Array
from .mechanisms import Greedy, RandomisedResponse, Tca
from .simulation import Transcript, run_ensemble, run_transcript, standard_error
from .streams import PoissonStream, TableStream

CASES = ((2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 1), (3, 2), (3, 3), (3, 4), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2))
"""Targets and steps small enough to try every stream of reports."""
TARGETS = (5, 20, 50, 200)
DELTAS = (0.05, 0.1, 0.2)
P_RAND = 0.9
COIN_RULES = ("paper-experiments", "horizon-free", "race")

ATTACK_RUNS = 6000
COIN_RUNS, COIN_STEPS = 100, 100
FIRST_AUDITS = 2000
RECORDS = 120


# --- the coin flip ---------------------------------------------------------------------------------------------------
def _get_bounds(targets: int, horizon: int, p_rand: float) -> dict[str, Any]:
    bounds = calibration.get_rr_delta(p_rand, targets, horizon)
    return {
        "targets": targets,
        "horizon": horizon,
        "p_rand": p_rand,
        "exact": enumeration.get_worst_leak(targets, horizon, p_rand).value,
        "proposition_14": bounds["proposition-14"],
        "proposition_16": bounds["proposition-16"],
        "race": bounds["race"],
        "floor": bounds["floor"],
    }


def _hold_leaks(rows: list[dict[str, Any]], bound: str, basis: str, relation: str = "at-most") -> list[Comparison]:
    text = "Largest leak of a coin flip with p_rand {p_rand:.6g}, {targets} targets, {horizon} steps"
    return [
        Comparison(text, row["exact"], row[bound], BASES[basis], relation=relation, gaps=_gaps(row)) for row in rows
    ]


def _gaps(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names or ("targets", "horizon", "p_rand")}


def measure_proposition_14(seed: int, progress: Progress = None) -> Finding:
    """The exact leak of the coin flip over every 0/1 stream, held against 1 - p^T and against delta."""
    rows: list[dict[str, Any]] = []
    for i, (targets, horizon) in enumerate(CASES):
        for p_rand in (P_RAND, calibration.get_p_rand("paper-experiments", 0.1, targets, horizon)):
            rows.append(_get_bounds(targets, horizon, p_rand))
        tell(progress, i + 1, len(CASES))
    named = next(row for row in rows if (row["targets"], row["horizon"], row["p_rand"]) == (3, 3, P_RAND))
    comparisons = [
        compare_to_claim("proposition-14", named["proposition_14"]),
        compare_to_claim("coin-worst-case", named["exact"]),
        *_hold_leaks(rows, "proposition_14", "bound"),
        *_hold_leaks(rows, "race", "own-bound"),
    ]
    return Finding(to_columns(rows), tuple(comparisons))


def measure_proposition_16(seed: int, progress: Progress = None) -> Finding:
    """The exact leak at p = C / (C + delta): every small stream, and the silent one over long horizons."""
    rows: list[dict[str, Any]] = []
    for i, (targets, horizon) in enumerate(CASES):
        for delta in (0.1, 0.5):
            p_rand = calibration.get_p_rand("horizon-free", delta, targets, horizon)
            rows.append({"delta": delta, "streams": "every", **_get_bounds(targets, horizon, p_rand)})
        tell(progress, i + 1, len(CASES))
    long: list[dict[str, Any]] = []
    for targets in TARGETS:
        for horizon in (1, 10, 100, 1000, 10_000):
            p_rand = calibration.get_p_rand("horizon-free", 0.1, targets, horizon)
            bounds = calibration.get_rr_delta(p_rand, targets, horizon)
            exact = attacks.get_quiet_advantage(p_rand, targets, horizon)
            long.append(
                {"delta": 0.1, "streams": "silent", "targets": targets, "horizon": horizon, "p_rand": p_rand}
                | {"exact": exact, "proposition_14": bounds["proposition-14"]}
                | {"proposition_16": bounds["proposition-16"], "race": bounds["race"], "floor": bounds["floor"]}
            )
    silent = (
        "Leak of a coin flip with p_rand {p_rand:.6g} where nobody else reports, {targets} targets, {horizon} steps"
    )
    comparisons = [
        compare_to_claim("proposition-16", calibration.get_rr_delta(P_RAND, 3, 3)["proposition-16"]),
        compare_to_claim("race", calibration.get_rr_delta(P_RAND, 3, 3)["race"]),
        *(
            compare_to_claim(name, row["exact"])
            for name, row in (("coin-quiet-any", row) for row in long)
            if (row["targets"], row["horizon"]) == (50, 1000)
        ),
        *_hold_leaks(rows, "delta", "bound"),
        *(Comparison(silent, r["exact"], r["delta"], BASES["bound"], relation="at-most", gaps=_gaps(r)) for r in long),
    ]
    return Finding(to_columns(rows + long), tuple(comparisons))


def measure_proposition_15(seed: int, progress: Progress = None, runs: int = COIN_RUNS) -> Finding:
    """One decision of the coin flip: exact by enumeration, and the implemented one played.

    Target 0 is reported 8 times a step, so that it leads alone at every step: each decision is one more try.
    """
    rows: list[dict[str, Any]] = []
    for targets in (2, 3, 4, 5):
        for p_rand in (0.5, P_RAND):
            leaders, misses = enumeration.get_miss_chances(targets, p_rand)
            for count in np.unique(leaders):
                spread = misses[leaders == count]
                formula, bound = (p_rand * (targets - n) / targets for n in (count, 1))
                rows.append(
                    {"targets": targets, "p_rand": p_rand, "leaders": int(count), "exact": float(spread.max())}
                    | {"formula": formula, "bound": bound, "measured": np.nan, "measured_se": np.nan}
                )
    settings = [(targets, rule) for targets in (5, 50) for rule in COIN_RULES]
    for i, (targets, rule) in enumerate(settings):
        coin = RandomisedResponse(targets, COIN_STEPS, 0.5, rule)
        stream = TableStream(np.tile(8 * np.eye(targets)[0], (COIN_STEPS, 1)))
        played = run_ensemble(coin, stream, COIN_STEPS, runs, seed + i).misselection
        exact = float(utility.get_rr_misselection(8, targets, coin.p_rand))
        rows.append(
            {"targets": targets, "p_rand": coin.p_rand, "leaders": 1, "exact": exact, "formula": exact, "bound": exact}
            | {"measured": played, "measured_se": get_share_error(played, runs * COIN_STEPS, exact)}
        )
        tell(progress, i + 1, len(settings))
    text = "Chance that one decision misses, p_rand {p_rand:.6g}, {targets} targets, {leaders} of them leading"
    names = ("targets", "p_rand", "leaders")
    comparisons = [
        compare_to_claim(
            "proposition-15",
            float(utility.get_rr_misselection(1, 50, calibration.get_p_rand("paper-experiments", 0.1, 50, 1000))),
        )
    ]
    for row in rows:
        gaps = _gaps(row, *names)
        if np.isnan(row["measured"]):
            relation = "equal" if row["leaders"] == 1 else "at-most"
            comparisons.append(
                Comparison(text, row["exact"], row["bound"], BASES["bound"], relation=relation, gaps=gaps)
            )
        else:
            comparisons.append(
                Comparison(text, row["measured"], row["exact"], BASES["closed-form"], row["measured_se"], gaps=gaps)
            )
    return Finding(to_columns(rows), tuple(comparisons))


def measure_theorem_2(seed: int, progress: Progress = None) -> Finding:
    """The smallest private p_rand at the first decision, exactly, and every calibration's error above the floor."""
    rows: list[dict[str, Any]] = []
    for targets in TARGETS:
        for delta in DELTAS:
            coins = {rule: calibration.get_p_rand(rule, delta, targets, 1000) for rule in COIN_RULES}
            floor = calibration.get_p_rand("theorem-2-floor", delta, targets, 1000)
            rows.append(
                {"targets": targets, "delta": delta, "least_p_rand": floor}
                | {"leak_at_least_p_rand": attacks.get_quiet_advantage(floor, targets, 1)}
                | {"floor": utility.get_theorem_2_floor(targets, delta)}
                | {
                    "error_" + rule.replace("-", "_"): float(utility.get_rr_misselection(1, targets, p_rand))
                    for rule, p_rand in coins.items()
                }
                | {"uniform": utility.get_uniform_misselection(targets)}
            )
    names = ("targets", "delta")
    error = "Error of the coin flip ({rule}), {targets} targets, delta {delta}"
    comparisons = [
        compare_to_claim("theorem-2-50", utility.get_theorem_2_floor(50, 0.1)),
        compare_to_claim("theorem-2-5", utility.get_theorem_2_floor(5, 0.05)),
    ]
    for row in rows:
        gaps = _gaps(row, *names)
        leak = "Leak of the first decision at the least p_rand, {targets} targets, delta {delta}"
        comparisons.append(Comparison(leak, row["leak_at_least_p_rand"], row["delta"], BASES["closed-form"], gaps=gaps))
        comparisons += [
            Comparison(
                error, row["error_" + rule.replace("-", "_")], row["floor"], BASES["bound"], relation="at-least",
                gaps=gaps | {"rule": rule},
            )
            for rule in COIN_RULES
        ]  # fmt: skip
        most = (row["targets"] - 1) / (row["targets"] + row["delta"])
        comparisons.append(
            Comparison(
                error, row["error_horizon_free"], most, BASES["closed-form"], gaps=gaps | {"rule": "horizon-free"}
            )
        )
    first = [_get_bounds(targets, 1, P_RAND) for targets in (2, 3, 4, 5)]
    return Finding(to_columns(rows), (*comparisons, *_hold_leaks(first, "floor", "bound", "equal")))


# --- greedy ----------------------------------------------------------------------------------------------------------
def measure_greedy(seed: int, progress: Progress = None, runs: int = FIRST_AUDITS) -> Finding:
    """How much greedy gives away: exactly, and by the implemented auditor's first audit."""
    rows: list[dict[str, Any]] = []
    for targets, horizon in [*CASES, (20, 1), (50, 1), (200, 1)]:
        small = (targets, horizon) in CASES
        leak = (
            enumeration.get_worst_leak(targets, horizon, 0.0).value
            if small
            else attacks.get_quiet_advantage(0.0, targets, 1)
        )
        rows.append(
            {"targets": targets, "horizon": horizon, "exact": leak, "bound": Greedy(targets).guarantee().delta}
            | {"measured": np.nan, "measured_se": np.nan}
        )
    text = "Largest leak of following the reports, {targets} targets, {horizon} steps"
    comparisons = [
        Comparison(
            text, row["exact"], row["bound"], BASES["bound"], relation="at-least",
            gaps=_gaps(row, "targets", "horizon"),
        )
        for row in rows
    ]  # fmt: skip
    firsts = [row for row in rows if row["horizon"] == 1]
    for i, row in enumerate(firsts):
        targets = row["targets"]
        silent = TableStream(np.zeros((1, targets)))
        watch = attacks.watch_target(Greedy(targets), silent, 1, 1, 1, runs, seed)
        found = attacks.judge(1, watch.with_report[:, 0], watch.without_report[:, 0])
        error = float(
            np.hypot(get_share_error(found.tpr.share, runs, 1.0), get_share_error(found.fpr.share, runs, 1.0 / targets))
        )
        row |= {"measured": found.advantage, "measured_se": error}
        comparisons.append(
            Comparison(
                "Advantage of watching the first audit of greedy, {targets} targets",
                found.advantage, row["exact"], BASES["closed-form"], error, gaps={"targets": targets},
            )
        )  # fmt: skip
        tell(progress, i + 1, len(firsts))
    comparisons += [compare_to_claim(f"greedy-leak-{n}", attacks.get_quiet_advantage(0.0, n, 1)) for n in (50, 5)]
    return Finding(to_columns(rows), tuple(comparisons))


# --- Theorem 1 -------------------------------------------------------------------------------------------------------
PRIORS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
THEOREM_1_STEPS = 30


def measure_theorem_1(seed: int, progress: Progress = None, runs: int = ATTACK_RUNS) -> Finding:
    """What watching adds to a guess: the bound, the best attack on the noisy counts exactly and played, at 3 deltas.

    The attacker sees every noisy count of a target that is never audited (its competitor is far ahead), so that its
    counter lives to the horizon: the case where the bound is reached at prior 1/2.
    """
    table = np.tile([0.0, 500.0], (THEOREM_1_STEPS, 1))
    rows: list[dict[str, Any]] = []
    comparisons = [
        compare_to_claim("theorem-1-even", float(deniability.get_success(0.1, 0.5))),
        compare_to_claim("theorem-1-tenth", float(deniability.get_success(0.1, 0.1))),
    ]
    for i, delta in enumerate(DELTAS):
        mechanism = Tca(2, THEOREM_1_STEPS, delta)
        mu = calibration.get_mu(delta)
        ratios = attacks.run_white_box(mechanism, TableStream(table), THEOREM_1_STEPS, 1, 0, runs, seed + i)
        for prior in PRIORS:
            bound = float(deniability.get_advantage(delta, prior))
            caught, cleared = (
                1.0 - float(deniability.get_gaussian_posterior_cdf(0.5, prior, mu, True)),
                float(deniability.get_gaussian_posterior_cdf(0.5, prior, mu, False)),
            )
            sure = max(prior, 1.0 - prior)
            exact = prior * caught + (1.0 - prior) * cleared - sure
            threshold = np.log1p(-prior) - np.log(prior)
            tpr, fpr = (float((r > threshold).mean()) for r in (ratios.with_report, ratios.without_report))
            measured = prior * tpr + (1.0 - prior) * (1.0 - fpr) - sure
            error = float(
                np.hypot(
                    prior * get_share_error(tpr, runs, caught), (1 - prior) * get_share_error(fpr, runs, 1.0 - cleared)
                )
            )
            rows.append(
                {"delta": delta, "prior": prior, "bound": bound, "exact": exact}
                | {"measured": measured, "measured_se": error}
            )
            text = "Advantage of the best attack on the noisy counts, delta {delta}, prior {prior}"
            gaps = {"delta": delta, "prior": prior}
            comparisons.append(Comparison(text, exact, bound, BASES["bound"], relation="at-most", gaps=gaps))
            if prior == 0.5:
                comparisons.append(Comparison(text, exact, delta / 2.0, BASES["closed-form"], gaps=gaps))
            comparisons.append(Comparison(text, measured, exact, BASES["closed-form"], error, gaps=gaps))
        tell(progress, i + 1, len(DELTAS))
    return Finding(to_columns(rows), tuple(comparisons))


# --- Theorem 6 -------------------------------------------------------------------------------------------------------
RECORD_TARGETS, RECORD_STEPS, RECORD_RATES = 5, 120, (2.0, 0.2)
BINS = np.array([0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
_NODES = np.arange(-7.0, 7.0, 0.1)
_WEIGHTS = np.exp(-(_NODES**2) / 2.0) * (0.1 / np.sqrt(2.0 * np.pi))


def get_conditional_miss(transcript: Transcript, noise_scale: float) -> Array:
    """Exact chance of a miss at each step of a record given all earlier noise, (T,); ours.

    1 minus the sum over leaders l of the integral of phi(x) prod_c Phi(x + (past_l - past_c) / sigma).
    """
    assert transcript.noise is not None and transcript.fresh is not None
    past = (transcript.active + transcript.noise - transcript.fresh) / noise_scale
    steps, leaders = np.nonzero(transcript.active == transcript.leader_active[:, None])
    leads = past[steps, leaders][:, None] - past[steps]
    chances = log_ndtr(_NODES + leads[:, :, None])
    # the leader against itself is no contest
    chances[np.arange(len(steps)), leaders] = 0.0
    misses = np.ones(len(past))
    np.subtract.at(misses, steps, np.exp(chances.sum(axis=1)) @ _WEIGHTS)
    return misses


def measure_theorem_6(seed: int, progress: Progress = None, records: int = RECORDS) -> Finding:
    """Theorem 6 at each step of simulated records, beside the exact chance given the history and what happened."""
    rows: list[dict[str, Any]] = []
    comparisons = []
    for i, delta in enumerate((0.1, 0.2, 0.5)):
        mechanism = Tca(RECORD_TARGETS, RECORD_STEPS, delta)
        scale = mechanism.noise_scale
        stream = PoissonStream(RECORD_TARGETS, *RECORD_RATES)
        bound, exact, missed = (np.empty((records, RECORD_STEPS)) for _ in range(3))
        for run in range(records):
            record = run_transcript(mechanism, stream, RECORD_STEPS, seed, run)
            bound[run] = utility.get_theorem_6_bound(record, scale)
            exact[run] = get_conditional_miss(record, scale)
            missed[run] = ~record.hit
            tell(progress, i * records + run + 1, 3 * records)
        gaps = {"delta": delta}
        excess = (missed - bound).mean(axis=1)
        # given the history each miss is one draw, so these variances add up over steps and records
        variance = exact * (1.0 - exact)
        comparisons += [
            Comparison(
                "Share of misses against the mean of the bound, delta {delta}", float(missed.mean()),
                float(bound.mean()), BASES["bound"], standard_error(excess), "at-most", gaps=gaps,
            ),
            Comparison(
                "Share of misses against the mean exact chance given the history, delta {delta}",
                float(missed.mean()), float(exact.mean()), BASES["closed-form"],
                float(np.sqrt(variance.sum())) / missed.size, gaps=gaps,
            ),
            Comparison(
                "Largest excess of the exact chance over the bound at any step, delta {delta}",
                float((exact - bound).max()), 0.0, BASES["bound"], relation="at-most", tolerance=1e-9, gaps=gaps,
            ),
        ]  # fmt: skip
        where = np.minimum(np.digitize(bound, BINS[1:]), len(BINS) - 2)
        for b in range(len(BINS) - 1):
            here = where == b
            count = int(here.sum())
            if count:
                error = float(np.sqrt(variance[here].sum())) / count
                rows.append(
                    {"delta": delta, "bound_from": BINS[b], "bound_to": BINS[b + 1], "steps": count}
                    | {"bound": bound[here].mean(), "exact": exact[here].mean()}
                    | {"measured": missed[here].mean(), "measured_se": error}
                )
    return Finding(to_columns(rows), tuple(comparisons))
