"""Variable bridges of uFldNodeBroker and uFldShoreBroker, requested from pShare until confirmed.

bridge = src=VIEW_POINT
bridge = src=NODE_REPORT_LOCAL, alias=NODE_REPORT
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.shared.routes import read_outputs
from steerageway.bus import variables
from steerageway.moos.values import split_first

PING, ACK, INFO, TRY = "NODE_BROKER_PING", "NODE_BROKER_ACK", "PHI_HOST_INFO", "TRY_SHORE_HOST"
SUMMARY, COMMAND = "PSHARE_OUTPUT_SUMMARY", "PSHARE_CMD"
ANYWHERE = "multicast_0"  # placeholder for a route that is not known yet
FIRST_RETRY = 5.0  # delay before an unconfirmed request is repeated [s]; doubles each time


PUBLICATIONS = (
    variables.text(
        COMMAND,
        "`cmd=output,src_name=X,dest_name=Y,route=localhost:9200`",
        when="until pShare confirms",
    ),
)


@dataclass(frozen=True, slots=True)
class Bridge:
    """A variable, or a pattern of variables, and its name at the destination; both may hold macros.

    Attributes:
        alias: name at the destination; "" for the same. For a pattern it is a prefix.
    """

    source: str
    alias: str = ""

    def expanded(self, macros: dict[str, str]) -> Bridge:
        """Return the bridge with its macros replaced."""
        source, alias = self.source, self.alias
        for macro, text in macros.items():
            source, alias = source.replace(macro, text), alias.replace(macro, text)
        return Bridge(source, alias)

    @property
    def names_there(self) -> str:
        """The names at the destination, as a pattern."""
        return read_outputs(self.line(ANYWHERE))[0].names_there

    def line(self, route: str) -> str:
        """Return the bridge as an output of ``pShare``."""
        renamed = f",dest_name={self.alias}" if self.alias else ""
        return f"src_name={self.source}{renamed},route={route}"


def read_bridge(text: str) -> Bridge:
    """Parse a ``bridge`` line.

    Raises:
        ValueError: there is no variable, or an unknown key.
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
    """The outputs requested from ``pShare``, and those it has not confirmed yet."""

    def __init__(self) -> None:
        self._requested: dict[str, str] = {}
        self._next: dict[str, tuple[float, float]] = {}
        self._confirmed: set[str] = set()

    def request(self, bridge: Bridge, route: str) -> None:
        """Request that a variable is forwarded to a route.

        Raises:
            RouteError: the route is invalid.
        """
        line = bridge.line(route)
        for output in read_outputs(line):
            self._requested[str(output)] = f"cmd=output,{line}"

    def take_summary(self, summary: str) -> None:
        """Update the set of confirmed outputs from ``PSHARE_OUTPUT_SUMMARY``."""
        self._confirmed = {output.strip() for output in summary.split(",")}

    def commands(self, time: float) -> list[str]:
        """Return the commands to post at this time [s]."""
        given = []
        for shown, command in self._requested.items():
            due, delay = self._next.get(shown, (time, FIRST_RETRY))
            if shown in self._confirmed:
                self._next.pop(shown, None)
            elif time >= due:
                self._next[shown] = (time + delay, 2 * delay)
                given.append(command)
        return given

    @property
    def missing(self) -> list[str]:
        """The requested outputs that ``pShare`` has not confirmed yet."""
        return [shown for shown in self._requested if shown not in self._confirmed]
