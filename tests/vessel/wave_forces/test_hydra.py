"""HydRA's wave files: excitation and motions, frames, positions and units."""

from __future__ import annotations

import json
from math import pi
from pathlib import Path

import numpy as np
import pytest
from references import WAVES, data

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea, sea_loads
from steerageway.vessel.wave_forces import hydra
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

pytestmark = pytest.mark.slow  # they compile

INPUTS = Path(__file__).parents[3] / "inputs"
MAVYMINI = INPUTS / "mavymini" / "HydRA" / "MAVYMINI_hydra.json"
SOOKSHMA = INPUTS / "sookshma" / "HydRA" / "matlab" / "sookshma_hydra.json"
TOLD = data(WAVES / "bem_box_barge" / "box_barge_frd.json")
ORIGIN = np.zeros(3)


def barge_file(folder: Path, bow: str = "x", scale: float = 1.0) -> Path:
    """Write the barge's forces as HydRA would, its unit of length ``scale`` metres."""
    R = np.diag([1.0, -1.0, -1.0]) if bow == "x" else np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])
    parts = np.array(TOLD["excitation_re_im"])
    X = parts[..., 0] + 1j * parts[..., 1]
    X = X @ np.kron(np.eye(2), R)  # R is its own inverse
    X[..., :3] /= scale**2
    X[..., 3:] /= scale**3
    towards = np.array([np.cos(TOLD["heading_rad"]), np.sin(TOLD["heading_rad"])])
    x, y, _ = R.T @ np.array([*towards, np.zeros(len(TOLD["heading_rad"]))])
    F = np.moveaxis(X, 1, 2)[..., None]
    w = np.array(TOLD["finite_omega"]) * np.sqrt(scale)
    share = 0.7  # of the whole that is Froude-Krylov's
    file = {"w": w.tolist(), "beta": np.arctan2(y, x).tolist(), "speed": [0.0]}
    for name, values in (("Fk", share * F), ("Fs", (1 - share) * F)):
        file |= {f"{name}_Re": values.real.tolist(), f"{name}_Im": values.imag.tolist()}
    path = folder / f"barge_{bow}.json"
    path.write_text(json.dumps(file))
    return path


@pytest.mark.parametrize(("bow", "scale"), [("x", 1.0), ("y", 1.0), ("x", 0.001)])
def test_forces_are_those_of_both_parts_in_body(tmp_path: Path, bow: str, scale: float) -> None:
    rao = hydra.excitation(barge_file(tmp_path, bow, scale), ORIGIN, bow, scale)
    parts = np.array(TOLD["excitation_re_im"])
    X = parts[..., 0] + 1j * parts[..., 1]
    for i, w in enumerate(TOLD["finite_omega"]):
        found = rao.at(np.full(X.shape[1], w), np.array(TOLD["heading_rad"]))
        assert np.abs(found - X[i]).max() < 1e-9 * np.abs(X).max()


def test_about_another_point_forces_have_their_lever_and_their_phase(tmp_path: Path) -> None:
    path, co = barge_file(tmp_path), np.array([0.3, -0.2, 0.1])
    whole, moved = (hydra.excitation(path, point) for point in (ORIGIN, co))
    beta = float(TOLD["heading_rad"][2])
    w, heading = np.array([TOLD["finite_omega"][3]]), np.array([beta])
    F, G = whole.at(w, heading)[0], moved.at(w, heading)[0]
    at_co = np.concatenate((F[:3], F[3:] - np.cross(co, F[:3])))
    k = float(w[0] ** 2 / 9.81)
    shift = np.exp(1j * k * (np.cos(beta) * co[0] + np.sin(beta) * co[1]))
    assert np.abs(G - at_co * shift).max() < 1e-8 * np.abs(at_co).max()


def test_a_published_file_follows_long_waves() -> None:
    """The file's drawing is in millimetres: of water a million million times too much."""
    forces = hydra.excitation(MAVYMINI, ORIGIN, "x", 0.001)
    motions = hydra.motions(MAVYMINI, ORIGIN, "x", 0.001)
    raw = json.loads(MAVYMINI.read_text())
    w = np.array([0.03 / np.sqrt(0.001)])
    heave = forces.at(w, np.zeros(1))[0, 2]
    assert abs(heave) == pytest.approx(raw["C"][2][2] * 1e-6, rel=0.02)
    assert heave.real < 0  # down is positive: a crest lifts
    moved = motions.at(w, np.zeros(1))[0]
    assert moved[2] == pytest.approx(-1.0, abs=2e-3)
    assert moved[0] == pytest.approx(-1j, abs=0.02)  # ahead a quarter before the trough
    k = float(w[0] ** 2 / 9.81)
    assert moved[4] == pytest.approx(-1j * k, rel=0.02)  # the bow rises with the slope


def test_forces_and_motions_of_a_file_satisfy_its_own_equation_of_motion() -> None:
    raw = {key: np.array(value) for key, value in json.loads(MAVYMINI.read_text()).items()}
    turn = np.kron(np.eye(2), np.diag([1.0, -1.0, -1.0]))
    forces, motions = (
        read(MAVYMINI, ORIGIN, "x", 1.0) for read in (hydra.excitation, hydra.motions)
    )
    for i, j in ((4, 0), (12, 1), (20, 3), (35, 2)):
        w = raw["w"][i]
        D = -(w**2) * (raw["M"] + raw["AM"][i, :, :, 0, 0])
        D = D + 1j * w * raw["BD"][i, :, :, 0, 0] + raw["C"]
        heading = np.array([-raw["beta"][j]])
        at = np.array([w])
        found = turn @ D @ turn @ motions.at(at, heading)[0]
        expected = forces.at(at, heading)[0]
        assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()


def test_a_vessel_without_a_mesh_gets_the_forces_of_hydra(tmp_path: Path) -> None:
    overrides = {
        "hydrodynamics.loads.waves": "rao",
        "hydrodynamics.loads.drift": "none",
        "hydrodynamics.rao.file": str(barge_file(tmp_path)),
    }
    vessel = load(INPUTS / "otter", overrides=overrides)
    sea = Sea.of([SeaState("regular", 1.0, 2 * pi / 1.4, direction=45.0)], 0)
    moved = in_sea(vessel, sea)
    X = hydra.excitation(barge_file(tmp_path), ORIGIN).at(np.array([1.4]), np.radians([45.0]))[0]
    for t in (0.0, 1.9):
        force = sea_loads(moved, moved.initial, t)[0]
        assert force == pytest.approx((0.5 * X * np.exp(1.4j * t)).real, rel=1e-6, abs=1e-3)


def test_a_file_without_waves_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match=r"w: \[-1.0, 0.0\]: expected frequencies above 0"):
        hydra.excitation(SOOKSHMA, ORIGIN)
    path = tmp_path / "a.json"
    path.write_text('{"w": [1], "beta": [0]}')
    with pytest.raises(InvalidValue, match="expected HydRA's JSON, with w, beta, Fk_Re, Fk_Im"):
        hydra.excitation(path, ORIGIN)
