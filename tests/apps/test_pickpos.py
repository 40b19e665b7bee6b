"""pickpos and gen_obstacles: positions, names and obstacles of launch scripts."""

from __future__ import annotations

import re
from math import atan2, degrees, dist, hypot
from pathlib import Path

import pytest

from steerageway.apps.experiments.pickpos.command import main
from steerageway.apps.experiments.pickpos.obstacles import main as obstacles
from steerageway.apps.experiments.pickpos.words import COLORS, NAMES
from steerageway.moos.obstacle_file import parse_obstacle_file

SQUARE = "--poly=0,0:50,0:50,50:0,50"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def points(lines: list[str]) -> list[tuple[float, float]]:
    found = [re.match(r"x=(-?[\d.]+),y=(-?[\d.]+)", line) for line in lines]
    return [(float(one[1]), float(one[2])) for one in found if one]


def test_positions_are_in_the_polygon_and_apart(capsys: pytest.CaptureFixture[str]) -> None:
    triangle = "--poly=0,0:50,0:50,50"
    found = points(printed(capsys, "--amt=8", triangle, "--buffer=5"))
    assert len(found) == 8
    assert all(0 <= y <= x <= 50 for x, y in found)
    assert min(dist(one, other) for one in found for other in found if one != other) >= 5


def test_without_room_positions_are_nearer(capsys: pytest.CaptureFixture[str]) -> None:
    found = points(printed(capsys, "--amt=9", "--poly=0,0:5,0:5,5:0,5", "--maxtries=50"))
    assert len(set(found)) == 9


def test_lines_have_the_form_of_moos_ivp(capsys: pytest.CaptureFixture[str]) -> None:
    """Keys only beside positions; the words of its first set of names, and of its colours."""
    options = ("--amt=2", "--hdg=10:10", "--spd=2", "--vnames", "--colors")
    assert printed(capsys, *options) == ["10,2,abe,yellow", "10,2,ben,red"]
    first, _ = printed(capsys, *options, SQUARE)
    assert re.fullmatch(r"x=[\d.]+,y=[\d.]+,heading=10,speed=2,abe,color=yellow", first)
    first, _ = printed(capsys, *options, SQUARE, "--format=terse")
    assert re.fullmatch(r"[\d.]+,[\d.]+,10,2,abe,yellow", first)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--vnames=zoe,yan",), ["zoe", "yan", "cal"]),
        (("--vnames", "--vix=1"), ["ben", "cal", "deb"]),
        (("--vnames", "-r"), ["zahl", "york", "xane"]),
        (("-g4", "--vnames"), ["art", "bud", "coy"]),
        (("--vnames=herons", "--vix=9"), ["pal", "kim", "lou"]),
        (("--indices", "--vix=3"), ["3", "4", "5"]),
        (("--grps=red,blue:alt",), ["red", "blue", "red"]),
        (("--colors=green",), ["green", "red", "dodger_blue"]),
    ],
)
def test_names_groups_and_numbers(
    options: tuple[str, ...], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys, "--amt=3", *options) == expected


def test_a_point_has_the_wanted_relative_bearing(capsys: pytest.CaptureFixture[str]) -> None:
    for line in printed(capsys, "--amt=5", SQUARE, "--hdg=100,20,90", "--hsnap=0.001"):
        ((x, y),) = points([line])
        bearing = degrees(atan2(100 - x, 20 - y))
        heading = float(line.rpartition("heading=")[2])
        assert (bearing - heading) % 360 == pytest.approx(90, abs=2e-3)


def test_positions_on_a_circle_are_evenly_spaced(capsys: pytest.CaptureFixture[str]) -> None:
    found = points(printed(capsys, "--amt=4", "--circle=x=5,y=6,rad=100"))
    assert [hypot(x - 5, y - 6) for x, y in found] == pytest.approx([100] * 4, abs=0.02)
    assert dist(found[0], found[2]) == pytest.approx(200, abs=0.02)


def test_lines_of_files_are_drawn_without_repetition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("at.txt").write_text("// starts\nx=1,y=2\nnonsense\nx=3, y=4\n")
    Path("words.txt").write_text("a\n// b\n\nc\n")
    assert sorted(printed(capsys, "--amt=2", "--posfile=at.txt")) == ["x=1,y=2", "x=3,y=4"]
    assert sorted(printed(capsys, "--amt=2", "--lfile=words.txt")) == ["a", "c"]
    assert main(["--amt=3", "--posfile=at.txt"]) == 2
    assert "--amt = 3: expected at most 2" in capsys.readouterr().err


def test_a_file_is_written_once_with_reuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--amt=2", SQUARE, f"--file={tmp_path}/at.txt", "--reuse", "--hdrs"]
    assert main([*options, "--seed=1"]) == 0
    first = (tmp_path / "at.txt").read_text()
    assert first.startswith("# Values chosen by the pickpos utility\n# pickpos --amt=2 ")
    assert main([*options, "--seed=2"]) == 0
    assert (tmp_path / "at.txt").read_text() == first
    assert capsys.readouterr().out == ""


def test_the_seed_decides(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = [printed(capsys, SQUARE, "--hdg=0:90", f"--seed={seed}") for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("--atm=2", "did you mean --amt?"),
        ("--amt=0", "--amt = 0: expected a whole number from 1"),
        ("--poly=0,0:1,1", "expected at least three points"),
        ("--poly=0,0:1,1:2,2", "no room for so many positions"),
        ("--hdg=90:10", "--hdg = 90:10: expected a number from -180 to 360, or LOW:HIGH"),
        ("--hdg=0,0,10", "expected positions, too"),
        ("--posfile=none.txt", "cannot be read: No such file"),
        ("--seed=x", "--seed = x: expected a whole number"),
    ],
)
def test_a_wrong_option_is_named(
    option: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([option]) == 2
    assert expected in capsys.readouterr().err


def test_names_and_colours_are_those_of_moos_ivp() -> None:
    assert [len(names) for names in NAMES] == [52] * 4
    assert [names[25] for names in NAMES] == ["zan", "zed", "zip", "zap"]
    assert (len(COLORS), COLORS[29]) == (30, "magenta")


def test_obstacles_are_in_the_region_apart_and_read_by_the_simulator(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--poly=-50,-30:-50,-130:50,-130:50,-30", "--amt=12", "--min_range=10"]
    assert obstacles([*options, "--min_size=5", "--max_size=8"]) == 0
    text = capsys.readouterr().out
    assert len(parse_obstacle_file(text, "obstacles.txt").obstacles) == 12
    polygons = [
        [tuple(map(float, point.split(","))) for point in line.split(":")]
        for line in re.findall(r"^poly = pts=\{(.*)\},label=ob_\d+$", text, re.MULTILINE)
    ]
    assert [len(polygon) for polygon in polygons] == [8] * 12
    assert all(-50 <= x <= 50 and -130 <= y <= -30 for polygon in polygons for x, y in polygon)
    sizes = [max(dist(a, b) for a in polygon for b in polygon) for polygon in polygons]
    assert all(4.8 <= size <= 8.2 for size in sizes)
    gaps = (
        dist(a, b)
        for index, one in enumerate(polygons)
        for other in polygons[:index]
        for a in one
        for b in other
    )
    assert min(gaps) >= 9.8
