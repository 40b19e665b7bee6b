"""Keyboard joystick: arrow keys to thrust and rudder, with a dead-man timeout."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from steerageway.apps.consoles.poke.lines import LineError
from steerageway.declarations import finite

DEAD_MAN = 1.0  # wall time without a key [s] after which all commands are zeroed


@dataclass(frozen=True, slots=True)
class JoystickAxis:
    """An axis: one variable that the joystick moves.

    Attributes:
        name: the variable.
        step: change per key press.
        limit: maximum magnitude.
    """

    name: str
    step: float = 10.0
    limit: float = 100.0


THRUST, RUDDER = JoystickAxis("DESIRED_THRUST"), JoystickAxis("DESIRED_RUDDER")


def read_axis(text: str) -> JoystickAxis:
    """Parse ``NAME[:STEP[:LIMIT]]``.

    Raises:
        LineError: the text has another form, or a number is not above 0.
    """
    name, *numbers = text.split(":")
    values = [finite(number) or 0.0 for number in numbers]
    if not name or len(values) > 2 or not all(value > 0 for value in values):
        raise LineError(f"--actuator {text}: expected NAME[:STEP[:LIMIT]], numbers above 0")
    return JoystickAxis(name, *values)


class Joystick:
    """Current positions of the joystick's axes.

    Attributes:
        levels: variable of an axis -> its position.
    """

    def __init__(self, ahead: JoystickAxis, across: JoystickAxis | None) -> None:
        """Begin with all axes at 0.

        Args:
            ahead: the axis of up and down.
            across: the axis of right and left; None: no axis.
        """
        self.axes = [ahead] if across is None else [ahead, across]
        self._keys = {"up": (ahead, 1), "down": (ahead, -1)}
        if across is not None:
            self._keys |= {"right": (across, 1), "left": (across, -1)}
        self.levels = dict.fromkeys((axis.name for axis in self.axes), 0.0)
        self._last_key = -inf

    def press(self, key: str, now: float) -> None:
        """Take a key; any key restarts the dead-man timeout."""
        self._last_key = now
        if key in self._keys:
            axis, sign = self._keys[key]
            level = self.levels[axis.name] + sign * axis.step
            self.levels[axis.name] = max(-axis.limit, min(axis.limit, level))

    def release(self) -> None:
        """Set every axis to 0."""
        self.levels = dict.fromkeys(self.levels, 0.0)

    def check_timeout(self, now: float) -> bool:
        """Set every axis to 0 when the dead-man timeout has expired; return whether it just did."""
        gone = now - self._last_key >= DEAD_MAN and any(self.levels.values())
        if gone:
            self.release()
        return gone
