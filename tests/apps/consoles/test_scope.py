"""The scope in a real terminal, in a dumb one and once, and its options."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.consoles.scope.view import Mode, view_of_mission
from steerageway.bus import ConfigError, wall

BLOCK = """\
ServerPort = 9000
Community = alpha
ProcessConfig = uXMS
{{
  var = COUNT, DEPLOY
  var = "NOPE"
  {line}
}}
"""


@pytest.mark.parametrize(
    ("line", "attribute", "value"),
    [
        ("source = pHelmIvP, p*", "sources", ["pHelmIvP", "p*"]),
        ("display_source = false", "source", False),
        ("display_time = off", "time", False),
        ("display_community = true", "community", True),
        ("display_aux_source = true", "aux", True),
        ("display_virgins = false", "virgins", False),
        ("display_all = true", "names", []),
        ("trunc_data = 40", "width", 40),
        ("refresh_mode = Streaming", "mode", Mode.STREAMING),
        ("term_report_interval = 2", "interval", 2.0),
        ("colormap = pHelmIvP, Blue", "colored", [("pHelmIvP", "blue")]),
        ("history_var = COUNT", "history", ""),
    ],
)
def test_a_block_of_a_mission_file_selects_what_to_show(
    tmp_path: Path, line: str, attribute: str, value: object
) -> None:
    mission = tmp_path / "alpha.moos"
    mission.write_text(BLOCK.format(line=line))
    view, messages = view_of_mission(mission)
    assert getattr(view, attribute) == value
    assert messages == []
    if attribute != "names":
        assert view.names == ["COUNT", "DEPLOY", "NOPE"]
        default, _ = view_of_mission(None)
        assert getattr(default, attribute) != value or attribute == "history"


def test_a_block_may_show_the_history_of_a_variable(tmp_path: Path) -> None:
    mission = tmp_path / "alpha.moos"
    mission.write_text(BLOCK.format(line="history_var = COUNT\ncontent_mode = history"))
    assert view_of_mission(mission)[0].history == "COUNT"


def test_an_unused_line_of_the_block_is_reported(tmp_path: Path) -> None:
    mission = tmp_path / "alpha.moos"
    mission.write_text(BLOCK.format(line="display_sorce = true"))
    _, (message,) = view_of_mission(mission)
    assert message.endswith("unknown key; did you mean display_source?")
    mission.write_text(BLOCK.format(line="refresh_mode = often"))
    with pytest.raises(ConfigError, match="expected one of events, streaming, paused"):
        view_of_mission(mission)
    mission.write_text(BLOCK.format(line="colormap = COUNT, purple"))
    with pytest.raises(ConfigError, match="expected NAME, COLOUR; colours are red, green"):
        view_of_mission(mission)


@pytest.mark.process
def test_rows_have_colours_if_enabled_and_supported_by_the_terminal(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    stage.ready()
    colored = ("apps.scope", "COUNT", "MODE", "NOPE", "--colormap", "Chat*,red")

    def cells(*more: str, **env: str) -> dict[str, Any]:
        scope = stage.terminal(*colored, *more, **env)
        scope.see("MODE")
        scope.moves("COUNT")
        rows = {line.split()[0]: n for n, line in enumerate(scope.lines) if n > 1 and line}
        return {name: scope.screen.buffer[row][0] for name, row in rows.items()}

    shown = cells()
    assert {name: shown[name].fg for name in ("COUNT", "MODE")} == {"COUNT": "red", "MODE": "red"}
    assert (shown["COUNT"].bold, shown["MODE"].bold) == (True, False)  # COUNT has just changed
    assert shown["NOPE"].fg not in ("red", "default")  # nobody has posted it
    by_variable = cells("--colormap", "MODE,green")["MODE"]
    assert by_variable.fg == "red"  # the first that fits counts
    assert cells("--colour", NO_COLOR="1")["MODE"].fg == "red"
    for plain in (cells("--no-colour"), cells(NO_COLOR="1")):
        assert {cell.fg for cell in plain.values()} == {"default"}
        assert not any(cell.bold for cell in plain.values())


@pytest.mark.process
def test_the_live_table_is_steered_by_keys(stage: Any) -> None:
    run = stage.launch(stage.mission(), "--warp", 1)
    scope = stage.terminal("apps.scope")
    lines = scope.see("NOISE_000")
    assert lines[1].split() == ["VarName", "(S)ource", "(A)", "(T)ime", "(C)", "Value"]
    scope.type("sc")
    scope.see(
        lambda lines: (
            lines[1].split() == ["VarName", "(S)", "(A)", "(T)ime", "(C)ommunity", "Value"]
        )
    )
    scope.type("\033[B" * 60)
    scope.see("NOISE_045")  # what is chosen stays in sight
    scope.type("/O*D")
    lines = scope.see("/O*D_")
    scope.see(
        lambda lines: lines[2].split() == ["ODD", "0.10", "alpha", '"one\\ntwo\\x1b[31m', 'red"']
    )
    scope.type("\033/count\r")
    scope.see(lambda lines: lines[2].startswith("COUNT ") and not lines[3])
    scope.type("w")
    scope.see(lambda lines: lines[1] == "COUNT:" and lines[5].startswith("Chatty"))
    first, *others = (int(line.split()[-1]) for line in scope.lines[2:6])
    assert others == [first + 1, first + 2, first + 3]
    scope.type("wp")
    before = scope.see("paused")[2]
    time = scope.lines[0].split()[1]
    scope.see(lambda lines: float(lines[0].split()[1]) > float(time) + 1.0)
    assert scope.lines[2] == before  # nothing new, though time goes on
    scope.type(" ")
    scope.see(lambda lines: lines[2] != before)
    scope.type("e\033")  # the filter that was kept is dropped
    scope.resize(40, 12)
    lines = scope.see(lambda lines: lines[11].startswith("DB_VAR") and "events" in lines[0])
    assert all(len(line) <= 40 for line in lines)
    scope.type("h")
    scope.see("q leaves")
    assert scope.leave("q") == 0
    assert "left; the run continues" in scope.lines
    assert run.poll() is None


@pytest.mark.process
def test_a_scope_ends_with_the_run_and_by_a_signal(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    scope, other = stage.terminal("apps.scope"), stage.terminal("apps.scope", "COUNT", TERM="dumb")
    scope.see("NOISE_000")
    killed = stage.terminal("apps.scope")
    killed.see("NOISE_000")
    killed.process.send_signal(signal.SIGTERM)
    assert killed.end() == 128 + signal.SIGTERM
    other.see("COUNT    Chatty")
    assert stage.call("apps.poke", typed="stop\n").returncode == 0
    for one in (scope, other):
        assert one.end() == 0
        assert "the run has ended: stopped" in one.lines


@pytest.mark.process
def test_only_changes_are_printed_where_lines_cannot_be_rewritten(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    scope = stage.terminal("apps.scope", "COUNT", "MODE", "--interval", "0.2", TERM="dumb")
    scope.see(lambda lines: sum(line.startswith("COUNT") for line in lines) >= 4)
    assert sum(line.startswith("MODE") for line in scope.lines) <= 2
    assert not any("\033" in line for line in scope.lines)
    scope.type("\x03")
    assert scope.end() == 0
    table = stage.terminal("apps.scope", "MODE", "--mode=streaming", "--interval=0.2", TERM="dumb")
    table.see(lambda lines: sum(line.startswith("VarName") for line in lines) >= 3)


@pytest.mark.process
def test_a_slow_link_carries_only_changes(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    scope = stage.terminal("apps.scope", "--mode=streaming", "--interval=0.5")
    scope.see("NOISE_000")
    before, began = scope.sent, wall()
    scope.read(1.5)
    reports = 1 + (wall() - began) / 0.5
    assert scope.sent - before < reports * 80 * 24 / 2  # of each less than half of the screen


@pytest.mark.process
def test_a_single_look_suits_scripts(stage: Any) -> None:
    mission = stage.mission()
    stage.launch(mission, "--warp", 1)
    stage.ready()
    result = stage.call("apps.scope", "DEPLOY", "MO?E", "NOPE", "--once")
    assert result.returncode == 1
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["VarName", "(S)ource", "(A)", "(T)ime", "(C)", "Value"],
        ["DEPLOY", "Chatty", "0.10", '"false"'],
        ["MODE", "Chatty", "0.10", '"ACTIVE:SURVEYING"'],
        ["NOPE", "n/a", "n/a", "n/a"],
    ]
    result = stage.call("apps.scope", mission, "--once", "MODE", "--show=c", "--trunc=6")
    assert result.stdout.splitlines()[1].split() == ["MODE", "alpha", '"AC...']
    result = stage.call(
        "apps.scope", "--once", "--src=MOOSDB_*", "--filter", "uptime", "--show=s,a,t"
    )
    assert [line.split()[:2] for line in result.stdout.splitlines()[1:]] == [
        ["DB_UPTIME", "MOOSDB_alpha"]
    ]
    result = stage.call("apps.scope", "NOPE", "NAV_*", "--once", "--novirgins")
    assert (result.returncode, len(result.stdout.splitlines())) == (1, 1)
    result = stage.call("apps.scope", "--history", "MODE", "--once")
    assert result.stdout.splitlines() == ["MODE:", 'Chatty  0.10    "ACTIVE:SURVEYING"']
    assert len(stage.call("apps.scope", "COUNT", "--all", "--once").stdout.splitlines()) > 20
    wrong = stage.call("apps.scope", "--once", "--community", "alhpa")
    assert (wrong.returncode, "no running mission with a community alhpa" in wrong.stderr) == (
        2,
        True,
    )
    for option in ("--interval=0", "--show=z", "--mode=often", "--trunc=-4"):
        wrong = stage.call("apps.scope", option)
        assert (wrong.returncode, "expected" in wrong.stderr or "choose" in wrong.stderr) == (
            2,
            True,
        )


@pytest.mark.process
def test_a_single_look_reports_missing_variables(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    stage.ready()

    def missing(*arguments: str) -> list[str]:
        result = stage.call("apps.scope", *arguments, "--once")
        assert result.returncode == 1
        return list(result.stderr.splitlines())

    assert missing("DEPOLY", "MODE") == ["DEPOLY: never posted, the nearest is DEPLOY"]
    assert missing("NAV_*", "MODE") == ["NAV_*: never posted"]
    assert missing("MODE", "--src=pHelmIvP") == ["MODE: not posted by pHelmIvP"]
    assert missing("--history=CUONT") == ["CUONT: never posted, the nearest is COUNT"]


@pytest.mark.process
def test_a_passive_observer_changes_no_log(stage: Any) -> None:
    mission = stage.mission()

    def run(name: str, warp: object) -> Any:
        options = ("--for", 60, "--warp", warp, "--json", f"{name}.json", "--log", name)
        return stage.launch(mission, *options)

    run("alone", "max").communicate()
    watched = run("watched", 1)
    console = stage.terminal("apps.poke")
    console.see("alpha>")
    console.type("pause\rwatch *\r")  # steering time changes no log either
    scope = stage.terminal("apps.scope", "--history", "DB_TIME")
    dumb = stage.terminal("apps.scope", TERM="dumb")
    scope.see("MOOSDB_alpha")
    dumb.see("SIM_RTF")
    console.type("warp max\rresume\r")
    watched.communicate()
    assert console.end() == scope.end() == dumb.end() == 0
    hashes = [
        json.loads((stage.folder / f"{name}.json").read_text())["communities"]["alpha"][
            "log_sha256"
        ]
        for name in ("alone", "watched")
    ]
    assert hashes[0] == hashes[1] is not None
