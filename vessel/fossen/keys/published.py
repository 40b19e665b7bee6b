"""Keys of ``hydrodynamics.yml`` for published models: coefficients as named in the sources.

Unless specified, a coefficient is of the prime system, and its name is an axis and its factors;
each model's module documents the speed and length.
"""

from __future__ import annotations

from steerageway.declarations.key import Key, Keys


def _terms(
    model: str, names: str, unit: str = "1", default: float | None = None
) -> tuple[Key, ...]:
    """Return the keys of coefficients described by their names."""
    return tuple(
        Keys(True, (model,)).number(name, unit, default).means("coefficient, as in its source")
        for name in names.split()
    )


clarke83 = Keys(ours=True, models=("clarke83",))
container = Keys(ours=True, models=("container",))
dsrv = Keys(ours=True, models=("dsrv",))
mariner = Keys(ours=True, models=("mariner",))
mmg = Keys(ours=True, models=("mmg",))
navalvessel = Keys(ours=True, models=("navalvessel",))
npsauv = Keys(ours=True, models=("npsauv",))
norrbin = Keys(ours=True, models=("norrbin",))
osv = Keys(ours=True, models=("osv",))
station_keeping = Keys(ours=True, models=("station_keeping",))
tanker = Keys(ours=True, models=("tanker",))


RUDDER_ASPECT = clarke83.number("rudder_aspect", above=0).means("aspect ratio of the rudder")
RUDDER_HEIGHT = clarke83.number("rudder_height", above=0).means("rudder height over draught")
A_H = clarke83.number("a_H").means("rudder force increase factor of the hull")
X_H = clarke83.number("x_H").means("position of that force forward of CO, over L")
X_R = clarke83.number("x_R").means("position of the rudder forward of CO, over L")
RUDDER_DENSITY = clarke83.number("rudder_density", "kg/m³", usual="density", above=0).means(
    "density of the water at the rudder"
)
T_SURGE = clarke83.number("T_surge", "s", usual="number of the length in metres", above=0).means(
    "time constant of surge"
)
CLARKE = (RUDDER_ASPECT, RUDDER_HEIGHT, A_H, X_H, X_R, RUDDER_DENSITY, T_SURGE)

CONTAINER_GM = container.number("GM", "m").means("transverse metacentric height")
CONTAINER = _terms(
    "container",
    """nabla m m_x m_y I_x I_z J_x J_z alpha_y l_x l_y X_uu X_vr X_rr X_phiphi X_vv K_v K_r K_p
    K_phi K_vvv K_rrr K_vvr K_vrr K_vvphi K_vphiphi K_rrphi K_rphiphi Y_v Y_r Y_p Y_phi Y_vvv Y_rrr
    Y_vvr Y_vrr Y_vvphi Y_vphiphi Y_rrphi Y_rphiphi N_v N_r N_p N_phi N_vvv N_rrr N_vvr N_vrr
    N_vvphi N_vphiphi N_rrphi N_rphiphi tau_p x_p c_pv c_pr k_R epsilon gamma_R c_Rr c_Rrrr c_Rrrv
    c_RX A_R aspect a_H x_R x_H z_R""",
)

DSRV_U0 = dsrv.number("U0", "m/s").means("constant speed ahead through the water")
DSRV = (
    DSRV_U0,
    *_terms("dsrv", "m I_y Z_wdot Z_qdot M_wdot M_qdot Z_w Z_q Z_delta M_w M_q M_delta"),
    dsrv.number("M_theta", "m²/s²").means("prime restoring moment times U²"),
)

MARINER_U0 = mariner.number("U0", "m/s").means("service speed, reference of the series")
MARINER = (
    MARINER_U0,
    *_terms(
        "mariner",
        """m I_z x_G X_udot X_u X_uu X_uuu X_vv X_rr X_rv X_dd X_udd X_vd X_uvd Y_vdot Y_rdot Y_v
        Y_r Y_vvv Y_vvr Y_vu Y_ru Y_d Y_ddd Y_ud Y_uud Y_vdd Y_vvd Y_0 Y_0u Y_0uu N_vdot N_rdot N_v
        N_r N_vvv N_vvr N_vu N_ru N_d N_ddd N_ud N_uud N_vdd N_vvd N_0 N_0u N_0uu""",
    ),
)

RUDDER_AREA = mmg.number("A_R", "m²", above=0).means("movable area of the rudder")
RUDDER_SPAN = mmg.number("H_R", "m", above=0).means("span of the rudder")
MMG = _terms(
    "mmg",
    """k_zz m_x m_y J_z R_0 X_vr Y_v Y_r N_v N_r x_P k_0 k_1 k_2 f_alpha epsilon kappa gamma_R_plus
    gamma_R_minus l_R t_R a_H x_H x_R""",
)
MMG_SERIES = _terms(
    "mmg",
    """X_vv X_rr X_vvvv Y_vvv Y_vvr Y_vrr Y_rrr N_vvv N_vvr N_vrr N_rrr C_1 C_2_plus C_2_minus""",
)
MMG_LOW_SPEED = (
    mmg.number("C_D", above=0).means("drag of the cross flow; the low-speed form, not the series"),
    *_terms("mmg", "C_rY C_rN R_astern tau C_P"),
)
MMG_GM = mmg.number("GM", "m", usual="none: no roll", above=0).means("metacentric height")
K_XX = mmg.number("k_xx", "1", usual="none: no roll", above=0).means(
    "radius of gyration in roll over the breadth"
)
MMG_J_X = mmg.number("J_x", "1", 0).means("added moment of inertia in roll, as J_z")
MMG_DEPTHS = tuple(
    mmg.number(name, "1", 0).means(f"{what}, below the waterplane, over the draught")
    for name, what in (
        ("z_G", "centre of gravity"),
        ("z_H", "side force of the hull"),
        ("z_R", "side force of the rudder"),
        ("z_P", "shaft"),
        ("alpha_z", "added mass in sway"),
    )
)
MMG_EXTINCTION = (
    mmg.number("extinction_a", "1", 0, low=0).means("a of the decrement a phi + b phi² of a roll"),
    mmg.number("extinction_b", "1/degree", 0, low=0).means("b of that decrement, phi in degrees"),
)
MMG_HEEL = _terms(
    "mmg",
    """X_vphi X_rphi X_phiphi Y_phi Y_vvphi Y_vrphi Y_rrphi Y_vphiphi Y_rphiphi N_phi N_vvphi
    N_vrphi N_rrphi N_vphiphi N_rphiphi""",
    default=0,
)

NAVAL_X_UDOT = navalvessel.number("X_udot", "kg").means(
    "acceleration derivative, minus the added mass in surge"
)
NAVAL_ADDED = {
    (axis, velocity): navalvessel.number(f"{axis}_{velocity}dot", "kg, kg m, kg m²").means(
        "acceleration derivative, minus the added mass"
    )
    for axis in "YKN"
    for velocity in "vpr"
}
X_VR_PER_MASS = navalvessel.number("X_vr_per_mass", "1").means("X_vr over mass")
K_PHI3_PER_WEIGHT = navalvessel.number("K_phiphiphi_per_weight", "m").means(
    "cubic righting moment over weight"
)
NAVAL = _terms(
    "navalvessel",
    """X_uau Y_auv Y_ur Y_vav Y_var Y_rav Y_phiauv Y_phiaur Y_phiuu K_auv K_ur K_vav K_var K_rav
    K_phiauv K_phiaur K_phiuu K_aup K_pap K_p N_auv N_aur N_rar N_rav N_phiau N_phiuar N_phiuau""",
    "SI",
)

NPS_ADDED = {
    (axis, velocity): npsauv.number(f"{axis}_{velocity}dot", "1", 0).means(
        "acceleration derivative"
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

NORRBIN_U = norrbin.number("U", "m/s", above=0).means("speed of these gains")
NORRBIN_K = norrbin.number("K", "1/s").means("steady yaw rate per unit rudder angle")
NORRBIN_T = norrbin.number("T", "s", above=0).means("time constant")
NORRBIN_N3 = norrbin.number("n_3", "s²/rad²").means("cubic damping")
NORRBIN_N1 = norrbin.number("n_1", "1").means("linear damping; 1 for a course-stable ship")
GAINS = norrbin.sections("gains", (NORRBIN_U, NORRBIN_K, NORRBIN_T, NORRBIN_N3), usual="").means(
    "gains by speed, ascending"
)

OSV_T = {
    i: osv.number(f"T_{i}", "s", above=0).means(f"time constant of {motion}")
    for i, motion in ((1, "surge"), (2, "sway"), (6, "yaw"))
}
OSV_ZETA = {
    i: osv.number(f"zeta_{i}", "1", above=0).means(f"damping ratio of {motion}")
    for i, motion in ((3, "heave"), (4, "roll"), (5, "pitch"))
}
U_MAX = osv.number("U_max", "m/s", above=0).means("maximum speed")
U_CROSS = osv.number("u_cross", "m/s", above=0).means("speed above which resistance is quadratic")

DAMPING_MATRIX = station_keeping.matrix("damping_matrix", "SI", 6, usual="from D_bis").means(
    "D about CO"
)
RESTORING_MATRIX = station_keeping.matrix("restoring_matrix", "SI", 6, usual="0 with M_bis").means(
    "G about CO"
)
M_BIS = station_keeping.matrix("M_bis", "1", 3, usual="from matrices").means(
    "M of surge, sway, yaw in the bis system"
)
D_BIS = station_keeping.matrix("D_bis", "1", 3, usual="from matrices").means(
    "D of surge, sway, yaw in the bis system"
)

TANKER_DEPTH = tanker.number("water_depth", "m", above=0).means("depth of shallow water")
TANKER = _terms(
    "tanker",
    """c_un c_nn T_uu T_un T_nn m11 m22 m33 d11 d22 d33 X_uu X_vv X_ccdd X_ccbd X_uuz X_vrz X_vvzz
    X_udotz Y_T Y_uv Y_vv Y_ccd Y_ccbbd Y_urz Y_vvz Y_ccbbdz Y_vdotz N_T N_uv N_vr N_ccd N_ccbbd
    N_urz N_uvz N_vrz N_ccbbdz N_rdotz""",
)

KEYS = (
    *(*CLARKE, CONTAINER_GM, *CONTAINER, *DSRV, *MARINER, RUDDER_AREA, RUDDER_SPAN),
    *(*MMG, *MMG_SERIES, *MMG_LOW_SPEED, MMG_GM, K_XX),
    *(MMG_J_X, *MMG_DEPTHS, *MMG_EXTINCTION, *MMG_HEEL),
    *(NAVAL_X_UDOT, *NAVAL_ADDED.values(), X_VR_PER_MASS, K_PHI3_PER_WEIGHT, *NAVAL),
    *(*NPS_ADDED.values(), *NPS, GAINS, NORRBIN_N1, *OSV_T.values(), *OSV_ZETA.values()),
    *(U_MAX, U_CROSS, DAMPING_MATRIX, RESTORING_MATRIX, M_BIS, D_BIS, TANKER_DEPTH, *TANKER),
)
