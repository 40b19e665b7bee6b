"""Weather of a run: waves and wind of an environment with the changes posted so far.

A change has a start time and a new value. Processes that know the same changes see the same
world, in whatever order they received them: changes are sorted before any is drawn.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, inf, pi

from steerageway.geometry.marine import components
from steerageway.world.environment import Environment
from steerageway.world.errors import InvalidValue
from steerageway.world.keys import TALLEST
from steerageway.world.numbers import read_finite
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState, with_height
from steerageway.world.wind import Wind

HEIGHT, WIND = "Hs", "wind"
MOST_CHANGES = 1000  # of a run
REMEMBERED = 60.0  # age of the last change up to which the sea's past is kept [s]


@dataclass(frozen=True, order=True)
class Change:
    """A change of waves or wind.

    Attributes:
        begins: start time [s]; the change is blended in over the environment's ramp.
        what: ``Hs=1.5`` [m], or ``wind:spd=8:dir=90`` [m/s, deg].
    """

    begins: float
    what: str

    @classmethod
    def of_height(cls, begins: float, Hs: float) -> Change:
        """Return a change of the significant height of all wave systems [m]."""
        return cls(begins, f"{HEIGHT}={Hs:.9g}")

    @classmethod
    def of_wind(cls, begins: float, text: str) -> Change:
        """Return a change of the mean wind, ``spd=8,dir=90``."""
        return cls(begins, f"{WIND}:{text.replace(',', ':')}")

    @property
    def height(self) -> float | None:
        """Return the new significant height [m]; None if the change is not of waves.

        Raises:
            InvalidValue: invalid height.
        """
        name, equals, value = self.what.partition("=")
        if name != HEIGHT or not equals:
            return None
        Hs = read_finite(value, repr(self.what), TALLEST)
        if Hs < 0.0:
            raise InvalidValue("expected a height of at least 0 m")
        return Hs

    @property
    def wind(self) -> Wind | None:
        """Return the new mean wind; None if the change is not of wind.

        Raises:
            InvalidValue: invalid wind.
        """
        name, colon, value = self.what.partition(":")
        return Wind.read(value.replace(":", ",")) if name == WIND and colon else None


def _scaled(waves: Sequence[SeaState], Hs: float) -> list[SeaState]:
    """Return wave systems with another height of the highest; of a calm sea, of the first."""
    most = max(state.Hs for state in waves)
    if most == 0.0:
        return [with_height(waves[0], Hs), *waves[1:]]
    return [with_height(state, Hs / most * state.Hs) for state in waves]


class Weather:
    """Waves and wind of a run.

    Attributes:
        environment: the environment as read.
        changes: all so far, by start time.
        sea: sea with all changes.
    """

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.changes: list[Change] = []
        self.sea: Sea = environment.sea()
        self.sea.warm()
        self._winds: list[tuple[float, Wind]] = []
        self._renew()

    def take(self, change: Change) -> bool:
        """Apply a change; return whether it is new.

        Raises:
            InvalidValue: it is invalid, or of waves where there are none.
        """
        if change.height is not None and not self.environment.waves:
            raise InvalidValue("the environment has no waves")
        if change.height is None and change.wind is None:
            raise InvalidValue(f"{change.what!r}: expected Hs=<m>, or wind:spd=<m/s>:dir=<deg>")
        if change in self.changes:
            return False
        if len(self.changes) >= MOST_CHANGES:
            raise InvalidValue(f"{change.what!r}: expected at most {MOST_CHANGES} changes")
        insort(self.changes, change)
        self._renew()
        return True

    def place_of(self, change: Change) -> int:
        """Return the place of a change in the sorted list, from 1."""
        return self.changes.index(change) + 1

    def _renew(self) -> None:
        environment = self.environment
        self.sea, self._winds = environment.sea(), []
        if environment.wind is not None:
            mean = Wind(environment.wind.speed, environment.wind.direction)
            self._winds.append((-inf, mean))
        for number, change in enumerate(self.changes, 1):
            Hs, wind = change.height, change.wind
            if Hs is not None and change == self._last_of(change):
                waves = _scaled(environment.waves, Hs)
                self.sea = self.sea.changed(waves, environment.seed, number, change.begins)
            if wind is not None:
                self._winds.append((change.begins, wind))
        if self.changes:
            self.sea = self.sea.settled(self.changes[-1].begins - REMEMBERED)

    def _last_of(self, change: Change) -> Change:
        """Return the effective change of waves among those with the same start time."""
        return max(c for c in self.changes if c.begins == change.begins and c.height is not None)

    @property
    def windy(self) -> bool:
        """Whether there is, or will be, any wind."""
        return bool(self._winds)

    def wind(self, t: float) -> Wind:
        """Return the wind at a time [s]: means blend as vectors; gusts scale with the mean."""
        ramp = self.environment.ramp
        east, north = 0.0, 0.0
        for since, mean in self._winds:
            share = 1.0 if since == -inf else _risen(t - since, ramp)
            to_east, to_north = components(mean.direction, mean.speed)
            east, north = east + share * (to_east - east), north + share * (to_north - north)
        speed = (east**2 + north**2) ** 0.5
        direction = degrees(atan2(east + 0.0, north + 0.0)) % 360.0  # + 0.0: no negative zero
        field = self.environment.wind
        if field is None or field.speed <= 0.0:
            return Wind(speed, direction)
        blown = field.at(t)
        if len(self._winds) == 1:
            return blown
        turned = direction + blown.direction - field.direction
        return Wind(blown.speed * speed / field.speed, turned % 360.0)


def _risen(since: float, ramp: float) -> float:
    if since >= ramp:
        return 1.0
    return 0.0 if since <= 0.0 else 0.5 * (1.0 - cos(pi * since / ramp))
