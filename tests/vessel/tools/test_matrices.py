"""Matrices that are valid alone but inconsistent with the other files give a warning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import read_folder
from steerageway.vessel.tools.matrices import matrix_remarks

MASS, X_G = 24.0, 0.05
M_RB = np.diag([MASS, MASS, MASS, 0.2, 2.0, 1.8])
M_RB[1, 5] = M_RB[5, 1] = MASS * X_G
M_RB[2, 4] = M_RB[4, 2] = -MASS * X_G
M_A = np.diag([2.0, 10.0, 20.0, 0.1, 0.5, 1.0])


def warnings_of(
    folder: Path, body: np.ndarray = M_RB, added: np.ndarray = M_A, x_g: float = X_G, of: str = ""
) -> list[str]:
    """Return the warnings about a craft with these matrices."""
    (folder / "geometry.yml").write_text(f"length: 1.25\nCG: {{position: [{x_g}, 0, 0]}}\n")
    (folder / "inertia.yml").write_text(
        f"mass: {MASS}\ninertia_matrix: {body.tolist()}\nadded_mass_matrix: {added.tolist()}\n"
    )
    (folder / "hydrodynamics.yml").write_text(f"X_u: -1\n{of}")
    return list(matrix_remarks(read_folder(folder)))


def changed(matrix: np.ndarray, row: int, column: int, value: float) -> np.ndarray:
    other = matrix.copy()
    other[row, column] = value
    return other


def test_consistent_matrices_give_no_warning(tmp_path: Path) -> None:
    assert warnings_of(tmp_path) == []
    assert warnings_of(tmp_path, body=M_RB * 1.001) == []  # rounded figures


def test_held_degrees_of_freedom_are_ignored(tmp_path: Path) -> None:
    plane = M_RB.copy()
    plane[[2, 3, 4], :] = plane[:, [2, 3, 4]] = 0.0
    assert "0 in heave" in warnings_of(tmp_path, body=plane)[0]
    (tmp_path / "vessel.yml").write_text("active_dof: [1, 1, 0, 0, 0, 1]\n")
    assert warnings_of(tmp_path, body=plane) == []
    (warning,) = warnings_of(tmp_path, body=plane, x_g=-X_G)
    assert "of a body whose CG is at [0.05, 0.0, 0.0], but CG is at [-0.05, 0.0, 0.0]" in warning


@pytest.mark.parametrize("matrix", ["body", "added"])
def test_a_matrix_that_is_not_symmetric_is_reported(tmp_path: Path, matrix: str) -> None:
    askew = changed({"body": M_RB, "added": M_A}[matrix], 3, 5, 0.5)
    (warning,) = warnings_of(tmp_path, **{matrix: askew})
    line = {"body": "2: inertia_matrix", "added": "3: added_mass_matrix"}[matrix]
    assert warning.startswith(f"inertia.yml:{line}: 0.5 in row 4, column 6, but 0 across")


def test_another_mass_than_the_matrix_has_is_reported(tmp_path: Path) -> None:
    (warning,) = warnings_of(tmp_path, body=changed(M_RB, 1, 1, 240.0))
    assert warning == "inertia.yml:2: inertia_matrix: 240 in sway, but mass is 24"


def test_another_centre_of_gravity_than_the_matrix_has_is_reported(tmp_path: Path) -> None:
    (warning,) = warnings_of(tmp_path, x_g=-X_G)
    assert "of a body whose CG is at [0.05, 0.0, 0.0], but CG is at [-0.05, 0.0, 0.0]" in warning


def test_unused_derivatives_are_reported(tmp_path: Path) -> None:
    (warning,) = warnings_of(tmp_path, of="Y_vd: -10\nN_vd: 0\n")
    assert "added_mass_matrix: it is used, Y_vd, N_vd are not" in warning
