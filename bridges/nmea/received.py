"""NMEA 0183 sentences of other programs: autopilot, rudder and route as posts."""

from __future__ import annotations

from collections.abc import Callable

from pynmeagps import NMEAMessage, NMEAReader
from pynmeagps.exceptions import NMEAMessageError, NMEAParseError, NMEATypeError

from steerageway.bridges.conversions import NAUTICAL_MILE
from steerageway.bus import Value, variables

LONGEST = 256  # characters; 82 by the standard, some programs send more

PUBLICATIONS = variables.published("""
    NMEA_HEADING_TO_STEER | number | deg, true | [0, 360) | on receipt | heading that a plotter or
        autopilot orders, from APB or HSC
    NMEA_XTE | number | m; positive: the vessel is to starboard of the track | | on receipt |
        cross-track error, from APB, RMB or XTE
    NMEA_BEARING | number | deg, true | [0, 360) | on receipt | bearing to the plotter's waypoint,
        from APB or RMB
    NMEA_RANGE | number | m | >= 0 | on receipt | range to the plotter's waypoint, from RMB
    NMEA_WAYPOINT | text | | | on receipt | name of the plotter's waypoint
    NMEA_RUDDER | number | deg, positive to starboard | [-90, 90] | on receipt | rudder that is
        ordered (HTC) or measured (RSA)
""")

Posts = dict[str, Value]


class NotTaken(ValueError):
    """A sentence is not taken; the text says why."""


def read(line: bytes) -> Posts:
    """Return what a sentence tells, by variable; empty for kinds that are not used.

    Raises:
        NotTaken: it is damaged, or a field is out of range.
    """
    if len(line) > LONGEST or not line.startswith(b"$") or not line.isascii() or b"*" not in line:
        raise NotTaken("a line that is no sentence with a checksum")
    try:
        message = NMEAReader.parse(line)
    except NMEAParseError:
        raise NotTaken("a sentence with a wrong checksum") from None
    except (NMEAMessageError, NMEATypeError, ValueError, LookupError, TypeError, AttributeError):
        raise NotTaken("a sentence with fields of other types") from None
    if message is None:
        raise NotTaken("a sentence that cannot be read")
    reader = _READERS.get(message.msgID)
    return {} if reader is None else reader(message)


def _angle(message: NMEAMessage, value: str, reference: str) -> float | None:
    """Return a true angle in [0, 360); None if it is missing or magnetic."""
    angle = _value(message, value)
    if angle is None or getattr(message, reference, "") != "T":
        return None
    if not -360.0 <= angle <= 360.0:
        raise NotTaken("an angle outside [0, 360)")
    return angle % 360.0


def _value(message: NMEAMessage, name: str) -> float | None:
    value = getattr(message, name, "")
    if isinstance(value, str):
        return None
    number = float(value)
    if not abs(number) < 1e6:
        raise NotTaken("a number that is too large")
    return number


def _cross_track(message: NMEAMessage) -> float | None:
    """Return the cross-track error [m]: the sentence tells in which direction to steer."""
    miles = _value(message, "ctrkerr")
    side = {"L": 1.0, "R": -1.0}.get(getattr(message, "dirs", ""))
    unit = getattr(message, "ctrkUnit", getattr(message, "disUnit", "N"))
    if miles is None or side is None or unit != "N":
        return None
    return side * abs(miles) * NAUTICAL_MILE


def _apb(message: NMEAMessage) -> Posts:
    return _known(
        NMEA_HEADING_TO_STEER=_angle(message, "bearS", "bearSu"),
        NMEA_XTE=_cross_track(message),
        NMEA_BEARING=_angle(message, "bearD", "bearDu"),
        NMEA_WAYPOINT=_word(message, "wpt"),
    )


def _rmb(message: NMEAMessage) -> Posts:
    if getattr(message, "status", "") != "A":
        return {}
    miles, bearing = _value(message, "range"), _value(message, "bearing")
    return _known(
        NMEA_XTE=_cross_track(message),
        NMEA_BEARING=None if bearing is None else bearing % 360.0,
        NMEA_RANGE=None if miles is None else abs(miles) * NAUTICAL_MILE,
        NMEA_WAYPOINT=_word(message, "wptD"),
    )


def _xte(message: NMEAMessage) -> Posts:
    return _known(NMEA_XTE=_cross_track(message))


def _hsc(message: NMEAMessage) -> Posts:
    return _known(NMEA_HEADING_TO_STEER=_angle(message, "cmdheadingT", "cmdheadingTu"))


def _htc(message: NMEAMessage) -> Posts:
    angle = _value(message, "cmdrudderang")
    side = {"L": -1.0, "R": 1.0}.get(getattr(message, "cmdrudderdir", ""))
    if angle is None or side is None:
        return {}
    return {"NMEA_RUDDER": _rudder(side * abs(angle))}


def _rsa(message: NMEAMessage) -> Posts:
    angle = _value(message, "stbdangle")
    if angle is None or getattr(message, "stbdstatus", "") != "A":
        return {}
    return {"NMEA_RUDDER": _rudder(angle)}


def _rudder(angle: float) -> float:
    if not abs(angle) <= 90.0:
        raise NotTaken("a rudder angle outside [-90, 90]")
    return angle


def _word(message: NMEAMessage, name: str) -> str | None:
    return str(getattr(message, name, "")).strip() or None


def _known(**posts: float | str | None) -> Posts:
    return {name: value for name, value in posts.items() if value is not None}


_READERS: dict[str, Callable[[NMEAMessage], Posts]] = {
    "APB": _apb,
    "RMB": _rmb,
    "XTE": _xte,
    "HSC": _hsc,
    "HTC": _htc,
    "RSA": _rsa,
}
