"""Undo journal of a draft: all edits, kept in a file so that undo works after a restart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steerageway.declarations import json_of
from steerageway.web.configurator.names import write
from steerageway.web.configurator.splices import Splice


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file.

    Attributes:
        file: its name.
        splices: of its text, in order; () if the file was added, removed or replaced.
        old, new: in that case the digests of its contents before and after; "" for no file.
    """

    file: str
    splices: tuple[Splice, ...] = ()
    old: str = ""
    new: str = ""

    @property
    def back(self) -> Change:
        """The inverse change."""
        splices = tuple(one.back for one in reversed(self.splices))
        return Change(self.file, splices, self.new, self.old)


@dataclass(frozen=True, slots=True)
class Entry:
    """An edit that is undone as a whole: its title and the changes of files."""

    title: str
    changes: tuple[Change, ...]

    @property
    def back(self) -> Entry:
        """The inverse entry."""
        return Entry(self.title, tuple(one.back for one in reversed(self.changes)))


@dataclass(slots=True)
class Journal:
    """Edits, of which the first ``done`` are in effect and the others undone.

    Attributes:
        revision: incremented by each edit, undo and redo.
    """

    entries: list[Entry] = field(default_factory=list)
    done: int = 0
    revision: int = 0

    def add(self, entry: Entry) -> None:
        """Append an edit; undone ones can no longer be redone."""
        del self.entries[self.done :]
        self.entries.append(entry)
        self.done += 1
        self.revision += 1

    def undone(self) -> Entry | None:
        """Mark the last edit as undone and return its inverse; None if there is none."""
        if not self.done:
            return None
        self.done -= 1
        self.revision += 1
        return self.entries[self.done].back

    def redone(self) -> Entry | None:
        """Mark the last undone edit as done again and return it; None if there is none."""
        if self.done == len(self.entries):
            return None
        self.done += 1
        self.revision += 1
        return self.entries[self.done - 1]

    @property
    def undo_title(self) -> str:
        """Title of the edit that undo would revert; "" for none."""
        return self.entries[self.done - 1].title if self.done else ""

    @property
    def redo_title(self) -> str:
        """Title of the edit that redo would apply; "" for none."""
        return self.entries[self.done].title if self.done < len(self.entries) else ""

    def save(self, path: Path) -> None:
        """Write the journal to a file."""
        entries = [[one.title, [_packed(change) for change in one.changes]] for one in self.entries]
        about = {"entries": entries, "done": self.done, "revision": self.revision}
        write(path, json.dumps(about).encode())


def read_journal(path: Path) -> Journal:
    """Read a journal; empty if the file does not exist."""
    if not path.is_file():
        return Journal()
    about = json_of(path.read_bytes())
    entries = [
        Entry(title, tuple(_unpacked(change) for change in changes))
        for title, changes in about["entries"]
    ]
    return Journal(entries, about["done"], about["revision"])


def _packed(change: Change) -> list[Any]:
    return [change.file, [list(one) for one in change.splices], change.old, change.new]


def _unpacked(row: Sequence[Any]) -> Change:
    file, splices, old, new = row
    return Change(file, tuple(Splice(*one) for one in splices), old, new)
