"""Variables that ``pSpoofNode`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "NODE_REPORT",
        "node report of a spoofed vessel",
        unit="m, deg, m/s",
        when="`refresh_interval`",
    ),
)

SUBSCRIPTIONS = (
    variables.heard(
        "SPOOF", what="`x=1,y=2,name=val`: add a spoofed vessel", unit="m, deg, m/s, s"
    ),
    variables.heard("SPOOF_CANCEL", what="`vname=val` or `group=red`: remove a vessel or a group"),
)
