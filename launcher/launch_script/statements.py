"""Parser of shell scripts to statements: simple commands, ``if``, ``for``, and others whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from steerageway.launcher.launch_script.errors import Unread

_KEYWORD = re.compile(r"(then|do|else)\b(?!=)\s*")
_FUNCTION = re.compile(r"\s*(?:function\s+\w+\s*(?:\(\s*\))?|\w+\s*\(\s*\))\s*\{")
_FOR = re.compile(r"for\s+(\w+)(?:\s+in\s+(.*))?", re.DOTALL)
_CLOSING = {"if": "fi", "while": "done", "until": "done", "case": "esac"}
_PAIRS = {'"': '"', "'": "'", "`": "`"}


class Simple(NamedTuple):
    """A command or an assignment, and its first line."""

    text: str
    line: int


@dataclass(slots=True)
class If:
    """An ``if``: (condition, block) of its branches; the condition of ``else`` is ""."""

    line: int
    branches: list[tuple[str, list[Statement]]] = field(default_factory=list)


@dataclass(slots=True)
class For:
    """A loop over words, or over the script's arguments (words is None)."""

    line: int
    name: str
    words: str | None
    body: list[Statement]


@dataclass(slots=True)
class Other:
    """A loop or ``case`` that is not supported, as a whole."""

    line: int
    text: str


Statement: TypeAlias = Simple | If | For | Other


def statements(text: str) -> list[Statement]:
    """Parse a script.

    Raises:
        Unread: a keyword is out of place.
    """
    return _Reader(list(_commands(text))).block(())


def _commands(text: str) -> Iterator[Simple]:
    """Yield commands and keywords separately, without comments and function definitions."""
    depth = 0  # of braces in a function definition, which is skipped
    for line, number in _lines(text):
        if depth or _FUNCTION.match(line):
            depth += line.count("{") - line.count("}")
            continue
        for part in _parts(line):
            rest = part
            while found := _KEYWORD.match(rest):
                yield Simple(found[1], number)
                rest = rest[found.end() :]
            if rest:
                yield Simple(rest, number)


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield lines with continuation lines joined, and the number of their first line."""
    begun, first = "", 0
    for number, raw in enumerate(text.split("\n"), 1):
        first = first if begun else number
        line = raw.rstrip()
        if line.endswith("\\"):
            begun += line[:-1] + " "
            continue
        yield begun + line, first
        begun = ""
    if begun:
        yield begun, first


def _parts(line: str) -> Iterator[str]:
    """Split a line at ``;`` outside of quotes and parentheses; a comment ends it."""
    part, closing, depth = "", "", 0
    for index, char in enumerate(line):
        if closing:
            closing = "" if char == closing else closing
        elif char in _PAIRS:
            closing = _PAIRS[char]
        elif char == "#" and (index == 0 or line[index - 1].isspace()):
            break
        elif char == ";" and depth == 0:
            if part.strip():
                yield part.strip()
            part = ""
            continue
        else:
            depth += (char in "({") - (char in ")}")
        part += char
    if part.strip():
        yield part.strip()


class _Reader:
    """Parses blocks; ``_at`` is the index of the next command."""

    def __init__(self, commands: list[Simple]) -> None:
        self._commands = commands
        self._at = 0

    def block(self, ends: tuple[str, ...]) -> list[Statement]:
        """Parse statements up to one of the keywords ``ends``, which is not consumed."""
        found: list[Statement] = []
        while self._at < len(self._commands):
            command = self._commands[self._at]
            word = command.text.split(None, 1)[0]
            if word in ends:
                return found
            found.append(self._statement(command, word))
        if ends:
            raise Unread(f"no {' or '.join(ends)} before its end")
        return found

    def _statement(self, command: Simple, word: str) -> Statement:
        self._at += 1
        if word == "if":
            return self._if(command)
        if word == "for" and (found := _FOR.fullmatch(command.text)):
            self._keyword("do", command.line)
            body = self.block(("done",))
            self._at += 1
            return For(command.line, found[1], found[2], body)
        if word in _CLOSING or word == "for":
            return self._passed_over(command, word)
        return command

    def _if(self, command: Simple) -> If:
        made = If(command.line)
        condition = command.text.partition(" ")[2]
        while True:
            if condition:
                self._keyword("then", command.line)
            made.branches.append((condition, self.block(("elif", "else", "fi"))))
            closing = self._commands[self._at]
            self._at += 1
            if closing.text == "fi":
                return made
            condition = closing.text.partition(" ")[2]

    def _passed_over(self, command: Simple, word: str) -> Other:
        """Parse an unsupported statement as a whole, with nested ones."""
        closing = _CLOSING.get(word, "done")
        depth, texts = 1, [command.text]
        while depth and self._at < len(self._commands):
            text = self._commands[self._at].text
            texts.append(text)
            first = text.split(None, 1)[0]
            opens = first == word or (closing == "done" and first in ("for", "while", "until"))
            depth += opens - (first == closing)
            self._at += 1
        return Other(command.line, "; ".join(texts))

    def _keyword(self, word: str, line: int) -> None:
        if self._at >= len(self._commands) or self._commands[self._at].text != word:
            raise Unread(f"line {line}: no {word}")
        self._at += 1
