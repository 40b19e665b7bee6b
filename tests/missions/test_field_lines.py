"""Lines that MOOS-IvP takes: missions with them start, with a warning that --strict refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission import Mission
from tests.launcher.plans import plan

FIELD = Path(__file__).parent.parent / "reference" / "field_lines"
WARNINGS = {
    "points": (
        "heading is ignored",
        "expected x,y; 10,-100 counts",
        "rows = east: expected one of",
    ),
    "loiter_colour": ("vertex_color=dodger_biue has no effect", "edge_color=wite has no effect"),
    "synclog": ("SyncLog = 0.1: expected true, false or true @ PERIOD; false counts",),
    "plain_include": ("a directive of nsplug, which has not seen this file",),
    "antler_brace": ("the lines up to the next } count for it, too, as MOOS-IvP reads on",),
}


@pytest.mark.parametrize("folder", WARNINGS)
def test_a_mission_of_the_field_starts_and_its_doubtful_lines_are_reported(folder: str) -> None:
    launch = plan(str(FIELD / folder))
    assert {"uSimMarineV22", "pMarinePIDV22", "pHelmIvP"} <= {app.name for app in launch.plan.apps}
    texts = list(map(str, launch.warnings))
    assert len(texts) == len(WARNINGS[folder])
    for text, expected in zip(texts, WARNINGS[folder], strict=True):
        assert expected in text
    with pytest.raises(LaunchError):
        plan(str(FIELD / folder), "--strict")


def test_points_are_shifted_and_rows_run_east_west_as_in_moos_ivp() -> None:
    with Mission(FIELD / "points") as mission:
        mission.register("BHV_SETTINGS")
        mission.run_until(3.0)
        posted = [str(one.value) for one in mission.fetch() if one.name == "BHV_SETTINGS"]
    points = {text.partition("points={")[2].partition("}")[0] for text in posted}
    rows = next(text for text in points if ":" in text)
    assert points == {"0,-100", "10,-100", rows}
    corners = [tuple(map(float, corner.split(","))) for corner in rows.split(":")]
    assert [one[1] for one in corners[::2]] == [one[1] for one in corners[1::2]]
    assert {one[0] for one in corners} == {100 - 90 / 2, 100 + 90 / 2}
