"""Impossible vessels are rejected with the place of the error, and all mistakes are reported."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import mistakes_of

INPUTS = Path(__file__).parents[3] / "inputs"
SWAPPED = np.diag([80.0, 80, 80, -20, 28, 17]).tolist()
POSITIVE = "expected a number above 0"
IMPOSSIBLE = {
    "otter": [
        ("inertia", "mass: 55.0", "mass: -55", f"mass = -55: {POSITIVE}"),
        ("inertia", "mass: 55.0", "mass: 55000", "mass: 55025: expected at most 1296 kg"),
        ("inertia", "buoyancy_mass: 80.0", "buoyancy_mass: 8000", "at most 1296 kg, the wat"),
        (
            "inertia",
            "  mass: 25.0",
            "  mass: -1",
            "payload.mass = -1: expected a number at least 0",
        ),
        ("inertia", "[0.05, 0.0, -0.35]", "[50, 0, 0]", "payload.position: [50.0, 0.0, 0.0]:"),
        ("inertia", "mass: 55.0", f"inertia_matrix: {SWAPPED}\nmass: 55", "fails in roll, its"),
        ("geometry", "[0.2, 0.0, -0.2]", "[0.2, 0, -20]", "expected a position within 2, 1.08"),
        ("geometry", "[0.432, 0.5, 0.5]", "[0.4, 0.5, 0.9]", "no square above the other two"),
        ("geometry", "[0.432, 0.5, 0.5]", "[43, 50, 50]", "50 m of gyration in pitch: expected"),
        ("geometry", "[0.432, 0.5, 0.5]", "[0.432, 0.5]", "a list: expected 3 numbers"),
        ("geometry", "breadth: 1.08", "breadth: -1.08", "-1.08: expected a number from 0"),
        ("hydrodynamics", "Y_vd: -82.5", "Y_vd: 82.5", "Y_vd: 82.5: expected 0 or less: added"),
        ("hydrodynamics", "Y_vd: -82.5", "Y_rd: -300\nY_vd: -82.5", "Y_rd: M = M_RB + M_A fails"),
        (
            "hydrodynamics",
            "GM_T: 1.23",
            "GM_T: -1.23",
            f"restoring.GM_T = -1.2325002449912894: {POSITIVE}",
        ),
        ("thrusters", "n_max: 103.9", "n_max: -103.9", "thrusters.1.n_max = -103.9"),
        ("thrusters", "location: [", "location: [-990, 0, 0] #", "within 2, 2 and 2 m of CO"),
        ("thrusters", "thruster_id: 2", "thruster_id: 1", "2.thruster_id: 1: expected a unique id"),
        (
            "initial_conditions",
            "n: [0.0, 0.0, 0.0]\nstart_v",
            "n: [0, 0, 90]\nstart_v",
            "start_orientation: [0.0, 0.0, 90.0]: expected three angles in radians",
        ),
    ],
    "remus100": [
        ("thrusters", "D_prop: 0.14", "D_prop: 0", f"D_prop = 0: {POSITIVE}"),
        ("thrusters", "tp: 0.1", "tp: 1.1", "tp = 1.1: expected a number from 0 to 1"),
        ("control_surfaces", "T: 0.1 # s", "T: -0.1", "control_surface_T = -0.1: expected a num"),
        ("hydrodynamics", "efficiency: ", "efficiency: 1", "a number above 0, at most 1"),
        ("vessel", "density: 1026", "density: 1.026", "1.026: expected a number from 100 to 2000"),
    ],
    "tito_neri": [
        ("inertia", "[0.0, 16.9,", "[0.0, -16.9,", "fails in sway, its own entry -16.9"),
        ("inertia", "0.51]", "510]", "inertia_matrix: 5.493 m of gyration in yaw: expected at m"),
        (
            "inertia",
            "mass: 16.9",
            f"added_mass_matrix: {np.diag([2.0, -9, 2, 1, 1, 1]).tolist()}\nmass: 16.9",
            "added_mass_matrix: -9 in sway: expected 0 or more on the diagonal: added mass is min",
        ),
    ],
    "osv": [("inertia", "[0, 2e+06,", "[0, -2e+09,", "added_mass_matrix: M = M_RB + M_A is ind")],
}
CASES = [(vessel, *case) for vessel, cases in IMPOSSIBLE.items() for case in cases]


def copied(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(INPUTS / name, folder / name))


def edited(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / f"{file}.yml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(("vessel", "file", "old", "new", "expected"), CASES)
def test_impossible_values_are_reported_with_file_line_key_and_value(
    tmp_path: Path, vessel: str, file: str, old: str, new: str, expected: str
) -> None:
    folder = copied(vessel, tmp_path)
    edited(folder, file, old, new)
    (mistake,) = map(str, mistakes_of(folder))
    assert re.match(rf".*{file}\.yml:\d+: ", mistake)
    assert expected in mistake


@pytest.mark.parametrize("name", sorted(path.parent.name for path in INPUTS.glob("*/geometry.yml")))
def test_every_bundled_vessel_is_free_of_errors(name: str) -> None:
    assert mistakes_of(INPUTS / name) == []


def test_a_file_in_another_encoding_is_reported_with_its_line(tmp_path: Path) -> None:
    folder = copied("otter", tmp_path)
    path = folder / "geometry.yml"
    path.write_bytes(path.read_bytes() + "# from the café\n".encode("latin-1"))
    (mistake,) = map(str, mistakes_of(folder))
    line = path.read_bytes().count(b"\n")
    assert mistake == f"{path}:{line}: byte 0xe9: expected text in UTF-8"


def test_all_errors_of_a_folder_are_reported_at_once(tmp_path: Path) -> None:
    folder = copied("remus100", tmp_path)
    edited(folder, "hydrodynamics", "coriolis_omit:", "coriolis_omit: [[7, 1]]\nomitted:")
    edited(folder, "hydrodynamics", "fading:", "fading: [X_q]\nfaded:")
    edited(folder, "hydrodynamics", "cross_flow:", "cross_flow: 3\ncrossed:")
    edited(folder, "control_surfaces", "control_surface_CL_delta: 0.5", "naca_file: foil.csv")
    edited(folder, "control_surfaces", "control_surface_delta_max: 20", "delta: 20")
    edited(folder, "thrusters", "D_prop: 0.14", "J_vs_KT: curve.csv")
    edited(folder, "geometry", "CB:", "CO: {position: 3}\nCB:\n  orientation: [0, 0.1, 0]")
    edited(folder, "initial_conditions", "n: [0.0, 0.0, 0.0]\nstart_v", "n: [0, 0, 45]\nstart_v")
    (folder / "vessel.yml").write_text("active_dof: [1, 1, 0, 0, 0, 2]\n")
    warnings = list(map(str, mistakes_of(folder)))
    for mistake in (
        r"hydrodynamics\.yml:\d+: coriolis_omit: \[7, 1\]: expected",
        r"hydrodynamics\.yml:\d+: omitted: unknown key",
        r"hydrodynamics\.yml:\d+: fading: X_q: expected",
        r"hydrodynamics\.yml:\d+: faded: unknown key",
        r"hydrodynamics\.yml:\d+: cross_flow = 3: expected keys and values: \w+, \w+",
        r"hydrodynamics\.yml:\d+: crossed: unknown key",
        r"control_surfaces\.yml:\d+: control_surfaces.1.control_surface_type: .*: expected co",
        r"control_surfaces\.yml:\d+: control_surfaces.1.naca_file: unknown key",
        r"thrusters\.yml:\d+: thrusters.1.J_vs_KT: curve.csv: no such file",
        r"D_prop is missing",
        r"geometry\.yml:\d+: CB.orientation: .* it is a point",
        r"geometry\.yml:\d+: CO.position = 3: expected 3 numbers",
        r"initial_conditions\.yml:\d+: start_orientation: .* angles in radians",
        r"vessel\.yml:\d+: active_dof: .*: expected six of 0 and 1",
    ):
        assert [bool(re.search(mistake, line)) for line in warnings].count(True) == 1, (
            mistake,
            warnings,
        )
