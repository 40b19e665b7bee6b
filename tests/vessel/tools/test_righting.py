"""Reports about the floating equilibrium of a vessel."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.righting import draw, stability_lines, stability_remarks

INPUTS = Path(__file__).parents[3] / "inputs"


@pytest.mark.slow
def test_displacement_stability_and_levers_are_printed(tmp_path: Path) -> None:
    barge = load(INPUTS / "box_barge")
    expected = "\n".join(stability_lines(barge))
    assert "displaces 4 m³, 4100 kg" in expected
    assert "draught 0.5 m of 1 m" in expected
    assert "GM 0.4667 and 2.467 m" in expected
    assert "GZ [m] without trim: 0° 0.0000, 10° 0.0828" in expected
    assert list(stability_remarks(barge)) == []
    draw(barge, tmp_path / "gz.png")
    assert (tmp_path / "gz.png").read_bytes().startswith(b"\x89PNG")


def test_a_high_centre_of_gravity_gives_a_warning() -> None:
    high = load(INPUTS / "box_barge", overrides={"geometry.CG.position": [0, 0, -0.5]})
    assert any("GM_T is -0.083" in warning for warning in stability_remarks(high))


def test_a_vessel_without_a_mesh_has_no_levers(tmp_path: Path) -> None:
    otter = load(INPUTS / "otter")
    assert list(stability_lines(otter)) == []
    with pytest.raises(InvalidValue, match="otter: no mesh"):
        draw(otter, tmp_path / "gz.png")
