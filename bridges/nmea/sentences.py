"""NMEA 0183 sentences of a vessel's own state.

Source: NMEA 0183; fields as in E. S. Raymond, "NMEA Revealed" (gpsd.gitlab.io/gpsd/NMEA.html).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import degrees

from pynmeagps import GET, NMEAMessage
from pynmeagps.nmeahelpers import ddd2dmm

from steerageway.bridges.conversions import FATHOM, FOOT, KILOMETRE_PER_HOUR, KNOT
from steerageway.bridges.own_state import Own

_MINUTES = len("00.0000000")
QUANTITIES = {
    "LAT": "NAV_LAT",
    "LONG": "NAV_LONG",
    "HEIGHT": "GPS_ALT",
    "HEADING": "NAV_HEADING",
    "SPEED": "NAV_SPEED",
    "SOG": "NAV_SPEED_OVER_GROUND",
    "COG": "NAV_HEADING_OVER_GROUND",
    "ALTITUDE": "NAV_ALTITUDE",
    "WIND_SPEED": "APPARENT_WIND_SPEED",
    "WIND_ANGLE": "APPARENT_WIND_ANGLE",
    "RUDDER": "DESIRED_RUDDER",
    "PITCH": "NAV_PITCH",
    "ROLL": "NAV_ROLL",
}
"""What sentences are made of, and the variable of each unless the block names another."""


Fields = Sequence[str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A kind of sentence.

    Attributes:
        talker: usual talker id.
        fields: returns the fields; None if something that it needs is unknown.
    """

    talker: str
    fields: Callable[[Own], Fields | None]


def line(talker: str, formatter: str, fields: Fields) -> bytes:
    """Return a sentence with its checksum and end of line."""
    message = NMEAMessage(talker, formatter, GET, payload=list(fields))
    return bytes(message.serialize())


def _fixed(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _angle(value: float | None) -> str:
    """Return an angle in [0, 360), also after rounding."""
    return "" if value is None else f"{round(value, 1) % 360.0:.1f}"


def _time(own: Own) -> str:
    return f"{own.moment:%H%M%S}.{own.moment.microsecond // 10_000:02d}"


def _knots(speed: float | None) -> str:
    return _fixed(None if speed is None else speed / KNOT, 2)


def _kilometres(speed: float | None) -> str:
    return _fixed(None if speed is None else speed / KILOMETRE_PER_HOUR, 2)


def _place(own: Own) -> list[str] | None:
    """Return latitude and longitude, to 1e-7 minutes; None if unknown."""
    lat, lon = own("LAT"), own("LONG")
    if lat is None or lon is None:
        return None
    places = _minutes(lat, "LA"), _minutes(lon, "LN")
    return [places[0], "S" if lat < 0 else "N", places[1], "W" if lon < 0 else "E"]


def _minutes(angle: float, kind: str) -> str:
    """Return degrees and minutes as ``dd00.0000000``; minutes that round to 60 are a degree."""
    text = str(ddd2dmm(angle, kind, True))
    whole, minutes = text[:-_MINUTES], text[-_MINUTES:]
    return f"{int(whole) + 1:0{len(whole)}d}00.0000000" if minutes == "60.0000000" else text


def _rmc(own: Own) -> Fields | None:
    place = _place(own)
    if place is None:
        return None
    motion = [_knots(own("SOG")), _angle(own("COG")), f"{own.moment:%d%m%y}"]
    return [_time(own), "A", *place, *motion, "", "", "A"]


def _gga(own: Own) -> Fields | None:
    place = _place(own)
    if place is None:
        return None
    height = _fixed(own("HEIGHT"), 2)
    return [_time(own), *place, "1", "", "", height, "M", "", "M", "", ""]


def _gll(own: Own) -> Fields | None:
    place = _place(own)
    return None if place is None else [*place, _time(own), "A", "A"]


def _vtg(own: Own) -> Fields | None:
    course, speed = own("COG"), own("SOG")
    if course is None or speed is None:
        return None
    return [_angle(course), "T", "", "M", _knots(speed), "N", _kilometres(speed), "K", "A"]


def _hdt(own: Own) -> Fields | None:
    heading = own("HEADING")
    return None if heading is None else [_angle(heading), "T"]


def _vhw(own: Own) -> Fields | None:
    speed = own("SPEED")
    if speed is None:
        return None
    return [_angle(own("HEADING")), "T", "", "M", _knots(speed), "N", _kilometres(speed), "K"]


def _rot(own: Own) -> Fields | None:
    rate = own.rate_of_turn()
    return None if rate is None else [_fixed(rate, 1), "A"]


def _dpt(own: Own) -> Fields | None:
    depth = own("ALTITUDE")
    return None if depth is None else [_fixed(depth, 2), "0.0", ""]


def _dbt(own: Own) -> Fields | None:
    depth = own("ALTITUDE")
    if depth is None:
        return None
    in_units = (_fixed(depth / unit, 2) for unit in (FOOT, 1.0, FATHOM))
    return [part for pair in zip(in_units, "fMF", strict=True) for part in pair]


def _mwv(own: Own) -> Fields | None:
    angle, speed = own("WIND_ANGLE"), own("WIND_SPEED")
    if angle is None or speed is None:
        return None
    return [_angle(angle), "R", _fixed(speed, 2), "M", "A"]


def _rsa(own: Own) -> Fields | None:
    rudder = own("RUDDER")
    return None if rudder is None else [_fixed(rudder, 1), "A", "", "V"]


def _xdr(own: Own) -> Fields | None:
    measured = [(name, own(name)) for name in ("PITCH", "ROLL")]
    groups = [
        ["A", _fixed(degrees(value), 1), "D", name] for name, value in measured if value is not None
    ]
    return [part for group in groups for part in group] or None


SENTENCES = {
    "RMC": Sentence("GP", _rmc),
    "GGA": Sentence("GP", _gga),
    "GLL": Sentence("GP", _gll),
    "VTG": Sentence("GP", _vtg),
    "HDT": Sentence("HE", _hdt),
    "VHW": Sentence("VW", _vhw),
    "ROT": Sentence("TI", _rot),
    "DPT": Sentence("SD", _dpt),
    "DBT": Sentence("SD", _dbt),
    "MWV": Sentence("WI", _mwv),
    "RSA": Sentence("ER", _rsa),
    "XDR": Sentence("YX", _xdr),
}
