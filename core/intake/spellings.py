"""Names of organisations: which spellings mean the same one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .dates import MISSING
from .notices import Note

LEGAL = frozenset(
    "inc incorporated corp corporation co company llc llp lp ltd limited plc na fsb sa sas sarl gmbh ag kg se bv nv "
    "ab as oy spa srl pty kk 주식회사 유한회사 주".split()
)
"""Words after (or, in Korean, around) a name that say what legal form an organisation has."""
_LONG_FORMS = ("national association",)


def normalise(name: str) -> str:
    """The normal form that spellings of one name share: no case, accents, punctuation, spaces or legal form.

    Ours: cautious on purpose; abbreviations, word order and misspellings are left to the reader.
    """
    text = unicodedata.normalize("NFKD", name).casefold()
    text = re.sub("[\u0300-\u036f.'’`]", "", text).replace("&", " and ")
    text = unicodedata.normalize("NFC", re.sub(r"[^\w]+|_", " ", text))
    for form in _LONG_FORMS:
        text = text.strip().removesuffix(form)
    words = text.split()
    kept = list(words)
    while len(kept) > 1 and (kept[-1] in LEGAL or kept[-1] == "and"):
        kept.pop()
    while len(kept) > 1 and kept[0] in ("주식회사", "주"):
        kept.pop(0)
    return "".join(kept) or " ".join(name.casefold().split())


@dataclass(frozen=True)
class Names:
    """Organisations behind the distinct texts of a column.

    Attributes:
        groups: organisation of each text, -1 where the text stands for nothing, (n,).
        labels: name of each organisation, its most frequent spelling.
        spellings: all spellings of those organisations that have several.
        notes: what was put together, in rows.
    """

    groups: NDArray[np.int64]
    labels: tuple[str, ...]
    spellings: dict[str, tuple[str, ...]]
    notes: tuple[Note, ...]


def read_names(texts: Sequence[str], rows: NDArray[np.int64], group: bool = True) -> Names:
    """Organisations of the distinct `texts`, which stand in `rows` (n,) rows each; `group` puts spellings together."""
    members: dict[str, list[int]] = {}
    groups = np.full(len(texts), -1, dtype=np.int64)
    for i, text in enumerate(texts):
        if text.lower() not in MISSING:
            members.setdefault(normalise(text) if group else text, []).append(i)
    labels, spellings, changed = [], {}, 0
    for number, where in enumerate(members.values()):
        groups[where] = number
        # of equally frequent spellings the alphabet decides, so that the order of rows does not matter
        where.sort(key=lambda i: (-rows[i], texts[i]))
        label = texts[where[0]]
        labels.append(label)
        if len(where) > 1:
            spellings[label] = tuple(texts[i] for i in where)
            changed += int(rows[where[1:]].sum())
    notes = []
    if spellings:
        label, variants = max(spellings.items(), key=lambda item: len(item[1]))
        value = f"{label} = {variants[1]}"
        notes.append(Note("spellings", changed, {"groups": len(spellings), "value": value}))
    return Names(groups, tuple(labels), spellings, tuple(notes))
