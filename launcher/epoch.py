"""Which UTC simulated time zero stands for: a fixed date, unless the user wants another."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from steerageway.launcher.errors import LaunchError
from steerageway.moos.globals import epoch, iso_seconds
from steerageway.moos.mission import MissionFile

DEFAULT_EPOCH = 1767225600.0  # 2026-01-01T00:00:00Z


def chosen_epoch(option: str, missions: Sequence[MissionFile]) -> float:
    """Give the epoch as UTC [s].

    Args:
        option: "now", an ISO date, or "" for what the mission files say.
        missions: the files; those that say nothing go with those that do.
    Raises:
        LaunchError: the option is no date, or two files disagree.
        FormatError: a file's ``Epoch`` is no date.
    """
    if option == "now":
        return float(int(datetime.now(UTC).timestamp()))
    if option:
        seconds = iso_seconds(option)
        if seconds is None:
            expected = "expected now, or an ISO date such as 2026-06-02T01:38:39"
            raise LaunchError(f"--epoch {option}: {expected}")
        return seconds
    found = dict.fromkeys(seconds for m in missions if (seconds := epoch(m)) is not None)
    if len(found) > 1:
        raise LaunchError("Epoch: the mission files disagree; expected --epoch to say which")
    return next(iter(found), DEFAULT_EPOCH)
