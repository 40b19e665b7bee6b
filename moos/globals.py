"""Typed global lines of a mission file: Community, MOOSTimeWarp, ServerPort, LatOrigin, Epoch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from steerageway.declarations import Choice, Number, Whole, boolean, finite
from steerageway.geometry.geodesy import Datum, Projection
from steerageway.geometry.utm import UtmDatum
from steerageway.moos.mission import MissionFile

Value = TypeVar("Value")
Default = TypeVar("Default")

AS_MOOS = "AsMOOS"
GEODESIES = ("ecef", "utm")
_LONGEST = 100  # bytes of a community's name
_SEPARATORS = frozenset(',=:*?"{}')  # in NAME=a,X=1 others read a vessel's name up to the comma
_LAST_EPOCH = 250_000_000_000.0  # about the year 9892; calendars end with 9999


def names_a_folder(name: str) -> bool:
    """Whether a name is legal as a folder's name."""
    plain = name.isprintable() and not any(sign in name for sign in "/\\")
    return plain and not name.startswith((".", "~")) and len(name.encode()) <= _LONGEST


def community(mission: MissionFile) -> str:
    """Return ``Community`` without blanks; "#1" if there is none.

    Raises:
        FormatError: it is no legal folder name, which logs need, or others would misread it.
    """
    name = "".join(_value(mission, "Community", str, "#1").split())
    line = mission.value("Community")
    if line is not None and not (names_a_folder(name) and _SEPARATORS.isdisjoint(name)):
        without = f"without / \\ {' '.join(sorted(_SEPARATORS))}, not with a dot first"
        raise line.error(f"expected a name {without}, {_LONGEST} long")
    return name


def time_warp(mission: MissionFile) -> float:
    """Return ``MOOSTimeWarp``: simulated seconds a wall second; 1 if there is none.

    Raises:
        FormatError: not a number from 1e-6 to 1e6. (MOOS-IvP stops at 400.)
    """
    return _value(mission, "MOOSTimeWarp", Number(low=1e-6, high=1e6), 1.0)


def server_host(mission: MissionFile) -> str:
    """Return ``ServerHost``; "localhost" if there is none."""
    return _value(mission, "ServerHost", str, "localhost")


def server_port(mission: MissionFile) -> int:
    """Return ``ServerPort``; 9000 if there is none.

    Raises:
        FormatError: not a whole number from 1 to 65535.
    """
    return _value(mission, "ServerPort", Whole(low=1, high=65535), 9000)


def datum(mission: MissionFile) -> tuple[float, float] | None:
    """Return (``LatOrigin``, ``LongOrigin``) [deg], where x = y = 0; None if there is neither.

    Raises:
        FormatError: no latitude or longitude, or only one of the two.
    """
    lat_line, long_line = mission.value("LatOrigin"), mission.value("LongOrigin")
    if lat_line is None and long_line is None:
        return None
    if lat_line is None or long_line is None:
        line = lat_line or long_line
        assert line is not None
        raise line.error("expected both LatOrigin and LongOrigin in the file")
    return lat_line.read(Number(low=-90.0, high=90.0)), long_line.read(Number(-180.0, 180.0))


def epoch(mission: MissionFile) -> float | None:
    """Return ``Epoch``, the UTC [s since 1970] of simulated time zero; None if there is none.

    The line holds seconds, or an ISO date ("2026-06-02T01:38:39"; UTC unless it says otherwise).

    Raises:
        FormatError: neither, or before 1970.
    """
    return _value(mission, "Epoch", _moment, None)


def geodesy(mission: MissionFile) -> str:
    """Return ``Geodesy``: "ecef" (a tangent plane, the default) or "utm" (as MOOS-IvP's logs).

    Raises:
        FormatError: anything else.
    """
    return _value(mission, "Geodesy", Choice(*GEODESIES), usual_geodesy(as_moos=as_moos(mission)))


def projection(mission: MissionFile) -> Projection | None:
    """Return the projection to local coordinates by ``datum`` and ``geodesy``; None without datum.

    Raises:
        ValueError: see both; or the datum is a pole.
    """
    found = datum(mission)
    if found is None:
        return None
    return UtmDatum(*found) if geodesy(mission) == "utm" else Datum(*found)


def usual_geodesy(*, as_moos: bool) -> str:
    """Return the ``Geodesy`` of a mission without such a line."""
    return GEODESIES[as_moos]


def as_moos(mission: MissionFile) -> bool:
    """Return ``AsMOOS``: whether the mission runs as with MOOS-IvP's own programs.

    Raises:
        FormatError: neither true nor false.
    """
    return _value(mission, AS_MOOS, boolean, False)


def iso_seconds(text: str) -> float | None:
    """Parse an ISO date, UTC by default, as UTC [s since 1970]; None if it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _moment(text: str) -> float:
    seconds = finite(text)
    seconds = iso_seconds(text) if seconds is None else seconds
    if seconds is None or not 0 <= seconds <= _LAST_EPOCH:
        raise ValueError("expected an ISO date (2026-06-02T01:38:39) or UTC seconds since 1970")
    return seconds


def _value(
    mission: MissionFile, key: str, read: Callable[[str], Value], default: Default
) -> Value | Default:
    line = mission.value(key)
    return default if line is None else line.read(read)
