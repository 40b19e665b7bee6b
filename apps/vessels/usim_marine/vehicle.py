"""The simulated vehicle as the simulator sees it: one interface for all models.

A thrust-map vehicle is here; a Fossen vessel, which loads numba, is in ``fossen``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from steerageway.apps.shared.generation import FOSSEN, Generation
from steerageway.apps.vessels.usim_marine.mail import ACTUATORS, TakeNumber, TakeText
from steerageway.apps.vessels.usim_marine.parameters import SimulatorOptions
from steerageway.apps.vessels.usim_marine.reading import Warn, read_craft
from steerageway.bus import Config
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue

if TYPE_CHECKING:
    from steerageway.world.contact import Contact
    from steerageway.world.sea import Sea

FULL_ORDER = 100.0  # the greatest rudder, thrust and elevator of a thrust map


class Vehicle(Protocol):
    """What the simulator asks of a vehicle.

    Attributes:
        craft: the vessel and its model.
        names: variables that it posts itself.
        windless: why the wind does not move it; "" if it does.
        draught: of a vessel with wave loads [m]; 0 of others.
        on_sea: called with each new sea; None for a vessel without wave loads.
        post_all: posts several navigation variables, at the vehicle's rates.
    """

    craft: Craft[Any]

    @property
    def names(self) -> Sequence[str]: ...
    @property
    def windless(self) -> str: ...
    @property
    def draught(self) -> float: ...
    @property
    def on_sea(self) -> Callable[[Sea], None] | None: ...
    @property
    def post_all(self) -> Callable[[Sequence[str], Sequence[object]], None]: ...

    def meet_surfaces(self, contact: Contact) -> str:
        """Enable contact with surfaces; return a warning, or "".

        Raises:
            InvalidValue: contacts of this vessel cannot be computed.
        """

    def numbers(self, *, orders: bool) -> Mapping[str, TakeNumber]:
        """Return handlers of its numbers; with ``orders`` those of rudder, thrust and elevator."""

    def texts(self) -> Mapping[str, TakeText]:
        """Return handlers of its texts."""

    def most(self, order: str) -> float:
        """Return the magnitude at which a command, such as ``DESIRED_THRUST``, saturates."""

    def is_past(self, instant: float) -> bool:
        """Whether it need not be moved to the instant of mail [s]."""

    def order(self, now: float) -> None:
        """Pass commands of the embedded PID on to the actuators."""

    def advance(self, now: float, water_depth: float) -> None:
        """Move to an instant [s] in water of a depth [m]."""

    def settle(self) -> None:
        """Integrate to the present instant, before the forces on the vessel change."""

    def post_rest(self, now: float) -> None:
        """Post the state beyond navigation, when it is due."""

    def report(self) -> Iterable[str]:
        """Yield its lines of the appcast."""


class ThrustMapVehicle:
    """A vessel of the thrust-map model: it has no actuators of its own and no mass."""

    names: Sequence[str] = ()
    draught = 0.0
    on_sea: Callable[[Sea], None] | None = None

    def __init__(
        self,
        craft: Craft[Any],
        *,
        model: str,
        windless: str,
        post_all: Callable[[Sequence[str], Sequence[object]], None],
    ) -> None:
        self.craft, self.windless, self.post_all = craft, windless, post_all
        self._model = model

    def meet_surfaces(self, contact: Contact) -> str:
        """Refuse contact.

        Raises:
            InvalidValue: always.
        """
        raise InvalidValue(
            f"contact: model = {self._model} has no mass: expected model = fossen, or no contact"
        )

    def numbers(self, *, orders: bool) -> Mapping[str, TakeNumber]:
        """Return the handlers of rudder, thrust and elevator, with ``orders``."""
        return ACTUATORS if orders else {}

    def texts(self) -> Mapping[str, TakeText]:
        """Return no handlers."""
        return {}

    def most(self, order: str) -> float:
        """Return 100 for every command."""
        return FULL_ORDER

    def is_past(self, instant: float) -> bool:
        """Whether it has been moved to the instant already; commands often come in pairs."""
        return instant <= self.craft.clock

    def order(self, now: float) -> None:
        """Do nothing: the PID writes its inputs."""

    def advance(self, now: float, water_depth: float) -> None:
        """Move to an instant."""
        self.craft.advance(now)

    def settle(self) -> None:
        """Do nothing: it is always integrated to its clock."""

    def post_rest(self, now: float) -> None:
        """Post nothing: navigation is its whole state."""

    def report(self) -> Iterable[str]:
        """Yield nothing."""
        return ()


class Hosts(Protocol):
    """The app around a vehicle: how it posts and warns."""

    def post(self, name: str, value: object) -> None: ...
    def post_all(self, names: Sequence[str], values: Sequence[object]) -> None: ...
    def run_warning(self, text: str) -> None: ...


def vehicle_of(
    model: str,
    options: SimulatorOptions,
    config: Config,
    generation: Generation,
    *,
    host: Hosts,
    prefix: str,
    places: Sequence[Path],
    warn: Warn,
) -> Vehicle:
    """Return the vehicle of a block; numba is loaded only for a Fossen vessel.

    Raises:
        ConfigError: a line is wrong.
    """
    if model == FOSSEN:
        from steerageway.apps.vessels.usim_marine.fossen import FossenVehicle

        return FossenVehicle(config, options, places, prefix, post=host.post, warn=host.run_warning)
    sails = options.by_map.polar_plot is not None
    return ThrustMapVehicle(
        read_craft(options, config, generation, warn=warn),
        model=model,
        windless=generation.windless or ("" if sails else "it has no sails (polar_plot)"),
        post_all=host.post_all,
    )
