"""Measurements of cameras, LiDAR, sonar for the page: point clouds on the map, images as PNG.

Those of a live run are the last ones received, at the rate of the page's subscriptions; those of a
run that has ended are read from its log, or from the MCAP file of ``pMcapLogger`` next to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.shared.measurements import CLOUDS, VARIABLES, Kind, kind_of
from steerageway.moos.alog import posted_value
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.perception.files import png
from steerageway.vessel.perception.measurement import Measurement, unpack
from steerageway.web.viewer.sources import Live, Replay, Source

MCAP, HAS_MCAP = "*.mcap", find_spec("mcap") is not None
LOOKS_BACK = 5.0  # maximum age of a measurement that is shown [s]
MOST_POINTS = 20_000  # limit of points of a cloud
GOLDEN = 0.381966  # golden-ratio step of hue between consecutive instances [turns]


class NoSense(LookupError):
    """A variable contains neither point clouds nor images."""


class Sense(NamedTuple):
    """A variable of measurements.

    Attributes:
        community: the community.
        name: the variable.
        kind: of its measurements.
    """

    community: str
    name: str
    kind: Kind


def senses_of(source: Source, time: float) -> list[Sense]:
    """Return the variables of measurements of a source, ordered by community and name."""
    found: dict[tuple[str, str], Kind] = {}
    for community, name in _logged_names(source, time) + _recorded_names(source):
        kind = kind_of(name)
        if kind is not None and kind is not Kind.CAMERA_INFO:
            found[community, name] = kind
    return [Sense(*place, found[place]) for place in sorted(found)]


def measured(source: Source, community: str, name: str, time: float) -> Measurement | None:
    """Return the last measurement of a variable at a time; None: none in the last five seconds.

    Raises:
        FormatError, InvalidValue: it cannot be read.
    """
    if isinstance(source, Replay):
        return _logged(source, community, name, time) or _recorded(source, name, time)
    return _live(source, community, name) if isinstance(source, Live) else None


def shown(source: Source, community: str, name: str, time: float) -> tuple[bytes, str] | None:
    """Return a measurement for the page, and its media type; see ``measured``.

    Raises:
        NoSense: the variable contains neither point clouds nor images.
    """
    kind = kind_of(name)
    if kind is None or kind is Kind.CAMERA_INFO:
        raise NoSense(f"{name}: neither a cloud nor an image")
    one = measured(source, community, name, time)
    if one is None:
        return None
    if kind in CLOUDS:
        return on_plan(one), "application/octet-stream"
    return as_picture(kind, one), "image/png"


def on_plan(cloud: Measurement) -> bytes:
    """Return a cloud's points as float32: x east, y north and height above the datum [m]."""
    points = np.asarray(cloud.data, dtype=np.float64)[:, :3]
    points = points[np.isfinite(points).all(axis=1)]
    points = points[:: max(1, -(-len(points) // MOST_POINTS))]
    places = points @ eul_to_rotm(cloud.pose[3:]).T + np.asarray(cloud.pose[:3], dtype=float)
    turned: NDArray[np.float32] = (places[:, [1, 0, 2]] * (1.0, 1.0, -1.0)).astype("<f4")
    return turned.tobytes()


def as_picture(kind: Kind, one: Measurement) -> bytes:
    """Return an image as PNG: depth with near as light, each class or instance in a color."""
    values = one.data
    if kind is Kind.RGB:
        return png(np.ascontiguousarray(values))
    if kind in (Kind.SEMANTIC, Kind.INSTANCE):
        return png(_coloured(values))
    near = np.where(np.isfinite(values) & (values > 0), 1.0 / np.maximum(values, 1e-3), 0.0)
    most = float(near.max()) or 1.0
    if kind is Kind.SONAR:
        heard = np.isfinite(values)
        low = float(values[heard].min()) if heard.any() else 0.0
        near = np.where(heard, values - low, 0.0)
        most = float(near.max()) or 1.0
    return png((255.0 * np.sqrt(np.clip(near / most, 0.0, 1.0))).astype(np.uint8))


def _coloured(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    """Return an image with a distinct color for each number; 0 is black."""
    hue = 6.0 * ((numbers * GOLDEN) % 1.0)
    parts = [np.clip(np.abs((hue + k) % 6.0 - 3.0) - 1.0, 0.0, 1.0) for k in (0.0, 4.0, 2.0)]
    colours = 55.0 + 200.0 * np.stack(parts, axis=-1)
    return np.where(numbers[..., None] == 0, 0, colours).astype(np.uint8)


def _logged_names(source: Source, time: float) -> list[tuple[str, str]]:
    if isinstance(source, Live):
        return [(one.community, one.name) for one in source.live.values(VARIABLES)]
    if source.logs is None:
        return []
    return [
        (community, name) for community, name in source.logs.names() if kind_of(name) is not None
    ]


def _live(source: Live, community: str, name: str) -> Measurement | None:
    for one in source.live.values([f"{community}:{name}"]):
        if isinstance(one.value, bytes):
            return unpack(one.value)
    return None


def _logged(source: Replay, community: str, name: str, time: float) -> Measurement | None:
    """Return the measurement in a log; binary values are in a file next to it."""
    logs = source.logs
    if logs is None or community not in logs.indexes:
        return None
    for one in logs.values(time, [f"{community}:{name}"]):
        if one.name != name or time - one.time > LOOKS_BACK:
            continue
        value = posted_value(logs.indexes[community].path, str(one.value))
        if isinstance(value, bytes):
            return unpack(value)
    return None


def _files(source: Source) -> Sequence[Path]:
    if not HAS_MCAP or not isinstance(source, Replay):
        return ()
    folder = source.path if source.path.is_dir() else source.path.parent
    return sorted(folder.rglob(MCAP))


def _community(source: Source, file: Path) -> str:
    """Return an MCAP file's community: by its name, unless its app's block sets another name."""
    names = list(source.logs.indexes) if source.logs is not None else []
    return file.stem if file.stem in names or not names else names[0]


def _recorded_names(source: Source) -> list[tuple[str, str]]:
    from steerageway.apps.shared.mcap_frames import variables_of

    return [
        (_community(source, file), name) for file in _files(source) for name in variables_of(file)
    ]


def _recorded(source: Replay, name: str, time: float) -> Measurement | None:
    from steerageway.apps.shared.mcap_frames import latest

    if source.logs is None:
        return None
    at = source.logs.epoch + time
    for file in _files(source):
        found = latest(file, name, at, LOOKS_BACK)
        if found is not None:
            return found
    return None
