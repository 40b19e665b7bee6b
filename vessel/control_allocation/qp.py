"""The optimisation problems of control allocation.

min ½ (B u - tau)' Q (B u - tau) + ½ u' R u, low <= u <= high, A u <= b. Solved by daqp, a dual
active-set method, without a warm start: the same problem has the same answer, whatever came
before. Variables are scaled to order 1.

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
SIDES = 16  # of the polygon within the circle of an azimuth's greatest thrust
TOLERANCE = 1e-10  # of the scaled variables
SOLVED = 1


class NoSolution(VesselError):
    """The limits of an allocation leave nothing; should not happen, as 0 or what was is within."""


@dataclass(frozen=True)
class Problem:
    """A quadratic programme.

    Attributes:
        B: (m, n). tau: (m,). Q: (m,) weight of what is not met. R: (n,) cost of the variables.
        low, high: (n,) bounds. A, b: (k, n), (k,) further limits, A u <= b.
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
        """Return what is minimised."""
        miss = self.B @ u - self.tau
        return float(0.5 * miss @ (self.Q * miss) + 0.5 * u @ (self.R * u))


def solve(problem: Problem) -> Array:
    """Return the variables (n,) of least cost within the limits.

    Raises:
        NoSolution: there is none.
        ModuleNotFoundError: daqp is not installed.
    """
    import daqp

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
    """Return rows (sides, 2), bounds (sides,) of a regular polygon with its corners on a circle."""
    angles = (np.arange(sides) + 0.5) * 2.0 * pi / sides
    rows = np.array((np.cos(angles), np.sin(angles))).T
    return rows, np.full(sides, radius * cos(pi / sides))


def wedge(start: float, end: float) -> Array:
    """Return rows (2, 2) with rows f <= 0 for forces between two directions, at most pi apart."""
    return np.array(
        ((np.sin(start), -np.cos(start)), (-np.sin(end), np.cos(end))),
    )
