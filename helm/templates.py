"""Templates: blocks from which behaviors are spawned at run time, one for each new name.

templating = spawn        // no behavior at first
name       = avoid_
updates    = CONTACT      // "name=henry # contact=henry" makes avoid_henry
"""

from __future__ import annotations

from collections.abc import Container

from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.build import Built, build_one
from steerageway.helm.kinds import Kinds
from steerageway.helm.settings import SettingError
from steerageway.helm.updates import check_declared, read_update
from steerageway.moos.errors import FormatError

SPAWN, CLONE = "spawn", "clone"


class Template:
    """A block with ``templating = spawn`` or ``clone``.

    Attributes:
        prototype: the behavior as described in the block; it runs only with ``clone``.
        name: prefix of the names of spawned behaviors.
        made, tried: number of behaviors spawned, and of attempts.
    """

    def __init__(self, built: Built, kinds: Kinds) -> None:
        self.prototype, self._block = built
        self._kinds = kinds
        self.name: str = self.prototype.settings.name
        self.made = self.tried = 0
        if self.prototype.settings.updates is None:
            expected = f"expected an updates line, or nothing can be made of {self.name}"
            templating = self.prototype.settings.templating
            raise FormatError(self._block.where, "templating", templating, expected)

    @property
    def variable(self) -> str:
        """The ``updates`` variable, whose texts spawn behaviors."""
        return str(self.prototype.settings.updates)

    def full_name(self, called: str) -> str:
        """Return the behavior's name for a name in an update."""
        return called if called.startswith(self.name) else self.name + called

    def spawn(self, text: str, declared: Container[str]) -> AnyBehavior:
        """Spawn a behavior.

        Args:
            text: an update with a name.
            declared: the variables that the helm may post.
        Raises:
            SettingError: a parameter or value is invalid, or ``max_spawnings`` is reached.
        """
        called, assignments = read_update(text)
        self.tried += 1
        most = self.prototype.settings.max_spawnings
        if most and self.made >= most:
            expected = f"expected at most {most} of {self.name}, by its max_spawnings"
            raise SettingError("name", called, expected)
        named = [("name", self.full_name(called)), *assignments]
        behavior = build_one(self._block, self._kinds, self.prototype.world, named)
        check_declared(behavior, behavior.settings, assignments, declared)
        self.made += 1
        return behavior
