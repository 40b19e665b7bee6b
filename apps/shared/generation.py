"""Simulator generations: processing of mail and posts as documented for uSimMarineV22.

Older programs override the differences in ``peers/older/simulators.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from math import copysign
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from steerageway.apps.shared.vessel_options import FmuOptions, FossenOptions, ThrustMapOptions
from steerageway.vessel.craft import Craft
from steerageway.vessel.kinematic import KinematicParameters, TurnSpeedMap
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Motion, VesselModel
from steerageway.vessel.pid import Output
from steerageway.vessel.thrust_map import ThrustMap
from steerageway.vessel.wormhole import Wormhole

if TYPE_CHECKING:
    from steerageway.vessel.step_orders import StepOrders

DOCUMENTED, RELEASED, LEGACY, FOSSEN, FMU = "documented", "released", "legacy", "fossen", "fmu"
MODELS = DOCUMENTED, RELEASED, LEGACY, FOSSEN, FMU
"""Values of ``model``."""
SUMMARY = "USM_DRIFT_SUMMARY"
_NAMES = (
    *("BUOYANCY_RATE", "WATER_DEPTH", "ROTATE_SPEED"),
    *("DRIFT_X", "DRIFT_Y", "DRIFT_VECTOR", "DRIFT_VECTOR_ADD", "DRIFT_VECTOR_MULT"),
)
PLAIN_NAMES: Mapping[str, str] = MappingProxyType({f"USM_{name}": name for name in _NAMES})
"""Names that the manual writes with a USM_ in some places, and their names without it."""

Act = Callable[[float], None]
FOSSEN_KEYS, FMU_KEYS, THRUST_MAP_KEYS = (
    frozenset(one.name for one in options.parameters())
    for options in (FossenOptions, FmuOptions, ThrustMapOptions)
)
UNMAPPED_KEYS = FOSSEN_KEYS | FMU_KEYS
"""Parameters of vessels without a thrust map."""


class Generation:
    """The present simulator, and the base class of others.

    Attributes:
        posts_every: navigation is posted in every n-th iteration.
        summaries: variables of the drift summary.
        other_names: variable -> the variable that it is processed as.
        old_names: old name of a parameter -> its name.
        without_effect: parameters without effect.
        windless: why wind moves no vessel; "" if it moves some.
        thrust_map: the class of its thrust map.
        stops_at_bad_pair: whether the thrust map ends at an invalid pair.
        max_acceleration: its default [m/s²]; None: no limit.
    """

    posts_every: ClassVar[int] = 1
    summaries: ClassVar[tuple[str, ...]] = (SUMMARY,)
    other_names: ClassVar[Mapping[str, str]] = PLAIN_NAMES
    old_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    without_effect: ClassVar[frozenset[str]] = UNMAPPED_KEYS
    windless: ClassVar[str] = ""
    thrust_map: ClassVar[type[ThrustMap]] = ThrustMap
    stops_at_bad_pair: ClassVar[bool] = False
    max_acceleration: ClassVar[float | None] = 0.5

    def vessel(self, parameters: KinematicParameters) -> VesselModel[Motion]:
        """Return its thrust-map vessel."""
        return Documented(parameters)

    def turn_rate(self, options: ThrustMapOptions) -> float:
        """Return the turn rate, which mission files may set above its maximum."""
        return min(options.turn_rate, 100.0)

    def turn_speed_map(self, options: ThrustMapOptions, turn_rate: float) -> TurnSpeedMap | None:
        """Return the dependence of the turn rate on speed; None for none."""
        null = options.turn_spd_map_null_speed, options.turn_spd_map_null_rate
        full = options.turn_spd_map_full_speed, options.turn_spd_map_full_rate
        if all(one is None for one in null + full):
            return None
        full_speed = 1.0 if full[0] is None else full[0]
        return TurnSpeedMap(null[0] or 0.0, null[1] or 0.0, full_speed, full[1])

    def step_orders(self, random: Callable[[], float]) -> StepOrders | None:
        """Return what averages orders over steps; None: they act from their own instants."""
        return None

    def before_mail(self, reach: Act) -> Act:
        """Return the action before mail is processed: mail acts from its own instant."""
        return reach

    def proceed(self, steer: Act, advance: Act, now: float) -> None:
        """Move the vessel to a time, then let the PID set its commands from then on."""
        advance(now)
        steer(now)

    def water_depth(self, depth: float | None) -> float | None:
        """Return the water depth [m] of mail or a block; 0: dry ground, None: unknown."""
        return depth

    def moves(self, *, enabled: bool) -> bool:
        """Whether the vessel moves; it does not while USM_ENABLED is false."""
        return enabled

    def stay(self, craft: Craft[Any], now: float) -> None:
        """Keep a vessel that has hit an obstacle at its position, at rest."""
        craft.wait(now)
        craft.place(speed=0.0)

    def post_stay(self, post: Callable[[], None]) -> None:
        """Post the position of a vessel that has hit an obstacle."""
        post()

    def posted_speed(self, max_speed: float | None) -> Callable[[float], float] | None:
        """Return the conversion of a speed [m/s] to its post; None: unchanged."""
        return None

    def underscored(self, prefix: str) -> str:
        """Return a prefix with an underscore at its end."""
        return prefix if prefix.endswith("_") else f"{prefix}_"

    def resets_at_start(self, lines: int) -> int:
        """Return the number of resets that the ``start_pos`` lines of a block count as."""
        return 0

    def may_change_drift(self, *, by_another: bool) -> bool:
        """Whether mail about the drift may change its summary; ``by_another``: by a new source."""
        return True

    def posts_drift(self, *, changed: bool) -> bool:
        """Whether the summary of the drift is posted after such mail."""
        return changed

    def overridden(self, output: Output) -> Output:
        """Return the embedded PID's output while MOOS_MANUAL_OVERRIDE is true: zeros."""
        return Output(0.0, 0.0, 0.0, output.live, False, output.stale)

    def taken(self, order: float, most: float) -> str:
        """Return the text about a command beyond its range."""
        return f"taken for {copysign(most, order):g}"

    def wormhole(self, wormhole: Wormhole) -> Wormhole:
        """Return a wormhole as this simulator supports it."""
        return wormhole

    def wormhole_warning(self, key: str, value: str) -> str:
        """Return a warning about an unsupported key of a wormhole; "" for a supported one."""
        return ""

    def leave_wormhole(self, craft: Craft[Any]) -> None:
        """Change the vessel's state when it leaves a wormhole: not at all."""


class OfFossen(Generation):
    """The present simulator with a Fossen vessel."""

    without_effect: ClassVar[frozenset[str]] = THRUST_MAP_KEYS | FMU_KEYS


class OfFmu(Generation):
    """The present simulator with an FMU as the vessel."""

    without_effect: ClassVar[frozenset[str]] = THRUST_MAP_KEYS | FOSSEN_KEYS


_OLDER = "steerageway.peers.older.simulators"

PRESENT: Mapping[str, Generation] = MappingProxyType(
    {DOCUMENTED: Generation(), FOSSEN: OfFossen(), FMU: OfFmu()}
)


def generation_of(model: str) -> Generation:
    """Return how the simulator of a ``model`` behaves; older ones are loaded when named."""
    if model in PRESENT:
        return PRESENT[model]
    older: Mapping[str, Generation] = import_module(_OLDER).OLDER
    return older[model]
