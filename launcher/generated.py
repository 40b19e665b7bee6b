"""Folders of mission files that the launcher writes itself: the user's own stay as they are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkstemp

from bus.session import runtime_folder

MOST = 1000  # of these folders; those that were not asked for the longest go first


def generated_root() -> Path:
    """Give the folder in which all of them are."""
    return runtime_folder() / "missions"


def generated_folder(texts: Iterable[str]) -> Path:
    """Give a folder for mission files made of these texts; equal texts share one."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    folder = generated_root() / digest
    is_new = not folder.is_dir()
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()
    if is_new:
        _forget_old()
    return folder


def place(path: Path, text: str) -> None:
    """Write a file so that another launch that reads it finds the whole of it at any time."""
    handle, name = mkstemp(dir=path.parent, prefix=".")
    with open(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    os.replace(name, path)


def place_link(link: Path, target: Path) -> None:
    """Link to a file or folder, unless another launch has done so in the meantime."""
    if not link.is_symlink():
        try:
            link.symlink_to(target)
        except FileExistsError:
            return


def _forget_old() -> None:
    """Keep as many folders as there may be."""
    folders = list(generated_root().iterdir())
    if len(folders) > MOST:
        for folder in sorted(folders, key=_last_used)[:-MOST]:
            rmtree(folder, ignore_errors=True)  # another launch may be at it, too


def _last_used(folder: Path) -> float:
    return folder.stat().st_mtime if folder.exists() else 0.0
