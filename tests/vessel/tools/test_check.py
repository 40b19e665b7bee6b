"""``check`` of a vessel that floats: its mass is that of the water it displaces."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from steerageway.vessel.__main__ import main
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.tools.check import mistakes_of
from steerageway.vessel.tools.place import shipped_vessels

INPUTS = Path(__file__).parents[3] / "inputs"


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_vessels())
def test_each_shipped_vessel_that_floats_displaces_its_mass(name: str) -> None:
    assert mistakes_of(INPUTS / name) == []


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"inertia.buoyancy_mass": 800}, "buoyancy_mass: 800 kg of water displaced"),
        ({"inertia.buoyancy_mass": 40}, "buoyancy_mass: 40 kg of water displaced"),
        ({"inertia.buoyancy_mass": 81}, "payload, expected 80 kg"),
        ({"inertia.mass": 60}, "payload, expected 85 kg"),
        ({"inertia.payload.mass": 0}, "payload, expected 55 kg"),
        # 0.75 m² of waterplane: the water of 80 kg has 0.078 m³
        ({"geometry.draft": 0.09}, "0.09 m times the waterplane are 0.0675 m³, 0.078 m³ are"),
        ({"geometry.draft": 0.4}, "0.4 m times the waterplane are 0.3 m³, 0.078 m³ are"),
        ({"hydrodynamics.restoring.waterplane_area": 15}, "expected 0.3 to 1 of the product"),
    ],
)
def test_a_vessel_that_floats_weighs_what_it_displaces(
    overrides: dict[str, object], expected: str
) -> None:
    (mistake,) = mistakes_of(INPUTS / "otter", overrides)
    assert expected in str(mistake)


@pytest.mark.parametrize(
    ("name", "key", "value", "expected"),
    [
        # 2.255e9 kg over 1025 kg/m³; a quarter of 304.8² m², times 18.46 m
        ("tanker", "inertia.mass", 2.255e9, "2.2e\\+06 m³ displaced: .* 4.287e\\+05 m³"),
        ("tanker", "geometry.draft", 1.8, "2.2e\\+05 m³ displaced: length and draft hold"),
        ("kvlcc2", "inertia.mass", 3.2e9, "inertia.yml.* m³ displaced"),
        ("kvlcc2", "inertia.mass", 3.2e7, "inertia.yml.* m³ displaced"),
        ("container", "hydrodynamics.nabla", 2.1e6, "nabla: 2.1e\\+06 m³ displaced"),
        # m' L³/2 is 21 223 m³, and so is nabla, 21 222 m³
        ("container", "hydrodynamics.m", 5.7 * 0.00792, "m: 1.21e\\+05 m³ displaced"),
        ("container", "hydrodynamics.m", 1.05 * 0.00792, "22284 m³ .* expected 21222 m³ as by nab"),
        ("container", "hydrodynamics.nabla", 20000.0, "m: 21223 m³ .* expected 20000 m³"),
        ("container", "geometry.length", 250.0, "m: 61875 m³ of water by m, expected 21222 m³"),
        ("mariner", "hydrodynamics.m", 5.7 * 0.00798, "m: 9.479e\\+04 m³ displaced"),
        ("navalvessel", "geometry.displaced_volume", 2000.0, "length, breadth and draft hold"),
        ("clarke83", "geometry.block_coefficient", 0.1, "175 m³ displaced"),
        ("osv", "geometry.waterplane_coefficient", 4.5, "expected a number above 0, at most 1"),
        ("osv", "geometry.block_coefficient", 6.5, "expected a number above 0, at most 1"),
        ("osv", "geometry.draft", 60.0, "a metacentric height of -.* m: it capsizes"),
        ("osv", "geometry.length", 1e300, "at most 2000"),
        ("kvlcc2", "geometry.length", 1e300, "at most 2000"),
    ],
)
def test_a_published_ship_displaces_what_its_dimensions_hold(
    name: str, key: str, value: float, expected: str
) -> None:
    try:
        told = mistakes_of(INPUTS / name, {key: value})
    except InvalidValue as error:  # nothing can be built with it
        told = [*error.diagnostics]
    assert any(re.search(expected, str(one)) for one in told), told


def test_within_one_per_cent_they_are_equal() -> None:
    assert mistakes_of(INPUTS / "otter", {"inertia.buoyancy_mass": 80.5}) == []


def test_a_submerged_vehicle_may_be_lighter_than_its_water() -> None:
    assert mistakes_of(INPUTS / "remus100", {"inertia.buoyancy_mass": 32.5}) == []


@pytest.mark.parametrize(
    ("name", "key", "factor"),
    [
        ("remus100", "mass", 0.2),
        ("npsauv", "mass", 5.7),
        ("npsauv", "buoyancy_mass", 5.7),
        ("rexrov", "mass", 0.2),
        ("tito_neri", "mass", 1.5),  # a tug without a restoring force in its files floats, too
    ],
)
def test_no_vessel_weighs_a_multiple_of_its_water(name: str, key: str, factor: float) -> None:
    given = float(yaml.safe_load((INPUTS / name / "inertia.yml").read_text())[key])
    (mistake,) = mistakes_of(INPUTS / name, {f"inertia.{key}": factor * given})
    assert "of water displaced" in str(mistake)


def test_a_waterplane_is_within_length_and_breadth() -> None:
    (mistake,) = mistakes_of(INPUTS / "otter", {"geometry.length": 0.5})
    assert "length and breadth hold 0.54 m²" in str(mistake)


@pytest.mark.slow
@pytest.mark.parametrize("given", [("--mass", "350"), ("--draft", "0.15")])
def test_a_mesh_in_millimetres_is_told(
    given: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from steerageway.world.mesh import read

    mesh = read(INPUTS / "wamv" / "hull.stl")
    path = tmp_path / "hull.obj"
    corners = np.round(1000.0 * mesh.vertices, 6).tolist()
    rows = [f"v {x} {y} {z}" for x, y, z in corners]
    rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles.tolist()]
    path.write_text("\n".join(rows) + "\n")
    assert main(["estimate", "--mesh", str(path), *given]) == 2
    assert "a file in millimetres has a scale of 0.001" in capsys.readouterr().err
    assert main(["estimate", "--mesh", str(path), "--scale", "0.001", *given]) == 0
