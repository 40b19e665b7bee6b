"""``control_surfaces.yml``: rudders, planes, fins."""

from __future__ import annotations

from math import inf

from steerageway.vessel.fossen.keys.hydrodynamics import AXES
from steerageway.vessel.fossen.keys.thrusters import CLIPS
from steerageway.vessel.fossen.keys.vessel import COEFFICIENTS
from steerageway.world.declared import Key, Kind

PREFIX = "control_surface_"
ANCHORS = tuple(
    Key(name, Kind.TEXT, usual="none", meaning="for a YAML anchor; no run depends on it")
    for name in ("naca_number", "delta_max", "deltad_max", "area")
)
NACA_FILE = Key(
    "naca_file",
    Kind.FILE,
    usual="none",
    suffixes=(".csv",),
    models=COEFFICIENTS,
    meaning="polar of all foils that have none of their own: CSV alpha,cl,cd [deg]",
)
TYPE = Key(PREFIX + "type", Kind.TEXT, default="", meaning="Rudder, Elevator, ...; told")
NAME = Key(PREFIX + "name", Kind.TEXT, default="", meaning="told, not used")
ID = Key(
    PREFIX + "id",
    Kind.TEXT,
    usual="its place in the list",
    meaning="makes the name of its command: cs_1",
)
LOCATION = Key(
    PREFIX + "location", Kind.VECTOR, "m", default=(0.0,) * 3, size=3, meaning="in the drawing"
)
ORIENTATION = Key(
    PREFIX + "orientation",
    Kind.VECTOR,
    "rad",
    default=(0.0,) * 3,
    size=3,
    meaning="roll, pitch, yaw; x along the chord, y along the span: a roll of -pi/2 stands it up",
)
AREA = Key(PREFIX + "area", unit="m²", default=0.0, low=0.0, meaning="of the foil or fin")
DELTA_MAX = Key(
    PREFIX + "delta_max",
    unit="deg",
    default=90.0,
    above=0.0,
    high=180.0,
    meaning="greatest angle",
)
DELTAD_MAX = Key(
    PREFIX + "deltad_max", unit="deg/s", default=inf, above=0.0, meaning="greatest change"
)
T = Key(PREFIX + "T", unit="s", default=0.0, low=0.0, meaning="time constant; 0: at once")
CLIP = Key(
    PREFIX + "clip",
    Kind.CHOICE,
    default=CLIPS[0],
    choices=CLIPS,
    ours=True,
    models=COEFFICIENTS,
    meaning="what the limits bound: command, or state before or after a step; others repeat a peer",
)
DELAY = Key(
    PREFIX + "delay", unit="s", default=0.0, low=0.0, ours=True, meaning="dead time of commands"
)
BACKLASH = Key(PREFIX + "backlash", unit="deg", default=0.0, low=0.0, ours=True, meaning="play")
NACA = Key(PREFIX + "NACA", Kind.TEXT, default="", meaning="a name; the table counts")
OWN_NACA_FILE = Key(
    PREFIX + "naca_file",
    Kind.FILE,
    usual="naca_file",
    suffixes=(".csv",),
    models=COEFFICIENTS,
    meaning="polar of a foil that meets the flow at its place: CSV alpha,cl,cd [deg]",
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
    meaning="a surface known by coefficients; prime ones times 1/2 rho L² U²",
)
CL_DELTA = Key(
    PREFIX + "CL_delta",
    unit="1/rad",
    usual="none",
    ours=True,
    models=COEFFICIENTS,
    meaning="a fin by its own angle alone: lift",
)
CD_DELTA = Key(
    PREFIX + "CD_delta",
    unit="1/rad²",
    default=0.0,
    low=0.0,
    ours=True,
    models=COEFFICIENTS,
    meaning="its drag",
)
LAW_TYPE = Key(
    "type",
    Kind.CHOICE,
    default="two_lines",
    choices=("two_lines", "quadratic"),
    ours=True,
    meaning="law of lift and drag",
)
LAW_AREA = Key("area", unit="m²", usual=AREA.name, above=0.0, ours=True, meaning="of the fin")
LAW_DENSITY = Key(
    "density", unit="kg/m³", usual="density", above=0.0, ours=True, meaning="of the water here"
)
A0 = Key("a0", unit="rad", default=0.0, ours=True, meaning="angle of no lift")
ALPHA_STALL = Key("alpha_stall", unit="rad", above=0.0, ours=True, meaning="angle of stall")
CLA, CLA_STALL, CDA_STALL = (
    Key(name, unit="1/rad", ours=True, meaning=meaning)
    for name, meaning in (
        ("cla", "slope of lift"),
        ("cla_stall", "slope of lift beyond the stall"),
        ("cda_stall", "slope of drag beyond the stall"),
    )
)
CDA = Key("cda", unit="1/rad", low=0.0, ours=True, meaning="slope of drag")
AS_CODED = Key(
    "as_coded", Kind.FLAG, default=False, ours=True, meaning="repeat the plugin's own errors"
)
LIFT_CONSTANT = Key("lift_constant", unit="N s²/m²", ours=True, meaning="of quadratic: lift")
DRAG_CONSTANT = Key(
    "drag_constant", unit="N s²/m²", low=0.0, ours=True, meaning="of quadratic: drag"
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
    meaning="a fin as the UUV Simulator has it",
)

CONTROL_SURFACES = Key(
    "control_surfaces",
    Kind.LIST,
    usual="none",
    keys=(
        *(TYPE, NAME, ID, LOCATION, ORIENTATION, AREA, NACA, DELTA_MAX, DELTAD_MAX, T, CLIP, DELAY),
        *(BACKLASH, OWN_NACA_FILE, HYDRODYNAMICS, CL_DELTA, CD_DELTA, LIFT_DRAG),
    ),
    meaning="each control surface",
)
KEYS = (NACA_FILE, *ANCHORS, CONTROL_SURFACES)
