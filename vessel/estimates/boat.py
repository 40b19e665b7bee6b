"""A vessel's files from estimates: a boat of known main dimensions, top speed and thrust."""

from __future__ import annotations

from typing import Any

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.estimates.hull import Hull
from steerageway.vessel.estimates.record import Sheet

BLOCK = 0.5  # block coefficient of boats whose draft is unknown
SKEG_AREA, SKEG_ARM = 0.15, 0.4  # lateral area over L T, lever over L
LIFT_SLOPE = 2.5  # of a skeg, per radian
MUNK_PITCH = [[5, 1], [1, 5], [5, 3], [3, 5]]  # of C_A: of a body without a waterplane
ASIDE = 0.4  # place of each of two thrusters over the breadth
DIGITS = 4
CLARKE = "Clarke's"  # derivatives of ships; strips and the skeg take their place


def draft_of(length: float, breadth: float, mass: float, density: float) -> float:
    """Return the draft [m] at which a boat of block coefficient 0.5 displaces its mass."""
    return mass / (density * length * breadth * BLOCK) if length and breadth else 0.0


def files_of(
    hull: Hull, sheet: Sheet, thrust: float, name: str, thrusters: int = 1
) -> dict[str, dict[str, Any]]:
    """Return the keys of each file: a hull with a skeg, and its thrusters aft.

    Args:
        hull: it floats, with KG. sheet: its estimates. thrust: ahead, at full command [N].
        name: of the vessel. thrusters: 1 that turns, or 2 fixed beside each other.

    Raises:
        InvalidValue: it is not stable.
    """
    GM_T = sheet.value("GM_T")
    if GM_T is None or GM_T <= 0.0:
        found = "none" if GM_T is None else f"{GM_T:.3g} m"
        raise InvalidValue(
            f"GM_T {found}: expected a boat that floats upright; its centre of gravity is "
            "taken in the waterline: greater breadth, or smaller mass or draft"
        )
    files: dict[str, dict[str, Any]] = {
        "vessel": {
            "name": name,
            "source": "vessel estimate",
            "type": "usv",
            "density": hull.density,
        },
        "geometry": {"length": hull.L, "breadth": hull.B, "draft": hull.T},
        "inertia": {"mass": hull.mass},
        "hydrodynamics": {"dim_flag": True, "coriolis_omit": MUNK_PITCH},
        "thrusters": {"thrusters": _thrusters(hull, thrust, thrusters)},
        "initial_conditions": {
            "start_location": [0.0, 0.0, 0.0],
            "start_orientation": [0.0, 0.0, 0.0],
            "start_velocity": [0.0] * 6,
            "use_quaternion": False,
        },
    }
    radii = []
    for each in sheet.estimates:
        file, *path = each.key.split(".")
        if each.written is None or file == "inertia" or each.name.startswith(CLARKE):
            continue
        value = float(f"{each.written:.{DIGITS}g}")
        if path[0] == "gyration":
            radii.append(value)
        elif len(path) > 1:
            files[file].setdefault(path[0], {})[path[1]] = value
        else:
            files[file][path[0]] = value
    files["geometry"] |= {"gyration": radii, "CG": {"position": hull.r_bg.tolist()}}
    files["hydrodynamics"] |= _skeg(hull)
    return files


def _thrusters(hull: Hull, thrust: float, count: int) -> list[dict[str, Any]]:
    """Return the thrusters at the stern; their thrust does not depend on speed."""

    def thruster(name: str, number: int, y: float) -> dict[str, Any]:
        return {
            "thruster_name": name,
            "thruster_id": number,
            "thruster_location": [-0.5 * hull.L, y, 0.8 * hull.T],
            "thruster_orientation": [0.0, 0.0, 0.0],
            "unit": "fraction",
            "ahead": [0.0, thrust / count, 0.0],
            "astern": [0.0, 0.5 * thrust / count, 0.0],
            "n_max": 1.0,
            "T_prop": 0.3,
        }

    if count == 1:
        turns = {"azimuth": {"angle_max": 35, "rate_max": 40}}
        return [thruster("outboard", 1, 0.0) | turns]
    aside = round(ASIDE * hull.B, DIGITS)
    return [thruster("port", 1, -aside), thruster("starboard", 2, aside)]


def _skeg(hull: Hull) -> dict[str, float]:
    """Return the lift of a skeg; without it the Munk moment turns a hull broadside.

    Source: lift rho/2 A C_L' u (v + x r) of a wing at x; Fossen (2021), section 9.7.
    """
    x = -SKEG_ARM * hull.L
    lift = 0.5 * hull.density * SKEG_AREA * hull.L * hull.T * LIFT_SLOPE
    terms = {"Y_uv": -lift, "Y_ur": -lift * x, "N_uv": -lift * x, "N_ur": -lift * x**2}
    return {name: float(f"{value:.{DIGITS}g}") for name, value in terms.items()}
