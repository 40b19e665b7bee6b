"""``--as-moos`` and ``AsMOOS``: one switch for the ways of MOOS-IvP's programs, and its hint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch, plan_launch

MISSION = """\
Community = abe
LatOrigin = 43.8
LongOrigin = -70.3
{line}
ProcessConfig = ANTLER
{{
  Run = MOOSDB
  Run = uSimMarineV22 @ NewConsole = {console}
  Run = uSimMarine ~ older
  Run = pHelmIvP
}}

ProcessConfig = uSimMarineV22
{{
  AppTick = 4
  {block}
}}

ProcessConfig = pHelmIvP
{{
  Domain = course:0:359:360
}}
"""
SWITCH = "--as-moos"
Write = Callable[..., list[str]]


@pytest.fixture
def mission(workplace: Path) -> Write:
    """Return ``mission(line, block, console) -> arguments``: a mission file on the command line."""

    def write(line: str = "", block: str = "", console: str = "false") -> list[str]:
        file = workplace / "abe.moos"
        text = MISSION.format(line=line, block=block, console=console)
        file.write_text(text if console else text.replace(" @ NewConsole = ", ""))
        return [str(file), "--no-log", "--port", "auto"]

    return write


def models(launch: Launch) -> dict[str, object]:
    """Return the model of each simulator, and whether the helm decides as MOOS-IvP's."""
    found = {plan.name: plan.app for plan in launch.plan.apps}
    helm = found["pHelmIvP"]
    return {
        "V22": found["uSimMarineV22"].model,
        "older": found["older"].model,
        "helm": helm._world.as_moos,
    }


AS_HERE = {"V22": "documented", "older": "legacy", "helm": False}
AS_MOOS = {"V22": "released", "older": "legacy", "helm": True}


@pytest.mark.parametrize(
    ("line", "block", "options", "expected"),
    [
        ("", "", [], AS_HERE),
        ("", "", [SWITCH], AS_MOOS),
        ("AsMOOS = true", "", [], AS_MOOS),
        ("AsMOOS = false", "", [], AS_HERE),
        ("AsMOOS = false", "", [SWITCH], AS_MOOS),
        ("", "model = documented", [SWITCH], AS_MOOS | {"V22": "documented"}),
        ("", "", [SWITCH, "--config", "uSimMarineV22.model=legacy"], AS_MOOS | {"V22": "legacy"}),
        ("", "", [SWITCH, "--config", "uSimMarineV22.AppTick=8"], AS_MOOS),
    ],
)
def test_one_switch_takes_the_ways_of_moos_ivp_where_no_line_says_otherwise(
    line: str, block: str, options: list[str], expected: dict[str, object], mission: Write
) -> None:
    launch = plan_launch(parse_options([*mission(line, block), *options]))
    assert models(launch) == expected
    # apps that are started by hand, or read the file again, get it with the other overrides
    overrides = [entry[:4] for entry in launch.plan.overrides()]
    assert (("abe", "", "AsMOOS", "true") in overrides) is (SWITCH in options)
    assert not [text for text in launch.warnings if "AsMOOS" in text or "model" in text]


@pytest.mark.parametrize(
    ("line", "block", "console", "options", "hints"),
    [
        ("", "", "false", [], 1),
        ("", "CommsTick = 4", "", [], 1),
        ("", "", "", [], 0),  # nothing in it that only MOOS-IvP's programs use
        ("", "", "false", [SWITCH], 0),
        ("AsMOOS = true", "", "false", [], 0),
        ("AsMOOS = false", "", "false", [], 0),
    ],
)
def test_a_mission_from_elsewhere_is_told_of_the_switch_in_one_line(
    line: str, block: str, console: str, options: list[str], hints: int, mission: Write
) -> None:
    launch = plan_launch(parse_options([*mission(line, block, console), *options]))
    told = [text for text in launch.watch if SWITCH in text]
    assert len(told) == hints
    assert not [text for text in launch.warnings if SWITCH in text]


def test_two_vessels_are_told_once(mission: Write) -> None:
    file, *options = mission()
    launch = plan_launch(parse_options([f"{file}@abe", f"{file}@ben", *options]))
    assert len([text for text in launch.watch if SWITCH in text]) == 1
