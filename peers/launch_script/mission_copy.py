"""``MissionCopy``: a bounded copy of a mission's folder, in which its launch script runs.

Above the copy are folders with the names of those above the mission's own, and in them links to
the neighbours, so that relative paths such as ``../plugs.moos`` are valid.
"""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission_cache import cache_root, is_archive, link_tree, writing

LARGEST_FILE = 1 << 20  # bytes of a file that is copied; larger ones are linked
MOST_BYTES, MOST_FILES = 64 << 20, 5000  # that are copied; what is left is linked
LARGEST_MADE = 64 << 20  # bytes of all files that a script makes
LEVELS = 4  # folders above the mission's that are mirrored

Stamp = tuple[int, int, int]  # of a file: a change of its contents changes it


@dataclass(frozen=True, slots=True)
class MissionCopy:
    """A copy of a mission's folder.

    Attributes:
        own: the mission's folder.
        top: everything of this copy is below it.
        folder: the copy of the mission's folder.
        above: the topmost folder above the mission's that is mirrored, as ``tree``.
        known: path below ``folder`` -> stamp of the file when it was copied.
    """

    own: Path
    top: Path
    folder: Path
    above: Path
    known: dict[str, Stamp]

    def own_paths(self, text: str) -> str:
        """Return a text with the user's own paths in place of those of the copy."""
        for copy, own in ((self.folder, self.own), (self.top / "tree", self.above)):
            text = text.replace(f"{copy}/", f"{own}/").replace(str(copy), str(own))
        return text.replace(str(self.top / "home"), "~")

    def holds(self, path: Path) -> bool:
        """Whether a file is, or would be made, in the copy and not where a link leads."""
        try:
            return path.parent.resolve().is_relative_to(self.folder)
        except (OSError, ValueError, RuntimeError):  # no path, or links in a circle
            return False

    def made(self) -> dict[str, str]:
        """Return what the script made or changed: path below the folder -> text.

        Raises:
            LaunchError: it is too much.
        """
        found: dict[str, str] = {}
        left = LARGEST_MADE
        for path in _files(self.folder):
            name, stamp = str(path.relative_to(self.folder)), _stamp(path)
            if self.known.get(name) == stamp:
                continue
            left -= stamp[1]
            if left < 0:
                limit = f"expected at most {LARGEST_MADE >> 20} MiB of files made by the script"
                raise LaunchError(f"{self.own}: {limit}")
            found[name] = path.read_bytes().decode("utf-8", "surrogateescape")
        return found


@contextmanager
def mission_copy(own: Path) -> Iterator[MissionCopy]:
    """Copy a mission's folder for as long as the block runs.

    Raises:
        LaunchError: the copy cannot be written.
    """
    source = own.resolve()
    with writing(str(own)):
        place = cache_root().with_name("scripts")
        place.mkdir(parents=True, exist_ok=True)
        temporary = TemporaryDirectory(dir=place.resolve(), ignore_cleanup_errors=True)
    with temporary as made:
        top = Path(made)
        with writing(str(own)):
            for name in ("home", "tmp", "tree"):
                (top / name).mkdir()
            _link_home(top / "home")
            readable = takewhile(lambda path: os.access(path, os.R_OK), source.parents)
            levels = len(list(islice(readable, 1, LEVELS)))
            above = link_tree(top / "tree", source.parent, levels, [source.name])
            folder = above / source.name
            known = _copied(source, folder)
        yield MissionCopy(own, top, folder, source.parents[levels], known)


def _link_home(place: Path) -> None:
    """Link the user's own folders, as scripts name ``~/moos-ivp`` and the like; no hidden ones."""
    home = Path(os.path.expanduser("~"))
    if home.is_absolute() and os.access(home, os.R_OK):
        for path in home.iterdir():
            if path.is_dir() and not path.name.startswith("."):
                (place / path.name).symlink_to(path)


def _copied(source: Path, target: Path) -> dict[str, Stamp]:
    """Copy a folder, those nearest to its top first; return the stamps of the copies."""
    known: dict[str, Stamp] = {}
    left = MOST_BYTES
    waiting = deque([source])
    while waiting:
        here = waiting.popleft()
        there = target / here.relative_to(source)
        there.mkdir(exist_ok=True)
        for path in sorted(here.iterdir()):
            copy = there / path.name
            if path.is_symlink():
                copy.symlink_to(os.readlink(path))
            elif path.is_dir():
                if len(known) < MOST_FILES and not is_archive(path):
                    waiting.append(path)
                else:
                    copy.symlink_to(path)
            elif path.is_file():
                size = path.stat().st_size
                fits = size <= min(left, LARGEST_FILE) and len(known) < MOST_FILES
                if fits and os.access(path, os.R_OK):
                    _copy_file(path, copy)
                    known[str(copy.relative_to(target))] = _stamp(copy)
                    left -= size
                else:
                    copy.symlink_to(path)
    return known


def _copy_file(path: Path, copy: Path) -> None:
    """Copy a file; a script may be executed, as an archive may have lost its mode."""
    shutil.copyfile(path, copy)
    with copy.open("rb") as file:
        is_script = file.read(2) == b"#!"
    copy.chmod(0o700 if is_script or os.access(path, os.X_OK) else 0o600)


def _files(folder: Path) -> Iterator[Path]:
    """Return the regular files below a folder in their order, without following links."""
    for here, folders, names in os.walk(folder):
        folders.sort()
        paths = (Path(here, name) for name in sorted(names))
        yield from (path for path in paths if path.is_file() and not path.is_symlink())


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino
