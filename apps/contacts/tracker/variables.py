"""Variables that ``uTracker`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "TRACKS",
        "tracked objects: "
        '`{"time":12.3,"tracks":[{"id":1,"x":..,"y":..,"vx":..,"vy":..,"length":..,"'
        '"breadth":..,"angle":..,"moving":true,"seen":12.3}]}`',
        unit="m, m/s, deg",
        range="JSON",
    ),
    variables.text(
        "NODE_REPORT",
        "node report of a moving object detected by a LiDAR",
        unit="m, deg, m/s",
        when="tick, of moving objects",
    ),
    variables.text(
        "GIVEN_OBSTACLE",
        "outline of a static obstacle, for pObstacleMgr; may also be posted by hand",
        unit="m, s",
        when="when it is first seen, has grown or would expire",
    ),
)

SUBSCRIPTIONS = (heard.LIDAR,)
