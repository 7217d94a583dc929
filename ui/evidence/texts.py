"""The English of core's items, comparisons and drawings, once more for the tools that collect what is to be translated.

A test compares them.
"""

from __future__ import annotations

from ui.words import N_

ITEMS = (
    N_("Noise scales and coins"),
    N_("Table 3, Appendix G.1"),
    N_(
        "Six settings of run length and delta, each with the noise scale of the noisy tally and the probability "
        "with which randomised response draws lots."
    ),
    N_("The twelve entries in full precision."),
    N_("Mis-selection against the lead, 5 organisations"),
    N_("Figure 2(a), section 8"),
    N_(
        "The noisy tally misses the most reported organisation less and less often as its lead grows; randomised "
        "response hardly reacts to the lead and stays near drawing lots."
    ),
    N_(
        "One decision after 100 and after 1000 steps, three budgets. The noisy tally's line is exact; the marks "
        "are what the implemented counters do in 1000 trials."
    ),
    N_("Missed reports over time"),
    N_("Figure 2(b), section 8 and Appendix G.2"),
    N_(
        "With 50 organisations over 1000 audits the noisy tally stays close to following the reports, while "
        "randomised response misses far more reports and behaves like drawing lots."
    ),
    N_(
        "Mean missed reports at each step over 1000 runs with standard errors, and their sum up to each step: "
        "the paper's text leaves open which of the two its picture shows. Two private rivals stand beside."
    ),
    N_("Mis-selection against the lead, 20 organisations"),
    N_("Figure 3, Appendix H.1"),
    N_("Mis-selection against the lead, 50 organisations"),
    N_("Figure 4, Appendix H.1"),
    N_("Mis-selection against the lead, 200 organisations"),
    N_("Figure 5, Appendix H.1"),
    N_("Following the reports is not private"),
    N_("Appendix C.1"),
    N_("The greedy auditor is not (0, delta)-private for any delta below 1 - 1/C."),
    N_(
        "The exact leak of the worst stream, tried one by one, and the implemented auditor's first audit. With "
        "more audits the leak grows beyond 1 - 1/C, towards 1."
    ),
    N_("Randomised response over a horizon"),
    N_("Proposition 14, Appendix C.3"),
    N_("Drawing lots with probability p keeps (0, 1 - p^T) over T audits: an upper bound."),
    N_("The exact leak over every stream with at most one report a step and organisation, beside all bounds."),
    N_("One decision of randomised response"),
    N_("Proposition 15, Appendix C.3"),
    N_("A decision misses the leaders with probability at most p (C-1)/C, and exactly that with a single leader."),
    N_("All small counts by enumeration, and the implemented auditor at its three calibrations."),
    N_("Randomised response for ever"),
    N_("Proposition 16, Appendix C.3"),
    N_("Drawing lots with probability C / (C + delta) keeps (0, delta) at every horizon."),
    N_("The exact leak over every small stream, and the exact leak without other reports up to 10,000 audits."),
    N_("What watching adds to a guess"),
    N_("Theorem 1, section 3"),
    N_(
        "Whatever was believed before, watching the audits adds at most min(prior, 1 - prior) delta to the "
        "chance of a right guess: at most delta / 2."
    ),
    N_(
        "The bound, the best attack on the noisy counts exactly, and the same attack played against the "
        "implemented counters in a case where it reaches the bound."
    ),
    N_("Randomised response cannot beat lots by more than delta"),
    N_("Theorem 2, section 4"),
    N_(
        "A private coin draws lots with probability at least 1 - delta C / (C-1), so that its error is at least "
        "(C-1)/C - delta, at any horizon."
    ),
    N_("The exact leak of the first decision at that probability, and the error of three calibrations above it."),
    N_("The error given the history"),
    N_("Theorem 6, section 7"),
    N_(
        "Given all earlier noise, the chance to miss the leader is at most a sum of normal tails over the "
        "challengers, taken at the lead plus the difference of the past noise."
    ),
    N_(
        "The bound at each step of simulated records, sorted by its size, beside the exact chance given the same "
        "history and the share of misses."
    ),
    N_("Three ways to set the coin"),
    N_("Section 8 against Proposition 16"),
    N_(
        "The experiments set randomised response by Proposition 14; Proposition 16 allows another value, and a "
        "race argument (ours) a third."
    ),
    N_("How often each follows the reports, how often it errs and what it leaks where nobody else reports."),
    N_("One number for age and horizon"),
    N_("Appendix G.1"),
    N_("The run length L is the age of the counts and the number of audits covered at once."),
    N_("A count 100 steps old with noise for 100 and for 1000 audits, and how often each misses."),
    N_("Which noise the lead has to outgrow"),
    N_("The lead needed grows roughly like sigma sqrt(2 ln C), with sigma the noise of one fresh draw."),
    N_(
        "The lead at which half the audits miss: in units of the noise on a whole count, sigma M_L, both run "
        "lengths need the same; in units of sigma they do not."
    ),
    N_("Theorem 6 needs the past noise"),
    N_("The effective lead of Theorem 6 holds the difference of the past noise."),
    N_(
        "With that noise set to zero the formula is no bound once a count is older than one step; a union bound "
        "over all noise is (5 organisations, delta 0.1, noise for 1000 audits)."
    ),
    N_("Two propositions, two numbers"),
    N_("Propositions 14 and 16"),
    N_(
        "For p = 0.9, 3 organisations and 3 audits Proposition 14 gives 0.2710 and Proposition 16 gives 0.3333; "
        "the smaller holds."
    ),
    N_("Both over the horizon, beside the race bound (ours) and the exact leak."),
    N_("More organisations, more gain?"),
    N_("Section 8 against Appendix H.1"),
    N_(
        "Section 8 says that the gain on randomised response grows with the number of organisations; Appendix "
        "H.1 says that the noisy tally comes closer to drawing lots."
    ),
    N_("The exact gain at each lead: it grows with the number of organisations only where the lead is large."),
)
"""Title, source, what the paper says and what the table shows of every item."""

COMPARISONS = (
    N_("The noisy tally misses: {targets} targets, {run_length} steps, delta {delta}, lead {gap}"),
    N_("Missed reports a step, {one} minus {other}, same reports"),
    N_("Largest leak of following the reports, {targets} targets, {horizon} steps"),
    N_("Advantage of watching the first audit of greedy, {targets} targets"),
    N_("Largest leak of a coin flip with p_rand {p_rand:.6g}, {targets} targets, {horizon} steps"),
    N_("Chance that one decision misses, p_rand {p_rand:.6g}, {targets} targets, {leaders} of them leading"),
    N_("Leak of a coin flip with p_rand {p_rand:.6g} where nobody else reports, {targets} targets, {horizon} steps"),
    N_("Advantage of the best attack on the noisy counts, delta {delta}, prior {prior}"),
    N_("Leak of the first decision at the least p_rand, {targets} targets, delta {delta}"),
    N_("Error of the coin flip ({rule}), {targets} targets, delta {delta}"),
    N_("Share of misses against the mean of the bound, delta {delta}"),
    N_("Share of misses against the mean exact chance given the history, delta {delta}"),
    N_("Largest excess of the exact chance over the bound at any step, delta {delta}"),
    N_(
        "Share of audits that follow the reports, horizon-free against the experiments' calibration: {targets} "
        "targets, {horizon} steps, delta {delta}"
    ),
    N_(
        "Share of audits that follow the reports, race bound against the experiments' calibration: {targets} "
        "targets, {horizon} steps, delta {delta}"
    ),
    N_("Leak of the coin ({rule}) where nobody else reports: {targets} targets, {horizon} steps"),
    N_("Noise on a count {run_length} steps old, planned for {horizon} audits against {run_length}, delta {delta}"),
    N_(
        "The noisy tally misses at age 100, noise for 1000 audits against noise for 100: {targets} targets, "
        "delta {delta}, lead {gap}"
    ),
    N_("Lead at which half the audits miss, in units of {unit}, {long} steps against {short}: {targets} targets"),
    N_("Chance to miss at age {run_length} with a lead of {gap} against the union bound over all noise"),
    N_("Chance to miss at age {run_length} with a lead of {gap} against Theorem 6 without past noise"),
    N_("Delta of a coin with p_rand 0.9, 3 targets, 3 steps, by {one} against {other}"),
    N_("Gain on the coin flip, {more} targets against {fewer}: {run_length} steps, delta 0.1, lead {gap}"),
)
"""Sentences of the comparisons; those that are a claim's stand in ui/claims.py."""

BASES = (
    N_("the paper prints it"),
    N_("closed form"),
    N_("a bound of the paper"),
    N_("a bound of ours"),
    N_("the other reading"),
    N_("the paper says which is smaller"),
)
"""Where a reference comes from."""

LABELS = (
    N_("Deniability budget (delta)"),
    N_("Noise scale (sigma), in reports"),
    N_("Noisy tally"),
    N_("Lead of the most reported, in reports"),
    N_("Chance to audit another"),
    N_("Follow the reports"),
    N_("Draw lots"),
    N_("Audit"),
    N_("Missed reports a step"),
    N_("Fixed rota"),
    N_("Audits"),
    N_("Leak (total variation)"),
    N_("Worst stream, exact"),
    N_("1 - 1/C"),
    N_("Proposition 14"),
    N_("Race bound (ours)"),
    N_("Theorem 2"),
    N_("Probability of drawing lots (p)"),
    N_("Chance to miss"),
    N_("p (C-1)/C"),
    N_("One leader, exact"),
    N_("One leader, played"),
    N_("Two leaders, exact"),
    N_("Leak without other reports"),
    N_("Exact"),
    N_("Proposition 16"),
    N_("Suspicion beforehand"),
    N_("Added chance of a right guess"),
    N_("Theorem 1"),
    N_("Best attack on the noisy counts"),
    N_("The same, played"),
    N_("Chance to miss a single leader"),
    N_("Set by Proposition 14"),
    N_("Set by Proposition 16"),
    N_("Set by the race bound (ours)"),
    N_("Mean of the bound given the history"),
    N_("Theorem 6"),
    N_("Exact given the history"),
    N_("Share of misses"),
    N_("Noise for 100 audits"),
    N_("Noise for 1000 audits"),
    N_("Organisations"),
    N_("Lead at which half the audits miss"),
    N_("sigma sqrt(2 ln C)"),
    N_("sigma M sqrt(2 ln C)"),
    N_("Theorem 6 without past noise"),
    N_("Union bound over all noise (ours)"),
    N_("Gain on randomised response"),
    N_("Share of audits that follow the reports"),
)
"""Axes and lines of the drawings."""

OWN_LABELS = {
    "{} steps": N_("steps: {value}"),
    "Noisy tally, delta 0.05": N_("Noisy tally, delta {delta}"),
    "Noisy tally, delta 0.1": N_("Noisy tally, delta {delta}"),
    "Noisy tally, delta 0.2": N_("Noisy tally, delta {delta}"),
    "Noisy tally, 1000 trials, delta 0.1": N_("Noisy tally, {runs} trials, delta {delta}"),
    "Randomised response, delta 0.1": N_("Coin flip (randomised response), delta {delta}"),
    "Randomised response": N_("Coin flip (randomised response)"),
    "Randomised response, horizon-free": N_("Coin flip for any number of audits"),
    "{} organisations": N_("organisations: {value}"),
    "delta {}": N_("delta {value}"),
    "5 organisations": N_("organisations: {targets}"),
    "20 organisations": N_("organisations: {targets}"),
    "50 organisations": N_("organisations: {targets}"),
    "200 organisations": N_("organisations: {targets}"),
}
"""Words of a drawing in core -> the dashboard's own, with gaps for live values."""

VALUES = (N_("Proposition 14"), N_("Proposition 16"), N_("the race bound"))
"""Words that fill the gaps of a comparison and are nobody else's."""
