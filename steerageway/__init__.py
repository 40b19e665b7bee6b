"""Steerageway, a marine autonomy simulator: the public interface for apps and scripts."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steerageway.bus import App, Options, declare
    from steerageway.launcher import Mission
    from steerageway.vessel.fossen.folder import load
    from steerageway.web.viewer.cell import view

__all__ = ["App", "Mission", "Options", "declare", "load", "view"]

_HOMES = {
    "App": "steerageway.bus",
    "Mission": "steerageway.launcher",
    "Options": "steerageway.bus",
    "declare": "steerageway.bus",
    "load": "steerageway.vessel.fossen.folder",
    "view": "steerageway.web.viewer.cell",
}


_here = Path(__file__).parent
# In a checkout the packages lie beside this folder, which holds at most links to them, for type
# checkers. Each module then has one path, the one that the documentation names.
if (_here / "bus").is_symlink() or not (_here / "bus").is_dir():
    __path__.insert(0, str(_here.parent))


def refuse_bare_import(name: str) -> None:
    """Refuse to import a package of the project by another name than ``steerageway.NAME``.

    ``python -m bus`` works in a checkout: what it starts imports by the full names.

    Raises:
        ImportError: the package would be loaded a second time, with its own classes.
    """
    if name.partition(".")[0] != __name__ and sys.argv[:1] != ["-m"]:
        raise ImportError(f"import {name}: write import {__name__}.{name}", name=name)


def require(extra: str, package: str, *libraries: str) -> None:
    """Refuse to import a package without the libraries of its extra.

    Raises:
        ModuleNotFoundError: one is not installed; the text names the extra.
    """
    for library in libraries:
        try:
            import_module(library)
        except ModuleNotFoundError as error:
            needs = f"{package} needs {error.name}: pip install '{__name__}[{extra}]'"
            raise ModuleNotFoundError(needs, name=error.name) from error


def __getattr__(name: str) -> Any:
    """Import a public name on first use: an app needs no launcher."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
