"""Variables that ``uSimMarineV22`` subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    *variables.subscribed("""
        DESIRED_THRUST_L | number | %, [-100, 100] | | port thrust, in differential mode
        DESIRED_THRUST_R | number | %, [-100, 100] | | starboard thrust, in differential mode
        ACTUATOR_CMD | text | deg, rpm | with `model = fossen` | `cs_1=15,th_1=1200`: commands of
            actuators by name; the others are unchanged
        ACTUATOR_CMD_OVERRIDE | text | deg, rpm | with `model = fossen` | the same, overriding all
            other commands until `release` or `override_timeout`
        cs_*, th_*, az_* | number | deg, rpm | with `model = fossen` | the command of one actuator
    """),
    heard.FAULT,
    variables.heard("THRUST_MODE_DIFFERENTIAL", what="`differential`, `true`, `normal` or `false`"),
    heard.THRUST_MODE_REVERSE,
    *variables.subscribed("""
        USM_TELEPORT | text | m | | `x=1,y=2`: new position, with unchanged heading, speed and
            depth; no reset
        USM_RESET_NAV | any | | | set the true state to the state without drift, with `dual_state`
        USM_ENABLED | text | | | `false`: another simulator moves the vessel
        USM_SIM_PAUSED | text | | | `true`: the vessel does not move; time continues
        USM_TURN_RATE | number | [0, 100] | | `turn_rate`
        USM_TURN_RADIUS | number | m, >= 0 | | minimum turn radius
        USM_CURRENT_FIELD | text | | | `true`, `false`: enable the current field
        OBSTACLE_HIT | text | | | `true`: the vessel is stopped
        BUOYANCY_RATE, USM_BUOYANCY_RATE | number | m/s, up | | ascent rate by buoyancy
        BUOYANCY_CONTROL | text | | | `true`: make the vessel neutrally buoyant
        TRIM_CONTROL | text | | | `true`: trim
    """),
    heard.WATER_DEPTH,
    *variables.subscribed("""
        DRIFT_X, CURRENT_X, USM_DRIFT_X | number | m/s, east | | drift
        DRIFT_Y, CURRENT_Y, USM_DRIFT_Y | number | m/s, north | | drift
        DRIFT_VECTOR, USM_DRIFT_VECTOR | text | deg, m/s | | `90,1.5`: drift, direction it goes to
            and speed
        DRIFT_VECTOR_ADD, USM_DRIFT_VECTOR_ADD | text | deg, m/s | | drift to add
        DRIFT_VECTOR_MULT, USM_DRIFT_VECTOR_MULT | number | | | factor on the drift
        ROTATE_SPEED, USM_ROTATE_SPEED | number | deg/s | | rotation of the vessel by its
            surroundings
    """),
    heard.WIND_CONDITIONS,
    *variables.subscribed("""
        WAVE_HEIGHT | number | m | | significant wave height, in effect two seconds later
    """),
    heard.WORLD_CHANGE,
    heard.SPEED_FACTOR,
)
