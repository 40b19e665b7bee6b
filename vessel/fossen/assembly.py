"""Assembly common to all models: water, initial state, names, envelope and actuator map."""

from __future__ import annotations

from math import inf, radians
from typing import Any

import numpy as np
import yaml

from steerageway.geometry.geodesy import check_local
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.envelope import Envelope
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import angles
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import initial_conditions as ini
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.fossen.orders import mapped
from steerageway.vessel.fossen.state import Channel, Model
from steerageway.vessel.wave_forces.motion import WaveMotion
from steerageway.vessel.wave_forces.read import read_motion
from steerageway.world.arrays import Floats
from steerageway.world.document import Section


def world(folder: Folder) -> tuple[float, float]:
    """Return the density of the water [kg/m³], and gravity [m/s²]."""
    vessel = folder["vessel"]
    density = vessel.number(ves.DENSITY)
    return density, vessel.number(ves.GRAVITY)


def assembled(
    folder: Folder,
    model: Model,
    parameters: tuple[Any, ...],
    commands: tuple[Channel, ...],
    start: Floats,
    states: tuple[Channel, ...] = (),
) -> Dynamics:
    """Return a vessel; each command has one actuator state, with initial value ``start``.

    Args:
        states: channels of the actuator states, if not those of the commands.

    Raises:
        InvalidValue: a value of ``vessel.yml`` or ``initial_conditions.yml`` is invalid.
    """
    vessel, conditions = folder["vessel"], folder["initial_conditions"]
    density, gravity = world(folder)
    return Dynamics(
        name=vessel.text(ves.NAME, folder.path.resolve().name),
        model=model,
        parameters=parameters,
        commands=commands,
        actuators=states or commands,
        initial=np.concatenate(
            (
                _location(conditions),
                angles(conditions, ini.START_ORIENTATION),
                _velocity(conditions),
                start,
            )
        ),
        density=density,
        gravity=gravity,
        source=vessel.text(ves.SOURCE),
        quaternions=conditions.flag(ini.USE_QUATERNION),
        command_timeout=vessel.positive(ves.COMMAND_TIMEOUT),
        envelope=_envelope(folder),
        water_depth=vessel.positive(ves.WATER_DEPTH),
        wave_motion=_wave_motion(folder),
        actuator_map=_actuator_map(vessel, commands),
    )


def _wave_motion(folder: Folder) -> WaveMotion | None:
    """Read the wave motion by RAOs; only for vessels without wave loads."""
    vessel, hydrodynamics = folder["vessel"], folder["hydrodynamics"]
    if ves.WAVE_MOTION not in vessel:
        return None
    if hyd.HYDROSTATICS in hydrodynamics or hyd.LOADS in hydrodynamics:
        expected = "a vessel without wave loads: hydrodynamics.yml has hydrostatics or loads"
        vessel.wrong(ves.WAVE_MOTION, "given", expected, None)
    by_coefficients = vessel.text(ves.MODEL) == "coefficients"
    if by_coefficients and vessel.vector(ves.ACTIVE_DOF)[2:5].any():
        expected = "a vessel held in heave, roll and pitch: active_dof: [1, 1, 0, 0, 0, 1]"
        vessel.wrong(ves.WAVE_MOTION, "given", expected, None)
    return read_motion(folder)


def _actuator_map(vessel: Section, commands: tuple[Channel, ...]) -> str:
    text = vessel.text(ves.ACTUATOR_MAP)
    try:
        mapped(text, commands)
    except InvalidValue as error:
        return vessel.note(vessel.mistake(ves.ACTUATOR_MAP, str(error)), "")
    return text


def _envelope(folder: Folder) -> Envelope:
    """Read the envelope; floating hulls have a draught, submerged ones may model the surface."""
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    draught = geometry.number(geo.DRAFT, 0.0) or None
    by_coefficients = folder["vessel"].text(ves.MODEL) == "coefficients"
    submerged = by_coefficients and hyd.RESTORING not in hydrodynamics
    knows = hydrodynamics.flag(hyd.MEETS_SURFACE) if by_coefficients else True
    free = folder["vessel"].vector(ves.ACTIVE_DOF)[2] != 0.0
    deep = submerged and free and not knows and not draught
    section = folder["vessel"].section(ves.ENVELOPE)
    low, high = (
        section.vector(ves.ENVELOPE_SPEED, default=[-inf, inf])
        if ves.ENVELOPE_SPEED in section
        else (-inf, inf)
    )
    if not low < high:
        section.wrong(
            ves.ENVELOPE_SPEED, f"{low:g}, {high:g}", "minimum and maximum [m/s], ascending", None
        )
    read = Envelope(
        (float(low), float(high)),
        radians(section.positive(ves.DRIFT_ANGLE)),
        radians(section.positive(ves.ANGLE_OF_ATTACK)),
        radians(section.positive(ves.HEEL)),
        draught,
        deep,
    )
    section.finish()
    return read


def _location(conditions: Section) -> Floats:
    place = conditions.vector(ini.START_LOCATION)
    try:
        check_local(float(place[1]), float(place[0]))
    except ValueError as error:
        raise conditions.mistake(ini.START_LOCATION, str(error)) from None
    return place


def _velocity(conditions: Section) -> Floats:
    """Read the initial u v w p q r; Panisim's older files have u v w only."""
    key, short = ini.START_VELOCITY, 3
    node = conditions.nodes.get(key)
    if isinstance(node, yaml.SequenceNode) and len(node.value) == short:
        return np.concatenate((conditions.vector(key, short), np.zeros(3)))
    return conditions.vector(key, 6, [0.0] * 6)
