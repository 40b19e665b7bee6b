"""Starts missions: options, mission files and launch lists in, a plan for the bus out.

``Mission`` is for scripts and notebooks, see ``docs/python.md``.
"""

from bus.cases import Case
from launcher.errors import LaunchError
from launcher.mission import Mission, MissionFailed

__all__ = ["Case", "LaunchError", "Mission", "MissionFailed"]
