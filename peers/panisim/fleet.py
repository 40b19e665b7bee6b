"""Mission blocks that connect the vessels of Panisim's worlds: node reports, collision avoidance.

Each vessel shares its node reports with an additional community, ``shoreside``, whose
``uFldNodeComms`` delivers them to all others at any distance: Panisim's topics have no range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SHORE = "shoreside"
APPS = ("pContactMgrV20", "pShare")
SHARE_PORT = 9200  # of the shore; those of the vessels follow
MIN_DISTANCE = 2.0  # minimum distance of the centres of two vessels [lengths]
TURN_TIME = 12.0  # [s] in which a vessel of 1 m length has turned away; scaled by sqrt(L)
START_FACTOR = 3.0  # multiple of that time at which avoidance begins
BEHAVIORS = {"true": "BHV_AvoidCollision", "colregs": "BHV_AvdColregsV22"}


def block(name: str, *lines: str) -> Iterator[str]:
    """Yield a process's block."""
    yield from (f"ProcessConfig = {name}", "{", *(f"  {line}" for line in lines), "}")


def behavior(kind: str, *lines: str) -> Iterator[str]:
    """Yield a behavior."""
    yield from (f"Behavior = {kind}", "{", *(f"  {line}" for line in lines), "}")


def sharing(place: int) -> Iterator[str]:
    """Yield the blocks of a vessel, by its place from 0, for exchanging node reports."""
    yield from block("pContactMgrV20", "AppTick = 4")
    report = "src_name = NODE_REPORT_LOCAL, dest_name = NODE_REPORT"
    yield from block(
        "pShare",
        f"Input  = route = localhost:{SHARE_PORT + 1 + place}",
        f"Output = {report}, route = localhost:{SHARE_PORT}",
    )


def shore(names: Sequence[str], globals_: Sequence[str]) -> Iterator[str]:
    """Yield the mission file of the shore; ``globals_`` are its global lines with the datum."""
    yield f"Community = {SHORE}"
    yield from globals_
    runs = [f"Run = {name}" for name in ("MOOSDB", "pLogger", "uFldNodeComms", "pShare")]
    yield from block("ANTLER", "MSBetweenLaunches = 100", *runs)
    yield from block("pLogger", "AppTick = 4", "WildCardLogging = true")
    yield from block(
        "uFldNodeComms", "AppTick = 10", "comms_range = nolimit", "view_node_rpt_pulses = false"
    )
    outputs = [
        f"Output = src_name = NODE_REPORT_{name.upper()}, dest_name = NODE_REPORT, "
        f"route = localhost:{SHARE_PORT + 1 + i}"
        for i, name in enumerate(names)
    ]
    yield from block("pShare", f"Input = route = localhost:{SHARE_PORT}", *outputs)


def avoiding(kind: str, length: float, speed: float) -> Iterator[str]:
    """Yield the collision-avoidance behavior; none for ``false``.

    Args:
        kind: one of Panisim's agents' ``avoidance``.
        length: of the longest vessel [m].
        speed: maximum closing speed of two vessels [m/s].
    """
    if kind not in BEHAVIORS:
        return
    clear = MIN_DISTANCE * length
    turning = TURN_TIME * max(1.0, length) ** 0.5
    inner = 2.0 * clear + speed * turning
    outer = 2.0 * clear + START_FACTOR * speed * turning
    yield from behavior(
        BEHAVIORS[kind],
        *("name = avd_", "pwt = 300", "templating = spawn", "updates = CONTACT_INFO"),
        *(f"pwt_outer_dist = {outer:.6g}", f"pwt_inner_dist = {inner:.6g}"),
        f"completed_dist = {1.25 * outer:.6g}",
        *(f"min_util_cpa_dist = {clear:.6g}", f"max_util_cpa_dist = {2.0 * clear:.6g}"),
    )
