"""Passages of a simulated vessel through the wormholes of its block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from steerageway.apps.shared.generation import Generation
from steerageway.apps.shared.wormholes import POSTS, PassageReporter
from steerageway.bus import Config
from steerageway.moos.values import pairs
from steerageway.vessel.craft import Craft
from steerageway.vessel.wormhole import Wormhole


class NoPassages:
    """The passages of a vessel without wormholes in its block."""

    names: Sequence[str] = ()

    def lead(self, craft: Craft[Any], leave: Callable[[Craft[Any]], None]) -> bool:
        """Return False: it is not inside a wormhole."""
        return False

    def hides(self, now: float) -> bool:
        """Return False."""
        return False

    def call_off(self) -> None:
        """Do nothing."""

    def report(self) -> Iterable[str]:
        """Yield nothing."""
        return ()

    def show(self, now: float, iteration: int) -> None:
        """Post nothing."""


class Passages:
    """The wormholes of a simulator's block, and the vessel's passages through them.

    Attributes:
        names: variables that it posts.
    """

    def __init__(
        self,
        wormholes: tuple[Wormhole, ...],
        name: str,
        prefix: str,
        post: Callable[[str, Any], None],
    ) -> None:
        self._reporter = PassageReporter(wormholes, name, post)
        self._post = post
        self._transparency = f"{prefix}TRANSP"
        self.names = (self._transparency, *POSTS)

    def lead(self, craft: Craft[Any], leave: Callable[[Craft[Any]], None]) -> bool:
        """Update the passage to the craft's clock; return whether the vessel is inside a wormhole.

        Args:
            leave: called with a vessel that comes out.
        """
        traveller, now, here = self._reporter.traveller, craft.clock, craft.true_motion
        traveller.find((here.x, here.y), now)
        if traveller.is_through(now):
            craft.carry(*self._reporter.emerge(now).exit)
            leave(craft)
        elif traveller.is_gone(now):
            self._reporter.hide()
            return True
        return False

    def hides(self, now: float) -> bool:
        """Whether the vessel is inside a wormhole at a time [s]."""
        return self._reporter.traveller.is_gone(now)

    def call_off(self) -> None:
        """End a passage, as the vessel was moved elsewhere."""
        self._reporter.call_off()

    def report(self) -> Iterator[str]:
        yield from self._reporter.report()

    def show(self, now: float, iteration: int) -> None:
        """Post the vessel's visibility, and draw the mouths."""
        self._post(self._transparency, self._reporter.traveller.visibility(now))
        self._reporter.draw(iteration)


def passed(
    wormholes: Sequence[Wormhole],
    config: Config,
    generation: Generation,
    *,
    warn: Callable[[str, str], None],
) -> tuple[Wormhole, ...]:
    """Return the wormholes of a block as a simulator supports them; warn of unsupported keys."""
    for entry in config.all("wormhole"):
        for key, value in pairs(entry.value):
            warning = generation.wormhole_warning(key, value)
            if warning:
                warn(warning, entry.where)
    return tuple(generation.wormhole(wormhole) for wormhole in wormholes)
