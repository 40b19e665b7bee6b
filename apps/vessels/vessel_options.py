"""Parameters of a simulated vessel: by a thrust map, or by Fossen's equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from steerageway.bus import Config, Entry, Options, declare, tick_period
from steerageway.vessel.polar import PolarPlot
from steerageway.world.constants import NANO

INTEGRATORS = ("rk4", "adaptive")
Period = tuple[int, int] | None
"""A rate as a period, see ``tick_period``; None: every tick."""


def _acceleration(config: Config, names: Sequence[str]) -> float | None:
    return config.number(*names, default=0.0, low=0.0) if config.entry(*names) else None


def _period(config: Config, names: Sequence[str]) -> Period:
    """Read a rate [Hz]; default: every tick."""
    config.number(*names, default=1.0, above=0.0)
    entry = config.entry(*names)
    return None if entry is None else tick_period(str(Decimal(entry.value.strip())))


@dataclass(frozen=True)
class ThrustMapOptions(Options):
    """A vessel by a thrust map."""

    thrust_map: Entry | None = declare.line(
        "thrust map: pairs thrust:speed [%:m/s], as 0:0, 20:1, 40:2, 100:5"
    )
    thrust_factor: float = declare.number(
        20, "thrust per speed, if thrust_map has no thrust > 0", unit="%/(m/s)", low=0
    )
    thrust_reflect: bool = declare.flag(False, "true: thrust astern mirrors thrust ahead")
    turn_rate: float = declare.number(70, "heading change per rudder; at most 100", low=0)
    turn_spd_loss: float = declare.number(
        0.85, "fraction of speed lost at full rudder", low=0, high=1, aliases=("turn_loss",)
    )
    turn_spd_map_null_speed: float | None = declare.number(
        None, "speed up to which the turn rate is turn_spd_map_null_rate (0)", unit="m/s", low=0
    )
    turn_spd_map_null_rate: float | None = declare.number(
        None, "turn rate at turn_spd_map_null_speed (0)", low=0, high=100
    )
    turn_spd_map_full_speed: float | None = declare.number(
        None, "speed from which the turn rate is turn_spd_map_full_rate (1)", unit="m/s", above=0
    )
    turn_spd_map_full_rate: float | None = declare.number(
        None, "turn rate at turn_spd_map_full_speed (turn_rate)", above=0, high=100
    )
    turn_radius: float = declare.number(0, "minimum turn radius; 0: no limit", unit="m", low=0)
    max_rudder_degs_per_sec: float = declare.number(
        0, "rate of the rudder; 0: unlimited", unit="%/s", low=0
    )
    max_speed: float | None = declare.number(
        None, "maximum speed; default: no limit (released: 5, posted only)", unit="m/s", above=0
    )
    max_acceleration: float | None = declare.custom(
        _acceleration,
        "maximum acceleration [m/s^2], >= 0; 0: no limit (released and legacy: 0)",
        default="0.5",
    )
    max_deceleration: float = declare.number(
        0.5, "maximum deceleration; 0: no limit", unit="m/s^2", low=0
    )
    buoyancy_rate: float = declare.number(0.025, "ascent rate by buoyancy", unit="m/s")
    max_depth_rate: float = declare.number(0.5, "depth rate at full elevator", unit="m/s", low=0)
    max_depth_rate_speed: float = declare.number(
        2, "speed from which the depth rate is max_depth_rate", unit="m/s", low=0
    )
    polar_plot: PolarPlot | None = declare.value(
        "",
        PolarPlot.read,
        "sailing speed: angle to the wind [deg], speed [% of the wind's], as 0,0: 60,80: 180,50",
    )


@dataclass(frozen=True)
class FossenOptions(Options):
    """A vessel by Fossen's equations. The lines about its files are read by the vessel's reader."""

    vessel: Entry | None = declare.line(
        "folder of a vessel's files, as inputs/otter: see docs/fossen.md"
    )
    vessel_file: tuple[Entry, ...] = declare.entries(
        "another path of one of these files, as thrusters = two.yml"
    )
    vessel_override: tuple[Entry, ...] = declare.entries(
        "another value in these files, as inertia.mass = 60"
    )
    peer_compat: Entry | None = declare.line(
        "reference program to reproduce: panisim, or one of peer_compat.yml"
    )
    time_step: float = declare.custom(
        lambda config, names: config.number(*names, default=0.02, low=1 / NANO),
        "length of an integration step [s], > 0 (0.02)",
    )
    integrator: str = declare.custom(
        lambda config, names: config.choice(*names, default="", among=INTEGRATORS),
        "integrator of a step: rk4, or adaptive substeps (rk4)",
    )
    actuator_map: Entry | None = declare.line(
        "actuators of helm commands, as th_1:thrust+rudder, th_2:thrust-rudder"
    )
    actuator_cmd: Entry | None = declare.line(
        "initial actuator commands [deg, rpm], as cs_1=15,th_1=1200"
    )
    override_timeout: float = declare.custom(
        lambda config, names: config.number(*names, default=5.0, above=0.0),
        "timeout of an override that is not repeated [s], > 0 (5)",
    )
    position_rate: Period = declare.custom(
        _period, "rate of posts of the position [Hz] (every tick)"
    )
    heading_rate: Period = declare.custom(
        _period, "rate of posts of heading and yaw [Hz] (every tick)"
    )
    aux_rate: Period = declare.custom(
        _period, "rate of posts of the rest of the state [Hz] (every tick)"
    )
