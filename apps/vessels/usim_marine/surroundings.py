"""The environment in the simulator: waves, wind, current and depth, and their changes by mail.

It loads NumPy, and numba if there are waves: import it only where there is an environment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import floor, inf
from typing import TYPE_CHECKING

from steerageway.apps.shared.environments import CHANGE, change_of
from steerageway.apps.vessels.usim_marine.variables import CONTACT_POSTS, WORLD_POSTS
from steerageway.bus import CannotGoOn
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.world.environment import Environment, Water
from steerageway.world.weather import Change, Weather

if TYPE_CHECKING:
    from typing import Any

    from steerageway.apps.vessels.usim_marine.mail import Scene, TakeNumber, TakeText

HEIGHT, WIND = "WAVE_HEIGHT", "WIND_CONDITIONS"
DELAY = 2  # whole seconds between the second of the mail and the start of a change


class Surroundings:
    """The present environment of one vessel.

    Attributes:
        weather: its waves and wind, with all changes so far.
        names: variables that are posted because of it.
    """

    def __init__(
        self,
        environment: Environment,
        post: Callable[..., None],
        warn: Callable[[str], None],
        share: Callable[[str], None],
    ) -> None:
        """Take an environment, and functions that post, warn, and share with other communities."""
        self.weather = Weather(environment)
        self.names = (*WORLD_POSTS, *(CONTACT_POSTS if environment.contact is not None else ()))
        self._post, self._warn, self._share = post, warn, share
        self._water = Water(environment, self.weather.sea)
        self._on_sea: Callable[[Any], None] | None = None
        self._repeat_time = min((state.repeats_after() for state in environment.waves), default=inf)

    def surround(
        self, craft: Craft[Any], on_sea: Callable[[Any], None] | None, draught: float
    ) -> None:
        """Put a vessel into the water.

        Args:
            craft: the vessel.
            on_sea: called with a new sea; None for a vessel without wave loads.
            draught: for the Stokes drift [m].

        Raises:
            InvalidValue: the vessel cannot be in this water.
        """
        if self.weather.environment.has_current:
            self._water = replace(self._water, below=0.5 * draught)
            craft.field = self._water
        if self.weather.environment.ground is not None:
            craft.inputs.bottom = self.weather.environment
        self._on_sea = on_sea
        if on_sea is not None:
            on_sea(self.weather.sea)

    def number_handlers(self) -> dict[str, TakeNumber]:
        """Return the handlers of numbers."""
        return {HEIGHT: self._take_height}

    def text_handlers(self) -> dict[str, TakeText]:
        """Return the handlers of texts."""
        return {WIND: self._take_wind, CHANGE: self._take_change}

    def announce(self) -> None:
        """Post the description of the environment."""
        self._post("WORLD_SUMMARY", "; ".join(self.weather.environment.echo))

    def at(self, scene: Scene, now: float) -> None:
        """Set a vessel's wind and water depth for the coming step.

        Raises:
            CannotGoOn: the vessel is outside the known ground.
        """
        environment, craft = self.weather.environment, scene.craft
        if self.weather.windy:
            craft.inputs.wind = self.weather.wind(now)
        if environment.has_depth:
            here = craft.true_motion
            try:
                scene.water_depth = environment.depth_at(here.x, here.y, now)
            except InvalidValue as error:
                raise CannotGoOn(str(error)) from None
        if now > self._repeat_time:
            self._warn(f"the waves' record repeats every {self._repeat_time:.0f} s")

    def _take_height(self, scene: Scene, value: float, source: str) -> None:
        """Change the significant height of all wave systems."""
        self._request_change(scene, Change.of_height(_start_time(scene), value), source)

    def _take_wind(self, scene: Scene, text: str, source: str) -> None:
        self._request_change(scene, Change.of_wind(_start_time(scene), text), source)

    def _request_change(self, scene: Scene, change: Change, source: str) -> None:
        """Apply a change requested by mail: here, and in all communities of the run."""
        if not self._change(scene, change):
            return
        weather = self.weather
        text = (
            f"number={weather.place_of(change)},time={change.begins:.9g},"
            f"ramp={weather.environment.ramp:g},{change.what},source={source}"
        )
        self._post(CHANGE, text)
        self._share(text)

    def _take_change(self, scene: Scene, text: str, source: str) -> None:
        """Apply a change posted by another simulator."""
        change = change_of(text)
        if self._change(scene, change) and change.begins < scene.craft.clock:
            self._warn(f"{text}: heard after it began: expected an AppTick of 1 or more for all")

    def _change(self, scene: Scene, change: Change) -> bool:
        """Apply a change; return whether it is new."""
        if not self.weather.take(change):
            return False
        if change.height is not None:
            self._water = replace(self._water, sea=self.weather.sea)
            if self.weather.environment.has_current:
                scene.craft.field = self._water
            if self._on_sea is not None:
                self._on_sea(self.weather.sea)
        return True

    def report(self) -> Iterator[str]:
        yield from self.weather.environment.echo
        yield f"Changes of the world: {len(self.weather.changes)}"


def _start_time(scene: Scene) -> float:
    """Return the start of a change requested by mail: late enough to reach all simulators."""
    return float(floor(scene.heard) + DELAY)
