"""Keys of ``guidance.yml``: waypoints and guidance law."""

from __future__ import annotations

from steerageway.world.key_declarations import Key, Kind

WAYPOINTS_TYPE = Key(
    "waypoints_type",
    Kind.CHOICE,
    default="XYZ",
    choices=("XYZ", "NED", "LLA"),
    meaning="coordinates: XYZ and NED: north, east, down; LLA: latitude, longitude, height",
)
WAYPOINTS = Key(
    "waypoints", Kind.ROWS, "m, or deg deg m", size=3, usual="none", meaning="waypoints in order"
)
GUIDANCE_TYPE = Key(
    "guidance_type",
    Kind.CHOICE,
    default="los",
    choices=("los", "pure_pursuit"),
    meaning="guidance law: line of sight, or pure pursuit of the waypoint",
)
LOOKAHEAD = Key(
    "lookahead_distance",
    unit="m",
    default=0.0,
    low=0.0,
    meaning="lookahead distance along the line",
)
ACCEPTANCE = Key(
    "acceptance_radius",
    unit="m",
    default=0.0,
    low=0.0,
    meaning="radius of acceptance of a waypoint; 0: 3 m",
)
KEYS = (WAYPOINTS_TYPE, WAYPOINTS, GUIDANCE_TYPE, LOOKAHEAD, ACCEPTANCE)
