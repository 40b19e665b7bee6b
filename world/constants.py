"""Physical constants used where a file or a caller gives none, and the unit of time."""

from __future__ import annotations

DENSITY = 1025.0
"""Of sea water [kg/m³]."""
GRAVITY = 9.81
"""Acceleration of gravity [m/s²]."""
VISCOSITY = 1.19e-6
"""Kinematic, of sea water at 15 degrees Celsius [m²/s]."""
NANO = 1_000_000_000
"""Nanoseconds per second: times are whole nanoseconds, for exact sums."""
