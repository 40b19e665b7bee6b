"""Places a vessel in a sea: its wave loads there, and whether the sea is within their range."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import seaway
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.mesh import cut, orbital
from steerageway.vessel.wave_forces.table import HEADINGS, ForceRao
from steerageway.world import kinematics
from steerageway.world.arrays import Floats
from steerageway.world.sea import Sea

MOST = 0.5  # share of a sea's energy outside the range of the wave loads that is tolerated
LENGTHS = 2.0  # of the hull, in the shortest waves for which diffraction by its panels holds


def in_sea(vessel: Dynamics, sea: Sea) -> Dynamics:
    """Return a vessel in a sea; a vessel without wave loads is unchanged.

    Raises:
        InvalidValue: the water is not deeper than the vessel's draught.
    """
    floating = vessel.floating
    motion = vessel.wave_motion
    if motion is not None:
        envelope = replace(vessel.envelope, waves=_outside(sea, motion.rao, 0.0))
        return replace(vessel, wave_motion=motion.in_sea(sea), envelope=envelope)
    if floating is None or floating.waves == "none":
        return vessel
    depth = float(sea.water[0])
    if depth <= floating.draught:
        raise InvalidValue(
            f"water of {depth:g} m for {vessel.name}, whose draught is {floating.draught:.3g} m: "
            "expected deeper water"
        )
    p = cast(seaway.Parameters, vessel.parameters)
    # the RAOs at the sea's own frequencies: steps interpolate in heading only
    rows = np.ascontiguousarray(sea.rows)
    table = np.zeros((0, 0, 12)) if floating.rao is None else floating.rao.table_of(rows)
    drift = np.zeros((0, 0, 6))
    if floating.drift is not None:
        drift = np.ascontiguousarray(floating.drift.table_of(rows)[:, :, :6])
    water = sea.water.copy()
    water[1], water[2] = p.water[1], p.water[2]  # those the vessel was built for
    # its own work arrays, too: the vessel without a sea may be stepped beside this one
    changed = p._replace(
        rows=rows,
        water=water,
        orbits=orbital.table_of(floating.fit, rows, water, HEADINGS),
        table=table,
        drift_table=drift,
        scratch=seaway.scratch(len(p.vertices), len(rows)),
    )
    length = 0.0 if floating.mesh is None else float(np.ptp(floating.mesh.vertices[:, 0]))
    envelope = replace(vessel.envelope, waves=_outside(sea, floating.rao, length))
    return replace(vessel, parameters=changed, envelope=envelope)


def _outside(sea: Sea, rao: ForceRao | None, length: float) -> str:
    """Return how a sea is outside the range of the wave loads, as text; "" if it is not.

    Args:
        sea: the sea; components that fade out do not count.
        rao: table of the loads or motions; None: pressure on a mesh, or a closed form.
        length: of the mesh [m]; 0: none.
    """
    rows = sea.rows[np.isinf(sea.rows[:, kinematics.OFF])]
    energy = rows[:, kinematics.AMPLITUDE] ** 2
    w = rows[:, kinematics.FREQUENCY]
    if rao is not None:
        low, high = rao.omega[0], rao.omega[-1]
        outside = (w < low) | (w > high)
        range_of = f"waves outside {low:.3g} to {high:.3g} rad/s, the range of its RAOs"
    else:
        outside = rows[:, kinematics.NUMBER] * LENGTHS * length > 2.0 * np.pi
        range_of = f"waves shorter than {LENGTHS * length:.3g} m, {LENGTHS:g} times its hull"
    share = float(energy[outside].sum() / energy.sum()) if outside.any() else 0.0
    return f"{share:.0%} of the sea's energy is in {range_of}" if share > MOST else ""


def sea_loads(vessel: Dynamics, x: Floats, t: float) -> tuple[Floats, float, float]:
    """Return the sea's wrench (6,) in BODY, including weight, and the wetted volume and area.

    Args:
        vessel: vessel that floats by a mesh, or has wave loads.
        x: state.
        t: time [s].
    """
    around = vessel.surroundings(time=t)
    # the right-hand side leaves the loads of this state in the work arrays
    vessel.derivative(x, np.zeros(len(vessel.commands)), around)
    p = cast(seaway.Parameters, vessel.parameters)
    pressed = p.scratch.work.pressed
    volume, wetted = (float(pressed[i]) for i in (cut.VOLUME, cut.WETTED))
    meshed = p.own["form"] != seaway.COEFFICIENTS
    return p.scratch.wrench.copy(), volume if meshed else 0.0, wetted if meshed else 0.0
