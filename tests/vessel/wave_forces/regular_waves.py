"""Vessels in regular waves: forces on the held hull, motions of the free one, and what BEM gives.

All are complex amplitudes in BODY for an elevation of 1 m, Re(X e^{i w t}) with a crest over CO at
t = 0; headings are directions the waves go to, clockwise from the bow.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, pi
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray
from references import WAVES, data

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea
from steerageway.vessel.fossen.state import TIME
from steerageway.vessel.tools.inertia import mass_of
from steerageway.vessel.wave_forces.table import TO_FRD
from steerageway.world.kinematics import PHASE
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

Complex = NDArray[np.complex128]
INPUTS = Path(__file__).parents[3] / "inputs"
BARGE = WAVES / "bem_box_barge"
HEIGHT = 0.02  # of the waves [m]: the reference is linear
SETTLED, COUNTED = 40, 5  # periods
STEPS = 64  # a period


class Reference(NamedTuple):
    """What another program gives: headings [rad] and frequencies [rad/s], force and motion."""

    headings: Sequence[float]
    omega: Sequence[float]
    force: Complex
    motion: Complex

    def at(self, heading: float, w: float) -> tuple[Complex, Complex]:
        """Return force (6,) and motion (6,) at one of its frequencies and headings."""
        i = int(np.abs(np.array(self.omega) - w).argmin())
        turned = np.exp(1j * (np.array(self.headings) - heading))
        j = int(np.abs(turned - 1.0).argmin())
        return self.force[i, j], self.motion[i, j]


def _complex(pairs: object) -> Complex:
    parts = np.array(pairs)
    joined: Complex = parts[..., 0] + 1j * parts[..., 1]
    return joined


def barge(waves: str) -> tuple[Dynamics, Reference]:
    """Return the box barge with loads by its mesh or by RAOs, and Capytaine's results."""
    keys: dict[str, object] = {"hydrodynamics.loads.drift": "none"}
    if waves == "rao":
        keys["hydrodynamics.loads.waves"] = "rao"
        keys["hydrodynamics.rao.file"] = str(BARGE / "box_barge.3")
    known = data(BARGE / "box_barge_frd.json")
    force, motion = (_complex(known[f"{k}_re_im"]) for k in ("excitation", "motion_rao"))
    reference = Reference(known["heading_rad"], known["finite_omega"], force, motion)
    return load(INPUTS / "box_barge", overrides=keys), reference


def wamv() -> tuple[Dynamics, Reference]:
    """Return the WAM-V with loads by its mesh, and Capytaine's results."""
    known = data(WAVES / "bem_wamv.json")
    force, motion = (_complex(known[f"{k}_re_im"]) for k in ("excitation", "motion"))
    vessel = load(INPUTS / "wamv", overrides={"hydrodynamics.loads.drift": "none"})
    return vessel, Reference(known["heading_rad"], known["omega"], force, motion)


def s175(folder: Path) -> tuple[Dynamics, Reference]:
    """Write the container ship S175 of MSS to a folder, with its RAOs; return it and its results.

    Added mass and damping are those at 0.84 rad/s, near the natural frequencies.
    """
    known, matrices = data(WAVES / "rao_s175.json"), data(WAVES / "abc_s175.json")
    force, motion = (
        np.moveaxis(np.array(known[f"{k}_amp"]) * np.exp(1j * np.array(known[f"{k}_phase"])), 0, 2)
        for k in ("force", "motion")
    )
    headings, main = known["headings_deg"], known["main"]
    weight = main["rho"] * main["g"]
    rows = [
        f"{2 * pi / w} {-heading} {mode + 1} 0 0 {X.real} {X.imag}"
        for i, w in enumerate(known["w"])
        for j, heading in enumerate(headings)
        for mode, X in enumerate((force[i, j] * TO_FRD / weight).tolist())
    ]
    (folder / "s175.3").write_text("\n".join(rows) + "\n")
    at = matrices["w"].index(0.837758)
    A, B, C = (np.array(matrices[k]) for k in ("added_mass", "damping", "stiffness"))
    damping = {
        f"{'XYZKMN'[i]}_{'uvwpqr'[k]}": -float(B[at, i, k])
        for i, k in ((0, 0), (1, 1), (2, 2), (2, 4), (3, 3), (4, 2), (4, 4), (5, 5))
    }
    lcf = -C[2, 4] / C[2, 2]
    files = {
        "vessel": {"name": "s175", "density": main["rho"], "gravity": main["g"]},
        "geometry": {"length": main["Lpp"], "breadth": main["B"], "draft": main["T"]},
        "inertia": {
            "mass": main["m"],
            "volume": main["nabla"],
            "inertia_matrix": matrices["mass"],
            "added_mass_matrix": A[at].tolist(),
        },
        "hydrodynamics": {
            **damping,
            "restoring": {
                "waterplane_area": float(C[2, 2] / weight),
                "GM_T": main["GM_T"],
                "GM_L": float((C[4, 4] - lcf**2 * C[2, 2]) / weight / main["nabla"]),
                "LCF": float(lcf),
            },
            "loads": {"waves": "rao", "drift": "none"},
            "rao": {"file": "s175.3"},
        },
    }
    for name, keys in files.items():
        (folder / f"{name}.yml").write_text(yaml.safe_dump(keys))
    reference = Reference(np.radians(headings).tolist(), known["w"], force, motion)
    return load(folder), reference


def long_barge(folder: Path) -> tuple[Dynamics, list[dict[str, float]]]:
    """Write a barge of other proportions to a folder; return it, and Capytaine's motions of it."""
    known = data(WAVES / "bem_long_barge.json")
    stl = (INPUTS / "box_barge/box.stl").read_bytes()
    facets = np.frombuffer(stl, [("n", "<3f4"), ("v", "<9f4"), ("more", "<u2")], offset=84).copy()
    size = [known["length"] / 4.0, known["breadth"] / 2.0, known["draft"] / 0.5]
    facets["v"] *= np.tile(size, 3)
    (folder / "box.stl").write_bytes(stl[:84] + facets.tobytes())
    whole = {key: known[key] for key in ("length", "breadth", "draft", "gyration")}
    radiation = {"added_mass": known["added_mass"], "zeta": known["zeta"]}
    files = {
        "vessel": {"name": "long_barge", "density": known["density"], "gravity": known["gravity"]},
        "geometry": {**whole, "CG": {"position": known["CG"]}, "mesh": {"file": "box.stl"}},
        "inertia": {"mass": known["density"] * np.prod([*whole.values()][:3]).item()},
        "hydrodynamics": {
            "hydrostatics": "mesh",
            "loads": {"waves": "mesh", "pressure": "wheeler", "drift": "none"},
            "radiation": radiation,
        },
    }
    for name, keys in files.items():
        (folder / f"{name}.yml").write_text(yaml.safe_dump(keys))
    return load(folder), known["cases"]


def _waves(w: float, heading: float, depth: float = inf) -> tuple[Sea, complex]:
    """Return regular waves, and what turns a response to those of 1 m, with a crest at t = 0."""
    state = SeaState("regular", HEIGHT, 2 * pi / w, direction=np.degrees(heading))
    sea = Sea.of([state], 0, depth=depth)
    return sea, np.exp(-1j * sea.rows[0, PHASE]) / (0.5 * HEIGHT)


def _amplitudes(w: float, times: Sequence[float], rows: Sequence[NDArray[np.float64]]) -> Complex:
    t = np.array(times)
    basis = np.stack((np.cos(w * t), -np.sin(w * t), np.ones_like(t)), 1)
    real, imaginary, _ = np.linalg.lstsq(basis, np.array(rows), rcond=None)[0]
    found: Complex = real + 1j * imaginary
    return found


def held(vessel: Dynamics, w: float, heading: float) -> Complex:
    """Return the force (6,) on a hull that does not move [N/m, N m/m]."""
    sea, turned = _waves(w, heading)
    there, M = in_sea(vessel, sea), mass_of(vessel).M
    still = there.initial.copy()
    still[6:12] = 0.0
    orders = np.zeros(len(there.commands))
    times = (2 * pi / w * np.arange(32) / 32).tolist()
    rows = [M @ there.derivative(still, orders, there.surroundings(time=t))[6:12] for t in times]
    return _amplitudes(w, times, rows) * turned


def free(vessel: Dynamics, w: float, heading: float, depth: float = inf) -> Complex:
    """Return the motion (6,) of a hull free in heave, roll and pitch [1, rad/m]."""
    sea, turned = _waves(w, heading, depth)
    there = in_sea(vessel, sea)
    dt = 2 * pi / w / STEPS
    x, around, orders = there.initial.copy(), there.surroundings(), np.zeros(len(there.commands))
    times, rows = [], []
    for k in range((SETTLED + COUNTED) * STEPS):
        around[TIME] = k * dt
        x = there.step(x, orders, around, dt)
        x[[0, 1, 5]] = there.initial[[0, 1, 5]]
        x[[6, 7, 11]] = 0.0
        if k >= SETTLED * STEPS:
            times.append((k + 1) * dt)
            rows.append(x[:6].copy())
    return _amplitudes(w, times, rows) * turned
