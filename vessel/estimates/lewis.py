"""Added mass of Lewis sections in heave and sway.

Source: F. M. Lewis (1929), The inertia of the water surrounding a vibrating ship, Trans. SNAME 37;
parameters of the conformal map from breadth, draught and area as in textbooks of strip theory.
"""

from __future__ import annotations

from math import pi, sqrt

LEAST_AREA, MOST_AREA = 0.3, 1.15  # limits of the area over B T for the two-parameter map


def parameters(beam: float, draught: float, area: float) -> tuple[float, float]:
    """Return a_1 and a_3 of the map from a circle to a section [m, m, m²]."""
    slenderness = 0.5 * beam / draught
    sigma = min(max(area / (beam * draught), LEAST_AREA), MOST_AREA)
    flat = (slenderness - 1.0) / (slenderness + 1.0)
    C = 3.0 + 4.0 * sigma / pi + (1.0 - 4.0 * sigma / pi) * flat**2
    a_3 = (3.0 - C + sqrt(max(9.0 - 2.0 * C, 0.0))) / C
    return flat * (1.0 + a_3), a_3


def heave(beam: float, draught: float, area: float, density: float) -> float:
    """Return the added mass of a floating section in heave at high frequency [kg/m]."""
    a_1, a_3 = parameters(beam, draught, area)
    shape: float = ((1.0 + a_1) ** 2 + 3.0 * a_3**2) / (1.0 + a_1 + a_3) ** 2
    return 0.5 * pi * density * (0.5 * beam) ** 2 * shape


def sway(beam: float, draught: float, area: float, density: float) -> float:
    """Return the added mass of a floating section in sway at low frequency [kg/m]."""
    a_1, a_3 = parameters(beam, draught, area)
    shape: float = ((1.0 - a_1) ** 2 + 3.0 * a_3**2) / (1.0 - a_1 + a_3) ** 2
    return 0.5 * pi * density * draught**2 * shape
