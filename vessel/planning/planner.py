"""A planner: paths over a map with moving vessels, and whether a path is still clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf
from typing import NamedTuple

import numpy as np

from steerageway.vessel.perception import occupancy
from steerageway.vessel.perception.measurement import Measurement
from steerageway.vessel.perception.occupancy import UNKNOWN
from steerageway.vessel.planning.costs import clearances, ways_to_go, weights
from steerageway.vessel.planning.search import GROWTH, search
from steerageway.world.arrays import Flags, Floats
from steerageway.world.compiling import in_steps

FARTHEST, CELLS = 1e7, (0.01, 1000.0)  # limits of a map's place, and of its cells [m]
MOST_CELLS = 1024  # along the side of a map
OCCUPIED = 65  # probability from which a cell is occupied [%], as in ROS's map_server
OUTLINE = 1.5  # a moving vessel's own returns lie within half its length and this [m]
STILL_CLEAR = 0.8  # of the distances to be kept: a path is kept while it keeps this share
WITHIN = 0.8  # of the present distance is kept from what is nearer than it should be
TOLERANCE = 0.3  # [m] from the path by which its waypoints may cut its corners


@dataclass(frozen=True)
class PlannerSettings:
    """Settings of a planner.

    Attributes:
        speed: [m/s]. turn_radius: least one [m].
        clearance: least distance from what is occupied [m]; comfort: below which it costs.
        close: distance at which the goal is reached [m].
        horizon: for which others' motion is predicted [s].
        most_states: number of states at which a search ends.
    """

    speed: float = 1.0
    turn_radius: float = 5.0
    clearance: float = 2.5
    comfort: float = 8.0
    close: float = 4.0
    horizon: float = 60.0
    most_states: int = 100_000


class Mover(NamedTuple):
    """A moving vessel: north, east [m], their rates [m/s], length [m]."""

    north: float
    east: float
    north_rate: float
    east_rate: float
    length: float


class Plan(NamedTuple):
    """A path.

    Attributes:
        states: (k, 5) north, east [m], heading [rad], time from the start [s], speed [m/s].
        complete: whether it ends at the goal, or leaves the map towards it.
        searched: number of states that the search has made.
    """

    states: Floats
    complete: bool
    searched: int

    def nearest(self, north: float, east: float) -> tuple[int, float]:
        """Return the index of the state nearest to a place, and the distance from it [m]."""
        away = np.hypot(self.states[:, 0] - north, self.states[:, 1] - east)
        index = int(away.argmin())
        return index, float(away[index])

    def waypoints(self) -> Floats:
        """Return few points (k, 2), north, east [m], whose legs stay near to the path."""
        places = self.states[:, :2]
        kept, stack = {0, len(places) - 1}, [(0, len(places) - 1)]
        while stack:
            first, last = stack.pop()
            ways = places[first : last + 1] - places[first]
            leg = ways[-1] / max(hypot(*ways[-1]), 1e-9)
            off = np.abs(ways[:, 0] * leg[1] - ways[:, 1] * leg[0])
            middle = first + int(off.argmax())
            if off.max() > TOLERANCE and first < middle < last:
                kept.add(middle)
                stack += [(first, middle), (middle, last)]
        return places[sorted(kept)]


class Planner:
    """Plans paths over the latest map.

    Args:
        settings: see there.
    """

    def __init__(self, settings: PlannerSettings) -> None:
        self._settings = settings
        self._corner = np.zeros(2)
        self._cell = 1.0
        self._percent: np.ndarray = np.full((2, 2), UNKNOWN, np.uint8)

    def take(self, measured: Measurement) -> None:
        """Take a map.

        Raises:
            ValueError: it is none.
        """
        if measured.cell is None or measured.data.ndim != 2 or measured.data.dtype != np.uint8:
            raise ValueError("expected a map: rows and columns of |u1, and the size of a cell")
        if min(measured.data.shape) < 2 or max(measured.data.shape) > MOST_CELLS:
            raise ValueError(f"expected a map of 2 to {MOST_CELLS} cells along its sides")
        if max(map(abs, measured.pose[:2])) > FARTHEST or not CELLS[0] <= measured.cell <= CELLS[1]:
            within = f"{CELLS[0]:g} to {CELLS[1]:g} m, within {FARTHEST:g} m of the datum"
            raise ValueError(f"expected a map of cells of {within}")
        self._percent, self._cell = measured.data, measured.cell
        self._corner = np.array(measured.pose[:2])

    def plan(
        self, pose: tuple[float, float, float], goal: tuple[float, float], movers: Sequence[Mover]
    ) -> Plan | None:
        """Return a path to a goal, or as far towards it as the search came; None: there is none.

        Args:
            pose: north, east [m], heading [rad].
            goal: north, east [m].
            movers: around.
        """
        s = self._settings
        clear = self._clear(movers)
        here = np.array(pose[:2]) - self._corner
        least = self._least(clear, here)
        weight = weights(clear, self._percent == UNKNOWN, s.clearance, s.comfort)
        target = np.array(goal) - self._corner
        fields = np.stack((clear, weight, ways_to_go(weight, self._cell, target, s.close)))
        numbers = np.array((self._cell, s.speed, s.turn_radius, least, s.close, s.horizon))
        start = np.array((*here, pose[2]))
        states, parents, end, reached = search(
            start, target, fields, self._kept(movers, here), numbers, s.most_states
        )
        path = []
        while end >= 0:
            path.append(end)
            end = int(parents[end])
        if len(path) < 2:
            return None
        rows = states[path[::-1], :5]
        rows[:, :2] += self._corner
        return Plan(rows, bool(reached), len(states))

    def is_clear(self, plan: Plan, place: tuple[float, float], movers: Sequence[Mover]) -> bool:
        """Return whether the rest of a path, from the state nearest to a place, is still clear."""
        index, _ = plan.nearest(*place)
        rest = plan.states[index:]
        clear, here = self._clear(movers), np.array(place) - self._corner
        cells = np.floor((rest[:, :2] - self._corner) / self._cell).astype(np.int64)
        inside = ((cells >= 0) & (cells < clear.shape)).all(axis=1)
        if (clear[tuple(cells[inside].T)] < STILL_CLEAR * self._least(clear, here)).any():
            return False
        times = rest[:, 3] - rest[0, 3]
        soon = times <= self._settings.horizon
        for north, east, u, v, kept in self._kept(movers, here):
            away = np.hypot(
                rest[:, 0] - self._corner[0] - north - u * times,
                rest[:, 1] - self._corner[1] - east - v * times,
            )
            if (away < STILL_CLEAR * (kept + GROWTH * times))[soon].any():
                return False
        return True

    def _clear(self, movers: Sequence[Mover]) -> Floats:
        """Return the distance of each cell from what is occupied and does not move (n, m) [m]."""
        occupied: Flags = (self._percent >= OCCUPIED) & (self._percent != UNKNOWN)
        for mover in movers:
            reach = 0.5 * mover.length + OUTLINE
            low, high = (
                np.floor((np.array(mover[:2]) - self._corner + side) / self._cell)
                for side in (-reach, reach)
            )
            if (high < 0).any() or (low >= occupied.shape).any():
                continue
            a, b = (
                slice(int(max(0, one)), int(min(n, two + 1)))
                for one, two, n in zip(low, high, occupied.shape, strict=True)
            )
            i, j = np.mgrid[a, b]
            away = np.hypot(
                (i + 0.5) * self._cell + self._corner[0] - mover.north,
                (j + 0.5) * self._cell + self._corner[1] - mover.east,
            )
            occupied[a, b] &= away > reach
        return clearances(occupied, self._cell)

    def _least(self, clear: Floats, here: Floats) -> float:
        """Return the clearance to be kept [m]: no more than what there is now."""
        i, j = np.floor(here / self._cell).astype(np.int64)
        inside = 0 <= i < clear.shape[0] and 0 <= j < clear.shape[1]
        return float(min(self._settings.clearance, WITHIN * clear[i, j] if inside else inf))

    def _kept(self, movers: Sequence[Mover], here: Floats) -> Floats:
        """Return (k, 5): place from the corner, rates, distance to be kept from what moves [m]."""
        rows = []
        for north, east, u, v, length in movers:
            place = np.array((north, east)) - self._corner
            kept = 0.5 * length + self._settings.clearance
            rows.append((*place, u, v, min(kept, WITHIN * hypot(*(place - here)))))
        return np.array(rows).reshape(-1, 5)


def warm() -> None:
    """Load or compile what a planner uses, and its map."""
    occupancy.warm()
    planner = Planner(PlannerSettings(most_states=64))
    data = np.zeros((8, 8), np.uint8)
    planner.take(Measurement(0.0, "map", data, (0.0,) * 6, cell=1.0))
    in_steps("planning", [lambda: planner.plan((2.0, 2.0, 0.0), (6.0, 6.0), [])])
