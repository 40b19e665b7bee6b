"""Reads the file of objects of ``uFldHazardSensor`` and ``uFldHazardMetric``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from steerageway.apps.shared.block_readers import text_of_file
from steerageway.bus import Config, Entry
from steerageway.diagnostics.nearest import hint
from steerageway.moos.hazard import BENIGN, HAZARD, Hazard, parse_hazard
from steerageway.moos.lines import keyed_lines
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.moos.values import by_key

_KEYS = ("hazard", "region", "source")


class HazardFile(NamedTuple):
    """Objects and where they may be.

    Attributes:
        hazards: label -> object.
        region: that is searched; None if it is not given.
    """

    hazards: Mapping[str, Hazard]
    region: Polygon | None


def read_hazard_file(
    config: Config, entry: Entry | None, folder: Path, given: Sequence[Entry] = ()
) -> HazardFile:
    """Read a file of objects, and objects of the block.

    A line that is wrong, or repeats a label, is left out with a warning, as in MOOS-IvP.

    Args:
        entry: names the file; None for none.
        folder: to which its name is relative.
        given: the objects of the block.
    """
    name = "" if entry is None else entry.value
    text = text_of_file(config, entry, folder)
    lines = [Entry(key, value, f"{name}:{number}") for number, key, value in keyed_lines(text)]
    hazards: dict[str, Hazard] = {}
    region: Polygon | None = None
    for one in (*given, *lines):
        try:
            if one.key == "region":
                region = parse_polygon(one.value)
                for why in region.far_corners():
                    config.warn(one, why)
            elif one.key.lower() == "hazard":
                hazard = parse_hazard(one.value)
                if hazard.label in hazards:
                    raise ValueError(f"expected another label than {hazard.label}")
                hazards[hazard.label] = hazard
                if (kind := by_key(one.value)["type"].lower()) not in (HAZARD, BENIGN):
                    config.warn(one, f"type = {kind}: expected hazard or benign, which counts")
            elif one.key != "source":
                raise ValueError(f"expected one of {', '.join(_KEYS)}{hint(one.key, _KEYS)}")
        except ValueError as error:
            config.warn(one, f"{error}; this line is left out")
    return HazardFile(hazards, region)
