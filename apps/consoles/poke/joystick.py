"""The hand on the stick: what the arrow keys ask for, and what happens when the hand is gone."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from steerageway.apps.consoles.poke.lines import LineError
from steerageway.moos.values import finite

DEAD_MAN = 1.0  # wall seconds without a key after which everything is let go


@dataclass(frozen=True, slots=True)
class Lever:
    """One variable that the stick moves.

    Attributes:
        name: the variable.
        step: of one key.
        limit: how far it goes either way.
    """

    name: str
    step: float = 10.0
    limit: float = 100.0


THRUST, RUDDER = Lever("DESIRED_THRUST"), Lever("DESIRED_RUDDER")


def read_lever(text: str) -> Lever:
    """Read ``NAME[:STEP[:LIMIT]]``.

    Raises:
        LineError: it is not of the form, or a number is not above 0.
    """
    name, *numbers = text.split(":")
    values = [finite(number) or 0.0 for number in numbers]
    if not name or len(values) > 2 or not all(value > 0 for value in values):
        raise LineError(f"--actuator {text}: expected NAME[:STEP[:LIMIT]], numbers above 0")
    return Lever(name, *values)


class Joystick:
    """Where the levers stand.

    Attributes:
        levels: of each lever, by its variable.
    """

    def __init__(self, ahead: Lever, across: Lever | None) -> None:
        """Begin at rest.

        Args:
            ahead: moved by up and down.
            across: moved by right and left; None: these move nothing.
        """
        self.levers = [ahead] if across is None else [ahead, across]
        self._keys = {"up": (ahead, 1), "down": (ahead, -1)}
        if across is not None:
            self._keys |= {"right": (across, 1), "left": (across, -1)}
        self.levels = dict.fromkeys((lever.name for lever in self.levers), 0.0)
        self._touched = -inf

    def press(self, key: str, now: float) -> None:
        """Take a key; any key shows that the hand is there."""
        self._touched = now
        if key in self._keys:
            lever, sign = self._keys[key]
            level = self.levels[lever.name] + sign * lever.step
            self.levels[lever.name] = max(-lever.limit, min(lever.limit, level))

    def let_go(self) -> None:
        """Put every lever to 0."""
        self.levels = dict.fromkeys(self.levels, 0.0)

    def watch_hand(self, now: float) -> bool:
        """Let go when the hand has been gone for too long; say whether that happened just now."""
        gone = now - self._touched >= DEAD_MAN and any(self.levels.values())
        if gone:
            self.let_go()
        return gone
