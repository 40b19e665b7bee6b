"""Variables that ``uFldCollisionDetect`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = variables.published("""
    VIEW_RANGE_PULSE | text | m, s | | on near misses and collisions | a range pulse at a near miss
        or collision, for viewers
    VIEW_CIRCLE | text | m | | tick, with `encounter_rings` | ranges of encounters, for viewers
    UCD_REPORT | text | m, deg from the bow | | after near misses and collisions |
        `cpa=2.1,vname1=abe,vname2=ben,rank=collision, alpha=95, ...`
    ENCOUNTER_TOTAL | number | | >= 0 | once, on change | number of encounters so far
    NEAR_MISS_TOTAL | number | | >= 0 | once, on change | number of near misses so far
    COLLISION_TOTAL | number | | >= 0 | once, on change | number of collisions so far
    COLLISION_DETECT_PARAMS | text | m | | once | `collision_range=3, near_miss_range=6,
        encounter_range=20`
    COLLISION_DETECT_PARAMS_* | text | m | | on a vessel's first report | `COLLISION_DETECT_PARAMS`,
        for the vessel named at the end
    UCD_CLOSEST_RANGE | number | m | >= 0 | tick, with `post_closest_range` | present range of the
        closest two vessels
    UCD_CLOSEST_RANGE_EVER | number | m | >= 0 | tick, with `post_closest_range_ever` | least range
        of any two vessels so far
""")

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    variables.heard("UCD_RESET", what="resets the closest ranges", kind="any"),
)
