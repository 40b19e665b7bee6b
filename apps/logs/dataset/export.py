"""Writes measurements to the folder of a dataset, one at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.apps.logs.dataset.coco import Labels, Limits, Sight
from steerageway.apps.logs.dataset.kitti import (
    Floats,
    calibration,
    depth_image,
    label_line,
    point_labels,
    pose_line,
    transform,
    velodyne,
)
from steerageway.apps.logs.dataset.nuscenes import Annotations
from steerageway.apps.shared import foxglove
from steerageway.apps.shared.block_readers import parse_file_name
from steerageway.apps.shared.mcap_frames import Frame
from steerageway.apps.shared.measurements import CLOUDS as CLOUD_KINDS
from steerageway.apps.shared.measurements import Kind, sensor_of
from steerageway.declarations import write_whole
from steerageway.moos.errors import FormatError
from steerageway.vessel.perception.files import pcd, ply, png
from steerageway.vessel.perception.measurement import Measurement
from steerageway.world.scene.model import BOTTOM, SEA

CLOUDS = ("pcd", "ply", "bin")
FOLDERS = {
    Kind.LIDAR: "clouds",
    Kind.COLOURED: "coloured",
    Kind.RGB: "images",
    Kind.DEPTH: "depth",
    Kind.SEMANTIC: "semantic",
    Kind.INSTANCE: "instance",
    Kind.SONAR: "sonar",
}
LABELLED = (Kind.RGB, Kind.SEMANTIC, Kind.INSTANCE, Kind.DEPTH)
FIRST = 100  # instants among which one is looked for that camera and LiDAR have in common
NOBODYS = frozenset({"nothing", SEA, BOTTOM})


class Sensor:
    """Times and poses of one sensor, numbered by time.

    Attributes:
        times: of its measurements, UTC [ns].
        poses: at these times, as lines of a file.
        kind: of its first measurement.
        transforms: of the first instants, from its frame to NED, by time.
        first: first pose: north, east, down [m], roll, pitch, yaw [rad].
        folders: folder -> number of files.
    """

    def __init__(self, kind: Kind, pose: tuple[float, ...]) -> None:
        self._axes = foxglove.axes_of(kind)
        self.kind, self.first = kind, pose
        self._start = transform(pose, self._axes)
        self.transforms: dict[int, Floats] = {}
        self.times: list[int] = []
        self.poses: list[str] = []
        self.folders: dict[str, int] = {}

    def index_of(self, at: int, pose: tuple[float, ...]) -> int:
        """Return the number of an instant, common to all measurements of that time."""
        if not self.times or self.times[-1] != at:
            self.times.append(at)
            now = transform(pose, self._axes)
            self.poses.append(pose_line(self._start, now))
            if len(self.transforms) < FIRST:
                self.transforms[at] = now
        return len(self.times) - 1


@dataclass
class LabelledImage:
    """Image, masks and depths of a camera at one instant, from which labels are made.

    Attributes:
        at: UTC [ns].
        number: of the instant.
        image: its image's number; 0: none yet.
        parts: those received so far.
    """

    at: int
    number: int
    image: int = 0
    parts: dict[Kind, Measurement] = field(default_factory=dict)

    def sight(self) -> Sight | None:
        """Return what labels are made of; None if image or a mask is missing."""
        parts = [self.parts.get(kind) for kind in LABELLED]
        colours, classes, instances, depths = parts
        if colours is None or classes is None or instances is None:
            return None
        shares = {one.instance: one for one in instances.visibility}
        distances = None if depths is None else depths.data
        return Sight(instances.data, classes.data, colours.data, distances, shares)


class Export:
    """A dataset being written.

    Args:
        folder: an empty one.
        clouds: pcd, ply or bin.
        limits: what an object needs to be labelled; None: nothing.

    Attributes:
        folder: that of the dataset.
        labels: of its images. sensors: by name.
    """

    def __init__(self, folder: Path, clouds: str, limits: Limits | None = None) -> None:
        self.folder, self._clouds = folder, clouds
        self.labels = Labels(NOBODYS, limits or Limits())
        self.annotations = Annotations()
        self._infos: dict[str, Mapping[str, Any]] = {}
        self.sensors: dict[str, Sensor] = {}
        self._labelled: dict[str, LabelledImage] = {}  # the latest of each camera

    def take(self, frame: Frame) -> None:
        """Write a measurement.

        Raises:
            FormatError: the name of its sensor leads to another folder, or it is incomplete.
        """
        try:
            self._take(parse_file_name(sensor_of(frame.variable)), frame)
        except (ValueError, LookupError, TypeError) as error:
            raise FormatError("", "", frame.variable, str(error)) from error

    def _take(self, name: str, frame: Frame) -> None:
        if frame.one is None:
            self._calibrate(name, frame.info)
            return
        pose = tuple(float(part) for part in frame.one.pose)
        sensor = self.sensors.setdefault(name, Sensor(frame.kind, pose))
        number = sensor.index_of(frame.at, pose)
        part = FOLDERS[frame.kind]
        sensor.folders[part] = sensor.folders.get(part, 0) + 1
        suffix, data = self._file(frame.kind, frame.one)
        file = Path(part, name, f"{number:06d}.{suffix}")
        self._write(str(file), data)
        self._label(frame, name, number, file)
        if frame.kind is Kind.LIDAR:
            self._label_points(frame, name, number)

    def _calibrate(self, name: str, info: Mapping[str, Any]) -> None:
        """Write a camera's calibration as JSON; ``finish`` writes KITTI's."""
        self._infos[name] = info
        members = {key: info[key] for key in info if key not in ("timestamp", "frame_id")}
        self._json(f"calibration/{name}.json", members)

    def _file(self, kind: Kind, one: Measurement) -> tuple[str, bytes]:
        """Return a file's suffix and content."""
        if kind in CLOUD_KINDS:
            if self._clouds == "bin":
                return "bin", velodyne(one.data)
            make = {"pcd": lambda: pcd(one.data, one.fields, one.pose)}
            return self._clouds, make.get(self._clouds, lambda: ply(one.data, one.fields))()
        if kind in (Kind.DEPTH, Kind.SONAR):
            return "png", png(depth_image(one.data))
        return "png", png(np.ascontiguousarray(one.data))

    def _label(self, frame: Frame, name: str, number: int, file: Path) -> None:
        """Add an image to the labels; label the camera's previous instant once one begins."""
        one = frame.one
        if frame.kind not in LABELLED or one is None:
            return
        seen = self._labelled.get(name)
        if seen is None or seen.at != frame.at:
            if seen is not None:
                self._annotate(name, seen)
            seen = self._labelled[name] = LabelledImage(frame.at, number)
        if frame.kind is Kind.RGB:
            height, width = one.data.shape[:2]
            time = frame.at / foxglove.NANO
            seen.image = self.labels.image(file.as_posix(), width, height, time)
        seen.parts[frame.kind] = one

    def _annotate(self, name: str, seen: LabelledImage) -> None:
        """Label the objects in an image, if it is complete, and write their oriented boxes."""
        instances = seen.parts.get(Kind.INSTANCE)
        boxes = {} if instances is None else {box.instance: box for box in instances.boxes}
        sight = seen.sight()
        if sight is not None:
            names = seen.parts[Kind.SEMANTIC].classes
            labelled = self.labels.annotate(seen.image, sight, names)
            boxes = {number: box for number, box in boxes.items() if number in labelled}
        if instances is not None and instances.cuboids:
            shares = {one.instance: one for one in instances.visibility}
            pairs = ((boxes.get(one.instance), one) for one in instances.cuboids)
            lines = (label_line(box, one, shares.get(one.instance)) for box, one in pairs if box)
            self._text(f"label_2/{name}/{seen.number:06d}.txt", "".join(lines))

    def _label_points(self, frame: Frame, name: str, number: int) -> None:
        """Write the labels of a cloud's points, and add the oriented boxes of the objects."""
        one = frame.one
        if one is not None and "instance" in one.fields:
            points = one.data[np.isfinite(one.data[:, :3]).all(axis=1)]
            columns = (points[:, one.fields.index(field)] for field in ("class", "instance"))
            self._write(f"labels/{name}/{number:06d}.label", point_labels(*columns))
            self.annotations.add(name, number, frame.at, one)

    def _calibration(self, name: str, info: Mapping[str, Any]) -> str:
        """Return a camera's calibration as KITTI's, with the first LiDAR that measured with it."""
        camera = self.sensors[name].transforms if name in self.sensors else {}
        lidars = (one.transforms for one in self.sensors.values() if one.kind is Kind.LIDAR)
        pairs = ((camera[at], lidar[at]) for lidar in lidars for at in lidar if at in camera)
        solved = (np.asarray(np.linalg.solve(*pair), np.float64) for pair in pairs)
        found = next(solved, None)
        return calibration(info["P"], info["R"], found)

    def finish(self, source: str) -> None:
        """Write the files of the whole dataset: times, poses, labels, table of contents.

        Raises:
            FormatError: a measurement or a calibration contains what cannot be written.
        """
        try:
            self._finish(source)
        except (ValueError, LookupError, TypeError) as error:
            raise FormatError(source, "", "", str(error)) from error

    def _finish(self, source: str) -> None:
        for name, seen in self._labelled.items():
            self._annotate(name, seen)
        for name, sensor in self.sensors.items():
            times = [f"{at // foxglove.NANO}.{at % foxglove.NANO:09d}\n" for at in sensor.times]
            self._text(f"times/{name}.txt", "".join(times))
            self._text(f"poses/{name}.txt", "".join(sensor.poses))
        for name, info in self._infos.items():
            self._text(f"calibration/{name}.txt", self._calibration(name, info))
        for name, rows in self.annotations.tables().items():
            self._json(f"nuscenes/{name}.json", rows)
        self._json("annotations.json", self.labels.document())
        sensors = {
            name: {"folders": one.folders, "first_pose": one.first, "instants": len(one.times)}
            for name, one in self.sensors.items()
        }
        self._json("dataset.json", {"source": source, "sensors": sensors})

    def _json(self, name: str, content: object) -> None:
        self._text(name, json.dumps(content, indent=1, allow_nan=False))

    def _text(self, name: str, text: str) -> None:
        self._write(name, text.encode())

    def _write(self, name: str, data: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
