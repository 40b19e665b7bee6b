"""The simulated vessel: ``vessel.craft.Craft`` with what the simulator asks of it.

A Fossen vessel, which loads numba, is in ``fossen``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from steerageway.apps.vessels.usim_marine.mail import ACTUATORS, TakeNumber, TakeText
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.model import State, VesselModel

if TYPE_CHECKING:
    from steerageway.world.contact import Contact
    from steerageway.world.sea import Sea

PostAll = Callable[[Sequence[str], Sequence[object]], None]
FULL_ORDER = 100.0  # the greatest rudder, thrust and elevator of a thrust map


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
        post_all: PostAll,
    ) -> None:
        super().__init__(model, state, dual_state=options.posts.dual_state)
        self.names: Sequence[str] = ()
        self.windless, self.post_all = windless, post_all
        self.draught = 0.0
        self.on_sea: Callable[[Sea], None] | None = None
        start(self, options)

    def meet_surfaces(self, contact: Contact) -> str:
        """Enable contact with surfaces; return a warning, or "".

        Raises:
            InvalidValue: contacts of this vessel cannot be computed.
        """
        raise InvalidValue(
            "contact: a thrust-map vessel has no mass: expected model = fossen, or no contact"
        )

    def numbers(self, *, orders: bool) -> Mapping[str, TakeNumber]:
        """Return handlers of its numbers; with ``orders`` those of rudder, thrust and elevator."""
        return ACTUATORS if orders else {}

    def texts(self) -> Mapping[str, TakeText]:
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

    def report(self) -> Iterable[str]:
        """Yield its lines of the appcast."""
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
