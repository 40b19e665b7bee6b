"""``hydrodynamics.yml`` of the coefficient form: added mass, damping, restoring, waves.

The keys of the published models' coefficients: ``published``.
"""

from __future__ import annotations

from steerageway.vessel.fossen.keys.vessel import BOWS, FORMATS
from steerageway.world.declared import Key, Kind

ADDED = (0.05, 0.5, 1.3, 0.44, 0.89, 0.5)
"""Added mass where none is given, of the mass and of the moments of inertia about CO. Heave, roll
and pitch: of a box 4 x 2 x 0.5 m by Capytaine; the others: usual of boats."""
AXES = "XYZKMN"
VELOCITIES = "uvwpqr"
MOST_FACTORS = 5

COEFFICIENT = Key(
    "X_u, Y_vr, N_ar_v, ...",
    unit="SI, or 1 of prime ones",
    usual="0",
    pattern=r"[XYZKMN]_(?=[auvwpqrphi_]+$)(?:_?a?(?:phi|[uvwpqr])){1,5}",
    meaning="damping: an axis, then what it is multiplied by: velocities, phi the heel; a is the "
    "absolute value of the next",
)
ACCELERATION = Key(
    "X_ud, Y_rd, ...",
    unit="kg, kg m, kg m², or 1 of prime ones",
    usual="0",
    pattern=r"[XYZKMN]_[uvwpqr]d(?:ot)?",
    meaning="added mass, minus its entry of M_A: an axis, then an acceleration",
)
DIM_FLAG = Key(
    "dim_flag", Kind.FLAG, default=True, meaning="false: coefficients are of the prime system"
)
CROSS_FLOW_DRAG = Key(
    "cross_flow_drag", Kind.FLAG, default=False, meaning="drag across the hull, by strips"
)
CORIOLIS_FLAG = Key(
    "coriolis_flag", Kind.FLAG, default=True, meaning="Coriolis and centripetal forces"
)
HYDRA_FILE = Key(
    "hydra_file",
    Kind.FILE,
    usual="none",
    suffixes=(".json",),
    meaning="HydRA's results, for added mass",
)
HYDRA_BOW = Key(
    "hydra_bow",
    Kind.CHOICE,
    default=BOWS[0],
    choices=BOWS,
    ours=True,
    meaning="axis of HydRA's file, and of the WAMIT mesh, that the bow is on",
)
PRIME_SPEED = Key(
    "prime_speed",
    Kind.CHOICE,
    default="actual",
    choices=("actual", "reference"),
    ours=True,
    meaning="speed that prime coefficients go by; reference: U, as Panisim has it",
)
CURRENT = Key(
    "current",
    Kind.CHOICE,
    default="full",
    choices=("full", "yaw", "yaw_planar"),
    ours=True,
    meaning="how the current is seen in BODY; the others repeat a peer",
)
CORIOLIS_OMIT = Key(
    "coriolis_omit",
    Kind.ROWS,
    usual="none",
    size=2,
    ours=True,
    meaning="[row, column] of C_A to leave out",
)
FADING = Key(
    "fading",
    Kind.WORDS,
    usual="none",
    ours=True,
    meaning="coefficients that fall as exp(-fade_rate U)",
)
FADE_RATE = Key("fade_rate", unit="s/m", default=0.0, low=0.0, ours=True, meaning="see fading")
FADE_SPEED = Key(
    "fade_speed",
    Kind.CHOICE,
    default="water",
    choices=("water", "surge_root"),
    ours=True,
    meaning="U of fading: through the water; surge_root repeats a peer",
)
MEETS_SURFACE = Key(
    "meets_surface",
    Kind.FLAG,
    default=False,
    ours=True,
    meaning="buoyancy and thrust of a submerged hull fade as it comes out of the water",
)
WATERPLANE_AREA = Key("waterplane_area", unit="m²", above=0.0, ours=True, meaning="A_wp")
GM_T = Key("GM_T", unit="m", above=0.0, ours=True, meaning="transverse metacentric height")
GM_L = Key("GM_L", unit="m", above=0.0, ours=True, meaning="longitudinal metacentric height")
LCF = Key("LCF", unit="m", default=0.0, ours=True, meaning="centre of flotation ahead of CO")
CUBIC_ROLL = Key(
    "cubic_roll",
    unit="N m/rad³",
    default=0.0,
    ours=True,
    meaning="righting moment of the third power",
)
RESTORING = Key(
    "restoring",
    Kind.SECTION,
    usual="submerged",
    keys=(WATERPLANE_AREA, GM_T, GM_L, LCF, CUBIC_ROLL),
    ours=True,
    meaning="of a vessel that floats, by coefficients",
)
CROSS_FORM = Key(
    "form",
    Kind.CHOICE,
    usual="hoerner; sections beside a geometry_file",
    choices=("hoerner", "cylinder", "fixed", "sections"),
    ours=True,
    meaning="which drag coefficient",
)
CROSS_LENGTH = Key(
    "length", unit="m", usual="length", above=0.0, ours=True, meaning="of the strips together"
)
CROSS_BEAM = Key("beam", unit="m", usual="breadth", low=0.0, ours=True, meaning="of the strips")
CROSS_WIDTH = Key(
    "width", unit="m", usual="draft, or depth", low=0.0, ours=True, meaning="their draught"
)
SUBMERGED = Key(
    "submerged", Kind.FLAG, default=False, ours=True, meaning="drag in heave and pitch, too"
)
CROSS_COEFFICIENT = Key("coefficient", default=0.0, low=0.0, ours=True, meaning="of the form fixed")
REYNOLDS_LENGTH = Key(
    "reynolds_length", unit="m", usual="width", low=0.0, ours=True, meaning="of the form cylinder"
)
CROSS_SUM = Key(
    "sum",
    Kind.CHOICE,
    default="integral",
    choices=("integral", "points"),
    ours=True,
    meaning="points: over 21 points, as MSS and PVS",
)
CROSS_DENSITY = Key(
    "density", unit="kg/m³", usual="density", above=0.0, ours=True, meaning="of the water here"
)
CROSS_FLOW = Key(
    "cross_flow",
    Kind.SECTION,
    usual="by the main dimensions",
    keys=(
        *(CROSS_FORM, CROSS_LENGTH, CROSS_BEAM, CROSS_WIDTH, SUBMERGED, CROSS_COEFFICIENT),
        *(REYNOLDS_LENGTH, CROSS_SUM, CROSS_DENSITY),
    ),
    ours=True,
    meaning="of cross_flow_drag",
)
LIFT_AREA = Key("area", unit="m²", above=0.0, ours=True, meaning="of the hull as a wing")
LIFT_SPAN = Key("span", unit="m", above=0.0, ours=True, meaning="of the hull as a wing")
LIFT_CD0 = Key("CD0", low=0.0, ours=True, meaning="drag coefficient at no lift")
LIFT_ANGLE = Key(
    "angle",
    Kind.CHOICE,
    default="folded",
    choices=("folded", "whole"),
    ours=True,
    meaning="whole: lift grows beyond 45 degrees, as in MSS and PVS",
)
EFFICIENCY = Key("efficiency", above=0.0, high=1.0, ours=True, meaning="Oswald's")
LIFT = Key(
    "lift",
    Kind.SECTION,
    usual="none",
    keys=(LIFT_AREA, LIFT_SPAN, LIFT_CD0, LIFT_ANGLE, EFFICIENCY),
    ours=True,
    meaning="the hull as a wing in pitch",
)
TERM_AXIS = Key(
    "axis", Kind.CHOICE, default="X", choices=tuple(AXES), ours=True, meaning="of the force"
)
TERM_POWERS = tuple(
    Key(name, default=0.0, low=0.0, high=MOST_FACTORS, ours=True, meaning="its power")
    for name in (*VELOCITIES, *(f"a{v}" for v in VELOCITIES), "phi", "aphi")
)
TERM_COEFFICIENT = Key("coefficient", unit="SI, or 1", ours=True, meaning="of the product")
DAMPING_TERMS = Key(
    "damping_terms",
    Kind.LIST,
    usual="none",
    keys=(TERM_AXIS, *TERM_POWERS, TERM_COEFFICIENT),
    ours=True,
    meaning="coefficients as a table of products",
)
RESISTANCE_POINTS = Key(
    "points",
    Kind.ROWS,
    "m/s, N",
    size=2,
    usual="of file",
    ours=True,
    meaning="[speed, force against the motion]",
)
RESISTANCE_FILE = Key(
    "file",
    Kind.FILE,
    usual="none",
    ours=True,
    suffixes=(".csv",),
    meaning="the same as CSV speed,force",
)
RESISTANCE_FIT = Key(
    "fit",
    Kind.WHOLE,
    default=0.0,
    low=0.0,
    high=3.0,
    ours=True,
    meaning="powers of a fitted polynomial; 0: from point to point",
)
RESISTANCE = Key(
    "resistance",
    Kind.SECTION,
    usual="none",
    keys=(RESISTANCE_POINTS, RESISTANCE_FILE, RESISTANCE_FIT),
    ours=True,
    meaning="measured straight ahead, added to the coefficients",
)
SCALING_ADDED_MASS, SCALING_DAMPING, SCALING_VOLUME = (
    Key(name, default=1.0, above=0.0, ours=True, meaning="factor")
    for name in ("added_mass", "damping", "volume")
)
SCALINGS = Key(
    "scalings",
    Kind.SECTION,
    usual="none",
    keys=(SCALING_ADDED_MASS, SCALING_DAMPING, SCALING_VOLUME),
    ours=True,
    meaning="factors, to see what an uncertain model does",
)
OFFSET_ADDED_MASS = Key(
    "added_mass", unit="kg, kg m²", default=0.0, ours=True, meaning="added to the diagonal"
)
OFFSETS_DAMPING = tuple(
    Key(name, unit="SI", default=0.0, ours=True, meaning="added to the diagonal; negative damps")
    for name in ("linear_damping", "linear_forward_damping", "quadratic_damping")
)
OFFSETS = Key(
    "offsets",
    Kind.SECTION,
    usual="none",
    keys=(OFFSET_ADDED_MASS, *OFFSETS_DAMPING),
    ours=True,
    meaning="added before scalings",
)
HYDROSTATICS = Key(
    "hydrostatics",
    Kind.CHOICE,
    default="coefficients",
    choices=("coefficients", "mesh", "voxels"),
    ours=True,
    meaning="mesh: it floats by the mesh of geometry.yml",
)
VOXEL_EDGE = Key(
    "edge", unit="m", usual="a fortieth of the length", above=0.0, ours=True, meaning="of a cube"
)
VOXELS = Key(
    "voxels",
    Kind.SECTION,
    usual="none",
    keys=(VOXEL_EDGE,),
    ours=True,
    meaning="of hydrostatics voxels",
)
LOADS_WAVES = Key(
    "waves",
    Kind.CHOICE,
    usual="mesh with hydrostatics, else none",
    choices=("none", "mesh", "rao"),
    ours=True,
    meaning="what of the waves loads it",
)
PRESSURE = Key(
    "pressure",
    Kind.CHOICE,
    default="wheeler",
    choices=("depth", "wheeler", "linear"),
    ours=True,
    meaning="profile of the waves' pressure",
)
EVALUATOR = Key(
    "evaluator",
    Kind.CHOICE,
    default="nodal",
    choices=("nodal", "exact"),
    ours=True,
    meaning="where pressure is evaluated: vertices, or each wet piece",
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
    meaning="triangles are cut at the surface; false: whole ones count by their centres",
)
DIFFRACTION = Key(
    "diffraction",
    Kind.FLAG,
    usual="true; false with rao",
    ours=True,
    meaning="M_A times the orbital acceleration",
)
LOADS = Key(
    "loads",
    Kind.SECTION,
    usual="by hydrostatics",
    keys=(LOADS_WAVES, PRESSURE, EVALUATOR, CUTTING, DRIFT, DIFFRACTION),
    ours=True,
    meaning="what of the waves loads the hull",
)
FORCE_FILE = Key(
    "file",
    Kind.FILE,
    ours=True,
    suffixes=(".3", ".2", ".nc", ".json"),
    meaning="force RAOs: WAMIT's, Capytaine's, HydRA's",
)
FORCE_FORMAT = Key(
    "format",
    Kind.CHOICE,
    default="auto",
    choices=FORMATS,
    ours=True,
    meaning="of the file; auto: by its name",
)
FORCE_ULEN = Key(
    "ulen", unit="m", default=1.0, above=0.0, ours=True, meaning="the file's unit of length"
)
DRIFT_FILE = Key(
    "drift_file", Kind.FILE, usual="none", ours=True, suffixes=(".8",), meaning="WAMIT's drift"
)
RAO = Key(
    "rao",
    Kind.SECTION,
    usual="none",
    keys=(FORCE_FILE, FORCE_FORMAT, FORCE_ULEN, DRIFT_FILE),
    ours=True,
    meaning="of loads waves rao",
)
RADIATION_ADDED_MASS = Key(
    "added_mass",
    Kind.VECTOR,
    "kg, kg m²",
    size=6,
    usual=f"{' '.join(f'{share:g}' for share in ADDED)} of mass and moments of inertia",
    ours=True,
    meaning="diagonal of M_A where no other key gives it",
)
ZETAS = tuple(
    Key(name, default=ratio, low=0.0, ours=True, meaning="damping ratio")
    for name, ratio in (("heave", 0.2), ("roll", 0.06), ("pitch", 0.1))
)
SQUARES = tuple(
    Key(name, unit=unit, default=0.0, low=0.0, ours=True, meaning="quadratic damping")
    for name, unit in (("heave", "N s²/m²"), ("roll", "N m s²"), ("pitch", "N m s²"))
)
ZETA = Key(
    "zeta", Kind.SECTION, usual="usual ones", keys=ZETAS, ours=True, meaning="damping ratios"
)
QUADRATIC = Key(
    "quadratic", Kind.SECTION, usual="none", keys=SQUARES, ours=True, meaning="quadratic damping"
)
RADIATION = Key(
    "radiation",
    Kind.SECTION,
    usual="usual ones",
    keys=(RADIATION_ADDED_MASS, ZETA, QUADRATIC),
    ours=True,
    meaning="of a hull that floats by its form",
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
        ("P1", "pressure by the speed"),
        ("P2", "pressure by its square"),
        ("S1", "suction by the speed"),
        ("S2", "suction by its square"),
    )
)
VREF = Key("vref", unit="m/s", default=1.0, above=0.0, ours=True, meaning="speed of reference")
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
    "drag", Kind.SECTION, usual="none", keys=(KERNER,), ours=True, meaning="of a meshed hull"
)

KEYS = (
    *(HYDRA_FILE, HYDRA_BOW, DIM_FLAG, PRIME_SPEED, CORIOLIS_FLAG, CORIOLIS_OMIT, CURRENT),
    *(COEFFICIENT, ACCELERATION, DAMPING_TERMS, RESISTANCE, FADING, FADE_RATE, FADE_SPEED),
    *(CROSS_FLOW_DRAG, CROSS_FLOW, LIFT, MEETS_SURFACE, RESTORING, SCALINGS, OFFSETS),
    *(HYDROSTATICS, VOXELS, LOADS, RAO, RADIATION, DRAG),
)
