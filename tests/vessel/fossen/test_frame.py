"""Invariance of a vessel's motion under the choice of the drawing frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from scipy.spatial.transform import Rotation

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import mass_of

MASS, RADII, CENTRE = 60.0, [0.4, 0.7, 0.75], [0.2, 0.05, 0.1]
FOIL = [0.4, -0.2, 0.3]
FILES: dict[str, dict[str, Any]] = {
    "geometry": {
        "length": 3.0,
        "gyration": RADII,
        "CG": {"position": CENTRE, "orientation": [0.1, -0.2, 0.3]},
        "CB": {"position": [0.1, 0.0, -0.1]},
    },
    "inertia": {"mass": MASS, "payload": {"mass": 5.0, "position": [0.5, 0.2, -0.1]}},
    "hydrodynamics": {"X_u": -8.0, "Y_v": -40.0, "N_r": -20.0},
    "control_surfaces": {
        "naca_file": "foil.csv",
        "control_surfaces": [
            {
                "control_surface_location": [-1.2, 0.1, 0.3],
                "control_surface_orientation": FOIL,
                "control_surface_area": 0.05,
            }
        ],
    },
    "thrusters": {
        "thrusters": [
            {
                "thruster_location": [-1.0, 0.2, 0.1],
                "thruster_orientation": [0.0, 0.2, -0.1],
                "n_max": 1200,
                "D_prop": 0.2,
                "KT_at_J0": 0.4,
            }
        ]
    },
}
ORIGIN, TURNED = np.array([0.4, -0.3, 0.6]), [0.5, -0.4, 1.9]


def written(folder: Path, files: dict[str, dict[str, Any]]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.yml").write_text(yaml.safe_dump(text))
    (folder / "foil.csv").write_text("alpha,cl,cd\n-20,-1.0,0.1\n0,0,0.01\n20,1.0,0.1\n")
    return folder


def drawn(files: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return files in a drawing frame other than BODY."""
    R = Rotation.from_euler("ZYX", TURNED[::-1])

    def moved(key: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: moved(name, item) for name, item in value.items()}
        if key.endswith(("position", "location")):
            return (ORIGIN + R.apply(value)).tolist()
        if key.endswith("orientation"):
            return (R * Rotation.from_euler("ZYX", value[::-1])).as_euler("ZYX")[::-1].tolist()
        return [moved(key, item) for item in value] if key.endswith("rs") else value

    found = {name: moved(name, section) for name, section in files.items()}
    found["control_surfaces"]["control_surfaces"] = [
        moved("", row) for row in files["control_surfaces"]["control_surfaces"]
    ]
    found["geometry"]["CO"] = {"position": ORIGIN.tolist(), "orientation": TURNED}
    return found


def rates(vessel: Dynamics) -> np.ndarray:
    x = np.array([0, 0, 0, 0.1, -0.2, 0.3, 1.5, 0.3, -0.2, 0.1, 0.2, -0.3, 0.1, 60.0])
    return vessel.derivative(x, [0.2, 90.0], vessel.surroundings((0.1, 0.2, 0.0)))


@pytest.mark.slow
def test_a_vessel_drawn_in_another_frame_is_the_same_vessel(tmp_path: Path) -> None:
    here = load(written(tmp_path / "body", FILES))
    there = load(written(tmp_path / "drawing", drawn(FILES)))
    assert rates(there) == pytest.approx(rates(here), rel=1e-9, abs=1e-9)
    bare = FILES | {"geometry": FILES["geometry"] | {"CG": {"position": CENTRE}}}
    assert rates(load(written(tmp_path / "bare", bare))) != pytest.approx(rates(here), rel=1e-3)


def inertia_about_cg(folder: Path) -> np.ndarray:
    r = np.array(CENTRE)
    M = mass_of(load(folder, overrides={"inertia.payload.mass": 0})).M_RB
    return M[3:, 3:] - MASS * (r @ r * np.eye(3) - np.outer(r, r))


def test_radii_of_gyration_are_about_the_axes_of_cg(tmp_path: Path) -> None:
    """Turned by yaw alone the products of inertia are (a² - b²) sin cos, of Mohr's circle."""
    a, b, c = RADII
    CG = {"position": CENTRE, "orientation": [0.0, 0.0, 0.3]}
    turned = FILES | {"geometry": FILES["geometry"] | {"CG": CG}}
    I_g = inertia_about_cg(written(tmp_path / "turned", turned))
    s, co = np.sin(0.3), np.cos(0.3)
    assert I_g[0, 1] == pytest.approx(MASS * (a**2 - b**2) * s * co)
    assert I_g[0, 0] == pytest.approx(MASS * ((a * co) ** 2 + (b * s) ** 2))
    assert I_g[2, 2] == pytest.approx(MASS * c**2)


def test_they_are_about_bodys_axes_where_cg_has_none(tmp_path: Path) -> None:
    files = drawn(FILES)
    del files["geometry"]["CG"]["orientation"]
    I_g = inertia_about_cg(written(tmp_path / "drawing", files))
    assert I_g == pytest.approx(np.diag(MASS * np.square(RADII)), abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"geometry.CB.orientation": [0, 0.1, 0]}, r"CB.orientation: .*expected \[0, 0, 0\]"),
        ({"inertia.inertia_matrix": (9 * np.eye(6)).tolist()}, "an inertia_matrix is in BODY"),
        ({"geometry.CO.orientation": [0, 0, 90]}, "CO.orientation: .* angles in radians"),
        ({"geometry.CO.orientatoin": [0, 0, 0]}, "did you mean orientation"),
    ],
)
def test_an_orientation_that_means_nothing_is_refused(
    tmp_path: Path, changes: dict[str, object], expected: str
) -> None:
    folder = written(tmp_path / "body", FILES)
    with pytest.raises(InvalidValue, match=rf"geometry.yml:(\d+| override): .*{expected}"):
        load(folder, overrides=changes)


def test_published_models_refuse_unmodelled_rotations() -> None:
    inputs = Path(__file__).parents[3] / "inputs"
    with pytest.raises(InvalidValue, match=r"CG\.orientation: unknown key"):
        load(inputs / "npsauv", overrides={"geometry.CG.orientation": [0, 0, 0.1]})
    place = "thrusters.thrusters.1.thruster_orientation"
    with pytest.raises(InvalidValue, match="expected a yaw angle only"):
        load(inputs / "semisub", overrides={place: [0.1, 0, 1.57]})


def test_centres_of_three_numbers_are_places_as_in_panisims_older_files(tmp_path):
    files = {**FILES, "geometry": {**FILES["geometry"], "CG": {"position": CENTRE}}}
    older = {"CO": [0.3, 0.0, -0.1], "CG": CENTRE, "CB": [0.1, 0.0, -0.1]}
    newer = {name: {"position": place} for name, place in older.items()}
    now, then = (
        load(written(tmp_path / name, {**files, "geometry": {**files["geometry"], **centres}}))
        for name, centres in (("now", newer), ("then", older))
    )
    np.testing.assert_array_equal(mass_of(then).M, mass_of(now).M)
    x = np.concatenate((np.zeros(3), [0.2, -0.1, 0.4], np.full(6, 0.3), now.initial[12:]))
    rest, calm = np.zeros(len(now.commands)), now.surroundings()
    np.testing.assert_array_equal(then.derivative(x, rest, calm), now.derivative(x, rest, calm))


@pytest.mark.parametrize("name", ["CO", "CG", "CB"])
def test_a_centre_of_two_numbers_is_named(name, tmp_path):
    files = {**FILES, "geometry": {**FILES["geometry"], name: [0.0, 0.1]}}
    expected = rf"geometry\.yml:\d+: {name}\.position = a list: expected 3 numbers"
    with pytest.raises(InvalidValue, match=expected):
        load(written(tmp_path / "boat", files))
