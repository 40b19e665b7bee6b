"""Places of blocks and files that are UTM coordinates: 500 km east, thousands of km north."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.contacts.obstacle_mgr.app import ObstacleMgr
from steerageway.apps.sensing.hazard_mgr import HazardMgr
from steerageway.apps.sensing.hazard_sensor import HazardSensor
from steerageway.apps.sensing.search_grid import SearchGrid
from steerageway.apps.shared.wormholes import read_wormholes
from steerageway.apps.vessels.obstacle_sim.app import ObstacleSim
from steerageway.bus import Config
from steerageway.bus.core.errors import ConfigError

UTM = "{500000,4649776:500010,4649776:500010,4649786}"
NEAR = "{0,0:900000,0:900000,10}"  # 900 km: less than the 1000 km
FILE = {"region": "", "min_range": "10", "min_size": "4", "max_size": "8"}


def warned(drive: Callable[..., Any], kind: type, block: str) -> list[str]:
    app = drive(kind, block).app
    warnings = [*app.config_warnings, *app.config.warnings]
    return [one for one in warnings if one.endswith("are these UTM coordinates?")]


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (ObstacleMgr, "given_obstacle = pts=PLACE,label=a"),
        (SearchGrid, "grid_config = pts=PLACE,cell_size=100000,cell_vars=x:0"),
        (HazardMgr, "region = pts=PLACE"),
    ],
)
def test_a_line_with_utm_coordinates_is_warned_of(
    drive: Callable[..., Any], kind: type, line: str
) -> None:
    (warning,) = warned(drive, kind, line.replace("PLACE", UTM))
    assert line.partition(" ")[0] in warning
    assert not warned(drive, kind, line.replace("PLACE", NEAR))


@pytest.mark.parametrize(
    ("kind", "key", "line"),
    [
        (ObstacleSim, "obstacle_file", "poly = pts=PLACE,label=a"),
        (ObstacleSim, "obstacle_file", "region = pts=PLACE"),
        (HazardSensor, "hazard_file", "region = pts=PLACE"),
    ],
)
def test_a_file_with_utm_coordinates_is_warned_of(
    drive: Callable[..., Any], tmp_path: Path, kind: type, key: str, line: str
) -> None:
    file = tmp_path / "field.txt"
    file.write_text("\n" + line.replace("PLACE", UTM))
    (warning,) = warned(drive, kind, f"{key} = {file}")
    assert "field.txt:2" in warning
    file.write_text(line.replace("PLACE", NEAR))
    assert not warned(drive, kind, f"{key} = {file}")


def test_a_wormhole_to_utm_coordinates_is_refused() -> None:
    line = f"tag=one,madrid_poly={{{NEAR[1:-1]}}},weber_poly={UTM}"
    block = Config([("wormhole", line, "a.moos:3")])
    with pytest.raises(ConfigError, match=r"a.moos:3.*weber_poly.*UTM coordinates\?"):
        read_wormholes(block)
