"""The parameters of ``uFldCollObDetect``."""

from __future__ import annotations

from dataclasses import dataclass

from apps.flags import PostFlag, read_flags
from apps.ranks import COLLISION, ENCOUNTER, KINDS, NEAR_MISS, ordered
from bus.config import Config, Parameter

PARAMETERS = (
    Parameter("encounter_dist", "15", "an encounter is coming nearer than this [m], >= 0"),
    Parameter("near_miss_dist", "5", "a near miss is coming nearer than this [m], >= 0"),
    Parameter("collision_dist", "1", "a collision is coming nearer than this [m], >= 0"),
    *(
        Parameter(f"{kind}_flag", "", f"VAR=value posted with each {kind}; repeatable")
        for kind in KINDS
    ),
    Parameter("bin_min_val", "-1", "least distance in the appcast's histogram [m]; -1: none"),
    Parameter("bin_delta", "-1", "width of its bins [m], > 0; -1: none"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``.

    Attributes:
        distances, flags: of each kind.
        warnings: distances that had to be raised.
    """

    distances: dict[str, float]
    flags: dict[str, tuple[PostFlag, ...]]
    bin_low: float
    bin_width: float
    warnings: tuple[str, ...]


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    said = {
        ENCOUNTER: config.number("encounter_dist", default=15.0, low=0.0),
        NEAR_MISS: config.number("near_miss_dist", default=5.0, low=0.0),
        COLLISION: config.number("collision_dist", default=1.0, low=0.0),
    }
    distances, warnings = ordered(said, "dist")
    return Options(
        distances=distances,
        flags={kind: read_flags(config, f"{kind}_flag") for kind in KINDS},
        bin_low=config.number("bin_min_val", default=-1.0, low=-1.0),
        bin_width=config.number("bin_delta", default=-1.0, low=-1.0),
        warnings=tuple(warnings),
    )
