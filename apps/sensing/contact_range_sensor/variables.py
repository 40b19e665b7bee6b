"""Variables that ``uFldContactRangeSensor`` publishes and subscribes to."""

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
        "CRS_RANGE_REPORT",
        "`vname=abe,range=50.2,target=ben,time=..`: to another vessel",
        unit="m, s UTC",
        when="on each echo, `report_vars` short or both",
    ),
    variables.text(
        "CRS_RANGE_REPORT_*",
        "the same without `vname`",
        unit="m, s UTC",
        when="on each echo, `report_vars` long or both",
    ),
    variables.text(
        "CRS_RANGE_REPORT_GT",
        "the true range",
        unit="m, s UTC",
        when="with noise and `ground_truth`",
    ),
    variables.text(
        "CRS_RANGE_REPORT_GT_*",
        "the true range",
        unit="m, s UTC",
        when="with noise and `ground_truth`",
    ),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    variables.heard("CRS_RANGE_REQUEST", what="`name=abe`: ping the other vessels from this one"),
)
