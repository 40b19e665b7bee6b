"""Recorded positions of other programs: bags of ROS 2, and MCAP files of ROS 2 or Foxglove.

A topic of ``sensor_msgs/NavSatFix`` or ``foxglove.LocationFix`` is a vessel, named by the first
word of the topic: ``/ben/fix`` is ``ben``.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from typing import IO, Any, NamedTuple

from steerageway.bridges.nmea.ais import Station

FIX, FOXGLOVES = "sensor_msgs/msg/NavSatFix", "foxglove.LocationFix"
NO_FIX = -1  # status of a NavSatFix without a position
NANO = 10**9
PACKED = b"\x28\xb5\x2f\xfd"  # the begin of what zstd has packed; CDR begins with 0
LARGEST_MESSAGE = 1 << 20  # bytes unpacked, of a message with a position
MESSAGES = """SELECT name, timestamp, data FROM messages JOIN topics ON topic_id = topics.id
    WHERE type = ? ORDER BY timestamp"""
OTHERS = "SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index')"
LARGEST_FILE = 1 << 32  # bytes unpacked


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
    with _unpacked(path) as file:
        return sorted(_fixes_in(file), key=lambda fix: fix.at)


def _fixes_in(file: IO[bytes]) -> Iterator[Fix]:
    from steerageway.apps.shared.mcap_topics import messages_in

    for schema, channel, record in messages_in(file):
        if schema is None:
            continue
        if (schema.name, channel.message_encoding) == (FOXGLOVES, "json"):
            one = json.loads(record.data)
            yield Fix(channel.topic, record.log_time, one["latitude"], one["longitude"])
        elif (schema.name, channel.message_encoding) == (FIX, "cdr"):
            yield from _of_ros(channel.topic, record.log_time, record.data)


def _in_bag(folder: Path) -> Iterator[Fix]:
    """Yield the fixes of a bag's files, which rosbags would unpack to any size."""
    files = sorted(one for one in folder.iterdir() if {".mcap", ".db3"} & {*one.suffixes})
    if not files:
        raise NotABag("no file .mcap or .db3 in it")
    for path in files:
        if ".mcap" in path.suffixes:
            yield from _in_mcap(path)
            continue
        with _unpacked(path) as file, closing(sqlite3.connect(file.name)) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_MESSAGE)
            if database.execute(OTHERS).fetchone():
                raise NotABag("a view or trigger in it")
            for topic, at, data in database.execute(MESSAGES, (FIX,)):
                yield from _of_ros(topic, at, data)


@contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, and unpack it if its name ends in ".zstd".

    Raises:
        NotABag: it is too large.
    """
    with path.open("rb") as file:
        if path.suffix != ".zstd":
            yield file
            return
        import zstandard

        parts = zstandard.ZstdDecompressor().stream_reader(file)
        with tempfile.NamedTemporaryFile() as whole:
            while part := parts.read(1 << 20):
                whole.write(part)
                if whole.tell() > LARGEST_FILE:
                    raise NotABag(f"{path.name} is larger unpacked than {LARGEST_FILE} bytes")
            whole.flush()
            yield whole


def _of_ros(topic: str, at: int, data: bytes) -> Iterator[Fix]:
    from steerageway.bridges.ros.messages import STORE

    if data.startswith(PACKED):
        import zstandard

        data = zstandard.ZstdDecompressor().stream_reader(data).read(LARGEST_MESSAGE)
    one: Any = STORE.deserialize_cdr(data, FIX)
    if one.status.status != NO_FIX:
        yield Fix(topic, at, one.latitude, one.longitude)
