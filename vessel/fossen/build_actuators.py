"""Builds the actuators of a coefficient-form vessel from its control surface and thruster files.

Order of commands: ``cs_<id>`` [rad] of the control surfaces, ``th_<id>`` of the
thrusters ([rad/s], or [1] with ``unit: fraction``), ``az_<id>`` [rad] of azimuth
thrusters.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import degrees, inf, pi, radians
from pathlib import Path

import numpy as np

from steerageway.vessel.cross_flow import CYLINDER_CURVE
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import build_rotors
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.build_propellers import b_series, behind_hull, four_quadrants
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame, angles
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.state import Channel
from steerageway.world.arrays import Floats
from steerageway.world.document import Section
from steerageway.world.numbers import lines_of, read_finite

RPM = 2 * pi / 60
ALONG = 1e-9  # rounding tolerance of a fin's direction
_OF_FOILS = {key.removeprefix(srf.PREFIX): key for key in (srf.CL_DELTA, srf.CD_DELTA)}
WET_HEIGHT = 0.1  # height of a thruster without a given diameter [m]
UNITS = dict(zip(thr.UNIT.choices, ("rad/s", "rad/s", "1", "V"), strict=True))
CLIPS = thr.CLIP.choices
FIXED = -1  # index of the command of what has none


@dataclass
class Actuators:
    """Commands, channels, effectors and tables collected while the files are read; see ``layout``.

    Attributes:
        commands: name, unit and limits of each command. states: of each actuator state.
        density, speed, wet: see ``actuators``.
        rows: channels. effector_rows: effectors. table_rows: rows of all tables.
    """

    density: float
    speed: float = 0.0
    wet: bool = False
    commands: tuple[Channel, ...] = ()
    states: tuple[Channel, ...] = ()
    rows: list[at.Record] = field(default_factory=list)
    effector_rows: list[at.Record] = field(default_factory=list)
    table_rows: list[list[float]] = field(default_factory=list)
    first_of: dict[Path, tuple[int, int]] = field(default_factory=dict)

    @property
    def start(self) -> Floats:
        """Return the initial states: zero, or the nearest limit to it."""
        return np.array([min(max(0.0, c.low), c.high) for c in self.commands])

    @property
    def channels(self) -> at.Records:
        """Return the channels, (m,) of CHANNEL."""
        return np.array(self.rows, at.CHANNEL)

    @property
    def effectors(self) -> at.Records:
        """Return the effectors, (k,) of EFFECTOR."""
        return np.array(self.effector_rows, at.EFFECTOR)

    @property
    def tables(self) -> Floats:
        """Return the tables' rows, (t, 3)."""
        return np.array(self.table_rows, np.float64).reshape(-1, 3)

    def channel(self, command: Channel, lag: float, rate: float, clip: str) -> int:
        """Add a command with its dynamics and return its index; without lag or rate it has none."""
        mode = at.LAG if lag > 0 else at.RAMP if rate < inf else at.DIRECT
        row = at.record_of(
            at.CHANNEL,
            mode=mode,
            time_constant=lag,
            rate=rate,
            low=command.low,
            high=command.high,
            clip=CLIPS.index(clip),
        )
        return self.channel_of(command, row)

    def channel_of(self, command: Channel, row: at.Record, state: Channel | None = None) -> int:
        """Add a command with a given dynamics record, and its state, if that has another unit."""
        self.rows.append(row)
        self.commands += (command,)
        self.states += (state or command,)
        return len(self.rows) - 1

    def own_name(self, section: Section, key: str, name: str) -> str:
        """Return a command's name, which must be unique."""
        if any(command.name == name for command in self.commands):
            return section.wrong(key, name.partition("_")[2], "a unique id", name)
        return name

    def effector(self, kind: int, channel: int, place: Floats, values: dict[str, float]) -> None:
        """Add an effector of one kind, with the fields of this kind."""
        x, y, z = place.tolist()
        row = at.record_of(at.EFFECTOR, kind=kind, channel=channel, azimuth=-1, x=x, y=y, z=z)
        for name, value in values.items():
            row[name] = value
        self.effector_rows.append(row)

    def table(self, path: Path, columns: tuple[str, ...], angles: bool) -> tuple[int, int]:
        """Add a CSV file's table once and return its first row and its length."""
        if path not in self.first_of:
            rows = read_table(path, columns, angles)
            self.first_of[path] = (self.add_rows(rows), len(rows))
        return self.first_of[path]

    def add_rows(self, rows: list[list[float]]) -> int:
        """Add rows to the tables and return the index of the first."""
        first = len(self.table_rows)
        self.table_rows += rows
        return first


def actuators(
    folder: Folder, density: float, frame: Frame, speed: float = 0.0, *, wet: bool = False
) -> Actuators:
    """Read the control surfaces and the thrusters of a folder.

    Args:
        speed: reference speed, for prime coefficients based on it [m/s].
        wet: thrusters lose thrust as they emerge from the water.
    """
    gathered = Actuators(
        density, speed, wet, table_rows=[[*row, 0.0] for row in CYLINDER_CURVE.tolist()]
    )
    _surfaces(folder, frame, gathered)
    _thrusters(folder, frame, gathered)
    return gathered


def _surfaces(folder: Folder, frame: Frame, gathered: Actuators) -> None:
    top = folder["control_surfaces"]
    file = top.text(srf.NACA_FILE)
    for key in srf.ANCHORS:
        top.text(key)
    for i, section in enumerate(top.sections(srf.CONTROL_SURFACES), 1):
        for label in (srf.TYPE, srf.NAME):
            section.text(label)
        id_ = section.text(srf.ID, str(i))
        name = gathered.own_name(section, srf.ID, f"cs_{id_}")
        channel = _turned(section, name, gathered)
        place = frame.place(section.vector(srf.LOCATION))
        axes = frame.axes(angles(section, srf.ORIENTATION))
        area = section.number(srf.AREA)
        own = srf.OWN_NACA_FILE in section
        section.text(srf.NACA)
        if srf.HYDRODYNAMICS in section:
            gathered.effector(
                at.COEFFICIENTS, channel, place * 0, _coefficients(folder, section, gathered)
            )
        elif srf.LIFT_DRAG in section:
            kind, values = build_rotors.fin(section, gathered.density, area, axes)
            gathered.effector(kind, channel, place, values)
        elif srf.CL_DELTA in section:
            _fin(section, channel, place, axes, area, gathered)
        elif own or file:
            named = (section, srf.OWN_NACA_FILE) if own else (top, srf.NACA_FILE)
            with section.collecting_errors():
                path = folder.find(*named)
                first, rows = gathered.table(path, ("alpha", "cl", "cd"), angles=True)
                values = {"area": area, "first_row": first, "rows": rows}
                values |= build_rotors.directions(chord=axes[:, 0], normal=axes[:, 2])
                gathered.effector(at.FOIL, channel, place, values)
        else:
            needs = f"{srf.HYDRODYNAMICS}, {srf.CL_DELTA} or a {srf.NACA_FILE} with it"
            idle = f"{section.text(srf.TYPE) or 'a surface'} without a force"
            section.wrong(srf.TYPE, idle, needs, None)
        section.finish()


def _turned(section: Section, name: str, gathered: Actuators) -> int:
    """Add the command of a control surface and return its index; of a fixed one -1."""
    limit = radians(section.number(srf.DELTA_MAX))
    command = Channel(
        *(name, "rad", -limit, limit),
        section.number(srf.DELAY),
        radians(section.number(srf.BACKLASH)),
    )
    lag, rate = section.number(srf.T), radians(section.positive(srf.DELTAD_MAX))
    clip = section.choice(srf.CLIP)
    return gathered.channel(command, lag, rate, clip) if limit > 0.0 else FIXED


def _coefficients(folder: Folder, section: Section, gathered: Actuators) -> dict[str, float]:
    """Return the force per radian: if dimensional as given, else per relative speed squared."""
    own = section.section(srf.HYDRODYNAMICS)
    hydrodynamics = folder["hydrodynamics"]
    prime = not hydrodynamics.flag(hyd.DIM_FLAG)
    by_reference = hydrodynamics.text(hyd.PRIME_SPEED) == "reference"
    length = folder["geometry"].positive(geo.LENGTH)
    values = {}
    for i, (force, key) in enumerate(zip("XYZKMN", srf.DELTA_FORCES, strict=True)):
        value = own.number(key)
        scale = 0.5 * gathered.density * length ** (3 if i >= 3 else 2)
        scale *= gathered.speed**2 if by_reference else 1.0
        values[f"{force}_delta"] = value * scale if prime else value
    own.finish(meant=lambda key: _OF_FOILS.get(key, ""))
    return {**values, "by_speed": prime and not by_reference}


def _fin(
    section: Section,
    channel: int,
    place: Floats,
    axes: Floats,
    area: float,
    gathered: Actuators,
) -> None:
    _, across, down = axes[:, 1]
    if axes[0, 0] < 1 - ALONG:
        section.wrong(
            srf.ORIENTATION,
            str(angles(section, srf.ORIENTATION).tolist()),
            "a chord along the hull, rotated in roll only, for a fin with CL_delta",
            None,
        )
    values = {
        "area": area,
        "CL_delta": section.number(srf.CL_DELTA),
        "CD_delta": section.number(srf.CD_DELTA),
        "span_y": across,
        "span_z": down,
    }
    gathered.effector(at.FIN, channel, place, values)


def _thrusters(folder: Folder, frame: Frame, gathered: Actuators) -> None:
    turning: list[Callable[[], None]] = []
    for i, section in enumerate(folder["thrusters"].sections(thr.THRUSTERS), 1):
        section.text(thr.THRUSTER_NAME)
        name = section.text(thr.THRUSTER_ID, str(i))
        gathered.own_name(section, thr.THRUSTER_ID, f"th_{name}")
        unit = section.choice(thr.UNIT)
        scale = RPM if unit == "rpm" else 1.0
        most = section.positive(thr.N_MAX)
        high, low = most * scale, section.number(thr.N_MIN, -most, high=most) * scale
        command = Channel(
            *(f"th_{name}", UNITS[unit], low, high),
            section.number(thr.DELAY),
            section.number(thr.BACKLASH) * scale,
        )
        if thr.ROTOR in section:
            channel = gathered.channel_of(*build_rotors.rotor_channel(section, command))
        else:
            channel = gathered.channel(
                command,
                section.number(thr.T_PROP),
                section.positive(thr.RATE_MAX) * scale,
                section.choice(thr.CLIP),
            )
        place = frame.place(section.vector(thr.LOCATION))
        axis = frame.axes(angles(section, thr.ORIENTATION))[:, 0]
        if thr.AHEAD in section:
            kind, values = at.THRUSTER, _polynomial(section)
        elif thr.WAGENINGEN in section:
            kind, values = at.B_SERIES, b_series(section)
        elif thr.FOUR_QUADRANTS in section:
            kind = at.FOUR_QUADRANTS
            values = four_quadrants(folder, section, gathered.add_rows, _read_quadrants)
        elif thr.SAIL in section:
            kind, values = at.SAIL, _sail(folder, section, gathered)
        elif thr.CONVERSION in section:
            kind = at.CONVERTER
            values = build_rotors.converter(section, gathered.table_rows)
        else:
            kind, values = at.PROPELLER, _propeller(folder, section, gathered)
        values |= dict(zip(("ahead", "across", "down"), axis.tolist(), strict=True))
        gathered.effector(kind, channel, place, values)
        row = gathered.effector_rows[-1]
        if gathered.wet:
            row["height"] = section.positive(thr.D_PROP, WET_HEIGHT)
        if thr.AZIMUTH in section:
            turning.append(_azimuth(section, name, row, gathered))
        section.finish()
    for turn in turning:
        turn()


def _sail(folder: Folder, section: Section, gathered: Actuators) -> dict[str, float]:
    """Return the fields of a sail, whose polar must be of all winds from ahead to astern."""
    own = section.section(thr.SAIL)
    values = {"area": own.positive(thr.SAIL_AREA)}
    if section.number(thr.N_MIN, -1.0) < 0.0:
        section.wrong(thr.N_MIN, "below 0", "0: a sail cannot drive astern", None)
    with section.collecting_errors():
        path = folder.find(own, thr.SAIL_POLAR)
        first, rows = gathered.table(path, ("beta", "cl", "cd"), angles=True)
        ends = [round(degrees(gathered.table_rows[i][0]), 6) for i in (first, first + rows - 1)]
        if ends != [0.0, 180.0]:
            found = f"beta from {ends[0]:g} to {ends[1]:g} degrees"
            raise InvalidValue(f"{found}: expected 0 to 180, from ahead to astern", str(path))
        values |= {"first_row": first, "rows": rows}
    own.finish()
    return values


def _azimuth(
    section: Section, name: str, row: at.Record, gathered: Actuators
) -> Callable[[], None]:
    """Read an azimuth thruster; the returned function adds its angle's command, after others."""
    azimuth = section.section(thr.AZIMUTH)
    limit = radians(azimuth.positive(thr.ANGLE_MAX))
    lag, rate = azimuth.number(thr.AZIMUTH_T), radians(azimuth.positive(thr.AZIMUTH_RATE))
    delay = azimuth.number(thr.DELAY)
    backlash = radians(azimuth.number(thr.AZIMUTH_BACKLASH))
    clip = section.choice(thr.CLIP)
    azimuth.finish()

    def turn() -> None:
        command = Channel(f"az_{name}", "rad", -limit, limit, delay, backlash)
        row["azimuth"] = gathered.channel(command, lag, rate, clip)

    return turn


def _polynomial(section: Section) -> dict[str, float]:
    ahead = section.vector(thr.AHEAD)
    astern = section.vector(thr.ASTERN, default=ahead.tolist())
    return {
        f"c{i}_{way}": value
        for way, values in (("ahead", ahead), ("astern", astern))
        for i, value in enumerate(values.tolist(), 1)
    }


def _propeller(folder: Folder, section: Section, gathered: Actuators) -> dict[str, float]:
    """Return the parameters of a propeller; Panisim's K_T is linear from KT_at_J0 to 0 at J = 1."""
    KT0 = section.number(thr.KT_AT_J0)
    over_ground = section.choice(thr.ADVANCE) == "ground"
    factor = section.number(thr.TORQUE_FACTOR)
    first = rows = 0
    if thr.J_VS_KT in section:
        with section.collecting_errors():
            path = folder.find(section, thr.J_VS_KT)
            first, rows = gathered.table(path, ("j", "kt"), angles=False)
    return {
        **behind_hull(section),
        "KT_0": KT0,
        "KT_slope": section.number(thr.KT_SLOPE, -KT0),
        "KQ_0": factor * section.number(thr.KQ_AT_J0),
        "KQ_slope": factor * section.number(thr.KQ_SLOPE),
        "over_ground": over_ground,
        "first_row": first,
        "rows": rows,
    }


LARGEST = 1000.0  # magnitude beyond which a number is no angle or coefficient
_SURPLUS = "surplus"  # key of numbers beyond the columns of a header


def _read_quadrants(path: Path) -> list[list[float]]:
    return read_table(path, ("beta", "ct", "cq"), angles=False)


def read_table(
    path: Path, columns: tuple[str, ...], angles: bool, most: float = LARGEST
) -> list[list[float]]:
    """Read columns of a CSV file with a header, ascending in the first; degrees become radians.

    Args:
        most: magnitude beyond which a number is a filling for no data.

    Raises:
        InvalidValue: a column is missing, not finite, or the first column is not ascending.
    """
    reader = csv.DictReader(lines_of(path), restkey=_SURPLUS)
    reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
    missing = [name for name in columns if name not in reader.fieldnames]
    if missing:
        raise InvalidValue(f"no column {missing[0]}: expected {', '.join(columns)}", f"{path}:1")
    rows = []
    for row in reader:
        where = f"{path}:{reader.line_num}"
        if any(row.get(_SURPLUS, ())):
            expected = f"expected {len(reader.fieldnames)} numbers, with decimal points"
            raise InvalidValue(expected, where)
        numbers = [read_finite(row[name] or "", where, most) for name in columns]
        first = radians(numbers[0]) if angles else numbers[0]
        rows.append([first, *numbers[1:], *[0.0] * (3 - len(numbers))])
    if len(rows) < 2 or any(a[0] >= b[0] for a, b in pairwise(rows)):
        raise InvalidValue(f"{columns[0]}: expected two rows or more, ascending", str(path))
    return rows
