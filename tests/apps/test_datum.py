"""The datum of a mission file."""

import pytest

from steerageway.apps.shared.datum import read_datum
from steerageway.bus import Config, ConfigError
from steerageway.geometry.geodesy import Datum
from steerageway.geometry.utm import UtmDatum


def lines(**values: str) -> Config:
    return Config([(key, value, f"x.moos:{n}") for n, (key, value) in enumerate(values.items(), 1)])


def test_the_tangent_plane_is_the_default_and_utm_the_choice():
    origin = {"LatOrigin": "43.8", "LongOrigin": "-70.3"}
    assert read_datum(lines(**origin)) == Datum(43.8, -70.3)
    assert read_datum(lines(**origin, Geodesy="utm")) == UtmDatum(43.8, -70.3)
    assert read_datum(lines(**origin, AsMOOS="true")) == UtmDatum(43.8, -70.3)
    assert read_datum(lines(**origin, AsMOOS="true", Geodesy="ecef")) == Datum(43.8, -70.3)


@pytest.mark.parametrize("missing", ["LatOrigin", "LongOrigin"])
def test_an_incomplete_origin_is_ignored(missing):
    origin = {"LatOrigin": "43.8", "LongOrigin": "-70.3"}
    del origin[missing]
    assert read_datum(lines(**origin)) is None


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        ({"LatOrigin": "91", "LongOrigin": "0"}, "x.moos:1: LatOrigin = 91"),
        ({"LatOrigin": "0", "LongOrigin": "181"}, "x.moos:2: LongOrigin = 181"),
        ({"LatOrigin": "north", "LongOrigin": "0"}, "x.moos:1: LatOrigin = north"),
        ({"Geodesy": "flat"}, "x.moos:1: Geodesy = flat"),
    ],
)
def test_an_invalid_line_is_reported(origin, line):
    with pytest.raises(ConfigError, match=line):
        read_datum(lines(**origin))
