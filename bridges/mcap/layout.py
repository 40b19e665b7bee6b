"""A layout for Foxglove: panels of the topics that an MCAP file has.

Source: docs.foxglove.dev, layouts; a layout is imported there as a JSON file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mcap.reader import make_reader

from steerageway.declarations import write_whole
from steerageway.diagnostics.diagnostic import reason
from steerageway.moos.errors import FormatError

PLOTS = {
    "Speed [m/s]": ("NAV_SPEED", "DESIRED_SPEED"),
    "Heading [deg]": ("NAV_HEADING", "DESIRED_HEADING"),
    "Depth [m]": ("NAV_DEPTH", "DESIRED_DEPTH"),
    "Orders [%]": ("DESIRED_RUDDER", "DESIRED_THRUST"),
}
MODES = ("IVPHELM_STATE", "MODE", "DEPLOY", "RETURN")
IN_SPACE = ("SceneUpdate", "PointCloud", "PoseInFrame")  # of foxglove's schemas
SHARE = 60  # % of the width for the world

Json = dict[str, Any]


def write(recording: Path, output: Path) -> None:
    """Write a layout for an MCAP file of ``alog mcap``.

    Raises:
        FormatError: the layout cannot be written.
    """
    with recording.open("rb") as file:
        summary = make_reader(file).get_summary()
    channels = summary.channels.values() if summary else ()
    schemas = summary.schemas if summary else {}
    topics = sorted((one.topic, schemas[one.schema_id].name) for one in channels)
    try:
        write_whole(output, json.dumps(layout(topics), indent=2) + "\n")
    except OSError as error:
        raise FormatError(str(output), "", "", reason(error)) from error


def layout(topics: Sequence[tuple[str, str]]) -> Json:
    """Return the layout for topics, each with its schema."""
    named = [topic for topic, _ in topics]
    shown = [topic for topic, schema in topics if schema.removeprefix("foxglove.") in IN_SPACE]
    panels: Json = {"3D!world": {"topics": {topic: {"visible": True} for topic in shown}}}
    if any(schema == "foxglove.LocationFix" for _, schema in topics):
        panels["map!chart"] = {}
    for title, variables in PLOTS.items():
        if paths := _paths(named, variables):
            panels[f"Plot!{title.split()[0].lower()}"] = {"title": title, "paths": paths}
    if states := _paths(named, MODES):
        panels["StateTransitions!modes"] = {"paths": states}
    return {
        "configById": panels,
        "globalVariables": {},
        "userNodes": {},
        "playbackConfig": {"speed": 1},
        "layout": _arranged(list(panels)),
    }


def _paths(topics: Iterable[str], variables: Sequence[str]) -> list[Json]:
    """Return the values of variables, of all communities that have them."""
    return [
        {
            "value": f"{topic}.value",
            "enabled": True,
            "timestampMethod": "receiveTime",
            "label": topic.removeprefix("/").replace("/", " "),
        }
        for topic in topics
        if topic.rpartition("/")[2] in variables
    ]


def _arranged(panels: Sequence[str], direction: str = "row", share: int = SHARE) -> Json | str:
    """Return the first panel, with a share of the room, beside a column of the others."""
    first, *others = panels
    if not others:
        return first
    second = _arranged(others, "column", round(100 / len(others)))
    return {"direction": direction, "first": first, "second": second, "splitPercentage": share}
