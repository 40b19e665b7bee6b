"""Builds the hull forces of a coefficient-form vessel: scalars, stiffness and strips."""

from __future__ import annotations

import numpy as np

from steerageway.vessel.cross_flow import (
    CYLINDER_ASPECT,
    CYLINDER_KEPT_SUBCRITICAL,
    CYLINDER_KEPT_SUPERCRITICAL,
    VISCOSITY,
    Hoerner,
    section_strips,
)
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.build_mass import Masses
from steerageway.vessel.fossen.build_scalings import displaced_mass
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.restoring import Gmtrx
from steerageway.vessel.rigid_body import Hmtrx
from steerageway.world import gdf
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

AUV = "auv"  # Panisim's vessel type with cross-flow drag in heave and pitch too
STRIPS = 20  # of a mesh, along the hull
LENGTHS = 0.5, 2.0  # limits of mesh length over vessel length; beyond, the mesh is not in metres
STATIONS = 3  # number along a submerged hull, see ``hull.emerge``


def hull_scalars(
    folder: Folder, frame: Frame, mass: Masses, density: float, gravity: float
) -> tuple[at.Record, Floats, Floats, Floats]:
    """Return the hull's scalars, G (6, 6), its inverse where non-zero, and strips (n, 3)."""
    hydrodynamics = folder["hydrodynamics"]
    s = at.record_of(at.HULL)
    s["density"] = density
    s["fade"] = hydrodynamics.number(hyd.FADE_RATE)
    s["fade_form"] = hyd.FADE_SPEED.choices.index(hydrodynamics.choice(hyd.FADE_SPEED))
    s["current"] = hyd.CURRENT.choices.index(hydrodynamics.choice(hyd.CURRENT))
    G = _restoring(folder, mass, density, gravity, s)
    compliance = _compliance(G)
    _payload(folder, mass, gravity, compliance, s)
    strips = _cross_flow(folder, frame, s)
    _lift(hydrodynamics.section(hyd.LIFT), s)
    _wind(folder["geometry"], s)
    return s, G, compliance, strips


def _restoring(
    folder: Folder, mass: Masses, density: float, gravity: float, s: at.Record
) -> Floats:
    """Fill in weight and buoyancy of a submerged or a floating vessel."""
    hydrodynamics = folder["hydrodynamics"]
    displaced = displaced_mass(folder, mass.mass, density)
    height = _surface(folder)
    if hyd.RESTORING not in hydrodynamics:
        W, B = mass.mass * gravity, displaced * gravity
        s["restoring"] = 1.0
        s["excess"] = W - B
        s["moment_x"], s["moment_y"], s["moment_z"] = W * mass.r_bg - B * mass.r_bb
        s["surface"], s["buoyancy"] = height, B
        s["buoy_x"], s["buoy_y"], s["buoy_z"] = mass.r_bb
        s["station"] = folder["geometry"].positive(geo.LENGTH) / STATIONS
        return np.zeros((6, 6))
    floating = hydrodynamics.section(hyd.RESTORING)
    s["restoring"] = 2.0
    G: Floats = Gmtrx(
        displaced / density,
        floating.positive(hyd.WATERPLANE_AREA),
        floating.positive(hyd.GM_T),
        floating.positive(hyd.GM_L),
        floating.number(hyd.LCF),
        rho=density,
        gravity=gravity,
    )
    s["cubic_k"] = floating.number(hyd.CUBIC_ROLL)
    floating.finish()
    return G


def _surface(folder: Folder) -> float:
    """Return the height of a submerged hull that may emerge [m]; 0: emergence is not modelled."""
    hydrodynamics, geometry = folder["hydrodynamics"], folder["geometry"]
    height = geometry.number(geo.DEPTH, geometry.number(geo.DRAFT, 0.0, low=0.0), low=0.0)
    if not hydrodynamics.flag(hyd.MEETS_SURFACE):
        return 0.0
    if hyd.RESTORING in hydrodynamics:
        hydrodynamics.wrong(hyd.MEETS_SURFACE, "true", "false: a floating hull has restoring", None)
    elif height <= 0.0 and geometry.is_valid(geo.DEPTH, geo.DRAFT):
        needs = f"the hull's depth (or draft) [m] in {geometry.path}"
        hydrodynamics.wrong(hyd.MEETS_SURFACE, "true", needs, None)
    return height


def _compliance(G: Floats) -> Floats:
    """Return the inverse of the heave, roll and pitch block of G; zero for a submerged body."""
    inverse = np.zeros((6, 6))
    if G.any():
        inverse[2:5, 2:5] = np.linalg.inv(G[2:5, 2:5])
    return inverse


def _payload(
    folder: Folder, mass: Masses, gravity: float, compliance: Floats, s: at.Record
) -> None:
    """Account for the payload: as a trim G^-1 g_0, or, as in some references, as a force."""
    load = folder["inertia"].section(inr.PAYLOAD)
    s["load"] = weight = mass.payload * gravity
    s["load_x"], s["load_y"], s["load_z"] = mass.r_bp
    s["load_form"] = inr.ACTS.choices.index(load.choice(inr.ACTS))
    if s["load_form"] == 0.0:
        wrench = Hmtrx(mass.r_bp).T @ np.array([0, 0, weight, 0, 0, 0])
        s["trim_z"], s["trim_phi"], s["trim_theta"] = compliance[2:5, 2:5] @ wrench[2:5]


def _cross_flow(folder: Folder, frame: Frame, s: at.Record) -> Floats:
    """Fill in the strips: by default the full length, the draught, and Hoerner's coefficient."""
    hydrodynamics, geometry = folder["hydrodynamics"], folder["geometry"]
    section = hydrodynamics.section(hyd.CROSS_FLOW)
    length = section.positive(hyd.CROSS_LENGTH, geometry.positive(geo.LENGTH))
    depth = geometry.number(geo.DRAFT, geometry.number(geo.DEPTH, 0.0, low=0.0), low=0.0)
    width = section.number(hyd.CROSS_WIDTH, depth, low=0.0)
    beam = section.number(hyd.CROSS_BEAM, geometry.number(geo.BREADTH, 0.0, low=0.0), low=0.0)
    submerged = section.flag(hyd.SUBMERGED, folder["vessel"].text(ves.TYPE).lower() == AUV)
    usual = "sections" if geo.GEOMETRY_FILE in geometry else "hoerner"
    form = section.choice(hyd.CROSS_FORM, ("hoerner", "cylinder", "fixed", "sections"), usual)
    fixed = section.number(hyd.CROSS_COEFFICIENT)
    s["cross_sum"] = float(section.choice(hyd.CROSS_SUM) == "points")
    reynolds_length = section.number(hyd.REYNOLDS_LENGTH, width, low=0.0)
    s["cross_density"] = section.positive(hyd.CROSS_DENSITY, s["density"])
    section.finish()
    if not hydrodynamics.flag(hyd.CROSS_FLOW_DRAG):
        return np.empty((0, 3))
    s["cross"] = 2.0 if submerged else 1.0
    if form == "sections":
        with hydrodynamics.collecting_errors():
            return mesh_strips(folder, frame.co, submerged)
    if not (width > 0 and beam > 0):
        needs = f"breadth, and draft or depth, above zero in {geometry.path}"
        if geometry.nodes and geometry.is_valid(geo.BREADTH, geo.DRAFT, geo.DEPTH):
            hydrodynamics.wrong(hyd.CROSS_FLOW_DRAG, "true", needs, None)
        return np.empty((0, 3))
    s["cross_half"], s["cross_width"] = length / 2, width
    if form == "cylinder":
        for place, kept in (
            ("cross_kappa_low", CYLINDER_KEPT_SUBCRITICAL),
            ("cross_kappa_high", CYLINDER_KEPT_SUPERCRITICAL),
        ):
            s[place] = np.interp(length / width, CYLINDER_ASPECT, kept)
        s["cross_re"] = reynolds_length / VISCOSITY
    else:
        s["cross_cd"] = fixed if form == "fixed" else float(Hoerner(beam, width))
    return np.empty((0, 3))


def _lift(section: Section, s: at.Record) -> None:
    """Fill in the hull as a wing: area, aspect ratio, zero-lift drag, Oswald efficiency."""
    if section.nodes:
        area = section.positive(hyd.LIFT_AREA)
        s["lift_area"] = area
        s["lift_aspect"] = section.positive(hyd.LIFT_SPAN) ** 2 / area
        s["lift_cd0"] = section.number(hyd.LIFT_CD0)
        s["lift_form"] = hyd.LIFT_ANGLE.choices.index(section.choice(hyd.LIFT_ANGLE))
        s["lift_e"] = section.positive(hyd.EFFICIENCY)
    section.finish()


def _wind(geometry: Section, s: at.Record) -> None:
    section = geometry.section(geo.WIND)
    s["wind_front"] = section.number(geo.FRONTAL_AREA)
    s["wind_side"] = section.number(geo.LATERAL_AREA)
    length = section.positive(geo.WIND_LENGTH, geometry.positive(geo.LENGTH))
    s["wind_length"] = length
    s["wind_height"] = section.number(geo.WIND_HEIGHT, 0.5 * float(s["wind_side"]) / length)
    s["wind_cx"] = section.number(geo.CX)
    s["wind_cy"] = section.number(geo.CY)
    s["wind_cn"] = section.number(geo.CN)
    s["air_density"] = section.positive(geo.AIR_DENSITY)
    section.finish()


def mesh_strips(folder: Folder, co: Floats, submerged: bool) -> Floats:
    """Return the rows (n, 3) of a mesh's strips: x from CO, lateral and vertical Cd times area.

    Args:
        folder: vessel folder.
        co: (3,) CO in the drawing frame, in BODY's directions [m].
        submerged: include heave and pitch.

    Raises:
        InvalidValue: no such file, invalid mesh, nothing below the water, or not in metres.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    path = folder.find(geometry, geo.GEOMETRY_FILE)
    panels = gdf.read(path)
    if hydrodynamics.choice(hyd.HYDRA_BOW) == "y":
        panels = panels[:, :, [1, 0, 2]] * [-1.0, 1.0, 1.0]
    try:
        x, dx, beams, drafts = gdf.sections(panels, STRIPS)
        strips = section_strips(x - co[0], dx, beams, drafts, submerged)
    except InvalidValue as error:
        raise InvalidValue(str(error), str(path)) from error
    length, size = geometry.positive(geo.LENGTH), float(dx.sum())
    if not LENGTHS[0] * length <= size <= LENGTHS[1] * length:
        raise InvalidValue(
            f"{path}: a hull of {size:g} m below the water, where length is {length:g}: expected "
            f"a mesh in metres, or a cross_flow form that needs none"
        )
    return np.column_stack(strips)
