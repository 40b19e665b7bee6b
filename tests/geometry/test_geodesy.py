"""WGS84 against PROJ: ECEF, the tangent plane, and a mission's datum."""

import pyproj
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.geometry.geodesy import (
    Datum,
    ecef_to_llh,
    flat_to_llh,
    llh_to_ecef,
    llh_to_flat,
    llh_to_ned,
    ned_to_llh,
    rotm_ned_to_ecef,
)

LATITUDES = st.floats(-89, 89)
LONGITUDES = st.floats(-180, 180)
OFFSETS = st.floats(-50e3, 50e3)
METRES_PER_DEGREE = 111_320.0
TO_ECEF = pyproj.Transformer.from_pipeline(
    "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=WGS84"
)


def topocentric(lat, lon, origin):
    """Return PROJ's (north, east, down) of a point at an origin, height 0 both."""
    lat0, lon0 = origin
    pipeline = pyproj.Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad "
        "+step +proj=cart +ellps=WGS84 "
        f"+step +proj=topocentric +ellps=WGS84 +lat_0={lat0!r} +lon_0={lon0!r} +h_0=0"
    )
    east, north, up = pipeline.transform(lon, lat, 0.0)
    return north, east, -up


@given(LATITUDES, LONGITUDES, st.floats(-11e3, 20e3))
def test_ecef_agrees_with_proj_to_5_nanometres(lat, lon, height):
    assert llh_to_ecef((lat, lon, height)) == pytest.approx(
        TO_ECEF.transform(lon, lat, height), abs=5e-9, rel=0
    )


@given(LATITUDES, LONGITUDES, st.floats(-11e3, 20e3))
def test_geodetic_position_survives_ecef(lat, lon, height):
    back = ecef_to_llh(llh_to_ecef((lat, lon, height)))
    assert abs(back[0] - lat) * METRES_PER_DEGREE < 5e-9
    assert abs((back[1] - lon + 180) % 360 - 180) * METRES_PER_DEGREE < 1e-8
    assert abs(back[2] - height) < 5e-9


@settings(max_examples=40)
@given(LATITUDES, LONGITUDES, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_tangent_plane_agrees_with_proj(lat0, lon0, dlat, dlon):
    lat, lon = max(-89.9, min(89.9, lat0 + dlat)), lon0 + dlon
    ours = llh_to_ned((lat, lon, 0.0), (lat0, lon0, 0.0))
    assert ours == pytest.approx(topocentric(lat, lon, (lat0, lon0)), abs=5e-9, rel=0)


@pytest.mark.slow
@given(LATITUDES, LONGITUDES, OFFSETS, OFFSETS, st.floats(-100, 1000))
def test_ned_survives_the_way_through_llh(lat0, lon0, north, east, down):
    origin = (lat0, lon0, 10.0)
    back = llh_to_ned(ned_to_llh((north, east, down), origin), origin)
    assert back == pytest.approx((north, east, down), abs=1e-8, rel=0)


@given(LATITUDES, LONGITUDES)
def test_ned_axes_are_orthonormal(lat, lon):
    columns = list(zip(*rotm_ned_to_ecef((lat, lon, 0.0)), strict=True))
    for i, a in enumerate(columns):
        for j, b in enumerate(columns):
            dot = sum(p * q for p, q in zip(a, b, strict=True))
            assert dot == pytest.approx(float(i == j), abs=1e-14)


@given(LATITUDES, LONGITUDES, OFFSETS, OFFSETS)
def test_datum_maps_back_exactly(lat0, lon0, x, y):
    datum = Datum(lat0, lon0)
    assert datum.to_local(*datum.to_latlon(x, y)) == pytest.approx((x, y), abs=1e-8, rel=0)


def test_datum_is_the_tangent_plane_of_proj():
    origin = (43.8253, -70.3304)
    north, east, _ = topocentric(43.85, -70.30, origin)
    assert Datum(*origin).to_local(43.85, -70.30) == pytest.approx((east, north), abs=5e-9)


def test_datum_lies_at_the_origin():
    assert Datum(43.8253, -70.3304).to_latlon(0.0, 0.0) == pytest.approx((43.8253, -70.3304))


@pytest.mark.parametrize(("lat", "lon"), [(90, 0), (-91, 0), (0, 181), (0, -181)])
def test_an_impossible_datum_is_refused(lat, lon):
    with pytest.raises(ValueError, match="expected a number"):
        Datum(lat, lon)


@pytest.mark.parametrize("llh0", [(13.0, 80.2, 5.0), (-63.4, 179.99, 0.0)])
def test_a_flat_earth_touches_the_round_one(llh0):
    ned = (900.0, -1200.0, 3.0)
    near = flat_to_llh(ned, llh0)
    assert llh_to_flat(near, llh0) == pytest.approx(ned, abs=1e-8)
    assert llh_to_ned(near, llh0) == pytest.approx(ned, abs=1.0)
    metre = ned_to_llh((1.0, 1.0, 0.0), llh0)
    assert llh_to_flat(metre, llh0) == pytest.approx((1.0, 1.0, 0.0), abs=1e-6)
