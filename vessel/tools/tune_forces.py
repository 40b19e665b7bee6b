"""``steerageway vessel tune NAME --controller dp|pose|velocity``: gains of force controllers.

Pole placement, or a linear quadratic regulator, for each degree of freedom by its mass with added
mass, its linear damping at rest, and a bandwidth; limits are a fraction of the thrusters' maximum
force along that axis alone. Each set of gains is tried on the vessel's own equations.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from steerageway.vessel.control_allocation import AXES, Allocator, Layout, Options, layout_of
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.force_control import AxisGains, VelocityGains, placed, placed_velocity
from steerageway.vessel.force_control import regulated as of_least_cost
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.kinematics import Array
from steerageway.vessel.tools.closed_loop import tried
from steerageway.vessel.tools.inertia import coefficients

BLOCKS = {"dp": "pDynamicPositioning", "pose": "pPoseControl", "velocity": "pVelocityPID"}
PLANE = (0, 1, 5)
DEEP = 50.0  # [m]
FAR = 1e9  # force beyond every thruster's limit [N]
LONG = 1e3  # time step in which azimuths turn to any angle [s]
LEFT = 0.7  # limit as a fraction of the maximum force; the rest is left for other axes
METHODS = ("poles", "lqr")


def tune_forces(
    vessel: Dynamics, controller: str, bandwidth: float, method: str = METHODS[0]
) -> Iterator[str]:
    """Yield the lines of a configuration block.

    Args:
        controller: ``dp``, ``pose`` or ``velocity``. bandwidth: natural frequency [rad/s].
        method: ``poles`` or ``lqr``.

    Raises:
        InvalidValue: the thrusters do not reach an axis of the controller.
    """
    if not 0.0 < bandwidth < 10.0:
        raise InvalidValue(f"--bandwidth {bandwidth:g}: expected a number above 0, below 10 rad/s")
    layout, _ = layout_of(vessel)
    wanted = {"dp": PLANE, "pose": tuple(layout.reached()), "velocity": (0, 5)}[controller]
    layout, _ = layout_of(vessel, wanted)
    mass, damping = _mass(vessel), _damping(vessel)
    yield f"// {vessel.name}, with a bandwidth of {bandwidth:g} rad/s"
    yield f"ProcessConfig = {BLOCKS[controller]}"
    yield "{"
    yield "  AppTick = 10"
    for i, axis in enumerate(wanted):
        plant = (float(mass[axis]), float(damping[axis]), bandwidth)
        limit = LEFT * _most(layout, i)
        gains: AxisGains | VelocityGains
        if method == "lqr":
            gains = of_least_cost(*plant, limit=limit, velocity=controller == "velocity")
        elif controller == "velocity":
            gains = placed_velocity(*plant, limit)
        else:
            gains = placed(*plant, limit=limit)
        yield ""
        yield f"  // {tried(vessel, axis, gains, bandwidth)}"
        for key in ("kp", "ki") if controller == "velocity" else ("kp", "kd", "ki"):
            yield f"  {AXES[axis]}_{key}    = {getattr(gains, key):.3g}"
        yield f"  {AXES[axis]}_limit = {limit:.3g}"
    excess = float(coefficients(vessel).scalars["excess"])
    if controller == "pose" and excess:
        yield ""
        yield f"  buoyancy = {-excess:.4g}"
    yield "}"


def _mass(vessel: Dynamics) -> Array:
    """Return the diagonal of M (6,)."""
    diagonal: Array = np.diag(np.linalg.pinv(coefficients(vessel).matrices[at.M_INV]))
    return diagonal


def _damping(vessel: Dynamics) -> Array:
    """Return the diagonal of the linear damping at rest (6,), 0 where it is negative."""
    x = vessel.initial.copy()
    x[6:12] = 0.0
    if coefficients(vessel).scalars["surface"] > 0.0:
        x[2] = DEEP
    slopes = vessel.jacobian(x, np.zeros(len(vessel.commands)))[6:12, 6:12]
    M = np.linalg.pinv(coefficients(vessel).matrices[at.M_INV])
    damping: Array = np.maximum(-np.diag(M @ slopes), 0.0)
    return damping


def _most(layout: Layout, i: int) -> float:
    """Return the maximum force [N, N m] along one axis alone."""
    tau = np.zeros(len(layout.axes))
    tau[i] = FAR
    allocator = Allocator(layout, Options("weighted"))
    for _ in range(3):  # azimuths turn first
        made = allocator.step(tau, LONG).made
    return float(made[i])
