"""Flag macros of ``BHV_OpRegionV24`` about its polygons: distances and times."""

from __future__ import annotations

from collections.abc import Callable

from steerageway.helm.world import World
from steerageway.moos.polygon import Polygon
from steerageway.moos.values import trimmed
from steerageway.moos.view import points_text

NEVER = "-1"


def polygon_macros(
    kind: str, give: Callable[[], Polygon | None], world: World, fastest: Callable[[], float]
) -> dict[str, Callable[[], str]]:
    """Return the macros about a polygon: its vertices, and distance and time to its edge.

    Args:
        kind: CORE, SAVE or HALT.
        give: returns the polygon; None if there is none.
        fastest: returns the speed for the times [m/s]; 0 if unknown.
    """

    def corners() -> str:
        polygon = give()
        return "" if polygon is None else f"pts={{{points_text(polygon.points, 2)}}}"

    def away() -> float | None:
        polygon = give()
        return None if polygon is None else polygon.distance_to_edge(world.ownship.place)

    def ahead() -> float | None:
        polygon, ship = give(), world.ownship
        return None if polygon is None else polygon.ray_distance(ship.place, ship.heading)

    def way(found: Callable[[], float | None]) -> Callable[[], str]:
        def text() -> str:
            distance = found()
            return NEVER if distance is None else trimmed(distance, 2)

        return text

    def time(found: Callable[[], float | None]) -> Callable[[], str]:
        def text() -> str:
            distance, speed = found(), fastest()
            return NEVER if distance is None or speed <= 0.0 else trimmed(distance / speed, 2)

        return text

    return {
        f"{kind}_POLY": corners,
        f"DIST_TO_{kind}": way(away),
        f"ETA_TO_{kind}": time(away),
        f"TRAJ_DIST_TO_{kind}": way(ahead),
        f"TRAJ_ETA_TO_{kind}": time(ahead),
    }
