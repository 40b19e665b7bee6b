"""What has to be on another machine to run a mission there: our own sources, and its files."""

from __future__ import annotations

import io
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import steerageway
from steerageway.bus import runtime_folder
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission_cache import is_archive
from steerageway.launcher.options import Options

OWN = Path(steerageway.__path__[0]).resolve()
PARTS = (
    *("apps", "bridges", "bus", "control", "declarations", "diagnostics", "envs", "helm", "inputs"),
    *("ivp", "launcher", "missions", "moos", "peers", "steerageway", "vessel", "web", "world"),
)
"""Folders of the sources, with what comes along."""
LIBRARIES = ("numpy", "numba", "msgpack", "pyzmq")
MOST_BYTES = 256 << 20  # of a mission's files
_SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/usr", sys.prefix, sys.base_prefix)


def identity() -> dict[str, str]:
    """Return what must be equal on all machines for equal results: a hash of the sources, ..."""
    digest = sha256()
    for path in _files(OWN / part for part in PARTS):
        digest.update(f"{path.relative_to(OWN)}\0".encode())
        digest.update(sha256(path.read_bytes()).digest())
    found = {"sources": digest.hexdigest()[:12], "Python": platform.python_version()}
    return found | {name: version(name) for name in LIBRARIES}


class FilesRead:
    """Notes the files that this process opens for reading, while entered."""

    def __init__(self) -> None:
        self.paths: dict[str, None] = {}
        self._open = False
        sys.addaudithook(self._note)

    def __enter__(self) -> FilesRead:
        self._open = True
        return self

    def __exit__(self, *error: object) -> None:
        self._open = False

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._open and event == "open" and isinstance(arguments[0], (str, os.PathLike)):
            self.paths[os.path.abspath(arguments[0])] = None


def packed(options: Options, read: FilesRead) -> bytes:
    """Return an archive of a mission's files: of its folders, and of all that its planning read.

    Raises:
        LaunchError: they are too large.
    """
    named = [Path(mission.partition("@")[0]).absolute() for mission in options.missions]
    folders = [path if path.is_dir() else path.parent for path in named]
    found = dict.fromkeys([*_files([*folders, *options.path]), *map(Path, read.paths)])
    left, archive = MOST_BYTES, io.BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=1) as file:
        for path in found:
            if not path.is_file() or _is_everywhere(path):
                continue
            left -= path.stat().st_size
            if left < 0:
                expected = f"expected at most {MOST_BYTES >> 20} MiB of files that travel with it"
                raise LaunchError(f"--placement cluster: {path}: {expected}")
            file.write(path.absolute(), str(path.absolute()))
    return archive.getvalue()


def unpacked(archive: bytes, folder: Path) -> None:
    """Write an archive's files below a folder."""
    with ZipFile(io.BytesIO(archive)) as file:
        file.extractall(folder)


def archived(folder: Path) -> bytes:
    """Return an archive of a folder's files."""
    archive = io.BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=1) as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, str(path.relative_to(folder)))
    return archive.getvalue()


def absolute(options: Options) -> Options:
    """Return options whose paths are absolute."""
    return _moved(options, os.path.abspath)


def moved(options: Options, own: str, folder: Path) -> Options:
    """Return options for a machine on which the files of another are below a folder.

    Args:
        options: with absolute paths of the other machine.
        own: where our own files are there.
        folder: with the unpacked files.
    """

    def here(path: str) -> str:
        part = path.removeprefix(f"{own}/")
        return str(OWN / part) if part.partition("/")[0] in PARTS else f"{folder}{path}"

    return _moved(options, here)


def _moved(options: Options, new: Any) -> Options:
    inputs = options.inputs if options.inputs is None else Path(new(str(options.inputs)))
    return replace(
        options,
        missions=tuple(map(new, options.missions)),
        path=tuple(Path(new(str(path))) for path in options.path),
        inputs=inputs,
    )


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    """Return the files below folders in a fixed order, but for logs, caches and hidden ones."""
    for top in folders:
        for here, names, files in os.walk(top):
            names[:] = sorted(name for name in names if not _is_made(Path(here, name)))
            yield from (Path(here, name) for name in sorted(files))


def _is_made(folder: Path) -> bool:
    """Whether a folder holds what runs have made."""
    logs = folder.name == "logs" and not (folder / "__init__.py").exists()
    return logs or folder.name.startswith((".", "__pycache__")) or is_archive(folder)


def _is_everywhere(path: Path) -> bool:
    """Whether another machine has its own of a file: it belongs to the system, or to us."""
    text, own = str(path.absolute()), path.absolute()
    if own.is_relative_to(OWN) and own.relative_to(OWN).parts[0] in PARTS:
        return True
    return text.startswith((*_SYSTEM, str(runtime_folder())))
