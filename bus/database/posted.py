"""Variables that the database posts, and those that every app posts or subscribes to."""

from steerageway.declarations import variables

OF_DATABASE = variables.published("""
    DB_TIME | number | s, UTC | >= 0 | each 2 s | the time
    DB_UPTIME | number | s | >= 0 | each 2 s | simulated time
    DB_CLIENTS | text | | | each 2 s | `pA,pB,`: connected apps
    DB_EVENT | text | | | when it happens | `connected=pA`, `disconnected=pA`
    DB_VARSUMMARY | text | | | each 2 s | names of all posted variables
    DB_RWSUMMARY | text | | | each 2 s | `pA=SUBSCRIBED:..&PUBLISHED:..,pB=..`
    DB_OBSERVERS | text | | | on change, to observers only | `scope,poke,`: connected observers
    SIM_RTF | number | s/s | >= 0 | twice a wall second, to observers only | achieved warp, since
        the last value
    *_LOAD | number | us | >= 0 | as `SIM_RTF`; not in placement `one` | `<APP>_LOAD`: mean wall
        time of an app's activation
""")

OF_EVERY_APP = variables.published("""
    APPCAST | text | | | at most each 0.6 s, while requested |
        `proc=pHelmIvP!@#iter=9!@#node=alpha!@#messages=..`: an app's report, warnings and events
    *_STATUS | text | s | | each 2 s | `AppErrorFlag=false,Uptime=..,cpuload=0,..`; the app's name
        in capitals
""")

HEARD_BY_EVERY_APP = (
    variables.heard(
        "APPCAST_REQ",
        what="`node=alpha,app=all,duration=3,key=uMAC_1,thresh=any`: post `APPCAST` for this time; "
        "`thresh=run_warning`: only with a new run warning",
        unit="s",
        given="with `--appcasts`",
    ),
)
