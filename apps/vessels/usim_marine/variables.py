"""Variables that ``uSimMarineV22`` subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    variables.heard(
        "DESIRED_THRUST_L",
        what="thrust to port, in differential mode",
        kind="number",
        unit="%, [-100, 100]",
    ),
    variables.heard(
        "DESIRED_THRUST_R",
        what="thrust to starboard, in differential mode",
        kind="number",
        unit="%, [-100, 100]",
    ),
    variables.heard(
        "ACTUATOR_CMD",
        what="`cs_1=15,th_1=1200`: commands of actuators by name; the others keep theirs",
        unit="deg, rpm",
        given="with `model = fossen`",
    ),
    variables.heard(
        "ACTUATOR_CMD_OVERRIDE",
        what="the same whatever else is ordered, until `release` or `override_timeout`",
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
        what="`x=1,y=2`: be there, with heading, speed and depth as they are; no reset",
        unit="m",
    ),
    variables.heard(
        "USM_RESET_NAV",
        what="let what is believed be the truth, with `dual_state`",
        kind="any",
    ),
    variables.heard("USM_ENABLED", what="`false`: another simulator moves it"),
    variables.heard("USM_SIM_PAUSED", what="`true`: it stays; time goes on"),
    variables.heard("USM_TURN_RATE", what="`turn_rate`", kind="number", unit="[0, 100]"),
    variables.heard(
        "USM_TURN_RADIUS", what="least radius of a turn", kind="number", unit="m, >= 0"
    ),
    variables.heard("USM_CURRENT_FIELD", what="`true` or `false`: whether the current field acts"),
    variables.heard("OBSTACLE_HIT", what="`true`: it stands"),
    variables.heard(
        "BUOYANCY_RATE",
        "USM_BUOYANCY_RATE",
        what="how fast it floats up",
        kind="number",
        unit="m/s, up",
    ),
    variables.heard("BUOYANCY_CONTROL", what="`true`: be neutral"),
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
        what="`90,1.5`: drift, where to and how fast",
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
        what="turn from outside",
        kind="number",
        unit="deg/s",
    ),
    heard.WIND_CONDITIONS,
    variables.heard(
        "WAVE_HEIGHT",
        what="significant height of the environment's waves, from two seconds later on",
        kind="number",
        unit="m",
    ),
    heard.WORLD_CHANGE,
    heard.SPEED_FACTOR,
)
