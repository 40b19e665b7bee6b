"""The pressure of the sea on a mesh: buoyancy, restoring and Froude-Krylov forces in one.

Two evaluators of the same integral over the wet surface:

- ``exactly``: every component at every midpoint of every wet piece; what tests compare with;
- ``nodal``: every component at every vertex, and pressure linear between: for time steps. The
  vertices are the patch of water near the vessel, which moves with it. Its difference from the
  exact one falls with the square of the triangles' edges; ``bound`` says how large it may be.

In still water both are exact. Phases come from absolute time in both.
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
"""Pressure models, in the order of their numbers in ``cut``."""


class Work(NamedTuple):
    """Arrays that a mesh's loads are worked out in; nothing is kept in them.

    Attributes:
        nodes: (3, n) vertices, axes NED, from the vertical through CO and the mean surface.
        field: (2, n) elevation and dynamic pressure at them.
        state: (2, n) height of water and total pressure at them.
        waves: (components + 1, BLOCK).
        corners: (9, CORNER).
        pressed: (PRESSED,).
    """

    nodes: Floats
    field: Floats
    state: Floats
    waves: Floats
    corners: Floats
    pressed: Floats

    @classmethod
    def of(cls, vertices: int, components: int) -> Work:
        """Make them for a mesh and a sea."""
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
    """Fill in elevation, height of water and total pressure at the nodes."""
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
        state[0, i] = z if model == cut.LINEAR else z + field[0, i]
        state[1, i] = weight * z + field[1, i]


@compiled
def nodal(
    rows: Floats,
    water: Floats,
    vertices: Floats,
    triangles: Whole,
    R: Floats,
    position: Floats,
    t: float,
    model: int,
    work: Work,
    whole: bool = False,
) -> None:
    """Write into ``work.pressed`` force and moment about CO, axes NED, volume, wetted surface.

    Args:
        rows, water: the sea's.
        vertices, triangles: the mesh's.
        R: (3, 3) from BODY to NED.
        position: (3,) of CO, NED [m].
        t: [s].
        model: of pressure, its place in ``MODELS``.
        work: written over.
        whole: leave out triangles that are not wet as a whole.
    """
    cut.turned(vertices, R, position[2], work.nodes)
    at_vertices(rows, water, position[:2], t, model, work)
    corners = work.corners.reshape(9 * cut.CORNER)
    heights, pressures = work.state[0], work.state[1]
    cut.pressed(work.nodes, heights, pressures, triangles, corners, work.pressed, whole)
    about_co(position[2], work.pressed)


@compiled
def exactly(
    rows: Floats,
    water: Floats,
    vertices: Floats,
    triangles: Whole,
    R: Floats,
    position: Floats,
    t: float,
    model: int,
    work: Work,
    whole: bool = False,
) -> None:
    """Write what ``nodal`` does, each component evaluated at each point."""
    cut.turned(vertices, R, position[2], work.nodes)
    at_vertices(rows, water, position[:2], t, model, work)
    cut.pressed_exactly(
        rows,
        water,
        position,
        t,
        model,
        work.nodes,
        work.state[0],
        triangles,
        work.corners,
        work.pressed,
        whole,
    )
    about_co(position[2], work.pressed)


@compiled
def about_co(z: float, pressed: Floats) -> None:
    """Move the moment from the mean surface above CO to CO."""
    pressed[cut.MOMENT] += z * pressed[cut.FORCE + 1]
    pressed[cut.MOMENT + 1] -= z * pressed[cut.FORCE]


@dataclass(frozen=True, eq=False)
class Pressed:
    """What the sea does to a mesh.

    Attributes:
        wrench: (6,) about CO in BODY [N, N m].
        volume: below the surface [m³].
        wetted: surface [m²].
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
    """Return the sea's pressure on a mesh.

    Args:
        mesh: the hull.
        sea: around it.
        eta: (6,) pose of CO, NED [m, rad].
        t: [s].
        model: of pressure, one of ``MODELS``.
        exact: evaluate each component at each point.
    """
    pose = np.asarray(eta, np.float64)
    R = np.ascontiguousarray(eul_to_rotm(pose[3:6]))
    work = Work.of(len(mesh.vertices), len(sea.rows))
    evaluate = exactly if exact else nodal
    position = np.ascontiguousarray(pose[:3])
    number = MODELS.index(model)
    evaluate(sea.rows, sea.water, mesh.vertices, mesh.triangles, R, position, t, number, work)
    out = work.pressed
    force, moment = R.T @ out[:3], R.T @ out[3:6]
    wrench = np.concatenate((force, moment))
    return Pressed(wrench, float(out[cut.VOLUME]), float(out[cut.WETTED]))


def bound(mesh: Mesh, sea: Sea) -> float:
    """Return what the force by the nodal evaluator differs from the exact one at most [N].

    Along an edge e a function is off its chord by at most e² |f''|/8, and so is what the cut
    of a triangle inherits; the second derivative of a component's pressure is at most rho g a k²,
    and more by the stretching of its profile. Summed over all triangles, wet or not.
    """
    corners = mesh.corners
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(1)
    areas = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    a, k = sea.rows[:, AMPLITUDE], sea.rows[:, NUMBER]
    steep = 1.0 + float((a * k).sum())
    curved = float((a * k**2).sum()) * steep**2 * sea.water[DENSITY] * sea.water[GRAVITY]
    return float(0.25 * curved * (areas * edges**2).sum())
