"""Latitude and longitude: the WGS84 ellipsoid, its local tangent plane, and a mission's datum.

Angles are degrees, lengths metres; ``llh`` is (latitude, longitude, ellipsoidal height), ``ned``
is (north, east, down) in the tangent plane of a reference ``llh0``. Plain floats, no NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import atan2, cbrt, cos, degrees, hypot, radians, sin, sqrt
from typing import Protocol

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

SEMI_MAJOR = 6378137.0
FLATTENING = 1 / 298.257223563
ECC2 = FLATTENING * (2 - FLATTENING)
_AXIS_RATIO2 = 1 - ECC2
FARTHEST = 1e6  # [m] from a datum: the ellipsoid there lies 78 km below the tangent plane
BEYOND = f"more than {FARTHEST / 1e3:.0f} km from the datum"
TOO_FAR = f"{BEYOND}: no latitude and longitude"  # for warnings at each tick: no numbers


class Projection(Protocol):
    """Converts local x, y [m] to latitude and longitude [deg], and back."""

    def to_local(self, lat: float, lon: float) -> tuple[float, float]:
        """Return (x east, y north) of a point on the ellipsoid."""

    def to_latlon(self, x: float, y: float) -> tuple[float, float]:
        """Return (latitude, longitude) of a local position.

        Raises:
            ValueError: it is farther than ``FARTHEST`` from the datum.
        """


def rotm_ned_to_ecef(llh: Triple) -> Matrix:
    """Return the rotation from the NED frame at ``llh`` to ECEF.

    Source: Fossen (2021), equation 2.84.
    """
    lat, lon = radians(llh[0]), radians(llh[1])
    slat, clat, slon, clon = sin(lat), cos(lat), sin(lon), cos(lon)
    return (
        (-slat * clon, -slon, -clat * clon),
        (-slat * slon, clon, -clat * slon),
        (clat, 0.0, -slat),
    )


def llh_to_ecef(llh: Triple) -> Triple:
    """Return the ECEF position [m] of a geodetic one.

    Source: Fossen (2021), equation 2.91.
    """
    lat, lon, height = radians(llh[0]), radians(llh[1]), llh[2]
    normal = SEMI_MAJOR / sqrt(1 - ECC2 * sin(lat) ** 2)
    radius = (normal + height) * cos(lat)
    return radius * cos(lon), radius * sin(lon), (normal * _AXIS_RATIO2 + height) * sin(lat)


def ecef_to_llh(ecef: Triple) -> Triple:
    """Return the geodetic position of an ECEF one, in closed form.

    Valid everywhere but within 43 km of the Earth's centre.
    Source: H. Vermeille (2002), Journal of Geodesy 76, 451-454.
    """
    x, y, z = ecef
    radius2 = x * x + y * y
    p = radius2 / SEMI_MAJOR**2
    q = _AXIS_RATIO2 * z * z / SEMI_MAJOR**2
    r = (p + q - ECC2**2) / 6
    s = ECC2**2 * p * q / (4 * r**3)
    t = cbrt(1 + s + sqrt(s * (2 + s)))
    u = r * (1 + t + 1 / t)
    v = sqrt(u * u + ECC2**2 * q)
    w = ECC2 * (u + v - q) / (2 * v)
    k = sqrt(u + v + w * w) - w
    d = k * sqrt(radius2) / (k + ECC2)
    distance = hypot(d, z)
    latitude = 2 * atan2(z, d + distance)
    return degrees(latitude), degrees(atan2(y, x)), (k + ECC2 - 1) / k * distance


def ned_to_llh(ned: Triple, llh0: Triple) -> Triple:
    """Return the geodetic position of a point in the tangent plane of ``llh0``."""
    origin, rows = llh_to_ecef(llh0), rotm_ned_to_ecef(llh0)
    x, y, z = (o + _dot(row, ned) for o, row in zip(origin, rows, strict=True))
    return ecef_to_llh((x, y, z))


def llh_to_ned(llh: Triple, llh0: Triple) -> Triple:
    """Return (north, east, down) of a geodetic position in the tangent plane of ``llh0``."""
    point, origin = llh_to_ecef(llh), llh_to_ecef(llh0)
    offset = (point[0] - origin[0], point[1] - origin[1], point[2] - origin[2])
    columns = zip(*rotm_ned_to_ecef(llh0), strict=True)
    north, east, down = (_dot(column, offset) for column in columns)
    return north, east, down


def flat_to_llh(ned: Triple, llh0: Triple) -> Triple:
    """Return the geodetic position of (north, east, down) on an Earth flat around ``llh0``.

    Metres per degree are those of the ellipsoid at ``llh0``, as commonly used. The tangent plane of
    ``ned_to_llh`` is exact; at 10 km distance they differ by some 10 m.
    Source: J. Farrell (2008), Aided Navigation, equation 2.59.
    """
    north, east, down = ned
    meridian, parallel = _radii(llh0)
    lon = _wrapped(llh0[1] + degrees(east / parallel))
    return llh0[0] + degrees(north / meridian), lon, llh0[2] - down


def llh_to_flat(llh: Triple, llh0: Triple) -> Triple:
    """Return (north, east, down) on an Earth flat around ``llh0``; see ``flat_to_llh``."""
    meridian, parallel = _radii(llh0)
    east = radians(_wrapped(llh[1] - llh0[1])) * parallel
    return radians(llh[0] - llh0[0]) * meridian, east, llh0[2] - llh[2]


def _wrapped(lon: float) -> float:
    """Return a longitude [deg] in [-180, 180); one in range is unchanged to the last bit."""
    return lon if -180 <= lon < 180 else (lon + 180) % 360 - 180


def _radii(llh: Triple) -> tuple[float, float]:
    """Return metres per radian along the meridian and along the parallel."""
    squeezed = 1 - ECC2 * sin(radians(llh[0])) ** 2
    normal = SEMI_MAJOR / sqrt(squeezed)
    meridian = normal * _AXIS_RATIO2 / squeezed + llh[2]
    return meridian, (normal + llh[2]) * cos(radians(llh[0]))


def _dot(a: tuple[float, ...], b: Triple) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def check_origin(lat: float, lon: float) -> None:
    """Check the origin of local coordinates.

    Raises:
        ValueError: latitude outside (-90, 90) or longitude outside [-180, 180].
    """
    if not -90 < lat < 90:
        raise ValueError(f"latitude {lat:g}: expected a number between -90 and 90")
    if not -180 <= lon <= 180:
        raise ValueError(f"longitude {lon:g}: expected a number from -180 to 180")


def check_local(x: float, y: float) -> None:
    """Check a local position [m].

    Raises:
        ValueError: it is farther than ``FARTHEST`` from the datum.
    """
    if not hypot(x, y) <= FARTHEST:
        raise ValueError(f"x={x:g}, y={y:g} is {BEYOND}: are these UTM coordinates?")


@dataclass(frozen=True, slots=True)
class Datum:
    """The origin of local coordinates; x, y are east and north in its tangent plane.

    A local position denotes the point of the ellipsoid below or above it, along the datum's
    vertical, so both conversions are exact inverses of each other.

    Attributes: lat, lon [deg].
    """

    lat: float
    lon: float
    _ecef: Triple = field(init=False, repr=False, compare=False)
    _axes: Matrix = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_origin(self.lat, self.lon)
        llh = (self.lat, self.lon, 0.0)
        object.__setattr__(self, "_ecef", llh_to_ecef(llh))
        object.__setattr__(self, "_axes", rotm_ned_to_ecef(llh))

    def to_local(self, lat: float, lon: float) -> tuple[float, float]:
        """Return (x east, y north) [m] of a point on the ellipsoid."""
        north, east, _ = llh_to_ned((lat, lon, 0.0), (self.lat, self.lon, 0.0))
        return east, north

    def to_latlon(self, x: float, y: float) -> tuple[float, float]:
        """Return (latitude, longitude) [deg] of a local position.

        The line through (x, y) along the datum's vertical intersects the ellipsoid at a root of a
        quadratic equation in the distance along it; there tan(lat) = z / ((1 - e2) p).

        Raises:
            ValueError: see ``check_local``.
        """
        check_local(x, y)
        (xn, xe, xd), (yn, ye, yd), (zn, _, zd) = self._axes
        px = self._ecef[0] + xn * y + xe * x
        py = self._ecef[1] + yn * y + ye * x
        pz = self._ecef[2] + zn * y
        a = xd * xd + yd * yd + zd * zd / _AXIS_RATIO2
        b = px * xd + py * yd + pz * zd / _AXIS_RATIO2
        c = px * px + py * py + pz * pz / _AXIS_RATIO2 - SEMI_MAJOR**2
        down = c / (-b + sqrt(b * b - a * c))  # the smaller root, without cancellation (b < 0)
        px, py, pz = px + xd * down, py + yd * down, pz + zd * down
        return degrees(atan2(pz, _AXIS_RATIO2 * hypot(px, py))), degrees(atan2(py, px))
