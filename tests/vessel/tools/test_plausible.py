"""A valid vessel is measured by known rules: Archimedes, trim, course stability, zig-zag."""

from math import degrees
from pathlib import Path

import pytest

from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.tools.plausible import course_stability, findings, floating_remarks
from steerageway.world.shapes import box, write_stl
from tests.vessel.tools.test_warnings import HULL

INPUTS = Path(__file__).parents[3] / "inputs"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in HULL.items():
        (tmp_path / f"{name}.yml").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("mass", "x_G", "drawn", "expected"),
    [
        (3075, 0.0, "}", []),
        (2000, 0.0, "}", ["mass 2000 kg", "z = 0", "displaces 3075 kg", "it floats 0.17 m higher"]),
        (3500, 0.0, "}", ["mass 3500 kg", "displaces 3075 kg", "it floats 0.069 m deeper"]),
        (3075, 0.3, "}", ["LCB lies 0.3 m abaft CG: it trims by 6.4° by the bow"]),
        (3075, -0.3, "}", ["LCB lies 0.3 m forward of CG: it trims by 6.4° by the stern"]),
        (3690, 0.0, "}\ndraft: 0.6", []),
        (3075, 0.0, "}\ndraft: 0.6", ["a draught of 0.6 m", "displaces 3690 kg", "0.1 m higher"]),
        (3075, 0.0, ", origin: [0, 0, 0.2]}\ndraft: 0.5", []),
    ],
)
def test_mass_and_cg_are_those_of_the_drawn_waterline(
    folder: Path, mass: float, x_G: float, drawn: str, expected: list[str]
) -> None:
    """A box 4 m by 1.5 m, 0.5 m deep: 3 m³, BM_L = L² / (12 T) = 2.67 m; 6.15 t a metre."""
    write_stl(box(4.0, 1.5, 1.0), folder / "box.stl")
    text = f"length: 4\nCG: {{position: [{x_G}, 0, 0]}}\nmesh: {{file: box.stl{drawn}\n"
    (folder / "geometry.yml").write_text(text)
    (folder / "inertia.yml").write_text(f"mass: {mass}\n")
    found = list(floating_remarks(read_folder(folder)))
    assert len(found) == bool(expected)
    assert all(part in found[0] for part in expected)


@pytest.mark.slow
def test_a_shipped_hull_floats_at_the_draught_of_its_files() -> None:
    """What is left is true: the WAM-V, with CG amidships and raised bows, rests by the bow."""
    found = [
        remark
        for path in sorted(INPUTS.iterdir())
        for remark in floating_remarks(read_folder(path))
    ]
    assert all("LCB lies 0.328 m abaft CG: it trims by 1.3°" in remark for remark in found)
    theta = load(INPUTS / "wamv").floating.rest[2]  # type: ignore[union-attr]
    assert degrees(theta) == pytest.approx(-1.3, abs=0.05)


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
