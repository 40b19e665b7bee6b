"""Variables that ``pMcapLogger`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "MCAP_SUMMARY",
        "`file=abe.mcap,mb_per_minute=95.0,quota_mb=1000,quota_minutes=10.5`, uncompressed",
        unit="MB",
        when="when the rate of a variable becomes known",
    ),
)

SUBSCRIPTIONS = (heard.LIDAR,)
