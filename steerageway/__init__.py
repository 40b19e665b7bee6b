"""Steerageway, a marine autonomy simulator: the public interface for apps and scripts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steerageway.bus import App, Options, declare
    from steerageway.launcher import Mission
    from steerageway.vessel.fossen.folder import load
    from steerageway.web.viewer.cell import view

__all__ = ["App", "Mission", "Options", "declare", "load", "view"]

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


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``: public names are imported on first use.

    Args:
        package: its name.
        homes: module -> the names from it, separated by blanks.
    """
    found = {name: module for module, names in homes.items() for name in names.split()}

    def imported(name: str) -> Any:
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"steerageway.{found[name]}"), name)

    return imported


# An app needs no launcher.
__getattr__ = lazily(
    __name__,
    {
        "bus": "App Options declare",
        "launcher": "Mission",
        "vessel.fossen.folder": "load",
        "web.viewer.cell": "view",
    },
)
