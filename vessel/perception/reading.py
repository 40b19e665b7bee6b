"""Reads exteroceptive sensors from a ``sensors.yml`` or lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from steerageway.diagnostics.nearest import ALIKE, near
from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.perception.camera import Camera, DepthCamera
from steerageway.vessel.perception.device import Device
from steerageway.vessel.perception.lidar import FlatLidar, Lidar
from steerageway.vessel.perception.sonar import Sonar
from steerageway.vessel.sensors.sensor_base import DRAWN_IN_BODY, name_apart
from steerageway.vessel.sensors.text import section_of
from steerageway.world.document import Section, read

KINDS: Mapping[str, type[Device]] = {
    kind.kind: kind for kind in (Lidar, FlatLidar, Camera, DepthCamera, Sonar)
}


class DeviceReader:
    """Reads exteroceptive sensors from files and lines.

    Attributes:
        devices: the sensors read so far.
    """

    def __init__(self, frame: Frame = DRAWN_IN_BODY) -> None:
        """Set the frame of BODY in the vessel's drawing."""
        self._frame = frame
        self.devices: list[Device] = []

    def file(self, path: Path) -> None:
        """Read the exteroceptive sensors of a ``sensors.yml``; others are ignored.

        Raises:
            InvalidValue: with file, line, key, value and the expected value.
        """
        for section in read(path).sections(sen.SENSORS):
            kind = section.text(sen.TYPE)
            if kind in KINDS or (kind not in sen.KINDS and near(kind, KINDS, ALIKE)):
                self._take(section)

    def line(self, text: str, where: str) -> None:
        """Read ``sensor_type=LiDAR, channels=16, sensor_location=1:0:-2``.

        Raises:
            InvalidValue: as ``file``.
        """
        self._take(section_of(text, where))

    def finish(self) -> list[Device]:
        """Return the sensors; equal default names are numbered: ``LIDAR``, ``LIDAR_2``.

        Raises:
            InvalidValue: two sensors have the same configured name.
        """
        name_apart(self.devices)
        return self.devices

    def _take(self, section: Section) -> None:
        kind = section.text(sen.TYPE)
        if kind not in KINDS:
            found = near(kind, KINDS)
            expected = f"{found[0]}, the nearest" if found else f"one of {', '.join(KINDS)}"
            section.fail(sen.TYPE, kind or "nothing", expected)
        self.devices.append(KINDS[kind](section, self._frame))
