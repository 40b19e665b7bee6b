"""Encounters with and without COLREGS, in all geometries at three speeds."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries

pytestmark = pytest.mark.slow

COLREGS = Path(__file__).parents[2] / "missions" / "colregs"
LEAST = 10.0  # min_util_cpa_dist of the mission's behavior [m]
OWN_SPEED = 2.0
BAD = ("Contact.loss=0.5", "Contact.delay=5")
SUMMARY = "COLREGS_SUMMARY_BEN"


class Met(NamedTuple):
    """A completed encounter: the closest range [m], and the posted modes in order."""

    closest: float
    modes: list[str]


Meet = Callable[..., Met]


@pytest.fixture
def meet(tmp_path: Path) -> Meet:
    """Return ``meet(heading, ratio, offset, after, *config, mission=...)``.

    A contact on a heading, ``ratio`` times as fast as ownship, would be where ownship is ``after``
    seconds from the start, but for an offset to its starboard [m].
    """

    def sail(
        heading: float,
        ratio: float,
        offset: float = 0.0,
        after: float = 60.0,
        *config: str,
        mission: Path = COLREGS,
    ) -> Met:
        s, c = sin(radians(heading)), cos(radians(heading))
        way = ratio * OWN_SPEED * after
        x, y = offset * c - way * s, OWN_SPEED * after - offset * s - way * c
        block = {"x": f"{x:.3f}", "y": f"{y:.3f}", "heading": heading, "speed": ratio * OWN_SPEED}
        lines = [f"Contact.{key}={value}" for key, value in block.items()]
        folder = tmp_path / f"log{len(list(tmp_path.glob('log*')))}"
        arguments = [str(mission), "--until", "MISSION = complete", "--for", "900"]
        arguments += ["--placement", "one", "--warp", "max", "--log", str(folder)]
        arguments += [word for line in [*lines, *config] for word in ("--config", line)]
        outcome = run(plan_launch(parse_options(arguments)).plan, lambda progress: None)
        assert (outcome.exit_reason, outcome.failures, outcome.refused) == ("until", [], 0)
        return met_in(folder)

    return sail


def met_in(folder: Path) -> Met:
    """Read the encounter from the log."""
    (log,) = folder.rglob("*.alog")
    last: dict[str, Any] = {}
    closest, modes = 1e9, list[str]()
    for entry in read_entries(log):
        last[entry.name] = entry.value
        if entry.name == "CONTACT_Y" and "NAV_X" in last:
            gap = (last["NAV_X"] - last["CONTACT_X"], last["NAV_Y"] - last["CONTACT_Y"])
            closest = min(closest, hypot(*map(float, gap)))
        if entry.name == SUMMARY:
            fields = dict(field.split("=") for field in str(entry.value).split(","))
            mode = fields["mode"]
            mode += f":{fields['submode']}" if fields["submode"] != "none" else ""
            if not modes or modes[-1] != mode:
                modes.append(mode)
    return Met(closest, modes)


ENCOUNTERS = {
    # heading of the contact, speed ratios, time to the place of meeting, rules in force
    "head-on": (180, (0.5, 1.0, 1.5), 60, ["headon"]),
    "crossing from starboard": (270, (0.5, 1.0, 1.5), 60, ["giveway:stern"]),
    "crossing from port": (90, (0.5, 1.0, 1.5), 60, ["standon:inextremis"]),
    "overtaking": (0, (0.25, 0.5, 0.75), 120, ["overtaking:port", "overtaking:starboard"]),
    "being overtaken": (0, (1.5, 1.75, 2.0), 60, ["standon_ot:port", "standon_ot:starboard"]),
}


@pytest.mark.parametrize(
    ("number", "reports"),
    [(1, BAD), (2, ())],
    ids=["even, half of the reports, 5 s late", "fast"],
)
@pytest.mark.parametrize("name", ENCOUNTERS)
def test_the_rule_is_kept_and_the_other_is_cleared(
    name: str, number: int, reports: tuple[str, ...], meet: Meet
) -> None:
    heading, ratios, after, rules = ENCOUNTERS[name]
    met = meet(heading, ratios[number], 0.0, after, *reports)
    assert met.closest > LEAST
    assert set(met.modes) & set(rules)
    assert met.modes[-1] in ("cpa", "none"), "the rule was not released"


OFFSETS = [
    (270, 0.5, -90, "giveway:bow"),
    (90, 1.5, -30, "standon:bow"),
    (90, 1.5, 30, "standon:stern"),
    (90, 1.5, 0, "standon:unsure"),
    (90, 0.5, 0, "standon:unsure"),
    (60, 1.5, 15, "standon:stern"),
    (0, 0.25, 8, "overtaking:port"),
    (0, 0.25, -8, "overtaking:starboard"),
]


@pytest.mark.parametrize(("heading", "ratio", "offset", "mode"), OFFSETS)
def test_compliance_with_a_rule_follows_from_the_geometry(
    heading: float, ratio: float, offset: float, mode: str, meet: Meet
) -> None:
    met = meet(heading, ratio, offset, 60.0 if heading in (60, 90) else 120.0)
    assert mode in met.modes
    assert met.closest > LEAST
    assert met.modes[-1] in ("cpa", "none")


def test_the_same_encounter_ends_the_same(meet: Meet) -> None:
    assert meet(270, 1.0, 0.0, 60.0, *BAD) == meet(270, 1.0, 0.0, 60.0, *BAD)


def test_the_helms_summary_shows_the_mode_too(meet: Meet, tmp_path: Path) -> None:
    meet(270, 1.0)
    (log,) = tmp_path.rglob("*.alog")
    summaries = [str(e.value) for e in read_entries(log) if e.name == "IVPHELM_SUMMARY"]
    assert any(re.search(r"avd_ben\$[^:,]*\$giveway\$stern", text) for text in summaries)


WITHOUT_RULES = {
    # heading of the contact, speed ratio, offset to its starboard, time to the place of meeting
    "head-on": (180, 1.0, 0.0, 60),
    "head-on, a little aside": (180, 1.0, -4.0, 60),
    "crossing from starboard": (270, 1.0, 0.0, 60),
    "crossing from port": (90, 1.0, 0.0, 60),
    "crossing slowly": (250, 0.4, 5.0, 60),
    "overtaking": (0, 0.4, 0.0, 100),
    "being overtaken": (0, 1.75, 0.0, 60),
    "at rest": (0, 0.0, 3.0, 60),
}


@pytest.fixture
def lawless(tmp_path: Path) -> Path:
    """Return the mission with a behavior that only avoids collisions."""
    mission = tmp_path / "avoid"
    shutil.copytree(COLREGS, mission)
    behaviors = mission / "colregs.bhv"
    behaviors.write_text(behaviors.read_text().replace("AvdColregsV22", "AvoidCollision"))
    return mission


@pytest.mark.parametrize("name", WITHOUT_RULES)
def test_any_contact_is_cleared_without_rules_by_half_of_its_reports(
    name: str, meet: Meet, lawless: Path
) -> None:
    heading, ratio, offset, after = WITHOUT_RULES[name]
    met = meet(heading, ratio, offset, after, *BAD, mission=lawless)
    assert met.closest > LEAST
    assert met.modes == []


def test_without_a_behavior_about_its_the_contact_is_met(meet: Meet, lawless: Path) -> None:
    behaviors = lawless / "colregs.bhv"
    behaviors.write_text(behaviors.read_text().replace("pwt        = 200", "pwt        = 0"))
    assert meet(180, 1.0, mission=lawless).closest < 2.0
