"""What can go wrong with a vessel, as one tree with what can go wrong with the world around it.

VesselError, which is WorldError
├── InvalidValue     a parameter, a text or a file does not say what it must (also a ValueError)
├── NotFinite        a state stopped being numbers; carries the last good one
└── OutsideEnvelope  a state is beyond what its model is for; carries the last good one
"""

from __future__ import annotations

from steerageway.world.errors import InvalidValue as InvalidValue
from steerageway.world.errors import WorldError

VesselError = WorldError


class NotFinite(VesselError):
    """A state stopped being numbers.

    Attributes: ``last_good``, the state before; ``what``, what was wrong after.
    """

    def __init__(self, last_good: object, what: str) -> None:
        self.last_good, self.what = last_good, what
        super().__init__(f"the state is no longer finite ({what}); the last good one: {last_good}")


class OutsideEnvelope(VesselError):
    """A state is numbers, but beyond what its model is for.

    Attributes: ``last_good``, the state before; ``what``, what left the envelope.
    """

    def __init__(self, last_good: object, what: str) -> None:
        self.last_good, self.what = last_good, what
        super().__init__(f"the state leaves the envelope ({what}); the last good one: {last_good}")
