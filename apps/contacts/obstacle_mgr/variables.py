"""Variables that ``pObstacleMgr`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = variables.published("""
    BHV_ABLE_FILTER | text | | | on request | disables or enables the behaviors of an obstacle
    OBM_CONNECT | text | | `true` | once | the app accepts obstacles
    OBM_DIST_TO_OBJ | text | m | | on change | `ROCK,12.3`: key of an obstacle in capitals, and its
        distance
    OBM_MIN_DIST_EVER | number | m | >= 0 | on change | least distance of any obstacle so far
    OBM_RESOLVED | text | | | when it happens | key of an obstacle that was removed
    VIEW_POLYGON | text | m | | on change | obstacles, for viewers
""")

SUBSCRIPTIONS = variables.subscribed("""
    TRACKED_FEATURE | text | m | | `x=1,y=2,key=rock`: a sensed point, optionally with `vsource=`;
        `point_var` sets another variable
    OBM_ALERT_REQUEST | text | m | | `name=avoid_,update_var=OBSTACLE,alert_range=50`; also posted
        by behaviors
""")
