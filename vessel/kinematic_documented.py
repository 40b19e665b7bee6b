"""Kinematic model ``documented``: the thrust-map vessel as in the manual of uSimMarineV22.

What the manual does not describe follows the released simulator, with its bugs fixed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import asin, degrees, exp
from typing import Unpack

from steerageway.geometry.marine import angle360
from steerageway.vessel.bounds import bounded
from steerageway.vessel.kinematic import (
    DIFFERENTIAL_RATE,
    KinematicParameters,
    checked,
    limited_change,
    on_ground,
    propulsion,
    saturated,
    travel,
)
from steerageway.vessel.model import Inputs, Motion, Tuning, VesselModel

_new = tuple.__new__  # creates a named tuple in half the time

PITCH_LAG = 1.0
"""Time constant of the pitch towards the slope of the path through the water [s].

An addition: the manual has no pitch. Without a lag, the depth gains of existing missions, which
were tuned on the released simulator, make the elevator chatter and the vessel never dives.
"""


@dataclass(frozen=True, slots=True)
class Documented(VesselModel[Motion]):
    """The model ``documented``."""

    parameters: KinematicParameters

    def step(self, state: Motion, inputs: Inputs, dt: float) -> Motion:
        """Return the state after ``dt`` [s]."""
        if dt <= 0:
            return state
        slew = self.parameters.max_rudder_rate
        blade = limited_change(state.rudder, saturated(inputs.rudder), slew, slew, dt)
        thrust, rudder = propulsion(inputs, blade)
        thrust = saturated(thrust)
        speed = self._speed(state, inputs, thrust, rudder, dt)
        mean_speed = (speed + state.speed) / 2
        turn = self._turn(inputs.differential, thrust, rudder, speed, dt)
        turn = self._within_radius(turn, mean_speed, dt) + inputs.rotate_speed * dt
        heading = angle360(state.heading + turn)
        way = travel(state, heading, mean_speed, inputs, dt)
        dive, path = self._dive(saturated(inputs.elevator), mean_speed)
        pitch = path + (state.pitch - path) * exp(-dt / PITCH_LAG)
        depth = max(0.0, state.depth + (dive - self.parameters.buoyancy_rate) * dt)
        x, y, course, ground_speed = way
        after = _new(
            Motion, (x, y, heading, speed, depth, pitch, course, ground_speed, blade, False)
        )
        return on_ground(state, checked(after, state), inputs)

    def motion(self, state: Motion) -> Motion:
        """Return the motion: all of the state."""
        return state

    def placed(self, state: Motion, **pose: float) -> Motion:
        """Return the state with parts of the pose replaced; the heading is wrapped to [0, 360)."""
        if "heading" in pose:
            pose["heading"] = angle360(pose["heading"])
        return state._replace(**pose)  # type: ignore[arg-type]

    def tuned(self, **values: Unpack[Tuning]) -> Documented:
        """Return the model with some parameters replaced."""
        return Documented(replace(self.parameters, **values))

    def _speed(
        self, state: Motion, inputs: Inputs, thrust: float, rudder: float, dt: float
    ) -> float:
        """Return the speed at the end of the step [m/s].

        Source: uSimMarineV22 manual, section 5.1; max_speed and sailing: the released simulator.
        """
        p = self.parameters
        speed = p.thrust_map.speed(thrust)
        if p.max_speed is not None:
            speed = bounded(speed, p.max_speed)
        if p.polar_plot is not None and inputs.wind is not None and not inputs.differential:
            speed = min(speed, p.polar_plot.most_speed(inputs.wind, state.heading))
        speed *= 1 - abs(rudder) / 100 * p.turn_spd_loss
        return limited_change(state.speed, speed, p.max_acceleration, p.max_deceleration, dt)

    def _turn(
        self, differential: bool, thrust: float, rudder: float, speed: float, dt: float
    ) -> float:
        """Return the change of heading by rudder or differential thrust [deg].

        Source: uSimMarineV22 manual, section 5.2, steps 1 and 2; |thrust| with the sign of its
        second step is thrust. Differential thrust: the released simulator.
        """
        if differential:
            return DIFFERENTIAL_RATE * rudder * dt
        p = self.parameters
        rate = p.turn_rate
        if p.turn_speed_map is not None:
            rate = p.turn_speed_map.rate(abs(speed), rate)
        return rudder * rate / 100 * dt * thrust / 50

    def _within_radius(self, turn: float, speed: float, dt: float) -> float:
        """Return a change of heading [deg] limited by the minimum turn radius.

        A chord of length speed * dt on a circle of radius R turns the heading by
        2 asin(chord / 2R). Below max_speed the radius shrinks in proportion to the speed.
        """
        radius = self.parameters.turn_radius
        if radius is None:
            return turn
        chord = max(abs(speed), self.parameters.max_speed or 0.0) * dt
        most = 2 * degrees(asin(min(1.0, chord / (2 * radius))))
        return bounded(turn, most)

    def _dive(self, elevator: float, speed: float) -> tuple[float, float]:
        """Return (depth rate without buoyancy [m/s], slope of the path through the water [rad]).

        Source: uSimMarineV22 manual, equation 4.
        """
        if elevator == 0.0:
            return 0.0, 0.0
        p = self.parameters
        share = 1.0
        if p.max_depth_rate_speed is not None:
            share = bounded(speed / p.max_depth_rate_speed, 1.0)
        rate = share * share * elevator / 100 * p.max_depth_rate
        return rate, -asin(bounded(rate / speed, 1.0)) if speed > 0 else 0.0
