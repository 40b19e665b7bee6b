"""Keys of ``control_surfaces.yml``: rudders, planes, fins."""

from __future__ import annotations

from math import inf

from steerageway.vessel.fossen.keys.hydrodynamics import AXES
from steerageway.vessel.fossen.keys.thrusters import CLIPS
from steerageway.vessel.fossen.keys.vessel import COEFFICIENTS
from steerageway.world.key_declarations import Key, Kind

PREFIX = "control_surface_"
ANCHORS = tuple(
    Key(name, Kind.TEXT, usual="none", meaning="value for a YAML anchor; no effect")
    for name in ("naca_number", "delta_max", "deltad_max", "area")
)
NACA_FILE = Key(
    "naca_file",
    Kind.FILE,
    usual="none",
    suffixes=(".csv",),
    models=COEFFICIENTS,
    meaning="default polar of foils: CSV alpha,cl,cd, alpha in degrees",
)
TYPE = Key(
    PREFIX + "type", Kind.TEXT, default="", meaning="type for information, e.g. Rudder, Elevator"
)
NAME = Key(PREFIX + "name", Kind.TEXT, default="", meaning="name, for information only")
ID = Key(
    PREFIX + "id",
    Kind.TEXT,
    usual="number in the list",
    meaning="identifier in the name of its command: cs_1",
)
LOCATION = Key(
    PREFIX + "location",
    Kind.VECTOR,
    "m",
    default=(0.0,) * 3,
    size=3,
    meaning="position in the drawing frame",
)
ORIENTATION = Key(
    PREFIX + "orientation",
    Kind.VECTOR,
    "rad",
    default=(0.0,) * 3,
    size=3,
    meaning="roll, pitch, yaw; x along the chord, y along the span; upright: roll -pi/2",
)
AREA = Key(PREFIX + "area", unit="m²", default=0.0, low=0.0, meaning="area of the foil or fin")
DELTA_MAX = Key(
    PREFIX + "delta_max",
    unit="deg",
    default=90.0,
    above=0.0,
    high=180.0,
    meaning="maximum angle",
)
DELTAD_MAX = Key(
    PREFIX + "deltad_max", unit="deg/s", default=inf, above=0.0, meaning="maximum rate"
)
T = Key(PREFIX + "T", unit="s", default=0.0, low=0.0, meaning="time constant; 0: no lag")
CLIP = Key(
    PREFIX + "clip",
    Kind.CHOICE,
    default=CLIPS[0],
    choices=CLIPS,
    ours=True,
    models=COEFFICIENTS,
    meaning="limited quantity: command; as references: state, before or after a step",
)
DELAY = Key(
    PREFIX + "delay", unit="s", default=0.0, low=0.0, ours=True, meaning="dead time of commands"
)
BACKLASH = Key(PREFIX + "backlash", unit="deg", default=0.0, low=0.0, ours=True, meaning="backlash")
NACA = Key(PREFIX + "NACA", Kind.TEXT, default="", meaning="name of the profile; the table is used")
OWN_NACA_FILE = Key(
    PREFIX + "naca_file",
    Kind.FILE,
    usual="naca_file",
    suffixes=(".csv",),
    models=COEFFICIENTS,
    meaning="polar of a foil in the local flow: CSV alpha,cl,cd, alpha in degrees",
)
DELTA_FORCES = tuple(
    Key(f"{axis}_delta", unit="SI, or 1", default=0.0, meaning="force or moment per radian")
    for axis in AXES
)
HYDRODYNAMICS = Key(
    PREFIX + "hydrodynamics",
    Kind.SECTION,
    usual="none",
    keys=DELTA_FORCES,
    models=COEFFICIENTS,
    meaning="surface defined by coefficients; prime ones are multiplied by 1/2 rho L² U²",
)
CL_DELTA = Key(
    PREFIX + "CL_delta",
    unit="1/rad",
    usual="none",
    ours=True,
    models=COEFFICIENTS,
    meaning="lift coefficient of a fin per angle",
)
CD_DELTA = Key(
    PREFIX + "CD_delta",
    unit="1/rad²",
    default=0.0,
    low=0.0,
    ours=True,
    models=COEFFICIENTS,
    meaning="drag coefficient of a fin per squared angle",
)
LAW_TYPE = Key(
    "type",
    Kind.CHOICE,
    default="two_lines",
    choices=("two_lines", "quadratic"),
    ours=True,
    meaning="law of lift and drag",
)
LAW_AREA = Key("area", unit="m²", usual=AREA.name, above=0.0, ours=True, meaning="area of the fin")
LAW_DENSITY = Key(
    "density",
    unit="kg/m³",
    usual="density",
    above=0.0,
    ours=True,
    meaning="density of the water for this fin",
)
A0 = Key("a0", unit="rad", default=0.0, ours=True, meaning="angle of zero lift")
ALPHA_STALL = Key("alpha_stall", unit="rad", above=0.0, ours=True, meaning="stall angle")
CLA, CLA_STALL, CDA_STALL = (
    Key(name, unit="1/rad", ours=True, meaning=meaning)
    for name, meaning in (
        ("cla", "slope of lift"),
        ("cla_stall", "slope of lift beyond stall"),
        ("cda_stall", "slope of drag beyond stall"),
    )
)
CDA = Key("cda", unit="1/rad", low=0.0, ours=True, meaning="slope of drag")
AS_CODED = Key(
    "as_coded",
    Kind.FLAG,
    default=False,
    ours=True,
    meaning="reproduces errors of the UUV Simulator's plugin",
)
LIFT_CONSTANT = Key(
    "lift_constant", unit="N s²/m²", ours=True, meaning="lift constant of quadratic"
)
DRAG_CONSTANT = Key(
    "drag_constant", unit="N s²/m²", low=0.0, ours=True, meaning="drag constant of quadratic"
)
LIFT_DRAG = Key(
    PREFIX + "lift_drag",
    Kind.SECTION,
    usual="none",
    keys=(
        *(LAW_TYPE, LAW_AREA, LAW_DENSITY, A0, ALPHA_STALL, CLA, CLA_STALL, CDA, CDA_STALL),
        *(AS_CODED, LIFT_CONSTANT, DRAG_CONSTANT),
    ),
    ours=True,
    models=COEFFICIENTS,
    meaning="fin as in the UUV Simulator",
)

CONTROL_SURFACES = Key(
    "control_surfaces",
    Kind.LIST,
    usual="none",
    keys=(
        *(TYPE, NAME, ID, LOCATION, ORIENTATION, AREA, NACA, DELTA_MAX, DELTAD_MAX, T, CLIP, DELAY),
        *(BACKLASH, OWN_NACA_FILE, HYDRODYNAMICS, CL_DELTA, CD_DELTA, LIFT_DRAG),
    ),
    meaning="control surfaces",
)
KEYS = (NACA_FILE, *ANCHORS, CONTROL_SURFACES)
