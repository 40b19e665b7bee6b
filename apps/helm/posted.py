"""Variables that ``pHelmIvP`` publishes, except those declared by its behaviors."""

from steerageway.bus import variables

FIXED = (
    variables.text(
        "IVPHELM_STATE", "state", range="`PARK`, `DRIVE`, `DISABLED`, `STANDBY`, `MALCONFIG`"
    ),
    variables.text("IVPHELM_ALLSTOP", "`clear`, or why the vessel is stopped", when="on change"),
    variables.number(
        "IVPHELM_CPU", "time to decide: the machine's affair", unit="s", range="[0, 0]"
    ),
    variables.text(
        "IVPHELM_DOMAIN", "`course,0,359,360:speed,0,4,41`", unit="deg, m/s, m", when="once"
    ),
    variables.text("IVPHELM_MODESET", "mode declarations", when="once"),
    variables.text("IVPHELM_ALIAS", "its other name", when="once, with `helm_alias`"),
    variables.text("IVPHELM_RESTARTED", "the helm began anew", when="on `RESTART_HELM`"),
    variables.number("TURN_RATE", "rate of the heading, clockwise", unit="deg/s", when="on change"),
    variables.text(
        "IVPHELM_BHVSET_WARNING",
        "why a file was not read, or a behavior not made",
        when="when it happens",
    ),
    variables.text(
        "BHV_IPF",
        "a behavior's objective in pieces; the remark names it",
        when="tick, with `post_ipf`",
    ),
    variables.text(
        "PLOGGER_CMD",
        "`COPY_FILE_REQUEST = alpha.bhv`",
        when="once for each behavior file",
    ),
    variables.text(
        "IVPHELM_SUMMARY", "iteration, decision, modes, behaviors; what did not change is left out"
    ),
    variables.number("IVPHELM_ITER", "iterations", range=">= 0"),
    variables.number("IVPHELM_IPF_CNT", "objective functions", range=">= 0"),
    variables.number(
        "IVPHELM_CREATE_CPU",
        "time to make functions: the machine's affair",
        unit="s",
        range="[0, 0]",
    ),
    variables.number(
        "IVPHELM_LOOP_CPU", "time of an iteration: the machine's affair", unit="s", range="[0, 0]"
    ),
    variables.number("IVPHELM_TOTAL_PCS_FORMED", "values in functions so far", range=">= 0"),
    variables.number("IVPHELM_TOTAL_PCS_CACHED", "of these, used again", range=">= 0"),
    variables.text("IVPHELM_STATEVARS", "variables of conditions", when="on change"),
    variables.text(
        "IVPHELM_UPDATEVARS", "variables of `updates`: `survey=SURVEY_UPDATE,...`", when="on change"
    ),
    variables.text("IVPHELM_UPDATE_RESULT", "what became of it", when="on each update"),
    variables.text("IVPHELM_BHV_ACTIVE", "behaviors that are active", when="on change"),
    variables.text("IVPHELM_BHV_RUNNING", "behaviors whose conditions hold", when="on change"),
    variables.text("IVPHELM_BHV_IDLE", "behaviors whose conditions do not hold", when="on change"),
    variables.text("IVPHELM_BHV_DISABLED", "behaviors switched off", when="on change"),
    variables.number("IVPHELM_BHV_ACTIVE_CNT", "how many they are", range=">= 0", when="on change"),
    variables.number(
        "IVPHELM_BHV_RUNNING_CNT", "how many they are", range=">= 0", when="on change"
    ),
    variables.number("IVPHELM_BHV_IDLE_CNT", "how many they are", range=">= 0", when="on change"),
    variables.number(
        "IVPHELM_BHV_DISABLED_CNT", "how many they are", range=">= 0", when="on change"
    ),
    variables.number("IVPHELM_BHV_CNT", "behaviors there are", range=">= 0", when="on change"),
    variables.number(
        "IVPHELM_BHV_CNT_EVER", "behaviors there ever were", range=">= 0", when="on change"
    ),
    variables.text(
        "IVPHELM_COMPLETED_PENDING",
        "whether a behavior is about to leave",
        range="`true`, `false`",
        when="on change",
    ),
    variables.number(
        "IVPHELM_COMPLETED_COUNT", "behaviors that left", range=">= 0", when="on change"
    ),
    variables.text("IVPHELM_LIFE_EVENT", "a behavior came or left", when="when it happens"),
    variables.text(
        "IVPHELM_LEDGER_SUMMARY",
        "`vname=henry,age=1.25 # ...`, age of the last report; `none`",
        unit="s",
        when="tick while there are contacts",
    ),
    variables.text(
        "IVPHELM_CONTACT_SUMMARY",
        "contacts that behaviors are about; `none`",
        when="tick while there are contacts",
    ),
    variables.text(
        "IVPHELM_SKEW", "which, and by how much", unit="s", when="on mail with a stamp too far off"
    ),
    variables.text("IVPHELM_REGISTER", "variables listened to", when="on change"),
    variables.text(
        "BHV_ERROR", "a behavior that stops the vessel, and why", when="when it happens"
    ),
    variables.text("BHV_WARNING", "a behavior's complaint", when="when it happens"),
)
OF_DOMAIN = (
    variables.number(
        "DESIRED_HEADING", "course to steer", unit="deg", range="[0, 360)", when="tick with control"
    ),
    variables.number(
        "DESIRED_SPEED", "speed to make", unit="m/s", range=">= 0", when="tick with control"
    ),
    variables.number(
        "DESIRED_DEPTH",
        "depth to keep",
        unit="m, down",
        range=">= 0",
        when="tick with control, with depth in the domain",
    ),
    variables.number(
        "DESIRED_*",
        "any other variable of the domain",
        unit="of the domain",
        when="tick with control",
    ),
    variables.number(
        "PHELMIVP_PID", "process number: the machine's affair", range="[0, 0]", when="once"
    ),
)
OF_BEHAVIORS = (
    variables.text("BHV_SETTINGS", "what a behavior was told", when="on activation"),
    variables.text(
        "VIEW_POINT",
        "next point and point steered at, for viewers",
        unit="m",
        when="on change",
    ),
    variables.text("VIEW_SEGLIST", "points of a behavior, for viewers", unit="m", when="on change"),
    variables.text(
        "VIEW_RANGE_PULSE",
        "a ring, for viewers",
        unit="m, s",
        when="when a RangePulse is ranged",
    ),
    variables.text(
        "VIEW_POLYGON",
        "areas of behaviors, for viewers",
        unit="m",
        when="on change",
    ),
)
PUBLICATIONS = (*OF_DOMAIN, *FIXED, *OF_BEHAVIORS)
