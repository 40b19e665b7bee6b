"""MOOS-IvP's behavior files (``.bhv``), parsed into blocks, initial posts and modes.

    initialize  DEPLOY = false
    initialize_ RETURN = false             // posted only if nobody else has
    set MODE = ACTIVE { ... } INACTIVE     // see moos.modes
    Behavior = BHV_Waypoint
    {
      name = survey
    }

``//`` starts a comment, a line that starts with ``#`` is one, a trailing ``\\`` continues a line.
Braces may share a line with other text. A block in braces without a heading, as when only the
heading was commented out, is skipped. Types of behaviors and parameters are checked by the helm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import hint
from steerageway.diagnostics.source_map import Origin
from steerageway.moos.condition import MACRO, ConditionError, parse_condition
from steerageway.moos.errors import FormatError, FormatErrors
from steerageway.moos.lines import Line, cut_comment, decoded, file_bytes, split_line
from steerageway.moos.modes import ModeRule
from steerageway.moos.values import Value, auto_value, split_first, split_outside

_INITIALIZE = re.compile(r"initialize(_?)\s+(.*)", re.IGNORECASE)
_BEHAVIOR = re.compile(r"behavior\s*=\s*([^\s{]*)\s*(\{.*)?", re.IGNORECASE)
_SET = re.compile(r"set\s+([^\s=]+)\s*=\s*([^{]*?)\s*(\{.*)?", re.IGNORECASE)
_STATEMENTS = "initialize VAR = value, Behavior = BHV_NAME, or set MODE = VALUE"


class Initial(NamedTuple):
    """A variable that the helm posts at its start.

    Attributes:
        deferred: only if no other app has posted it by then.
    """

    name: str
    value: Value
    deferred: bool
    where: str


@dataclass(frozen=True, slots=True)
class BehaviorBlock:
    """One behavior, as it stands in the file.

    Attributes:
        kind: its type, "BHV_Waypoint".
        where: place of its heading, "alpha.bhv:7".
        lines: its parameters in file order; spaces within values and quotes are kept.
    """

    kind: str
    where: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class BehaviorFile:
    """The contents of one or several files, in order.

    Attributes:
        warnings: about lines that are skipped.
    """

    initial: tuple[Initial, ...] = ()
    behaviors: tuple[BehaviorBlock, ...] = ()
    modes: tuple[ModeRule, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()

    def __add__(self, other: BehaviorFile) -> BehaviorFile:
        return BehaviorFile(
            self.initial + other.initial,
            self.behaviors + other.behaviors,
            self.modes + other.modes,
            self.warnings + other.warnings,
        )


def read_behaviors(path: Path, origin: Origin | None = None) -> BehaviorFile:
    """Read a behavior file.

    Args:
        path: the file.
        origin: its names for messages; None: as given here.
    Raises:
        FormatError: it cannot be read or is no text, or a line is wrong.
    """
    called = origin or Origin(str(path))
    try:
        text = decoded(file_bytes(path))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        beside = [one.name for one in path.parent.glob("*.bhv")] if not path.exists() else []
        expected = f"expected a behavior file: {reason}{hint(path.name, beside)}"
        raise FormatError(called.place, "", "", expected) from error
    except ValueError as error:
        raise FormatError(called.place, "", "", f"expected a behavior file, {error}") from error
    return parse_behaviors(text, path.name, called)


def parse_behaviors(text: str, name: str, origin: Origin | None = None) -> BehaviorFile:
    """Parse the text of a behavior file.

    Args:
        origin: names of the file for messages; None: ``name``.
    Raises:
        FormatErrors: lines are no statements, or a brace is missing.
    """
    reader = _Reader(_lines(text, origin or Origin(name)))
    if reader.errors:
        raise FormatErrors(reader.errors)
    return BehaviorFile(
        tuple(reader.initial), tuple(reader.behaviors), tuple(reader.modes), tuple(reader.warnings)
    )


def _lines(text: str, origin: Origin) -> Iterator[tuple[str, str]]:
    """Yield (text, where) of every line that is not empty, continued lines joined."""
    begun, where = "", ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = "" if raw.lstrip().startswith("#") else cut_comment(raw).strip()
        where = where or origin.at(number)
        if line.endswith("\\"):
            begun += line[:-1].rstrip() + " "
            continue
        if joined := (begun + line).strip():
            yield joined, where
        begun = where = ""
    if begun.strip():
        yield begun.strip(), where


class _Unclosed(FormatError):
    """A brace is missing: the structure of what follows is unknown."""


class _Reader:
    """Parses statement after statement, and continues after a wrong one.

    Of several wrong lines in a row only the first is reported: the others often follow from it.
    """

    def __init__(self, lines: Iterator[tuple[str, str]]) -> None:
        self.initial: list[Initial] = []
        self.behaviors: list[BehaviorBlock] = []
        self.modes: list[ModeRule] = []
        self.errors: list[FormatError] = []
        self.warnings: list[Diagnostic] = []
        self._lines = lines
        self._after_error = False
        try:
            for text, where in lines:
                self._try(text, where)
        except _Unclosed as error:
            self.errors.append(error)

    def _try(self, text: str, where: str) -> None:
        try:
            self._after_error = not self._statement(text, where)
        except _Unclosed:
            raise
        except FormatError as error:
            self.errors.append(error)

    def _statement(self, text: str, where: str) -> bool:
        """Parse a statement; return False if it is none."""
        if found := _INITIALIZE.fullmatch(text):
            self._initialize(found[2], bool(found[1]), where)
        elif found := _BEHAVIOR.fullmatch(text):
            self._behavior(found, where)
        elif found := _SET.fullmatch(text):
            self._mode(found, where)
        elif text.startswith("{"):
            self._skip_block(text, where)
        else:
            if not self._after_error:
                self.errors.append(FormatError(where, text, "", f"expected {_STATEMENTS}"))
            return False
        return True

    def _initialize(self, text: str, deferred: bool, where: str) -> None:
        for assignment in split_outside(text, ","):
            name, value = split_first(assignment, "=")
            if not name or not value or any(map(str.isspace, name)):
                expected = "expected VAR = value"
                self.errors.append(FormatError(where, "initialize", assignment, expected))
                continue
            self.initial.append(Initial(name, auto_value(value), deferred, where))

    def _behavior(self, found: re.Match[str], where: str) -> None:
        heading = Line("Behavior", found[1], where)
        if not found[1]:
            raise heading.error("expected a type, as in Behavior = BHV_Waypoint")
        lines, rest = self._block(heading, found[2])
        if rest:
            raise heading.error(f"expected nothing behind its closing brace, found {rest!r}")
        parameters = tuple(split_line(text, place) for text, place in lines)
        for parameter in parameters:
            if not parameter.key or not parameter.value:
                expected = f"expected parameter = value in {found[1]}"
                self.errors.append(parameter.error(expected))
        self.behaviors.append(BehaviorBlock(found[1], where, parameters))

    def _mode(self, found: re.Match[str], where: str) -> None:
        variable, value = found[1], found[2]
        heading = Line(f"set {variable}", value, where)
        if not value or any(map(str.isspace, value)):
            raise heading.error("expected one word as the mode's value")
        lines, otherwise = self._block(heading, found[3])
        conditions = []
        for text, place in lines:
            try:
                conditions.append(parse_condition(text, component_match=False))
            except ConditionError as error:
                self.errors.append(FormatError(place, heading.key, value, str(error)))
            if MACRO.search(text):
                never = "a mode has no macros: it never holds"
                self.warnings.append(Diagnostic(place, text, expected=never))
        self.modes.append(ModeRule(variable, value, otherwise, tuple(conditions), where))

    def _skip_block(self, text: str, where: str) -> None:
        """Skip a block without a heading, with a warning."""
        self._block(Line("{", "", where), text)
        if not self._after_error:
            unread = "a block without a heading is not read"
            self.warnings.append(Diagnostic(where, expected=unread))

    def _block(self, heading: Line, opening: str | None) -> tuple[list[tuple[str, str]], str]:
        """Return the lines between braces, and the text after the closing one."""
        text, where = (opening, heading.where) if opening else self._next(heading, "{")
        if not text.startswith("{"):
            raise _unclosed(heading, f"expected {{ on the next line, found {text!r}")
        text = text[1:].strip()
        body: list[tuple[str, str]] = []
        while True:
            if (closing := _closing(text)) >= 0:
                last = text[:closing].strip()
                return [*body, (last, where)] if last else body, text[closing + 1 :].strip()
            # A heading inside a block means that its closing brace is missing.
            if _BEHAVIOR.fullmatch(text) or _INITIALIZE.fullmatch(text) or _SET.fullmatch(text):
                raise _unclosed(heading, f"expected }} before {where}")
            if text:
                body.append((text, where))
            text, where = self._next(heading, "}")

    def _next(self, heading: Line, brace: str) -> tuple[str, str]:
        try:
            return next(self._lines)
        except StopIteration:
            raise _unclosed(heading, f"expected {brace} before the end of the file") from None


def _unclosed(heading: Line, expected: str) -> _Unclosed:
    return _Unclosed(heading.where, heading.key, heading.value, expected)


def _closing(text: str) -> int:
    """Return the index of the brace that closes the block, not a value; -1 if there is none."""
    depth = 0
    for index, char in enumerate(text):
        # Values may contain balanced braces themselves, as in pts={...}.
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return index
    return -1
