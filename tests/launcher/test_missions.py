"""Mission files of the command line, and the apps of their launch lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.launcher.errors import Problems
from steerageway.launcher.missions import Community, read_communities
from steerageway.launcher.options import parse_options


def read(*arguments: str | Path) -> tuple[tuple[Community, ...], list[str]]:
    """Read the communities of a command line; return them and the errors."""
    problems = Problems()
    options = parse_options([str(argument) for argument in arguments])
    return read_communities(options, problems), list(map(str, problems.found))


def test_a_folder_selects_its_only_mission_file(duet: Path) -> None:
    (from_folder,), _ = read(duet.parent)
    assert from_folder.mission.path == duet


def test_a_folder_with_several_mission_files_is_an_error_that_names_them(duet: Path) -> None:
    (duet.parent / "other.moos").write_text(duet.read_text())
    _, (problem,) = read(duet.parent)
    assert "duet.moos" in problem
    assert "other.moos" in problem


def test_a_folder_with_several_mission_files_names_its_scripts(duet: Path) -> None:
    (duet.parent / "other.moos").write_text(duet.read_text())
    script = duet.parent / "launch_demo.sh"
    script.write_text("pAntler duet.moos\n")
    _, (problem,) = read(duet.parent)
    assert problem.endswith(f"; or one of its scripts: {script}")


def test_a_behavior_file_is_no_mission(duet: Path) -> None:
    _, (problem,) = read(duet.with_suffix(".bhv"))
    assert problem.endswith("duet.bhv: expected a .moos file or a folder with one")


def test_a_folder_of_missions_names_them(duet: Path) -> None:
    _, (problem,) = read(duet.parent.parent)
    assert problem.endswith(f"there are: none; in it are {duet.parent}")


def test_a_file_without_a_launch_list_is_only_included(duet: Path) -> None:
    (duet.parent / "plugs.moos").write_text(
        "<tag><warp>\nMOOSTimeWarp = 2\n// ProcessConfig = ANTLER\n"
    )
    (from_folder,), _ = read(duet.parent)
    assert from_folder.mission.path == duet


def test_a_file_of_an_older_encoding_is_found_in_its_folder(duet: Path) -> None:
    duet.write_bytes(b"// K\xfcste\n" + duet.read_bytes())
    (duet.parent / "plugs.moos").write_bytes(b"// K\xfcste\n")
    (from_folder,), _ = read(duet.parent)
    assert from_folder.mission.path == duet


def test_a_template_for_vessels_allows_no_other_mission(duet: Path, tmp_path: Path) -> None:
    (tmp_path / "fleet").mkdir()
    (tmp_path / "fleet" / "meta_vehicle.moos").write_text(duet.read_text())
    _, (problem,) = read(duet, tmp_path / "fleet")
    assert problem == f"{tmp_path}/fleet: expected no other mission: it has a template for vessels"


def test_a_name_behind_the_file_renames_the_community_everywhere(duet: Path) -> None:
    (community,), _ = read(f"{duet}@gilda")
    assert community.name == "gilda"
    line = community.mission.value("Community")
    assert line is not None
    assert line.value == "gilda"
    duet.write_text(duet.read_text().replace("Community = duet", "COMMUNITY = duet"))
    (community,), _ = read(f"{duet}@gilda")
    lines = (*community.mission.lines, *community.mission.globals)
    assert {one.value for one in lines if one.key.lower() == "community"} == {"gilda"}


def test_one_file_may_run_twice_under_two_names(duet: Path) -> None:
    communities, found = read(f"{duet}@gilda", f"{duet}@henry")
    assert [one.name for one in communities] == ["gilda", "henry"]
    assert not found


def test_two_communities_of_one_name_are_an_error(duet: Path) -> None:
    _, (problem,) = read(duet, duet)
    assert f"expected another: {duet}@NAME" in problem


def test_viewers_are_named_and_skipped_with_a_reason(duet: Path) -> None:
    (community,), _ = read(duet)
    assert community.launch_list == ("Walker", "pEcho")
    ((name, why),) = community.skipped
    assert name == "pMarineViewer"
    assert "a viewer" in why


def test_skip_and_only_choose_by_run_name_or_process(duet: Path) -> None:
    assert read(duet, "--skip", "pEcho")[0][0].launch_list == ("Walker",)
    assert read(duet, "--only", "duet:Echo")[0][0].launch_list == ("pEcho",)


def test_another_process_replaces_one_under_its_name(duet: Path) -> None:
    for named in ("pEcho", "duet:Echo"):
        (community,), problems = read(duet, "--app", f"{named} = pXRelay")
        assert not problems
        assert [(run.alias, run.process) for run in community.runs] == [
            ("Walker", "duet:Walker"),
            ("pEcho", "pXRelay"),
        ]


def test_a_viewer_is_started_when_it_has_a_replacement(duet: Path) -> None:
    (community,), _ = read(duet, "--app", "pMarineViewer=duet:Echo")
    assert community.launch_list == ("Walker", "pMarineViewer", "pEcho")


@pytest.mark.parametrize("text", ["=duet:Echo", "pEcho="])
def test_a_replacement_must_name_the_replaced_app(text: str, duet: Path) -> None:
    _, (problem,) = read(duet, "--app", text)
    assert problem == f"--app {text}: expected APP=PROCESS, as pA=module:ClassName"


def test_an_app_is_added_behind_all_lines_of_the_launch_list(duet: Path) -> None:
    (community,), problems = read(duet, "--app", "uSceneSensors", "--config", "uSceneSensors.z=1")
    assert not problems
    assert community.launch_list == ("Walker", "pEcho", "uSceneSensors")
    lines = duet.read_text().count("Run = ")
    gap = community.antler.ms_between_launches * 1_000_000
    assert community.antler.start_of(community.runs[-1]) == lines * gap


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("gilda:pEcho", "expected pEcho=PROCESS, as it is in the launch list of gilda"),
        ("gilda:uTraker", "expected an app to add, the nearest is uTracker; or APP=PROCESS"),
        ("uTracker", "expected NAME:uTracker or *:uTracker; communities: gilda, henry"),
        ("gild:uTracker", "expected a community, the nearest is gilda"),
    ],
)
def test_an_app_that_cannot_be_added_is_an_error(text: str, problem: str, duet: Path) -> None:
    _, (found,) = read(f"{duet}@gilda", f"{duet}@henry", "--app", text)
    assert found == f"--app {text}: {problem}"


def test_an_app_is_added_to_one_community_or_to_all(duet: Path) -> None:
    for name, having in (("gilda", ["gilda"]), ("*", ["gilda", "henry"])):
        found, _ = read(f"{duet}@gilda", f"{duet}@henry", "--app", f"{name}:uTracker")
        assert [one.name for one in found if "uTracker" in one.launch_list] == having


def test_an_app_started_by_hand_is_never_skipped(duet: Path) -> None:
    (community,), _ = read(duet, "--external", "pMarineViewer")
    assert community.launch_list == ("Walker", "pMarineViewer", "pEcho")


@pytest.mark.parametrize("option", ["--skip", "--only", "--external", "--app"])
def test_an_app_that_is_not_in_the_launch_list_cannot_be_named(option: str, duet: Path) -> None:
    _, (problem,) = read(duet, option, "pEko=pEcho" if option == "--app" else "pEko")
    assert problem == f"{option} pEko: expected an app of the launch list, the nearest is pEcho"


def test_every_invalid_file_is_reported(tmp_path: Path) -> None:
    bad = tmp_path / "bad.moos"
    bad.write_text("ProcessConfig = ANTLER\n{\n")
    _, found = read(tmp_path / "none.moos", bad, tmp_path / "x.yml", f"{bad}@a b")
    assert len(found) == 4
    assert "none.moos: expected a mission file: No such file" in found[0]
    assert "bad.moos:1" in found[1]
    assert "expected a .moos file" in found[2]
    assert "expected the name of a community behind @" in found[3]


def test_a_missing_mission_is_reported_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "survey").mkdir()
    (tmp_path / "alpha").mkdir()
    (tmp_path / "dive.moos").write_text("")
    for wrong, right in (("survy", "survey"), ("alfa", "alpha"), ("dvie.moos", "dive.moos")):
        _, (problem,) = read(tmp_path / wrong)
        assert problem.endswith(
            f"{wrong}: expected a mission file or a folder; the nearest is {tmp_path / right}"
        )
    _, (problem,) = read(tmp_path / "other")
    assert "No such file" in problem
