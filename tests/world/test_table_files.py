"""Tables and grids as programs and people write them: read as they are meant, or refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steerageway.vessel.fossen.build_actuators import read_table
from steerageway.vessel.fossen.hydra import arrays_of
from steerageway.vessel.wave_forces import wamit
from steerageway.world import current_field, ground, mesh_files
from steerageway.world.errors import InvalidValue
from steerageway.world.reading import load

ESRI = "ncols 3\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 10\n"
ROWS = "1 2 3\n4 5 6\n"
GRID = "# survey\nx,y,depth\n0,0,4\n10,0,5\n0,10,1\n10,10,2\n"
FLOW = "# survey\nx,y,east,north\n0,0,1,0\n10,0,1,0\n0,10,1,0\n10,10,1,0.5\n"
VECTORS = "// survey\nRadius: 20\n0,0,1,90\n10,0,2,90\n"
SPECTRUM = "0.5,1\n0.6,2\n0.7,2\n0.8,1\n"
CURVE = "j,kt\n0,0.4\n0.5,0.2\n1,0\n"
FORCES = "WAMIT\n" + "".join(f"6.0 {b} {m} 1 0 1 0\n" for b in (0, 90, 180) for m in (1, 2, 3))
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
STL = "solid a\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendsolid\n"
JSON = '{"w": [0.0, 1.0],\n "C": [[2.0]]}\n'


def spectrum_of(path: Path) -> Any:
    """Return the significant wave height of a spectrum's table [m]."""
    path.with_name("sea.yml").write_text(f"waves: {{spectrum: table, file: {path.name}}}")
    return load(path.with_name("sea.yml"), 1).waves[0].Hs


READERS: dict[str, tuple[str, str, Callable[[Path], Any]]] = {
    "grid of ESRI": (".asc", ESRI + ROWS, lambda path: ground.read(path).depths),
    "grid of points": (".csv", GRID, lambda path: ground.read(path).depths),
    "current": (".csv", FLOW, lambda path: current_field.read(path).at(9.0, 9.0, 0.0, 0.0)),
    "vectors": (".cfd", VECTORS, lambda path: current_field.read(path).at(9.0, 9.0, 0.0, 0.0)),
    "spectrum": (".csv", SPECTRUM, spectrum_of),
    "curve": (".csv", CURVE, lambda path: read_table(path, ("j", "kt"), angles=False)),
    "forces": (".3", FORCES, lambda path: wamit.excitation(path, 1.0).X),
    "obj": (".obj", OBJ, lambda path: mesh_files.read_corners(path, 9)),
    "stl": (".stl", STL, lambda path: mesh_files.read_corners(path, 9)),
    "json": (".json", JSON, lambda path: arrays_of(path, ("w", "C"))[1]),
}


def written(folder: Path, reader: str, content: bytes) -> tuple[Path, Callable[[Path], Any]]:
    """Write a file of a reader's kind; return it with the reader."""
    suffix, _, read = READERS[reader]
    path = folder / f"a{suffix}"
    path.write_bytes(content)
    return path, read


@pytest.mark.parametrize("reader", READERS)
def test_a_byte_order_mark_line_ends_of_windows_and_latin_1_change_nothing(
    reader: str, tmp_path: Path
) -> None:
    text = READERS[reader][1]
    path, read = written(tmp_path, reader, text.encode())
    expected = read(path)
    latin = text.replace("survey", "relev\u00e9").replace("WAMIT", "P\u00e9riode")
    for content in (
        text.encode("utf-8-sig"),
        text.replace("\n", "\r\n").encode(),
        latin.encode("latin-1"),
    ):
        path.write_bytes(content)
        np.testing.assert_array_equal(read(path), expected)


@pytest.mark.parametrize("reader", READERS)
def test_text_that_is_not_of_eight_bits_is_refused_with_its_file(
    reader: str, tmp_path: Path
) -> None:
    path, read = written(tmp_path, reader, READERS[reader][1].encode("utf-16"))
    with pytest.raises(InvalidValue, match=rf"{path.name}.*(an STL file|:1: expected text)"):
        read(path)


@pytest.mark.parametrize("wrong", ["0,5", "2.l", "--", "inf", "1_0", "\u0663"])
@pytest.mark.parametrize(
    ("reader", "line", "old", "new"),
    [
        ("grid of ESRI", 6, "1 2 3", "1 {} 3"),
        ("grid of ESRI", 5, "cellsize 10", "cellsize {}"),
        ("grid of points", 3, "0,0,4", "0,0,{}"),
        ("grid of points", 3, "0,0,4", "{},0,4"),
        ("current", 6, "10,10,1,0.5", "10,10,{},0.5"),
        ("vectors", 3, "0,0,1,90", "0,0,{},90"),
        ("spectrum", 1, "0.5,1", "0.5,{}"),
        ("spectrum", 1, "0.5,1", "{},1"),
        ("curve", 3, "0.5,0.2", "0.5,{}"),
        ("curve", 3, "0.5,0.2", "{},0.2"),
        ("forces", 2, "6.0 0 1", "{} 0 1"),
        ("forces", 3, "6.0 0 2 1", "6.0 0 2 {}"),
        ("obj", 1, "v 0 0 0", "v {} 0 0"),
        ("stl", 2, "vertex 0 0 0", "vertex 0 0 {}"),
    ],
)
def test_a_decimal_comma_or_text_is_refused_with_file_and_line(
    reader: str, line: int, old: str, new: str, wrong: str, tmp_path: Path
) -> None:
    text = READERS[reader][1].replace(old, new.format(wrong), 1)
    path, read = written(tmp_path, reader, text.encode())
    with pytest.raises(InvalidValue, match=rf"{path.name}:{line}: "):
        read(path)


@pytest.mark.parametrize("filling", ["-9999", "9.96921e+36", "-3.4028235e+38", "1e308"])
@pytest.mark.parametrize(
    ("reader", "line", "old", "new"),
    [
        ("grid of points", 3, "0,0,4", "0,0,{}"),
        ("current", 6, "10,10,1,0.5", "10,10,{},0.5"),
        ("vectors", 3, "0,0,1,90", "0,0,{},90"),
        ("spectrum", 2, "0.6,2", "0.6,{}"),
        ("curve", 3, "0.5,0.2", "0.5,{}"),
    ],
)
def test_a_filling_for_no_data_is_no_measurement(
    reader: str, line: int, old: str, new: str, filling: str, tmp_path: Path
) -> None:
    """As netCDF, ESRI and float32 programs write them, where nothing declares them."""
    text = READERS[reader][1].replace(old, new.format(filling), 1)
    path, read = written(tmp_path, reader, text.encode())
    with pytest.raises(InvalidValue, match=rf"{path.name}:{line}: "):
        read(path)


@pytest.mark.parametrize(
    ("head", "line", "expected"),
    [
        (ESRI.replace("ncols 3", "ncols 1e308"), 1, "to 100000000"),
        (ESRI.replace("cellsize 10", "cellsize 1e308"), 5, "to 100000000"),
        (ESRI.replace("cellsize 10", "cellsize 0"), 5, "expected metres above 0"),
        (ESRI.replace("cellsize 10", "cellsize -10"), 5, "expected metres above 0"),
        (ESRI.replace("ncols 3", "ncols 3.5"), 1, "expected a whole number"),
        (ESRI.replace("xllcenter 0\n", ""), 4, "xllcorner is missing"),
        (ESRI.replace("yllcenter 0\n", ""), 4, "yllcorner is missing"),
        (ESRI + "yllcorner 5\n", 6, "yllcorner and yllcenter: expected"),
        (ESRI + "ncols 3\n", 6, "each once"),
        (ESRI + "dx 10\n", 6, "'dx 10': expected ncols"),
        (ESRI + "NODATA_value none\n", 6, "none: expected a number"),
        (ESRI + "9.96921e+36 2 3\n", 6, "9.96921e.36: expected metres within 12000"),
        (ESRI + "1 2 3 4\n", 8, "10 numbers: expected 2 rows of 3"),
    ],
)
def test_a_grid_that_cannot_be_meant_is_refused_with_its_line(
    head: str, line: int, expected: str, tmp_path: Path
) -> None:
    path, read = written(tmp_path, "grid of ESRI", (head + ROWS).encode())
    with pytest.raises(InvalidValue, match=rf"a.asc:{line}: .*({expected})"):
        read(path)


@pytest.mark.parametrize(
    ("none", "word"),
    [
        ("", "-9999"),
        ("NODATA_value -9999", "-9999.0"),
        ("nodata_value nan", "nan"),
        ("NODATA_value -9999", "NaN"),
        ("NODATA_value -3.4028234663852886e+38", "-3.40282e+38"),
        ("NODATA_value -3.4028234663852886e+38", "-3.4e+38"),
        ("NODATA_value 9.969209968386869e+36", "9.96921e+36"),
        ("NODATA_value -32767.1", repr(float(np.float32(-32767.1)))),
    ],
)
def test_a_cell_without_data_is_unknown_however_its_value_was_rounded(
    none: str, word: str, tmp_path: Path
) -> None:
    content = f"{ESRI}{none}\n1 2 {word}\n4 5 6\n"
    path, read = written(tmp_path, "grid of ESRI", content.encode())
    np.testing.assert_array_equal(read(path), [[4, 5, 6], [1, 2, np.nan]])


@pytest.mark.parametrize(
    ("old", "new"),
    [("10,10,2\n", ""), ("10,10,2\n", "10,0,2\n"), ("10,10,2\n", "20,10,2\n")],
)
def test_a_grid_of_points_without_a_corner_is_refused(old: str, new: str, tmp_path: Path) -> None:
    path, read = written(tmp_path, "grid of points", GRID.replace(old, new).encode())
    with pytest.raises(InvalidValue, match=r"a.csv: .*expected a full grid"):
        read(path)


def test_a_depth_of_nan_is_unknown_in_a_grid_of_points(tmp_path: Path) -> None:
    path, read = written(tmp_path, "grid of points", GRID.replace("0,0,4", "0,0,nan").encode())
    np.testing.assert_array_equal(read(path), [[np.nan, 5], [1, 2]])


@pytest.mark.parametrize("wrong", ["NaN", "Infinity", '"1,5"', "1,5", "[1]"])
def test_a_value_of_json_that_is_no_number_is_refused(wrong: str, tmp_path: Path) -> None:
    path, read = written(tmp_path, "json", JSON.replace("1.0", wrong).encode())
    if wrong == "1,5":  # two numbers in JSON, and C beside them is whole
        np.testing.assert_array_equal(arrays_of(path, ["w"])[0], [0, 1, 5])
        return
    with pytest.raises(InvalidValue, match=r"a.json: .*expected HydRA's JSON"):
        read(path)


@pytest.mark.parametrize("mode", ["0", "7", "1.5", "-1"])
def test_a_mode_of_motion_that_there_is_not_is_refused(mode: str, tmp_path: Path) -> None:
    text = FORCES.replace("6.0 0 2 1", f"6.0 0 {mode} 1")
    path, read = written(tmp_path, "forces", text.encode())
    with pytest.raises(InvalidValue, match=rf"a.3:3: mode {mode}: expected one of 1 to 6"):
        read(path)
    radiation = path.with_suffix(".1")
    radiation.write_text(f"6.0 1 1 0.5 0.1\n6.0 {mode} 1 0.5 0.1\n")
    with pytest.raises(InvalidValue, match=rf"a.1:2: mode {mode}: expected one of 1 to 6"):
        wamit.radiation(radiation, 1000.0)
