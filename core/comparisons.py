"""A number of ours held against one that was printed, derived or measured elsewhere: value, difference, error.

Agreement is never told without the three; a bound is kept where only the allowed side is crossed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import claims
from .claims import ERRORS, Progress

RELATIONS = ("equal", "at-most", "at-least", "reading")
BASES = {
    "printed": "the paper prints it",
    "closed-form": "closed form",
    "bound": "a bound of the paper",
    "own-bound": "a bound of ours",
    "other-reading": "the other reading",
    "shape": "the paper says which is smaller",
}
"""Where a reference comes from, English; a claim's own words stand where the reference is a claim's."""


@dataclass(frozen=True)
class Comparison:
    """One number of ours and what it is held against.

    Attributes:
        text: English sentence fragment with gaps for `gaps`.
        ours: our number.
        reference: the other number, None where the paper has none.
        basis: where the reference comes from, a value of `BASES` or a claim's basis.
        error: standard error of the difference, None without chance.
        relation: equal; at-most or at-least where the reference is a bound; reading where two readings of the paper
            are set side by side and nothing has to agree.
        tolerance: largest difference that rounding explains.
        gaps: what fills the gaps of `text`.
    """

    text: str
    ours: float
    reference: float | None = None
    basis: str = ""
    error: float | None = None
    relation: str = "equal"
    tolerance: float = 1e-12
    gaps: dict[str, Any] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """The English text with its gaps filled."""
        return self.text.format(**self.gaps)

    @property
    def difference(self) -> float | None:
        """Ours minus the reference."""
        return None if self.reference is None else self.ours - self.reference

    @property
    def in_errors(self) -> float | None:
        """The difference in standard errors; None without a reference, without chance or without any spread."""
        return None if self.difference is None or not self.error else self.difference / self.error

    @property
    def excess(self) -> float | None:
        """How far the difference lies on the wrong side, below 0 inside a bound; None where no side is wrong."""
        if self.difference is None or self.relation == "reading":
            return None
        return {"equal": abs(self.difference), "at-most": self.difference, "at-least": -self.difference}[self.relation]

    @property
    def agrees(self) -> bool | None:
        """Whether `claims.ERRORS` standard errors and rounding explain the excess; None where no side is wrong."""
        return None if self.excess is None else bool(self.excess <= ERRORS * (self.error or 0.0) + self.tolerance)


@dataclass(frozen=True)
class Finding:
    """What an item of the paper gives when it is computed anew.

    Attributes:
        columns: name -> values, all of one length; numbers, or words where the name ends in none.
        comparisons: what was held against what.
    """

    columns: dict[str, NDArray]
    comparisons: tuple[Comparison, ...]


def compare_to_claim(name: str, ours: float, error: float | None = None) -> Comparison:
    """Our number against the reference of the claim with id `name`, in the claim's own words.

    Args:
        error: standard error of our number; the reference's own is added.

    Raises:
        KeyError: no such claim.
    """
    claim = {claim.id: claim for claim in claims.load()}[name]
    relation = "at-most" if claim.relation == "at-most" else "equal"
    spread = None if error is None else float(np.hypot(error, claim.error))
    tolerance = claim.tolerance or 0.0
    return Comparison(
        claim.text, float(ours), claim.reference, claim.basis, spread, relation, tolerance, claim.arguments
    )


def compare_to_print(name: str, ours: float) -> Comparison:
    """Our number against what the paper prints for the claim `name`: half a unit of the last digit is rounding."""
    claim = {claim.id: claim for claim in claims.load()}[name]
    assert claim.printed is not None
    digits = len(claim.printed.partition(".")[2])
    rounding = 0.5 * 10.0**-digits + 1e-12
    return Comparison(
        claim.text, ours, float(claim.printed), BASES["printed"], tolerance=rounding, gaps=claim.arguments
    )


def get_share_error(share: float, runs: int, chance: float | None = None) -> float:
    """Standard error of a measured share: the larger of what it says itself and what the true `chance` says.

    Half a run is added to both sides, so that a share of 0 or 1 is not taken for certainty.
    """
    own = (share * runs + 0.5) / (runs + 1.0)
    rates = [own] if chance is None else [own, chance]
    return float(max(np.sqrt(rate * (1.0 - rate) / runs) for rate in rates))


def to_columns(rows: list[dict[str, Any]]) -> dict[str, NDArray]:
    """Rows with the same keys as columns of a `Finding`."""
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def tell(progress: Progress, done: int, of: int) -> None:
    """Tell a progress bar, where there is one, that `done` of `of` parts are done."""
    if progress:
        progress(done / of)
