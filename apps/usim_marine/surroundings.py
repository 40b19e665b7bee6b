"""The environment in the simulator: what a block says of it, and how mail changes it.

Loads NumPy, and numba where there are waves: only a block that names an environment imports this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import cos, floor, inf, pi
from typing import TYPE_CHECKING

from steerageway.bus import CannotGoOn, Config
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.marine import bearing
from steerageway.vessel.polar import Wind
from steerageway.world.compass import components
from steerageway.world.environment import Environment, Water, load
from steerageway.world.sea_state import with_height

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from steerageway.apps.usim_marine.mail import Scene, TakeNumber, TakeText

FILE, KEY = "environment", "environment_key"
EXAMPLE = "waves.Hs = 1.2"
HEIGHT, WIND = "WAVE_HEIGHT", "WIND_CONDITIONS"
CHANGE = "WORLD_CHANGE"
DELAY = 2  # whole seconds from the one in which mail was posted to when a change begins


def asked_for(config: Config) -> bool:
    """Say whether a block names an environment."""
    return bool(config.all(FILE, KEY))


def read_environment(config: Config, folder: Path, seed: int) -> Environment:
    """Read what a block says.

    Raises:
        ConfigError: a line, or what it names, is wrong.
    """
    entry = config.entry(FILE)
    keys: dict[str, tuple[str, str]] = {}
    for line in config.all(KEY):
        key, equals, value = (part.strip() for part in line.value.partition("="))
        if not equals:
            raise Config.error(line, f"expected KEY = VALUE, as {EXAMPLE}")
        keys[key] = value, line.where
    blamed = entry or config.all(KEY)[0]
    try:
        return load(None if entry is None else folder / entry.value.strip(), seed, keys)
    except InvalidValue as error:
        for line in config.all(KEY):
            if str(error).startswith(f"{line.where}: "):
                raise Config.error(line, str(error).removeprefix(f"{line.where}: ")) from None
        raise Config.error(blamed, str(error)) from None


class Surroundings:
    """The environment around one vessel, as it is now.

    Attributes:
        environment: as read.
        sea: with all changes so far.
        changes: how many there were.
    """

    def __init__(
        self, environment: Environment, post: Callable[..., None], warn: Callable[[str], None]
    ) -> None:
        self.environment, self._post, self._warn = environment, post, warn
        self.sea = environment.sea()
        self.changes = 0
        self._waves = environment.waves
        self._winds: list[tuple[float, Wind]] = []
        if environment.wind is not None:
            self._winds = [(-inf, Wind(environment.wind.speed, environment.wind.direction))]
        self._water = Water(environment, self.sea)
        self._meets: Callable[[Any], None] | None = None
        self._repeats = min((state.repeats_after() for state in environment.waves), default=inf)

    def surround(
        self, craft: Craft[Any], meets: Callable[[Any], None] | None, draught: float
    ) -> None:
        """Put a vessel into the water.

        Args:
            craft: the vessel.
            meets: what to do with a sea that is new to it; None of one that waves do not load.
            draught: its own, for the Stokes drift [m].

        Raises:
            InvalidValue: the vessel cannot be in this water.
        """
        if self.environment.has_current:
            self._water = replace(self._water, below=0.5 * draught)
            craft.field = self._water
        self._meets = meets
        if meets is not None:
            meets(self.sea)

    def numbers(self) -> dict[str, TakeNumber]:
        """Give what to do with numbers."""
        return {HEIGHT: self._take_height}

    def texts(self) -> dict[str, TakeText]:
        """Give what to do with texts."""
        return {WIND: self._take_wind}

    def announce(self) -> None:
        """Post what the environment is."""
        self._post("WORLD_SUMMARY", "; ".join(self.environment.echo))

    def at(self, scene: Scene, now: float) -> None:
        """Let a vessel feel wind and depth of this time, for the step that comes.

        Raises:
            CannotGoOn: the vessel is where the ground is not known.
        """
        environment, craft = self.environment, scene.craft
        if self._winds:
            craft.inputs.wind = self.wind(now)
        if environment.ground is not None or environment.depth < inf:
            here = craft.true_motion
            try:
                scene.water_depth = environment.depth_at(here.x, here.y, now)
            except InvalidValue as error:
                raise CannotGoOn(str(error)) from None
        if now > self._repeats:
            self._warn(f"the waves' record repeats every {self._repeats:.0f} s")

    def wind(self, now: float) -> Wind:
        """Give the wind: means blend over the ramp as vectors; gusts scale with the mean."""
        ramp = self.environment.ramp
        east, north = 0.0, 0.0
        for since, mean in self._winds:
            share = 1.0 if since == -inf else _risen(now - since, ramp)
            to_east, to_north = components(mean.direction, mean.speed)
            east, north = east + share * (to_east - east), north + share * (to_north - north)
        speed, direction = (east**2 + north**2) ** 0.5, bearing(east, north)
        field = self.environment.wind
        if field is None or field.speed <= 0.0:
            return Wind(speed, direction)
        unchanged = len(self._winds) == 1
        blown = field.at(now)
        if unchanged:
            return blown
        turned = direction + blown.direction - field.direction
        return Wind(blown.speed * speed / field.speed, turned % 360.0)

    def _take_height(self, scene: Scene, value: float, source: str) -> None:
        """Change the significant height of all systems of waves, from when the mail was posted."""
        if not self._waves:
            raise InvalidValue("the environment has no waves")
        highest = max(state.Hs for state in self.environment.waves)
        if value < 0.0:
            raise InvalidValue("expected a height of at least 0 m")
        share = value / highest
        self._waves = tuple(
            with_height(state, share * state.Hs) for state in self.environment.waves
        )
        self._change(scene, f"Hs={value:g}", source)
        seed = self.environment.seed
        self.sea = self.sea.changed(self._waves, seed, self.changes, _beginning(scene))
        self._water = replace(self._water, sea=self.sea)
        if self.environment.has_current:
            scene.craft.field = self._water
        if self._meets is not None:
            self._meets(self.sea)

    def _take_wind(self, scene: Scene, text: str, source: str) -> None:
        self._winds.append((_beginning(scene), Wind.read(text)))
        self._change(scene, f"wind:{text}", source)

    def _change(self, scene: Scene, what: str, source: str) -> None:
        self.changes += 1
        told = f"number={self.changes},time={_beginning(scene):.9g},ramp={self.environment.ramp:g}"
        self._post(CHANGE, f"{told},{what.replace(',', ':')},source={source}")

    def report(self) -> Iterator[str]:
        """Give the appcast's lines."""
        yield from self.environment.echo
        yield f"Changes of the world: {self.changes}"


def _beginning(scene: Scene) -> float:
    """Give when a change that mail asks for begins: the same for all, who by then have heard it."""
    return float(floor(scene.heard) + DELAY)


def _risen(since: float, ramp: float) -> float:
    if since >= ramp:
        return 1.0
    return 0.0 if since <= 0.0 else 0.5 * (1.0 - cos(pi * since / ramp))
