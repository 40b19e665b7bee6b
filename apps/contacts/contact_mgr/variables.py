"""Variables that ``pContactMgrV20`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "CONTACTS_LIST",
        "names of the contacts, in the order of their first reports",
        when="on change",
    ),
    variables.number(
        "CONTACTS_COUNT", "number of alerts that are on", range=">= 0", when="on change"
    ),
    variables.text(
        "CONTACTS_ALERTED",
        "`(ben,avd)(carl,avd)`: contacts and the alerts that are on for them",
        when="on change",
    ),
    variables.text("CONTACTS_RETIRED", "the contacts that were retired last", when="on change"),
    variables.text(
        "CONTACTS_RECAP",
        "`vname=ben,range=9.00,age=0.50 # ...`",
        unit="m, s",
        when="`contacts_recap_interval`",
    ),
    variables.text("CONTACT_CLOSEST", "name of the closest contact", when="on change"),
    variables.number(
        "CONTACT_CLOSEST_TIME",
        "time since which it is the closest",
        unit="s, UTC",
        range=">= 0",
        when="on change",
    ),
    variables.number(
        "CONTACT_CLOSEST_RANGE",
        "range of the closest contact, in whole metres",
        unit="m",
        range=">= 0",
        when="on change, with `post_closest_range`",
    ),
    variables.number(
        "CONTACT_CLOSEST_RELBNG",
        "relative bearing of the closest contact, in whole degrees",
        unit="deg, from the bow",
        range="[0, 360)",
        when="on change, with `post_closest_relbng`",
    ),
    variables.text(
        "CONTACT_RANGES",
        "ranges of all contacts in ascending order: `10,30`",
        unit="m",
        when="on change, with `post_all_ranges`",
    ),
    variables.text(
        "VIEW_CIRCLE",
        "ranges of alerts, for viewers",
        unit="m",
        when="tick, with `display_radii`",
    ),
    variables.text("ALERT_VERBOSE", "an alert turned on or off", when="when it happens"),
    variables.text(
        "BHV_ABLE_FILTER", "disables or enables the behaviors of a contact", when="on request"
    ),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    heard.BCM_ALERT_REQUEST,
    variables.heard(
        "BCM_REPORT_REQUEST",
        what="`var=NEAR,range=50`: post the names of the contacts within 50 m in NEAR",
        unit="m, s",
    ),
    variables.heard(
        "BCM_DISPLAY_RADII",
        what="`true`, `false`, `toggle` or an alert's name: draw the ranges of alerts",
    ),
)
