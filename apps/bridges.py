"""Bridges: variables that a broker has ``pShare`` hand on, asked for until they are.

bridge = src=VIEW_POINT
bridge = src=NODE_REPORT_LOCAL, alias=NODE_REPORT
"""

from __future__ import annotations

from dataclasses import dataclass

from bus.config import Config, Entry
from moos.values import bite

SUMMARY, COMMAND = "PSHARE_OUTPUT_SUMMARY", "PSHARE_CMD"
PATIENCE = 5.0  # seconds until what pShare does not list is asked for again; then twice as long


@dataclass(frozen=True, slots=True)
class Bridge:
    """A variable here and its name there; both may hold macros."""

    source: str
    alias: str

    def expanded(self, macros: dict[str, str]) -> Bridge:
        """Give the bridge with its macros replaced."""
        source, alias = self.source, self.alias
        for macro, text in macros.items():
            source, alias = source.replace(macro, text), alias.replace(macro, text)
        return Bridge(source, alias)


def read_bridge(entry: Entry) -> Bridge:
    """Read a ``bridge`` line.

    Raises:
        ConfigError: it names no variable, or something else.
    """
    fields = dict(bite(field, "=") for field in entry.value.split(",") if field.strip())
    told = {key.lower(): value for key, value in fields.items()}
    source, alias = told.pop("src", ""), told.pop("alias", "")
    if told or not source or any(" " in name for name in (source, alias)):
        raise Config.error(entry, "expected src=VARIABLE, alias=ITS_NAME_THERE")
    return Bridge(source, alias or source)


class Bridges:
    """What ``pShare`` is to hand on, and what it does not yet.

    Attributes:
        asked: commands given so far.
    """

    def __init__(self) -> None:
        self.asked = 0
        self._wanted: dict[str, str] = {}
        self._next: dict[str, tuple[float, float]] = {}
        self._at_work: set[str] = set()

    def want(self, bridge: Bridge, route: str) -> None:
        """Have a variable handed on to a route."""
        shown = f"{bridge.source}->{bridge.alias}:{route}"
        names = f"src_name={bridge.source},dest_name={bridge.alias}"
        self._wanted[shown] = f"cmd=output,{names},route={route}"

    def take_summary(self, summary: str) -> None:
        """Take note of what ``pShare`` says it hands on."""
        self._at_work = {output.strip() for output in summary.split(",")}

    def commands(self, time: float) -> list[str]:
        """Give the commands that are to be given now [s]."""
        given = []
        for shown, command in self._wanted.items():
            due, patience = self._next.get(shown, (time, PATIENCE))
            if shown in self._at_work:
                self._next.pop(shown, None)
            elif time >= due:
                self._next[shown] = (time + patience, 2 * patience)
                given.append(command)
        self.asked += len(given)
        return given

    @property
    def missing(self) -> list[str]:
        """What ``pShare`` does not hand on yet."""
        return [shown for shown in self._wanted if shown not in self._at_work]
