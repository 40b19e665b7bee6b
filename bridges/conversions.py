"""Units and frames of other programs: knots and fathoms, ENU and FLU against NED and FRD.

Inside: metres, m/s, compass degrees; NED (north, east, down) and FRD (forward, right, down).
"""

from __future__ import annotations

KNOT = 1852.0 / 3600.0  # [m/s], exact
NAUTICAL_MILE = 1852.0  # [m], exact
KILOMETRE_PER_HOUR = 1.0 / 3.6  # [m/s]
FOOT = 0.3048  # [m], exact
FATHOM = 6.0 * FOOT  # [m]
