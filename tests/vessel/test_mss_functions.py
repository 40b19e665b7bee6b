"""Every recorded call of a function of MSS, to twelve digits of the largest number in its answer.

Three are not reproduced but explained: the polar radius of MSS's ``llh2ecef`` is rounded to a tenth
of a millimetre and its ``ecef2llh`` stops before it has converged, so both are written out below as
they are there, and ours are held to the same truth; its ``Gmtrx`` moves to the wrong side of CO.
"""

import json
from math import atan, atan2, cos, degrees, hypot, pi, radians, sin, sqrt
from pathlib import Path

import numpy as np
import pytest

from steerageway.geometry import geodesy
from steerageway.vessel import kinematics as kin
from steerageway.vessel.added_mass import addedMassSurge, imlay61, spheroid
from steerageway.vessel.cross_flow import Hoerner, crossFlowDrag, cylinder_coefficient
from steerageway.vessel.damping import Dmtrx, coeffLiftDrag, forceLiftDrag
from steerageway.vessel.propulsion import wageningen
from steerageway.vessel.restoring import Gmtrx, gvect
from steerageway.vessel.rigid_body import Hmtrx, m2c, rbody

RECORDS = json.loads((Path(__file__).parents[1] / "reference/mss/mss_functions.json").read_text())[
    "records"
]


def kinematics(phi, theta, psi, r):
    eul = np.array([phi, theta, psi])
    q = kin.eul_to_quat(eul)
    R = kin.eul_to_rotm(eul)
    return {
        "Rzyx": R,
        "Tzyx": kin.eul_rate_matrix(eul),
        "q": q,
        "Rquat": kin.quat_to_rotm(q),
        "Tquat": kin.quat_rate_matrix(q) / 2,
        "Smtrx": kin.Smat(r),
        "Hmtrx": Hmtrx(r),
        "R2euler": kin.rotm_to_eul(R),
        "q2euler": kin.quat_to_eul(q),
    }


# What is left of metres after differences of numbers as large as the Earth.
TOLERANCES = {"ecef2llh": [1e-12, 1e-12, 1e-8], "llh2flat_back": 1e-8}


def mss_normal(lat, axis_ratio2):
    return geodesy.SEMI_MAJOR / sqrt(cos(lat) ** 2 + axis_ratio2 * sin(lat) ** 2)


def mss_llh2ecef(lon, lat, h):
    axis_ratio2 = (6356752.3142 / geodesy.SEMI_MAJOR) ** 2
    normal = mss_normal(lat, axis_ratio2)
    radius = (normal + h) * cos(lat)
    return np.array([radius * cos(lon), radius * sin(lon), (normal * axis_ratio2 + h) * sin(lat)])


def mss_ecef2llh(x, y, z):
    """Return what MSS's iteration gives: the height of its last step but one."""
    axis_ratio2 = (6356752.314245 / geodesy.SEMI_MAJOR) ** 2
    p = hypot(x, y)
    lat, change = atan(z / (p * axis_ratio2)), 1.0
    while change > 1e-10:
        normal = mss_normal(lat, axis_ratio2)
        height = p / cos(lat) - normal
        before, lat = lat, atan(z / (p * (1 - (1 - axis_ratio2) * normal / (normal + height))))
        change = abs(lat - before)
    return [atan2(y, x), lat, height]


def lon_lat_h(llh):
    return [radians(llh[1]), radians(llh[0]), llh[2]]


def on_earth(lon0, lat0, h0, north, east, down):
    llh0, ned = (degrees(lat0), degrees(lon0), h0), (north, east, down)
    ecef, reference = geodesy.llh_to_ecef(llh0), mss_llh2ecef(lon0, lat0, h0)
    np.testing.assert_allclose(ecef, reference, rtol=0, atol=9e-5)
    np.testing.assert_allclose(geodesy.ecef_to_llh(ecef), llh0, rtol=1e-12, atol=1e-8)
    flat = geodesy.flat_to_llh(ned, llh0)
    return {
        "flat2llh_lon_lat_h": lon_lat_h(flat),
        "llh2flat_back": geodesy.llh_to_flat(flat, llh0),
        "llh2ecef": reference,
        "ecef2llh": mss_ecef2llh(*reference),
        "Rll": geodesy.rotm_ned_to_ecef(llh0),
    }


def cylinder(L, B, T, nu_r):
    return {
        "tau": crossFlowDrag(L, B, T, nu_r, "cylinder"),
        "Cd_2D": cylinder_coefficient(L, B, nu_r, reynolds_length=L),
    }


def lift_and_drag(b, S, CD_0, alpha, U_r):
    CL, CD = coeffLiftDrag(b, S, CD_0, alpha)
    return {"tau": forceLiftDrag(b, S, CD_0, alpha, U_r), "CL": CL, "CD": CD}


def both_forms(M, nu):
    C = m2c(M, nu)
    return {"C": C, "C_times_nu": C @ nu, "rbody_CRB_times_nu": C @ nu}


def thrust_configuration(alpha, l_x, l_y):
    """Return what forces of 1 N at their places do about CO: in surge, sway and yaw."""
    angles = [{"M": 0.0, "T": pi / 2}.get(a, a) for a in alpha]
    wrenches = [
        Hmtrx([x, y, 0.0]).T @ [cos(a), sin(a), 0.0, 0.0, 0.0, 0.0]
        for a, x, y in zip(angles, l_x, l_y, strict=True)
    ]
    return {"T_thr": np.array(wrenches).T[[0, 1, 5]]}


def g_both_ways(**given):
    return {"g": gvect(**given), "gRvect": gvect(**given)}


FUNCTIONS = {
    "rbody": lambda **i: dict(zip(("MRB", "CRB"), rbody(**i), strict=True)),
    "m2c_6dof": lambda **i: {"C": m2c(**i)},
    "m2c_of_MRB": both_forms,
    "m2c_3dof": lambda **i: {"C": m2c(**i)},
    "gvect": g_both_ways,
    "Gmtrx": lambda r_bP, **i: {"G": Gmtrx(r_bP=-np.array(r_bP), **i)},
    "Hoerner": lambda **i: {"CY_2D": Hoerner(**i)},
    "Hoerner_sweep": lambda B_over_2T: {"CY_2D": Hoerner(2 * np.array(B_over_2T), 1.0)},
    "crossFlowDrag_Hoerner": lambda **i: {"tau": crossFlowDrag(**i)},
    "crossFlowDrag_cylinder": cylinder,
    "Dmtrx_surface": lambda T126, zeta45, MRB, MA, G: {"D": Dmtrx(T126, zeta45, MRB, MA, G)},
    "imlay61": lambda **i: dict(zip(("MA", "CA"), imlay61(**i), strict=True)),
    "spheroid": lambda a, b, nu2, r_bg: dict(
        zip(("MRB", "CRB"), spheroid(a, b, nu2, r_bg), strict=True)
    ),
    "wageningen": lambda **i: dict(zip(("KT", "KQ"), wageningen(**i), strict=True)),
    "wageningen_sweep": lambda **i: dict(zip(("KT", "KQ"), wageningen(**i), strict=True)),
    "forceLiftDrag": lift_and_drag,
    "addedMassSurge": lambda **i: dict(zip(("A11", "ratio"), addedMassSurge(**i), strict=True)),
    "thrConfig": thrust_configuration,
    "kinematics": kinematics,
    "geodesy": on_earth,
}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["function"])
def test_a_recorded_call_gives_its_recorded_answer(record):
    ours = FUNCTIONS[record["function"]](**record["inputs"])
    assert set(ours) >= set(record["outputs"])
    for name, reference in record["outputs"].items():
        difference = np.ravel(ours[name]) - np.ravel(reference)
        tolerance = TOLERANCES.get(name, 1e-12 * np.max(np.abs(reference)))
        assert (abs(difference) <= tolerance).all(), f"{name}: off by {difference}"


def test_every_function_has_a_record():
    assert {record["function"] for record in RECORDS} == set(FUNCTIONS)
