"""Variables that ``uNavFilter`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.number("NAV_ROLL", "roll", unit="rad, to starboard", range="[-3.1416, 3.1416]"),
    variables.number("NAV_X_STD", "standard deviation of `NAV_X`", unit="m", range=">= 0"),
    variables.number("NAV_Y_STD", "standard deviation of `NAV_Y`", unit="m", range=">= 0"),
    variables.number("NAV_DEPTH_STD", "standard deviation of `NAV_DEPTH`", unit="m", range=">= 0"),
    variables.number(
        "NAV_HEADING_STD", "standard deviation of `NAV_HEADING`", unit="deg", range=">= 0"
    ),
    variables.number(
        "NAV_PITCH_STD", "standard deviation of `NAV_PITCH`", unit="rad", range=">= 0"
    ),
    variables.number("NAV_ROLL_STD", "standard deviation of `NAV_ROLL`", unit="rad", range=">= 0"),
    variables.number(
        "NAV_SPEED_STD", "standard deviation of `NAV_SPEED`", unit="m/s", range=">= 0"
    ),
    variables.text(
        "NAV_SOLUTION",
        "the newest estimate, complete with covariance, as JSON",
        unit="m, rad, NED",
    ),
    variables.number(
        "NAV_NIS_*",
        "with `post_innovations`: normalised innovation squared, one variable for each sensor",
        range=">= 0",
        when="a measurement",
    ),
    variables.text(
        "NAV_INNOVATION_*",
        "the same with innovation, covariance, dimension, as JSON",
        unit="as the sensor's",
        when="a measurement",
    ),
)
