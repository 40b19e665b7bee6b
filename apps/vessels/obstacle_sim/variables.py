"""Variables that ``uFldObstacleSim`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = variables.published("""
    PLOGGER_CMD | text | | | once for each file of obstacles | `COPY_FILE_REQUEST = obstacles.txt`
    VIEW_POINT | text | m | | as they are sensed | points of obstacles, for viewers
    VIEW_POLYGON | text | m | | on change | obstacles, for viewers
    KNOWN_OBSTACLE | text | m, s | | at the start, for new vessels and viewers, `refresh_interval`,
        when regenerated | `pts={x,y:x,y:x,y},label=ob_0,duration=30`: an obstacle
    KNOWN_OBSTACLE_CLEAR | text | | `all` | when regenerated | the former obstacles are removed
    GIVEN_OBSTACLE | text | m, s | | as `KNOWN_OBSTACLE`, unless `post_points` | the same, for
        pObstacleMgr; a person may post it, too
    TRACKED_FEATURE_* | text | m | | tick, with `post_points` | `x=1,y=2,key=ob_0`: a point that the
        vessel senses
    UFOS_MIN_RNG | number | m | > 0 | once, when regenerated | minimum distance of two obstacles
""")

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    *variables.subscribed("""
        PMV_CONNECT, VEHICLE_CONNECT | any | | | a new vessel or viewer: post all obstacles
        UFOS_RESET | any | | | regenerate the obstacles once all vessels are `reset_range` away
        UFOS_POINT_SIZE | text | | | `bigger`, `smaller` or a number: size of drawn points
    """),
)
