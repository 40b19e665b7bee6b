"""Cache of generated mission files (expanded templates, Panisim's missions), by content hash."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from posixpath import normpath
from shutil import rmtree

from steerageway.bus import runtime_folder
from steerageway.launcher.errors import LaunchError

MOST = 1000  # limit of folders
KEPT = 900  # the most recently used, once there are more


def cache_root() -> Path:
    """Return the folder of the cache."""
    return runtime_folder() / "missions"


def cache_folder(texts: Iterable[str]) -> Path:
    """Return the folder for mission files made of these texts; equal texts share a folder."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    folder = cache_root() / digest
    is_new = not folder.is_dir()
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()  # its time is that of the last use
    if is_new:
        _remove_old()
    return folder


def inside(name: str) -> str:
    """Return a relative path in its normal form; "" if it is not of a file below its folder."""
    path = PurePosixPath(normpath(name))
    outside = path.is_absolute() or path.parts[:1] in ((), ("..",)) or "\0" in name
    return "" if outside else str(path)


@contextmanager
def writing(what: str) -> Iterator[None]:
    """Report that generated files cannot be written.

    Args:
        what: the files are made of.

    Raises:
        LaunchError: in place of the system's error, e.g. as the disk is full.
    """
    try:
        yield
    except OSError as error:
        told = f"{error.filename2 or error.filename or cache_root()}: {error.strerror}"
        raise LaunchError(f"{what}: its expanded files cannot be written: {told}") from error


def link_tree(top: Path, mission_folder: Path, up: int, made: Sequence[str]) -> Path:
    """Mirror a mission's folder, and folders above it, by links, so that relative paths are valid.

    The folders of the files to be made are folders of the mirror, not links: a file written there
    is not written into the mission's folder.

    Args:
        top: the mirror of the topmost of these folders.
        mission_folder: the mission's folder.
        up: number of folders above it to mirror.
        made: names of the files to be made, relative to the mission's folder; not linked.

    Returns: the mirror of the mission's folder.
    Raises:
        LaunchError: a folder cannot be read.
    """
    here = mission_folder.parents[up - 1] if up else mission_folder
    inner = mission_folder.relative_to(here).parts
    _place_links(top, here, [(*inner, *PurePosixPath(name).parts) for name in made])
    return top.joinpath(*inner)


def _place_links(folder: Path, here: Path, made: Iterable[Sequence[str]]) -> None:
    """Link to what is in a folder, except to what is to be made (as parts of a path)."""
    below: dict[str, list[Sequence[str]]] = {}
    for first, *rest in made:
        below.setdefault(first, []).append(rest)
    try:
        found = sorted(here.iterdir()) if here.is_dir() else []
    except OSError as error:
        raise LaunchError(f"{here}: {error.strerror}") from error
    for other in found:
        if other.name not in below:
            link(folder / other.name, other)
    for name, rests in below.items():
        if inner := [rest for rest in rests if rest]:
            (folder / name).mkdir(exist_ok=True)
            _place_links(folder / name, here / name, inner)


def link(link: Path, target: Path) -> None:
    """Create a link, unless another launch has done so in the meantime."""
    if not link.is_symlink():
        try:
            link.symlink_to(target)
        except FileExistsError:
            return


def _remove_old() -> None:
    """Keep the most recently used folders, if there are more than ``MOST``."""
    names = os.listdir(cache_root())
    if len(names) > MOST:
        for folder in sorted(map(cache_root().joinpath, names), key=_last_used)[:-KEPT]:
            rmtree(folder, ignore_errors=True)  # another launch may be removing it, too


def _last_used(folder: Path) -> float:
    return folder.stat().st_mtime if folder.exists() else 0.0


def is_archive(folder: Path) -> bool:
    """Whether a folder holds logs or old versions, or cannot be read: no script needs a copy."""
    try:
        names = os.listdir(folder)
    except OSError:
        return True
    return folder.name in (".git", ".svn", ".hg") or any(name.endswith(".alog") for name in names)
