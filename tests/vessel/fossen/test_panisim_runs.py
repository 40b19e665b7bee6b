"""``peer_compat: panisim`` reproduces Panisim's integration for every vessel in its layout."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.state import ACTUATORS
from steerageway.world.arrays import Floats
from tests.vessel.fossen.panisim_equations import Vessel

pytestmark = pytest.mark.slow
INPUTS = Path(__file__).parents[3] / "inputs"
RPM = 2 * np.pi / 60
NEAR = 1e-9  # of each column's largest value
LITTLE = 1e-9


def folder_of(tmp_path: Path, name: str, **changes: dict[str, Any]) -> Path:
    """Copy a vessel and change keys of its files."""
    folder = tmp_path / name
    shutil.copytree(INPUTS / name, folder)
    for file, values in changes.items():
        path = folder / f"{file}.yml"
        path.write_text(yaml.safe_dump((yaml.safe_load(path.read_text()) or {}) | values))
    return folder


def ours_as_theirs(rows: Floats, surfaces: int, thrusters: int) -> Floats:
    """Order states as Panisim does: nu, pose, surfaces [rad], shafts [rpm]."""
    shafts = rows[:, ACTUATORS + surfaces : ACTUATORS + surfaces + thrusters] / RPM
    deltas = rows[:, ACTUATORS : ACTUATORS + surfaces]
    return np.hstack((rows[:, 6:12], rows[:, :6], deltas, shafts))


def check(folder: Path, command: Any, dt: float, steps: int, nu: Any = None, **agent: Any) -> None:
    reference = Vessel(folder, **agent)
    given = {f"vessel.{key}": np.array(value).tolist() for key, value in agent.items()}
    v = load(folder, peer_compat="panisim", overrides=given)
    surfaces, thrusters = len(reference.surfaces), len(reference.thrusters)
    order = np.asarray(command, float)
    x, start = v.initial.copy(), reference.start.copy()
    if nu is not None:
        x[6:12], start[:6] = nu, nu
    expected = reference.run(start, order, dt, steps)
    ours = order.copy()
    ours[surfaces:] *= RPM
    rows = v.trace(x, ours, v.surroundings(), dt, steps)[:, 0]
    found = ours_as_theirs(rows, surfaces, thrusters)
    scale = np.abs(expected).max(axis=0)
    error = np.abs(found - expected).max(axis=0) / np.maximum(scale, LITTLE / NEAR)
    assert error.max() < NEAR, (error, expected[-1])
    assert scale[:2].max() > 0.01


@pytest.mark.parametrize(("U", "maintain"), [(0.5, False), (1.0, True)])
def test_sookshma_with_its_rudder_over(U, maintain):
    check(INPUTS / "sookshma", [0.3], 0.01, 700, U=U, maintain_speed=maintain)


def test_sookshma_beyond_its_rudders_stop_and_held_to_a_plane():
    plane = [1, 1, 0, 0, 0, 1]
    check(INPUTS / "sookshma", [1.2], 0.01, 1000, U=0.5, active_dof=plane, density=1025.0)


def test_mavyminis_six_foils():
    command = [0.1, -0.05, 0.08, 0.0, 0.02, -0.1, 600.0]
    check(INPUTS / "mavymini", command, 0.01, 300, [0.4, 0.02, 0.01, 0.1, 0.0, 0.1], U=1.0)


def test_a_vessel_with_everything_else(tmp_path):
    """Foils and thrusters off centre and askew, C, given matrices, names of every form."""
    surface = {
        "control_surface_type": "Rudder",
        "control_surface_area": 0.01,
        "control_surface_T": 0.2,
        "control_surface_delta_max": 20.0,
        "control_surface_deltad_max": 0.3,
    }
    thruster = {"T_prop": 0.3, "D_prop": 0.15, "tp": 0.1, "KT_at_J0": 0.45, "n_max": 1500}
    inertia = np.diag([30.0, 30, 30, 1.2, 3.0, 3.1])
    inertia[0, 4] = inertia[4, 0] = 1.5
    folder = folder_of(
        tmp_path,
        "mavymini",
        geometry={
            "length": 1.7,
            "CO": {"position": [0.3, 0.0, 0.1], "orientation": [0, 0, 0]},
            "CG": {"position": [0.05, 0.0, 0.05]},
            "CB": {"position": [0.05, 0.0, 0.0]},
        },
        inertia={
            "mass": 30.0,
            "buoyancy_mass": 29.9,
            "inertia_matrix": inertia.tolist(),
            "added_mass_matrix": np.diag([3.0, 40, 45, 0.5, 4.0, 3.0]).tolist(),
        },
        hydrodynamics={
            "hydra_file": "None",
            "coriolis_flag": True,
            **dict.fromkeys(("X_u_u", "Y_v_v", "Y_r_r", "N_v_v", "N_r_r", "Z_w_w"), 0.0),
            "X_u_au": -0.02,
            "Y_r_ar": -0.01,
            "Y_v": -0.05,
            "N_ar_v": -0.003,
            "M_q": -0.01,
            "K_p": -0.002,
            "Z_w_w_w": -0.02,
            "N_uv": 1e-5,
        },
        control_surfaces={
            "control_surfaces": [
                surface
                | {
                    "control_surface_id": 2,
                    "control_surface_location": [-0.8, 0.1, 0.05],
                    "control_surface_orientation": [-1.2, 0.1, 0.2],
                },
                surface
                | {
                    "control_surface_id": 1,
                    "control_surface_location": [-0.8, 0.0, 0.0],
                    "control_surface_orientation": [0.0, 0.0, 0.0],
                    "control_surface_hydrodynamics": {"Y_delta": 0.01, "N_delta": -0.005},
                },
            ]
        },
        thrusters={
            "thrusters": [
                thruster
                | {
                    "thruster_id": 1,
                    "thruster_location": [-0.8, 0.2, 0.1],
                    "thruster_orientation": [0.1, 0.05, -0.1],
                },
                thruster
                | {
                    "thruster_id": 2,
                    "thruster_location": [-0.8, -0.2, 0.1],
                    "thruster_orientation": [0.0, 0.0, 0.0],
                },
            ]
        },
    )
    nu = [0.8, 0.05, -0.05, 0.1, 0.05, 0.1]
    check(folder, [0.2, -0.5, 500.0, -300.0], 0.01, 1000, nu, U=0.9, density=1025.0, gravity=9.81)


def test_values_panisim_does_not_accept_are_refused_with_their_place():
    with pytest.raises(InvalidValue, match=r"inertia\.yml:\d+: payload: .*expected a key of Panis"):
        load(INPUTS / "otter", peer_compat="panisim")


def test_a_fit_that_panisim_would_write_into_the_file_is_required(tmp_path):
    folder = folder_of(tmp_path, "sookshma", hydrodynamics={"cross_flow_drag": True})
    with pytest.raises(InvalidValue, match="cross_flow_drag: true: expected false, with the coef"):
        load(folder, peer_compat="panisim")


def test_at_rest_the_models_differ_as_documented():
    """Without the peer a prime vessel has added mass, Coriolis forces, and limits in degrees."""
    overrides = {"vessel.U": 0.5}
    ours, reference = (load(INPUTS / "sookshma", peer, overrides) for peer in ("", "panisim"))
    x, around = ours.initial, ours.surroundings()
    slow, fast = (v.derivative(x, [0.3], around)[ACTUATORS] for v in (ours, reference))
    assert slow == pytest.approx(np.radians(1.0))
    assert fast == pytest.approx(1.0)
