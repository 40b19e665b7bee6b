"""Variables that several behaviors post."""

from steerageway.declarations import variables

BHV_SETTINGS = variables.text("BHV_SETTINGS", "main parameters of a behavior", when="on activation")
VIEW_POINT = variables.text(
    "VIEW_POINT",
    "next point, track point and other points of behaviors, for viewers",
    unit="m",
    when="on change",
)
VIEW_SEGLIST = variables.text(
    "VIEW_SEGLIST", "lines of behaviors, for viewers", unit="m", when="on change"
)
VIEW_RANGE_PULSE = variables.text(
    "VIEW_RANGE_PULSE",
    "a range pulse, for viewers",
    unit="m, s",
    when="when a RangePulse is ranged",
)
VIEW_POLYGON = variables.text(
    "VIEW_POLYGON", "areas of behaviors, for viewers", unit="m", when="on change"
)
OF_BEHAVIORS = (BHV_SETTINGS, VIEW_POINT, VIEW_SEGLIST, VIEW_RANGE_PULSE, VIEW_POLYGON)
