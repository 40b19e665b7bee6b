"""Fleets: a template launched for many vessels."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.launcher.command import main
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.fleet import vessel_names, with_fleet
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch
from tests.launcher.plans import plan

VEHICLE = """\
Community = $(VNAME)
ServerPort = $(MOOS_PORT)
ProcessConfig = ANTLER
{
  MSBetweenLaunches = $(LAUNCH_GAP)
  Run = MOOSDB
  Run = walk:Walker
}
ProcessConfig = Walker
{
  start = $(START_POS)
  place = $(START_X) $(START_Y) $(START_HDG)
  share = $(PSHARE_PORT) to $(SHORE_PSHARE)
  count = $(VINDEX) of $(VESSELS) at $(WARP)
  pace = $(PACE:=2)
#ifdef XMODE SIM
  look = $(COLOR) of $(VNAMES)
#endif
#ifdef MMOD
  mod = $(MMOD)
#endif
}
"""
SHORE = """\
Community = $(VNAME)
ServerPort = $(MOOS_PORT)
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = walk:Walker
}
"""
BLOCK = """\
ProcessConfig = Walker
{
  port = $(SPORT) or $(SHORE_MOOSDB)
  share = $(SHARE_LISTEN) or $(BOT_PSHARE)
  of = $(SNAME)
}
"""
WALKER = """
from steerageway.bus import App


class Walker(App):
    publishes = ("PACE",)

    def configure(self):
        self.read = {entry.key: entry.value for entry in self.config}
        self.config.all(*self.read)

    def iterate(self):
        self.post("PACE", self.time)
"""
BEHAVIORS = """\
initialize NAME_OF = $(VNAME)
Behavior = BHV_ConstantSpeed
{
  name = cruise
  speed = 1.5
}
"""


@pytest.fixture
def folder(workplace: Path) -> Path:
    """Return a folder with a template of a vessel and one of the shore."""
    place = workplace / "harbour"
    place.mkdir()
    (place / "meta_vehicle.moos").write_text(VEHICLE)
    (place / "meta_vehicle.bhv").write_text(BEHAVIORS)
    (place / "meta_shoreside.moos").write_text(SHORE)
    (place / "walk.py").write_text(WALKER)
    return place


def rewrite(path: Path, old: str, new: str) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def walker_blocks(launch: Launch) -> dict[str, dict[str, str]]:
    """Return the lines of the walker's block, by community."""
    return {a.community: a.app.read for a in launch.plan.apps if a.name == "Walker"}  # type: ignore[attr-defined]


def test_each_vessel_and_the_shore_are_communities(folder: Path) -> None:
    launch = plan(folder, "--vessels", "3")
    assert launch.plan.communities == ("shoreside", "abe", "ben", "cal")
    (folder / "meta_shoreside.moos").unlink()
    assert plan(folder, "--vessels", "3").plan.communities == ("abe", "ben", "cal")


def test_moos_ivp_scripts_need_only_the_available_macros(folder: Path) -> None:
    lines = "name = $(VNAME)\n  db = $(MOOS_PORT) at $(IP_ADDR)\n  shore = $(SHORE_IP) and $(SHORE)"
    block = f"ProcessConfig = Walker\n{{\n  {lines}\n  gui = $(LAUNCH_GUI)\n}}\n"
    (folder / "meta_shoreside.moos").write_text(SHORE + block)
    rewrite(folder / "meta_vehicle.moos", "pace = $(PACE:=2)", lines)
    blocks = walker_blocks(plan(folder, "--vessels", "2"))
    assert blocks["shoreside"] == {
        "name": "shoreside",
        "db": "9000 at localhost",
        "shore": "localhost and localhost:9200",
        "gui": "no",
    }
    own = [(blocks[name]["name"], blocks[name]["db"]) for name in ("abe", "ben")]
    assert own == [("abe", "9001 at localhost"), ("ben", "9002 at localhost")]


def test_a_template_of_an_older_encoding_is_launched(folder: Path) -> None:
    path = folder / "meta_vehicle.moos"
    path.write_bytes(b"// K\xfcste\n" + path.read_bytes())
    assert set(walker_blocks(plan(folder, "--vessels", "2"))) == {"shoreside", "abe", "ben"}


def test_each_vessel_has_its_own_macros(folder: Path) -> None:
    blocks = walker_blocks(plan(folder, "--vessels", "2", "--start", "line:40"))
    assert blocks["abe"]["start"] == "x=-20,y=0,heading=0"
    assert blocks["ben"] == {
        "start": "x=20,y=0,heading=0",
        "place": "20 0 0",
        "share": "9202 to 9200",
        "count": "1 of 2 at 1",
        "pace": "2",
        "look": "red of abe:ben",
    }


def test_files_get_the_warp_in_free_run_only(folder: Path) -> None:
    """They post it, and in lockstep a log is the same at every warp."""
    for requested, expected in ((["--warp", "20"], "1"), (["--warp", "20", "--free-run"], "20")):
        options = parse_options([str(folder), "--vessels", "1", *requested])
        assert f"WARP={expected}" in with_fleet(options).define


def test_ticks_of_vessels_are_not_aligned(folder: Path) -> None:
    defines = with_fleet(parse_options([str(folder), "--vessels", "100"])).define
    gaps = [text.partition("=")[2] for text in defines if ":LAUNCH_GAP=" in text]
    assert len(set(gaps)) == 100
    apps = plan(folder, "--vessels", "3").plan.apps
    begun = [app.start for app in apps if app.name == "Walker" and app.community != "shoreside"]
    assert len(set(begun)) == 3


def test_each_helm_finds_its_own_behaviors(folder: Path) -> None:
    launch = plan(folder, "--vessels", "2")
    folders = {one.name: one.mission.path.parent for one in launch.communities}
    for name in ("abe", "ben"):
        text = (folders[name] / f"targ_{name}.bhv").read_text()
        assert text.startswith(f"initialize NAME_OF = {name}\n")
    assert not (folders["shoreside"] / "targ_shoreside.bhv").exists()


def test_definitions_by_the_user_take_precedence(folder: Path) -> None:
    more = ("--define", "PACE=9", "--define", "ben:START_POS=x=7,y=8")
    blocks = walker_blocks(plan(folder, "--vessels", "2", *more))
    assert [block["pace"] for name, block in blocks.items() if name != "shoreside"] == ["9", "9"]
    assert blocks["ben"]["start"] == "x=7,y=8"
    assert blocks["abe"]["start"] != "x=7,y=8"


def test_a_template_of_older_scripts_finds_its_ports(folder: Path) -> None:
    older = (
        "port = $(VPORT)\n  listen = $(SHARE_LISTEN) to $(SHORE) or $(SHORE_LISTEN)\n"
        "  bot = $(BOT_MOOSDB) at $(BOT_PSHARE) beside $(VNAME1)"
    )
    rewrite(folder / "meta_vehicle.moos", "start = $(START_POS)", older)
    (folder / "meta_shoreside.moos").write_text(SHORE + BLOCK)
    blocks = walker_blocks(plan(folder, "--vessels", "2"))
    assert blocks["ben"]["port"] == "9002"
    assert blocks["ben"]["listen"] == "9202 to localhost:9200 or 9200"
    assert blocks["ben"]["bot"] == "9002 at 9202 beside abe"
    assert blocks["shoreside"] == {
        "port": "9000 or 9000",
        "share": "9200 or 9200",
        "of": "shoreside",
    }


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("$(START_POS), 180, 0", "7,8, 180, 0"),
        ("$(START_POS), 0  // at rest", "x=7,y=8,heading=90, 0"),
        ("$(START_POS),speed=2", "x=7,y=8,heading=90,speed=2"),
        ("$(START_POS)  // $(START_POS), 180", "x=7,y=8,heading=90"),
    ],
)
def test_a_start_followed_by_numbers_is_x_and_y(
    folder: Path, tmp_path: Path, line: str, read: str
) -> None:
    rewrite(folder / "meta_vehicle.moos", "start = $(START_POS)", f"start = {line}")
    (tmp_path / "starts.txt").write_text("7,8,90\n")
    blocks = walker_blocks(plan(folder, "--vessels", "1", "--start", str(tmp_path / "starts.txt")))
    assert blocks["abe"]["start"] == read


def test_random_starts_are_the_rule_and_follow_the_seed(folder: Path) -> None:
    def places(*options: str) -> list[str]:
        blocks = walker_blocks(plan(folder, "--vessels", "5", *options))
        return [block["start"] for name, block in blocks.items() if name != "shoreside"]

    assert places() == places("--start", "random", "--seed", "0")
    assert places() != places("--seed", "1")


def test_the_missions_folder_is_not_written(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    plan(folder, "--vessels", "4")
    after = {path: path.stat().st_mtime_ns for path in folder.iterdir() if path.suffix}
    assert after == before


def test_a_fleet_runs_under_the_name_of_its_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(folder), "--vessels", "3", "--placement", "one", "--warp", "max"]
    assert main([*arguments, "--until", "*:PACE > 3", "--for", "20"]) == 0
    assert "logs: logs/harbour-001" in capsys.readouterr().err


def test_a_template_is_launched_for_two_vessels_by_default(folder: Path) -> None:
    assert set(walker_blocks(plan(folder))) == set(walker_blocks(plan(folder, "--vessels", "2")))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere", "--vessels", "2"), "--vessels 2: nowhere: expected one folder with a meta_"),
        (("harbour", "harbour", "--vessels", "2"), "--vessels 2: expected one folder"),
        (("a.moos", "--start", "grid"), "--start grid: expected one folder with a meta_vehicle"),
        (
            ("harbour", "harbour"),
            "harbour: expected no other mission: it has a template for vessels",
        ),
        (
            ("a.moos", "harbour"),
            "harbour: expected no other mission: it has a template for vessels",
        ),
        (("harbour", "--vessels", "2", "--start", "oval"), "--start oval: expected line, grid"),
    ],
)
def test_an_invalid_option_is_reported_with_the_expected_form(
    folder: Path, arguments: tuple[str, ...], expected: str
) -> None:
    with pytest.raises(LaunchError) as error:
        plan(*arguments)
    assert expected in str(error.value)


def test_a_fleet_of_no_vessels_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("0", "-1", "some"):
        with pytest.raises(SystemExit):
            parse_options(["harbour", "--vessels", text])
        assert "expected a whole number at least 1" in capsys.readouterr().err


def test_names_do_not_run_out() -> None:
    names = vessel_names(200)
    assert len(set(names)) == 200
    assert names[:3] == ["abe", "ben", "cal"]
    assert names[26:28] == ["abe2", "ben2"]


def test_an_invalid_line_with_an_undefined_macro_shows_how_to_define_it(folder: Path) -> None:
    vehicle = folder / "meta_vehicle.moos"
    vehicle.write_text(vehicle.read_text().replace("= $(LAUNCH_GAP)", "= $(GAP)"))
    with pytest.raises(LaunchError) as error:
        plan(folder, "--vessels", "2")
    (problem,) = error.value.problems
    assert problem.endswith("; perhaps --define GAP=VALUE")
