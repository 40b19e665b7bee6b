"""Occupancy grid: log odds of each cell of a square of the plane, which follows the vessel.

Source: A. Elfes (1989); the inverse sensor model by cells of S. Thrun, W. Burgard, D. Fox (2005),
Probabilistic Robotics, tables 9.1 and 9.2; the constants of A. Hornung et al. (2013), OctoMap, 5.1.
"""

from __future__ import annotations

from math import atan2, floor, hypot, pi

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.perception.measurement import Measurement
from steerageway.world.arrays import Flags, Floats
from steerageway.world.compiled import compiled

HIT, MISS = 0.85, -0.4  # log odds of occupied, given a return from the cell, or a view through it
LOW, HIGH = -2.0, 3.5  # limits of the sum: more would make the map slow to change
SECTORS = 180  # a bearing is free up to the nearest return within two degrees, and beside them
UNKNOWN = 255
PERCENT = 100.0


class OccupancyGrid:
    """The log odds of square cells: rows from the south, columns from the west.

    Attributes:
        cell: size of a cell [m].
        log_odds: (n, n) of occupied; nan: not seen.
    """

    def __init__(self, cells: int, cell: float) -> None:
        self.cell = cell
        self.log_odds: Floats = np.full((cells, cells), np.nan)
        self._first = (0, 0)  # number of its south-west cell, northward and eastward of the datum

    @property
    def corner(self) -> tuple[float, float]:
        """South-west corner: north, east [m]."""
        north, east = self._first
        return north * self.cell, east * self.cell

    def centre_on(self, north: float, east: float) -> None:
        """Move the square, by whole cells, so that its middle is at a place [m].

        What leaves it is forgotten, and cells that enter it are not seen.
        """
        half = len(self.log_odds) // 2
        first = floor(north / self.cell) - half, floor(east / self.cell) - half
        if first == self._first:
            return
        kept, n = np.full_like(self.log_odds, np.nan), len(self.log_odds)
        up, right = (new - old for new, old in zip(first, self._first, strict=True))
        if max(abs(up), abs(right)) < n:
            old = self.log_odds[max(0, up) : n + min(0, up), max(0, right) : n + min(0, right)]
            kept[max(0, -up) : n - max(0, up), max(0, -right) : n - max(0, right)] = old
        self.log_odds, self._first = kept, first

    def add(
        self, eye: tuple[float, float], points: Floats, ranges: Floats, kept: Flags, clear: float
    ) -> None:
        """Add a scan. In a scan a cell is occupied, free or neither; a return outweighs views.

        Args:
            eye: the sensor's place: north, east [m].
            points: (n, 2) of all returns, those from the own vessel included [m].
            ranges: (n,) of them [m].
            kept: (n,) whether a return is an object's.
            clear: range to which a bearing without returns is free [m].
        """
        bearings = np.arctan2(points[:, 1] - eye[1], points[:, 0] - eye[0])
        sectors = ((bearings + pi) * (SECTORS / (2.0 * pi))).astype(np.int64) % SECTORS
        nearest = np.full(SECTORS, np.inf)
        np.minimum.at(nearest, sectors, ranges)
        around = np.minimum(nearest, np.minimum(np.roll(nearest, 1), np.roll(nearest, -1)))
        reach = np.where(np.isinf(around), clear, around - self.cell)
        places = np.floor((points[kept] - self.corner) / self.cell).astype(np.int64)
        inside = ((places >= 0) & (places < len(self.log_odds))).all(axis=1)
        seen = np.zeros(self.log_odds.shape, np.uint8)
        seen[tuple(places[inside].T)] = 1
        _update(self.log_odds, seen, np.array(eye) - self.corner, reach, self.cell)

    def percent(self) -> NDArray[np.uint8]:
        """Return the probabilities of occupied (n, n) [%]; ``UNKNOWN`` where nothing was seen."""
        odds = np.exp(np.nan_to_num(self.log_odds))
        percent = np.rint(PERCENT * odds / (1.0 + odds)).astype(np.uint8)
        return np.where(np.isnan(self.log_odds), np.uint8(UNKNOWN), percent)

    def measured(self, time: float, name: str) -> Measurement:
        """Return the probabilities as a map."""
        pose = (*self.corner, 0.0, 0.0, 0.0, 0.0)
        return Measurement(time, name, self.percent(), pose, cell=self.cell)


@compiled
def _update(
    log_odds: Floats, seen: NDArray[np.uint8], eye: Floats, reach: Floats, cell: float
) -> None:
    """Add a scan to the log odds.

    Args:
        log_odds: changed. seen: (n, n) 1: a return comes from the cell.
        eye: from the south-west corner [m]. reach: (sectors,) free range by bearing from south [m].
    """
    farthest, sectors = reach.max(), len(reach)
    n = log_odds.shape[0]
    for i in range(n):
        north = (i + 0.5) * cell - eye[0]
        for j in range(n):
            east = (j + 0.5) * cell - eye[1]
            if seen[i, j] == 1:
                change = HIT
            else:
                away = hypot(north, east)
                if away > farthest:
                    continue
                sector = int((atan2(east, north) + pi) * (sectors / (2.0 * pi))) % sectors
                if away > reach[sector]:
                    continue
                change = MISS
            before = 0.0 if np.isnan(log_odds[i, j]) else log_odds[i, j]
            log_odds[i, j] = min(max(before + change, LOW), HIGH)


def warm() -> None:
    """Load or compile what a map uses."""
    nothing = np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.bool_)
    OccupancyGrid(2, 1.0).add((0.0, 0.0), *nothing, 1.0)
