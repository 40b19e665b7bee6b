"""Pressure of the sea on a mesh: buoyancy, restoring and Froude-Krylov forces together.

Two evaluators of the same integral over the wetted surface:

- exact: every component at every edge midpoint of every wet piece; reference for tests;
- nodal: every component at every vertex, with linear pressure between: for time steps. The
    vertices follow the vessel. The difference from the exact evaluator
    is quadratic in the length of the triangles' edges; ``bound`` returns an upper limit.

In still water both are exact. Both compute phases from absolute time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.mesh import cut
from steerageway.world import nodes as world_nodes
from steerageway.world.arrays import Floats, Whole
from steerageway.world.compiled import compiled
from steerageway.world.kinematics import AMPLITUDE, DENSITY, GRAVITY, NUMBER
from steerageway.world.mesh import Mesh
from steerageway.world.sea import Sea

MODELS = ("depth", "wheeler", "linear")
"""Pressure models, by their numbers in ``cut``."""


class Work(NamedTuple):
    """Work arrays of a mesh's loads; they carry no state.

    Attributes:
        nodes: (3, n) vertices, axes NED, from the point above CO on the mean surface.
        field: (2, n) elevation and dynamic pressure at them.
        state: (2, n) height of water above them and total pressure.
        waves: (components + 1, BLOCK), scratch of ``nodes.at_nodes``.
        corners: (9, CORNER), scratch of ``cut``.
        pressed: (PRESSED,), results.
    """

    nodes: Floats
    field: Floats
    state: Floats
    waves: Floats
    corners: Floats
    pressed: Floats

    @classmethod
    def of(cls, vertices: int, components: int) -> Work:
        """Return work arrays for a mesh and a sea."""
        return cls(
            np.empty((3, vertices)),
            np.empty((2, vertices)),
            np.empty((2, vertices)),
            np.empty((components + 1, world_nodes.BLOCK)),
            np.empty((9, cut.CORNER)),
            np.empty(cut.PRESSED),
        )


@compiled
def at_vertices(
    rows: Floats, water: Floats, place: Floats, t: float, model: int, work: Work
) -> None:
    """Compute elevation, height of water and total pressure at the nodes."""
    field, state, nodes = work.field, work.state, work.nodes
    profile = world_nodes.WHEELER
    if model == cut.LINEAR:
        profile = world_nodes.LINEAR
    elif model == cut.DEPTH_ONLY:
        profile = world_nodes.HYDROSTATIC
    world_nodes.at_nodes(rows, water, t, place, nodes, work.waves, profile, field)
    weight = water[DENSITY] * water[GRAVITY]
    for i in range(nodes.shape[1]):
        z = nodes[2, i]
        # Airy's linear pressure holds up to the mean surface, which then bounds the wet part
        state[0, i] = z if model == cut.LINEAR else z + field[0, i]
        # above the water, too, where it is negative: cut triangles interpolate to their dry corners
        state[1, i] = weight * z + field[1, i]


@compiled
def integrate(
    rows: Floats,
    water: Floats,
    vertices: Floats,
    triangles: Whole,
    R: Floats,
    position: Floats,
    t: float,
    model: int,
    work: Work,
    whole: bool,
    exact: bool,
) -> None:
    """Write into ``work.pressed`` force and moment about CO, axes NED, volume, wetted surface.

    Args:
        rows, water: components and scalars of the sea.
        vertices, triangles: of the mesh.
        R: (3, 3) from BODY to NED.
        position: (3,) position of CO, NED [m].
        t: time [s].
        model: pressure model, index in ``MODELS``.
        work: work arrays.
        whole: ignore partly wet triangles.
        exact: evaluate each component at each point.
    """
    # horizontally from the vessel, so that moments keep their digits far from the origin; only
    # phases need the position
    cut.turned(vertices, R, position[2], work.nodes)
    at_vertices(rows, water, position[:2], t, model, work)
    nodes, heights, out = work.nodes, work.state[0], work.pressed
    if exact:  # the cut is along the nodes' heights, too; pressures are not interpolated
        corners = work.corners
        cut.pressed_exactly(
            rows, water, position, t, model, nodes, heights, triangles, corners, out, whole
        )
    else:  # flat: ``cut`` addresses corners by index, without a view of each
        flat = work.corners.reshape(9 * cut.CORNER)
        cut.pressed(nodes, heights, work.state[1], triangles, flat, out, whole)
    about_co(position[2], out)


@compiled
def about_co(z: float, pressed: Floats) -> None:
    """Transform the moment from the mean surface above CO to CO."""
    pressed[cut.MOMENT] += z * pressed[cut.FORCE + 1]
    pressed[cut.MOMENT + 1] -= z * pressed[cut.FORCE]


@dataclass(frozen=True, eq=False)
class Pressed:
    """Wave loads on a mesh.

    Attributes:
        wrench: (6,) about CO in BODY [N, N m].
        volume: displaced volume [m³].
        wetted: wetted surface [m²].
    """

    wrench: Floats
    volume: float
    wetted: float


def pressed(
    mesh: Mesh,
    sea: Sea,
    eta: ArrayLike,
    t: float = 0.0,
    model: str = "wheeler",
    *,
    exact: bool = False,
) -> Pressed:
    """Return the wave loads on a mesh.

    Args:
        mesh: the hull.
        sea: the sea.
        eta: (6,) pose of CO, NED [m, rad].
        t: time [s].
        model: pressure model, one of ``MODELS``.
        exact: evaluate each component at each point.
    """
    pose = np.asarray(eta, np.float64)
    # contiguous, as in time steps: another layout would be compiled again
    R = np.ascontiguousarray(eul_to_rotm(pose[3:6]))
    work = Work.of(len(mesh.vertices), len(sea.rows))
    position, hull = np.ascontiguousarray(pose[:3]), (mesh.vertices, mesh.triangles)
    number = MODELS.index(model)
    integrate(sea.rows, sea.water, *hull, R, position, t, number, work, False, exact)
    out = work.pressed
    force, moment = R.T @ out[:3], R.T @ out[3:6]
    wrench = np.concatenate((force, moment))
    return Pressed(wrench, float(out[cut.VOLUME]), float(out[cut.WETTED]))


def bound(mesh: Mesh, sea: Sea) -> float:
    """Return an upper bound of the difference in force between the two evaluators [N].

    Along an edge e a function deviates from its chord by at most e² |f''|/8, and so does the cut
    of a triangle; the second derivative of a component's pressure is at most rho g a k²,
    more with a stretched profile. Summed over all triangles, wet or not.
    """
    corners = mesh.corners
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(1)
    areas = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    a, k = sea.rows[:, AMPLITUDE], sea.rows[:, NUMBER]
    # bound of the factor by which stretching of the profile increases derivatives
    steep = 1.0 + float((a * k).sum())
    curved = float((a * k**2).sum()) * steep**2 * sea.water[DENSITY] * sea.water[GRAVITY]
    # 2/8: once for the interpolated pressure, once for the cut
    return float(0.25 * curved * (areas * edges**2).sum())
