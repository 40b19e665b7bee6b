"""Units of other programs: knots, fathoms, pascals. Inside are metres, m/s, compass degrees."""

from __future__ import annotations

KNOT = 1852.0 / 3600.0  # [m/s], exact
NAUTICAL_MILE = 1852.0  # [m], exact
KILOMETRE_PER_HOUR = 1.0 / 3.6  # [m/s]
FOOT = 0.3048  # [m], exact
FATHOM = 6.0 * FOOT  # [m]
ATMOSPHERE = 101_325.0  # [Pa], standard
SEA_WATER = 1025.0 * 9.81  # pressure by depth [Pa/m]
