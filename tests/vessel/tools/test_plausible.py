"""A valid vessel is measured by known rules: Archimedes, trim, course stability, zig-zag."""

from pathlib import Path

import pytest

from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.tools.plausible import course_stability, findings, floating_remarks
from steerageway.world.shapes import box, write_stl
from tests.vessel.tools.test_warnings import HULL


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in HULL.items():
        (tmp_path / f"{name}.yml").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("mass", "x_G", "expected"),
    [
        (3075, 0.0, []),
        (2000, 0.0, ["mass 2000 kg", "displaces 3075 kg", "it floats 0.17 m higher"]),
        (3500, 0.0, ["mass 3500 kg", "displaces 3075 kg", "it floats 0.069 m deeper"]),
        (3075, 0.3, ["LCB lies 0.3 m abaft CG: it trims by 6.4° by the bow"]),
        (3075, -0.3, ["LCB lies 0.3 m forward of CG: it trims by 6.4° by the stern"]),
    ],
)
def test_mass_and_cg_are_those_of_the_drawn_waterline(
    folder: Path, mass: float, x_G: float, expected: list[str]
) -> None:
    """A box 4 m by 1.5 m, 0.5 m deep: 3 m³, BM_L = L² / (12 T) = 2.67 m."""
    write_stl(box(4.0, 1.5, 1.0), folder / "box.stl")
    geometry = f"length: 4\nmesh: {{file: box.stl}}\nCG: {{position: [{x_G}, 0, 0]}}\n"
    (folder / "geometry.yml").write_text(geometry)
    (folder / "inertia.yml").write_text(f"mass: {mass}\n")
    found = list(floating_remarks(read_folder(folder)))
    assert len(found) == bool(expected)
    assert all(part in found[0] for part in expected)


@pytest.mark.slow  # they compile
@pytest.mark.parametrize("speed", [0.5, 3.0])
def test_course_stability_is_told_by_the_derivatives(folder: Path, speed: float) -> None:
    """With the Munk moment: Y_v N_r - (m - X_ud) U (X_ud - Y_vd) U; Fossen (2021), C_A(nu)."""
    index = 467 * 595 - (700 + 92) * speed * (-92 + 700) * speed
    holds = "holds a course by itself" if index > 0 else "does not hold a course without"
    text = course_stability(load(folder), speed)
    assert f"at {speed:g} m/s it {holds}" in text
    assert f"= {index:.3g}" in text


@pytest.mark.slow
def test_a_boat_that_no_rudder_turns_back_is_not_without_warning(folder: Path) -> None:
    found = list(findings(read_folder(folder), load(folder)))
    assert any(kind == "warning" and text.startswith("10/10 zig-zag: ") for kind, text in found)
    assert [kind for kind, text in found if "hold a course" in text] == ["fact"]
