"""The command line common to all apps."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from steerageway.apps.shared.building import build, setting_for
from steerageway.apps.shared.registry import APPS, load, short_name
from steerageway.apps.shared.shell import example_block, interface_text, main, parameters_of
from steerageway.bus import App, Config, ConfigError, Entry, Parameter, Setting, variables
from steerageway.moos.mission import parse_mission

ROOT = Path(__file__).parents[2]
TRAFFIC = Path(__file__).parents[2] / "missions" / "harbour_traffic" / "traffic.csv"
SCENARIOS = Path(__file__).parents[2] / "missions" / "encounter" / "imazu.yml"
NEEDED = {
    "pHelmIvP": "domain = course:0:359:360\n",
    "pAisTraffic": f"file = {TRAFFIC}\n",
    "pPolicy": "policy = math:hypot\nvessel = otter\n",
    "uEncounter": f"file = {SCENARIOS}\n",
}
DATUM = "LatOrigin = 59.9075\nLongOrigin = 10.7200\n"  # of that recording


class Buoy(App):
    """Floats."""

    publishes = ("BUOY",)
    subscribes = ("WIND",)
    parameters = (
        Parameter("colour", "red", "what it looks like"),
        Parameter("label", "", "its name"),
    )

    def configure(self) -> None:
        self.colour = self.config.text("colour", default="red")
        self.label = self.config.text("label")


def ask(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    """Call the buoy's command line."""
    monkeypatch.setattr(sys, "argv", ["buoy", *arguments])
    main(Buoy)


@pytest.mark.parametrize("option", ["--example", "-e"])
def test_the_example_is_a_block_with_every_parameter(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, option)
    mission = parse_mission(capsys.readouterr().out, "example")
    block = mission.block("Buoy")
    assert block is not None
    assert ("colour", "red") in [(line.key, line.value) for line in block.lines]


@pytest.mark.parametrize("option", ["--interface", "-i"])
def test_the_interface_lists_subscriptions_and_publications(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, option)
    output = capsys.readouterr().out
    assert output.startswith(
        "Buoy subscribes to:\n  WIND\n\nBuoy publishes:\n  BUOY\n  BUOY_STATUS [s]: AppError"
    )


def test_the_interface_describes_variables() -> None:
    """With their units, also under the default prefix; VARIABLES.md is the source."""
    lines = interface_text(load("uSimMarineV22"), "uSimMarineV22").splitlines()
    assert "  USM_LAT [deg, WGS84]: latitude, north positive" in lines
    assert "  USM_LONG [deg, WGS84]: longitude, east positive" in lines
    assert any(line.startswith("  DESIRED_RUDDER [%") for line in lines)
    assert any(line.startswith("  MOOS_MANUAL_OVERRIDE: false: helm and") for line in lines)
    alone = [line for line in lines if line.startswith("  ") and ":" not in line]
    assert alone == []


def test_the_interface_shows_declarations_of_a_users_class() -> None:
    class Odometer(App):
        publications = (variables.number("ODOMETRY", "way made", unit="m", range=">= 0"),)
        subscriptions = (variables.heard("ODOMETRY_RESET", what="`true`: begin at 0"),)
        subscribes = ("NAV_X", "ODOMETRY_RESET")

    lines = interface_text(Odometer, "Odometer").splitlines()
    assert lines[1:3] == ["  NAV_X [m, east]: position", "  ODOMETRY_RESET: true: begin at 0"]
    assert lines[5] == "  ODOMETRY [m]: way made"


def test_an_app_without_on_start_receives_what_it_subscribes_to(drive) -> None:
    class Listener(App):
        publishes = ()
        subscribes = ("NAV_X", "WIND_*")

    class Chooser(Listener):
        def on_start(self) -> None:
            self.register("DEPLOY")

    def registered(kind: type[App]) -> str:
        return re.search(r'Subscribing="(.*),"', drive(kind).app._bus_status())[1]

    assert registered(Listener) == "NAV_X,WIND_*"
    assert registered(Chooser) == "DEPLOY"


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_help_explains_every_parameter(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        ask(monkeypatch, option)
    assert ended.value.code == 0
    output = capsys.readouterr().out
    assert "Floats." in output
    assert "colour (red): what it looks like" in output
    assert "AppTick (5): iterations per simulated second" in output


def test_the_version_is_the_projects(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, "-v")
    assert capsys.readouterr().out.startswith("Buoy, Steerageway ")


def test_without_a_mission_file_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        ask(monkeypatch)
    assert ended.value.code == 2
    assert "expected a mission file" in capsys.readouterr().err


def example_setting(kind: type[App], name: str, folder: Path) -> Setting:
    """Configure an app with its own example block."""
    example = example_block(kind, name).removesuffix("}") + NEEDED.get(name, "") + "}"
    mission = parse_mission(DATUM + example, str(folder / "example.moos"))
    return setting_for(kind, mission, name)


@pytest.mark.parametrize("name", APPS)
def test_every_apps_example_is_a_block_it_reads_without_a_warning(
    name: str, tmp_path: Path
) -> None:
    kind = load(name)
    app = build(kind, example_setting(kind, name, tmp_path))
    unread = [entry.key for entry in app.config.unread()]
    assert unread == []


class Watched(Config):
    """A block that records which keys were read."""

    def __init__(self, config: Config) -> None:
        super().__init__(config, where=config.where)
        self.asked = set()

    def all(self, *keys: str) -> list[Entry]:
        self.asked.update(keys)
        return super().all(*keys)


@pytest.mark.parametrize("name", APPS)
def test_every_app_reads_every_parameter_it_documents(name: str, tmp_path: Path) -> None:
    kind = load(name)
    setting = example_setting(kind, name, tmp_path)
    watched = Watched(setting.config)
    build(kind, replace(setting, config=watched))
    requested = {key.lower() for key in watched.asked}
    unread = [p.name for p in parameters_of(kind) if p.name.lower() not in requested]
    assert unread == []


def test_every_app_documents_itself() -> None:
    for name in APPS:
        kind = load(name)
        assert kind.__doc__, name
        assert interface_text(kind, name), name
        names = [parameter.name.lower() for parameter in parameters_of(kind)]
        assert len(names) == len(set(names)), name
        assert all(parameter.help for parameter in parameters_of(kind)), name


def test_every_app_is_found_by_the_short_name_of_its_module() -> None:
    for module in (place.partition(":")[0] for place in APPS.values()):
        long, short = find_spec(module.removesuffix(".app")), find_spec(short_name(module))
        assert long is not None, module
        assert short is not None, module
        assert long.origin == short.origin


@pytest.mark.process
@pytest.mark.parametrize("name", list(APPS)[::8])
def test_an_app_knows_its_name_when_it_is_run_as_a_module(name: str) -> None:
    module = short_name(APPS[name].partition(":")[0]).removeprefix("steerageway.")
    assert told_by(module, "--example") in named_alike(name)


@pytest.mark.process
@pytest.mark.parametrize("prefix", ["apps.", "apps.control.", "steerageway.apps.control."])
def test_an_app_knows_its_name_by_any_name_of_its_module(prefix: str) -> None:
    module = f"{prefix}velocity_pid"
    assert told_by(module, "--example") == "ProcessConfig = pVelocityPID"
    usage = "usage: python -m steerageway.apps.control.velocity_pid "
    assert told_by(module, "--help").startswith(usage)


def told_by(module: str, option: str) -> str:
    """Return the first line that a module prints when asked."""
    command = [sys.executable, "-m", module, option]
    asked = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    return asked.stdout.partition("\n")[0]


def named_alike(name: str) -> list[str]:
    """Return the first lines of the examples of all apps that are one module."""
    module = APPS[name].partition(":")[0]
    return [f"ProcessConfig = {one}" for one, t in APPS.items() if t.partition(":")[0] == module]


def test_a_documented_number_of_events_and_run_warnings_is_kept(tmp_path: Path) -> None:
    text = "MAX_APPCAST_EVENTS = 2\nMAX_APPCAST_RUN_WARNINGS = 1\n"
    app = build(Buoy, setting_of(text, tmp_path))
    for number in range(4):
        app.event(f"event {number}")
        app.run_warning(f"warning {number}")
    assert [line.partition(": ")[2] for line in app.events] == ["event 2", "event 3"]
    assert app.run_warnings == {"warning 0": 1, "other run warnings": 3}


def test_more_events_than_moos_ivp_keeps_are_a_warning(tmp_path: Path) -> None:
    app = build(Buoy, setting_of("MAX_APPCAST_EVENTS = 90\n", tmp_path))
    assert app.config_warnings[0].endswith("taken as 50, the most an appcast keeps")
    assert app.events.maxlen == 50


@pytest.mark.parametrize("key", ["MAX_APPCAST_EVENTS", "MAX_APPCAST_RUN_WARNINGS", "AppTick"])
def test_a_common_parameter_that_is_no_number_is_refused_before_the_run(
    key: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=f"{key} = abc: expected"):
        build(Buoy, setting_of(f"{key} = abc\n", tmp_path))


def setting_of(lines: str, folder: Path) -> Setting:
    """Return the setting of a Buoy whose block holds some lines."""
    mission = parse_mission(f"ProcessConfig = Buoy\n{{\n{lines}}}\n", str(folder / "a.moos"))
    return setting_for(Buoy, mission, "Buoy")


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments", ["apps", "apps.usim_marine --example", "apps.helm --interface"]
)
def test_no_traceback_when_the_reader_closes_the_pipe(arguments: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as file:
        command = [sys.executable, "-m", *arguments.split()]
        result = subprocess.run(command, stdout=file, stderr=-1, cwd=ROOT, check=False)
    assert (result.returncode, result.stderr) == (0, b"")


def test_an_app_started_without_a_mission_reports_that_none_is_running(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("steerageway.bus.processes.standalone.TIMEOUT", 0.1)
    with pytest.raises(SystemExit) as ended:
        ask(monkeypatch, str(ROOT / "missions/alpha/alpha.moos"), "--moos_port=1")
    assert ended.value.code == 2
    assert "no broker answers there; is the mission running?" in capsys.readouterr().err


class Anchored(Buoy):
    """Declares a parameter that it does not read."""

    parameters = (*Buoy.parameters, Parameter("depth", "0", "of its anchor [m]"))


class Late(Anchored):
    """Reads a parameter at its start, and requests it before."""

    def configure(self) -> None:
        super().configure()
        self.config.all("depth")

    def on_start(self) -> None:
        self.depth = self.config.number("depth", default=0.0)


def warnings_of(kind: type[App]) -> list[str]:
    """Return the warnings of a block with a depth and a misspelt one."""
    text = "ProcessConfig = Buoy\n{\n  depth = 4\n  dept = 5\n}\n"
    mission = parse_mission(text, "late.moos")
    return build(kind, setting_for(kind, mission, "Buoy")).config_warnings


def test_a_documented_parameter_that_is_never_read_is_a_warning() -> None:
    unread, unknown = warnings_of(Anchored)
    assert unread == "late.moos:3: depth = 4: no effect: configure asks for no depth"
    assert "dept = 5: unknown key" in unknown


def test_an_error_of_an_app_without_a_block_mentions_that() -> None:
    mission = parse_mission("ProcessConfig = pDriftBouy\n{\n}\n", "a.moos")
    found = setting_for(Buoy, mission, "pDriftBuoy").config.where
    assert found == "a.moos: pDriftBuoy, which has no block; the nearest is pDriftBouy"
    assert setting_for(Buoy, mission, "pX").config.where == "a.moos: pX, which has no block"
    assert setting_for(Buoy, mission, "pdriftbouy").config.where == "a.moos:1"


def test_a_mission_line_in_a_block_is_distinguished_from_a_misspelt_parameter() -> None:
    """The first line of the file is used, in a block or not, as in MOOS-IvP."""
    text = "LatOrigin = 1\nProcessConfig = Buoy\n{\n  latorigin = 2\n  LongOrigin = 3\n}\n"
    overrides = {"Buoy": [Entry("Geodesy", "utm", "--config Buoy.Geodesy")]}
    setting = setting_for(Anchored, parse_mission(text, "a.moos"), "Buoy", overrides=overrides)
    no = "no parameter of Buoy, but of the whole mission"
    assert build(Anchored, setting).config_warnings == [
        f"--config Buoy.Geodesy: Geodesy = utm: {no}: expected above the blocks",
        f"a.moos:4: latorigin = 2: {no}: a.moos:1 counts",
        f"a.moos:5: LongOrigin = 3: {no}: it counts, but belongs above the blocks",
    ]
    assert setting.globals.number("LatOrigin", default=0.0) == 1.0
    assert setting.globals.number("LongOrigin", default=0.0) == 3.0


def test_a_parameter_may_be_read_when_the_app_starts() -> None:
    (unknown,) = warnings_of(Late)
    assert "dept = 5: unknown key; did you mean depth" in unknown


@pytest.mark.parametrize(
    "arguments",
    [
        ["--replay", "a.alog", "--alias", "pidX"],
        ["--alias=pidX", "--replay", "a.alog"],
        ["--alias=pidX", "a.moos", "--replay", "a.alog"],
        ["a.moos", "--moos_name", "pidX", "--replay", "a.alog"],
        ["a.moos", "pidX", "--replay", "a.alog"],
    ],
)
def test_an_alias_applies_at_any_position(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    received = []
    monkeypatch.setattr(sys, "argv", ["app", *arguments])
    monkeypatch.setattr(
        "steerageway.apps.shared.replay.replay",
        lambda kind, options: received.append(options.name),
    )
    main(load("pMarinePIDV22"))
    assert received == ["pidX"]
