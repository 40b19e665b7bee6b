"""Variables that ``pHelmIvP`` subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    variables.heard(
        "BHV_ABLE_FILTER",
        what="`action=disable,contact=henry`: disable, enable or remove behaviors",
    ),
    variables.heard(
        "HELM_MAP_CLEAR", what="make behaviors post unchanged values again", kind="any"
    ),
    variables.heard(
        "IVPHELM_REJOURNAL", what="include unchanged parts in the next summary", kind="any"
    ),
    variables.heard(
        "RESTART_HELM",
        what="`type1`, `type2`: reload the behavior files; type2 also posts the initial values",
        kind="any",
    ),
    heard.NODE_REPORT,
    variables.heard("AIS_REPORT", what="node report of a vessel known by AIS"),
    variables.heard("AIS_REPORT_LOCAL", what="node report of a vessel known by AIS"),
)
