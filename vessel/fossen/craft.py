"""A Fossen vessel as ``vessel.craft.Craft`` moves one: marine convention outside, NED within.

from steerageway.vessel.craft import Craft
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load

otter = FossenModel(load("inputs/otter"), time_step=0.02)
craft = Craft(otter, otter.start)
craft.inputs.thrust = 40
craft.advance(10.0)
"""

from __future__ import annotations

from math import hypot, radians
from typing import NamedTuple, Unpack

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.actuator_map import ActuatorMap, orders_in
from steerageway.vessel.fossen.dynamics import (
    CURRENT_E,
    CURRENT_N,
    NU,
    TIME,
    WATER_DEPTH,
    WIND_E,
    WIND_N,
    Dynamics,
    Floats,
)
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.marine import bearing, components, heading_of
from steerageway.vessel.model import Inputs, Motion, Tuning, VesselModel
from steerageway.vessel.times import NANO

X, Y, Z, PHI, THETA, PSI = range(6)
STABLE = 2.78  # steps of Runge-Kutta's fourth order beyond as many time constants grow (2.785)


class Afloat(NamedTuple):
    """A Fossen vessel's state between steps.

    Attributes:
        x: (12 + n,) eta, nu and actuators, as ``vessel.fossen.dynamics`` has them.
        late: time that has passed and is not stepped through: less than a step [ns].
        water: (3,) the current in NED [m/s].
        adrift: nu is still through the water: the current joins it with the first step.
        rudder: the order in force [%].
        trail: (steps, 2, 12 + n) the states of the last advance, and their rates.
    """

    x: Floats
    late: int = 0
    water: Floats = np.zeros(3)
    adrift: bool = True
    rudder: float = 0.0
    trail: Floats = np.empty((0, 2, 0))


class FossenModel:
    """Steps a vessel on a grid of whole time steps, however time is cut into advances.

    Attributes:
        vessel: what is stepped.
        period: the time step [ns].
        mapping: what orders do to its actuators, where ``Inputs.commands`` does not say.

    Raises:
        InvalidValue: an actuator is too fast for such steps: Runge-Kutta would make it swing, ever
            further, from stop to stop.
    """

    def __init__(
        self, vessel: Dynamics, time_step: float = 0.02, mapping: ActuatorMap | None = None
    ) -> None:
        name, constant = vessel.fastest_actuator()
        if time_step > STABLE * constant:
            raise InvalidValue(
                f"{name} of {vessel.name} has a time constant of {constant:.3g} s: too fast for "
                f"steps of {time_step:g} s; expected a time_step of {STABLE * constant:.3g} s or "
                "less, or 0 for the constant"
            )
        self.vessel = vessel
        self.period = round(time_step * NANO)
        self.mapping = mapping or ActuatorMap.of(vessel)
        self._around = vessel.surroundings()

    @property
    def start(self) -> Afloat:
        """Give the state a run starts from."""
        return Afloat(self.vessel.initial.copy())

    def step(self, state: Afloat, inputs: Inputs, dt: float) -> Afloat:
        """Give the state ``dt`` seconds later: of the last grid point that has come by then.

        Raises:
            NotFinite, OutsideEnvelope: with the last good state.
        """
        steps, late = divmod(state.late + max(0, round(dt * NANO)), self.period)
        if steps == 0:
            return state._replace(late=late, trail=state.trail[:0])
        around = self._surroundings(inputs)
        around[TIME] = (round(inputs.time * NANO) - late - steps * self.period) / NANO
        water = around[CURRENT_N : CURRENT_E + 2].copy()
        x = state.x.copy()
        if state.adrift:
            x[6:9] += eul_to_rotm(x[3:6]).T @ water
        x[PSI] += radians(inputs.rotate_speed) * steps * self.period / NANO
        told = inputs.commands
        command = self.mapping.commands(orders_in(inputs)) if told is None else told
        trail = self.vessel.trace(x, command, around, self.period / NANO, steps)
        return Afloat(trail[-1, 0], late, water, False, inputs.rudder, trail)

    def motion(self, state: Afloat) -> Motion:
        """Give what the world sees of a state; one above the surface has depth 0."""
        x = state.x
        R = eul_to_rotm(x[3:6])
        water = R.T @ state.water
        drift = state.water if state.adrift else np.zeros(3)
        north, east = (R @ x[6:9] + drift)[:2].tolist()
        return Motion(
            x=float(x[Y]),
            y=float(x[X]),
            heading=heading_of(float(x[PSI])),
            speed=float(x[6] if state.adrift else x[6] - water[0]),
            depth=max(0.0, float(x[Z])),
            pitch=float(x[THETA]),
            heading_over_ground=bearing(east, north),
            speed_over_ground=hypot(east, north),
            rudder=state.rudder,
        )

    def placed(self, state: Afloat, **pose: float) -> Afloat:
        """Give the state with some of x, y, heading, speed and depth replaced.

        A speed is ahead and through the water; she is then level, and does not turn.
        """
        moved = state.x.copy()
        for key, value in pose.items():
            if key == "heading":
                moved[PSI] = radians(value)
            elif key == "speed":
                moved[NU] = [value, 0, 0, 0, 0, 0]
                moved[[PHI, THETA]] = self.vessel.initial[[PHI, THETA]]
            else:
                moved[{"x": Y, "y": X, "depth": Z}[key]] = value
        return state._replace(x=moved, adrift=state.adrift or "speed" in pose)

    def tuned(self, **values: Unpack[Tuning]) -> VesselModel[Afloat]:
        """Refuse: her files say how she is.

        Raises:
            InvalidValue: always.
        """
        raise InvalidValue(f"{', '.join(values)}: without effect on a Fossen vessel")

    def order_rudder(self, present: float, desired: float, elapsed: float) -> float:
        """Give the order, within 100 %; how fast the rudder follows is its actuator's affair."""
        return min(max(desired, -100.0), 100.0)

    def _surroundings(self, inputs: Inputs) -> Floats:
        around = self._around.copy()
        around[CURRENT_N], around[CURRENT_E] = inputs.drift.y, inputs.drift.x
        if inputs.wind is not None:
            east, north = components(inputs.wind.direction + 180.0, inputs.wind.speed)
            around[WIND_N], around[WIND_E] = north, east
        if inputs.water_depth > 0:
            around[WATER_DEPTH] = inputs.water_depth
        return around
