"""A vessel that is being edited: its files, and a journal of everything that was done to them.

A draft is a folder: ``vessel`` holds the files as they are now, ``journal.json`` what was done,
``blobs`` what files held that were replaced as a whole, ``about.json`` where it comes from and what
was there when it was read or saved last. So nothing is lost with the page or the server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Any

from steerageway.apps.web.configurator.journal import Change, Entry, Journal, read_journal
from steerageway.apps.web.configurator.names import MOST_BYTES, MOST_FILES, file_name, files_of
from steerageway.apps.web.configurator.splices import Splice, spliced
from steerageway.apps.web.configurator.written import digest, write

TEXTS = (".yml", ".yaml", ".csv", ".moos", ".bhv", ".md", ".txt")
LARGEST_TEXT = 2 << 20  # bytes


class Stale(ValueError):
    """An edit of something that has changed since; the page must look again."""


class NothingToDo(ValueError):
    """Nothing to undo, or to do again."""


class Draft:
    """A vessel that is being edited.

    Args:
        folder: the draft's.

    Attributes:
        id: its folder's name.
        name: the vessel's.
        origin: the folder it was read from, or saved to last; None for a new one.
        saved: digests of the files that lie there, as they were then.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.id = folder, folder.name
        self.files = folder / "vessel"
        about = json.loads((folder / "about.json").read_bytes())
        self.name: str = about["name"]
        self.origin = Path(about["origin"]) if about["origin"] else None
        self.saved: dict[str, str] = about["saved"]
        self._journal = read_journal(folder / "journal.json")
        self.lock = RLock()

    @classmethod
    def begin(
        cls, folder: Path, name: str, files: Mapping[str, bytes], origin: Path | None = None
    ) -> Draft:
        """Make a draft of files; ``folder`` must not be there yet."""
        folder.mkdir(parents=True)
        (folder / "vessel").mkdir()
        for file, data in files.items():
            write(folder / "vessel" / file_name(file), data)
        saved = {file: digest(data) for file, data in files.items()} if origin else {}
        about = {"name": name, "origin": str(origin or ""), "saved": saved}
        write(folder / "about.json", json.dumps(about).encode())
        return cls(folder)

    @property
    def journal(self) -> Journal:
        """What was done."""
        return self._journal

    @property
    def unsaved(self) -> list[str]:
        """The files that differ from what was read, or saved last."""
        now = {file: digest(data) for file, data in self.contents().items()}
        names = {*now, *self.saved}
        return sorted(file for file in names if now.get(file) != self.saved.get(file))

    def names(self) -> list[str]:
        """Give the names of its files."""
        return list(files_of(self.files))

    def contents(self) -> dict[str, bytes]:
        """Give all its files."""
        return {file: path.read_bytes() for file, path in files_of(self.files).items()}

    def data(self, file: str) -> bytes | None:
        """Give what a file holds; None without one."""
        path = self.files / file_name(file)
        return path.read_bytes() if path.is_file() else None

    def text(self, file: str) -> str | None:
        """Give a file's text; None without one, or if it is no text."""
        data = self.data(file)
        if data is None or len(data) > LARGEST_TEXT or not file.endswith(TEXTS):
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def edit(
        self, revision: int, title: str, change: Callable[[str, str], Sequence[Splice]], file: str
    ) -> None:
        """Change a file's text.

        Args:
            revision: that the edit is made of.
            title: what it does, for undo.
            change: gives the splices, of the file's name and text; an absent one is empty.
            file: its name.

        Raises:
            Stale: the draft has changed since.
            ValueError: the edit cannot be done.
        """
        self.edit_all(revision, title, [(file, change)])

    def edit_all(
        self,
        revision: int,
        title: str,
        edits: Sequence[tuple[str, Callable[[str, str], Sequence[Splice]]]],
    ) -> None:
        """Change the texts of files, all at once or none; as ``edit``."""
        with self.lock:
            self._fresh(revision)
            texts: dict[str, str | None] = {}
            made: list[Change] = []
            for file, change in edits:
                name = file_name(file)
                if name not in texts:
                    texts[name] = self._text_to_edit(name)
                old = texts[name]
                splices = tuple(change(name, old or ""))
                if not splices:
                    continue
                new = spliced(old or "", splices)
                texts[name] = new
                made.append(
                    Change(name, splices) if old is not None else self._came(name, new.encode())
                )
            if made:
                self._do(Entry(title, tuple(made)))

    def put(self, revision: int, title: str, file: str, data: bytes | None) -> None:
        """Put a file in place of another, or as a new one; take it away without data.

        Raises:
            Stale: the draft has changed since.
            ValueError: its name cannot be, or the vessel becomes too large.
        """
        self.put_all(revision, title, {file: data})

    def put_all(self, revision: int, title: str, files: Mapping[str, bytes | None]) -> None:
        """Put files, all at once; as ``put``."""
        with self.lock:
            self._fresh(revision)
            changes = [self._came(file_name(file), data) for file, data in files.items()]
            made = tuple(change for change in changes if change.old != change.new)
            if made:
                self._do(Entry(title, made))

    def undo(self, revision: int) -> None:
        """Undo what was done last. Raises: Stale, NothingToDo."""
        self._step(revision, self._journal.undone, "undo")

    def redo(self, revision: int) -> None:
        """Do again what was undone last. Raises: Stale, NothingToDo."""
        self._step(revision, self._journal.redone, "do again")

    def keep(self, name: str, origin: Path | None, saved: Mapping[str, str]) -> None:
        """Note where it lies, and what is there."""
        with self.lock:
            self.name, self.origin, self.saved = name, origin, dict(saved)
            about = {"name": name, "origin": str(origin or ""), "saved": self.saved}
            write(self.folder / "about.json", json.dumps(about).encode())

    def _step(self, revision: int, take: Callable[[], Entry | None], what: str) -> None:
        with self.lock:
            self._fresh(revision)
            entry = take()
            if entry is None:
                raise NothingToDo(f"there is nothing to {what}")
            self._apply(entry)
            self._journal.save(self.folder / "journal.json")

    def _fresh(self, revision: int) -> None:
        if revision != self._journal.revision:
            raise Stale("the vessel was changed elsewhere meanwhile, in another tab perhaps")

    def _text_to_edit(self, file: str) -> str | None:
        text = self.text(file)
        if text is None and (self.files / file).exists():
            raise ValueError(f"{file}: expected a text in UTF-8 of at most 2 MB")
        return text

    def _came(self, file: str, data: bytes | None) -> Change:
        """Keep what a file holds and will hold, and give the change."""
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
        self._journal.add(entry)
        self._journal.save(self.folder / "journal.json")

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
        """Give what a list of drafts shows."""
        return {"id": self.id, "name": self.name, "origin": str(self.origin or "")}
