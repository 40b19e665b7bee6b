"""Selection of logged variables, and of the files they are logged to."""

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
    """The file of a variable's messages."""

    LOG = "alog"
    EXCLUSIONS = "xlog"
    NOWHERE = ""


class LogRequest(NamedTuple):
    """A variable to log: ``VAR @ period NOSYNC MONITOR``.

    Attributes:
        name: the variable.
        period: minimum time between two entries [s]; 0: every message.
        sync: whether it is a column of the synchronous log.
        monitor: whether its absence is reported.
    """

    name: str
    period: float = DEFAULT_PERIOD
    sync: bool = True
    monitor: bool = False


def parse_request(text: str) -> LogRequest:
    """Parse a log request.

    Raises:
        ValueError: there is no variable, or a word that is neither a period, NOSYNC nor MONITOR.
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
    """The variables to log.

    Attributes:
        requests: variable -> its request, in their order.
        asynchronous: whether entries are written at all.
        wildcard: whether variables without a request are logged.
        accepted: patterns of those; empty: all of them.
        omitted: patterns of exceptions from those.
        exclusions: whether omitted messages are written to a separate log.
    """

    requests: dict[str, LogRequest] = field(default_factory=dict)
    asynchronous: bool = True
    wildcard: bool = False
    accepted: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    exclusions: bool = False

    def destination(self, name: str) -> Destination:
        """Return the file of a variable's messages."""
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
