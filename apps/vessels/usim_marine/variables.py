"""Variables that ``uSimMarineV22`` subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    variables.heard(
        "DESIRED_THRUST_L",
        what="port thrust, in differential mode",
        kind="number",
        unit="%, [-100, 100]",
    ),
    variables.heard(
        "DESIRED_THRUST_R",
        what="starboard thrust, in differential mode",
        kind="number",
        unit="%, [-100, 100]",
    ),
    variables.heard(
        "ACTUATOR_CMD",
        what="`cs_1=15,th_1=1200`: commands of actuators by name; the others are unchanged",
        unit="deg, rpm",
        given="with `model = fossen`",
    ),
    variables.heard(
        "ACTUATOR_CMD_OVERRIDE",
        what="the same, overriding all other commands until `release` or `override_timeout`",
        unit="deg, rpm",
        given="with `model = fossen`",
    ),
    variables.heard(
        "cs_*",
        "th_*",
        "az_*",
        what="the command of one actuator",
        kind="number",
        unit="deg, rpm",
        given="with `model = fossen`",
    ),
    heard.FAULT,
    variables.heard("THRUST_MODE_DIFFERENTIAL", what="`differential`, `true`, `normal` or `false`"),
    heard.THRUST_MODE_REVERSE,
    variables.heard(
        "USM_TELEPORT",
        what="`x=1,y=2`: new position, with unchanged heading, speed and depth; no reset",
        unit="m",
    ),
    variables.heard(
        "USM_RESET_NAV",
        what="set the true state to the state without drift, with `dual_state`",
        kind="any",
    ),
    variables.heard("USM_ENABLED", what="`false`: another simulator moves the vessel"),
    variables.heard("USM_SIM_PAUSED", what="`true`: the vessel does not move; time continues"),
    variables.heard("USM_TURN_RATE", what="`turn_rate`", kind="number", unit="[0, 100]"),
    variables.heard("USM_TURN_RADIUS", what="minimum turn radius", kind="number", unit="m, >= 0"),
    variables.heard("USM_CURRENT_FIELD", what="`true`, `false`: enable the current field"),
    variables.heard("OBSTACLE_HIT", what="`true`: the vessel is stopped"),
    variables.heard(
        "BUOYANCY_RATE",
        "USM_BUOYANCY_RATE",
        what="ascent rate by buoyancy",
        kind="number",
        unit="m/s, up",
    ),
    variables.heard("BUOYANCY_CONTROL", what="`true`: make the vessel neutrally buoyant"),
    variables.heard("TRIM_CONTROL", what="`true`: trim"),
    heard.WATER_DEPTH,
    variables.heard(
        "DRIFT_X", "CURRENT_X", "USM_DRIFT_X", what="drift", kind="number", unit="m/s, east"
    ),
    variables.heard(
        "DRIFT_Y", "CURRENT_Y", "USM_DRIFT_Y", what="drift", kind="number", unit="m/s, north"
    ),
    variables.heard(
        "DRIFT_VECTOR",
        "USM_DRIFT_VECTOR",
        what="`90,1.5`: drift, direction it goes to and speed",
        unit="deg, m/s",
    ),
    variables.heard(
        "DRIFT_VECTOR_ADD", "USM_DRIFT_VECTOR_ADD", what="drift to add", unit="deg, m/s"
    ),
    variables.heard(
        "DRIFT_VECTOR_MULT", "USM_DRIFT_VECTOR_MULT", what="factor on the drift", kind="number"
    ),
    variables.heard(
        "ROTATE_SPEED",
        "USM_ROTATE_SPEED",
        what="rotation of the vessel by its surroundings",
        kind="number",
        unit="deg/s",
    ),
    heard.WIND_CONDITIONS,
    variables.heard(
        "WAVE_HEIGHT",
        what="significant wave height, in effect two seconds later",
        kind="number",
        unit="m",
    ),
    heard.WORLD_CHANGE,
    heard.SPEED_FACTOR,
)
