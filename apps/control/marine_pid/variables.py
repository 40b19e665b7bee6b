"""Variables that ``pMarinePIDV22`` publishes and subscribes to."""

from steerageway.apps.control.pid_posts import OUTPUTS
from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    *OUTPUTS,
    variables.number(
        "DESIRED_RUDDER*",
        "rudder",
        unit="as above",
        range="[-100, 100]",
        when="with `output_suffix`",
    ),
    variables.number(
        "DESIRED_THRUST*", "thrust", unit="as above", range="[0, 100]", when="with `output_suffix`"
    ),
    variables.number(
        "DESIRED_ELEVATOR*",
        "elevator",
        unit="as above",
        range="[-90, 90]",
        when="with `output_suffix`",
    ),
    variables.text(
        "PID_HAS_CONTROL",
        "whether it is in control",
        range="`true`, `false`",
        when="on each override `false`; on losing control by `true`",
    ),
)

SUBSCRIPTIONS = (
    heard.MOOS_MANUAL_OVERRIDE,
    heard.MOOS_MANUAL_OVERIDE,
    heard.SPEED_FACTOR,
    variables.heard(
        "PID_THRUST_CAP",
        what="thrust limit, with `enable_thrust_cap`",
        kind="number",
        unit="%, [20, 100]",
    ),
    heard.PID_VERBOSE,
)
