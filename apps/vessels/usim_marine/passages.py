"""Takes a simulated vessel through the wormholes of its block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from steerageway.apps.vessels.usim_marine.conduct import RELEASED
from steerageway.apps.vessels.wormholes import Escort, read_wormholes
from steerageway.bus import Config
from steerageway.moos.values import pairs
from steerageway.vessel.craft import Craft
from steerageway.vessel.wormhole import Wormhole

FADE = 5.0  # of the released program [s]
_UNKNOWN = ("delay", "fade", "id_change")


class Passages:
    """The wormholes of a simulator's block, and the vessel among them."""

    def __init__(
        self, wormholes: tuple[Wormhole, ...], name: str, post: Callable[[str, Any], None]
    ) -> None:
        self._escort = Escort(wormholes, name, post)
        self._post = post

    def lead(self, craft: Craft[Any], *, straightens: bool) -> bool:
        """Take it as far as it has come by the craft's clock; say whether it is gone now.

        Args:
            straightens: whether it comes out with its rudder amidships.
        """
        traveller, now, here = self._escort.traveller, craft.clock, craft.true_motion
        traveller.find((here.x, here.y), now)
        if traveller.is_through(now):
            craft.carry(*self._escort.emerge(now).exit)
            if straightens:
                craft.inputs.rudder = 0.0
        elif traveller.is_gone(now):
            self._escort.hide()
            return True
        return False

    def hides(self, now: float) -> bool:
        """Say whether the vessel is in no place at a time [s]."""
        return self._escort.traveller.is_gone(now)

    def call_off(self) -> None:
        """End a passage half-way: it was put somewhere else."""
        self._escort.call_off()

    def report(self) -> Iterator[str]:
        """Give the lines of an appcast."""
        yield from self._escort.report()

    def show(self, variable: str, now: float, iteration: int) -> None:
        """Post how much of it is seen, and the mouths."""
        self._post(variable, self._escort.traveller.visibility(now))
        self._escort.draw(iteration)


def read_passages(
    config: Config, *, released: bool, warn: Callable[[str, str], None]
) -> tuple[Wormhole, ...]:
    """Read the wormholes of a block.

    Args:
        released: as the released program has them.
    Raises:
        ConfigError: a line is wrong.
    """
    wormholes = read_wormholes(config)
    if not released:
        return wormholes
    for entry in config.all("wormhole"):
        for key, value in pairs(entry.value):
            if key.lower() in _UNKNOWN:
                warn(f"{key} has no effect with model = {RELEASED}", entry.where)
            if key.lower() == "connection" and value.lower() == "both":
                warn(f"with model = {RELEASED} this wormhole lets nobody in", entry.where)
    return tuple(_as_released(wormhole) for wormhole in wormholes)


def _as_released(wormhole: Wormhole) -> Wormhole:
    entries = wormhole.entries if len(wormhole.entries) == 1 else ()
    return replace(wormhole, entries=entries, delay=0.0, fade=FADE, id_change=False)
