"""An app that sets a tug's setpoint in a formation: along a path, or relative to the leader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, radians, sin

from steerageway.bus import App, Entry, Message, Parameter
from steerageway.moos.node_report import NodeReportError, parse
from steerageway.moos.values import rounded360

Pose = tuple[float, float, float]


class Formation(App):
    """Moves a tug's setpoint: along a path for the leader, else relative to the leader."""

    publishes = ("DP_SETPOINT", "FORMATION_ERROR", "MISSION")
    parameters = (
        Parameter("path", "", "x,y,heading : x,y,heading : ... path of the leader"),
        Parameter("speed", "0.15", "speed along the path [m/s], > 0"),
        Parameter("turn", "6", "turn rate between two headings [deg/s], > 0"),
        Parameter("begin", "5", "start time [s]"),
        Parameter("leader", "abe", "name of the leader, followed by the others"),
        Parameter("ahead", "0", "position relative to the leader, along its heading [m]"),
        Parameter("starboard", "0", "position relative to the leader, to starboard [m]"),
    )

    def configure(self) -> None:
        number = self.config.number
        self._path = [pose for entry in self.config.all("path") for pose in _poses(entry)]
        self._speed = number("speed", default=0.15, above=0.0)
        self._turn = number("turn", default=6.0, above=0.0)
        self._begin = number("begin", default=5.0, low=0.0)
        self._leader = self.config.text("leader", default="abe")
        self._offset = number("ahead", default=0.0), number("starboard", default=0.0)
        self._setpoint: Pose | None = None
        self._here: dict[str, float] = {}
        self._reported = -1.0

    def on_start(self) -> None:
        self.register("NAV_X", "NAV_Y", *([] if self._path else ["NODE_REPORT"]))

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            if isinstance(message.value, float):
                self._here[message.name] = message.value
            elif message.name == "NODE_REPORT":
                self._follow(str(message.value))

    def _follow(self, text: str) -> None:
        """Set the setpoint relative to the leader's position and heading."""
        try:
            report = parse(text)
        except NodeReportError as error:
            self.run_warning(f"NODE_REPORT: {error}")
            return
        if report.name.lower() != self._leader or report.x is None or report.y is None:
            return
        heading = report.heading or 0.0
        ahead, starboard = self._offset
        s, c = sin(radians(heading)), cos(radians(heading))
        self._setpoint = (
            report.x + ahead * s + starboard * c,
            report.y + ahead * c - starboard * s,
            heading,
        )

    def iterate(self) -> None:
        if self._path:
            self._setpoint = self._on_path(max(0.0, self.time - self._begin))
        if self._setpoint is None:
            return
        x, y, heading = self._setpoint
        heading = rounded360(heading % 360.0, 2)
        self.post("DP_SETPOINT", f"x={x:.3f},y={y:.3f},heading={heading:.2f}")
        if len(self._here) == 2:
            self.post("FORMATION_ERROR", hypot(self._here["NAV_X"] - x, self._here["NAV_Y"] - y))

    def _on_path(self, since: float) -> Pose:
        """Return the pose on the path; a leg takes the longer of its travel and turn times."""
        for (x0, y0, h0), (x1, y1, h1) in pairwise(self._path):
            turned = (h1 - h0 + 180.0) % 360.0 - 180.0
            lasts = max(hypot(x1 - x0, y1 - y0) / self._speed, abs(turned) / self._turn)
            if since < lasts:
                share = since / lasts
                return x0 + share * (x1 - x0), y0 + share * (y1 - y0), h0 + share * turned
            since -= lasts
        self.post("MISSION", "complete")
        return self._path[-1]

    def report(self) -> Iterable[str]:
        yield "leads" if self._path else f"follows {self._leader}"


def _poses(entry: Entry) -> list[Pose]:
    """Read the poses of a path."""
    poses = []
    for part in entry.value.split(":"):
        x, y, heading = (float(number) for number in part.split(","))
        poses.append((x, y, heading))
    return poses
