"""What can be opened: templates, folders, drafts; and where drafts are saved."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steerageway.apps.web.configurator.archive import MARK, unpacked, vessel_in
from steerageway.apps.web.configurator.draft import Draft
from steerageway.apps.web.configurator.names import files_of, vessel_name
from steerageway.apps.web.configurator.written import digest, write
from steerageway.vessel.exchange import read_config
from steerageway.vessel.fossen.folder import read_folder
from steerageway.vessel.fossen.keys.vessel import SOURCE
from steerageway.vessel.tools.place import SHIPPED, shipped_vessels

MOST = 300
BLANK: Mapping[str, bytes] = {
    "geometry.yml": b"# Lengths in metres; places from CO: x forward, y to starboard, z down\n",
    "inertia.yml": b"# Masses in kg\n",
    "hydrodynamics.yml": b"# Coefficients: X_u is surge force by surge speed, and so on\n",
    "initial_conditions.yml": (
        b"start_location: [0, 0, 0]\nstart_orientation: [0, 0, 0]\n"
        b"start_velocity: [0, 0, 0, 0, 0, 0]\n"
    ),
}
"""The files of a vessel of which nothing is known yet."""


class Conflict(ValueError):
    """Files would be overwritten that this draft does not know.

    Attributes: ``files``.
    """

    def __init__(self, files: Sequence[str], text: str) -> None:
        self.files = list(files)
        super().__init__(text)


class Shelf:
    """What can be opened.

    Args:
        drafts: the folder of drafts; it is made.
        roots: folders whose vessels are listed; the first takes what is saved.
        named: folders that were named at start.
    """

    def __init__(self, drafts: Path, roots: Sequence[Path], named: Sequence[Path] = ()) -> None:
        self._drafts = drafts.resolve()
        self._drafts.mkdir(parents=True, exist_ok=True)
        self.roots = [root.resolve() for root in roots]
        self._named = [folder.resolve() for folder in named]
        self._open: dict[str, Draft] = {}

    def home(self) -> dict[str, Any]:
        """Give what can be opened."""
        return {
            "templates": [_template(name) for name in shipped_vessels()],
            "folders": [{"name": folder.name, "path": str(folder)} for folder in self._folders()],
            "drafts": [draft.about() for draft in self.drafts()],
            "root": str(self.roots[0]),
        }

    def drafts(self) -> list[Draft]:
        """Give the drafts there are, the last one first."""
        folders = [one.parent for one in self._drafts.glob("*/about.json")]
        folders.sort(key=lambda one: int(one.name) if one.name.isdecimal() else 0, reverse=True)
        return [self.draft(folder.name) for folder in folders][:MOST]

    def draft(self, id_: str) -> Draft:
        """Give a draft.

        Raises:
            LookupError: there is none.
        """
        folder = self._drafts / id_
        if not id_.isdecimal() or not (folder / "about.json").is_file():
            raise LookupError(f"{id_}: no such draft")
        if id_ not in self._open:
            self._open[id_] = Draft(folder)
        return self._open[id_]

    def template(self, name: str, called: str = "") -> Draft:
        """Begin with a copy of a vessel that comes along.

        Raises:
            LookupError: there is none.
        """
        if name not in shipped_vessels():
            raise LookupError(f"{name}: expected one of {', '.join(shipped_vessels())}")
        return self._begin(called or f"my_{name}", _read(SHIPPED / name))

    def blank(self, name: str) -> Draft:
        """Begin with a vessel of which nothing is known."""
        return self._begin(name, BLANK)

    def zipped(self, data: bytes, called: str) -> Draft:
        """Begin with a zip.

        Raises:
            BadArchive, BadName: it holds no vessel, or what must not be.
        """
        name, files = vessel_in(unpacked(data))
        return self._begin(name or called, files)

    def configured(self, data: bytes, called: str) -> tuple[Draft, list[str]]:
        """Begin with what Panisim's configurator saved; give what was changed or left out, too.

        Raises:
            InvalidValue: it holds no vessel.
            BadName: there can be no folder of its name.
        """
        made = read_config(data, called)
        files = {f"{name}.yml": text.encode() for name, text in made.files.items()}
        remarks = list(made.remarks)
        if made.simulation:
            remarks.append("simulation: left out: Guidance makes simulation_input.yml")
        return self._begin(made.name, files), remarks

    def folder(self, path: str) -> Draft:
        """Open a folder; the draft of it that is there is opened again.

        Raises:
            PermissionError: it is none of those listed, and was not named at start.
            BadName: it is no vessel's.
        """
        real = Path(path).resolve()
        if real.parent == SHIPPED.resolve():
            return self.template(real.name)
        if real not in (*self._folders(), *self._named):
            raise PermissionError(f"{path}: not among the vessels below the folders of the server")
        for draft in self.drafts():
            if draft.origin == real:
                return draft
        return self._begin(real.name, _read(real), real)

    def drop(self, id_: str) -> None:
        """Throw a draft away."""
        folder = self.draft(id_).folder
        del self._open[id_]
        shutil.rmtree(folder)

    def save(self, draft: Draft, name: str, force: bool = False) -> Path:
        """Write a draft's files; give the folder.

        Under its own name they go where they came from, else below the first root. Files that were
        taken away in the draft go.

        Raises:
            Conflict: files there have changed, or belong to another vessel; not with ``force``.
            BadName: there can be no folder of that name.
        """
        with draft.lock:
            here = draft.origin is not None and name == draft.name
            target = draft.origin if here else self.roots[0] / vessel_name(name)
            assert target is not None
            if target.parent == SHIPPED.resolve():
                raise PermissionError(f"{target}: comes along, and stays: give it another name")
            known = draft.saved if here else {}
            if not force and (changed := changed_files(target, known)):
                raise Conflict(changed, f"{target}: changed on disk: {', '.join(changed)}")
            contents = draft.contents()
            for file, data in contents.items():
                if not (target / file).is_file() or (target / file).read_bytes() != data:
                    write(target / file, data)
            for file in {*known} - {*contents}:
                (target / file).unlink(missing_ok=True)
            saved = {file: digest(data) for file, data in contents.items()}
            draft.keep(name, target, saved)
            return target

    def adopt(self, draft: Draft, revision: int) -> None:
        """Take what changed in a draft's folder into the draft, where it can be undone."""
        with draft.lock:
            if draft.origin is None:
                return
            there = _read(draft.origin) if draft.origin.is_dir() else {}
            changed = changed_files(draft.origin, draft.saved)
            draft.put_all(revision, "changes on disk", {file: there.get(file) for file in changed})
            saved = {file: digest(data) for file, data in there.items()}
            draft.keep(draft.name, draft.origin, saved)

    def _folders(self) -> list[Path]:
        """Give the vessels below the roots that do not come along."""
        found = [file.parent for root in self.roots for file in sorted(root.glob(f"*/{MARK}"))]
        return [one for one in found if one.parent != SHIPPED.resolve()][:MOST]

    def _begin(self, name: str, files: Mapping[str, bytes], origin: Path | None = None) -> Draft:
        taken = [int(one.name) for one in self._drafts.iterdir() if one.name.isdecimal()]
        folder = self._drafts / str(max(taken, default=0) + 1)
        draft = Draft.begin(folder, vessel_name(name), files, origin)
        self._open[draft.id] = draft
        return draft


def changed_files(folder: Path, known: Mapping[str, str]) -> list[str]:
    """Give the files of a folder that are not as they were known to be."""
    if not folder.is_dir():
        return sorted(known)
    there = {file: digest(path.read_bytes()) for file, path in files_of(folder).items()}
    return sorted(file for file in {*there, *known} if there.get(file) != known.get(file))


def _read(folder: Path) -> dict[str, bytes]:
    return {file: path.read_bytes() for file, path in files_of(folder).items()}


def _template(name: str) -> dict[str, str]:
    """Give a vessel that comes along, with where its figures are from."""
    return {"name": name, "about": read_folder(SHIPPED / name)["vessel"].text(SOURCE)}
