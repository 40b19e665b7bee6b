"""What has to be on another machine to run a mission there: our own sources, and its files."""

from __future__ import annotations

import io
import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from steerageway.bus import runtime_folder
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import Options
from steerageway.launcher.sources import OWN, PARTS, files_below, is_own, sources_digest

LIBRARIES = ("numpy", "numba", "msgpack", "pyzmq")
MOST_BYTES = 256 << 20  # of a mission's files
_SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/usr", sys.prefix, sys.base_prefix)


def identity() -> dict[str, str]:
    """Return what must be equal on all machines for equal results: a hash of the sources, ..."""
    found = {"sources": sources_digest(PARTS, "*")[:12], "Python": platform.python_version()}
    return found | {name: version(name) for name in LIBRARIES}


def packed(options: Options, read: Iterable[Path]) -> bytes:
    """Return an archive of a mission's files: of its folders, and of all that its planning read.

    Raises:
        LaunchError: they are too large.
    """
    named = [Path(mission.partition("@")[0]).absolute() for mission in options.missions]
    folders = [path if path.is_dir() else path.parent for path in named]
    found = dict.fromkeys([*files_below([*folders, *options.path]), *read])
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


def _is_everywhere(path: Path) -> bool:
    """Whether another machine has its own of a file: it belongs to the system, or to us."""
    own = path.absolute()
    return is_own(own) or str(own).startswith((*_SYSTEM, str(runtime_folder())))
