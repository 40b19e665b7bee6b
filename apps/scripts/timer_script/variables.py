"""Variables that ``uTimerScript`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "UTS_STATUS",
        "`name=.., elapsed_time=2.00, posted=1, pending=5, ...`",
        unit="script s",
        when="on change, each 5 s",
    ),
    variables.text(
        "EXITED_NORMALLY",
        "`uTimerScript`: the script has reached its `quit`",
        range="name of an app",
        when="at its `quit`",
    ),
)

SUBSCRIPTIONS = (
    variables.heard(
        "UTS_FORWARD",
        what="script seconds to skip; 0 or less: to the next event",
        kind="number",
        unit="script s",
    ),
    variables.heard("UTS_RESET", what="`true` or `reset`: reset the script"),
    variables.heard("UTS_PAUSE", what="`true`, `false` or `toggle`: pause the script's clock"),
)
