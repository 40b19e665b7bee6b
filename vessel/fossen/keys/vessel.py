"""Keys of ``vessel.yml``: name, model, water, envelope, and wave motion of a vessel."""

from __future__ import annotations

from math import inf

from steerageway.world import constants
from steerageway.world.key_declarations import Key, Kind

DENSITIES = 100.0, 2000.0  # permitted densities of the water [kg/m³]
GRAVITIES = 0.1, 100.0  # [m/s²]
CAPSIZED = 60.0  # default heel angle of capsize [deg]
MODELS = (
    *("coefficients", "clarke83", "container", "dsrv", "mariner", "norrbin", "navalvessel"),
    *("npsauv", "osv", "station_keeping", "tanker"),
)
COEFFICIENTS = ("coefficients",)
FORMATS = ("auto", "wamit", "capytaine", "hydra")
BOWS = ("x", "y")

NAME = Key("name", Kind.TEXT, usual="name of the folder", meaning="name of the vessel")
TYPE = Key("type", Kind.TEXT, default="", meaning="type of vessel for information, e.g. usv, auv")
U = Key(
    "U",
    unit="m/s",
    default=0.0,
    low=0.0,
    meaning="reference speed; 0: Fn sqrt(g L)",
    models=COEFFICIENTS,
)
MAINTAIN_SPEED = Key(
    "maintain_speed",
    Kind.FLAG,
    default=False,
    meaning="constant surge force equal to the resistance at U",
    models=COEFFICIENTS,
)
ACTIVE_DOF = Key(
    "active_dof",
    Kind.VECTOR,
    default=(1.0,) * 6,
    size=6,
    meaning="free (1) and held (0) degrees of freedom: surge, sway, heave, roll, pitch, yaw",
)
MODEL = Key(
    "model",
    Kind.CHOICE,
    default="coefficients",
    choices=MODELS,
    ours=True,
    meaning="equations of motion; published models have their own keys",
)
SOURCE = Key("source", Kind.TEXT, default="", ours=True, meaning="origin of the data")
DENSITY = Key(
    "density",
    unit="kg/m³",
    default=constants.DENSITY,
    low=DENSITIES[0],
    high=DENSITIES[1],
    ours=True,
    meaning="density of the water",
)
GRAVITY = Key(
    "gravity",
    unit="m/s²",
    default=constants.GRAVITY,
    low=GRAVITIES[0],
    high=GRAVITIES[1],
    ours=True,
    meaning="acceleration of gravity",
)
COMMAND_TIMEOUT = Key(
    "command_timeout",
    unit="s",
    default=inf,
    above=0.0,
    ours=True,
    meaning="time without a command after which all actuators are commanded to zero",
)
ACTUATOR_MAP = Key(
    "actuator_map",
    Kind.TEXT,
    default="",
    ours=True,
    meaning="actuators moved by rudder, thrust and elevator; none: found by their effects",
)
WATER_DEPTH = Key(
    "water_depth",
    unit="m",
    default=inf,
    above=0.0,
    ours=True,
    meaning="default water depth",
)
ENVELOPE_SPEED = Key(
    "speed",
    Kind.VECTOR,
    "m/s",
    size=2,
    usual="any",
    ours=True,
    meaning="minimum and maximum speed ahead through the water",
)
DRIFT_ANGLE = Key(
    "drift_angle",
    unit="deg",
    default=180.0,
    above=0.0,
    high=180.0,
    ours=True,
    meaning="maximum drift angle",
)
ANGLE_OF_ATTACK = Key(
    "angle_of_attack",
    unit="deg",
    default=180.0,
    above=0.0,
    high=180.0,
    ours=True,
    meaning="maximum angle of attack",
)
HEEL = Key(
    "heel",
    unit="deg",
    default=CAPSIZED,
    above=0.0,
    high=180.0,
    ours=True,
    meaning="heel angle of capsize",
)
ENVELOPE = Key(
    "envelope",
    Kind.SECTION,
    usual="none",
    keys=(ENVELOPE_SPEED, DRIFT_ANGLE, ANGLE_OF_ATTACK, HEEL),
    ours=True,
    meaning="range of validity of the data; a warning is given outside it",
)
METHOD = Key(
    "method",
    Kind.CHOICE,
    default="closed_form",
    choices=("closed_form", "rao"),
    ours=True,
    meaning="closed-form ship RAOs (Jensen, Mansour and Olsen), or motion RAOs from a file",
)
MOTION_DRAFT = Key(
    "draft", unit="m", usual="draft of geometry.yml", above=0.0, ours=True, meaning="draught"
)
MOTION_LENGTH = Key(
    "length", unit="m", usual="length of geometry.yml", above=0.0, ours=True, meaning="length"
)
MOTION_BREADTH = Key(
    "breadth", unit="m", usual="breadth of geometry.yml", above=0.0, ours=True, meaning="breadth"
)
BLOCK = Key("block", default=1.0, above=0.0, high=1.0, ours=True, meaning="block coefficient")
MOTION_GM_T = Key("GM_T", unit="m", above=0.0, ours=True, meaning="transverse metacentric height")
ROLL_PERIOD = Key("roll_period", unit="s", above=0.0, ours=True, meaning="natural period of roll")
ROLL_DAMPING = Key(
    "roll_damping", default=0.1, above=0.0, high=1.0, ours=True, meaning="damping ratio of roll"
)
RAO_FILE = Key(
    "file",
    Kind.FILE,
    ours=True,
    suffixes=(".4", ".json", ".nc", ".3", ".2"),
    meaning="file of motion or force RAOs",
)
RAO_FORMAT = Key(
    "format",
    Kind.CHOICE,
    default="auto",
    choices=FORMATS,
    ours=True,
    meaning="format of the file; auto: from its name",
)
ULEN = Key(
    "ulen", unit="m", default=1.0, above=0.0, ours=True, meaning="unit of length of the file"
)
MOTION_BOW = Key(
    "hydra_bow",
    Kind.CHOICE,
    default="x",
    choices=BOWS,
    ours=True,
    meaning="axis of HydRA's file towards the bow",
)
WAVE_MOTION = Key(
    "wave_motion",
    Kind.SECTION,
    usual="none",
    keys=(
        *(METHOD, MOTION_DRAFT, MOTION_LENGTH, MOTION_BREADTH, BLOCK, MOTION_GM_T, ROLL_PERIOD),
        *(ROLL_DAMPING, RAO_FILE, RAO_FORMAT, ULEN, MOTION_BOW),
    ),
    ours=True,
    meaning="wave motion added to a vessel held in heave, roll and pitch",
)
PEER_QUIRKS = Key(
    "peer_quirks",
    Kind.FLAG,
    default=False,
    ours=True,
    models=MODELS[1:],
    meaning="reproduces errors of MSS and Python Vehicle Simulator; see each model",
)

KEYS = (
    *(NAME, TYPE, MODEL, SOURCE, U, MAINTAIN_SPEED, ACTIVE_DOF, DENSITY, GRAVITY),
    *(COMMAND_TIMEOUT, ACTUATOR_MAP, WATER_DEPTH, ENVELOPE, WAVE_MOTION, PEER_QUIRKS),
)
