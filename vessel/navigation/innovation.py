"""Innovations of the navigation filter, with covariance and NIS.

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
    """Innovation of a measurement.

    Attributes:
        name, part: of the instrument, and of its record.
        time: of the measurement [ns].
        value: (m,) measured minus predicted, in the unit of the part; [rad] for an attitude.
        covariance: (m, m) S, of prediction and measurement noise.
        nis: nu' S^-1 nu.
        refused: rejected by the gate, without an update.
    """

    name: str
    part: str
    time: int
    value: Array
    covariance: Array
    nis: float
    refused: bool
