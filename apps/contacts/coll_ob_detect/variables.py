"""Variables that ``uFldCollObDetect`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.number(
        "OB_GLOBAL_MIN",
        "least distance of any vessel from any obstacle so far",
        unit="m",
        range=">= 0",
        when="on change",
    ),
)

SUBSCRIPTIONS = (heard.NODE_REPORT,)
