"""Marine PID controller: from desired heading, speed and depth to rudder, thrust and elevator.

    engine = PidEngine(PidParameters(yaw=Gains(kp=0.5), speed_factor=20, depth_control=False))
    engine.take_control()
    engine.desired_heading.tell(90.0, time=0.0)
    engine.desired_speed.tell(2.0, time=0.0)
    engine.heading.tell(80.0, time=0.0)
    engine.speed.tell(0.0, time=0.0)
    engine.step(time=0.1)  # rudder 5, thrust 40

Headings are compass degrees, speeds m/s, depths metres down, pitch radians; rudder and thrust are
percent, the elevator degrees, times seconds. docs/pid.md lists the peculiarities of MOOS-IvP's
controller that are kept, and its bugs that are fixed.

Source: pMarinePIDV22 and lib_marine_pid of MOOS-IvP, from their documented behaviour.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import degrees, fsum, inf, radians
from sys import float_info
from typing import NamedTuple

from steerageway.geometry.marine import angle180
from steerageway.vessel.bounds import bounded

_new = tuple.__new__  # makes a named tuple twice as fast

RATES_REMEMBERED = 9
LEAST_THRUST = 0.01
BIAS_PERIOD = 10.0
FOREVER = float_info.max  # above the age of any received value, below inf of one never received


@dataclass(frozen=True, slots=True)
class Gains:
    """Gains of one loop.

    Attributes:
        kp, kd, ki: output per unit of error, of its rate and of its integral.
        integral_limit: limit of the integral term of the output, >= 0.
    """

    kp: float = 0.0
    kd: float = 0.0
    ki: float = 0.0
    integral_limit: float = 0.0


@dataclass(frozen=True, slots=True)
class PidParameters:
    """Parameters of a controller; defaults are those of MOOS-IvP.

    Attributes:
        yaw: from heading error [deg] to rudder [%].
        speed: from speed error [m/s] to a change of thrust [%]; used while speed_factor is 0.
        z_to_pitch: from depth error [m] to pitch [rad].
        pitch: from pitch error [rad] to elevator [rad].
        speed_factor: thrust for a desired speed of 1 m/s [%]; 0: use the speed loop.
        max_rudder, max_thrust: limits of the outputs [%].
        max_pitch, max_elevator: limits of the desired pitch and of the elevator [deg].
        depth_control: whether depth is controlled, which needs inputs of depth and pitch.
        simulation: True: inputs of any age are used.
        sim_instability: amplitude of the sawtooth added to the rudder [%].
        tardy_helm, tardy_nav: age above which a desired or measured value is stale [s].
    """

    yaw: Gains = Gains()
    speed: Gains = Gains()
    z_to_pitch: Gains = Gains()
    pitch: Gains = Gains()
    speed_factor: float = 0.0
    max_rudder: float = 100.0
    max_thrust: float = 100.0
    max_pitch: float = 15.0
    max_elevator: float = 13.0
    depth_control: bool = True
    simulation: bool = False
    sim_instability: float = 0.0
    tardy_helm: float = 2.0
    tardy_nav: float = 2.0


class Output(NamedTuple):
    """Result of a step.

    Attributes:
        rudder [%], thrust [%], elevator [deg].
        live: whether every input was received and none is stale; the outputs are zero otherwise.
        in_control: live and not overridden: the outputs go to the actuators.
        stale: name and age [s] of every stale input.
    """

    rudder: float
    thrust: float
    elevator: float
    live: bool
    in_control: bool
    stale: tuple[tuple[str, float], ...] = ()


class Input:
    """An input of the controller: latest value and its time.

    Attributes:
        name: in reports of stale inputs.
        value: in the unit of the quantity.
        time: of the latest value [s]; -inf before the first.
        patience: age above which it is stale [s].
    """

    __slots__ = ("name", "patience", "time", "value")

    def __init__(self, name: str, patience: float) -> None:
        self.name = name
        self.patience = patience
        self.value = 0.0
        self.time = -inf

    def tell(self, value: float, time: float) -> None:
        """Set a new value."""
        self.value = value
        self.time = time

    def forget(self) -> None:
        """Reset to the state before the first value."""
        self.time = -inf


class ScalarPid:
    """One PID loop: ``kp error + kd rate + integral``, limited.

    The rate is the mean of the last nine differences, so a jump of the error has an effect for nine
    steps. The integral term has its own limit, and is zero unless ki is positive.

    Attributes:
        error, rate, integral, output: of the last step.
        saturated: whether the last output was at its limit.
    """

    __slots__ = ("_rates", "_time", "error", "gains", "integral", "limit", "output", "rate",
                 "saturated")  # fmt: skip

    def __init__(self, gains: Gains, limit: float) -> None:
        self.gains = gains
        self.limit = limit
        self.error = self.rate = self.integral = self.output = 0.0
        self.saturated = False
        self._time: float | None = None
        self._rates: deque[float] = deque(maxlen=RATES_REMEMBERED)

    def step(self, error: float, time: float) -> float:
        """Return the output for an error at a time; for the time of the last step, its output.

        Raises:
            ValueError: the time lies before that of the last step.
        """
        gains, before, elapsed = self.gains, self._time, 0.0
        if before is not None:
            elapsed = time - before
            if elapsed < 0:
                raise ValueError(f"time {time} s lies before the last step at {before} s")
            if elapsed == 0:
                return self.output
            self._rates.append((error - self.error) / elapsed)
            self.rate = fsum(self._rates) / len(self._rates)
        if gains.ki > 0:
            integral = self.integral + gains.ki * error * elapsed
            self.integral = bounded(integral, gains.integral_limit)
        raw = gains.kp * error + gains.kd * self.rate + self.integral
        self.saturated = not -self.limit < raw < self.limit
        self.output = bounded(raw, self.limit) if self.saturated else raw
        self.error, self._time = error, time
        return self.output


class RudderBias:
    """Sawtooth on the rudder that makes a simulated vessel harder to steer.

    From the first use on it grows from 0 to its amplitude in ten seconds, first to port, then again
    from 0 to the other side.
    """

    __slots__ = ("_amplitude", "_side", "_since")

    def __init__(self, amplitude: float) -> None:
        self._amplitude = amplitude
        self._since = -inf
        self._side = 1

    def at(self, time: float) -> float:
        """Return the bias at a time not before the last one [%]."""
        if not self._amplitude:
            return 0.0
        if time - self._since > BIAS_PERIOD:
            self._since = time
            self._side = -self._side
        return self._side * (time - self._since) / BIAS_PERIOD * self._amplitude


class Controller:
    """What controllers of heading, speed and depth have in common.

    Attributes:
        desired_heading, desired_speed, desired_depth, heading, speed, depth, pitch: its inputs.
        speed_factor: see ``PidParameters``; may be set at any time.
        overridden: whether the manual override is active; True at the start.
        yaw_pid, speed_pid, z_to_pitch_pid, pitch_pid: its loops, for inspection.
    """

    yaw_pid: ScalarPid
    speed_pid: ScalarPid
    z_to_pitch_pid: ScalarPid
    pitch_pid: ScalarPid

    def __init__(self, parameters: PidParameters, helm: float, nav: float) -> None:
        """Create the inputs; ``helm`` and ``nav`` are their greatest ages [s]."""
        self.parameters = parameters
        self.speed_factor = parameters.speed_factor
        self.overridden = True
        self.desired_heading = Input("DesHdg", helm)
        self.desired_speed = Input("DesSpd", helm)
        self.desired_depth = Input("DesDepth", helm)
        self.heading = Input("NavHdg", nav)
        self.speed = Input("NavSpd", nav)
        self.depth = Input("NavDep", nav)
        self.pitch = Input("NavPitch", nav)
        self._bias = RudderBias(parameters.sim_instability)
        self._thrust = 0.0


class PidEngine(Controller):
    """The controller of heading, speed and depth."""

    def __init__(self, parameters: PidParameters) -> None:
        p = parameters
        super().__init__(p, *((FOREVER, FOREVER) if p.simulation else (p.tardy_helm, p.tardy_nav)))
        self.yaw_pid = ScalarPid(p.yaw, p.max_rudder)
        self.speed_pid = ScalarPid(p.speed, p.max_thrust)
        self.z_to_pitch_pid = ScalarPid(p.z_to_pitch, radians(p.max_pitch))
        self.pitch_pid = ScalarPid(p.pitch, radians(p.max_elevator))
        steering = (self.desired_heading, self.desired_speed, self.heading, self.speed)
        diving = (self.desired_depth, self.depth, self.pitch)
        self._inputs = steering + diving if p.depth_control else steering
        self._all_inputs = steering + diving

    def take_control(self) -> None:
        """End an override; every input must then be received again before there is any output."""
        if self.overridden:
            for quantity in self._all_inputs:
                quantity.forget()
        self.overridden = False

    def give_up_control(self) -> None:
        """Start an override. The loops continue to run."""
        self.overridden = True

    def step(self, time: float) -> Output:
        """Return the outputs at a time.

        Raises:
            ValueError: the time lies before that of the last step.
        """
        for quantity in self._inputs:
            if time - quantity.time > quantity.patience:
                return Output(0.0, 0.0, 0.0, False, False, self._stale(time))
        thrust = self._thrust = self._next_thrust(time)
        if thrust <= 0:
            return _new(Output, (0.0, thrust, 0.0, True, not self.overridden, ()))
        rudder = self._rudder(time)
        elevator = self._elevator(time) if self.parameters.depth_control else 0.0
        return _new(Output, (rudder, thrust, elevator, True, not self.overridden, ()))

    def _stale(self, time: float) -> tuple[tuple[str, float], ...]:
        """Return the stale inputs; none while an input has never been received."""
        ages = [(q.name, time - q.time, q.patience) for q in self._inputs]
        if any(age == inf for _, age, _ in ages):
            return ()
        return tuple((name, age) for name, age, patience in ages if age > patience)

    def _next_thrust(self, time: float) -> float:
        wanted = self.desired_speed.value
        if self.speed_factor != 0:
            thrust = wanted * self.speed_factor
        else:
            # the speed loop's output is a change of the last thrust
            thrust = self._thrust + self.speed_pid.step(wanted - self.speed.value, time)
        if thrust < LEAST_THRUST:
            return 0.0
        return bounded(thrust, self.parameters.max_thrust)

    def _rudder(self, time: float) -> float:
        error = angle180(self.heading.value - self.desired_heading.value)
        rudder = self._bias.at(time) - self.yaw_pid.step(error, time)
        return bounded(rudder, self.parameters.max_rudder)

    def _elevator(self, time: float) -> float:
        depth_error = self.depth.value - self.desired_depth.value
        desired_pitch = self.z_to_pitch_pid.step(depth_error, time)
        elevator = degrees(self.pitch_pid.step(self.pitch.value - desired_pitch, time))
        return bounded(elevator, self.parameters.max_elevator)
