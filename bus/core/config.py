"""``Config``: an app's configuration block, key-value lines read through typed getters.

Each line knows its file and number. A getter checks its value and marks its key as known; a line
whose key no getter asked for is reported with the nearest known key.
Keys are matched without regard to case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import NamedTuple, TypeVar

from steerageway.bus.core.errors import ConfigError, ConfigErrors
from steerageway.declarations import Choice, Number, Whole, boolean, doubts, truth, unknown
from steerageway.diagnostics.diagnostic import DiagnosedError, Diagnostic, not_used

Item = TypeVar("Item")
Default = TypeVar("Default")

_BETWEEN_WORDS = re.compile(r"[\s,;@]+")


class Entry(NamedTuple):
    """One line: key, raw value (outer blanks stripped), and its place ("alpha.moos:41")."""

    key: str
    value: str
    where: str


# Many methods: one for each kind of value, and for each warning and error about a line.
class Config:
    """The lines of one block, in file order.

    Where a key is repeated, a scalar getter takes the first line, or the last one with
    ``last_wins``; ``all`` gives every line.

    Attributes:
        last_wins: which line of a repeated scalar counts.
        diagnostics: warnings about lines that were read differently from what they say, though none
            is an error; they become config warnings of every app made of the block.
    """

    def __init__(
        self,
        entries: Iterable[tuple[str, str, str]] = (),
        *,
        where: str = "configuration",
        last_wins: bool = False,
        known: Iterable[str] = (),
    ) -> None:
        self.entries = tuple(Entry(*entry) for entry in entries)
        self._keys = frozenset(entry.key.lower() for entry in self.entries)
        self.where = where
        self.last_wins = last_wins
        self._asked = {key.lower(): key for key in known}  # in lower case -> as first spelt
        self.diagnostics: list[Diagnostic] = []

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def all(self, *keys: str) -> list[Entry]:
        """Return all lines of these keys (a parameter and its aliases), in file order."""
        wanted = {key.lower() for key in keys}
        for key in keys:
            self._asked.setdefault(key.lower(), key)
        if self._keys.isdisjoint(wanted):
            return []
        return [entry for entry in self.entries if entry.key.lower() in wanted]

    def in_turn(self, *keys: str) -> list[Entry]:
        """Return all lines of these keys in the order to apply them: the one that counts last."""
        lines = self.all(*keys)
        return lines if self.last_wins else lines[::-1]

    def entry(self, *keys: str) -> Entry | None:
        """Return the line that takes effect for a scalar parameter, or None."""
        lines = self.all(*keys)
        if not lines:
            return None
        return lines[-1] if self.last_wins else lines[0]

    def line(self, key: str, value: str = "") -> Entry:
        """Return a parameter's line, or one with this value at the block, for an error."""
        return self.entry(key) or Entry(key, value, self.where)

    def __contains__(self, key: str) -> bool:
        return self.entry(key) is not None

    def text(self, *keys: str, default: str = "") -> str:
        """Return a parameter's raw text."""
        entry = self.entry(*keys)
        return default if entry is None else entry.value

    def value(self, read: Callable[[str], Item], *keys: str, default: Default) -> Item | Default:
        """Return a parameter, read by a reader of ``declarations`` or one of its kind.

        Args:
            read: its ``ValueError`` says what would be right.
            keys: its name and aliases.
            default: the value without such a line (not checked).
        Raises:
            ConfigError: the value is invalid.
        """
        entry = self.entry(*keys)
        return default if entry is None else self.read(entry, read)

    def read(self, entry: Entry, read: Callable[[str], Item]) -> Item:
        """Return a line's value; what the reader takes in doubt becomes a warning.

        Raises:
            ConfigError: the value is invalid.
        """
        found = parsed(entry, read)
        for why in doubts(read, entry.value):
            self.warn(entry, why)
        return found

    def number(
        self,
        *keys: str,
        default: float,
        low: float = -inf,
        high: float = inf,
        above: float = -inf,
    ) -> float:
        """Return a numeric parameter.

        Args:
            keys: its name and aliases.
            default: the value without such a line (not checked).
            low: least legal value; high: greatest; above: it must be greater than this.
        Raises:
            ConfigError: not a finite number, or out of range.
        """
        return self.value(Number(low, high, above), *keys, default=default)

    def whole(self, *keys: str, default: int, low: float = -inf, high: float = inf) -> int:
        """Return a parameter that is a whole number; see ``number``."""
        return self.value(Whole(low, high), *keys, default=default)

    def flag(self, *keys: str, default: bool) -> bool:
        """Return a boolean parameter: true, on, yes or false, off, no."""
        entry = self.entry(*keys)
        if entry is None:
            return default
        word, *rest = _BETWEEN_WORDS.split(entry.value.strip())
        found = truth(word)
        if found is None:
            return parsed(entry, boolean)
        if rest:
            self.warn(entry, f"expected true or false alone; {word.lower()} counts")
        return found

    def choice(self, *keys: str, default: str, among: Iterable[str]) -> str:
        """Return a parameter that is one of a few words, in lower case."""
        return self.value(Choice(*among), *keys, default=default)

    def readable(self, *keys: str, read: Callable[[Entry], Item]) -> list[Item]:
        """Return the parsed lines of these keys; an unreadable one is left out with a warning.

        For lines that are independent of each other: the others keep their meaning without it.


        Args:
            read: parses a line; its ``ConfigError`` becomes the warning.
        """
        found = []
        for entry in self.all(*keys):
            try:
                found.append(read(entry))
            except ConfigError as error:
                self.warn(entry, f"{error.expected}; this line is left out")
        return found

    def warn_of_lost(self, *keys: str) -> None:
        """Warn of the lines of a scalar parameter with another value than the one that counts."""
        counts = self.entry(*keys)
        for entry in self.all(*keys):
            if counts is not None and entry.value != counts.value:
                self.warn(entry, not_used(counts.where, counts.key, counts.value))

    def warn(self, entry: Entry, why: str) -> None:
        """Add a warning that a line is not taken as it stands; it becomes a config warning."""
        self.add_warning(Diagnostic(entry.where, entry.key, entry.value, why))

    def add_warning(self, one: Diagnostic) -> None:
        """Add a warning about the block, unless it is there already."""
        if one not in self.diagnostics:
            self.diagnostics.append(one)

    @property
    def warnings(self) -> list[str]:
        """The texts of the warnings."""
        return list(map(str, self.diagnostics))

    def unread(self) -> list[Entry]:
        """Return the lines whose keys no getter has asked for."""
        return [entry for entry in self.entries if entry.key.lower() not in self._asked]

    def unknown_key(self, entry: Entry) -> Diagnostic:
        """Return the diagnostic of a line with an unknown key; it names the nearest known key."""
        return unknown(entry.key, self._asked.values(), entry.where, entry.value)

    @staticmethod
    def error(entry: Entry, expected: str) -> ConfigError:
        """Return the error that names this line and what would be right."""
        return ConfigError(entry.where, entry.key, entry.value, expected)

    def together(self, errors: Sequence[DiagnosedError]) -> DiagnosedError:
        """Return one error for several, in the order of the block's lines; a single one as it is.

        Those that are not about a line of the block come last.
        """
        if len(errors) == 1:
            return errors[0]
        place = {tuple(entry): number for number, entry in enumerate(self.entries)}
        found = dict.fromkeys(one for error in errors for one in error.diagnostics)
        last = len(self.entries)
        return ConfigErrors(
            sorted(found, key=lambda one: place.get((one.key, one.value, one.where), last))
        )


@contextmanager
def at_line(
    entry: Entry, kinds: type[Exception] | tuple[type[Exception], ...] = ValueError
) -> Iterator[None]:
    """Make an error within the block one of a line, with the same text.

    Args:
        kinds: of the error; its text says what would be right.
    Raises:
        ConfigError: instead of it.
    """
    try:
        yield
    except kinds as error:
        raise Config.error(entry, str(error)) from error


def parsed(entry: Entry, read: Callable[[str], Item]) -> Item:
    """Return a line's value, read by a reader whose ``ValueError`` says what would be right.

    Raises:
        ConfigError: it is invalid.
    """
    with at_line(entry):
        return read(entry.value)
