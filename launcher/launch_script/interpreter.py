"""Interpreter of launch scripts: template expansions with their macros, and launched missions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from posixpath import normpath
from typing import NamedTuple

from steerageway.launcher.launch_script.conditions import holds, is_test
from steerageway.launcher.launch_script.errors import Effort, Unread
from steerageway.launcher.launch_script.statements import (
    For,
    If,
    Other,
    Simple,
    Statement,
    statements,
)
from steerageway.launcher.launch_script.words import Words
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import file_bytes
from steerageway.moos.nsplug import PlugCall, parse_call

IDLE = (
    *("echo", "printf", "sleep", "kill", "killall", "pkill", "mykill", "ktm", "trap", "wait"),
    *("uMAC", "uMACView", "pMarineViewer", "clear", "rm", "mkdir", "touch", "date", "read", "set"),
    *("vecho", "true", "false", ":", "ls", "cat", "cd", "ulimit", "clean.sh", "return", "break"),
)
"""Commands that are ignored, as they have no effect on what is launched."""
_ASSIGNED = re.compile(r"(\w+)(?:\[([^]]*)\])?(\+?)=(.*)", re.DOTALL)
_PREFIX = re.compile(r"(?:export|declare|local|readonly|typeset)\s+(?:-\w+\s+)*")
_ASIDE = re.compile(r"\s*(?:\d?>>?&?\s*[\w./~-]+|>&\s*\S+|&>>?\s*\S+|<\s*\S+|&|\d>&\d)\s*$")
_DOES_SOMETHING = re.compile(r"\b(?:nsplug|pAntler|launch\w*\.sh)\b")
_DEEPEST = 5  # nesting of scripts that call each other


class Launched(NamedTuple):
    """A mission file that a script launches, and the line."""

    file: str
    where: str


@dataclass(slots=True)
class Script:
    """The result of interpreting a script.

    Attributes:
        calls: (call of nsplug, its line), in order.
        launched: mission files launched by pAntler, in order.
        unread: unsupported statements: "file:line: text".
        effort: limits the work on it.
    """

    calls: list[tuple[PlugCall, str]] = field(default_factory=list)
    launched: list[Launched] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    effort: Effort = field(default_factory=Effort)


def read_script(path: Path, arguments: Sequence[str] = ()) -> Script:
    """Interpret a script without executing anything.

    Args:
        path: the script.
        arguments: of the script.
    """
    script = Script()
    _Run(path, list(arguments), script, 0).follow()
    return script


class _Exit(Exception):
    """The script exits."""


class _Run:
    """The interpreter of one script, with its variables."""

    def __init__(self, path: Path, arguments: list[str], script: Script, depth: int) -> None:
        self._path = path
        self._folder = path.parent
        self._script = script
        self._depth = depth
        self._variables: dict[str, str | list[str]] = {"@": arguments, "0": path.name, "?": "0"}
        self._variables |= {str(n): text for n, text in enumerate(arguments, 1)}
        self._words = Words(self._variables, self._printed, script.effort)

    def follow(self) -> None:
        """Interpret the whole script."""
        try:
            text = _text(self._path)
            self._script.effort.spend(len(text))
            self._block(statements(text))
        except _Exit:
            return
        except RecursionError:
            self._script.unread.append(f"{self._path}: nested too deep")
        except (Unread, OSError, ValueError) as error:
            self._script.unread.append(f"{self._path}: {error}")

    def _block(self, block: Sequence[Statement]) -> None:
        for statement in block:
            self._script.effort.spend()
            try:
                self._statement(statement)
            except Unread as error:
                self._not_read(statement.line, str(error))

    def _not_read(self, line: int, text: str) -> None:
        entry = f"{self._path}:{line}: {' '.join(text.split())}"
        if entry not in self._script.unread:
            self._script.unread.append(entry)

    def _statement(self, statement: Statement) -> None:
        if isinstance(statement, If):
            self._if(statement)
        elif isinstance(statement, For):
            words = statement.words
            given = self._words.fields('"$@"' if words is None else words)
            for word in given:
                self._variables[statement.name] = word
                self._block(statement.body)
        elif isinstance(statement, Other):
            # an unsupported loop is reported only if it may expand or launch something
            if _DOES_SOMETHING.search(statement.text):
                raise Unread(statement.text.partition(";")[0])
        else:
            self._list(statement)

    def _if(self, statement: If) -> None:
        for condition, block in statement.branches:
            try:
                chosen = not condition or self._succeeds(condition)
            except Unread as error:
                self._not_read(statement.line, f"if {error}")
                continue
            if chosen:
                self._block(block)
                return

    def _list(self, statement: Simple) -> None:
        """Interpret commands joined by && and ||; a command that is not a test succeeds."""
        holding = True
        for joint, command in _joined(statement.text):
            if (joint == "&&" and not holding) or (joint == "||" and holding):
                continue
            if is_test(command):
                holding = self._succeeds(command)
            else:
                self._command(command, statement.line)
                holding = True

    def _succeeds(self, condition: str) -> bool:
        if condition.startswith("! "):
            return not self._succeeds(condition[2:].strip())
        joined = _joined(condition)
        if len(joined) > 1 and not condition.startswith("[["):
            held = True
            for joint, part in joined:
                if joint == "||":
                    held = held or self._succeeds(part)
                else:
                    held = held and self._succeeds(part)
            return held
        if not is_test(condition):
            raise Unread(condition)
        return holds(condition, self._words, self._folder)

    def _command(self, text: str, line: int) -> None:
        text = _PREFIX.sub("", _without_redirections(text), count=1)
        if self._assigned(text):
            return
        words = self._words.fields(text)
        if not words:
            return
        name = Path(words[0]).name
        if name in ("exit", "exec"):
            raise _Exit
        if name == "nsplug":
            try:
                call = parse_call(words[1:])
                call = replace(call, target=normpath(call.target))
                self._script.calls.append((call, f"{self._path}:{line}"))
            except FormatError as error:
                raise Unread(f"{text}: {error}") from error
        elif name == "pAntler":
            files = [normpath(word) for word in words[1:] if not word.startswith("-")]
            self._script.launched.append(Launched((files or [""])[0], f"{self._path}:{line}"))
        elif name == "eval":
            self._command(" ".join(words[1:]), line)
        elif name == "shift":
            self._variables["@"] = list(self._variables["@"])[1:]
        elif name == "let":
            self._let(words[1:], text)
        elif name in ("bash", "sh", "source", ".") and len(words) > 1:
            self._call(words[1:], text)
        elif (self._folder / words[0]).suffix == ".sh" and name not in IDLE:
            self._call(words, text)
        elif name not in IDLE:
            raise Unread(text)

    def _call(self, words: Sequence[str], text: str) -> None:
        """Interpret another script of the folder."""
        path = self._folder / words[0]
        if not path.is_file() or self._depth >= _DEEPEST:
            raise Unread(text)
        _Run(path, list(words[1:]), self._script, self._depth + 1).follow()

    def _let(self, words: Sequence[str], text: str) -> None:
        for word in words:
            name, mark, value = word.partition("=")
            if not mark:
                raise Unread(text)
            self._variables[name.strip()] = str(self._words.number(value))

    def _assigned(self, text: str) -> bool:
        """Interpret an assignment, and what follows it; return False if it is none."""
        match = _ASSIGNED.fullmatch(text)
        if match is None:
            return False
        name, index, adds, value = match.groups()
        if value.startswith("(") and value.endswith(")"):
            items = self._words.fields(value[1:-1])
            old = self._variables.get(name, [])
            self._variables[name] = [*old, *items] if adds and isinstance(old, list) else items
            return True
        parts = _unquoted_parts(value)
        single = self._words.whole(parts[0]) if parts else ""
        if index is not None:
            self._set_item(name, self._words.number(index), single)
        else:
            before = self._variables.get(name, "")
            self._variables[name] = f"{before}{single}" if adds else single
        rest = " ".join(parts[1:])
        if rest and not self._assigned(rest):
            self._command(rest, 0)
        return True

    def _set_item(self, name: str, index: int, value: str) -> None:
        if index < 0:
            raise Unread(f"{name}[{index}]")
        self._script.effort.spend(index)
        old = self._variables.get(name, [])
        items = list(old) if isinstance(old, list) else [old]
        items += [""] * (index + 1 - len(items))
        items[index] = value
        self._variables[name] = items

    def _printed(self, text: str) -> str:
        """Return the output of a command in backquotes.

        Raises:
            Unread: the command is not supported.
        """
        words = self._words.fields(_without_redirections(text))
        name = words[0] if words else ""
        if name == "seq" and all(word.isdecimal() for word in words[1:]) and 1 < len(words) < 5:
            numbers = [int(word) for word in words[1:]]
            first, step, last = {1: (1, 1, numbers[-1])}.get(
                len(numbers), (numbers[0], numbers[1] if len(numbers) == 3 else 1, numbers[-1])
            )
            counted = range(first, last + 1, step or 1)
            self._script.effort.spend(max(0, last - first) // (step or 1))
            return "\n".join(map(str, counted))
        if name == "cat" and len(words) == 2 and (self._folder / words[1]).is_file():
            return _text(self._folder / words[1]).strip()
        if name in ("basename", "dirname") and len(words) > 1:
            path = Path(words[1])
            return path.name if name == "basename" else str(path.parent)
        if name == "echo":
            return " ".join(words[1:])
        if name == "pwd":
            return str(self._folder)
        raise Unread(f"`{text}`")


def _text(path: Path) -> str:
    return file_bytes(path).decode("utf-8", errors="replace")


def _without_redirections(text: str) -> str:
    while True:
        shorter = _ASIDE.sub("", text)
        if shorter == text:
            return text.strip()
        text = shorter


def _unquoted_parts(text: str) -> list[str]:
    """Split a text at blanks outside of quotes and parentheses."""
    parts, part, closing, depth = [], "", "", 0
    for char in text:
        if closing:
            closing = "" if char == closing else closing
        elif char in "\"'`":
            closing = char
        else:
            depth += (char in "({") - (char in ")}")
        if char.isspace() and not closing and depth == 0:
            parts += [part] if part else []
            part = ""
        else:
            part += char
    return [*parts, part] if part else parts


def _joined(text: str) -> list[tuple[str, str]]:
    """Split a text at && and || outside of quotes and brackets: (operator before it, part)."""
    found, part, joint, closing, depth, at = [], "", "&&", "", 0, 0
    while at < len(text):
        char = text[at]
        if closing:
            closing = "" if char == closing else closing
        elif char in "\"'`":
            closing = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and text[at : at + 2] in ("&&", "||"):
            found.append((joint, part.strip()))
            part, joint, at = "", text[at : at + 2], at + 2
            continue
        part += char
        at += 1
    return [*found, (joint, part.strip())]
