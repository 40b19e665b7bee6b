"""Folders of mission files that the launcher writes itself: the user's own stay as they are."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkstemp

from steerageway.bus import runtime_folder
from steerageway.launcher.errors import LaunchError

MOST = 1000  # of these folders; those that were not asked for the longest go first


def cache_root() -> Path:
    """Give the folder in which all of them are."""
    return runtime_folder() / "missions"


def cache_folder(texts: Iterable[str]) -> Path:
    """Give a folder for mission files made of these texts; equal texts share one."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    folder = cache_root() / digest
    is_new = not folder.is_dir()
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()
    if is_new:
        _forget_old()
    return folder


def write_file(path: Path, text: str) -> None:
    """Write a file so that another launch that reads it finds the whole of it at any time."""
    handle, name = mkstemp(dir=path.parent, prefix=".")
    with open(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    os.replace(name, path)


def link_tree(top: Path, beside: Path, up: int, but: Container[str]) -> Path:
    """Link to all there is beside a mission, and in folders above it, so that ``..`` leads there.

    Args:
        top: the folder for the highest of them.
        beside: the mission's folder.
        up: how many folders above it count.
        but: names in it that are left out.
    Returns: the folder that stands for the mission's.
    Raises:
        LaunchError: a folder cannot be read.
    """
    folder, here = top, beside.parents[up - 1] if up else beside
    for inner in beside.relative_to(here).parts:
        _place_links(folder, here, but=(inner,))
        folder, here = folder / inner, here / inner
        folder.mkdir(exist_ok=True)
    _place_links(folder, here, but)
    return folder


def _place_links(folder: Path, here: Path, but: Container[str]) -> None:
    try:
        found = sorted(here.iterdir())
    except OSError as error:
        raise LaunchError(f"{here}: {error.strerror}") from error
    for other in found:
        if other.name not in but:
            link(folder / other.name, other)


def link(link: Path, target: Path) -> None:
    """Link to a file or folder, unless another launch has done so in the meantime."""
    if not link.is_symlink():
        try:
            link.symlink_to(target)
        except FileExistsError:
            return


def _forget_old() -> None:
    """Keep as many folders as there may be."""
    folders = list(cache_root().iterdir())
    if len(folders) > MOST:
        for folder in sorted(folders, key=_last_used)[:-MOST]:
            rmtree(folder, ignore_errors=True)  # another launch may be at it, too


def _last_used(folder: Path) -> float:
    return folder.stat().st_mtime if folder.exists() else 0.0
