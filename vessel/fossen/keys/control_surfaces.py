"""Keys of ``control_surfaces.yml``: rudders, planes, fins."""

from __future__ import annotations

from math import inf

from steerageway.declarations.key import Keys
from steerageway.vessel.fossen.keys.hydrodynamics import AXES
from steerageway.vessel.fossen.keys.thrusters import CLIPS
from steerageway.vessel.fossen.keys.vessel import COEFFICIENTS

PREFIX = "control_surface_"

panisim = Keys()
coefficients = Keys(models=COEFFICIENTS)
our_coefficients = Keys(ours=True, models=COEFFICIENTS)
ours = Keys(ours=True)
ANCHORS = tuple(
    panisim.text(name, usual="none").means("value for a YAML anchor; no effect")
    for name in ("naca_number", "delta_max", "deltad_max", "area")
)
NACA_FILE = coefficients.file("naca_file", ".csv").means(
    "default polar of foils: CSV alpha,cl,cd, alpha in degrees"
)
TYPE = panisim.text(PREFIX + "type").means("type for information, e.g. Rudder, Elevator")
NAME = panisim.text(PREFIX + "name").means("name, for information only")
ID = panisim.text(PREFIX + "id", usual="number in the list").means(
    "identifier in the name of its command: cs_1"
)
LOCATION = panisim.vector(PREFIX + "location", "m", 3, 0).means("position in the drawing frame")
ORIENTATION = panisim.vector(PREFIX + "orientation", "rad", 3, 0).means(
    "roll, pitch, yaw; x along the chord, y along the span; upright: roll -pi/2"
)
AREA = panisim.number(PREFIX + "area", "m²", 0, low=0).means("area of the foil or fin")
DELTA_MAX = panisim.number(PREFIX + "delta_max", "deg", 90, low=0, high=180).means(
    "maximum angle; 0: a fixed fin, such as a keel, without a command"
)
DELTAD_MAX = panisim.number(PREFIX + "deltad_max", "deg/s", inf, above=0).means("maximum rate")
T = panisim.number(PREFIX + "T", "s", 0, low=0).means("time constant; 0: no lag")
CLIP = our_coefficients.choice(PREFIX + "clip", CLIPS).means(
    "limited quantity: command; as references: state, before or after a step"
)
DELAY = ours.number(PREFIX + "delay", "s", 0, low=0).means("dead time of commands")
BACKLASH = ours.number(PREFIX + "backlash", "deg", 0, low=0).means("backlash")
NACA = panisim.text(PREFIX + "NACA").means("name of the profile; the table is used")
OWN_NACA_FILE = coefficients.file(PREFIX + "naca_file", ".csv", usual="naca_file").means(
    "polar of a foil in the local flow: CSV alpha,cl,cd, alpha in degrees"
)
DELTA_FORCES = tuple(
    panisim.number(f"{axis}_delta", "SI, or 1", 0).means("force or moment per radian")
    for axis in AXES
)
HYDRODYNAMICS = coefficients.section(PREFIX + "hydrodynamics", DELTA_FORCES).means(
    "surface defined by coefficients; prime ones are multiplied by 1/2 rho L² U²"
)
CL_DELTA = our_coefficients.number(PREFIX + "CL_delta", "1/rad", usual="none").means(
    "lift coefficient of a fin per angle"
)
CD_DELTA = our_coefficients.number(PREFIX + "CD_delta", "1/rad²", 0, low=0).means(
    "drag coefficient of a fin per squared angle"
)
LAW_TYPE = ours.choice("type", ("two_lines", "quadratic")).means("law of lift and drag")
LAW_AREA = ours.number("area", "m²", usual=AREA.name, above=0).means("area of the fin")
LAW_DENSITY = ours.number("density", "kg/m³", usual="density", above=0).means(
    "density of the water for this fin"
)
A0 = ours.number("a0", "rad", 0).means("angle of zero lift")
ALPHA_STALL = ours.number("alpha_stall", "rad", above=0).means("stall angle")
CLA, CLA_STALL, CDA_STALL = (
    ours.number(name, "1/rad").means(meaning)
    for name, meaning in (
        ("cla", "slope of lift"),
        ("cla_stall", "slope of lift beyond stall"),
        ("cda_stall", "slope of drag beyond stall"),
    )
)
CDA = ours.number("cda", "1/rad", low=0).means("slope of drag")
AS_CODED = ours.flag("as_coded").means("reproduces errors of the UUV Simulator's plugin")
LIFT_CONSTANT = ours.number("lift_constant", "N s²/m²").means("lift constant of quadratic")
DRAG_CONSTANT = ours.number("drag_constant", "N s²/m²", low=0).means("drag constant of quadratic")
LIFT_DRAG = our_coefficients.section(
    PREFIX + "lift_drag",
    (
        *(LAW_TYPE, LAW_AREA, LAW_DENSITY, A0, ALPHA_STALL, CLA, CLA_STALL, CDA, CDA_STALL),
        *(AS_CODED, LIFT_CONSTANT, DRAG_CONSTANT),
    ),
).means("fin as in the UUV Simulator")

CONTROL_SURFACES = panisim.sections(
    "control_surfaces",
    (
        *(TYPE, NAME, ID, LOCATION, ORIENTATION, AREA, NACA, DELTA_MAX, DELTAD_MAX, T, CLIP, DELAY),
        *(BACKLASH, OWN_NACA_FILE, HYDRODYNAMICS, CL_DELTA, CD_DELTA, LIFT_DRAG),
    ),
).means("control surfaces")
KEYS = (NACA_FILE, *ANCHORS, CONTROL_SURFACES)
