"""Estimates of added mass (Lewis sections, spheroids), damping and natural periods."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from steerageway.vessel.added_mass import addedMassSurge, clarke83, imlay61
from steerageway.vessel.cross_flow import Hoerner
from steerageway.vessel.estimates.hull import Hull
from steerageway.vessel.estimates.record import Sheet
from steerageway.vessel.estimates.statics import SHIPS
from steerageway.world.arrays import Floats

LEWIS = "strips of Lewis sections (Lewis 1929)"
SLENDER = "slender hulls, taken here as L/B above 4; ends are not accounted for"
LAMB = "prolate spheroid; Lamb (1932), Hydrodynamics; Imlay (1961), DTMB 1528"
ROUND = "slender bodies of revolution"
SODING = "Söding (1982), Schiffstechnik 29"
CLARKE = "Clarke, Gedling and Hine (1983), Trans. RINA 125"
RATIOS = "a damping ratio usual of its kind; 2 zeta sqrt(C M), Fossen (2021), section 6.4"
HOERNER = "strips of Hoerner's drag coefficient; Fossen (2021), section 6.4"
ROLL_SHARE = 0.2  # added inertia over the hull's own moment of inertia
ZETA = {"heave": 0.2, "roll": 0.06, "pitch": 0.1}
KEYS = ("X_ud", "Y_vd", "Z_wd", "K_pd", "M_qd", "N_rd")
LEAST_AREA, MOST_AREA = 0.3, 1.15  # limits of the area over B T for the two-parameter map
MOTIONS = ("surge", "sway", "heave", "roll", "pitch", "yaw")


def add_added_mass(sheet: Sheet, hull: Hull, radii: Floats) -> Floats:
    """Add the diagonal of M_A about CO, and return it (6,) [kg, kg m²]."""
    if hull.floats:
        found = _of_strips(hull, radii)
        sources = (SODING, LEWIS, LEWIS, "a fifth of I_x, usual of ships", LEWIS, LEWIS)
        slender = hull.L / hull.B > 4.0
        insides: tuple[bool | None, ...] = (hull.ship, slender, slender, None, slender, slender)
        valids = (SHIPS, *(SLENDER,) * 2, "ships without bilge keels", *(SLENDER,) * 2)
    else:
        found = _of_spheroid(hull)
        slender = hull.L / max(hull.B, hull.T) > 3.0
        sources, insides, valids = (LAMB,) * 6, (slender,) * 6, (ROUND,) * 6
    rows = zip(KEYS, MOTIONS, found.tolist(), sources, insides, valids, strict=True)
    for key, motion, value, source, inside, valid in rows:
        unit = "kg" if motion in MOTIONS[:3] else "kg m²"
        sheet.add(
            f"added mass, {motion}",
            value,
            unit,
            source,
            valid,
            inside=inside,
            key=f"hydrodynamics.{key}",
            sign=-1.0,
        )
    return found


def _of_strips(hull: Hull, radii: Floats) -> Floats:
    surge, _ = addedMassSurge(hull.density * hull.volume, hull.L, hull.density)
    side = down = turn = dive = 0.0
    for at in hull.sections:
        if at.draught <= 0.0 or at.beam <= 0.0 or at.area <= 0.0:
            continue
        each = (at.beam / at.hulls, at.draught, at.area / at.hulls, hull.density)
        y, z = at.hulls * lewis_sway(*each) * at.dx, at.hulls * lewis_heave(*each) * at.dx
        side, down = side + y, down + z
        turn, dive = turn + y * at.x**2, dive + z * at.x**2
    roll = ROLL_SHARE * hull.mass * float(radii[0]) ** 2
    return np.array([surge, side, down, roll, dive, turn])


def _of_spheroid(hull: Hull) -> Floats:
    b = 0.25 * (hull.B + hull.T)
    a = max(0.5 * hull.L, 1.0001 * b)
    M_A, _ = imlay61(a, b, np.zeros(6), r44=0.3, rho=hull.density)
    found: Floats = np.diag(M_A).copy()
    return found * hull.volume / (4.0 / 3.0 * pi * a * b**2)


def add_clarke(sheet: Sheet, hull: Hull, speed: float) -> None:
    """Add Clarke's derivatives in sway and yaw, those of damping for a speed [m/s]."""
    if not hull.floats:
        return
    added, damped = clarke83(hull.L, hull.B, hull.T, hull.block)
    inertia, drag = 0.5 * hull.density * hull.L**3, 0.5 * hull.density * hull.L**2 * speed
    L = hull.L
    at = f"at {speed:.3g} m/s"
    rows = (
        *zip(("Y_vd", "Y_rd", "N_vd", "N_rd"), added, (1, L, L, L**2), (inertia,) * 4, strict=True),
        *zip(("Y_v", "Y_r", "N_v", "N_r"), damped, (1, L, L, L**2), (drag,) * 4, strict=True),
    )
    for name, prime, arm, scale in rows:
        linear = not name.endswith("d")
        sheet.add(
            f"Clarke's {name}",
            -prime * arm * scale,
            "SI",
            f"{CLARKE}{', ' + at if linear else ''}",
            SHIPS,
            inside=hull.ship,
            key=f"hydrodynamics.{name}",
        )


def add_cross_flow(sheet: Sheet, hull: Hull) -> None:
    """Add quadratic damping in sway and yaw."""
    force = moment = 0.0
    for at in hull.sections:
        if at.draught > 0.0 and at.beam > 0.0:
            Cd = float(Hoerner(at.beam / at.hulls, at.draught))
            force += 0.5 * hull.density * Cd * at.draught * at.dx
            moment += 0.5 * hull.density * Cd * at.draught * at.dx * abs(at.x) ** 3
    for key, motion, value, unit in (
        ("Y_v_av", "sway", -force, "N s²/m²"),
        ("N_r_ar", "yaw", -moment, "N m s²"),
    ):
        name = f"quadratic damping, {motion}"
        valid = "hulls with sections like boxes and ships; hulls side by side shadow one another"
        inside = all(at.hulls == 1 for at in hull.sections)
        sheet.add(name, value, unit, HOERNER, valid, inside=inside, key=f"hydrodynamics.{key}")


def add_oscillations(sheet: Sheet, hull: Hull, radii: Floats, added: Floats) -> None:
    """Add natural periods and linear damping in heave, roll and pitch of a floating hull."""
    area, GM_T, GM_L = (sheet.value(name) for name in ("waterplane area", "GM_T", "GM_L"))
    if not hull.floats:
        return
    weight = hull.density * hull.gravity
    C = {
        "heave": weight * area if area else 0.0,
        "roll": weight * hull.volume * GM_T if GM_T else 0.0,
        "pitch": weight * hull.volume * GM_L if GM_L else 0.0,
    }
    M = {
        "heave": hull.mass + added[2],
        "roll": hull.mass * radii[0] ** 2 + added[3],
        "pitch": hull.mass * radii[1] ** 2 + added[4],
    }
    for motion, key in (("heave", "Z_w"), ("roll", "K_p"), ("pitch", "M_q")):
        if C[motion] <= 0.0:
            sheet.lacking.append(f"natural period, {motion}: it needs a GM above zero")
            continue
        period = 2.0 * pi * sqrt(M[motion] / C[motion])
        source = "2 pi sqrt((M + A)/C) of the estimates above"
        sheet.add(f"natural period, {motion}", period, "s", source, "small motions", inside=True)
        damping = 2.0 * ZETA[motion] * sqrt(M[motion] * C[motion])
        sheet.add(
            f"linear damping, {motion}",
            -damping,
            "kg/s" if motion == "heave" else "kg m²/s",
            f"{RATIOS}: {ZETA[motion]:g}",
            "boats and ships, within a factor of two",
            key=f"hydrodynamics.{key}",
        )
    if GM_T and GM_T > 0.0:
        c = 0.373 + 0.023 * hull.B / hull.T - 0.043 * hull.L / 100.0
        source = "IMO, 2008 Intact Stability Code, weather criterion"
        name = "natural period, roll, of ships"
        valid = "ships of 24 m or more"
        inside = hull.L >= 24.0
        sheet.add(name, 2.0 * c * hull.B / sqrt(GM_T), "s", source, valid, inside=inside)


def lewis_parameters(beam: float, draught: float, area: float) -> tuple[float, float]:
    """Return a_1 and a_3 of the map from a circle to a section [m, m, m²].

    Source: F. M. Lewis (1929), The inertia of the water surrounding a vibrating ship, Trans. SNAME
        37; parameters from breadth, draught and area as in textbooks of strip theory.
    """
    slenderness = 0.5 * beam / draught
    sigma = min(max(area / (beam * draught), LEAST_AREA), MOST_AREA)
    flat = (slenderness - 1.0) / (slenderness + 1.0)
    C = 3.0 + 4.0 * sigma / pi + (1.0 - 4.0 * sigma / pi) * flat**2
    a_3 = (3.0 - C + sqrt(max(9.0 - 2.0 * C, 0.0))) / C
    return flat * (1.0 + a_3), a_3


def lewis_heave(beam: float, draught: float, area: float, density: float) -> float:
    """Return the added mass of a floating section in heave at high frequency [kg/m]."""
    a_1, a_3 = lewis_parameters(beam, draught, area)
    shape: float = ((1.0 + a_1) ** 2 + 3.0 * a_3**2) / (1.0 + a_1 + a_3) ** 2
    return 0.5 * pi * density * (0.5 * beam) ** 2 * shape


def lewis_sway(beam: float, draught: float, area: float, density: float) -> float:
    """Return the added mass of a floating section in sway at low frequency [kg/m]."""
    a_1, a_3 = lewis_parameters(beam, draught, area)
    shape: float = ((1.0 - a_1) ** 2 + 3.0 * a_3**2) / (1.0 - a_1 + a_3) ** 2
    return 0.5 * pi * density * draught**2 * shape
