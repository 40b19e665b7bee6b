"""Recorded positions of other programs: bags of ROS 2, and MCAP files of ROS 2 or Foxglove.

A topic of ``sensor_msgs/NavSatFix`` or ``foxglove.LocationFix`` is a vessel, named by the first
word of the topic: ``/ben/fix`` is ``ben``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from steerageway.bridges.nmea.ais import Station

FIX, FOXGLOVES = "sensor_msgs/msg/NavSatFix", "foxglove.LocationFix"
NO_FIX = -1  # status of a NavSatFix without a position
NANO = 10**9


class NotABag(ValueError):
    """A file cannot be read as a bag; the text says why."""


class Fix(NamedTuple):
    """Topic, UTC [ns], latitude, longitude [deg]."""

    topic: str
    at: int
    lat: float
    lon: float


def reports_of(path: Path) -> Iterator[tuple[float, Station]]:
    """Yield UTC [s] and what was reported, of a bag's folder or an MCAP file.

    Raises:
        NotABag: it cannot be read, or a package that reads it is missing.
    """
    numbers: dict[str, int] = {}
    try:
        fixes: Iterable[Fix] = _in_bag(path) if path.is_dir() else _in_mcap(path)
        for topic, at, lat, lon in fixes:
            if not (isfinite(lat) and isfinite(lon) and abs(lat) <= 90.0 and abs(lon) <= 180.0):
                continue
            number = numbers.setdefault(topic, len(numbers) + 1)
            name = topic.strip("/").partition("/")[0]
            yield at / NANO, Station(number, name, lat, lon, None, None, None, None, None)
    except ImportError as error:
        raise NotABag(f"expected {error.name}: pip install 'steerageway[mcap,ros2]'") from error
    except Exception as error:  # of the readers, and of two libraries for compressed chunks
        raise NotABag(f"expected a bag of ROS 2 or an MCAP file: {error}") from error


def _in_mcap(path: Path) -> list[Fix]:
    return sorted(_fixes_in(path), key=lambda fix: fix.at)


def _fixes_in(path: Path) -> Iterator[Fix]:
    from steerageway.apps.shared.mcap_topics import messages_in

    with path.open("rb") as file:
        for schema, channel, record in messages_in(file):
            if schema is None:
                continue
            if (schema.name, channel.message_encoding) == (FOXGLOVES, "json"):
                one = json.loads(record.data)
                yield Fix(channel.topic, record.log_time, one["latitude"], one["longitude"])
            elif (schema.name, channel.message_encoding) == (FIX, "cdr"):
                yield from _of_ros(channel.topic, record.log_time, record.data)


def _in_bag(folder: Path) -> Iterator[Fix]:
    from rosbags.rosbag2 import Reader

    with Reader(folder) as reader:
        wanted = [one for one in reader.connections if one.msgtype == FIX]
        for connection, at, data in reader.messages(wanted):
            yield from _of_ros(connection.topic, at, data)


def _of_ros(topic: str, at: int, data: bytes) -> Iterator[Fix]:
    from steerageway.bridges.ros.messages import STORE

    one: Any = STORE.deserialize_cdr(data, FIX)
    if one.status.status != NO_FIX:
        yield Fix(topic, at, one.latitude, one.longitude)
