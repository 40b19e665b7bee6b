"""Places of charts, beside pyproj; what is no chart is a sentence."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Mapping
from math import asinh, pi, radians, tan
from pathlib import Path

import numpy as np
import pyproj
import pytest
from PIL import Image
from PIL.TiffImagePlugin import ImageFileDirectory_v2

from steerageway.web.viewer import charts
from steerageway.web.viewer.charts import ChartError, encoded, read_background

SIZE = 60, 40  # pixels
ENDLESS = """CREATE VIEW tiles AS
    WITH RECURSIVE rows(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM rows)
    SELECT 3 AS zoom_level, 1 AS tile_column, 1 AS tile_row, x'00' AS tile_data FROM rows"""


def write_tiff(
    file: Path, code: int, tie: tuple[float, ...], scale: tuple[float, float], raster: int = 1
) -> None:
    """Write a GeoTIFF: its keys as the standard has them."""
    kind, key = (2, 2048) if 4000 < code < 5000 else (1, 3072)
    rows = ((1024, kind), (1025, raster), (key, code))
    tags = ImageFileDirectory_v2()
    values: Mapping[int, tuple[float, ...]] = {33550: (*scale, 0.0), 33922: tie}
    for tag, value in values.items():
        tags.tagtype[tag] = 12
        tags[tag] = value
    tags.tagtype[34735] = 3
    tags[34735] = (1, 1, 0, len(rows), *(word for k, v in rows for word in (k, 0, 1, v)))
    Image.new("RGB", SIZE, (200, 30, 30)).save(file, tiffinfo=tags)


@pytest.mark.parametrize(
    ("code", "x", "y", "step"),
    [
        (4326, 10.7, 59.92, 1e-4),
        (3857, 1.19e6, 8.36e6, 20.0),
        (32632, 598_000.0, 6_642_000.0, 5.0),
        (32756, 334_000.0, 6_252_000.0, 5.0),
    ],
)
@pytest.mark.parametrize("raster", [1, 2])
def test_a_geotiff_lies_where_pyproj_puts_it(
    code: int, x: float, y: float, step: float, raster: int, tmp_path: Path
) -> None:
    file = tmp_path / "chart.tif"
    write_tiff(file, code, (10.0, 5.0, 0.0, x, y, 0.0), (step, step), raster)
    half = 0.5 if raster == 2 else 0.0  # a pixel's centre, else its corner
    to = pyproj.Transformer.from_crs(code, 4326, always_xy=True)
    expected = [
        to.transform(x + (column - 10 - half) * step, y - (row - 5 - half) * step)[::-1]
        for column, row in ((0, 0), (SIZE[0], 0), (0, SIZE[1]))
    ]
    found = read_background(file)
    assert np.allclose(found.corners, expected, rtol=0, atol=1e-9)
    data, media = encoded(found)
    assert media == "image/jpeg"
    assert Image.open(io.BytesIO(data)).size == SIZE
    (tmp_path / "chart.info").write_text("lat_north=2\nlat_south=1\nlon_east=4\nlon_west=3\n")
    assert read_background(file).corners == ((2, 3), (2, 4), (1, 3))


def tile_of(lat: float, lon: float, level: int) -> tuple[float, float]:
    """Return the (column, row from the north) of a place, as map servers count tiles."""
    count = 2.0**level
    return (lon + 180) / 360 * count, (1 - asinh(tan(radians(lat))) / pi) / 2 * count


def write_tiles(file: Path, level: int, first: tuple[int, int], across: int) -> None:
    """Write square tiles of one level, each red with a blue middle, and one of the level above."""
    tile = Image.new("RGB", (256, 256), (255, 0, 0))
    tile.paste((0, 0, 255), (96, 96, 160, 160))
    to = io.BytesIO()
    tile.save(to, "PNG")
    with sqlite3.connect(file) as base:
        base.execute("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)")
        for row in range(across):
            for column in range(across):
                south = 2**level - 1 - (first[1] + row)
                values = level, first[0] + column, south, to.getvalue()
                base.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", values)
        many = [(level + 1, 2 * first[0] + k, 2**level, b"") for k in range(17)]
        base.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", many)
    base.close()


def test_the_tiles_of_a_level_are_one_picture_even_in_latitude(tmp_path: Path) -> None:
    level, file = 6, tmp_path / "sea.mbtiles"
    first = tuple(map(int, tile_of(66.0, 5.0, level)))
    write_tiles(file, level, first, 4)
    chart = read_background(file)
    (north, west), (_, east), (south, _) = chart.corners
    assert tile_of(north, west, level) == pytest.approx(first)
    assert tile_of(south, east, level) == pytest.approx((first[0] + 4, first[1] + 4))
    data, _ = encoded(chart)
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert pixels.shape == (1024, 1024, 3)
    for lat in np.linspace(south, north, 50)[1:-1]:
        row = int((north - lat) / (north - south) * 1024)
        inside = abs(tile_of(lat, 0.0, level)[1] % 1 - 0.5)
        if abs(inside - 0.125) > 0.01:
            assert (pixels[row, 128] == ([0, 0, 255] if inside < 0.125 else [255, 0, 0])).all()


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")  # Pillow's word besides
def test_what_is_no_chart_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(name: str, content: bytes | None = None) -> str:
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(ChartError) as error:
            encoded(read_background(tmp_path / name))
        return str(error.value)

    assert refused("none.tif").startswith("expected GeoJSON, GeoTIFF, MBTiles")
    assert refused("chart.pdf", b"%PDF").startswith("expected GeoJSON")
    assert "no picture" in refused("text.tif", b"II*\0text")
    assert "no MBTiles file" in refused("text.mbtiles", b"text" * 300)
    monkeypatch.setattr(charts, "MOST_STEPS", 3)
    with sqlite3.connect(tmp_path / "endless.mbtiles") as base:
        base.execute(ENDLESS)
    base.close()
    assert "no MBTiles file that can be read: interrupted" in refused("endless.mbtiles")
    plain, whole = tmp_path / "plain.tif", io.BytesIO()
    Image.new("RGB", SIZE).save(plain)
    assert "GeoTIFF tags" in refused("plain.tif")
    write_tiff(plain, 2154, (0, 0, 0, 6e5, 6.6e6, 0), (1.0, 1.0))
    assert "EPSG:2154" in refused("plain.tif")
    write_tiff(plain, 4326, (0, 0, 0, 598_000.0, 6.6e6, 0), (1.0, 1.0))
    assert "not on the earth" in refused("plain.tif")
    Image.new("I;16", SIZE).save(tmp_path / "heights.tif")
    assert "heights" in refused("heights.tif")
    (tmp_path / "half.info").write_text("lat_north = 2\nlat_south = north\n")
    Image.new("RGB", (500, 500), (9, 9, 9)).save(whole, "PNG")
    assert "half.info has no lon_west, lat_south, lon_east" in refused("half.png", whole.getvalue())
    (tmp_path / "cut.info").write_text("lat_north=2\nlat_south=1\nlon_east=2\nlon_west=1\n")
    assert "no picture" in refused("cut.png", whole.getvalue()[:200])
