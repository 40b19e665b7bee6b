"""Variables that ``pObstacleMgr`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "BHV_ABLE_FILTER", "switches behaviors about a contact off or on", when="on request"
    ),
    variables.text("OBM_CONNECT", "obstacles may be given now", range="`true`", when="once"),
    variables.text(
        "OBM_DIST_TO_OBJ",
        "`ROCK,12.3`: how far it is, its key in capitals",
        unit="m",
        when="on change",
    ),
    variables.number(
        "OBM_MIN_DIST_EVER",
        "the nearest any obstacle ever was",
        unit="m",
        range=">= 0",
        when="on change",
    ),
    variables.text("OBM_RESOLVED", "the obstacle of this key is gone", when="when it happens"),
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
            "`x=1,y=2,key=rock`: a sensed point, perhaps with `vsource=`; `point_var` names another"
        ),
        unit="m",
    ),
    variables.heard(
        "OBM_ALERT_REQUEST",
        what="`name=avoid_,update_var=OBSTACLE,alert_range=50`; also posted by behaviors",
        unit="m",
    ),
)
