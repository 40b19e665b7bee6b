"""Persons in the water, as in the files and mail of ``uFldRescueMgr``.

    swimmer = name=p01, x=23, y=-54
    swimmer = x=92, y=-31, type=unreg      found by a scout only
    poly    = pts={-65,-49:-22,-139:119,-73:76,17}

Source: MOOS-IvP's SwimmerSet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from steerageway.declarations import Choice, Number, field_of
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key

REGISTERED, UNREGISTERED = "reg", "unreg"
_TYPE = Choice(REGISTERED, UNREGISTERED)


@dataclass
class Swimmer:
    """A person in the water.

    Attributes:
        name: unique; place: (x, y) [m].
        is_registered: whether the vessels learn the place without a scout.
        number: by which the vessels know it.
        rescuer: who rescued it, or ``nature``; None: nobody yet.
        scouts: the vessels that have scouted it, in this order.
    """

    name: str
    place: Point
    is_registered: bool
    number: int = 0
    rescuer: str | None = None
    scouts: list[str] = field(default_factory=list)

    @property
    def is_known(self) -> bool:
        """Whether some vessel knows the place."""
        return self.is_registered or bool(self.scouts)


def parse_swimmer(text: str, taken: Iterable[str], default: str | None = None) -> Swimmer:
    """Parse ``name=p01,x=23,y=-54,type=reg``; without a name it gets one.

    Args:
        taken: the names of the others.
        default: its type without ``type``; None if that must be given.
    Raises:
        ValueError: a field is missing or invalid, or the name is taken.
    """
    fields, others = by_key(text), frozenset(taken)
    number = Number()
    place = field_of(fields, "x", number), field_of(fields, "y", number)
    is_registered = field_of(fields, "type", _TYPE, default) == REGISTERED
    name = fields.get("name", "")
    if name in others:
        raise ValueError(f"expected another name than {name}")
    letter = "p" if is_registered else "x"
    counted = (f"{letter}{count:02d}" for count in range(1, len(others) + 2))
    return Swimmer(name or next(n for n in counted if n not in others), place, is_registered)
