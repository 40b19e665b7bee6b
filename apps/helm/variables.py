"""Variables that ``pHelmIvP`` publishes and subscribes to, except those of its behaviors."""

from steerageway.apps.shared import heard
from steerageway.bus import variables
from steerageway.helm.variables import OF_BEHAVIORS

OF_HELM = variables.published("""
    IVPHELM_STATE | text | | `PARK`, `DRIVE`, `DISABLED`, `STANDBY`, `MALCONFIG` | | state of the
        helm
    IVPHELM_ALLSTOP | text | | | on change | `clear`, or the reason of an all-stop
    IVPHELM_CPU | number | s | [0, 0] | | time to decide; always 0, as it depends on the machine
    IVPHELM_DOMAIN | text | deg, m/s, m | | once | `course,0,359,360:speed,0,4,41`
    IVPHELM_MODESET | text | | | once | mode declarations
    IVPHELM_ALIAS | text | | | once, with `helm_alias` | alias of the helm
    IVPHELM_RESTARTED | text | | | on `RESTART_HELM` | the behavior files were reloaded
    TURN_RATE | number | deg/s | | on change | rate of the heading, clockwise
    IVPHELM_BHVSET_WARNING | text | | | when it happens | why behavior files were not read, or a
        behavior not spawned
    BHV_IPF | text | | | tick, with `post_ipf` | a behavior's objective function in piecewise form;
        aux is its name
    PLOGGER_CMD | text | | | once for each behavior file | `COPY_FILE_REQUEST = alpha.bhv`
    IVPHELM_SUMMARY | text | | | | iteration, decision, modes, behaviors; unchanged parts are
        omitted
    IVPHELM_ITER | number | | >= 0 | | number of the iteration
    IVPHELM_IPF_CNT | number | | >= 0 | | number of objective functions
    IVPHELM_CREATE_CPU | number | s | [0, 0] | | time to create functions; always 0, as it depends
        on the machine
    IVPHELM_LOOP_CPU | number | s | [0, 0] | | time of an iteration; always 0, as it depends on the
        machine
    IVPHELM_TOTAL_PCS_FORMED | number | | >= 0 | | number of values in all functions so far
    IVPHELM_TOTAL_PCS_CACHED | number | | >= 0 | | number of these that were reused
    IVPHELM_STATEVARS | text | | | on change | variables used in conditions
    IVPHELM_UPDATEVARS | text | | | on change | variables of `updates`: `survey=SURVEY_UPDATE,...`
    IVPHELM_UPDATE_RESULT | text | | | on each update | result of an update
    IVPHELM_BHV_ACTIVE | text | | | on change | active behaviors: those with an objective function
    IVPHELM_BHV_RUNNING | text | | | on change | running behaviors: their conditions hold, but they
        have no objective function
    IVPHELM_BHV_IDLE | text | | | on change | idle behaviors: their conditions do not hold
    IVPHELM_BHV_DISABLED | text | | | on change | disabled behaviors
    IVPHELM_BHV_ACTIVE_CNT | number | | >= 0 | on change | number of active behaviors
    IVPHELM_BHV_RUNNING_CNT | number | | >= 0 | on change | number of running behaviors
    IVPHELM_BHV_IDLE_CNT | number | | >= 0 | on change | number of idle behaviors
    IVPHELM_BHV_DISABLED_CNT | number | | >= 0 | on change | number of disabled behaviors
    IVPHELM_BHV_CNT | number | | >= 0 | on change | number of behaviors
    IVPHELM_BHV_CNT_EVER | number | | >= 0 | on change | number of behaviors that ever existed
    IVPHELM_COMPLETED_PENDING | text | | `true`, `false` | on change | whether a completed behavior
        is about to be removed
    IVPHELM_COMPLETED_COUNT | number | | >= 0 | on change | number of completed behaviors that were
        removed
    IVPHELM_LIFE_EVENT | text | | | when it happens | a behavior was spawned, aborted or removed
    IVPHELM_LEDGER_SUMMARY | text | s | | tick while there are contacts | `vname=henry,age=1.25 #
        ...`, age of the last report; `none`
    IVPHELM_CONTACT_SUMMARY | text | | | tick while there are contacts | contacts in use by
        behaviors; `none`
    IVPHELM_SKEW | text | s | | on mail with a stamp too far off | variable or vessel, and its clock
        skew
    IVPHELM_REGISTER | text | | | on change | variables newly subscribed to
    BHV_ERROR | text | | | when it happens | error of a behavior that stops the vessel
    BHV_WARNING | text | | | when it happens | warning of a behavior
""")
OF_DOMAIN = variables.published("""
    DESIRED_HEADING | number | deg | [0, 360) | tick with control | desired heading
    DESIRED_SPEED | number | m/s | >= 0 | tick with control | desired speed
    DESIRED_DEPTH | number | m, down | >= 0 | tick with control, with depth in the domain | desired
        depth
    DESIRED_* | number | of the domain | | tick with control | any other variable of the domain
    PHELMIVP_PID | number | | [0, 0] | once | process number; always 0, as it depends on the machine
""")
PUBLICATIONS = (*OF_DOMAIN, *OF_HELM, *OF_BEHAVIORS)

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    *variables.subscribed("""
        BHV_ABLE_FILTER | text | | | `action=disable,contact=henry`: disable, enable or remove
            behaviors
        HELM_MAP_CLEAR | any | | | make behaviors post unchanged values again
        IVPHELM_REJOURNAL | any | | | include unchanged parts in the next summary
        RESTART_HELM | any | | | `type1`, `type2`: reload the behavior files; type2 also posts the
            initial values
    """),
    heard.NODE_REPORT,
    variables.heard("AIS_REPORT", what="node report of a vessel known by AIS"),
    variables.heard("AIS_REPORT_LOCAL", what="node report of a vessel known by AIS"),
)
