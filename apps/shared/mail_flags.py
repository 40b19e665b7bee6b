"""Flags posted in response to mail: ``mailflag = @VAR#OUT=value``.

``@ANY`` applies to received variables without a line of their own.
In the value, ``$[CNT]`` is the number of messages of VAR, ``$[MCNT]`` that of all messages with a
flag, and ``$[UTC]`` the time [s].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from steerageway.apps.shared.flags import PostFlag, bracketed, parse_flag
from steerageway.moos.values import fixed, split_first

ANY = "ANY"
MACROS = ("CNT", "MCNT", "UTC")


@dataclass(frozen=True, slots=True)
class MailFlag:
    """A flag, and the variable whose mail it responds to."""

    source: str
    flag: PostFlag


class MailFlags:
    """The mail flags of a block, and the number of messages of each variable."""

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
