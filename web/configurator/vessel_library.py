"""Vessel library of the configurator: shipped vessels, folders, drafts, and saving of drafts."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steerageway.vessel.exchange import read_config
from steerageway.vessel.fossen.folder import read_folder
from steerageway.vessel.fossen.keys.vessel import SOURCE
from steerageway.vessel.tools.place import SHIPPED, shipped_vessels
from steerageway.web.configurator.archive import MARK, unpacked, vessel_in
from steerageway.web.configurator.draft import Draft, changed_files, contents_of
from steerageway.web.configurator.names import digest, vessel_name, write

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
"""The files of a new, empty vessel."""


class Conflict(ValueError):
    """Files on disk have changed since this draft read or saved them.

    Attributes: ``files``.
    """

    def __init__(self, files: Sequence[str], text: str) -> None:
        self.files = list(files)
        super().__init__(text)


class VesselLibrary:
    """The vessels and drafts that can be opened.

    Args:
        drafts: the folder of drafts; created if necessary.
        roots: folders whose vessels are listed; new vessels are saved in the first.
        named: further vessels' folders, from the command line.
    """

    def __init__(self, drafts: Path, roots: Sequence[Path], named: Sequence[Path] = ()) -> None:
        self._drafts = drafts.resolve()
        self._drafts.mkdir(parents=True, exist_ok=True)
        self.roots = [root.resolve() for root in roots]
        self._named = [folder.resolve() for folder in named]
        self._open: dict[str, Draft] = {}

    def home(self) -> dict[str, Any]:
        """Return the lists of the page: shipped vessels, folders, drafts."""
        return {
            "templates": [_template(name) for name in shipped_vessels()],
            "folders": [{"name": folder.name, "path": str(folder)} for folder in self._folders()],
            "drafts": [draft.about() for draft in self.drafts()],
            "root": str(self.roots[0]),
        }

    def drafts(self) -> list[Draft]:
        """Return the drafts, the latest first."""
        folders = [one.parent for one in self._drafts.glob("*/about.json")]
        folders.sort(key=lambda one: int(one.name) if one.name.isdecimal() else 0, reverse=True)
        return [self.draft(folder.name) for folder in folders][:MOST]

    def draft(self, id_: str) -> Draft:
        """Return a draft by its id.

        Raises:
            LookupError: there is no such draft.
        """
        folder = self._drafts / id_
        if not id_.isdecimal() or not (folder / "about.json").is_file():
            raise LookupError(f"{id_}: no such draft")
        if id_ not in self._open:
            self._open[id_] = Draft(folder)
        return self._open[id_]

    def template(self, name: str, called: str = "") -> Draft:
        """Create a draft as a copy of a shipped vessel.

        Raises:
            LookupError: there is no such vessel.
        """
        if name not in shipped_vessels():
            raise LookupError(f"{name}: expected one of {', '.join(shipped_vessels())}")
        return self._begin(called or f"my_{name}", contents_of(SHIPPED / name))

    def blank(self, name: str) -> Draft:
        """Create a draft of a new, empty vessel."""
        return self._begin(name, BLANK)

    def zipped(self, data: bytes, called: str) -> Draft:
        """Create a draft from a zip.

        Raises:
            BadArchive, BadName: it contains no vessel, or files that are not allowed.
        """
        name, files = vessel_in(unpacked(data))
        return self._begin(name or called, files)

    def configured(self, data: bytes, called: str) -> tuple[Draft, list[str]]:
        """Create a draft from a JSON file of Panisim's configurator, with remarks on differences.

        Raises:
            InvalidValue: it contains no vessel.
            BadName: its name is not a valid folder name.
        """
        made = read_config(data, called)
        files = {f"{name}.yml": text.encode() for name, text in made.files.items()}
        remarks = list(made.remarks)
        if made.simulation:
            remarks.append("simulation: left out: Guidance makes simulation_input.yml")
        return self._begin(made.name, files), remarks

    def folder(self, path: str) -> Draft:
        """Open a vessel's folder; if there is a draft of it, reopen that.

        Raises:
            PermissionError: it is neither listed nor named on the command line.
            BadName: it is not a vessel's folder.
        """
        real = Path(path).resolve()
        if real.parent == SHIPPED.resolve():
            return self.template(real.name)
        if real not in (*self._folders(), *self._named):
            raise PermissionError(f"{path}: not among the vessels below the folders of the server")
        for draft in self.drafts():
            if draft.origin == real:
                return draft
        return self._begin(real.name, contents_of(real), real)

    def drop(self, id_: str) -> None:
        """Delete a draft."""
        folder = self.draft(id_).folder
        del self._open[id_]
        shutil.rmtree(folder)

    def save(self, draft: Draft, name: str, force: bool = False) -> Path:
        """Write a draft's files to a folder; return the folder.

        Under its present name a draft is saved to its origin, else below the first root. Files
        that were removed from the draft are deleted.

        Raises:
            Conflict: files there have changed, or belong to another vessel; not with ``force``.
            BadName: the name is not a valid folder name.
        """
        with draft.lock:
            here = draft.origin is not None and name == draft.name
            target = draft.origin if here else self.roots[0] / vessel_name(name)
            assert target is not None
            if target.parent == SHIPPED.resolve():
                raise PermissionError(
                    f"{target}: a shipped vessel is not overwritten: expected another name"
                )
            known = draft.saved if here else {}
            if not force and (changed := changed_files(target, known)):
                raise Conflict(changed, f"{target}: changed on disk: {', '.join(changed)}")
            contents = draft.contents()
            for file, data in contents.items():
                path = _inside(target, file)
                if not path.is_file() or path.read_bytes() != data:
                    write(path, data)
            for file in {*known} - {*contents}:
                _inside(target, file).unlink(missing_ok=True)
            saved = {file: digest(data) for file, data in contents.items()}
            draft.keep(name, target, saved)
            return target

    def adopt(self, draft: Draft, revision: int) -> None:
        """Import the files that changed in a draft's folder, as one edit of the draft."""
        with draft.lock:
            if draft.origin is None:
                return
            there = contents_of(draft.origin) if draft.origin.is_dir() else {}
            changed = changed_files(draft.origin, draft.saved)
            draft.put(revision, "changes on disk", {file: there.get(file) for file in changed})
            saved = {file: digest(data) for file, data in there.items()}
            draft.keep(draft.name, draft.origin, saved)

    def _folders(self) -> list[Path]:
        """Return the folders of vessels below the roots, except the shipped ones."""
        found = [file.parent for root in self.roots for file in sorted(root.glob(f"*/{MARK}"))]
        return [one for one in found if one.parent != SHIPPED.resolve()][:MOST]

    def _begin(self, name: str, files: Mapping[str, bytes], origin: Path | None = None) -> Draft:
        taken = [int(one.name) for one in self._drafts.iterdir() if one.name.isdecimal()]
        folder = self._drafts / str(max(taken, default=0) + 1)
        draft = Draft.begin(folder, vessel_name(name), files, origin)
        self._open[draft.id] = draft
        return draft


def _inside(folder: Path, file: str) -> Path:
    """Return the path of a vessel's file in a folder.

    Raises:
        PermissionError: a link leads it out of the folder.
    """
    path = folder / file
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise PermissionError(f"{path}: expected a folder of the vessel; a link leads out of it")
    return path


def _template(name: str) -> dict[str, str]:
    """Return a shipped vessel's entry in the list: its name and the source of its figures."""
    return {"name": name, "about": read_folder(SHIPPED / name)["vessel"].text(SOURCE)}
