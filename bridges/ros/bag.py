"""A run as a bag of ROS 2: a folder of rosbag2, or the MCAP file of one."""

from __future__ import annotations

import shutil
import struct
import tempfile
from pathlib import Path
from typing import Literal

from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.rosbag2.errors import WriterError

from steerageway.bridges.ros.messages import STORE, Made, message, of_scene, topic_name, variable
from steerageway.bridges.scene import Scene, time_of
from steerageway.bus import NANO, nanoseconds
from steerageway.declarations import replacing
from steerageway.diagnostics.diagnostic import reason
from steerageway.moos.alog import community_of, posted_value, read_banner, read_entries
from steerageway.moos.errors import FormatError

VERSION: Literal[9] = 9  # of rosbag2's metadata: since Iron
CLOCK = NANO // 10  # between two messages of /clock


def write_bag(logs: list[Path], folder: Path) -> int:
    """Write the logs of a run as a bag with MCAP storage; return the number of messages.

    Raises:
        FormatError: a log is damaged, or the folder exists or cannot be written.
    """
    is_new = not folder.exists()
    try:
        with Writer(folder, version=VERSION, storage_plugin=StoragePlugin.MCAP) as writer:
            topics = _Topics(writer)
            for log in logs:
                _write_log(topics, log)
            return topics.count
    except (FormatError, OSError, WriterError, struct.error) as error:
        if is_new:  # half of a bag is none
            shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, FormatError):
            raise
        why = reason(error)
        if isinstance(error, struct.error):
            why = "expected times and numbers that ROS 2 has: seconds since 1970 in 32 bits"
        raise FormatError(str(folder), "", "", why) from error


def write_mcap(logs: list[Path], output: Path) -> int:
    """Write the MCAP file of such a bag alone; see ``write_bag``."""
    with tempfile.TemporaryDirectory() as there:
        bag = Path(there) / "bag"
        count = write_bag(logs, bag)
        (file,) = bag.glob("*.mcap")
        try:
            with replacing(output) as fresh:
                shutil.move(file, fresh)
        except OSError as error:
            raise FormatError(str(output), "", "", reason(error)) from error
        return count


class _Topics:
    """The topics of a bag, a connection each."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._known: dict[tuple[str, str], object] = {}
        self.count = 0

    def add(self, made: Made, at: int) -> None:
        """Write a message at a UTC [ns]."""
        topic, kind, content = made
        topic = topic_name(topic)
        connection = self._known.get((topic, kind))
        if connection is None:
            connection = self._writer.add_connection(topic, kind, typestore=STORE)
            self._known[topic, kind] = connection
        self._writer.write(connection, max(at, 0), STORE.serialize_cdr(content, kind))  # type: ignore[arg-type]
        self.count += 1


def _write_log(topics: _Topics, log: Path) -> None:
    start, community = nanoseconds(read_banner(log).start), community_of(log)
    scene = Scene(community)
    ticked = -CLOCK
    for entry in read_entries(log):
        at = start + nanoseconds(entry.time)
        if at >= ticked + CLOCK:
            ticked = at
            clock = {"clock": {"sec": at // NANO, "nanosec": at % NANO}}
            kind = "rosgraph_msgs/msg/Clock"
            topics.add(("/clock", kind, message(kind, clock)), at)
        _, kind, content = variable(entry.value)
        topics.add((f"/{community}/{entry.name}", kind, content), at)
        for one in scene.take(entry.name, posted_value(log, entry.value), at):
            _add(topics, one)
    for one in scene.poses():
        _add(topics, one)


def _add(topics: _Topics, one: tuple[str, str, dict[str, object]]) -> None:
    for made in of_scene(*one):
        topics.add(made, time_of(one[2]))
