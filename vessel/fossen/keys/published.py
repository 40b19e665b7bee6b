"""Keys of ``hydrodynamics.yml`` for published models: coefficients as named in the sources.

Unless specified, a coefficient is of the prime system, and its name is an axis and its factors;
each model's module documents the speed and length.
"""

from __future__ import annotations

from steerageway.declarations.key import Key, declared


def _of(model: str, table: str) -> tuple[Key, ...]:
    """Return the keys of a model."""
    return declared(table, ours=True, models=(model,))[1]


def _terms(model: str, names: str, unit: str = "1", default: str = "") -> tuple[Key, ...]:
    """Return the keys of coefficients described by their names."""
    meaning = f"[{unit}]{default}: coefficient, as in its source"
    return _of(model, "\n".join(f"{name} {meaning}" for name in names.split()))


CLARKE = RUDDER_ASPECT, RUDDER_HEIGHT, A_H, X_H, X_R, RUDDER_DENSITY, T_SURGE = _of("clarke83", """
    rudder_aspect > 0: aspect ratio of the rudder
    rudder_height > 0: rudder height over draught
    a_H: rudder force increase factor of the hull
    x_H: position of that force forward of CO, over L
    x_R: position of the rudder forward of CO, over L
    rudder_density [kg/m³] > 0 (density): density of the water at the rudder
    T_surge [s] > 0 (number of the length in metres): time constant of surge
""")  # fmt: skip

(CONTAINER_GM,) = _of("container", "GM [m]: transverse metacentric height")
CONTAINER = _terms(
    "container",
    """nabla m m_x m_y I_x I_z J_x J_z alpha_y l_x l_y X_uu X_vr X_rr X_phiphi X_vv K_v K_r K_p
    K_phi K_vvv K_rrr K_vvr K_vrr K_vvphi K_vphiphi K_rrphi K_rphiphi Y_v Y_r Y_p Y_phi Y_vvv Y_rrr
    Y_vvr Y_vrr Y_vvphi Y_vphiphi Y_rrphi Y_rphiphi N_v N_r N_p N_phi N_vvv N_rrr N_vvr N_vrr
    N_vvphi N_vphiphi N_rrphi N_rphiphi tau_p x_p c_pv c_pr k_R epsilon gamma_R c_Rr c_Rrrr c_Rrrv
    c_RX A_R aspect a_H x_R x_H z_R""",
)

(DSRV_U0,) = _of("dsrv", "U0 [m/s]: constant speed ahead through the water")
DSRV = (
    DSRV_U0,
    *_terms("dsrv", "m I_y Z_wdot Z_qdot M_wdot M_qdot Z_w Z_q Z_delta M_w M_q M_delta"),
    *_of("dsrv", "M_theta [m²/s²]: prime restoring moment times U²"),
)

(MARINER_U0,) = _of("mariner", "U0 [m/s]: service speed, reference of the series")
MARINER = (
    MARINER_U0,
    *_terms(
        "mariner",
        """m I_z x_G X_udot X_u X_uu X_uuu X_vv X_rr X_rv X_dd X_udd X_vd X_uvd Y_vdot Y_rdot Y_v
        Y_r Y_vvv Y_vvr Y_vu Y_ru Y_d Y_ddd Y_ud Y_uud Y_vdd Y_vvd Y_0 Y_0u Y_0uu N_vdot N_rdot N_v
        N_r N_vvv N_vvr N_vu N_ru N_d N_ddd N_ud N_uud N_vdd N_vvd N_0 N_0u N_0uu""",
    ),
)

RUDDER_AREA, RUDDER_SPAN = _of("mmg", """
    A_R [m²] > 0: movable area of the rudder
    H_R [m] > 0: span of the rudder
""")  # fmt: skip
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
    *_of("mmg", "C_D > 0: drag of the cross flow; the low-speed form, not the series"),
    *_terms("mmg", "C_rY C_rN R_astern tau C_P"),
)
MMG_GM, K_XX, MMG_J_X, *MMG_DEPTHS = MMG_ROLL = _of("mmg", """
    GM [m] > 0 (none: no roll): metacentric height
    k_xx [1] > 0 (none: no roll): radius of gyration in roll over the breadth
    J_x [1] = 0: added moment of inertia in roll, as J_z
    z_G [1] = 0: centre of gravity, below the waterplane, over the draught
    z_H [1] = 0: side force of the hull, below the waterplane, over the draught
    z_R [1] = 0: side force of the rudder, below the waterplane, over the draught
    z_P [1] = 0: shaft, below the waterplane, over the draught
    alpha_z [1] = 0: added mass in sway, below the waterplane, over the draught
""")  # fmt: skip
MMG_EXTINCTION = _of("mmg", """
    extinction_a [1] >= 0 = 0: a of the decrement a phi + b phi² of a roll
    extinction_b [1/degree] >= 0 = 0: b of that decrement, phi in degrees
""")  # fmt: skip
MMG_HEEL = _terms(
    "mmg",
    """X_vphi X_rphi X_phiphi Y_phi Y_vvphi Y_vrphi Y_rrphi Y_vphiphi Y_rphiphi N_phi N_vvphi
    N_vrphi N_rrphi N_vphiphi N_rphiphi""",
    default=" = 0",
)

(NAVAL_X_UDOT,) = _of(
    "navalvessel", "X_udot [kg]: acceleration derivative, minus the added mass in surge"
)
NAVAL_ADDED = {
    (axis, velocity): key
    for axis in "YKN"
    for velocity in "vpr"
    for key in _of(
        "navalvessel",
        f"{axis}_{velocity}dot [kg, kg m, kg m²]: acceleration derivative, minus the added mass",
    )
}
X_VR_PER_MASS, K_PHI3_PER_WEIGHT = _of("navalvessel", """
    X_vr_per_mass [1]: X_vr over mass
    K_phiphiphi_per_weight [m]: cubic righting moment over weight
""")  # fmt: skip
NAVAL = _terms(
    "navalvessel",
    """X_uau Y_auv Y_ur Y_vav Y_var Y_rav Y_phiauv Y_phiaur Y_phiuu K_auv K_ur K_vav K_var K_rav
    K_phiauv K_phiaur K_phiuu K_aup K_pap K_p N_auv N_aur N_rar N_rav N_phiau N_phiuar N_phiuau""",
    "SI",
)

NPS_ADDED = {
    (axis, velocity): key
    for axis in "XYZKMN"
    for velocity in "uvwpqr"
    for key in _of("npsauv", f"{axis}_{velocity}dot [1] = 0: acceleration derivative")
}
NPS = _terms(
    "npsauv",
    """C_Dy C_Dz C_d0 X_pp X_qq X_rr X_pr X_wq X_vp X_vr X_qds X_qdb2 X_rdr X_vv X_ww X_vdr X_wds
    X_wdb2 X_dsds X_drdr X_qdsn X_wdsn X_dsdsn Y_pq Y_qr Y_p Y_r Y_vq Y_wp Y_wr Y_v Y_vw Y_dr Z_pp
    Z_pr Z_rr Z_q Z_vp Z_vr Z_w Z_vv Z_ds Z_db2 Z_qn Z_wn Z_dsn K_pq K_qr K_p K_r K_vq K_wp K_wr K_v
    K_vw K_db2 K_pn M_pp M_pr M_rr M_uq M_vp M_vr M_uw M_vv M_ds M_db2 M_qn M_wn M_dsn N_pq N_qr N_p
    N_r N_vq N_wp N_wr N_v N_vw N_dr K_prop N_prop""",
)

GAINS, NORRBIN_U, NORRBIN_K, NORRBIN_T, NORRBIN_N3, NORRBIN_N1 = _of("norrbin", """
    gains[] required: gains by speed, ascending
        U [m/s] > 0: speed of these gains
        K [1/s]: steady yaw rate per unit rudder angle
        T [s] > 0: time constant
        n_3 [s²/rad²]: cubic damping
    n_1 [1]: linear damping; 1 for a course-stable ship
""")  # fmt: skip

_OSV = _of("osv", """
    T_1 [s] > 0: time constant of surge
    T_2 [s] > 0: time constant of sway
    T_6 [s] > 0: time constant of yaw
    zeta_3 [1] > 0: damping ratio of heave
    zeta_4 [1] > 0: damping ratio of roll
    zeta_5 [1] > 0: damping ratio of pitch
    U_max [m/s] > 0: maximum speed
    u_cross [m/s] > 0: speed above which resistance is quadratic
""")  # fmt: skip
OSV_T, OSV_ZETA = ({int(key[-1]): key for key in keys} for keys in (_OSV[:3], _OSV[3:6]))
U_MAX, U_CROSS = _OSV[6:]

STATION = DAMPING_MATRIX, RESTORING_MATRIX, M_BIS, D_BIS = _of("station_keeping", """
    damping_matrix[6][6] [SI] (from D_bis): D about CO
    restoring_matrix[6][6] [SI] (0 with M_bis): G about CO
    M_bis[3][3] [1] (from matrices): M of surge, sway, yaw in the bis system
    D_bis[3][3] [1] (from matrices): D of surge, sway, yaw in the bis system
""")  # fmt: skip

(TANKER_DEPTH,) = _of("tanker", "water_depth [m] > 0: depth of shallow water")
TANKER = _terms(
    "tanker",
    """c_un c_nn T_uu T_un T_nn m11 m22 m33 d11 d22 d33 X_uu X_vv X_ccdd X_ccbd X_uuz X_vrz X_vvzz
    X_udotz Y_T Y_uv Y_vv Y_ccd Y_ccbbd Y_urz Y_vvz Y_ccbbdz Y_vdotz N_T N_uv N_vr N_ccd N_ccbbd
    N_urz N_uvz N_vrz N_ccbbdz N_rdotz""",
)

KEYS = (
    *(*CLARKE, CONTAINER_GM, *CONTAINER, *DSRV, *MARINER, RUDDER_AREA, RUDDER_SPAN),
    *(*MMG, *MMG_SERIES, *MMG_LOW_SPEED, *MMG_ROLL, *MMG_EXTINCTION, *MMG_HEEL),
    *(NAVAL_X_UDOT, *NAVAL_ADDED.values(), X_VR_PER_MASS, K_PHI3_PER_WEIGHT, *NAVAL),
    *(*NPS_ADDED.values(), *NPS, GAINS, NORRBIN_N1, *_OSV, *STATION, TANKER_DEPTH, *TANKER),
)
