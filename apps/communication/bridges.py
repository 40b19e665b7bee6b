"""What the brokers of shore and vessels share: how they meet, and what they bridge.

A bridge is a variable that a broker has ``pShare`` hand on, asked for until it does.

bridge = src=VIEW_POINT
bridge = src=NODE_REPORT_LOCAL, alias=NODE_REPORT
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.communication.routes import read_outputs
from steerageway.bus import variables
from steerageway.moos.values import split_first

PING, ACK, INFO, TRY = "NODE_BROKER_PING", "NODE_BROKER_ACK", "PHI_HOST_INFO", "TRY_SHORE_HOST"
SUMMARY, COMMAND = "PSHARE_OUTPUT_SUMMARY", "PSHARE_CMD"
ANYWHERE = "multicast_0"  # stands for a route that is not known yet
RETRY_DELAY = 5.0  # seconds until what pShare does not list is asked for again; then twice as long


PUBLICATIONS = (
    variables.text(
        COMMAND,
        "`cmd=output,src_name=X,dest_name=Y,route=localhost:9200`",
        when="until pShare confirms",
    ),
)


@dataclass(frozen=True, slots=True)
class Bridge:
    """A variable here, or a pattern of them, and its name there; both may hold macros.

    Attributes:
        alias: its name there; "" for the same. Of a pattern it is put before the name.
    """

    source: str
    alias: str = ""

    def expanded(self, macros: dict[str, str]) -> Bridge:
        """Give the bridge with its macros replaced."""
        source, alias = self.source, self.alias
        for macro, text in macros.items():
            source, alias = source.replace(macro, text), alias.replace(macro, text)
        return Bridge(source, alias)

    @property
    def names_there(self) -> str:
        """The names that it has there, as a pattern."""
        return read_outputs(self.line(ANYWHERE))[0].names_there

    def line(self, route: str) -> str:
        """Write it as an output of ``pShare``."""
        renamed = f",dest_name={self.alias}" if self.alias else ""
        return f"src_name={self.source}{renamed},route={route}"


def read_bridge(text: str) -> Bridge:
    """Read a ``bridge`` line.

    Raises:
        ValueError: it names no variable, or something else.
    """
    fields = dict(split_first(field, "=") for field in text.split(",") if field.strip())
    by_key = {key.lower(): value for key, value in fields.items()}
    source, alias = by_key.pop("src", ""), by_key.pop("alias", "")
    if by_key or not source or any(" " in name for name in (source, alias)):
        raise ValueError("expected src=VARIABLE, alias=ITS_NAME_THERE")
    bridge = Bridge(source, alias)
    read_outputs(bridge.line(ANYWHERE))
    return bridge


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
        """Have a variable handed on to a route.

        Raises:
            RouteError: it is none.
        """
        line = bridge.line(route)
        for output in read_outputs(line):
            self._wanted[str(output)] = f"cmd=output,{line}"

    def take_summary(self, summary: str) -> None:
        """Take note of what ``pShare`` says it hands on."""
        self._at_work = {output.strip() for output in summary.split(",")}

    def commands(self, time: float) -> list[str]:
        """Give the commands that are to be given now [s]."""
        given = []
        for shown, command in self._wanted.items():
            due, delay = self._next.get(shown, (time, RETRY_DELAY))
            if shown in self._at_work:
                self._next.pop(shown, None)
            elif time >= due:
                self._next[shown] = (time + delay, 2 * delay)
                given.append(command)
        self.asked += len(given)
        return given

    @property
    def missing(self) -> list[str]:
        """What ``pShare`` does not hand on yet."""
        return [shown for shown in self._wanted if shown not in self._at_work]
