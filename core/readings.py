"""Where the paper can be read in two ways, or says less than can be said: the numbers of both readings."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import attacks, calibration, enumeration, utility
from .comparisons import BASES, Comparison, Finding, Progress, compare_to_claim, tell, to_columns
from .experiments import DELTAS, GAPS, LENGTHS
from .theory import COIN_RULES, TARGETS

SETTINGS = ((50, 1000, 0.1), (200, 100, 0.05), (5, 200, 0.05))
"""Targets, horizon and delta at which the coin's calibrations stand in different orders."""


def _read(text: str, ours: float, other: float, gaps: dict[str, Any]) -> Comparison:
    return Comparison(text, ours, other, BASES["other-reading"], relation="reading", gaps=gaps)


def measure_coin_calibrations(seed: int, progress: Progress = None) -> Finding:
    """Three ways to set the coin for one delta: how often each follows the reports, errs and leaks."""
    rows: list[dict[str, Any]] = []
    comparisons = []
    for targets, horizon, delta in SETTINGS:
        for rule in COIN_RULES:
            p_rand = calibration.get_p_rand(rule, delta, targets, horizon)
            rows.append(
                {"targets": targets, "horizon": horizon, "delta": delta, "rule": rule, "p_rand": p_rand}
                | {"follows": 1.0 - p_rand}
                | {"error": float(utility.get_rr_misselection(1, targets, p_rand))}
                | {"leak_in_silence": attacks.get_quiet_advantage(p_rand, targets, horizon)}
            )
        paper, free, race = rows[-3:]
        gaps = {"targets": targets, "horizon": horizon, "delta": delta}
        text = "Share of audits that follow the reports, horizon-free against the experiments' calibration: "
        text += "{targets} targets, {horizon} steps, delta {delta}"
        comparisons.append(_read(text, free["follows"], paper["follows"], gaps))
        text = text.replace("horizon-free", "race bound")
        comparisons.append(_read(text, race["follows"], paper["follows"], gaps))
        comparisons += [
            Comparison(
                "Leak of the coin ({rule}) where nobody else reports: {targets} targets, {horizon} steps",
                row["leak_in_silence"], delta, BASES["bound"], relation="at-most", gaps=gaps | {"rule": row["rule"]},
            )
            for row in (paper, free, race)
        ]  # fmt: skip
    ratio = {rule: next(r["follows"] for r in rows if r["rule"] == rule) for rule in COIN_RULES}
    comparisons += [
        compare_to_claim("coin-ratio-50", ratio["horizon-free"] / ratio["paper-experiments"]),
        compare_to_claim("coin-quiet-paper", next(r["leak_in_silence"] for r in rows)),
    ]
    return Finding(to_columns(rows), tuple(comparisons))


def measure_age_and_horizon(seed: int, progress: Progress = None) -> Finding:
    """A count 100 steps old with noise for 100 audits, as in Appendix G.1, and with noise for 1000."""
    young, old = LENGTHS
    rows: list[dict[str, Any]] = []
    comparisons = []
    for targets in TARGETS:
        for delta in DELTAS:
            short, long = (calibration.get_count_sd(delta, horizon, young) for horizon in LENGTHS)
            both = [utility.get_misselection(np.array(GAPS, dtype=float), targets, sd) for sd in (short, long)]
            for gap, one, other in zip(GAPS, *both, strict=True):
                rows.append(
                    {"targets": targets, "delta": delta, "gap": gap, "sd_same": short, "sd_apart": long}
                    | {"tca_same": one, "tca_apart": other}
                )
                if delta == 0.1 and gap in (8, 16, 32):
                    text = "The noisy tally misses at age 100, noise for 1000 audits against noise for 100: "
                    text += "{targets} targets, delta {delta}, lead {gap}"
                    gaps = {"targets": targets, "delta": delta, "gap": gap}
                    comparisons.append(_read(text, float(other), float(one), gaps))
    sds = [calibration.get_count_sd(0.1, horizon, young) for horizon in LENGTHS]
    text = "Noise on a count {run_length} steps old, planned for {horizon} audits against {run_length}, delta {delta}"
    first = [
        compare_to_claim("count-noise-100-of-1000", sds[1]),
        compare_to_claim("count-noise-100-of-100", sds[0]),
        _read(text, sds[1], sds[0], {"run_length": young, "horizon": old, "delta": 0.1}),
    ]
    return Finding(to_columns(rows), (*first, *comparisons))


def measure_noise_of_the_count(seed: int, progress: Progress = None) -> Finding:
    """The lead at which half of all audits miss, in units of sigma and of sigma M_L, and the paper's formula in both.

    What the lead grows with is the unit in which both run lengths need the same lead.
    """
    rows: list[dict[str, Any]] = []
    for targets in TARGETS:
        for length in LENGTHS:
            sigma, sd = calibration.get_noise_scale(0.1, length), calibration.get_count_sd(0.1, length, length)
            half = utility.get_gap_for_error(0.5, targets, sd)
            growth = float(np.sqrt(2.0 * np.log(targets)))
            rows.append(
                {"targets": targets, "run_length": length, "delta": 0.1, "half_lead": half}
                | {"in_sigma": half / sigma, "in_count_sd": half / sd}
                | {"with_sigma": sigma * growth, "with_count_sd": sd * growth}
            )
    comparisons = []
    for short, long in zip(rows[::2], rows[1::2], strict=True):
        gaps = {"targets": short["targets"], "long": long["run_length"], "short": short["run_length"]}
        text = "Lead at which half the audits miss, in units of {unit}, {long} steps against {short}: {targets} targets"
        comparisons.append(
            Comparison(
                text, long["in_count_sd"], short["in_count_sd"], BASES["closed-form"], tolerance=1e-9,
                gaps=gaps | {"unit": "sigma M_L"},
            )
        )  # fmt: skip
        comparisons.append(_read(text, long["in_sigma"], short["in_sigma"], gaps | {"unit": "sigma"}))
    return Finding(to_columns(rows), tuple(comparisons))


def measure_past_noise(seed: int, progress: Progress = None) -> Finding:
    """Theorem 6 with its past noise set to zero, the exact error, and the bound that counts all noise."""
    gaps = np.array(GAPS, dtype=float)
    rows: list[dict[str, Any]] = []
    comparisons = []
    for length in (1, 10, *LENGTHS):
        sd, sigma = calibration.get_count_sd(0.1, 1000, length), calibration.get_noise_scale(0.1, 1000)
        exact = utility.get_misselection(gaps, 5, sd)
        bare, whole = (utility.get_union_bound(gaps, 5, scale) for scale in (sigma, sd))
        for gap, miss, one, other in zip(GAPS, exact, bare, whole, strict=True):
            rows.append(
                {"run_length": length, "gap": gap, "exact": miss, "without_past_noise": one, "with_all_noise": other}
            )
            told = {"run_length": length, "gap": gap}
            text = "Chance to miss at age {run_length} with a lead of {gap} against "
            comparisons.append(
                Comparison(
                    text + "the union bound over all noise", float(miss), float(other), BASES["own-bound"],
                    relation="at-most", gaps=told,
                )
            )  # fmt: skip
            if length == 1:
                comparisons.append(
                    Comparison(
                        text + "Theorem 6 without past noise", float(miss), float(one), BASES["bound"],
                        relation="at-most", gaps=told,
                    )
                )  # fmt: skip
            elif gap in (16, 32, 64):
                comparisons.append(_read(text + "Theorem 6 without past noise", float(miss), float(one), told))
    return Finding(to_columns(rows), tuple(comparisons))


def measure_two_bounds(seed: int, progress: Progress = None) -> Finding:
    """Propositions 14 and 16 beside the race bound and the exact leak, as the horizon grows: p 0.9, 3 targets."""
    horizons = (1, 2, 3, 4, 5, 10, 20, 50, 100)
    rows: list[dict[str, Any]] = []
    for i, horizon in enumerate(horizons):
        bounds = calibration.get_rr_delta(0.9, 3, horizon)
        small = horizon <= 4
        leak = (
            enumeration.get_worst_leak(3, horizon, 0.9).value if small else attacks.get_quiet_advantage(0.9, 3, horizon)
        )
        rows.append(
            {"horizon": horizon, "exact": leak, "streams": "every" if small else "silent"}
            | {"proposition_14": bounds["proposition-14"], "proposition_16": bounds["proposition-16"]}
            | {"race": bounds["race"], "floor": bounds["floor"]}
        )
        tell(progress, i + 1, len(horizons))
    three = rows[2]
    text = "Delta of a coin with p_rand 0.9, 3 targets, 3 steps, by {one} against {other}"
    pairs = (("Proposition 14", "proposition_14"), ("Proposition 16", "proposition_16"), ("the race bound", "race"))
    comparisons = [
        _read(text, three[a], three[b], {"one": one, "other": other})
        for k, (one, a) in enumerate(pairs)
        for other, b in pairs[k + 1 :]
    ]
    comparisons += [
        compare_to_claim("proposition-14", three["proposition_14"]),
        compare_to_claim("proposition-16", three["proposition_16"]),
        compare_to_claim("race", three["race"]),
        compare_to_claim("coin-worst-case", three["exact"]),
    ]
    return Finding(to_columns(rows), tuple(comparisons))


def measure_more_targets(seed: int, progress: Progress = None) -> Finding:
    """What the noisy tally gains on the coin flip as the number of targets grows, at small and at large leads."""
    gaps = np.array(GAPS, dtype=float)
    rows: list[dict[str, Any]] = []
    gains = {}
    for length in LENGTHS:
        for targets in TARGETS:
            tca = utility.get_misselection(gaps, targets, calibration.get_count_sd(0.1, length, length))
            p_rand = calibration.get_p_rand("paper-experiments", 0.1, targets, length)
            rr = utility.get_rr_misselection(gaps, targets, p_rand)
            gains[length, targets] = rr - tca
            rows += [
                {"run_length": length, "targets": targets, "gap": gap, "tca": a, "rr": b, "gain": b - a}
                for gap, a, b in zip(GAPS, tca, rr, strict=True)
            ]
    text = "Gain on the coin flip, {more} targets against {fewer}: {run_length} steps, delta 0.1, lead {gap}"
    comparisons = [
        _read(
            text, float(gains[length, 200][GAPS.index(gap)]), float(gains[length, 5][GAPS.index(gap)]),
            {"more": 200, "fewer": 5, "run_length": length, "gap": gap},
        )
        for length in LENGTHS
        for gap in (8, 16, 32, 64, 128)
    ]  # fmt: skip
    return Finding(to_columns(rows), tuple(comparisons))
