"""Keys of ``hydrodynamics.yml``: added mass, damping, restoring, waves of the coefficient form.

Those of the published models are in ``published``.
"""

from __future__ import annotations

from steerageway.declarations.key import declared

ADDED = (0.05, 0.5, 1.3, 0.44, 0.89, 0.5)
"""Default added mass, as fractions of mass and moments of inertia about CO. Heave, roll and pitch:
box of 4 x 2 x 0.5 m by Capytaine; the others: usual for boats."""
AXES = "XYZKMN"
VELOCITIES = "uvwpqr"
MOST_FACTORS = 5
FACTORS = (*VELOCITIES, *(f"a{v}" for v in VELOCITIES), "phi", "aphi")
TERM_POWERS = declared(
    "\n".join(f"{name} + from 0 to {MOST_FACTORS} = 0: power of this factor" for name in FACTORS)
)[1]

KEYS, (
    HYDRA_FILE, HYDRA_BOW, DIM_FLAG, PRIME_SPEED, CORIOLIS_FLAG, CORIOLIS_OMIT, CURRENT,
    COEFFICIENT, ACCELERATION, DAMPING_TERMS, TERM_AXIS, TERM_COEFFICIENT, RESISTANCE,
    RESISTANCE_POINTS, RESISTANCE_FILE, RESISTANCE_FIT, FADING, FADE_RATE, FADE_SPEED,
    CROSS_FLOW_DRAG, CROSS_FLOW, CROSS_FORM, CROSS_LENGTH, CROSS_BEAM, CROSS_WIDTH, SUBMERGED,
    CROSS_COEFFICIENT, REYNOLDS_LENGTH, CROSS_SUM, CROSS_DENSITY, LIFT, LIFT_AREA, LIFT_SPAN,
    LIFT_CD0, LIFT_ANGLE, EFFICIENCY, MEETS_SURFACE, RESTORING, WATERPLANE_AREA, GM_T, GM_L,
    LCF, CUBIC_ROLL, SCALINGS, SCALING_ADDED_MASS, SCALING_DAMPING, SCALING_VOLUME, OFFSETS,
    OFFSET_ADDED_MASS, _, _, _, HYDROSTATICS, VOXELS, VOXEL_EDGE, LOADS, LOADS_WAVES, PRESSURE,
    EVALUATOR, CUTTING, DRIFT, DIFFRACTION, RAO, FORCE_FILE, FORCE_FORMAT, FORCE_ULEN,
    DRIFT_FILE, RADIATION, RADIATION_ADDED_MASS, ZETA, _, _, _, QUADRATIC, _, _, _, DRAG,
    KERNER, KERNER_K, _, _, _, _, VREF, KERNER_FP, KERNER_FS,
) = declared(
    f"""
    hydra_file .json: HydRA results, for added mass
    hydra_bow + x|y: axis of HydRA's file, and of the WAMIT mesh, towards the bow
    dim_flag flag = true: dimensional coefficients; false: coefficients are of the prime system
    prime_speed + actual|reference: reference speed of prime coefficients; reference: U, as in \
        Panisim
    coriolis_flag flag = true: Coriolis and centripetal forces
    coriolis_omit[][2] + (none): [row, column] of C_A entries to omit
    current + full|yaw|yaw_planar: transformation of the current to BODY; yaw and yaw_planar as in \
        reference programs
    'X_u, Y_vr, N_ar_v, ...' [SI, or 1 of prime ones] (0): damping coefficient: an axis, then its \
        factors: velocities, phi for heel; a is the absolute value of the next factor
    'X_ud, Y_rd, ...' [kg, kg m, kg m², or 1 of prime ones] (0): acceleration derivative, minus \
        the entry of M_A: an axis, then an acceleration
    damping_terms[] +: damping coefficients as a table of products
        axis X|Y|Z|K|M|N: axis of the force
        u, v, w, p, q, r, au, av, aw, ap, aq, ar, phi, aphi
        coefficient [SI, or 1]: coefficient of the product
    resistance +: resistance measured straight ahead, added to the coefficients
        points[][2] [m/s, N] (from file): rows [speed, resistance]
        file .csv: resistance as CSV speed,force
        fit whole from 0 to 3 = 0: number of powers of a fitted polynomial; 0: linear interpolation
    fading + words (none): coefficients that decay as exp(-fade_rate U)
    fade_rate + [s/m] >= 0 = 0: decay constant of fading
    fade_speed + water|surge_root: U of fading: speed through the water; surge_root as in a \
        reference program
    cross_flow_drag flag: cross-flow drag by strip theory
    cross_flow + (from the main dimensions): parameters of cross_flow_drag
        form hoerner|cylinder|fixed|sections (hoerner; sections with a geometry_file): source of \
            the drag coefficient
        length [m] > 0 (length): total length of the strips
        beam [m] >= 0 <= 2000 (breadth): beam of the strips
        width [m] >= 0 (draft, or depth): draught of the strips
        submerged flag: cross-flow drag in heave and pitch too
        coefficient >= 0 = 0: drag coefficient of form fixed
        reynolds_length [m] >= 0 (width): length of the Reynolds number of form cylinder
        sum integral|points: method of integration; points: sum over 21 points, as in MSS and PVS
        density [kg/m³] > 0 (density): density of the water for cross-flow drag
    lift +: lift and drag of the hull as a wing in pitch
        area [m²] > 0: planform area of the hull as a wing
        span [m] > 0: span of the hull as a wing
        CD0 >= 0: drag coefficient at zero lift
        angle folded|whole: lift beyond 45 degrees: folded: decreases; whole: increases, as in MSS \
            and PVS
        efficiency > 0 <= 1: Oswald efficiency factor
    meets_surface + flag: buoyancy and thrust of a submerged hull decrease as it emerges
    restoring + (submerged): restoring of a floating vessel, by coefficients
        waterplane_area [m²] > 0: waterplane area A_wp
        GM_T [m] > 0 <= 1000: transverse metacentric height
        GM_L [m] > 0 <= 10000: longitudinal metacentric height
        LCF [m] = 0: centre of flotation forward of CO
        cubic_roll [N m/rad³] = 0: coefficient of the cubic righting moment
    scalings +: scale factors for studies of model uncertainty
        added_mass > 0 = 1: scale factor
        damping > 0 = 1: scale factor
        volume > 0 = 1: scale factor
    offsets +: offsets, added before scaling
        added_mass [kg, kg m²] = 0: offset added to the diagonal
        linear_damping [SI] = 0: offset added to the diagonal; negative values increase damping
        linear_forward_damping [SI] = 0: offset added to the diagonal; negative values increase \
            damping
        quadratic_damping [SI] = 0: offset added to the diagonal; negative values increase damping
    hydrostatics + coefficients|mesh|voxels: hydrostatics by coefficients, or by the mesh of \
        geometry.yml or its voxels
    voxels +: parameters of hydrostatics voxels
        edge [m] > 0 (1/40 of the length): edge length of a voxel
    loads + (from hydrostatics): wave loads on the hull
        waves none|mesh|rao (mesh with hydrostatics, else none): wave loads: none, pressure on the \
            mesh, or force RAOs
        pressure depth|wheeler|linear = wheeler: pressure profile of waves
        evaluator nodal|exact: points of evaluation of pressure: vertices, or each wet piece
        cutting flag = true: triangles are cut at the surface; false: whole ones are wet by their \
            centres
        drift text = auto: mean drift: auto, none, or R² from 0 to 1; with a drift_file mean or \
            newman
        diffraction flag (true; false with rao): M_A times the water's orbital acceleration over \
            the hull
    rao +: force RAOs of wave loads rao
        file .3 .2 .nc .json required: force RAOs of WAMIT, Capytaine or HydRA
        format auto|wamit|capytaine|hydra: format of the file; auto: from its name
        ulen [m] > 0 = 1: unit of length of the file
        drift_file .8: mean drift forces of WAMIT
    radiation + (defaults): added mass and radiation damping of a hull that floats by its form
        added_mass[6] [kg, kg m²] ({' '.join(f'{share:g}' for share in ADDED)} of mass and moments \
            of inertia): diagonal of M_A, unless another key gives it
        zeta (defaults): damping ratios
            heave >= 0 = 0.2: damping ratio
            roll >= 0 = 0.06: damping ratio
            pitch >= 0 = 0.1: damping ratio
        quadratic: quadratic damping
            heave [N s²/m²] >= 0 = 0: quadratic damping
            roll [N m s²] >= 0 = 0: quadratic damping
            pitch [N m s²] >= 0 = 0: quadratic damping
    drag +: drag of a meshed hull
        kerner: drag of each wet triangle, after Kerner
            k >= 0 = 0.2: form factor of friction
            P1 [Pa] >= 0 = 0: linear pressure coefficient
            P2 [Pa] >= 0 = 0: quadratic pressure coefficient
            S1 [Pa] >= 0 = 0: linear suction coefficient
            S2 [Pa] >= 0 = 0: quadratic suction coefficient
            vref [m/s] > 0 = 1: reference speed
            fp > 0 = 1: exponent of pressure
            fs > 0 = 1: exponent of suction
    """,
    *TERM_POWERS,
    patterns={
        "X_u, Y_vr, N_ar_v, ...": "[XYZKMN]_(?=[auvwpqrphi_]+$)(?:_?a?(?:phi|[uvwpqr])){1,5}",
        "X_ud, Y_rd, ...": "[XYZKMN]_[uvwpqr]d(?:ot)?",
    },
)  # fmt: skip
OFFSETS_DAMPING = OFFSETS.keys[1:]
ZETAS, SQUARES = ZETA.keys, QUADRATIC.keys
KERNER_LOADS = KERNER.keys[1:5]
