"""Reads what sensors a vessel has: Panisim's ``sensors.yml``, or lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import pi
from pathlib import Path

import yaml

from steerageway.diagnostics.nearest import ALIKE, near
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import outward
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.sensors.encoder import AZIMUTH, THRUSTER, Encoder
from steerageway.vessel.sensors.inertial import Compass, Imu, RateGyro
from steerageway.vessel.sensors.naming import name_apart
from steerageway.vessel.sensors.positions import Altimeter, Depth, Gps, Uwb
from steerageway.vessel.sensors.sensor import Aboard, Actuator, Sensor
from steerageway.vessel.sensors.text import node_of, section_of
from steerageway.vessel.sensors.velocities import Dvl, SpeedLog, Wind
from steerageway.world.document import Section, read

FILE = "sensors.yml"
ALL_ENCODERS = "encoders"
CLASSES = sen.CLASSES
KINDS: Mapping[str, type[Sensor]] = {
    kind.kind: kind
    for kind in (
        *(Imu, Gps, Uwb, Dvl, Encoder),
        *(Compass, SpeedLog, Depth, Altimeter, RateGyro, Wind),
    )
}
RPM = 30 / pi


def classes_of(path: Path) -> list[tuple[str, str]]:
    """Return what a ``sensors.yml`` says of kinds of one's own: module:ClassName, and where.

    Raises:
        InvalidValue: it is neither a word nor a list of words.
    """
    top = read(path)
    if CLASSES not in top:
        return []
    return [(name, top.place(CLASSES)) for name in top.words(CLASSES)]


class Reader:
    """Reads sensors, one file or line after the other.

    Attributes:
        sensors: those read so far.
        left_out: what of the files the vessel cannot have, and why.
        outward: sensors that look outward, which others measure.
    """

    def __init__(self, aboard: Aboard, own: Iterable[type[Sensor]] = ()) -> None:
        """Read for a vessel; ``own`` are kinds of sensors beside those that there are."""
        self._aboard = aboard
        self._kinds = dict(KINDS)
        self.know(own)
        self.sensors: list[Sensor] = []
        self.left_out: list[str] = []
        self.outward: list[str] = []

    def know(self, own: Iterable[type[Sensor]]) -> None:
        """Take kinds of sensors beside those that there are."""
        self._kinds |= {kind.kind: kind for kind in own}

    def file(self, path: Path, *, strangers: bool = False) -> None:
        """Read a ``sensors.yml``; sensors of Panisim's have its noise where none is given.

        Args:
            path: of the file.
            strangers: take no offence at a kind like none that is known, which a mission may have.

        Raises:
            InvalidValue: naming file, line, key, value and what would be right.
        """
        top = read(path)
        sections = top.sections(sen.SENSORS)
        top.finish((CLASSES,))
        for section in sections:
            kind = section.text(sen.TYPE)
            known = self._known
            if not (strangers and kind and kind not in known and not near(kind, known, ALIKE)):
                self._take(section, replace(self._aboard, standard_noise=True))

    def line(self, text: str, where: str) -> None:
        """Read ``sensor_type=GPS, publish_rate=1, sensor_location=1:0:0``.

        A covariance stands among the other keys: ``position_covariance=9:0:0:0:9:0:0:0:9``.

        Args:
            text: the line. where: its file and line, ``alpha.moos:41``.

        Raises:
            InvalidValue: as ``file``.
        """
        self._take(section_of(text, where), self._aboard)

    def finish(self) -> list[Sensor]:
        """Return the sensors; those of one default name have numbers: ``GPS``, ``GPS_2``.

        Raises:
            InvalidValue: two were given the same name.
        """
        name_apart(self.sensors)
        return self.sensors

    def _take(self, section: Section, aboard: Aboard) -> None:
        """Make the sensor a section describes; ``encoders`` are several."""
        kind = section.text(sen.TYPE)
        if kind in outward.KINDS and kind not in self._kinds:
            self.outward.append(f"{section.where(sen.TYPE)}: {kind}")
            return
        if kind not in self._known:
            section.fail(sen.TYPE, kind or "nothing", self._nearest(kind))
        if kind not in (Encoder.kind, ALL_ENCODERS):
            self.sensors.append(self._kinds[kind](section, aboard))
        elif aboard.actuators is None:
            where = section.where(sen.TYPE)
            self.left_out.append(f"{where}: {kind}: the simulator's model has no actuators")
        elif kind == Encoder.kind:
            self.sensors.append(Encoder(section, aboard))
        else:
            for actuator in aboard.actuators:
                self.sensors.append(Encoder(_one(section, actuator), aboard))

    @property
    def _known(self) -> tuple[str, ...]:
        return (*self._kinds, ALL_ENCODERS, *outward.KINDS)

    def _nearest(self, kind: str) -> str:
        found = near(kind, self._known)
        return f"{found[0]}, the nearest" if found else f"one of {', '.join(self._known)}"


def actuators_of(folder: Folder) -> list[Actuator]:
    """Return the actuators of a vessel, by its files: surfaces, thrusters, their angles."""
    found = []
    for i, surface in enumerate(folder["control_surfaces"].sections(srf.CONTROL_SURFACES), 1):
        name = f"cs_{surface.text(srf.ID, str(i))}"
        kind = surface.text(srf.TYPE, "control_surface")
        found.append(Actuator(name, kind, 180 / pi, "deg"))
    turning = []
    for i, thruster in enumerate(folder["thrusters"].sections(thr.THRUSTERS), 1):
        number = thruster.text(thr.THRUSTER_ID, str(i))
        found.append(Actuator(f"th_{number}", THRUSTER, *_unit(thruster)))
        if thr.AZIMUTH in thruster:
            turning.append(Actuator(f"az_{number}", AZIMUTH, 180 / pi, "deg"))
    return [*found, *turning]


def _unit(thruster: Section) -> tuple[float, str]:
    """Return in which unit a thruster is told: revolutions, its share, or its force."""
    if thr.THRUST_MAX in thruster and thr.N_MAX not in thruster:
        return 1.0, "N"
    return (1.0, "1") if thruster.text(thr.UNIT) == "fraction" else (RPM, "rpm")


def _one(section: Section, actuator: Actuator) -> Section:
    """Return the section of one of a vessel's encoders, from that of all of them."""
    said = {sen.TYPE: Encoder.kind, sen.ACTUATOR_TYPE: actuator.kind}
    said[sen.ACTUATOR_ID] = actuator.name.partition("_")[2]
    mark = yaml.Mark(str(section.path), 0, section.line - 1, 0, None, 0)
    nodes = {key: node_of(value, mark) for key, value in said.items()}
    return replace(section, nodes=section.nodes | nodes, asked=set())
