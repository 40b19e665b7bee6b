"""Variables that ``uProcessWatch`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "PROC_WATCH_SUMMARY", "`All Present` or `AWOL: pA,pB`", when="on change, `summary_wait`"
    ),
    variables.text(
        "PROC_WATCH_FULL_SUMMARY",
        "`pA(1/0),pB(2/1)`: appearances, disappearances",
        when="on change",
    ),
    variables.text(
        "PROC_WATCH_ALL_OK",
        "whether no process is missing",
        range="`true`, `false`",
        when="on change",
    ),
    variables.text(
        "PROC_WATCH_EVENT", "a process that appeared or disappeared", when="when it happens"
    ),
    variables.number(
        "PROC_WATCH_TIME_WARP",
        "the file's MOOSTimeWarp, independent of the actual warp",
        range="> 0",
        when="once",
    ),
)

SUBSCRIPTIONS = (
    variables.heard("EXITED_NORMALLY", what="name of an app whose absence is excused"),
)
