"""Epoch: the UTC of simulated time zero, a fixed date by default."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from steerageway.launcher.errors import LaunchError
from steerageway.moos.globals import epoch, iso_seconds
from steerageway.moos.mission import MissionFile

DEFAULT_EPOCH = 1767225600.0  # 2026-01-01T00:00:00Z


def chosen_epoch(option: str, missions: Sequence[MissionFile]) -> float:
    """Return the epoch as UTC [s].

    Args:
        option: "now", an ISO date, or "" for that of the mission files.
        missions: the files; those without an ``Epoch`` use that of the others.

    Raises:
        LaunchError: the option is not a date, or two files disagree.
        FormatError: a file's ``Epoch`` is not a date.
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
