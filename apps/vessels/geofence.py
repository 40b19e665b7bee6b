"""``uGeofence``: monitors a fence to stay in, obstacles to stay out of, and limits of the world.

A breach is posted, and stops the vessel: the helm is overridden, and with ``stop`` the actuators
are,
too. Rings need not be convex; their points are latitudes and longitudes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.declarations import all_finite

Point = tuple[float, float]
EXPECTED = "expected three points or more, lat,lon : lat,lon : ..."


def parse_ring(text: str) -> list[Point]:
    """Parse a ring's points: latitudes and longitudes [deg].

    Raises:
        ValueError: what was expected.
    """
    points = []
    for part in text.split(":"):
        numbers = all_finite(part.split(","))
        if numbers is None or len(numbers) != 2:
            raise ValueError(EXPECTED)
        points.append((numbers[0], numbers[1]))
    if len(points) < 3:
        raise ValueError(EXPECTED)
    return points


@dataclass(frozen=True)
class FenceOptions(Options):
    """Parameters of the configuration block."""

    fence: tuple[list[Point], ...] = declare.lines(
        parse_ring,
        "ring to stay in once inside: lat,lon : lat,lon : ...; the last line is used",
    )
    obstacle: tuple[list[Point], ...] = declare.lines(
        parse_ring, "ring to stay out of, in the same form"
    )
    world_north: float = declare.number(
        0, "maximum distance north or south of the datum; 0: unlimited", unit="m", low=0
    )
    world_east: float = declare.number(
        0, "maximum distance east or west of the datum; 0: unlimited", unit="m", low=0
    )
    stop: str = declare.text("", "actuator commands that stop the vessel, as th_1=0,cs_1=0")


class Geofence(App):
    """Monitors a fence, obstacles and limits of the world, and stops the vessel at a breach."""

    publications = variables.published("""
        GEOFENCE_BREACH | text | | `true`, `false` | on change, with `fence` | whether the vessel
            has left the fence
        WORLD_BREACH | text | | `true`, `false` | on change, with `world_north` or `world_east` |
            whether the vessel is beyond the limits of the world
        OBSTACLE_HIT | text | | `true`, `false` | on change, with `obstacle` | whether the vessel is
            inside an obstacle
        ACTUATOR_CMD_OVERRIDE | text | deg, rpm | | tick during a breach, with `stop` |
            `th_1=0,cs_1=0`: actuator commands that stop the vessel
    """)
    publishes: Sequence[str] = (
        *("GEOFENCE_BREACH", "WORLD_BREACH", "OBSTACLE_HIT"),
        *("MOOS_MANUAL_OVERRIDE", "ACTUATOR_CMD_OVERRIDE"),
    )
    subscribes = ("NAV_X", "NAV_Y")
    parameters = FenceOptions.parameters()

    def configure(self) -> None:
        options = FenceOptions.read(self.config)
        self._fence = self._local(options.fence[-1]) if options.fence else []
        self._obstacles = [self._local(ring) for ring in options.obstacle]
        self._world = (options.world_east, options.world_north)
        self._stop = options.stop
        self._nav: dict[str, float] = {}
        self._entered = self._left = self._hit = False
        self._posted: dict[str, str] = {}

    def _local(self, ring: list[Point]) -> list[Point]:
        """Return a ring's points in local x, y."""
        projection = read_datum(self.setting.globals)
        if projection is None:
            line = self.config.all("fence", "obstacle")[0]
            raise self.config.error(line, "needs LatOrigin and LongOrigin")
        return [projection.to_local(lat, lon) for lat, lon in ring]

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the position."""
        for message in mail:
            if isinstance(message.value, float):
                self._nav[message.name] = message.value

    def iterate(self) -> None:
        """Check the position, post changes, and stop the vessel during a breach."""
        if len(self._nav) < len(self.subscribes):
            return
        here = self._nav["NAV_X"], self._nav["NAV_Y"]
        if self._fence:
            inside = contains(self._fence, here)
            self._entered = self._entered or inside
            self._left = self._entered and not inside
            self._post_changed("GEOFENCE_BREACH", self._left)
        beyond = any(0 < far < abs(at) for far, at in zip(self._world, here, strict=True))
        if any(self._world):
            self._post_changed("WORLD_BREACH", beyond)
        if self._obstacles:
            self._hit = any(contains(ring, here) for ring in self._obstacles)
            self._post_changed("OBSTACLE_HIT", self._hit)
        if self._left or beyond:
            self.post("MOOS_MANUAL_OVERRIDE", "true")
            if self._stop:
                self.post("ACTUATOR_CMD_OVERRIDE", self._stop)

    def _post_changed(self, name: str, flag: bool) -> None:
        text = "true" if flag else "false"
        if self._posted.get(name) != text:
            self._posted[name] = text
            self.post(name, text)
            if flag:
                self.event(f"{name} = {text}")

    def report(self) -> Iterable[str]:
        """Yield the values posted last."""
        yield from (f"{name}: {text}" for name, text in self._posted.items())
        if self._fence and not self._entered:
            yield "Not inside the fence yet: it counts from then on"


def contains(ring: Sequence[Point], here: Point) -> bool:
    """Whether a point is inside a ring, convex or not: a ray crosses an odd number of edges."""
    x, y = here
    inside = False
    for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside
