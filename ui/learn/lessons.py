"""Lessons: small TOML files, read with care, since anybody may write one."""

from __future__ import annotations

import base64
import html
import re
import tomllib
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from core.parameters import TABLE, Parameters, mend
from ui.learn.lesson import ChoiceQuestion, Lesson, NumberQuestion
from ui.learn.values import VALUES, Name, parse
from ui.words import LANGUAGES, N_, _

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "lessons"
TEMPLATE = FOLDER.parent / "lesson-template.toml"
ORDER = ("greedy", "coin", "delta", "lead", "horizon", "worth", "audit", "exposure", "statements")
VIEWS = ("misselection", "missed", "square", "twins", "noise", "delta")
"""Pictures a lesson may show."""

LARGEST = 100_000
"""Bytes of a lesson."""
LARGEST_LINK = 6000
"""Signs of a lesson in a link: browsers, chats and servers take addresses of 8,000."""
_LONGEST = {"title": 120, "options": 120}
_LONGEST_TEXT = 3000
_LONGEST_LINE = 2000
_MOST_NAMES, _MOST_SIMULATED, _MOST_STEPS = 60, 12, 500
_LINKS = ("](", "]:", "][", "://", "www.", "![")
_NEEDED = ("title", "intro", "question", "reveal")
_TEXTS = (*_NEEDED, "options", "too_low", "too_high", "correct", "wrong", "now")
_NUMBER = ("answer", "minimum", "maximum", "step", "tolerance")
_CHOICE = ("right", "smallest", "largest")
_TOP = ("id", "view", "controls", "scenario", "question")


class LessonError(ValueError):
    """Why a lesson is refused: an English text to be translated, its values, and the line where it is known."""

    def __init__(self, text: str, line: int | None = None, **values: object) -> None:
        super().__init__(text)
        self.text, self.line = text, line
        self.values = {key: _short(str(value)) for key, value in values.items()}

    def told(self) -> str:
        """The reason in the reader's language, the line first."""
        reason = _(self.text).format(**self.values)
        return _("Line {line}: {reason}").format(line=self.line, reason=reason) if self.line else reason

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}: "
        return where + self.text.format(**self.values)


def _short(text: str) -> str:
    """Foreign text, short and without power over the page."""
    safe = "".join(sign if sign.isprintable() and sign not in "`$[]<>\\" else "?" for sign in text)
    return safe if len(safe) <= 400 else safe[:399] + "…"


# --- reading ---------------------------------------------------------------------------------------------------------
def read(data: bytes | str) -> Lesson:
    """Read a lesson.

    Raises:
        LessonError: anything that is not a lesson, with the line and the reason.
    """
    return _Reader(_decode(data)).read()


def _decode(data: bytes | str) -> str:
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    if len(data) > LARGEST:
        raise LessonError(N_("The file is too large: a lesson has at most {most} bytes."), most=LARGEST)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LessonError(N_("This is no text in UTF-8. Save the file as UTF-8."), line) from None


class _Reader:
    """One file on its way to a lesson."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = _find_lines(text)
        self.names: set[Name] = set()

    def line(self, *path: str) -> int | None:
        """Where a key, or else the table it belongs to, stands."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)

    def read(self) -> Lesson:
        data = self.parse()
        self.allow(data, (), (*_TOP, *LANGUAGES))
        self.need(data, (), _TOP[:2] + _TOP[3:])
        id_ = self.string(data, "id")
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", id_):
            raise LessonError(N_("`id` is made of small letters, digits and hyphens, at most 40."), self.line("id"))
        view = self.string(data, "view")
        self.one_of(view, VIEWS, "view")
        parameters = self.scenario(data)
        shown = self.controls(data)
        self.parameters = parameters
        codes = [code for code in LANGUAGES if code in data]
        if not codes:
            raise LessonError(N_("A table with the texts is missing, one of: {allowed}."), allowed=_list(LANGUAGES))
        texts = {code: self.texts(data, code) for code in codes}
        counts = {code: text["options"].count("\n") + 1 for code, text in texts.items() if "options" in text}
        question = self.question(data, counts)
        for code in codes:
            if isinstance(question, NumberQuestion) and code in counts:
                raise LessonError(N_("`options` belong to a choice; this question asks for a number."),
                                  self.line(code, "options"))  # fmt: skip
            if isinstance(question, ChoiceQuestion) and counts.get(code) != question.options:
                raise LessonError(N_("`options` must list {count} answers here."), self.line(code, "options"),
                                  count=question.options)  # fmt: skip
        simulated = sum(name.value.simulated for name in self.names)
        if len(self.names) > _MOST_NAMES or simulated > _MOST_SIMULATED:
            raise LessonError(
                N_("Too many different numbers: at most {most}, of them {simulated} simulated (missed, twins)."),
                most=_MOST_NAMES, simulated=_MOST_SIMULATED,
            )  # fmt: skip
        return Lesson(id_, view, shown, parameters, question, texts, self.text)

    def parse(self) -> dict[str, Any]:
        for at, row in enumerate(self.text.split("\n"), 1):
            if len(row) > _LONGEST_LINE:
                # A key with thousands of dots would keep the parser busy for minutes.
                raise LessonError(N_("The line is too long: at most {most} signs."), at, most=_LONGEST_LINE)
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            raise LessonError(N_("The brackets are nested too deeply.")) from None
        except ValueError as error:
            told = str(error)
            found = re.search(r"\(at line (\d+), column \d+\)", told)
            line = int(found[1]) if found else self.text.count("\n") + 1 if told.endswith("document)") else None
            raise LessonError(N_("This is not TOML: {detail}"), line, detail=told) from None

    # --- kinds ---
    def allow(self, table: Mapping[str, Any], path: tuple[str, ...], allowed: Iterable[str]) -> None:
        for key in table:
            if key not in allowed:
                raise LessonError(
                    N_("Unknown key `{key}`. Allowed here: {allowed}."), self.line(*path, key), key=key,
                    allowed=_list(allowed),
                )  # fmt: skip

    def need(self, table: Mapping[str, Any], path: tuple[str, ...], needed: Iterable[str]) -> None:
        for key in needed:
            if key not in table:
                name = ".".join((*path, key))
                raise LessonError(N_("`{key}` is missing."), self.line(*path), key=name)

    def table(self, data: Mapping[str, Any], key: str) -> dict[str, Any]:
        if not isinstance(data[key], dict):
            raise LessonError(N_("`{key}` must be a table: write [{key}] on a line of its own."), self.line(key),
                              key=key)  # fmt: skip
        return data[key]

    def string(self, table: Mapping[str, Any], *path: str) -> str:
        value = table[path[-1]]
        if not isinstance(value, str):
            raise LessonError(N_("`{key}` must be a text in quotation marks."), self.line(*path), key=path[-1])
        return value

    def strings(self, table: Mapping[str, Any], *path: str) -> list[str]:
        value = table[path[-1]]
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise LessonError(N_("`{key}` must be a list of texts."), self.line(*path), key=path[-1])
        return value

    def number(self, table: Mapping[str, Any], *path: str) -> float:
        value = table[path[-1]]
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
            raise LessonError(N_("`{key}` must be a number."), self.line(*path), key=path[-1])
        return float(value)

    def one_of(self, value: str, allowed: Iterable[str], *path: str) -> None:
        if value not in allowed:
            raise LessonError(
                N_("`{key}` is `{value}`. Allowed: {allowed}."), self.line(*path), key=path[-1], value=value,
                allowed=_list(allowed),
            )  # fmt: skip

    # --- parts ---
    def scenario(self, data: Mapping[str, Any]) -> Parameters:
        table = self.table(data, "scenario")
        self.allow(table, ("scenario",), TABLE)
        return self.mended(table, lambda key: self.line("scenario", key))

    def mended(self, table: Mapping[str, Any], where: Any) -> Parameters:
        for key, value in table.items():
            if isinstance(value, bool) or not isinstance(value, int | float | str) or (
                isinstance(value, int) and abs(value) > 2**53
            ):  # fmt: skip
                raise LessonError(N_("`{key}` must be a number, or one of the words it allows."), where(key), key=key)
        parameters, told = mend(table)
        for one in told:
            row = TABLE[one.name]
            allowed = _list(row.choices) or f"{row.minimum:g} – {row.maximum:g} ({row.step:g})"
            raise LessonError(
                N_("`{key}` cannot be {given}. Allowed (step): {allowed}. Nearest: {used}."), where(one.name),
                key=one.name, given=one.given, allowed=allowed, used=one.used,
            )  # fmt: skip
        return parameters

    def controls(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        shown = self.strings(data, "controls") if "controls" in data else []
        for name in shown:
            self.one_of(name, [row for row in TABLE if row != "seed"], "controls")
        return tuple(dict.fromkeys(shown))

    def texts(self, data: Mapping[str, Any], code: str) -> dict[str, str]:
        table = self.table(data, code)
        self.allow(table, (code,), _TEXTS)
        self.need(table, (code,), _NEEDED)
        found = {}
        for key in table:
            if key == "options":
                options = self.strings(table, code, key)
                if not 2 <= len(options) <= 6 or any("\n" in option or not option.strip() for option in options):
                    raise LessonError(N_("`options` must be 2 to 6 answers of one line."), self.line(code, key))
                text, longest = "\n".join(options), max(map(len, options))
            else:
                text = self.string(table, code, key).strip()
                longest = len(text)
            if not text:
                raise LessonError(N_("`{key}` is empty."), self.line(code, key), key=key)
            most = _LONGEST.get(key, _LONGEST_TEXT)
            if longest > most:
                raise LessonError(N_("`{key}` is too long: at most {most} signs."), self.line(code, key), key=key,
                                  most=most)  # fmt: skip
            self.check_text(text, code, key)
            found[key] = text
        return found

    def check_text(self, text: str, code: str, key: str) -> None:
        if any(sign in html.unescape(text).lower() for sign in _LINKS):
            # A lesson may come from a stranger: no picture may be fetched from elsewhere.
            raise LessonError(N_("Links and pictures are not allowed in `{key}`."), self.line(code, key), key=key)
        try:
            parts = list(Formatter().parse(text))
        except ValueError:
            raise LessonError(
                N_("A brace without its partner in `{key}`. Write {{{{ and }}}} for braces."), self.line(code, key),
                key=key,
            ) from None  # fmt: skip
        for _plain, field, spec, conversion in parts:
            if field is not None:
                self.name(field + ("!" + conversion if conversion else "") + (":" + spec if spec else ""), code, key)

    def name(self, text: str, *path: str) -> Name:
        """A live number, checked down to its changed parameters."""
        start = self.line(*path) or 1
        rest = self.text.split("\n")[start - 1 :]
        line = next((start + i for i, found in enumerate(rest) if text in found), start)
        name = parse(text)
        if name.name not in VALUES:
            raise LessonError(N_("Unknown number `{name}`. Allowed: {allowed}."), line, name="{" + name.name + "}",
                              allowed=_list(VALUES))  # fmt: skip
        for key, _value in name.changes:
            if key not in TABLE:
                raise LessonError(N_("Unknown parameter `{key}` behind the @. Allowed: {allowed}."), line, key=key,
                                  allowed=_list(TABLE))  # fmt: skip
        changes = dict(name.changes)
        self.mended(changes, lambda _key: line)
        p = self.parameters.with_changes(**changes)
        if p[1]:
            raise LessonError(N_("`{name}` does not fit the scenario."), line, name=text)
        self.names.add(name)
        return name

    def question(self, data: Mapping[str, Any], counts: Mapping[str, int]) -> NumberQuestion | ChoiceQuestion:
        table = self.table(data, "question")
        self.allow(table, ("question",), (*_NUMBER, *_CHOICE))
        kinds = [key for key in ("answer", *_CHOICE) if key in table]
        if len(kinds) != 1:
            raise LessonError(
                N_("[question] needs exactly one of: {allowed}."), self.line("question"),
                allowed=_list(("answer", *_CHOICE)),
            )  # fmt: skip
        if kinds == ["answer"]:
            return self.number_question(table)
        self.allow(table, ("question",), _CHOICE)
        (kind,) = kinds
        if kind == "right":
            right = self.number(table, "question", "right")
            options = max(counts.values(), default=2)
            if right != int(right) or not 1 <= right <= options:
                raise LessonError(N_("`right` is the number of the right option, from 1."),
                                  self.line("question", "right"))  # fmt: skip
            return ChoiceQuestion(options, int(right) - 1)
        names = self.strings(table, "question", kind)
        if not 2 <= len(names) <= 6:
            raise LessonError(N_("`{key}` must name one number for each option, 2 to 6."), self.line("question", kind),
                              key=kind)  # fmt: skip
        found = tuple(self.name(one, "question", kind) for one in names)
        return ChoiceQuestion(len(names), None, found, kind == "smallest")

    def number_question(self, table: Mapping[str, Any]) -> NumberQuestion:
        self.allow(table, ("question",), _NUMBER)
        self.need(table, ("question",), _NUMBER)
        answer = self.name(self.string(table, "question", "answer"), "question", "answer")
        minimum, maximum, step, tolerance = (self.number(table, "question", key) for key in _NUMBER[1:])
        if not (maximum > minimum and step > 0 and 1 <= (maximum - minimum) / step <= _MOST_STEPS):
            raise LessonError(N_("The scale from `minimum` to `maximum` must have 1 to {most} steps."),
                              self.line("question", "step"), most=_MOST_STEPS)  # fmt: skip
        if tolerance < 0:
            raise LessonError(N_("`{key}` must not be negative."), self.line("question", "tolerance"), key="tolerance")
        return NumberQuestion(answer, minimum, maximum, step, tolerance)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


def _find_lines(text: str) -> dict[tuple[str, ...], int]:
    """The line of every table and key, as far as reading by eye goes; good enough to point at."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    closing = ""
    for at, line in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        bare = line.strip()
        if bare.startswith("[") and "]" in bare and "=" not in bare.partition("]")[0]:
            table = _path(bare.strip("[").partition("]")[0])
            found.setdefault(table, at)
            continue
        key, equals, rest = bare.partition("=")
        if equals and not bare.startswith("#"):
            found.setdefault((*table, *_path(key)), at)
            closing = next((mark for mark in ('"""', "'''") if rest.count(mark) % 2), "")
    return found


def _path(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))


# --- links -----------------------------------------------------------------------------------------------------------
def pack(text: str) -> str:
    """A lesson as a value of a link: base64url of zlib, without padding."""
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(value: str) -> str:
    """The lesson of a link.

    Raises:
        LessonError: a value that is too long, damaged, or too large once unpacked.
    """
    if len(value) > LARGEST_LINK:
        raise LessonError(N_("The lesson in this link is too long: at most {most} signs."), most=LARGEST_LINK)
    try:
        packed = base64.b64decode(value + "=" * (-len(value) % 4), altchars=b"-_", validate=True)
        box = zlib.decompressobj()
        data = box.decompress(packed, LARGEST + 1)
    except (ValueError, zlib.error):
        raise LessonError(N_("The lesson in this link is damaged. Was the link cut off?")) from None
    if not box.eof and len(data) <= LARGEST:
        raise LessonError(N_("The lesson in this link is damaged. Was the link cut off?"))
    return _decode(data)


# --- what comes with the app -----------------------------------------------------------------------------------------
@cache
def shipped() -> dict[str, Lesson]:
    """The lessons of the folder by id: the known ones in their order, then any other file."""
    found = {lesson.id: lesson for lesson in map(_open, sorted(FOLDER.glob("*.toml")))}
    return {id_: found[id_] for id_ in (*(one for one in ORDER if one in found), *(o for o in found if o not in ORDER))}


def _open(path: Path) -> Lesson:
    return read(path.read_bytes())
