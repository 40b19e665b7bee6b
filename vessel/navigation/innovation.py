"""How far measurements are from what was expected of them, and how far they should be.

A filter is consistent if the normalised innovation squared (NIS), nu' S^-1 nu of an innovation nu
of m components with the covariance S that the filter expects of it, is distributed as chi-square
with m degrees of freedom: m in the mean.

Source: Bar-Shalom, Li and Kirubarajan (2001), Estimation with Applications to Tracking and
Navigation, section 5.4.
"""

from __future__ import annotations

from typing import NamedTuple

from steerageway.vessel.navigation.estimate import Array


class Innovation(NamedTuple):
    """A measurement beside what was expected of it.

    Attributes:
        name, part: of the instrument, and what it measured.
        time: when [ns].
        value: (m,) measured less expected, in the unit of the part; of an attitude [rad].
        covariance: (m, m) S, of the estimate and the noise together.
        nis: nu' S^-1 nu.
        refused: it was too far off, and not taken in.
    """

    name: str
    part: str
    time: int
    value: Array
    covariance: Array
    nis: float
    refused: bool
