"""Keys of ``hydrodynamics.yml`` for published models: coefficients as named in the sources.

Unless specified, a coefficient is of the prime system, and its name is an axis and its factors;
each model's module documents the speed and length.
"""

from __future__ import annotations

from math import inf

from steerageway.world.key_declarations import Key, Kind


def _terms(model: str, names: str, unit: str = "1") -> tuple[Key, ...]:
    """Return the keys of coefficients described by their names."""
    return tuple(
        Key(name, unit=unit, ours=True, models=(model,), meaning="coefficient, as in its source")
        for name in names.split()
    )


def _own(
    model: str, name: str, unit: str, meaning: str, above: float = -inf, usual: str = ""
) -> Key:
    return Key(
        name, unit=unit, ours=True, models=(model,), meaning=meaning, above=above, usual=usual
    )


def _matrix(name: str, size: int, unit: str, meaning: str, usual: str) -> Key:
    return Key(
        name,
        Kind.MATRIX,
        unit,
        size=size,
        usual=usual,
        ours=True,
        models=("station_keeping",),
        meaning=meaning,
    )


RUDDER_ASPECT = _own("clarke83", "rudder_aspect", "", "aspect ratio of the rudder", 0.0)
RUDDER_HEIGHT = _own("clarke83", "rudder_height", "", "rudder height over draught", 0.0)
A_H = _own("clarke83", "a_H", "", "rudder force increase factor of the hull")
X_H = _own("clarke83", "x_H", "", "position of that force forward of CO, over L")
X_R = _own("clarke83", "x_R", "", "position of the rudder forward of CO, over L")
RUDDER_DENSITY = _own(
    "clarke83",
    "rudder_density",
    "kg/m³",
    "density of the water at the rudder",
    0.0,
    usual="density",
)
T_SURGE = _own(
    "clarke83",
    "T_surge",
    "s",
    "time constant of surge",
    0.0,
    usual="number of the length in metres",
)
CLARKE = (RUDDER_ASPECT, RUDDER_HEIGHT, A_H, X_H, X_R, RUDDER_DENSITY, T_SURGE)

CONTAINER_GM = _own("container", "GM", "m", "transverse metacentric height")
CONTAINER = _terms(
    "container",
    """nabla m m_x m_y I_x I_z J_x J_z alpha_y l_x l_y X_uu X_vr X_rr X_phiphi X_vv K_v K_r K_p
    K_phi K_vvv K_rrr K_vvr K_vrr K_vvphi K_vphiphi K_rrphi K_rphiphi Y_v Y_r Y_p Y_phi Y_vvv Y_rrr
    Y_vvr Y_vrr Y_vvphi Y_vphiphi Y_rrphi Y_rphiphi N_v N_r N_p N_phi N_vvv N_rrr N_vvr N_vrr
    N_vvphi N_vphiphi N_rrphi N_rphiphi tau_p x_p c_pv c_pr k_R epsilon gamma_R c_Rr c_Rrrr c_Rrrv
    c_RX A_R aspect a_H x_R x_H z_R""",
)

DSRV_U0 = _own("dsrv", "U0", "m/s", "constant speed ahead through the water")
DSRV = (
    DSRV_U0,
    *_terms("dsrv", "m I_y Z_wdot Z_qdot M_wdot M_qdot Z_w Z_q Z_delta M_w M_q M_delta"),
    _own("dsrv", "M_theta", "m²/s²", "prime restoring moment times U²"),
)

MARINER_U0 = _own("mariner", "U0", "m/s", "service speed, reference of the series")
MARINER = (
    MARINER_U0,
    *_terms(
        "mariner",
        """m I_z x_G X_udot X_u X_uu X_uuu X_vv X_rr X_rv X_dd X_udd X_vd X_uvd Y_vdot Y_rdot Y_v
        Y_r Y_vvv Y_vvr Y_vu Y_ru Y_d Y_ddd Y_ud Y_uud Y_vdd Y_vvd Y_0 Y_0u Y_0uu N_vdot N_rdot N_v
        N_r N_vvv N_vvr N_vu N_ru N_d N_ddd N_ud N_uud N_vdd N_vvd N_0 N_0u N_0uu""",
    ),
)

NAVAL_X_UDOT = _own(
    "navalvessel", "X_udot", "kg", "acceleration derivative, minus the added mass in surge"
)
NAVAL_ADDED = {
    (axis, velocity): _own(
        "navalvessel",
        f"{axis}_{velocity}dot",
        "kg, kg m, kg m²",
        "acceleration derivative, minus the added mass",
    )
    for axis in "YKN"
    for velocity in "vpr"
}
X_VR_PER_MASS = _own("navalvessel", "X_vr_per_mass", "1", "X_vr over mass")
K_PHI3_PER_WEIGHT = _own(
    "navalvessel", "K_phiphiphi_per_weight", "m", "cubic righting moment over weight"
)
NAVAL = _terms(
    "navalvessel",
    """X_uau Y_auv Y_ur Y_vav Y_var Y_rav Y_phiauv Y_phiaur Y_phiuu K_auv K_ur K_vav K_var K_rav
    K_phiauv K_phiaur K_phiuu K_aup K_pap K_p N_auv N_aur N_rar N_rav N_phiau N_phiuar N_phiuau""",
    "SI",
)

NPS_ADDED = {
    (axis, velocity): Key(
        f"{axis}_{velocity}dot",
        unit="1",
        default=0.0,
        ours=True,
        models=("npsauv",),
        meaning="acceleration derivative",
    )
    for axis in "XYZKMN"
    for velocity in "uvwpqr"
}
NPS = _terms(
    "npsauv",
    """C_Dy C_Dz C_d0 X_pp X_qq X_rr X_pr X_wq X_vp X_vr X_qds X_qdb2 X_rdr X_vv X_ww X_vdr X_wds
    X_wdb2 X_dsds X_drdr X_qdsn X_wdsn X_dsdsn Y_pq Y_qr Y_p Y_r Y_vq Y_wp Y_wr Y_v Y_vw Y_dr Z_pp
    Z_pr Z_rr Z_q Z_vp Z_vr Z_w Z_vv Z_ds Z_db2 Z_qn Z_wn Z_dsn K_pq K_qr K_p K_r K_vq K_wp K_wr K_v
    K_vw K_db2 K_pn M_pp M_pr M_rr M_uq M_vp M_vr M_uw M_vv M_ds M_db2 M_qn M_wn M_dsn N_pq N_qr N_p
    N_r N_vq N_wp N_wr N_v N_vw N_dr K_prop N_prop""",
)

NORRBIN_U = _own("norrbin", "U", "m/s", "speed of these gains", 0.0)
NORRBIN_K = _own("norrbin", "K", "1/s", "steady yaw rate per unit rudder angle")
NORRBIN_T = _own("norrbin", "T", "s", "time constant", 0.0)
NORRBIN_N3 = _own("norrbin", "n_3", "s²/rad²", "cubic damping")
NORRBIN_N1 = _own("norrbin", "n_1", "1", "linear damping; 1 for a course-stable ship")
GAINS = Key(
    "gains",
    Kind.LIST,
    keys=(NORRBIN_U, NORRBIN_K, NORRBIN_T, NORRBIN_N3),
    ours=True,
    models=("norrbin",),
    meaning="gains by speed, ascending",
)

OSV_T = {
    i: _own("osv", f"T_{i}", "s", f"time constant of {motion}", 0.0)
    for i, motion in ((1, "surge"), (2, "sway"), (6, "yaw"))
}
OSV_ZETA = {
    i: _own("osv", f"zeta_{i}", "1", f"damping ratio of {motion}", 0.0)
    for i, motion in ((3, "heave"), (4, "roll"), (5, "pitch"))
}
U_MAX = _own("osv", "U_max", "m/s", "maximum speed", 0.0)
U_CROSS = _own("osv", "u_cross", "m/s", "speed above which resistance is quadratic", 0.0)

DAMPING_MATRIX = _matrix("damping_matrix", 6, "SI", "D about CO", "from D_bis")
RESTORING_MATRIX = _matrix("restoring_matrix", 6, "SI", "G about CO", "0 with M_bis")
M_BIS = _matrix("M_bis", 3, "1", "M of surge, sway, yaw in the bis system", "from matrices")
D_BIS = _matrix("D_bis", 3, "1", "D of surge, sway, yaw in the bis system", "from matrices")

TANKER_DEPTH = _own("tanker", "water_depth", "m", "depth of shallow water", 0.0)
TANKER = _terms(
    "tanker",
    """c_un c_nn T_uu T_un T_nn m11 m22 m33 d11 d22 d33 X_uu X_vv X_ccdd X_ccbd X_uuz X_vrz X_vvzz
    X_udotz Y_T Y_uv Y_vv Y_ccd Y_ccbbd Y_urz Y_vvz Y_ccbbdz Y_vdotz N_T N_uv N_vr N_ccd N_ccbbd
    N_urz N_uvz N_vrz N_ccbbdz N_rdotz""",
)

KEYS = (
    *(*CLARKE, CONTAINER_GM, *CONTAINER, *DSRV, *MARINER),
    *(NAVAL_X_UDOT, *NAVAL_ADDED.values(), X_VR_PER_MASS, K_PHI3_PER_WEIGHT, *NAVAL),
    *(*NPS_ADDED.values(), *NPS, GAINS, NORRBIN_N1, *OSV_T.values(), *OSV_ZETA.values()),
    *(U_MAX, U_CROSS, DAMPING_MATRIX, RESTORING_MATRIX, M_BIS, D_BIS, TANKER_DEPTH, *TANKER),
)
