"""Variables that several behaviors post."""

from steerageway.declarations import variables

OF_BEHAVIORS = variables.published("""
    BHV_SETTINGS | text | | | on activation | main parameters of a behavior
    VIEW_POINT | text | m | | on change | next point, track point and other points of behaviors, for
        viewers
    VIEW_SEGLIST | text | m | | on change | lines of behaviors, for viewers
    VIEW_RANGE_PULSE | text | m, s | | when a RangePulse is ranged | a range pulse, for viewers
    VIEW_POLYGON | text | m | | on change | areas of behaviors, for viewers
""")
BHV_SETTINGS, VIEW_POINT, VIEW_SEGLIST, VIEW_RANGE_PULSE, VIEW_POLYGON = OF_BEHAVIORS
