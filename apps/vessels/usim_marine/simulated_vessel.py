"""The simulated vessel: ``vessel.craft.Craft`` with what the simulator asks of it.

A Fossen vessel, which loads numba, is in ``fossen``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from steerageway.apps.vessels.usim_marine.limits import AGROUND, ENVELOPE_LEFT, LimitWatch
from steerageway.apps.vessels.usim_marine.mail import ACTUATORS, TakeNumber, TakeText
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.report import pose_line
from steerageway.bus import CannotGoOn
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.model import State, VesselModel, meets_ground

if TYPE_CHECKING:
    from steerageway.world.contact import Contact
    from steerageway.world.sea import Sea

PostFunction = Callable[..., None]
PostAll = Callable[[Sequence[str], Sequence[object]], None]
FULL_ORDER = 100.0  # the greatest rudder, thrust and elevator of a thrust map


class Hosts(Protocol):
    """The app around a vessel: how it posts and warns."""

    def post(self, name: str, value: object) -> None: ...
    def post_all(self, names: Sequence[str], values: Sequence[object]) -> None: ...
    def run_warning(self, text: str) -> None: ...


class SimulatedVessel(Craft[State]):
    """A vessel as the simulator has it: of a thrust map, without actuators and mass of its own.

    ``fossen.FossenVessel`` overrides what differs.

    Attributes:
        names: variables that it posts itself.
        windless: why the wind does not move it; "" if it does.
        draught: of a vessel with wave loads [m]; 0 of others.
        on_sea: called with each new sea; None for a vessel without wave loads.
        post_all: posts several navigation variables, at the vessel's rates.
    """

    def __init__(
        self,
        model: VesselModel[State],
        state: State,
        options: SimulatorOptions,
        *,
        windless: str,
        post: PostFunction,
        post_all: PostAll,
        warn: Callable[[str], None],
    ) -> None:
        super().__init__(model, state, dual_state=options.posts.dual_state)
        self.names: Sequence[str] = (AGROUND, ENVELOPE_LEFT)
        self._limits = LimitWatch(post, warn)
        self._ends = False  # whether the run ends aground
        self.windless, self.post_all = windless, post_all
        self.draught = 0.0
        self.on_sea: Callable[[Sea], None] | None = None
        start(self, options)

    def meet_surfaces(self, contact: Contact) -> str:
        """Enable contact with surfaces; return a warning, or "".

        Raises:
            InvalidValue: contacts of this vessel cannot be computed.
        """
        from steerageway.world.contact import END, FORCE, OFF

        if contact.walls or contact.at_boats != OFF or contact.at_bottom == FORCE:
            raise InvalidValue(
                "contact: a thrust-map vessel has no mass: expected model = fossen, or no contact "
                "but at_bottom: stand or end"
            )
        self._ends = contact.at_bottom == END
        return ""

    def advance(self, now: float) -> None:
        """Move to an instant, and post grounding; the older models sail on below the bottom.

        Raises:
            CannotGoOn: it is aground, and that ends the run.
        """
        super().advance(now)
        depth, aground = self.inputs.water_depth, ""
        if depth is None and not self._limits.aground:
            return
        motion = self.true_motion
        if depth is not None and (motion.aground or meets_ground(motion.depth, depth)):
            aground = f"aground in {max(0.0, min(depth, motion.depth)):.4g} m of water"
        self._limits.look("the vessel", {}, aground, lambda: pose_line(motion))
        if aground and self._ends:
            raise CannotGoOn(f"it touches the ground at x = {motion.x:.6g}, y = {motion.y:.6g}")

    def settle(self) -> None:
        """Do nothing: its state is at the clock already."""

    def number_handlers(self, *, orders: bool) -> Mapping[str, TakeNumber]:
        """Return handlers of its numbers; with ``orders`` those of rudder, thrust and elevator."""
        return ACTUATORS if orders else {}

    def text_handlers(self) -> Mapping[str, TakeText]:
        """Return handlers of its texts."""
        return {}

    def most(self, order: str) -> float:
        """Return the magnitude at which a command, such as ``DESIRED_THRUST``, saturates."""
        return FULL_ORDER

    def is_past(self, instant: float) -> bool:
        """Whether it need not be moved to the instant of mail [s]; commands often come in pairs."""
        return instant <= self.clock

    def pass_orders(self, now: float) -> None:
        """Pass its orders on to its actuators."""

    def post_rest(self, now: float) -> None:
        """Post the state beyond navigation, when it is due."""

    def end(self) -> None:
        """Release what it holds: the run ends."""

    def report(self) -> Iterable[str]:
        return ()


def start(craft: Craft[State], options: SimulatorOptions) -> None:
    """Give a vessel the start and the surroundings of a block."""
    for pose in options.starts:
        craft.place(**pose)
    craft.drift = options.around.drift
    craft.inputs.differential = options.steering.thrust_mode_diff
    craft.inputs.reverse = options.steering.thrust_mode_reverse
    craft.inputs.rotate_speed = options.around.rotate_speed
    craft.inputs.wind = options.around.wind_conditions
    craft.paused = options.sim_pause
