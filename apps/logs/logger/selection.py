"""Which variables are logged, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from steerageway.bus import any_matches
from steerageway.moos.values import is_number, split_first

SYSTEM_VARIABLES = ("MOOS_DEBUG", "MOOS_SYSTEM")
ALWAYS_OMITTED = "MISSION_FILE"
DEFAULT_PERIOD = 2.0


class Destination(Enum):
    """Where a variable's messages go."""

    LOG = "alog"
    EXCLUSIONS = "xlog"
    NOWHERE = ""


class LogRequest(NamedTuple):
    """A variable that is to be logged: ``VAR @ period NOSYNC MONITOR``.

    Attributes:
        name: the variable.
        period: least time between two entries [s]; 0: every message.
        sync: whether it is a column of the synchronous log.
        monitor: whether its absence is reported.
    """

    name: str
    period: float = DEFAULT_PERIOD
    sync: bool = True
    monitor: bool = False


def parse_request(text: str) -> LogRequest:
    """Read a log request.

    Raises:
        ValueError: no variable, or something that is neither a period, NOSYNC nor MONITOR.
    """
    name, rest = split_first(text, "@")
    period, flags = DEFAULT_PERIOD, []
    for word in re.split(r"[\s,]+", rest) if rest else ():
        if is_number(word) and not word.startswith("-"):
            period = float(word)
        elif word.upper() in ("NOSYNC", "MONITOR"):
            flags.append(word.upper())
        else:
            raise ValueError(word)
    if not name or "=" in name or any(char.isspace() for char in name):
        raise ValueError(name)
    return LogRequest(name, period, "NOSYNC" not in flags, "MONITOR" in flags)


@dataclass(slots=True)
class Selection:
    """Chooses what is logged.

    Attributes:
        requests: variable -> what was asked for, in the order of asking.
        asynchronous: whether there are entries at all.
        wildcard: whether variables that nobody asked for are logged too.
        accepted: patterns of those; none: all of them.
        omitted: patterns of those that are left out after all.
        exclusions: whether what is left out goes to a log of its own.
    """

    requests: dict[str, LogRequest] = field(default_factory=dict)
    asynchronous: bool = True
    wildcard: bool = False
    accepted: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    exclusions: bool = False

    def destination(self, name: str) -> Destination:
        """Say where a variable's messages go."""
        if not self.asynchronous:
            return Destination.NOWHERE
        if name in self.requests or name in SYSTEM_VARIABLES:
            return Destination.LOG
        if not self.wildcard:
            return Destination.NOWHERE
        if self._accepts(name):
            return Destination.LOG
        return Destination.EXCLUSIONS if self.exclusions else Destination.NOWHERE

    def _accepts(self, name: str) -> bool:
        if any_matches((*self.omitted, ALWAYS_OMITTED), name):
            return False
        return not self.accepted or any_matches(self.accepted, name)
