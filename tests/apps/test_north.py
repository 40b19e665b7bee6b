"""A heading just west of north is posted as 0, never as 360, however many decimals it has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from steerageway.apps.contacts.alerts import macros
from steerageway.apps.vessels.drift_wormhole.drift import _vector
from steerageway.apps.vessels.usim_marine.report import drift_summary, pose_line, wind_arrow
from steerageway.geometry.encounter import Track
from steerageway.helm.behaviors.heading_memory import HeadingMemory
from steerageway.helm.contact import Contact
from steerageway.launcher.fleet import _start_pos
from steerageway.launcher.start_positions import Start
from steerageway.moos.alog import EntryFormat, banner
from steerageway.moos.node_report import NodeRecord, write
from steerageway.moos.values import rounded360, trimmed360
from steerageway.vessel.drift import Drift
from steerageway.vessel.model import Motion
from steerageway.vessel.polar import Wind
from steerageway.web.viewer.analysis import history
from steerageway.web.viewer.log_set import read_logs

NORTH = 359.99996  # rounds to 360 with one to four decimals
TRACK = Track(0.0, 0.0, NORTH, 1.0)
CONTACT = Contact("ben", NodeRecord(), TRACK, 0.0, 0.0)

TEXTS: dict[str, Callable[[], str]] = {
    "node report": lambda: write(NodeRecord(heading=NORTH, cog=NORTH, heading_og=NORTH).fields()),
    "drift": lambda: drift_summary(Drift.towards(NORTH, 2.0)),
    "drift posted": lambda: _vector(Drift.towards(NORTH, 2.0))[0] + ",end",
    "wind": lambda: wind_arrow(Wind(2.0, NORTH - 180.0)),
    "pose": lambda: pose_line(Motion(0.0, 0.0, NORTH, 1.0)),
    "start": lambda: _start_pos(Start(0.0, 0.0, NORTH), positional=False),
    "alert": lambda: repr(macros(CONTACT, TRACK)),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_contains_a_heading_of_360(kind: str) -> None:
    assert "360" not in TEXTS[kind]()


@pytest.mark.parametrize("digits", range(5))
def test_the_nearest_number_to_a_heading_is_kept_but_360(digits: int) -> None:
    for heading in (0.0, 12.34567, 359.4, 359.94, 359.994, NORTH, -10.0, 370.0):
        rounded = rounded360(heading, digits)
        assert rounded != 360.0
        assert abs((rounded - heading + 180) % 360 - 180) <= 0.5 * 10.0**-digits
        assert float(trimmed360(heading, digits)) == rounded


def test_the_mean_heading_of_a_helm_is_rounded_to_0() -> None:
    memory = HeadingMemory()
    memory.add(0.0, 359.6, 9.0)
    assert rounded360(memory.mean, 0) == 0.0


def test_a_thinned_heading_has_the_mean_of_its_directions(tmp_path: Path) -> None:
    log, line = tmp_path / "abe.alog", EntryFormat(0.0).line
    rows = [line("DB_TIME", 0.0, 0.0, "MOOSDB_abe")]
    rows += [
        line("NAV_HEADING", (358.0, 359.0, 1.0, 2.0)[tick % 4], tick / 4, "uSim")
        for tick in range(40)
    ]
    log.write_text(banner("abe.alog", 0.0, 0.0) + "".join(rows))
    thin = history(read_logs(log), "abe:NAV_HEADING", (0.0, 99.0), 10)
    assert [mean % 360.0 for mean in thin["v"]] == pytest.approx([0.0] * 10)
    assert [high - low for low, high in zip(thin["low"], thin["high"], strict=True)] == [4.0] * 10
