"""``alog rerun``: a run as a recording of Rerun; ENU, FLU, and UTC by the mission's epoch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import rerun as rr

from steerageway.bridges.scene import Out, Scene, time_of
from steerageway.bus import nanoseconds
from steerageway.declarations import replacing
from steerageway.diagnostics.diagnostic import reason
from steerageway.moos.alog import (
    community_of,
    data_hash,
    posted_value,
    read_banner,
    read_entries,
    whole_lines,
)
from steerageway.moos.errors import FormatError

BATCH = 100_000  # rows in memory; those of an entity are written together, which is much faster
LEVELS = {2: "INFO", 3: "WARN", 4: "ERROR"}  # of foxglove.Log


def write(logs: list[Path], output: Path) -> int:
    """Write a recording, which is named by the hash of the first log; return its number of rows.

    Raises:
        FormatError: a log is damaged, or the file cannot be written.
    """
    name, waiting, count = data_hash(whole_lines(logs[0])), dict[Any, Any](), 0
    try:
        recording = rr.RecordingStream("steerageway", recording_id=name, send_properties=False)
        with replacing(output) as fresh, recording as stream:
            fresh.touch()  # which tells plainly why it cannot be written
            stream.save(fresh)
            for count, (key, at, content) in enumerate(_rows(logs), 1):
                waiting.setdefault(key, []).append((at, content))
                if count % BATCH == 0:
                    _send(stream, waiting)
            _send(stream, waiting)
    except (OSError, RuntimeError) as error:
        raise FormatError(str(output), "", "", reason(error)) from error
    return count


def _send(stream: rr.RecordingStream, waiting: dict[Any, Any]) -> None:
    for (kind, *parts), rows in waiting.items():
        path = rr.new_entity_path(parts)
        if kind is rr.Transform3D:
            stream.log(path, rr.Arrows3D(vectors=[[4.0, 0.0, 0.0]]), static=True)  # ahead [m]
        time = rr.TimeColumn("time", timestamp=np.array([at for at, _ in rows], "datetime64[ns]"))
        columns = {key: [content[key] for _, content in rows] for key in rows[0][1]}
        stream.send_columns(path, [time], kind.columns(**columns), strict=True)
    waiting.clear()


def _rows(logs: list[Path]) -> Iterator[tuple[Any, int, Any]]:
    """Yield archetype and path, UTC [ns], and content."""
    for log in logs:
        start, community = nanoseconds(read_banner(log).start), community_of(log)
        scene = Scene(community)
        for entry in read_entries(log):
            at, value = start + nanoseconds(entry.time), posted_value(log, entry.value)
            if isinstance(value, float):
                yield (rr.Scalars, community, entry.name), at, {"scalars": value}
            elif isinstance(value, str):
                yield (rr.TextLog, community, entry.name), at, {"text": value}
            yield from _drawn(scene.take(entry.name, value, at), community)
        yield from _drawn(scene.poses(), community)


def _drawn(made: Iterator[Out], community: str) -> Iterator[tuple[Any, int, Any]]:
    for _, schema, one in made:
        if schema == "foxglove.FrameTransform":
            key = (rr.Transform3D, "map", "frames", one["child_frame_id"])
            yield key, time_of(one), _pose(one["translation"], one["rotation"])
        elif schema == "foxglove.Log":
            said = {"text": f"{one['name']}: {one['message']}", "level": LEVELS[one["level"]]}
            yield (rr.TextLog, community, "log"), time_of(one), said
        elif schema == "foxglove.SceneUpdate":
            for name, kind, content in _shapes(one):
                yield (kind, "map", "scene", community, name), time_of(one), content


def _shapes(update: Any) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    for gone in update["deletions"]:
        yield gone["id"], rr.Clear, {"is_recursive": True}
    for one in update["entities"]:
        for arrow in one["arrows"]:
            yield one["id"], rr.Transform3D, _pose(**arrow["pose"])
        for ball in one["spheres"]:
            yield one["id"], rr.Points3D, {"positions": [*ball["pose"]["position"].values()]}
        for line in one["lines"]:
            points = [[*point.values()] for point in line["points"]]
            yield one["id"], rr.LineStrips3D, {"strips": points + points[: line["type"]]}


def _pose(position: dict[str, float], orientation: dict[str, float]) -> dict[str, list[float]]:
    return {"translation": [*position.values()], "quaternion": [*orientation.values()]}  # x to w
