"""Declared subscriptions that several apps share, to variables posted by scripts and users."""

from steerageway.bus import variables

MOOS_MANUAL_OVERRIDE = variables.heard(
    "MOOS_MANUAL_OVERRIDE", what="`false`: helm and controller may steer; `true`: they must not"
)
MOOS_MANUAL_OVERIDE = variables.heard("MOOS_MANUAL_OVERIDE", what="its older spelling")
FAULT = variables.heard(
    "FAULT_*", what="a fault of the actuator or sensor of that name, as `off`; `none` clears it"
)
THRUST_MODE_REVERSE = variables.heard(
    "THRUST_MODE_REVERSE", what="`reverse`, `true`, `normal` or `false`"
)
WATER_DEPTH = variables.heard(
    "WATER_DEPTH", "USM_WATER_DEPTH", what="depth of the water", kind="number", unit="m, >= 0"
)
WIND_CONDITIONS = variables.heard(
    "WIND_CONDITIONS", what="`spd=5,dir=180`: wind, and where it comes from", unit="m/s, deg"
)
WORLD_CHANGE = variables.heard(
    "WORLD_CHANGE",
    what="a change of the environment, as a simulator posts it; also from other communities",
    unit="s",
)
DP_SETPOINT = variables.heard(
    "DP_SETPOINT",
    what=(
        "`x=5,y=-10,heading=90` (of pPoseControl also `depth=`, `roll=`, `pitch=`), `here` or `off`"
    ),
    unit="m, deg",
)
NAV_ROLL = variables.heard("NAV_ROLL", what="roll", kind="number", unit="rad, starboard down")
SPEED_FACTOR = variables.heard(
    "SPEED_FACTOR", what="thrust for a desired speed", kind="number", unit="%/(m/s)"
)
PID_VERBOSE = variables.heard("PID_VERBOSE", what="verbosity of the appcast")
NODE_REPORT = variables.heard("NODE_REPORT", what="the node report of another vessel")
NODE_MESSAGE = variables.heard(
    "NODE_MESSAGE",
    what="`src_node=abe,dest_node=ben,var_name=A,string_val=b`: post A at ben",
)
BCM_ALERT_REQUEST = variables.heard(
    "BCM_ALERT_REQUEST",
    what="an alert, as `alert` in its block; also posted by behaviors",
    unit="m",
)
LIDAR = variables.heard(
    "LIDAR_*", what="a point cloud, format: steerageway help wire", kind="bytes", unit="m"
)
