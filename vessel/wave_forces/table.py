"""Force RAOs: excitation of a fixed vessel per metre of wave amplitude, by frequency and heading.

The force on a vessel in a wave a cos(w t - k·x + eps) is Re(a X e^{i(w t - k·x + eps)}), in BODY
about CO; headings are directions the wave goes to, clockwise from the bow: 0 following, pi head.
Real and imaginary parts are interpolated linearly, not the phase. Speed has effect through
the frequency of encounter that results from the vessel's motion.

Source: Fossen (2021), section 10.2.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.errors import InvalidValue
from steerageway.world.arrays import Floats
from steerageway.world.kinematics import FREQUENCY

Complex = NDArray[np.complex128]
HEADINGS = 72  # of the tables made for a sea: every 5 degrees, which includes those of most files
TO_FRD = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])  # signs from x forward, y port, z up to BODY
MIRRORED = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])  # signs of the mirror image
SAME = 1e-6  # [rad] tolerance of equal headings


@dataclass(frozen=True, eq=False)
class ForceRao:
    """Force RAOs.

    Attributes:
        omega: (n,) frequencies, ascending [rad/s].
        headings: (h,) ascending in [0, 2 pi) [rad].
        X: (n, h, 6) complex [N/m, N m/m].
    """

    omega: Floats
    headings: Floats
    X: Complex

    def at(self, omega: Floats, heading: Floats) -> Complex:
        """Return X (m, 6) at frequencies and headings (m,); 0 above the last frequency."""
        here = np.stack([self._at_heading(h) for h in heading.tolist()])
        found = np.empty((len(omega), 6), np.complex128)
        for i, w in enumerate(omega.tolist()):
            for k in range(6):
                values = here[i, :, k]
                found[i, k] = _between(self.omega, values, w)
        return found

    def _at_heading(self, heading: float) -> Complex:
        """Return X (n, 6) at a heading."""
        turn = 2.0 * pi
        # the first heading repeated one turn later closes the interval across 2 pi
        around = np.concatenate((self.headings, [self.headings[0] + turn]))
        place = (heading - self.headings[0]) % turn + self.headings[0]
        low = int(np.searchsorted(around, place, side="right")) - 1
        low = min(max(low, 0), len(self.headings) - 1)
        share = (place - around[low]) / (around[low + 1] - around[low])
        high = (low + 1) % len(self.headings)
        blended: Complex = (1.0 - share) * self.X[:, low] + share * self.X[:, high]
        return blended

    def table_of(self, rows: Floats) -> Floats:
        """Return the table of a sea's components (n, HEADINGS, 12): real and imaginary parts."""
        table = np.empty((len(rows), HEADINGS, 12))
        for j in range(HEADINGS):
            here = self._at_heading(2.0 * pi * j / HEADINGS)
            for i, w in enumerate(rows[:, FREQUENCY].tolist()):
                for k in range(6):
                    value = _between(self.omega, here[:, k], w)
                    table[i, j, k], table[i, j, 6 + k] = value.real, value.imag
        return table


def _between(omega: Floats, values: Complex, w: float) -> complex:
    real = np.interp(w, omega, values.real, right=0.0)
    return complex(real, float(np.interp(w, omega, values.imag, right=0.0)))


def around(omega: Floats, headings: Floats, X: Complex) -> ForceRao:
    """Return RAOs over a full turn; headings of one side only are mirrored to the other.

    Args:
        omega: (n,) frequencies [rad/s].
        headings: (h,) clockwise from the bow, in any turn and order [rad].
        X: (n, h, 6).

    Raises:
        InvalidValue: the headings cover neither a full turn nor one side.
    """
    turned = np.mod(headings, 2.0 * pi)
    # 360 degrees is the heading 0: files may have both
    turned[turned > 2.0 * pi - SAME] = 0.0
    turned, first = np.unique(np.round(turned, 9), return_index=True)
    values = X[:, first]
    one_side = turned[-1] <= pi + SAME or turned[turned > SAME].min(initial=7.0) >= pi - SAME
    if one_side:
        other = np.mod(-turned, 2.0 * pi)
        new = np.array([np.abs(turned - h).min() > SAME for h in other])
        turned = np.concatenate((turned, other[new]))
        values = np.concatenate((values, (values * MIRRORED)[:, new]), axis=1)
        order = np.argsort(turned)
        turned, values = turned[order], values[:, order]
    gaps = np.diff(np.concatenate((turned, [turned[0] + 2.0 * pi])))
    if gaps.max() > 0.5 * pi + SAME:
        degrees = np.degrees(turned).round(1).tolist()
        raise InvalidValue(f"headings {degrees}: expected a turn, or 0 to 180 degrees")
    return ForceRao(omega, turned, values)
