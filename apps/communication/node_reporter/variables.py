"""Variables that ``pNodeReporter`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = variables.published("""
    NODE_REPORT_LOCAL | text | m, deg, m/s | | | the vessel's node report: position, speed, heading,
        mode, type
    NODE_REPORT_LOCAL_FIRST | text | m, deg, m/s | | once | the first node report
    PLATFORM_REPORT_LOCAL | text | | | on change, with `plat_report_input` |
        `platform=alpha,utc_time=..,GPS_SAT=7`
    PNR_POST_GAP | number | s | >= 0 | with each report | time since the last report
    PNR_EXTRAP_POS_GAP | number | m | >= 0 | tick, with `extrap_enabled` | distance from the
        extrapolation of the last report
    PNR_EXTRAP_HDG_GAP | number | deg | [0, 180] | tick, with `extrap_enabled` | heading change
        since the last report
    PNR_MHASH | text | m | | as the distance grows, with `MISSION_HASH` | `mhash=..,ext=120`:
        greatest distance from the mission's start
""")

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
