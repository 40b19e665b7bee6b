"""``uGeofence``: a ring a vessel must not leave, obstacles it must not enter, an end of the world.

A breach is told, and stops it: the helm is overridden, and its actuators too where ``stop`` says
how. Rings need not be convex; their points are latitudes and longitudes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isfinite

from steerageway.apps.framework.datum import read_datum
from steerageway.bus import App, Config, Entry, Message, Parameter, variables

Point = tuple[float, float]
EXPECTED = "expected three points or more, lat,lon : lat,lon : ..."


class Geofence(App):
    """A ring a vessel must not leave, obstacles it must not enter, an end of the world."""

    publications = (
        variables.text(
            "GEOFENCE_BREACH",
            "whether it has left the fence",
            range="`true`, `false`",
            when="on change, with `fence`",
        ),
        variables.text(
            "WORLD_BREACH",
            "whether it is beyond the world's end",
            range="`true`, `false`",
            when="on change, with `world_north` or `world_east`",
        ),
        variables.text(
            "OBSTACLE_HIT",
            "whether it is inside an obstacle",
            range="`true`, `false`",
            when="on change, with `obstacle`",
        ),
        variables.text(
            "ACTUATOR_CMD_OVERRIDE",
            "`th_1=0,cs_1=0`: its actuators, stopped",
            unit="deg, rpm",
            when="tick during a breach, with `stop`",
        ),
    )
    publishes: Sequence[str] = (
        *("GEOFENCE_BREACH", "WORLD_BREACH", "OBSTACLE_HIT"),
        *("MOOS_MANUAL_OVERRIDE", "ACTUATOR_CMD_OVERRIDE"),
    )
    subscribes = ("NAV_X", "NAV_Y")
    parameters = (
        Parameter("fence", "", "ring to stay in once it is inside: lat,lon : lat,lon : ..."),
        Parameter("obstacle", "", "ring to stay out of, written the same way; may be repeated"),
        Parameter("world_north", "0", "how far north or south of the datum it may be [m]; 0: any"),
        Parameter("world_east", "0", "how far east or west of the datum it may be [m]; 0: any"),
        Parameter("stop", "", "commands of actuators that stop it, as th_1=0,cs_1=0"),
    )

    def configure(self) -> None:
        """Read the block."""
        config = self.config
        fences = [self._ring(entry) for entry in config.all("fence")]
        self._fence = fences[-1] if fences else []
        self._obstacles = [self._ring(entry) for entry in config.all("obstacle")]
        self._world = tuple(
            config.number(key, default=0.0, low=0.0) for key in ("world_east", "world_north")
        )
        self._stop = config.text("stop")
        self._nav: dict[str, float] = {}
        self._entered = self._left = self._hit = False
        self._posted: dict[str, str] = {}

    def _ring(self, entry: Entry) -> list[Point]:
        """Give a ring's points in local x, y."""
        projection = read_datum(self.setting.globals)
        if projection is None:
            raise Config.error(entry, "needs LatOrigin and LongOrigin")
        points = []
        for part in entry.value.split(":"):
            try:
                lat, lon = (float(number) for number in part.split(","))
            except ValueError:
                raise Config.error(entry, EXPECTED) from None
            if not isfinite(lat + lon):
                raise Config.error(entry, EXPECTED)
            points.append(projection.to_local(lat, lon))
        if len(points) < 3:
            raise Config.error(entry, EXPECTED)
        return points

    def on_start(self) -> None:
        """Register."""
        self.register(*self.subscribes)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take where it is."""
        for message in mail:
            if isinstance(message.value, float):
                self._nav[message.name] = message.value

    def iterate(self) -> None:
        """Look where it is, tell what has changed, and hold it while it must not go on."""
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
        """Give what was told last."""
        yield from (f"{name}: {text}" for name, text in self._posted.items())
        if self._fence and not self._entered:
            yield "Not inside the fence yet: it counts from then on"


def contains(ring: Sequence[Point], here: Point) -> bool:
    """Say whether a point lies inside a ring, convex or not, by how often a ray crosses it."""
    x, y = here
    inside = False
    for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(Geofence)
