"""Where the paper can be read in two ways: one short text each, with the numbers of both readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import evidence
from ui.evidence.work import get_exact
from ui.words import _, number, percent

Columns = Mapping[str, NDArray]


def _find(columns: Columns, name: str, **only: Any) -> float:
    """The value of a column in the one row where the others have these values."""
    rows = np.flatnonzero(np.all([columns[key] == value for key, value in only.items()], axis=0))
    assert len(rows) == 1, only
    return float(columns[name][rows[0]])


def _coin(columns: Columns) -> str:
    def follows(targets: int, rule: str) -> str:
        return percent(_find(columns, "follows", targets=targets, rule=rule), 2)

    text = _(
        "With {few} organisations and {many_audits} audits (delta {large}) the coin of the experiments follows the "
        "reports in {paper} of its audits, that of Proposition 16 in {free} and that of our race bound in {race}. With "
        "{many} organisations and {few_audits} audits (delta {small}) the first two change places: {paper_too}, "
        "{free_too} and {race_too}."
    )
    first, second = "paper-experiments", "horizon-free"
    return text.format(
        few=number(50), many_audits=number(1000), large=number(0.1), paper=follows(50, first),
        free=follows(50, second), race=follows(50, "race"), many=number(200), few_audits=number(100),
        small=number(0.05), paper_too=follows(200, first), free_too=follows(200, second), race_too=follows(200, "race"),
    )  # fmt: skip


def _age(columns: Columns) -> str:
    row = {"targets": 5, "delta": 0.1, "gap": 16}
    text = _(
        "A count {age} steps old, {targets} organisations, a lead of {gap} reports: with noise for {age} audits the "
        "noisy tally misses {same} of the time, with noise for {long} audits {apart}."
    )
    return text.format(
        age=number(100), targets=number(5), gap=number(16), long=number(1000),
        same=percent(_find(columns, "tca_same", **row)), apart=percent(_find(columns, "tca_apart", **row)),
    )  # fmt: skip


def _noise(columns: Columns) -> str:
    def find(name: str, length: int) -> str:
        return number(_find(columns, name, targets=50, run_length=length))

    text = _(
        "With {targets} organisations half the audits miss at a lead of {young} after {short} steps and of {old} after "
        "{long} steps. In units of sigma that is {young_sigma} and {old_sigma}; in units of sigma times M, the noise "
        "on the whole count, it is {young_whole} both times."
    )
    return text.format(
        targets=number(50), short=number(100), long=number(1000), young=find("half_lead", 100),
        old=find("half_lead", 1000), young_sigma=find("in_sigma", 100), old_sigma=find("in_sigma", 1000),
        young_whole=find("in_count_sd", 100),
    )  # fmt: skip


def _past(columns: Columns) -> str:
    def find(name: str) -> str:
        return percent(_find(columns, name, run_length=1000, gap=32), 2)

    text = _(
        "{age} steps after its last audit, an organisation with a lead of {gap} is missed {exact} of the time. The "
        "formula without past noise allows only {bare}, so it is no bound there; the union bound over all noise "
        "(ours) allows {whole}."
    )
    return text.format(
        age=number(1000), gap=number(32), exact=find("exact"), bare=find("without_past_noise"),
        whole=find("with_all_noise"),
    )  # fmt: skip


def _bounds(columns: Columns) -> str:
    def find(name: str) -> str:
        return number(_find(columns, name, horizon=3))

    text = _(
        "A coin that draws lots with probability {p_rand}, {three} organisations and {three} audits: delta is "
        "{first} by Proposition 14, {second} by Proposition 16 and {race} by our race bound. The worst of all small "
        "streams leaks {exact}."
    )
    return text.format(
        p_rand=number(0.9), three=number(3), first=find("proposition_14"), second=find("proposition_16"),
        race=find("race"), exact=find("exact"),
    )  # fmt: skip


def _more(columns: Columns) -> str:
    def find(targets: int, gap: int) -> str:
        return number(100 * _find(columns, "gain", targets=targets, gap=gap, run_length=1000))

    text = _(
        "After {length} steps and with a lead of {small}, the noisy tally gains {few_small} percentage points on the "
        "coin flip with {few} organisations and {many_small} with {many}: the gain shrinks. With a lead of {large} it "
        "grows, from {few_large} to {many_large}."
    )
    return text.format(
        length=number(1000), small=number(8), large=number(64), few=number(5), many=number(200),
        few_small=find(5, 8), many_small=find(200, 8), few_large=find(5, 64), many_large=find(200, 64),
    )  # fmt: skip


TEXTS: dict[str, Callable[[Columns], str]] = {
    "remark-coin-calibrations": _coin,
    "remark-age-and-horizon": _age,
    "remark-noise-of-the-count": _noise,
    "remark-past-noise": _past,
    "remark-two-bounds": _bounds,
    "remark-more-organisations": _more,
}


def say(name: str) -> str:
    """The remark with the numbers of both readings, computed now."""
    return TEXTS[name](get_exact(evidence.ITEMS[name]).columns)
