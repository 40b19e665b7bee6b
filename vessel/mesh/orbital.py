"""The rigid motion that follows the orbital motion of waves best over a hull at rest.

A hull much shorter than the waves moves with the water around it; along one of their own length the
water moves this way and that. What of its motion the hull feels are six velocities about CO, those
of the rigid motion v that minimises the integral of ((u - v) . n)² over the wetted surface, u being
the orbital velocity. In long waves they are the velocity and the rotation of the water itself; in
shorter ones the parts of the hull cancel.

With them, M_A du/dt + B u is the diffraction force: by Haskind's relation it is the integral of
(u . n) phi_j over the surface, where the radiation potential phi_j is taken as a share of the
normal's component n_j, with the hull's own M_A and, for translation, B. The damping of rotations is
mostly viscous: it acts on the hull's own rates.

Source: Newman (1977), Marine Hydrodynamics, sections 6.16 and 6.18; the relative motion of
Salvesen, Tuck & Faltinsen (1970), Ship motions and sea loads, SNAME Transactions 78, with panels in
the place of strips.
"""

from __future__ import annotations

from math import cos, exp, inf, pi, sin
from typing import NamedTuple

import numpy as np

from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.mesh import cut
from steerageway.world import kinematics as sea
from steerageway.world.arrays import Floats, Whole
from steerageway.world.compiled import compiled
from steerageway.world.mesh import Mesh

CELLS = 16  # along the hull: panels within a cell count at its centre
SMALL = 1e-3  # share of its squared arms by which a rotation counts as motion in itself


class Fit(NamedTuple):
    """Shares of the water's velocity at points of a hull in the rigid motion that fits it.

    Attributes:
        places: (n, 3) ahead, to starboard of CO, and down from the mean surface [m].
        shares: (n, 6, 3) of the velocity at each: the sum of their products is the motion.
    """

    places: Floats
    shares: Floats


def of_point(depth: float) -> Fit:
    """Return the fit of a vessel without a mesh: the velocity at a depth [m] below CO."""
    return Fit(np.array([[0.0, 0.0, depth]]), np.eye(6, 3)[None])


def of_hull(mesh: Mesh, rest: Floats) -> Fit:
    """Return the fit of a mesh afloat.

    Args:
        mesh: the hull, about CO.
        rest: (3,) z of CO [m], roll and pitch [rad].
    """
    nodes = np.empty((3, len(mesh.vertices)))
    level = np.ascontiguousarray(eul_to_rotm(np.array([rest[1], rest[2], 0.0])))
    cut.turned(np.ascontiguousarray(mesh.vertices), level, float(rest[0]), nodes)
    triangles = np.ascontiguousarray(mesh.triangles)
    panels = np.empty((2 * len(triangles), 6))
    panels = panels[: wet_panels(nodes, triangles, np.empty(cut.CORNERS), panels)]
    places, normals = panels[:, :3], panels[:, 3:]
    areas = np.sqrt((normals**2).sum(1))
    places, normals, areas = places[areas > 0.0], normals[areas > 0.0], areas[areas > 0.0]
    arms = places - [0.0, 0.0, rest[0]]
    modes = np.concatenate((normals, np.cross(arms, normals)), axis=1)
    normal = (modes[:, :, None] * modes[:, None, :] / areas[:, None, None]).sum(0)
    # a body of revolution has no surface that turning would move: then the motion is translation
    squares = (areas[:, None] * (arms**2)).sum(0)
    normal[range(3, 6), range(3, 6)] += SMALL * (squares.sum() - squares)
    edge = float(np.ptp(places[:, 0])) / CELLS
    cells = np.floor((places - places.min(0)) / edge).astype(np.int64)
    _, which = np.unique(cells, axis=0, return_inverse=True)
    count = int(which.max()) + 1
    centres, shares, held = np.zeros((count, 3)), np.zeros((count, 6, 3)), np.zeros(count)
    # summed in the order of the panels: results are reproduced bit for bit
    np.add.at(held, which, areas)
    np.add.at(centres, which, areas[:, None] * places)
    np.add.at(shares, which, modes[:, :, None] * normals[:, None, :] / areas[:, None, None])
    solved = np.linalg.solve(normal, shares.transpose(1, 0, 2).reshape(6, -1))
    return Fit(centres / held[:, None], solved.reshape(6, count, 3).transpose(1, 0, 2).copy())


@compiled
def wet_panels(nodes: Floats, triangles: Whole, corners: Floats, out: Floats) -> int:
    """Write centre and area vector of each wet piece of a mesh in still water; return their number.

    Args:
        nodes: (3, n) vertices, z down from the surface [m].
        triangles: (m, 3) indices of vertices.
        corners: (CORNERS,) work array.
        out: (2 m, 6) results [m, m²].
    """
    done = 0
    for i in range(triangles.shape[0]):
        count = cut.clipped(nodes, nodes[2], nodes[2], triangles[i], corners)
        for last in range(2, count):
            b, c = (last - 1) * cut.CORNER, last * cut.CORNER
            for j in range(3):
                out[done, j] = (corners[j] + corners[b + j] + corners[c + j]) / 3.0
            out[done, 3], out[done, 4], out[done, 5] = cut.area_of(corners, 0, b, c)
            done += 1
    return done


def table_of(fit: Fit, rows: Floats, water: Floats, headings: int) -> Floats:
    """Return the motion in each component of a sea of 1 m: (components, headings, 12).

    Velocities about CO, ahead, to starboard and down [m/s, rad/s]: real and imaginary parts of the
    factor of e^{i phase} at CO, for headings of the waves over a full turn from the bow.
    """
    table = np.zeros((len(rows), headings, 12))
    fill(rows, float(water[sea.DEPTH]), *fit, table)
    return table


@compiled
def fill(rows: Floats, depth: float, places: Floats, shares: Floats, table: Floats) -> None:
    """Write the table of ``table_of``."""
    for i in range(rows.shape[0]):
        w, k = rows[i, sea.FREQUENCY], rows[i, sea.NUMBER]
        for h in range(table.shape[1]):
            beta = 2.0 * pi * h / table.shape[1]
            ahead, across = cos(beta), sin(beta)
            for n in range(places.shape[0]):
                z = max(places[n, 2], 0.0)
                near, far, odd = exp(-k * z), 0.0, 1.0
                if depth < inf:
                    far, odd = exp(-k * (2.0 * depth - z)), 1.0 - exp(-2.0 * k * depth)
                along, up = w * (near + far) / odd, w * (near - far) / odd
                phase = k * (ahead * places[n, 0] + across * places[n, 1])
                c, s = cos(phase), sin(phase)
                for j in range(6):
                    level = along * (shares[n, j, 0] * ahead + shares[n, j, 1] * across)
                    # e^{-i phase} times the horizontal velocity and -i times the vertical
                    table[i, h, j] += level * c - up * shares[n, j, 2] * s
                    table[i, h, 6 + j] -= level * s + up * shares[n, j, 2] * c
