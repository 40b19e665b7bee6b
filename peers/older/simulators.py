"""Simulator generations: uSimMarineV22 as released and the older uSimMarine, apart from the motion.

The vessel's motion is in ``peers/older/``; docs/simulator.md lists every difference with its
test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar

from steerageway.apps.shared.generation import (
    LEGACY,
    RELEASED,
    SUMMARY,
    UNMAPPED_KEYS,
    Act,
    Generation,
)
from steerageway.apps.shared.pid_config import PidOptions
from steerageway.apps.shared.vessel_options import ThrustMapOptions
from steerageway.moos.values import snap
from steerageway.peers.older import thrust_map_engines as engines
from steerageway.peers.older.thrust_map import ReleasedThrustMap
from steerageway.vessel.craft import Craft
from steerageway.vessel.kinematic import KinematicParameters, TurnSpeedMap
from steerageway.vessel.model import Motion, VesselModel
from steerageway.vessel.pid import Output
from steerageway.vessel.step_orders import StepOrders
from steerageway.vessel.thrust_map import ThrustMap
from steerageway.vessel.wormhole import Wormhole

FADE = 5.0
"""Time for which a vessel fades in a wormhole of the released simulator [s]."""
SPEED_CAP = 5.0
"""Maximum posted speed of the released simulator if max_speed is not set [m/s]."""
_WORLD = ("current_field", "current_field_active", "environment", "environment_key")
_FULL = ("turn_spd_map_full_speed", "turn_spd_map_full_rate")
_NULL = ("turn_spd_map_null_speed", "turn_spd_map_null_rate")


class Older(Generation):
    """Common properties of both older simulators."""

    other_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    thrust_map: ClassVar[type[ThrustMap]] = ReleasedThrustMap
    stops_at_bad_pair: ClassVar[bool] = True
    max_acceleration: ClassVar[float | None] = None

    def step_orders(self, random: Callable[[], float]) -> StepOrders:
        """Return the means of orders, each over the time for which it was given."""
        return StepOrders(random)

    def before_mail(self, reach: Act) -> Act:
        """Do nothing: mail acts on the whole step that ends with the iteration that takes it."""
        return lambda instant: None

    def proceed(self, steer: Act, advance: Act, now: float) -> None:
        """Step the PID first: its commands act on the whole step, too."""
        steer(now)
        advance(now)

    def water_depth(self, depth: float | None) -> float | None:
        """Take 0 as an unknown depth."""
        return depth or None

    def stay(self, craft: Craft[Any], now: float) -> None:
        """Do not advance the vessel's clock: one step later makes up for the time."""

    def posted_speed(self, max_speed: float | None) -> Callable[[float], float] | None:
        """Post multiples of 0.01 m/s."""
        return lambda speed: snap(speed, 0.01)

    def underscored(self, prefix: str) -> str:
        """Add an underscore to any prefix."""
        return f"{prefix}_"

    def taken(self, order: float, most: float) -> str:
        """Accept every command unbounded."""
        return "taken as it is"


class Released(Older):
    """The released uSimMarineV22."""

    posts_every: ClassVar[int] = 2
    without_effect: ClassVar[frozenset[str]] = UNMAPPED_KEYS | {
        *(*_WORLD, "turn_loss", "turn_spd_map_full_speed")
    }

    def vessel(self, parameters: KinematicParameters) -> VesselModel[Motion]:
        """Return the released thrust-map vessel."""
        return engines.Released(parameters)

    def turn_rate(self, options: ThrustMapOptions) -> float:
        """Return the turn rate; if it is 0, turn_spd_map_full_rate, or 100."""
        if options.turn_rate == 0.0:
            full = options.turn_spd_map_full_rate
            return 100.0 if full is None else full
        return super().turn_rate(options)

    def turn_speed_map(self, options: ThrustMapOptions, turn_rate: float) -> TurnSpeedMap | None:
        """Return the map, its null point not above the full one."""
        full_speed = engines.TURN_SPEED_MAP.full_speed
        null_speed = min(options.turn_spd_map_null_speed or 0.0, full_speed)
        return TurnSpeedMap(
            null_speed, min(options.turn_spd_map_null_rate or 0.0, turn_rate), full_speed
        )

    def posted_speed(self, max_speed: float | None) -> Callable[[float], float] | None:
        """Post multiples of 0.01 m/s up to max_speed, which limits nothing else."""
        cap = SPEED_CAP if max_speed is None else max_speed
        return lambda speed: min(snap(speed, 0.01), cap)

    def resets_at_start(self, lines: int) -> int:
        """Count each ``start_pos`` line as a reset."""
        return lines

    def may_change_drift(self, *, by_another: bool) -> bool:
        """True when an app first changes the drift, instead of at each change."""
        return by_another

    def posts_drift(self, *, changed: bool) -> bool:
        """Post the drift summary then, even an unchanged one."""
        return True

    def overridden(self, output: Output) -> Output:
        """Keep the embedded PID active."""
        return output

    def wormhole(self, wormhole: Wormhole) -> Wormhole:
        """Fade for 5 s; connect "both" as no entry; ignore delay and id_change."""
        entries = wormhole.entries if len(wormhole.entries) == 1 else ()
        return replace(wormhole, entries=entries, delay=0.0, fade=FADE, id_change=False)

    def wormhole_warning(self, key: str, value: str) -> str:
        """Return a warning about an unsupported key of a wormhole; "" for a supported one."""
        if key.lower() in ("delay", "fade", "id_change"):
            return f"{key} has no effect with model = {RELEASED}"
        if key.lower() == "connection" and value.lower() == "both":
            return f"with model = {RELEASED} this wormhole lets nobody in"
        return ""

    def leave_wormhole(self, craft: Craft[Any]) -> None:
        """Set the rudder to 0."""
        craft.inputs.rudder = 0.0


class Legacy(Older):
    """The older uSimMarine."""

    summaries: ClassVar[tuple[str, ...]] = (SUMMARY, "USM_FSUMMARY")
    old_names: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "startheading": "start_heading",
            "startspeed": "start_speed",
            "startdepth": "start_depth",
            "force_x": "drift_x",
            "force_y": "drift_y",
            "force_vector": "drift_vector",
            "force_theta": "rotate_speed",
        }
    )
    windless: ClassVar[str] = "model = legacy knows no wind"
    without_effect: ClassVar[frozenset[str]] = UNMAPPED_KEYS | {
        *(*_WORLD, *_FULL, *_NULL),
        *("turn_loss", "turn_spd_loss", "turn_radius", "max_speed"),
        *("wind_conditions", "polar_plot", "post_navpos_summary", "wormhole"),
        *("thrust_mode_diff", "thrust_mode_reverse", "post_des_thrust", "post_des_rudder"),
        *(one.name for one in PidOptions.parameters()),
    }

    def vessel(self, parameters: KinematicParameters) -> VesselModel[Motion]:
        """Return the older thrust-map vessel."""
        return engines.Legacy(parameters)

    def moves(self, *, enabled: bool) -> bool:
        """Keep moving, without posts, while USM_ENABLED is false."""
        return True

    def post_stay(self, post: Callable[[], None]) -> None:
        """Post nothing while OBSTACLE_HIT is true."""


OLDER: Mapping[str, Generation] = MappingProxyType({RELEASED: Released(), LEGACY: Legacy()})
"""The older simulator generations by the value of ``model``."""
