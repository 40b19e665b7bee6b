"""Thrust-map vessel models of the released simulators, including their peculiarities.

``Released`` is uSimMarineV22, ``Legacy`` the older uSimMarine. All their results are reproduced,
except those of two errors without useful results: the heading that reverses in every step of
the reverse mode, and uninitialised memory. Their rounding is reproduced, too: whether a speed
becomes 0 or 1e-17 m/s affects the pitch.
Source: the behaviour of MOOS-IvP's uSimMarineV22 and uSimMarine (2026), reimplemented.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import asin, atan2, cos, degrees, floor, hypot, pi, sin, sqrt
from typing import Unpack

from steerageway.geometry.marine import angle180, angle360, bearing, components
from steerageway.vessel.bounds import bounded
from steerageway.vessel.kinematic import (
    DIFFERENTIAL_RATE,
    KinematicParameters,
    Travel,
    TurnSpeedMap,
    checked,
    propulsion,
    saturated,
)
from steerageway.vessel.model import Inputs, Motion, Tuning
from steerageway.vessel.polar import PolarPlot, Wind

TURN_SPEED_MAP = TurnSpeedMap(full_speed=5.0)
"""Full turn rate is reached at 5 m/s, regardless of turn_spd_map_full_speed."""

RUDDER_CHANGE = 100.0
"""Maximum change of the rudder per order [%] without a rudder rate."""


@dataclass(frozen=True, slots=True)
class Released:
    """The model ``released``; see ``vessel.model.VesselModel``."""

    parameters: KinematicParameters

    def step(self, state: Motion, inputs: Inputs, dt: float) -> Motion:
        """Return the state ``dt`` seconds later.

        The stored speed is the mean of the old and the new one, so that a vessel without an
        acceleration limit halves the difference to its thrust's speed in each step.
        """
        if dt <= 0:
            return state
        thrust, rudder = propulsion(inputs, inputs.rudder)
        rudder = saturated(rudder)
        speed = self._speed(state, inputs, thrust, rudder, dt)
        turn = self._turn(inputs.differential, thrust, rudder, speed, dt)
        heading = angle360(state.heading + turn + inputs.rotate_speed * dt)
        depth, pitch = self._dive(state, inputs.elevator, speed, dt)
        mean_speed = (speed + state.speed) / 2
        way, kept = _travel(state, heading, mean_speed, inputs, dt)
        x, y, heading = self._within_radius(state, way, heading, (speed + kept) / 2)
        rudder = inputs.rudder
        after = Motion(x, y, heading, kept, depth, pitch, way.course, way.speed, rudder)
        return checked(after, state)

    def settled(self, state: Motion, inputs: Inputs) -> Motion:
        """Return the state unchanged: ``step`` is complete."""
        return state

    def motion(self, state: Motion) -> Motion:
        """Return the observable motion of a state: the state itself."""
        return state

    def placed(self, state: Motion, **pose: float) -> Motion:
        """Return the state with a part of the pose replaced; the heading is not normalised."""
        return state._replace(**pose)  # type: ignore[arg-type]

    def order_rudder(self, present: float, desired: float, elapsed: float) -> float:
        """Return the rudder after an order: it moves once per order, not with time."""
        rate = self.parameters.max_rudder_rate
        most = RUDDER_CHANGE if rate is None else rate * elapsed
        return present + bounded(desired - present, most)

    def tuned(self, **values: Unpack[Tuning]) -> Released:
        """Return the model with some parameters replaced; a turn_rate of 0 has no effect."""
        if values.get("turn_rate") == 0:
            values["turn_rate"] = self.parameters.turn_rate
        p = replace(self.parameters, **values)
        growth = p.turn_speed_map
        if growth is not None and growth.null_rate > p.turn_rate:
            p = replace(p, turn_speed_map=replace(growth, null_rate=p.turn_rate))
        return Released(p)

    def _speed(
        self, state: Motion, inputs: Inputs, thrust: float, rudder: float, dt: float
    ) -> float:
        """Return the speed of the vessel in this step, before averaging [m/s]."""
        p = self.parameters
        speed = p.thrust_map.speed(thrust)
        if p.polar_plot is not None and inputs.wind is not None and not inputs.differential:
            most = self._most_by_wind(p.polar_plot, inputs.wind, state.heading)
            speed = min(speed, most) if most > 0 else speed
        speed *= 1 - abs(rudder) / 100 * p.turn_spd_loss
        gain = (speed - state.speed) / dt
        if p.max_acceleration is not None and gain > p.max_acceleration:
            return state.speed + p.max_acceleration * dt
        if p.max_deceleration is not None and -gain > p.max_deceleration:
            return state.speed - p.max_deceleration * dt
        return speed

    @staticmethod
    def _most_by_wind(plot: PolarPlot, wind: Wind, heading: float) -> float:
        """Return the maximum speed by wind [m/s]; 0: no limit.

        The plot is a table for the degrees 0 to 359, relative to the wind's nearest degree; for
        360 degrees it returns 0.
        """
        degree = int(angle360(heading) + 0.5)
        if degree == 360:
            return 0.0
        return plot.most_speed(Wind(wind.speed, floor(wind.direction + 0.5)), degree)

    def _turn(
        self, differential: bool, thrust: float, rudder: float, speed: float, dt: float
    ) -> float:
        """Return the change of heading due to steering [deg]."""
        if differential:
            return DIFFERENTIAL_RATE * rudder * dt
        if speed == 0:
            return 0.0
        return rudder * (self._turn_rate(speed) / 100) * dt * (1 + (thrust - 50) / 50)

    def _turn_rate(self, speed: float) -> float:
        """Return the turn rate [%] at a speed: it increases up to 5 m/s."""
        growth = self.parameters.turn_speed_map or TURN_SPEED_MAP
        return growth.rate(speed, self.parameters.turn_rate)

    def _within_radius(
        self, state: Motion, way: Travel, heading: float, speed: float
    ) -> tuple[float, float, float]:
        """Return (x, y, heading), limited to the minimum turn radius if one is set.

        The chord of a step on the circle turns the course by asin(chord / 2R); a larger change
        of course is reduced to that, and the heading changes by twice the angle. Astern the
        motion is away from the bow, so any turn is too large, and the vessel is moved ahead of its
        old position; with max_speed the radius is negative there, too, and it turns the other way.

        Args:
            speed: mean of the new speed and the stored one [m/s].
        """
        p = self.parameters
        radius = p.turn_radius
        if radius is None:
            return way.x, way.y, heading
        if p.max_speed is not None and p.max_speed > speed:
            radius *= speed / p.max_speed
        east, north = way.x - state.x, way.y - state.y
        chord = sqrt(east * east + north * north)
        turn = angle180(heading - state.heading)
        if radius == 0 or turn == 0 or chord > 2 * abs(radius):
            return way.x, way.y, heading
        most = degrees(asin(chord / (2 * radius)))
        if most >= abs(angle180(bearing(east, north) - state.heading)):
            return way.x, way.y, heading
        side = most if turn > 0 else -most
        east, north = components(state.heading + side, chord)
        return state.x + east, state.y + north, angle360(state.heading + 2 * side)

    def _dive(self, state: Motion, elevator: float, speed: float, dt: float) -> tuple[float, float]:
        """Return (depth [m], pitch [rad]); the pitch of one step acts on the depth of the next."""
        p = self.parameters
        rate, pitch = -p.buoyancy_rate, 0.0
        if speed > 0:
            share = 1.0
            if p.max_depth_rate_speed is not None:
                # the depth rate by elevator grows with the square root of speed up to that speed
                share = sqrt(min(1.0, speed / p.max_depth_rate_speed))
            act = saturated(elevator) / 100 * (share * p.max_depth_rate)
            sink = -sin(state.pitch) * speed
            pitch = -asin((sink + act) / speed) if abs(sink + act) <= speed else 0.0
            rate = -p.buoyancy_rate + sink + act
        return max(0.0, state.depth + rate * dt), pitch


def _travel(
    state: Motion, heading: float, speed: float, inputs: Inputs, dt: float
) -> tuple[Travel, float]:
    """Move a vessel along its mean heading, and with the drift; also return the stored speed.

    That is the magnitude of the velocity, with the sign of the speed [m/s].

    Args:
        heading: heading at the end of the step [deg].
        speed: mean speed of the step [m/s].
    """
    one, two = state.heading / 180 * pi, heading / 180 * pi
    # mean of the two headings as directions, free of the jump at 360 degrees
    along = atan2(sin(one) + sin(two), cos(one) + cos(two))
    east, north = sin(along) * speed, cos(along) * speed
    kept = -hypot(east, north) if speed < 0 else hypot(east, north)
    drift = inputs.drift
    x = state.x + east * dt + drift.x * dt
    y = state.y + north * dt + drift.y * dt
    course = bearing(x - state.x, y - state.y)
    return Travel(x, y, course, hypot(east + drift.x, north + drift.y)), kept


@dataclass(frozen=True, slots=True)
class Legacy(Released):
    """The model ``legacy``: turn rate independent of speed, no turn radius, no sailing."""

    def tuned(self, **values: Unpack[Tuning]) -> Legacy:
        """Return the model with some parameters replaced."""
        return Legacy(replace(self.parameters, **values))

    def _turn_rate(self, speed: float) -> float:
        return self.parameters.turn_rate
