"""Interface of vessel models: inputs (commands and environment) in, motion out.

Every model implements ``VesselModel``, an object without state that computes the next state from a
state, the inputs and a time step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isnan
from typing import NamedTuple, Protocol, TypedDict, TypeVar, Unpack

from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.polar import Wind

State = TypeVar("State")


class Motion(NamedTuple):
    """A vessel's position and motion, in the marine convention of ``geometry.marine``.

    Attributes:
        x, y: east and north of the datum [m].
        heading: of the bow [deg].
        speed: through the water, along the heading [m/s]; negative astern.
        depth: below the surface [m].
        pitch: bow up [rad].
        heading_over_ground: course over ground [deg]; 0 at rest.
        speed_over_ground: [m/s].
        rudder: angle of the rudder [% of full, positive turns to starboard].
        aground: whether the vessel stands on the ground.
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
    aground: bool = False


Place = tuple[float, float]
"""East and north [m]."""


class Bottom(Protocol):
    """The ground below the water, where its depth varies with position."""

    def shoal(self, start: Place, end: Place, keel: float, t: float) -> float | None:
        """Return the fraction of a straight way at which a vessel meets the ground; None: nowhere.

        Where it starts does not count: a vessel that stands on the ground may leave it.

        Args:
            start, end: east and north [m]. keel: its depth [m]. t: [s].
        """

    def clears(self, box: tuple[float, float, float, float], keel: float, t: float) -> bool:
        """Whether a keel [m] is above the ground in a whole box: west, south, east, north [m]."""

    def depth_at(self, x: float, y: float, t: float) -> float:
        """Return the water depth [m] at a place east and north [m], on the grid."""


def meets_ground(keel: float, water_depth: float) -> bool:
    """Whether a keel at a depth [m] is in the ground: below the bottom, or where no water is."""
    return water_depth <= 0.0 or keel > water_depth


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
        water_depth: at the vessel's position [m]; 0 or less: none, dry ground; None: unknown.
        bottom: the ground around it; None: the depth is the same everywhere.
        stands: the vessel is aground whatever its depth: another record of it is.
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
    water_depth: float | None = None
    bottom: Bottom | None = None
    stands: bool = False
    commands: Sequence[float] | None = None
    time: float = 0.0

    def depth_at(self, x: float, y: float) -> float | None:
        """Return the water depth [m] at a place east and north [m]; None: unknown.

        Raises:
            InvalidValue: it is not a number, or the place is off the grid of depths.
        """
        if self.bottom is not None:
            return self.bottom.depth_at(x, y, self.time)
        depth = self.water_depth
        if depth is not None and isnan(depth):
            raise InvalidValue(f"water_depth = {depth}: expected a depth [m], or None if unknown")
        return depth

    def grounding(self, start: Place, end: Place, keel: float) -> tuple[float, float] | None:
        """Return where a vessel meets the ground on a straight way; None: nowhere.

        Returns: the fraction of the way, and the depth of the ground there [m]; -inf if the vessel
            stands whatever its depth.
        Args:
            start, end: east and north [m]. keel: its depth at the end [m].
        """
        if self.stands:
            return 0.0, -inf
        if self.bottom is None:
            depth = self.depth_at(*end)
            return None if depth is None or not meets_ground(keel, depth) else (0.0, depth)
        met = self.bottom.shoal(start, end, keel, self.time)
        if met is None:
            return None
        x, y = (a + met * (b - a) for a, b in zip(start, end, strict=True))
        return met, self.bottom.depth_at(x, y, self.time)


class Tuning(TypedDict, total=False):
    """Parameters that may change during a run."""

    turn_rate: float
    turn_radius: float | None
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

        A model with its own grid of time steps may lag that time by less than one grid step; by
        default ``step`` integrates up to the clock.
        """
        return state

    def motion(self, state: State) -> Motion:
        """Return the vessel's motion in a state."""

    def placed(self, state: State, **pose: float) -> State:
        """Return the state with some of x, y, heading, speed and depth replaced."""

    def tuned(self, **values: Unpack[Tuning]) -> VesselModel[State]:
        """Return the model with some parameters replaced."""

    def order_rudder(self, present: float, desired: float, elapsed: float) -> float:
        """Return the active rudder command after a new one: the new one, with rates in ``step``.

        Args:
            present, desired: the present command and the new one [%].
            elapsed: time since the last command [s].
        """
        return desired
