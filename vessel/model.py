"""Interface of vessel models: inputs (commands and environment) in, motion out.

Every model implements ``VesselModel``, an object without state that computes the next state from a
state, the inputs and a time step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypedDict, TypeVar, Unpack

from steerageway.vessel.drift import Drift
from steerageway.vessel.polar import Wind

State = TypeVar("State")


class Motion(NamedTuple):
    """A vessel's position and motion, in the marine convention of ``vessel.marine``.

    Attributes:
        x, y: east and north of the datum [m].
        heading: of the bow [deg].
        speed: through the water, along the heading [m/s]; negative astern.
        depth: below the surface [m].
        pitch: bow up [rad].
        heading_over_ground: course over ground [deg]; 0 at rest.
        speed_over_ground: [m/s].
        rudder: angle of the rudder [% of full, positive turns to starboard].
    """

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    speed: float = 0.0
    depth: float = 0.0
    pitch: float = 0.0
    heading_over_ground: float = 0.0
    speed_over_ground: float = 0.0
    rudder: float = 0.0


@dataclass(slots=True)
class Inputs:
    """Commands and environment of a vessel during a step.

    Attributes:
        rudder, thrust, elevator: commands [%, -100 to 100].
        thrust_left, thrust_right: commands of the two thrusters [%], in differential mode.
        differential: steer by the two thrusters; rudder and thrust have no effect.
        reverse: go astern: commands steer the vessel as if its stern were the bow.
        drift: velocity over ground of the water, and of any other drift.
        rotate_speed: yaw rate caused by the environment [deg/s].
        wind: None: none.
        water_depth: at the vessel's position [m]; 0: unknown.
        commands: of each actuator, for a model with such commands; None: those above are used.
        time: at the end of the step [s].
    """

    rudder: float = 0.0
    thrust: float = 0.0
    elevator: float = 0.0
    thrust_left: float = 0.0
    thrust_right: float = 0.0
    differential: bool = False
    reverse: bool = False
    drift: Drift = field(default_factory=Drift)
    rotate_speed: float = 0.0
    wind: Wind | None = None
    water_depth: float = 0.0
    commands: Sequence[float] | None = None
    time: float = 0.0


class Tuning(TypedDict, total=False):
    """Parameters that may change during a run."""

    turn_rate: float
    turn_radius: float
    buoyancy_rate: float


class VesselModel(Protocol[State]):
    """A model of a vessel, with its type of state."""

    def step(self, state: State, inputs: Inputs, dt: float) -> State:
        """Return the state after ``dt`` [s]; the same state if dt is not positive.

        Raises:
            NotFinite: the new state is not finite.
        """

    def settled(self, state: State, inputs: Inputs) -> State:
        """Return the state integrated up to the time reached by ``step``, before inputs change.

        A model with its own grid of time steps may lag that time by less than one grid step.
        """

    def motion(self, state: State) -> Motion:
        """Return the vessel's motion in a state."""

    def placed(self, state: State, **pose: float) -> State:
        """Return the state with some of x, y, heading, speed and depth replaced."""

    def tuned(self, **values: Unpack[Tuning]) -> VesselModel[State]:
        """Return the model with some parameters replaced."""

    def order_rudder(self, present: float, desired: float, elapsed: float) -> float:
        """Return the active rudder command after a new one.

        Args:
            present, desired: the present command and the new one [%].
            elapsed: time since the last command [s].
        """
