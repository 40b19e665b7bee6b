"""Environment files: their values, and errors by file, line and key."""

from __future__ import annotations

from math import cos, exp, inf, radians, sin
from pathlib import Path

import numpy as np
import pytest

from steerageway.world import ground
from steerageway.world.__main__ import periods
from steerageway.world.environment import Environment, Water
from steerageway.world.errors import InvalidValue
from steerageway.world.reading import load
from steerageway.world.weather import Change, Weather

WHOLE = """
water: {density: 1000, depth: 30, seed: 7}
waves:
  spectrum: jonswap
  Hs: 1.2 m
  Tp: 5.5
  gamma: 2
  direction_from: 240
  spreading: {kind: cos2s, exponent: 10}
  components: 30
  frequency_range: [0.5, 3]
  ramp: 10 s
  stretching: none
  swell: {Hs: 0.5, Tp: 11, direction_to: 120}
  drift: {stokes: true}
wind: {speed: 16 kn, direction_from: 230, profile: power, height: 2, gust: {spectrum: npd}}
current: {speed: 0.5, direction_to: 90}
tide: {range: 2, stream: 0.3, direction_to: 45, high_water: 1 h}
ground: {file: bottom.csv}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    points = [f"{x},{y},{20 + x / 10 + y / 20}" for y in (0, 100, 200) for x in (0, 100, 200)]
    (tmp_path / "bottom.csv").write_text("x,y,depth\n" + "\n".join(points) + "\n")
    (tmp_path / "environment.yml").write_text(WHOLE)
    return tmp_path


def written(folder: Path, text: str) -> Path:
    (folder / "own.yml").write_text(text)
    return folder / "own.yml"


def made(folder: Path, text: str) -> Environment:
    return load(written(folder, text))


def test_written_settings_have_their_effect(folder: Path) -> None:
    whole = load(folder / "environment.yml", 5)
    sea, swell = whole.waves
    assert (sea.Hs, sea.Tp, sea.gamma, sea.direction) == (1.2, 5.5, 2.0, 60.0)
    assert (sea.components, sea.frequency_range, sea.exponent) == (30, (0.5, 3.0), 10.0)
    assert (swell.Hs, swell.direction, swell.spreading) == (0.5, 120.0, "cos2s")
    assert (whole.density, whole.depth, whole.ramp) == (1000.0, 30.0, 10.0)
    assert not whole.wheeler
    assert whole.stokes
    assert whole.wind is not None
    assert whole.wind.speed == pytest.approx(8.231, abs=1e-3)
    assert whole.wind.at(3.0) != whole.wind.at(50.0)
    assert whole.tide is not None
    assert whole.tide.level(3600.0) == 1.0
    assert whole.depth_at(50.0, 100.0, 3600.0) == pytest.approx(20 + 5 + 5 + 1)
    east, north = whole.current_at(0.0, 0.0, 0.0, 3600.0)
    assert (east, north) == pytest.approx((0.5, 0.0))
    drifting = Water(whole, whole.sea()).at(0.0, 0.0, 0.0, 3600.0)
    assert drifting[0] > 0.5
    assert len(whole.echo) == 7


def test_seeds_of_mission_and_file_both_count(folder: Path) -> None:
    one, other = (load(folder / "environment.yml", seed).sea().rows for seed in (5, 6))
    assert one.tobytes() != other.tobytes()
    own = load(folder / "environment.yml", 5, {"water.seed": ("8", "here")}).sea().rows
    assert own.tobytes() != one.tobytes()


def test_an_override_replaces_the_files_value(folder: Path) -> None:
    changed = load(folder / "environment.yml", 0, {"waves.Hs": ("0.9 m", "a.moos:3")})
    assert changed.waves[0].Hs == 0.9
    alone = load(None, 0, {"waves.Hs": ("1", "a.moos:3"), "waves.Tp": ("6", "a.moos:4")})
    assert alone.waves[0].spectrum == "jonswap"
    assert alone.depth == inf


@pytest.mark.parametrize(
    ("waves", "Hs", "Tp"),
    [
        ("{sea_state: 4}", 1.875, 6.847),
        ("{wind_speed: 10, fetch: 50 km}", 1.375, 4.81),
        ("{spectrum: pm, wind_speed: 10}", 2.141, 7.278),
        ("{spectrum: regular, Hs: 2, Tp: 8, direction_to: 30}", 2.0, 8.0),
    ],
)
def test_a_height_comes_by_any_way(folder: Path, waves: str, Hs: float, Tp: float) -> None:
    sea = made(folder, f"waves: {waves}").waves[0]
    assert sea.Hs == pytest.approx(Hs, rel=0.03)
    assert sea.Tp == pytest.approx(Tp, rel=0.03)


CALM = [
    *("{Hs: 0, Tp: 5}", "{Hs: 0, Tp: 5, gamma: 2}", "{spectrum: regular, Hs: 0, Tp: 5}"),
    *("{sea_state: 4, Hs: 0}", "{Hs: 0, Tp: 5, swell: {Hs: 0, Tp: 12}}"),
    *("{wind_speed: 0}", "{wind_speed: 0, fetch: 9 km}"),
]


@pytest.mark.parametrize("waves", CALM)
def test_a_height_of_0_is_calm_water_until_waves_rise(folder: Path, waves: str) -> None:
    environment = made(folder, f"waves: {waves}")
    assert environment.waves[0].Hs == 0.0
    assert environment.sea().calm
    assert not list(periods(environment))
    assert not environment.warnings
    weather = Weather(environment)
    weather.take(Change.of_height(0.0, 1.5))
    a = weather.sea.amplitudes(100.0)
    height = 2 * a.sum() if "regular" in waves else 4 * (0.5 * (a**2).sum()) ** 0.5
    assert height == pytest.approx(1.5)


def test_a_table_is_a_spectrum(folder: Path) -> None:
    rows = "\n".join(f"{0.5 + 0.1 * i},{max(0, 4 - abs(i - 5))}" for i in range(20))
    (folder / "s.csv").write_text("w,S\n" + rows)
    sea = made(folder, "waves: {spectrum: table, file: s.csv}").waves[0]
    assert sea.Hs == pytest.approx(4 * (16 * 0.1) ** 0.5)
    assert len(sea.table) == 20


WRONG = [
    ("waves: {Hs: -1, Tp: 5}", r"own.yml:1: waves.Hs = -1: expected a number from 0 to 100"),
    ("waves: {Hs: 1, Tp: 0}", r"waves.Tp = 0: expected a number above 0"),
    ("waves: {Hs: 4, Tp: 3}", r"waves.Hs: steepness 0.285 with a period of 3 s: expected"),
    ("waves: {Hs: 1, Tp: 5, heigth: 3}", r"waves.heigth: unknown key; expected one of|did you"),
    ("waves: {Hs: 1 kg, Tp: 5}", r"waves.Hs = 1 kg: expected one of the units m, km"),
    ("waves: {Hs: 1}", r"waves.Tp is missing"),
    ("waves: {Hs: 1, Tp: 5, direction_from: 1, direction_to: 2}", r"only one of the two"),
    (
        "waves: {Hs: 1, Tp: 5, components: 501}",
        r"components: 501, which would take 1.06 MB: expected at most 500",
    ),
    ("waves: {Hs: 1, Tp: 5, spectrum: jonsvap}", r"jonsvap: expected one of off, regular"),
    ("water: {depth: 0}", r"water.depth = 0: expected a number above 0"),
    ("ground: {file: none.asc}", r"ground.file: none.asc: expected an existing file"),
    ("wind: {speed: 5, direction_from: x}", r"wind.direction_from = x: expected a number"),
    ("winds: {speed: 5}", r"winds: unknown key; did you mean wind\?"),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_an_invalid_value_is_refused_by_name(folder: Path, text: str, expected: str) -> None:
    with pytest.raises(InvalidValue, match=expected):
        made(folder, text)


def test_suspicious_settings_are_reported(folder: Path) -> None:
    steep = made(folder, "waves: {Hs: 2, Tp: 4.5, spacing: equidistant}").warnings
    assert any("steepness 0.063" in warning for warning in steep)
    assert any("Tp/sqrt(Hs) = 3.18" in warning for warning in steep)
    assert any("repeats after" in warning for warning in steep)
    assert made(folder, "waves: {Hs: 1, Tp: 6}").warnings == ()


def test_a_spectrum_with_a_gap_is_refused(folder: Path) -> None:
    (folder / "s.csv").write_text("0.5,1\n0.6,2\n0.7,2\n0.8,2\n1.9,1\n")
    with pytest.raises(InvalidValue, match=r"no data between 0.8 and 1.9 rad/s"):
        made(folder, "waves: {spectrum: table, file: s.csv}")


GRID = "ncols 3\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 10\nNODATA_value -9999\n"


def test_an_esri_grid_is_read_from_the_north(tmp_path: Path) -> None:
    path = tmp_path / "a.asc"
    path.write_text(GRID + "1 2 3\n4 5 6\n")
    grid = ground.read(path)
    assert grid.depth(0.0, 10.0) == 1.0
    assert grid.depth(20.0, 0.0) == 6.0
    assert grid.depth(5.0, 5.0) == pytest.approx(3.0)
    assert ground.read(path, "height").depth(0.0, 0.0) == -4.0


def test_places_without_a_depth_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.asc"
    path.write_text(GRID + "1 2 -9999\n4 5 6\n")
    grid = ground.read(path)
    with pytest.raises(InvalidValue, match="off the grid: expected x from 0 to 20"):
        grid.depth(21.0, 0.0)
    with pytest.raises(InvalidValue, match="cells without data"):
        grid.depth(15.0, 5.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GRID + "1 2 3\n4 5\n", "5 numbers: expected 2 rows of 3"),
        ("nrows 2\ncellsize 1\n1 2\n", "ncols is missing"),
        ("ncols 40000\nnrows 40000\ncellsize 1\n", "12800 MB: expected at most 10000000 cells"),
    ],
)
def test_an_invalid_grid_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "a.asc"
    path.write_text(text)
    with pytest.raises(InvalidValue, match=expected):
        ground.read(path)


WANDERING = """
water: {seed: 4}
current:
  speed: 0.5
  direction_to: 60
  gauss_markov: {deviation: 0.1, time_constant: 50, direction_deviation: 10, min: 0.2, max: 0.7}
"""


def test_a_gauss_markov_current_keeps_its_mean_its_deviation_and_its_limits(tmp_path: Path) -> None:
    environment = load(written(tmp_path, WANDERING), 1)
    assert environment.has_current
    assert environment.current_at(0.0, 0.0, 0.0, 0.0) == pytest.approx(
        (0.5 * sin(radians(60)), 0.5 * cos(radians(60)))
    )
    flow = np.array([environment.current_at(0.0, 0.0, 0.0, t) for t in range(0, 40_000, 4)])
    speed, direction = np.hypot(*flow.T), np.degrees(np.arctan2(*flow.T))
    assert speed.min() >= 0.2 - 1e-12
    assert speed.max() <= 0.7 + 1e-12
    assert speed.mean() == pytest.approx(0.5, abs=0.02)
    assert speed.std() == pytest.approx(0.1, rel=0.15)
    assert direction.mean() == pytest.approx(60.0, abs=2.0)
    assert direction.std() == pytest.approx(10.0, rel=0.15)
    late = (speed - speed.mean())[1:] @ (speed - speed.mean())[:-1] / (len(speed) * speed.var())
    assert late == pytest.approx(exp(-4 / 50), abs=0.02)


def test_a_gauss_markov_current_is_a_function_of_seed_and_time_alone(tmp_path: Path) -> None:
    file = written(tmp_path, WANDERING)
    forth, back = load(file, 1), load(file, 1)
    times = [0.3, 700.25, 12.0, 2000.5]
    seen = {t: forth.current_at(0.0, 0.0, 0.0, t) for t in times}
    assert seen == {t: back.current_at(9.0, 9.0, 5.0, t) for t in reversed(times)}
    assert forth.identity == back.identity != load(file, 2).identity
    assert load(file, 2).current_at(0.0, 0.0, 0.0, 12.0) != seen[12.0]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (
            "min: 0.6",
            "gauss_markov.min = 0.6: expected a number from 0 to 0.5",
        ),
        ("max: 0.4", "current.gauss_markov.max = 0.4: expected a number at least 0.5"),
        ("time_constant: 0", "time_constant = 0: expected"),
        ("deviaton: 0.1", "unknown key; did you mean deviation"),
    ],
)
def test_a_gauss_markov_current_that_cannot_be_is_refused(
    tmp_path: Path, key: str, expected: str
) -> None:
    text = f"current: {{speed: 0.5, direction_to: 60, gauss_markov: {{{key}}}}}"
    with pytest.raises(InvalidValue, match=expected):
        load(written(tmp_path, text), 1)
