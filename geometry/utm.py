"""UTM coordinates, for logs that agree with MOOS-IvP's: local x, y are UTM differences.

Transverse Mercator by Krueger's series to sixth order in the third flattening, with an error of a
few nanometres within 3900 km of the central meridian.
Source: C. F. F. Karney (2011), "Transverse Mercator with an accuracy of a few nanometers",
Journal of Geodesy 85, 475-485, equations 7 to 20, 35 and 36.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import asinh, atan, atan2, atanh, cos, cosh, degrees, hypot, radians, sin, sinh, sqrt, tan

from steerageway.geometry.geodesy import ECC2, FLATTENING, SEMI_MAJOR, check_local, check_origin
from steerageway.geometry.marine import angle180

SCALE = 0.9996
_ECC = sqrt(ECC2)
_N = FLATTENING / (2 - FLATTENING)


def _polynomial(*coefficients: float) -> float:
    """Return c0 n + c1 n2 + c2 n3 ... for the coefficients of the series."""
    return sum(c * _N**k for k, c in enumerate(coefficients, start=1))


_RECTIFYING_RADIUS = SEMI_MAJOR / (1 + _N) * (1 + _N**2 / 4 + _N**4 / 64 + _N**6 / 256)
_ALPHA = (
    _polynomial(1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800),
    _polynomial(0, 13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360),
    _polynomial(0, 0, 61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440),
    _polynomial(0, 0, 0, 49561 / 161280, -179 / 168, 6601661 / 7257600),
    _polynomial(0, 0, 0, 0, 34729 / 80640, -3418889 / 1995840),
    _polynomial(0, 0, 0, 0, 0, 212378941 / 319334400),
)
_BETA = (
    _polynomial(1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96199 / 604800),
    _polynomial(0, 1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1118711 / 3870720),
    _polynomial(0, 0, 17 / 480, -37 / 840, -209 / 4480, 5569 / 90720),
    _polynomial(0, 0, 0, 4397 / 161280, -11 / 504, -830251 / 7257600),
    _polynomial(0, 0, 0, 0, 4583 / 161280, -108847 / 3991680),
    _polynomial(0, 0, 0, 0, 0, 20648693 / 638668800),
)


def central_meridian(lon: float) -> float:
    """Return the central meridian [deg] of the six-degree zone of a longitude."""
    zone = min(59, int((lon + 180) // 6))
    return zone * 6 - 177.0


def forward(lat: float, lon: float, meridian: float) -> tuple[float, float]:
    """Return (easting from the central meridian, northing from the equator) [m]."""
    tau, lam = tan(radians(lat)), radians(lon - meridian)
    taup = _conformal(tau)
    xip = atan2(taup, cos(lam))
    etap = asinh(sin(lam) / hypot(taup, cos(lam)))
    xi, eta = xip, etap
    for j, alpha in enumerate(_ALPHA, start=1):
        xi += alpha * sin(2 * j * xip) * cosh(2 * j * etap)
        eta += alpha * cos(2 * j * xip) * sinh(2 * j * etap)
    return SCALE * _RECTIFYING_RADIUS * eta, SCALE * _RECTIFYING_RADIUS * xi


def inverse(east: float, north: float, meridian: float) -> tuple[float, float]:
    """Return (latitude, longitude) [deg] of an easting and northing as from ``forward``."""
    xi = north / (SCALE * _RECTIFYING_RADIUS)
    eta = east / (SCALE * _RECTIFYING_RADIUS)
    xip, etap = xi, eta
    for j, beta in enumerate(_BETA, start=1):
        xip -= beta * sin(2 * j * xi) * cosh(2 * j * eta)
        etap -= beta * cos(2 * j * xi) * sinh(2 * j * eta)
    taup = sin(xip) / hypot(sinh(etap), cos(xip))
    lam = atan2(sinh(etap), cos(xip))
    return degrees(atan(_geodetic(taup))), angle180(meridian + degrees(lam))


def _conformal(tau: float) -> float:
    """Return the tangent of the conformal latitude for that of the geodetic one (equation 7)."""
    sigma = sinh(_ECC * atanh(_ECC * tau / hypot(1, tau)))
    return tau * hypot(1, sigma) - sigma * hypot(1, tau)


def _geodetic(taup: float) -> float:
    """Return the inverse of ``_conformal``, by three Newton steps (equations 19 to 21)."""
    tau = taup / (1 - ECC2)
    for _ in range(3):
        present = _conformal(tau)
        slope = hypot(1, present) * hypot(1, tau) * (1 - ECC2) / (1 + (1 - ECC2) * tau * tau)
        tau += (taup - present) / slope
    return tau


@dataclass(frozen=True, slots=True)
class UtmDatum:
    """The origin of local coordinates; x, y are UTM east and north minus the origin's.

    All points use the origin's zone. The axes are grid east and north, which differ from true ones
    by the grid convergence, and lengths differ by the scale, as in MOOS-IvP's logs.

    Attributes: lat, lon [deg].
    """

    lat: float
    lon: float
    _meridian: float = field(init=False, repr=False, compare=False)
    _origin: tuple[float, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_origin(self.lat, self.lon)
        object.__setattr__(self, "_meridian", central_meridian(self.lon))
        object.__setattr__(self, "_origin", forward(self.lat, self.lon, self._meridian))

    def to_local(self, lat: float, lon: float) -> tuple[float, float]:
        """Return (x grid east, y grid north) [m] of a point."""
        east, north = forward(lat, lon, self._meridian)
        return east - self._origin[0], north - self._origin[1]

    def to_latlon(self, x: float, y: float) -> tuple[float, float]:
        """Return (latitude, longitude) [deg] of a local position.

        Raises:
            ValueError: see ``check_local``.
        """
        check_local(x, y)
        return inverse(x + self._origin[0], y + self._origin[1], self._meridian)
