"""The parameters of ``uFldCollisionDetect``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.ranks import FLAG_PARAMETERS, read_kind_flags, read_limits
from steerageway.apps.framework.conditions import read_conditions
from steerageway.apps.framework.flags import PostFlag
from steerageway.bus import Config, Parameter
from steerageway.moos.condition import Condition

PARAMETERS = (
    Parameter("encounter_range", "20", "an encounter is a least range of at most this [m], >= 0"),
    Parameter("near_miss_range", "6", "a near miss is one of at most this [m], >= 0"),
    Parameter("collision_range", "3", "a collision is one of at most this [m], >= 0"),
    Parameter("condition", "", "encounters count only while this holds; repeatable"),
    *FLAG_PARAMETERS,
    Parameter("report_all_encounters", "false", "true: UCD_REPORT tells of clear ones, too"),
    Parameter(
        "ignore_group", "", "vessels of these groups among each other do not count; repeatable"
    ),
    Parameter("reject_group", "", "vessels of this group do not count at all; repeatable"),
    Parameter("pulse_render", "true", "false: near misses and collisions are not drawn"),
    Parameter("pulse_range", "20", "radius of what is drawn [m], >= 0"),
    Parameter("pulse_duration", "10", "how long it is drawn [s], >= 0"),
    Parameter("encounter_rings", "true", "false: no ring of encounter_range around each vessel"),
    Parameter("post_closest_range", "false", "true: post UCD_CLOSEST_RANGE"),
    Parameter("post_closest_range_ever", "false", "true: post UCD_CLOSEST_RANGE_EVER"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``.

    Attributes:
        ranges, flags: of each kind.
        warnings: ranges that had to be raised.
        ignored, rejected: groups, in lower case.
    """

    ranges: dict[str, float]
    warnings: tuple[str, ...]
    flags: dict[str, tuple[PostFlag, ...]]
    conditions: list[Condition]
    reports_all: bool
    ignored: tuple[str, ...]
    rejected: tuple[str, ...]
    pulse_render: bool
    pulse_range: float
    pulse_duration: float
    rings: bool
    posts_closest: bool
    posts_closest_ever: bool


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    ranges, warnings = read_limits(config, "range", (20.0, 6.0, 3.0))
    return Options(
        ranges=ranges,
        warnings=warnings,
        flags=read_kind_flags(config),
        conditions=read_conditions(config),
        reports_all=config.flag("report_all_encounters", default=False),
        ignored=_groups(config, "ignore_group"),
        rejected=_groups(config, "reject_group"),
        pulse_render=config.flag("pulse_render", default=True),
        pulse_range=config.number("pulse_range", default=20.0, low=0.0),
        pulse_duration=config.number("pulse_duration", default=10.0, low=0.0),
        rings=config.flag("encounter_rings", default=True),
        posts_closest=config.flag("post_closest_range", default=False),
        posts_closest_ever=config.flag("post_closest_range_ever", default=False),
    )


def _groups(config: Config, key: str) -> tuple[str, ...]:
    for entry in config.all(key):
        if not entry.value.strip() or " " in entry.value.strip():
            raise Config.error(entry, "expected the name of a group")
    return tuple(entry.value.strip().lower() for entry in config.all(key))
