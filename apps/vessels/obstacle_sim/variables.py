"""Variables that ``uFldObstacleSim`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "PLOGGER_CMD",
        "`COPY_FILE_REQUEST = obstacles.txt`",
        when="once for each file of obstacles",
    ),
    variables.text(
        "VIEW_POINT",
        "points of obstacles, for viewers",
        unit="m",
        when="as they are sensed",
    ),
    variables.text(
        "VIEW_POLYGON",
        "obstacles, for viewers",
        unit="m",
        when="on change",
    ),
    variables.text(
        "KNOWN_OBSTACLE",
        "`pts={x,y:x,y:x,y},label=ob_0,duration=30`: an obstacle",
        unit="m, s",
        when="at the start, for new vessels and viewers, `refresh_interval`, when regenerated",
    ),
    variables.text(
        "KNOWN_OBSTACLE_CLEAR",
        "the former obstacles are removed",
        range="`all`",
        when="when regenerated",
    ),
    variables.text(
        "GIVEN_OBSTACLE",
        "the same, for pObstacleMgr; a person may post it, too",
        unit="m, s",
        when="as `KNOWN_OBSTACLE`, unless `post_points`",
    ),
    variables.text(
        "TRACKED_FEATURE_*",
        "`x=1,y=2,key=ob_0`: a point that the vessel senses",
        unit="m",
        when="tick, with `post_points`",
    ),
    variables.number(
        "UFOS_MIN_RNG",
        "minimum distance of two obstacles",
        unit="m",
        range="> 0",
        when="once, when regenerated",
    ),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    variables.heard(
        "PMV_CONNECT",
        "VEHICLE_CONNECT",
        what="a new vessel or viewer: post all obstacles",
        kind="any",
    ),
    variables.heard(
        "UFOS_RESET",
        what="regenerate the obstacles once all vessels are `reset_range` away",
        kind="any",
    ),
    variables.heard(
        "UFOS_POINT_SIZE", what="`bigger`, `smaller` or a number: size of drawn points"
    ),
)
