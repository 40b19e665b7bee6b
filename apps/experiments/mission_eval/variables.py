"""Variables that ``pMissionEval`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "MISSION_EVALUATED", "the mission has been evaluated", range="`true`", when="once"
    ),
    variables.text(
        "MISSION_RESULT",
        "result of the mission",
        range="`pending`, `pass`, `fail`",
        when="once, when it is evaluated",
    ),
    variables.text(
        "MISSION_LCHECK_STAT",
        "`pass`, or the deciding condition: `unmet_lead_cond: [DONE = true]`, "
        "`unmet_pass_cond: ..`, `met_fail_cond: ..`",
        when="on change",
    ),
)
