"""Estimates of hydrostatics: displacement, form coefficients, stability, radii of gyration."""

from __future__ import annotations

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.estimates.hull import Hull
from steerageway.vessel.estimates.record import Sheet
from steerageway.vessel.restoring import metacentric_height, morrish, munro_smith
from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh

BY_MESH = "integrated over the mesh"
ANY = "any closed mesh"
SHIPS = "displacement ships; taken here as C_b 0.5 to 0.9, L/B 4 to 10"
FOSSEN = "Fossen (2021), Handbook of Marine Craft, section 4.2"
PARSONS = "D'Arcangelo's fit, as in Parsons (2003), Parametric Design"
SCHNEEKLUTH = "Schneekluth and Bertram (1998), Ship Design for Efficiency and Economy"
GYRATION = "usual radii of ships, as the ITTC takes where none are measured: 0.4 B, 0.25 L, 0.25 L"
HEELS = tuple(range(0, 91, 5))  # [deg]


def add_displacement(sheet: Sheet, hull: Hull) -> None:
    """Add displacement, block coefficient, and wetted surface."""
    by = BY_MESH if hull.mesh is not None else "mass over density"
    sheet.add("displaced volume", hull.volume, "m³", by, "any hull", inside=True)
    mass = hull.density * hull.volume
    sheet.add("displacement", mass, "kg", "Archimedes", "any hull", inside=True, key="inertia.mass")
    sheet.add("block coefficient", hull.block, "1", "volume over L B T", "any hull", inside=True)
    if hull.mesh is not None:
        from steerageway.vessel.mesh.hydrostatics import afloat

        wetted = afloat(hull.mesh, 0.0).wetted if hull.floats else hull.mesh.area
        sheet.add("wetted surface", wetted, "m²", BY_MESH, ANY, inside=True)
    elif hull.floats:
        wetted = 1.7 * hull.L * hull.T + hull.volume / hull.T
        sheet.add("wetted surface", wetted, "m²", "Denny and Mumford", SHIPS, inside=hull.ship)
    else:
        wetted = np.pi * hull.T * hull.L * 0.8
        shape = "streamlined bodies of revolution"
        sheet.add("wetted surface", wetted, "m²", "0.8 of a cylinder's", shape)


def add_stability(sheet: Sheet, hull: Hull) -> None:
    """Add waterplane, centres and metacentric heights of a floating hull."""
    if not hull.floats:
        return
    if hull.mesh is not None:
        _by_mesh(sheet, hull, hull.mesh)
    else:
        _by_dimensions(sheet, hull)


def _by_mesh(sheet: Sheet, hull: Hull, mesh: Mesh) -> None:
    from steerageway.vessel.mesh.hydrostatics import afloat

    water = afloat(mesh, 0.0)
    KB = hull.T - float(water.centre_ned[2])
    values = (
        ("waterplane area", water.area, "m²", "hydrodynamics.restoring.waterplane_area"),
        ("KB", KB, "m", ""),
        ("LCB", float(water.centre_ned[0]), "m", ""),
        ("LCF", float(water.flotation[0]), "m", "hydrodynamics.restoring.LCF"),
        ("BM_T", water.I_T / hull.volume, "m", ""),
        ("BM_L", water.I_L / hull.volume, "m", ""),
    )
    for name, value, unit, key in values:
        sheet.add(name, value, unit, BY_MESH, ANY, inside=True, key=key)
    _heights(sheet, hull, KB, water.I_T, water.I_L, (BY_MESH, ANY, True))
    if hull.KG is not None:
        try:
            sheet.gz = gz_curve(mesh, hull)
        except InvalidValue as error:
            sheet.lacking.append(f"GZ: {error}")


def _by_dimensions(sheet: Sheet, hull: Hull) -> None:
    C_w = min((1.0 + 2.0 * hull.block) / 3.0, 1.0)
    area = C_w * hull.L * hull.B
    valid = (SHIPS, hull.ship)
    sheet.add("waterplane coefficient", C_w, "1", SCHNEEKLUTH, valid[0], inside=valid[1])
    key = "hydrodynamics.restoring.waterplane_area"
    sheet.add("waterplane area", area, "m²", "C_w L B", valid[0], inside=valid[1], key=key)
    KB = morrish(hull.T, hull.volume, area)
    sheet.add("KB", KB, "m", f"Morrish; {FOSSEN}", valid[0], inside=valid[1])
    I_T = munro_smith(hull.L, hull.B, C_w)
    I_L = (0.350 * C_w**2 - 0.405 * C_w + 0.146) * hull.B * hull.L**3
    sheet.add("BM_T", I_T / hull.volume, "m", f"Munro-Smith; {FOSSEN}", *valid[:1], inside=valid[1])
    sheet.add("BM_L", I_L / hull.volume, "m", PARSONS, valid[0], inside=valid[1])
    _heights(sheet, hull, KB, I_T, I_L, ("KB + BM - KG", *valid))


def _heights(
    sheet: Sheet, hull: Hull, KB: float, I_T: float, I_L: float, said: tuple[str, str, bool]
) -> None:
    """Add GM, which requires the height of the centre of gravity."""
    if hull.KG is None:
        sheet.lacking.append("GM_T, GM_L, GZ: they need CG of geometry.yml")
        return
    source, valid, inside = said
    for name, moment in (("GM_T", I_T), ("GM_L", I_L)):
        GM = metacentric_height(hull.volume, moment, KB, hull.KG)
        key = f"hydrodynamics.restoring.{name}"
        sheet.add(name, GM, "m", source, valid, inside=inside, key=key)


def gz_curve(mesh: Mesh, hull: Hull) -> list[tuple[float, float]]:
    """Return heels [deg] and levers GZ [m] at constant displacement, without trim; mesh at rest."""
    from steerageway.vessel.mesh.hydrostatics import righting_curve

    assert hull.KG is not None
    r = np.array([hull.r_bg[0], hull.r_bg[1], hull.T - hull.KG])
    levers = righting_curve(mesh, hull.volume, r, np.radians(HEELS).tolist())
    return [(float(heel), float(lever)) for heel, lever in zip(HEELS, levers, strict=True)]


def add_gyration(sheet: Sheet, hull: Hull) -> Floats:
    """Add radii of gyration about CG, and return them (3,) [m]."""
    if hull.mesh is not None:
        even = solid_radii(hull.mesh)
        names = ("even body's radius in roll", "even body's in pitch", "even body's in yaw")
        for name, value in zip(names, even.tolist(), strict=True):
            sheet.add(name, value, "m", BY_MESH, "a body as dense everywhere")
    if hull.floats:
        radii = np.array([0.4 * hull.B, 0.25 * hull.L, 0.25 * hull.L])
        source, valid, inside = GYRATION, "ships and boats", True
    else:
        a, b = 0.5 * hull.L, 0.25 * (hull.B + hull.T)
        long = np.sqrt((a * a + b * b) / 5.0)
        radii = np.array([np.sqrt(0.4) * b, long, long])
        source, valid, inside = "a spheroid as dense everywhere", "streamlined bodies", True
    for i, (name, value) in enumerate(zip(("roll", "pitch", "yaw"), radii.tolist(), strict=True)):
        key = f"geometry.gyration.{i + 1}"
        sheet.add(f"radius of gyration, {name}", value, "m", source, valid, inside=inside, key=key)
    return radii


def solid_radii(mesh: Mesh) -> Floats:
    """Return the radii of gyration (3,) of a homogeneous body about its centroid [m].

    Source: second moments of tetrahedra from the centroid, integral of x_i x_j over each.
    """
    corners = mesh.corners - mesh.centroid
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    sums = corners.sum(1)
    squares = (corners**2).sum(1) + sums**2
    xx, yy, zz = (volumes[:, None] * squares / 20.0).sum(0) / volumes.sum()
    found: Floats = np.sqrt(np.array([yy + zz, xx + zz, xx + yy]))
    return found
