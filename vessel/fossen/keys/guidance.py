"""Keys of ``guidance.yml``: waypoints and guidance law."""

from __future__ import annotations

from steerageway.declarations.key import Keys

panisim = Keys()

WAYPOINTS_TYPE = panisim.choice("waypoints_type", ("XYZ", "NED", "LLA")).means(
    "coordinates: XYZ and NED: north, east, down; LLA: latitude, longitude, height"
)
WAYPOINTS = panisim.rows("waypoints", "m, or deg deg m", 3, usual="none").means(
    "waypoints in order"
)
GUIDANCE_TYPE = panisim.choice("guidance_type", ("los", "pure_pursuit")).means(
    "guidance law: line of sight, or pure pursuit of the waypoint"
)
LOOKAHEAD = panisim.number("lookahead_distance", "m", 0, low=0).means(
    "lookahead distance along the line"
)
ACCEPTANCE = panisim.number("acceptance_radius", "m", 0, low=0).means(
    "radius of acceptance of a waypoint; 0: 3 m"
)
KEYS = (WAYPOINTS_TYPE, WAYPOINTS, GUIDANCE_TYPE, LOOKAHEAD, ACCEPTANCE)
