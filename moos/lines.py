"""Lines of MOOS-IvP's files: decoding, comments, quotes, and replacement of ``${NAME}``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from steerageway.declarations import bytes_of
from steerageway.diagnostics.source_map import Origin
from steerageway.moos.errors import FormatError

T = TypeVar("T")

_VARIABLE = re.compile(r"\$\{([^{}]*)\}")
_DEFINE = re.compile(r"define:", re.IGNORECASE)
_DEEPEST = 50  # nested definitions
LARGEST_FILE = 64 << 20  # bytes
LONGEST_LINE = 1 << 20  # characters of a line whose variables have been replaced
MOST_REPLACED = 10_000  # replacements in a line, nested ones included


class Line(NamedTuple):
    """A line ``key = value``, both stripped, quotes still in place.

    Attributes:
        where: "alpha.moos:41", the file's name as the user gave it.
    """

    key: str
    value: str
    where: str

    def read(self, reader: Callable[[str], T]) -> T:
        """Return its value without quotes, read by a reader of ``declarations``.

        Raises:
            FormatError: it is invalid.
        """
        try:
            return reader(unquote(self.value))
        except ValueError as error:
            raise self.error(str(error)) from error

    def error(self, expected: str) -> FormatError:
        """Return the error that names this line and what would be right."""
        return FormatError(self.where, self.key, self.value, expected)


def file_bytes(path: Path, most: int = LARGEST_FILE) -> bytes:
    """Return the contents of a file in one of MOOS-IvP's formats.

    Raises:
        OSError: it cannot be read.
        ValueError: it is too large, or has no end.
    """
    raw = bytes_of(path, most)
    if len(raw) > most:
        raise ValueError(f"this has more than {most} bytes")
    return raw


def decoded(raw: bytes) -> str:
    """Return the text of a file: UTF-8, or else Latin-1, as in old files of MOOS-IvP.

    Raises:
        ValueError: it is no text.
    """
    if b"\0" in raw:
        raise ValueError("this is not text")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def split_line(text: str, where: str) -> Line:
    """Split a line at its first "="; without one the value is empty."""
    key, _, value = text.partition("=")
    return Line(key.strip(), value.strip(), where)


def unquote(value: str) -> str:
    """Remove the first pair of double quotes."""
    before, opening, rest = value.partition('"')
    inside, closing, after = rest.partition('"')
    return before + inside + after if opening and closing else value


def cut_comment(text: str) -> str:
    """Remove a comment: from the first ``//`` outside the line's first pair of double quotes."""
    comment, opening = text.find("//"), text.find('"')
    closing = text.find('"', opening + 1) if opening >= 0 else -1
    if opening < comment < closing:
        comment = text.find("//", closing)
    return text if comment < 0 else text[:comment]


def keyed_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield number, key in lower case, and value of each line of a file of objects."""
    for number, one in enumerate(text.split("\n"), 1):
        line = split_line(cut_comment(one), "")
        if line.key:
            yield number, line.key.lower(), line.value


def valid_lines(
    text: str, origin: Origin, environment: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield (text, where) of every line that is not empty, with variables replaced.

    ``${NAME}`` is looked up in the file's own lines first (``define: NAME = value`` anywhere in it,
    else any ``NAME = value``; the last one counts), then in the environment. A line does not define
    its own variable, so ``PATH = ${PATH}:x`` adds to the environment's.

    Args:
        text: the whole file.
        origin: names of the file and its lines for errors.
        environment: variables from outside.
    Raises:
        FormatError: a variable is not defined.
    """
    kept = [
        (stripped, origin.at(number))
        for number, line in enumerate(text.split("\n"), 1)
        if (stripped := cut_comment(line).strip())
    ]
    table = _definitions(kept)
    for line, where in kept:
        if not _DEFINE.match(line):
            yield _expand(line, where, table, environment), where


def _definitions(lines: Sequence[tuple[str, str]]) -> dict[str, str]:
    defined: dict[str, str] = {}
    other: dict[str, str] = {}
    for text, where in lines:
        prefix = _DEFINE.match(text)
        line = split_line(text[prefix.end() :] if prefix else text, where)
        if line.value:
            (defined if prefix else other)[line.key] = line.value
    return other | defined


def _expand(text: str, where: str, table: Mapping[str, str], environment: Mapping[str, str]) -> str:
    replaced = length = 0

    def value(name: str, within: frozenset[str]) -> str:
        nonlocal replaced, length
        replaced += 1
        length += len(table.get(name) or environment.get(name, ""))
        if replaced > MOST_REPLACED or length > LONGEST_LINE:
            limits = f"at most {MOST_REPLACED} variables and {LONGEST_LINE} characters"
            raise FormatError(where, "", "", f"${{{name}}}: expected a line that comes to {limits}")
        if name in table and name not in within and len(within) < _DEEPEST:
            inner = within | {name}
            return _VARIABLE.sub(lambda match: value(match[1], inner), table[name])
        if name in environment:
            return environment[name]
        raise FormatError(
            where, "", "", f"${{{name}}}: expected a variable that the file or environment defines"
        )

    line = split_line(text, where)
    defines_itself = table.get(line.key) == line.value
    outermost = frozenset((line.key,) if defines_itself else ())
    return _VARIABLE.sub(lambda match: value(match[1], outermost), text)
