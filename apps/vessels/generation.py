"""How a simulator deals with mail and posts, as the manual of uSimMarineV22 says.

Older programs differ; they override what they do otherwise in ``apps/compat/simulators.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import copysign
from types import MappingProxyType
from typing import Any, ClassVar

from steerageway.apps.vessels.vessel_options import FossenOptions, ThrustMapOptions
from steerageway.vessel.craft import Craft
from steerageway.vessel.kinematic import KinematicParameters, TurnSpeedMap
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Motion, VesselModel
from steerageway.vessel.pid import Output
from steerageway.vessel.thrust_map import ThrustMap
from steerageway.vessel.wormhole import Wormhole

MODELS = DOCUMENTED, RELEASED, LEGACY, FOSSEN = "documented", "released", "legacy", "fossen"
"""Values of ``model``."""
SUMMARY = "USM_DRIFT_SUMMARY"
_NAMES = (
    *("BUOYANCY_RATE", "WATER_DEPTH", "ROTATE_SPEED"),
    *("DRIFT_X", "DRIFT_Y", "DRIFT_VECTOR", "DRIFT_VECTOR_ADD", "DRIFT_VECTOR_MULT"),
)
PLAIN_NAMES: Mapping[str, str] = MappingProxyType({f"USM_{name}": name for name in _NAMES})
"""Names the manual gives a USM_ somewhere, and what they are called elsewhere."""

Act = Callable[[float], None]
FOSSEN_KEYS = frozenset(one.name for one in FossenOptions.parameters())
THRUST_MAP_KEYS = frozenset(one.name for one in ThrustMapOptions.parameters())


class Generation:
    """The present simulator.

    Attributes:
        posts_every: navigation is posted in every n-th iteration.
        summaries: what the drift summary is posted as.
        other_names: mail that is taken as if it had another name.
        old_names: parameters that are read under another name.
        without_effect: parameters that do nothing with it.
        windless: why no wind moves any vessel of it; "": some are moved.
        thrust_map: the kind of its thrust map.
        stops_at_bad_pair: whether a pair of the map that makes no sense ends it.
        max_acceleration: where none is given [m/s²].
    """

    posts_every: ClassVar[int] = 1
    summaries: ClassVar[tuple[str, ...]] = (SUMMARY,)
    other_names: ClassVar[Mapping[str, str]] = PLAIN_NAMES
    old_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    without_effect: ClassVar[frozenset[str]] = FOSSEN_KEYS
    windless: ClassVar[str] = ""
    thrust_map: ClassVar[type[ThrustMap]] = ThrustMap
    stops_at_bad_pair: ClassVar[bool] = False
    max_acceleration: ClassVar[float] = 0.5

    def vessel(self, parameters: KinematicParameters) -> VesselModel[Motion]:
        """Make its vessel by a thrust map."""
        return Documented(parameters)

    def turn_rate(self, options: ThrustMapOptions) -> float:
        """Give the turn rate; files of the field ask for more than there is, and get all of it."""
        return min(options.turn_rate, 100.0)

    def turn_speed_map(self, options: ThrustMapOptions, turn_rate: float) -> TurnSpeedMap | None:
        """Give how the turn rate grows with speed; None where it does not."""
        null = options.turn_spd_map_null_speed, options.turn_spd_map_null_rate
        full = options.turn_spd_map_full_speed, options.turn_spd_map_full_rate
        if all(one is None for one in null + full):
            return None
        full_speed = 1.0 if full[0] is None else full[0]
        return TurnSpeedMap(null[0] or 0.0, null[1] or 0.0, full_speed, full[1])

    def before_mail(self, reach: Act) -> Act:
        """Give what to do at the instant of mail: it acts from then on."""
        return reach

    def proceed(self, steer: Act, advance: Act, now: float) -> None:
        """Move the vessel to a time, and let its PID order what acts from then on."""
        advance(now)
        steer(now)

    def moves(self, *, enabled: bool) -> bool:
        """Say whether the vessel moves: it stands while USM_ENABLED is false."""
        return enabled

    def stay(self, craft: Craft[Any], now: float) -> None:
        """Keep a vessel that has hit something where it is, at rest."""
        craft.wait(now)
        craft.place(speed=0.0)

    def post_stay(self, post: Callable[[], None]) -> None:
        """Post where a vessel is that has hit something."""
        post()

    def posted_speed(self, max_speed: float) -> Callable[[float], float] | None:
        """Give what is posted for a speed [m/s]; None: the speed. ``max_speed`` 0: none is set."""
        return None

    def underscored(self, prefix: str) -> str:
        """Give a prefix its underscore, where it is missing."""
        return prefix if prefix.endswith("_") else f"{prefix}_"

    def resets_at_start(self, lines: int) -> int:
        """Give how many resets the ``start_pos`` lines of a block count for."""
        return 0

    def is_drift_news(self, *, by_another: bool) -> bool:
        """Say whether mail about the drift may change its summary; by an app not heard before?"""
        return True

    def posts_drift(self, *, changed: bool) -> bool:
        """Say whether the summary of the drift is posted where there is news of it."""
        return changed

    def overridden(self, output: Output) -> Output:
        """Give what the embedded PID orders while MOOS_MANUAL_OVERRIDE is true: rest."""
        return Output(0.0, 0.0, 0.0, output.live, False, output.stale)

    def taken(self, order: float, most: float) -> str:
        """Say what an order beyond its range is taken for."""
        return f"taken for {copysign(most, order):g}"

    def wormhole(self, wormhole: Wormhole) -> Wormhole:
        """Give a wormhole as vessels pass through it: as its lines say."""
        return wormhole

    def wormhole_doubt(self, key: str, value: str) -> str:
        """Say what a part of a ``wormhole`` line does not do here; "": it does what it says."""
        return ""

    def leave_wormhole(self, craft: Craft[Any]) -> None:
        """Let a vessel come out as it went in."""


class OfFossen(Generation):
    """The present simulator around a Fossen vessel."""

    without_effect: ClassVar[frozenset[str]] = THRUST_MAP_KEYS


PRESENT: Mapping[str, Generation] = MappingProxyType({DOCUMENTED: Generation(), FOSSEN: OfFossen()})


def generation_of(model: str) -> Generation:
    """Return how the simulator of a ``model`` behaves; older ones are loaded when named."""
    if model in PRESENT:
        return PRESENT[model]
    from steerageway.apps.compat.simulators import OLDER

    return OLDER[model]
