"""MOOS-IvP's mission files (``.moos``): global lines, and a block of lines for each process.

    Community = alpha
    ProcessConfig = pHelmIvP
    {
      AppTick = 4
    }

Lines are kept in file order; the precedence of repeated keys is decided by their readers. What
MOOS-IvP silently skips (a second block of a name, a key without a value, a stray brace) is skipped
here too, with a warning; so is a block with a misspelt heading or without {, or whose } is missing
at the end of the file, unless an app asks for it. Any other block without its } extends to the
next one, as there: the lines of the blocks between belong to it, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import ALIKE, near
from steerageway.diagnostics.source_map import Origin
from steerageway.moos.antler import Antler, Run, parse_antler
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import Line, decoded, file_bytes, split_line, unquote, valid_lines
from steerageway.moos.nsplug import DIRECTIVE

__all__ = [
    "Antler", "Block", "Line", "MissionFile", "Run", "parse_mission", "read_mission", "unquote",
]  # fmt: skip

_KEY = "ProcessConfig"
_HEADING = re.compile(r"processconfig\s*=\s*([^{]*?)\s*(\{.*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one ``ProcessConfig``, in file order.

    Attributes:
        name: of the process (its alias in the launch list).
        where: place of the heading ("alpha.moos:33").
        lines: between the braces.
    """

    name: str
    where: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class MissionFile:
    """A mission file.

    Attributes:
        path: the file.
        origin: its names for messages.
        lines: all lines with a value, inside and outside of blocks.
        globals: the lines outside blocks.
        blocks: one for each process; the first of a name.
        broken: name in lower case -> error, of blocks with a misspelt heading, without {, or
            without any } behind it.
        warnings: about what was skipped.
    """

    path: Path
    origin: Origin
    lines: tuple[Line, ...]
    globals: tuple[Line, ...]
    blocks: tuple[Block, ...]
    warnings: tuple[Diagnostic, ...]
    broken: Mapping[str, FormatError] = field(default_factory=dict)

    def block(self, name: str) -> Block | None:
        """Return a process's block; names are matched without regard to case.

        Raises:
            FormatError: its { or } is missing.
        """
        wanted = name.lower()
        if wanted in self.broken:
            raise self.broken[wanted]
        return next((block for block in self.blocks if block.name.lower() == wanted), None)

    def value(self, name: str) -> Line | None:
        """Return the first line with a key in the whole file, blocks included, as MOOS-IvP does."""
        wanted = name.lower()
        return next((line for line in self.lines if line.key.lower() == wanted), None)

    def antler(self) -> Antler:
        """Return the launch list.

        Raises:
            FormatError: there is none, or it is wrong.
        """
        block = self.block("ANTLER")
        if block is None:
            raise FormatError(self.origin.place, "", "", "expected a block ProcessConfig = ANTLER")
        antler = parse_antler(block.lines)
        if not antler.runs:
            raise FormatError(block.where, "ProcessConfig", "ANTLER", "expected a Run = line in it")
        return antler


def read_mission(
    path: Path, *, environment: Mapping[str, str] | None = None, origin: Origin | None = None
) -> MissionFile:
    """Read a mission file.

    Args:
        path: the file.
        environment: in which ``${NAME}`` is looked up when the file does not define it.
        origin: names of the file for messages; None: as given here.
    Raises:
        FormatError: the file cannot be read or is no text, or a line is wrong.
    """
    called = origin or Origin(str(path))
    try:
        text = decoded(file_bytes(path))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FormatError(called.place, "", "", f"expected a mission file: {reason}") from error
    except ValueError as error:
        raise FormatError(called.place, "", "", f"expected a mission file, {error}") from error
    return parse_mission(text, str(path), environment=environment, origin=called)


def parse_mission(
    text: str,
    name: str,
    *,
    environment: Mapping[str, str] | None = None,
    origin: Origin | None = None,
) -> MissionFile:
    """Parse a mission file's text.

    Args:
        text: all of it.
        name: of the file.
        environment: in which ``${NAME}`` is looked up when the file does not define it.
        origin: names of the file for messages; None: ``name``.
    Raises:
        FormatError: a block has no name, or a ``${NAME}`` is not defined.
    """
    reader = _Reader()
    called = origin or Origin(name)
    for line, where in valid_lines(text, called, environment or {}):
        reader.take(line, where)
    reader.finish()
    return MissionFile(
        Path(name),
        called,
        tuple(reader.lines),
        tuple(reader.globals),
        tuple(reader.blocks.values()),
        tuple(reader.warnings),
        reader.broken,
    )


class _Open(NamedTuple):
    """A block that is being read.

    Attributes:
        heading: its line.
        body: its lines; None before its {.
    """

    heading: Line
    body: list[Line] | None


class _Reader:
    """Sorts lines into blocks, one after the other."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.globals: list[Line] = []
        self.blocks: dict[str, Block] = {}
        self.warnings: list[Diagnostic] = []
        self.broken: dict[str, FormatError] = {}
        self._open: list[_Open] = []  # several while braces are missing: the last one is innermost
        self._nested = 0  # number of { that are open within the block, or within the rest of it
        self._bare: Diagnostic | None = None  # of the line before this one, if it has no value

    def take(self, text: str, where: str) -> None:
        self._bare, bare = None, self._bare
        is_heading = _HEADING.fullmatch(text) is not None
        if self._nested and not self._open and not is_heading:
            self._nested += text.endswith("{") - text.startswith("}")
        elif not self._open:
            self._take_outside(text, where)
        elif self._open[-1].body is None:
            self._begin(self._open.pop().heading, text, where)
        elif text.endswith("{") and not is_heading:
            self._nest(text, where, bare)
        else:
            self._take_inside(text, where)

    def finish(self) -> None:
        for heading, body in self._open:
            if heading.value:
                brace = "{ on the next line" if body is None else "} at the end of the block"
                self._break(heading, brace)

    def _break(self, heading: Line, missing: str) -> None:
        """Discard a block: MOOS-IvP does not find it."""
        name = heading.value.lower()
        if name not in self.blocks:
            self.broken.setdefault(name, heading.error(f"expected {missing}"))
        self._warn(heading, f"expected {missing}; not read")

    def _nest(self, text: str, where: str, bare: Diagnostic | None) -> None:
        """Begin a block within the block, whose name may be on the line before (``bare``)."""
        if bare is not None and text == "{":
            self.warnings.remove(bare)
        if not self._nested:
            ends = "the block ends at the next }, as in MOOS-IvP, and the lines behind are not read"
            self._warn(Line(text, "", where), f"expected no {{ within a block: {ends}")
        self._nested += 1
        if "=" in text:
            self._take_inside(text, where)

    def _take_outside(self, text: str, where: str) -> None:
        heading = _HEADING.fullmatch(text)
        self._nested = 0
        if heading is None:
            if not (text == "{" and self._take_misspelt()):
                self._keep([self.globals], text, where)
            return
        line = Line(_KEY, heading[1], where)
        if not heading[1]:
            raise line.error("expected the name of a process")
        self._open.append(_Open(line, None))
        if heading[2]:
            self.take(heading[2], where)

    def _take_misspelt(self) -> bool:
        """Take the last line for the misspelt heading of the block that begins, if it is like one.

        The lines of such a block belong to none, as in MOOS-IvP.
        """
        if not self.globals or not near(self.globals[-1].key, [_KEY], ALIKE):
            return False
        heading = self.globals.pop()
        self._break(heading, _KEY)
        self._open.append(_Open(heading._replace(value=""), []))
        return True

    def _begin(self, heading: Line, text: str, where: str) -> None:
        """Begin the body of a block with the line after its heading."""
        if text.startswith("{"):
            self._open.append(_Open(heading, []))
            self._warn_of_rest(text, where)
        else:
            self._break(heading, "{ on the next line")
            # Its lines up to the next } or heading belong to no block.
            self._open.append(_Open(heading._replace(value=""), []))
            self._take_inside(text, where)

    def _take_inside(self, text: str, where: str) -> None:
        if text.startswith("}"):
            for heading, body in self._open:
                self._close(heading, body or [])
            self._open.clear()
            self._warn_of_rest(text, where)
        elif _HEADING.fullmatch(text):
            self._run_on(where)
            self._take_outside(text, where)
        else:
            self._keep([body for _, body in self._open if body is not None], text, where)

    def _run_on(self, where: str) -> None:
        """Let the open block, whose } is missing, extend over the heading at a place."""
        if not self._open[-1].heading.value:
            self._open.pop()
            return
        on = "the lines up to the next } count for it, too, as MOOS-IvP reads on"
        self._warn(self._open[-1].heading, f"expected }} before {where}; {on}")

    def _close(self, heading: Line, body: list[Line]) -> None:
        _, name, where = heading
        twin = self.blocks.get(name.lower())
        if not name:
            return
        if twin is None:
            self.blocks[name.lower()] = Block(name, where, tuple(body))
        else:
            self._warn(heading, f"the block at {twin.where} counts, this one is not read")

    def _keep(self, kept: Sequence[list[Line]], text: str, where: str) -> None:
        line = split_line(text, where)
        if DIRECTIVE.match(text):
            self._warn(Line(text, "", where), "a directive of nsplug, which has not seen this file")
        elif line.value or "[" in text or "]" in text:
            for lines in (*kept, self.lines):
                lines.append(line)
        else:
            self._warn(line, "no value, not read")
            self._bare = self.warnings[-1]

    def _warn_of_rest(self, text: str, where: str) -> None:
        rest = text[1:].strip()
        if rest:
            self._warn(Line(rest, "", where), f"not read, it follows {text[0]} on its line")

    def _warn(self, line: Line, what: str) -> None:
        self.warnings.append(Diagnostic(line.where, line.key, line.value, what))
