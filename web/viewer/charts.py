"""Charts under the map: GeoJSON, pictures with bounds, GeoTIFF and MBTiles of this machine.

Browsers show no TIFF and no MBTiles: these are decoded here and sent as one picture.
Sources: OGC GeoTIFF Standard 1.1 (19-008r4), sections 7.2 and annex B; MBTiles specification 1.3.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from math import asinh, atan, degrees, pi, radians, sinh, tan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steerageway.declarations import finite
from steerageway.geometry.utm import inverse

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 100_000_000  # of a picture before it is made smaller
SIDE = 4096  # most pixels of a side as it is sent
LARGEST_TILE = 1 << 22  # bytes as stored
STEP, MOST_STEPS = 1_000_000, 300  # instructions of SQLite of a step, and steps of a query
TILE, MOST_TILE = 256, 1024  # pixels of a tile's side as drawn, and at most as stored
EXPECTED = (
    "expected GeoJSON, GeoTIFF, MBTiles, or a .tif, .png or .jpg and an .info file of this name"
    " with its bounds"
)
RADIUS = 6378137.0  # [m] of Web Mercator's sphere
GEOGRAPHIC = (4326, 4258, 4269)  # WGS 84, and ETRS89 and NAD83, which differ by a metre or two
WEB_MERCATOR = 3857
UTM_NORTH, UTM_SOUTH, UTM_ETRS89 = 32600, 32700, 25800  # EPSG codes, less the zone
_SCALE, _TIE, _MATRIX, _KEYS = 33550, 33922, 34264, 34735  # TIFF tags
_RASTER, _GEOGRAPHIC_KEY, _PROJECTED_KEY = 1025, 2048, 3072
_POINTS = 2  # of _RASTER: a coordinate is that of a pixel's centre
_BROKEN = (OSError, ValueError, SyntaxError, EOFError)  # of Pillow, for a file that is damaged
_PICTURES = (".tif", ".tiff", ".png", ".jpg", ".jpeg")
_INFO = ("lon_west", "lat_south", "lon_east", "lat_north")
Corner = tuple[float, float]


class ChartError(ValueError):
    """A chart cannot be shown; the text says why."""


@dataclass(frozen=True, slots=True)
class Background:
    """A background of the map.

    Attributes:
        path: the file. kind: "image" or "geojson".
        corners: (latitude, longitude) [deg] of a picture's upper left, upper right and lower left
            corner; () if the file contains coordinates.
    """

    path: Path
    kind: str
    corners: tuple[Corner, ...] = ()


def read_background(path: Path) -> Background:
    """Find a chart and its place.

    A ``.tif`` that is missing is replaced by the ``.png`` or ``.jpg`` of the same name.

    Raises:
        ChartError: it is missing, of another kind, or its place is not given.
    """
    kind = path.suffix.lower()
    if kind in (".geojson", ".json") and path.is_file():
        return Background(path, "geojson")
    if kind == ".mbtiles" and path.is_file():
        return Background(path, "image", _tiled(path).corners)
    if kind in _PICTURES:
        for suffix in (path.suffix, ".png", ".jpg", ".jpeg"):
            if (picture := path.with_suffix(suffix)).is_file():
                return Background(picture, "image", _corners(picture))
    raise ChartError(EXPECTED)


def encoded(background: Background) -> tuple[bytes, str]:
    """Return a background as a browser shows it, and its media type.

    Raises:
        ChartError: it cannot be decoded.
    """
    if background.kind == "geojson":
        return background.path.read_bytes(), "application/geo+json"
    if background.path.suffix.lower() == ".mbtiles":
        return _encoded(_mosaic(background.path))
    with _opened(background.path) as picture:
        return _encoded(picture)


def _encoded(picture: Image) -> tuple[bytes, str]:
    clear, to = "A" in picture.getbands() or "transparency" in picture.info, BytesIO()
    try:
        if picture.mode == "P":
            picture = picture.convert("RGBA" if clear else "RGB")
        picture.thumbnail((SIDE, SIDE))
        picture = picture.convert("RGBA" if clear else "RGB")
    except _BROKEN as error:
        raise ChartError(f"no picture that can be read: {error}") from None
    picture.save(to, "PNG" if clear else "JPEG", **({"compress_level": 1} if clear else {}))
    return to.getvalue(), "image/png" if clear else "image/jpeg"


def _opened(file: Path | BytesIO, most: int = MOST_PIXELS) -> Image:
    """Open a picture; its pixels are decoded later."""
    try:
        from PIL import Image
    except ImportError:
        raise ChartError("charts need Pillow: pip install 'steerageway[web]'") from None
    try:
        picture = Image.open(file, formats=("TIFF", "PNG", "JPEG", "WEBP"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ChartError(f"no picture that can be read: {error}") from None
    wrong = ""
    if picture.width * picture.height > most:
        wrong = f"{picture.width} x {picture.height} pixels; expected at most {most}"
    elif picture.mode.startswith(("I", "F")):
        wrong = "numbers of more than 8 bits, as of heights; expected a picture"
    if wrong:
        picture.close()
        raise ChartError(wrong)
    return picture


def _corners(picture: Path) -> tuple[Corner, ...]:
    """Return the corners of a picture by its ``.info`` file, or by its own tags."""
    info = picture.with_suffix(".info")
    if info.is_file():
        return _of_bounds(*_bounds(info))
    if picture.suffix.lower() not in (".tif", ".tiff"):
        raise ChartError(EXPECTED)
    with _opened(picture) as opened:
        tags = dict(opened.tag_v2)  # type: ignore[attr-defined]
        width, height = opened.size
    place, inverse_of = _transform(tags), _projection(tags)
    half = 0.5 if _keys(tags).get(_RASTER) == _POINTS else 0.0
    ends = ((-half, -half), (width - half, -half), (-half, height - half))
    corners = tuple(inverse_of(*place(*end)) for end in ends)
    if not all(abs(lat) <= 90.0 and abs(lon) <= 360.0 for lat, lon in corners):
        raise ChartError("its coordinates are not on the earth; expected degrees or metres")
    return corners


def _bounds(info: Path) -> tuple[float, ...]:
    """Read west, south, east and north [deg] of an ``.info`` file."""
    numbers: dict[str, float] = {}
    for line in info.read_text("utf-8", "replace").splitlines():
        key, _, value = line.partition("//")[0].partition("=")
        number = finite(value)
        if number is not None:
            numbers[key.strip().lower()] = number
    if missing := [key for key in _INFO if key not in numbers]:
        raise ChartError(f"{info.name} has no {', '.join(missing)}")
    return tuple(numbers[key] for key in _INFO)


def _of_bounds(west: float, south: float, east: float, north: float) -> tuple[Corner, ...]:
    return (north, west), (north, east), (south, west)


def _transform(tags: dict[int, tuple[float, ...]]) -> Callable[[float, float], Corner]:
    """Return the function of a pixel's (column, row) that gives its (x, y)."""
    if (m := tags.get(_MATRIX)) is not None and len(m) == 16:
        return lambda column, row: (
            m[0] * column + m[1] * row + m[3],
            m[4] * column + m[5] * row + m[7],
        )
    scale, tie = tags.get(_SCALE), tags.get(_TIE)
    if scale is None or tie is None or len(scale) < 2 or len(tie) < 6:
        raise ChartError("neither an .info file of this name nor GeoTIFF tags give its place")
    return lambda column, row: (
        tie[3] + (column - tie[0]) * scale[0],
        tie[4] - (row - tie[1]) * scale[1],
    )


def _keys(tags: dict[int, tuple[float, ...]]) -> dict[int, int]:
    """Return the short GeoKeys: number -> value."""
    words = [int(word) for word in tags.get(_KEYS, ())][4:]
    rows = zip(*(words[k::4] for k in range(4)), strict=False)
    return {key: value for key, tag, _, value in rows if tag == 0}


def _projection(tags: dict[int, tuple[float, ...]]) -> Callable[[float, float], Corner]:
    """Return the function of (x, y) that gives latitude and longitude [deg]."""
    keys = _keys(tags)
    code = keys.get(_PROJECTED_KEY, keys.get(_GEOGRAPHIC_KEY, 0))
    if code in GEOGRAPHIC:
        return lambda x, y: (y, x)
    if code == WEB_MERCATOR:
        return lambda x, y: (_latitude(y / RADIUS), degrees(x / RADIUS))
    for base, north in ((UTM_NORTH, 0.0), (UTM_SOUTH, 1e7), (UTM_ETRS89, 0.0)):
        if 1 <= code - base <= 60:
            meridian = 6.0 * (code - base) - 183.0
            return lambda x, y: inverse(x - 5e5, y - north, meridian)
    raise ChartError(
        f"coordinates of EPSG:{code}; expected WGS 84, its UTM zones or Web Mercator, as"
        " gdalwarp -t_srs EPSG:4326 writes"
    )


def _latitude(mercator: float) -> float:
    return degrees(atan(sinh(mercator)))


@dataclass(frozen=True, slots=True)
class _Tiles:
    """The tiles of one level: columns from the west, rows from the south, last ones included."""

    level: int
    first_column: int
    last_column: int
    first_row: int
    last_row: int

    @property
    def across(self) -> int:
        return self.last_column - self.first_column + 1

    @property
    def up(self) -> int:
        return self.last_row - self.first_row + 1

    @property
    def corners(self) -> tuple[Corner, ...]:
        share = 2.0**-self.level
        south, north = (
            _latitude(2 * pi * share * row - pi) for row in (self.first_row, self.last_row + 1)
        )
        west, east = (
            360.0 * share * column - 180.0 for column in (self.first_column, self.last_column + 1)
        )
        return _of_bounds(west, south, east, north)


def _tiled(path: Path) -> _Tiles:
    """Return the finest level that one picture can hold."""
    most = SIDE // TILE
    rows = _query(
        path,
        "SELECT zoom_level, MIN(tile_column), MAX(tile_column), MIN(tile_row), MAX(tile_row)"
        " FROM tiles WHERE zoom_level BETWEEN 0 AND 30 GROUP BY zoom_level ORDER BY zoom_level"
        " LIMIT 31",
    )
    try:
        levels = [_Tiles(*map(int, row)) for row in rows]
    except (TypeError, ValueError):
        levels = []
    inside = [
        one
        for one in levels
        if 0 <= one.first_column <= one.last_column < 2**one.level
        and 0 <= one.first_row <= one.last_row < 2**one.level
    ]
    small = [one for one in inside if one.across <= most and one.up <= most]
    if not small:
        raise ChartError(f"no level of {most} x {most} tiles or fewer")
    return small[-1]


def _mosaic(path: Path) -> Image:
    """Return the tiles of a level as one picture, its rows evenly spaced in latitude."""
    from PIL import Image

    tiles = _tiled(path)
    whole = Image.new("RGBA", (TILE * tiles.across, TILE * tiles.up))
    rows = _query(
        path,
        "SELECT tile_column, tile_row, tile_data FROM tiles WHERE zoom_level = ? LIMIT ?",
        (tiles.level, tiles.across * tiles.up),
    )
    for column, row, data in rows:
        if not isinstance(data, bytes):
            raise ChartError("a tile holds no bytes")
        try:
            tile = _opened(BytesIO(data), MOST_TILE**2).convert("RGBA").resize((TILE, TILE))
        except _BROKEN as error:
            raise ChartError(f"a tile cannot be read: {error}") from None
        place = int(column) - tiles.first_column, tiles.last_row - int(row)
        whole.paste(tile, (TILE * place[0], TILE * place[1]))
    (north, _), _, (south, _) = tiles.corners
    low, high = (asinh(tan(radians(lat))) for lat in (south, north))
    lats = np.radians(north + (south - north) * (np.arange(whole.height) + 0.5) / whole.height)
    share = (high - np.arcsinh(np.tan(lats))) / (high - low)
    return Image.fromarray(np.asarray(whole)[(share * whole.height).astype(int)])


def _query(path: Path, words: str, values: tuple[int, ...] = ()) -> list[tuple[Any, ...]]:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as base:
            base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_TILE)
            turns = iter(range(MOST_STEPS))  # "tiles" may be a view that never ends
            base.set_progress_handler(lambda: next(turns, None) is None, STEP)
            return base.execute(words, values).fetchall()
    except sqlite3.Error as error:
        raise ChartError(f"no MBTiles file that can be read: {error}") from None
