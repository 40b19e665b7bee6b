"""Appcast of the simulator, and the texts of its drift summary and wind arrow."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

from steerageway.apps.vessels.usim_marine.mail import Scene
from steerageway.apps.vessels.usim_marine.pilot import Pilot
from steerageway.geometry.marine import angle360
from steerageway.moos.values import trimmed, trimmed360
from steerageway.vessel.drift import Drift
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.model import Motion
from steerageway.vessel.polar import Wind


def drift_summary(drift: Drift) -> str:
    """Return the text of USM_DRIFT_SUMMARY."""
    angle, magnitude = trimmed360(drift.direction, 2), trimmed(drift.magnitude, 2)
    return f"ang={angle}, mag={magnitude}, xmag={trimmed(drift.x, 3)}, ymag={trimmed(drift.y, 3)}"


def wind_arrow(wind: Wind) -> str:
    """Return the text of VIEW_ARROW: an arrow in the direction of the wind."""
    direction = trimmed360(angle360(wind.direction + 180), 2)
    return (
        f"ctrx=0,ctry=0,ang={direction},bwid=5,blen=20,hwid=10,hlen=10,label=windmod,"
        "edge_color=off,vertex_color=off,fill_color=yellow,fill_transparency=0.50"
    )


def report_lines(scene: Scene, start: tuple[Motion, Drift], pilot: Pilot | None) -> Iterator[str]:
    """Yield the appcast's lines."""
    craft = scene.craft
    steering = "by the embedded PID" if pilot else "by DESIRED_RUDDER and DESIRED_THRUST"
    yield f"Enabled: {_word(scene.enabled)}  Paused: {_word(craft.paused)}  Steered {steering}"
    yield f"Hit an obstacle: {_word(scene.blocked)}  Resets: {scene.resets}"
    yield f"Start:   {pose_line(start[0])}"
    yield f"Present: {pose_line(craft.motion)}"
    if craft.dual_state:
        yield f"Truth:   {pose_line(craft.true_motion)}"
    yield f"Drift at start: {drift_summary(start[1])}"
    sources = ", ".join(scene.drift_sources) or "the configuration"
    yield f"Drift at present: {drift_summary(craft.total_drift())}, set by {sources}"
    yield f"Rotation: {trimmed(craft.inputs.rotate_speed, 3)} deg/s"
    yield from _command_lines(scene)
    yield from _model_lines(craft.model)


def pose_line(motion: Motion) -> str:
    """Return a pose in one line."""
    return (
        f"x={trimmed(motion.x, 2)} y={trimmed(motion.y, 2)} "
        f"heading={trimmed360(motion.heading, 1)} speed={trimmed(motion.speed, 2)} "
        f"depth={trimmed(motion.depth, 2)} pitch={trimmed(degrees(motion.pitch), 1)}"
    )


def _command_lines(scene: Scene) -> Iterator[str]:
    inputs = scene.craft.inputs
    if inputs.differential:
        sides = trimmed(inputs.thrust_left, 1), trimmed(inputs.thrust_right, 1)
        yield f"Thrust left: {sides[0]}  right: {sides[1]}"
    else:
        yield f"Thrust: {trimmed(inputs.thrust, 1)}  Rudder: {trimmed(inputs.rudder, 1)}"
    yield f"Elevator: {trimmed(inputs.elevator, 1)}  Stern first: {_word(inputs.reverse)}"
    depth = scene.water_depth
    yield f"Water depth: {'unknown' if depth is None else f'{trimmed(depth, 2)} m'}"
    if inputs.wind is not None:
        wind = inputs.wind
        yield f"Wind: {trimmed(wind.speed, 2)} m/s from {trimmed360(wind.direction, 1)}"


def _model_lines(model: object) -> Iterator[str]:
    """Yield the parameters of a thrust-map model."""
    p = getattr(model, "parameters", None)
    if not isinstance(p, KinematicParameters):
        return
    pairs = ", ".join(
        f"{trimmed(t)}:{trimmed(v)}" for t, v in p.thrust_map.astern + p.thrust_map.ahead
    )
    yield f"Thrust map: {pairs or f'thrust / {trimmed(p.thrust_map.factor)}'}"
    yield f"Turn rate: {trimmed(p.turn_rate)}  radius: {_limit(p.turn_radius, ' m')}"
    up, down = (_limit(one) for one in (p.max_acceleration, p.max_deceleration))
    yield f"Speeds up by {up}, down by {down} m/s^2"
    fast = trimmed(p.max_depth_rate_speed or 0.0)
    yield (
        f"Depth rate: {trimmed(p.max_depth_rate)} m/s from {fast} m/s on"
        f"  buoyancy: {trimmed(p.buoyancy_rate)} m/s"
    )


def _limit(value: float | None, unit: str = "") -> str:
    return "no limit" if value is None else trimmed(value) + unit


def _word(flag: bool) -> str:
    return "true" if flag else "false"
