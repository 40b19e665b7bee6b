"""Independent implementation of Panisim's equations from its documents and source, for comparison.

Plain NumPy on the files' own words, and SciPy's RK45 from step to step, as Panisim integrates:
state nu, position, Euler angles, surfaces [rad], shafts [rpm].
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from scipy.integrate import solve_ivp

from steerageway.world.arrays import Floats

AXES = "XYZKMN"
ENU_TO_NED = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])


def cross_matrix(a: Any) -> Floats:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]], float)


def turned(eul: Any) -> Floats:
    """Return R of zyx Euler angles."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(eul), np.sin(eul)
    Rx = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    Ry = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    Rz = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(Rz @ Ry @ Rx)


def fitted(eul: Any) -> Floats:
    """Return Panisim's R of a surface or a thruster, in its own order."""
    (c1, c2, c3), (s1, s2, s3) = np.cos(eul), np.sin(eul)
    return np.array(
        [
            [c2 * c3, -c2 * s3, s2],
            [s1 * s2 * c3 + c1 * s3, -s1 * s2 * s3 + c1 * c3, -s1 * c2],
            [-c1 * s2 * c3 + s1 * s3, c1 * s2 * s3 + s1 * c3, c1 * c2],
        ]
    )


class Vessel:
    """A folder of Panisim's files, and the agent's lines of its main file."""

    def __init__(
        self,
        folder: Path,
        U: float = 0.0,
        maintain_speed: bool = False,
        active_dof: Any = (1,) * 6,
        density: float = 1000.0,
        gravity: float = 9.80665,
    ) -> None:
        def file(name: str) -> dict[str, Any]:
            return yaml.safe_load((folder / f"{name}.yml").read_text()) or {}

        self.U, self.maintain, self.rho = U, maintain_speed, density
        self.active = np.array(active_dof, float)
        geometry, inertia, self.hydro = map(file, ("geometry", "inertia", "hydrodynamics"))
        self.L, self.g = geometry["length"], gravity
        self.CG, self.CB = (np.array(geometry[c]["position"], float) for c in ("CG", "CB"))
        self.W, self.B = inertia["mass"] * gravity, inertia["buoyancy_mass"] * gravity
        self.M_RB = self.rigid(inertia, geometry)
        self.M_A = self.added(inertia, folder)
        self.coriolis = self.hydro.get("coriolis_flag", False)
        self.prime = not self.hydro.get("dim_flag", False)
        surfaces = file("control_surfaces")
        self.surfaces = surfaces.get("control_surfaces") or []
        self.thrusters = file("thrusters").get("thrusters") or []
        self.polar = self.read_polar(folder, surfaces.get("naca_file"))
        start = file("initial_conditions")
        self.start = np.concatenate(
            (
                start["start_velocity"],
                start["start_location"],
                start["start_orientation"],
                np.zeros(len(self.surfaces) + len(self.thrusters)),
            )
        ).astype(float)

    def rigid(self, inertia: Any, geometry: Any) -> Floats:
        if inertia["inertia_matrix"] not in (None, "None"):
            return np.array(inertia["inertia_matrix"], float)
        S, m = cross_matrix(self.CG), inertia["mass"]
        about = np.diag(np.square(geometry["gyration"])) - S @ S
        return m * np.vstack((np.hstack((np.eye(3), -S)), np.hstack((S, about))))

    def added(self, inertia: Any, folder: Path) -> Floats:
        if inertia["added_mass_matrix"] not in (None, "None"):
            return np.array(inertia["added_mass_matrix"], float)
        tail = Path(self.hydro["hydra_file"]).parts
        path = next(p for i in range(len(tail)) if (p := folder.joinpath(*tail[i:])).is_file())
        data = json.loads(path.read_text())
        w, AM, M, C = (np.array(data[k], float) for k in ("w", "AM", "M", "C"))
        A = AM[1, :, :, 0, 0].copy()
        at = []
        for i in (2, 3, 4):
            natural = -1.0
            new = np.sqrt(C[i, i] / (M[i, i] + AM[1, i, i, 0, 0]))
            while abs(new - natural) > 1e-6:
                natural = new
                a = np.interp(natural, w[1:], AM[1:, i, i, 0, 0])
                new = np.sqrt(C[i, i] / (M[i, i] + a))
            at.append(np.interp(new, w[1:], AM[1:, i, i, 0, 0]))
        A[2:5, 2:5] = np.diag(at)
        A[:3, :3] = ENU_TO_NED @ A[:3, :3] @ ENU_TO_NED.T
        A[3:, 3:] = ENU_TO_NED @ A[3:, 3:] @ ENU_TO_NED.T
        return A

    def read_polar(self, folder: Path, named: Any) -> Floats | None:
        if named in (None, "None"):
            return None
        with (folder / Path(named).name).open() as file:
            rows = list(csv.DictReader(file))
        return np.array([[float(row[k]) for k in ("Alpha", "Cl", "Cd")] for row in rows])

    def damping(self, nu: Floats) -> Floats:
        velocity = dict(zip("uvwpqr", nu, strict=True))
        if self.maintain:
            velocity["u"] -= self.U
        F = np.zeros(6)
        for name, value in self.hydro.items():
            axis, *parts = name.split("_")
            if axis not in AXES or len(axis) != 1 or not parts:
                continue
            force = float(value)
            if self.prime:
                power = (2 if axis in "XYZ" else 3) + sum(p in ("p", "q", "r") for p in parts[1:])
                force *= 0.5 * self.rho * self.L**power
                force *= self.U ** sum(part in velocity for part in parts)
            for part in parts:
                if part in velocity:
                    force *= velocity[part]
                elif part[0] == "a" and part[1:] in velocity:
                    force *= abs(velocity[part[1:]])
            F[AXES.index(axis)] += force
        return F

    def restoring(self, phi: float, theta: float) -> Floats:
        up = turned([phi, theta, 0.0]).T @ np.array([0, 0, 1.0])
        weight, buoyancy = self.W * up, -self.B * up
        moment = np.cross(self.CG, weight) + np.cross(self.CB, buoyancy)
        return np.concatenate((weight + buoyancy, moment))

    def local(self, nu: Floats, place: Floats) -> Floats:
        u, v, w, p, q, r = nu
        x, y, z = place
        return np.array([u, v + r * x + p * z, w + p * y - q * x])

    def surface_forces(self, nu: Floats, delta: Floats) -> Floats:
        tau = np.zeros(6)
        for surface in self.surfaces:
            most = np.deg2rad(surface["control_surface_delta_max"])
            d = float(np.clip(delta[int(surface["control_surface_id"]) - 1], -most, most))
            own = surface.get("control_surface_hydrodynamics", "None")
            if own != "None":
                for name, value in own.items():
                    axis = name[0]
                    scale = 0.5 * self.rho * self.L ** (2 if axis in "XYZ" else 3) * self.U**2
                    tau[AXES.index(axis)] += value * d * (scale if self.prime else 1.0)
                continue
            if self.polar is None:
                continue
            place = np.array(surface["control_surface_location"], float)
            R = fitted(surface["control_surface_orientation"])
            flow = R.T @ self.local(nu, place)
            alpha = np.rad2deg(np.arctan2(flow[2], flow[0]) + d)
            pressure = 0.5 * self.rho * (flow[0] ** 2 + flow[2] ** 2)
            pressure *= surface["control_surface_area"]
            cl, cd = 0.0, 0.1
            if abs(alpha) <= 15:
                cl = float(np.interp(alpha, self.polar[:, 0], self.polar[:, 1]))
                cd = float(np.interp(alpha, self.polar[:, 0], self.polar[:, 2]))
            force = R @ np.array([-pressure * cd, 0.0, -pressure * cl])
            tau += np.concatenate((force, np.cross(place, force)))
        return tau

    def thruster_forces(self, held: Floats, rpm: Floats) -> Floats:
        tau = np.zeros(6)
        for n, thruster in zip(rpm / 60, self.thrusters, strict=True):
            place, D = np.array(thruster["thruster_location"], float), thruster["D_prop"]
            R = fitted(thruster["thruster_orientation"])
            speed = (R.T @ self.local(held, place))[0]
            J = speed / (n * D) if abs(n * D) > 1e-6 else 0.0
            thrust = thruster["KT_at_J0"] * (1 - J) * self.rho * D**4 * abs(n) * n
            force = R @ np.array([thrust * (1 - thruster.get("tp", 0.0)), 0.0, 0.0])
            tau += np.concatenate((force, np.cross(place, force)))
        return tau

    def coriolis_force(self, M: Floats, nu: Floats) -> Floats:
        a, b = M[:3] @ nu, M[3:] @ nu
        C = np.zeros((6, 6))
        C[:3, 3:] = C[3:, :3] = -cross_matrix(a)
        C[3:, 3:] = -cross_matrix(b)
        return np.asarray(C @ nu)

    def rates(self, state: Floats, held: Floats, command: Floats) -> Floats:
        nu, angles, count = state[:6] * self.active, state[9:12], len(self.surfaces)
        dropped = bool((np.abs(self.M_A) > 2 * np.abs(self.M_RB)).any())
        F = self.damping(nu) + self.surface_forces(nu, state[12 : 12 + count])
        F += self.thruster_forces(held, state[12 + count :]) + self.restoring(*angles[:2])
        if self.coriolis:
            F -= self.coriolis_force(self.M_RB, nu)
            F -= 0.0 if dropped else self.coriolis_force(self.M_A, nu)
        M = self.M_RB if dropped else self.M_RB + self.M_A
        out = np.zeros_like(state)
        out[:6] = np.linalg.solve(M, F) * self.active
        out[6:9] = turned(angles) @ nu[:3]
        phi, theta = angles[:2]
        T = np.array(
            [
                [1, np.sin(phi) * np.tan(theta), np.cos(phi) * np.tan(theta)],
                [0, np.cos(phi), -np.sin(phi)],
                [0, np.sin(phi) / np.cos(theta), np.cos(phi) / np.cos(theta)],
            ]
        )
        out[9:12] = (T @ nu[3:]) * self.active[3:]
        for i, surface in enumerate(self.surfaces):
            most = surface["control_surface_delta_max"]
            rate = (np.clip(command[i], -most, most) - state[12 + i]) / surface["control_surface_T"]
            limit = surface["control_surface_deltad_max"]
            out[12 + i] = np.clip(rate, -limit, limit)
        out[12 + count :] = command[count:] - state[12 + count :]
        return out

    def run(self, state: Floats, command: Floats, dt: float, steps: int) -> Floats:
        """Return the states (steps, 12 + n) of Panisim's loop; commands in rad and rpm."""
        rows = []
        for k in range(steps):
            held = state[:6] * self.active
            found = solve_ivp(
                lambda _, y, held=held: self.rates(y, held, command),
                (k * dt, (k + 1) * dt),
                state,
                method="RK45",
            )
            state = found.y[:, -1]
            rows.append(state)
        return np.array(rows)
