"""What ``pMarinePID`` posts and hears."""

from steerageway.apps.control.marine_pid.variables import OUTPUTS
from steerageway.apps.control.pid_posts import SATURATION
from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    *OUTPUTS,
    *SATURATION,
    variables.text("PID_REPORT", "`12:PID_COURSE: ...`", when="tick, with `verbose = verbose`"),
)

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    heard.SPEED_FACTOR,
    heard.PID_VERBOSE,
)
