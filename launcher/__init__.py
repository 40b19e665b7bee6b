"""Mission launcher: turns options, mission files and launch lists into a plan that the bus runs.

``Mission`` is for scripts and notebooks, see ``docs/python.md``; ``launch.py`` starts without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from steerageway import lazily, refuse_bare_import

refuse_bare_import(__name__)


if TYPE_CHECKING:
    from steerageway.bus import Case
    from steerageway.launcher.errors import LaunchError
    from steerageway.launcher.mission import Mission, MissionFailed

__all__ = ["Case", "LaunchError", "Mission", "MissionFailed"]

__getattr__ = lazily(
    __name__,
    {
        "bus.core.cases": "Case",
        "launcher.errors": "LaunchError",
        "launcher.mission": "Mission MissionFailed",
    },
)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
