"""``FmuModel``: an FMU of another program as a vessel model, see ``vessel.model.VesselModel``.

Calm water is the same everywhere, so that the FMU may stand at any place: its own horizontal frame
is shifted and turned to where the vessel is. Only its speed and depth are its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, hypot, isfinite, radians, sin
from typing import NamedTuple, Unpack

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.geometry.marine import angle360, bearing
from steerageway.vessel.errors import InvalidValue, NotFinite
from steerageway.vessel.fmi.importer import Fmu, Term
from steerageway.vessel.model import Inputs, Motion, Tuning, VesselModel

POSE = ("x", "y", "heading", "speed", "depth")
NEEDED = POSE[:3]
OUTPUTS = (*POSE, "pitch", "rudder")
CURRENT = ("current_x", "current_y")
WIND = ("wind_speed", "wind_direction")
INPUTS = ("rudder", "thrust", "elevator", "thrust_l", "thrust_r", *CURRENT, *WIND, "water_depth")
TOLERANCE = 1e-6  # between the speed or depth of a start and the FMU's own [m/s, m]
Assigned = Mapping[str, Term]


@dataclass(frozen=True)
class Wiring:
    """How a vessel and the variables of an FMU belong together.

    Attributes:
        inputs: variable of the FMU -> one of ``INPUTS`` that it is set to.
        outputs: one of ``OUTPUTS`` -> variable of the FMU that it is.
        starts: variable of the FMU -> one of ``POSE`` that it is set to before a start.
        parameters: variable of the FMU -> its value.
    """

    inputs: Assigned
    outputs: Assigned
    starts: Assigned
    parameters: Mapping[str, str]

    @classmethod
    def of(
        cls,
        fmu: Fmu,
        inputs: Assigned,
        outputs: Assigned,
        starts: Assigned,
        parameters: Mapping[str, str],
    ) -> Wiring:
        """Return the given assignments, and those of variables that have the vessel's own names.

        Raises:
            InvalidValue: a place, heading or input is missing; see also ``check_wiring``.
        """
        given = {name for assigned in (inputs, starts) for name in assigned}
        free = [name for name in fmu.among("input") if name not in given]
        inputs = {name: Term(name) for name in free if name in INPUTS} | dict(inputs)
        read = [name for name in fmu.among("output") if name in OUTPUTS]
        outputs = {name: Term(name) for name in read} | dict(outputs)
        own = {f"start_{key}": Term(key) for key in POSE[3:]}
        settable = fmu.among("parameter")
        starts = {name: own[name] for name in own if name in settable} | dict(starts)
        for name in NEEDED:
            if name not in outputs:
                known = fmu.among("output")
                raise InvalidValue(
                    f"{fmu.path.name} has no output {name}; expected fmu_output = {name} = one of "
                    f"{', '.join(known[:20])}"
                )
        if not any(term.name in INPUTS[:5] for term in inputs.values()):
            known = fmu.among("input")
            raise InvalidValue(
                f"no order reaches {fmu.path.name}; expected fmu_input = VARIABLE = rudder or "
                f"thrust, with one of {', '.join(known[:20])}"
            )
        return cls(inputs, outputs, starts, parameters)


def check_known(name: str, known: tuple[str, ...], what: str) -> None:
    """Check a name of the vessel's side.

    Raises:
        InvalidValue: it is unknown, with the nearest names.
    """
    if name not in known:
        meant = did_you_mean(name, list(known))
        raise InvalidValue(f"{name}: no {what} of a vessel; {meant}")


class Frame(NamedTuple):
    """Where the FMU's horizontal frame lies: origin [m] and direction of its north [deg]."""

    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0

    @classmethod
    def placing(cls, own: Motion, x: float, y: float, heading: float) -> Frame:
        """Return the frame in which an FMU with a motion of its own is at a pose [m, deg]."""
        turn = angle360(heading - own.heading)
        east, north = _turned(own.x, own.y, turn)
        return cls(x - east, y - north, turn)

    def of(self, own: Motion) -> Motion:
        """Return a motion of the FMU as one in the world."""
        east, north = _turned(own.x, own.y, self.turn)
        return own._replace(
            x=self.x + east, y=self.y + north, heading=angle360(own.heading + self.turn)
        )


class FmuState(NamedTuple):
    """The state of the vessel, as far as it is known outside of the FMU.

    Attributes:
        motion: in the world.
        own: in the FMU's frame.
        fresh: the FMU is to start again, with the speed and depth of the motion.
    """

    motion: Motion = Motion()
    own: Motion = Motion()
    fresh: bool = True


class FmuModel(VesselModel[FmuState]):
    """Steps an FMU. It has one state only, that of its last step: there is no way back."""

    def __init__(self, fmu: Fmu, wiring: Wiring, warn: Callable[[str], None]) -> None:
        self.fmu, self.wiring, self._warn = fmu, wiring, warn
        wired = {term.name for term in wiring.inputs.values()}
        self.feels_wind = bool(wired & {*WIND})
        self._feels_current = bool(wired & {*CURRENT})

    def step(self, state: FmuState, inputs: Inputs, dt: float) -> FmuState:
        """Return the state ``dt`` seconds later; the drift moves an FMU that has no current.

        Raises:
            FmuFailed: the FMU refuses. NotFinite: an output of it is not finite.
        """
        if state.fresh:
            state = self._started(state)
        if dt <= 0.0:
            return state
        before = state.motion
        frame = Frame.placing(state.own, before.x, before.y, before.heading)
        self.fmu.set(self._inputs(inputs, frame.turn, before))
        self.fmu.step(dt)
        own = self._read(before)
        if "speed" not in self.wiring.outputs:
            ahead = radians(own.heading)
            east, north = own.x - state.own.x, own.y - state.own.y
            own = own._replace(speed=(east * sin(ahead) + north * cos(ahead)) / dt)
        x, y, heading = frame.of(own)[:3]
        if not self._feels_current:
            x, y = x + inputs.drift.x * dt, y + inputs.drift.y * dt
        heading = angle360(heading + inputs.rotate_speed * dt)
        east, north = (x - before.x) / dt, (y - before.y) / dt
        motion = own._replace(
            x=x,
            y=y,
            heading=heading,
            heading_over_ground=bearing(east, north),
            speed_over_ground=hypot(east, north),
            rudder=own.rudder if "rudder" in self.wiring.outputs else inputs.rudder,
        )
        return FmuState(motion, own, fresh=False)

    def _started(self, state: FmuState) -> FmuState:
        wanted = state.motion
        starts = {
            name: term.factor * getattr(wanted, term.name)
            for name, term in self.wiring.starts.items()
        }
        self.fmu.begin({**self.wiring.parameters, **starts})
        own = self._read(wanted)
        for key in (key for key in POSE[3:] if key in self.wiring.outputs):
            is_, asked = getattr(own, key), getattr(wanted, key)
            if abs(is_ - asked) > TOLERANCE:
                self._warn(
                    f"{self.fmu.path.name} starts with a {key} of {is_:g} instead of {asked:g}: "
                    f"expected fmu_start = VARIABLE = {key}"
                )
        motion = own._replace(x=wanted.x, y=wanted.y, heading=wanted.heading)
        return FmuState(motion, own, fresh=False)

    def _read(self, before: Motion) -> Motion:
        terms = self.wiring.outputs
        values = self.fmu.get(term.name for term in terms.values())
        found = {
            key: term.factor * value
            for (key, term), value in zip(terms.items(), values, strict=True)
        }
        wrong = [f"{key} = {value}" for key, value in found.items() if not isfinite(value)]
        if wrong:
            raise NotFinite(before[:5], f"{self.fmu.path.name}: {', '.join(wrong)}")
        return Motion()._replace(**found)  # type: ignore[arg-type]

    def _inputs(self, inputs: Inputs, turn: float, motion: Motion) -> dict[str, float]:
        """Return the values of the FMU's inputs; an unknown water depth is not set."""
        wind = inputs.wind
        direction = 0.0 if wind is None else wind.direction - turn
        current = _turned(inputs.drift.x, inputs.drift.y, -turn)
        values = {
            "rudder": inputs.rudder,
            "thrust": inputs.thrust,
            "elevator": inputs.elevator,
            "thrust_l": inputs.thrust_left,
            "thrust_r": inputs.thrust_right,
            "wind_speed": 0.0 if wind is None else wind.speed,
            "wind_direction": angle360(direction),
            **dict(zip(CURRENT, current, strict=True)),
        }
        depth = inputs.depth_at(motion.x, motion.y)
        if depth is not None:
            values["water_depth"] = depth
        return {
            name: term.factor * values[term.name]
            for name, term in self.wiring.inputs.items()
            if term.name in values
        }

    def motion(self, state: FmuState) -> Motion:
        """Return the motion of a state."""
        return state.motion

    def placed(self, state: FmuState, **pose: float) -> FmuState:
        """Return the state elsewhere; with a new speed or depth the FMU starts again."""
        fresh = state.fresh or "speed" in pose or "depth" in pose
        return state._replace(motion=state.motion._replace(**pose), fresh=fresh)  # type: ignore[arg-type]

    def tuned(self, **values: Unpack[Tuning]) -> FmuModel:
        """Reject any tuning: the FMU defines its vessel.

        Raises:
            InvalidValue: always.
        """
        raise InvalidValue(f"{', '.join(values)}: without effect on an FMU")


def _turned(east: float, north: float, turn: float) -> tuple[float, float]:
    """Return a horizontal vector turned clockwise by an angle [deg]."""
    c, s = cos(radians(turn)), sin(radians(turn))
    return c * east + s * north, c * north - s * east
