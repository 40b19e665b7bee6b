"""What ``pThrustAllocation`` posts and hears."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "ACTUATOR_CMD",
        "`th_1=0.5,az_1=-12`: what each thruster is to do",
        unit="deg, rpm or 1",
        when="tick, after the first order",
    ),
    variables.number(
        "TAU_X_UNMET",
        "what of `TAU_X` the thrusters do not make",
        unit="N, ahead",
        when="tick, after the first order",
    ),
    variables.number(
        "TAU_Y_UNMET", "of `TAU_Y`", unit="N, to starboard", when="tick, after the first order"
    ),
    variables.number(
        "TAU_Z_UNMET", "of `TAU_Z`", unit="N, down", when="tick, after the first order"
    ),
    variables.number("TAU_K_UNMET", "of `TAU_K`", unit="N m", when="tick, after the first order"),
    variables.number("TAU_M_UNMET", "of `TAU_M`", unit="N m", when="tick, after the first order"),
    variables.number("TAU_N_UNMET", "of `TAU_N`", unit="N m", when="tick, after the first order"),
)

SUBSCRIPTIONS = (
    variables.heard(
        "TAU_X",
        "TAU_Y",
        "TAU_Z",
        "TAU_K",
        "TAU_M",
        "TAU_N",
        what="a wanted force",
        kind="number",
        unit="N, N m, BODY about CO",
    ),
)
