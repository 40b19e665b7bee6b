"""Numbers with units in files: ``Hs: 1.2``, ``Hs: 1.2 m``, ``fetch: 20 km``.

A number without unit is in the unit declared for its key; another unit of the same quantity is
converted, a unit of another quantity is rejected.
"""

from __future__ import annotations

from math import inf, radians

import yaml

from steerageway.declarations import Number, finite
from steerageway.declarations.key import Key
from steerageway.world.document import Section, sized

UNITS: dict[str, dict[str, float]] = {
    "m": {"m": 1.0, "km": 1000.0, "nmi": 1852.0, "ft": 0.3048, "cm": 0.01, "mm": 0.001},
    "s": {"s": 1.0, "min": 60.0, "h": 3600.0},
    "m/s": {"m/s": 1.0, "kn": 1852.0 / 3600.0, "km/h": 1.0 / 3.6},
    "deg": {"deg": 1.0, "rad": 1.0 / radians(1.0)},
    "kg/m3": {"kg/m3": 1.0, "kg/m^3": 1.0, "kg/m³": 1.0},
    "m/s2": {"m/s2": 1.0, "m/s^2": 1.0, "m/s²": 1.0},
    "": {},
}
"""Permitted units for the unit of a key, with their factors."""


def quantity(
    section: Section,
    key: str,
    unit: str = "",
    default: float | None = None,
    *,
    low: float = -inf,
    above: float = -inf,
    high: float = inf,
) -> float:
    """Return a finite number in ``unit``.

    Args:
        section: section that contains the key.
        key: name or declared ``Key``.
        unit: unit of the result, one of ``UNITS``; of a declared ``Key`` this and the rest are
        its own.
        default: value if the key is absent; None: it is required.
        low, above, high: inclusive minimum, exclusive minimum, inclusive maximum.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    limits = Number(low, high, above)
    if isinstance(key, Key):
        unit, limits = unit or key.unit, key.limits.within(limits)
    if key not in section:
        return section.number(key, default, low, high, above)
    text = section.text(key)
    number, _, written = text.strip().partition(" ")
    factors = {"": 1.0, **UNITS[unit]}
    factor, value = factors.get(written.strip()), finite(number)
    if factor is None and value is not None:
        return section.refused(key, text, f"one of the units {', '.join(UNITS[unit])}", value)
    if factor is None or value is None or value * factor not in limits:
        return section.refused(key, text, limits.phrase, default or 1.0)
    try:
        return sized(key, value * factor)
    except OverflowError as error:
        return section.refused(key, text, str(error), default or 1.0)


def word(section: Section, key: Key, default: str = "") -> str:
    """Return one of a key's choices; ``none`` is no value unless it is one of them."""
    node = section.nodes.get(key)
    if isinstance(node, yaml.ScalarNode) and node.value.lower() == "none" and "none" in key.choices:
        section.asked.add(key)
        return "none"
    return section.choice(key, default=default)
