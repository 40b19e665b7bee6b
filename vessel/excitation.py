"""``Identification``: the task of moving a vessel so that its damping can be identified."""

from __future__ import annotations

from math import pi
from typing import ClassVar

import numpy as np

from steerageway.vessel.fossen.state import PSI, R_, U_, V_
from steerageway.vessel.learning.geometry import bearing
from steerageway.vessel.tasks import MOTION, Features, Scale, Shown, Task, direction, motion
from steerageway.world.arrays import Flags, Floats, Whole

TERMS = ("u", "u_u", "v", "v_v", "r", "r_r")  # damping: linear and quadratic


class Identification(Task):
    """Move so that damping in surge, sway and yaw can be told apart, within thirty lengths.

    The forces of damping are linear in their coefficients: the regressors ``TERMS`` of each step,
    of the velocities over full speed, add to an information matrix, which begins as the unit
    matrix. The design is D-optimal: the reward of a step is by how much the logarithm of the
    determinant grows. It fails thirty lengths from the centre.

    Source: Goodwin & Payne (1977), Dynamic system identification, chapter 6; the determinant by
    the matrix determinant lemma, the inverse by Sherman & Morrison (1950).
    """

    shown = (
        *(Shown(f"spread_{term}", high=0.0) for term in TERMS),
        Shown("distance", "m", low=0.0),
        *direction("bearing"),
        *MOTION,
    )
    told = ("information",)
    FAR: ClassVar[float] = 30.0

    def __init__(self, scale: Scale, count: int, dt: float) -> None:
        super().__init__(scale, count, dt)
        self.centre = np.zeros((count, 2))  # north, east [m]
        self.covariance = np.tile(np.eye(len(TERMS)), (count, 1, 1))
        self.information = np.zeros(count)

    def draw(self, random: np.random.Generator, which: Whole, x: Floats) -> None:
        self.covariance[which], self.information[which] = np.eye(len(TERMS)), 0.0
        self.centre[which] = 0.0
        x[:, PSI] = random.uniform(-pi, pi, len(x))

    def aim(self, goal: Floats) -> None:
        """Give the centre (2,), north and east [m]."""
        self.centre = np.tile(goal, (self.count, 1))

    def marks(self, i: int) -> list[Floats]:
        turn = np.linspace(0.0, 2.0 * pi, 60)
        circle = self.FAR * self.scale.length * np.stack((np.cos(turn), np.sin(turn)), axis=-1)
        return [self.centre[i] + circle]

    def regressors(self, x: Floats) -> Floats:
        """Return the ``TERMS`` of all vessels (N, 6), without dimension."""
        L, U = self.scale
        rates = x[:, (U_, V_, R_)] / (U, U, U / L)
        return np.stack((rates, abs(rates) * rates), axis=-1).reshape(len(x), len(TERMS))

    def features(self, x: Floats) -> dict[str, Floats]:
        """Return what is known, as log variances of the ``TERMS``, and where the centre is."""
        phi = self.regressors(x) * self.moves[:, None]
        along = np.einsum("nij,nj->ni", self.covariance, phi)
        grown = 1.0 + np.einsum("ni,ni->n", phi, along)
        self.covariance -= along[:, :, None] * (along / grown[:, None])[:, None, :]
        gain = np.log(grown)
        self.information += gain
        seen = np.empty((4, self.count))
        bearing(x, self.centre, seen)
        spread = np.log(np.einsum("nii->in", self.covariance))
        names = ("distance", "bearing", "sin_bearing", "cos_bearing")
        return {
            **{f"spread_{term}": row for term, row in zip(TERMS, spread, strict=True)},
            "gain": gain,
            "information": self.information.copy(),
            **dict(zip(names, seen, strict=True)),
            **motion(x),
        }

    def reward(self, f: Features) -> Floats:
        """Return how much the logarithm of the information's determinant has grown."""
        return f["gain"]

    def ends(self, f: Features) -> tuple[Flags, Flags]:
        return np.zeros(self.count, np.bool_), f["distance"] > self.FAR * self.scale.length
