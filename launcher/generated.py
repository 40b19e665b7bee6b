"""Folders of mission files that the launcher writes itself: the user's own stay as they are."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from bus.session import runtime_folder


def generated_root() -> Path:
    """Give the folder in which all of them are."""
    return runtime_folder() / "missions"


def generated_folder(texts: Iterable[str]) -> Path:
    """Give a folder for mission files made of these texts; equal texts share one."""
    digest = sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    folder = generated_root() / digest
    folder.mkdir(parents=True, exist_ok=True)
    return folder
