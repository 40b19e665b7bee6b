"""Forces and motions in regular waves beside those of Capytaine and of MSS's ship.

The table in docs/world.md states what is asserted here.
"""

from __future__ import annotations

from math import inf, pi
from pathlib import Path

import numpy as np
import pytest
import regular_waves as regular

from steerageway.vessel.fossen.in_sea import in_sea
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

pytestmark = pytest.mark.slow
HEAD, BEAM = pi, 0.5 * pi
HEAVE, ROLL, PITCH = 2, 3, 4


@pytest.mark.parametrize("w", [1.8, 3.0, 3.6])
@pytest.mark.parametrize("heading", [0.0, -BEAM])
def test_a_hull_held_in_waves_feels_its_table_and_no_more(w: float, heading: float) -> None:
    vessel, known = regular.barge("rao")
    expected = known.at(heading, w)[0]
    found = regular.held(vessel, w, heading)
    assert np.abs(found - expected)[:5].max() < 1e-3 * np.abs(expected).max()


def test_a_ship_held_in_waves_feels_its_table(tmp_path: Path) -> None:
    vessel, known = regular.s175(tmp_path)
    for heading, w in ((HEAD, 0.483322), (BEAM, 0.5711987)):
        expected = known.at(heading, w)[0]
        found = regular.held(vessel, w, heading)
        assert np.abs(found - expected).max() < 1e-3 * np.abs(expected).max()


def test_by_raos_heave_is_that_of_the_program_where_its_added_mass_is_the_vessels() -> None:
    """A33 is 5150 kg at 3.6 rad/s in Capytaine, 5330 in the files: within 0.02 of a wave of 1."""
    vessel, known = regular.barge("rao")
    expected = abs(known.at(0.0, 3.6)[1][HEAVE])
    assert expected == pytest.approx(0.109, abs=1e-3)
    assert abs(regular.free(vessel, 3.6, 0.0)[HEAVE]) == pytest.approx(expected, abs=0.02)


LONG = [  # waves of two hull lengths and more
    ("box_barge", 0.0, 1.8, 0.02, 0.05),
    ("box_barge", 0.0, 2.6, 0.05, 0.05),
    ("box_barge", -BEAM, 2.2, 0.02, None),
    ("box_barge", -BEAM, 2.6, 0.06, None),
    ("wamv", 0.0, 1.8, 0.02, 0.03),
    ("wamv", 0.0, 2.5, 0.02, 0.03),
    ("wamv", -BEAM, 2.5, 0.03, None),
]


@pytest.mark.parametrize(("name", "heading", "w", "of_heave", "of_pitch"), LONG)
def test_by_a_mesh_motions_in_waves_of_two_lengths_are_the_programs(
    name: str, heading: float, w: float, of_heave: float, of_pitch: float | None
) -> None:
    vessel, known = regular.wamv() if name == "wamv" else regular.barge("mesh")
    expected, found = np.abs(known.at(heading, w)[1]), np.abs(regular.free(vessel, w, heading))
    assert found[HEAVE] == pytest.approx(expected[HEAVE], rel=of_heave)
    if of_pitch is not None:
        assert found[PITCH] == pytest.approx(expected[PITCH], rel=of_pitch)


def test_so_are_those_of_a_barge_of_other_proportions_in_deep_and_in_shallow_water(
    tmp_path: Path,
) -> None:
    """Four times as long as broad, in deep water and in water of three draughts."""
    vessel, cases = regular.long_barge(tmp_path)
    for case in cases:
        heading, depth = np.radians(case["heading_deg"]), case["depth"] or inf
        found = np.abs(regular.free(vessel, case["w"], heading, depth))
        assert found[HEAVE] == pytest.approx(case["heave"], rel=0.04), case
        mode, key = (ROLL, "roll") if heading else (PITCH, "pitch")
        assert found[mode] == pytest.approx(case[key], rel=0.04), case


@pytest.mark.parametrize(("w", "heave", "pitch"), [(3.0, 0.15, 0.15), (3.6, 0.1, 0.1)])
def test_in_waves_of_about_its_length_a_hulls_parts_cancel(
    w: float, heave: float, pitch: float
) -> None:
    """At 3 rad/s pitch is in resonance; at 3.6 waves are 1.19 hulls long. Heave in parts of the
    wave, pitch of Capytaine's 2.2 rad/m at resonance."""
    vessel, known = regular.barge("mesh")
    expected, found = np.abs(known.at(0.0, w)[1]), np.abs(regular.free(vessel, w, 0.0))
    assert abs(found[HEAVE] - expected[HEAVE]) < heave
    assert abs(found[PITCH] - expected[PITCH]) < pitch * 2.217


def test_waves_outside_the_range_of_the_loads_are_told() -> None:
    long, short = (Sea.of([SeaState("regular", 0.02, 2 * pi / w)], 0) for w in (2.6, 3.6))
    mesh, table = regular.barge("mesh")[0], regular.barge("rao")[0]
    assert in_sea(mesh, long).envelope.waves == ""
    assert "shorter than 8 m, 2 times its hull" in in_sea(mesh, short).envelope.waves
    assert in_sea(table, short).envelope.waves == ""
    beyond = in_sea(table, Sea.of([SeaState("regular", 0.02, 1.0)], 0))
    assert "outside 0.6 to 5 rad/s, the range of its RAOs" in beyond.envelope.waves
    named = [name for name, _ in beyond.envelope.left(0.0, 0.0, (0.0, 0.0, 0.0), 99.0)]
    assert named == ["waves"]
    assert in_sea(beyond, Sea.of([SeaState("regular", 0.02, 3.0)], 0)).envelope.waves == ""
