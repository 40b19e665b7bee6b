"""Encounters with and without COLREGS, in all geometries at three speeds."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from steerageway.bus import Message
from steerageway.launcher import Mission

pytestmark = pytest.mark.slow

COLREGS = Path(__file__).parents[2] / "missions" / "colregs"
LEAST = 10.0  # min_util_cpa_dist of the mission's behavior [m]
OWN_SPEED = 2.0
BAD = ("Contact.loss=0.5", "Contact.delay=5")
SUMMARY, OF_HELM = "COLREGS_SUMMARY_BEN", "IVPHELM_SUMMARY"
# Half as many courses as the mission's, which take half the time
COARSE = ("pHelmIvP.domain=course:0:358:180", "pHelmIvP.domain=speed:0:4:41")
HEARD = ("NAV_X", "NAV_Y", "CONTACT_X", "CONTACT_Y", SUMMARY, OF_HELM)


class Met(NamedTuple):
    """A completed encounter: the closest range [m], posted modes in order, the helm's summaries."""

    closest: float
    modes: list[str]
    summaries: list[str]


def meet(
    heading: float,
    ratio: float,
    offset: float = 0.0,
    after: float = 60.0,
    *config: str,
    mission: Path = COLREGS,
    domain: tuple[str, ...] = COARSE,
) -> Met:
    """Sail an encounter.

    A contact on a heading, ``ratio`` times as fast as ownship, would be where ownship is ``after``
    seconds from the start, but for an offset to its starboard [m].
    """
    s, c = sin(radians(heading)), cos(radians(heading))
    way = ratio * OWN_SPEED * after
    x, y = offset * c - way * s, OWN_SPEED * after - offset * s - way * c
    block = {"x": f"{x:.3f}", "y": f"{y:.3f}", "heading": heading, "speed": ratio * OWN_SPEED}
    lines = [f"Contact.{key}={value}" for key, value in block.items()]
    with Mission(mission, config=[*lines, *domain, *config]) as sailed:
        sailed.register(*HEARD)
        assert sailed.run_until("MISSION = complete", limit=900.0)
        return met_in(sailed.fetch())


def met_in(posts: Iterable[Message]) -> Met:
    """Return the encounter that was posted."""
    last: dict[str, Any] = {}
    closest, modes, summaries = 1e9, list[str](), list[str]()
    for post in posts:
        last[post.name] = post.value
        if post.name == "CONTACT_Y" and "NAV_X" in last:
            gap = (last["NAV_X"] - last["CONTACT_X"], last["NAV_Y"] - last["CONTACT_Y"])
            closest = min(closest, hypot(*gap))
        if post.name == SUMMARY:
            mode = str(post.value).removeprefix("mode=").removesuffix(":none")
            if mode != "complete" and (not modes or modes[-1] != mode):
                modes.append(mode)
        if post.name == OF_HELM:
            summaries.append(str(post.value))
    return Met(closest, modes, summaries)


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
def test_the_rule_is_kept_and_shown_and_the_other_is_cleared(
    name: str, number: int, reports: tuple[str, ...]
) -> None:
    heading, ratios, after, rules = ENCOUNTERS[name]
    met = meet(heading, ratios[number], 0.0, after, *reports)
    assert met.closest > LEAST
    mode = next(mode for mode in met.modes if mode in rules)
    of_helm = re.compile(rf"avd_ben\$[^:,]*\${re.escape(mode.replace(':', '$'))}")
    assert any(map(of_helm.search, met.summaries))
    # in extremis ahead of the contact, as fast as that: the range does not open, as in MOOS-IvP
    keeps_ahead = name == "being overtaken" and met.modes[-1] == "standon_ot:inextremis"
    assert met.modes[-1] in ("cpa", "none") or keeps_ahead, "the rule was not released"


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
    heading: float, ratio: float, offset: float, mode: str
) -> None:
    met = meet(heading, ratio, offset, 60.0 if heading in (60, 90) else 120.0)
    assert mode in met.modes
    assert met.closest > LEAST
    assert met.modes[-1] in ("cpa", "none")


def test_the_same_encounter_ends_the_same_with_the_missions_domain() -> None:
    one, other = (meet(270, 1.0, 0.0, 60.0, *BAD, domain=()) for _ in range(2))
    assert one == other
    assert "giveway:stern" in one.modes


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
    name: str, lawless: Path
) -> None:
    heading, ratio, offset, after = WITHOUT_RULES[name]
    met = meet(heading, ratio, offset, after, *BAD, mission=lawless)
    assert met.closest > LEAST
    assert met.modes == []


def test_without_a_behavior_about_its_the_contact_is_met(lawless: Path) -> None:
    behaviors = lawless / "colregs.bhv"
    behaviors.write_text(behaviors.read_text().replace("pwt        = 200", "pwt        = 0"))
    assert meet(180, 1.0, mission=lawless).closest < 2.0
