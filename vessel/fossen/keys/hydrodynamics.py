"""Keys of ``hydrodynamics.yml``: added mass, damping, restoring, waves of the coefficient form.

Those of the published models are in ``published``.
"""

from __future__ import annotations

from steerageway.declarations.key import Keys
from steerageway.vessel.fossen.keys.vessel import BOWS, FORMATS

ADDED = (0.05, 0.5, 1.3, 0.44, 0.89, 0.5)
"""Default added mass, as fractions of mass and moments of inertia about CO. Heave, roll and pitch:
box of 4 x 2 x 0.5 m by Capytaine; the others: usual for boats."""
AXES = "XYZKMN"
VELOCITIES = "uvwpqr"
MOST_FACTORS = 5

panisim = Keys()
ours = Keys(ours=True)

COEFFICIENT = panisim.number(
    "X_u, Y_vr, N_ar_v, ...",
    "SI, or 1 of prime ones",
    usual="0",
    pattern="[XYZKMN]_(?=[auvwpqrphi_]+$)(?:_?a?(?:phi|[uvwpqr])){1,5}",
).means(
    "damping coefficient: an axis, then its factors: velocities, phi for heel; a is the "
    "absolute value of the next factor"
)
ACCELERATION = panisim.number(
    "X_ud, Y_rd, ...",
    "kg, kg m, kg m², or 1 of prime ones",
    usual="0",
    pattern="[XYZKMN]_[uvwpqr]d(?:ot)?",
).means("acceleration derivative, minus the entry of M_A: an axis, then an acceleration")
DIM_FLAG = panisim.flag("dim_flag", True).means(
    "dimensional coefficients; false: coefficients are of the prime system"
)
CROSS_FLOW_DRAG = panisim.flag("cross_flow_drag").means("cross-flow drag by strip theory")
CORIOLIS_FLAG = panisim.flag("coriolis_flag", True).means("Coriolis and centripetal forces")
HYDRA_FILE = panisim.file("hydra_file", ".json").means("HydRA results, for added mass")
HYDRA_BOW = ours.choice("hydra_bow", BOWS).means(
    "axis of HydRA's file, and of the WAMIT mesh, towards the bow"
)
PRIME_SPEED = ours.choice("prime_speed", ("actual", "reference")).means(
    "reference speed of prime coefficients; reference: U, as in Panisim"
)
CURRENT = ours.choice("current", ("full", "yaw", "yaw_planar")).means(
    "transformation of the current to BODY; yaw and yaw_planar as in reference programs"
)
CORIOLIS_OMIT = ours.rows("coriolis_omit", "", 2, usual="none").means(
    "[row, column] of C_A entries to omit"
)
FADING = ours.words("fading", usual="none").means("coefficients that decay as exp(-fade_rate U)")
FADE_RATE = ours.number("fade_rate", "s/m", 0, low=0).means("decay constant of fading")
FADE_SPEED = ours.choice("fade_speed", ("water", "surge_root")).means(
    "U of fading: speed through the water; surge_root as in a reference program"
)
MEETS_SURFACE = ours.flag("meets_surface").means(
    "buoyancy and thrust of a submerged hull decrease as it emerges"
)
WATERPLANE_AREA = ours.number("waterplane_area", "m²", above=0).means("waterplane area A_wp")
GM_T = ours.number("GM_T", "m", above=0).means("transverse metacentric height")
GM_L = ours.number("GM_L", "m", above=0).means("longitudinal metacentric height")
LCF = ours.number("LCF", "m", 0).means("centre of flotation forward of CO")
CUBIC_ROLL = ours.number("cubic_roll", "N m/rad³", 0).means(
    "coefficient of the cubic righting moment"
)
RESTORING = ours.section(
    "restoring", (WATERPLANE_AREA, GM_T, GM_L, LCF, CUBIC_ROLL), usual="submerged"
).means("restoring of a floating vessel, by coefficients")
CROSS_FORM = ours.choice(
    "form",
    ("hoerner", "cylinder", "fixed", "sections"),
    usual="hoerner; sections with a geometry_file",
).means("source of the drag coefficient")
CROSS_LENGTH = ours.number("length", "m", usual="length", above=0).means(
    "total length of the strips"
)
CROSS_BEAM = ours.number("beam", "m", usual="breadth", low=0).means("beam of the strips")
CROSS_WIDTH = ours.number("width", "m", usual="draft, or depth", low=0).means(
    "draught of the strips"
)
SUBMERGED = ours.flag("submerged").means("cross-flow drag in heave and pitch too")
CROSS_COEFFICIENT = ours.number("coefficient", "", 0, low=0).means("drag coefficient of form fixed")
REYNOLDS_LENGTH = ours.number("reynolds_length", "m", usual="width", low=0).means(
    "length of the Reynolds number of form cylinder"
)
CROSS_SUM = ours.choice("sum", ("integral", "points")).means(
    "method of integration; points: sum over 21 points, as in MSS and PVS"
)
CROSS_DENSITY = ours.number("density", "kg/m³", usual="density", above=0).means(
    "density of the water for cross-flow drag"
)
CROSS_FLOW = ours.section(
    "cross_flow",
    (
        *(CROSS_FORM, CROSS_LENGTH, CROSS_BEAM, CROSS_WIDTH, SUBMERGED, CROSS_COEFFICIENT),
        *(REYNOLDS_LENGTH, CROSS_SUM, CROSS_DENSITY),
    ),
    usual="from the main dimensions",
).means("parameters of cross_flow_drag")
LIFT_AREA = ours.number("area", "m²", above=0).means("planform area of the hull as a wing")
LIFT_SPAN = ours.number("span", "m", above=0).means("span of the hull as a wing")
LIFT_CD0 = ours.number("CD0", low=0).means("drag coefficient at zero lift")
LIFT_ANGLE = ours.choice("angle", ("folded", "whole")).means(
    "lift beyond 45 degrees: folded: decreases; whole: increases, as in MSS and PVS"
)
EFFICIENCY = ours.number("efficiency", above=0, high=1).means("Oswald efficiency factor")
LIFT = ours.section("lift", (LIFT_AREA, LIFT_SPAN, LIFT_CD0, LIFT_ANGLE, EFFICIENCY)).means(
    "lift and drag of the hull as a wing in pitch"
)
TERM_AXIS = ours.choice("axis", tuple(AXES), default="X").means("axis of the force")
TERM_POWERS = tuple(
    ours.number(name, "", 0, low=0, high=MOST_FACTORS).means("power of this factor")
    for name in (*VELOCITIES, *(f"a{v}" for v in VELOCITIES), "phi", "aphi")
)
TERM_COEFFICIENT = ours.number("coefficient", "SI, or 1").means("coefficient of the product")
DAMPING_TERMS = ours.sections("damping_terms", (TERM_AXIS, *TERM_POWERS, TERM_COEFFICIENT)).means(
    "damping coefficients as a table of products"
)
RESISTANCE_POINTS = ours.rows("points", "m/s, N", 2, usual="from file").means(
    "rows [speed, resistance]"
)
RESISTANCE_FILE = ours.file("file", ".csv").means("resistance as CSV speed,force")
RESISTANCE_FIT = ours.whole("fit", 0, low=0, high=3).means(
    "number of powers of a fitted polynomial; 0: linear interpolation"
)
RESISTANCE = ours.section("resistance", (RESISTANCE_POINTS, RESISTANCE_FILE, RESISTANCE_FIT)).means(
    "resistance measured straight ahead, added to the coefficients"
)
SCALING_ADDED_MASS, SCALING_DAMPING, SCALING_VOLUME = (
    ours.number(name, "", 1, above=0).means("scale factor")
    for name in ("added_mass", "damping", "volume")
)
SCALINGS = ours.section("scalings", (SCALING_ADDED_MASS, SCALING_DAMPING, SCALING_VOLUME)).means(
    "scale factors for studies of model uncertainty"
)
OFFSET_ADDED_MASS = ours.number("added_mass", "kg, kg m²", 0).means("offset added to the diagonal")
OFFSETS_DAMPING = tuple(
    ours.number(name, "SI", 0).means(
        "offset added to the diagonal; negative values increase damping"
    )
    for name in ("linear_damping", "linear_forward_damping", "quadratic_damping")
)
OFFSETS = ours.section("offsets", (OFFSET_ADDED_MASS, *OFFSETS_DAMPING)).means(
    "offsets, added before scaling"
)
HYDROSTATICS = ours.choice("hydrostatics", ("coefficients", "mesh", "voxels")).means(
    "hydrostatics by coefficients, or by the mesh of geometry.yml or its voxels"
)
VOXEL_EDGE = ours.number("edge", "m", usual="1/40 of the length", above=0).means(
    "edge length of a voxel"
)
VOXELS = ours.section("voxels", (VOXEL_EDGE,)).means("parameters of hydrostatics voxels")
LOADS_WAVES = ours.choice(
    "waves", ("none", "mesh", "rao"), usual="mesh with hydrostatics, else none"
).means("wave loads: none, pressure on the mesh, or force RAOs")
PRESSURE = ours.choice("pressure", ("depth", "wheeler", "linear"), default="wheeler").means(
    "pressure profile of waves"
)
EVALUATOR = ours.choice("evaluator", ("nodal", "exact")).means(
    "points of evaluation of pressure: vertices, or each wet piece"
)
DRIFT = ours.text("drift", "auto").means(
    "mean drift: auto, none, or R² from 0 to 1; with a drift_file mean or newman"
)
CUTTING = ours.flag("cutting", True).means(
    "triangles are cut at the surface; false: whole ones are wet by their centres"
)
DIFFRACTION = ours.flag("diffraction", usual="true; false with rao").means(
    "M_A times the water's orbital acceleration over the hull"
)
LOADS = ours.section(
    "loads",
    (LOADS_WAVES, PRESSURE, EVALUATOR, CUTTING, DRIFT, DIFFRACTION),
    usual="from hydrostatics",
).means("wave loads on the hull")
FORCE_FILE = ours.file("file", ".3", ".2", ".nc", ".json", usual="").means(
    "force RAOs of WAMIT, Capytaine or HydRA"
)
FORCE_FORMAT = ours.choice("format", FORMATS, default="auto").means(
    "format of the file; auto: from its name"
)
FORCE_ULEN = ours.number("ulen", "m", 1, above=0).means("unit of length of the file")
DRIFT_FILE = ours.file("drift_file", ".8").means("mean drift forces of WAMIT")
RAO = ours.section("rao", (FORCE_FILE, FORCE_FORMAT, FORCE_ULEN, DRIFT_FILE)).means(
    "force RAOs of wave loads rao"
)
RADIATION_ADDED_MASS = ours.vector(
    "added_mass",
    "kg, kg m²",
    6,
    usual=f"{' '.join(f'{share:g}' for share in ADDED)} of mass and moments of inertia",
).means("diagonal of M_A, unless another key gives it")
ZETAS = tuple(
    ours.number(name, "", ratio, low=0).means("damping ratio")
    for name, ratio in (("heave", 0.2), ("roll", 0.06), ("pitch", 0.1))
)
SQUARES = tuple(
    ours.number(name, unit, 0, low=0).means("quadratic damping")
    for name, unit in (("heave", "N s²/m²"), ("roll", "N m s²"), ("pitch", "N m s²"))
)
ZETA = ours.section("zeta", ZETAS, usual="defaults").means("damping ratios")
QUADRATIC = ours.section("quadratic", SQUARES).means("quadratic damping")
RADIATION = ours.section(
    "radiation", (RADIATION_ADDED_MASS, ZETA, QUADRATIC), usual="defaults"
).means("added mass and radiation damping of a hull that floats by its form")
KERNER_K = ours.number("k", "", 0.2, low=0).means("form factor of friction")
KERNER_LOADS = tuple(
    ours.number(name, "Pa", 0, low=0).means(meaning)
    for name, meaning in (
        ("P1", "linear pressure coefficient"),
        ("P2", "quadratic pressure coefficient"),
        ("S1", "linear suction coefficient"),
        ("S2", "quadratic suction coefficient"),
    )
)
VREF = ours.number("vref", "m/s", 1, above=0).means("reference speed")
KERNER_FP = ours.number("fp", "", 1, above=0).means("exponent of pressure")
KERNER_FS = ours.number("fs", "", 1, above=0).means("exponent of suction")
KERNER = ours.section("kerner", (KERNER_K, *KERNER_LOADS, VREF, KERNER_FP, KERNER_FS)).means(
    "drag of each wet triangle, after Kerner"
)
DRAG = ours.section("drag", (KERNER,)).means("drag of a meshed hull")

KEYS = (
    *(HYDRA_FILE, HYDRA_BOW, DIM_FLAG, PRIME_SPEED, CORIOLIS_FLAG, CORIOLIS_OMIT, CURRENT),
    *(COEFFICIENT, ACCELERATION, DAMPING_TERMS, RESISTANCE, FADING, FADE_RATE, FADE_SPEED),
    *(CROSS_FLOW_DRAG, CROSS_FLOW, LIFT, MEETS_SURFACE, RESTORING, SCALINGS, OFFSETS),
    *(HYDROSTATICS, VOXELS, LOADS, RAO, RADIATION, DRAG),
)
