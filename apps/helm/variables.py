"""Variables that ``pHelmIvP`` publishes and subscribes to, except those of its behaviors."""

from steerageway.apps.shared import heard
from steerageway.bus import variables
from steerageway.helm.variables import OF_BEHAVIORS

OF_HELM = (
    variables.text(
        "IVPHELM_STATE",
        "state of the helm",
        range="`PARK`, `DRIVE`, `DISABLED`, `STANDBY`, `MALCONFIG`",
    ),
    variables.text("IVPHELM_ALLSTOP", "`clear`, or the reason of an all-stop", when="on change"),
    variables.number(
        "IVPHELM_CPU",
        "time to decide; always 0, as it depends on the machine",
        unit="s",
        range="[0, 0]",
    ),
    variables.text(
        "IVPHELM_DOMAIN", "`course,0,359,360:speed,0,4,41`", unit="deg, m/s, m", when="once"
    ),
    variables.text("IVPHELM_MODESET", "mode declarations", when="once"),
    variables.text("IVPHELM_ALIAS", "alias of the helm", when="once, with `helm_alias`"),
    variables.text(
        "IVPHELM_RESTARTED", "the behavior files were reloaded", when="on `RESTART_HELM`"
    ),
    variables.number("TURN_RATE", "rate of the heading, clockwise", unit="deg/s", when="on change"),
    variables.text(
        "IVPHELM_BHVSET_WARNING",
        "why behavior files were not read, or a behavior not spawned",
        when="when it happens",
    ),
    variables.text(
        "BHV_IPF",
        "a behavior's objective function in piecewise form; aux is its name",
        when="tick, with `post_ipf`",
    ),
    variables.text(
        "PLOGGER_CMD",
        "`COPY_FILE_REQUEST = alpha.bhv`",
        when="once for each behavior file",
    ),
    variables.text(
        "IVPHELM_SUMMARY", "iteration, decision, modes, behaviors; unchanged parts are omitted"
    ),
    variables.number("IVPHELM_ITER", "number of the iteration", range=">= 0"),
    variables.number("IVPHELM_IPF_CNT", "number of objective functions", range=">= 0"),
    variables.number(
        "IVPHELM_CREATE_CPU",
        "time to create functions; always 0, as it depends on the machine",
        unit="s",
        range="[0, 0]",
    ),
    variables.number(
        "IVPHELM_LOOP_CPU",
        "time of an iteration; always 0, as it depends on the machine",
        unit="s",
        range="[0, 0]",
    ),
    variables.number(
        "IVPHELM_TOTAL_PCS_FORMED", "number of values in all functions so far", range=">= 0"
    ),
    variables.number("IVPHELM_TOTAL_PCS_CACHED", "number of these that were reused", range=">= 0"),
    variables.text("IVPHELM_STATEVARS", "variables used in conditions", when="on change"),
    variables.text(
        "IVPHELM_UPDATEVARS", "variables of `updates`: `survey=SURVEY_UPDATE,...`", when="on change"
    ),
    variables.text("IVPHELM_UPDATE_RESULT", "result of an update", when="on each update"),
    variables.text(
        "IVPHELM_BHV_ACTIVE", "active behaviors: those with an objective function", when="on change"
    ),
    variables.text(
        "IVPHELM_BHV_RUNNING",
        "running behaviors: their conditions hold, but they have no objective function",
        when="on change",
    ),
    variables.text(
        "IVPHELM_BHV_IDLE", "idle behaviors: their conditions do not hold", when="on change"
    ),
    variables.text("IVPHELM_BHV_DISABLED", "disabled behaviors", when="on change"),
    variables.number(
        "IVPHELM_BHV_ACTIVE_CNT", "number of active behaviors", range=">= 0", when="on change"
    ),
    variables.number(
        "IVPHELM_BHV_RUNNING_CNT", "number of running behaviors", range=">= 0", when="on change"
    ),
    variables.number(
        "IVPHELM_BHV_IDLE_CNT", "number of idle behaviors", range=">= 0", when="on change"
    ),
    variables.number(
        "IVPHELM_BHV_DISABLED_CNT", "number of disabled behaviors", range=">= 0", when="on change"
    ),
    variables.number("IVPHELM_BHV_CNT", "number of behaviors", range=">= 0", when="on change"),
    variables.number(
        "IVPHELM_BHV_CNT_EVER",
        "number of behaviors that ever existed",
        range=">= 0",
        when="on change",
    ),
    variables.text(
        "IVPHELM_COMPLETED_PENDING",
        "whether a completed behavior is about to be removed",
        range="`true`, `false`",
        when="on change",
    ),
    variables.number(
        "IVPHELM_COMPLETED_COUNT",
        "number of completed behaviors that were removed",
        range=">= 0",
        when="on change",
    ),
    variables.text(
        "IVPHELM_LIFE_EVENT", "a behavior was spawned, aborted or removed", when="when it happens"
    ),
    variables.text(
        "IVPHELM_LEDGER_SUMMARY",
        "`vname=henry,age=1.25 # ...`, age of the last report; `none`",
        unit="s",
        when="tick while there are contacts",
    ),
    variables.text(
        "IVPHELM_CONTACT_SUMMARY",
        "contacts in use by behaviors; `none`",
        when="tick while there are contacts",
    ),
    variables.text(
        "IVPHELM_SKEW",
        "variable or vessel, and its clock skew",
        unit="s",
        when="on mail with a stamp too far off",
    ),
    variables.text("IVPHELM_REGISTER", "variables newly subscribed to", when="on change"),
    variables.text(
        "BHV_ERROR", "error of a behavior that stops the vessel", when="when it happens"
    ),
    variables.text("BHV_WARNING", "warning of a behavior", when="when it happens"),
)
OF_DOMAIN = (
    variables.number(
        "DESIRED_HEADING", "desired heading", unit="deg", range="[0, 360)", when="tick with control"
    ),
    variables.number(
        "DESIRED_SPEED", "desired speed", unit="m/s", range=">= 0", when="tick with control"
    ),
    variables.number(
        "DESIRED_DEPTH",
        "desired depth",
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
        "PHELMIVP_PID",
        "process number; always 0, as it depends on the machine",
        range="[0, 0]",
        when="once",
    ),
)
PUBLICATIONS = (*OF_DOMAIN, *OF_HELM, *OF_BEHAVIORS)

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    variables.heard(
        "BHV_ABLE_FILTER",
        what="`action=disable,contact=henry`: disable, enable or remove behaviors",
    ),
    variables.heard(
        "HELM_MAP_CLEAR", what="make behaviors post unchanged values again", kind="any"
    ),
    variables.heard(
        "IVPHELM_REJOURNAL", what="include unchanged parts in the next summary", kind="any"
    ),
    variables.heard(
        "RESTART_HELM",
        what="`type1`, `type2`: reload the behavior files; type2 also posts the initial values",
        kind="any",
    ),
    heard.NODE_REPORT,
    variables.heard("AIS_REPORT", what="node report of a vessel known by AIS"),
    variables.heard("AIS_REPORT_LOCAL", what="node report of a vessel known by AIS"),
)
