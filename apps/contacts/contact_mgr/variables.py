"""Variables that ``pContactMgrV20`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = variables.published("""
    CONTACTS_LIST | text | | | on change | names of the contacts, in the order of their first
        reports
    CONTACTS_COUNT | number | | >= 0 | on change | number of alerts that are on
    CONTACTS_ALERTED | text | | | on change | `(ben,avd)(carl,avd)`: contacts and the alerts that
        are on for them
    CONTACTS_RETIRED | text | | | on change | the contacts that were retired last
    CONTACTS_RECAP | text | m, s | | `contacts_recap_interval` | `vname=ben,range=9.00,age=0.50 #
        ...`
    CONTACT_CLOSEST | text | | | on change | name of the closest contact
    CONTACT_CLOSEST_TIME | number | s, UTC | >= 0 | on change | time since which it is the closest
    CONTACT_CLOSEST_RANGE | number | m | >= 0 | on change, with `post_closest_range` | range of the
        closest contact, in whole metres
    CONTACT_CLOSEST_RELBNG | number | deg, from the bow | [0, 360) | on change, with
        `post_closest_relbng` | relative bearing of the closest contact, in whole degrees
    CONTACT_RANGES | text | m | | on change, with `post_all_ranges` | ranges of all contacts in
        ascending order: `10,30`
    VIEW_CIRCLE | text | m | | tick, with `display_radii` | ranges of alerts, for viewers
    ALERT_VERBOSE | text | | | when it happens | an alert turned on or off
    BHV_ABLE_FILTER | text | | | on request | disables or enables the behaviors of a contact
""")

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    heard.BCM_ALERT_REQUEST,
    *variables.subscribed("""
        BCM_REPORT_REQUEST | text | m, s | | `var=NEAR,range=50`: post the names of the contacts
            within 50 m in NEAR
        BCM_DISPLAY_RADII | text | | | `true`, `false`, `toggle` or an alert's name: draw the ranges
            of alerts
    """),
)
