"""Hydrostatics of a mesh: volume, centre of buoyancy, waterplane, stability, equilibrium.

Exact for the mesh at any draught and attitude. ``pose`` is z of CO below the surface [m], roll and
pitch [rad]; positions are from CO.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.mesh import cut
from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh

NEWTON_STEPS = 50
CLOSE = 1e-12  # tolerance relative to the volume, and to the length for levers
BISECTIONS = 200
NO_AREA = 1e-12  # fraction of the wetted surface


@dataclass(frozen=True, eq=False)
class Hydrostatics:
    """Hydrostatics of a mesh in still water.

    Attributes:
        volume: displaced volume [m³].
        centre_ned: (3,) centre of buoyancy from the point above CO on the surface, axes NED [m].
        centre: (3,) centre of buoyancy in BODY [m].
        area: waterplane area [m²].
        flotation: (2,) centre of flotation, axes NED without yaw [m].
        I_T, I_L, I_xy: second moments of the waterplane about its centroid: about the
            longitudinal and the transverse axis, and their product [m⁴].
        wetted: wetted surface without the waterplane [m²].
    """

    volume: float
    centre_ned: Floats
    centre: Floats
    area: float
    flotation: Floats
    I_T: float
    I_L: float
    I_xy: float
    wetted: float


def afloat(
    mesh: Mesh, z: float, phi: float = 0.0, theta: float = 0.0, *, cutting: bool = True
) -> Hydrostatics:
    """Return the hydrostatics of a mesh at a pose; for a dry mesh the centre is CO.

    Args:
        mesh: the hull.
        z, phi, theta: pose [m, rad].
        cutting: cut triangles at the surface; False: partly wet ones count as dry.
    """
    R = eul_to_rotm(np.array([phi, theta, 0.0]))
    nodes = np.empty((3, len(mesh.vertices)))
    cut.turned(mesh.vertices, R, z, nodes)
    sums = np.empty(cut.FLOATED)
    cut.floated(nodes, mesh.triangles, np.empty(cut.CORNERS), sums, not cutting)
    volume, area = float(sums[cut.V]), float(sums[cut.A])
    cuts = area > NO_AREA * float(sums[cut.S_WET])  # fully submerged: no waterplane
    centre_ned = sums[cut.V_X : cut.V_Z + 1] / volume if volume > 0 else np.array([0.0, 0.0, z])
    flotation = sums[cut.A_X : cut.A_Y + 1] / area if cuts else np.zeros(2)
    xf, yf = flotation
    return Hydrostatics(
        volume=volume,
        centre_ned=centre_ned,
        centre=R.T @ (centre_ned - [0.0, 0.0, z]),
        area=area,
        flotation=flotation,
        # parallel axis theorem: from the origin of the sums to the centre of flotation
        I_T=float(sums[cut.A_YY] - area * yf**2),
        I_L=float(sums[cut.A_XX] - area * xf**2),
        I_xy=float(sums[cut.A_XY] - area * xf * yf),
        wetted=float(sums[cut.S_WET]),
    )


def static_wrench(mesh: Mesh, z: float, phi: float, theta: float, weight: float) -> Floats:
    """Return force and moment of still water about CO in BODY (6,) [N, N m].

    Args:
        mesh, z, phi, theta: see ``afloat``.
        weight: specific weight rho g [N/m³].
    """
    R = eul_to_rotm(np.array([phi, theta, 0.0]))
    water = afloat(mesh, z, phi, theta)
    force = R.T @ np.array([0.0, 0.0, -weight * water.volume])
    return np.concatenate((force, np.cross(water.centre, force)))


def draught(mesh: Mesh, volume: float, phi: float = 0.0, theta: float = 0.0) -> float:
    """Return the z of CO [m] for a displaced volume [m³] at a given attitude.

    Raises:
        InvalidValue: the mesh is smaller than the volume.
    """
    whole = mesh.volume
    if not 0.0 < volume < whole:
        raise InvalidValue(
            f"{volume:g} m³ displaced by a mesh of {whole:g} m³: expected a larger mesh or less "
            "mass"
        )
    R = eul_to_rotm(np.array([phi, theta, 0.0]))
    depths = mesh.vertices @ R[2]
    low, high = -float(depths.max()), -float(depths.min())
    z = low + (high - low) * volume / whole
    for _ in range(BISECTIONS):
        water = afloat(mesh, z, phi, theta)
        excess = water.volume - volume
        if excess > 0:
            high = z
        else:
            low = z
        if abs(excess) <= CLOSE * whole or high - low < CLOSE * abs(depths).max():
            break
        # dV/dz is the waterplane area; bisection where Newton's step leaves the bracket
        newton = z - excess / water.area if water.area > 0 else low
        z = newton if low < newton < high else 0.5 * (low + high)
    return z


def righting_lever(mesh: Mesh, volume: float, r_bg: Floats, phi: float) -> float:
    """Return the righting lever GZ [m] at a heel [rad] and constant displacement, without trim."""
    z = draught(mesh, volume, phi)
    G = eul_to_rotm(np.array([phi, 0.0, 0.0])) @ r_bg
    return float(afloat(mesh, z, phi).centre_ned[1] - G[1])


def righting_curve(mesh: Mesh, volume: float, r_bg: Floats, angles: Sequence[float]) -> Floats:
    """Return GZ (n,) [m] at heels [rad]."""
    levers = [righting_lever(mesh, volume, r_bg, phi) for phi in angles]
    return np.array(levers, np.float64)


def equilibrium(mesh: Mesh, volume: float, r_bg: Floats) -> Floats:
    """Return z, roll and pitch (3,) of the equilibrium nearest to upright [m, rad].

    Newton's method on volume and levers; steps are limited to a tenth of a radian.

    Raises:
        InvalidValue: the body does not float, or not upright.
    """
    pose: Floats = np.array([draught(mesh, volume), 0.0, 0.0])
    size = max(np.ptp(mesh.vertices, axis=0))
    for _ in range(NEWTON_STEPS):
        wrong = _imbalance(mesh, volume, r_bg, pose)
        if np.abs(wrong).max() < 1e-11 * max(size, volume):
            return pose
        slope = np.empty((3, 3))
        for j, little in enumerate((1e-6 * size, 1e-6, 1e-6)):
            moved = pose.copy()
            moved[j] += little
            slope[:, j] = (_imbalance(mesh, volume, r_bg, moved) - wrong) / little
        step = np.linalg.solve(slope, -wrong)
        step *= min(1.0, 0.1 / max(float(np.abs(step[1:]).max()), 1e-300))
        pose = pose + step
        pose[1:] = np.clip(pose[1:], -0.45 * pi, 0.45 * pi)
        if np.abs(step).max() < 1e-13:
            return pose
    raise InvalidValue(
        f"the mesh has no equilibrium at {volume:g} m³ displaced with its centre of gravity at "
        f"{r_bg.round(4).tolist()}: expected a lower centre of gravity, or one above the keel's "
        "middle"
    )


def _imbalance(mesh: Mesh, volume: float, r_bg: Floats, pose: Floats) -> Floats:
    """Return the residuals of volume [m³], and of the longitudinal and transverse levers [m]."""
    z, phi, theta = pose.tolist()
    water = afloat(mesh, z, phi, theta)
    G = eul_to_rotm(np.array([phi, theta, 0.0])) @ r_bg
    return np.array([water.volume - volume, *(water.centre_ned - G)[:2]])


@dataclass(frozen=True)
class Stability:
    """Hydrostatic particulars of a body at rest.

    Attributes:
        z, phi, theta: pose [m, rad].
        draught, depth: draught at the lowest point, and height of the mesh [m].
        KB, BM_T, BM_L, GM_T, GM_L: at rest [m]; K is the lowest point.
        LCB, LCF: centres of buoyancy and flotation, forward of CO [m].
        area, wetted: waterplane area and wetted surface [m²].
        volume: displaced volume [m³].
    """

    z: float
    phi: float
    theta: float
    draught: float
    depth: float
    KB: float
    BM_T: float
    BM_L: float
    GM_T: float
    GM_L: float
    LCB: float
    LCF: float
    area: float
    wetted: float
    volume: float


def stability(mesh: Mesh, volume: float, r_bg: Floats) -> Stability:
    """Return the hydrostatic particulars of a body at rest. Raises: see ``equilibrium``."""
    z, phi, theta = equilibrium(mesh, volume, r_bg).tolist()
    water = afloat(mesh, z, phi, theta)
    R = eul_to_rotm(np.array([phi, theta, 0.0]))
    depths = mesh.vertices @ R[2] + z
    keel, G = float(depths.max()), float(R[2] @ r_bg) + z
    KB, KG = keel - float(water.centre_ned[2]), keel - G
    BM_T, BM_L = water.I_T / volume, water.I_L / volume
    return Stability(
        z=z,
        phi=phi,
        theta=theta,
        draught=keel,
        depth=float(np.ptp(depths)),
        KB=KB,
        BM_T=BM_T,
        BM_L=BM_L,
        GM_T=KB + BM_T - KG,
        GM_L=KB + BM_L - KG,
        LCB=float(water.centre[0]),
        LCF=float(water.flotation[0] * cos(theta) + sin(theta) * z),
        area=water.area,
        wetted=water.wetted,
        volume=volume,
    )


def stiffness(mesh: Mesh, pose: Sequence[float], r_bg: Floats, weight: float, W: float) -> Floats:
    """Return the stiffness C (3, 3) in heave, roll and pitch at a pose, by central differences.

    Args:
        mesh: the hull.
        pose: z [m], roll, pitch [rad].
        r_bg: (3,) centre of gravity in BODY [m].
        weight: specific weight of water, rho g [N/m³].
        W: weight of the body [N].
    """
    little = np.array([1e-5 * max(np.ptp(mesh.vertices, axis=0)), 1e-5, 1e-5])
    C = np.empty((3, 3))
    for j in range(3):
        ahead, astern = np.array(pose, np.float64), np.array(pose, np.float64)
        ahead[j] += little[j]
        astern[j] -= little[j]
        there = _restoring(mesh, ahead, r_bg, weight, W)
        back = _restoring(mesh, astern, r_bg, weight, W)
        C[:, j] = (back - there) / (2.0 * little[j])
    return C


def _restoring(mesh: Mesh, pose: Floats, r_bg: Floats, weight: float, W: float) -> Floats:
    z, phi, theta = pose.tolist()
    down = eul_to_rotm(np.array([phi, theta, 0.0])).T @ np.array([0.0, 0.0, W])
    heavy = np.concatenate((down, np.cross(r_bg, down)))
    total: Floats = (static_wrench(mesh, z, phi, theta, weight) + heavy)[2:5]
    return total
