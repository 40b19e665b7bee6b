"""Variables that ``uSweep`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "CASE_RESET",
        '`{"number": 3, "seed": 2, "first": {..}, "then": {..}}`: begin this case at once',
        when="before each case",
    ),
    variables.number("SWEEP_CASE", "number of the case", range=">= 0", when="once a case"),
    variables.text("SWEEP", "all cases are complete", range="`complete`", when="at the end"),
    variables.text(
        "USM_RESET",
        "`x=1,y=2,heading=90,speed=0,depth=0`: the vessel's new state; users may post it, too",
        unit="m, deg, m/s",
        when="once a case",
    ),
)
