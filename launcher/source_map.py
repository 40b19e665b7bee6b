"""Where the lines of expanded templates come from, so that what is wrong is told of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_MANY = 4  # instances that are all named
_FOR = re.compile(r" \(for (\S+)\)")


@dataclass(frozen=True, slots=True)
class Origin:
    """A template and where each line of what became of it stands ("meta.moos:7")."""

    template: Path
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceMap:
    """The expanded files of one instance of a mission.

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

    @property
    def mark(self) -> str:
        """What is said behind a place in a template."""
        return f" (for {self.instance})" if self.instance else ""

    def translate_warnings(self, warnings: Iterable[str]) -> tuple[str, ...]:
        """Give warnings that begin with a place in a template, with the instance behind it."""
        parted = (warning.partition(": ") for warning in warnings)
        return tuple(f"{where}{self.mark}: {rest}" for where, _, rest in parted)

    def translate(self, text: str) -> str:
        """Give a text that names files and lines as the user wrote them, and the instance."""
        if self.folder is None:
            return text
        names = "|".join(map(re.escape, self.files))
        absolute = rf"{re.escape(str(self.folder))}/(?P<file>[^\s:@]+)(?::(?P<line>\d+))?"
        relative = rf"(?<![\w./])(?P<name>{names}):(?P<number>\d+)"
        place = re.compile(f"{absolute}|{relative}")
        return "\n".join(self._translate_line(line, place) for line in text.split("\n"))

    def _translate_line(self, line: str, place: re.Pattern[str]) -> str:
        first = place.search(line)
        if first is None:
            return line
        before, after = line[: first.start()], line[first.end() :]
        return f"{before}{self._own_place(first)}{self.mark}{place.sub(self._own_place, after)}"

    def _own_place(self, found: re.Match[str]) -> str:
        name, number = found["file"] or found["name"], found["line"] or found["number"]
        origin = self.files.get(name)
        if origin is None:
            return f"{self.beside / name}:{number}" if number else str(self.beside / name)
        if number is None or int(number) > len(origin.lines):
            return str(origin.template)
        return origin.lines[int(number) - 1]


NOWHERE = SourceMap()


def merged(texts: Iterable[str]) -> list[str]:
    """Give each line of some texts once: what was told for several instances is one line."""
    instances: dict[str, list[str]] = {}
    for line in (line for text in texts for line in text.split("\n")):
        found = _FOR.search(line)
        same = instances.setdefault(_FOR.sub(" (for)", line, count=1), [])
        if found is not None and found[1] not in same:
            same.append(found[1])
    return [
        line.replace(" (for)", f" (for {listed(names)})", 1) if names else line
        for line, names in instances.items()
    ]


def listed(names: Sequence[str]) -> str:
    """Name some instances, the first few if there are many."""
    if len(names) <= _MANY:
        return ", ".join(names)
    return f"{', '.join(names[:_MANY])} and {len(names) - _MANY} more"
