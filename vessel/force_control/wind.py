"""Wind force on a vessel by its own model, for feedforward."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.kinematics import Array


class WindForce:
    """Wind wrench on a vessel of the coefficient form."""

    def __init__(self, vessel: Dynamics) -> None:
        hull = at.hull_of(vessel.parameters)
        if not isinstance(hull, at.Parameters) or not vessel.feels_wind():
            raise InvalidValue(
                f"{vessel.name}: nothing that the wind moves (wind: in geometry.yml)"
            )
        self._vessel = vessel
        self._mass = np.linalg.pinv(hull.matrices[at.M_INV])
        self._rest = np.zeros(len(vessel.commands))
        self._x = vessel.initial.copy()

    def wrench(self, yaw: float, nu: Array, speed: float, direction: float) -> Array:
        """Return tau (6,) [N, N m] of a wind: the model's forces with it less those in still air.

        Args:
            yaw: of the vessel [rad]. nu: (6,) its velocity over ground, in BODY.
            speed: of the wind [m/s]. direction: from which it blows [deg].
        """
        x = self._x
        x[5], x[6:12] = yaw, 0.0
        x[6:8] = nu[:2]
        to = radians(direction + 180.0)
        wind = (speed * cos(to), speed * sin(to))
        blown, still = (
            self._vessel.derivative(x, self._rest, self._vessel.surroundings(wind=w))
            for w in (
                wind,
                (
                    float(nu[0] * cos(yaw) - nu[1] * sin(yaw)),
                    float(nu[0] * sin(yaw) + nu[1] * cos(yaw)),
                ),
            )
        )
        wrench: Array = self._mass @ (blown - still)[6:12]
        return wrench
