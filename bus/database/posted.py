"""Variables that the database posts, and those that every app posts or subscribes to."""

from steerageway.declarations import variables

OF_DATABASE = (
    variables.number("DB_TIME", "the time", unit="s, UTC", range=">= 0", when="each 2 s"),
    variables.number("DB_UPTIME", "simulated time", unit="s", range=">= 0", when="each 2 s"),
    variables.text("DB_CLIENTS", "`pA,pB,`: connected apps", when="each 2 s"),
    variables.text("DB_EVENT", "`connected=pA`, `disconnected=pA`", when="when it happens"),
    variables.text("DB_VARSUMMARY", "names of all posted variables", when="each 2 s"),
    variables.text("DB_RWSUMMARY", "`pA=SUBSCRIBED:..&PUBLISHED:..,pB=..`", when="each 2 s"),
    variables.text(
        "DB_OBSERVERS",
        "`scope,poke,`: connected observers",
        when="on change, to observers only",
    ),
    variables.number(
        "SIM_RTF",
        "achieved warp, since the last value",
        unit="s/s",
        range=">= 0",
        when="twice a wall second, to observers only",
    ),
    variables.number(
        "*_LOAD",
        "`<APP>_LOAD`: mean wall time of an app's activation",
        unit="us",
        range=">= 0",
        when="as `SIM_RTF`; not in placement `one`",
    ),
)

OF_EVERY_APP = (
    variables.text(
        "APPCAST",
        "`proc=pHelmIvP!@#iter=9!@#node=alpha!@#messages=..`: an app's report, warnings and events",
        when="at most each 0.6 s, while requested",
    ),
    variables.text(
        "*_STATUS",
        "`AppErrorFlag=false,Uptime=..,cpuload=0,..`; the app's name in capitals",
        unit="s",
        when="each 2 s",
    ),
)

HEARD_BY_EVERY_APP = (
    variables.heard(
        "APPCAST_REQ",
        what="`node=alpha,app=all,duration=3,key=uMAC_1,thresh=any`: post `APPCAST` for this time; "
        "`thresh=run_warning`: only with a new run warning",
        unit="s",
        given="with `--appcasts`",
    ),
)
