"""``guidance.yml``: where a vessel goes."""

from __future__ import annotations

from steerageway.world.declared import Key, Kind

WAYPOINTS_TYPE = Key(
    "waypoints_type",
    Kind.CHOICE,
    default="XYZ",
    choices=("XYZ", "NED", "LLA"),
    meaning="XYZ and NED: north, east, down; LLA: latitude, longitude, height",
)
WAYPOINTS = Key(
    "waypoints", Kind.ROWS, "m, or deg deg m", size=3, usual="none", meaning="one after the other"
)
GUIDANCE_TYPE = Key(
    "guidance_type",
    Kind.CHOICE,
    default="los",
    choices=("los", "pure_pursuit"),
    meaning="line of sight, or straight at the point",
)
LOOKAHEAD = Key(
    "lookahead_distance", unit="m", default=0.0, low=0.0, meaning="how far ahead on the line"
)
ACCEPTANCE = Key(
    "acceptance_radius",
    unit="m",
    default=0.0,
    low=0.0,
    meaning="within which a point is reached; 0: 3 m",
)
KEYS = (WAYPOINTS_TYPE, WAYPOINTS, GUIDANCE_TYPE, LOOKAHEAD, ACCEPTANCE)
