"""Reader of a run's measurements, from an MCAP file of ``pMcapLogger`` or from a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steerageway.apps.shared import foxglove
from steerageway.apps.shared.log_files import logs_at
from steerageway.apps.shared.measurements import Kind, kind_of, sensor_of
from steerageway.declarations import json_of
from steerageway.diagnostics.diagnostic import reason
from steerageway.moos.alog import posted_value, read_banner, read_entries
from steerageway.moos.errors import FormatError
from steerageway.vessel.perception.measurement import Measurement, pack, unpack

SUFFIX = ".mcap"


class Frame(NamedTuple):
    """A measurement of a run.

    Attributes:
        variable: of the measurement.
        kind: of the measurement.
        at: UTC [ns].
        one: the measurement; None for a camera's calibration.
        info: a camera's calibration, as in ROS's CameraInfo; {} for others.
    """

    variable: str
    kind: Kind
    at: int
    one: Measurement | None
    info: Mapping[str, Any]


def frames_of(path: Path) -> Iterator[Frame]:
    """Yield the measurements of an MCAP file, a log, or a run's folder, in recorded order.

    The logs of a folder are read only if it has no MCAP file.

    Raises:
        FormatError: there is no file, or one is damaged.
    """
    if path.is_dir():
        # Those of whole runs have the measurements as the log has them.
        recordings = sorted(path.rglob(f"*{SUFFIX}"))
        files = [file for file in recordings if variables_of(file)]
        if not files and (any(path.rglob("*.alog")) or not recordings):
            files = logs_at(path)
        for file in files:
            yield from frames_of(file)
    elif path.suffix == SUFFIX:
        yield from _recorded(path)
    else:
        yield from _logged(path)


def variables_of(path: Path) -> list[str]:
    """Return the variables with measurements in an MCAP file; [] while it is being written."""
    make_reader, _ = _readers(path)
    try:
        with path.open("rb") as file:
            summary = make_reader(file).get_summary()
    except Exception:  # as in _recorded
        return []
    topics = summary.channels.values() if summary is not None else ()
    names = (channel.topic.removeprefix("/") for channel in topics)
    return sorted(name for name in names if kind_of(name) is not None)


def latest(path: Path, variable: str, utc: float, within: float) -> Measurement | None:
    """Return the last measurement of a variable in an MCAP file at a time.

    Args:
        path: of the file.
        variable: of the measurement.
        utc: the time [s].
        within: maximum age [s].
    Returns: None if there was none.
    Raises:
        FormatError: the file is damaged.
    """
    found = None
    last = round(utc * foxglove.NANO) + 1
    first = max(0, last - round(within * foxglove.NANO))
    for frame in _recorded(path, (f"/{variable}", foxglove.POSES), first, last):
        found = frame.one
    return found


def _logged(log: Path) -> Iterator[Frame]:
    start = read_banner(log).start
    for entry in read_entries(log):
        kind = kind_of(entry.name)
        if kind is None:
            continue
        at = round((start + entry.time) * foxglove.NANO)
        try:
            yield _posted(entry.name, kind, at, posted_value(log, entry.value))
        except ValueError as error:
            raise FormatError(str(log), "", entry.name, str(error)) from error


def _posted(name: str, kind: Kind, at: int, value: object) -> Frame:
    """Return the measurement in a variable's value."""
    if kind is Kind.CAMERA_INFO:
        _, info = foxglove.camera_calibration(str(value), sensor_of(name), at)
        return Frame(name, kind, at, None, info)
    return Frame(name, kind, at, unpack(value), {})


def _readers(path: Path) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return what makes the reader of a file, and what reads its messages."""
    try:
        from mcap.reader import make_reader

        from steerageway.apps.shared.mcap_topics import messages_in
    except ImportError:
        expected = "expected mcap to read it: pip install 'steerageway[mcap]'"
        raise FormatError(str(path), "", "", expected) from None
    return make_reader, messages_in


def _recorded(
    path: Path,
    topics: Sequence[str] | None = None,
    first: float = -inf,
    last: float = inf,
) -> Iterator[Frame]:
    """Yield the measurements of some topics in an MCAP file, between two times [ns]."""
    _, messages_in = _readers(path)
    poses: dict[str, Any] = {}
    try:
        with path.open("rb") as file:
            # In file order, in which a pose precedes the measurements taken from it.
            for _, channel, record in messages_in(file, topics, first, last):
                message = json_of(record.data)
                if channel.topic == foxglove.POSES:
                    poses[message["child_frame_id"]] = message
                    continue
                name = channel.topic.removeprefix("/")
                kind = kind_of(name)
                if kind is Kind.CAMERA_INFO:
                    yield Frame(name, kind, record.log_time, None, message)
                elif kind is not None:
                    with np.errstate(all="ignore"):
                        pose = foxglove.pose_of(poses[sensor_of(name)], foxglove.axes_of(kind))
                    one = unpack(pack(foxglove.measurement_of(kind, message, pose)))  # checked
                    yield Frame(name, kind, record.log_time, one, {})
    except OSError as error:
        raise FormatError(str(path), "", "", reason(error)) from error
    except Exception as error:  # of the reader, and of two libraries for compressed chunks
        expected = f"expected what pMcapLogger writes: {error}"
        raise FormatError(str(path), "", "", expected) from error
