"""``BHV_Policy``: a trained policy's values as an objective function."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from alone import Alone, shows
from onnx_files import linear

from steerageway.helm.behaviors.base import BehaviorError
from steerageway.moos.errors import FormatError

POLICY = "BHV_Policy"


def utilities(one: Alone) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the objective function over course and speed (n, m)."""
    assert one.objective is not None
    (table,) = one.objective.parts.values()
    return np.asarray(table)


@shows(POLICY, "policy", "observe", "courses", "speeds")
def test_the_utility_is_the_policys_value_between_the_cells_of_its_grid(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    weights, bias = rng.normal(size=(6 * 3, 2)), rng.normal(size=6 * 3)
    file = linear(tmp_path / "values.onnx", weights, bias)
    lines = f"policy={file}\nobserve=NAV_SPEED/2, WIND/-4\ncourses=6\nspeeds=3"
    one = Alone(POLICY, lines, NAV_SPEED=1.5)
    one.step({"WIND": 10.0})
    grid = (weights @ np.array([0.75, -2.5]) + bias).reshape(6, 3)
    round_ = np.vstack((grid, grid[:1]))  # 360 is 0
    courses, speeds = np.arange(360.0), np.linspace(0.0, 4.0, 41)
    along = np.array([np.interp(courses, np.arange(7) * 60.0, col) for col in round_.T])
    right = np.array([np.interp(speeds, [0.0, 2.0, 4.0], row) for row in along.T])
    right = 100.0 * (right - right.min()) / np.ptp(right)
    assert np.allclose(utilities(one), right, atol=1e-3)  # the model computes in float32


@shows(POLICY, "patience")
def test_it_has_no_say_while_an_observation_is_missing_or_old(tmp_path: Path) -> None:
    file = linear(tmp_path / "values.onnx", np.ones((8, 1)), np.arange(8.0))
    one = Alone(POLICY, f"policy={file}\nobserve=WIND\ncourses=8\npatience=3")
    assert "no WIND within the last 3 s" in str(one.step()["BHV_WARNING"])
    assert one.objective is None
    one.step({"WIND": 1.0})
    assert one.objective is not None
    one.step(dt=2.9)
    assert one.objective is not None
    one.step(dt=0.2)
    assert one.objective is None


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("observe=WIND", "policy"),
        ("policy=none.onnx\nobserve=WIND", "expected an .onnx file"),
        ("policy={file}\nobserve=WIND,WIND", "with 2 entries"),
        ("policy={file}\nobserve=WIND/0", "a divisor other than 0"),
        ("policy={here}\nobserve=WIND", "expected an ONNX model"),
    ],
)
def test_a_wrong_block_is_refused(lines: str, told: str, tmp_path: Path) -> None:
    file = linear(tmp_path / "values.onnx", np.ones((8, 1)), np.zeros(8))
    with pytest.raises(FormatError, match=told):
        Alone(POLICY, lines.format(file=file, here=__file__))


def test_a_policy_of_another_grid_or_without_numbers_stops_the_vessel(tmp_path: Path) -> None:
    lines = f"policy={linear(tmp_path / 'v.onnx', np.ones((8, 1)), np.zeros(8))}\nobserve=WIND"
    with pytest.raises(BehaviorError, match="gives 8 numbers: expected 72"):
        Alone(POLICY, lines).step({"WIND": 1.0})
    with pytest.raises(BehaviorError, match="not finite"):
        Alone(POLICY, f"{lines}\ncourses=8").step({"WIND": float("inf")})
