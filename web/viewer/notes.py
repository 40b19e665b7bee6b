"""Notes on the time line, kept beside a run's log in ``notes.jsonl``: ``{"t": 2, "text": ""}``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from steerageway.declarations import Number, json_of, write_whole

FILE = "notes.jsonl"
MOST_NOTES = 2000
LONGEST_NOTE = 300  # characters
LARGEST = 4 << 20  # bytes of the file
TIME = Number()


class Note(NamedTuple):
    """A note at a time [s]."""

    t: float
    text: str


class Notes:
    """The notes of a run; each change is written at once.

    Args:
        folder: of the run or its log.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def all(self) -> list[Note]:
        """Return the notes; lines that are none are skipped."""
        found = []
        try:
            if self._path.stat().st_size > LARGEST:
                return []
            lines = self._path.read_text("utf-8", "replace").splitlines()
        except OSError:
            return []  # there are none yet
        for line in lines[:MOST_NOTES]:
            try:
                note = json_of(line)
                found.append(Note(TIME.check(note["t"]), str(note["text"])[:LONGEST_NOTE]))
            except (ValueError, TypeError, KeyError):
                continue
        return found

    def add(self, t: float, text: str) -> None:
        """Add a note.

        Raises:
            ValueError: it is empty, or there are too many.
            OSError: it cannot be written.
        """
        if not text.strip():
            raise ValueError("expected a note of some words")
        notes = self.all()
        if len(notes) >= MOST_NOTES:
            raise ValueError(f"expected at most {MOST_NOTES} notes")
        self._write([*notes, Note(round(t, 3), text.strip()[:LONGEST_NOTE])])

    def remove(self, t: float, text: str) -> None:
        """Remove a note.

        Raises:
            OSError: the file cannot be written.
        """
        self._write([note for note in self.all() if note != Note(t, text)])

    def _write(self, notes: list[Note]) -> None:
        write_whole(self._path, "".join(json.dumps(note._asdict()) + "\n" for note in notes))
