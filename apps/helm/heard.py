"""Variables that ``pHelmIvP`` subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    variables.heard(
        "BHV_ABLE_FILTER",
        what="`action=disable,contact=henry`: switch behaviors off, on, or remove them",
    ),
    variables.heard("HELM_MAP_CLEAR", what="have behaviors post everything again", kind="any"),
    variables.heard("IVPHELM_REJOURNAL", what="write the next summary in full", kind="any"),
    variables.heard("RESTART_HELM", what="begin anew", kind="any"),
    heard.NODE_REPORT,
    variables.heard("AIS_REPORT", what="the same, of a vessel known by AIS"),
    variables.heard("AIS_REPORT_LOCAL", what="the same"),
)
