"""UTM against PROJ."""

from math import degrees, nan, radians, sin

import pyproj
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.geometry.geodesy import Datum
from steerageway.geometry.utm import UtmDatum, central_meridian

LATITUDES = st.floats(-80, 84)
LONGITUDES = st.floats(-180, 179.9)


def proj_utm(lat, lon, lon0):
    """Return PROJ's easting and northing in the zone of a longitude."""
    zone = int((lon0 + 180) // 6) + 1
    pipeline = pyproj.Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad "
        f"+step +proj=utm +zone={zone} +ellps=WGS84"
    )
    return pipeline.transform(lon, lat)


@settings(max_examples=60)
@given(LATITUDES, LONGITUDES, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_local_coordinates_are_utm_minus_the_origins(lat0, lon0, dlat, dlon):
    lat, lon = lat0 + dlat, lon0 + dlon
    x, y = UtmDatum(lat0, lon0).to_local(lat, lon)
    east0, north0 = proj_utm(lat0, lon0, lon0)
    east, north = proj_utm(lat, lon, lon0)
    assert (x, y) == pytest.approx((east - east0, north - north0), abs=1e-6, rel=0)


@settings(max_examples=60)
@given(st.one_of(st.floats(-80, -1), st.floats(9.1, 84)), LONGITUDES)
def test_utm_coordinates_are_never_taken_for_local_ones(lat0, lon0):
    east, north = proj_utm(lat0, lon0, lon0)
    southern = north + 1e7 if lat0 < 0 else north  # UTM's false northing
    for datum in (UtmDatum(lat0, lon0), Datum(lat0, lon0)):
        with pytest.raises(ValueError, match="are these UTM coordinates"):
            datum.to_latlon(east, southern)


@pytest.mark.parametrize("far", [(1e6 + 1, 0.0), (-8e5, 8e5), (0.0, 7e6), (1e300, 0.0), (nan, 0.0)])
@pytest.mark.parametrize("kind", [UtmDatum, Datum])
def test_a_place_too_far_from_the_datum_has_no_latitude(kind, far):
    datum = kind(63.4, 10.4)
    assert datum.to_latlon(0.0, 1e6)
    with pytest.raises(ValueError, match="more than 1000 km from the datum"):
        datum.to_latlon(*far)


@given(LATITUDES, LONGITUDES, st.floats(-50e3, 50e3), st.floats(-50e3, 50e3))
def test_utm_datum_maps_back(lat0, lon0, x, y):
    datum = UtmDatum(lat0, lon0)
    lat, lon = datum.to_latlon(x, y)
    assert -180 < lon <= 180
    assert datum.to_local(lat, lon) == pytest.approx((x, y), abs=1e-6, rel=0)


def test_grid_north_at_boston_differs_from_true_north_by_the_convergence():
    """1.41 degrees there: (lon - meridian) * sin(lat), to first order."""
    lat0, lon0 = 42.358456, -71.087589
    x, y = UtmDatum(lat0, lon0).to_local(lat0 + 0.01, lon0)
    expected = (lon0 - central_meridian(lon0)) * sin(radians(lat0))
    assert degrees(x / y) == pytest.approx(-expected, abs=0.01)
    assert degrees(x / y) == pytest.approx(1.41, abs=0.02)


@pytest.mark.parametrize(
    ("lon", "meridian"), [(-180, -177), (-70.33, -69), (0, 3), (179.9, 177), (180, 177)]
)
def test_zones_are_six_degrees_wide(lon, meridian):
    assert central_meridian(lon) == meridian


def test_an_impossible_datum_is_refused():
    with pytest.raises(ValueError, match="between -90 and 90"):
        UtmDatum(90, 0)
