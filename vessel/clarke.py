"""Clarke's regression of a ship's sway and yaw derivatives.

Source: D. Clarke, P. Gedling and G. Hine (1983), The application of manoeuvring criteria in hull
design using linear theory, Trans. RINA 125.
"""

from __future__ import annotations

from math import pi


def regression(L: float, B: float, T: float, C_b: float) -> tuple[list[float], list[float]]:
    """Return nondimensional (prime) added mass and damping of sway and yaw: 22, 23, 32, 33 of each.

    Args:
        L, B, T: length, beam and draft [m].
        C_b: block coefficient.

    Source: Clarke and others (1983), table of multiple linear regressions.
    """
    S = pi * (T / L) ** 2
    added = [
        1 + 0.16 * C_b * B / T - 5.1 * (B / L) ** 2,
        0.67 * B / L - 0.0033 * (B / T) ** 2,
        1.1 * B / L - 0.041 * B / T,
        1 / 12 + 0.017 * C_b * B / T - 0.33 * B / L,
    ]
    damping = [
        1 + 0.4 * C_b * B / T,
        -1 / 2 + 2.2 * B / L - 0.08 * B / T,
        1 / 2 + 2.4 * T / L,
        1 / 4 + 0.039 * B / T - 0.56 * B / L,
    ]
    return [S * value for value in added], [S * value for value in damping]
