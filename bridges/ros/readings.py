"""Messages of ROS of what Foxglove has no schema for: sensors' readings, actuators, contacts."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf, pi, radians
from typing import Any

import numpy as np

from steerageway.apps.shared.foxglove import FLU, NED_TO_ENU, WORLD
from steerageway.bridges.conversions import ATMOSPHERE, SEA_WATER
from steerageway.bridges.frames import attitude_in_enu, enu, flu, quaternion_of, turned_covariance
from steerageway.bridges.scene import pose_of
from steerageway.declarations import finite, json_of
from steerageway.moos.node_report import parse
from steerageway.moos.values import pairs
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.perception.measurement import unpack

Json = dict[str, Any]
Kinds = Iterator[tuple[str, Json]]
_COVARIANCE_KNOWN = 3  # of NavSatFix
_ULTRASOUND = 0  # of Range
MOST_BEAMS = 100_000
FULL = 100  # of a map: surely occupied [%]


def of_reading(text: str, head: Callable[[str], Json]) -> Kinds:
    """Yield types and members of the messages of a sensor's ``*_DATA``.

    Args:
        text: JSON, as uSensors posts it.
        head: makes the header of a frame, which is the sensor's or the world.
    Raises:
        ValueError: it is not such a text.
    """
    try:
        given = json_of(text)
        sensor = str(given["sensor"])
        for part, made in _PARTS.items():
            if part in given and not (part == "position" and "latitude" in given):
                yield made(given, sensor, head)
    except (TypeError, LookupError) as error:
        raise ValueError(f"expected a sensor's reading as JSON: {error!r}") from None


def _imu(given: Json, sensor: str, head: Callable[[str], Json]) -> tuple[str, Json]:
    spin, pull = given["angular_velocity"], given["linear_acceleration"]
    return "sensor_msgs/msg/Imu", {
        "header": head(sensor),
        "orientation": attitude_in_enu(given["orientation"]),
        "orientation_covariance": turned_covariance(given["orientation_covariance"], FLU),
        "angular_velocity": _xyz(flu(spin)),
        "angular_velocity_covariance": turned_covariance(given["angular_velocity_covariance"], FLU),
        "linear_acceleration": _xyz(flu(pull)),
        "linear_acceleration_covariance": turned_covariance(
            given["linear_acceleration_covariance"], FLU
        ),
    }


def _fix(given: Json, sensor: str, head: Callable[[str], Json]) -> tuple[str, Json]:
    return "sensor_msgs/msg/NavSatFix", {
        "header": head(sensor),
        **{key: given[key] for key in ("latitude", "longitude", "altitude")},
        "position_covariance": turned_covariance(given["position_covariance"], NED_TO_ENU),
        "position_covariance_type": _COVARIANCE_KNOWN,
    }


def _place(given: Json, sensor: str, head: Callable[[str], Json]) -> tuple[str, Json]:
    covariance = turned_covariance(given["position_covariance"], NED_TO_ENU)
    return "geometry_msgs/msg/PoseWithCovarianceStamped", {
        "header": head(WORLD),
        "pose": {
            "pose": {"position": _xyz(enu(given["position"])), "orientation": {"w": 1.0}},
            "covariance": _six(covariance),
        },
    }


def _velocity(given: Json, sensor: str, head: Callable[[str], Json]) -> tuple[str, Json]:
    covariance = turned_covariance(given["linear_velocity_covariance"], FLU)
    twist = {"linear": _xyz(flu(given["linear_velocity"]))}
    return "geometry_msgs/msg/TwistWithCovarianceStamped", {
        "header": head(sensor),
        "twist": {"twist": twist, "covariance": _six(covariance)},
    }


def _pressure(given: Json, sensor: str, head: Callable[[str], Json]) -> tuple[str, Json]:
    (depth,), (variance,) = given["depth"], given["depth_covariance"]
    return "sensor_msgs/msg/FluidPressure", {
        "header": head(sensor),
        "fluid_pressure": ATMOSPHERE + SEA_WATER * depth,
        "variance": SEA_WATER**2 * variance,
    }


def _range(given: Json, sensor: str, head: Callable[[str], Json]) -> tuple[str, Json]:
    (distance,) = given["range"]
    return "sensor_msgs/msg/Range", {
        "header": head(sensor),
        "radiation_type": _ULTRASOUND,
        "max_range": inf,
        "range": distance,
    }


_PARTS: Mapping[str, Callable[[Json, str, Callable[[str], Json]], tuple[str, Json]]] = {
    "orientation": _imu,
    "latitude": _fix,
    "position": _place,
    "linear_velocity": _velocity,
    "depth": _pressure,
    "range": _range,
}


def of_sensors(text: str, vessel: str, head: Callable[[str], Json]) -> tuple[str, Json]:
    """Return the poses of all sensors on the vessel, of ``SENSORS``, for ``/tf_static``.

    Raises:
        ValueError: it is not such a text.
    """
    try:
        transforms = [
            {
                "header": head(""),
                "child_frame_id": f"{vessel}/{one['sensor']}",
                "transform": {
                    "translation": _xyz(flu(one["location"])),
                    "rotation": quaternion_of(FLU @ eul_to_rotm(one["orientation"]) @ FLU),
                },
            }
            for one in json_of(text)
        ]
    except (TypeError, LookupError) as error:
        raise ValueError(f"expected the list of sensors as JSON: {error!r}") from None
    return "tf2_msgs/msg/TFMessage", {"transforms": transforms}


def flat_scans(text: str) -> dict[str, Json]:
    """Return the beams and ranges of LiDARs that scan a plane, of ``SCENE_SENSORS``, by name.

    Raises:
        ValueError: it is not such a text.
    """
    try:
        rows = [one for one in json_of(text) if "beams" in one]
        return {
            str(one["sensor"]): {
                **{key: float(one["beams"][key]) for key in ("first", "step")},
                "count": min(int(one["beams"]["count"]), MOST_BEAMS),
                "range": [float(end) for end in one["range"]],
            }
            for one in rows
        }
    except (TypeError, LookupError) as error:
        raise ValueError(f"expected the list of sensors as JSON: {error!r}") from None


def of_scan(cloud: Json, about: Json, head: Json) -> tuple[str, Json]:
    """Return a cloud of a LiDAR that scans a plane as a LaserScan: inf where nothing is.

    Args:
        cloud: as Foxglove's message, FLU.
        about: its beams and ranges; azimuths [deg] are positive to starboard.
        head: the header.
    """
    count, step = about["count"], radians(about["step"])
    first = -radians(about["first"]) - (count - 1) * step  # the beam most to starboard
    rows = np.frombuffer(b64decode(cloud["data"]), "<f4").reshape(-1, cloud["point_stride"] // 4)
    names = [field["name"] for field in cloud["fields"]]
    x, y, power = (rows[:, names.index(name)].astype(float) for name in ("x", "y", "intensity"))
    place = np.rint((np.arctan2(y, x) - first) / step if step else np.zeros(len(x))).astype(int)
    place %= max(round(2 * pi / step) if step else 1, count)  # a full turn begins anywhere
    seen = place < count
    ranges, intensities = np.full(count, np.inf), np.zeros(count)
    ranges[place[seen]] = np.hypot(x, y)[seen]
    intensities[place[seen]] = power[seen]
    return "sensor_msgs/msg/LaserScan", {
        "header": head,
        "angle_min": first,
        "angle_max": first + (count - 1) * step,
        "angle_increment": step,
        "range_min": about["range"][0],
        "range_max": about["range"][1],
        "ranges": ranges,
        "intensities": intensities,
    }


def of_map(packed: bytes, head: Json) -> tuple[str, Json]:
    """Return a map of ``pOccupancyMap`` as an OccupancyGrid: rows from the south, -1 unknown.

    Raises:
        ValueError: it is not such a map.
    """
    measured = unpack(packed)
    rows = measured.data
    if measured.cell is None or rows.ndim != 2 or rows.dtype != np.uint8:
        raise ValueError("expected a map, of bytes")
    north, east = measured.pose[:2]
    return "nav_msgs/msg/OccupancyGrid", {
        "header": head,
        "info": {
            "map_load_time": head["stamp"],
            "resolution": measured.cell,
            "width": rows.shape[1],
            "height": rows.shape[0],
            "origin": {"position": {"x": east, "y": north}, "orientation": {"w": 1.0}},
        },
        "data": np.where(rows <= FULL, rows, -1).astype(np.int8).ravel(),
    }


def of_state(text: str, head: Json) -> tuple[Sequence[float] | None, tuple[str, Json]]:
    """Return u, v, w, p, q, r (FRD) of ``USM_STATE``, and its actuators as a JointState.

    Angles are positions [rad]; what a thruster does is a velocity, in its own unit.
    """
    state = {name: finite(number) for name, number in pairs(text)}
    twist = [state.get(name) for name in "uvwpqr"]
    known = [number for number in twist if number is not None]
    joints = {
        name: number
        for name, number in state.items()
        if number is not None and name.startswith(("cs_", "th_", "az_"))
    }
    members = {
        "header": head,
        "name": list(joints),
        "position": [0.0 if n.startswith("th_") else radians(v) for n, v in joints.items()],
        "velocity": [v if n.startswith("th_") else 0.0 for n, v in joints.items()],
    }
    return (known if len(known) == len(twist) else None), ("sensor_msgs/msg/JointState", members)


def of_report(text: str, own: str, head: Json) -> tuple[str, Json] | None:
    """Return another vessel's node report as a detection; None for the own one.

    Raises:
        ValueError: it is no node report.
    """
    record = parse(text)
    if record.x is None or record.y is None or record.name == own:
        return None
    pose = pose_of(record)
    found = {
        "header": head,
        "id": record.name,
        "results": [
            {"hypothesis": {"class_id": record.type, "score": 1.0}, "pose": {"pose": pose}}
        ],
        "bbox": {"center": pose, "size": {"x": record.length or 0.0}},
    }
    return "vision_msgs/msg/Detection3DArray", {"header": head, "detections": [found]}


def _xyz(values: Sequence[float]) -> Json:
    return dict(zip("xyz", values, strict=True))


def _six(covariance: Sequence[float]) -> list[float]:
    """Return the covariance (36) whose linear part is given; the rest is unknown: 0."""
    whole = np.zeros((6, 6))
    whole[:3, :3] = np.reshape(covariance, (3, 3))
    return [float(part) for part in whole.ravel()]
