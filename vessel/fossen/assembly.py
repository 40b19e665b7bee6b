"""What vessels of every model have in common: their water, how they start, what they are called."""

from __future__ import annotations

from math import inf, radians
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.document import Section
from steerageway.vessel.fossen.dynamics import Channel, Dynamics, Floats, Model
from steerageway.vessel.fossen.envelope import CAPSIZED, Envelope
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import angles
from steerageway.vessel.fossen.orders import mapped
from steerageway.vessel.fossen.plausible import DENSITIES, GRAVITIES

if TYPE_CHECKING:
    from steerageway.vessel.wave_forces.motion import WaveMotion

DENSITY, GRAVITY = 1025.0, 9.81


def world(folder: Folder) -> tuple[float, float]:
    """Give the density of the water [kg/m³], and gravity [m/s²]."""
    vessel = folder["vessel"]
    density = vessel.number("density", DENSITY, *DENSITIES)
    return density, vessel.number("gravity", GRAVITY, *GRAVITIES)


def assembled(
    folder: Folder,
    model: Model,
    parameters: tuple[Any, ...],
    commands: tuple[Channel, ...],
    start: Floats,
    states: tuple[Channel, ...] = (),
) -> Dynamics:
    """Make a vessel; each of its commands has one actuator state, which begins at ``start``.

    Args:
        states: what the actuator states are, if not what the commands are.

    Raises:
        InvalidValue: a value of ``vessel.yml`` or ``initial_conditions.yml`` is wrong.
    """
    vessel, conditions = folder["vessel"], folder["initial_conditions"]
    density, gravity = world(folder)
    return Dynamics(
        name=vessel.text("name", folder.path.resolve().name),
        model=model,
        parameters=parameters,
        commands=commands,
        actuators=states or commands,
        initial=np.concatenate(
            (
                conditions.vector("start_location", 3, [0.0] * 3),
                angles(conditions, "start_orientation"),
                _velocity(conditions),
                start,
            )
        ),
        density=density,
        gravity=gravity,
        source=vessel.text("source"),
        quaternions=conditions.flag("use_quaternion", False),
        command_timeout=vessel.positive("command_timeout", inf),
        envelope=_envelope(folder),
        water_depth=vessel.positive("water_depth", inf),
        wave_motion=_wave_motion(folder),
        actuator_map=_actuator_map(vessel, commands),
    )


def _wave_motion(folder: Folder) -> WaveMotion | None:
    """Read what waves add; only of a vessel that they do not load already."""
    vessel, hydrodynamics = folder["vessel"], folder["hydrodynamics"]
    if "wave_motion" not in vessel:
        return None
    from steerageway.vessel.wave_forces.motion import read_motion

    if "hydrostatics" in hydrodynamics or "loads" in hydrodynamics:
        told = "a vessel that waves do not load: hydrodynamics.yml has hydrostatics or loads"
        vessel.wrong("wave_motion", "given", told, None)
    by_coefficients = vessel.text("model", "coefficients") == "coefficients"
    if by_coefficients and vessel.vector("active_dof", 6, [1.0] * 6)[2:5].any():
        told = "a vessel held in heave, roll and pitch: active_dof: [1, 1, 0, 0, 0, 1]"
        vessel.wrong("wave_motion", "given", told, None)
    return read_motion(folder)


def _actuator_map(vessel: Section, commands: tuple[Channel, ...]) -> str:
    text = vessel.text("actuator_map")
    try:
        mapped(text, commands)
    except InvalidValue as error:
        return vessel.wrong("actuator_map", str(error), "it so", "")
    return text


def _envelope(folder: Folder) -> Envelope:
    """Read the envelope; a hull that floats has a draught, a submerged one may know a surface."""
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    draught = geometry.number("draft", 0.0, low=0.0)
    by_coefficients = folder["vessel"].text("model", "coefficients") == "coefficients"
    submerged = by_coefficients and "restoring" not in hydrodynamics
    knows = hydrodynamics.flag("meets_surface", False) if by_coefficients else True
    free = folder["vessel"].vector("active_dof", 6, [1.0] * 6)[2] != 0.0
    deep = submerged and free and not knows and not draught
    section = folder["vessel"].section("envelope")
    low, high = section.vector("speed", 2, [-inf, inf]) if "speed" in section else (-inf, inf)
    if not low < high:
        section.wrong("speed", f"{low:g}, {high:g}", "the least and the greatest [m/s]", None)
    read = Envelope(
        (float(low), float(high)),
        radians(section.positive("drift_angle", 180.0, 180.0)),
        radians(section.positive("angle_of_attack", 180.0, 180.0)),
        radians(section.positive("heel", CAPSIZED, 180.0)),
        draught,
        deep,
    )
    section.finish()
    return read


def _velocity(conditions: Section) -> Floats:
    """Read u v w p q r at the start; Panisim's older files have u v w only."""
    key, short = "start_velocity", 3
    node = conditions.nodes.get(key)
    if isinstance(node, yaml.SequenceNode) and len(node.value) == short:
        return np.concatenate((conditions.vector(key, short), np.zeros(3)))
    return conditions.vector(key, 6, [0.0] * 6)
