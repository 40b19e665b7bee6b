"""Variables that ``pBasicContactMgr`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "CONTACTS_LIST", "contacts by commas, in order of their first report", when="on change"
    ),
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
    variables.text(
        "VIEW_CIRCLE",
        "ranges of alerts, for viewers",
        unit="m",
        when="tick, with `display_radii`",
    ),
    variables.text("ALERT_VERBOSE", "an alert went on or off", when="when it happens"),
    variables.text("CONTACTS_UNALERTED", "contacts without an active alert", when="on change"),
    variables.text("CONTACT_MGR_WARNING", "warnings about invalid mail", when="when it happens"),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    heard.BCM_ALERT_REQUEST,
    variables.heard(
        "CONTACT_RESOLVED",
        what="`ben`, or `ben,avd`: contact whose alerts, or one, may be raised again",
    ),
)
