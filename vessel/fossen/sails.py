"""Compiled sails of a coefficient-form vessel: lift and drag by the angle of the apparent wind.

The command is the share p of its power, 0 to 1, that the crew takes from a sail which it trims to
every wind: C_L = p C_L(beta), C_D = C_D(0) + p (C_D(beta) - C_D(0)). At p = 0 the sail streams.

Source: lift and drag by apparent wind, and their reduction by one factor, as in velocity prediction
programs: Kerwin (1978), A Velocity Prediction Program for Ocean Racing Yachts, MIT 78-11.
"""

from __future__ import annotations

from math import atan2, cos, sin

from steerageway.vessel import kinematics
from steerageway.vessel.fossen.actuation import add_force, value
from steerageway.vessel.fossen.layout import SAIL, Record, Records, entry
from steerageway.vessel.fossen.state import P_, PHI, PSI, Q_, R_, THETA, U_, V_, WIND_E, WIND_N
from steerageway.vessel.fossen.strips import interpolated
from steerageway.world.arrays import Floats
from steerageway.world.compiled import part, record

ned_to_body = part(kinematics.ned_to_body)


@part
def forces(
    s: Record,
    channels: Records,
    effectors: Records,
    count: int,
    tables: Floats,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    tau: Floats,
) -> None:
    """Add the wrench of all sails, each in the wind relative to its own centre."""
    if s.sails == 0:
        return
    north, east = surroundings[WIND_N], surroundings[WIND_E]
    cphi, sphi, cth, sth = cos(x[PHI]), sin(x[PHI]), cos(x[THETA]), sin(x[THETA])
    u_w, v_w, _ = ned_to_body(north, east, 0.0, cphi, sphi, cth, sth, cos(x[PSI]), sin(x[PSI]))
    for i in range(count):
        E = record(effectors, i)
        if E.kind != SAIL:
            continue
        u = x[U_] + x[Q_] * E.z - x[R_] * E.y - u_w
        v = x[V_] + x[R_] * E.x - x[P_] * E.z - v_w
        beta, power = atan2(abs(v), u), value(channels, x, command, E.channel)
        cl = power * interpolated(tables, E.first_row, E.rows, beta, 1)
        streaming = tables[entry(E.first_row, 2)]
        cd = streaming + power * (interpolated(tables, E.first_row, E.rows, beta, 2) - streaming)
        pressure = 0.5 * s.air_density * E.area * (u * u + v * v)
        ahead = pressure * (cl * sin(beta) - cd * cos(beta))
        leeward = pressure * (cl * cos(beta) + cd * sin(beta))
        add_force(E, ahead, -leeward if v > 0.0 else leeward, 0.0, tau)
