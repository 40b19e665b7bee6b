"""The parameters of ``uFldCollObDetect``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.ranks import FLAG_PARAMETERS, read_kind_flags, read_limits
from steerageway.apps.framework.flags import PostFlag
from steerageway.bus import Config, Parameter

PARAMETERS = (
    Parameter("encounter_dist", "15", "an encounter is coming nearer than this [m], >= 0"),
    Parameter("near_miss_dist", "5", "a near miss is coming nearer than this [m], >= 0"),
    Parameter("collision_dist", "1", "a collision is coming nearer than this [m], >= 0"),
    *FLAG_PARAMETERS,
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
    distances, warnings = read_limits(config, "dist", (15.0, 5.0, 1.0))
    return Options(
        distances=distances,
        flags=read_kind_flags(config),
        bin_low=config.number("bin_min_val", default=-1.0, low=-1.0),
        bin_width=config.number("bin_delta", default=-1.0, low=-1.0),
        warnings=warnings,
    )
