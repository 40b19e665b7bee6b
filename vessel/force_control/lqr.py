"""Linear quadratic regulators: state feedback of least cost, and integrators for a zero error."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.world.arrays import Floats

STILL = 1e-9  # real part of an eigenvalue on the imaginary axis, relative to the largest


def lqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> Floats:
    """Return K (m, n) of u = -K x that minimises the integral of x'Q x + u'R u.

    Args:
        A: (n, n). B: (n, m). Q: (n, n), positive semidefinite. R: (m, m), positive definite.

    Raises:
        InvalidValue: no feedback stabilises it: a mode that does not decay is not reached by the
            inputs, or not seen by Q.

    Source: Laub (1979), A Schur method for solving algebraic Riccati equations, section II.
    """
    F, G, cost, effort = (np.asarray(M, np.float64) for M in (A, B, Q, R))
    n, pushed = len(F), np.linalg.solve(effort, G.T)
    hamiltonian = np.block([[F, -G @ pushed], [-cost, -F.T]])
    values, vectors = np.linalg.eig(hamiltonian)
    stable = values.real < -STILL * max(1.0, float(abs(values).max()))
    upper, lower = vectors[:n, stable], vectors[n:, stable]
    if stable.sum() != n or np.linalg.matrix_rank(upper) < n:
        raise InvalidValue(
            "no feedback of least cost: a mode that does not decay is not reached by the inputs, "
            "or has no weight in Q"
        )
    P = np.real(lower @ np.linalg.inv(upper))
    K: Floats = pushed @ ((P + P.T) / 2.0)
    return K
