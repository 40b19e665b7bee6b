"""Variables that ``uFldBeaconRangeSensor`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "VIEW_RANGE_PULSE",
        "an expanding ring, for viewers",
        unit="m, s",
        when="on pings",
    ),
    variables.text(
        "BRS_RANGE_REPORT",
        "`vname=abe,range=50.2,id=01,time=..`: to a beacon",
        unit="m, s UTC",
        when="on each range, `report_vars` short or both",
    ),
    variables.text(
        "BRS_RANGE_REPORT_*",
        "the same without `vname`",
        unit="m, s UTC",
        when="on each range, `report_vars` long or both",
    ),
    variables.text(
        "BRS_RANGE_REPORT_GT",
        "the true range",
        unit="m, s UTC",
        when="with noise and `ground_truth`",
    ),
    variables.text(
        "BRS_RANGE_REPORT_GT_*",
        "the true range",
        unit="m, s UTC",
        when="with noise and `ground_truth`",
    ),
    variables.text("VIEW_MARKER", "a beacon, for viewers", unit="m", when="once"),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    variables.heard("BRS_RANGE_REQUEST", what="`name=abe`: ping the beacons from this vessel"),
)
