"""Variables that ``pObstacleMgr`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "BHV_ABLE_FILTER", "disables or enables the behaviors of an obstacle", when="on request"
    ),
    variables.text("OBM_CONNECT", "the app accepts obstacles", range="`true`", when="once"),
    variables.text(
        "OBM_DIST_TO_OBJ",
        "`ROCK,12.3`: key of an obstacle in capitals, and its distance",
        unit="m",
        when="on change",
    ),
    variables.number(
        "OBM_MIN_DIST_EVER",
        "least distance of any obstacle so far",
        unit="m",
        range=">= 0",
        when="on change",
    ),
    variables.text("OBM_RESOLVED", "key of an obstacle that was removed", when="when it happens"),
    variables.text(
        "VIEW_POLYGON",
        "obstacles, for viewers",
        unit="m",
        when="on change",
    ),
)

SUBSCRIPTIONS = (
    variables.heard(
        "TRACKED_FEATURE",
        what=(
            "`x=1,y=2,key=rock`: a sensed point, optionally with `vsource=`; `point_var` sets "
            "another variable"
        ),
        unit="m",
    ),
    variables.heard(
        "OBM_ALERT_REQUEST",
        what="`name=avoid_,update_var=OBSTACLE,alert_range=50`; also posted by behaviors",
        unit="m",
    ),
)
