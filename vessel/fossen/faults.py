"""Actuator faults: parses them; each changes the command on its way to the actuator."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

from steerageway.vessel.errors import InvalidValue
from steerageway.world.numbers import read_finite

STUCK, JAM, LOSS, BIAS, BACKLASH, DELAY, NONE = (
    *("stuck", "jam", "loss", "bias", "backlash", "delay"),
    "none",
)
OFF = "off"  # command is stuck at zero
EXPECTED = (
    "expected stuck, stuck@VALUE, jam, loss@SHARE (0 to 1), bias@VALUE, backlash@WIDTH, "
    "delay@SECONDS, off, several by commas, or none"
)


@dataclass(frozen=True)
class Fault:
    """One fault of an actuator.

    Attributes:
        kind: ``stuck`` (command), ``jam`` (actuator position), ``loss``, ``bias``,
            ``backlash`` or ``delay``.
        amount: command it is stuck at, or bias, in the actuator's unit (nan: the present
            command); fraction of the command that is lost; backlash, in the actuator's unit;
            additional delay [s].
    """

    kind: str
    amount: float = nan


def read_faults(text: str, unit: float) -> list[Fault]:
    """Parse ``stuck@40`` or ``backlash@2,loss@0.3``; ``none`` is the empty list.

    Args:
        text: faults of different kinds; values in the actuator's display unit.
        unit: factor from the display unit to the actuator's own.

    Raises:
        InvalidValue: invalid text.
    """
    if text.strip().lower() == NONE:
        return []
    found = [_read(piece, text, unit) for piece in text.split(",")]
    if len({fault.kind for fault in found}) < len(found):
        raise InvalidValue(f"{text}: {EXPECTED}")
    return found


def _read(piece: str, text: str, unit: float) -> Fault:
    kind, _, value = (part.strip().lower() for part in piece.partition("@"))
    wrong = InvalidValue(f"{text}: {EXPECTED}")
    if kind == OFF and "@" not in piece:
        return Fault(STUCK, 0.0)
    if kind in (STUCK, JAM) and "@" not in piece:
        return Fault(kind)
    if kind not in (STUCK, LOSS, BIAS, BACKLASH, DELAY) or not value:
        raise wrong
    amount = read_finite(value, kind)
    if (kind == LOSS and not 0.0 <= amount <= 1.0) or (kind in (BACKLASH, DELAY) and amount < 0.0):
        raise wrong
    return Fault(kind, amount if kind in (LOSS, DELAY) else amount * unit)
