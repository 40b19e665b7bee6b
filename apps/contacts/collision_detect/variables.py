"""Variables that ``uFldCollisionDetect`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "VIEW_RANGE_PULSE",
        "a range pulse at a near miss or collision, for viewers",
        unit="m, s",
        when="on near misses and collisions",
    ),
    variables.text(
        "VIEW_CIRCLE",
        "ranges of encounters, for viewers",
        unit="m",
        when="tick, with `encounter_rings`",
    ),
    variables.text(
        "UCD_REPORT",
        "`cpa=2.1,vname1=abe,vname2=ben,rank=collision, alpha=95, ...`",
        unit="m, deg from the bow",
        when="after near misses and collisions",
    ),
    variables.number(
        "ENCOUNTER_TOTAL", "number of encounters so far", range=">= 0", when="once, on change"
    ),
    variables.number(
        "NEAR_MISS_TOTAL", "number of near misses so far", range=">= 0", when="once, on change"
    ),
    variables.number(
        "COLLISION_TOTAL", "number of collisions so far", range=">= 0", when="once, on change"
    ),
    variables.text(
        "COLLISION_DETECT_PARAMS",
        "`collision_range=3, near_miss_range=6, encounter_range=20`",
        unit="m",
        when="once",
    ),
    variables.text(
        "COLLISION_DETECT_PARAMS_*",
        "`COLLISION_DETECT_PARAMS`, for the vessel named at the end",
        unit="m",
        when="on a vessel's first report",
    ),
    variables.number(
        "UCD_CLOSEST_RANGE",
        "present range of the closest two vessels",
        unit="m",
        range=">= 0",
        when="tick, with `post_closest_range`",
    ),
    variables.number(
        "UCD_CLOSEST_RANGE_EVER",
        "least range of any two vessels so far",
        unit="m",
        range=">= 0",
        when="tick, with `post_closest_range_ever`",
    ),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    variables.heard("UCD_RESET", what="resets the closest ranges", kind="any"),
)
