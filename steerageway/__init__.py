"""Steerageway, a marine autonomy simulator: the public interface for apps and scripts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steerageway.bus import App, Options, declare
    from steerageway.launcher import Mission
    from steerageway.vessel.fossen.folder import load

__all__ = ["App", "Mission", "Options", "declare", "load"]

_HOMES = {
    "App": "steerageway.bus",
    "Mission": "steerageway.launcher",
    "Options": "steerageway.bus",
    "declare": "steerageway.bus",
    "load": "steerageway.vessel.fossen.folder",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use: an app needs no launcher."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
