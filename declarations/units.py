"""Units of columns in tables: the unit of the same quantity that is used inside, and the factor.

Numbers of vessel files have no units but those of their keys; ``world.units`` reads "1.2 km".
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

INSIDE: Mapping[str, tuple[str, float]] = {
    "s": ("s", 1.0),
    "m": ("m", 1.0),
    "m/s": ("m/s", 1.0),
    "kn": ("m/s", 1852.0 / 3600.0),
    "rad": ("rad", 1.0),
    "deg": ("rad", pi / 180.0),
    "rad/s": ("rad/s", 1.0),
    "deg/s": ("rad/s", pi / 180.0),
    "rpm": ("rad/s", pi / 30.0),
    "%": ("%", 1.0),
}
"""Units that every reader of tables knows; each adds its own."""


def other_unit(
    ratio: float, unit: str, within: float, units: Mapping[str, tuple[str, float]] = INSIDE
) -> str | None:
    """Return the unit that numbers said to be in ``unit`` are in, by their size; None: in no other.

    Args:
        ratio: of the numbers to what they should be in ``unit``.
        unit: as in ``units``. within: greatest error of the ratio, relative to it.
        units: the units that may be meant, as ``INSIDE``.
    """
    quantity, factor = units.get(unit, ("", 1.0))
    for other, (kind, inside) in units.items():
        if other != unit and kind == quantity and abs(ratio * inside / factor - 1.0) < within:
            return other
    return None
