"""Expansion of mission files that are templates."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from steerageway.launcher.command import main
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission import Mission, MissionFailed
from steerageway.launcher.mission_cache import cache_folder
from tests.launcher.plans import plan

ROOT = Path(__file__).parents[2]
META = """\
Community = $(VNAME)
ServerPort = 9000
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = walk:Walker
  Run = pHelmIvP
}
ProcessConfig = Walker
{
  #include plug_pace.txt
}
#include plug_pace.txt <fast>
ProcessConfig = pHelmIvP
{
  behaviors = targ_$(VNAME).bhv
  domain = course:0:359:360
  domain = speed:0:4:41
}
"""
WALKER = """
from steerageway.bus import App


class Walker(App):
    publishes = ("PACE",)

    def configure(self):
        self.pace = self.config.number("pace", default=1.0)

    def iterate(self):
        self.post("PACE", self.pace)
"""
BEHAVIORS = """\
initialize NAME_OF = $(VNAME)
Behavior = BHV_ConstantSpeed
{
  name = cruise
  speed = $(SPEED:=1.5)
}
"""


@pytest.fixture
def folder(workplace: Path) -> Path:
    """Return a folder with a template of a mission."""
    place = workplace / "mission"
    place.mkdir()
    (place / "meta.moos").write_text(META.replace("  #include", "#include"))
    (place / "plug_pace.txt").write_text("  pace = $(PACE:=2)\n<tag> slow\n<tag> fast\n")
    (place / "walk.py").write_text(WALKER)
    (place / "meta.bhv").write_text(BEHAVIORS)
    return place


ONE = ("--define", "VNAME=abe", "--plug", "meta.bhv=targ_abe.bhv")


def test_a_template_is_expanded_with_the_defined_macros(folder: Path) -> None:
    launch = plan(folder, *ONE, "--define", "PACE=7")
    assert launch.plan.communities == ("abe",)
    (walker, helm) = launch.plan.apps
    assert walker.app.pace == 7.0  # type: ignore[attr-defined]
    assert helm.name == "pHelmIvP"


def test_an_undefined_macro_leaves_its_default(folder: Path) -> None:
    assert plan(folder, *ONE).plan.apps[0].app.pace == 2.0  # type: ignore[attr-defined]


def test_each_instance_has_its_own_macros_and_files(folder: Path) -> None:
    meta = folder / "meta.moos"
    launch = plan(
        *(f"{meta}@abe", f"{meta}@ben", "--define", "abe:VNAME=abe", "--define", "ben:VNAME=ben"),
        *("--plug", "meta.bhv=targ_abe.bhv@abe", "--plug", "meta.bhv=targ_ben.bhv@ben"),
        *("--define", "ben:PACE=9"),
    )
    paces = {a.community: a.app.pace for a in launch.plan.apps if a.name == "Walker"}  # type: ignore[attr-defined]
    assert paces == {"abe": 2.0, "ben": 9.0}


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("sea/of", "../own.bhv"),
        ("sea", "../../own.bhv"),
        ("sea/charts", "../../charts/own.bhv"),
        ("sea/of/mission", "../mission/own.bhv"),
    ],
)
def test_paths_that_lead_out_of_the_missions_folder_start_there(
    place: str, named: str, folder: Path
) -> None:
    deep = folder.parent / "sea" / "of" / "mission"
    deep.parent.mkdir(parents=True)
    folder.rename(deep)
    (folder.parent / place).mkdir(exist_ok=True)
    (folder.parent / place / "own.bhv").write_text("initialize FROM_THERE = true\n")
    meta = deep / "meta.moos"
    for_all = meta.read_text()
    other = "  // not ../other.bhv"  # the farthest of all ways out counts
    meta.write_text(for_all.replace("  domain", f"{other}\n  behaviors = {named}\n  domain", 1))
    (_, helm) = plan(deep, *ONE).plan.apps
    assert "FROM_THERE" in helm.app.publishes
    meta.write_text(for_all)
    app = plan(deep, *ONE, "--config", f"pHelmIvP.behaviors={named}").plan.apps[1]
    assert "FROM_THERE" in app.app.publishes


def test_errors_in_a_file_outside_the_missions_folder_name_that_file(folder: Path) -> None:
    (folder.parent / "own.bhv").write_text("initialize\n")
    meta = folder / "meta.moos"
    meta.write_text(meta.read_text().replace("targ_$(VNAME)", "../own"))
    (error,) = problems(folder.name, *ONE)
    assert error.startswith("mission/../own.bhv:1: initialize: ")


def test_the_missions_folder_is_not_written(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    plan(folder, *ONE)
    after = {path: path.stat().st_mtime_ns for path in folder.iterdir() if path.suffix}
    assert after == before


def test_an_expanded_mission_runs_and_reports_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(folder), *ONE, "--placement", "one", "--warp", "max", "--log", "run"]
    assert main([*arguments, "--until", "NAME_OF = abe", "--for", "20"]) == 0
    assert "ended: until NAME_OF = abe" in capsys.readouterr().out


def test_files_are_looked_for_in_further_folders(folder: Path, tmp_path: Path) -> None:
    (folder / "plug_pace.txt").rename(tmp_path / "plug_pace.txt")
    with pytest.raises(LaunchError, match=r"moos:11: #include = plug_pace\.txt: expected a file"):
        plan(folder, *ONE)
    assert plan(folder, *ONE, "--path", tmp_path).plan.communities == ("abe",)


def test_an_unknown_macro_is_reported_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (folder / "meta.moos").read_text()
    (folder / "meta.moos").write_text(text + "LatOrigin = $(LAT)\n")
    assert main([str(folder), *ONE, "--check"]) == 0
    assert "LatOrigin = $(LAT): no macro LAT" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (("--define", "A B=1"), "--define A B=1: expected [NAME:]KEY=VALUE"),
        (("--plug", "meta.bhv"), "--plug meta.bhv: expected TEMPLATE=FILE[@NAME]"),
        (("--plug", "none.bhv=x.bhv"), "none.bhv: cannot be read: No such file"),
    ],
)
def test_an_invalid_option_is_reported_with_the_expected_form(
    option: tuple[str, str], expected: str, folder: Path
) -> None:
    with pytest.raises(LaunchError) as error:
        plan(folder, *ONE, *option)
    assert expected in str(error.value)


def test_expansions_not_launched_for_long_are_removed_several_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setattr("steerageway.launcher.mission_cache.MOST", 4)
    monkeypatch.setattr("steerageway.launcher.mission_cache.KEPT", 3)
    folders = []
    for number in range(5):
        folders.append(cache_folder([str(number)]))
        os.utime(folders[-1], (number, number))  # long ago, one after the other
        if number == 3:
            cache_folder(["1"])  # asked for again
    assert [folder.is_dir() for folder in folders] == [False, True, False, True, True]


def instances(folder: Path, *names: str) -> list[str]:
    """Return the arguments that launch instances of the template, named from where we are."""
    arguments = [f"{folder.name}/meta.moos@{name}" for name in names]
    for name in names:
        arguments += [
            "--define",
            f"{name}:VNAME={name}",
            "--plug",
            f"meta.bhv=targ_{name}.bhv@{name}",
        ]
    return arguments


def problems(*arguments: str) -> tuple[str, ...]:
    """Return the errors of a launch."""
    with pytest.raises(LaunchError) as error:
        plan(*arguments)
    return error.value.problems


def test_an_error_in_a_template_is_reported_once_with_its_own_line(folder: Path) -> None:
    (folder / "plug_pace.txt").write_text(
        "\n#ifdef PACE\n#else\n  pace = fast\n#endif\n<tag> fast\n"
    )
    names = ("abe", "ben", "cal")
    errors = problems(*instances(folder, *names))
    assert errors == (
        "mission/plug_pace.txt:4 (for abe, ben, cal): pace = fast: expected a number",
    )
    errors = problems(*instances(folder, *names), "--define", "ben:PACE=3")
    assert errors == ("mission/plug_pace.txt:4 (for abe, cal): pace = fast: expected a number",)
    (told_of_many,) = problems(*instances(folder, *names, "dee", "eve", "fin"))
    assert "plug_pace.txt:4 (for abe, ben, cal, dee and 2 more): " in told_of_many


def test_warnings_that_differ_between_instances_are_reported_for_each(folder: Path) -> None:
    paces = ("--define", "abe:PACE=slow", "--define", "ben:PACE=fast")
    assert problems(*instances(folder, "abe", "ben"), *paces) == (
        "mission/plug_pace.txt:1 (for abe): pace = slow: expected a number",
        "mission/plug_pace.txt:1 (for ben): pace = fast: expected a number",
    )


BROKEN = """
    def iterate(self):
        self.run_warning(f"{self.config.entry('pace').where}: it is late")
        raise self.config.error(self.config.entry("pace"), "expected patience")
"""


def test_failures_while_running_are_reported_at_the_users_own_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module = folder / "walk.py"
    module.write_text(module.read_text().partition("    def iterate")[0] + BROKEN)
    run = (*ONE, "--placement", "one", "--warp", "max", "--no-log", "--for", "3")
    assert main([folder.name, *run]) == 1
    captured = capsys.readouterr()
    own = "mission/plug_pace.txt:1: "
    assert f"Walker: ConfigError: {own}pace = 2: expected patience" in captured.out
    assert f"run warning, once: {own}it is late" in captured.out
    assert f'File "{module}", line ' in captured.err
    assert str(folder.parent / "runtime") not in captured.out + captured.err


def test_failures_in_a_stepped_mission_are_reported_at_the_users_own_line(folder: Path) -> None:
    module = folder / "walk.py"
    module.write_text(module.read_text().partition("    def iterate")[0] + BROKEN)
    options = {"define": "VNAME=abe", "plug": "meta.bhv=targ_abe.bhv"}
    with Mission(folder.name, **options) as mission:
        with pytest.raises(MissionFailed, match=r"mission/plug_pace\.txt:1: pace = 2: expected p"):
            mission.run_until(3)
        (failure,) = mission.close()["failures"]
    assert "mission/plug_pace.txt:1: pace = 2" in failure["reason"]


def test_a_file_that_is_plugged_in_is_reported_by_its_templates_line(folder: Path) -> None:
    behaviors = BEHAVIORS.replace("  name", "#ifdef SPEED\n  perpetual = no\n#endif\n  name")
    (folder / "meta.bhv").write_text(behaviors)
    (error,) = problems(*instances(folder, "abe", "ben"), "--define", "SPEED=quick")
    assert error.startswith("mission/meta.bhv:8 (for abe, ben): speed = quick: expected a number")
    (alone,) = problems(folder.name, *ONE, "--define", "SPEED=quick")
    assert alone.startswith("mission/meta.bhv:8: speed = quick: expected a number")


def test_a_block_that_is_not_closed_is_reported_by_the_templates_line(folder: Path) -> None:
    text = (folder / "meta.moos").read_text()
    (folder / "meta.moos").write_text("#define A 1\n#define B 2\n" + text.rstrip("}\n"))
    (error,) = problems(*instances(folder, "abe", "ben"))
    line = (folder / "meta.moos").read_text().split("\n").index("ProcessConfig = pHelmIvP") + 1
    where = f"mission/meta.moos:{line} (for abe, ben): "
    assert error == f"{where}ProcessConfig = pHelmIvP: expected }} at the end of the block"


def test_a_condition_left_open_is_reported_with_its_consequences(folder: Path) -> None:
    meta = folder / "meta.moos"
    meta.write_text("#ifdef SHALLOW\n" + meta.read_text())
    (error, *others) = problems(*instances(folder, "abe", "ben"))
    assert error == "mission/meta.moos:1 (for abe, ben): no #endif for it: it counts to the end"
    assert "expected a block ProcessConfig = ANTLER" in others[0]


def test_a_suspicious_line_is_reported_once_and_in_the_apps_report(folder: Path) -> None:
    (folder / "plug_pace.txt").write_text("\n  pase = 3\n<tag> fast\nCommunitty = $(VNAME)\n")
    launch = plan(*instances(folder, "abe", "ben"))
    expected = "mission/plug_pace.txt:2 (for {}): pase = 3: unknown key"
    assert sum(expected.format("abe, ben") in warning for warning in launch.warnings) == 1
    for name in ("abe", "ben"):
        line = f"mission/plug_pace.txt:4 (for {name}): Communitty = {name}"
        assert any(line in warning for warning in launch.warnings)
    for app in launch.plan.apps:
        if app.name == "Walker":
            for made in (app.app, app.rebuild(1)):
                assert expected.format(app.community) in "".join(made.config_warnings)


@pytest.mark.slow
def test_a_vessel_above_a_templated_mission_is_found_as_without_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing above the folder of expanded files counts, but the mission's own folder does."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "elsewhere" / "cache"))
    shutil.copytree(ROOT / "inputs" / "tito_neri", tmp_path / "inputs" / "mine")
    shutil.copy(ROOT / "inputs" / "otter" / "thrusters.yml", tmp_path / "two.yml")
    sensors = "sensors:\n- {sensor_type: IMU, publish_rate: 5}\n"
    (tmp_path / "inputs" / "mine" / "sensors.yml").write_text(sensors)
    mission = tmp_path / "missions" / "survey" / "mine.moos"
    mission.parent.mkdir(parents=True)
    mission.write_text(
        "Community = mine\nProcessConfig = ANTLER\n{\n  Run = MOOSDB\n  Run = uSimMarineV22\n"
        "  Run = uSensors\n}\nProcessConfig = uSimMarineV22\n{\n  model = fossen\n"
        "  vessel = inputs/mine\n  $(MORE:=prefix = NAV)\n}\n"
    )

    def actuators(*options: str) -> list[str]:
        simulator, sensors = (one.app for one in plan(mission, *options).plan.apps)
        assert "IMU_AX" in sensors.publishes
        return [name for name in simulator.publishes if name.startswith(("USM_TH", "USM_AZ"))]

    assert len(actuators("--define", "X=1")) == 5
    plain = mission.read_text().replace("$(MORE:=prefix = NAV)", "prefix = NAV")
    mission.write_text(plain)
    assert len(actuators()) == 5
    two = plain.replace("prefix = NAV", "vessel_file = thrusters = two.yml\n$(X)")
    mission.write_text(two)
    assert actuators("--define", "X=prefix=NAV") == ["USM_TH_1", "USM_TH_2"]
