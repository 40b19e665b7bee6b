"""How bad an encounter was: the kinds that the detectors of collisions tell apart."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.apps.framework.flags import PostFlag, read_flags
from steerageway.bus import Config, Parameter

ENCOUNTER, NEAR_MISS, COLLISION = "encounter", "near_miss", "collision"
KINDS = (ENCOUNTER, NEAR_MISS, COLLISION)
FLAG_PARAMETERS = tuple(
    Parameter(f"{kind}_flag", "", f"VAR=value posted with each {kind}; repeatable")
    for kind in KINDS
)


def read_limits(
    config: Config, word: str, defaults: Sequence[float]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Read limits [m]; none may be less than that of what is worse.

    Args:
        config: the block.
        word: what its parameters call them: ``near_miss_<word>``.
        defaults: of each kind, in the order of ``KINDS``.
    Returns: the limit of each kind, and a warning for each that had to be raised.
    Raises:
        ConfigError: a limit is not a number, or less than 0.
    """
    limits = {
        kind: config.number(f"{kind}_{word}", default=default, low=0.0)
        for kind, default in zip(KINDS, defaults, strict=True)
    }
    warnings = []
    for wide, narrow in ((NEAR_MISS, COLLISION), (ENCOUNTER, NEAR_MISS)):
        if limits[wide] < limits[narrow]:
            limits[wide] = limits[narrow]
            problem = f"{wide}_{word} is less than {narrow}_{word}"
            warnings.append(f"{problem}: {limits[narrow]:g} counts")
    return limits, tuple(warnings)


def read_kind_flags(config: Config) -> dict[str, tuple[PostFlag, ...]]:
    """Read what is posted with each kind: ``FLAG_PARAMETERS``.

    Raises:
        ConfigError: a flag is not VAR=value.
    """
    return {kind: read_flags(config, f"{kind}_flag") for kind in KINDS}
