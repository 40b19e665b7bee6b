"""Quadratic programmes of control allocation, solved by daqp.

min ½ (B u - tau)' Q (B u - tau) + ½ u' R u, low <= u <= high, A u <= b. Solved by daqp, a dual
active-set method, without a warm start, so that the solution depends on the problem alone and not
on earlier ones. Variables are scaled to order 1.

Source: T. A. Johansen, T. I. Fossen (2013), "Control allocation - a survey", Automatica 49;
D. Arnström, A. Bemporad, D. Axehill (2022), "A dual active-set solver for embedded quadratic
programming using recursive LDL' updates", IEEE Trans. Automatic Control 67.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec
from math import cos, pi

import numpy as np

from steerageway.vessel.errors import VesselError
from steerageway.vessel.kinematics import Array

HAS_QP = find_spec("daqp") is not None
SIDES = 16  # of the polygon inscribed in the circle of an azimuth's maximum thrust
TOLERANCE = 1e-10  # of the scaled variables
SOLVED = 1


class NoSolution(VesselError):
    """No feasible allocation; only by rounding, as 0 or the last thrusts are feasible."""


@dataclass(frozen=True)
class Problem:
    """A quadratic programme.

    Attributes:
        B: (m, n). tau: (m,). Q: (m,) weight of the unmet force. R: (n,) cost of the variables.
        low, high: (n,) bounds. A, b: (k, n), (k,) further constraints, A u <= b.
    """

    B: Array
    tau: Array
    Q: Array
    R: Array
    low: Array
    high: Array
    A: Array = field(default_factory=lambda: np.zeros((0, 0)))
    b: Array = field(default_factory=lambda: np.zeros(0))

    def cost(self, u: Array) -> float:
        """Return the objective at u."""
        miss = self.B @ u - self.tau
        return float(0.5 * miss @ (self.Q * miss) + 0.5 * u @ (self.R * u))


def solve(problem: Problem) -> Array:
    """Return the variables (n,) of minimum cost within the constraints.

    Raises:
        NoSolution: the problem is infeasible.
        ModuleNotFoundError: daqp is not installed.
    """
    import daqp

    # Variables, rows and H are scaled to order 1, as daqp's tolerances are absolute.
    scale = np.maximum(problem.high - problem.low, 1e-9)
    BS = problem.B * scale
    H = (BS.T * problem.Q) @ BS + np.diag(problem.R * scale * scale)
    f = -(BS.T * problem.Q) @ problem.tau
    unit = float(np.abs(np.diag(H)).max()) or 1.0
    k = len(problem.b)
    rows = (problem.A * scale) if k else np.zeros((0, len(scale)))
    size = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-12)
    upper = np.concatenate((problem.high / scale, problem.b / size))
    lower = np.concatenate((problem.low / scale, np.full(k, -1e30)))
    solution, _, flag, _ = daqp.solve(
        np.ascontiguousarray(H / unit),
        f / unit,
        np.ascontiguousarray(rows / size[:, np.newaxis]),
        upper,
        lower,
        np.zeros(len(upper), np.int32),
        primal_tol=TOLERANCE,
        dual_tol=TOLERANCE,
    )
    if flag != SOLVED:
        raise NoSolution(f"no allocation within the limits (daqp gives {flag})")
    u: Array = np.minimum(np.maximum(scale * solution, problem.low), problem.high)
    return u


def polygon(radius: float, sides: int = SIDES) -> tuple[Array, Array]:
    """Return rows (sides, 2) and bounds (sides,) of a regular polygon inscribed in a circle."""
    angles = (np.arange(sides) + 0.5) * 2.0 * pi / sides
    rows = np.array((np.cos(angles), np.sin(angles))).T
    return rows, np.full(sides, radius * cos(pi / sides))


def wedge(start: float, end: float) -> Array:
    """Return A (2, 2) with A f <= 0 for forces f between two directions, at most pi apart."""
    return np.array(
        ((np.sin(start), -np.cos(start)), (-np.sin(end), np.cos(end))),
    )
