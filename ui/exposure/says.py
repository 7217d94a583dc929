"""Words of the page Exposure, with live numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from core.equity import Equity, Protection, compare
from ui.exposure.work import LOOKS, Question, get_benefit
from ui.frames import Z95
from ui.words import N_, _, ngettext, number, percent

_STATUS = {
    "informative": N_("{pcer}, informative"),
    "noise": N_("uninformative: not told from chance; at least {lower}"),
    "floor": N_("uninformative: no exposure to speak of; at least {lower}"),
}


def bare(text: str) -> str:
    """Foreign text, without power over the page."""
    return "".join("\\" + sign if sign in "\\`*_[]<>$#~:|" else sign for sign in text)


def get_pcer(one: Equity) -> str:
    """PCER with its status; where it says nothing, how large it is at least."""
    return _(_STATUS[one.status]).format(pcer=number(one.pcer or 0.0), lower=number(one.lower))


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def headline(found: Sequence[Protection], question: Question) -> str:
    """Lone reporter first, then the crowd beside it, in the small organisation."""
    lone, crowd = found[0], found[1]
    first = ngettext(
        "One reporter about a small organisation: it is audited within {window} step with a chance of **{benefit}**, "
        "against {lots} by drawing lots. ",
        "One reporter about a small organisation: it is audited within {window} steps with a chance of **{benefit}**, "
        "against {lots} by drawing lots. ",
        question.window,
    )
    second = _(
        "The report moves that chance by **{exposure}**; delta allows {limit}. A crowd of {k}: **{crowd}**, and "
        "that they reported at all moves it by **{together}**; {allowed}."
    )
    simple, gaussian = crowd.together_bounds
    if gaussian is None:
        allowed = _("k · delta allows {simple}").format(simple=percent(simple))
    else:
        allowed = _("the noise allows {gaussian}, k · delta {simple}").format(
            gaussian=percent(gaussian), simple=percent(simple)
        )
    return (first + second).format(
        window=number(question.window),
        benefit=percent(lone.benefit),
        lots=percent(lone.lots),
        exposure=percent(lone.alone.gap),
        limit=percent(lone.alone_bounds[0]),
        k=number(crowd.reporters.reports),
        crowd=percent(crowd.benefit),
        together=percent(crowd.together.gap),
        allowed=allowed,
    )


def table(found: Sequence[Protection], whose: str, runs: int) -> str:
    """Lift, exposure and PCER of each group."""
    rows = []
    for (_symbol, glyph), one in zip(LOOKS, found, strict=False):
        part, share = one.alone if whose == "own" else one.together, get_benefit(one, runs)
        rows.append([
            f"{glyph} {one.reporters.group}",
            _("{value} ({low} to {high})").format(
                value=percent(one.lift, 2), low=percent(share.low - one.lots, 2), high=percent(share.high - one.lots, 2)
            ),
            _("{value} ± {margin}").format(value=percent(part.gap, 2), margin=percent(Z95 * part.gap_se, 2)),
            get_pcer(part),
        ])  # fmt: skip
    head = [_("Group"), _("Lift over lots"), _("Exposure"), _("PCER")]
    return _markdown(head, rows)


def verdicts(found: Sequence[Equity]) -> list[str]:
    """Every pair of groups in which one has more exposure and less benefit, those beyond chance first."""
    clear, told = [], []
    for one, other in combinations(found, 2):
        pair = compare(one, other)
        if pair.double_disadvantage is None:
            continue
        worse, better = (one, other) if pair.double_disadvantage == one.group else (other, one)
        text = _("Double disadvantage: **{worse}** bears more exposure than **{better}** and gets less.").format(
            worse=bare(worse.group), better=bare(better.group)
        )
        if pair.clear:
            clear.append(text)
        else:
            told.append(text + " " + _("The difference in exposure may be chance."))
    return clear + told


def fairness(found: Sequence[Protection]) -> str:
    """Who is exposed more, one person against one person."""
    told = verdicts([one.alone for one in found])
    if told:
        return _("Person against person:") + "\n\n" + "\n".join(f"- {text}" for text in told)
    if any(one.alone.status != "informative" for one in found):
        return _("Person by person, not every exposure can be told from chance: no double disadvantage is claimed.")
    return _("Person by person, nobody here bears more exposure and gets less: no double disadvantage.")


def rota_note(found: Sequence[Protection], runs: int) -> str:
    """Whom turns without any leak would have served better, beyond chance."""
    served = [one.reporters.group for one in found if get_benefit(one, runs).high < one.rota]
    if not served:
        return ""
    return _(
        "A fixed rota, which leaks nothing, would audit within that time with {rota}: better for {groups}."
    ).format(rota=percent(found[0].rota), groups=", ".join(served))


def classifier_table(found: Sequence[Equity], glyphs: str) -> str:
    """One row a group."""
    rows = [
        [
            _label(i, one, glyphs),
            percent(one.rate),
            _("{value} ± {margin}").format(value=number(one.gap), margin=number(Z95 * one.gap_se, 2)),
            get_pcer(one),
        ]
        for i, one in enumerate(found)
    ]
    return _markdown([_("Group"), _("Benefit"), _("Overfitting gap"), _("PCER")], rows)


def comparison_table(found: Sequence[Equity], glyphs: str) -> str:
    """The first group against each other one."""
    rows = []
    for i, one in enumerate(found[1:], 1):
        pair = compare(found[0], one)
        ratio = _("not printed") if pair.ratio is None else number(pair.ratio)
        rows.append([_label(i, one, glyphs), ratio, number(pair.parity_gap)])
    head = [_("{first} against").format(first=bare(found[0].group)), _("Disparity"), _("Demographic parity gap")]
    return _markdown(head, rows)


def _label(i: int, one: Equity, glyphs: str) -> str:
    return f"{glyphs[i]} {bare(one.group)}" if i < len(glyphs) else bare(one.group)


def classifier_headline(found: Sequence[Equity]) -> str:
    """The first two groups, or why nothing is compared."""
    if len(found) < 2:
        return _("One group has nobody to be compared with: add a second one.")
    one, other = found[0], found[1]
    pair = compare(one, other)
    names = {"one": bare(one.group), "other": bare(other.group)}
    if pair.ratio is not None:
        text = _(
            "**{one}** gets **{ratio}** times as much benefit for its exposure as **{other}** (PCER {first} against "
            "{second})."
        ).format(
            ratio=number(pair.ratio), first=number(one.pcer or 0.0), second=number(other.pcer or 0.0), **names
        )  # fmt: skip
    else:
        text = _(
            "No disparity is printed for **{one}** and **{other}**: it needs both exposures to be told from chance, "
            "and a benefit to divide by."
        ).format(**names)
    gap = _("The demographic parity gap, which looks at benefits alone, is {gap}.").format(gap=number(pair.parity_gap))
    return text + " " + gap
