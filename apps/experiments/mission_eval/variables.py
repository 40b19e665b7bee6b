"""Variables that ``pMissionEval`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text("MISSION_EVALUATED", "the mission has been judged", range="`true`", when="once"),
    variables.text(
        "MISSION_RESULT",
        "how it went",
        range="`pending`, `pass`, `fail`",
        when="once, when it is judged",
    ),
    variables.text(
        "MISSION_LCHECK_STAT",
        "`pass`, or what decides it: `unmet_lead_cond: [DONE = true]`, "
        "`unmet_pass_cond: ..`, `met_fail_cond: ..`",
        when="on change",
    ),
)
