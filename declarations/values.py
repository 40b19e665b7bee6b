"""Readers of values: functions from text to value, with one sentence for each mistake.

A reader raises ``ValueError``; its text is what would be right, as "expected a number above 0". It
depends on the declaration alone, never on where the text comes from: a line of a file, an option
of a command, mail or a web request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from sys import float_info
from typing import Any

_NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d{1,300}", re.ASCII)
_TRUTHS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


def finite(text: str) -> float | None:
    """Return the number that a text is, exponent and outer blanks allowed; None if it is none.

    Neither ``nan`` nor ``inf`` is a number, nor is one that exceeds the range of a float.
    """
    text = text.strip()
    if _NUMERAL.fullmatch(text) is None:
        return None
    value = float(text)
    return value if isfinite(value) else None


def decimal(text: str, below: int = 10**15) -> int | None:
    """Return the number at least 0 that a text of digits is; None if it is none, or too large."""
    digits = text.strip().lstrip("0") or text.strip()[-1:]
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 15:
        return None
    return found if (found := int(digits)) < below else None


def all_finite(texts: Iterable[str]) -> list[float] | None:
    """Return the numbers that some texts are; None if one is none."""
    found = [finite(text) for text in texts]
    numbers = [one for one in found if one is not None]
    return numbers if len(numbers) == len(found) else None


@dataclass(frozen=True)
class Number:
    """A reader of finite numbers.

    Attributes:
        low, high, above: inclusive minimum, inclusive maximum, exclusive minimum.
        words: further legal texts, in lower case, each with its value.
    """

    low: float = -inf
    high: float = inf
    above: float = -inf
    words: Mapping[str, float] = field(default_factory=dict, hash=False)

    noun = "number"

    def __call__(self, text: str) -> float:
        """Read a text.

        Raises:
            ValueError: it is no finite number within the range, and none of the words.
        """
        if (found := self.words.get(text.strip().lower())) is not None:
            return found
        return self.check(finite(text))

    def check(self, value: object) -> float:
        """Check a value that is a number already, of mail or JSON, or one of the words.

        Raises:
            ValueError: it is no finite number within the range.
        """
        if isinstance(value, str) and value in self.words:
            return self.words[value]
        if isinstance(value, bool) or not isinstance(value, int | float) or value not in self:
            raise ValueError(self.expected)
        return float(value)

    def __contains__(self, value: float) -> bool:
        """Whether a number is finite and within the range."""
        finite = -float_info.max <= value <= float_info.max
        return finite and self.low <= value <= self.high and value > self.above

    @property
    def phrase(self) -> str:
        """What would be right, with the range and the words: "a number above 0, or off"."""
        words = "".join(f", or {word}" for word in self.words)
        return f"a {self.noun} {self.range}".rstrip() + words

    @property
    def expected(self) -> str:
        """The sentence of every mistake."""
        return f"expected {self.phrase}"

    @property
    def range(self) -> str:
        """The range, as "above 0" or "from 0 to 5"; "" for any number."""
        if -inf < self.low > self.above and self.high < inf:
            return f"from {_shown(self.low)} to {_shown(self.high)}"
        least = f"above {_shown(self.above)}" if self.above > -inf else ""
        least = f"at least {_shown(self.low)}" if self.low > self.above else least
        most = f"at most {_shown(self.high)}" if self.high < inf else ""
        return ", ".join(filter(None, (least, most)))

    def within(self, other: Number) -> Number:
        """Return the reader of the numbers that are in both ranges."""
        low, above = max(self.low, other.low), max(self.above, other.above)
        kind = Whole if isinstance(self, Whole) or isinstance(other, Whole) else Number
        return kind(low, min(self.high, other.high), above, self.words)


class Whole(Number):
    """A reader of whole numbers: 3, 3.0 or 1e3."""

    noun = "whole number"

    def __call__(self, text: str) -> int:
        """Read a text, exactly: a seed may have more than 53 bits."""
        exact = text.strip() not in self.words and _WHOLE.fullmatch(text.strip())
        return self.check(int(text)) if exact else int(super().__call__(text))

    def check(self, value: object) -> int:
        """Check a value that is a number already."""
        found = value if isinstance(value, int) else super().check(value)
        if found not in self or isinstance(value, bool) or found != int(found):
            raise ValueError(self.expected)
        return int(found)


@dataclass(frozen=True)
class Interval:
    """A reader of ``LOW:HIGH``, or of one number for both.

    Attributes:
        each: reads either end.
    """

    each: Number

    def __call__(self, text: str) -> tuple[float, float]:
        """Read a text."""
        low, colon, high = text.partition(":")
        try:
            ends = self.each(low), self.each(high if colon else low)
        except ValueError:
            ends = inf, -inf
        if ends[0] > ends[1]:
            raise ValueError(f"{self.each.expected}, or LOW:HIGH")
        return ends


class Choice:
    """A reader of one of several words, in any case; its values are in lower case."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def __call__(self, text: str) -> str:
        """Read a word."""
        if (found := text.strip().lower()) not in self.words:
            raise ValueError(f"expected one of {', '.join(self.words)}")
        return found


def truth(text: str) -> bool | None:
    """Return the truth value of true/on/yes or false/off/no, in any case; None for other texts."""
    return _TRUTHS.get(text.strip().lower())


def boolean(text: str) -> bool:
    """Read true, on, yes or false, off, no."""
    if (value := truth(text)) is None:
        raise ValueError("expected true or false")
    return value


def word(text: str) -> str:
    """Read a text without blanks, as the name of a variable."""
    if len(text.split()) != 1:
        raise ValueError("expected one word without blanks")
    return text.strip()


def words_of(text: str) -> list[str]:
    """Return the words of a text, separated by commas, without outer blanks and empty ones."""
    return [word for part in text.split(",") if (word := part.strip())]


@dataclass(frozen=True)
class Doubted:
    """A reader that takes doubtful texts, too, as the peer's program takes them.

    Attributes:
        read: the reader.
        about: yields what is doubtful about a text that ``read`` takes; see ``doubts``.
    """

    read: Callable[[str], Any]
    about: Callable[[str], Iterable[str]]

    def __call__(self, text: str) -> Any:
        """Read a text."""
        return self.read(text)

    def doubts(self, text: str) -> Iterator[str]:
        """Yield what is doubtful about a text."""
        yield from self.about(text)


def tolerant(read: Callable[[str], Any], otherwise: Callable[[str], Any]) -> Doubted:
    """Return a reader that gives a text which ``read`` refuses another meaning, with a doubt.

    Args:
        otherwise: returns the value that counts; its ``ValueError`` refuses the text.
    """

    def either(text: str) -> Any:
        try:
            return read(text)
        except ValueError:
            return otherwise(text)

    def about(text: str) -> Iterator[str]:
        try:
            read(text)
        except ValueError as error:
            yield f"{error}; {str(otherwise(text)).lower()} counts"

    return Doubted(either, about)


def doubts(read: Callable[[str], Any], text: str) -> Iterator[str]:
    """Yield what is doubtful about a text that a reader takes: the texts of warnings."""
    if (about := getattr(read, "doubts", None)) is not None:
        yield from about(text)


def _shown(bound: float) -> str:
    return f"{bound:.12g}"
