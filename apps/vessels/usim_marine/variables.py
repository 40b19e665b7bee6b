"""Variables that the simulators publish and subscribe to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

WORLD_POSTS = ("WORLD_CHANGE", "WORLD_SUMMARY")
"""Posts of a simulator with an environment."""
CONTACT_POSTS = ("USM_CONTACT", "USM_CONTACTS")
"""Posts of a simulator whose environment has surfaces to touch."""
PUBLICATIONS = variables.published("""
    NAV_X | number | m, east | | | position
    NAV_Y | number | m, north | | | position
    NAV_LAT | number | deg, WGS84 | [-90, 90] | tick, with a datum | latitude, north positive
    NAV_LONG | number | deg, WGS84 | [-180, 180] | tick, with a datum | longitude, east positive
    NAV_HEADING | number | deg | [0, 360) | | heading
    NAV_SPEED | number | m/s | | | speed through the water; negative astern
    NAV_DEPTH | number | m, down | >= 0 | | depth below the surface
    NAV_ALTITUDE | number | m, up | >= 0 | tick, with a water depth | altitude above the bottom
    NAV_Z | number | m, up | | tick, unless `depth_control = false` | minus the depth
    NAV_PITCH | number | rad, bow up | [-1.5708, 1.5708] | as `NAV_Z` | pitch
    NAV_YAW | number | rad, anticlockwise from north | [-3.1416, 3.1416] | as `NAV_Z` | minus the
        heading
    NAV_HEADING_OVER_GROUND | number | deg | [0, 360) | | course over ground
    NAV_SPEED_OVER_GROUND | number | m/s | >= 0 | | speed over ground
    NAV_GT_* | number | as above | | tick, with `dual_state` | the same variables of the true state
    USM_* | number | as above | | | the same variables under the default prefix
    TRUE_X | number | m, east | | as `NAV_Z` | true position
    TRUE_Y | number | m, north | | as `NAV_Z` | true position
    SIMULATION_MODE | text | | `TRUE` | as `NAV_Z` | this is a simulation
    *_ROLL | number | rad, starboard down | | `aux_rate`, with `model = fossen` | roll
    *_HEAVE | number | m, down | | as `*_ROLL` | z of CO, also above the surface
    USM_STATE | text | NED and BODY: m, rad, s | | integration step, with `model = fossen` |
        `time=,x=,y=,z=,phi=,..,u=,..,u_dot=,..,th_1=`: eta, nu, its rate, actuators in rad and
        rad/s
    VESSEL_STATE | text | as `USM_STATE` | | as `*_ROLL` | Panisim's order: u v w p q r, x y z, phi
        theta psi (or quaternion w x y z), actuators in rad and rpm
    USM_ENERGY | number | J | >= 0 | as `*_ROLL` | kinetic energy with added mass, of vessels whose
        model has a mass
    USM_SEA | text | m, m³, m², N, N m | | as `*_ROLL`, in an environment, of vessels that meet
        waves | `zeta=,volume=,wetted=,X=,..,N=`: elevation at the vessel, volume and area below the
        surface, wrench of water and weight in BODY
    WORLD_SUMMARY | text | | | start, with an environment | description of the environment
    WORLD_CHANGE | text | s | | with each change by mail |
        `number=1,time=42,ramp=10,Hs=1.5,source=`: a change, its start and duration
    USM_AGROUND | text | | true, false | when it changes | whether the vessel touches the ground
    USM_ENVELOPE_LEFT | number | | >= 1 | when one is left for the first time | number of limits of
        its envelope that the vessel has left
    USM_CONTACT | text | m, m/s | | when a contact begins | object in contact with a Fossen vessel,
        by `contact` of its environment: `what=quay,depth=0.02,speed=0.4`
    USM_CONTACTS | number | | >= 1 | with it | number of contacts
    USM_CS_* | number | deg | | as `*_ROLL` | angle of a control surface
    USM_TH_* | number | rpm | | as `*_ROLL` | revolutions of a thruster; a fraction for some vessels
    USM_AZ_* | number | deg, to starboard | | as `*_ROLL` | angle of an azimuth thruster
    USM_NAVPOS_SUMMARY | text | m, deg | | tick, with `post_navpos_summary` |
        `x=1,y=2,lat=43.1,lon=-70.1`
    USM_RESET_COUNT | number | | >= 0 | on each `USM_RESET` | number of resets
    USM_TELEPORT_COUNT | number | | >= 0 | on each `USM_TELEPORT` | number of moves by
        `USM_TELEPORT`
    USM_DRIFT_SUMMARY | text | deg, m/s | | once, on change | `ang=90, mag=1.5, xmag=1.5, ymag=0`:
        direction and components of the drift
    BUOYANCY_REPORT | text | | | after `BUOYANCY_CONTROL` |
        `status=1,error=0,progressing,buoyancy=0.0`; status 2 when done
    TRIM_REPORT | text | deg | | after `TRIM_CONTROL` |
        `status=1,error=0,progressing,trim_pitch=0.0,trim_roll=0.0`
    VIEW_ARROW | text | m, deg | | every 50 ticks while sailing | the wind, for viewers
    USM_NOGO | number | s | >= 1360 | on mail too old for the embedded PID | age of the rejected
        mail
    NAV_TRANSP | number | | [0, 1] | tick, with `wormhole` | visibility of the vessel; 0: invisible,
        1: opaque
    VIEW_POLYGON | text | m | | every ten ticks | mouths of wormholes, for viewers
""")

OF_OLDER = variables.published("""
    USM_FSUMMARY | text | deg, m/s | | as `USM_DRIFT_SUMMARY` | older name of `USM_DRIFT_SUMMARY`
""")

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
