"""Variables that the database posts, and those that every app posts or subscribes to."""

from steerageway.bus.core import variables

OF_DATABASE = (
    variables.number("DB_TIME", "the time", unit="s, UTC", range=">= 0", when="each 2 s"),
    variables.number("DB_UPTIME", "simulated time", unit="s", range=">= 0", when="each 2 s"),
    variables.text("DB_CLIENTS", "`pA,pB,`: apps that are there", when="each 2 s"),
    variables.text("DB_EVENT", "`connected=pA`, `disconnected=pA`", when="when it happens"),
    variables.text("DB_VARSUMMARY", "every variable posted", when="each 2 s"),
    variables.text("DB_RWSUMMARY", "`pA=heard:heard&posted:posted,pB=..`", when="each 2 s"),
    variables.text(
        "DB_OBSERVERS",
        "`scope,poke,`: observers that are there",
        when="on change, to observers only",
    ),
    variables.number(
        "SIM_RTF",
        "simulated seconds per wall second of late",
        unit="s/s",
        range=">= 0",
        when="twice a wall second, to observers only",
    ),
    variables.number(
        "*_LOAD",
        "`<APP>_LOAD`: wall time of an app's turn",
        unit="us",
        range=">= 0",
        when="as `SIM_RTF`; not in placement `one`",
    ),
)

OF_EVERY_APP = (
    variables.text(
        "APPCAST",
        "`proc=pHelmIvP!@#iter=9!@#node=alpha!@#messages=..`: what it reports, its "
        "warnings and events",
        when="0.6 s at least, while asked for",
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
        what="`node=alpha,app=all,duration=3,key=uMAC_1,thresh=any`: post `APPCAST` for so long; "
        "`thresh=run_warning`: with another run warning only",
        unit="s",
        given="with `--appcasts`",
    ),
)
