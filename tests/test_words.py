"""Every visible text is in the catalogues, in every language, and says the same thing with the same gaps."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from ui import words

ROOT = Path(__file__).parent.parent
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "ui").rglob("*.py"))]
OTHERS = [code for code in words.LANGUAGES if code != words.DEFAULT]
MARKERS = {"_", "N_", "ngettext"}


def _texts() -> dict[str | tuple[str, ...], str]:
    """Every text the code marks, with the file it stands in."""
    return {
        message: str(path.relative_to(ROOT))
        for path in SOURCES
        for _, message, _, _ in extract_from_file("python", path)
        if message
    }


def _catalogue(code: str) -> Catalog:
    with (words.LOCALES / f"{code}.po").open("rb") as source:
        return read_po(source, locale=code)


def _gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


# --- translations: these three fail while translators are still at work ----------------------------------------------
@pytest.mark.parametrize("code", OTHERS)
def test_catalogue_knows_every_text(code: str) -> None:
    """Run `python3 lab.py words` when this fails, then translate what is new."""
    known = {message.id for message in _catalogue(code) if message.id}
    texts = _texts()
    assert sorted(map(str, texts.keys() - known)) == []
    assert sorted(map(str, known - texts.keys())) == []


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_missing_or_uncertain(code: str) -> None:
    messages = [message for message in _catalogue(code) if message.id]
    missing = [m.id for m in messages if not all(m.string if isinstance(m.string, tuple) else (m.string,))]
    assert missing == []
    assert [message.id for message in messages if message.fuzzy] == []


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_the_same_gaps(code: str) -> None:
    wrong = []
    for message in _catalogue(code):
        originals = message.id if isinstance(message.id, tuple) else (message.id,)
        wanted = set.union(*map(_gaps, originals))
        for text in message.string if isinstance(message.string, tuple) else (message.string,):
            # A singular may leave out the number; anything else has to be there.
            if text and (_gaps(text) != wanted if len(originals) == 1 else not _gaps(text) <= wanted):
                wrong.append(text)
    assert wrong == []


# --- the code --------------------------------------------------------------------------------------------------------
def test_percent_signs_stand_as_the_language_wants() -> None:
    """A live number takes its sign from `percent`; a fixed one in an English text stands without a space, as there."""
    texts = [text for key in _texts() for text in (key if isinstance(key, tuple) else (key,))]
    assert [text for text in texts if re.search(r"\d\s%|\}\s?%", text)] == []


SHOWING = {
    "title", "header", "subheader", "caption", "markdown", "text", "write", "info", "warning", "error", "success",
    "button", "download_button", "link_button", "page_link", "select_slider", "slider", "selectbox", "multiselect",
    "segmented_control", "pills", "radio", "checkbox", "toggle", "number_input", "text_input", "text_area", "expander",
    "popover", "tabs", "metric", "spinner", "status", "toast", "dialog", "badge", "file_uploader", "progress",
}  # fmt: skip
SHOWN = {"label", "help", "alt", "text", "body", "placeholder", "title", "axes", "caption"}


def _bare_words(node: ast.expr) -> bool:
    """A literal (or the literal part of an f-string or a sum) that holds words."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(re.search(r"[^\W\d_]{2}", re.sub(r":[a-z_/-]+:", "", node.value)))
    if isinstance(node, ast.JoinedStr):
        return any(_bare_words(part) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.BinOp):
        return _bare_words(node.left) or _bare_words(node.right)
    if isinstance(node, ast.IfExp):
        return _bare_words(node.body) or _bare_words(node.orelse)
    return False


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_shown_texts_go_through_the_catalogue(path: Path) -> None:
    bypassing = []
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SHOWING):
            continue
        shown = [*node.args[:1], *(k.value for k in node.keywords if k.arg in SHOWN)]
        bypassing += [f"{path.name}:{node.lineno}" for value in shown if _bare_words(value)]
    assert bypassing == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sentences_go_through_the_catalogue(path: Path) -> None:
    """A literal of several lower-case words is a sentence for somebody, unless it is a docstring or an error for us."""
    tree = ast.parse(path.read_text())
    ours: set[int] = set()
    for node in ast.walk(tree):
        marked = isinstance(node, ast.Call) and getattr(node.func, "id", None) in MARKERS
        error = isinstance(node, ast.Raise | ast.Assert)
        source = isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("_HTML", "_CSS", "_JS")
        if marked or error or source:
            ours |= {id(part) for part in ast.walk(node)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            ours.add(id(node.value))
    sentences = [
        f"{path.name}:{node.lineno} {node.value[:60]!r}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in ours
        and re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", node.value)
        and not re.search(r"python -m core|from core[\w.]* import|export default|</|[{};]\n", node.value)
    ]
    assert sentences == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_filled_in_before_translation(path: Path) -> None:
    """`_(f"...")` and `_("...".format())` can never be found in a catalogue."""
    wrong = [
        f"{path.name}:{node.lineno}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", None) in MARKERS
        and any(isinstance(argument, ast.JoinedStr | ast.Call | ast.BinOp) for argument in node.args[:1])
    ]
    assert wrong == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_hides_inside_an_f_string(path: Path) -> None:
    """The extraction does not look there."""
    hidden = [
        f"{path.name}:{call.lineno}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and getattr(call.func, "id", None) in MARKERS
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert hidden == []


# --- numbers ---------------------------------------------------------------------------------------------------------
@pytest.fixture(params=["en", "fr", "ko"])
def code(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(words, "language", lambda: request.param)
    return request.param


def test_numbers(code: str) -> None:
    point, group = {"en": (".", ","), "fr": (",", "\u202f"), "ko": (".", ",")}[code]
    assert words.number(1000) == f"1{group}000"
    assert words.number(1234567) == f"1{group}234{group}567"
    assert words.number(12.0151) == "12"
    assert words.number(12.0551) == f"12{point}1"
    assert words.number(0.0123456) == f"0{point}0123"
    assert words.number(0.005) == f"0{point}005"
    assert words.number(0.0) == "0"
    assert words.number(-0.25) == f"-0{point}25"
    assert words.number(1.234e-7) == f"1{point}23 × 10⁻⁷"
    assert words.number(float("nan")) == "–"
    assert words.number(float("inf")) == "∞"


def test_percentages(code: str) -> None:
    sign = {"en": "%", "fr": "\u00a0%", "ko": "%"}[code]
    point = "," if code == "fr" else "."
    assert words.percent(0.55) == f"55{sign}"
    assert words.percent(0.12345) == f"12{point}3{sign}"
    assert words.percent(1) == f"100{sign}"
    assert words.percent(0.0) == f"0{sign}"
    assert words.percent(1e-12) == f"0{sign}"


def test_a_language_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "LOCALES", tmp_path)
    (tmp_path / "de.po").write_text('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
                                    'msgid "Start"\nmsgstr "Beginn"\n')  # fmt: skip
    assert words._own_names() == {"en": "English", "de": "Deutsch"}
    words.catalogue.cache_clear()
    try:
        assert words.catalogue("de").gettext("Start") == "Beginn"
        assert words.catalogue("de").gettext("not there") == "not there"
        assert words.catalogue("xx").ngettext("one", "many", 2) == "many"
    finally:
        words.catalogue.cache_clear()
