"""Flags of an app's block: ``some_flag = VAR=value``, posted at an event or, as
``mailflag = @VAR#OUT=value``, in response to mail.

Values, and in some apps names, may contain macros. Each app defines the spelling of its macros;
``bracketed`` gives ``$[NAME]`` and ``$(NAME)``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from steerageway.bus import declare
from steerageway.moos.values import Value, auto_value, fixed, split_first, trimmed

Macros = Mapping[str, Value]
_BRACKETED = re.compile(r"\$\[(\w+)\]|\$\((\w+)\)")


@dataclass(frozen=True, slots=True)
class PostFlag:
    """A variable and the value to post; both may contain macros."""

    variable: str
    value: Value

    def named(self, macros: Macros) -> str:
        """Return the variable with macros replaced."""
        return replaced(self.variable, macros)

    def expanded(self, macros: Macros) -> Value:
        """Return the value with macros replaced; a text that is then a number becomes one."""
        if isinstance(self.value, float):
            return self.value
        alone = macros.get(self.value)
        if isinstance(alone, float):
            return alone
        text = replaced(self.value, macros)
        return auto_value(text) if text != self.value else text


def bracketed(macros: Mapping[str, Value]) -> dict[str, Value]:
    """Return macros as ``$[NAME]`` and ``$(NAME)``.

    Args:
        macros: NAME -> its value.
    """
    spelt = (("$[", "]"), ("$(", ")"))
    return {f"{a}{name}{b}": value for name, value in macros.items() for a, b in spelt}


def parse_flag(text: str) -> PostFlag:
    """Parse ``VAR=value``.

    Raises:
        ValueError: what was expected.
    """
    variable, value = split_first(text, "=")
    if not variable or not value or any(map(str.isspace, variable)):
        raise ValueError("expected VAR=value")
    return PostFlag(variable, auto_value(value))


def flags(meaning: str) -> Any:
    """Declare flags, one a line; the meaning continues "VAR=value posted"."""
    return declare.lines(parse_flag, f"VAR=value posted {meaning}")


def macros_in(text: str) -> tuple[str, ...]:
    """Return the names that a text contains as ``$[NAME]`` or ``$(NAME)``."""
    return tuple(name for pair in _BRACKETED.findall(text) for name in pair if name)


def replaced(text: str, macros: Macros) -> str:
    """Return a text with macros replaced."""
    if "$" not in text and "%" not in text:
        return text
    # The longest first: one macro may be the beginning of another.
    for macro in sorted(macros, key=len, reverse=True):
        value = macros[macro]
        text = text.replace(macro, value if isinstance(value, str) else trimmed(value, 4))
    return text


ANY = "ANY"
MACROS = ("CNT", "MCNT", "UTC")


@dataclass(frozen=True, slots=True)
class MailFlag:
    """A flag, and the variable whose mail it responds to."""

    source: str
    flag: PostFlag


class MailFlags:
    """The mail flags of a block, and the number of messages of each variable.

    ``@ANY`` applies to received variables without a line of their own. In the value, ``$[CNT]`` is
    the number of messages of VAR, ``$[MCNT]`` that of all messages with a flag, and ``$[UTC]`` the
    time [s].
    """

    def __init__(self, lines: Sequence[MailFlag]) -> None:
        self._lines: dict[str, list[PostFlag]] = {}
        for line in lines:
            self._lines.setdefault(line.source, []).append(line.flag)
        self._counts: Counter[str] = Counter()

    @property
    def sources(self) -> list[str]:
        """The variables that have flags by name."""
        return [name for name in self._lines if name != ANY]

    def answers(self, name: str, utc: float) -> list[PostFlag]:
        """Count a message and return the flags to post.

        Args:
            name: of the received variable.
            utc: now [s].
        """
        flags = self._lines.get(name) or self._lines.get(ANY) or []
        if not flags:
            return []
        self._counts[name] += 1
        counts = (float(self._counts[name]), float(self._counts.total()), fixed(utc, 2))
        values = bracketed(dict(zip(MACROS, counts, strict=True)))
        return [PostFlag(flag.variable, flag.expanded(values)) for flag in flags]


def parse_mail_flag(text: str) -> MailFlag:
    """Parse ``@VAR#OUT=value``.

    Raises:
        ValueError: what was expected.
    """
    source, rest = split_first(text, "#")
    if not source.startswith("@") or not source[1:] or not rest:
        raise ValueError("expected @VAR#OUT=value")
    return MailFlag(source[1:], parse_flag(rest))
