"""Variables that ``pContactMgrV20`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "CONTACTS_LIST", "contacts by commas, in order of their first report", when="on change"
    ),
    variables.number("CONTACTS_COUNT", "how many alerts are on", range=">= 0", when="on change"),
    variables.text(
        "CONTACTS_ALERTED", "`(ben,avd)(carl,avd)`: which alerts are on for whom", when="on change"
    ),
    variables.text("CONTACTS_RETIRED", "the last contacts that fell silent", when="on change"),
    variables.text(
        "CONTACTS_RECAP",
        "`vname=ben,range=9.00,age=0.50 # ...`",
        unit="m, s",
        when="`contacts_recap_interval`",
    ),
    variables.text("CONTACT_CLOSEST", "name of the closest contact", when="on change"),
    variables.number(
        "CONTACT_CLOSEST_TIME",
        "since when it is the closest",
        unit="s, UTC",
        range=">= 0",
        when="on change",
    ),
    variables.number(
        "CONTACT_CLOSEST_RANGE",
        "how close it is, in whole metres",
        unit="m",
        range=">= 0",
        when="on change, with `post_closest_range`",
    ),
    variables.number(
        "CONTACT_CLOSEST_RELBNG",
        "where it is, in whole degrees",
        unit="deg, from the bow",
        range="[0, 360]",
        when="on change, with `post_closest_relbng`",
    ),
    variables.text(
        "CONTACT_RANGES",
        "of all, the least first: `10,30`",
        unit="m",
        when="on change, with `post_all_ranges`",
    ),
    variables.text(
        "VIEW_CIRCLE",
        "ranges of alerts, for viewers",
        unit="m",
        when="tick, with `display_radii`",
    ),
    variables.text("ALERT_VERBOSE", "an alert went on or off", when="when it happens"),
    variables.text(
        "BHV_ABLE_FILTER", "switches behaviors about a contact off or on", when="on request"
    ),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    heard.BCM_ALERT_REQUEST,
    variables.heard(
        "BCM_REPORT_REQUEST",
        what="`var=NEAR,range=50`: keep the names of near contacts in NEAR",
        unit="m, s",
    ),
    variables.heard("BCM_DISPLAY_RADII", what="`true`, `false`: draw the ranges of alerts"),
)
