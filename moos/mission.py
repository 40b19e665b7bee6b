"""MOOS-IvP's mission files (``.moos``): global lines, and a block of lines for each process.

    Community = alpha
    ProcessConfig = pHelmIvP
    {
      AppTick = 4
    }

Lines are kept in file order; the precedence of repeated keys is decided by their readers. What
MOOS-IvP silently skips (a second block of a name, a key without a value, a stray brace) is skipped
here too, with a warning; so is a block without { or }, unless an app asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import Origin
from steerageway.moos.antler import Antler, Run, parse_antler
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import Line, decoded, file_bytes, split_line, unquote, valid_lines

__all__ = [
    "Antler",
    "Block",
    "Line",
    "MissionFile",
    "Run",
    "parse_mission",
    "read_mission",
    "unquote",
]

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
        broken: name in lower case -> error, of blocks without { or }.
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


class _Reader:
    """Sorts lines into blocks, one after the other."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.globals: list[Line] = []
        self.blocks: dict[str, Block] = {}
        self.warnings: list[Diagnostic] = []
        self.broken: dict[str, FormatError] = {}
        self._heading: Line | None = None  # of the block being read
        self._body: list[Line] | None = None  # its lines, once its { was read
        self._whole = True  # whether no brace is missing so far

    def take(self, text: str, where: str) -> None:
        if self._heading is None:
            self._take_outside(text, where)
        elif self._body is None:
            self._open(text, where)
        else:
            self._take_inside(self._body, text, where)

    def finish(self) -> None:
        if self._heading is not None:
            self._break("{ on the next line" if self._body is None else "} at the end of the block")

    def _break(self, brace: str) -> None:
        """Discard the block; its lines up to the next } or heading belong to no other."""
        assert self._heading is not None
        if self._whole:
            self._whole = False
            error = self._heading.error(f"expected {brace}")
            name = self._heading.value.lower()
            if name not in self.blocks:
                self.broken.setdefault(name, error)
            self._warn(self._heading, f"expected {brace}; not read")

    def _take_outside(self, text: str, where: str) -> None:
        heading = _HEADING.fullmatch(text)
        if heading is None:
            self._keep(self.globals, text, where)
            return
        self._heading, self._body = Line("ProcessConfig", heading[1], where), None
        self._whole = True
        if not heading[1]:
            raise self._heading.error("expected the name of a process")
        if heading[2]:
            self._open(heading[2], where)

    def _open(self, text: str, where: str) -> None:
        self._body = []
        if text.startswith("{"):
            self._warn_of_rest(text, where)
        else:
            self._break("{ on the next line")
            self._take_inside(self._body, text, where)

    def _take_inside(self, body: list[Line], text: str, where: str) -> None:
        if text.startswith("}"):
            self._close(body)
            self._warn_of_rest(text, where)
        elif _HEADING.fullmatch(text):
            self._break("} at the end of the block")
            self._take_outside(text, where)
        else:
            self._keep(body, text, where)

    def _close(self, body: list[Line]) -> None:
        assert self._heading is not None
        _, name, where = self._heading
        if not self._whole:
            self._heading = self._body = None
            return
        twin = self.blocks.get(name.lower())
        if twin is None:
            self.blocks[name.lower()] = Block(name, where, tuple(body))
        else:
            self._warn(self._heading, f"the block at {twin.where} counts, this one is not read")
        self._heading = self._body = None

    def _keep(self, kept: list[Line], text: str, where: str) -> None:
        line = split_line(text, where)
        if line.value or "[" in text or "]" in text:
            kept.append(line)
            self.lines.append(line)
        else:
            self._warn(line, "no value, not read")

    def _warn_of_rest(self, text: str, where: str) -> None:
        rest = text[1:].strip()
        if rest:
            self._warn(Line(rest, "", where), f"not read, it follows {text[0]} on its line")

    def _warn(self, line: Line, what: str) -> None:
        self.warnings.append(Diagnostic(line.where, line.key, line.value, what))
