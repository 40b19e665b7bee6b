"""A vessel ready to be stepped: its data, its model, and errors that name the likely cause.

The arrays it works on are described in ``state``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import cos, degrees, inf, isfinite, isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen import stability
from steerageway.vessel.fossen.drawing import drawn
from steerageway.vessel.fossen.envelope import Envelope
from steerageway.vessel.fossen.floating import Floating
from steerageway.vessel.fossen.layout import HEAVY, Parameters, heavy, hull_of
from steerageway.vessel.fossen.state import (
    ACTUATORS,
    MAX_RATE,
    MAX_SPEED,
    PHI,
    STATE_NAMES,
    SURROUNDINGS,
    THETA,
    WATER_DEPTH,
    Z_,
    Channel,
    Model,
)
from steerageway.vessel.wave_forces.motion import WaveMotion
from steerageway.world import constants
from steerageway.world.arrays import Floats
from steerageway.world.pictures import Picture

NUDGE = 1e-6  # step of the finite differences, relative beyond 1
_STEEP = 0.02  # cosine of a pitch too close to 90 degrees for Euler angles


@dataclass(frozen=True, repr=False)
class Dynamics:
    """A vessel ready to be stepped: plain data and the pure functions of its model.

    Attributes:
        name: name of the vessel.
        model: the model's compiled functions.
        parameters: first argument of the model's functions.
        commands: name, unit and limits of each command.
        actuators: name, unit and limits of each actuator state.
        initial: (12 + n,) initial state.
        density: density of the water for which the parameters hold [kg/m³].
        gravity: likewise, acceleration of gravity [m/s²].
        source: origin of the data.
        quaternions: integrate the attitude as a unit quaternion, valid at pitch angles near 90 deg.
        envelope: range of states for which the data hold.
        command_timeout: time without a new command after which all become 0 [s]; inf: never.
        actuator_map: map from orders to commands, see ``orders``; "": found by effect.
        floating: hydrostatics by hull form and wave loads; None: neither.
        water_depth: default depth from surface to bottom [m]; inf in deep water.
        adaptive: adaptive substeps within each step, to the model's tolerances, with Euler
            angles; for a vessel too fast for any practical fixed step.
        wave_motion: wave motion added in the horizontal plane; None: none.
        outline: (n, 2) plan of its hull in BODY from CO [m]; (0, 2): unknown.
    """

    name: str
    model: Model
    parameters: tuple[Any, ...]
    commands: tuple[Channel, ...]
    actuators: tuple[Channel, ...] = ()
    initial: Floats = field(default_factory=lambda: np.zeros(12))
    density: float = constants.DENSITY
    gravity: float = constants.GRAVITY
    source: str = ""
    quaternions: bool = False
    command_timeout: float = inf
    envelope: Envelope = field(default_factory=Envelope)
    actuator_map: str = ""
    floating: Floating | None = None
    water_depth: float = inf
    adaptive: bool = False
    wave_motion: WaveMotion | None = None
    outline: Floats = field(default_factory=lambda: np.zeros((0, 2)))

    def __repr__(self) -> str:
        commands = ", ".join(one.name for one in self.commands)
        return f"<{self.name}: {len(self.initial)} states, commanded by {commands or 'nothing'}>"

    def __post_init__(self) -> None:
        if self.initial.shape != (12 + len(self.actuators),):
            raise InvalidValue(
                f"{self.name}: the initial state has shape {self.initial.shape}; eta, nu and "
                f"{len(self.actuators)} actuators make ({12 + len(self.actuators)},)"
            )

    def show(self) -> Picture:
        """Return a picture of its plan and commands, which a notebook draws; ``save`` writes it.

        Raises:
            MatplotlibMissing: it is not installed.
        """
        return drawn(self.name, self.outline, self.commands)

    @property
    def state_names(self) -> list[str]:
        """Return the names of the states, in the order of ``x``."""
        return [*STATE_NAMES, *(channel.name for channel in self.actuators)]

    def scheme(self, kind: str = "") -> Callable[..., int]:
        """Return the model's stepping function for it; ``kind`` is "", ``batch`` or ``trace``."""
        name = "quaternion" if self.quaternions else "rk4"
        name = "adaptive" if self.adaptive else name
        found: Callable[..., int] = getattr(self.model, f"{name}_{kind}" if kind else name)
        return found

    def surroundings(
        self,
        current: Sequence[float] = (0.0, 0.0, 0.0),
        wind: Sequence[float] = (0.0, 0.0),
        water_depth: float | None = None,
        time: float = 0.0,
    ) -> Floats:
        """Return the surroundings array: NED velocities [m/s] of water and air, depth [m].

        The default depth is that of the vessel's files.
        """
        depth = self.water_depth if water_depth is None else water_depth
        return np.array([*current, *wind, depth, self.density, self.gravity, time])

    def feels_wind(self) -> bool:
        """Whether wind affects the vessel, by trial: initial rates in a breeze and in calm air."""
        rest = np.zeros(len(self.commands))
        calm, blown = (
            self.trace(self.initial, rest, self.surroundings(wind=wind), 1e-3, 1)
            for wind in ((0.0, 0.0), (5.0, 4.0))
        )
        return not np.array_equal(calm, blown)

    def derivative(self, x: ArrayLike, command: ArrayLike, surroundings: Floats) -> Floats:
        """Return dx/dt, (12 + n,).

        Raises:
            InvalidValue: invalid shape, or a command or the water depth is not a number.
        """
        state = self._state(x, surroundings)
        dx = np.zeros_like(state)
        self.model.derivative(self.parameters, state, self._command(command), surroundings, dx)
        return dx

    def jacobian(self, x: Floats, command: Floats, columns: Sequence[int] = ()) -> Floats:
        """Return d(dx/dt)/dx at rest in calm water, by central differences.

        Args:
            x: (12 + n,) state.
            command: (m,) held constant.
            columns: of the states (c,); all by default.

        Returns:
            (12 + n, c)
        """
        around = self.surroundings()

        def slope(i: int, nudge: float) -> Floats:
            low, high = x.copy(), x.copy()
            low[i] -= nudge
            high[i] += nudge
            rise = self.derivative(high, command, around) - self.derivative(low, command, around)
            return rise / (2 * nudge)

        slopes = []
        for i in columns or range(x.size):
            nudge = NUDGE * max(1.0, abs(x[i]))
            found = slope(i, nudge)
            # The rate of an actuator of constant rate jumps where it reaches its command, which is
            # no slope, and ends a step.
            if i >= ACTUATORS and abs(slope(i, 0.5 * nudge)[i]) > 1.5 * abs(found[i]):
                found[i] = 0.0
            slopes.append(found)
        return np.array(slopes).T

    def step(
        self, x: ArrayLike, command: ArrayLike, surroundings: Floats, dt: float, steps: int = 1
    ) -> Floats:
        """Return the state after Runge-Kutta steps of ``dt`` [s] with inputs held.

        Raises:
            InvalidValue: invalid shape, or a command or the water depth is not a number.
            NotFinite: the state is no longer finite; carries the last good one.
            OutsideEnvelope: it exceeds ``MAX_SPEED`` or ``MAX_RATE``; likewise.
        """
        scheme = self.scheme()
        return self._stepped(scheme, x, command, surroundings, dt, steps)

    def trace(
        self, x: ArrayLike, command: ArrayLike, surroundings: Floats, dt: float, steps: int
    ) -> Floats:
        """Step as ``step`` does, and return every state and its rate: (steps, 2, 12 + n).

        Raises: as ``step``.
        """
        scheme = self.scheme("trace")
        state, given = self._state(x, surroundings), self._command(command)
        rows = np.empty((steps, 2, state.size))
        surroundings = surroundings.copy()  # its time is advanced in place
        if scheme(self.parameters, state, given, surroundings, dt, rows) < steps:
            self._diagnose(state, given, surroundings, dt)
        return rows

    def euler_step(
        self, x: ArrayLike, command: ArrayLike, surroundings: Floats, dt: float, steps: int = 1
    ) -> Floats:
        """Return the state after Euler steps in the reference programs' order, for comparison.

        Velocities and actuators by explicit Euler, then the pose with the new velocities.

        Raises: as ``step``.
        """
        return self._stepped(self.model.euler, x, command, surroundings, dt, steps)

    def batch_step(
        self, xs: ArrayLike, commands: ArrayLike, surroundings: Floats, dt: float, steps: int = 1
    ) -> Floats:
        """Step N identical vessels at once: (N, 12 + n), (N, commands), (N, SURROUNDINGS).

        Raises: as ``step``; the message names the first vessel that failed.
        """
        states = np.array(xs, np.float64, order="C", ndmin=2)
        inputs = np.ascontiguousarray(commands, np.float64)
        count = len(states)
        expected = (count, self.initial.size), (count, len(self.commands)), (count, SURROUNDINGS)
        if (states.shape, inputs.shape, surroundings.shape) != expected:
            raise InvalidValue(
                f"{self.name}: states {states.shape}, commands {inputs.shape}, surroundings "
                f"{surroundings.shape}: expected {expected}"
            )
        if np.isnan(inputs).any():
            self._refuse(inputs[np.isnan(inputs).any(axis=1)][0])
        if np.isnan(surroundings[:, WATER_DEPTH]).any():
            self._refuse_depth()
        scheme = self.scheme("batch")
        surroundings = surroundings.copy()
        failed = scheme(self.parameters, states, inputs, surroundings, dt, steps)
        if failed >= 0:
            self._diagnose(states[failed], inputs[failed], surroundings[failed], dt, f"[{failed}]")
        return states

    def _stepped(
        self,
        scheme: Callable[..., int],
        x: ArrayLike,
        command: ArrayLike,
        surroundings: Floats,
        dt: float,
        steps: int,
    ) -> Floats:
        state = self._state(x, surroundings)
        given = self._command(command)
        surroundings = surroundings.copy()
        if scheme(self.parameters, state, given, surroundings, dt, steps) < steps:
            self._diagnose(state, given, surroundings, dt)
        return state

    def _state(self, x: ArrayLike, surroundings: Floats) -> Floats:
        """Copy a state; compiled functions do not check lengths, so they are checked here."""
        state = np.array(x, np.float64, order="C")
        if state.shape != self.initial.shape or surroundings.shape != (SURROUNDINGS,):
            raise InvalidValue(
                f"{self.name}: a state of shape {state.shape} in surroundings of shape "
                f"{surroundings.shape}: expected {self.initial.shape} and ({SURROUNDINGS},)"
            )
        if isnan(surroundings[WATER_DEPTH]):
            self._refuse_depth()
        return state

    def _refuse_depth(self) -> None:
        """Reject a depth that is not a number: most models do not read it and would run on."""
        raise InvalidValue(
            f"{self.name}: water_depth of the surroundings = nan: expected metres, inf if deep"
        )

    def _command(self, command: ArrayLike) -> Floats:
        given = np.ascontiguousarray(command, np.float64)
        if given.shape != (len(self.commands),):
            names = ", ".join(channel.name for channel in self.commands)
            raise InvalidValue(
                f"{self.name}: a command of shape {given.shape}; it takes {len(self.commands)}: "
                f"{names}"
            )
        if not isfinite(given.dot(given)):
            self._refuse(given)
        return given

    def _refuse(self, given: Floats) -> None:
        """Reject a command that is not a number; infinite and huge ones are limited later."""
        for channel, value in zip(self.commands, given.tolist(), strict=True):
            if isnan(value):
                raise InvalidValue(
                    f"{self.name}: {channel.name} = {value}: expected a number from "
                    f"{channel.low:g} to {channel.high:g} {channel.unit}"
                )

    def _diagnose(
        self, last: Floats, command: Floats, surroundings: Floats, dt: float, which: str = ""
    ) -> None:
        """Raise the error of the step after the last good state."""
        rates = self.derivative(last, command, surroundings)
        names = self.state_names
        sound = np.isfinite(rates) & np.isfinite(last)
        wrong = [name for name, good in zip(names, sound, strict=True) if not good]
        if wrong or not np.isfinite(dt):
            raise NotFinite(last, f"{self.name}{which}: the rate of {', '.join(wrong) or 'time'}")
        raise OutsideEnvelope(
            last,
            f"{self.name}{which}: speed above {MAX_SPEED:g} m/s, turning above {MAX_RATE:g} rad/s "
            f"or Euler angles near pitch 90°, within {dt:g} s; "
            f"{self._likely_cause(last, surroundings, dt)}",
        )

    def _likely_cause(self, last: Floats, surroundings: Floats, dt: float) -> str:
        """Return the likely cause of a failure: capsize, depth, envelope, mass, or time step."""
        z, heel, depth = float(last[Z_]), float(last[PHI]), float(surroundings[WATER_DEPTH])
        if abs(heel) > self.envelope.heel:
            return f"the likely cause: it capsized, heel {degrees(heel):.0f} degrees"
        if self.envelope.aground(z, depth):
            return f"the likely cause: it is aground, in a depth of {depth:g} m"
        if not self.quaternions and abs(cos(last[THETA])) < _STEEP:
            return "the likely cause: pitch near 90 degrees; use_quaternion goes through it"
        hull = hull_of(self.parameters)
        if isinstance(hull, Parameters) and heavy(hull):
            return (
                f"the likely cause: added mass of more than {HEAVY:g} times its own, in which "
                "little turning is the energy of much speed"
            )
        u, v, w = last[6:9].tolist()
        limits = [what for _, what in self.envelope.left(z, heel, (u, v, w), depth)]
        if limits:
            return f"the likely cause: outside the envelope of its data, {'; '.join(limits)}"
        held = np.zeros(len(self.commands))  # zero for actuators without a state
        states = last[ACTUATORS : ACTUATORS + held.size]
        held[: states.size] = states
        limit = stability.fastest_mode(self.jacobian(last, held)).limit
        if dt > limit:
            return f"the likely cause: the time step; here {limit:.3g} s or less, or adaptive"
        return "the likely cause: its data, which add energy there"
