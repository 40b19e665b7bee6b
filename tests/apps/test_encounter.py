"""``uEncounter``: what the own vessel hears of a scenario, and what is posted at its end."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steerageway.apps.contacts.encounter import Encounter
from steerageway.bus import ConfigError
from steerageway.geometry.encounter import Track
from steerageway.moos.node_report import NodeRecord, parse
from steerageway.moos.polygon import parse_polygon

IMAZU = Path(__file__).parents[2] / "missions" / "encounter" / "imazu.yml"
Drive = Callable[..., Any]


def hear(drive: Drive, lines: str = "", seconds: int = 60) -> list[NodeRecord]:
    """Return the reports of the first target while the own vessel goes straight at 2 m/s."""
    driven = drive(Encounter, f"file = {IMAZU}\n{lines}", name="uEncounter")
    found = []
    for time in range(1, seconds + 1):
        own = Track(0.0, 0.0, 0.0, 2.0).ahead(2.0 * time)
        names = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")
        driven.tick(float(time), dict(zip(names, own, strict=True)))
        texts = [str(text) for text in driven.values("NODE_REPORT")]
        found += [one for one in map(parse, texts) if one.name == "target1"]
    return found


def columns(reports: list[NodeRecord]) -> np.ndarray:
    """Return the numbers of reports (n, 4)."""
    return np.array([(one.x, one.y, one.heading, one.speed) for one in reports], dtype=float)


def test_a_report_tells_of_the_scaled_and_true_track(drive: Drive) -> None:
    # 12 nmi ahead with a length of 175 m, 4 m here: 12 * 1852 * 4 / 175 m
    (first, *_, last) = hear(drive)
    assert first.y == pytest.approx(12 * 1852 * 4 / 175 - 2.0, abs=0.01)
    assert (first.y - last.y) / 59 == pytest.approx(2.0, abs=1e-3)
    (double, *_) = hear(drive, "length = 8\nspeed = 4", 1)
    assert double.y == pytest.approx(12 * 1852 * 8 / 175 - 4.0, abs=0.01)
    assert double.length == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("noise", "east", "north", "course", "speed"),
    [("ais", 0.16, 0.16, 1.0, 0.02), ("radar", 4.1, 2.3, 1.5, 0.08)],
)
def test_reports_have_the_errors_of_a_sensor(
    drive: Drive, noise: str, east: float, north: float, course: float, speed: float
) -> None:
    """Radar: at 470 m, 0.5 deg across and 0.5 % along, beside 0.12 lengths."""
    lines = "scenario = imazu_01"
    true, heard = (columns(hear(drive, f"{lines}\nnoise = {one}")) for one in ("none", noise))
    errors = heard - true
    errors[:, 2] = (errors[:, 2] + 180.0) % 360.0 - 180.0
    spread = np.sqrt((errors**2).mean(axis=0))
    assert spread == pytest.approx([east, north, course, speed], rel=0.35)
    assert (heard == columns(hear(drive, f"{lines}\nnoise = {noise}"))).all()


def test_parameters_change_interval_conduct_and_variation(drive: Drive) -> None:
    assert len(hear(drive, "report_interval = 5")) == 12
    headings = columns(hear(drive, "conduct = rules", 130))[:, 2]
    assert headings[0] == 180.0
    assert headings.max() > 185.0
    assert (columns(hear(drive, "conduct = stubborn", 130))[:, 2] == 180.0).all()
    written, varied = (columns(hear(drive, f"variation = {seed}", 2)) for seed in (0, 7))
    assert 0.0 < abs(written - varied)[0, 1] < 2 * 4.0 + 0.2  # two lengths along its course


def test_the_scores_come_with_the_end_of_the_scenario(drive: Drive) -> None:
    driven = drive(Encounter, f"file = {IMAZU}\nscenario = imazu_01", name="uEncounter")
    assert {post.name: post.value for post in driven.posts}["ROUTE"].endswith("# speed=2")
    names, found = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED"), {}
    for time in range(1, 260):
        own = Track(0.0, 0.0, 0.0, 2.0).ahead(2.0 * time)
        found |= driven.tick(float(time), dict(zip(names, own, strict=True)))
    assert found["ENCOUNTER"] == "over"
    score = json.loads(str(found["ENCOUNTER_SCORE"]))
    assert score["collision"] is True
    assert score["cpa"] == pytest.approx(0.0, abs=0.01)
    assert score["cpa_time"] == pytest.approx(6 * 1852 * 4 / 175 / 2.0, abs=0.1)
    assert len(json.loads(str(found["ENCOUNTER_TRACKS"]))["tracks"]) == 2


@pytest.mark.parametrize(
    ("block", "error"),
    [
        ("", "expected a line file = SCENARIOS.yml"),
        ("file = gone.yml", "gone.yml"),
        (f"file = {IMAZU}\nscenario = imazu_99", "scenario = imazu_99: expected one of imazu_01"),
        (f"file = {IMAZU}\nnoise = lidar", "noise = lidar: expected"),
    ],
)
def test_a_wrong_line_is_refused(drive: Drive, block: str, error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        drive(Encounter, block, name="uEncounter")


BANKS = """\
own: {length: 4, speed: 2, at: [10, 0], to: [10, 300]}
scenarios:
  - name: bay
    targets: [{at: [10, 300], heading: 180, speed: 2}]
    shallow:
      - points: [[30, 0], [90, 0], [90, 60], [70, 60], [70, 20], [30, 20]] # an L
    separation:
      - points: [[-30, 0], [-20, 0], [-20, 50], [-30, 50]]
"""


def test_the_chart_tells_of_shoals_and_zones_in_convex_parts(drive: Drive, tmp_path: Path) -> None:
    file = tmp_path / "bay.yml"
    file.write_text(BANKS)
    driven = drive(Encounter, f"file = {file}", name="uEncounter")
    told = [str(post.value) for post in driven.posts if post.name == "OBSTACLE_INFO"]
    parts = [dict(part.split("=", 1) for part in text.split("#")) for text in told]
    assert len({part["id"] for part in parts}) == len(parts) == 5
    # the L has 60 x 20 and 20 x 40 m², the zone 10 x 50; the own start is the origin
    areas, edges = {"shoal": 0.0, "zone": 0.0}, set()
    for part in parts:
        polygon = parse_polygon(part["poly"])  # refuses one that is not convex
        (x, y), *rest = polygon.points
        fan = pairwise(rest)
        doubled = sum((a - x) * (d - y) - (c - x) * (b - y) for (a, b), (c, d) in fan)
        areas[part["id"].rstrip("0123456789")] += abs(doubled) / 2.0
        edges |= {corner[0] for corner in polygon.points}
    assert areas == pytest.approx({"shoal": 2000.0, "zone": 500.0})
    assert sorted(edges) == pytest.approx([-40.0, -30.0, 20.0, 60.0, 80.0])
