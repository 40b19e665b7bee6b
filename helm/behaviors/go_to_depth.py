"""``BHV_GoToDepth``: go to a list of depths and stay at each for a time.

Source: BHV_GoToDepth of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from steerageway.declarations import Number, Whole, variables, word
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import CommonSettings, SettingError, parameter
from steerageway.ivp import Function, Peak, peak
from steerageway.moos.values import split_first

PUBLICATIONS = (
    variables.number(
        "LEVEL_DEPTH", "next depth of a `BHV_GoToDepth`", unit="m", range=">= 0", when="on change"
    ),
)


class Level(NamedTuple):
    """A depth [m] and the time to stay there [s]."""

    depth: float
    stay: float


def levels(text: str) -> tuple[Level, ...]:
    """Read DEPTH,SECONDS:DEPTH,SECONDS; a stay that is left out is 0."""
    read = Number(low=0)
    found = []
    for item in text.split(":"):
        depth, stay = split_first(item, ",")
        found.append(Level(read(depth), read(stay or "0")))
    return tuple(found)


@dataclass
class GoToDepthSettings(CommonSettings):
    """The behavior's parameters."""

    depth: tuple[Level, ...] | None = parameter(
        "", levels, "DEPTH,SECONDS:DEPTH,SECONDS: depths and times to stay there [m, s]; required"
    )
    repeat: int = parameter("0", Whole(low=0), "number of repetitions of the list")
    capture_delta: float = parameter(
        "1",
        Number(low=0),
        "a depth is reached within this deviation [m]",
        aliases=("arrival_delta",),
    )
    capture_flag: str | None = parameter(
        "", word, "X: post the number of depths reached as GTD_X", aliases=("arrival_flag",)
    )


class GoToDepth(Behavior[GoToDepthSettings]):
    """Prefers a depth, stays there, and proceeds to the next; completes after the last round.

    A depth is reached within ``capture_delta``, or when it is crossed. The base width is 5 m.
    Posts `LEVEL_DEPTH`, the depth it proceeds to.
    """

    publications = PUBLICATIONS
    settings_class = GoToDepthSettings
    needs = ("depth",)

    def on_creation(self) -> None:
        self._reached = 0
        self._restart()

    def check(self, settings: GoToDepthSettings, fields: frozenset[str]) -> None:
        if settings.depth is None:
            raise SettingError("depth", "", "expected DEPTH,SECONDS:DEPTH,SECONDS")

    def configured(self, fields: frozenset[str]) -> None:
        if "depth" in fields:
            self._restart()

    def _restart(self) -> None:
        self._index = self._rounds = 0
        self._since: float | None = None  # when the present depth was reached
        self._above: bool | None = None
        self._has_gone_on = False

    def run(self) -> Function | None:
        s, now = self.settings, self.world.time
        levels = s.depth or ()
        if self._since is None and self._arrives(levels[self._index].depth):
            self._since = now
            self._reached += 1
            if s.capture_flag:
                self.post(f"GTD_{s.capture_flag}", float(self._reached))
        if self._since is not None and now - self._since >= levels[self._index].stay:
            self._since = self._above = None
            self._index += 1
            self._has_gone_on = True
        if self._index == len(levels):
            self._index, self._rounds = 0, self._rounds + 1
            if self._rounds > s.repeat:
                self._restart()
                self._reached = 0
                self.complete()
                return None
        if self._has_gone_on:
            self._has_gone_on = False
            self.post("LEVEL_DEPTH", levels[self._index].depth)
        hill = Peak(levels[self._index].depth, basewidth=5.0)
        return peak(self.world.domain["depth"], hill)

    def _arrives(self, goal: float) -> bool:
        off = self.world.ownship.depth - goal
        crossed = self._above is not None and self._above != (off < 0)
        self._above = off < 0
        return crossed or abs(off) <= self.settings.capture_delta

    def publishes(self, settings: GoToDepthSettings) -> Iterable[str]:
        yield from super().publishes(settings)
        if settings.capture_flag:
            yield f"GTD_{settings.capture_flag}"
