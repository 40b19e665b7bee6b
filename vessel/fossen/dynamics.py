"""What every compiled vessel is: a pure right-hand side over flat arrays, and steps of it.

A *model module* (``coefficient``, and those in ``published``) defines with ``@compiled``:

- ``derivative(parameters, x, command, surroundings, dx)`` writes the time derivative of ``x``
  into ``dx``; it changes nothing else, keeps nothing, allocates nothing.
- ``before(parameters, x, command, surroundings, dt)`` and ``after(...)`` may move actuator states
  in place at the start and at the end of each step: rate limiters, a peer's clipping of states.
- ``MODEL = steps.of(derivative, before, after)``, the steps; hooks that do nothing are left out.

Everything is SI. ``parameters`` is a NamedTuple of arrays and floats (each field costs 0.1 µs a
call: few arrays, not many floats). ``x``, ``command``, ``surroundings`` are float64 arrays:

- ``x``: eta = [x y z phi theta psi] (NED [m], zyx Euler angles [rad], not wrapped),
  nu = [u v w p q r] (over ground, in BODY), then the actuator states.
- ``command``: one entry for each of ``Dynamics.commands``, in their units (rad, rad/s, N, 1).
- ``surroundings``: the entries below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import cos, degrees, inf, isfinite, isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.envelope import Envelope

if TYPE_CHECKING:
    from steerageway.vessel.fossen.floating import Floating
    from steerageway.vessel.wave_forces.motion import WaveMotion

Floats = NDArray[np.float64]

ETA = slice(0, 6)
NU = slice(6, 12)
ACTUATORS = 12  # the first actuator state

CURRENT_N, CURRENT_E, CURRENT_D = 0, 1, 2  # where the water goes, in NED [m/s]
WIND_N, WIND_E = 3, 4  # where the air goes, in NED [m/s]
WATER_DEPTH = 5  # from the surface to the bottom [m]; inf in deep water
DENSITY, GRAVITY = 6, 7  # [kg/m³], [m/s²]; read only by models not made for one density at load
TIME = 8  # [s]
SURROUNDINGS = 9

STATE_NAMES = ("x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r")
_STEEP = 0.02  # cosine of a pitch too near 90 degrees for Euler angles
MAX_SPEED = 100.0  # the envelope of every vessel: speed over ground [m/s]
MAX_RATE = 100.0  # and the size of its angular velocity [rad/s]


class Channel(NamedTuple):
    """One command or one actuator state; ``low`` and ``high`` bound what has an effect.

    ``delay`` is the dead time until a command reaches the actuator [s], ``backlash`` the play
    between the two, in the unit: ``commands.Commands`` has both, a step of ``Dynamics`` takes what
    reaches the actuator.
    """

    name: str
    unit: str
    low: float = -inf
    high: float = inf
    delay: float = 0.0
    backlash: float = 0.0


Derivative = Callable[[Any, Floats, Floats, Floats, Floats], None]
Hook = Callable[[Any, Floats, Floats, Floats, float], None]


class Model(NamedTuple):
    """The compiled functions of a model, made by ``vessel.fossen.steps.of``.

    ``derivative(parameters, x, command, surroundings, dx)``; the others take
    ``(parameters, x, command, surroundings, dt, steps)``, move ``x`` in place and give the number
    of good steps; the batches take rows of each and give the first row that failed, or -1; the
    traces take rows (steps, 2, 12 + n) in place of ``steps`` and fill in states and their rates.
    """

    derivative: Derivative
    rk4: Callable[..., int]
    euler: Callable[..., int]
    quaternion: Callable[..., int]
    rk4_batch: Callable[..., int]
    quaternion_batch: Callable[..., int]
    rk4_trace: Callable[..., int]
    quaternion_trace: Callable[..., int]
    adaptive: Callable[..., int]
    adaptive_batch: Callable[..., int]
    adaptive_trace: Callable[..., int]

    def scheme(self, vessel: Dynamics, kind: str = "") -> Callable[..., int]:
        """Give how a vessel is stepped; ``kind`` is "", ``batch`` or ``trace``."""
        name = "rk4"
        if vessel.adaptive:
            name = "adaptive"
        elif vessel.quaternions:
            name = "quaternion"
        found: Callable[..., int] = getattr(self, f"{name}_{kind}" if kind else name)
        return found


@dataclass(frozen=True, repr=False)
class Dynamics:
    """A vessel ready to step: plain data and the pure functions of its model.

    Attributes:
        name: of the vessel.
        model: the model's compiled functions.
        parameters: what the model's functions take first.
        commands: name, unit and limits of each command.
        actuators: name, unit and limits of each actuator state.
        initial: (12 + n,) the state a run starts from.
        density: of the water the parameters were made for [kg/m³].
        gravity: likewise [m/s²].
        source: where the figures come from.
        quaternions: step with a unit quaternion inside, safe at pitch angles near 90 degrees.
        envelope: the states its data hold for.
        command_timeout: seconds without a new command after which all become 0; inf for never.
        actuator_map: what orders do to its actuators, see ``orders``; "": found by what they do.
        floating: how it floats by its hull's form and meets waves; None: it does neither.
        water_depth: from the surface to the bottom where nothing else says [m]; inf in deep water.
        adaptive: take as many substeps in each step as the model's tolerances ask for, with Euler
            angles; for a vessel too fast for any fixed step of use.
        wave_motion: what waves add to its motion in the plane; None: nothing.
        outline: (n, 2) the plan of its hull in BODY from CO [m]; (0, 2): not known.
    """

    name: str
    model: Model
    parameters: tuple[Any, ...]
    commands: tuple[Channel, ...]
    actuators: tuple[Channel, ...] = ()
    initial: Floats = field(default_factory=lambda: np.zeros(12))
    density: float = 1025.0
    gravity: float = 9.81
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

    def surroundings(
        self,
        current: Sequence[float] = (0.0, 0.0, 0.0),
        wind: Sequence[float] = (0.0, 0.0),
        water_depth: float | None = None,
        time: float = 0.0,
    ) -> Floats:
        """Give the surroundings' array: NED velocities [m/s] of water and air, depth [m].

        Without a depth the water is as deep as the vessel's files say.
        """
        depth = self.water_depth if water_depth is None else water_depth
        return np.array([*current, *wind, depth, self.density, self.gravity, time])

    def feels_wind(self) -> bool:
        """Say whether the wind moves it: try how it starts in a breeze, and in none."""
        rest = np.zeros(len(self.commands))
        calm, blown = (
            self.trace(self.initial, rest, self.surroundings(wind=wind), 1e-3, 1)
            for wind in ((0.0, 0.0), (5.0, 4.0))
        )
        return not np.array_equal(calm, blown)

    def derivative(self, x: ArrayLike, command: ArrayLike, surroundings: Floats) -> Floats:
        """Give dx/dt, (12 + n,).

        Raises:
            InvalidValue: a shape is wrong, or a command is no number.
        """
        state = self._state(x, surroundings)
        dx = np.zeros_like(state)
        self.model.derivative(self.parameters, state, self._command(command), surroundings, dx)
        return dx

    def step(
        self, x: ArrayLike, command: ArrayLike, surroundings: Floats, dt: float, steps: int = 1
    ) -> Floats:
        """Give the state after Runge-Kutta steps of ``dt`` [s] with inputs held.

        Raises:
            InvalidValue: a shape is wrong, or a command is no number.
            NotFinite: the state stopped being numbers; carries the last good one.
            OutsideEnvelope: it is faster than ``MAX_SPEED`` or ``MAX_RATE``; likewise.
        """
        scheme = self.model.scheme(self)
        return self._stepped(scheme, x, command, surroundings, dt, steps)

    def trace(
        self, x: ArrayLike, command: ArrayLike, surroundings: Floats, dt: float, steps: int
    ) -> Floats:
        """Step as ``step`` does, and give every state and its rate: (steps, 2, 12 + n).

        Raises: as ``step``.
        """
        scheme = self.model.scheme(self, "trace")
        state, given = self._state(x, surroundings), self._command(command)
        rows = np.empty((steps, 2, state.size))
        surroundings = surroundings.copy()  # time goes on in it
        if scheme(self.parameters, state, given, surroundings, dt, rows) < steps:
            self._diagnose(state, given, surroundings, dt)
        return rows

    def euler_step(
        self, x: ArrayLike, command: ArrayLike, surroundings: Floats, dt: float, steps: int = 1
    ) -> Floats:
        """Give the state after Euler steps in the peers' order, for comparison with them.

        Velocities and actuators by explicit Euler, then the pose with the new velocities.

        Raises: as ``step``.
        """
        return self._stepped(self.model.euler, x, command, surroundings, dt, steps)

    def batch_step(
        self, xs: ArrayLike, commands: ArrayLike, surroundings: Floats, dt: float, steps: int = 1
    ) -> Floats:
        """Step N alike vessels at once: (N, 12 + n), (N, commands), (N, SURROUNDINGS).

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
        scheme = self.model.scheme(self, "batch")
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
        """Copy a state; compiled functions look at no lengths, so they are looked at here."""
        state = np.array(x, np.float64, order="C")
        if state.shape != self.initial.shape or surroundings.shape != (SURROUNDINGS,):
            raise InvalidValue(
                f"{self.name}: a state of shape {state.shape} in surroundings of shape "
                f"{surroundings.shape}: expected {self.initial.shape} and ({SURROUNDINGS},)"
            )
        return state

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
        """Refuse a command that is no number; an infinite or a huge one is at its stop."""
        for channel, value in zip(self.commands, given.tolist(), strict=True):
            if isnan(value):
                raise InvalidValue(
                    f"{self.name}: {channel.name} = {value}: expected a number from "
                    f"{channel.low:g} to {channel.high:g} {channel.unit}"
                )

    def _diagnose(
        self, last: Floats, command: Floats, surroundings: Floats, dt: float, which: str = ""
    ) -> None:
        """Say what is wrong with the step after the last good state."""
        rates = self.derivative(last, command, surroundings)
        names = [*STATE_NAMES, *(channel.name for channel in self.actuators)]
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
        """Say what most likely drove the state away: capsize, depth, envelope, or the time step."""
        from steerageway.vessel.fossen.fastest import mode_at
        from steerageway.vessel.tools.inertia import HEAVY, heavy

        z, heel, depth = float(last[2]), float(last[3]), float(surroundings[WATER_DEPTH])
        if abs(heel) > self.envelope.heel:
            return f"the likely cause: it capsized, heel {degrees(heel):.0f} degrees"
        if self.envelope.aground(z, depth):
            return f"the likely cause: it is aground, in a depth of {depth:g} m"
        if not self.quaternions and abs(cos(last[4])) < _STEEP:
            return "the likely cause: pitch near 90 degrees; use_quaternion goes through it"
        if heavy(self):
            return (
                f"the likely cause: added mass of more than {HEAVY:g} times its own, in which "
                "little turning is the energy of much speed"
            )
        u, v, w = last[6:9].tolist()
        told = [what for _, what in self.envelope.left(z, heel, (u, v, w), depth)]
        if told:
            return f"the likely cause: outside the envelope of its data, {'; '.join(told)}"
        limit = mode_at(self, last).limit
        if dt > limit:
            return f"the likely cause: the time step; here {limit:.3g} s or less, or adaptive"
        return "the likely cause: its data, which add energy there"
