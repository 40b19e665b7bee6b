"""Keys of ``vessel.yml``: name, model, water, envelope, and wave motion of a vessel."""

from __future__ import annotations

from steerageway.declarations.key import declared
from steerageway.world import constants

CAPSIZED = 60.0  # default heel angle of capsize [deg]
MODELS = (
    *("coefficients", "clarke83", "container", "dsrv", "mariner", "mmg", "norrbin"),
    *("navalvessel", "npsauv", "osv", "station_keeping", "tanker"),
)
COEFFICIENTS = ("coefficients",)

KEYS, (
    NAME, TYPE, MODEL, SOURCE, U, MAINTAIN_SPEED, ACTIVE_DOF, DENSITY, GRAVITY, COMMAND_TIMEOUT,
    ACTUATOR_MAP, WATER_DEPTH, ENVELOPE, ENVELOPE_SPEED, DRIFT_ANGLE, ANGLE_OF_ATTACK, HEEL,
    WAVE_MOTION, METHOD, MOTION_DRAFT, MOTION_LENGTH, MOTION_BREADTH, BLOCK, MOTION_GM_T,
    ROLL_PERIOD, ROLL_DAMPING, RAO_FILE, RAO_FORMAT, ULEN, MOTION_BOW, PEER_QUIRKS,
) = declared(f"""
    name text (name of the folder): name of the vessel
    type text: type of vessel for information, e.g. usv, auv
    model + \
        {'|'.join(MODELS)}: \
        equations of motion; published models have their own keys
    source + text: origin of the data
    U @coefficients [m/s] >= 0 = 0: reference speed; 0: Fn sqrt(g L)
    maintain_speed @coefficients flag: constant surge force equal to the resistance at U
    active_dof[6] = 1: free (1) and held (0) degrees of freedom: surge, sway, heave, roll, pitch, \
        yaw
    density + [kg/m³] from 100 to 2000 = {constants.DENSITY}: density of the water
    gravity + [m/s²] from 0.1 to 100 = {constants.GRAVITY}: acceleration of gravity
    command_timeout + [s] > 0 = inf: time without a command after which all actuators are \
        commanded to zero
    actuator_map + text: actuators moved by rudder, thrust and elevator; none: found by their \
        effects
    water_depth + [m] > 0 = inf: default water depth
    envelope +: range of validity of the data; a warning is given outside it
        speed[2] [m/s] (any): minimum and maximum speed ahead through the water
        drift_angle [deg] > 0 <= 180 = 180: maximum drift angle
        angle_of_attack [deg] > 0 <= 180 = 180: maximum angle of attack
        heel [deg] > 0 <= 180 = {CAPSIZED}: heel angle of capsize
    wave_motion +: wave motion added to a vessel held in heave, roll and pitch
        method closed_form|rao: closed-form ship RAOs (Jensen, Mansour and Olsen), or motion RAOs \
            from a file
        draft [m] > 0 (draft of geometry.yml): draught
        length [m] > 0 (length of geometry.yml): length
        breadth [m] > 0 (breadth of geometry.yml): breadth
        block > 0 <= 1 = 1: block coefficient
        GM_T [m] > 0 <= 1000: transverse metacentric height
        roll_period [s] > 0: natural period of roll
        roll_damping > 0 <= 1 = 0.1: damping ratio of roll
        file .4 .json .nc .3 .2 required: file of motion or force RAOs
        format auto|wamit|capytaine|hydra: format of the file; auto: from its name
        ulen [m] > 0 = 1: unit of length of the file
        hydra_bow x|y: axis of HydRA's file towards the bow
    peer_quirks + \
        @{",".join(MODELS[1:])} \
        flag: reproduces errors of MSS and Python Vehicle Simulator; see each model
""")  # fmt: skip
DENSITIES = DENSITY.low, DENSITY.high  # permitted densities of the water [kg/m³]
GRAVITIES = GRAVITY.low, GRAVITY.high  # [m/s²]
FORMATS, BOWS = RAO_FORMAT.choices, MOTION_BOW.choices
