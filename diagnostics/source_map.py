"""What messages call a file and its lines: the user's own, also where a template was expanded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from steerageway.diagnostics.diagnostic import Diagnostic, Place


@dataclass(frozen=True, slots=True)
class Origin:
    """What messages call a file and its lines.

    Attributes:
        name: of the file; of its template, if it was expanded from one.
        lines: of one that was expanded, where each of its lines came from ("meta.moos:7").
        instance: for which instance it was; "" if that needs no saying.
    """

    name: str
    lines: tuple[str, ...] = ()
    instance: str = ""

    @property
    def place(self) -> Place:
        """The file as a whole."""
        return Place(self.name, self.instance)

    def at(self, number: int) -> Place:
        """Return the place of a line, counted from 1."""
        if not self.lines:
            return Place(f"{self.name}:{number}", self.instance)
        if number > len(self.lines):
            return self.place
        return Place(self.lines[number - 1], self.instance)


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Where the files of one instance of a mission come from.

    Attributes:
        instance: its name; "" if it was given none.
        folder: where the expanded files lie; None when nothing was expanded.
        beside: the mission's own folder, to which the rest of the files there are links.
        files: name of an expanded file -> where it comes from.
    """

    instance: str = ""
    folder: Path | None = None
    beside: Path = Path()
    files: Mapping[str, Origin] = field(default_factory=dict)

    def of(self, path: Path) -> Origin:
        """Return what messages call a file that is to be read."""
        if self.folder is None or not path.is_relative_to(self.folder):
            return Origin(str(path))
        inside = path.relative_to(self.folder)
        own = self.files.get(str(inside)) or Origin(str(self.beside / inside))
        return replace(own, instance=self.instance)

    def named(self, one: Diagnostic) -> Diagnostic:
        """Return what is said of a line of a template, with the instance it is about."""
        return replace(one, where=Place(one.where, self.instance))

    def own(self, one: Diagnostic) -> Diagnostic:
        """Return what is said of a file that is a link, with the user's own in its place."""
        if self.folder is None:
            return one
        where = self.own_paths(one.where)
        place = one.where if where == one.where else Place(where, self.instance)
        value, expected = self.own_paths(one.value), self.own_paths(one.expected)
        return replace(one, where=place, value=value, expected=expected)

    def own_paths(self, text: str) -> str:
        """Return a text in which paths are those of the mission's own folder."""
        return text if self.folder is None else text.replace(f"{self.folder}/", f"{self.beside}/")


NOWHERE = SourceMap()
