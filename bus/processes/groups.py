"""What the process groups of a lockstep run share.

A group is what answers as one: an app, whose database the broker keeps (``app_groups``), or a
community with a kernel and a database of its own (``community_groups``). The broker treats both
alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from steerageway.bus.core.runner import AppFigures
from steerageway.bus.lockstep.slot import Slot

Frame = tuple[Any, ...]


class Work:
    """Figures of apps in other processes.

    Attributes:
        spent: slot rank -> wall seconds spent in the app.
        figures: slot rank -> the app's figures, once it has stopped or failed.
    """

    def __init__(self, apps: int) -> None:
        self.spent = [0.0] * apps
        self.figures: dict[int, AppFigures] = {}


class Failed(NamedTuple):
    """An app that failed in its process: slot, instant [ns], reason, details."""

    slot: Slot
    instant: int
    reason: str
    details: str = ""


class Waiting(Protocol):
    """What a group uses of the broker to wait for processes."""

    def gather(self) -> bool:
        """Wait until every app's process has connected; return False if the run ends before."""

    def wait_while(self, condition: Callable[[], bool]) -> None:
        """Handle frames, and watch processes, while a condition holds."""
