"""Keys of ``hydrodynamics.yml``: added mass, damping, restoring, waves of the coefficient form.

Those of the published models are in ``published``.
"""

from __future__ import annotations

from steerageway.vessel.fossen.keys.vessel import BOWS, FORMATS
from steerageway.world.key_declarations import Key, Kind

ADDED = (0.05, 0.5, 1.3, 0.44, 0.89, 0.5)
"""Default added mass, as fractions of mass and moments of inertia about CO. Heave, roll and pitch:
box of 4 x 2 x 0.5 m by Capytaine; the others: usual for boats."""
AXES = "XYZKMN"
VELOCITIES = "uvwpqr"
MOST_FACTORS = 5

COEFFICIENT = Key(
    "X_u, Y_vr, N_ar_v, ...",
    unit="SI, or 1 of prime ones",
    usual="0",
    pattern=r"[XYZKMN]_(?=[auvwpqrphi_]+$)(?:_?a?(?:phi|[uvwpqr])){1,5}",
    meaning="damping coefficient: an axis, then its factors: velocities, phi for heel; a is the "
    "absolute value of the next factor",
)
ACCELERATION = Key(
    "X_ud, Y_rd, ...",
    unit="kg, kg m, kg m², or 1 of prime ones",
    usual="0",
    pattern=r"[XYZKMN]_[uvwpqr]d(?:ot)?",
    meaning="acceleration derivative, minus the entry of M_A: an axis, then an acceleration",
)
DIM_FLAG = Key(
    "dim_flag",
    Kind.FLAG,
    default=True,
    meaning="dimensional coefficients; false: coefficients are of the prime system",
)
CROSS_FLOW_DRAG = Key(
    "cross_flow_drag", Kind.FLAG, default=False, meaning="cross-flow drag by strip theory"
)
CORIOLIS_FLAG = Key(
    "coriolis_flag", Kind.FLAG, default=True, meaning="Coriolis and centripetal forces"
)
HYDRA_FILE = Key(
    "hydra_file",
    Kind.FILE,
    usual="none",
    suffixes=(".json",),
    meaning="HydRA results, for added mass",
)
HYDRA_BOW = Key(
    "hydra_bow",
    Kind.CHOICE,
    default=BOWS[0],
    choices=BOWS,
    ours=True,
    meaning="axis of HydRA's file, and of the WAMIT mesh, towards the bow",
)
PRIME_SPEED = Key(
    "prime_speed",
    Kind.CHOICE,
    default="actual",
    choices=("actual", "reference"),
    ours=True,
    meaning="reference speed of prime coefficients; reference: U, as in Panisim",
)
CURRENT = Key(
    "current",
    Kind.CHOICE,
    default="full",
    choices=("full", "yaw", "yaw_planar"),
    ours=True,
    meaning="transformation of the current to BODY; yaw and yaw_planar as in reference programs",
)
CORIOLIS_OMIT = Key(
    "coriolis_omit",
    Kind.ROWS,
    usual="none",
    size=2,
    ours=True,
    meaning="[row, column] of C_A entries to omit",
)
FADING = Key(
    "fading",
    Kind.WORDS,
    usual="none",
    ours=True,
    meaning="coefficients that decay as exp(-fade_rate U)",
)
FADE_RATE = Key(
    "fade_rate", unit="s/m", default=0.0, low=0.0, ours=True, meaning="decay constant of fading"
)
FADE_SPEED = Key(
    "fade_speed",
    Kind.CHOICE,
    default="water",
    choices=("water", "surge_root"),
    ours=True,
    meaning="U of fading: speed through the water; surge_root as in a reference program",
)
MEETS_SURFACE = Key(
    "meets_surface",
    Kind.FLAG,
    default=False,
    ours=True,
    meaning="buoyancy and thrust of a submerged hull decrease as it emerges",
)
WATERPLANE_AREA = Key(
    "waterplane_area", unit="m²", above=0.0, ours=True, meaning="waterplane area A_wp"
)
GM_T = Key("GM_T", unit="m", above=0.0, ours=True, meaning="transverse metacentric height")
GM_L = Key("GM_L", unit="m", above=0.0, ours=True, meaning="longitudinal metacentric height")
LCF = Key("LCF", unit="m", default=0.0, ours=True, meaning="centre of flotation forward of CO")
CUBIC_ROLL = Key(
    "cubic_roll",
    unit="N m/rad³",
    default=0.0,
    ours=True,
    meaning="coefficient of the cubic righting moment",
)
RESTORING = Key(
    "restoring",
    Kind.SECTION,
    usual="submerged",
    keys=(WATERPLANE_AREA, GM_T, GM_L, LCF, CUBIC_ROLL),
    ours=True,
    meaning="restoring of a floating vessel, by coefficients",
)
CROSS_FORM = Key(
    "form",
    Kind.CHOICE,
    usual="hoerner; sections with a geometry_file",
    choices=("hoerner", "cylinder", "fixed", "sections"),
    ours=True,
    meaning="source of the drag coefficient",
)
CROSS_LENGTH = Key(
    "length", unit="m", usual="length", above=0.0, ours=True, meaning="total length of the strips"
)
CROSS_BEAM = Key(
    "beam", unit="m", usual="breadth", low=0.0, ours=True, meaning="beam of the strips"
)
CROSS_WIDTH = Key(
    "width", unit="m", usual="draft, or depth", low=0.0, ours=True, meaning="draught of the strips"
)
SUBMERGED = Key(
    "submerged",
    Kind.FLAG,
    default=False,
    ours=True,
    meaning="cross-flow drag in heave and pitch too",
)
CROSS_COEFFICIENT = Key(
    "coefficient", default=0.0, low=0.0, ours=True, meaning="drag coefficient of form fixed"
)
REYNOLDS_LENGTH = Key(
    "reynolds_length",
    unit="m",
    usual="width",
    low=0.0,
    ours=True,
    meaning="length of the Reynolds number of form cylinder",
)
CROSS_SUM = Key(
    "sum",
    Kind.CHOICE,
    default="integral",
    choices=("integral", "points"),
    ours=True,
    meaning="method of integration; points: sum over 21 points, as in MSS and PVS",
)
CROSS_DENSITY = Key(
    "density",
    unit="kg/m³",
    usual="density",
    above=0.0,
    ours=True,
    meaning="density of the water for cross-flow drag",
)
CROSS_FLOW = Key(
    "cross_flow",
    Kind.SECTION,
    usual="from the main dimensions",
    keys=(
        *(CROSS_FORM, CROSS_LENGTH, CROSS_BEAM, CROSS_WIDTH, SUBMERGED, CROSS_COEFFICIENT),
        *(REYNOLDS_LENGTH, CROSS_SUM, CROSS_DENSITY),
    ),
    ours=True,
    meaning="parameters of cross_flow_drag",
)
LIFT_AREA = Key(
    "area", unit="m²", above=0.0, ours=True, meaning="planform area of the hull as a wing"
)
LIFT_SPAN = Key("span", unit="m", above=0.0, ours=True, meaning="span of the hull as a wing")
LIFT_CD0 = Key("CD0", low=0.0, ours=True, meaning="drag coefficient at zero lift")
LIFT_ANGLE = Key(
    "angle",
    Kind.CHOICE,
    default="folded",
    choices=("folded", "whole"),
    ours=True,
    meaning="lift beyond 45 degrees: folded: decreases; whole: increases, as in MSS and PVS",
)
EFFICIENCY = Key("efficiency", above=0.0, high=1.0, ours=True, meaning="Oswald efficiency factor")
LIFT = Key(
    "lift",
    Kind.SECTION,
    usual="none",
    keys=(LIFT_AREA, LIFT_SPAN, LIFT_CD0, LIFT_ANGLE, EFFICIENCY),
    ours=True,
    meaning="lift and drag of the hull as a wing in pitch",
)
TERM_AXIS = Key(
    "axis", Kind.CHOICE, default="X", choices=tuple(AXES), ours=True, meaning="axis of the force"
)
TERM_POWERS = tuple(
    Key(name, default=0.0, low=0.0, high=MOST_FACTORS, ours=True, meaning="power of this factor")
    for name in (*VELOCITIES, *(f"a{v}" for v in VELOCITIES), "phi", "aphi")
)
TERM_COEFFICIENT = Key(
    "coefficient", unit="SI, or 1", ours=True, meaning="coefficient of the product"
)
DAMPING_TERMS = Key(
    "damping_terms",
    Kind.LIST,
    usual="none",
    keys=(TERM_AXIS, *TERM_POWERS, TERM_COEFFICIENT),
    ours=True,
    meaning="damping coefficients as a table of products",
)
RESISTANCE_POINTS = Key(
    "points",
    Kind.ROWS,
    "m/s, N",
    size=2,
    usual="from file",
    ours=True,
    meaning="rows [speed, resistance]",
)
RESISTANCE_FILE = Key(
    "file",
    Kind.FILE,
    usual="none",
    ours=True,
    suffixes=(".csv",),
    meaning="resistance as CSV speed,force",
)
RESISTANCE_FIT = Key(
    "fit",
    Kind.WHOLE,
    default=0.0,
    low=0.0,
    high=3.0,
    ours=True,
    meaning="number of powers of a fitted polynomial; 0: linear interpolation",
)
RESISTANCE = Key(
    "resistance",
    Kind.SECTION,
    usual="none",
    keys=(RESISTANCE_POINTS, RESISTANCE_FILE, RESISTANCE_FIT),
    ours=True,
    meaning="resistance measured straight ahead, added to the coefficients",
)
SCALING_ADDED_MASS, SCALING_DAMPING, SCALING_VOLUME = (
    Key(name, default=1.0, above=0.0, ours=True, meaning="scale factor")
    for name in ("added_mass", "damping", "volume")
)
SCALINGS = Key(
    "scalings",
    Kind.SECTION,
    usual="none",
    keys=(SCALING_ADDED_MASS, SCALING_DAMPING, SCALING_VOLUME),
    ours=True,
    meaning="scale factors for studies of model uncertainty",
)
OFFSET_ADDED_MASS = Key(
    "added_mass", unit="kg, kg m²", default=0.0, ours=True, meaning="offset added to the diagonal"
)
OFFSETS_DAMPING = tuple(
    Key(
        name,
        unit="SI",
        default=0.0,
        ours=True,
        meaning="offset added to the diagonal; negative values increase damping",
    )
    for name in ("linear_damping", "linear_forward_damping", "quadratic_damping")
)
OFFSETS = Key(
    "offsets",
    Kind.SECTION,
    usual="none",
    keys=(OFFSET_ADDED_MASS, *OFFSETS_DAMPING),
    ours=True,
    meaning="offsets, added before scaling",
)
HYDROSTATICS = Key(
    "hydrostatics",
    Kind.CHOICE,
    default="coefficients",
    choices=("coefficients", "mesh", "voxels"),
    ours=True,
    meaning="hydrostatics by coefficients, or by the mesh of geometry.yml or its voxels",
)
VOXEL_EDGE = Key(
    "edge",
    unit="m",
    usual="1/40 of the length",
    above=0.0,
    ours=True,
    meaning="edge length of a voxel",
)
VOXELS = Key(
    "voxels",
    Kind.SECTION,
    usual="none",
    keys=(VOXEL_EDGE,),
    ours=True,
    meaning="parameters of hydrostatics voxels",
)
LOADS_WAVES = Key(
    "waves",
    Kind.CHOICE,
    usual="mesh with hydrostatics, else none",
    choices=("none", "mesh", "rao"),
    ours=True,
    meaning="wave loads: none, pressure on the mesh, or force RAOs",
)
PRESSURE = Key(
    "pressure",
    Kind.CHOICE,
    default="wheeler",
    choices=("depth", "wheeler", "linear"),
    ours=True,
    meaning="pressure profile of waves",
)
EVALUATOR = Key(
    "evaluator",
    Kind.CHOICE,
    default="nodal",
    choices=("nodal", "exact"),
    ours=True,
    meaning="points of evaluation of pressure: vertices, or each wet piece",
)
DRIFT = Key(
    "drift",
    Kind.TEXT,
    default="auto",
    ours=True,
    meaning="mean drift: auto, none, or R² from 0 to 1; with a drift_file mean or newman",
)
CUTTING = Key(
    "cutting",
    Kind.FLAG,
    default=True,
    ours=True,
    meaning="triangles are cut at the surface; false: whole ones are wet by their centres",
)
DIFFRACTION = Key(
    "diffraction",
    Kind.FLAG,
    usual="true; false with rao",
    ours=True,
    meaning="M_A times the water's orbital acceleration over the hull",
)
LOADS = Key(
    "loads",
    Kind.SECTION,
    usual="from hydrostatics",
    keys=(LOADS_WAVES, PRESSURE, EVALUATOR, CUTTING, DRIFT, DIFFRACTION),
    ours=True,
    meaning="wave loads on the hull",
)
FORCE_FILE = Key(
    "file",
    Kind.FILE,
    ours=True,
    suffixes=(".3", ".2", ".nc", ".json"),
    meaning="force RAOs of WAMIT, Capytaine or HydRA",
)
FORCE_FORMAT = Key(
    "format",
    Kind.CHOICE,
    default="auto",
    choices=FORMATS,
    ours=True,
    meaning="format of the file; auto: from its name",
)
FORCE_ULEN = Key(
    "ulen", unit="m", default=1.0, above=0.0, ours=True, meaning="unit of length of the file"
)
DRIFT_FILE = Key(
    "drift_file",
    Kind.FILE,
    usual="none",
    ours=True,
    suffixes=(".8",),
    meaning="mean drift forces of WAMIT",
)
RAO = Key(
    "rao",
    Kind.SECTION,
    usual="none",
    keys=(FORCE_FILE, FORCE_FORMAT, FORCE_ULEN, DRIFT_FILE),
    ours=True,
    meaning="force RAOs of wave loads rao",
)
RADIATION_ADDED_MASS = Key(
    "added_mass",
    Kind.VECTOR,
    "kg, kg m²",
    size=6,
    usual=f"{' '.join(f'{share:g}' for share in ADDED)} of mass and moments of inertia",
    ours=True,
    meaning="diagonal of M_A, unless another key gives it",
)
ZETAS = tuple(
    Key(name, default=ratio, low=0.0, ours=True, meaning="damping ratio")
    for name, ratio in (("heave", 0.2), ("roll", 0.06), ("pitch", 0.1))
)
SQUARES = tuple(
    Key(name, unit=unit, default=0.0, low=0.0, ours=True, meaning="quadratic damping")
    for name, unit in (("heave", "N s²/m²"), ("roll", "N m s²"), ("pitch", "N m s²"))
)
ZETA = Key("zeta", Kind.SECTION, usual="defaults", keys=ZETAS, ours=True, meaning="damping ratios")
QUADRATIC = Key(
    "quadratic", Kind.SECTION, usual="none", keys=SQUARES, ours=True, meaning="quadratic damping"
)
RADIATION = Key(
    "radiation",
    Kind.SECTION,
    usual="defaults",
    keys=(RADIATION_ADDED_MASS, ZETA, QUADRATIC),
    ours=True,
    meaning="added mass and radiation damping of a hull that floats by its form",
)
KERNER_K = Key("k", default=0.2, low=0.0, ours=True, meaning="form factor of friction")
KERNER_LOADS = tuple(
    Key(
        name,
        unit="Pa",
        default=0.0,
        low=0.0,
        ours=True,
        meaning=meaning,
    )
    for name, meaning in (
        ("P1", "linear pressure coefficient"),
        ("P2", "quadratic pressure coefficient"),
        ("S1", "linear suction coefficient"),
        ("S2", "quadratic suction coefficient"),
    )
)
VREF = Key("vref", unit="m/s", default=1.0, above=0.0, ours=True, meaning="reference speed")
KERNER_FP = Key("fp", default=1.0, above=0.0, ours=True, meaning="exponent of pressure")
KERNER_FS = Key("fs", default=1.0, above=0.0, ours=True, meaning="exponent of suction")
KERNER = Key(
    "kerner",
    Kind.SECTION,
    usual="none",
    keys=(KERNER_K, *KERNER_LOADS, VREF, KERNER_FP, KERNER_FS),
    ours=True,
    meaning="drag of each wet triangle, after Kerner",
)
DRAG = Key(
    "drag", Kind.SECTION, usual="none", keys=(KERNER,), ours=True, meaning="drag of a meshed hull"
)

KEYS = (
    *(HYDRA_FILE, HYDRA_BOW, DIM_FLAG, PRIME_SPEED, CORIOLIS_FLAG, CORIOLIS_OMIT, CURRENT),
    *(COEFFICIENT, ACCELERATION, DAMPING_TERMS, RESISTANCE, FADING, FADE_RATE, FADE_SPEED),
    *(CROSS_FLOW_DRAG, CROSS_FLOW, LIFT, MEETS_SURFACE, RESTORING, SCALINGS, OFFSETS),
    *(HYDROSTATICS, VOXELS, LOADS, RAO, RADIATION, DRAG),
)
