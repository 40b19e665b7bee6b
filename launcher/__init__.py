"""Mission launcher: turns options, mission files and launch lists into a plan that the bus runs.

``Mission`` is for scripts and notebooks, see ``docs/python.md``; ``launch.py`` starts without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from steerageway import refuse_bare_import

refuse_bare_import(__name__)


if TYPE_CHECKING:
    from steerageway.bus import Case
    from steerageway.launcher.errors import LaunchError
    from steerageway.launcher.mission import Mission, MissionFailed

__all__ = ["Case", "LaunchError", "Mission", "MissionFailed"]

_HOMES = {
    "Case": "steerageway.bus.core.cases",
    "LaunchError": "steerageway.launcher.errors",
    "Mission": "steerageway.launcher.mission",
    "MissionFailed": "steerageway.launcher.mission",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
