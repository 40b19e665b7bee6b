"""Variables that ``pRealm`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "REALMCAST_CHANNELS",
        "`node=alpha#channels=pA,pB`: the processes",
        when="on change; each 5 s, later each 50 s",
    ),
    variables.text(
        "REALMCAST", "a process's variables as a table", when="each 0.8 s while requested"
    ),
    variables.text("WATCHCAST", "one variable's last value", when="on change while requested"),
)

SUBSCRIPTIONS = (
    variables.heard(
        "REALMCAST_REQ",
        what="`client=me,channel=pHelmIvP,duration=3`, or `vars=A:B` for the channel",
        unit="s",
    ),
)
