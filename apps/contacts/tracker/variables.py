"""Variables that ``uTracker`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "TRACKS",
        "what is followed: "
        '`{"time":12.3,"tracks":[{"id":1,"x":..,"y":..,"vx":..,"vy":..,"length":..,"'
        '"breadth":..,"angle":..,"moving":true,"seen":12.3}]}`',
        unit="m, m/s, deg",
        range="JSON",
    ),
    variables.text(
        "NODE_REPORT",
        "the node report of a vessel that a LiDAR sees",
        unit="m, deg, m/s",
        when="tick, of what moves",
    ),
    variables.text(
        "GIVEN_OBSTACLE",
        "the same, for pObstacleMgr; a person may post it, too",
        unit="m, s",
        when="when it is seen, has grown or would be forgotten",
    ),
)

SUBSCRIPTIONS = (heard.LIDAR,)
