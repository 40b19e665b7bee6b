"""Estimates of a vessel: from its folder, complete or not, or from a hull."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import cos
from pathlib import Path

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.estimates import dynamics, speed, statics
from steerageway.vessel.estimates.hull import Hull, of_dimensions, of_mesh
from steerageway.vessel.estimates.record import Estimate, Sheet
from steerageway.vessel.estimates.speed import RPM, Propeller, TopSpeed
from steerageway.vessel.fossen.build_damping import damping, straight_ahead
from steerageway.vessel.fossen.folder import Folder, read_folder
from steerageway.vessel.fossen.frame import centre, frame_of
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.world.document import Section
from steerageway.world.mesh import Mesh, read

QUADRATIC = "X_u_au"
NO_LIFT = {"density": 0.0, "lift_area": 0.0, "lift_cd0": 0.0}
NEEDS = "a mesh in geometry.yml with a mass or a draft, or length, breadth and draft with a mass"


def of_hull(
    hull: Hull,
    propellers: Sequence[Propeller] = (),
    cruise: float = 0.0,
    known: TopSpeed | None = None,
) -> Sheet:
    """Return the estimates of a hull.

    Args:
        hull: the hull.
        propellers: thrusters that propel it ahead.
        cruise: speed of linear coefficients [m/s]; 0: 60 % of the maximum speed.
        known: its top speed; None: unknown.
    """
    sheet = Sheet(group="hydrostatics")
    statics.add_displacement(sheet, hull)
    statics.add_stability(sheet, hull)
    sheet.group = "inertia"
    radii = statics.add_gyration(sheet, hull)
    added = dynamics.add_added_mass(sheet, hull, radii)
    sheet.group = "speed"
    speed.add_speed(sheet, hull, propellers, cruise, known)
    at = cruise or 0.6 * (sheet.value("top speed") or 0.0) or 0.15 * (hull.gravity * hull.L) ** 0.5
    sheet.group = "damping"
    dynamics.add_clarke(sheet, hull, at)
    dynamics.add_cross_flow(sheet, hull)
    dynamics.add_oscillations(sheet, hull, radii, added)
    return sheet


def of_folder(path: Path, top: float = 0.0, push: tuple[float, str] | None = None) -> Sheet:
    """Return the estimates of a vessel folder, which may be incomplete.

    Args:
        path: the folder.
        top: known top speed [m/s]; 0: unknown.
        push: thrust ahead at top speed [N], and its source; None: of the files' thrusters.

    Raises:
        InvalidValue: there is too little data, or a file is invalid.
    """
    folder = read_folder(path)
    hull, propellers = hull_of(folder), tuple(propellers_of(folder))
    known = known_of(folder, hull.density, top, push, propellers) if top else None
    sheet = of_hull(hull, propellers, folder["vessel"].number(ves.U), known)
    sheet.estimates = [replace(each, given=_given(folder, each)) for each in sheet.estimates]
    return sheet


def known_of(
    folder: Folder,
    density: float,
    top: float,
    push: tuple[float, str] | None,
    propellers: Sequence[Propeller],
) -> TopSpeed:
    """Return a top speed [m/s] with the thrust at it, and the files' damping at it.

    Raises:
        InvalidValue: no thrust is given, and the files have none at this speed.
    """
    total = sum(propeller.thrust(top, density) for propeller in propellers)
    thrust, source = push or (total, "thrust of the files' thrusters")
    if not thrust > 0.0:
        raise InvalidValue(
            f"a top speed of {top:g} m/s, and no thrust ahead at it: expected --thrust, --power, "
            "or thrusters whose thrust the files define",
            str(folder.path),
        )
    hydrodynamics = folder["hydrodynamics"]
    if not hydrodynamics.flag(hyd.DIM_FLAG):
        hydrodynamics.fail(hyd.DIM_FLAG, "false", "coefficients in SI, with a top speed")
    without = {name: one for name, one in hydrodynamics.nodes.items() if name != QUADRATIC}
    others = {**folder.files, "hydrodynamics": replace(hydrodynamics, nodes=without)}
    terms, measured = damping(replace(folder, files=others), density, top)
    scalars = {**NO_LIFT, "fade": hydrodynamics.number(hyd.FADE_RATE)}
    return TopSpeed(top, thrust, source, -straight_ahead(terms, measured, scalars, top))


def hull_of(folder: Folder) -> Hull:
    """Return the hull of a folder: from its mesh, else from its main dimensions.

    Raises:
        InvalidValue: there is neither.
    """
    geometry, inertia, vessel = folder["geometry"], folder["inertia"], folder["vessel"]
    density, gravity = vessel.number(ves.DENSITY), vessel.number(ves.GRAVITY)
    mass = inertia.number(inr.MASS, 0.0)
    draught = geometry.number(geo.DRAFT, 0.0)
    floats = floats_of(folder, draught)
    frame = frame_of(geometry)
    r_bg = None
    if geo.CG in geometry:
        r_bg = frame.place(centre(geometry, geo.CG).vector(geo.POSITION))
    if geo.MESH in geometry:
        mesh = mesh_of(folder)
        placed = Mesh((mesh.vertices - frame.origin) @ frame.R, mesh.triangles)
        return of_mesh(
            placed,
            mass=mass,
            draught=draught,
            r_bg=r_bg,
            floats=floats,
            density=density,
            gravity=gravity,
        )
    length, breadth = geometry.number(geo.LENGTH, 0.0), geometry.number(geo.BREADTH, 0.0)
    height = draught or geometry.number(geo.DEPTH, 0.0)
    if not (length and breadth and height and mass):
        raise InvalidValue(f"too little to estimate from: expected {NEEDS}", str(folder.path))
    KG = height - float(r_bg[2]) if r_bg is not None and floats else None
    return of_dimensions(
        length,
        breadth,
        height,
        mass=min(mass, density * length * breadth * height),
        KG=KG,
        r_bg=r_bg,
        floats=floats,
        density=density,
        gravity=gravity,
    )


def floats_of(folder: Folder, draught: float) -> bool:
    """Whether a vessel's files describe a floating vessel."""
    hydrodynamics = folder["hydrodynamics"]
    afloat = hyd.RESTORING in hydrodynamics or hyd.HYDROSTATICS in hydrodynamics
    under = folder["vessel"].text(ves.TYPE).lower() in ("auv", "rov", "uuv")
    return not under and (afloat or draught > 0.0 or geo.MESH in folder["geometry"])


def mesh_of(folder: Folder) -> Mesh:
    """Read the mesh of a folder's geometry, in the drawing frame [m]."""
    section = folder["geometry"].section(geo.MESH)
    if geo.MESH_FILE not in section:
        section.fail(geo.MESH_FILE, "nothing", "a mesh file")
    path = folder.find(section, geo.MESH_FILE)
    axes = section.choice(geo.MESH_AXES)
    mesh = read(path, section.positive(geo.SCALE), axes, section.vector(geo.ORIGIN))
    volume = section.number(geo.MESH_VOLUME)
    return mesh.scaled_to(volume) if volume else mesh


def propellers_of(folder: Folder) -> Iterator[Propeller]:
    """Return the thrusters whose thrust is defined by the files, at maximum command."""
    for i, section in enumerate(folder["thrusters"].sections(thr.THRUSTERS), 1):
        angles = section.vector(thr.ORIENTATION)
        ahead = cos(float(angles[2])) * cos(float(angles[1]))
        if thr.N_MAX not in section or abs(ahead) < 1e-6:
            continue
        most = section.number(thr.N_MAX)
        rate = most * RPM if section.choice(thr.UNIT) == "rpm" else most
        name = section.text(thr.THRUSTER_ID, str(i))
        if thr.AHEAD in section:
            c1, c2, c3 = section.vector(thr.AHEAD).tolist()
            yield Propeller(name, ahead, push=c1 * rate + c2 * rate**2 + c3 * rate**3)
        elif thr.D_PROP in section and thr.KT_AT_J0 in section:
            KT = section.number(thr.KT_AT_J0)
            yield Propeller(
                name,
                ahead,
                section.number(thr.D_PROP),
                rate / (2.0 * np.pi),
                KT,
                section.number(thr.KT_SLOPE, -KT),
                section.number(thr.TP),
                section.number(thr.WAKE),
            )


def _given(folder: Folder, estimate: Estimate) -> float | None:
    """Return the value in the files for an estimate's key; None: none."""
    file, *path = estimate.key.split(".")
    if file not in folder.files:
        return None
    section: Section = folder[file]
    for i, name in enumerate(path):
        if name not in section.nodes:
            return None
        if i + 1 < len(path) and path[i + 1].isdecimal():
            return float(section.vector(name, 3)[int(path[i + 1]) - 1])
        if i + 1 < len(path):
            section = section.section(name)
    return section.number(path[-1])
