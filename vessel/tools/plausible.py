"""Whether a valid vessel is a plausible one: how it floats, and how it steers, by known rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import atan2, degrees, log
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.estimates.sheet import floats_of, mesh_of
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.file_warnings import file_doubts
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import centre, frame_of
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import U_
from steerageway.vessel.mesh.hydrostatics import afloat, draught
from steerageway.vessel.tools.inertia import is_coefficient_form, mass_of
from steerageway.vessel.tools.linear import rates_of_decay
from steerageway.vessel.tools.manoeuvres import imo_limits
from steerageway.vessel.tools.matrices import matrix_remarks
from steerageway.vessel.tools.righting import stability_remarks
from steerageway.vessel.tools.trials import NOT_BACK, drives, full_ahead, zigzag
from steerageway.vessel.tools.warnings import remarks
from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh

LADEN = 0.05  # difference of mass and displacement to the drawn waterline, as a fraction
TRIM = 1.0  # trim at rest that is told [deg]
LEVER = 0.01  # distance of CB and CG along a hull without a mesh, as a fraction of the length
ADRIFT = 90.0  # overshoot of a 10/10 zig-zag beyond which it cannot be steered [deg]
SWAY_YAW = [1, 5]
COURSE = "Principles of Naval Architecture III (1989), chapter IX, section 4"
IMO = "IMO MSC.137(76), 5.3.3, for ships of 100 m and more"


class Finding(NamedTuple):
    """What a rule says of a vessel: ``kind`` is "warning", or "fact" for what is no fault."""

    kind: str
    text: str


def warnings_of(files: Folder, vessel: Dynamics) -> Iterator[str]:
    """Yield the plausibility warnings of a valid vessel, each with its folder."""
    folder = files.path
    if is_coefficient_form(vessel):
        yield from (f"{folder}/{remark}" for remark in matrix_remarks(files))
        yield from file_doubts(files)
        yield from (f"{folder}/geometry.yml: {remark}" for remark in floating_remarks(files))
    yield from (f"{folder}: {remark}" for remark in remarks(vessel))
    yield from (f"{folder}: {remark}" for remark in stability_remarks(vessel))


def findings(files: Folder, vessel: Dynamics) -> Iterator[Finding]:
    """Yield the warnings of a valid vessel, and what its derivatives and a zig-zag say."""
    for text in warnings_of(files, vessel):
        yield Finding("warning", text)
    orders = orders_of(vessel)
    try:
        cruise = full_ahead(vessel, orders)
    except (NotFinite, OutsideEnvelope):
        return  # a warning already
    top = float(cruise[U_])
    service = files["vessel"].number(ves.U, 0.0) or top
    if service > 0.0:
        yield Finding("fact", course_stability(vessel, service))
    if not orders.rudder.any() or not drives(vessel, orders):
        return
    try:
        overshoots = zigzag(vessel, orders, cruise, 10.0)
    except (NotFinite, OutsideEnvelope) as error:
        yield Finding("warning", f"in a 10/10 zig-zag its model fails: {error.what}")
        return
    yield from _steered(files, overshoots, top)


def course_stability(vessel: Dynamics, speed: float) -> str:
    """Return whether a vessel holds a course by itself, by Y_v N_r - N_v (Y_r - m U), as text.

    Args:
        vessel: the vessel. speed: ahead [m/s]; rudders are amidships, propellers stopped.

    Source: Principles of Naval Architecture III (1989), chapter IX, section 4.
    """
    rates = rates_of_decay(vessel, speed)
    index = ""
    if is_coefficient_form(vessel):
        forces = (mass_of(vessel).M @ rates)[np.ix_(SWAY_YAW, SWAY_YAW)]
        index = f", Y_v N_r - N_v (Y_r - m U) = {float(np.linalg.det(forces)):.3g}"
    growth = float(np.linalg.eigvals(-rates[np.ix_(SWAY_YAW, SWAY_YAW)]).real.max())
    if growth <= 0.0:
        return f"at {speed:.3g} m/s it holds a course by itself{index} ({COURSE})"
    return (
        f"at {speed:.3g} m/s it does not hold a course without a controller{index}: a turn doubles "
        f"in {log(2.0) / growth:.2g} s. Many vessels are so, and are steered ({COURSE})"
    )


def _steered(
    files: Folder, overshoots: tuple[float, ...] | None, speed: float
) -> Iterator[Finding]:
    if overshoots is None:
        yield Finding("warning", f"10/10 zig-zag: {NOT_BACK}")
        return
    if max(overshoots) > ADRIFT:
        yield Finding(
            "warning",
            f"10/10 zig-zag: it overshoots by {max(overshoots):.0f}°, more than a quarter turn: no "
            "helm steers it so; expected a larger rudder, or more damping in yaw",
        )
    geometry = files["geometry"]
    if not (geo.LENGTH in geometry and floats_of(files, geometry.number(geo.DRAFT, 0.0))):
        return
    limits = imo_limits(geometry.positive(geo.LENGTH), speed)
    for name, value in zip(("first", "second"), overshoots, strict=False):
        most = limits["zigzag_10", f"{name}_overshoot"]
        if value > most:
            text = f"10/10 zig-zag: {name} overshoot {value:.1f}°, limit {most:.1f}° ({IMO})"
            yield Finding("fact", text)


def floating_remarks(files: Folder) -> Iterator[str]:
    """Yield warnings of a floating hull whose mass or CG disagrees with its drawing's waterline."""
    geometry, inertia = files["geometry"], files["inertia"]
    if not floats_of(files, geometry.number(geo.DRAFT, 0.0)):
        return
    frame = frame_of(geometry)
    G = frame.origin
    if geo.CG in geometry:
        G = centre(geometry, geo.CG).vector(geo.POSITION, 3, G.tolist())
    if geo.MESH in geometry:
        mass = inertia.number(inr.MASS) + inertia.section(inr.PAYLOAD).number(inr.PAYLOAD_MASS)
        with suppress(InvalidValue):  # an error of the check, if it floats by its mesh
            T = geometry.number(geo.DRAFT, 0.0) or None
            yield from _by_mesh(mesh_of(files), mass, files["vessel"].number(ves.DENSITY), G, T)
    elif geo.CB in geometry:
        lever = float(centre(geometry, geo.CB).vector(geo.POSITION, 3, G.tolist())[0] - G[0])
        if abs(lever) > LEVER * geometry.positive(geo.LENGTH):
            side = "forward of" if lever > 0.0 else "abaft"
            yield f"CB lies {abs(lever):.3g} m {side} CG: a vessel at rest has one above the other"


def _by_mesh(mesh: Mesh, mass: float, density: float, G: Floats, T: float | None) -> Iterator[str]:
    """Yield the warnings of a hull in its drawing's frame.

    Its drawn waterline is ``T``, the draught, above the keel; without one it is z = 0.

    Source: Archimedes; trim by the lever of weight and buoyancy over BM_L.
    """
    rest = draught(mesh, mass / density)
    at = 0.0 if T is None else T - float(mesh.vertices[:, 2].max())
    line = "z = 0" if T is None else f"a draught of {T:g} m"
    drawn = density * afloat(mesh, at).volume
    if drawn > 0.0 and abs(drawn - mass) > LADEN * drawn:
        how = "deeper" if rest > at else "higher"
        yield (
            f"mass {mass:.4g} kg, but to the drawn waterline, {line}, the hull displaces "
            f"{drawn:.4g} kg: it floats {abs(rest - at):.2g} m {how}; expected another mass, or "
            f"another {'origin of the mesh' if T is None else 'draft'} (Archimedes)"
        )
    water = afloat(mesh, rest)
    lever = float(water.centre[0] - G[0])
    trim = degrees(atan2(lever, water.I_L / water.volume))
    if abs(trim) > TRIM:
        side, end = ("forward of", "stern") if lever > 0.0 else ("abaft", "bow")
        yield (
            f"LCB lies {abs(lever):.3g} m {side} CG: it trims by {abs(trim):.2g}° by the {end}; at "
            "rest one is above the other: expected another CG (lever over BM_L)"
        )
