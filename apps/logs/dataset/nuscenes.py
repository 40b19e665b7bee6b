"""3-D boxes of the objects in LiDAR scans, as tables of nuScenes.

A box is in the world: ENU from the datum, turned from the object's FLU axes.

Source: H. Caesar et al. (2020), nuScenes: a multimodal dataset for autonomous driving, and the
schema of its development kit: ``category``, ``instance``, ``sample``, ``sample_annotation``.
"""

from __future__ import annotations

from typing import Any

from steerageway.apps.shared.foxglove import FLU, NED_TO_ENU
from steerageway.vessel.kinematics import eul_to_rotm, rotm_to_quat
from steerageway.vessel.perception.measurement import Cuboid, Measurement

Row = dict[str, Any]


class Annotations:
    """Samples and annotations; an annotation is linked to those of its object before and after."""

    def __init__(self) -> None:
        self._categories: dict[str, Row] = {}
        self._instances: dict[str, Row] = {}
        self._samples: list[Row] = []
        self._annotations: list[Row] = []
        self._last: dict[str, Row] = {}

    def add(self, sensor: str, number: int, at: int, scan: Measurement) -> None:
        """Add a scan and the boxes of its objects.

        Args:
            sensor: its name. number: of the scan.
            at: UTC [ns].
            scan: with cuboids in the sensor's axes.
        """
        sample = f"{sensor}-{number:06d}"
        before = self._last.get(sensor)
        row = {"token": sample, "timestamp": at // 1000, "prev": "", "next": "", "scene_token": ""}
        self._samples.append(_linked(row, before))
        self._last[sensor] = row
        for one in scan.cuboids:
            self._annotate(sensor, sample, scan, one)

    def _annotate(self, sensor: str, sample: str, scan: Measurement, one: Cuboid) -> None:
        """Add the box of one object of a scan."""
        sensed = eul_to_rotm(scan.pose[3:])
        instance = f"{sensor}-{one.instance}"
        category = self._categories.setdefault(
            one.kind, {"token": one.kind, "name": one.kind, "description": ""}
        )
        centre = NED_TO_ENU @ (scan.pose[:3] + sensed @ [one.x, one.y, one.z])
        turned = NED_TO_ENU @ sensed @ eul_to_rotm((one.roll, one.pitch, one.yaw)) @ FLU
        annotation = {
            "token": f"{sample}-{one.instance}",
            "sample_token": sample,
            "instance_token": instance,
            "visibility_token": "",
            "attribute_tokens": [],
            "translation": centre.tolist(),
            "size": [one.breadth, one.length, one.height],
            "rotation": [float(part) for part in rotm_to_quat(turned)],
            "prev": "",
            "next": "",
            "num_lidar_pts": one.rays,
            "num_radar_pts": 0,
        }
        self._annotations.append(_linked(annotation, self._last.get(instance)))
        self._last[instance] = annotation
        first = {"token": instance, "category_token": category["token"], "nbr_annotations": 0}
        row = self._instances.setdefault(
            instance, first | {"first_annotation_token": annotation["token"]}
        )
        row["nbr_annotations"] += 1
        row["last_annotation_token"] = annotation["token"]

    def tables(self) -> dict[str, list[Row]]:
        """Return the tables by name; {} without annotations."""
        if not self._annotations:
            return {}
        return {
            "category": list(self._categories.values()),
            "instance": list(self._instances.values()),
            "sample": self._samples,
            "sample_annotation": self._annotations,
        }


def _linked(row: Row, before: Row | None) -> Row:
    """Link a row to the one before, and return it."""
    if before is not None:
        row["prev"], before["next"] = before["token"], row["token"]
    return row
