"""Steps of a vessel under a force controller, on its own equations: whether gains do their work.

The force is applied at once and within its limit; the other degrees of freedom are free. Sensors
and thrusters of the vessel come in addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import VesselError
from steerageway.vessel.force_control import (
    AxisGains,
    PoseController,
    Reference,
    VelocityController,
    VelocityGains,
)
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import NU
from steerageway.vessel.fossen.time_step_limit import fastest_mode
from steerageway.vessel.kinematics import Array
from steerageway.vessel.tools.design import settling_ticks
from steerageway.vessel.tools.inertia import coefficients
from steerageway.world.arrays import Floats

TICK = 0.1  # of the controller [s]
MOST_STEP = 1.0  # [m, m/s]; a rotation's is a fifth of it [rad, rad/s]
EFFORT = 0.5  # of the limit of the force, for the first tick
LONG = 30.0  # duration of the test over 1/bandwidth


class Answer(NamedTuple):
    """A step response.

    Attributes:
        size: of the step [m, rad, m/s, rad/s]. track: (n,) the controlled value after each tick.
        settling: time after which the error stays below 5 % [s]; None: never.
        overshoot: as a fraction of the step.
    """

    size: float
    track: Floats
    settling: float | None
    overshoot: float

    def said(self, step: str, tick: float) -> str:
        """Return what became of a step, named with its size, in one sentence."""
        if self.settling is None:
            return f"warning: {step} does not settle within {tick * len(self.track):.3g} s"
        return (
            f"{step} settles in {self.settling:.3g} s, {100 * self.overshoot:.0f} % beyond at most"
        )


def answer_of(size: float, track: Sequence[float], tick: float) -> Answer:
    """Return the answer to a step from the values (n,) after each tick [s]."""
    values = np.array(track)
    late = int(settling_ticks(values, size))
    settling = None if late == len(values) else late * tick
    return Answer(size, values, settling, max(float(values.max()) / size - 1.0, 0.0))


def tried(vessel: Dynamics, axis: int, gains: AxisGains | VelocityGains, bandwidth: float) -> str:
    """Return what a step of one degree of freedom does, in one sentence."""
    velocity = isinstance(gains, VelocityGains)
    unit = ("m" if axis < 3 else "deg") + ("/s" if velocity else "")
    try:
        answer = step_response(vessel, axis, gains, bandwidth)
    except VesselError as error:
        return f"warning: in a step its model fails: {error}".partition("\n")[0]
    size = f"{answer.size if axis < 3 else degrees(answer.size):.2g} {unit}"
    return answer.said(f"a step of {size}", TICK)


def step_response(
    vessel: Dynamics, axis: int, gains: AxisGains | VelocityGains, bandwidth: float
) -> Answer:
    """Return the step response from rest of one degree of freedom, on a coefficient-form vessel."""
    x = at_rest(vessel)
    first = gains.kp or (gains.ki / bandwidth)
    size = min(MOST_STEP * (1.0 if axis < 3 else 0.2), EFFORT * gains.limit / first)
    velocity = isinstance(gains, VelocityGains)
    index = axis + 6 if velocity else axis
    start = float(x[index])
    wanted = x[:6].copy()
    wanted[axis] += 0.0 if velocity else size
    speed = VelocityController(gains) if isinstance(gains, VelocityGains) else None
    pose = PoseController({axis: gains}) if isinstance(gains, AxisGains) else None
    steps = max(4, int(np.ceil(2.0 * TICK / fastest_mode(vessel).limit)))
    track = []
    for _ in range(round(LONG / bandwidth / TICK)):
        tau = np.zeros(6)
        if speed is not None:
            tau[axis] = speed.step(float(x[index]), size, TICK)
        elif pose is not None:
            tau = pose.step(x[:6], x[NU], Reference(wanted, np.zeros(6)), TICK)
        x = pushed(vessel, x, tau, TICK, steps)
        track.append(float(x[index]) - start)
    return answer_of(size, track, TICK)


def at_rest(vessel: Dynamics) -> Floats:
    """Return the initial state without velocity, floating at rest."""
    x = vessel.initial.copy()
    if vessel.floating is not None:
        x[2:5] = vessel.floating.rest
    x[NU] = 0.0
    return x


def pushed(vessel: Dynamics, x: Floats, tau: Array, dt: float, steps: int) -> Floats:
    """Return the state after a time under a force (6,) on the hull, by Runge-Kutta of order 4."""
    rest, around = np.zeros(len(vessel.commands)), vessel.surroundings()
    extra = np.zeros_like(x)
    extra[NU] = coefficients(vessel).matrices[at.M_INV] @ tau
    h = dt / steps
    for _ in range(steps):
        slopes: list[Floats] = []
        for share in (0.0, 0.5, 0.5, 1.0):
            here = x + share * h * slopes[-1] if slopes else x
            slopes.append(vessel.derivative(here, rest, around) + extra)
        x = x + h / 6.0 * (slopes[0] + 2.0 * slopes[1] + 2.0 * slopes[2] + slopes[3])
    return x
