"""Publications of the marine PID apps: outputs, stale inputs and MOOS-IvP's debug texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from steerageway.bus import variables
from steerageway.geometry.marine import angle180
from steerageway.moos.values import rounded360, trimmed
from steerageway.vessel.pid import Controller, Output, PidEngine, ScalarPid

NARRATION = (
    *("PID_STALE", "PID_HDG_DEBUG", "PID_SPD_DEBUG", "PID_DEP_DEBUG"),
    *("PID_MAX_SAT_HDG_DEBUG", "PID_MAX_SAT_SPD_DEBUG", "PID_MAX_SAT_DEP_DEBUG"),
)

OUTPUTS = variables.published("""
    DESIRED_RUDDER | number | %, positive to starboard | [-100, 100] | tick with control; 0 once on
        losing it | rudder
    DESIRED_THRUST | number | %, ahead | [0, 100] | as the rudder | thrust
    DESIRED_ELEVATOR | number | deg; a thrust map takes % | [-100, 100] | as the rudder, with
        `depth_control` | elevator
""")
SATURATION = variables.published("""
    PID_MAX_SAT_HDG_DEBUG | text | | | tick, with `heading_debug`, at its limit | figures of the yaw
        loop
    PID_MAX_SAT_SPD_DEBUG | text | | | tick, with `speed_debug`, at its limit | figures of the speed
        loop
    PID_MAX_SAT_DEP_DEBUG | text | | | tick, with `depth_debug`, at a limit | figures of the depth
        loops
    PID_MAX_SAT_HDG | text | | `true` | tick, with `max_sat_hdg_debug`, at its limit | the yaw loop
        is at its limit
    PID_MAX_SAT_SPD | text | | `true` | tick, with `max_sat_spd_debug`, at its limit | the speed
        loop is at its limit
    PID_MAX_SAT_DEP | text | | `true` | tick, with `max_sat_dep_debug`, at a limit | a depth loop is
        at its limit
""")
PUBLICATIONS = (
    *variables.published("""
        PID_STALE | text | s | | tick, for each stale input | `Stale NavHdg:2.25`: a stale input and
            its age
        PID_HDG_DEBUG | text | deg, % | | tick, with `heading_debug` | state of the yaw loop
        PID_SPD_DEBUG | text | m/s, % | | tick, with `speed_debug` | state of the speed loop
        PID_DEP_DEBUG | text | m, deg | | tick, with `depth_debug` | state of the depth loops
    """),
    *SATURATION,
)


class Debug(NamedTuple):
    """Loops whose debug text is posted each step."""

    heading: bool
    speed: bool
    depth: bool


def override(engine: PidEngine, text: str) -> str | None:
    """Apply the text of MOOS_MANUAL_OVERRIDE.

    Returns: the value to post as PID_HAS_CONTROL, or None.
    """
    word = text.strip().lower()
    if word == "false":
        engine.take_control()
        return "true"
    if word == "true" and not engine.overridden:
        engine.give_up_control()
        return "false"
    return None


def narration(engine: PidEngine, output: Output, debug: Debug) -> Iterator[tuple[str, str]]:
    """Yield variable and text of each debug post of a step."""
    for name, age in output.stale:
        yield "PID_STALE", f"Stale {name}:{trimmed(age, 3)}"
    if not output.live:
        return
    if debug.speed:
        if engine.speed_factor == 0 and engine.speed_pid.saturated:
            yield "PID_MAX_SAT_SPD_DEBUG", loop_line(engine.speed_pid)
        yield "PID_SPD_DEBUG", speed_line(engine, output)
    if output.thrust <= 0:
        return
    if debug.heading:
        if engine.yaw_pid.saturated:
            yield "PID_MAX_SAT_HDG_DEBUG", loop_line(engine.yaw_pid)
        yield "PID_HDG_DEBUG", course_line(engine, output)
    if debug.depth and engine.parameters.depth_control:
        if engine.z_to_pitch_pid.saturated:
            yield "PID_MAX_SAT_DEP_DEBUG", "Z:" + loop_line(engine.z_to_pitch_pid)
        if engine.pitch_pid.saturated:
            yield "PID_MAX_SAT_DEP_DEBUG", "P:" + loop_line(engine.pitch_pid)
        yield "PID_DEP_DEBUG", depth_line(engine, output)


def course_line(engine: Controller, output: Output) -> str:
    """Return the debug text of the yaw loop."""
    desired = angle180(engine.desired_heading.value)
    return (
        f"PID_COURSE:  (Want):{desired:.5f} (Curr):{rounded360(engine.heading.value, 5):.5f}"
        f" (Diff):{engine.yaw_pid.error:.5f} RUDDER:{output.rudder:.5f}"
    )


def speed_line(engine: Controller, output: Output) -> str:
    """Return the debug text of the speed loop."""
    desired, current = engine.desired_speed.value, engine.speed.value
    if engine.speed_factor != 0:
        how = f"(Fctr):{engine.speed_factor:.5f}"
    else:
        how = f"(Delt):{engine.speed_pid.output:.5f}"
    return (
        f"PID_SPEED:  (Want):{desired:.5f} (Curr):{current:.5f} (Diff):{desired - current:.5f}"
        f" {how} THRUST:{output.thrust:.5f}"
    )


def depth_line(engine: Controller, output: Output) -> str:
    """Return the debug text of the depth loops."""
    return (
        f"PID_DEPTH:  (Want):{engine.desired_depth.value:.5f} (Curr):{engine.depth.value:.5f}"
        f" (Diff):{engine.z_to_pitch_pid.error:.5f} ELEVATOR:{output.elevator:.5f}"
    )


def loop_line(pid: ScalarPid) -> str:
    """Return the debug text of a saturated loop."""
    return (
        f"error={pid.error:.5f},rate={pid.rate:.5f},integral={pid.integral:.5f},"
        f"output={pid.output:.5f},limit={pid.limit:.5f}"
    )
