"""Regions of operation: drawn, received in a variable, and watched for breaches."""

from __future__ import annotations

from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.shapes import Hints, hinted, look_of
from steerageway.helm.world import World
from steerageway.moos import view
from steerageway.moos.polygon import Polygon, PolygonError, parse_polygon
from steerageway.moos.values import by_key

HINTS = by_key("vertex_size=1,edge_size=1,vertex_color=white,edge_color=aqua,label_color=white")


def region_text(polygon: Polygon, hints: tuple[Hints, ...], label: str, kind: str = "") -> str:
    """Return the ``VIEW_POLYGON`` of a region.

    Args:
        kind: prefix of the hints, if one behavior draws several regions: "save".
    """
    looks = hinted(hints, HINTS)
    own = {key: looks.get(f"{kind}_{key}", looks[key]) for key in HINTS}
    return view.seglist(polygon.points, look_of(own, label), digits=2)


class RegionReader:
    """Reads regions from a variable."""

    def __init__(self, behavior: AnyBehavior) -> None:
        self._behavior = behavior
        self._received: float | None = None

    def take(self, variable: str | None) -> Polygon | None:
        """Return the region received since the last call, if any; warn of an invalid one."""
        world = self._behavior.world
        received = world.received.get(variable) if variable else None
        if variable is None or received == self._received:
            return None
        self._received = received
        try:
            return parse_polygon(str(world.values[variable]))
        except PolygonError as error:
            self._behavior.warn(f"{variable}: {error}")
            return None


class RegionWatch:
    """Whether a region has been left, until the vessel is back in it.

    Attributes:
        armed: the vessel has been inside for the entry time.
        breached: it has been outside for the exit time, and armed if that is required.
        inside_since: time of entry [s]; None while outside.
        outside_since: time of exit [s]; None while inside.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Return to the initial state."""
        self.armed = self.breached = False
        self.inside_since: float | None = None
        self.outside_since: float | None = None

    def update(
        self, now: float, entry_time: float, exit_time: float, *, inside: bool, armed: bool
    ) -> bool:
        """Update by one position; return whether the region is breached.

        Args:
            now: [s].
            entry_time: time inside after which the region is armed [s].
            exit_time: time outside after which it is breached [s].
            armed: it can be breached without having been entered.
        """
        if inside:
            self.outside_since = None
            self.inside_since = now if self.inside_since is None else self.inside_since
            self.armed = self.armed or now - self.inside_since >= entry_time
            self.breached = False
        else:
            self.inside_since = None
            self.outside_since = now if self.outside_since is None else self.outside_since
            left = now - self.outside_since >= exit_time
            self.breached = left and (self.armed or armed)
        return self.breached


class Reset:
    """A variable whose value true requests a reset."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._received: float | None = None

    def is_requested(self, variable: str | None) -> bool:
        """Whether the variable was received since the last call, with the value true."""
        received = self._world.received.get(variable) if variable else None
        new = variable is not None and received != self._received
        self._received = received
        return new and str(self._world.values[variable or ""]).lower() == "true"


class Limits:
    """Detects breaches of the limits of depth, altitude and time."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._begun: float | None = None

    def reset(self) -> None:
        """Restart the time."""
        self._begun = None

    def remaining(self, most: float) -> float:
        """Return the remaining time [s], measured from the first call; at least 0."""
        now = self._world.time
        self._begun = now if self._begun is None else self._begun
        return max(0.0, most - (now - self._begun))

    def breach(self, max_depth: float, min_altitude: float, max_time: float) -> tuple[str, str]:
        """Return the limit that is breached (depth, altitude, time or "") and a message.

        A value of 0 means no limit.
        """
        depth, height = self._world.ownship.depth, self._world.number("NAV_ALTITUDE")
        if depth > max_depth > 0:
            return "depth", f"depth {depth:g} m is below {max_depth:g} m"
        if min_altitude > 0 and height is None:
            return "altitude", "NAV_ALTITUDE was never heard"
        if height is not None and height < min_altitude:
            return "altitude", f"height {height:g} m is less than {min_altitude:g} m"
        if max_time > 0 and self.remaining(max_time) == 0:
            return "time", f"the {max_time:g} s are over"
        return "", ""


class BreachFlags:
    """Posts the flags of each kind of breach (poly, depth, altitude, time) once, until its end."""

    def __init__(self, behavior: AnyBehavior) -> None:
        self._behavior = behavior
        self._posted: set[str] = set()

    def post(self, kind: str) -> None:
        """Post the flags of ``breached_{kind}_flag``, unless they were posted before."""
        if kind not in self._posted:
            self._posted.add(kind)
            self._behavior.post_flags(getattr(self._behavior.settings, f"breached_{kind}_flag"))

    def end(self, kind: str) -> None:
        """End a breach: its flags will be posted at the next one."""
        self._posted.discard(kind)

    def reset(self) -> None:
        """End all breaches."""
        self._posted.clear()
