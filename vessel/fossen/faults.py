"""What may go wrong with an actuator: what reaches it is changed on the way to it."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

from steerageway.vessel.errors import InvalidValue
from steerageway.world.numbers import read_finite

STUCK, JAM, LOSS, BIAS, BACKLASH, DELAY, NONE = (
    *("stuck", "jam", "loss", "bias", "backlash", "delay"),
    "none",
)
OFF = "off"  # stuck at no command
EXPECTED = (
    "expected stuck, stuck@VALUE, jam, loss@SHARE (0 to 1), bias@VALUE, backlash@WIDTH, "
    "delay@SECONDS, off, several by commas, or none"
)


@dataclass(frozen=True)
class Fault:
    """A fault of one actuator.

    Attributes:
        kind: ``stuck`` (at a command), ``jam`` (where the actuator is), ``loss``, ``bias``,
            ``backlash`` or ``delay``.
        amount: the command it is stuck at, or what is added to it, in its own unit (nan: where it
            is commanded to); the share of its command that is lost; the play, in its own unit; how
            much later a command comes [s].
    """

    kind: str
    amount: float = nan


def read_faults(text: str, unit: float) -> list[Fault]:
    """Read ``stuck@40`` or ``backlash@2,loss@0.3``; ``none`` gives none.

    Args:
        text: faults, each of another kind; values in the unit the actuator is shown in.
        unit: factor from that to its own.

    Raises:
        InvalidValue: anything else.
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
