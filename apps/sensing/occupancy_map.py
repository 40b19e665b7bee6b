"""``pOccupancyMap``: a map of what LiDARs see around the vessel: which cells are occupied, or free.

The map is a square that moves with the vessel. It is posted as bytes, for a planner, and as a
coarser grid for viewers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from steerageway.apps.shared import heard
from steerageway.apps.shared.clouds import CloudOptions
from steerageway.bus import App, Config, Message, Options, declare, variables
from steerageway.moos.grid import CellVariable, Grid
from steerageway.moos.polygon import Polygon
from steerageway.vessel.perception.measurement import pack
from steerageway.vessel.perception.occupancy import PERCENT, UNKNOWN, OccupancyGrid, warm

MAP, DRAWN = "OCCUPANCY_MAP", "VIEW_GRID"
MOST_CELLS = 1024  # along a side
MOST_DRAWN = 141  # along a side: viewers draw 20 000
SHOWN = 50  # probability from which a cell is drawn [%]
LABEL = "occupancy"


@dataclass(frozen=True)
class MapOptions(Options):
    """Parameters of the configuration block."""

    clouds: CloudOptions = declare.group(CloudOptions)
    cell: float = declare.number(0.5, "size of a cell", unit="m", low=0.05)
    size: float = declare.number(160, "length of the map's sides", unit="m", above=0)
    clear_range: float = declare.number(
        30, "range to which a bearing without returns is free", unit="m", low=0
    )
    map_interval: float = declare.number(1, "interval between posts of the map", unit="s", low=0)
    view_interval: float = declare.number(
        2, "interval between posts of the drawn grid", unit="s", low=0
    )
    view_cell: float = declare.number(2, "size of a cell of the drawn grid", unit="m", low=0.05)


class OccupancyMap(App):
    """Keeps a map of the surroundings: point clouds in, a map and a grid out."""

    publications = (
        variables.binary(
            MAP,
            "the probability that each cell is occupied, 255 for unknown, format: "
            "steerageway help wire",
            unit="%",
            when="`map_interval`",
        ),
        variables.text(
            DRAWN,
            "the map's occupied cells, drawn: `pts={..},cell_size=2,cell_vars=occupied:0,"
            "cell=3:occupied:97,label=occupancy`",
            unit="m, %",
            when="`view_interval`",
        ),
    )
    subscriptions = (heard.LIDAR,)
    subscribes = ("LIDAR_*", "or variables of cloud")
    parameters = MapOptions.parameters()

    def configure(self) -> None:
        self._options = options = MapOptions.read(self.config)
        options.clouds.check(self.config)
        cells = self._count("cell", options.cell, MOST_CELLS)
        self._count("view_cell", options.view_cell, MOST_DRAWN)
        warm()
        self._grid = OccupancyGrid(cells, options.cell)
        self._time: float | None = None
        self._posted = self._drawn = -np.inf
        self._scans = self._late = 0

    def _count(self, key: str, size: float, most: int) -> int:
        """Return the number of cells of a size [m] along a side."""
        count = self._options.size / size
        if not 1.5 <= count <= most:
            expected = f"expected 2 to {most} cells along a side of {self._options.size:g} m"
            raise Config.error(self.config.line(key, f"{size:g}"), expected)
        return round(count)

    def on_start(self) -> None:
        """Register for the clouds."""
        self.register(*self._options.clouds.cloud)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Add clouds to the map; it moves with the sensor."""
        for time, clouds in self._options.clouds.scans(mail, self.run_warning):
            if self._time is not None and time < self._time:
                self._late += 1
                continue
            self._time = time
            for cloud in clouds:
                north, east = cloud.pose[:2]
                self._grid.centre_on(north, east)
                above = self._options.clouds.above_water(cloud)
                self._grid.add((north, east), *above, self._options.clear_range)
                self._scans += 1

    def iterate(self) -> None:
        """Post the map, and draw it."""
        if self._time is None:
            return
        if self.time - self._posted >= self._options.map_interval:
            self._posted = self.time
            measured = self._grid.measured(self._time, LABEL)
            self.post(MAP, pack(measured), time=min(self._time, self.time))
        if self.time - self._drawn >= self._options.view_interval:
            self._drawn = self.time
            self.post(DRAWN, self._drawing())

    def _drawing(self) -> str:
        """Return the occupied cells as a coarser grid, of which each has its greatest value."""
        percent = self._grid.percent()
        south, west = self._grid.corner
        side, size = len(percent) * self._grid.cell, self._options.view_cell
        corners = [(west, south), (west + side, south), (west + side, south + side)]
        region = Polygon((*corners, (west, south + side)))
        grid = Grid(region, size, [CellVariable("occupied", 0.0, 0.0, PERCENT)])
        rows, columns = np.nonzero((percent >= SHOWN) & (percent != UNKNOWN))
        found: dict[int, float] = {}
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            place = (west + (column + 0.5) * self._grid.cell, south + (row + 0.5) * self._grid.cell)
            if (cell := grid.cell_at(place)) is not None:
                found[cell] = max(found.get(cell, 0.0), float(percent[row, column]))
        for cell, value in found.items():
            grid.add(cell, value)
        return grid.text(LABEL)

    def report(self) -> Iterable[str]:
        """Yield the numbers of scans and cells for the appcast."""
        percent = self._grid.percent()
        seen = int((percent != UNKNOWN).sum())
        occupied = int(((percent >= SHOWN) & (percent != UNKNOWN)).sum())
        yield f"{self._scans} scans, {self._late} left out as older than the last one"
        yield f"{seen} of {percent.size} cells were seen, {occupied} are occupied"
