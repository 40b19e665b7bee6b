"""Variables that ``pNodeReporter`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "NODE_REPORT_LOCAL",
        "the vessel's node report: position, speed, heading, mode, type",
        unit="m, deg, m/s",
    ),
    variables.text(
        "NODE_REPORT_LOCAL_FIRST", "the first node report", unit="m, deg, m/s", when="once"
    ),
    variables.text(
        "PLATFORM_REPORT_LOCAL",
        "`platform=alpha,utc_time=..,GPS_SAT=7`",
        when="on change, with `plat_report_input`",
    ),
    variables.number(
        "PNR_POST_GAP",
        "time since the last report",
        unit="s",
        range=">= 0",
        when="with each report",
    ),
    variables.number(
        "PNR_EXTRAP_POS_GAP",
        "distance from the extrapolation of the last report",
        unit="m",
        range=">= 0",
        when="tick, with `extrap_enabled`",
    ),
    variables.number(
        "PNR_EXTRAP_HDG_GAP",
        "heading change since the last report",
        unit="deg",
        range="[0, 180]",
        when="tick, with `extrap_enabled`",
    ),
    variables.text(
        "PNR_MHASH",
        "`mhash=..,ext=120`: greatest distance from the mission's start",
        unit="m",
        when="as the distance grows, with `MISSION_HASH`",
    ),
)

SUBSCRIPTIONS = (
    heard.THRUST_MODE_REVERSE,
    variables.heard("NAV_TRANSP", what="transparency in reports", kind="number", unit="[0, 1]"),
    variables.heard("NAV_TRAJECTORY", what="trajectory in reports"),
    variables.heard("PLATFORM_COLOR", what="colour in reports"),
    variables.heard("NODE_COLOR_CHANGE", what="the same, with `allow_color_change`"),
    variables.heard("NODE_GROUP_UPDATE", what="group in reports"),
    variables.heard("NODE_NAME_UPDATE", what="name in reports"),
    variables.heard("AUX_MODE", what="auxiliary mode in reports"),
    variables.heard("PNR_PAUSE", what="`true`, `false`, `toggle`: pause the reports"),
)
