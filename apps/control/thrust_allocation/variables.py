"""Variables that ``pThrustAllocation`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "ACTUATOR_CMD",
        "`th_1=0.5,az_1=-12`: command of each actuator",
        unit="deg, rpm or 1",
        when="tick, after the first `TAU_*`",
    ),
    variables.number(
        "TAU_X_UNMET",
        "part of `TAU_X` that the thrusters do not produce",
        unit="N, ahead",
        when="tick, after the first `TAU_*`",
    ),
    variables.number(
        "TAU_Y_UNMET", "part of `TAU_Y`", unit="N, to starboard", when="tick, as `TAU_X_UNMET`"
    ),
    variables.number(
        "TAU_Z_UNMET", "part of `TAU_Z`", unit="N, down", when="tick, after the first `TAU_*`"
    ),
    variables.number("TAU_K_UNMET", "part of `TAU_K`", unit="N m", when="tick, as `TAU_X_UNMET`"),
    variables.number("TAU_M_UNMET", "part of `TAU_M`", unit="N m", when="tick, as `TAU_X_UNMET`"),
    variables.number("TAU_N_UNMET", "part of `TAU_N`", unit="N m", when="tick, as `TAU_X_UNMET`"),
)

SUBSCRIPTIONS = (
    variables.heard(
        "TAU_X",
        "TAU_Y",
        "TAU_Z",
        "TAU_K",
        "TAU_M",
        "TAU_N",
        what="a desired force or moment",
        kind="number",
        unit="N, N m, BODY about CO",
    ),
)
