"""Values other than clouds and images as Foxglove messages: poses, readings of sensors, numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import radians
from typing import Any

import numpy as np

from steerageway.apps.shared import foxglove
from steerageway.apps.shared.foxglove import FLU, NED_TO_ENU, POSES, WORLD, Json, stamp
from steerageway.declarations import json_of
from steerageway.moos.values import by_key
from steerageway.world.numbers import read_finite

POSE = "SCENE_POSE"
_KNOWN = 3  # of LocationFix: all of its covariance is known; 0: nothing
_PLACE, _ANGLES, _VELOCITY = ("n", "e", "d"), ("roll", "pitch", "yaw"), ("vn", "ve", "vd")


def messages_of(variable: str, value: object, at: int) -> Iterator[tuple[str, str, Json]]:
    """Yield topic, schema and message of a value.

    A ``SCENE_POSE`` is a pose in the world with the velocity over ground (ENU), and a transform;
    the JSON of a sensor a reading as it stands, in the sensor's own axes and, with a latitude, a
    fix; anything else a value.

    Args:
        variable, value: of the post.
        at: UTC [ns].
    Raises:
        ValueError: a SCENE_POSE without its numbers.
    """
    topic = f"/{variable}"
    reading = _reading(value)
    if variable == POSE:
        yield from _pose(topic, str(value), at)
    elif reading is not None:
        head = {"timestamp": stamp(at), "frame_id": str(reading["sensor"])}
        yield topic, "steerageway.Reading", head | reading
        if "latitude" in reading and "longitude" in reading:
            yield f"{topic}/fix", "foxglove.LocationFix", head | _fix(reading)
    else:
        yield topic, "steerageway.Value", {"timestamp": stamp(at), "value": value}


def _reading(value: object) -> Json | None:
    """Return a sensor's JSON; None for any other value."""
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    try:
        found: Any = json_of(value)
    except ValueError:
        return None
    return found if isinstance(found, dict) and "sensor" in found else None


def _pose(topic: str, text: str, at: int) -> Iterator[tuple[str, str, Json]]:
    fields = by_key(text)
    place, angles, velocity = (
        [read_finite(fields.get(key, ""), key.upper()) for key in keys]
        for keys in (_PLACE, _ANGLES, _VELOCITY)
    )
    pose = (*place, *map(radians, angles))
    moved = foxglove.frame_transform(pose, fields.get("name", ""), at, FLU)
    yield POSES, "foxglove.FrameTransform", moved
    message = {
        "timestamp": stamp(at),
        "frame_id": WORLD,
        "pose": {"position": moved["translation"], "orientation": moved["rotation"]},
        "velocity": dict(zip("xyz", (NED_TO_ENU @ velocity).tolist(), strict=True)),
    }
    yield topic, "foxglove.PoseInFrame", message


def _fix(reading: Json) -> Json:
    given = np.array(reading.get("position_covariance", ()), dtype=float)
    known = given.size == 9
    covariance = NED_TO_ENU @ given.reshape(3, 3) @ NED_TO_ENU.T if known else np.zeros((3, 3))
    return {
        "latitude": reading["latitude"],
        "longitude": reading["longitude"],
        "altitude": reading.get("altitude", 0.0),
        "position_covariance": covariance.ravel().tolist(),
        "position_covariance_type": _KNOWN if known else 0,
    }
