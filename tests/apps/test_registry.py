"""Names of launch lists: classes, skipped names with reasons, and errors."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from steerageway.apps.__main__ import TOOLS, main
from steerageway.apps.shared.building import block_of
from steerageway.apps.shared.registry import (
    APPS,
    GATE,
    SKIPPED,
    UnknownApp,
    field_name,
    load,
    why_skipped,
)
from steerageway.bus import App
from steerageway.launcher.verbs import VERBS
from steerageway.moos.mission import read_mission


def test_every_moos_ivp_name_leads_to_a_class_with_that_name() -> None:
    kinds = {name: load(name) for name in APPS}
    assert all(issubclass(kind, App) for kind in kinds.values())
    assert [name for name, kind in kinds.items() if field_name(kind) != name] == []


@pytest.mark.parametrize(
    ("name", "sees_quotes"),
    [
        *((name, True) for name in ("pHelmIvP", "pNodeReporter", "pContactMgrV20", "pMissionEval")),
        *((name, True) for name in ("uFldNodeComms", "uTimerScript", "pObstacleMgr")),
        *((name, False) for name in ("uSimMarineV22", "pMarinePIDV22", "uFldBeaconRangeSensor")),
    ],
)
def test_quotes_reach_the_same_apps_as_in_moos_ivp(
    tmp_path: Path, name: str, sees_quotes: bool
) -> None:
    # Theirs is the choice: a flag's value in quotes is text, be it a number.
    mission = tmp_path / "quoted.moos"
    mission.write_text(f'ProcessConfig = {name}\n{{\n  flag = COUNT="3"\n}}\n')
    flag = block_of(load(name), read_mission(mission), name).text("flag")
    assert flag == ('COUNT="3"' if sees_quotes else "COUNT=3")


def test_no_name_is_both_started_and_skipped() -> None:
    assert not set(APPS) & set(SKIPPED)


def test_a_module_is_found_although_its_folder_has_been_imported_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does pytest with ``--import-mode=importlib``: the mission's folder is added later."""
    (tmp_path / "ferry_log").mkdir()
    text = "from steerageway import App\n\n\nclass Log(App):\n    pass\n"
    (tmp_path / "ferry_log" / "ferry_log.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    import_module("ferry_log")
    sys.path.append(str(tmp_path / "ferry_log"))
    assert issubclass(load("ferry_log:Log"), App)


def test_a_folder_before_the_name_changes_nothing() -> None:
    assert load("./bin/pXRelay") is load("pXRelay")
    assert why_skipped("/usr/bin/uXMS") == SKIPPED["uXMS"]


def test_the_example_of_the_moos_ivp_extend_tree_is_the_relay() -> None:
    assert issubclass(load("pXRelayTest"), load("pXRelay"))


def test_apps_removed_from_moos_ivp_are_skipped_with_their_replacement() -> None:
    assert "not among MOOS-IvP's own" in why_skipped("uFldCTDSensor")
    assert why_skipped("uSimCurrent").endswith("the simulator has its own drift")


def test_every_name_that_is_skipped_is_in_the_pages() -> None:
    page = (Path(__file__).parents[2] / "docs/launching.md").read_text()
    assert [name for name in SKIPPED if f"`{name}`" not in page] == []


def test_a_users_class_is_loaded_by_module_and_name() -> None:
    kind = load("steerageway.apps.scripts.xrelay:XRelay")
    assert kind is load("pXRelay")


@pytest.mark.parametrize(
    ("process", "expected"),
    [
        ("pHelmIvq", "expected an app, the nearest is pHelmIvP, or package.module:ClassName"),
        ("uSimMarineX", "the nearest is uSimMarine"),
        (
            "wholly_mine",
            "expected an app (steerageway apps lists them), or package.module:ClassName",
        ),
        ("nosuchmodule:App", "in the mission's folder or where Python finds it (PYTHONPATH): No "),
        (
            "steerageway.apps.scripts.xrelay:Relay",
            "as Relay: steerageway.apps.scripts.xrelay has XRelay",
        ),
        (
            "steerageway.apps.shared.registry:load",
            "expected a subclass of steerageway.App as load",
        ),
    ],
)
def test_a_class_that_is_no_app_is_an_error_that_names_it(process: str, expected: str) -> None:
    with pytest.raises(UnknownApp) as error:
        load(process)
    assert expected in str(error.value)


def test_the_list_names_every_app_and_every_name_that_is_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main([])
    lines = capsys.readouterr().out.splitlines()
    listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines if line.startswith("  ")}
    assert set(listed) == {*APPS, *SKIPPED, *TOOLS, GATE}
    assert all(tool in VERBS for tool in TOOLS)
    assert listed["pXRelay"].startswith("steerageway.apps.xrelay ")
    assert all(len(text.split()) > 2 for text in listed.values())


def test_the_list_says_what_an_app_without_its_extra_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("steerageway.apps.shared.registry.find_spec", lambda name: None)
    assert main([]) == 0
    output = capsys.readouterr().out
    assert "needs mcap: pip install 'steerageway[mcap]'" in output
    assert "uXMS" in output
