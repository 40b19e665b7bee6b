"""Keys of ``vessel.yml``: name, model, water, envelope, and wave motion of a vessel."""

from __future__ import annotations

from math import inf

from steerageway.declarations.key import Keys
from steerageway.world import constants

DENSITIES = 100.0, 2000.0  # permitted densities of the water [kg/m³]
GRAVITIES = 0.1, 100.0  # [m/s²]
CAPSIZED = 60.0  # default heel angle of capsize [deg]
MODELS = (
    *("coefficients", "clarke83", "container", "dsrv", "mariner", "mmg", "norrbin"),
    *("navalvessel", "npsauv", "osv", "station_keeping", "tanker"),
)
COEFFICIENTS = ("coefficients",)
FORMATS = ("auto", "wamit", "capytaine", "hydra")
BOWS = ("x", "y")

panisim = Keys()
coefficients = Keys(models=COEFFICIENTS)
ours = Keys(ours=True)
published = Keys(ours=True, models=MODELS[1:])

NAME = panisim.text("name", usual="name of the folder").means("name of the vessel")
TYPE = panisim.text("type").means("type of vessel for information, e.g. usv, auv")
U = coefficients.number("U", "m/s", 0, low=0).means("reference speed; 0: Fn sqrt(g L)")
MAINTAIN_SPEED = coefficients.flag("maintain_speed").means(
    "constant surge force equal to the resistance at U"
)
ACTIVE_DOF = panisim.vector("active_dof", "", 6, 1).means(
    "free (1) and held (0) degrees of freedom: surge, sway, heave, roll, pitch, yaw"
)
MODEL = ours.choice("model", MODELS, default="coefficients").means(
    "equations of motion; published models have their own keys"
)
SOURCE = ours.text("source").means("origin of the data")
DENSITY = ours.number(
    "density", "kg/m³", constants.DENSITY, low=DENSITIES[0], high=DENSITIES[1]
).means("density of the water")
GRAVITY = ours.number(
    "gravity", "m/s²", constants.GRAVITY, low=GRAVITIES[0], high=GRAVITIES[1]
).means("acceleration of gravity")
COMMAND_TIMEOUT = ours.number("command_timeout", "s", inf, above=0).means(
    "time without a command after which all actuators are commanded to zero"
)
ACTUATOR_MAP = ours.text("actuator_map").means(
    "actuators moved by rudder, thrust and elevator; none: found by their effects"
)
WATER_DEPTH = ours.number("water_depth", "m", inf, above=0).means("default water depth")
ENVELOPE_SPEED = ours.vector("speed", "m/s", 2, usual="any").means(
    "minimum and maximum speed ahead through the water"
)
DRIFT_ANGLE = ours.number("drift_angle", "deg", 180, above=0, high=180).means("maximum drift angle")
ANGLE_OF_ATTACK = ours.number("angle_of_attack", "deg", 180, above=0, high=180).means(
    "maximum angle of attack"
)
HEEL = ours.number("heel", "deg", CAPSIZED, above=0, high=180).means("heel angle of capsize")
ENVELOPE = ours.section("envelope", (ENVELOPE_SPEED, DRIFT_ANGLE, ANGLE_OF_ATTACK, HEEL)).means(
    "range of validity of the data; a warning is given outside it"
)
METHOD = ours.choice("method", ("closed_form", "rao")).means(
    "closed-form ship RAOs (Jensen, Mansour and Olsen), or motion RAOs from a file"
)
MOTION_DRAFT = ours.number("draft", "m", usual="draft of geometry.yml", above=0).means("draught")
MOTION_LENGTH = ours.number("length", "m", usual="length of geometry.yml", above=0).means("length")
MOTION_BREADTH = ours.number("breadth", "m", usual="breadth of geometry.yml", above=0).means(
    "breadth"
)
BLOCK = ours.number("block", "", 1, above=0, high=1).means("block coefficient")
MOTION_GM_T = ours.number("GM_T", "m", above=0).means("transverse metacentric height")
ROLL_PERIOD = ours.number("roll_period", "s", above=0).means("natural period of roll")
ROLL_DAMPING = ours.number("roll_damping", "", 0.1, above=0, high=1).means("damping ratio of roll")
RAO_FILE = ours.file("file", ".4", ".json", ".nc", ".3", ".2", usual="").means(
    "file of motion or force RAOs"
)
RAO_FORMAT = ours.choice("format", FORMATS, default="auto").means(
    "format of the file; auto: from its name"
)
ULEN = ours.number("ulen", "m", 1, above=0).means("unit of length of the file")
MOTION_BOW = ours.choice("hydra_bow", BOWS, default="x").means(
    "axis of HydRA's file towards the bow"
)
WAVE_MOTION = ours.section(
    "wave_motion",
    (
        *(METHOD, MOTION_DRAFT, MOTION_LENGTH, MOTION_BREADTH, BLOCK, MOTION_GM_T, ROLL_PERIOD),
        *(ROLL_DAMPING, RAO_FILE, RAO_FORMAT, ULEN, MOTION_BOW),
    ),
).means("wave motion added to a vessel held in heave, roll and pitch")
PEER_QUIRKS = published.flag("peer_quirks").means(
    "reproduces errors of MSS and Python Vehicle Simulator; see each model"
)

KEYS = (
    *(NAME, TYPE, MODEL, SOURCE, U, MAINTAIN_SPEED, ACTIVE_DOF, DENSITY, GRAVITY),
    *(COMMAND_TIMEOUT, ACTUATOR_MAP, WATER_DEPTH, ENVELOPE, WAVE_MOTION, PEER_QUIRKS),
)
