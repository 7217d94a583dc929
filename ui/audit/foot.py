"""What the page is built from, and a note on the published audit's code."""

from __future__ import annotations

from core.gdp import get_mu_low_jeffreys
from ui.words import _, number

TABLE = (1257, 743, 949, 1051)
RELEASED = 0.426
"""Lower limit that the stored copy of the published script gives for `TABLE`."""
REPORTED = 0.43
"""Measured mu in the published abstract, for (epsilon, delta) = (1, 0.01)."""


def foot() -> str:
    """The note."""
    return _(
        "Built from the published abstract and code of a Gaussian-DP audit of the synthetic data generators MST and "
        "AIM (sassoftware/dpmm); constants are ours where not stated. Note for readers of that code: a stored copy of "
        "the audit script (branch `audit-dpmm`) passes (fpr, mu) to a function whose arguments are (mu, alpha). For "
        "the table TP, FN, FP, TN = {table} it gives {released} as released and {ordered} with the arguments in order. "
        "A later version may differ. The abstract's {reported} is quoted as reported."
    ).format(
        table=", ".join(number(count) for count in TABLE).replace("\u202f", " "), released=number(RELEASED),
        ordered=number(get_mu_low_jeffreys(*TABLE), 4), reported=number(REPORTED),
    )  # fmt: skip
