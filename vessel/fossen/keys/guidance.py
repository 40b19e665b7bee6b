"""Keys of ``guidance.yml``: waypoints and guidance law."""

from __future__ import annotations

from steerageway.declarations.key import declared

KEYS, (
    WAYPOINTS_TYPE, WAYPOINTS, GUIDANCE_TYPE, LOOKAHEAD, ACCEPTANCE,
) = declared("""
    waypoints_type XYZ|NED|LLA: coordinates: XYZ and NED: north, east, down; LLA: latitude, \
        longitude, height
    waypoints[][3] [m, or deg deg m] (none): waypoints in order
    guidance_type los|pure_pursuit: guidance law: line of sight, or pure pursuit of the waypoint
    lookahead_distance [m] >= 0 = 0: lookahead distance along the line
    acceptance_radius [m] >= 0 = 0: radius of acceptance of a waypoint; 0: 3 m
""")  # fmt: skip
