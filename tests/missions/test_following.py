"""Following another vessel by its reports: all of them, or half of them, five seconds late."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from math import hypot
from pathlib import Path
from typing import NamedTuple

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries

pytestmark = pytest.mark.slow

COLREGS = Path(__file__).parents[2] / "missions" / "colregs"
CONTACT = {"x": 40, "y": 60, "heading": 30, "speed": 1.5}
BAD = ("Contact.loss=0.5", "Contact.delay=5")


class End(NamedTuple):
    """Final state: the true range [m], and the vessel's course and speed [deg, m/s]."""

    range: float
    heading: float
    speed: float


@pytest.fixture
def follow(tmp_path: Path) -> Callable[..., End]:
    """Return ``follow(behavior, *config)``: two minutes behind a contact on a straight line."""

    def sail(behavior: str, *config: str) -> End:
        mission = tmp_path / "mission"
        shutil.copytree(COLREGS, mission)
        kind, _, lines = behavior.partition(" ")
        block = (
            f"Behavior = {kind}\n{{\nname = b\ncontact = ben\n{lines.replace('; ', chr(10))}\n}}\n"
        )
        start = "initialize MOOS_MANUAL_OVERRIDE = false\n"
        (mission / "colregs.bhv").write_text(start + block)
        given = [f"Contact.{key}={value}" for key, value in CONTACT.items()]
        options = [str(mission), "--for", "180", "--placement", "one", "--warp", "max"]
        options += [word for line in [*given, *config] for word in ("--config", line)]
        run(
            plan_launch(parse_options([*options, "--log", str(tmp_path / "log")])).plan,
            lambda progress: None,
        )
        (log,) = (tmp_path / "log").rglob("*.alog")
        last = {entry.name: entry.value for entry in read_entries(log)}
        x, y, cx, cy, heading, speed = (
            float(last[name])
            for name in ("NAV_X", "NAV_Y", "CONTACT_X", "CONTACT_Y", "NAV_HEADING", "NAV_SPEED")
        )
        assert "BHV_ERROR" not in last
        return End(hypot(x - cx, y - cy), heading, speed)

    return sail


@pytest.mark.parametrize(
    ("behavior", "near", "far"),
    [
        ("BHV_Trail trail_range = 30", 22, 38),
        ("BHV_Convoy rng_estop = 10; spd_max = 3", 10, 70),
        ("BHV_CutRange patience = 40", 0, 15),
        ("BHV_RStationKeep rstation_position = 30,180; outer_radius = 12", 18, 45),
    ],
)
def test_the_contact_is_followed_at_the_configured_range(
    behavior: str, near: float, far: float, follow: Callable[..., End]
) -> None:
    end = follow(behavior, *BAD)
    assert near <= end.range <= far


@pytest.mark.parametrize("reports", [(), BAD], ids=["all reports", "half of them, 5 s late"])
def test_the_contact_is_shadowed(reports: tuple[str, ...], follow: Callable[..., End]) -> None:
    end = follow("BHV_Shadow", *reports)
    assert (end.heading, end.speed) == (pytest.approx(30, abs=2), pytest.approx(1.5, abs=0.1))
