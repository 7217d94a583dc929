"""Everything the paper shows, computed from nothing: tables, figures, propositions, theorems, and open readings.

`ITEMS` describes each item; `compute` gives its table and what was held against what. The numbers follow from the
seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from . import experiments, readings, theory
from .comparisons import Comparison, Finding, Progress

KINDS = ("table", "figure", "proposition", "theorem", "remark")
SEED = 2026


@dataclass(frozen=True)
class Item:
    """One thing the paper shows.

    Attributes:
        id: short name, unique.
        kind: table, figure, proposition or theorem of the paper, or remark: where it can be read in two ways.
        title: English.
        source: where it stands in the paper.
        says: what the paper says there, English, in our words.
        shows: what our table holds, English.
        measure: computes it: (seed, progress) -> Finding.
        simulated: whether the seed matters.
    """

    id: str
    kind: str
    title: str
    source: str
    says: str
    shows: str
    measure: Callable[[int, Progress], Finding]
    simulated: bool = False


def _gap_figure(name: str, targets: int, measure: Callable[[int, Progress], Finding], place: str) -> Item:
    return Item(
        name,
        "figure",
        f"Mis-selection against the lead, {targets} organisations",
        place,
        "The noisy tally misses the most reported organisation less and less often as its lead grows; randomised "
        "response hardly reacts to the lead and stays near drawing lots.",
        "One decision after 100 and after 1000 steps, three budgets. The noisy tally's line is exact; the marks are "
        "what the implemented counters do in 1000 trials.",
        measure,
        True,
    )


ITEMS: dict[str, Item] = {
    item.id: item
    for item in (
        Item(
            "table-3", "table", "Noise scales and coins", "Table 3, Appendix G.1",
            "Six settings of run length and delta, each with the noise scale of the noisy tally and the probability "
            "with which randomised response draws lots.",
            "The twelve entries in full precision.",
            experiments.measure_table_3,
        ),
        _gap_figure("figure-2a", 5, experiments.measure_figure_2a, "Figure 2(a), section 8"),
        Item(
            "figure-2b", "figure", "Missed reports over time", "Figure 2(b), section 8 and Appendix G.2",
            "With 50 organisations over 1000 audits the noisy tally stays close to following the reports, while "
            "randomised response misses far more reports and behaves like drawing lots.",
            "Mean missed reports at each step over 1000 runs with standard errors, and their sum up to each step: the "
            "paper's text leaves open which of the two its picture shows. Two private rivals stand beside.",
            experiments.measure_figure_2b, True,
        ),
        _gap_figure("figure-3", 20, experiments.measure_figure_3, "Figure 3, Appendix H.1"),
        _gap_figure("figure-4", 50, experiments.measure_figure_4, "Figure 4, Appendix H.1"),
        _gap_figure("figure-5", 200, experiments.measure_figure_5, "Figure 5, Appendix H.1"),
        Item(
            "greedy", "proposition", "Following the reports is not private", "Appendix C.1",
            "The greedy auditor is not (0, delta)-private for any delta below 1 - 1/C.",
            "The exact leak of the worst stream, tried one by one, and the implemented auditor's first audit. With "
            "more audits the leak grows beyond 1 - 1/C, towards 1.",
            theory.measure_greedy, True,
        ),
        Item(
            "proposition-14", "proposition", "Randomised response over a horizon", "Proposition 14, Appendix C.3",
            "Drawing lots with probability p keeps (0, 1 - p^T) over T audits: an upper bound.",
            "The exact leak over every stream with at most one report a step and organisation, beside all bounds.",
            theory.measure_proposition_14,
        ),
        Item(
            "proposition-15", "proposition", "One decision of randomised response", "Proposition 15, Appendix C.3",
            "A decision misses the leaders with probability at most p (C-1)/C, and exactly that with a single leader.",
            "All small counts by enumeration, and the implemented auditor at its three calibrations.",
            theory.measure_proposition_15, True,
        ),
        Item(
            "proposition-16", "proposition", "Randomised response for ever", "Proposition 16, Appendix C.3",
            "Drawing lots with probability C / (C + delta) keeps (0, delta) at every horizon.",
            "The exact leak over every small stream, and the exact leak without other reports up to 10,000 audits.",
            theory.measure_proposition_16,
        ),
        Item(
            "theorem-1", "theorem", "What watching adds to a guess", "Theorem 1, section 3",
            "Whatever was believed before, watching the audits adds at most min(prior, 1 - prior) delta to the chance "
            "of a right guess: at most delta / 2.",
            "The bound, the best attack on the noisy counts exactly, and the same attack played against the "
            "implemented counters in a case where it reaches the bound.",
            theory.measure_theorem_1, True,
        ),
        Item(
            "theorem-2", "theorem", "Randomised response cannot beat lots by more than delta", "Theorem 2, section 4",
            "A private coin draws lots with probability at least 1 - delta C / (C-1), so that its error is at least "
            "(C-1)/C - delta, at any horizon.",
            "The exact leak of the first decision at that probability, and the error of three calibrations above it.",
            theory.measure_theorem_2,
        ),
        Item(
            "theorem-6", "theorem", "The error given the history", "Theorem 6, section 7",
            "Given all earlier noise, the chance to miss the leader is at most a sum of normal tails over the "
            "challengers, taken at the lead plus the difference of the past noise.",
            "The bound at each step of simulated records, sorted by its size, beside the exact chance given the same "
            "history and the share of misses.",
            theory.measure_theorem_6, True,
        ),
        Item(
            "remark-coin-calibrations", "remark", "Three ways to set the coin", "Section 8 against Proposition 16",
            "The experiments set randomised response by Proposition 14; Proposition 16 allows another value, and a "
            "race argument (ours) a third.",
            "How often each follows the reports, how often it errs and what it leaks where nobody else reports.",
            readings.measure_coin_calibrations,
        ),
        Item(
            "remark-age-and-horizon", "remark", "One number for age and horizon", "Appendix G.1",
            "The run length L is the age of the counts and the number of audits covered at once.",
            "A count 100 steps old with noise for 100 and for 1000 audits, and how often each misses.",
            readings.measure_age_and_horizon,
        ),
        Item(
            "remark-noise-of-the-count", "remark", "Which noise the lead has to outgrow", "Appendix G.1",
            "The lead needed grows roughly like sigma sqrt(2 ln C), with sigma the noise of one fresh draw.",
            "The lead at which half the audits miss: in units of the noise on a whole count, sigma M_L, both run "
            "lengths need the same; in units of sigma they do not.",
            readings.measure_noise_of_the_count,
        ),
        Item(
            "remark-past-noise", "remark", "Theorem 6 needs the past noise", "Theorem 6, section 7",
            "The effective lead of Theorem 6 holds the difference of the past noise.",
            "With that noise set to zero the formula is no bound once a count is older than one step; a union bound "
            "over all noise is (5 organisations, delta 0.1, noise for 1000 audits).",
            readings.measure_past_noise,
        ),
        Item(
            "remark-two-bounds", "remark", "Two propositions, two numbers", "Propositions 14 and 16",
            "For p = 0.9, 3 organisations and 3 audits Proposition 14 gives 0.2710 and Proposition 16 gives 0.3333; "
            "the smaller holds.",
            "Both over the horizon, beside the race bound (ours) and the exact leak.",
            readings.measure_two_bounds,
        ),
        Item(
            "remark-more-organisations", "remark", "More organisations, more gain?", "Section 8 against Appendix H.1",
            "Section 8 says that the gain on randomised response grows with the number of organisations; Appendix "
            "H.1 says that the noisy tally comes closer to drawing lots.",
            "The exact gain at each lead: it grows with the number of organisations only where the lead is large.",
            readings.measure_more_targets,
        ),
    )
}  # fmt: skip


def select(names: Iterable[str] | None = None) -> tuple[Item, ...]:
    """The items called `names` in the order of `ITEMS`, all without.

    Raises:
        ValueError: an unknown name, or none at all.
    """
    if names is None:
        return tuple(ITEMS.values())
    wanted = set(names)
    unknown = sorted(wanted - ITEMS.keys())
    if unknown or not wanted:
        raise ValueError(f"an item must be one of {', '.join(ITEMS)}, got {', '.join(map(repr, unknown)) or 'none'}")
    return tuple(item for name, item in ITEMS.items() if name in wanted)


def compute(item: Item, seed: int = SEED, progress: Progress = None) -> Finding:
    """The item's numbers now; `progress` is told the share done."""
    return item.measure(seed, progress)


def get_largest(findings: Iterable[tuple[Item, Finding]]) -> tuple[float, Item, Comparison] | None:
    """The comparison farthest on its wrong side, and how far in standard errors; None where nothing is left to chance.

    Below 0 where all are bounds and none is crossed.
    """
    found = [
        (comparison.excess / comparison.error, item, comparison)
        for item, finding in findings
        for comparison in finding.comparisons
        if comparison.excess is not None and comparison.error
    ]
    return max(found, key=lambda entry: entry[0], default=None)
