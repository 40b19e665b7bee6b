"""What MOOS-IvP's present helm refuses and this one takes: older names, older behaviors, values.

A mission with such a line does not start there (MALCONFIG); here it runs, with a warning. Source:
``setParam`` and ``isDeprecated`` of every behavior of MOOS-IvP, called with each name; its
``ObShipModelV24``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from steerageway.declarations import finite, truth
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.helm.settings import SPAWN
from steerageway.moos.bhv import BehaviorBlock
from steerageway.moos.lines import Line

_REFUSED = "MOOS-IvP's helm refuses this, and does not start"
PERMIT = "i_understand_this_behavior_is_deprecated"
_SUCCESSORS: Mapping[str, str] = MappingProxyType(
    {
        "BHV_AvoidObstacle": "BHV_AvoidObstacleV24",
        "BHV_AvoidObstacleV21": "BHV_AvoidObstacleV24",
        "BHV_AvoidObstacleX": "BHV_AvoidObstacleV24",
        "BHV_FixTurn": "BHV_FixedTurn",
    }
)
_OF_ALL = frozenset({"priority_wt"})
_OF_CONTACTS = frozenset({"them", "match_contact_group", "ignore_contact_group"})
_OF_TYPE = _OF_CONTACTS | {"contact_type_required"}
_OF_RANGES = _OF_CONTACTS | {
    *("active_inner_distance", "active_outer_distance", "active_distance", "active_grade"),
    *("completed_distance", "collision_distance", "all_clear_distance"),
}
_OF_V22 = frozenset({"headon_only", "eval_tol", "velocity_filter", "pts_port_turns_ok"})
_NAMES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "BHV_Attractor": _OF_TYPE,
        "BHV_AvdColregsV17": _OF_RANGES | _OF_V22 | {"use_refinery", "giveway_bow_dist"},
        "BHV_AvdColregsV19": _OF_RANGES | _OF_V22,
        "BHV_AvdColregsV22": _OF_RANGES,
        "BHV_AvdColregsV26": _OF_RANGES,
        "BHV_AvoidCollision": _OF_RANGES,
        "BHV_AvoidObstacle": frozenset({"id", "obid", "activation_dist", "use_refinery"}),
        "BHV_AvoidObstacleV21": frozenset({"obid", "obstacle_key", "buffer_dist"}),
        "BHV_AvoidObstacleV24": frozenset(
            {"obstacle_key", "buffer_dist", "activation_dist", "pwt_grade", PERMIT}
        ),
        "BHV_AvoidObstacleX": frozenset({"obid", "obstacle_key", "buffer_dist"}),
        "BHV_Convoy": _OF_TYPE,
        "BHV_CutRange": _OF_TYPE | {"pursue_flag", "giveup_flag"},
        "BHV_FullStop": frozenset({"markflag", "unmarkflag"}),
        "BHV_LegRun": frozenset(
            {
                *("full_leg", "leg_length", "leg_length_mod", "leg_angle", "leg_angle_mod"),
                *("shift_point", "mid_pct", "midflag", "legflag"),
            }
        ),
        "BHV_OpRegionV24": frozenset({"polygon"}),
        "BHV_Shadow": _OF_TYPE,
        "BHV_Trail": _OF_TYPE,
        "BHV_Waypoint": frozenset({"wpt_flag", "cycle_flag", "cycle_index"}),
        "BHV_ZigZag": frozenset(
            f"{which}_flag{more}" for which in ("port", "star") for more in ("", "x")
        )
        | {"zig_flag", "zag_flag"},
    }
)

_ORDERS = (  # of distances, the smaller first
    ("pwt_inner_dist", "pwt_outer_dist"),
    ("pwt_inner_dist", "completed_dist"),
    ("pwt_outer_dist", "completed_dist"),
)


def refusals(block: BehaviorBlock) -> Iterator[Diagnostic]:
    """Yield a warning for each line of a block, and for its type, that MOOS-IvP refuses."""
    permits = [line.value for line in block.lines if line.key.lower() == PERMIT]
    if block.kind in _SUCCESSORS and not any(truth(value) for value in permits):
        why = f"MOOS-IvP's helm refuses {block.kind} without {PERMIT} = true"
        yield Diagnostic(block.where, expected=f"{why}; {_SUCCESSORS[block.kind]} replaces it")
    names = _OF_ALL | _NAMES.get(block.kind, frozenset())
    for line in block.lines:
        if line.key.lower() in names:
            why = "MOOS-IvP's helm knows no such parameter of this behavior, and does not start"
            yield Diagnostic(line.where, line.key, line.value, why)
    for line, right in _refused_values(block):
        yield Diagnostic(line.where, line.key, line.value, f"{_REFUSED}: expected {right}")


def alike_names(blocks: Iterable[BehaviorBlock]) -> Iterator[Diagnostic]:
    """Yield a warning for each name with which an earlier one begins, or that begins with it.

    MOOS-IvP's present helm takes them for the same, except of templates that only spawn.
    """
    names: list[Line] = []
    for block in blocks:
        lines = {line.key.lower(): line for line in block.lines}
        line = lines.get("name")
        if line is None or ("templating" in lines and lines["templating"].value.lower() == SPAWN):
            continue
        for other in names:
            one, two = line.value, other.value
            if one != two and (one.startswith(two) or two.startswith(one)):
                why = f"{_REFUSED}: {two} of {other.where} and it begin alike"
                yield Diagnostic(line.where, line.key, one, why)
        names.append(line)


def _refused_values(block: BehaviorBlock) -> Iterator[tuple[Line, str]]:
    """Yield each line whose value is refused, and what would be right."""
    given: dict[str, float] = {}
    for line in block.lines:
        key, value = line.key.lower(), finite(line.value)
        if value is None:
            continue
        if (block.kind, key) == ("BHV_PeriodicSurface", "ascent_speed") and value < 0.0:
            yield line, "0 or more, or current"
        if block.kind == "BHV_AvoidObstacleV24":
            given[key] = value
            for low, high in _ORDERS:
                if key in (low, high) and given.get(low, value) > given.get(high, value):
                    yield line, f"{low} <= {high}"
