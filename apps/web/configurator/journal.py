"""Everything that was done to a draft, so that all of it can be undone, after a reload, too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steerageway.apps.web.configurator.splices import Splice
from steerageway.apps.web.configurator.written import write


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one file.

    Attributes:
        file: its name.
        splices: of its text, in order; () where the file came, went or was replaced.
        old, new: then the digests of what it held and holds; "" for no file.
    """

    file: str
    splices: tuple[Splice, ...] = ()
    old: str = ""
    new: str = ""

    @property
    def back(self) -> Change:
        """The way back."""
        splices = tuple(one.back for one in reversed(self.splices))
        return Change(self.file, splices, self.new, self.old)


@dataclass(frozen=True, slots=True)
class Entry:
    """What was done at once: its name, and what happened to files."""

    title: str
    changes: tuple[Change, ...]

    @property
    def back(self) -> Entry:
        """The way back."""
        return Entry(self.title, tuple(one.back for one in reversed(self.changes)))


@dataclass(slots=True)
class Journal:
    """Entries, of which the first ``done`` count.

    Attributes:
        revision: grows with everything that is done or undone.
    """

    entries: list[Entry] = field(default_factory=list)
    done: int = 0
    revision: int = 0

    def add(self, entry: Entry) -> None:
        """Note what was done; what was undone before cannot come back."""
        del self.entries[self.done :]
        self.entries.append(entry)
        self.done += 1
        self.revision += 1

    def undone(self) -> Entry | None:
        """Give the way back from what was done last; None if nothing was."""
        if not self.done:
            return None
        self.done -= 1
        self.revision += 1
        return self.entries[self.done].back

    def redone(self) -> Entry | None:
        """Give what was undone last; None if nothing was."""
        if self.done == len(self.entries):
            return None
        self.done += 1
        self.revision += 1
        return self.entries[self.done - 1]

    @property
    def undo_title(self) -> str:
        """What would be undone; "" for nothing."""
        return self.entries[self.done - 1].title if self.done else ""

    @property
    def redo_title(self) -> str:
        """What would be done again; "" for nothing."""
        return self.entries[self.done].title if self.done < len(self.entries) else ""

    def save(self, path: Path) -> None:
        """Write it to a file."""
        entries = [[one.title, [_packed(change) for change in one.changes]] for one in self.entries]
        about = {"entries": entries, "done": self.done, "revision": self.revision}
        write(path, json.dumps(about).encode())


def read_journal(path: Path) -> Journal:
    """Read a journal; an absent one is empty."""
    if not path.is_file():
        return Journal()
    about = json.loads(path.read_bytes())
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
