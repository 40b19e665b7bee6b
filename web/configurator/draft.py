"""Drafts: a vessel being edited, with its files and an undo journal, kept in a folder.

``vessel`` contains the files as they are now, ``journal.json`` the edits, ``blobs`` the contents of
files that were replaced as a whole (by digest), ``about.json`` the origin and the digests of its
files when the draft was last read or saved. So nothing is lost when the page or the server ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Any

from steerageway.declarations import json_of
from steerageway.web.configurator.journal import Change, Entry, read_journal
from steerageway.web.configurator.names import (
    MOST_BYTES,
    MOST_FILES,
    digest,
    file_name,
    files_of,
    write,
)
from steerageway.web.configurator.splices import Splice, spliced

TEXTS = (".yml", ".yaml", ".csv", ".moos", ".bhv", ".md", ".txt")
LARGEST_TEXT = 2 << 20  # bytes
Edit = Callable[[str], Sequence[Splice]]
"""Computes the splices of a file's text, which is "" if the file does not exist."""


class Stale(ValueError):
    """An edit of an outdated revision; the page must load the draft again."""


class NothingToDo(ValueError):
    """There is nothing to undo or redo."""


def contents_of(folder: Path) -> dict[str, bytes]:
    """Return the contents of a vessel's files by name."""
    return {file: path.read_bytes() for file, path in files_of(folder).items()}


def changed_files(folder: Path, known: Mapping[str, str]) -> list[str]:
    """Return the names of a folder's files whose digests differ from the known ones."""
    if not folder.is_dir():
        return sorted(known)
    there = {file: digest(data) for file, data in contents_of(folder).items()}
    return sorted(file for file in {*there, *known} if there.get(file) != known.get(file))


def _write_about(folder: Path, name: str, origin: Path | None, saved: Mapping[str, str]) -> None:
    about = {"name": name, "origin": str(origin or ""), "saved": saved}
    write(folder / "about.json", json.dumps(about).encode())


class Draft:
    """A vessel being edited.

    Args:
        folder: of the draft.

    Attributes:
        id: the name of its folder.
        name: of the vessel.
        origin: the folder it was read from or last saved to; None for a new vessel.
        saved: digests of the files in ``origin`` at that time.
        journal: of its edits, for undo.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.id = folder, folder.name
        self.files = folder / "vessel"
        about = json_of((folder / "about.json").read_bytes())
        self.name: str = about["name"]
        self.origin = Path(about["origin"]) if about["origin"] else None
        self.saved: dict[str, str] = about["saved"]
        self.journal = read_journal(folder / "journal.json")
        self.lock = RLock()

    @classmethod
    def begin(
        cls, folder: Path, name: str, files: Mapping[str, bytes], origin: Path | None = None
    ) -> Draft:
        """Create a draft of files; ``folder`` must not exist yet."""
        folder.mkdir(parents=True)
        (folder / "vessel").mkdir()
        for file, data in files.items():
            write(folder / "vessel" / file_name(file), data)
        saved = {file: digest(data) for file, data in files.items()} if origin else {}
        _write_about(folder, name, origin, saved)
        return cls(folder)

    @property
    def unsaved(self) -> list[str]:
        """The files that differ from those last read or saved."""
        return changed_files(self.files, self.saved)

    def names(self) -> list[str]:
        """Return the names of its files."""
        return list(files_of(self.files))

    def contents(self) -> dict[str, bytes]:
        """Return the contents of its files by name."""
        return contents_of(self.files)

    def data(self, file: str) -> bytes | None:
        """Return the contents of a file; None if there is no such file."""
        path = self.files / file_name(file)
        return path.read_bytes() if path.is_file() else None

    def text(self, file: str) -> str | None:
        """Return the text of a file; None if there is no such file, or it is not a text."""
        data = self.data(file)
        if data is None or len(data) > LARGEST_TEXT or not file.endswith(TEXTS):
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def edit(self, revision: int, title: str, edits: Sequence[tuple[str, Edit]]) -> None:
        """Change the texts of some files, all or none.

        Args:
            revision: the revision that the page edited.
            title: of the edit, for the undo button.
            edits: names of files, each with what computes the splices of its text.

        Raises:
            Stale: the draft has changed since.
            ValueError: the edit is not possible.
        """
        with self.lock:
            self._fresh(revision)
            texts: dict[str, str | None] = {}
            made: list[Change] = []
            for file, change in edits:
                name = file_name(file)
                if name not in texts:
                    texts[name] = self._text_to_edit(name)
                old = texts[name]
                splices = tuple(change(old or ""))
                if not splices:
                    continue
                new = spliced(old or "", splices)
                texts[name] = new
                made.append(
                    Change(name, splices) if old is not None else self._came(name, new.encode())
                )
            if made:
                self._do(Entry(title, tuple(made)))

    def put(self, revision: int, title: str, files: Mapping[str, bytes | None]) -> None:
        """Write some files as a whole, replacing those of their names; remove those of None.

        Raises:
            Stale: the draft has changed since.
            ValueError: the name is not valid, or the vessel becomes too large.
        """
        with self.lock:
            self._fresh(revision)
            changes = [self._came(file_name(file), data) for file, data in files.items()]
            made = tuple(change for change in changes if change.old != change.new)
            if made:
                self._do(Entry(title, made))

    def undo(self, revision: int) -> None:
        """Undo the last edit. Raises: Stale, NothingToDo."""
        self._step(revision, self.journal.undone, "undo")

    def redo(self, revision: int) -> None:
        """Redo the last undone edit. Raises: Stale, NothingToDo."""
        self._step(revision, self.journal.redone, "do again")

    def keep(self, name: str, origin: Path | None, saved: Mapping[str, str]) -> None:
        """Record name, origin and the digests of the saved files."""
        with self.lock:
            self.name, self.origin, self.saved = name, origin, dict(saved)
            _write_about(self.folder, name, origin, self.saved)

    def _step(self, revision: int, take: Callable[[], Entry | None], what: str) -> None:
        with self.lock:
            self._fresh(revision)
            entry = take()
            if entry is None:
                raise NothingToDo(f"there is nothing to {what}")
            self._apply(entry)
            self.journal.save(self.folder / "journal.json")

    def _fresh(self, revision: int) -> None:
        if revision != self.journal.revision:
            raise Stale("the vessel was changed elsewhere meanwhile, in another tab perhaps")

    def _text_to_edit(self, file: str) -> str | None:
        text = self.text(file)
        if text is None and (self.files / file).exists():
            raise ValueError(f"{file}: expected a text in UTF-8 of at most 2 MB")
        return text

    def _came(self, file: str, data: bytes | None) -> Change:
        """Store a file's old and new contents as blobs; return the change between them."""
        held = files_of(self.files)
        if data is not None:
            size = sum(path.stat().st_size for path in held.values()) + len(data)
            if size > MOST_BYTES or len({*held, file}) > MOST_FILES:
                most = f"at most {MOST_FILES} files and {MOST_BYTES >> 20} MB"
                raise ValueError(f"{file}: expected {most} in a vessel")
        return Change(file, (), self._blob(self.data(file)), self._blob(data))

    def _blob(self, data: bytes | None) -> str:
        if data is None:
            return ""
        key = digest(data)
        path = self.folder / "blobs" / key
        if not path.is_file():
            write(path, data)
        return key

    def _do(self, entry: Entry) -> None:
        self._apply(entry)
        self.journal.add(entry)
        self.journal.save(self.folder / "journal.json")

    def _apply(self, entry: Entry) -> None:
        for change in entry.changes:
            path = self.files / change.file
            if change.splices:
                text = path.read_bytes().decode("utf-8") if path.is_file() else ""
                write(path, spliced(text, change.splices).encode("utf-8"))
            elif change.new:
                write(path, (self.folder / "blobs" / change.new).read_bytes())
            else:
                path.unlink(missing_ok=True)

    def about(self) -> dict[str, Any]:
        """Return its entry in the list of drafts."""
        return {"id": self.id, "name": self.name, "origin": str(self.origin or "")}
