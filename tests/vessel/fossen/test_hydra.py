"""HydRA's added mass: the kinetic energy of the water is independent of the frame."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import brentq

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.hydra import added_mass

FREQUENCIES = [-1.0, 0.0, 0.5, 1.0, 2.0, 4.0]  # -1: infinite, as HydRA writes it
VELOCITIES = arrays(float, 6, elements=st.floats(-2, 2))
SLENDER = np.diag([10.0, 100.0, 120.0, 4.0, 30.0, 25.0])
SLENDER[1, 5] = SLENDER[5, 1] = 7.0
SLENDER[2, 4] = SLENDER[4, 2] = -9.0
BOW_X = np.diag([1.0, -1.0, -1.0])  # the file's axes in BODY's
BOW_Y = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])


def written(tmp_path, A, slope=None, C=None, w=FREQUENCIES):
    """Write a file whose added mass increases by ``slope`` with the frequency."""
    slopes = np.zeros((6, 6)) if slope is None else slope
    AM = [(A + max(at, 0.0) * slopes)[..., None, None].tolist() for at in w]
    C = np.zeros((6, 6)) if C is None else C
    path = tmp_path / "hydra.json"
    path.write_text(json.dumps({"w": w, "AM": AM, "M": (50 * np.eye(6)).tolist(), "C": C.tolist()}))
    return path


@pytest.mark.parametrize(("bow", "axes"), [("x", BOW_X), ("y", BOW_Y)])
@settings(max_examples=20)
@given(nu=VELOCITIES, co=arrays(float, 3, elements=st.floats(-1, 1)))
def test_the_waters_energy_is_the_same_in_both_frames(tmp_path_factory, bow, axes, nu, co):
    to_file = np.kron(np.eye(2), axes.T)
    path = written(tmp_path_factory.mktemp("hull"), to_file @ SLENDER @ to_file.T)
    M_A = added_mass(path, co, bow)
    at_origin = nu.copy()
    at_origin[:3] -= np.cross(nu[3:], co)  # the drawing's origin moves so when CO moves by nu
    assert nu @ M_A @ nu == pytest.approx(at_origin @ SLENDER @ at_origin, abs=1e-9)


def test_an_uneven_matrix_is_made_symmetric(tmp_path):
    uneven = np.kron(np.eye(2), BOW_X) @ SLENDER @ np.kron(np.eye(2), BOW_X)
    uneven[1, 5] += 1.0
    M_A = added_mass(written(tmp_path, uneven), np.zeros(3))
    np.testing.assert_allclose(M_A, M_A.T)
    assert M_A[1, 5] == pytest.approx(7.0 + 0.5)


def test_heave_is_taken_at_its_natural_frequency_and_sway_at_rest(tmp_path):
    slope, C = np.diag([5.0, 5, 40, 0, 0, 0]), np.diag([0, 0, 300.0, 0, 0, 0])
    M_A = added_mass(written(tmp_path, SLENDER, slope, C), np.zeros(3))
    natural = brentq(lambda w: w**2 * (50 + 120 + 40 * w) - 300, 0.1, 4)
    assert M_A[2, 2] == pytest.approx(120 + 40 * natural, rel=1e-9)
    assert M_A[1, 1] == pytest.approx(100)
    assert np.linalg.eigvalsh(M_A)[0] > 0
    assert M_A[2, 4] != 0  # couplings stay


@pytest.mark.parametrize(
    ("A", "w", "expected"),
    [
        (np.diag([100.0, 10, 100, 1, 1, 1]), FREQUENCIES, "expected hydra_bow: y"),
        (SLENDER, [-1.0, 0.5], "expected the frequency 0"),
    ],
)
def test_an_impossible_file_is_refused(tmp_path, A, w, expected):
    with pytest.raises(InvalidValue, match=expected):
        added_mass(written(tmp_path, A, w=w), np.zeros(3))


def test_another_json_is_no_hydra_file(tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"w": [0]}')
    with pytest.raises(InvalidValue, match="expected HydRA's JSON"):
        added_mass(path, np.zeros(3))
