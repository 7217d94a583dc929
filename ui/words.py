"""Words and numbers in the reader's language. English texts are the keys of the catalogues in assets/locale."""

from __future__ import annotations

import gettext as _gettext
import io
import math
from functools import cache, lru_cache
from numbers import Integral
from pathlib import Path

import streamlit as st
from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent
from streamlit.runtime.scriptrunner import get_script_run_ctx

LOCALES = Path(__file__).parent.parent / "assets" / "locale"
DEFAULT = "en"


def _own_names() -> dict[str, str]:
    """Language codes and each language's own name: English, then every catalogue found."""
    codes = [DEFAULT, *sorted(path.stem for path in LOCALES.glob("*.po"))]
    return {code: (Locale.parse(code).get_display_name(code) or code).capitalize() for code in codes}


LANGUAGES: dict[str, str] = _own_names()
"""Code -> own name. One more .po file is one more language."""

LANGUAGE_LABEL = "Language · Langue · 언어"
"""For whoever cannot read the language the page is in."""


@cache
def catalogue(code: str) -> _gettext.NullTranslations:
    """The translations of a language; the English texts themselves where there are none."""
    path = LOCALES / f"{code}.po"
    if not path.exists():
        return _gettext.NullTranslations()
    compiled = io.BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source, locale=code))
    compiled.seek(0)
    translations = _gettext.GNUTranslations(compiled)
    translations.add_fallback(_gettext.NullTranslations())
    return translations


def language() -> str:
    """Code of the language of this session."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return DEFAULT
    return st.session_state.get("language", DEFAULT)


def _(text: str) -> str:
    """`text` in the language of this session."""
    return catalogue(language()).gettext(text)


def N_(text: str) -> str:  # noqa: N802
    """Mark `text` for translation where it is used."""
    return text


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a text that fits `count`, in the language of this session."""
    return catalogue(language()).ngettext(one, many, count)


def number(value: float, digits: int = 3) -> str:
    """A number for the screen: whole numbers in full, others with `digits` significant digits."""
    whole = isinstance(value, Integral)
    return _number(int(value) if whole else float(value), whole, digits, language())


# A slider writes all its stops at every rerun; remembering them halves what a page costs.
@lru_cache(maxsize=50_000)
def _number(value: float, whole: bool, digits: int, code: str) -> str:
    if whole:
        return format_decimal(value, locale=code)
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    if value and abs(value) < 1e-4:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        power = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{format_decimal(float(mantissa), locale=code)} × 10{power}"
    return format_decimal(_rounded(value, digits), format="#,##0.##########", locale=code)


def percent(share: float, digits: int = 3) -> str:
    """A share (0 to 1) as a percentage with `digits` significant digits, spaced as the language wants it."""
    if not math.isfinite(share):
        return number(share)
    return _percent(float(share), digits, language())


@lru_cache(maxsize=50_000)
def _percent(share: float, digits: int, code: str) -> str:
    pattern = Locale.parse(code).percent_formats[None].pattern.replace("#,##0", "#,##0.########")
    return format_percent(_rounded(share, digits), format=pattern, locale=code)


def _rounded(value: float, digits: int) -> float:
    """`value` rounded to `digits` significant digits, or 0 where it is too small to show."""
    rounded = float(f"{value:.{digits}g}")
    return rounded if abs(rounded) >= 1e-8 else 0.0
