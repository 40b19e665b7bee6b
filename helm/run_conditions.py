"""Run conditions of a behavior, evaluated only when a variable in them has changed."""

from __future__ import annotations

from steerageway.helm.world import World
from steerageway.moos.condition import Condition


class RunConditions:
    """Whether conditions hold, cached until a watched variable changes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._conditions: tuple[Condition, ...] = ()
        self._timed = False
        self._revision = -1
        self._open = True

    def hold(self, conditions: tuple[Condition, ...]) -> bool:
        """Whether all conditions hold."""
        world = self._world
        if conditions is not self._conditions:
            self._conditions = conditions
            self._timed = any(condition.timed for condition in conditions)
            world.watch(name for condition in conditions for name in condition.variables)
        elif self._revision == world.revision and not self._timed:
            return self._open
        self._revision = world.revision
        self._open = all(c.holds(world.values.get, world.utc) for c in conditions)
        return self._open
