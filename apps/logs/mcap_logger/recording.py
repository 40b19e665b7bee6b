"""An MCAP file of measurements, up to a maximum size; its bytes are reproducible."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from steerageway.apps.shared import foxglove
from steerageway.apps.shared.mcap_topics import McapTopics
from steerageway.apps.shared.measurements import Kind, kind_of, sensor_of
from steerageway.bus import CannotGoOn
from steerageway.vessel.perception.measurement import unpack

SUMMARY, INDEX = 16_384, 32  # upper bounds: bytes at the end of a file, and bytes per message


class RecordingError(CannotGoOn):
    """The file cannot be written."""


class Recording:
    """An MCAP file being written.

    Args:
        path: of the file; it must not exist yet.
        compression: zstd, lz4 or none.
        quota: maximum size [bytes].

    Attributes:
        path: as given.
        full: whether a measurement has been rejected because of the quota.
        written: bytes of all messages, uncompressed.
    Raises:
        RecordingError: the file cannot be created.
    """

    def __init__(self, path: Path, compression: str, quota: int) -> None:
        self.path, self._quota = path, quota
        self.full = False
        self.written = 0
        try:
            self._file: IO[bytes] = path.open("xb")
        except OSError as error:
            raise RecordingError(f"{path}: cannot be written: {error.strerror}") from error
        self._topics = McapTopics(self._file, compression)
        self._poses: set[tuple[str, int]] = set()
        self._on_disk = self._waiting = 0

    def write(self, variable: str, value: object, at: int) -> int:
        """Write a value and, of a measurement once per time, the pose of its sensor.

        Args:
            variable: of the value.
            value: of the variable.
            at: UTC [ns].
        Returns:
            Its bytes, uncompressed; 0 if the file is full.
        Raises:
            ValueError: the value is no measurement, or no Foxglove message fits.
            RecordingError: the disk is full.
        """
        made = [
            (topic, schema, _bytes(message))
            for topic, schema, message in self._messages(variable, value, at)
        ]
        size = sum(len(data) for *_, data in made)
        if self.full or self._size() + size > self._quota:
            self.full = True
            return 0
        try:
            for topic, schema, data in made:
                self._add(topic, schema, data, at)
        except OSError as error:
            raise RecordingError(f"{self.path}: cannot be written: {error.strerror}") from error
        self.written += size
        return size

    def _messages(self, variable: str, value: object, at: int) -> Iterator[tuple[str, str, Any]]:
        """Yield topic, schema and message of all that a value gives."""
        kind, sensor = kind_of(variable), sensor_of(variable)
        if kind is Kind.CAMERA_INFO:
            yield f"/{variable}", *foxglove.camera_calibration(str(value), sensor, at)
        elif kind is None and not isinstance(value, bytes):
            yield from foxglove.messages_of(variable, value, at)
        else:
            one = unpack(value)
            schema, message = foxglove.message_of(kind, one, sensor, at)
            if (sensor, at) not in self._poses:
                # Only poses of the present instant can repeat; older ones would only use memory.
                self._poses = {pair for pair in self._poses if pair[1] == at} | {(sensor, at)}
                place = foxglove.frame_transform(one.pose, sensor, at, foxglove.axes_of(kind))
                yield foxglove.POSES, "foxglove.FrameTransform", place
            yield f"/{variable}", schema, message

    def _size(self) -> int:
        """Return an upper bound of the file's size [bytes]: unwritten chunks count uncompressed."""
        # The writer keeps a chunk in memory until it is full; only then does the file grow.
        on_disk = self._file.tell()
        if on_disk != self._on_disk:
            self._on_disk, self._waiting = on_disk, 0
        return on_disk + self._waiting + SUMMARY + INDEX * self._topics.count

    def mark(self, name: str, about: dict[str, str]) -> None:
        """Write a metadata record."""
        self._topics.writer.add_metadata(name, about)

    def close(self) -> None:
        """Write the summary, which readers need as an index, and close the file."""
        self._topics.close()
        self._file.close()

    def _add(self, topic: str, schema: str, data: bytes, at: int) -> None:
        self._topics.add(topic, schema, foxglove.schema_text(schema), data, at)
        self._waiting += len(data)


def _bytes(message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
