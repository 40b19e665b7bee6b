"""The environment of a run, read from ``environment.yml`` or from the same keys in a block.

All keys with units and defaults: ``docs/world.md``. Direction keys are named ``_from`` or ``_to``.
An unknown key is an error that names the nearest known one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from math import inf

from steerageway.geometry.marine import components
from steerageway.world.constants import DENSITY, GRAVITY
from steerageway.world.contact import Contact
from steerageway.world.current_field import CurrentField
from steerageway.world.gauss_markov import WanderingCurrent
from steerageway.world.ground import Ground
from steerageway.world.gusts import Fluctuation, lorentz
from steerageway.world.random_streams import generator
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState
from steerageway.world.tide import Tide
from steerageway.world.wind import Wind, at_height

AFLOAT = 1e-9  # depth of a keel in the ground at which it still floats: rounding [m]


@dataclass(frozen=True)
class WindField:
    """The wind of a run.

    Attributes:
        speed: mean at 10 m [m/s].
        direction: direction it comes from [deg].
        profile: variation with height, see ``wind.at_height``.
        height: height of the wind that acts on vessels [m].
        gust: fluctuation of the speed [m/s].
        wander: fluctuation of the direction [deg].
    """

    speed: float
    direction: float
    profile: str = "none"
    height: float = 10.0
    gust: Fluctuation = field(default_factory=Fluctuation)
    wander: Fluctuation = field(default_factory=Fluctuation)

    def at(self, t: float) -> Wind:
        """Return the wind at a time [s] at the reference height of vessels."""
        mean = at_height(self.speed, self.height, self.profile)
        speed = max(0.0, mean + self.gust.at(t))
        return Wind(speed, (self.direction + self.wander.at(t)) % 360.0)


@dataclass(frozen=True, eq=False)
class Environment:
    """The environment of all vessels of a run.

    Attributes:
        density, gravity: of the water [kg/m³], [m/s²].
        depth: depth of a flat bottom below the mean level [m]; inf: deep water.
        waves: wave systems: sea and swell.
        ramp: rise time of waves, and of their changes [s].
        wheeler: whether velocity and pressure profiles are stretched to the surface.
        stokes: whether the Stokes drift carries vessels.
        current: the uniform current (east, north) [m/s].
        wandering: uniform current that changes with time, added to it.
        current_file: current field, added to them.
        wind: None where there is none.
        tide: None where there is none.
        ground: a grid of depths, or None.
        contact: walls and responses to contact; None: only the bottom, with response ``stand``.
        seed: the mission's seed combined with the file's.
        echo: summary of the settings, one line each.
        warnings: warnings of valid but suspicious values.
    """

    density: float = DENSITY
    gravity: float = GRAVITY
    depth: float = inf
    waves: tuple[SeaState, ...] = ()
    ramp: float = 0.0
    wheeler: bool = True
    stokes: bool = False
    current: tuple[float, float] = (0.0, 0.0)
    wandering: WanderingCurrent | None = None
    current_file: CurrentField | None = None
    wind: WindField | None = None
    tide: Tide | None = None
    ground: Ground | None = None
    contact: Contact | None = None
    seed: int = 0
    echo: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def sea(self) -> Sea:
        """Return the sea of the environment, before any changes."""
        return Sea.of(
            self.waves,
            self.seed,
            depth=self.depth,
            density=self.density,
            gravity=self.gravity,
            ramp=self.ramp,
            wheeler=self.wheeler,
        )

    def depth_at(self, x: float, y: float, t: float) -> float:
        """Return the water's depth [m] at a place east and north [m], without waves.

        Raises:
            InvalidValue: the place is off the grid of depths, or has no data.
        """
        mean = self.depth if self.ground is None else self.ground.depth(x, y)
        return mean + self._level(t)

    def shoal(
        self, start: tuple[float, float], end: tuple[float, float], keel: float, t: float
    ) -> float | None:
        """Return the fraction of a straight way at which a keel [m] meets the ground.

        None: nowhere, or there is no grid of depths. See ``vessel.model.Bottom``.
        """
        (west, east), (south, north) = map(sorted, zip(start, end, strict=True))
        box = west, south, east, north
        if self.ground is None or self.clears(box, keel, t):
            return None
        return self.ground.shoal(start, end, self._limit(keel, t))

    def clears(self, box: tuple[float, float, float, float], keel: float, t: float) -> bool:
        """Whether a keel [m] is above the grid of depths in a box: west, south, east, north [m]."""
        return self.ground is None or self.ground.least(*box) > self._limit(keel, t)

    def _limit(self, keel: float, t: float) -> float:
        """Return the depth below the mean level from which on upwards the ground meets a keel."""
        return max(keel - AFLOAT, 0.0) - self._level(t)

    def _level(self, t: float) -> float:
        """Return the level of the water above the mean [m]."""
        return 0.0 if self.tide is None else self.tide.level(t)

    def current_at(self, x: float, y: float, depth: float, t: float) -> tuple[float, float]:
        """Return the current (east, north) [m/s], without waves, at a place, depth [m] and time."""
        east, north = self.current
        if self.wandering is not None:
            more = self.wandering.at(t)
            east, north = east + more[0], north + more[1]
        if self.current_file is not None:
            more = self.current_file.at(x, y, depth, t)
            east, north = east + more[0], north + more[1]
        if self.tide is not None and self.tide.stream:
            more = components(self.tide.direction, self.tide.speed(t))
            east, north = east + more[0], north + more[1]
        return east, north

    @property
    def identity(self) -> str:
        """Return a text that is equal for equal environments only."""
        rest = (self.ramp, self.wheeler, self.stokes, self.seed, self.waves, self.wind)
        grids: tuple[object, ...] = (
            self.current_file,
            self.ground and self.ground.depths.tobytes(),
        )
        if self.contact is not None:
            grids = (*grids, *(wall.corners.tobytes() for wall in self.contact.walls))
        digest = sha256(repr(grids).encode()).hexdigest()[:12]
        return "; ".join((*self.echo, f"and {rest}", f"grids {digest}"))

    @property
    def has_depth(self) -> bool:
        """Whether the water depth is defined."""
        return self.ground is not None or self.depth < inf

    @property
    def has_current(self) -> bool:
        """Whether there is any current."""
        stream = self.tide is not None and self.tide.stream != 0.0
        fields = (self.wandering, self.current_file)
        return self.current != (0.0, 0.0) or fields != (None, None) or stream or self.stokes


@dataclass(frozen=True, eq=False)
class Water:
    """The water velocity that a vessel drifts with: current and Stokes drift.

    Attributes:
        environment: source of the current.
        sea: current sea.
        below: offset added to a vessel's depth for the Stokes drift: half its draught [m].
    """

    environment: Environment
    sea: Sea
    below: float = 0.0

    def at(self, x: float, y: float, depth: float, t: float) -> tuple[float, float]:
        """Return the velocity (east, north) [m/s]; see ``current_field.CurrentField``."""
        east, north = self.environment.current_at(x, y, depth, t)
        if self.environment.stokes:
            to_north, to_east = self.sea.stokes_drift(depth + self.below, t)
            east, north = east + to_east, north + to_north
        return east, north


def wander_of(deviation: float, constant: float, seed: int) -> Fluctuation:
    """Draw a fluctuation of direction with a standard deviation [deg] and a time constant [s]."""
    import numpy as np

    from steerageway.world.gusts import FINE, HIGHEST, LOWEST, fluctuation

    if deviation == 0.0:
        return Fluctuation()
    f = np.geomspace(LOWEST, HIGHEST, FINE)
    return fluctuation(f, lorentz(f, constant), generator(seed, "wind direction"), deviation)


def lines_of(environment: Environment) -> Iterator[str]:
    """Return the settings and the warnings, one line each."""
    yield from environment.echo
    yield from (f"warning: {warning}" for warning in environment.warnings)
