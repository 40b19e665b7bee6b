"""FMUs: vessels exported and stepped by fmpy, and FMUs as vessels and as apps."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from math import degrees, exp, inf, nan, radians
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu

from steerageway.apps.shared.user_code import check_no_code
from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.bridges.fmi import FmuApp
from steerageway.bus import CannotGoOn, ConfigError
from steerageway.vessel.craft import Craft
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import OutsideEnvelope
from steerageway.vessel.fmi.export import export
from steerageway.vessel.fmi.slave import VesselSlave
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import chosen, load
from steerageway.vessel.polar import Wind
from tests.bridges.conftest import Drive

HERE = Path(__file__).parent
ORDERS = ((0.0, 60.0, 0.0), (4.0, 60.0, 35.0), (7.3, -20.0, -100.0))  # from, thrust, rudder
OUTPUTS = ("x", "y", "heading", "speed", "roll", "u", "v", "r")
FMPY = """
import json, os, sys, fmpy
from fmpy.simulation import instantiate_fmu, apply_start_values
path, orders, outputs, start = json.loads(sys.stdin.read())
description = fmpy.read_model_description(path)
known = {one.name: one.valueReference for one in description.modelVariables}
fmu = instantiate_fmu(fmpy.extract(path), description, "CoSimulation")
is_2 = description.fmiVersion == "2.0"
read = fmu.getReal if is_2 else fmu.getFloat64
write = fmu.setReal if is_2 else fmu.setFloat64
rows = []
for again in range(2):  # the second time after a reset
    if again:
        fmu.reset()
    apply_start_values(fmu, description, start)
    if is_2:
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    for k in range(100):
        values = [o for o in orders if o[0] <= k * 0.1 + 1e-9][-1]
        write([known["thrust"], known["rudder"]], values[1:])
        fmu.doStep(k * 0.1, 0.1)
        rows.append(read([known[name] for name in outputs]))
print(json.dumps(rows), flush=True)
os._exit(0)
"""
LIBCOSIM = """
import json, os, sys
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave
path, orders, outputs, start = json.loads(sys.stdin.read())
execution = CosimExecution.from_step_size(step_size=100_000_000)
ship = execution.add_local_slave(CosimLocalSlave(fmu_path=path, instance_name="ship"))
known = {one.name.decode(): one.reference for one in execution.slave_variables(slave_index=ship)}
hand, eye = CosimManipulator.create_override(), CosimObserver.create_last_value()
execution.add_manipulator(hand)
execution.add_observer(eye)
for name, value in start.items():
    execution.real_initial_value(ship, known[name], value)
rows = []
for k in range(100):
    values = [o for o in orders if o[0] <= k * 0.1 + 1e-9][-1]
    hand.slave_real_values(ship, [known["thrust"], known["rudder"]], values[1:])
    assert execution.step()
    rows.append(eye.last_real_values(ship, [known[name] for name in outputs]))
print(json.dumps(rows), flush=True)
os._exit(0)
"""
DESCRIPTION = """<?xml version="1.0"?>
<fmiModelDescription fmiVersion="VERSION" modelName="nomoto" guid="nomoto">
<KIND modelIdentifier="nomoto" canHandleVariableCommunicationStepSize="true"/>
<ModelVariables>ROWS</ModelVariables><ModelStructure/></fmiModelDescription>"""
VARIABLES = (
    ("delta", "input", 'start="0"'),
    *((name, "output", "") for name in ("psi", "east", "north")),
    *((name, "parameter", f'start="{value}"') for name, value in (("K", 0.2), ("T", 5), ("U0", 1))),
)
SHIP = f"""model = fmu
fmu = nomoto.fmu
fmu_input = delta = rudder * {radians(0.3)}
fmu_output = heading = psi * {degrees(1.0)}
fmu_output = x = east
fmu_output = y = north
fmu_start = U0 = speed
"""


def described(version: str = "2.0", kind: str = "CoSimulation") -> str:
    rows = "".join(
        f'<ScalarVariable name="{name}" valueReference="{place}" causality="{what}" '
        f'variability="{"fixed" if what == "parameter" else "continuous"}">'
        f"<Real {start}/></ScalarVariable>"
        for place, (name, what, start) in enumerate(VARIABLES)
    )
    words = {"VERSION": version, "KIND": kind, "ROWS": rows}
    text = DESCRIPTION
    for word, value in words.items():
        text = text.replace(word, value)
    return text


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled machine code of ``nomoto.c``."""
    path = tmp_path_factory.mktemp("nomoto") / "nomoto.so"
    source = HERE / "nomoto.c"
    subprocess.run(["cc", "-w", "-O1", "-shared", "-fPIC", "-o", path, source, "-lm"], check=True)
    return path


@pytest.fixture
def nomoto(library: Path, tmp_path: Path) -> Callable[..., Path]:
    """Return ``nomoto(description, platform)``: writes the FMU beside the mission."""

    def write(description: str = "", platform: str = "") -> Path:
        path = tmp_path / "nomoto.fmu"
        with ZipFile(path, "w") as archive:
            archive.writestr("modelDescription.xml", description or described())
            place = f"binaries/{platform or fmpy.platform}/nomoto{fmpy.sharedLibraryExtension}"
            archive.write(library, place)
        return path

    return write


class Logging:
    told: list[str]

    def log(self, text: str) -> None:
        self.told.append(text)


class Slave(VesselSlave, Logging):
    """As in an exported FMU, without a vessel."""

    def __init__(self, craft: Any = None) -> None:
        self.told = []
        self._craft, self._ordered, self._by_actuator = craft, {}, False
        self._values = dict.fromkeys(
            ("thrust", "current_x", "current_y", "wind_speed", "wind_direction"), 0.0
        )


@pytest.mark.parametrize("wrong", ["thrust", "current_x", "current time", "step size"])
@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_a_step_with_what_is_not_finite_is_refused_and_moves_nothing(
    wrong: str, value: float
) -> None:
    slave, times = Slave(), {"current time": 1.0, "step size": 0.1}
    (times if wrong in times else slave._values)[wrong] = value
    assert slave.do_step(times["current time"], times["step size"]) is False
    assert slave.told == [f"{wrong}: expected finite numbers; the vessel was not moved"]


def test_time_that_goes_backwards_is_refused_and_moves_nothing() -> None:
    slave = Slave(SimpleNamespace(clock=5.0))
    assert [slave.do_step(5.0, -0.1), slave.do_step(4.9, 1.0)] == [False, False]
    assert all(text.endswith("from 5 s; the vessel was not moved") for text in slave.told)


def test_a_vessel_that_cannot_go_on_says_so_at_every_step_without_an_exception() -> None:
    def leave(end: float) -> None:
        raise OutsideEnvelope((), "above 100 m/s")

    slave = Slave(SimpleNamespace(clock=0.0))
    slave._move = leave  # type: ignore[method-assign]
    assert [slave.do_step(0.0, 0.1), slave.do_step(0.1, 0.1)] == [False, False]
    assert slave.told[0] == slave.told[1]
    assert "above 100 m/s" in slave.told[0]


@pytest.mark.parametrize(
    ("name", "version", "importer"),
    [("tanker", "2.0", FMPY), ("otter", "3.0", FMPY), ("otter", "2.0", LIBCOSIM)],
    ids=["fmpy, 2.0", "fmpy, 3.0", "libcosim"],
)
@pytest.mark.process
def test_an_exported_vessel_is_valid_and_moves_elsewhere_as_in_our_own_run(
    name: str, version: str, importer: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.fmu"
    export(chosen(name), path, version=version)
    assert validate_fmu(str(path)) == []
    around = {"current_x": 0.3, "current_y": -0.1, "wind_speed": 6.0, "wind_direction": 250.0}
    start = {"start_x": 12.0, "start_heading": 77.0, **around}
    given = json.dumps([str(path), ORDERS, OUTPUTS, start])
    done = subprocess.run(
        [sys.executable, "-c", importer], input=given, capture_output=True, text=True, check=True
    )
    rows = np.array(json.loads(done.stdout.splitlines()[-1]))

    model = FossenModel(load(name))
    craft = Craft(model, model.start)
    craft.place(x=12.0, heading=77.0)
    craft.drift, craft.inputs.wind = Drift(0.3, -0.1), Wind(6.0, 250.0)
    own = []
    for k in range(100):
        _, craft.inputs.thrust, craft.inputs.rudder = [o for o in ORDERS if o[0] <= k * 0.1 + 1e-9][
            -1
        ]
        craft.advance((k + 1) * 0.1)
        x, motion = craft.truth.seen, craft.motion
        own.append([*motion[:4], x[3], x[6], x[7], x[11]])
    assert np.abs(np.array(own)).max() > 1.0
    np.testing.assert_allclose(rows[:100], own, rtol=1e-9, atol=1e-9)
    if importer == FMPY:
        np.testing.assert_array_equal(rows[100:], rows[:100])


@pytest.mark.slow
def test_a_vessel_of_its_own_fmu_moves_as_itself_and_starts_again_at_a_reset(
    drive: Drive, tmp_path: Path
) -> None:
    export(chosen("otter"), tmp_path / "otter.fmu")
    begin = "start_pos = x=5,y=7,heading=30,speed=1,depth=0.1"
    as_fmu = drive(USimMarine, f"model = fmu\nfmu = otter.fmu\n{begin}")
    itself = drive(USimMarine, f"model = fossen\nvessel = otter\n{begin}")
    names = ("USM_X", "USM_Y", "USM_HEADING", "USM_SPEED", "USM_DEPTH", "USM_PITCH")
    tracks: list[list[list[float]]] = [[], []]
    for k in range(1, 61):
        mail = {0: {"DESIRED_THRUST": 70.0}, 20: {"DESIRED_RUDDER": 40.0, "DRIFT_X": 0.2}}
        for driven, track in zip((as_fmu, itself), tracks, strict=True):
            posts = dict(driven.tick(k * 0.1, mail.get(k - 1)))
            track.append([float(posts[name]) for name in names])
    np.testing.assert_allclose(*tracks, rtol=0, atol=1e-9)
    pose = "x=-4,y=2,heading=200,speed=1,depth=0.1"
    fresh = drive(USimMarine, f"model = fmu\nfmu = otter.fmu\nstart_pos = {pose}")
    orders = {"DESIRED_RUDDER": 40.0, "DESIRED_THRUST": 70.0, "DRIFT_X": 0.2}
    fresh.tick(0.0, orders)
    as_fmu.tick(6.0, {"USM_RESET": pose})
    for k in range(1, 11):
        first, again = (dict(d.tick(t + k * 0.1)) for d, t in ((fresh, 0.0), (as_fmu, 6.0)))
        assert [first[name] for name in names] == pytest.approx([again[name] for name in names])


def test_another_programs_fmu_turns_as_nomoto_says_from_wherever_it_starts(
    drive: Drive, nomoto: Callable[..., Path]
) -> None:
    nomoto()
    block = f"{SHIP}fmu_parameter = T = 4\nstart_pos = x=10,y=-5,heading=30,speed=2"
    ship = drive(USimMarine, block)
    straight = dict(ship.tick(5.0))
    assert straight["USM_X"] == pytest.approx(10.0 + 5.0 * 2.0 * 0.5, abs=1e-9)
    assert straight["USM_Y"] == pytest.approx(-5.0 + 5.0 * 2.0 * np.sqrt(0.75), abs=1e-9)
    assert straight["USM_SPEED"] == pytest.approx(2.0, abs=1e-9)
    # 50 % of the rudder is 15 degrees: psi = K delta (t - T (1 - exp(-t / T)))
    ship.tick(5.0, {"DESIRED_RUDDER": 50.0})
    heading = dict(ship.tick(5.0 + 6.0))["USM_HEADING"]
    turned = 0.2 * 15.0 * (6.0 - 4.0 * (1.0 - exp(-6.0 / 4.0)))
    assert heading == pytest.approx(30.0 + turned, abs=1e-9)


def test_an_fmu_as_an_app_reads_and_posts_variables_and_starts_again(
    drive: Drive, nomoto: Callable[..., Path]
) -> None:
    nomoto()
    block = f"fmu = nomoto.fmu\ninput = delta = A * 2\noutput = B = psi * {degrees(1.0)}\nreset = R"
    app = drive(FmuApp, block)
    assert app.tick(0.0) == [("B", 0.0)]

    def turned(t: float) -> float:
        return 0.2 * degrees(2 * 0.1) * (t - 5.0 * (1.0 - exp(-t / 5.0)))

    assert app.tick(1.0, {"A": 0.1}) == [("B", pytest.approx(turned(1.0)))]
    assert app.tick(3.0) == [("B", pytest.approx(turned(3.0)))]
    assert app.tick(4.0, {"R": "now"}) == [("B", 0.0)]
    assert app.tick(5.0) == [("B", pytest.approx(turned(1.0)))]
    with pytest.raises(CannotGoOn, match=r"nomoto\.fmu"):
        app.tick(6.0, {"A": 1.0})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fmu = other.fmu", "no such file"),
        ("fmu_input = detla = rudder", "detla: no such variable.*did you mean delta"),
        ("fmu_input = psi = rudder", "causality.*output; expected input or parameter"),
        ("fmu_input = delta = ruder", "ruder: no order.*did you mean rudder"),
        ("fmu_output = speed = psy", "psy: no such variable.*psi"),
        ("fmu_output = x = east * two", "two: expected a finite factor"),
        ("fmu_parameter = T = long", "expected a value of type Real"),
        ("dual_state = true", "expected no dual_state"),
    ],
)
def test_a_wrong_line_about_an_fmu_is_an_error_with_what_would_be_right(
    line: str, message: str, drive: Drive, nomoto: Callable[..., Path]
) -> None:
    nomoto()
    with pytest.raises(ConfigError, match=message):
        drive(USimMarine, f"{line}\n{SHIP}")


def test_no_code_refuses_the_machine_code_of_an_fmu(
    drive: Drive, nomoto: Callable[..., Path]
) -> None:
    nomoto()
    setting = drive(FmuApp, "fmu = nomoto.fmu\noutput = B = psi").app.setting
    with pytest.raises(ConfigError, match="machine code"):
        check_no_code(setting)


@pytest.mark.parametrize(
    ("description", "platform", "message"),
    [
        (None, "", "not a zip archive"),
        ("<fmi", "", "modelDescription.xml is wrong"),
        (described("1.0"), "", r"FMI version 1\.0; expected 2\.0 or 3\.0"),
        (described(kind="ModelExchange"), "", "expected co-simulation"),
        (described(), "win64", "no machine code for .*it has win64"),
    ],
)
def test_a_file_that_is_no_fmu_for_here_is_refused(
    description: str | None, platform: str, message: str, drive: Drive, nomoto: Callable[..., Path]
) -> None:
    path = nomoto(description or "", platform)
    if description is None:
        path.write_bytes(b"MZ" * 100)
    with pytest.raises(ConfigError, match=message):
        drive(FmuApp, "fmu = nomoto.fmu\noutput = B = psi")
