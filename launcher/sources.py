"""The project's own files: where they are, and a digest of what decides results."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import steerageway
from steerageway.launcher.mission_cache import is_archive

OWN = Path(steerageway.__path__[0]).resolve()
RESULTS = (
    *("apps", "bridges", "bus", "declarations", "diagnostics", "geometry", "helm", "ivp"),
    *("launcher", "moos", "peers", "vessel", "world"),
)
"""The packages that decide results."""
PARTS = (*RESULTS, "control", "envs", "inputs", "missions", "steerageway", "web")
"""All folders of the sources, with the vessels and missions that come along."""


def sources_digest(parts: tuple[str, ...] = RESULTS, pattern: str = "*.py") -> str:
    """Return a digest of the project's own files, as installed on this machine now."""
    digest = sha256()
    for path in files_below(OWN / part for part in parts):
        if path.match(pattern):
            digest.update(f"{path.relative_to(OWN).as_posix()}\0".encode())
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def is_own(path: Path) -> bool:
    """Whether an absolute path is one of the project's own files."""
    return path.is_relative_to(OWN) and path.relative_to(OWN).parts[0] in PARTS


def files_below(folders: Iterable[Path]) -> Iterator[Path]:
    """Return the files below folders in a fixed order, but for logs, caches and hidden ones."""
    for top in folders:
        for here, names, files in os.walk(top):
            names[:] = sorted(name for name in names if not _is_made(Path(here, name)))
            yield from (Path(here, name) for name in sorted(files))


def _is_made(folder: Path) -> bool:
    """Whether a folder holds what runs have made."""
    logs = folder.name == "logs" and not (folder / "__init__.py").exists()
    return logs or folder.name.startswith((".", "__pycache__")) or is_archive(folder)
