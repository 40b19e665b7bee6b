"""What may go wrong with an actuator: its command is changed on the way to it."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.vessel.errors import InvalidValue
from steerageway.world.numbers import read_finite

EXPECTED = "expected stuck, stuck@VALUE, loss@SHARE (0 to 1), backlash@WIDTH or none"


@dataclass
class Fault:
    """A fault of one actuator.

    Attributes:
        kind: ``stuck``, ``loss`` or ``backlash``.
        amount: the command it is stuck at, in its own unit (nan: where it is); the share of its
            command that is lost; the play, in its own unit.
    """

    kind: str
    amount: float
    _last: float = 0.0

    def begin(self, command: float) -> None:
        """Take note of the command in force when the fault comes."""
        self._last = command
        if self.kind == "stuck" and self.amount != self.amount:
            self.amount = command

    def of(self, command: float) -> float:
        """Give what reaches the actuator of a command."""
        if self.kind == "stuck":
            return self.amount
        if self.kind == "loss":
            return command * (1.0 - self.amount)
        half = 0.5 * self.amount
        self._last = min(max(self._last, command - half), command + half)
        return self._last


def read_fault(text: str, unit: float) -> Fault | None:
    """Read ``stuck``, ``stuck@40``, ``loss@0.3``, ``backlash@2``; None for ``none``.

    Args:
        text: the fault; values in the unit the actuator is shown in.
        unit: factor from that to its own.

    Raises:
        InvalidValue: anything else.
    """
    kind, at, value = (piece.strip().lower() for piece in text.partition("@"))
    if kind == "none" and not at:
        return None
    if kind == "stuck" and not at:
        return Fault(kind, float("nan"))
    if kind not in ("stuck", "loss", "backlash") or not value:
        raise InvalidValue(f"{text}: {EXPECTED}")
    amount = read_finite(value, kind)
    if (kind == "loss" and not 0.0 <= amount <= 1.0) or (kind == "backlash" and amount < 0.0):
        raise InvalidValue(f"{text}: {EXPECTED}")
    return Fault(kind, amount if kind == "loss" else amount * unit)
