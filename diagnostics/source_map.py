"""``SourceMap``: maps files and lines expanded from templates to those of the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from steerageway.diagnostics.diagnostic import Diagnostic, Place


@dataclass(frozen=True, slots=True)
class Origin:
    """Names of a file and its lines for messages.

    Attributes:
        name: of the file; of the template, if it was expanded from one.
        lines: for an expanded file, the place that each line came from ("meta.moos:7").
        instance: its instance; "" if that needs no mention.
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
        instance: its name; "" for none.
        folder: of the expanded files; None when nothing was expanded.
        beside: the mission's own folder; the other files in ``folder`` are links to its files.
        files: name of an expanded file -> where it comes from.
    """

    instance: str = ""
    folder: Path | None = None
    beside: Path = Path()
    files: Mapping[str, Origin] = field(default_factory=dict)

    def of(self, path: Path) -> Origin:
        """Return the names for messages about a file."""
        if self.folder is None or not path.is_relative_to(self.folder):
            return Origin(str(path))
        inside = path.relative_to(self.folder)
        own = self.files.get(str(inside)) or Origin(str(self.beside / inside))
        return replace(own, instance=self.instance)

    def named(self, one: Diagnostic) -> Diagnostic:
        """Return a diagnostic about a template's line, with the instance."""
        return replace(one, where=Place(one.where, self.instance))

    def own(self, one: Diagnostic) -> Diagnostic:
        """Return a diagnostic with the user's own paths in place of links."""
        if self.folder is None:
            return one
        where = self.own_paths(one.where)
        place = one.where if where == one.where else Place(where, self.instance)
        value, expected = self.own_paths(one.value), self.own_paths(one.expected)
        return replace(one, where=place, value=value, expected=expected)

    def own_paths(self, text: str) -> str:
        """Return a text with paths in the mission's own folder in place of links."""
        return text if self.folder is None else text.replace(f"{self.folder}/", f"{self.beside}/")


NOWHERE = SourceMap()
