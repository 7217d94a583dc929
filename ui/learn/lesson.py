"""What a lesson is: a scenario, a picture, a question that is answered first, and texts with live numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from core.parameters import Parameters
from ui.learn.values import Name, parse
from ui.words import language, number, percent


@dataclass(frozen=True)
class NumberQuestion:
    """A guess on a scale; percentages in percent.

    Attributes:
        answer: the live number that is right.
        tolerance: how far off still counts as right.
    """

    answer: Name
    minimum: float
    maximum: float
    step: float
    tolerance: float

    @property
    def scale(self) -> list[float]:
        """The values on offer."""
        steps = round((self.maximum - self.minimum) / self.step)
        return [round(self.minimum + i * self.step, 10) for i in range(steps + 1)]

    def write(self, value: float) -> str:
        """A value of the scale, for the screen."""
        return percent(value / 100.0) if self.answer.value.share else number(value)


@dataclass(frozen=True)
class ChoiceQuestion:
    """A choice between options.

    Attributes:
        options: how many.
        right: the right one, from 0; None where `names` decide.
        names: one live number an option; the smallest (or the largest) is right.
    """

    options: int
    right: int | None
    names: tuple[Name, ...] = ()
    smallest: bool = True

    def get_right(self, p: Parameters) -> int:
        """The right option, from 0."""
        if self.right is not None:
            return self.right
        found = [name.compute(p) for name in self.names]
        return found.index(min(found) if self.smallest else max(found))


@dataclass(frozen=True)
class Lesson:
    """One lesson, checked.

    Attributes:
        view: the picture of the reveal.
        controls: parameters to play with after the reveal; all others are hidden.
        parameters: the scenario.
        texts: by language, then by name of the text; options are joined by line breaks.
        source: the file.
    """

    id: str
    view: str
    controls: tuple[str, ...]
    parameters: Parameters
    question: NumberQuestion | ChoiceQuestion
    texts: Mapping[str, Mapping[str, str]]
    source: str

    def raw(self, name: str) -> str:
        """A text in the reader's language, else in English, else in the first there is; empty where not given."""
        code = next(code for code in (language(), "en", *self.texts) if code in self.texts)
        return self.texts[code].get(name, "")

    def say(self, name: str, p: Parameters | None = None) -> str:
        """A text with its numbers filled in, for the lesson's scenario or for `p`."""
        return fill(self.raw(name), p or self.parameters)

    def options(self) -> list[str]:
        """The options of a choice."""
        return self.say("options").split("\n")

    def judge(self, answer: float) -> str:
        """`correct`, `too_low`, `too_high` (numbers) or `wrong` (choices; the answer is the option, from 0)."""
        q = self.question
        if isinstance(q, ChoiceQuestion):
            return "correct" if int(answer) == q.get_right(self.parameters) else "wrong"
        off = answer - self.truth()
        return "correct" if abs(off) <= q.tolerance else "too_low" if off < 0 else "too_high"

    def truth(self) -> float:
        """The right number, on the scale of the question; of a choice the right option, from 0."""
        q = self.question
        if isinstance(q, ChoiceQuestion):
            return q.get_right(self.parameters)
        return q.answer.compute(self.parameters) * (100.0 if q.answer.value.share else 1.0)


def fill(text: str, p: Parameters) -> str:
    """Put the live numbers in."""
    parts = []
    for plain, field, _spec, _conversion in Formatter().parse(text):
        parts.append(plain)
        if field is not None:
            parts.append(parse(field).write(p))
    return "".join(parts)
