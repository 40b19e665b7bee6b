"""Lines that MOOS-IvP takes: missions with them start, with a warning that --strict refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.apps.shared.registry import load
from steerageway.bus import Config, Setting
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


@pytest.mark.parametrize(
    ("app", "line", "warned"),
    [
        ("uProcessWatch", "nowatch = uXMS*,", 'not ""'),
        ("uProcessWatch", "nowatch = a,,b", 'not ""'),
        ("uProcessWatch", "watch = pLogger, pHelm IvP", 'not "pHelm IvP"'),
        ("uFldObstacleSim", "reset_range = -1", "10.0 counts"),
        ("uFldNodeComms", "min_msg_interval = -1", "30.0 counts"),
        ("uFldGenericSensor", "min_sensor_interval = -5", "30.0 counts"),
        ("uFldHazardSensor", "min_classify_interval = -1", "30.0 counts"),
        ("pSpoofNode", "refresh_interval = -1", "0.5 counts"),
        ("uFldNodeComms", "STEALTH = alpha,0.8", "this line has no effect"),
        ("uFldNodeComms", "EARANGE = alpha,4.5", "this line has no effect"),
    ],
)
def test_a_line_with_which_moos_ivp_keeps_its_default_is_a_warning(
    app: str, line: str, warned: str
) -> None:
    key, _, value = line.partition(" = ")
    config = Config([(key, value, "a.moos:7")], where="a.moos")
    setting = Setting(name=app, community="alpha", config=config)
    load(app)(setting).configure()
    assert any(warned in text and "a.moos:7" in text for text in config.warnings)


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
