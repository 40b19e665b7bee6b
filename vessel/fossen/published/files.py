"""Common parts of the published models' builders: actuators from the files, and assembly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, pi, radians
from typing import Any, NamedTuple

import numpy as np

from steerageway.declarations.key import Key
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import assembly, frame
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import initial_conditions as ini
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.fossen.published.actuators import COMMANDS, STATES, Actuators, Parameters
from steerageway.vessel.fossen.state import Channel, Model
from steerageway.vessel.rigid_body import check_mass
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

RPM = pi / 30  # [rad/s]
Reader = Callable[[Section], None]


class Drive(NamedTuple):
    """One command as described by the files, in SI.

    Attributes:
        name: command name, e.g. ``cs_1``.
        unit: rad, rad/s or N.
        limit, rate_limit, lag: see ``Actuators``.
        scale: SI value of the file's unit, for the initial state.
        low: minimum effective command.
        delay, backlash: see ``Channel``.
    """

    name: str
    unit: str
    limit: float
    rate_limit: float = inf
    lag: float = 0.0
    scale: float = 1.0
    low: float = -inf
    delay: float = 0.0
    backlash: float = 0.0


def surfaces(folder: Folder, count: int) -> list[Drive]:
    """Read exactly ``count`` control surfaces: angles in degrees, their rate in degrees/s."""
    return [
        _surface(section)
        for section in _listed(folder["control_surfaces"], srf.CONTROL_SURFACES, count)
    ]


def thrusters(
    folder: Folder, count: int, also: Reader = lambda section: None, *, forces: bool = False
) -> list[Drive]:
    """Read exactly ``count`` thrusters commanded by rpm, or by force [N] without lag.

    ``also`` reads further keys of each.
    """
    drives = []
    for i, section in enumerate(_listed(folder["thrusters"], thr.THRUSTERS, count), 1):
        section.text(thr.THRUSTER_NAME)
        name = f"th_{section.text(thr.THRUSTER_ID, str(i))}"
        if forces:
            drive = Drive(name, "N", section.positive(thr.FORCE_MAX))
        else:
            limit, lag = section.positive(thr.N_MAX) * RPM, section.number(thr.T_PROP)
            drive = Drive(name, "rad/s", limit, lag=lag, scale=RPM)
        drives.append(_late(drive, section, thr.DELAY, thr.BACKLASH))
        also(section)
        section.finish()
    return drives


def actuators(folder: Folder, drives: list[Drive], stops: int) -> Actuators:
    """Return the actuators of the compiled functions for the drives."""
    table = np.array([(d.limit, d.rate_limit, d.lag) for d in drives]).reshape(-1, 3)
    limit, rate_limit, lag = (np.ascontiguousarray(column) for column in table.T)
    return Actuators(limit, rate_limit, lag, stops, not folder.peer)


def filled(
    layout: np.dtype[np.void], section: Section, keys: Sequence[Key], **given: float
) -> at.Record:
    """Return a model's scalars: those of the keys are numbers of the section, others are given."""
    read = {str(key): section.number(key) for key in keys}
    return np.array(at.record_of(layout, **read, **given))


def inverse(section: Section, key: str, M: Floats) -> Floats:
    """Return the inverse of a mass matrix (6, 6); if singular, the error names ``key``."""
    try:
        check_mass(M)
    except InvalidValue as error:
        return section.note(section.mistake(key, str(error)), np.eye(6))
    return np.asarray(np.linalg.inv(M), np.float64)


def centre(folder: Folder, name: str) -> Floats:
    """Read the required position (3,) of CG or CB, from CO in BODY [m]."""
    section = frame.centre(folder["geometry"], name)
    place = section.vector(str(geo.POSITION), 3)
    section.finish()
    return place


def quirks(folder: Folder) -> bool:
    """Whether errors of the reference programs are reproduced; see each model."""
    return folder["vessel"].flag(ves.PEER_QUIRKS)


def refuse_quaternions(folder: Folder) -> None:
    """Reject quaternions of a model that rolls but neither heaves nor pitches: both would drift."""
    conditions = folder["initial_conditions"]
    if conditions.flag(ini.USE_QUATERNION):
        expected = "false: this model keeps depth and pitch constant, which quaternions would not"
        conditions.wrong(ini.USE_QUATERNION, "true", expected, None)


def stops(folder: Folder) -> int:
    """Return what the actuators' stops limit: commands, or states (Python Vehicle Simulator)."""
    return STATES if quirks(folder) else COMMANDS


def assembled(
    folder: Folder, model: Model, parameters: tuple[Any, ...], drives: list[Drive]
) -> Dynamics:
    """Return the vessel, and reject unread keys.

    Raises:
        InvalidValue: an unknown key, or an invalid value.
    """
    vessel, conditions = folder["vessel"], folder["initial_conditions"]
    starts = conditions.vector(ini.START_ACTUATORS, len(drives), [0.0] * len(drives))
    scales = np.array([drive.scale for drive in drives])
    channels = tuple(
        Channel(d.name, d.unit, max(d.low, -d.limit), d.limit, d.delay, d.backlash) for d in drives
    )
    dynamics = assembly.assembled(folder, model, parameters, channels, starts * scales)
    vessel.text(ves.TYPE), vessel.text(ves.MODEL)
    for section in folder.files.values():
        section.finish()
    return dynamics


def of_scalars(
    folder: Folder, model: Model, scalars: at.Record, drives: list[Drive], stops: int
) -> Dynamics:
    """Return the vessel of a model whose parameters are scalars; raises what ``assembled`` does."""
    parameters = Parameters(scalars, actuators(folder, drives, stops))
    return assembled(folder, model, parameters, drives)


def _listed(section: Section, key: Key, count: int) -> list[Section]:
    found = section.sections(key)
    if len(found) != count:
        section.wrong(key, f"{len(found)}", f"{count} for this model", None)
        found += [replace(section, nodes={}, mistakes=[])] * count
    return found[:count]


def _surface(section: Section) -> Drive:
    section.text(srf.TYPE)
    name = f"cs_{section.text(srf.ID, '1')}"
    drive = Drive(
        name,
        "rad",
        radians(section.positive(str(srf.DELTA_MAX))),
        radians(section.positive(srf.DELTAD_MAX)),
        section.number(srf.T),
        scale=radians(1.0),
    )
    drive = _late(drive, section, srf.DELAY, srf.BACKLASH)
    section.finish()
    return drive


def _late(drive: Drive, section: Section, delay: Key, backlash: Key) -> Drive:
    """Return a drive with the dead time [s] and the backlash [file's unit] of its section."""
    play = section.number(backlash) * drive.scale
    return drive._replace(delay=section.number(delay), backlash=play)
