"""The older marine PID controller (``pMarinePID``), still used by many missions.

It differs from ``PidEngine`` in the test of staleness, in its limits, and in that the sawtooth
is added after the rudder is saturated. docs/pid.md lists the differences.

Source: the deprecated pMarinePID of MOOS-IvP, from its documented behaviour.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, radians

from steerageway.geometry.marine import angle180
from steerageway.vessel.bounds import bounded
from steerageway.vessel.pid import Controller, Gains, Output, PidParameters, ScalarPid

LOOP_LIMIT = 100.0
STANDSTILL = 0.001


@dataclass(frozen=True, slots=True)
class Reset:
    """When the integral of a loop is reset.

    Attributes:
        at_zero_error: at a change of sign of the error.
        at_new_desired: at a change of the desired value.
    """

    at_zero_error: bool = False
    at_new_desired: bool = False


@dataclass(frozen=True, slots=True)
class Resets:
    """The resets of the four loops."""

    heading: Reset = Reset()
    speed: Reset = Reset()
    depth: Reset = Reset()
    pitch: Reset = Reset()


class ResettingPid(ScalarPid):
    """A loop whose integral may be reset."""

    __slots__ = ("_desired", "_reset")

    def __init__(self, gains: Gains, reset: Reset) -> None:
        super().__init__(gains, LOOP_LIMIT)
        self._reset = reset
        self._desired: float | None = None

    def follow(self, desired: float, error: float, time: float) -> float:
        """Return the output for an error at a time [s], and the desired value of the error."""
        reset = self._reset
        crossed = reset.at_zero_error and self.error * error < 0
        moved = reset.at_new_desired and self._desired not in (None, desired)
        if crossed or moved:
            self.integral = 0.0
        self._desired = desired
        return self.step(error, time)


class LegacyPidEngine(Controller):
    """The controller of pMarinePID. While another program has control its loops pause.

    Any desired heading or speed counts as a fresh helm, any measured value as fresh navigation; the
    others may be old. ``Output.stale`` is ("HELM", age) or ("NAV", age).
    """

    yaw_pid: ResettingPid
    speed_pid: ResettingPid
    z_to_pitch_pid: ResettingPid
    pitch_pid: ResettingPid

    def __init__(self, parameters: PidParameters, resets: Resets | None = None) -> None:
        p, resets = parameters, resets or Resets()
        super().__init__(p, p.tardy_helm, p.tardy_nav)
        self.yaw_pid = ResettingPid(p.yaw, resets.heading)
        self.speed_pid = ResettingPid(p.speed, resets.speed)
        self.z_to_pitch_pid = ResettingPid(p.z_to_pitch, resets.depth)
        self.pitch_pid = ResettingPid(p.pitch, resets.pitch)

    def step(self, time: float) -> Output:
        """Return the outputs at a time [s]; with stale inputs only the thrust is valid.

        Raises:
            ValueError: the time is before that of the last step.
        """
        if self.overridden:
            return Output(0.0, 0.0, 0.0, False, False)
        stale = self._stale(time)
        if stale:
            self._thrust = 0.0
            return Output(0.0, 0.0, 0.0, False, True, stale)
        rudder = self._rudder(time)
        thrust = self._thrust = self._next_thrust(time)
        elevator = self._elevator(time) if self.parameters.depth_control else 0.0
        return Output(rudder if thrust else 0.0, thrust, elevator, True, True)

    def _stale(self, time: float) -> tuple[tuple[str, float], ...]:
        helm = time - max(self.desired_heading.time, self.desired_speed.time)
        if helm > self.parameters.tardy_helm:
            return (("HELM", helm),)
        measured = (self.heading, self.speed, self.depth, self.pitch)
        nav = time - max(quantity.time for quantity in measured)
        return (("NAV", nav),) if nav > self.parameters.tardy_nav else ()

    def _rudder(self, time: float) -> float:
        desired = self.desired_heading.value
        error = angle180(self.heading.value - desired)
        rudder = -self.yaw_pid.follow(desired, error, time)
        return bounded(rudder, self.parameters.max_rudder) + self._bias.at(time)

    def _next_thrust(self, time: float) -> float:
        wanted = self.desired_speed.value
        if self.speed_factor != 0:
            thrust = wanted * self.speed_factor
        else:
            error = wanted - self.speed.value
            thrust = self._thrust + self.speed_pid.follow(wanted, error, time)
        if abs(wanted) <= STANDSTILL:
            return 0.0
        return max(0.0, min(thrust, self.parameters.max_thrust))

    def _elevator(self, time: float) -> float:
        p = self.parameters
        desired = self.desired_depth.value
        pitch = self.z_to_pitch_pid.follow(desired, self.depth.value - desired, time)
        pitch = bounded(pitch, radians(p.max_pitch))
        elevator = self.pitch_pid.follow(pitch, self.pitch.value - pitch, time)
        return bounded(degrees(elevator), p.max_elevator)
