"""Reads a vessel's sensors from Panisim's ``sensors.yml`` or lines of text."""

from __future__ import annotations

from collections.abc import Iterable
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
from steerageway.vessel.sensors.kinds import AZIMUTH, KINDS, THRUSTER, Encoder
from steerageway.vessel.sensors.sensor import Aboard, Actuator, Sensor
from steerageway.vessel.sensors.sensor_base import name_apart
from steerageway.vessel.sensors.text import node_of, section_of
from steerageway.world.document import Section, read

FILE = "sensors.yml"
ALL_ENCODERS = "encoders"
CLASSES = sen.SENSOR_CLASS
RPM = 30 / pi


def classes_of(path: Path) -> list[tuple[str, str]]:
    """Return the user-defined sensor classes of a ``sensors.yml``: module:ClassName, and place.

    Raises:
        InvalidValue: the value is neither a word nor a list of words.
    """
    top = read(path)
    if CLASSES not in top:
        return []
    return [(name, top.place(CLASSES)) for name in top.words(CLASSES)]


class Reader:
    """Reads sensors from files and lines.

    Attributes:
        sensors: the sensors read so far.
        left_out: entries of files that the vessel cannot have, with reasons.
        outward: exteroceptive sensors, which are not read here.
        doubts: warnings about files.
    """

    def __init__(self, aboard: Aboard, own: Iterable[type[Sensor]] = ()) -> None:
        """Set the context of the sensors; ``own`` are user-defined types."""
        self._aboard = aboard
        self._kinds = dict(KINDS)
        self.add_kinds(own)
        self.sensors: list[Sensor] = []
        self.left_out: list[str] = []
        self.outward: list[str] = []
        self.doubts: list[str] = []

    def add_kinds(self, own: Iterable[type[Sensor]]) -> None:
        """Add user-defined types of sensors."""
        self._kinds |= {kind.kind: kind for kind in own}

    def file(self, path: Path, *, strangers: bool = False) -> None:
        """Read a ``sensors.yml``; Panisim's types of sensors have its noise by default.

        Args:
            path: of the file.
            strangers: ignore unknown types, unless similar to a known one, as a mission may
                define them.

        Raises:
            InvalidValue: with file, line, key, value and the expected value.
        """
        top = read(path)
        sections = top.sections(sen.SENSORS)
        top.finish((CLASSES,))
        for section in sections:
            kind = section.text(sen.TYPE)
            known = self._known
            # An entry with a topic is Panisim's, whose users add types of their own.
            foreign = str(sen.TOPIC) in section.nodes
            is_own = kind and kind not in known and not near(kind, known, ALIKE)
            if is_own and foreign and not strangers:
                where = section.where(sen.TYPE)
                self.left_out.append(f"{where}: {kind}: neither a type here nor a sensor_class")
            elif not (is_own and strangers):
                whole = self._without_cut_covariances(section, kind) if foreign else section
                self._take(whole, replace(self._aboard, standard_noise=True))

    def _without_cut_covariances(self, section: Section, kind: str) -> Section:
        """Return a section without covariances that have too few numbers; warn of them.

        Panisim's document prints some that are cut off at the end of the line.
        """
        custom = section.nodes.get(sen.COVARIANCE)
        parts = self._kinds[kind].parts if kind in self._kinds else {}
        if not isinstance(custom, yaml.MappingNode):
            return section
        kept = []
        for key, node in custom.value:
            size = parts.get(str(key.value).removesuffix("_covariance"), 0)
            rows = node.value if isinstance(node, yaml.SequenceNode) else [None] * size**2
            given = sum(len(r.value) if isinstance(r, yaml.SequenceNode) else 1 for r in rows)
            if given >= size**2:
                kept.append((key, node))
                continue
            where = f"{section.path}:{key.start_mark.line + 1}"
            missing = f"{given} numbers, expected {size**2}, row by row"
            self.doubts.append(f"{where}: {key.value}: {missing}; the usual noise is used instead")
        whole = yaml.MappingNode(custom.tag, kept, custom.start_mark, custom.end_mark)
        nodes = {**section.nodes, str(sen.COVARIANCE): whole}
        return replace(section, nodes=nodes)

    def line(self, text: str, where: str) -> None:
        """Read ``sensor_type=GPS, publish_rate=1, sensor_location=1:0:0``.

        A covariance is a key like others: ``position_covariance=9:0:0:0:9:0:0:0:9``.

        Args:
            text: the line. where: its file and line, ``alpha.moos:41``.

        Raises:
            InvalidValue: as ``file``.
        """
        self._take(section_of(text, where), self._aboard)

    def finish(self) -> list[Sensor]:
        """Return the sensors; equal default names are numbered: ``GPS``, ``GPS_2``.

        Raises:
            InvalidValue: two sensors have the same configured name.
        """
        name_apart(self.sensors)
        return self.sensors

    def _take(self, section: Section, aboard: Aboard) -> None:
        """Add the sensor of a section; ``encoders`` adds one for each actuator."""
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
    """Return the actuators in a vessel's files: control surfaces, thrusters, azimuth angles."""
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
    """Return factor and unit of a thruster's published state: rpm, fraction or force."""
    if thr.THRUST_MAX in thruster and thr.N_MAX not in thruster:
        return 1.0, "N"
    return (1.0, "1") if thruster.text(thr.UNIT) == "fraction" else (RPM, "rpm")


def _one(section: Section, actuator: Actuator) -> Section:
    """Return the section of one encoder, from that of all of them."""
    keys = {sen.TYPE: Encoder.kind, sen.ACTUATOR_TYPE: actuator.kind}
    keys[sen.ACTUATOR_ID] = actuator.name.partition("_")[2]
    mark = yaml.Mark(str(section.path), 0, section.line - 1, 0, None, 0)
    nodes = {key: node_of(value, mark) for key, value in keys.items()}
    return replace(section, nodes=section.nodes | nodes, asked=set())
