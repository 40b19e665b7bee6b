"""What a simulated vessel is to the world: commands and surroundings in, motion out.

Every model of a vessel stands behind ``VesselModel``: a thing without state of its own that turns
a state, the inputs and a length of time into the next state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypedDict, TypeVar, Unpack

from steerageway.vessel.drift import Drift
from steerageway.vessel.polar import Wind

State = TypeVar("State")


class Motion(NamedTuple):
    """Where a vessel is and how it moves, in the marine convention of ``vessel.marine``.

    Attributes:
        x, y: east and north of the datum [m].
        heading: where the bow points [deg].
        speed: through the water, along the heading [m/s]; negative when going astern.
        depth: below the surface [m].
        pitch: bow up [rad].
        heading_over_ground: where the vessel goes [deg]; 0 when it does not move.
        speed_over_ground: how fast [m/s].
        rudder: the rudder's angle [per cent of full, positive turns to starboard].
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
    """What acts on a vessel during a step.

    Attributes:
        rudder, thrust, elevator: commands [per cent, -100 to 100].
        thrust_left, thrust_right: commands of the two thrusters [per cent], in differential mode.
        differential: steer by the two thrusters; rudder and thrust have no effect then.
        reverse: go stern first: the stern is what the commands steer.
        drift: velocity of the water, and whatever else carries the vessel, over the ground.
        rotate_speed: how fast the surroundings turn the vessel [deg/s].
        wind: the wind, where one is known.
        water_depth: at the vessel's place [m]; 0: unknown.
        commands: of each actuator, for a model that has them; None: the commands above count.
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
    """The parameters that may change while a vessel moves."""

    turn_rate: float
    turn_radius: float
    buoyancy_rate: float


class VesselModel(Protocol[State]):
    """A model of a vessel; ``State`` is whatever it needs to remember."""

    def step(self, state: State, inputs: Inputs, dt: float) -> State:
        """Return the state ``dt`` seconds later; the same state when dt is not positive.

        Raises:
            NotFinite: the new state is no state any more.
        """

    def settled(self, state: State, inputs: Inputs) -> State:
        """Return the state at the instant that ``step`` has come to, before the inputs change.

        A model that steps on a grid of its own is behind that instant by less than a grid step.
        """

    def motion(self, state: State) -> Motion:
        """Return what the world sees of a state."""

    def placed(self, state: State, **pose: float) -> State:
        """Return the state with some of x, y, heading, speed and depth replaced."""

    def tuned(self, **values: Unpack[Tuning]) -> VesselModel[State]:
        """Return the model with some parameters replaced."""

    def order_rudder(self, present: float, desired: float, elapsed: float) -> float:
        """Return the rudder command in force after an order.

        Args:
            present, desired: the command so far and the new one [per cent].
            elapsed: time since the last order [s].
        """
