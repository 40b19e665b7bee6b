"""Norrbin's steering model: yaw only, at constant speed through the water.

    T dr/dt + n_3 r³ + n_1 r = K delta

K, T and n_3 depend on the speed and are interpolated between the speeds of the data,
constant beyond the first and the last. There is neither sway nor propulsion.

Source: Norrbin (1963), On the design and analysis of the zig-zag test; the two ships' values from
Van Amerongen (1982), Adaptive Steering of Ships, as in MSS and Python Vehicle Simulator.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import Actuators
from steerageway.vessel.fossen.state import R_, U_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled


class Norrbin(NamedTuple):
    """Parameters of the model.

    Attributes:
        speeds: (k,) speeds through the water of the gains, ascending [m/s].
        K: (k,) steady yaw rate per unit rudder angle [1/s].
        T: (k,) time constants [s].
        n_3: (k,) cubic damping [s²/rad²].
        n_1: linear damping, 1 for a course-stable ship [1].
        actuators: rudder.
    """

    speeds: Floats
    K: Floats
    T: Floats
    n_3: Floats
    n_1: float
    actuators: Actuators


@compiled
def derivative(
    parameters: Norrbin, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu and the rudder angle, positive to starboard."""
    p = parameters
    u_c, _, _ = water.begin(x, surroundings, dx, True)
    speed = x[U_] - u_c
    r, delta = x[R_], actuators.position(p.actuators, x, command, 0)
    yawing = at(p.speeds, p.K, speed) * delta - at(p.speeds, p.n_3, speed) * r**3 - p.n_1 * r
    dx[R_] = yawing / at(p.speeds, p.T, speed)
    actuators.rates(p.actuators, x, command, dx)


@compiled
def at(speeds: Floats, gains: Floats, speed: float) -> float:
    """Interpolate a gain at a speed; the end values are held."""
    gain: float = gains[0]
    for i in range(1, speeds.size):
        if speed > speeds[i - 1]:
            part = min((speed - speeds[i - 1]) / (speeds[i] - speeds[i - 1]), 1.0)
            gain = gains[i - 1] + part * (gains[i] - gains[i - 1])
    return gain


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder; the gains by speed are ``gains`` in hydrodynamics.yml.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    hydrodynamics = folder["hydrodynamics"]
    table = []
    for row in hydrodynamics.sections(pub.GAINS):
        table.append(
            [
                row.positive(pub.NORRBIN_U),
                row.number(pub.NORRBIN_K),
                row.positive(pub.NORRBIN_T),
                row.number(pub.NORRBIN_N3),
            ]
        )
        row.finish()
        if len(table) > 1 and table[-1][0] <= table[-2][0]:
            row.wrong(
                pub.NORRBIN_U, f"{table[-1][0]:g}", "a speed above the one before it [m/s]", None
            )
    if not table:
        table = hydrodynamics.wrong(pub.GAINS, "none", "a list of U, K, T and n_3", [[1.0] * 4])
    speeds, K, T, n_3 = np.array(table).T.copy()
    drives = files.surfaces(folder, 1)
    moved = files.actuators(folder, drives, files.stops(folder))
    parameters = Norrbin(speeds, K, T, n_3, hydrodynamics.number(pub.NORRBIN_N1), moved)
    return files.assembled(folder, MODEL, parameters, drives)
