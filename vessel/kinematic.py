"""Base of the kinematic (thrust-map) models: parameters, and the common parts of a step.

Source: uSimMarineV22 manual, sections 5 and 7; differential thrust and sailing, which the manual
does not describe, follow the released simulator.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, hypot, isfinite, sin
from typing import NamedTuple

from steerageway.geometry.marine import bearing, mean_heading
from steerageway.vessel.bounds import check_orders
from steerageway.vessel.errors import NotFinite
from steerageway.vessel.model import Inputs, Motion
from steerageway.vessel.polar import PolarPlot
from steerageway.vessel.thrust_map import ThrustMap

_new = tuple.__new__  # creates a named tuple in half the time

FULL = 100.0  # the greatest command [%]
DIFFERENTIAL_RATE = 0.36
"""[deg/s] per [%] of (left - right) / 2: 36 deg/s with the thrusters opposed."""


@dataclass(frozen=True, slots=True)
class TurnSpeedMap:
    """Turn rate by speed: linear between two points, constant beyond them.

    Attributes:
        null_speed, null_rate: the lower point [m/s; as ``turn_rate``].
        full_speed, full_rate: the upper point; full_rate None: the vessel's ``turn_rate``.
    """

    null_speed: float = 0.0
    null_rate: float = 0.0
    full_speed: float = 1.0
    full_rate: float | None = None

    def rate(self, speed: float, turn_rate: float) -> float:
        """Return the turn rate at a speed, for a vessel of this ``turn_rate``."""
        full = turn_rate if self.full_rate is None else self.full_rate
        if speed <= self.null_speed:
            return self.null_rate
        if speed >= self.full_speed:
            return full
        share = (speed - self.null_speed) / (self.full_speed - self.null_speed)
        return self.null_rate + share * (full - self.null_rate)


_LIMITS = (
    *("turn_radius", "max_speed", "max_acceleration", "max_deceleration"),
    *("max_rudder_rate", "max_depth_rate_speed"),
)


@dataclass(frozen=True, slots=True)
class KinematicParameters:
    """Parameters of a thrust-map vessel.

    A limit of 0 is none in MOOS-IvP's files, and becomes None here.

    Attributes:
        thrust_map: speed by thrust.
        turn_rate: heading change per rudder, 0 to 100; 100 gives 1 deg/s per % of rudder at 50 %
            thrust.
        turn_speed_map: turn rate by speed; None: constant.
        turn_spd_loss: fraction of the speed lost at full rudder, 0 to 1.
        turn_radius: minimum radius of a turn [m]; None: no limit.
        max_speed: maximum speed [m/s]; None: no limit.
        max_acceleration, max_deceleration: [m/s2]; None: no limit.
        max_rudder_rate: rate limit of the rudder [%/s]; None: no limit.
        buoyancy_rate: rate of ascent without elevator [m/s].
        max_depth_rate: depth rate at full elevator [m/s].
        max_depth_rate_speed: speed from which ``max_depth_rate`` is reached [m/s]; None: at
            any speed.
        polar_plot: of a sailing vessel; None: it does not sail.
    """

    thrust_map: ThrustMap = field(default_factory=ThrustMap)
    turn_rate: float = 70.0
    turn_speed_map: TurnSpeedMap | None = None
    turn_spd_loss: float = 0.85
    turn_radius: float | None = None
    max_speed: float | None = None
    max_acceleration: float | None = 0.5
    max_deceleration: float | None = 0.5
    max_rudder_rate: float | None = None
    buoyancy_rate: float = 0.025
    max_depth_rate: float = 0.5
    max_depth_rate_speed: float | None = 2.0
    polar_plot: PolarPlot | None = None

    def __post_init__(self) -> None:
        for name in _LIMITS:
            if getattr(self, name) == 0.0:
                object.__setattr__(self, name, None)


class Travel(NamedTuple):
    """Result of a step: the new position [m], and course [deg] and speed [m/s] over ground."""

    x: float
    y: float
    course: float
    speed: float


def saturated(command: float) -> float:
    """Return a command [%] clipped to [-100, 100]."""
    if command > FULL:
        return FULL
    return -FULL if command < -FULL else command  # ``bounded`` inline, as steps call it often


def propulsion(inputs: Inputs, rudder: float) -> tuple[float, float]:
    """Return the effective thrust and rudder [%].

    Two thrusters act by their mean, as thrust, and half their difference, as rudder. In reverse
    mode the vessel is steered as if its stern were the bow: left and right are swapped, and all
    commands change sign.

    Raises:
        InvalidValue: a command is not finite.
    """
    ahead = inputs.rudder + inputs.thrust + inputs.elevator
    if not isfinite(ahead + inputs.thrust_left + inputs.thrust_right):
        check_orders(
            rudder=inputs.rudder,
            thrust=inputs.thrust,
            elevator=inputs.elevator,
            thrust_left=inputs.thrust_left,
            thrust_right=inputs.thrust_right,
        )
    if not inputs.differential:
        return (-inputs.thrust, -rudder) if inputs.reverse else (inputs.thrust, rudder)
    left, right = saturated(inputs.thrust_left), saturated(inputs.thrust_right)
    if inputs.reverse:
        left, right = -right, -left
    return (left + right) / 2, (left - right) / 2


def limited_change(
    prior: float, wanted: float, up: float | None, down: float | None, dt: float
) -> float:
    """Return the value after dt with limited rates of change; None: no limit."""
    if up is not None and wanted > prior:
        return min(wanted, prior + up * dt)
    if down is not None and wanted < prior:
        return max(wanted, prior - down * dt)
    return wanted


def travel(state: Motion, heading: float, speed: float, inputs: Inputs, dt: float) -> Travel:
    """Return the travel of a step along the mean heading, with the drift.

    Args:
        heading: at the end of the step [deg].
        speed: the mean over the step [m/s].
    Source: uSimMarineV22 manual, section 5.3.
    """
    along = mean_heading(state.heading, heading)
    east = sin(along) * speed + inputs.drift.x
    north = cos(along) * speed + inputs.drift.y
    x, y = state.x + east * dt, state.y + north * dt
    return _new(Travel, (x, y, bearing(x - state.x, y - state.y), hypot(east, north)))


def on_ground(before: Motion, after: Motion, inputs: Inputs) -> Motion:
    """Return the motion after a step, held where the vessel meets the ground.

    It keeps its heading, without speed, until a step leads into deeper water or lifts it off. It
    does not sink into the ground, and ground that rises below it does not lift it.
    """
    if inputs.bottom is None and inputs.water_depth is None and not inputs.stands:
        return after
    found = inputs.grounding(before[:2], after[:2], after.depth)
    if found is None:
        return after
    met, ground = found
    return before._replace(
        x=before.x + met * (after.x - before.x),
        y=before.y + met * (after.y - before.y),
        depth=min(after.depth, max(before.depth, ground)),
        speed=0.0,
        heading_over_ground=0.0,
        speed_over_ground=0.0,
        aground=True,
    )


def checked(state: Motion, last_good: Motion) -> Motion:
    """Return the state if it is finite.

    Raises:
        NotFinite: otherwise; it carries the last good state.
    """
    if isfinite(state.x + state.y + state.heading + state.speed + state.depth + state.pitch):
        return state
    wrong = (f"{name} = {value}" for name, value in state._asdict().items() if not isfinite(value))
    raise NotFinite(last_good, ", ".join(wrong))
