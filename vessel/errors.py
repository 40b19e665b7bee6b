"""Exceptions of vessel and world, as one tree.

VesselError, which is WorldError
├── InvalidValue     a parameter, text or file is invalid (also a ValueError)
├── NotFinite        a state is no longer finite; carries the last good one
└── OutsideEnvelope  a state is outside of its model's envelope; carries the last good one
"""

from __future__ import annotations

from steerageway.world.errors import InvalidValue as InvalidValue
from steerageway.world.errors import WorldError

VesselError = WorldError


class NotFinite(VesselError):
    """A state is no longer finite.

    Attributes: ``last_good``, the state before; ``what``, the offending values after.
    """

    def __init__(self, last_good: object, what: str) -> None:
        self.last_good, self.what = last_good, what
        super().__init__(f"the state is no longer finite ({what}); the last good one: {last_good}")


class OutsideEnvelope(VesselError):
    """A finite state outside of its model's range of validity.

    Attributes: ``last_good``, the state before; ``what``, the quantity outside of the envelope.
    """

    def __init__(self, last_good: object, what: str) -> None:
        self.last_good, self.what = last_good, what
        super().__init__(f"the state leaves the envelope ({what}); the last good one: {last_good}")
